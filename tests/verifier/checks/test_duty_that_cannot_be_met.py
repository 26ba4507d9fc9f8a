"""LX936: duties that apply where nothing meets them."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

TOLL = "action toll by p\n    pay 2 from coins of p"
DIG = "coins of p increases by 1"


def duty(text: str = "p must toll when coins of p >= 1", *more: str) -> str:
    return mine(TOLL, f"rule tithe\n    {text}", *more, dig=DIG)


def test_a_duty_that_cannot_be_paid_is_shown_by_play() -> None:
    found = the_one(duty(), "LX936")
    assert (found.certainty, names(found)) == ("witnessed", ["tithe"])
    assert found.message == "`tithe` demands `toll` where there is no legal way to do it"
    assert found.witness is not None
    assert found.witness.play is not None
    assert any(fact.startswith("coins of Player") and fact.endswith("is 1") for fact in found.witness.facts)


def test_without_play_a_state_is_shown() -> None:
    found = the_one(duty(), "LX936", budget=NO_PLAY)
    assert found.certainty == "possible"
    assert found.witness is not None
    assert found.witness.play is None


def test_a_duty_that_no_permission_widens() -> None:
    text = duty("p must toll when coins of p >= 2", "rule tolls\n    p may toll when weather is wet")
    assert the_one(text, "LX936").certainty == "witnessed"


@pytest.mark.parametrize(
    "text",
    [
        duty("p must toll if possible when coins of p >= 1"),
        duty("p must toll when coins of p >= 2"),
        duty("p must toll or dig when coins of p >= 1"),
        duty("p may toll when coins of p >= 1"),
    ],
)
def test_a_way_to_meet_it_is_enough(text: str) -> None:
    assert judged(text, "LX936", budget=NO_PLAY).findings == ()


def test_what_is_forbidden_is_a_contradiction_and_no_gap() -> None:
    text = duty("p must toll when coins of p >= 2", "rule spared\n    p cannot toll when coins of p >= 2")
    assert judged(text, "LX936").findings == ()


def test_what_a_limit_holds_back_is_shown_by_play() -> None:
    text = duty("p must hoard when coins of p >= 1", "action hoard by p\n    coins of p increases by 1")
    text = mine(
        "action hoard by p\n    coins of p increases by 3",
        "rule greed\n    p must hoard when coins of p >= 1",
        "rule purse\n    limit coins of p to 3",
        dig=DIG,
    )
    assert the_one(text, "LX936").certainty == "witnessed"
    assert judged(text, "LX936", budget=NO_PLAY).findings == ()
