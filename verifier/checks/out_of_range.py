"""LX937: a number that play carries out of its range, or a value that comes out beyond its own.

A range is a promise of the text. That it can be broken is shown by play: types alone would raise an alarm for every
counter that stops in time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine import Machine, Node, Open, Ruling
from rules.machine.state import State
from rules.machine.world import Cells
from rules.span import Span
from rules.symbols import SlotSymbol
from rules.types import NumberT, Type, without_none
from solver.encode.statements import Stop
from solver.play import Evidence, Fact, Goal
from solver.play.goals import Distance
from solver.verdict import Unknown
from verifier.bookmap import bookmap
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place
from verifier.stopping import asking, by_subject, first_possible, open_points, witnessed
from verifier.suspicion import Check, Looked, Remark, Suspicion

_HINT = "say what happens at the end of the range (`limit`, `if`, `instead of`), or widen it"


@dataclass(frozen=True, slots=True)
class _Subject:
    """A slot or a value that has a range."""

    name: str
    place: Place
    slot: Cells | None


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    subjects = _subjects(court)
    looked.things += len(subjects)
    for span, stops in by_subject(court, ("broken",), ("range",)).items():
        for at in dict.fromkeys(map(_breaks_at, stops)):
            found = first_possible(court, [stop for stop in stops if _breaks_at(stop) == at])
            if found is not None:
                yield _suspicion(subjects[span], at, *found)


def _suspicion(subject: _Subject, at: Span, stop: Stop, case: Case | Unknown) -> Suspicion:
    places = (subject.place, asking(stop, "breaks it"))
    finding = Finding("LX937", _message(subject.name), places, "possible", "play", None, (), _HINT)
    known = case if isinstance(case, Case) else None
    return Suspicion(finding, known, shown_by_fact=_shown(at), goal=_goal(subject, at), only_by_play=True)


def _subjects(court: Court) -> dict[Span, _Subject]:
    found: dict[Span, _Subject] = {}
    for slot in court.machine.world.slots.values():
        place = Place(slot.symbol.name, slot.node.span, cited(slot.node.clauses), _range(slot.symbol.type))
        found[slot.symbol.span] = _Subject(slot.symbol.name, place, slot)
    for symbol in court.values:
        node = court.machine.values[symbol.span]
        place = Place(symbol.name, node.name.span, cited(node.clauses), _range(symbol.type))
        found[symbol.span] = _Subject(symbol.name, place, None)
    return found


def _range(type_: Type) -> str:
    inner = without_none(type_)
    return f"is {inner.low}..{inner.high}" if isinstance(inner, NumberT) else "cannot hold it"


def _breaks_at(stop: Stop) -> Span:
    span = stop.about[-1]
    assert isinstance(span, Span)
    return span


def _message(name: str) -> str:
    return f"`{name}` can leave its range, and no rule says what happens then"


def _shown(at: Span) -> Callable[[Fact], bool]:
    return lambda fact: fact.kind == "open" and fact.what[0] == "broken" and fact.what[3] == at


def _goal(subject: _Subject, at: Span) -> Goal:
    def holds(_machine: Machine, _state: State, node: Node | None) -> bool:
        return isinstance(node, Open) and node.kind == "broken" and node.span == at

    return Goal(holds, "decisions", (), _distance(subject.slot))


def _distance(slot: Cells | None) -> Distance | None:
    """Searched for where the number is near an end of its range."""
    type_ = None if slot is None else without_none(slot.symbol.type)
    if slot is None or not isinstance(type_, NumberT):
        return None
    low, high = type_.low, type_.high
    cells = range(slot.base, slot.base + slot.count)

    def distance(_machine: Machine, state: State, _node: Node) -> float:
        held = [value for cell in cells if isinstance(value := state.cells[cell], int)]
        return float(min((min(value - low, high - value) for value in held), default=0))

    return distance


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    """What play has broken although the text did not tell where that could be."""
    told = {_breaks_at(stop) for stops in by_subject(court, ("broken",), ("range",)).values() for stop in stops}
    points = [(fact, evidence) for fact, evidence in open_points(court, "broken") if fact.what[3] not in told]
    if not points:
        return
    subjects, changes = _subjects(court), _changes(court)
    for fact, evidence in sorted(points, key=lambda one: one[1].length):
        span = fact.what[3]
        if span in told:
            continue
        owner, breaks = changes.get(span, (span, ()))
        if _is_made_up(owner, evidence):
            continue
        told.add(span)
        subject = subjects[owner]
        yield witnessed(court, "LX937", _message(subject.name), (subject.place, *breaks), _HINT, fact, evidence)


def _is_made_up(subject: Span, evidence: Evidence) -> bool:
    """Whether the value is one that the book does not give: exploring goes on there with all that it could be."""
    return any(
        isinstance(decision.data, Ruling) and decision.data.kind == "usually" and decision.data.at == subject
        for decision in evidence.play.decisions
    )


def _changes(court: Court) -> dict[Span, tuple[Span, tuple[Place, ...]]]:
    """Where statements change something: what it is, and the part of the book that does it."""
    found: dict[Span, tuple[Span, tuple[Place, ...]]] = {}
    for item in bookmap(court.checked).items.values():
        if not isinstance(item.node, m.Simple):
            continue
        match item.node.body:
            case m.Becomes(target=target) | m.Shift(target=target) | m.Pay(source=target):
                place = Place(item.owner, item.node.span, cited(item.clauses), "breaks it")
                symbol = court.checked.symbol_of(target)
                assert isinstance(symbol, SlotSymbol)
                found[target.span] = (symbol.span, (place,))
            case _:
                pass
    return found


CHECK = Check("ranges that are broken", "gap", suspect, conclude)
