"""Counterexamples, brought near to what is usual and cut down to what matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from solver.cases import Case, Cases, holds
from solver.narrow import Clash, meet
from solver.reach import in_order, ranges
from solver.terms import Flag, Term, equal, every, no

Values = Mapping[Term, bool | int]
Seek = Callable[[Sequence[Flag]], Values | None]

_LOOKS = 400_000  # so many node values at most to find what matters


def has_value(variable: Term, value: bool | int) -> Flag:
    """That a variable has this value."""
    if variable.is_flag:
        return variable if value else no(variable)
    return equal(variable, value)


def nearer(values: Values, cases: Sequence[Case], prefer: Values, asks: int, seek: Seek) -> dict[Term, bool | int]:
    """Values of the same variables that agree with `prefer` wherever, in its order, it can be had.

    `seek` gives values with which some more conditions hold too, or None; it is asked at most so many times.
    """
    found = dict(values)
    agreed: list[Flag] = []
    for variable, wanted in prefer.items():
        if variable not in found:
            continue
        if found[variable] != wanted:
            moved = {**found, variable: wanted}
            if has_value(variable, wanted) is False:
                continue
            if all(holds(case, moved) for case in cases):
                found = moved
            else:
                asks -= 1
                other = seek([*agreed, has_value(variable, wanted)]) if asks >= 0 else None
                if other is None:
                    continue
                found.update(other)
        agreed.append(has_value(variable, wanted))
    return found


def reduced(values: Values, terms: Sequence[Term], cases: Sequence[Case], made: Cases, steps: int) -> Values:
    """The values that matter: with them, whatever the other variables are, all terms hold."""
    needed: dict[Term, None] = {}
    for case in cases:
        _justify(case, values, needed)
    kept = {variable: value for variable, value in values.items() if variable in needed}
    if all(case.is_plain for case in cases):
        return kept
    order = in_order(*terms)
    looks = _LOOKS // (len(order) + 1)
    denied = made.of(every(terms), False)
    for variable in sorted(kept, key=lambda one: one.serial, reverse=True):
        looks -= 1
        if looks < 0:
            break
        fewer = {other: value for other, value in kept.items() if other is not variable}
        if _suffice(fewer, terms, order) or _asked(fewer, denied, made, steps):
            kept = fewer
    return kept


def _suffice(values: Values, terms: Iterable[Term], order: Sequence[Term]) -> bool:
    found = ranges(order, {variable: (int(value), int(value)) for variable, value in values.items()})
    return all(found[term] == (1, 1) for term in terms)


def _asked(values: Values, denied: Case | None, made: Cases, steps: int) -> bool:
    fixed = [made.of(has_value(variable, value)) for variable, value in values.items()]
    return isinstance(meet([denied, *fixed], steps), Clash)


def _justify(case: Case, values: Values, needed: dict[Term, None]) -> None:
    """Adds the variables by which a case holds: of alternatives, the one that needs the fewest more."""
    needed.update(dict.fromkeys(case.limits))
    for relation in case.relations:
        needed.update(dict.fromkeys(relation.variables))
    for split in case.splits:
        best: dict[Term, None] | None = None
        for inner in split:
            if holds(inner, values):
                more = dict(needed)
                _justify(inner, values, more)
                if best is None or len(more) < len(best):
                    best = more
        needed.update(best or {})
