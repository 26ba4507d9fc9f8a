"""Verdicts: right, minimal, reduced, within their budget, the same each time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import solver.solve
from rules.diagnostics import InternalError
from solver import terms as t
from solver.narrow import Box
from solver.solve import Solver
from solver.terms import Flag, Term
from solver.verdict import Proved, Query, Refuted, Unknown
from tests.solver.written import built, can_hold, states, written_flag


@pytest.fixture(scope="module", params=[6_000, 0], ids=["narrowing first", "by z3"])
def judge(request: pytest.FixtureRequest) -> Solver:
    return Solver(steps=request.param)


def drawn(seed: int) -> tuple[Query, dict[Term, bool | int]]:
    chooser = random.Random(seed)
    given_terms = [built(written_flag(chooser, 2)) for _ in range(chooser.randint(0, 4))]
    query = Query(built(written_flag(chooser, chooser.randint(1, 3))), tuple(enumerate(given_terms)))
    variables = list(t.variables_of(query.claim, *given_terms))
    chooser.shuffle(variables)
    prefer = {one: chooser.random() < 0.5 if one.is_flag else chooser.randint(one.low, one.high) for one in variables}
    return query, prefer


@settings(max_examples=250, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_verdicts_are_right_and_minimal(judge: Solver, seed: int) -> None:
    query, prefer = drawn(seed)
    conditions = dict(query.given)
    refuting = [*conditions.values(), t.no(query.claim)]
    verdict = judge.ask(query, prefer)
    assert judge.possible(*refuting) is isinstance(verdict, Refuted)
    assert not isinstance(verdict, Unknown)
    assert judge.certified(query, verdict) is True
    match verdict:
        case Proved(because):
            kept = [conditions[name] for name in because]
            assert not can_hold(t.no(query.claim), *kept)
            for name in because:
                rest = [conditions[other] for other in because if other != name]
                assert can_hold(t.no(query.claim), *rest)
        case Refuted(values):
            open_ = [one for one in t.variables_of(*refuting) if one not in values]
            for state in states(open_):
                assert all(t.evaluate(term, {**state, **values}) for term in refuting)
            assert_none_can_go(refuting, values)
            assert_as_preferred(refuting, values, prefer)


def assert_none_can_go(refuting: list[Flag], values: Mapping[Term, bool | int]) -> None:
    for variable in values:
        others = {one: value for one, value in values.items() if one is not variable}
        open_ = [one for one in t.variables_of(*refuting) if one not in others]
        assert not all(t.evaluate(term, {**state, **others}) for state in states(open_) for term in refuting)


def assert_as_preferred(
    refuting: list[Flag], values: Mapping[Term, bool | int], prefer: dict[Term, bool | int]
) -> None:
    """What is shown differs from what is preferred only where, in that order, it has to."""
    agreed: list[Flag] = []
    for variable, wanted in prefer.items():
        is_so = t.same(variable, wanted) if variable.is_flag else t.equal(variable, wanted)  # type: ignore[arg-type]
        if can_hold(*refuting, *agreed, is_so):
            agreed.append(is_so)
            assert values.get(variable, wanted) == wanted


def test_a_reason_names_only_what_is_needed() -> None:
    x, y = t.number("x", 0, 9), t.number("y", 0, 9)
    given_terms = (("poor", t.at_most(x, 3)), ("rich", t.less(6, y)), ("late", t.flag("late")), ("less", t.less(y, x)))
    assert Solver().ask(Query(False, given_terms)) == Proved(("poor", "rich", "less"))
    assert Solver().ask(Query(t.less(x, y), given_terms[:3])) == Proved(("poor", "rich"))


def test_conditions_under_one_name_stand_together() -> None:
    x = t.number("x", 0, 9)
    given_terms = (("a", t.at_most(x, 3)), ("b", t.flag("b")), ("a", t.less(1, x)))
    assert Solver().ask(Query(t.either(t.equal(x, 2), t.equal(x, 3)), given_terms)) == Proved(("a",))


def test_what_does_not_matter_is_left_out() -> None:
    x, y, f, g = t.number("x", 0, 9), t.number("y", 0, 9), t.flag("f"), t.flag("g")
    assert isinstance(x, Term)
    assert isinstance(y, Term)
    query = Query(False, (("one", t.either(t.at_most(x, 3), f)), ("other", t.either(t.at_most(y, 3), t.less(2, y), g))))
    assert Solver().ask(query, {f: True, y: 7}) == Refuted({f: True})
    assert Solver().ask(query, {f: False, x: 9, y: 7}) == Refuted({x: 0})


def test_what_is_always_so_needs_no_reason() -> None:
    x = t.number("x", 0, 9)
    covered = t.either(t.at_most(x, 5), t.less(3, x))
    assert Solver().ask(Query(covered, (("same", covered), ("never", False)))) == Proved(())


HARD = Query(
    t.no(
        t.both(
            t.equal(
                t.times(t.number("a", 2, 40_000), t.number("b", 2, 40_000)),
                t.plus(t.times(t.number("c", 2, 9_000), t.number("d", 2, 9_000)), 1_000_003),
            ),
            t.equal(t.modulo(t.number("a", 2, 40_000), 7), 3),
        )
    )
)


def test_a_budget_that_is_used_up_is_said() -> None:
    small = Solver(budget=20)
    for _ in range(2):
        assert small.ask(HARD) == Unknown("the solver's budget of 20 steps was used up")
    assert small.possible(t.no(HARD.claim)) is None
    assert small.implied(True, HARD.claim) is None
    assert small.statistics.unknown == 4


def test_large_numbers_are_solved() -> None:
    one, other = t.number("one", 0, 10**12), t.number("other", 0, 10**12)
    query = Query(t.less(one, other), (("sum", t.equal(t.plus(one, other), 10**12)), ("one", t.less(one, 10**11))))
    assert Solver().ask(query) == Proved(("sum", "one"))


def test_a_wrong_verdict_is_not_certified() -> None:
    x, late = t.number("x", 0, 9), t.flag("late")
    query = Query(t.at_most(x, 5), (("poor", t.at_most(x, 5)), ("late", late)))
    solver = Solver()
    assert isinstance(x, Term)
    assert solver.certified(query, Proved(("poor",))) is True
    assert solver.certified(query, Proved(("late",))) is False
    assert solver.certified(query, Refuted({x: 7, late: True})) is False
    assert solver.certified(Query(query.claim), Refuted({x: 7})) is True
    assert solver.certified(Query(query.claim), Refuted({})) is False
    assert Solver(budget=20).certified(HARD, Proved(())) is None


def test_implied() -> None:
    x = t.number("x", 0, 9)
    solver = Solver()
    assert solver.implied(t.equal(x, 3), t.at_most(x, 5)) is True
    assert solver.implied(t.at_most(x, 5), t.equal(x, 3)) is False


def test_a_wrong_counterexample_is_our_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = t.number("x", 0, 9), t.number("y", 0, 9)
    monkeypatch.setattr(solver.solve, "meet", lambda *_: Box({}))
    with pytest.raises(InternalError):
        Solver().ask(Query(t.at_most(x, y)), {})


def test_statistics_tell_what_decided() -> None:
    x = t.number("x", 0, 9)
    solver = Solver()
    solver.ask(Query(True))
    solver.ask(Query(t.at_most(x, 3)))
    solver.ask(Query(t.at_most(x, 3), (("x", t.equal(x, 2)),)))
    solver.ask(Query(t.less(t.number("one", 0, 10**12), t.times(2, t.number("other", 0, 10**12)))))
    found = solver.statistics
    assert (found.folded, found.bounded, found.solved, found.unknown) == (1, 2, 1, 0)
    assert found.asked == 4
    assert 0 < found.solver_seconds <= found.seconds


def in_new_process(code: str, seed: str) -> str:
    root = str(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root}
    return subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment, cwd=root
    ).stdout


ANSWERS = """
from solver.solve import Solver
from tests.solver.test_solve import HARD, drawn
for steps in (6_000, 0):
    judge = Solver(steps=steps)
    for seed in range(60):
        query, prefer = drawn(seed)
        print(judge.ask(query), judge.ask(query, prefer))
print(Solver(budget=100_000).ask(HARD))
"""


def test_the_same_answers_in_every_run() -> None:
    first = in_new_process(ANSWERS, "1")
    assert first.count("Refuted") > 20
    assert first.count("Proved") > 20
    assert in_new_process(ANSWERS, "2") == first


def test_z3_is_loaded_only_when_it_is_needed() -> None:
    code = """
import sys
from solver.solve import Solver
from solver.terms import at_most, equal, number
from solver.verdict import Query
import solver.unroll
x, y = number("x", 0, 9), number("y", 0, 9)
print(Solver().ask(Query(at_most(x, y), (("x", equal(x, 2)),))), "z3" in sys.modules)
"""
    assert in_new_process(code, "0").split()[-1] == "False"
