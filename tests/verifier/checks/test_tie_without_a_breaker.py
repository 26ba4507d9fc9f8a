"""LX933: ranks that leave a tie where somebody asks who comes first."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

RICHEST = "rank richest of p{where}\n    most coins of p{more}"
FIRST = "rule first_wins\n    p wins when place of (p, richest) is 1 and day > 3"
DIG = "coins of p increases by 1"


def richest(more: str = "", where: str = "") -> str:
    return RICHEST.format(where=where, more=f"\n    {more}" if more else "")


def test_a_tie_is_shown_by_play() -> None:
    found = the_one(mine(richest(), FIRST, dig=DIG), "LX933")
    assert found.certainty == "witnessed"
    assert names(found) == ["richest", "first_wins"]


def test_an_order_by_rank_asks_too() -> None:
    found = the_one(mine(richest(), dig=DIG, dawn="each p by richest;    tired of p becomes no"), "LX933")
    assert (found.certainty, names(found)) == ("witnessed", ["richest", "play"])


def test_a_tie_that_the_book_leaves_open_is_one() -> None:
    found = the_one(mine(richest("ties stay"), FIRST, dig=DIG), "LX933")
    assert found.certainty == "witnessed"
    assert found.message.endswith("the book leaves it open")


@pytest.mark.parametrize("more", ["ties share", "first in seating"])
def test_a_breaker_is_enough(more: str) -> None:
    text = mine(richest(more), FIRST, dig=DIG).replace("state\n", "state\n    seating order of Player shuffled\n")
    assert judged(text, "LX933", budget=NO_PLAY).findings == ()


def test_a_rank_that_nobody_asks_is_no_finding() -> None:
    assert judged(mine(richest(), "claim possible place of (p, richest) is 1", dig=DIG), "LX933").findings == ()


def test_those_who_are_not_ranked_cannot_be_tied() -> None:
    text = mine(richest(where=" where coins of p > 5 and no other where other is not p and coins of other > 5"), FIRST)
    text = text.replace("let p be", "let p, other be")
    assert judged(text, "LX933", budget=NO_PLAY).findings == ()
