"""Contradictions: each with rulebooks that have it, almost have it, and do not."""

from __future__ import annotations

import pytest

from tests.verifier.judging import found, judged
from verifier.finding import Finding

HILL = """\
game "Copper Hill" played by Player

documents
    book "Rulebook"
    card "Cards"

kind Player 2
    coins 0..9 starts 2

state
    day 1..4
    fog yes/no
    dry yes/no

let p, other be Player
let n be 0..9

play
    repeat until day is 4
        roll d6:
            1..3: fog becomes yes
            4..6: fog becomes no
        each p
            p takes 1 action
        day increases by 1

action dig by p
    coins of p increases by 1

action give by p to other
    coins of p decreases by 1
    coins of other increases by 1

action sleep by p
    nothing

rule sleeping cites book 3
    p may sleep

rule last_day cites book 9
    nobody wins when day is 4

"""
DIG = "rule digging cites book 1\n    p may dig\n\n"
EXPLICIT = "precedence\n    explicit\n\n"


def names(finding: Finding) -> tuple[str, ...]:
    return tuple(place.name for place in finding.places)


def kinds(findings: list[Finding]) -> list[tuple[str, tuple[str, ...], str]]:
    return [(finding.code, names(finding), finding.certainty) for finding in findings]


# ---- allowed and forbidden ------------------------------------------------------------------------------------------


def test_a_prohibition_that_meets_a_permission_is_found_with_the_play_to_it() -> None:
    (finding,) = found(HILL + DIG + "rule hidden cites book 2\n    p cannot dig when fog and coins of p > 3\n")
    assert (finding.code, names(finding), finding.certainty) == ("LX901", ("digging", "hidden"), "witnessed")
    assert finding.places[0].cites == ("book 1",)
    witness = finding.witness
    assert witness is not None
    assert "fog is yes" in witness.facts
    assert any(fact.startswith("coins of Player") and fact.endswith("4") for fact in witness.facts)
    assert witness.play is not None
    assert witness.play[-1] == "roll d6: 1" or witness.play[-1].startswith("sleep")


@pytest.mark.parametrize(
    "rules",
    [
        EXPLICIT + DIG + "rule hidden cites book 2 overrides digging\n    p cannot dig when fog\n",
        "precedence\n    authority card > book cites book 8\n\n"
        + DIG
        + "rule c cites card 1\n    p cannot dig when fog\n",
        "precedence\n    assume cannot over may\n\n" + DIG + "rule hidden cites book 2\n    p cannot dig when fog\n",
        "precedence\n    specific over general cites book 8\n\n"
        + DIG
        + "rule hidden cites book 2\n    p cannot dig when fog\n",
        "rule digging cites book 1\n    p may dig unless fog\n\nrule hidden cites book 2\n    p cannot dig when fog\n",
        "rule digging cites book 1\n    usually p may dig\n\nrule hidden cites book 2\n    p cannot dig when fog\n",
        "precedence\n    explicit\n    assume cannot over may\n\n"
        "rule digging cites book 1\n    p may dig even if fog\n\n"
        "rule hidden cites book 2\n    p cannot dig when fog\n",
    ],
    ids=["override", "authority", "assumption", "specific", "unless", "usually", "even if"],
)
def test_what_the_book_resolves_is_no_finding(rules: str) -> None:
    assert found(HILL + rules, "LX901") == []


def test_what_the_book_resolves_is_listed_as_decided() -> None:
    rules = "precedence\n    assume cannot over may\n\n" + DIG + "rule hidden cites book 2\n    p cannot dig when fog\n"
    judgement = judged(HILL + rules)
    (decided,) = judgement.decided
    assert (decided.winner, decided.by) == ("hidden", "cannot over may")
    assert [(a.words, a.verdicts) for a in judgement.assumptions] == [("cannot over may", 1)]


def test_rules_that_meet_in_no_state_that_play_comes_to_do_not_disagree() -> None:
    never = "rule hidden cites book 2\n    p cannot dig when dry\n"  # nothing ever makes it dry
    late = "rule hidden cites book 2\n    p cannot dig when coins of p > 5\n"  # three days bring three coins at most
    assert found(HILL + DIG + never, "LX901") == []
    assert found(HILL + DIG + late, "LX901") == []


def test_rules_on_other_parts_of_an_action_do_not_meet() -> None:
    rules = (
        "rule giving cites book 1\n    p may give to other when coins of p > 0 and other is not p\n\n"
        "rule no_self cites book 2\n    p cannot give to p\n"
    )
    assert found(HILL + rules, "LX901") == []
    blunt = rules.replace(" and other is not p", "")
    assert kinds(found(HILL + blunt, "LX901")) == [("LX901", ("giving", "no_self"), "witnessed")]


def test_without_play_a_state_is_only_possible() -> None:
    text = HILL.split("play\n", maxsplit=1)[0] + HILL[HILL.index("action dig") :]
    text += DIG + "rule hidden cites book 2\n    p cannot dig when fog\n"
    assert kinds(found(text, "LX901")) == [("LX901", ("digging", "hidden"), "possible")]


def test_the_winner_under_each_policy_is_told() -> None:
    policy = "\npolicy strict\n    hidden over digging\n\npolicy kind_hearted\n    digging over hidden\n"
    rules = DIG + "rule hidden cites book 2\n    p cannot dig when fog\n" + policy
    (finding,) = found(HILL + rules, "LX901")
    assert finding.outcomes == (("strict", "not legal, by `hidden`"), ("kind_hearted", "legal, by `digging`"))


def test_policies_that_leave_it_open_are_told_as_one() -> None:
    other = "policy {0}\n    rule {0}_rule\n        p may dig when coins of p > 8\n\n"
    rules = DIG + "rule hidden cites book 2\n    p cannot dig when fog\n\n" + other.format("one") + other.format("two")
    (finding,) = found(HILL + rules, "LX901")
    assert finding.outcomes == (("2 policies", "still open"),)
    (finding,) = found(HILL + rules + "policy strict by default\n    hidden over digging\n", "LX901")
    assert finding.outcomes == (("strict", "not legal, by `hidden`"), ("2 other policies", "still open"))


# ---- demanded and forbidden -----------------------------------------------------------------------------------------

HUNGER = "rule hunger cites book 2\n    p must dig when coins of p < 4\n\n"


def test_a_duty_that_is_forbidden() -> None:
    rules = EXPLICIT + DIG + HUNGER + "rule hidden cites book 4 overrides digging\n    p cannot dig when fog\n"
    assert kinds(found(HILL + rules, "LX902")) == [("LX902", ("hunger", "hidden"), "witnessed")]


def test_an_assumption_does_not_settle_a_duty_against_a_prohibition() -> None:
    rules = "precedence\n    assume cannot over may\n\n" + DIG + HUNGER
    rules += "rule hidden cites book 4\n    p cannot dig when fog\n"
    assert kinds(found(HILL + rules, "LX902")) == [("LX902", ("hunger", "hidden"), "witnessed")]


@pytest.mark.parametrize(
    "rules",
    [
        EXPLICIT
        + DIG
        + HUNGER.replace("must dig", "must dig if possible")
        + "rule hidden cites book 4 overrides digging\n    p cannot dig when fog\n",
        EXPLICIT + DIG + HUNGER + "rule hidden cites book 4 overrides digging, hunger\n    p cannot dig when fog\n",
        EXPLICIT + DIG + HUNGER + "rule hidden cites book 4 overrides digging\n    p cannot dig when coins of p > 3\n",
    ],
    ids=["if possible", "override", "conditions apart"],
)
def test_duties_that_rest_or_give_way_or_do_not_meet_a_prohibition(rules: str) -> None:
    assert found(HILL + rules, "LX902") == []


def test_a_duty_with_another_way_to_meet_it_is_no_contradiction() -> None:
    rules = (
        "precedence\n    explicit\n\n"
        "rule giving cites book 1\n    p may give to other when coins of p > 0\n\n"
        "rule charity cites book 2\n    p must give to other when fog and coins of p > 0\n\n"
        "rule no_self cites book 4 overrides giving\n    p cannot give to p\n"
    )
    assert found(HILL + rules, "LX902") == []


# ---- two duties -----------------------------------------------------------------------------------------------------


def test_two_duties_of_which_only_one_can_be_met() -> None:
    rules = DIG + HUNGER + "rule tired cites book 4\n    p must sleep when fog\n"
    assert kinds(found(HILL + rules, "LX903")) == [("LX903", ("hunger", "tired"), "witnessed")]


def test_two_duties_that_can_be_met_one_after_the_other() -> None:
    text = HILL.replace("p takes 1 action", "p takes 2 actions")
    rules = DIG + HUNGER.replace("must dig", "must dig once per game")
    rules += "rule tired cites book 4\n    p must sleep once per game when fog\n"
    assert found(text + rules, "LX903") == []


def test_two_duties_that_never_meet() -> None:
    rules = DIG + HUNGER + "rule tired cites book 4\n    p must sleep when fog and coins of p >= 4\n"
    assert found(HILL + rules, "LX903") == []


# ---- values ---------------------------------------------------------------------------------------------------------

WAGE = "value wage of p: 0..3 cites book 5\n    is 1\n    is 2 when coins of p > 2\n\n"
PAID = HILL.replace(
    "    coins of p increases by 1\n\naction give", "    coins of p increases by wage of p\n\naction give"
)


def test_a_value_with_two_answers() -> None:
    (finding,) = found(PAID + DIG + WAGE, "LX904")
    assert (finding.code, finding.certainty) == ("LX904", "witnessed")
    assert [place.part for place in finding.places] == ["says 1", "says 2"]
    assert finding.witness is not None
    assert "coins of Player 1 is 3" in finding.witness.facts


@pytest.mark.parametrize(
    "value",
    [
        WAGE.replace("    is 1\n", "    usually is 1\n"),
        WAGE.replace("    is 1\n", "    is 1 when coins of p <= 2\n"),
        WAGE.replace("0..3 cites", "0..3, highest cites"),
        WAGE.replace("is 2 when", "is 1 when"),
        WAGE.replace("is 2 when", "plus 1 when"),
    ],
    ids=["usually", "apart", "highest", "the same", "in addition"],
)
def test_answers_that_do_not_disagree(value: str) -> None:
    assert found(PAID + DIG + value, "LX904") == []


# ---- events ---------------------------------------------------------------------------------------------------------

TITHE = (
    "rule tithe cites book 6\n    instead of coins of p increases by n if coins of p > 2\n        fog becomes no\n\n"
)
THIEF = "rule thief cites book 7\n    instead of coins of p increases by n if fog\n        dry becomes yes\n"


def test_two_replacements_of_one_event() -> None:
    assert kinds(found(HILL + DIG + TITHE + THIEF, "LX905")) == [("LX905", ("tithe", "thief"), "witnessed")]


def test_an_event_that_is_replaced_and_ignored() -> None:
    dropped = "rule thief cites book 7\n    ignore coins of p increases if fog\n"
    assert kinds(found(HILL + DIG + TITHE + dropped, "LX905")) == [("LX905", ("tithe", "thief"), "witnessed")]


@pytest.mark.parametrize(
    "rules",
    [
        TITHE + THIEF.replace("if fog", "if fog and coins of p <= 2"),
        EXPLICIT + TITHE + THIEF.replace("cites book 7", "cites book 7 overrides tithe"),
        TITHE + THIEF.replace("dry becomes yes", "fog becomes no"),
        TITHE.replace("increases", "decreases") + THIEF,
    ],
    ids=["apart", "override", "the same", "other events"],
)
def test_replacements_that_do_not_disagree(rules: str) -> None:
    assert found(HILL + DIG + rules, "LX905") == []


# ---- readings -------------------------------------------------------------------------------------------------------

READINGS = """\
rule hidden cites book 2 overrides digging
    reading anybody
        p cannot dig when fog
    reading the_rich
        p cannot dig when fog and coins of p > 2
"""


def test_readings_that_come_to_different_ends() -> None:
    (finding,) = found(HILL + EXPLICIT + DIG + READINGS, "LX991")
    assert (finding.code, finding.certainty) == ("LX991", "witnessed")
    assert [place.part for place in finding.places] == ["reading `anybody`", "reading `the_rich`"]


def test_readings_that_come_to_the_same_end() -> None:
    same = READINGS.replace("fog and coins of p > 2", "fog and coins of p >= 0")
    assert found(HILL + EXPLICIT + DIG + same, "LX991") == []


# ---- all together ---------------------------------------------------------------------------------------------------


def test_each_is_found_beside_the_others() -> None:
    rules = DIG + HUNGER + "rule tired cites book 4\n    p must sleep when fog\n\n" + WAGE + TITHE + THIEF
    rules += "\nrule idle_hands cites card 2\n    p cannot sleep when not fog\n"
    codes = {finding.code for finding in found(PAID + rules)}
    assert {"LX901", "LX903", "LX904", "LX905"} <= codes
