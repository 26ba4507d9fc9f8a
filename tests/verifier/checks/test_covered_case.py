"""LX942: cases and branches that never count."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import judged, names, the_one

DIG = "coins of p becomes yield of p;tired of p becomes yes"
DAWN = "roll d6:;    1..5: weather becomes dry;    6: weather becomes wet"


def first(*cases: str, how: str = ", first") -> str:
    return mine(f"value yield of p: 0..9{how}\n    " + "\n    ".join(cases), dig=DIG, dawn=DAWN)


def test_a_narrower_case_below_a_wider_one() -> None:
    found = the_one(first("is 2 when coins of p < 5", "is 3 when coins of p < 3", "is 1"), "LX942")
    assert (found.certainty, names(found)) == ("proved", ["yield"])
    assert found.places[0].span.text.startswith("is 3")


def test_a_case_that_several_cover_together() -> None:
    cases = ("is 2 when weather is dry", "is 3 when weather is not dry", "is 4 when p is tired")
    assert the_one(first(*cases), "LX942").places[0].span.text.startswith("is 4")


@pytest.mark.parametrize(
    "text",
    [
        first("is 3 when coins of p < 3", "is 2 when coins of p < 5", "is 1"),
        first("is 2 when coins of p < 5", "is 3 when coins of p < 6", "is 1"),
        first("is 2 when coins of p < 5", "is 2 when coins of p < 3", "is 2", how=""),
        first("is 2 when weather is dry", "is 3 when weather is wet and weather is dry", "is 1"),
    ],
)
def test_what_has_something_left_or_never_holds_at_all_is_no_finding(text: str) -> None:
    assert judged(text, "LX942").findings == ()


def test_an_otherwise_if_that_is_never_come_to() -> None:
    chain = (
        "coins of p increases by 1;if coins of p > 2;    tired of p becomes yes;"
        "otherwise if coins of p > {};    tired of p becomes no"
    )
    found = the_one(mine(dig=chain.format(4)), "LX942")
    assert (found.certainty, names(found)) == ("proved", ["dig"])
    assert judged(mine(dig=chain.format(1)), "LX942").findings == ()


def test_what_matters_with_more_players_counts() -> None:
    value = "value yield of p: 0..9, first\n    is 1 when size of Player < 3\n    is 2 when p is tired\n    is 3"
    assert judged(mine(value, dig=DIG, players="2..3"), "LX942").findings == ()
    assert len(judged(mine(value, dig=DIG, players="2"), "LX942").findings) == 2


def test_a_branch_is_told_with_the_step_that_it_stands_in() -> None:
    lines = (
        "step count",
        "    if weather is dry",
        "        nothing",
        "    otherwise if weather is dry and day_is_long",
    )
    text = mine("value day_is_long: yes/no is weather is dry", dawn=";".join((*lines, "        nothing")))
    assert names(the_one(text, "LX942")) == ["count"]
