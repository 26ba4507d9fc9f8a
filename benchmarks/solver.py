"""Speed of the solver: `python -m benchmarks.solver`.

Pairs of random guards, asked whether they exclude each other: `Solver.ask` (with the reason or the reduced witness) and
`Solver.possible` (yes or no) beside bare Z3 with push and pop on the same pairs (yes or no), everything built anew in
each round. Medians of interleaved rounds; verdicts must agree. Then a chain of steps is unrolled: one template and
substitution beside making each step anew.
"""

from __future__ import annotations

import random
from functools import partial
from typing import cast

from benchmarks.timing import medians
from solver.solve import Solver
from solver.terms import (
    Flag,
    Term,
    at_most,
    both,
    either,
    equal,
    every,
    flag,
    less,
    no,
    number,
    plus,
    same,
    some,
    substitute,
)
from solver.unroll import Unroller
from solver.verdict import Proved, Query, Refuted
from solver.z3_terms import Expressions

Pair = tuple[Flag, Flag]

_RANGES = ((0, 5), (0, 6), (0, 9), (0, 10), (0, 20), (1, 30))
_ENUMERATIONS = (3, 4, 5, 8)
_FLAGS = 6
_ROUNDS = 5


def variables() -> tuple[list[Term], list[Term], list[Term]]:
    numbers = [number(("number", place), low, high) for place, (low, high) in enumerate(_RANGES)]
    values = [number(("value", place), 0, size - 1) for place, size in enumerate(_ENUMERATIONS)]
    flags = [flag(("flag", place)) for place in range(_FLAGS)]
    return [one for one in numbers if isinstance(one, Term)], [one for one in values if isinstance(one, Term)], flags


def random_guard(chooser: random.Random) -> Flag:
    """Two to five atoms; one guard in five has a disjunction, one in ten relates two numbers."""
    numbers, values, flags = variables()

    def atom() -> Flag:
        kind = chooser.random()
        if kind < 0.45:
            one = chooser.choice(numbers)
            bound = chooser.randint(one.low, one.high)
            return chooser.choice((at_most, less, lambda x, y: at_most(y, x), equal))(one, bound)
        if kind < 0.75:
            one = chooser.choice(values)
            same = equal(one, chooser.randint(one.low, one.high))
            return same if chooser.random() < 0.7 else no(same)
        one = chooser.choice(flags)
        return one if chooser.random() < 0.5 else no(one)

    parts = [atom() for _ in range(chooser.randint(2, 5))]
    if chooser.random() < 0.2:
        parts.append(either(both(atom(), atom()), atom()))
    if chooser.random() < 0.1:
        one, other = chooser.sample(numbers, 2)
        parts.append(chooser.choice((at_most, less, equal))(one, other))
    return every(parts)


def random_pairs(count: int, seed: int = 0) -> list[Pair]:
    """Each guard stands in two pairs on average, as in a book whose rules share their targets."""
    chooser = random.Random(seed)
    guards = [guard for guard in (random_guard(chooser) for _ in range(count * 2)) if isinstance(guard, Term)][:count]
    return [(chooser.choice(guards), chooser.choice(guards)) for _ in range(count)]


def by_asking(pairs: list[Pair]) -> list[bool]:
    solver = Solver()
    found: list[bool] = []
    for one, other in pairs:
        match solver.ask(Query(False, (("one", one), ("other", other)))):
            case Refuted():
                found.append(True)
            case Proved():
                found.append(False)
    return found


def by_possible(pairs: list[Pair]) -> list[bool]:
    solver = Solver()
    return [bool(solver.possible(one, other)) for one, other in pairs]


def by_bare_z3(pairs: list[Pair]) -> list[bool]:
    expressions = Expressions()
    z3 = expressions.z3
    solver = z3.SimpleSolver(ctx=expressions.context)
    for group in variables():
        for variable in group:
            limits = expressions.limits_of(variable)
            if limits is not None:
                solver.add(limits)
    found: list[bool] = []
    for one, other in pairs:
        solver.push()
        solver.add(expressions.flag(one), expressions.flag(other))
        found.append(bool(solver.check() == z3.sat))
        solver.pop()
    return found


def chain(count: int) -> tuple[Flag, dict[Term, Term]]:
    """Rules over counters: each moves two of them within their bounds, under a random guard, and keeps the others."""
    chooser = random.Random(1)
    numbers, values, flags = variables()
    state = numbers + values + flags
    twins = {one: _twin(one) for one in state}
    rules: list[Flag] = []
    for _ in range(count):
        moved = chooser.sample(numbers, 2)
        effects = [equal(twins[one], plus(one, chooser.choice((-1, 1)))) for one in moved]
        kept = [_kept(one, twins[one]) for one in state if one not in moved]
        rules.append(every([random_guard(chooser), *effects, *kept]))
    return some(rules), twins


def _twin(one: Term) -> Term:
    name = ("next", one.args[0])
    made = flag(name) if one.is_flag else number(name, one.low, one.high)
    return cast("Term", made)


def _kept(one: Term, other: Term) -> Flag:
    return same(one, other) if one.is_flag else equal(one, other)


def by_template(step: Flag, twins: dict[Term, Term], depth: int) -> None:
    Unroller(step, twins).laid_out(depth)


def step_by_step(step: Flag, twins: dict[Term, Term], depth: int) -> None:
    """Each step renamed as a term, then made an expression."""
    expressions = Expressions()
    for time in range(depth):
        new = {one: _at(one, time) for one in twins} | {twin: _at(one, time + 1) for one, twin in twins.items()}
        expressions.flag(substitute(step, new))


def _at(one: Term, time: int) -> Term:
    name = (time, one.args[0])
    return cast("Term", flag(name) if one.is_flag else number(name, one.low, one.high))


def main() -> None:
    for count in (100, 1_000, 10_000):
        pairs = random_pairs(count)
        works = {"ask": by_asking, "possible": by_possible, "z3": by_bare_z3}
        if len({tuple(work(pairs)) for work in works.values()}) != 1:
            raise SystemExit("the verdicts differ")
        rounds = _ROUNDS if count < 10_000 else 3
        times = medians({name: partial(work, pairs) for name, work in works.items()}, rounds)
        solver = Solver()
        for one, other in pairs:
            solver.ask(Query(False, (("one", one), ("other", other))))
        asked = solver.statistics
        print(
            f"{count:6,} pairs: ask {times['ask'] / count * 1e6:5.1f} us, "
            f"possible {times['possible'] / count * 1e6:5.1f} us, z3 {times['z3'] / count * 1e6:6.1f} us a pair; "
            f"ask is {times['ask'] / times['z3']:.3f} of z3, possible {times['possible'] / times['z3']:.3f}; "
            f"{(asked.asked - asked.solved - asked.unknown) / asked.asked:.1%} decided without z3"
        )
    step, twins = chain(35)
    for depth in (10, 50, 200):
        laid = {"template": by_template, "anew": step_by_step}
        times = medians({name: partial(work, step, twins, depth) for name, work in laid.items()}, _ROUNDS)
        print(
            f"{depth:6,} steps: laid out from a template in {times['template'] * 1e3:6.1f} ms, "
            f"each made anew in {times['anew'] * 1e3:7.1f} ms: {times['template'] / times['anew']:.3f}"
        )


if __name__ == "__main__":
    main()
