"""Counterexamples, brought near to what is usual and cut down to what matters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from solver.cases import Case, Cases, bit_of, holds
from solver.narrow import Clash, meet
from solver.place import Values
from solver.reach import ranges
from solver.terms import Flag, Term, equal, every, no

Seek = Callable[[Sequence[Flag]], Values | None]

_DOUBTS = 500  # so many variables at most are looked at twice
_STEPS = 6_000  # of narrowing, for each of them


def has_value(variable: Term, value: bool | int) -> Flag:
    """That a variable has this value."""
    if variable.is_flag:
        return variable if value else no(variable)
    return equal(variable, value)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A condition, the case that it is, and the variables that it reads."""

    term: Term
    case: Case
    reads: Mapping[Term, None]


def nearer(values: Values, parts: Sequence[Part], prefer: Values, asks: int, seek: Seek) -> dict[Term, bool | int]:
    """Values of the same variables that agree with `prefer` wherever, in its order, it can be had.

    `seek` gives values with which some more conditions hold too, or None; it is asked at most so many times.
    """
    found = dict(values)
    agreed: list[Flag] = []
    for variable, wanted in prefer.items():
        if variable not in found:
            continue
        is_wanted = has_value(variable, wanted)
        if found[variable] != wanted:
            if is_wanted is False:
                continue
            old, found[variable] = found[variable], wanted
            if not all(holds(part.case, found) for part in parts if variable in part.reads):
                found[variable] = old
                asks -= 1
                other = seek([*agreed, is_wanted]) if asks >= 0 else None
                if other is None:
                    continue
                found.update(other)
        agreed.append(is_wanted)
    return found


def reduced(values: Values, parts: Sequence[Part], made: Cases) -> Values:
    """The values that matter: with them, whatever the other variables are, all parts hold."""
    needed: dict[Term, None] = {}
    for part in parts:
        _justify(part.case, values, needed)
    kept = {variable: value for variable, value in values.items() if variable in needed}
    if all(part.case.is_plain for part in parts):
        return kept
    # What a case limits, whatever its alternatives say, must stay.
    doubtful = [one for one in kept if not any(one in part.case.limits for part in parts)]
    tried = dict(values)
    for variable in sorted(doubtful, key=lambda one: one.serial, reverse=True)[:_DOUBTS]:
        touched = [part for part in parts if variable in part.reads]
        if _is_free(variable, tried, touched):
            value = kept.pop(variable)
            if not all(_sure(part.case, kept) for part in touched) and not _asked(kept, touched, made):
                kept[variable] = value
    return {variable: value for variable, value in values.items() if variable in kept}


def _is_free(variable: Term, values: dict[Term, bool | int], parts: Sequence[Part]) -> bool:
    """Whether the parts hold with some other values of a variable too: a quick look that spares most proofs."""
    value = values[variable]
    free = True
    for other in _others(variable, values):
        values[variable] = other
        free = free and all(holds(part.case, values) for part in parts)
    values[variable] = value
    return free


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


def _asked(values: Values, parts: Sequence[Part], made: Cases) -> bool:
    """Whether parts cannot fail where some variables have these values."""
    read = {variable: None for part in parts for variable in part.reads if variable in values}
    fixed = [made.of(has_value(variable, values[variable])) for variable in read]
    return isinstance(meet([made.of(every(part.term for part in parts), False), *fixed], _STEPS), Clash)


def _justify(case: Case, values: Values, needed: dict[Term, None]) -> None:
    """Adds the variables by which a case holds: of alternatives, the one that needs the fewest more."""
    needed.update(dict.fromkeys(case.limits))
    for relation in case.relations:
        needed.update(dict.fromkeys(relation.variables))
    for split in case.splits:
        best: list[Term] | None = None
        for inner in split:
            if holds(inner, values):
                found: dict[Term, None] = {}
                _justify(inner, values, found)
                more = [variable for variable in found if variable not in needed]
                if best is None or len(more) < len(best):
                    best = more
        needed.update(dict.fromkeys(best or ()))
