"""A question to the solver and what it can answer: `Query -> Proved | Refuted | Unknown`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass

from solver.terms import Flag, Term


@dataclass(frozen=True, slots=True)
class Query:
    """Whether `claim` holds wherever all of `given` hold. Each part of `given` has a name, for the explanation."""

    claim: Flag
    given: tuple[tuple[Hashable, Flag], ...] = ()


@dataclass(frozen=True, slots=True)
class Proved:
    """It always does; `because` are the names of a smallest set of conditions that suffice."""

    because: tuple[Hashable, ...]


@dataclass(frozen=True, slots=True)
class Refuted:
    """It does not where the variables have these values; variables that do not matter are left out."""

    values: Mapping[Term, bool | int]


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str


Verdict = Proved | Refuted | Unknown


@dataclass(frozen=True, slots=True)
class Reached:
    """A way to it, state by state: the values of the variables, and beside them what the step from there chose."""

    trace: tuple[Mapping[Term, bool | int], ...]


Ways = Proved | Reached | Unknown
