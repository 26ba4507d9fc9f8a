"""LX981: outcomes that exclude each other."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

DIG = "coins of p increases by 1"
RICH = "rule rich\n    p wins when coins of p is 2"
EXPLICIT = "precedence\n    explicit"


def endings(*rules: str) -> str:
    return mine(*rules, dig=DIG)


def test_a_player_wins_and_loses() -> None:
    found = the_one(endings(RICH, "rule greedy\n    p loses when coins of p >= 2 and day >= 2"), "LX981")
    assert (found.certainty, names(found)) == ("witnessed", ["rich", "greedy"])
    assert found.message == "by `rich` and `greedy` a player wins and loses at once, and nothing says which counts"
    assert found.witness is not None
    assert found.witness.play is not None


def test_somebody_wins_while_nobody_does() -> None:
    found = the_one(endings(RICH, "rule late\n    nobody wins when day is 2"), "LX981")
    assert (found.certainty, names(found)) == ("witnessed", ["rich", "late"])


def test_all_lose_and_one_wins() -> None:
    found = the_one(endings(RICH, "rule flood\n    Player loses when day is 2"), "LX981", budget=NO_PLAY)
    assert (found.certainty, names(found)) == ("possible", ["rich", "flood"])


@pytest.mark.parametrize(
    "rules",
    [
        (RICH, "rule greedy\n    p loses when coins of p > 2"),
        (RICH, "rule greedy overrides rich\n    p loses when coins of p >= 2", EXPLICIT),
        (RICH, "rule famous\n    p wins when coins of p >= 1"),
        (RICH, "rule late\n    nobody wins when day is 3 and no p where coins of p is 2"),
        (RICH, "rule poor\n    immediately p loses when coins of p >= 2"),
    ],
)
def test_what_the_book_settles_is_no_finding(rules: tuple[str, ...]) -> None:
    assert judged(endings(*rules), "LX981", budget=NO_PLAY).findings == ()


def test_what_no_play_comes_to_is_dropped() -> None:
    dawn = "roll d6:;    1..6: weather becomes wet"
    text = mine(RICH, "rule snowed_in\n    p loses when weather is snow", dig=DIG, dawn=dawn)
    assert judged(text, "LX981", budget=NO_PLAY).findings == ()
    assert judged(text, "LX981").findings == ()
