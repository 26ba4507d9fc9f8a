"""What each variable can be at each location: bounds that hold at the start and that no edge leads out of.

A bound that moves again and again is moved at once to where some guard would stop it, at last as far as the type
allows. The sums that watched conditions compare with a number have bounds too, by what each edge adds to them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from solver.flow.flow import ANYTHING, Edge, Flow
from solver.terms import (
    Either,
    Flag,
    Term,
    at_most,
    bounds,
    evaluate,
    minus,
    no,
    number,
    parts_of,
    substitute,
    variables_of,
)

Range = tuple[int, int]  # of a yes/no variable 0 is no, 1 is yes
Box = dict[Term, Range]
_MOST_SUMS = 40
_MOVES = 4  # before a bound is moved as far as it goes


@dataclass(frozen=True, slots=True)
class Bounds:
    """For each location that can be reached so, the ranges of variables and sums; what is not there is not reached.

    `edges` are those that can be taken within these ranges, `sums` the sums with the variables that they read.
    """

    boxes: Mapping[int, Mapping[Term, Range]]
    edges: tuple[Edge, ...]
    sums: Mapping[Term, tuple[Term, ...]]

    def at(self, location: int, variables: Iterable[Term]) -> list[Flag]:
        """The ranges of these variables at a location, and of sums of them, as conditions."""
        box = self.boxes[location]
        known = dict.fromkeys(variables)
        asked = [one for one in known if one in box]
        asked += [one for one, read in self.sums.items() if known.keys() >= set(read)]
        return [condition for one in asked for condition in _conditions(one, box[one])]


def _whole(variable: Term) -> Range:
    return (0, 1) if variable.is_flag else (variable.low, variable.high)


def _conditions(variable: Term, range_: Range) -> list[Flag]:
    """That a variable is within a range; nothing where that is all that it can be."""
    low, high = range_
    if range_ == _whole(variable):
        return []
    if variable.is_flag:
        return [variable if low else no(variable)]
    return [at_most(low, variable), at_most(variable, high)]


@dataclass(slots=True)
class _Plan:
    """An edge as it is used: what its guard says of single variables, the rest of it, and its updates."""

    edge: Edge
    limits: tuple[tuple[Term, Flag], ...]
    rest: tuple[Term, ...]
    changes: tuple[tuple[Term, Either], ...] = ()  # what it adds to each sum


Changes = Mapping[tuple[Edge, Term], Range]  # what an edge can add to a sum


def bounds_of(flow: Flow, changes: Changes | None = None) -> Bounds:
    """`changes` are known from elsewhere, and narrower than what an edge alone tells."""
    return _Seeker(flow, changes or {}).found()


class _Seeker:
    def __init__(self, flow: Flow, changes: Changes) -> None:
        self.flow = flow
        self.changes = changes
        self.plans: dict[int, list[_Plan]] = {}
        self.sums = {term: variables_of(term) for term in _sums(flow)}
        for edge in flow.edges:
            self.plans.setdefault(edge.source, []).append(_plan(edge, self.sums))
        self.stops = _stops([plan for plans in self.plans.values() for plan in plans])
        self.boxes: dict[int, Box] = {}
        self.moves: dict[tuple[int, Term], int] = {}
        self._terms: dict[tuple[Term, tuple[Range, ...]], Range | Flag] = {}
        self._variables: dict[Term, tuple[Term, ...]] = {}

    def found(self) -> Bounds:
        start = {variable: (int(value), int(value)) for variable, value in self.flow.start.items()}
        for term in self.sums:
            value = int(evaluate(term, self.flow.start))
            start[term] = (value, value)
        self.boxes[self.flow.first] = start
        waiting = deque([self.flow.first])
        inside = {self.flow.first}
        while waiting:
            source = waiting.popleft()
            inside.discard(source)
            for plan in self.plans.get(source, ()):
                after = self._after(plan, self.boxes[source])
                if after is None or plan.edge.target == ANYTHING:
                    continue
                if self._join(plan.edge.target, after) and plan.edge.target not in inside:
                    inside.add(plan.edge.target)
                    waiting.append(plan.edge.target)
        taken = [
            plan.edge
            for source, plans in self.plans.items()
            if source in self.boxes
            for plan in plans
            if self._after(plan, self.boxes[source]) is not None
        ]
        return Bounds(self.boxes, tuple(taken), self.sums)

    def _join(self, target: int, box: Box) -> bool:
        known = self.boxes.get(target)
        if known is None:
            self.boxes[target] = dict(box)
            return True
        changed = False
        for variable, range_ in box.items():
            old = known[variable]
            if range_[0] >= old[0] and range_[1] <= old[1]:
                continue
            moves = self.moves[target, variable] = self.moves.get((target, variable), 0) + 1
            low, high = range_ if moves <= _MOVES else self._further(variable, range_)
            known[variable] = (min(low, old[0]), max(high, old[1]))
            changed = True
        return changed

    def _further(self, variable: Term, range_: Range) -> Range:
        """A range as far as the next stops."""
        stops = self.stops.get(variable, ())
        least, most = _whole(variable)
        return (
            max((stop for stop in stops if stop <= range_[0]), default=least),
            min((stop for stop in stops if stop >= range_[1]), default=most),
        )

    def _after(self, plan: _Plan, box: Box) -> Box | None:
        """The ranges after an edge; None where it cannot be taken."""
        inside = self.within(plan, box)
        if inside is None:
            return None
        after = dict(inside)
        for variable, term in plan.edge.updates.items():
            low, high = self.range_of(term, inside)
            least, most = _whole(variable)
            after[variable] = (max(low, least), min(high, most))
        for term, change in plan.changes:
            (low, high), (less, more) = (
                inside[term],
                self.changes.get((plan.edge, term)) or self.range_of(change, inside),
            )
            after[term] = (max(low + less, term.low), min(high + more, term.high))
        return after

    def within(self, plan: _Plan, box: Box) -> Box | None:
        inside = dict(box)
        for variable, condition in plan.limits:
            met = _limited(condition, inside[variable])
            if met is None:
                return None
            inside[variable] = met
        for term in plan.rest:
            if self._folded(term, inside) is False:
                return None
        return inside

    def range_of(self, term: Either, box: Mapping[Term, Range]) -> Range:
        if not isinstance(term, Term):
            return (int(term), int(term))
        if term in box:
            return box[term]
        if term.op == "sum":
            low = high = term.args[0]
            for factor, part in term.args[1:]:
                a, b = self.range_of(part, box)
                low += factor * (a if factor > 0 else b)
                high += factor * (b if factor > 0 else a)
            return low, high
        found = self._folded(term, box)
        if isinstance(found, bool):
            return (int(found), int(found))
        return bounds(found) if isinstance(found, int) or not found.is_flag else (0, 1)

    def _folded(self, term: Term, box: Mapping[Term, Range]) -> Either:
        """A term where its variables are within their ranges, folded as far as that goes."""
        variables = self._variables.get(term)
        if variables is None:
            variables = self._variables[term] = variables_of(term)
        key = (term, tuple(box.get(variable, _whole(variable)) for variable in variables))
        if key not in self._terms:
            new = {variable: _narrowed(variable, range_) for variable, range_ in zip(variables, key[1], strict=True)}
            self._terms[key] = substitute(term, new)
        return self._terms[key]  # type: ignore[return-value]


def _narrowed(variable: Term, range_: Range) -> Either:
    if range_ == _whole(variable):
        return variable
    low, high = range_
    if variable.is_flag:
        return bool(low)
    return number(("within", variable, low, high), low, high)


def _sums(flow: Flow) -> list[Term]:
    """Those that watched conditions compare with a number."""
    found: dict[Term, None] = {}
    waiting = [term for term in flow.watched if isinstance(term, Term)]
    seen: set[Term] = set()
    while waiting:
        term = waiting.pop()
        if term in seen:
            continue
        seen.add(term)
        waiting.extend(parts_of(term))
        if term.op in ("le", "eq") and term.args[0].op == "sum" and set(variables_of(term)) <= flow.start.keys():
            found[term.args[0]] = None
    return list(found)[:_MOST_SUMS]


def _stops(plans: Iterable[_Plan]) -> dict[Term, set[int]]:
    """For each number, where guards stop it, and where edges that they stop can still bring it."""
    found: dict[Term, set[int]] = {}
    for plan in plans:
        for variable, condition in plan.limits:
            assert isinstance(condition, Term)
            if variable.is_flag:
                continue
            inner = condition.args[0] if condition.op == "not" else condition
            stop = inner.args[1] + (condition.op == "not" and inner.op == "le")
            change = minus(plan.edge.updates.get(variable, variable), variable)
            found.setdefault(variable, set()).update({stop, stop + (change if isinstance(change, int) else 0)})
    return found


def _change(term: Term, edge: Edge) -> Either:
    """What an edge adds to a sum, where its guard holds."""
    known: dict[Term, Either] = {}
    for part in parts(edge.guard):
        inner = part.args[0] if part.op == "not" else part
        if inner.op == "flag":
            known[inner] = part.op != "not"
        elif part.op == "eq" and part.args[0].op == "number" and isinstance(part.args[1], int):
            known[part.args[0]] = part.args[1]
    after = substitute(term, dict(edge.updates))
    return substitute(minus(after, term), known)  # type: ignore[no-any-return]


def changes_of(flow: Flow) -> dict[tuple[Edge, Term], Term]:
    """What edges add to the sums that are compared, where that hangs on more than the edge."""
    found: dict[tuple[Edge, Term], Term] = {}
    for term in _sums(flow):
        read = set(variables_of(term))
        for edge in flow.edges:
            if not read.isdisjoint(edge.updates):
                change = _change(term, edge)
                if isinstance(change, Term):
                    found[edge, term] = change
    return found


def _plan(edge: Edge, sums: Mapping[Term, tuple[Term, ...]]) -> _Plan:
    limits: list[tuple[Term, Flag]] = []
    rest: list[Term] = []
    for part in parts(edge.guard):
        inner = part.args[0] if part.op == "not" else part
        if inner.op == "flag":
            limits.append((inner, part))
        elif inner.op in ("le", "eq") and inner.args[0].op == "number" and isinstance(inner.args[1], int):
            limits.append((inner.args[0], part))
        else:
            rest.append(part)
    changed = [term for term, read in sums.items() if not edge.updates.keys().isdisjoint(read)]
    return _Plan(edge, tuple(limits), tuple(rest), tuple((term, _change(term, edge)) for term in changed))


def parts(guard: Flag) -> tuple[Term, ...]:
    """The conditions that a guard asks for together."""
    if not isinstance(guard, Term):
        return ()
    return guard.args if guard.op == "and" else (guard,)


def _limited(condition: Flag, range_: Range) -> Range | None:
    """A range with a condition on the variable alone; None where nothing is left."""
    assert isinstance(condition, Term)
    low, high = range_
    wanted = condition.op != "not"
    inner = condition if wanted else condition.args[0]
    if inner.op == "flag":
        low, high = max(low, int(wanted)), min(high, int(wanted))
    elif inner.op == "le":
        low, high = (low, min(high, inner.args[1])) if wanted else (max(low, inner.args[1] + 1), high)
    elif wanted:
        low, high = max(low, inner.args[1]), min(high, inner.args[1])
    else:
        low, high = low + (low == inner.args[1]), high - (high == inner.args[1])
    return (low, high) if low <= high else None


__all__ = ["Bounds", "Changes", "Range", "bounds_of", "changes_of", "parts"]
