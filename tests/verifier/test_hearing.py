"""The judge as a whole: how much of play it saw, and what it therefore does not claim."""

from __future__ import annotations

from solver.play import Budget
from tests.verifier.checks.mine import mine
from tests.verifier.judging import judged

# Both wait for the fifth digging, and set the same thing to different values.
LATE = tuple(
    f"rule late_{value}\n    when coins of p becomes 5\n        weather becomes {value}" for value in ("wet", "snow")
)
DEEP = mine(*LATE, dig="coins of p increases by 1", when="weather is not snow", coins=2)
SHALLOW = Budget(work=60, guided=0, states=5, plays=1, edges=5)


def test_every_state_was_seen() -> None:
    found = judged(DEEP)
    assert found.saw_all
    assert [one.players for one in found.explored] == [2]
    assert found.unseen == ()
    assert [finding.code for finding in found.findings if finding.code == "LX961"] == ["LX961"]
    assert found.left_open == ()


def test_what_was_not_seen_is_left_open_and_not_called_impossible() -> None:
    found = judged(DEEP, budget=SHALLOW)
    assert not found.saw_all
    assert found.explored[0].left_out
    assert set(found.unseen) >= {"late_wet", "late_snow"}
    assert [finding.code for finding in found.findings if finding.code == "LX961"] == []
    assert "LX961" in [finding.code for finding in found.left_open]
