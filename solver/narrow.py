"""Whether cases can hold together, by narrowing what each variable may be and by trying alternatives.

Exact where it ends within its steps: it gives a box all of whose states satisfy the cases, or the cases that exclude
each other. The box need not be the only one, and the cases need not be the fewest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from solver.cases import WIDEST, Case, Relation, all_bits, bit_of, chosen, holds, width
from solver.reach import Range, ranges
from solver.terms import Term, evaluate

_DEEPEST = 150
_LOOK = 300

Values = Mapping[Term, bool | int]


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
    found = _meet_plain(cases)
    if found is not None:
        return found
    why = 1
    start = _Place()
    for case in cases:
        if case is not None:
            start.take(case, why)
        why <<= 1
    size = sum(len(relation.order) for _, relation in start.fresh) + sum(len(split) for _, split in start.splits)
    search = _Search(steps * (1 + size // _LOOK), prefer or {})
    try:
        result = search.settle(start, why, 0)
    except _SpentError:
        return None
    return Box(result.bits) if isinstance(result, _Place) else Clash(result)


def _meet_plain(cases: Sequence[Case | None]) -> Box | Clash | None:
    """The common case at its least cost: the limits clash, or there is nothing else."""
    bits: dict[Term, int] = {}
    plain = True
    for place, case in enumerate(cases):
        if case is None:
            return Clash(1 << place)
        for variable, wanted in case.limits.items():
            met = bits.get(variable, -1) & wanted
            if not met:
                return Clash(_limiting(variable, cases[: place + 1]))
            bits[variable] = met
        plain = plain and not case.splits and not case.relations
    return Box(bits) if plain else None


def _limiting(variable: Term, cases: Sequence[Case | None]) -> int:
    return sum(1 << place for place, case in enumerate(cases) if case is not None and variable in case.limits)


class _Place:
    """A point of the search: what variables may still be, by the cases of which bits, and what is open."""

    __slots__ = ("bits", "fresh", "moved", "relations", "splits", "whys")

    def __init__(self, above: _Place | None = None) -> None:
        self.bits: dict[Term, int] = {} if above is None else dict(above.bits)
        self.whys: dict[Term, int] = {} if above is None else dict(above.whys)
        self.splits: list[tuple[int, tuple[Case, ...]]] = [] if above is None else list(above.splits)
        self.relations: list[tuple[int, Relation]] = [] if above is None else list(above.relations)
        self.fresh: list[tuple[int, Relation]] = []  # relations that were not looked at yet
        self.moved: set[Term] = set()  # variables that were limited since relations were looked at

    def limit(self, variable: Term, wanted: int, why: int) -> int | None:
        """Why this is impossible, or None."""
        old = self.bits.get(variable)
        if old is None:
            self.moved.add(variable)
            self.bits[variable] = wanted
            self.whys[variable] = why
            return None if wanted else why
        met = old & wanted
        if met != old:
            self.moved.add(variable)
            self.bits[variable] = met
            self.whys[variable] |= why
            if not met:
                return self.whys[variable]
        return None

    def take(self, case: Case, why: int) -> int | None:
        for variable, wanted in case.limits.items():
            clash = self.limit(variable, wanted, why)
            if clash is not None:
                return clash
        if case.splits:
            self.splits += [(why, split) for split in case.splits]
        if case.relations:
            self.fresh += [(why, relation) for relation in case.relations]
        return None

    def guessed(self, prefer: Values) -> _Place | None:
        """A place below this one where each open variable has its preferred or its least value, if all holds there."""
        values = _Guess(self.bits, prefer)
        for _, relation in self.relations:
            if evaluate(relation.term, values) is not relation.wanted:
                return None
        for _, split in self.splits:
            if not any(holds(case, values) for case in split):
                return None
        below = _Place(self)
        below.splits, below.relations = [], []
        for variable, value in values.items():
            if width(variable) > WIDEST:
                return None
            below.bits[variable] = bit_of(variable, value)
        return below

    def excluded(self, case: Case) -> int | None:
        """Why an alternative is no longer open, or None."""
        bits = self.bits
        for variable, wanted in case.limits.items():
            if variable in bits and not bits[variable] & wanted:
                return self.whys[variable]
        return None

    def satisfied(self, case: Case) -> bool:
        bits = self.bits
        return case.is_plain and all(
            variable in bits and not bits[variable] & ~wanted for variable, wanted in case.limits.items()
        )

    def range_of(self, variable: Term) -> Range:
        bits = self.bits[variable]
        low, high = (bits & -bits).bit_length() - 1, bits.bit_length() - 1
        return (low, high) if variable.op == "flag" else (low + variable.low, high + variable.low)


class _Guess(dict[Term, bool | int]):
    """Values, guessed when they are first asked for."""

    def __init__(self, bits: Mapping[Term, int], prefer: Values) -> None:
        super().__init__()
        self._bits, self._prefer = bits, prefer

    def __missing__(self, variable: Term) -> bool | int:
        self[variable] = value = chosen(variable, self._bits.get(variable), self._prefer)
        return value


class _Search:
    def __init__(self, steps: int, prefer: Values) -> None:
        self.steps = steps
        self.prefer = prefer

    def settle(self, place: _Place, next_why: int, depth: int) -> _Place | int:
        """A place below this one at which nothing is open, or why there is none."""
        clash = self._narrow(place)
        if clash is not None:
            return clash
        if depth > _DEEPEST:
            raise _SpentError
        if not place.splits and not place.relations:
            return place
        guessed = place.guessed(self.prefer)
        if guessed is not None:
            return guessed
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

    def _try(self, place: _Place, alternatives: Sequence[Case], why: int, next_why: int, depth: int) -> _Place | int:
        for case in alternatives:
            below = _Place(place)
            clash = below.take(case, next_why)
            result = clash if clash is not None else self.settle(below, next_why << 1, depth + 1)
            if isinstance(result, _Place):
                return result
            if not result & next_why:  # the choice had no part in it: another one would not help
                return result
            why |= result & ~next_why
        return why

    def _narrow(self, place: _Place) -> int | None:
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

    def _narrow_split(self, place: _Place, why: int, split: tuple[Case, ...]) -> int | None:
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

    def _narrow_relation(self, place: _Place, why: int, relation: Relation) -> int | None:
        self._spend(len(relation.order))
        if relation.linear:
            return _narrow_linear(place, why, relation)
        known = {one: place.range_of(one) for one in relation.variables if one in place.bits}
        low, high = ranges(relation.order, known)[relation.term]
        if low == high:
            return None if bool(low) is relation.wanted else why | _whys(place, relation.variables)
        place.relations.append((why, relation))
        return None

    def _spend(self, steps: int) -> None:
        self.steps -= steps
        if self.steps < 0:
            raise _SpentError


def _narrow_linear(place: _Place, why: int, relation: Relation) -> int | None:
    """Between the least and the most that a sum can be, it is at most `right` or more, equal to it or not."""
    parts, right = relation.linear, relation.right
    spans = [place.range_of(one) if one in place.bits else (one.low, one.high) for _, one in parts]
    least = most = 0
    for (factor, _), (low, high) in zip(parts, spans, strict=True):
        least += factor * (low if factor > 0 else high)
        most += factor * (high if factor > 0 else low)
    if relation.term.op == "le":
        sure, never = most <= right, least > right
    else:
        sure, never = least == most == right, not least <= right <= most
    if sure or never:
        return None if sure is relation.wanted else why | _whys(place, relation.variables)
    place.relations.append((why, relation))
    if relation.term.op == "eq" and not relation.wanted:
        return None
    reasons = why | _whys(place, relation.variables)
    clash = None
    if relation.wanted:
        clash = _narrow_parts(place, reasons, parts, spans, right - least, 1)
    if clash is None and (relation.term.op == "eq" or not relation.wanted):
        room = most - right if relation.wanted else most - right - 1
        clash = _narrow_parts(place, reasons, parts, spans, room, -1)
    return clash


def _narrow_parts(
    place: _Place,
    reasons: int,
    parts: Sequence[tuple[int, Term]],
    spans: Sequence[Range],
    room: int,
    sign: int,
) -> int | None:
    """No part of a sum may be farther than `room` from its own least, or with sign -1 from its own most."""
    for (factor, variable), (low, high) in zip(parts, spans, strict=True):
        size = abs(factor)
        if size * (high - low) <= room:
            continue
        if factor * sign > 0:
            wanted = (1 << (low + room // size - variable.low + 1)) - 1
        else:
            least = high - room // size - variable.low
            wanted = all_bits(variable) >> least << least
        clash = place.limit(variable, wanted, reasons)
        if clash is not None:
            return clash
    return None


def _whys(place: _Place, variables: Iterable[Term]) -> int:
    why = 0
    for one in variables:
        why |= place.whys.get(one, 0)
    return why


def _is_open(place: _Place, variable: Term) -> bool:
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
