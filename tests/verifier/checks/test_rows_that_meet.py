"""LX941: rows for the same keys that do not say the same."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one


def seams(keys: str, *rows: str) -> str:
    return f"table seams by {keys} for p\n    " + "\n    ".join(rows)


def test_two_rows_for_one_face_are_shown_by_play() -> None:
    found = the_one(mine(seams("d6", "1..3: nothing", "3..6: tired of p becomes yes"), dig="roll d6 on seams"), "LX941")
    assert (found.certainty, names(found)) == ("witnessed", ["seams", "seams", "dig"])
    assert found.message == "`seams` has two rows for 3, and they do not say the same"
    assert [place.part for place in found.places] == ["one row", "the other", "asks for it"]


def test_rows_below_a_roll_meet_too() -> None:
    found = the_one(mine(dig="roll d6:;    1..4: nothing;    4+: tired of p becomes yes"), "LX941")
    assert (found.certainty, found.message[:18]) == ("witnessed", "this roll of `d6` ")


def test_values_that_share_a_row_meet_others() -> None:
    rows = ("1 or 3..4: nothing", "2 or 4..5: tired of p becomes yes", "otherwise: tired of p becomes no")
    found = the_one(mine(seams("d6", *rows), dig="roll d6 on seams"), "LX941")
    assert (found.certainty, found.message) == (
        "witnessed",
        "`seams` has two rows for 4, and they do not say the same",
    )


def test_the_row_for_the_rest_meets_no_other() -> None:
    text = mine(seams("d6", "1 or 6: nothing", "otherwise: tired of p becomes yes"), dig="roll d6 on seams")
    assert judged(text, "LX941").findings == ()


def test_each_pair_is_told_once() -> None:
    rows = ("1..4: nothing", "3..6: tired of p becomes yes", "any: tired of p becomes no")
    assert len(judged(mine(seams("d6", *rows), dig="roll d6 on seams"), "LX941").findings) == 3


@pytest.mark.parametrize(
    "text",
    [
        mine(seams("d6", "1..3: nothing", "4..6: tired of p becomes yes"), dig="roll d6 on seams"),
        mine(seams("d6", "1..3: nothing", "3..6: nothing"), dig="roll d6 on seams"),
        mine(seams("1..12", "1..6: nothing", "6..12: tired of p becomes yes"), dig="roll d4 on seams"),
        mine(
            seams("0..9", "0..2: nothing", "2..9: tired of p becomes yes"),
            dig="consult seams with coins of p",
            when="coins of p is not 2",
        ),
    ],
)
def test_rows_that_say_the_same_or_never_meet_are_no_finding(text: str) -> None:
    assert judged(text, "LX941", budget=NO_PLAY).findings == ()


def test_a_value_that_is_read_off_two_rows() -> None:
    table = "table yield by 1..6\n    1..3: gives 1\n    3..6: gives 2"
    assert the_one(mine(table, dig="roll d6 as n;coins of p becomes yield of n"), "LX941").certainty == "witnessed"
