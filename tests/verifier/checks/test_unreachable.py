"""What no play reaches: each in its way, with the conditions that exclude it; and what only looks like it."""

from __future__ import annotations

import pytest

from tests.verifier.judging import found, names, the_one
from verifier.finding import Finding

HILL = """game "Copper Hill" played by Player
kind Player 2..3
    coins 0..9 starts 3
    tired yes/no
let p, other be Player
play
    each p
        p takes up to 3 actions
action dig by p
    coins of p increases by 1
    tired of p becomes yes
rule digging
    p may dig
"""
FERRY = """game "Night Ferry" played by Player
kind Player 1
state
    ticket yes/no
    lamp yes/no
    gold 0..5 starts 2
play
    read harbour
story voyage
    starts at harbour
    passage harbour "Gulls."
        option "Buy a ticket"
            ticket becomes yes
            go to gangway
        option "Buy a lamp"
            lamp becomes yes
            pay 1 from gold
            go to gangway
"""


def way(finding: Finding) -> str:
    """In which way, as it is told at the first place."""
    assert finding.certainty == "proved"
    return finding.places[0].part.partition("is out of reach by ")[2].removesuffix(" alone")


def needed(finding: Finding) -> list[str]:
    return [place.span.text for place in finding.places if place.part in ("needs this", "asks for this")]


# ---- rules


def test_a_rule_whose_conditions_exclude_each_other() -> None:
    text = HILL + "rule resting\n    p may dig when coins of p > 4 and tired of p and coins of p < 4\n"
    finding = the_one(text, "LX951")
    assert way(finding) == "condition"
    assert finding.shown_by == "the solver"
    assert needed(finding) == ["coins of p > 4", "coins of p < 4"]
    assert names(finding)[0] == "resting"


def test_a_rule_that_no_play_brings_about() -> None:
    finding = the_one(HILL + "rule poor\n    p may dig when coins of p < 3\n", "LX951")
    assert way(finding) == "history"
    assert finding.shown_by == "the values that can ever be held"
    assert "`coins` is always 3..9" in finding.message


def test_a_rule_for_a_moment_in_which_nobody_is_asked() -> None:
    text = HILL.replace("    each p\n        p", "    phase day\n        each p\n            p")
    text = text + "rule nightly\n    p may dig when during night\n"
    text = text.replace("play\n", "play\n    phase night\n        each p\n            tired of p becomes no\n")
    assert names(the_one(text, "LX951"))[0] == "nightly"


def test_a_trigger_whose_event_never_happens() -> None:
    finding = the_one(HILL + "rule luck\n    when coins of p becomes 2\n        tired of p becomes no\n", "LX951")
    assert way(finding) == "history"


def test_a_case_of_a_value_that_never_applies() -> None:
    value = "value share of p: 0..9, first\n    is 1 when coins of p > 3\n    is 2 when coins of p < 0\n    is 3\n"
    finding = the_one(HILL + value + "rule sharing\n    p may dig when share of p > 0\n", "LX951")
    assert finding.message.startswith("case 2 of `share` never applies")


FEAST = "procedure feast\n    step dance\n        nothing\nrule fe\n    when {} begins\n        tired of p becomes no\n"


@pytest.mark.parametrize("moment", ["dance", "feast"])
def test_a_trigger_of_a_step_that_stands_where_nothing_comes_to(moment: str) -> None:
    text = HILL + FEAST.format(moment).replace("tired of p becomes no", "nothing")
    finding = the_one(text, "LX951")
    assert (way(finding), names(finding), finding.shown_by) == ("graph", ["fe"], "the graph")
    assert found(text.replace("play\n", "play\n    feast\n"), "LX951") == []


POOR = "value share of p: 0..9\n    is 1 unless coins of p > 3 and not tired of p\n"
ASKED = "rule sharing\n    p may dig when share of p > 0\n"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (POOR + "    is 2 when coins of p > 3 and not tired of p\n" + ASKED, "case 2 of `share` never applies"),
        (f"{POOR}{ASKED}rule new\n    share of p is 2 when coins of p > 3 and not tired of p\n", "`new` never applies"),
        ("rule kept\n    ignore coins of p increases if coins of p > 3 and not tired of p\n", "`kept` never applies"),
    ],
)  # fmt: skip
def test_what_speaks_of_values_and_of_what_is_ignored_where_no_play_comes_to(more: str, said: str) -> None:
    """That digging tires before it pays is known to play alone."""
    pays, tires = "    coins of p increases by 1\n", "    tired of p becomes yes\n"
    finding = the_one(HILL.replace(pays + tires, tires + pays) + more, "LX951")
    assert finding.message == said
    assert (way(finding), finding.shown_by) == ("history", "every state of play")


def test_a_case_that_is_not_asked_for_where_it_holds_is_not_meant() -> None:
    """The value is asked for before anybody digs, and coins are more than 3 only afterwards."""
    value = "value share of p: 0..9\n    is 1 unless tired of p\n    is 2 when tired of p\n"
    text = HILL.replace("play\n", "play\n    each p\n        coins of p increases by share of p - 1\n") + value
    assert found(text, "LX951") == []


@pytest.mark.parametrize(
    "rule",
    [
        "rule near\n    p may dig when coins of p > 4 and coins of p < 6\n",
        "rule three\n    p may dig when number of (other) is 3\n",  # with three players it applies
        "rule luck\n    when coins of p becomes 4\n        tired of p becomes no\n",
    ],
)
def test_rules_that_apply_in_some_play(rule: str) -> None:
    assert found(HILL + rule, "LX951") == []


def test_a_rule_that_only_many_states_exclude_is_proved_by_seeing_them_all() -> None:
    """That digging always tires is known to play alone: the values of both are free."""
    finding = the_one(HILL + "rule fresh\n    p may dig when coins of p > 3 and not tired of p\n", "LX951")
    assert (way(finding), finding.shown_by) == ("history", "every state of play")


# ---- actions

SLEEP = """precedence
    explicit
action sleep by p
    tired of p becomes no
rule sleeping
    p may sleep when tired of p
rule no_sleep overrides sleeping
    p cannot sleep when coins of p > {}
"""


def test_an_action_that_is_forbidden_wherever_it_is_allowed() -> None:
    finding = the_one(HILL + SLEEP.format(0), "LX952")
    assert way(finding) == "history"
    assert names(finding) == ["sleep", "sleeping", "no_sleep"]
    assert found(HILL + SLEEP.format(4), "LX951", "LX952") == []


def test_an_action_that_can_never_be_paid() -> None:
    text = HILL + "action bribe by p\n    pay 9 from coins of p\nrule bribing\n    p may bribe when coins of p < 5\n"
    assert names(the_one(text, "LX952")) == ["bribe", "bribing"]
    assert found(text.replace("pay 9", "pay 4"), "LX952") == []


def test_an_action_that_nobody_is_asked_for() -> None:
    text = HILL + "action sing by p during night\n    nothing\nrule singing\n    p may sing\n"
    text = text.replace("play\n", "play\n    phase night\n        each p\n            tired of p becomes no\n")
    finding = the_one(text, "LX952")
    assert way(finding) == "graph"
    assert found(text, "LX951") == []


# ---- moments


RUIN = """    if some p where coins of p < 3
        phase ruin
            step last
                each p
                    tired of p becomes no
"""


def test_a_phase_that_is_never_entered() -> None:
    text = HILL.replace("action dig", RUIN + "action dig", 1)
    finding = the_one(text, "LX953")
    assert (names(finding)[0], way(finding)) == ("ruin", "history")
    assert found(text.replace("coins of p < 3", "coins of p > 3"), "LX953") == []


def test_a_procedure_that_is_only_called_where_nothing_comes() -> None:
    text = HILL.replace("rule digging", "procedure ruin\n    nothing\nrule digging", 1)
    text = text.replace(
        "    tired of p becomes yes", "    tired of p becomes yes\n    if coins of p is 0\n        ruin"
    )
    assert names(the_one(text, "LX953"))[0] == "ruin"


# ---- stories


def test_a_passage_that_nothing_leads_to() -> None:
    text = (
        FERRY + '    passage gangway "Planks."\n        ending "Off."\n    passage hold "Tar."\n        ending "In."\n'
    )
    finding = the_one(text, "LX954")
    assert (names(finding), way(finding)) == (["hold"], "graph")


HOLD = """    passage gangway "Planks."
        option "Below" when {}
            go to hold
        option "Stay"
            ending "Off."
    passage hold "Tar."
        go to crate
    passage crate "A crate."
        ending "In."
"""


def test_a_passage_behind_needs_that_no_way_brings_together() -> None:
    finding = the_one(FERRY + HOLD.format("ticket and lamp"), "LX954")
    assert names(finding)[:2] == ["hold", "gangway"]
    assert (way(finding), finding.shown_by) == ("history", "every state of the story")
    assert needed(finding) == ["ticket", "lamp"]
    assert finding.details == ("so neither is `crate`",)


def test_a_passage_behind_needs_that_cannot_hold() -> None:
    finding = the_one(FERRY + HOLD.format("ticket and not ticket"), "LX954")
    assert way(finding) == "condition"


def test_a_way_that_is_open_for_some_is_no_finding() -> None:
    assert found(FERRY + HOLD.format("ticket and not lamp"), "LX954", "LX955", "LX956") == []


SHOW = """    passage gangway "Planks."
        option "Show" when {}
            {}
        option "Stay"
            go to off
    passage off "Off."
        ending "Off."
"""


def test_an_option_that_is_never_open() -> None:
    finding = the_one(FERRY + SHOW.format("gold > 2", "go to off"), "LX955")
    assert names(finding)[0] == "gangway"
    assert way(finding) == "history"
    assert "because `gold` is always 0..2" in finding.message


def test_an_ending_that_is_never_reached() -> None:
    text = FERRY + SHOW.format("ticket and lamp", 'ending "Rich."')
    finding = the_one(text, "LX956")
    assert names(finding)[:2] == ["gangway", "gangway"]
    assert found(text, "LX955") == []  # told once


BEG = """        p decides
            option "Beg" when coins of p < 1
                coins of p increases by 1
            option "Go on"
                nothing
"""


def test_an_option_of_a_decision_in_play() -> None:
    text = HILL.replace("        p takes", BEG + "        p takes", 1)
    assert names(the_one(text, "LX955"))[0] == "play"


# ---- rows and things

VEIN = """table vein by 0..9 for p
    0..2: nothing
    3+: tired of p becomes yes
action drill by p
    consult vein with coins of p
rule drilling
    p may drill
"""


def test_a_row_that_never_counts() -> None:
    finding = the_one(HILL + VEIN, "LX957")
    assert names(finding) == ["vein"]
    assert "`0..2`" in finding.message


def test_cards_that_nothing_ever_takes() -> None:
    lying = HILL + "kind Card named storm, calm\npiles of Card\n    deck starts Card\n    box\n"
    take = "action take by p\n    draw 1 from deck to box\nrule taking\n    p may take\n"
    empty = "rule empty\n    when deck runs out\n        nothing\n"
    finding = the_one(lying, "LX957")
    assert (names(finding), way(finding)) == (["deck"], "graph")
    assert found(lying + take + empty, "LX957") == []


YIELD = """
table yield by d6
    1..4: gives 1
    5..6: gives 2
"""


def test_a_row_that_gives_what_nothing_asks_for() -> None:
    digging = "let n be 1..6\naction sift by p\n    roll d4 as n\n    coins of p becomes yield of n\n"
    digging += "rule sifting\n    p may sift\n"
    finding = the_one(HILL + YIELD + digging, "LX957")
    assert (finding.certainty, names(finding)) == ("proved", ["yield"])
    assert finding.places[0].span.text.startswith("5..6")
    assert found(HILL + YIELD + digging.replace("d4", "d6"), "LX957") == []
    asked = "rule lucky\n    p wins when yield of coins of p is 2 and coins of p > 0 and coins of p < 7\n"
    assert found(HILL + YIELD + digging + asked, "LX957") == []  # what a condition asks for is not followed
