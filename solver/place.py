"""A point of the search for a state: what each variable may still be, and why; what is open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from solver.cases import WIDEST, Case, Relation, all_bits, bit_of, chosen, holds, width
from solver.reach import Range
from solver.terms import Term, evaluate

Values = Mapping[Term, bool | int]


class Place:
    """A point of the search: what variables may still be, by the cases of which bits, and what is open."""

    __slots__ = ("bits", "fresh", "moved", "relations", "splits", "whys")

    def __init__(self, above: Place | None = None) -> None:
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


def guessed(
    bits: Mapping[Term, int],
    splits: Iterable[Sequence[Case]],
    relations: Iterable[Relation],
    prefer: Values,
) -> dict[Term, int] | None:
    """The bits where each variable that is read has its preferred or its least value, if all holds there."""
    values = _Guess(bits, prefer)
    for relation in relations:
        if evaluate(relation.term, values) is not relation.wanted:
            return None
    for split in splits:
        if not any(holds(case, values) for case in split):
            return None
    if any(width(variable) > WIDEST for variable in values):
        return None
    return {**bits, **{variable: bit_of(variable, value) for variable, value in values.items()}}


def narrow_linear(place: Place, why: int, relation: Relation) -> int | None:
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
        return None if sure is relation.wanted else why | whys_of(place, relation.variables)
    place.relations.append((why, relation))
    if relation.term.op == "eq" and not relation.wanted:
        return None
    reasons = why | whys_of(place, relation.variables)
    clash = None
    if relation.wanted:
        clash = _narrow_parts(place, reasons, parts, spans, right - least, 1)
    if clash is None and (relation.term.op == "eq" or not relation.wanted):
        room = most - right if relation.wanted else most - right - 1
        clash = _narrow_parts(place, reasons, parts, spans, room, -1)
    return clash


def _narrow_parts(
    place: Place,
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


def whys_of(place: Place, variables: Iterable[Term]) -> int:
    why = 0
    for one in variables:
        why |= place.whys.get(one, 0)
    return why
