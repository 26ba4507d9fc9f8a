"""A rule and its restatements are versions of one statement: it is carried out once, and where the versions come to
different ends the book disagrees with itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rules.machine import Choice, Game, Open, Over
from rules.machine.norms import Applied
from rules.machine.observer import Observer, Use
from rules.machine.state import State
from tests.machine.making import machine

BOOK = """\
game "Copper Hill" played by Player

documents
    book "Rulebook"
    card "Reference card"
    sheet "Summary"
{precedence}
kind Player 2
    coins 0..20 starts 3
    hurt yes/no

state
    storm yes/no starts {storm}
    luck 0..20

let p, other be Player
let n be 0..20

play
    repeat 2 times
        each p
            p takes 1 action
    nobody wins

action dig by p
    nothing

action wait by p
    luck increases by 1

rule waiting cites book 1
    p may wait
"""


def game(rules: str, precedence: str = "", storm: str = "yes", policies: tuple[str, ...] = ()) -> Game:
    lines = f"\nprecedence\n    {precedence}\n" if precedence else ""
    return Game(machine(BOOK.format(precedence=lines, storm=storm) + "\n" + rules, policies=policies))


def versions(original: str, again: str, clause: str = "restates law", more: str = "") -> str:
    sides = [text.replace("\n", "\n    ") for text in (original, again)]
    return f"rule law cites book 2\n    {sides[0]}\n\nrule echo cites card 2 {clause}\n    {sides[1]}\n\n{more}"


DIGGING = "rule digging cites book 3\n    p may dig\n"


def held(found: Game, name: str, of: int = 0) -> object:
    slot = next(slot for slot in found.machine.world.slots.values() if slot.symbol.name == name)
    return found.state.cells[slot.base + of]


def sides(found: Game) -> list[list[str]]:
    assert isinstance(found.node, Open), found.node
    assert found.node.kind == "undetermined"
    return [[norm.name for norm in side] for side in found.node.sides]


def offered(found: Game) -> list[str]:
    assert isinstance(found.node, Choice), found.node
    return [move.text for move in found.node.moves]


# ---- triggers

TRIGGER = "when dig by p\n    coins of p increases by 1"


@pytest.mark.parametrize(
    "again",
    [
        TRIGGER,
        "when dig by other\n    coins of other increases by 1",
        "when dig by p if not (hurt of p)\n    coins of p increases by 1",
        "when dig by p if coins of p >= 0\n    coins of p increases by 1",
    ],
    ids=["word for word", "other letters", "another condition that holds", "what is always so"],
)
def test_a_restated_trigger_is_carried_out_once(again: str) -> None:
    found = game(versions(TRIGGER, again, more=DIGGING))
    found.do("dig by Player 1")
    assert held(found, "coins") == 4


@pytest.mark.parametrize("timing", ["when about to", "when"])
def test_before_and_after(timing: str) -> None:
    text = TRIGGER.replace("when", timing)
    found = game(versions(text, text, more=DIGGING))
    found.do("dig by Player 1")
    assert held(found, "coins") == 4


def test_a_statement_said_three_times_is_carried_out_once() -> None:
    third = f"rule third cites sheet 1 restates echo\n    {TRIGGER.replace(chr(10), chr(10) + '    ')}\n\n"
    found = game(versions(TRIGGER, TRIGGER, more=third + DIGGING))
    found.do("dig by Player 1")
    assert held(found, "coins") == 4


def test_a_rule_that_says_once_more_what_two_rules_say() -> None:
    rules = (
        "rule law cites book 2\n    when dig by p\n        coins of p increases by 1\n\n"
        "rule other_law cites book 3\n    when dig by p\n        luck increases by 2\n\n"
        "rule both cites card 1 restates law, other_law\n"
        "    when dig by p\n        luck increases by 2\n    when dig by p\n        coins of p increases by 1\n\n"
    )
    found = game(rules + DIGGING)
    found.do("dig by Player 1")
    found.do("first law")
    assert (held(found, "coins"), held(found, "luck")) == (4, 2)


@pytest.mark.parametrize(
    "again",
    [
        "when dig by p\n    coins of p increases by 2",
        "when dig by p if storm\n    coins of p increases by 1",
        "when about to dig by p\n    coins of p increases by 1",
        "when wait by p\n    coins of p increases by 1",
    ],
    ids=["another number", "another condition", "another time", "another event"],
)
def test_versions_of_a_trigger_that_differ_stop_play_and_a_ruling_settles_it(again: str) -> None:
    found = game(versions(TRIGGER, again, more=DIGGING), storm="no")
    found.do("dig by Player 1")
    assert sides(found) == [["law"], ["echo"]]
    assert isinstance(found.node, Open)
    assert [ruling.text for ruling in found.node.rulings] == ["law over echo", "echo over law"]
    found.rule("law over echo")
    assert held(found, "coins") == 4


def test_the_version_that_a_ruling_chose_counts_alone() -> None:
    found = game(versions(TRIGGER, "when dig by p if storm\n    coins of p increases by 1", more=DIGGING), storm="no")
    found.do("dig by Player 1")
    found.rule("echo over law")
    assert held(found, "coins") == 3


@pytest.mark.parametrize(
    ("precedence", "coins"),
    [
        ("authority card > book cites book 9", 5),
        ("authority book > card cites book 9", 4),
        ("explicit", 5),
        ("assume cannot over may", None),
        ("specific over general cites book 9", None),
    ],
)
def test_what_compares_rules_chooses_a_version(precedence: str, coins: int | None) -> None:
    clause = "restates law overrides law" if precedence == "explicit" else "restates law"
    rules = versions(TRIGGER, "when dig by p if hurt of p is no\n    coins of p increases by 2", clause, DIGGING)
    found = game(rules, precedence)
    found.do("dig by Player 1")
    assert (held(found, "coins") == coins) if coins is not None else isinstance(found.node, Open)


def test_a_policy_chooses_a_version() -> None:
    policy = "policy by_the_card\n    echo over law\n"
    rules = versions(TRIGGER, "when dig by p\n    coins of p increases by 2", more=DIGGING + "\n" + policy)
    found = game(rules, policies=("by_the_card",))
    found.do("dig by Player 1")
    assert held(found, "coins") == 5


def test_what_the_stronger_document_repeats_word_for_word_goes_before_a_third() -> None:
    """The card says what the book says; the sheet says otherwise, and is stronger than the book alone."""
    third = "rule third cites sheet 1 restates law\n    when dig by p\n        coins of p increases by 7\n\n"
    found = game(versions(TRIGGER, TRIGGER, more=third + DIGGING), "authority card > sheet > book cites book 9")
    found.do("dig by Player 1")
    assert held(found, "coins") == 4


def test_a_restatement_of_some_is_silent_where_it_says_nothing() -> None:
    longer = "when dig by p\n    coins of p increases by 1\n    luck increases by 1"
    for again in ("when dig by p\n    luck increases by 1", "when dig by p if hurt of p\n    luck increases by 1"):
        found = game(versions(longer, again, "restates some of law", DIGGING))
        found.do("dig by Player 1")
        assert (held(found, "coins"), held(found, "luck")) == (4, 1)
        whole = game(versions(longer, again, "restates law", DIGGING))
        whole.do("dig by Player 1")
        assert sides(whole) == [["law"], ["echo"]]


def test_a_restatement_of_some_that_says_more_disagrees() -> None:
    guarded = "when dig by p if hurt of p\n    coins of p increases by 1"
    found = game(versions(guarded, TRIGGER, "restates some of law", DIGGING))
    found.do("dig by Player 1")
    assert sides(found) == [["law"], ["echo"]]
    found.rule("echo over law")
    assert held(found, "coins") == 4
    more = game(versions(TRIGGER, "when dig by p\n    coins of p increases by 5", "restates some of law", DIGGING))
    more.do("dig by Player 1")
    more.rule("echo over law")
    assert held(more, "coins") == 8


def test_a_restated_replacement_replaces_once() -> None:
    text = "instead of luck increases by n\n    luck increases by n + 1"
    found = game(versions(text, text.replace(" n", " n")))
    found.do("wait by Player 1")
    assert held(found, "luck") == 2
    differing = game(versions(text, text.replace("n + 1", "n + 2")))
    differing.do("wait by Player 1")
    assert sides(differing) == [["law"], ["echo"]]


def test_what_is_said_once_more_is_told_to_who_looks_on() -> None:
    seen: list[tuple[str, str]] = []

    class Looking(Observer):
        def applied(self, norms: Sequence[Applied], use: Use, state: State) -> None:  # noqa: ARG002
            seen.extend((use, applied.norm.name) for applied in norms)

    found = game(versions(TRIGGER, "when dig by other\n    coins of other increases by 1", more=DIGGING))
    found.machine.observer = Looking()
    found.do("dig by Player 1")
    assert {("waits", "echo"), ("fires", "echo"), ("fires", "law")} <= set(seen)


# ---- values

VALUE = "value toll of p: 0..9 cites book 5\n    is 1\n    plus 2 when storm\n\n"
CHEAP = VALUE + "rule digging cites book 3\n    p may dig when toll of p is {}\n\n"


@pytest.mark.parametrize("again", ["toll of p plus 2 when storm", "toll of other plus 2 when storm"])
def test_a_case_that_a_rule_restates_is_added_once(again: str) -> None:
    assert "dig by Player 1" in offered(
        game(CHEAP.format(3) + f"rule once_more cites card 1 restates toll\n    {again}")
    )


@pytest.mark.parametrize(
    "again", ["toll of p plus 1 when storm", "toll of p plus 1 unless hurt of p", "toll of other plus 1 + 0 when storm"]
)
def test_a_restated_amount_is_added_once(again: str) -> None:
    rules = versions("toll of p plus 1 when storm", again)
    assert "dig by Player 1" in offered(game(CHEAP.format(4) + rules))


@pytest.mark.parametrize(("ruling", "toll"), [("law over echo", 4), ("echo over law", 5)])
def test_amounts_that_differ(ruling: str, toll: int) -> None:
    rules = versions("toll of p plus 1 when storm", "toll of p plus 2 when storm")
    found = game(CHEAP.format(toll) + rules)
    assert sides(found) == [["law"], ["echo"]]
    found.rule(ruling)
    assert "dig by Player 1" in offered(found)


@pytest.mark.parametrize(("ruling", "toll"), [("toll over once_more", 3), ("once_more over toll", 6)])
def test_a_rule_that_restates_a_case_otherwise(ruling: str, toll: int) -> None:
    """The case of the value is not added besides, once it is ruled that the rule counts."""
    rules = "rule once_more cites card 1 restates toll\n    toll of p plus 5 when storm\n"
    found = game(CHEAP.format(toll) + rules)
    assert sides(found) == [["toll"], ["once_more"]]
    found.rule(ruling)
    assert "dig by Player 1" in offered(found)


# ---- what is allowed, demanded and forbidden; limits and endings


def test_a_permission_with_another_guard_or_frequency() -> None:
    for original in ("p may dig when not storm", "p may dig once per game"):
        found = game(versions(original, "p may dig"))
        if original.endswith("game"):
            for move in ("dig by Player 1", "wait by Player 2"):
                found.do(move)
        assert sides(found) == [["law"], ["echo"]]
        found.rule("law over echo")
        assert offered(found) == ["wait by Player 1"]


def test_a_restated_frequency_is_one_frequency() -> None:
    found = game(versions("p may dig up to 2 times per game", "other may dig up to 2 times per game"))
    for move in ("dig by Player 1", "dig by Player 2"):
        found.do(move)
    assert offered(found) == ["dig by Player 1", "wait by Player 1"]


def test_a_restated_duty_is_one_duty() -> None:
    duty = "p must dig when storm"
    permit = "rule digging cites book 3\n    p may dig when luck > 5\n"
    found = game(versions(duty, duty, more=permit))
    assert isinstance(found.node, Open)
    assert found.node.kind == "unmet"
    found.rule(found.node.rulings[0].text)
    assert offered(found) == ["wait by Player 1"]
    policy = "\npolicy easy\n    law if possible\n"
    assert offered(game(versions(duty, duty, more=permit + policy), policies=("easy",))) == ["wait by Player 1"]


def test_a_duty_of_one_version_only() -> None:
    assert sides(game(versions("p must dig", "p must dig if not storm".replace("if not", "unless")))) == [
        ["law"],
        ["echo"],
    ]


def test_a_restated_prohibition_has_the_authority_of_its_document() -> None:
    rules = versions("p cannot dig when storm", "p cannot dig when storm", more=DIGGING.replace("book 3", "sheet 3"))
    assert offered(game(rules, "authority card > sheet, sheet > book cites book 9")) == ["wait by Player 1"]


@pytest.mark.parametrize(("most", "stops"), [("4", False), ("4 + 0", False), ("3", True)])
def test_limits(most: str, stops: bool) -> None:
    """Of what comes, three fit under the one limit, and none under the other."""
    rules = versions("limit coins of p to 4, rest lost", f"limit coins of p to {most}, rest lost")
    found = game(rules + "rule wages cites book 7\n    when wait by p\n        coins of p increases by 5\n")
    found.do("wait by Player 1")
    if stops:
        assert sides(found) == [["law"], ["echo"]]
        found.rule("echo over law")
    assert held(found, "coins") == (3 if stops else 4)


def test_endings() -> None:
    found = game(versions("p wins when luck is 1", "other wins when luck >= 1 and luck < 2"))
    found.do("wait by Player 1")
    assert found.node == Over(((0, "wins"), (1, "wins")))
    differing = game(versions("p wins when luck is 1", "p wins when luck is 1 and hurt of p"))
    differing.do("wait by Player 1")
    assert sides(differing) == [["law"], ["echo"]]


# ---- one statement under several names

STORM = (
    "rule storm_rule cites book 4\n    p cannot dig when storm\n\nrule storm_card cites card 4 restates storm_rule\n"
)


def test_what_is_said_of_a_statement_is_said_of_its_versions() -> None:
    storm = STORM + "    other cannot dig when storm\n\n"
    for more, precedence in (
        ("rule bold cites book 6 overrides storm_rule\n    p may dig\n", "explicit"),
        ("rule bold cites book 6\n    p may dig\n\nruling one\n    bold over storm_rule\n", ""),
        (
            "rule bold cites book 6\n    p may dig\n\nrule calm\n    ignore rule storm_rule if coins of p > 1\n",
            "",
        ),
    ):
        found = game(storm + more, precedence)
        assert offered(found) == ["dig by Player 1", "wait by Player 1"]


@pytest.mark.parametrize("name", ["storm_rule", "storm_card"])
def test_who_switches_off_a_statement_switches_off_its_versions(name: str) -> None:
    storm = STORM + "    p cannot dig when storm\n\n" + DIGGING
    off = f"\nrule charm cites book 8\n    when wait by p\n        disable {name}\n"
    found = game(storm + off, "assume cannot over may")
    assert offered(found) == ["wait by Player 1"]
    found.do("wait by Player 1")
    assert "dig by Player 2" in offered(found)


def test_a_restatement_may_follow_one_reading() -> None:
    readings = (
        "rule law cites book 2\n    reading one\n        when dig by p\n            coins of p increases by 1\n"
        "    reading two\n        when dig by p\n            coins of p increases by 2\n\n"
    )
    again = "rule echo cites card 2 restates law\n    when dig by p\n        coins of p increases by 2\n\n"
    found = game(readings + again + DIGGING)
    found.do("dig by Player 1")
    assert isinstance(found.node, Open)
    found.rule("law reads two")
    assert held(found, "coins") == 5
