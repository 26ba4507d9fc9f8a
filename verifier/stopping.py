"""Where play stops because the book is silent or says two things: what checks of gaps and overlaps have in common.

The text tells where that could be (`Court.flow`), play shows where it is: an open point with its span.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules import model as m
from rules.span import Span
from solver.encode.statements import Stop
from solver.play import Evidence, Fact
from solver.terms import Flag
from solver.verdict import Unknown
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place, Witness
from verifier.suspicion import Suspicion
from verifier.telling import member_words, steps_of


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
    """The first stop that some state leads to; else the first of which that is not known."""
    unknown: tuple[Stop, Unknown] | None = None
    for stop in stops:
        found = court.possible(("reached", stop.when), *more)
        if isinstance(found, Case):
            return stop, found
        if isinstance(found, Unknown) and unknown is None:
            unknown = (stop, found)
    return unknown


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
