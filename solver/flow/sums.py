"""Sums that never change: numbers of which some grow by as much as others shrink, on every edge.

A sum is found as a solution of linear equations: for each edge and each term by which numbers change, the factors times
the changes add up to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from solver.flow.flow import ANYTHING, Edge, Flow
from solver.terms import Flag, Term, equal, minus, total

_MOST = 60  # numbers that are looked at
_ROWS = 4_000


@dataclass(frozen=True, slots=True)
class ConservedSum:
    """The sum of the variables, each so many times, is always this."""

    factors: tuple[tuple[int, Term], ...]
    value: int

    @property
    def flag(self) -> Flag:
        return equal(total(self.factors), self.value)


def conserved_sums(flow: Flow, edges: Sequence[Edge]) -> tuple[ConservedSum, ...]:
    """At decisions, where no other edges are taken than these. Of single numbers that never change nothing is said."""
    changing = {variable for edge in edges for variable in edge.updates if not variable.is_flag}
    variables = sorted(changing, key=lambda variable: variable.serial)
    if not 1 < len(variables) <= _MOST:
        return ()
    rows: dict[tuple[Fraction, ...], None] = {}
    for edge in edges:
        if edge.target == ANYTHING or len(rows) > _ROWS:
            return ()
        for row in _changes(edge.updates, variables):
            rows[row] = None
    start = flow.start
    found: list[ConservedSum] = []
    for solution in _solutions(list(rows), len(variables)):
        factors = [(factor, variable) for factor, variable in zip(solution, variables, strict=True) if factor]
        if len(factors) > 1:
            value = sum(factor * int(start[variable]) for factor, variable in factors)
            found.append(ConservedSum(tuple(factors), value))
    return tuple(found)


def _changes(updates: Mapping[Term, object], variables: list[Term]) -> list[tuple[Fraction, ...]]:
    """One equation for each term by which a number changes, and one for plain changes."""
    by_term: dict[Term | None, dict[int, int]] = {}
    for place, variable in enumerate(variables):
        if variable not in updates:
            continue
        change = minus(updates[variable], variable)  # type: ignore[arg-type]
        if isinstance(change, int):
            by_term.setdefault(None, {})[place] = change
        elif change.op == "sum":
            if change.args[0]:
                by_term.setdefault(None, {})[place] = change.args[0]
            for factor, part in change.args[1:]:
                by_term.setdefault(part, {})[place] = factor
        else:
            by_term.setdefault(change, {})[place] = 1
    size = range(len(variables))
    return [tuple(Fraction(row.get(place, 0)) for place in size) for row in by_term.values()]


def _solutions(rows: list[tuple[Fraction, ...]], size: int) -> list[list[int]]:
    """A basis of what satisfies all rows, in whole numbers."""
    reduced: list[list[Fraction]] = []
    pivots: list[int] = []
    for row in rows:
        left = list(row)
        for pivot, other in zip(pivots, reduced, strict=True):
            if left[pivot]:
                factor = left[pivot]
                left = [a - factor * b for a, b in zip(left, other, strict=True)]
        lead = next((place for place, value in enumerate(left) if value), None)
        if lead is None:
            continue
        left = [value / left[lead] for value in left]
        for place, other in enumerate(reduced):
            if other[lead]:
                factor = other[lead]
                reduced[place] = [a - factor * b for a, b in zip(other, left, strict=True)]
        reduced.append(left)
        pivots.append(lead)
    free = [place for place in range(size) if place not in pivots]
    found: list[list[int]] = []
    for place in free:
        solution = [Fraction(0)] * size
        solution[place] = Fraction(1)
        for pivot, other in zip(pivots, reduced, strict=True):
            solution[pivot] = -other[place]
        scale = lcm(*(value.denominator for value in solution))
        whole = [int(value * scale) for value in solution]
        divisor = gcd(*whole) or 1
        found.append([value // divisor for value in whole])
    return found
