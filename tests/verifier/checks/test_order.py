"""Triggers whose order matters and is not said, and what is read before it is there."""

from __future__ import annotations

import pytest

from tests.verifier.judging import found, names, the_one

MINE = """game "Copper Hill" played by Player
{}kind Player 2
    coins 0..9 starts 3
    fame 0..9
let p be Player
state
    leader Player or none
play
    each p
        leader becomes p
        p takes 1 action
action dig by p
    coins of p increases by 1
rule digging
    p may dig
rule toll
    when dig by p
        {}
rule luck
    when dig by p
        {}
"""
SETS, ADDS, HONOURS = "coins of p becomes 2", "coins of p increases by 1", "fame of p increases by 1"


def test_two_triggers_whose_order_matters() -> None:
    finding = the_one(MINE.format("", SETS, ADDS), "LX961")
    assert finding.certainty == "witnessed"
    assert names(finding) == ["toll", "luck"]
    assert finding.witness is not None
    assert finding.witness.play is not None


@pytest.mark.parametrize(
    ("precedence", "first", "second"),
    [
        ("", ADDS, ADDS),  # they commute
        ("", SETS, HONOURS),  # they have nothing to do with each other
        ('documents\n    book "B"\nprecedence\n    simultaneous by leader cites book 1\n', SETS, ADDS),
    ],
)
def test_triggers_that_commute_or_have_an_order(precedence: str, first: str, second: str) -> None:
    assert found(MINE.format(precedence, first, second), "LX961") == []


def test_triggers_that_never_wait_together() -> None:
    text = MINE.format("", SETS, ADDS).replace(
        "rule luck\n    when dig by p\n", "rule luck\n    when dig by p if coins of p is 9\n"
    )
    assert found(text, "LX961") == []


def test_what_is_chosen_on_the_way_may_come_out_the_same() -> None:
    """Both orders can come to the same ends: who chooses, not the order, decides."""
    text = MINE.format("", "roll d6:\n            1..3: fame of p becomes 1\n            4..6: nothing", ADDS)
    assert found(text, "LX961") == []


STEPS = """game "Copper Hill" played by Player
kind Player 2
    coins 0..9 starts 5
type Load is 1..3
let p be Player
state
    load Load or none
play
    repeat 2 times
{}        step clearing
            load becomes none
"""
SURVEY = "        step survey\n            load becomes 2\n"
TOLL = "        step toll\n            each p where load > 1\n                coins of p decreases by 1\n"


def test_a_step_that_reads_what_is_only_set_later() -> None:
    finding = the_one(STEPS.format(TOLL + SURVEY), "LX962")
    assert finding.certainty == "proved"
    assert names(finding) == ["toll", "survey"]


def test_steps_in_order() -> None:
    assert found(STEPS.format(SURVEY + TOLL), "LX962") == []


PLAIN = """game "Copper Hill" played by Player
kind Player 2
    coins 0..30
state
    haul 0..6{}
let p be Player
let n be 0..6
play
    repeat 2 times
{}    nobody wins
"""
DIGS = "        step digs\n            roll d6 as n\n            haul becomes n\n"
CLEARS = "        step clears\n            haul becomes 0\n"
PAYS = "        step pays\n            each p\n                coins of p increases by haul\n"


def test_a_number_that_is_read_before_it_is_first_set() -> None:
    finding = the_one(PLAIN.format("", PAYS + DIGS), "LX962")
    assert finding.certainty == "proved"
    assert names(finding) == ["pays", "digs"]
    assert finding.hint == "let `digs` come before `pays`; or, if it is meant so, say `starts 0`"


def test_a_number_that_starts_as_the_book_says_or_is_set_first() -> None:
    assert found(PLAIN.format(" starts 0", PAYS + DIGS), "LX962", "LX963") == []
    assert found(PLAIN.format("", DIGS + PAYS), "LX962", "LX963") == []


def test_what_is_overwritten_before_it_is_read() -> None:
    finding = the_one(PLAIN.format("", DIGS + CLEARS + PAYS), "LX963")
    assert finding.certainty == "proved"
    assert [(place.name, place.part) for place in finding.places] == [
        ("digs", "sets it"),
        ("clears", "overwrites it"),
        ("pays", "reads it: always 0"),
    ]
    assert finding.hint == "let `pays` come before `clears`"


def test_what_is_overwritten_after_it_is_read() -> None:
    assert found(PLAIN.format("", DIGS + PAYS + CLEARS), "LX962", "LX963") == []


def test_what_is_none_where_it_is_read_is_told_once() -> None:
    assert len(found(STEPS.format(TOLL + SURVEY), "LX962", "LX963")) == 1
