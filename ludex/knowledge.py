"""What a player knows: what lies on the table as he sees it, and what he is told of a decision.

Of what lies there, `Machine.seen` decides. A decision is open, as long as the book does not hide what it was about:

- everything, until all have chosen, if it was made in secret;
- which things were named, if this player sees them neither before nor after;
- all but the action and who took it, if it wrote something that this player does not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from ludex.table import cell_index, cell_text, player_name
from rules.machine import Chance, Choice, Machine, Move, Node
from rules.machine.state import State
from rules.machine.world import Cells, Value
from rules.symbols import VariableSymbol
from rules.types import KindT, PileT, Type, without_none

_HIDDEN = "hidden"


def view(machine: Machine, state: State, viewer: int | None) -> dict[str, str]:
    """The state by the names of its cells, as a player sees it; None sees everything."""
    return {
        f"{slot.symbol.name} {cell_index(machine, slot, args)}".strip(): cell_text(
            machine, slot, machine.seen(state, address, viewer)
        )
        for slot, args, address in _cells(machine)
    }


@dataclass(frozen=True, slots=True)
class Step:
    """A decision, the state in which it was made, and what is decided next, in which state."""

    node: Choice | Chance
    move: Move
    before: State
    after: State
    then: Node


def heard(machine: Machine, steps: Iterable[Step], viewer: int) -> Iterator[list[str]]:
    """What a player hears at each step of a game. What was chosen in secret is told when all have chosen."""
    secrets: list[Step] = []
    for step in steps:
        if not (isinstance(step.node, Choice) and step.node.secret):
            yield [told(machine, step.node, step.move, step.before, step.after, viewer)]
            continue
        secrets.append(step)
        own = step.node.actor == viewer
        lines = [f"{player_name(machine, step.node.actor)}: {step.move.text if own else _HIDDEN}"]
        if _all_have_chosen(step):
            first = secrets[0].before
            lines += [told(machine, one.node, one.move, first, step.after, viewer) for one in secrets]
            secrets = []
        yield lines


def _all_have_chosen(step: Step) -> bool:
    """Whether no choice in secret follows, or one of the next round."""
    if not (isinstance(step.then, Choice) and step.then.secret):
        return True
    now, then = (
        next(frame.data["at"] for frame in reversed(state.stack) if frame.kind == "secret")
        for state in (step.before, step.after)
    )
    return bool(then < now)


def told(machine: Machine, node: Choice | Chance, move: Move, before: State, after: State, viewer: int) -> str:
    """A decision in words, as a player hears of it when it has been carried out."""
    if isinstance(node, Chance):
        if node.shuffles:
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


def _writes_unseen(machine: Machine, before: State, after: State, viewer: int) -> bool:
    return any(
        before.cells[address] != after.cells[address]
        and not isinstance(slot.symbol.type, PileT)
        and not all(machine.sees_cell(address, viewer, state) for state in (before, after))
        for slot, _, address in _cells(machine)
    )


def _is_unseen(machine: Machine, type_: Type, thing: Value, before: State, after: State, viewer: int) -> bool:
    """Whether a thing lies in piles, and a player sees neither before nor after which it is."""
    kind = without_none(type_)
    if not isinstance(kind, KindT):
        return False
    lying = [
        machine.sees_thing(thing, address, viewer, state)
        for slot, _, address in _cells(machine)
        if slot.symbol.type == PileT(kind.name)
        for state in (before, after)
        if thing in state.cells[address]
    ]
    return bool(lying) and not any(lying)
