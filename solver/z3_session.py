"""One solver of Z3, asked again and again within a budget; what was built for one question serves the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from solver.terms import Term, variables_of
from solver.verdict import Unknown
from solver.z3_terms import Expressions

_FOR_GOOD = 64  # the bounds of so many variables are stated once: each costs every later question a little
_CORE_CHECKS = 400  # a proof that rests on more conditions may name some that it does not need


@dataclass(frozen=True, slots=True)
class Model:
    values: Mapping[Term, bool | int]


@dataclass(frozen=True, slots=True)
class Impossible:
    """These of the named terms, by their places, exclude each other beside the others; none can be spared."""

    places: tuple[int, ...]


class Session:
    """A context and a solver of their own: what other sessions were asked does not change an answer."""

    def __init__(self, budget: int) -> None:
        self.expressions = expressions = Expressions()
        self._z3 = z3 = expressions.z3
        self._solver = z3.SimpleSolver(ctx=expressions.context)
        self._solver.set("rlimit", budget)
        self._solver.set("random_seed", 0)
        self._budget = budget
        self._tags: list[Any] = []
        self._limits: dict[Term, Any | None] = {}  # those that each question states anew
        self._variables: dict[Term, tuple[Term, ...]] = {}

    def satisfiable(self, terms: Sequence[Term]) -> bool | Unknown:
        """Whether these can hold together."""
        self._enter(terms)
        try:
            for term in terms:
                self._add(self.expressions.flag(term))
            return self._answer(self._solver.check())
        finally:
            self._solver.pop()

    def solve(self, terms: Sequence[Term], named: int) -> Model | Impossible | Unknown:
        """Values for the variables with which all terms hold, or why there are none.

        The first `named` terms can be named as the reason; the others always hold.
        """
        variables = self._enter(terms)
        try:
            for term in terms:
                self._add(self.expressions.flag(term))
            answer = self._answer(self._solver.check())
            if isinstance(answer, Unknown):
                return answer
            if answer:
                model = self._solver.model()
                return Model({variable: self.expressions.value(model, variable) for variable in variables})
        finally:
            self._solver.pop()
        return Impossible(self._core(terms, named))

    def _core(self, terms: Sequence[Term], named: int) -> tuple[int, ...]:
        """The places of named terms that cannot hold beside the others, thinned out until each is needed."""
        self._enter(terms)
        try:
            for place, term in enumerate(terms):
                made = self.expressions.flag(term)
                self._add(self._z3.Implies(self._tag(place), made) if place < named else made)
            kept = self._tagged(list(range(named)))
            if kept is None:
                return tuple(range(named))
            checks = 0
            for place in sorted(kept, reverse=True):
                if place not in kept or checks >= _CORE_CHECKS:
                    continue
                checks += 1
                fewer = self._tagged([other for other in kept if other != place])
                if fewer is not None:
                    kept = fewer
            return tuple(kept)
        finally:
            self._solver.pop()

    def _tagged(self, places: list[int]) -> list[int] | None:
        """Those of the places that exclude each other, or None."""
        if self._solver.check(*(self._tag(place) for place in places)) != self._z3.unsat:
            return None
        core = {tag.decl().name() for tag in self._solver.unsat_core()}
        return [place for place in places if f"t{place}" in core]

    def _tag(self, place: int) -> Any:
        while len(self._tags) <= place:
            self._tags.append(self._z3.Bool(f"t{len(self._tags)}", self.expressions.context))
        return self._tags[place]

    def _enter(self, terms: Sequence[Term]) -> list[Term]:
        """Opens a level at which the bounds of the variables that the terms read hold."""
        variables: dict[Term, None] = {}
        for term in terms:
            if term not in self._variables:
                self._variables[term] = variables_of(term)
            variables.update(dict.fromkeys(self._variables[term]))
        for variable in variables:
            if variable not in self._limits:
                limits = self.expressions.limits_of(variable)
                if limits is not None and len(self._limits) < _FOR_GOOD:
                    self._add(limits)
                    limits = None
                self._limits[variable] = limits
        self._solver.push()
        for variable in variables:
            limits = self._limits[variable]
            if limits is not None:
                self._add(limits)
        return list(variables)

    def _add(self, expression: Any) -> None:
        self._z3.Z3_solver_assert(self.expressions.context.ref(), self._solver.solver, expression.ast)

    def _answer(self, found: Any) -> bool | Unknown:
        if found == self._z3.unknown:
            return unknown(self._solver.reason_unknown(), self._budget)
        return bool(found == self._z3.sat)


def unknown(reason: str, budget: int) -> Unknown:
    """Why there is no answer, in our words."""
    if "incomplete" in reason:
        return Unknown(
            f"the solver gave up, within its budget of {budget:,} steps, on numbers multiplied by each other"
        )
    return Unknown(f"the solver's budget of {budget:,} steps was used up")  # versions say this in different words
