"""Restatements: each way of saying it otherwise has its code, and what only looks different is no finding."""

from __future__ import annotations

import re

import pytest

from tests.verifier.judging import TINY, judged, only
from verifier.checks import restated, restated_alike

BOOK = """\
game "Copper Hill" played by Player

documents
    book "Rulebook"
    card "Reference card"

type Weather is calm, rough, storm

kind Player 2
    coins 0..9 starts 2
    hurt yes/no

kind Shaft named upper, middle, lower

map mine of Shaft
    links upper - middle - lower

state
    weather Weather starts calm
    seating order of Player
    luck 0..9

let p, rival be Player
let s, t be Shaft

play
    repeat 2 times
        phase day
            roll d6 on omens
            each p
                p takes 2 actions
        phase night
            each p
                p takes 1 action

table omens by d6 cites book 2
    1..3: weather becomes calm
    4..5: weather becomes rough
    6: weather becomes storm

action dig by p to s during day, night cites book 3
    coins of p increases by 1

action sleep by p during day, night cites book 4
    hurt of p becomes no

action fall by p during day, night cites book 4
    hurt of p becomes yes
    if luck < 9
        luck increases by 1

rule sleeping cites book 4
    p may sleep or fall

"""


def two(original: str, again: str, head: str = "rule") -> str:
    """A statement, and one that restates it."""
    first, *lines = original.splitlines()
    other, *others = again.splitlines()
    one = "\n".join([f"{head} digging{first} cites book 9", *lines])
    return f"{BOOK}{one}\n\n" + "\n".join([f"{head} digging_card{other} cites card 1 restates digging", *others]) + "\n"


def rules(original: str, again: str) -> str:
    return two("\n    " + original.replace("\n", "\n    "), "\n    " + again.replace("\n", "\n    "))


DIFFERENT = {
    # a condition more, less, or turned round
    "guard left out": ("p may dig to s when weather is calm", "p may dig to s", "LX911"),
    "guard added": ("p may dig to s", "p may dig to s when not hurt of p", "LX911"),
    "guard turned": ("p may dig to s when hurt of p", "p may dig to s unless hurt of p", "LX911"),
    "guard in another sentence": (
        "p cannot dig when hurt of p",
        "p cannot dig when hurt of p and coins of p > 2",
        "LX911",
    ),
    # numbers and things
    "number": ("p may dig to s when coins of p < 4", "p may dig to s when coins of p < 3", "LX912"),
    "comparison": ("p may dig to s when coins of p < 4", "p may dig to s when coins of p <= 4", "LX912"),
    "thing": ("p may dig to upper", "p may dig to lower", "LX912"),
    "value of a condition": ("p may dig to s when weather is calm", "p may dig to s when weather is rough", "LX912"),
    "how often": ("p may dig to s once per day", "p may dig to s up to 2 times per day", "LX912"),
    # lists
    "item": ("p may dig to s when s is in {upper, lower}", "p may dig to s when s is in {upper}", "LX913"),
    "alternative": (
        "p may dig to s when weather is calm or coins of p < 3",
        "p may dig to s when weather is calm",
        "LX913",
    ),
    "sentence": ("p may dig to s\np cannot dig to lower", "p may dig to s", "LX913"),
    # who
    "actor": (
        "p may dig to s when coins of p < 4",
        "front of seating may dig to s when coins of front of seating < 4",
        "LX914",
    ),
    # when
    "moment": ("p may dig to s once per day", "p may dig to s once per game", "LX915"),
    "phase": ("p may dig to s when during day", "p may dig to s when during night", "LX915"),
    "phase left out": ("p may dig to s when during day", "p may dig to s", "LX915"),
    "never too often": ("p may dig to s once per day", "p may dig to s", "LX915"),
    "before and after": (
        "when sleep by p\n    luck becomes 3",
        "when about to sleep by p\n    luck becomes 3",
        "LX915",
    ),
    "begins and ends": ("when day begins\n    luck becomes 3", "when day ends\n    luck becomes 3", "LX915"),
    # the kind of norm, and effects
    "may and must": ("p may sleep", "p must sleep if possible", "LX916"),
    "may and cannot": ("p may dig to s", "p cannot dig to s", "LX916"),
    "instead of": ("when sleep by p\n    luck becomes 3", "instead of sleep by p\n    luck becomes 3", "LX916"),
    "event": ("when sleep by p\n    luck becomes 3", "when fall by p\n    luck becomes 3", "LX916"),
    "another action": ("p may sleep", "p may fall", "LX916"),
    # triggers
    "guard of a trigger": (
        "when sleep by p if weather is calm\n    luck becomes 3",
        "when sleep by p\n    luck becomes 3",
        "LX911",
    ),
    "number of a trigger": ("when sleep by p\n    luck becomes 3", "when sleep by p\n    luck becomes 4", "LX912"),
    "step of a trigger": (
        "when sleep by p\n    luck becomes 3\n    hurt of p becomes yes",
        "when sleep by p\n    luck becomes 3",
        "LX913",
    ),
    # outcomes and limits
    "ending": ("p wins when luck >= 5", "p wins when luck >= 4", "LX912"),
    "winner and loser": ("p wins when luck >= 2", "p loses when luck >= 2", "LX916"),
    "limit": ("limit coins of p to 5", "limit coins of p to 4", "LX912"),
    "limit for some": ("limit coins of p to 5", "limit coins of p to 5 when hurt of p", "LX911"),
}

ALIKE = {
    "word by word": ("p may dig to s when weather is calm", "p may dig to s when weather is calm"),
    "other letters": ("p may dig to s when coins of p < 4", "rival may dig to t when coins of rival < 4"),
    "other order": (
        "p may dig to s when weather is calm and coins of p < 4",
        "p may dig to s when coins of p < 4 and weather is calm",
    ),
    "other words": ("p may dig to s when coins of p < 4", "p may dig to s unless coins of p >= 4"),
    "by exclusion": (
        "p may dig to s when weather is calm",
        "p may dig to s when weather is not rough and weather is not storm",
    ),
    "as a list": ("p may dig to s when s is upper or s is lower", "p may dig to s when s is in {lower, upper}"),
    "what is always so": ("p may dig to s", "p may dig to s when luck >= 0"),
    "two sentences": ("p may dig to s\np cannot dig to lower", "p cannot dig to lower\np may dig to s"),
    "trigger": (
        "when sleep by p if hurt of p\n    luck becomes 3",
        "when sleep by rival if hurt of rival\n    luck becomes 3",
    ),
    "ending": ("p wins when coins of p >= 5", "rival wins when not coins of rival < 5"),
    "limit": ("limit coins of p to 5", "limit coins of rival to 5"),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_is_said_otherwise_is_found(name: str) -> None:
    original, again, code = DIFFERENT[name]
    found = judged(rules(original, again), checks=(restated.CHECK,))
    assert [f.code for f in found.findings] == [code]
    finding = only(found)
    assert [place.name for place in finding.places] == ["digging_card", "digging"]
    assert [place.cites for place in finding.places] == [("card 1",), ("book 9",)]
    assert finding.certainty == "witnessed"
    assert finding.witness is not None
    assert finding.witness.play is not None


@pytest.mark.parametrize("name", ALIKE)
def test_what_only_looks_different_is_no_finding(name: str) -> None:
    text = rules(*ALIKE[name])
    assert judged(text, checks=(restated.CHECK,), budget=TINY).findings == ()
    agreed = only(judged(text, checks=(restated_alike.CHECK,), budget=TINY))
    assert (agreed.code, agreed.certainty) == ("LX996", "proved")


def test_a_witness_is_the_state_that_tells_them_apart() -> None:
    text = rules("p may dig to s when coins of p < 4", "p may dig to s when coins of p < 3")
    finding = only(judged(text, checks=(restated.CHECK,)))
    assert finding.witness is not None
    assert "coins of Player 1 is 3" in finding.witness.facts
    assert any(fact.startswith("the move: dig by Player 1") for fact in finding.witness.facts)


def test_two_differences_are_two_findings() -> None:
    text = rules("p may dig to s when coins of p < 4 and weather is calm", "p may dig to s when coins of p < 3")
    assert [f.code for f in judged(text, checks=(restated.CHECK,)).findings] == ["LX912", "LX911"]


def test_a_difference_that_no_play_comes_to_is_not_told_where_every_state_was_seen() -> None:
    """Luck is at most nine by its type, and no day is missed."""
    text = rules("p may sleep when during day or during night", "p may sleep")
    assert judged(text, checks=(restated.CHECK,)).findings == ()


VALUE = "value digging of p: 0..9 cites book 9\n{}\n\nvalue digging_card of p: 0..9 cites card 1 restates digging\n{}\n"


@pytest.mark.parametrize(
    ("original", "again", "codes"),
    [
        ("is 1\nis 0 when hurt of p", "is 1 unless hurt of p\nis 0 when hurt of p", []),
        ("is 1 unless hurt of p\nis 0 when hurt of p", "is 1 unless hurt of p\nis 2 when hurt of p", ["LX912"]),
        ("is 1 unless hurt of p\nis 0 when hurt of p", "is 1 unless hurt of p", ["LX913"]),
        ("is coins of p", "is 0 + coins of p", []),
    ],
)
def test_values(original: str, again: str, codes: list[str]) -> None:
    if original.startswith("is 1\n"):
        original = original.replace("is 1\n", "usually is 1\n")
    sides = ["\n".join(f"    {line}" for line in side.splitlines()) for side in (original, again)]
    found = judged(BOOK + VALUE.format(*sides), checks=(restated.CHECK,))
    assert [f.code for f in found.findings] == codes


def test_a_rule_against_the_value_that_it_restates() -> None:
    value = "value toll of p: 0..9 cites book 9\n    usually is 4\n    is 6 when hurt of p\n\n"
    says = "rule usual cites card 1 restates toll\n    usually toll of p is {}\n"
    finding = only(judged(BOOK + value + says.format(5), checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX912", "witnessed")
    assert judged(BOOK + value + says.format(4), checks=(restated.CHECK,)).findings == ()


def test_tables_by_their_keys() -> None:
    table = "table wage by 0..9 cites book 9\n    0..3: gives 2\n    4..6: gives 1\n    7+: gives 0\n\n"
    again = "table wage_card by 0..9 cites card 1 restates wage\n    {}\n"
    alike = again.format("0..1: gives 2\n    2..3: gives 2\n    4..6: gives 1\n    7..9: gives 0")
    assert judged(BOOK + table + alike, checks=(restated.CHECK,)).findings == ()
    shifted = again.format("0..4: gives 2\n    5..6: gives 1\n    7..9: gives 0")
    finding = only(judged(BOOK + table + shifted, checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX913", "proved")
    assert "the row for 4" in finding.message
    missing = again.format("0..3: gives 2\n    4..6: gives 1")
    finding = only(judged(BOOK + table + missing, checks=(restated.CHECK,)))
    assert "the rows for 7, 8, 9" in finding.message
    assert len(finding.details) == 2


def test_tables_that_do_something() -> None:
    again = "table omens_card by d6 cites card 1 restates omens\n    1..3: weather becomes calm\n    {}\n"
    alike = again.format("4..5: weather becomes rough\n    6: weather becomes storm")
    assert judged(BOOK + alike, checks=(restated.CHECK,)).findings == ()
    other = again.format("4: weather becomes rough\n    5..6: weather becomes storm")
    finding = only(judged(BOOK + other, checks=(restated.CHECK,)))
    assert finding.code == "LX913"
    assert "the row for 5" in finding.message


def test_ranks_by_who_goes_before_whom() -> None:
    digs = "rule digs cites book 5\n    p may dig to s\n\n"
    rank = f"{digs}rank best of p cites book 9\n    most coins of p\n    fewest luck\n    first in seating\n\n"
    again = "rank best_card of p cites card 1 restates best\n    {}\n    first in seating\n"
    assert judged(BOOK + rank + again.format("most coins of p"), checks=(restated.CHECK,)).findings == ()
    finding = only(judged(BOOK + rank + again.format("fewest coins of p"), checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX913", "witnessed")
    some = again.format("most coins of p").replace("card of p", "card of p where hurt of p")
    finding = only(judged(BOOK + rank + some, checks=(restated.CHECK,)))
    assert finding.code == "LX911"


def test_actions_by_their_time_and_what_they_do() -> None:
    again = "action sleep_card by p during {} cites card 1 restates sleep\n    {}\n"
    assert judged(BOOK + again.format("night, day", "hurt of p becomes no"), checks=(restated.CHECK,)).findings == ()
    finding = only(judged(BOOK + again.format("day", "hurt of p becomes no"), checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX915", "witnessed")
    finding = only(judged(BOOK + again.format("day, night", "luck becomes 3"), checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX916", "witnessed")


TIDYING = """\
procedure tidy for p cites book 30
    {book}

procedure tidy_card for p cites card 30 restates tidy
    {card}

rule digs cites book 31
    p may dig to s

rule after_day cites book 32
    when day ends
        each p
            tidy for p

"""


def tidying(book: str, card: str) -> str:
    lines = [side.replace("\n", "\n    ") for side in (book, card)]
    return BOOK + TIDYING.format(book=lines[0], card=lines[1])


def test_procedures_are_carried_out_where_plays_begin_them() -> None:
    """At the start nobody is hurt, and there nothing tells the two apart."""
    text = tidying("hurt of p becomes no\nluck becomes 3", "luck becomes 3")
    finding = only(judged(text, checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX913", "witnessed")
    assert finding.message == "`tidy_card` restates `tidy` and leaves out `hurt of p becomes no`"
    assert finding.witness is not None
    assert finding.witness.play is not None
    assert "fall by Player 1" in finding.witness.play or "fall by Player 2" in finding.witness.play
    finding = only(judged(text, checks=(restated.CHECK,), budget=TINY))
    assert (finding.code, finding.certainty) == ("LX913", "possible")
    assert finding.witness is not None
    where, carried_out, then = finding.witness.facts
    assert where.startswith("in a play at random, after ")
    assert carried_out.startswith("carried out: tidy for Player ")
    assert then.endswith(" is yes by the one, no by the other")


def test_procedures_that_do_the_same_wherever_they_are_tried_are_named() -> None:
    found = judged(tidying("hurt of p becomes no", "if hurt of p\n    hurt of p becomes no"), checks=(restated.CHECK,))
    assert found.findings == ()
    assert [name for name, _, _ in found.not_encoded] == ["tidy_card"]


def test_plays_go_past_what_default_policies_settle() -> None:
    """The same with a point that is open before anybody can be hurt."""
    text = tidying("hurt of p becomes no\nluck becomes 3", "luck becomes 3")
    text = text.replace("p may sleep or fall", "p may sleep or fall\n\nrule storm cites book 4\n    p cannot fall")
    policy = "policy falling {}cites book 4\n    sleeping over storm\n"
    assert judged(text + policy.format(""), checks=(restated.CHECK,)).findings == ()
    finding = only(judged(text + policy.format("by default "), checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX913", "witnessed")


def test_triggers_are_carried_out_where_plays_fire_them() -> None:
    sides = ("when day ends\n    each p\n        hurt of p becomes no", "when day ends\n    luck becomes luck")
    digs = "rule digs cites book 31\n    p may dig to s\n"
    finding = only(judged(rules(*sides) + digs, checks=(restated.CHECK,), budget=TINY))
    assert finding.code == "LX916"


def test_a_restatement_may_follow_any_reading() -> None:
    readings = (
        "rule digging cites book 9\n    reading narrow\n        p may dig to s when coins of p < 3\n"
        "    reading wide\n        p may dig to s when coins of p < 4\n\n"
    )
    again = "rule digging_card cites card 1 restates digging\n    p may dig to s when coins of p < {}\n"
    assert judged(BOOK + readings + again.format(4), checks=(restated.CHECK,)).findings == ()
    assert only(judged(BOOK + readings + again.format(2), checks=(restated.CHECK,))).code == "LX912"


def test_a_state_of_the_solver_is_confirmed_in_the_interpreter() -> None:
    """Without any play: the state alone tells them apart, and both were asked there."""
    text = rules("p may dig to s when coins of p < 4", "p may dig to s when coins of p < 3")
    finding = only(judged(text, checks=(restated.CHECK,), budget=TINY))
    assert (finding.code, finding.certainty) == ("LX912", "possible")
    assert finding.witness is not None
    assert finding.witness.play is None
    assert "coins of Player 1 is 3" in finding.witness.facts


# ---- some of what is said

PART = {
    "a condition more": ("p may dig to s", "p may dig to s when not hurt of p", []),
    "a sentence less": ("p may dig to s\np cannot dig to lower", "p may dig to s", []),
    "an action less": ("p cannot sleep or fall when luck > 5", "p cannot fall when luck > 5", []),
    "a trigger for some": (
        "when sleep by p\n    luck becomes 3",
        "when sleep by p if weather is calm\n    luck becomes 3",
        [],
    ),
    "a step less": (
        "when sleep by p\n    luck becomes 3\n    hurt of p becomes yes",
        "when sleep by p\n    hurt of p becomes yes",
        [],
    ),
    "a limit for some": ("limit coins of p to 5", "limit coins of p to 5 when hurt of p", []),
    "a condition less": ("p may dig to s when weather is calm", "p may dig to s", ["LX911"]),
    "another number": ("p may dig to s when coins of p < 4", "p may dig to s when coins of p < 5", ["LX912"]),
    "a smaller number": ("p may dig to s when coins of p < 4", "p may dig to s when coins of p < 3", []),
    "a step more": (
        "when sleep by p\n    luck becomes 3",
        "when sleep by p\n    luck becomes 3\n    hurt of p becomes yes",
        ["LX913"],
    ),
    "a sentence more": ("p may sleep", "p may sleep\np cannot dig", ["LX913"]),
    "may and must": ("p may sleep", "p must sleep if possible", ["LX916"]),
}


@pytest.mark.parametrize("name", PART)
def test_what_a_restatement_of_some_leaves_out_is_no_difference(name: str) -> None:
    original, again, codes = PART[name]
    text = rules(original, again).replace("restates digging", "restates some of digging")
    found = judged(text, checks=(restated.CHECK,))
    assert [f.code for f in found.findings] == codes
    assert all(f.certainty == "witnessed" for f in found.findings)


def test_some_of_values_tables_ranks_actions_and_steps() -> None:
    value = "value digging of p: 0..9 cites book 9\n    is 1 unless hurt of p\n    is 0 when hurt of p\n\n"
    table = "table wage by 0..9 cites book 9\n    0..3: gives 2\n    4+: gives 1\n\n"
    rank = "rank best of p cites book 9\n    most coins of p\n    fewest luck\n    first in seating\n\n"
    text = BOOK.replace(
        "        phase night\n", "        phase night cites book 5\n            step star\n                {}\n"
    )
    text = text.format("luck becomes 2\n                weather becomes calm")
    text += "rule digs cites book 5\n    p may dig to s\n\n"
    again = (
        "value digging_card of p: 0..9 cites card 1 restates {0}digging\n    is 0 when hurt of p\n\n",
        "table wage_card by 0..9 cites card 1 restates {0}wage\n    0..3: gives 2\n\n",
        "rank best_card of p cites card 1 restates {0}best\n    first in seating\n\n",
        "action fall_card by p during day, night cites card 1 restates {0}fall\n    hurt of p becomes yes\n\n",
        "procedure star_card cites card 1 restates {0}star\n    weather becomes calm\n\n",
    )
    for one in again:
        part = judged(text + value + table + rank + one.format("some of "), checks=(restated.CHECK,))
        assert part.findings == (), one
        whole = only(judged(text + value + table + rank + one.format(""), checks=(restated.CHECK,)))
        assert whole.code == "LX913"
        assert f"restates some of {whole.places[1].name}" in (whole.hint or "")


def test_a_step_is_restated_with_its_own_letters() -> None:
    text = BOOK.replace(
        "                p takes 1 action\n", "                step nap\n                    hurt of p becomes no\n"
    )
    again = "procedure nap_card by p cites card 1 restates nap\n    hurt of p becomes {}\n"
    assert judged(text + again.format("no"), checks=(restated.CHECK,)).findings == ()
    finding = only(judged(text + again.format("yes"), checks=(restated.CHECK,)))
    assert (finding.code, finding.certainty) == ("LX916", "witnessed")


# ---- one cause, one finding

ONCE = {
    "trigger": ("when sleep by p\n    luck becomes 3", "when sleep by p\n    luck becomes 4"),
    "may and cannot": ("p may dig to s", "p cannot dig to s"),
    "replacement": (
        "instead of luck increases by 1\n    luck becomes 3",
        "instead of luck increases by 1\n    luck becomes 4",
    ),
    "wins and loses": ("p wins when luck >= 2", "p loses when luck >= 2"),
    "guard that never holds at the table": ("p may dig to s", "p may dig to s when coins of p < 9"),
}


@pytest.mark.parametrize("name", ONCE)
def test_versions_that_differ_are_told_once(name: str) -> None:
    found = judged(rules(*ONCE[name]))
    about = [f.code for f in found.findings if {"digging", "digging_card"} & {place.name for place in f.places}]
    assert [code for code in about if not code.startswith("LX91")] == []
    assert len(about) == 1


def test_a_value_that_a_rule_restates_otherwise_is_told_once() -> None:
    digs = "rule digs cites book 3\n    p may dig to s when toll of p < 5\n\n"
    value = f"value toll of p: 0..9 cites book 9\n    is 4\n\n{digs}"
    found = judged(f"{BOOK}{value}rule usual cites card 1 restates toll\n    toll of p is 5\n")
    assert [f.code for f in found.findings if "usual" in {place.name for place in f.places}] == ["LX912"]


@pytest.mark.parametrize(
    "text",
    [
        "when sleep by p\n    luck becomes 3",
        "when sleep by p if coins of p > 8\n    luck becomes 3",
        "p wins when luck is 77 - 70 and coins of p > 8",
    ],
)
def test_what_agrees_is_told_of_the_original_alone(text: str) -> None:
    """Also where it never comes about: that is one fault, in one place."""
    found = judged(rules(text, re.sub(r"\bp\b", "rival", text)))
    assert not [f.code for f in found.findings if "digging_card" in {place.name for place in f.places}]
    assert "digging_card" not in found.unseen or "digging" in found.unseen


def test_of_a_list_only_what_is_left_out_is_named() -> None:
    finding = only(
        judged(rules("p cannot sleep or fall when luck > 2", "p cannot fall when luck > 2"), checks=(restated.CHECK,))
    )
    assert finding.code == "LX913"
    assert "leaves out `p cannot sleep when luck > 2`" in finding.message
