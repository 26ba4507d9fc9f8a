"""A flow as one step relation: the location is a number, and so is the edge that is taken.

`broken` says that a watched condition held on the last edge or where it led. Of the variables only those are there that
the condition hangs on; where guards ask for others, that is left out, which only lets more happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from solver.flow.bounds import Bounds, parts
from solver.flow.flow import ANYTHING, Edge, Flow
from solver.terms import (
    Either,
    Flag,
    Term,
    both,
    equal,
    flag,
    number,
    same,
    some,
    substitute,
    variables_of,
)


@dataclass(frozen=True, slots=True)
class System:
    """`exact` is true where nothing was left out; else more can happen in it than in play.

    `chosen` is the variable that says which of `edges` is taken; None where there is but one.
    """

    step: Flag
    twins: Mapping[Term, Term]
    initial: Flag
    broken: Term
    chosen: Term | None
    edges: tuple[Edge, ...]
    kept: tuple[Term, ...]
    exact: bool


def cone(edges: Iterable[Edge], conditions: Iterable[Flag], guards: bool) -> frozenset[Term]:
    """The variables that conditions hang on: those that they read, that those are made of, and so on.

    With `guards`, all that decides which edges can be taken counts too.
    """
    wanted = set(variables_of(*_terms(conditions)))
    edges = list(edges)
    if guards:
        wanted |= set(variables_of(*_terms(edge.guard for edge in edges)))
    reads: dict[Term, set[Term]] = {}
    for edge in edges:
        for variable, term in edge.updates.items():
            reads.setdefault(variable, set()).update(variables_of(*_terms([term])))
    waiting = list(wanted)
    while waiting:
        for variable in reads.get(waiting.pop(), ()):
            if variable not in wanted:
                wanted.add(variable)
                waiting.append(variable)
    return frozenset(wanted)


def _terms(terms: Iterable[Either]) -> list[Term]:
    return [term for term in terms if isinstance(term, Term)]


def broken_by(flow: Flow, edge: Edge, place: int, passed: bool = True) -> Flag:
    """When a watched condition holds on an edge, or where it leads."""
    if edge.target == ANYTHING:
        return True
    on_the_way = (edge.passed if passed else edge.seen).get(place, False)
    there: Flag = substitute(flow.holding[edge.target][place], dict(edge.updates))
    return some((on_the_way, there))


def system_of(
    flow: Flow,
    found: Bounds,
    place: int,
    facts: Sequence[Flag],
    *,
    guards: bool,
    lemmas: Callable[[int], Iterable[Flag]],
    anything: bool = True,
) -> System:
    """`place` is that of the watched condition; `lemmas` are what is known at a location.

    Without `guards` only conditions over the cone are kept of guards.

    Without `anything`, edges of which nothing is known are not taken, and only what whoever looks on is told counts.
    """
    edges = tuple(edge for edge in found.edges if anything or edge.target != ANYTHING)
    breaks = [broken_by(flow, edge, place, passed=anything) for edge in edges]
    first = flow.holding[flow.first][place]
    kept = cone(edges, [*breaks, first], guards)
    fixed = frozenset(variable for variable in kept if variable not in flow.start)  # parts of a move: any, for good
    last = max((location.number for location in flow.locations), default=0)
    where, where_next = number(("location",), 0, last + 1), number(("location", "next"), 0, last + 1)
    broken, broken_next = flag(("broken",)), flag(("broken", "next"))
    chosen = number(("edge",), 0, max(0, len(edges) - 1))
    twins: dict[Term, Term] = {broken: broken_next}
    if isinstance(where, Term) and isinstance(where_next, Term):
        twins[where] = where_next
    ordered = sorted(kept, key=lambda variable: variable.serial)
    for variable in ordered:
        twins[variable] = _twin(variable)
    exact = True
    steps: list[Flag] = []
    promised = [fact for fact in facts if set(variables_of(*_terms([fact]))) <= kept]
    for count, (edge, breaking) in enumerate(zip(edges, breaks, strict=True)):
        guard = [part for part in parts(edge.guard) if set(variables_of(part)) <= kept]
        exact = exact and len(guard) == len(parts(edge.guard))
        known = [*found.at(edge.source, ordered), *lemmas(edge.source)]
        target = last + 1 if edge.target == ANYTHING else edge.target
        after = [
            _is(twins[variable], variable if variable in fixed else edge.updates.get(variable, variable))
            for variable in ordered
        ]
        steps.append(
            both(
                equal(chosen, count),
                equal(where, edge.source),
                *(one for one in known if set(variables_of(*_terms([one]))) <= kept),
                *guard,
                equal(where_next, target),
                same(broken_next, breaking),
                *after,
            )
        )
    holds_at_first = place in flow.begun
    initial = both(
        equal(where, flow.first),
        *(_is(variable, flow.start[variable]) for variable in ordered if variable not in fixed),
        same(broken, True if holds_at_first else first),
    )
    step = both(*promised, some(steps)) if steps else False
    return System(
        step, twins, initial, broken, chosen if isinstance(chosen, Term) else None, edges, tuple(ordered), exact
    )


def _twin(variable: Term) -> Term:
    name = ("next", variable)
    made = flag(name) if variable.is_flag else number(name, variable.low, variable.high)
    assert isinstance(made, Term)
    return made


def _is(variable: Term, term: Either) -> Flag:
    return same(variable, term) if variable.is_flag else equal(variable, term)  # type: ignore[arg-type]


__all__ = ["System", "broken_by", "cone", "system_of"]
