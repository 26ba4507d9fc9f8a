"""Pairs that bounds keep apart are not given; all that can meet are."""

from __future__ import annotations

import random

from benchmarks.solver import random_guard
from solver.cases import Cases
from solver.pairs import Meeting
from solver.solve import Solver
from solver.terms import Flag, Term, at_most, both, flag, less, no, number


def test_places_are_those_that_bounds_leave() -> None:
    coins = number("coins", 0, 9)
    passed = flag("passed")
    others: list[Flag] = [at_most(coins, 3), less(3, coins), both(passed, at_most(coins, 5)), True, False]
    table = Meeting(others, Cases())
    assert list(table.places(less(4, coins))) == [1, 2, 3]
    assert list(table.places(no(passed))) == [0, 1, 3]
    assert list(table.places(True)) == [0, 1, 2, 3]
    assert list(table.places(False)) == []


def test_all_pairs_that_can_meet_are_given() -> None:
    chooser = random.Random(3)
    guards = [guard for guard in (random_guard(chooser) for _ in range(80)) if isinstance(guard, Term)]
    solver = Solver()
    given = set(solver.meeting(guards[:40], guards[40:]))
    can = {
        (one, other)
        for one, condition in enumerate(guards[:40])
        for other, against in enumerate(guards[40:])
        if solver.possible(condition, against)
    }
    assert given >= can
    assert len(given) < 40 * 40
    assert given == can  # none of these needs more than bounds and alternatives
