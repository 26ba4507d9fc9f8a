"""LX983: endings from the start, and endings that speak of nobody."""

from __future__ import annotations

from tests.verifier.checks.mine import mine
from tests.verifier.judging import judged, names, the_one

DIG = "coins of p increases by 1"
VACUOUS = "rule calm_end\n    p wins when day is 2 and every other where other is not p and weather is {} satisfies {}"


def text(*rules: str, dawn: str = "weather becomes dry") -> str:
    return mine(*rules, "let other be Player", dig=DIG, dawn=dawn)


def test_an_ending_that_is_there_before_anybody_decides() -> None:
    found = the_one(text("rule poor\n    p wins when coins of p is 0", dawn="phase morning;    roll d6 as n"), "LX983")
    assert judged(text("rule poor\n    p wins when coins of p is 0 and day is 2"), "LX983").findings == ()
    assert (found.certainty, names(found)) == ("proved", ["poor"])
    assert found.witness is not None
    assert found.witness.play is not None


def test_an_ending_that_is_there_whatever_is_decided_first() -> None:
    """Endings are looked at when something was done; this one held before."""
    poor = text("rule poor\n    p wins when coins of p is 0", dawn="nothing").replace("up to 1 action", "1 action")
    found = the_one(poor, "LX983")
    assert (found.certainty, found.shown_by, names(found)) == ("proved", "every state of play", ["poor"])
    assert found.message == "the game is over as soon as anybody has decided anything, by `poor`"
    assert judged(poor.replace("coins of p is 0", "coins of p is 1"), "LX983").findings == ()


def test_an_ending_after_the_dice_is_no_finding_where_somebody_may_decide_before() -> None:
    assert (
        judged(
            text(
                "rule wet_end\n    nobody wins when weather is wet",
                dawn="roll d6:;    1: weather becomes wet;    2..6: nothing",
            ),
            "LX983",
        ).findings
        == ()
    )


def test_every_of_nobody() -> None:
    rule = VACUOUS.format("snow and weather is wet", "coins of other is 1")
    found = the_one(text(rule), "LX983")
    assert (found.certainty, names(found)) == ("proved", ["calm_end"])
    assert found.places[0].part == "speaks of nobody"


def test_every_of_somebody_is_no_finding() -> None:
    assert judged(text(VACUOUS.format("dry", "coins of other is 1")), "LX983").findings == ()
    assert judged(text(VACUOUS.format("snow", "coins of other is 1")), "LX983").findings == ()
