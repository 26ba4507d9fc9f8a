"""The two sides of a comparison, in one space: what can be asked of both, and a state that shows a difference."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.types import EnumT, KindT, Type, without_none
from solver.encode.situation import Situation, realise, situation
from solver.terms import Flag, Term, both
from solver.verdict import Proved, Query, Refuted, Unknown
from verifier.comparing.bridge import Bridge
from verifier.court import Court


@dataclass(frozen=True, slots=True)
class Side:
    """A book, or of a book only the norms of a document and those of none: the others are `left_out`."""

    name: str
    court: Court
    left_out: tuple[RuleNorm, ...] = ()

    @contextmanager
    def speaking(self, of: type[m.ModalNorm] | tuple[type[m.ValueNorm], type[m.Case]]) -> Iterator[None]:
        """Without the norms of one sort that are left out; what else the side does not say, the whole book says."""
        with self.court.encoder.leaving_out(*(norm for norm in self.left_out if isinstance(norm.body, of))):
            yield

    def norms(self) -> list[RuleNorm]:
        gone = {norm.key for norm in self.left_out}
        return [norm for norm in self.court.machine.norms if norm.key not in gone]

    def silence(self, state: State) -> State:
        """The state with those rules switched off that say what may be done and are left out."""
        found = state.copy()
        rules = {norm.name: None for norm in self.left_out if isinstance(norm.body, m.ModalNorm)}
        found.disabled = {**found.disabled, **rules}
        return found


@dataclass(frozen=True, slots=True)
class Shown:
    """A state in which the sides differ: `situation` in words, and a state for each interpreter where one was made."""

    values: Mapping[Term, bool | int]
    situation: Situation
    states: tuple[State | None, State | None]


@dataclass(slots=True)
class Pair:
    """Both sides; terms are those of the second one's space."""

    one: Side
    other: Side
    bridge: Bridge = field(init=False)

    def __post_init__(self) -> None:
        self.bridge = Bridge(self.one.court, self.other.court)

    def possible(
        self, ours: list[Flag], theirs: list[Flag], *conditions: tuple[Hashable, Flag]
    ) -> Shown | Proved | Unknown:
        """Whether the conditions can hold together in a state that both sides can be in.

        `ours` are the terms of the first side that went into them, before they were brought over; `theirs` the others.
        """
        court = self.other.court
        terms = [term for _, term in conditions]
        facts = [fact for _, fact in court.space.facts([*terms, *theirs])]
        if self.one.court is not court:
            facts += [self.bridge.over(fact) for _, fact in self.one.court.space.facts(ours)]
        shared = self.bridge.shared([*ours, *terms])
        given = (*conditions, ("shared", both(shared, *facts)))
        verdict = court.solver.ask(Query(False, given), court.preferred(terms))
        return self._shown(verdict.values) if isinstance(verdict, Refuted) else verdict

    def _shown(self, values: Mapping[Term, bool | int]) -> Shown:
        known = {v: value for v, value in values.items() if v in self.other.court.space.probes}
        back = self.bridge.back(values)
        told = situation(self.other.court.space, known)
        more = {v: value for v, value in values.items() if v not in known and v in self.one.court.space.probes}
        facts = tuple(dict.fromkeys((*told.facts, *situation(self.one.court.space, more).facts)))
        states = (
            realise(self.one.court.space, back, self.one.court.stops_of(back)),
            realise(self.other.court.space, known, self.other.court.stops_of(known)),
        )
        return Shown(values, replace(told, facts=facts), states)

    def same_type(self, one: Type, other: Type) -> bool:
        """Whether two types of the two sides have the same values, in the same order."""
        worlds = self.one.court.machine.world, self.other.court.machine.world
        if type(one) is not type(other):
            return False
        plain = without_none(one)
        match plain:
            case KindT(name=name):
                return one == other and worlds[0].things.get(name) == worlds[1].things.get(name)
            case EnumT(name=name):
                return one == other and worlds[0].enums.get(name) == worlds[1].enums.get(name)
            case _:
                return one == other

    def same_types(self, one: tuple[Type, ...], other: tuple[Type, ...]) -> bool:
        return len(one) == len(other) and all(map(self.same_type, one, other))


def of_document(court: Court, document: str, name: str) -> Side:
    """The norms and cases that cite a document first, and those that cite none."""
    machine = court.machine
    cases = [machine.case_norm(value, place) for value in machine.values.values() for place in range(len(value.cases))]
    gone = [norm for norm in (*machine.norms, *cases) if norm.document not in (None, document)]
    return Side(name, court, tuple(gone))


def verbs(side: Side) -> dict[str, m.Action]:
    return {
        name: node for name, node in side.court.machine.actions.items() if side.court.machine.by_of(name) is not None
    }
