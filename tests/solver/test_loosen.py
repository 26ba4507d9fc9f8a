"""Long sums as numbers of their own: never a proof too many, and proofs where Z3 gives up."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver.loosen
from solver import terms as t
from solver.loosen import loosened
from solver.solve import Solver
from solver.terms import Number, Term
from solver.verdict import Proved, Query, Refuted, Unknown
from solver.z3_session import Session
from tests.solver.written import built, can_hold, written_flag


def scored(name: str) -> Number:
    return t.plus(*(t.pick(t.flag((name, place)), 2, 0) for place in range(20)))


def test_sums_that_are_turned_round_are_one_number() -> None:
    mine, yours = scored("mine"), scored("yours")
    ahead, behind = t.less(yours, mine), t.less(mine, yours)
    assert isinstance(ahead, Term)
    assert isinstance(behind, Term)
    loose = loosened([ahead, behind, t.at_most(mine, 3)])  # type: ignore[list-item]
    assert loose is not None
    assert len(t.variables_of(*loose)) == 2
    assert Solver().possible(*loose) is False  # type: ignore[arg-type]
    assert Solver().possible(*loose[1:]) is True  # type: ignore[arg-type]


def test_short_sums_are_left_alone() -> None:
    term = t.less(t.plus(t.number("a", 0, 4), t.number("b", 0, 4)), t.number("c", 0, 4))
    assert isinstance(term, Term)
    assert loosened([term]) is None


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_what_can_hold_can_hold_loosened(seed: int) -> None:
    chooser = random.Random(seed)
    terms = [built(written_flag(chooser, 3)) for _ in range(3)]
    asked = [term for term in terms if isinstance(term, Term)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solver.loosen, "_LONG", 1)
        loose = loosened(asked)
    if loose is not None and can_hold(*asked):
        assert Solver().possible(*loose) is True  # type: ignore[arg-type]


def test_what_z3_gives_up_on_is_asked_loosened(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, yours = scored("mine"), scored("yours")
    gives_up = Unknown("the solver's budget was used up")
    exact, solve = Session.satisfiable, Session.solve

    def satisfiable(self: Session, terms: list[Term]) -> bool | Unknown:
        return gives_up if len(t.variables_of(*terms)) > 3 else exact(self, terms)

    monkeypatch.setattr(Session, "satisfiable", satisfiable)
    monkeypatch.setattr(
        Session, "solve", lambda self, terms, n: gives_up if len(t.variables_of(*terms)) > 3 else solve(self, terms, n)
    )
    judge = Solver(steps=0)
    assert judge.possible(t.less(mine, yours), t.less(yours, mine)) is False
    assert judge.possible(t.less(mine, yours), t.at_most(yours, 20)) is None
    given_ = (("ahead", t.less(mine, yours)), ("behind", t.less(yours, mine)))
    assert judge.ask(Query(False, given_)) == Proved(("ahead", "behind"))
    assert isinstance(judge.ask(Query(False, given_[:1])), Unknown | Refuted)
