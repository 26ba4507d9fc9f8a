"""LX926 and LX927: claims that hold, claims that do not, claims that are left open; and what each was shown by."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules import model as m
from solver.encode.sym import Sym
from solver.flow.prove import Prover
from solver.play import Budget
from solver.terms import less
from solver.verdict import Unknown
from tests.verifier.judging import BUDGET, checked, judged, only
from verifier.checks import claims
from verifier.court import Court
from verifier.finding import Finding, Place
from verifier.hearing import judge
from verifier.judgement import ClaimVerdict
from verifier.suspicion import Check, Looked, Remark, Suspicion

LITTLE = Budget(work=600, guided=0, states=8, plays=2, edges=0)  # far from every state

HILL = """
game "Copper Hill" played by Player
kind Player 2
    coins 0..60 starts 3
state
    days 0..9
let p be Player
play
    repeat until days is 9
        each p
            p takes up to 2 actions
        days increases by 1
action dig by p
    coins of p increases by 2
rule digging
    p may dig when coins of p < 7
"""


def verdicts(claim: str, budget: Budget = BUDGET, text: str = HILL) -> list[ClaimVerdict]:
    return list(judged(f"{text}\n{claim}\n", budget=budget, checks=(claims.CHECK,)).claims)


def verdict(claim: str, budget: Budget = BUDGET, text: str = HILL) -> tuple[str, str]:
    (found,) = verdicts(claim, budget, text)
    return found.verdict, found.by


def finding(claim: str, budget: Budget = BUDGET, text: str = HILL) -> Finding:
    return only(judged(f"{text}\n{claim}\n", "LX926", "LX927", budget=budget, checks=(claims.CHECK,)))


def test_what_every_state_keeps_holds() -> None:
    assert verdict("claim always coins of p <= 8") == ("holds", "every state of play")
    assert verdict("claim never coins of p is 8") == ("holds", "every state of play")


def test_without_every_state_a_proof_decides() -> None:
    assert verdict("claim always coins of p <= 8", LITTLE) == ("holds", "bounds")
    kind, by = verdict("claim never coins of p is 8", LITTLE)
    assert kind == "holds"
    assert by in ("induction", "k-induction", "Spacer")


def test_a_claim_that_a_game_breaks_is_refuted_by_that_game() -> None:
    found = finding("claim always coins of p <= 6")
    assert (found.code, found.certainty) == ("LX926", "witnessed")
    assert found.witness is not None
    assert found.witness.play is not None
    assert any("dig" in step for step in found.witness.play)


def test_a_play_of_the_solver_refutes_where_exploration_was_too_short() -> None:
    found = finding("claim never coins of p is 7", Budget(work=20, guided=0, states=1, plays=0, edges=0))
    assert (found.code, found.certainty, found.shown_by) == ("LX926", "witnessed", "a play found by the solver")
    assert found.witness is not None
    assert found.witness.play is not None
    assert len(found.witness.play) == 2


def test_what_no_game_comes_to_is_not_possible() -> None:
    by_all = finding("claim possible coins of p is 8")
    assert (by_all.code, by_all.certainty) == ("LX926", "proved")
    assert len(by_all.details) == 1  # the other player
    proved = judged(
        f"{HILL}\nclaim possible coins of p > 10\n", "LX926", budget=LITTLE, checks=(claims.CHECK,)
    ).findings
    assert {(one.certainty, one.shown_by) for one in proved} == {("proved", "bounds")}


def test_a_variable_stands_for_every_thing() -> None:
    found = verdicts("claim possible coins of p is 5")
    assert [one.verdict for one in found] == ["holds", "holds"]
    assert "p is Player 2" in found[1].text


def test_things_that_the_condition_excludes_do_not_count() -> None:
    text = HILL.replace("let p be Player", "let p, other be Player")
    found = verdicts("claim possible coins of p is 5 and coins of other is 5 and p is not other", text=text)
    assert [one.verdict for one in found] == ["holds", "holds"]


ROUND = """
game "Round" played by Player
kind Player 2
    coins 0..3
state
    done yes/no
let p be Player
play
    repeat until done
        each p
            p must wait or finish
action wait by p
    coins of p becomes 0
action finish by p
    done becomes yes
rule waiting
    p may wait
rule finishing
    p may finish
"""


def test_fair_play_comes_to_what_stays_in_reach() -> None:
    assert verdict("claim eventually done", text=ROUND) == ("holds", "all states of play, under fair play")


def test_a_game_that_loses_its_end_is_shown() -> None:
    found = judged(f"{HILL}\nclaim eventually coins of p is 5\n", "LX926", checks=(claims.CHECK,)).findings
    assert {(one.code, one.certainty) for one in found} == {("LX926", "witnessed")}
    assert all(one.witness is not None and one.witness.play for one in found)


def test_a_game_that_ends_without_it_refutes_an_eventually_where_not_every_state_was_seen() -> None:
    found = finding("claim eventually coins of p is 8", LITTLE, HILL.replace("kind Player 2", "kind Player 1"))
    assert (found.code, found.certainty, found.shown_by) == ("LX926", "witnessed", "plays at random")
    assert found.witness is not None
    assert found.witness.play is not None


def test_an_eventually_without_every_state_is_left_open() -> None:
    found = finding("claim eventually days is 9", LITTLE)
    assert (found.code, found.certainty) == ("LX927", "unknown")
    assert found.severity.value == "info"
    assert "states" in found.message


# ---- Suspicions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("least", "by"), [(8, "bounds"), (6, "")])
def test_a_suspicion_that_play_never_comes_to_is_dropped_by_a_proof(least: int, by: str) -> None:
    def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
        looked.things += 1
        slot = next(slot for slot in court.machine.world.slots.values() if slot.symbol.name == "coins")
        coins: Sym = court.space.cell(slot.base)
        action = next(d for d in court.checked.book.declarations if isinstance(d, m.Action))
        place = Place("dig", action.span)
        yield Suspicion(
            Finding("LX901", "too rich", (place,), "possible", "the solver"), condition=less(least, coins.payload)
        )

    found = judge(checked(HILL), checks=(Check("rich", "contradiction", suspect),), budget=LITTLE)
    assert [one.message for one in found.findings] == ([] if by else ["too rich"])
    assert (by in dict(found.engines)) == bool(by)


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("never coins of p > 60", True),
        ("always coins of p + days <= 69", True),
        ("always coins of p + days <= 12", False),
    ],
)
def test_what_cells_can_hold_excludes_it_where_the_rules_cannot_be_followed(
    claim: str, holds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where rules go round: the prover does not see through, but types hold on every way."""
    monkeypatch.setattr(Prover, "never", lambda *_args, **_more: Unknown("the rules could not be followed"))
    (found,) = judged(HILL + f"claim {claim}\n", budget=LITTLE, checks=(claims.CHECK,)).claims
    assert (found.verdict == "holds", found.by == "the values that can ever be held") == (holds, holds)


def test_a_claim_that_fails_only_in_the_middle_of_a_decision_says_so() -> None:
    text = HILL + "rule rich\n    p wins when coins of p is 7\nclaim always coins of p < 7 or not during game\n"
    finding = only(judged(text, "LX926"))
    assert finding.certainty == "witnessed"
    assert finding.witness is not None
    assert finding.witness.facts[0] == "coins of Player 1 is 7"
    assert finding.witness.facts[-1].startswith("only in the middle of the last decision")
    after = only(judged(HILL + "claim always coins of p < 7\n", "LX926"))
    assert after.witness is not None
    assert after.witness.facts == ("coins of Player 1 is 7",)
