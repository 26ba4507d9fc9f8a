"""LX937: numbers that leave their range in play, and values that come out beyond theirs."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

UP = "coins of p increases by 4"
DOWN = "coins of p decreases by 1"


@pytest.mark.parametrize(("dig", "play"), [(UP, 7), (DOWN, 1)])
def test_a_number_leaves_its_range_at_either_end(dig: str, play: int) -> None:
    found = the_one(mine(dig=dig), "LX937")
    assert (found.certainty, names(found)) == ("witnessed", ["coins", "dig"])
    assert found.witness is not None
    assert found.witness.play is not None
    assert len(found.witness.play) <= play


def test_each_place_that_breaks_it_is_a_finding() -> None:
    more = ("action beg by p\n    coins of p decreases by 2", "rule begging\n    p may beg")
    found = judged(mine(*more, dig=UP), "LX937").findings
    assert [names(one) for one in found] == [["coins", "dig"], ["coins", "beg"]]


@pytest.mark.parametrize(
    "text",
    [
        mine(dig=UP, when="coins of p <= 5"),
        mine(dig=f"if coins of p <= 5;    {UP}"),
        mine(dig="pay 1 from coins of p"),
        mine("rule purse\n    limit coins of p to 9, rest lost", dig=UP),
        mine("rule full\n    instead of coins of p increases by n if coins of p > 5\n        nothing", dig=UP),
        mine(dig="coins of p increases by 3"),  # three times at most: it just fits
    ],
)
def test_what_guards_it_is_enough(text: str) -> None:
    assert judged(text, "LX937").findings == ()


def test_only_play_shows_it() -> None:
    assert judged(mine(dig=UP), "LX937", budget=NO_PLAY).findings == ()


def test_a_value_that_comes_out_beyond_its_range() -> None:
    more = "value wage of p: 0..3 is coins of p"
    found = the_one(mine(more, dig=f"if wage of p >= 0;    {UP}"), "LX937")
    assert (found.certainty, names(found)) == ("witnessed", ["wage", "dig"])


def test_what_a_number_becomes() -> None:
    assert names(the_one(mine(dig="coins of p becomes 2 * coins of p + 3"), "LX937")) == ["coins", "dig"]


def test_a_value_that_the_book_does_not_give_is_no_number_of_the_book() -> None:
    """Exploring goes on with whatever the table could say: that this and a surcharge is too much is nobody's fault."""
    more = (
        "value wage of p: 0..3\n    is 1 when coins of p > 6",
        "rule late\n    wage of p plus 1 when coins of p < 6",
    )
    found = judged(mine(*more, dig="coins of p becomes wage of p"))
    assert "LX932" in {one.code for one in found.findings}
    assert "LX937" not in {one.code for one in found.findings}
