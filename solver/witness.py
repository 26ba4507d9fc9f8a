"""Counterexamples, brought near to what is usual and cut down to what matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from solver.cases import Case, Cases, bit_of, holds
from solver.narrow import Clash, meet
from solver.reach import ranges
from solver.terms import Flag, Term, equal, every, no

Values = Mapping[Term, bool | int]
Seek = Callable[[Sequence[Flag]], Values | None]

_DOUBTS = 500  # so many variables at most are looked at twice
_STEPS = 6_000  # of narrowing, for each of them


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


def reduced(values: Values, terms: Sequence[Term], cases: Sequence[Case], made: Cases) -> Values:
    """The values that matter: with them, whatever the other variables are, all terms hold."""
    needed: dict[Term, None] = {}
    for case in cases:
        _justify(case, values, needed)
    kept = {variable: value for variable, value in values.items() if variable in needed}
    if all(case.is_plain for case in cases):
        return kept
    # What a case limits, whatever its alternatives say, must stay.
    doubtful = [one for one in kept if not any(one in case.limits for case in cases)]
    for variable in sorted(doubtful, key=lambda one: one.serial, reverse=True)[:_DOUBTS]:
        if _is_free(variable, values, cases):
            fewer = {other: value for other, value in kept.items() if other is not variable}
            if all(_sure(case, fewer) for case in cases) or _asked(fewer, terms, made):
                kept = fewer
    return kept


def _is_free(variable: Term, values: Values, cases: Sequence[Case]) -> bool:
    """Whether the cases hold with some other values of a variable too: a quick look that spares most proofs."""
    moved = dict(values)
    for other in _others(variable, values):
        moved[variable] = other
        if not all(holds(case, moved) for case in cases):
            return False
    return True


def _others(variable: Term, values: Values) -> Iterable[bool | int]:
    """Some values that a variable could have instead: the nearest and the farthest."""
    value = values[variable]
    if variable.is_flag:
        return (not value,)
    others = (value - 1, value + 1, variable.low, variable.high)
    return [other for other in others if variable.low <= other <= variable.high]


def _sure(case: Case, values: Values) -> bool:
    """Whether a case holds by these values alone."""
    for variable, bits in case.limits.items():
        if variable not in values or not bit_of(variable, values[variable]) & bits:
            return False
    for relation in case.relations:
        known = {one: (int(values[one]), int(values[one])) for one in relation.variables if one in values}
        if ranges(relation.order, known)[relation.term] != (relation.wanted, relation.wanted):
            return False
    return all(any(_sure(inner, values) for inner in split) for split in case.splits)


def _asked(values: Values, terms: Sequence[Term], made: Cases) -> bool:
    """Whether terms cannot fail where some variables have these values."""
    fixed = [made.of(has_value(variable, value)) for variable, value in values.items()]
    return isinstance(meet([made.of(every(terms), False), *fixed], _STEPS), Clash)


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
