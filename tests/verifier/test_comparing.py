"""Comparing two rulebooks by what they mean: every difference has a state in which both interpreters were asked."""

from __future__ import annotations

import pytest

from rules.check import CheckedRulebook
from tests.machine.making import checked
from verifier.comparing import Comparison, compare_books, compare_documents

BOOK = """\
game "Copper Hill" played by Player

documents
    book "Rulebook"
    card "Reference card"

precedence
    authority card > book cites book 1
    otherwise undecided

type Weather is calm, storm

kind Player 2..4
    coins 0..9 starts 2

state
    weather Weather starts calm
    luck 0..5

let p be Player

play
    repeat 3 times
        phase day
            roll d6 on omens
            each p
                p takes 1 action

table omens by d6 cites book 2
    1..4: weather becomes calm
    5..6: weather becomes storm

action dig by p during day cites book 3
    pay fee of p from coins of p
    coins of p increases by 2

action wait by p during day cites book 4
    luck becomes 1

value fee of p: 0..2 cites book 5
    is 1

rule digging cites book 3
    p may dig when coins of p < 7

rule storm_stops_work cites card 6
    p cannot dig when weather is storm

rule waiting cites book 4
    p may wait once per day

rule blessed cites book 8
    when wait by p if weather is calm
        luck becomes 2

rule rich cites book 7
    p wins when coins of p >= 8
"""


def compared(one: str, other: str, players: int | None = None) -> Comparison:
    return compare_books(checked(one), checked(other), ("one", "other"), players)


def changed(old: str, new: str) -> Comparison:
    assert BOOK.count(old) == 1
    return compared(BOOK, BOOK.replace(old, new))


def told(found: Comparison) -> list[tuple[str, str, str, str]]:
    return [(one.sort, one.name, one.one.words, one.other.words) for one in found.different]


def test_a_book_is_the_same_as_itself() -> None:
    found = compared(BOOK, BOOK)
    assert found.same
    assert dict(found.compared)["move"] == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("when coins of p < 7", "unless coins of p >= 7"),
        ("when weather is storm", "when weather is not calm"),
        ("    1..4: weather becomes calm\n", "    1..3: weather becomes calm\n    4: weather becomes calm\n"),
        ("rule digging cites book 3", "rule dig_deep cites book 3"),
        ("    is 1\n", "    is 1 when weather is calm\n    is 1 when weather is storm\n"),
        ("p wins when coins of p >= 8", "p wins when coins of p is 8 or coins of p is 9"),
    ],
)
def test_other_words_are_no_difference(old: str, new: str) -> None:
    found = changed(old, new)
    assert found.different == ()
    assert found.same


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("when coins of p < 7", "when coins of p < 6", ("move", "dig", "legal", "illegal: no rule allows it")),
        ("p cannot dig when weather is storm", "p cannot dig when luck is 5", ("move", "dig", "", "")),
        ("once per day", "up to 2 times per day", ("move", "wait", "illegal: no rule allows it", "legal")),
        (
            "p wins when coins of p >= 8",
            "p wins when coins of p >= 9",
            ("outcome", "outcome", "wins", "the game goes on"),
        ),
        (
            "    1..4: weather becomes calm\n    5..6:",
            "    1..3: weather becomes calm\n    4..6:",
            ("table", "omens", "weather becomes calm", "weather becomes storm"),
        ),
        ("if weather is calm\n", "\n", ("trigger", "blessed", "", "")),
        ("    luck becomes 1", "    luck becomes 2", ("action", "wait", "luck becomes 1", "luck becomes 2")),
        ("luck 0..5", "luck 0..4", ("state", "luck", "luck 0..5", "luck 0..4")),
    ],
)
def test_a_difference_is_told(old: str, new: str, expected: tuple[str, str, str, str]) -> None:
    found = changed(old, new)
    (one, *_) = told(found)
    assert one[:2] == expected[:2]
    if expected[2]:
        assert one[2] == expected[2]
    if expected[3]:
        assert one[3] == expected[3]
    if one[0] in ("move", "value", "outcome"):
        assert found.different[0].confirmed
        assert found.different[0].facts


UNDETERMINED = {
    "a duty without a way": (
        ("rule waiting", "rule owed cites card 9\n    p must dig{} when coins of p is 3\n\nrule waiting"),
        ("", " if possible"),
        ("move", "dig", "undetermined"),
    ),
    "win and loss": (
        ("rule waiting", "rule ruin cites book 9{}\n    p loses when coins of p is 9\n\nrule waiting"),
        ("", " overrides rich"),
        ("outcome", "outcome", "undetermined"),
    ),
    "rows that meet": (
        ("    5..6: weather becomes storm\n", "    5..6: weather becomes storm\n{}"),
        ("    4: weather becomes storm\n", ""),
        ("table", "omens", "undetermined: weather becomes calm or weather becomes storm"),
    ),
    "two readings": (
        ("    p may dig when coins of p < 7\n", "{}"),
        (
            "    reading low\n        p may dig when coins of p < 5\n"
            "    reading high\n        p may dig when coins of p < 7\n",
            "    p may dig when coins of p < 7\n",
        ),
        ("move", "dig", "undetermined"),
    ),
    "two values": (
        ("    is 1\n", "    {}is 1\n    is 2 when weather is storm\n"),
        ("", "usually "),
        ("value", "fee", "undetermined"),
    ),
}


@pytest.mark.parametrize("name", UNDETERMINED)
def test_what_one_side_leaves_open_is_a_difference(name: str) -> None:
    (old, new), words, expected = UNDETERMINED[name]
    assert old in BOOK
    sides = [BOOK.replace(old, new.format(word)) for word in words]
    sides = [
        side.replace("precedence\n", "precedence\n    explicit\n    assume cannot over may\n", 1) for side in sides
    ]
    found = compared(sides[0], sides[1])
    mine = [one for one in found.different if (one.sort, one.name) == expected[:2]]
    assert [one.one.words for one in mine] == [expected[2]]
    assert all(one.confirmed and one.other.words != expected[2] for one in mine)


STORY = """game "The Cellar" played by Player

kind Player 1

state
    sword yes/no

story tale
    starts at hall
    passage hall "A hall."
        option "{1}" when sword
            ending "{0}"
        option "Take the sword"
            sword becomes yes
            go to hall
"""


def test_passages_are_compared_by_what_they_do() -> None:
    one = STORY.format("won", "Fight")
    assert compared(one, STORY.format("won", "Go on")).different == ()
    assert told(compared(one, STORY.format("lost", "Fight"))) == [
        ("passage", "hall", 'option "Fight" when sword: ending "won"', 'option "Fight" when sword: ending "lost"')
    ]
    turned = compared(one, one.replace("when sword", "unless sword"))
    assert [different[:2] for different in told(turned)] == [("passage", "hall")]


def test_a_fee_changes_a_value_and_the_moves_that_hang_on_it() -> None:
    found = changed("    is 1\n", "    is 2 when weather is calm\n    is 1 when weather is storm\n")
    assert told(found) == [
        ("move", "dig", "legal", "illegal: it cannot be paid for"),
        ("value", "fee", "1", "2"),
    ]
    assert all(one.confirmed for one in found.different)


def test_differences_are_grouped_by_the_rules_that_decide() -> None:
    found = changed(
        "p may dig when coins of p < 7", "p may dig when coins of p < 5\n    p must dig when coins of p is 5"
    )
    pairs = [(one.one.rules, one.other.rules) for one in found.of_sort("move")]
    assert len(pairs) == len(set(pairs)) >= 1


def test_what_only_one_has_is_listed() -> None:
    more = BOOK + "\naction rob by p during day\n    luck becomes 0\n\nrule robbing\n    p may rob\n"
    found = compared(BOOK, more)
    assert [(one.sort, one.name, one.side) for one in found.only] == [
        ("action", "rob", "other"),
        ("rule", "robbing", "other"),
    ]
    assert found.different == ()
    assert not found.same


def test_state_that_only_one_has_can_make_the_difference() -> None:
    other = BOOK.replace("    luck 0..5\n", "    luck 0..5\n    tired yes/no\n")
    other = other.replace("    luck becomes 1", "    luck becomes 1\n    tired becomes yes")
    other = other.replace("when coins of p < 7", "when coins of p < 7 and not tired")
    found = compared(BOOK, other)
    (move,) = found.of_sort("move")
    assert "tired is yes" in move.facts
    assert move.confirmed


def test_an_action_with_other_parts_is_not_compared() -> None:
    other = BOOK.replace("let p be Player", "let p, q be Player").replace("action wait by p", "action wait by p with q")
    other = other.replace("p may wait", "p may wait with q").replace("when wait by p", "when wait by p with q")
    found = compared(BOOK, other)
    assert dict(found.not_compared) == {"wait": "its parts are others in the two"}
    assert not found.same


def test_books_for_other_numbers_of_players() -> None:
    three = BOOK.replace("kind Player 2..4", "kind Player 3..4")
    with pytest.raises(ValueError, match="say how many play"):
        compared(BOOK, three)
    assert compared(BOOK, three, players=3).of_sort("move") == ()


def test_an_erratum_settles_a_finding() -> None:
    disputed = BOOK.replace("cites card 6", "cites book 6")
    book: CheckedRulebook = checked(disputed)
    ruled = checked(disputed + "\nruling errata\n    storm_stops_work over digging\n")
    found = compare_books(book, ruled, ("book", "errata"), findings=True)
    assert told(found) == [("move", "dig", "undetermined", "illegal")]
    assert found.settled is not None
    assert "LX901" in [finding.code for finding in found.settled]
    assert found.appeared == ()


def test_two_documents_of_one_book() -> None:
    card = BOOK + "\nrule lamp cites card 9\n    p may dig when weather is storm and coins of p < 9\n"
    found = compare_documents(checked(card), "book", "card")
    assert (found.one, found.other) == ("book", "card")
    assert [one.name for one in found.only] == ["wait"]
    moves = found.of_sort("move")
    assert {(one.one.rules, one.other.rules) for one in moves} >= {(("digging",), ())}
    assert all(one.confirmed for one in moves)
