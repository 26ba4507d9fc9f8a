"""Where play stops because the book is silent or says two things: what checks of gaps and overlaps have in common.

The text tells where that could be (`Court.flow`), play shows where it is: an open point with its span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules import model as m
from rules.span import Span
from solver.encode.statements import Stop
from solver.play import Evidence, Fact
from solver.terms import Flag, evaluate, some, variables_of
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place, Witness
from verifier.suspicion import Suspicion
from verifier.telling import member_words, steps_of

_MOST_ASKED = 24  # questions about the stops of one subject


def by_subject(court: Court, kinds: tuple[str, ...], sorts: tuple[str, ...]) -> dict[Span, list[Stop]]:
    """The stops of these kinds, by the declaration that they are about, in the order of the book."""
    found: dict[Span, list[Stop]] = {}
    for stop in court.flow.stops:
        if stop.kind in kinds and stop.about[0] in sorts:
            subject = stop.about[1]
            assert isinstance(subject, Span)
            found.setdefault(subject, []).append(stop)
    return {span: found[span] for span in sorted(found, key=lambda span: (span.source.path, span.start))}


def first_possible(court: Court, stops: list[Stop], *more: tuple[str, Flag]) -> tuple[Stop, Case | Unknown] | None:
    """The first stop that some state leads to; else the first of which that is not known.

    They are asked all at once: mostly none can be, and a value that is asked of every card has a stop for each.
    """
    return _first(court, stops, more, [_MOST_ASKED])


def _first(
    court: Court, stops: list[Stop], more: tuple[tuple[str, Flag], ...], left: list[int]
) -> tuple[Stop, Case | Unknown] | None:
    """`left` is how many questions may still be asked."""
    if not stops:
        return None
    left[0] -= 1
    found = court.possible(("reached", some(stop.when for stop in stops)), *more)
    if isinstance(found, Proved):
        return None
    if len(stops) == 1:
        return stops[0], found
    if isinstance(found, Case):
        met = next((stop for stop in stops if _met(stop, found)), None)
        chosen = None if met is None else court.possible(("reached", met.when), *more)
        if met is not None and isinstance(chosen, Case):
            return met, chosen
    if left[0] <= 0:
        return stops[0], Unknown(f"{len(stops):,} places are too many to look at one by one")
    half = len(stops) // 2
    halves = (stops[:half], stops[half:])
    unknown: tuple[Stop, Case | Unknown] | None = None
    for some_of_them in halves:
        one = _first(court, some_of_them, more, left)
        if one is not None and isinstance(one[1], Case):
            return one
        unknown = unknown or one
    return unknown


def _met(stop: Stop, case: Case) -> bool:
    """Whether it is this stop that a case leads to; what the case leaves open is as little as it can be."""
    if isinstance(stop.when, bool):
        return stop.when
    values = {v: case.values.get(v, False if v.is_flag else v.low) for v in variables_of(stop.when)}
    return bool(evaluate(stop.when, values))


def asking(stop: Stop, part: str = "asks for it") -> Place:
    """The part of the book that brings play to a stop."""
    return Place(stop.spot.part, stop.spot.span, cited(stop.spot.clauses), part)


def suspicion(
    court: Court,
    code: str,
    message: str,
    places: tuple[Place, ...],
    hint: str,
    found: Case | Unknown,
    shown: Callable[[Fact], bool],
) -> Suspicion:
    if isinstance(found, Unknown):
        return Suspicion(Finding(code, message, places, "unknown", found.reason, None, (), hint), shown_by_fact=shown)
    witness = Witness(found.situation.facts, None, court.seats)
    finding = Finding(code, message, places, "possible", "the solver", witness, (), hint)
    return Suspicion(finding, found, shown_by_fact=shown)


def silent_at(span: Span) -> Callable[[Fact], bool]:
    """Play has come to where the book is silent on this."""
    return lambda fact: fact.kind == "open" and fact.what[0] == "gap" and fact.what[3] == span


def open_points(court: Court, kind: str) -> Iterator[tuple[Fact, Evidence]]:
    for fact, evidence in court.exploration.facts.items():
        if fact.kind == "open" and fact.what[0] == kind:
            yield fact, evidence


def witnessed(
    court: Court, code: str, message: str, places: tuple[Place, ...], hint: str, fact: Fact, evidence: Evidence
) -> Finding:
    """What play has shown and nobody suspected."""
    witness = Witness((fact.what[1],), steps_of(court.machine, evidence.play), court.seats)
    return Finding(code, message, places, "witnessed", member_words(evidence.by), witness, (), hint)


def declared(name: m.Name, clauses: m.Clauses, part: str) -> Place:
    return Place(name.text, name.span, cited(clauses), part)
