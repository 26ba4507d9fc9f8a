"""Whether cases can hold together, by narrowing what each variable may be and by trying alternatives.

Exact where it ends within its steps: it gives a box all of whose states satisfy the cases, or the cases that exclude
each other. The box need not be the only one, and the cases need not be the fewest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.cases import WIDEST, Case, Relation, all_bits, width
from solver.place import Place, Values, guessed, narrow_linear, whys_of
from solver.reach import ranges
from solver.terms import Term

_DEEPEST = 150
_LOOK = 300


@dataclass(frozen=True, slots=True)
class Box:
    """States in which each variable is within its bits; the others may be anything."""

    bits: Mapping[Term, int]


@dataclass(frozen=True, slots=True)
class Clash:
    """Cases that cannot hold together: the bits of their places."""

    cases: int


class _SpentError(Exception):
    """The steps were used up."""


def meet(cases: Sequence[Case | None], steps: int, prefer: Values | None = None) -> Box | Clash | None:
    """A box in which all cases hold, the cases that clash, or nothing where the steps did not suffice.

    There are so many `steps` for each few hundred that a look at all cases takes. Values in `prefer` are tried first.
    """
    bits: dict[Term, int] = {}
    splits: list[tuple[Case, ...]] = []
    relations: list[Relation] = []
    for place, case in enumerate(cases):
        if case is None:
            return Clash(1 << place)
        for variable, wanted in case.limits.items():
            met = bits.get(variable, -1) & wanted
            if not met:
                return Clash(_limiting(variable, cases[: place + 1]))
            bits[variable] = met
        splits += case.splits
        relations += case.relations
    if not splits and not relations:
        return Box(bits)
    if steps:
        found = guessed(bits, splits, relations, prefer or {})
        if found is not None:
            return Box(found)
    size = sum(len(relation.order) for relation in relations) + sum(map(len, splits))
    return _search(cases, steps * (1 + size // _LOOK), prefer or {})


def _search(cases: Sequence[Case | None], steps: int, prefer: Values) -> Box | Clash | None:
    why = 1
    start = Place()
    for case in cases:
        if case is not None:
            start.take(case, why)
        why <<= 1
    try:
        result = _Search(steps, prefer).settle(start, why, 0)
    except _SpentError:
        return None
    return Clash(result) if isinstance(result, int) else Box(result)


def _limiting(variable: Term, cases: Sequence[Case | None]) -> int:
    return sum(1 << place for place, case in enumerate(cases) if case is not None and variable in case.limits)


class _Search:
    def __init__(self, steps: int, prefer: Values) -> None:
        self.steps = steps
        self.prefer = prefer

    def settle(self, place: Place, next_why: int, depth: int) -> Mapping[Term, int] | int:
        """Bits within those of a place with which nothing is open, or why there are none."""
        clash = self._narrow(place)
        if clash is not None:
            return clash
        if depth > _DEEPEST:
            raise _SpentError
        if not place.splits and not place.relations:
            return place.bits
        splits = (split for _, split in place.splits)
        found = guessed(place.bits, splits, (relation for _, relation in place.relations), self.prefer)
        if found is not None:
            return found
        if place.splits:
            index = min(range(len(place.splits)), key=lambda at: len(place.splits[at][1]))
            why, alternatives = place.splits.pop(index)
            return self._try(place, alternatives, why, next_why, depth)
        why, relation = place.relations[0]
        variable = min(
            (one for one in relation.variables if width(one) <= WIDEST and _is_open(place, one)),
            key=lambda one: place.bits.get(one, all_bits(one)).bit_count(),
            default=None,
        )
        if variable is None:
            raise _SpentError
        halves = [Case({variable: half}) for half in _halves(place.bits.get(variable, all_bits(variable)))]
        return self._try(place, halves, why | place.whys.get(variable, 0), next_why, depth)

    def _try(
        self, place: Place, alternatives: Sequence[Case], why: int, next_why: int, depth: int
    ) -> Mapping[Term, int] | int:
        for case in alternatives:
            below = Place(place)
            clash = below.take(case, next_why)
            result = clash if clash is not None else self.settle(below, next_why << 1, depth + 1)
            if not isinstance(result, int):
                return result
            if not result & next_why:  # the choice had no part in it: another one would not help
                return result
            why |= result & ~next_why
        return why

    def _narrow(self, place: Place) -> int | None:
        """Narrows as far as it goes; why there is nothing left, or None."""
        while place.moved or place.fresh:
            splits, place.splits = place.splits, []
            for why, split in splits:
                clash = self._narrow_split(place, why, split)
                if clash is not None:
                    return clash
            moved, place.moved = place.moved, set()
            fresh, place.fresh = place.fresh, []
            relations, place.relations = place.relations, []
            for why, relation in relations:
                if moved.isdisjoint(relation.variables):
                    place.relations.append((why, relation))
                    continue
                clash = self._narrow_relation(place, why, relation)
                if clash is not None:
                    return clash
            for why, relation in fresh:
                clash = self._narrow_relation(place, why, relation)
                if clash is not None:
                    return clash
        return None

    def _narrow_split(self, place: Place, why: int, split: tuple[Case, ...]) -> int | None:
        self._spend(len(split))
        left: list[Case] = []
        for case in split:
            excluded = place.excluded(case)
            if excluded is not None:
                why |= excluded
            elif place.satisfied(case):
                return None
            else:
                left.append(case)
        if not left:
            return why
        if len(left) == 1:
            return place.take(left[0], why)
        place.splits.append((why, tuple(left)))
        return None

    def _narrow_relation(self, place: Place, why: int, relation: Relation) -> int | None:
        self._spend(len(relation.order))
        if relation.linear:
            return narrow_linear(place, why, relation)
        known = {one: place.range_of(one) for one in relation.variables if one in place.bits}
        low, high = ranges(relation.order, known)[relation.term]
        if low == high:
            return None if bool(low) is relation.wanted else why | whys_of(place, relation.variables)
        place.relations.append((why, relation))
        return None

    def _spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _SpentError


def _is_open(place: Place, variable: Term) -> bool:
    bits = place.bits.get(variable)
    return bits is None or bits & (bits - 1) != 0


def _halves(bits: int) -> tuple[int, int]:
    """Few values: the least and the others. Many: the lower and the upper half of the range."""
    least = bits & -bits
    if bits.bit_count() <= 4:
        return least, bits & ~least
    middle = (least.bit_length() + bits.bit_length()) // 2
    lower = bits & ((1 << middle) - 1)
    return lower, bits & ~lower
