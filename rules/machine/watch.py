"""States that are watched: which cells an answer really read, and that it read none that a player may not see.

What is hidden is not in a watched state at all. Whoever has to look at it gets `Concealed`, so that what is found out
in such a state rests on nothing that its viewer does not see.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, NoReturn

from rules.machine.base import Happening
from rules.machine.secrets import HIDDEN
from rules.machine.state import State
from rules.machine.world import Value
from rules.types import PileT

if TYPE_CHECKING:
    from rules.machine.run import Machine


class Concealed(Exception):  # noqa: N818  (a fact about who may see what)
    """The answer rests on something that the viewer may not see."""


class Secret:
    """A thing in a pile of which only its being there is known. Each is one of its own."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise Concealed

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = __index__ = __int__ = __bool__ = __str__ = __repr__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __neg__ = _refuse


class Cells(list[Value]):
    """Cells that note who reads them. `hidden` are those that must not be read."""

    def __init__(self, values: Iterable[Value], hidden: frozenset[int], reads: dict[int, None]) -> None:
        super().__init__(values)
        self.hidden = hidden
        self.reads = reads

    def __getitem__(self, place: Any) -> Any:
        if place.__class__ is int:
            if place in self.hidden:
                raise Concealed
            self.reads[place] = None
        return super().__getitem__(place)


class Watched(State):
    __slots__ = ()
    cells: Cells

    def copy(self) -> Watched:
        plain = super().copy()
        plain.cells = Cells(plain.cells, self.cells.hidden, self.cells.reads)
        return _as_watched(plain)

    def anew(self) -> Watched:
        """A copy in which nothing has been read yet."""
        made = self.copy()
        made.cells.reads = {}
        return made


def watched(machine: Machine, state: State, viewer: int | None) -> Watched:
    """A copy as a player sees it; None sees everything."""
    values: list[Value] = []
    hidden: set[int] = set()
    for address in range(len(state.cells)):
        value = machine.seen(state, address, viewer)
        if value is HIDDEN:
            hidden.add(address)
            value = Secret()
        elif isinstance(value, tuple):
            value = tuple(Secret() if thing is HIDDEN else thing for thing in value)
        values.append(value)
    plain = state.copy()
    if viewer is not None:
        seen = {
            (slot.symbol.type.kind, thing)
            for slot in machine.world.slots.values()
            if isinstance(slot.symbol.type, PileT)
            for value in values[slot.base : slot.base + slot.count]
            for thing in value
            if not isinstance(thing, Secret)
        }
        plain.log = [_as_seen(machine, happening, hidden, seen) for happening in plain.log]
    plain.cells = Cells(values, frozenset(hidden), {})
    return _as_watched(plain)


def _as_watched(plain: State) -> Watched:
    return Watched(*(getattr(plain, field.name) for field in fields(State)))


def _as_seen(machine: Machine, happening: Happening, hidden: set[int], seen: set[tuple[str, Value]]) -> Happening:
    """Which thing came or went is known of things that lie open now; what changed, of cells that do."""
    if happening.key[0] not in ("transfer", "change"):
        return happening
    slot = machine.world.slots[happening.key[1]]
    if happening.key[0] == "transfer":
        type_ = slot.symbol.type
        known = isinstance(type_, PileT) and (type_.kind, happening.new) in seen
        return happening if known else replace(happening, new=Secret())
    if slot.address(happening.args) not in hidden:
        return happening
    return replace(happening, old=Secret(), new=Secret(), amount=Secret())
