"""Conditions as cases: which values each variable may have, which disjunctions are open, what relates variables.

The values that a variable may have are the bits of a plain integer, counted from its lower bound: two conditions on one
variable meet where the bits do. Only what relates several variables stays a term.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.reach import in_order, ranges
from solver.terms import Flag, Term, evaluate

WIDEST = 1 << 12  # a variable with more values has no bits: only its bounds are looked at
_DEEPEST = 100  # deeper conditions stay whole terms, so that this may recurse without fear
_TABLE = 4_000  # so many node values at most to find which values of its one variable satisfy a term


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    """A term that must be `wanted`: its nodes in order and the variables that it reads.

    `linear` are the factors where it is a comparison of a weighted sum of variables with `right`.
    """

    term: Term
    wanted: bool
    order: tuple[Term, ...]
    variables: tuple[Term, ...]
    linear: tuple[tuple[int, Term], ...] = ()
    right: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """All of: each variable within its bits, one alternative of each split, each relation."""

    limits: Mapping[Term, int]
    splits: tuple[tuple[Case, ...], ...] = ()
    relations: tuple[Relation, ...] = ()

    @property
    def is_plain(self) -> bool:
        return not self.splits and not self.relations


ALWAYS = Case({})


def width(variable: Term) -> int:
    return 2 if variable.op == "flag" else variable.high - variable.low + 1


def all_bits(variable: Term) -> int:
    return (1 << width(variable)) - 1


def bit_of(variable: Term, value: bool | int) -> int:
    """The bit of one value; none where the variable cannot have it."""
    place = int(value) if variable.op == "flag" else value - variable.low
    return 1 << place if 0 <= place < width(variable) else 0


def value_of(variable: Term, bits: int) -> bool | int:
    """The least value among these."""
    place = (bits & -bits).bit_length() - 1
    return bool(place) if variable.op == "flag" else place + variable.low


def chosen(variable: Term, bits: int | None, prefer: Mapping[Term, bool | int]) -> bool | int:
    """The preferred value of a variable where the bits allow it, else the least; no bits allow all."""
    wanted = prefer.get(variable)
    if bits is not None:
        return wanted if wanted is not None and bit_of(variable, wanted) & bits else value_of(variable, bits)
    if variable.op == "flag":
        return bool(wanted)
    return variable.low if wanted is None or not variable.low <= wanted <= variable.high else wanted


class Cases:
    """Conditions to cases, each made once. None stands for a condition that cannot hold."""

    def __init__(self) -> None:
        self._made: dict[tuple[Term, bool], Case | None] = {}

    def of(self, term: Flag, wanted: bool = True) -> Case | None:
        if isinstance(term, bool):
            return ALWAYS if term is wanted else None
        return self._of(term, wanted, 0)

    def _of(self, term: Flag, wanted: bool, depth: int) -> Case | None:
        if isinstance(term, bool):
            return ALWAYS if term is wanted else None
        if term.op == "not":
            return self._of(term.args[0], not wanted, depth)
        key = (term, wanted)
        if key not in self._made:
            self._made[key] = self._case(term, wanted, depth)
        return self._made[key]

    def _all(self, terms: Iterable[Term], wanted: bool, depth: int) -> Case | None:
        """All of these, `wanted` or not. Limits are merged as they come: most conditions have nothing else."""
        limits: dict[Term, int] = {}
        others: list[Case | None] = []
        for term in terms:
            limit = limit_of(term, wanted)
            if limit is None:
                others.append(self._of(term, wanted, depth))
            else:
                variable, bits = limit
                limits[variable] = met = limits[variable] & bits if variable in limits else bits
                if not met:
                    return None
        case = Case(limits)
        return all_of((case, *others)) if others else case

    def _case(self, term: Term, wanted: bool, depth: int) -> Case | None:
        op = term.op
        if op in ("flag", "le", "eq"):
            limit = limit_of(term, wanted)
            return _related(term, wanted) if limit is None else _limited(*limit)
        if depth >= _DEEPEST:
            return _related(term, wanted)
        deeper = depth + 1
        if op in ("and", "or"):
            if (op == "and") is wanted:
                return self._all(term.args, wanted, deeper)
            return one_of([self._of(part, wanted, deeper) for part in term.args])
        if op == "if":
            condition, then, otherwise = term.args
            chosen = all_of((self._of(condition, True, deeper), self._of(then, wanted, deeper)))
            spared = all_of((self._of(condition, False, deeper), self._of(otherwise, wanted, deeper)))
            return one_of((chosen, spared))
        one, other = term.args
        agree = all_of((self._of(one, True, deeper), self._of(other, wanted, deeper)))
        differ = all_of((self._of(one, False, deeper), self._of(other, not wanted, deeper)))
        return one_of((agree, differ))


def limit_of(term: Term, wanted: bool) -> tuple[Term, int] | None:
    """The bits to which a condition limits its one variable, where that can be read off."""
    op = term.op
    if op == "flag":
        return term, 2 if wanted else 1
    if op == "not":
        return limit_of(term.args[0], not wanted)
    if op in ("le", "eq"):
        one, other = term.args
        if one.op == "number" and isinstance(other, int):
            low, size = one.low, one.high - one.low + 1
            if size <= WIDEST:
                bits = (2 << (other - low)) - 1 if op == "le" else 1 << (other - low)
                return one, bits if wanted else ((1 << size) - 1) & ~bits
    return None


def _limited(variable: Term, bits: int) -> Case | None:
    if bits == 0:
        return None
    return ALWAYS if bits == all_bits(variable) else Case({variable: bits})


def _related(term: Term, wanted: bool) -> Case | None:
    order = in_order(term)
    variables = tuple(node for node in order if node.op in ("flag", "number"))
    if len(variables) == 1 and width(variables[0]) * len(order) <= _TABLE:
        return _tabled(term, wanted, order, variables[0])
    if term.op in ("le", "eq"):
        one, other = term.args
        linear: tuple[tuple[int, Term], ...]
        if isinstance(other, Term):
            linear, right = ((1, one), (-1, other)), 0
        elif one.op == "sum":
            linear, right = one.args[1:], other - one.args[0]
        else:
            linear, right = (), other
        if linear and all(part.op == "number" and width(part) <= WIDEST for _, part in linear):
            return Case({}, (), (Relation(term, wanted, order, variables, linear, right),))
    return Case({}, (), (Relation(term, wanted, order, variables),))


def _tabled(term: Term, wanted: bool, order: tuple[Term, ...], variable: Term) -> Case | None:
    bits = 0
    for place in range(width(variable)):
        value = place if variable.op == "flag" else place + variable.low
        if ranges(order, {variable: (value, value)})[term] == (wanted, wanted):
            bits |= 1 << place
    return _limited(variable, bits)


def all_of(cases: Iterable[Case | None]) -> Case | None:
    limits: dict[Term, int] = {}
    splits: list[tuple[Case, ...]] = []
    relations: list[Relation] = []
    for case in cases:
        if case is None:
            return None
        for variable, bits in case.limits.items():
            met = limits[variable] & bits if variable in limits else bits
            if not met:
                return None
            limits[variable] = met
        splits += case.splits
        relations += case.relations
    return Case(limits, tuple(splits), tuple(relations))


def holds(case: Case, values: Mapping[Term, bool | int]) -> bool:
    """Whether a case holds where its variables have these values."""
    return (
        all(bit_of(variable, values[variable]) & bits for variable, bits in case.limits.items())
        and all(any(holds(inner, values) for inner in split) for split in case.splits)
        and all(evaluate(relation.term, values) is relation.wanted for relation in case.relations)
    )


def one_of(cases: Iterable[Case | None]) -> Case | None:
    """Alternatives that limit one variable alone are one alternative; what all of them limit is limited outside too."""
    alone: dict[Term, int] = {}
    others: list[Case] = []
    waiting = [case for case in cases if case is not None]
    for case in waiting:
        if case.is_plain and len(case.limits) <= 1:
            if not case.limits:
                return ALWAYS
            ((variable, bits),) = case.limits.items()
            alone[variable] = alone.get(variable, 0) | bits
            if alone[variable] == all_bits(variable):
                return ALWAYS
        elif len(case.splits) == 1 and not case.limits and not case.relations:
            waiting += case.splits[0]
        else:
            others.append(case)
    alternatives = [*(Case({variable: bits}) for variable, bits in alone.items()), *others]
    if len(alternatives) <= 1:
        return alternatives[0] if alternatives else None
    hull = dict(alternatives[0].limits)
    for case in alternatives[1:]:
        hull = {variable: bits | case.limits[variable] for variable, bits in hull.items() if variable in case.limits}
    return Case(
        {variable: bits for variable, bits in hull.items() if bits != all_bits(variable)}, (tuple(alternatives),)
    )
