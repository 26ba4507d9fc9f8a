"""LX982: endings that nobody comes to."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

DIG = "coins of p increases by 1"


def ending(when: str, players: str = "2") -> str:
    return mine(f"rule rich\n    p wins when {when}", dig=DIG, players=players)


@pytest.mark.parametrize("when", ["weather is dry and weather is wet", "p is tired and not p is tired"])
def test_a_condition_that_excludes_itself(when: str) -> None:
    found = the_one(ending(when), "LX982", budget=NO_PLAY)
    assert (found.certainty, found.shown_by, names(found)) == ("proved", "the solver", ["rich"])


def test_a_condition_that_no_play_comes_to() -> None:
    found = the_one(ending("coins of p is 5"), "LX982")
    assert (found.certainty, found.shown_by) == ("proved", "exhaustive")
    assert "players" not in found.message
    assert judged(ending("coins of p is 5"), "LX982", budget=NO_PLAY).findings == ()


def test_what_was_shown_for_some_players_is_said_of_them() -> None:
    assert "with 2 players" in the_one(ending("coins of p is 5", players="2..3"), "LX982").message


def test_an_ending_for_more_players_is_attained_with_more() -> None:
    when = "size of Player is 3 and coins of p is 2"
    assert judged(ending(when, players="2..3"), "LX982").findings == ()


def test_an_ending_that_play_comes_to_is_no_finding() -> None:
    assert judged(ending("coins of p is 2"), "LX982").findings == ()


def test_what_reading_the_book_has_told_is_not_told_again() -> None:
    assert judged(ending("coins of p > 9"), "LX982").findings == ()
