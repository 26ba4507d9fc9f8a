"""Who sees what: what is closed nobody sees, what is private only the one it belongs to, until it is revealed."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from enum import Enum

from rules.machine.legality import Legality
from rules.machine.state import State
from rules.machine.world import NOTHING, Cells, Value
from rules.types import KindT, PileT, Type, without_none


class Hidden(Enum):
    HIDDEN = "hidden"

    def __repr__(self) -> str:
        return "HIDDEN"


HIDDEN = Hidden.HIDDEN
NOBODY = -1  # a viewer who is none of the players: sees what all see


class Secrets(Legality, ABC):
    def player_of(self, actor: Value, kind: Type, state: State) -> int | None:
        """The player who decides for an actor; None is the table as one."""
        if actor is None or actor is NOTHING or isinstance(actor, frozenset) or not isinstance(kind, KindT):
            return None
        if kind.name == self.checked.players:
            return int(actor)
        for slot in self.world.slots.values():
            symbol = slot.symbol
            if symbol.params == (kind,) and without_none(symbol.type) == KindT(self.checked.players or ""):
                address = slot.address((actor,))
                return state.cells[address] if address is not None else None
        return None

    def owner_of(self, address: int, state: State) -> int | None:
        """The player to whom a cell belongs."""
        slot = self._slot(address)
        for kind, thing in zip(slot.symbol.params, slot.args_at(address), strict=True):
            player = self.player_of(thing, kind, state)
            if player is not None:
                return player
        return None

    def _slot(self, address: int) -> Cells:
        return self.world.slots[id(self._slot_at[address])]

    def sees_cell(self, address: int, viewer: int, state: State) -> bool:
        """Whether a player sees what stands in a cell; of a pile, the things in it."""
        sight = self._sight[id(self._slot_at[address])]
        if sight == "open" or (sight == "private" and self.owner_of(address, state) == viewer):
            return True
        return _is_shown(state, ("", address), viewer)

    def sees_thing(self, thing: Value, address: int, viewer: int, state: State) -> bool:
        """Whether a player sees which thing it is that lies in a pile."""
        return self.sees_cell(address, viewer, state) or _is_shown(state, (self._kind_in(address), thing), viewer)

    def seen(self, state: State, address: int, viewer: int | None) -> Value:
        """A cell as a player sees it, `HIDDEN` for what is hidden; None as viewer sees everything."""
        value = state.cells[address]
        if viewer is None or self._sight[id(self._slot_at[address])] == "open":
            return value
        if isinstance(self._slot_at[address].type, PileT):
            return tuple(t if self.sees_thing(t, address, viewer, state) else HIDDEN for t in value)
        return value if self.sees_cell(address, viewer, state) else HIDDEN

    def _kind_in(self, address: int) -> str:
        type_ = self._slot_at[address].type
        return type_.kind if isinstance(type_, PileT) else ""

    @property
    def _players(self) -> range:
        return range(self.world.seats)

    # ---- coming to know, and no longer knowing

    def _show(self, key: tuple[str, int], to: Iterable[int] | None, address: int, state: State) -> None:
        """A thing or a cell is shown to somebody, None is to all."""
        viewers = self._players if to is None else to
        if key[0]:
            new = any(not self.sees_thing(key[1], address, viewer, state) for viewer in viewers)
        else:
            new = any(not self.sees_cell(address, viewer, state) for viewer in viewers)
        before = state.shown.get(key, frozenset())
        state.shown[key] = None if to is None or before is None else before | frozenset(to)
        state.learned += new

    def _hide_things(self, address: int, state: State) -> None:
        """After a shuffle nobody knows which thing is which."""
        kind = self._kind_in(address)
        for thing in state.cells[address]:
            state.shown.pop((kind, thing), None)
        state.shown.pop(("", address), None)

    def _carried(self, thing: Value, origin: int | None, target: int, state: State) -> None:
        """A thing has been moved: who sees it now, and did not before, has learned something."""
        if self._all_open:
            return
        kind = self._kind_in(target)
        saw = [origin is not None and self.sees_thing(thing, origin, viewer, state) for viewer in self._players]
        state.shown.pop((kind, thing), None)
        state.learned += any(
            not before and self.sees_cell(target, viewer, state)
            for viewer, before in zip(self._players, saw, strict=True)
        )


def _is_shown(state: State, key: tuple[str, int], viewer: int) -> bool:
    shown = state.shown.get(key, frozenset())
    return shown is None or viewer in shown
