"""What a step relation can reach: steps laid end to end, induction over them, and an invariant sought by Z3's Spacer.

A step is a term over variables and their twins: what holds before it and after it. Its expression is made once; each
further step is a substitution in it, so that laying out steps costs the same for the last as for the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from rules.diagnostics import InternalError
from solver.solve import BUDGET
from solver.terms import Flag, Term, evaluate, no, variables_of
from solver.verdict import Proved, Reached, Unknown, Ways
from solver.z3_session import unknown
from solver.z3_terms import Expressions

_WAY = 400  # the longest way that is looked for where Spacer says that there is one


class Unroller:
    """A system: `step` relates each variable to its twin; other variables in it are chosen anew in each step.

    Whatever is asked of it is a term over the variables. Each call of Z3 may spend `budget`, in its own units.
    """

    def __init__(self, step: Flag, twins: Mapping[Term, Term], budget: int = BUDGET) -> None:
        self._step = step
        self._twins = dict(twins)
        self._budget = budget
        self._expressions = Expressions()
        self._z3 = self._expressions.z3
        if any((one.op, one.low, one.high) != (new.op, new.low, new.high) for one, new in twins.items()):
            raise InternalError("a variable and its twin have different bounds")
        state = set(self._twins) | set(self._twins.values())
        self._chosen = tuple(one for one in variables_of(step) if one not in state)
        self._template = self._expressions.flag(step)
        self._before = [self._expressions.variable(one) for one in (*self._twins, *self._chosen)]
        self._after = [self._expressions.variable(one) for one in self._twins.values()]
        self._times: list[list[Any]] = []
        limits = [self._expressions.limits_of(one) for one in (*self._twins, *self._chosen)]
        self._bounds = self._z3.And([self._expressions.flag(True), *(one for one in limits if one is not None)])

    def bmc(self, initial: Flag, target: Flag, k: int) -> Ways:
        """A shortest way of at most `k` steps from `initial` to `target`; a proof only where no play is longer."""
        solver = self._start(initial)
        for time in range(k + 1):
            found = self._violated(solver, target, time)
            if found is not None:
                return found if isinstance(found, Unknown) else self._reached(found, initial, target, time)
            solver.add(self._step_at(time), self._bounds_at(time + 1))
        if solver.check() == self._z3.unsat:
            return Proved(())
        return Unknown(f"no way was found to a depth of {k:,}, and none deeper was tried")

    def k_induction(self, initial: Flag, claim: Flag, k: int) -> Ways:
        """Whether `claim` holds in all that can be reached: so many states in a row that satisfy it, at most `k`, are
        followed by one that does, and the first ones from `initial` do."""
        base = self._start(initial)
        inductive = self._start(True)
        for time in range(k):
            found = self._violated(base, no(claim), time)
            if found is not None:
                return found if isinstance(found, Unknown) else self._reached(found, initial, no(claim), time)
            base.add(self._step_at(time), self._bounds_at(time + 1))
            inductive.add(self._at(claim, time), self._step_at(time), self._bounds_at(time + 1))
            followed = self._violated(inductive, no(claim), time + 1)
            if followed is None:
                return Proved(())
            if isinstance(followed, Unknown):
                return followed
        return Unknown(f"it holds to a depth of {k - 1:,}, and induction over that depth does not settle it")

    def spacer(self, initial: Flag, claim: Flag, budget: int | None = None) -> Ways:
        """The same by an invariant that Z3 seeks. Where there is a way that breaks the claim, a shortest one."""
        z3, spent = self._z3, self._budget if budget is None else budget
        known = self._expressions.context
        seeker = z3.Fixedpoint(ctx=known)
        seeker.set("engine", "spacer")
        # Only the context's own limit is heeded by all versions; solvers have theirs, which takes precedence.
        z3.Z3_update_param_value(known.ref(), "rlimit", str(spent))
        sorts = [one.sort() for one in self._before[: len(self._twins)]]
        reached = z3.Function("reached", *sorts, z3.BoolSort(known))
        seeker.register_relation(reached)
        for one in (*self._before, *self._after):
            seeker.declare_var(one)
        before, after = self._before[: len(self._twins)], self._after
        bounds_after = self._substituted(self._bounds, before, after)
        seeker.rule(reached(*before), [self._over_state(initial), self._bounds])
        seeker.rule(reached(*after), [reached(*before), self._template, self._bounds, bounds_after])
        try:
            found = seeker.query(z3.And(reached(*before), self._bounds, self._over_state(no(claim))))
        except z3.Z3Exception as problem:
            return unknown(str(problem), spent)
        if found == z3.unsat:
            return Proved(())
        if found == z3.unknown:
            return unknown(seeker.reason_unknown(), spent)
        return self.bmc(initial, no(claim), _WAY)

    def laid_out(self, k: int) -> list[Any]:
        """The expressions of `k` steps, one after the other."""
        return [self._step_at(time) for time in range(k)]

    # ---- steps end to end -------------------------------------------------------------------------------------------

    def _start(self, initial: Flag) -> Any:
        solver = self._z3.SimpleSolver(ctx=self._expressions.context)
        solver.set("rlimit", self._budget)
        solver.set("random_seed", 0)
        solver.add(self._at(initial, 0), self._bounds_at(0))
        return solver

    def _violated(self, solver: Any, target: Flag, time: int) -> Any:
        """A model with the target at this time, why that is not known, or None."""
        solver.push()
        try:
            solver.add(self._at(target, time))
            found = solver.check()
            if found == self._z3.unknown:
                return unknown(solver.reason_unknown(), self._budget)
            return solver.model() if found == self._z3.sat else None
        finally:
            solver.pop()

    def _over_state(self, term: Flag) -> Any:
        if any(one not in self._twins for one in variables_of(term)):
            raise InternalError("what is asked of a system reads a variable that is not part of its state")
        return self._expressions.flag(term)

    def _at(self, term: Flag, time: int) -> Any:
        return self._substituted(self._over_state(term), self._before, self._cells(time))

    def _step_at(self, time: int) -> Any:
        after = self._cells(time + 1)[: len(self._after)]
        return self._substituted(self._template, self._before + self._after, self._cells(time) + after)

    def _bounds_at(self, time: int) -> Any:
        return self._substituted(self._bounds, self._before, self._cells(time))

    def _cells(self, time: int) -> list[Any]:
        """What stands for each variable at a time."""
        while len(self._times) <= time:
            at = len(self._times)
            self._times.append([self._z3.Const(f"c{place}@{at}", one.sort()) for place, one in enumerate(self._before)])
        return self._times[time]

    def _substituted(self, expression: Any, old: Sequence[Any], new: Sequence[Any]) -> Any:
        z3 = self._z3
        count = len(old)
        context = self._expressions.context
        made = z3.Z3_substitute(context.ref(), expression.ast, count, _array(z3, old), _array(z3, new))
        return z3.BoolRef(made, context)

    # ---- the way back -----------------------------------------------------------------------------------------------

    def _reached(self, model: Any, initial: Flag, target: Flag, last: int) -> Reached:
        size = len(self._twins)
        variables = (*self._twins, *self._chosen)
        trace: list[Mapping[Term, bool | int]] = []
        for time in range(last + 1):
            cells = self._cells(time)[: size if time == last else None]
            trace.append({one: self._value(model, one, cell) for one, cell in zip(variables, cells, strict=False)})
        self._replay(trace, initial, target)
        return Reached(tuple(trace))

    def _value(self, model: Any, variable: Term, cell: Any) -> bool | int:
        found = model.eval(cell, model_completion=True)
        return bool(self._z3.is_true(found)) if variable.is_flag else int(found.as_long())

    def _replay(self, trace: Sequence[Mapping[Term, bool | int]], initial: Flag, target: Flag) -> None:
        right = evaluate(initial, trace[0]) and evaluate(target, trace[-1])
        for before, after in pairwise(trace):
            right = right and evaluate(self._step, {**before, **{new: after[old] for old, new in self._twins.items()}})
        if not right:
            raise InternalError("a way that was found does not follow the steps that it was found for")


def _array(z3: Any, expressions: Iterable[Any]) -> Any:
    raws = [one.ast for one in expressions]
    return (z3.Ast * len(raws))(*raws)
