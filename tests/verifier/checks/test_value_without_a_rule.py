"""LX932: a value that is asked for where nothing says what it is."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

DAWN = "roll d6:;    1..4: weather becomes dry;    5: weather becomes wet;    6: weather becomes snow"
TOLL = """value toll: 0..3
    is 1 when weather is dry
    is 2 when weather is wet"""
ASKERS = {
    "pay": mine(TOLL, dig="pay toll from coins of p", dawn=DAWN, coins=9),
    "condition": mine(TOLL, when="toll < 3", dawn=DAWN),
    "effect": mine(TOLL, dig="coins of p becomes toll", dawn=DAWN),
    "ending": mine(TOLL, "rule rich\n    p wins when coins of p > toll", dawn=DAWN),
    "another value": mine(TOLL, "value fare: 0..4 is toll + 1", dig="coins of p becomes fare", dawn=DAWN),
}


@pytest.mark.parametrize("asker", ASKERS)
def test_wherever_it_is_asked_for(asker: str) -> None:
    found = the_one(ASKERS[asker], "LX932")
    assert found.certainty == "witnessed"
    assert found.places[0].name == "toll"
    assert found.witness is not None
    assert "weather is snow" in found.witness.facts


def test_the_place_that_asks_is_named() -> None:
    assert names(the_one(ASKERS["ending"], "LX932")) == ["toll", "rich"]
    assert names(the_one(ASKERS["condition"], "LX932")) == ["toll", "digging"]


@pytest.mark.parametrize(
    "mended",
    [
        mine(TOLL + "\n    is 3 when weather is snow", when="toll < 3", dawn=DAWN),
        mine(TOLL.replace("is 1 when weather is dry", "usually is 1"), when="toll < 3", dawn=DAWN),
        mine(TOLL, "rule drifts\n    toll is 3 when weather is snow", when="toll < 3", dawn=DAWN),
        mine(TOLL, when="weather is not snow and toll < 3", dawn=DAWN),
        mine(TOLL, dig="pay toll from coins of p", when="weather is not snow", dawn=DAWN, coins=9),
    ],
)
def test_a_case_for_the_rest_or_a_guard_is_enough(mended: str) -> None:
    assert judged(mended, "LX932", budget=NO_PLAY).findings == ()


def test_a_value_of_a_thing_is_asked_for_each() -> None:
    value = "value strength of p: 0..3\n    is 2 when p is tired"
    found = the_one(mine(value, dig="coins of p becomes strength of p"), "LX932")
    assert found.certainty == "witnessed"


def test_a_value_that_nothing_asks_for_is_no_finding() -> None:
    text = mine(TOLL, "claim possible toll is 1", dawn=DAWN)
    assert judged(text, "LX932").findings == ()
