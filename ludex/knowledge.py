"""What a player knows: what lies on the table as he sees it, and what he is told of a decision.

What is closed nobody sees; what is private only the player sees to whom it belongs. Of a pile that is not seen its size
is known. A decision is open, as long as the book does not hide what it was about:

- which things were named, if they lie in a pile that this player sees neither before nor after;
- all but the action and who took it, if it wrote something that this player does not see.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ludex.table import player_name
from rules.machine import Chance, Choice, Machine, Move
from rules.machine.state import State
from rules.machine.world import Cells, Value
from rules.symbols import VariableSymbol
from rules.types import KindT, PileT, Type, without_none

_HIDDEN = "hidden"


def view(machine: Machine, state: State, viewer: int | None) -> dict[str, str]:
    """The state by the names of its cells, as a player sees it; None sees everything."""
    shown: dict[str, str] = {}
    for slot, args, address in _cells(machine):
        name = " ".join(
            (slot.symbol.name, *(machine.world.show(a, t) for a, t in zip(args, slot.symbol.params, strict=True)))
        )
        value = state.cells[address]
        if _sees(machine, slot, args, state, viewer):
            shown[name] = machine.world.show(value, slot.symbol.type)
        else:
            shown[name] = f"{len(value)} {_HIDDEN}" if isinstance(slot.symbol.type, PileT) else _HIDDEN
    return shown


def told(machine: Machine, node: Choice | Chance, move: Move, before: State, after: State, viewer: int) -> str:
    """A decision in words, as a player hears of it."""
    if isinstance(node, Chance):
        if node.what.startswith("shuffle "):
            return node.what
        return f"{node.what}: {_spoken(machine, node, move, before, after, viewer)}"
    who = player_name(machine, node.actor)
    if node.actor is None or node.actor == viewer:
        return f"{who}: {move.text}"
    return f"{who}: {_spoken(machine, node, move, before, after, viewer)}"


def _spoken(machine: Machine, node: Choice | Chance, move: Move, before: State, after: State, viewer: int) -> str:
    secret = _writes_unseen(machine, before, after, viewer)
    if isinstance(node, Choice) and node.what in ("an action", "a reaction") and move.data is not None:
        verb, args = move.data
        parts = [verb]
        symbol = machine.verbs[verb]
        for param, type_, arg in zip(symbol.params, symbol.types, args, strict=True):
            hidden = param.label != "by" and (secret or _is_unseen(machine, type_, arg, before, after, viewer))
            shown = _HIDDEN if hidden else machine.world.show(arg, type_)
            parts.append(f"{param.label} {shown}" if param.label else shown)
        return " ".join(parts)
    if secret:
        return _HIDDEN
    variable = machine.variables.get(node.what.removeprefix("choose "))
    if isinstance(variable, VariableSymbol) and isinstance(variable.type, KindT) and move.text != "none":
        thing = machine.world.things[variable.type.name].index(move.text)
        if _is_unseen(machine, variable.type, thing, before, after, viewer):
            return _HIDDEN
    return move.text


def _cells(machine: Machine) -> Iterator[tuple[Cells, tuple[Value, ...], int]]:
    for slot in machine.world.slots.values():
        if slot.symbol.role != "printed":
            for address, args in enumerate(product(*slot.domains), slot.base):
                yield slot, args, address


def _sees(machine: Machine, slot: Cells, args: tuple[Value, ...], state: State, viewer: int | None) -> bool:
    words = {word.text for word in slot.node.modifiers}
    if viewer is None or not words & {"closed", "private"}:
        return True
    if "closed" in words:
        return False
    owners = (machine.player_of(arg, kind, state) for arg, kind in zip(args, slot.symbol.params, strict=True))
    return next((owner for owner in owners if owner is not None), None) == viewer


def _writes_unseen(machine: Machine, before: State, after: State, viewer: int) -> bool:
    return any(
        before.cells[address] != after.cells[address]
        and not isinstance(slot.symbol.type, PileT)
        and not (_sees(machine, slot, args, before, viewer) and _sees(machine, slot, args, after, viewer))
        for slot, args, address in _cells(machine)
    )


def _is_unseen(machine: Machine, type_: Type, thing: Value, before: State, after: State, viewer: int) -> bool:
    """Whether a thing lies in a pile that a player sees neither before nor after."""
    kind = without_none(type_)
    if not isinstance(kind, KindT):
        return False
    lying = [
        _sees(machine, slot, args, state, viewer)
        for slot, args, address in _cells(machine)
        if slot.symbol.type == PileT(kind.name)
        for state in (before, after)
        if thing in state.cells[address]
    ]
    return bool(lying) and not any(lying)
