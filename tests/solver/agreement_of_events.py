"""Events as they happen beside events as terms: the same norms react, with the same bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

from rules import model as m
from rules.machine import Machine
from rules.machine.base import Happening
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.machine.world import Value
from rules.types import KindT, TruthT, Type
from solver.encode.events import AnyEvent, Events
from solver.encode.sym import Sym, lift
from tests.machine.properties import Made
from tests.solver.comparing import Asked, Comparing, Tally, Way


class EventAgreement(Comparing):
    def __init__(self, made: Made, tally: Tally, policies: tuple[str, ...] | None = None) -> None:
        super().__init__(made, tally, policies)
        self.events = Events(self.encoder)
        self._asking = False

    def happens(self, state: State, happenings: Sequence[Happening]) -> None:
        """Asked while the game stands still before an event; a trial inside a question is no event of its own."""
        if self._asking or state.asking:
            return
        self._asking = True
        try:
            for happening in happenings:
                for norm in self.machine.reactions.get(happening.key, ()):
                    self._reacts(norm, happening, state)
                for timing in ("when about to", "when"):
                    self._happens(timing, happening, state)
        finally:
            self._asking = False

    def _reacts(self, norm: RuleNorm, happening: Happening, state: State) -> None:
        def interpreted() -> object:
            return self.applied(self.machine._reacting(norm, happening, state))

        ways = [Way("known", partial(self._asked, norm, self._known(happening), ()))]
        for event in self.events.of_key(happening.key):
            parts = self._parts_of(event, happening)
            if event.word in ("", happening.word) and parts is not None:
                syms, values, types = parts
                ask = partial(self._asked, norm, event, syms)
                key = ("event", norm.key, norm.reading, event.word)
                ways.append(Way("any", partial(self.once, key, ask), values, types))
        for way in ways:
            self.agree("events", norm.name, state, way, interpreted, self.applying)

    def _happens(self, timing: str, happening: Happening, state: State) -> None:
        """All that reacts, by every reading and every version."""
        norms = [
            norm
            for norm in self.machine.reactions.get(happening.key, ())
            if isinstance(norm.body, m.EventNorm) and norm.body.timing == timing
        ]
        if not norms:
            return

        def interpreted() -> object:
            return self.applied(self.machine.reacting(timing, happening, state))

        event = self._known(happening)
        way = Way("known", lambda: self.apart(lambda: self.events.all_reacting(norms, event), ()))
        self.agree("what happens", timing, state, way, interpreted, self.applying)

    def _asked(self, norm: RuleNorm, event: AnyEvent, syms: tuple[Sym, ...]) -> Asked:
        return self.apart(lambda: self.events.reacting(norm, event), syms)

    def _known(self, happening: Happening) -> AnyEvent:
        types, brought = self._types_of(happening)
        world = self.machine.world
        return AnyEvent(
            happening.key,
            happening.word,
            "",
            tuple(lift(value, type_, world) for value, type_ in zip(happening.args, types, strict=True)),
            lift(happening.old, brought, world),
            lift(happening.new, brought, world),
            lift(happening.amount, brought, world),
            happening.key[0] != "change" or happening.old != happening.new,
        )

    def _types_of(self, happening: Happening) -> tuple[tuple[Type, ...], Type]:
        """The types of the parts of an event, and of what it brings."""
        sort, what = happening.key[:2]
        if sort == "phrase":
            return self.machine.verbs[what].types, TruthT()
        if sort == "moment":
            verb = self.machine.verbs.get(what)
            owner: Type = KindT(self.machine.checked.players or "")
            if verb is not None:
                by = [type_ for part, type_ in zip(verb.params, verb.types, strict=True) if part.label == "by"]
                owner = by[0] if by else owner
            return (owner,) * len(happening.args), TruthT()
        slot = self.machine.world.slots[what].symbol
        return slot.params, KindT(getattr(slot.type, "kind", "")) if sort == "transfer" else slot.type

    def _parts_of(
        self, event: AnyEvent, happening: Happening
    ) -> tuple[tuple[Sym, ...], tuple[Value, ...], tuple[Type, ...]] | None:
        """The variables of an event with what they stand for here; None where they cannot stand for it."""
        types, brought = self._types_of(happening)
        syms, values, of = event.args, happening.args, types
        if happening.key[0] in ("change", "transfer"):
            syms, values, of = (*syms, event.new), (*values, happening.new), (*of, brought)
        for sym, value, type_ in zip(syms, values, of, strict=True):
            if value not in self.machine.world.domain(type_) or (value is None and sym.none is False):
                return None
        return syms, values, of


@contextmanager
def told(machine: Machine, tell: Callable[[State, Sequence[Happening]], None]) -> Iterator[None]:
    """Tells of every event of a machine before it happens."""
    emit = machine._emit

    def telling(state: State, happenings: tuple[Happening, ...], perform: tuple[Any, ...]) -> None:
        tell(state, happenings)
        emit(state, happenings, perform)

    vars(machine)["_emit"] = telling
    try:
        yield
    finally:
        del vars(machine)["_emit"]
