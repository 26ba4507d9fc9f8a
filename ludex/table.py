"""What lies on the table, in the words of the game: the state, who has won, where the book leaves something open."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from grammar.print_statements import print_assignment, print_conditions, print_manner, print_norm
from rules import model as m
from rules.machine import Machine, Open, Over
from rules.machine.norms import RuleNorm
from rules.machine.secrets import HIDDEN
from rules.machine.state import State
from rules.machine.world import Cells, Value
from rules.types import PileT

_FEW = 3  # so many equal entries are still told one by one
_NAMED_POLICIES = 5  # of more policies, the rest is a number


def state_lines(machine: Machine, state: State, viewer: int | None = None, before: State | None = None) -> list[str]:
    """The state, slot by slot, as a player sees it; only what has changed, if an earlier state is given."""
    lines: list[str] = []
    for slot in machine.world.slots.values():
        if slot.symbol.role == "printed":
            continue
        entries = [
            (cell_index(machine, slot, args), cell_text(machine, slot, machine.seen(state, address, viewer)))
            for address, args in enumerate(product(*slot.domains), slot.base)
            if before is None or state.cells[address] != before.cells[address]
        ]
        if not entries:
            continue
        values = {value for _, value in entries}
        if len(values) == 1 and len(entries) == slot.count > _FEW:
            lines.append(f"{slot.symbol.name}: {entries[0][1]} everywhere")
        else:
            lines.append(f"{slot.symbol.name}: " + ", ".join(" ".join(filter(None, entry)) for entry in entries))
    return lines


def cell_index(machine: Machine, slot: Cells, args: tuple[Value, ...]) -> str:
    """What tells a cell from the others of its slot: `Player 1`."""
    return " ".join(machine.world.show(arg, type_) for arg, type_ in zip(args, slot.symbol.params, strict=True))


def cell_text(machine: Machine, slot: Cells, value: Value) -> str:
    """What stands in a cell, as `Machine.seen` has it."""
    if value is HIDDEN:
        return "hidden"
    type_ = slot.symbol.type
    if not isinstance(type_, PileT) or HIDDEN not in value:
        return machine.world.show(value, type_)
    seen = [machine.world.things[type_.kind][thing] for thing in value if thing is not HIDDEN]
    return "[" + ", ".join([*seen, f"{len(value) - len(seen)} hidden"]) + "]"


def policy_lines(policies: tuple[str, ...]) -> list[str]:
    """Which policies are in force, in one line; none where none is."""
    if not policies:
        return []
    shown, more = policies[:_NAMED_POLICIES], len(policies) - _NAMED_POLICIES
    return [f"policies: {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")]


def player_name(machine: Machine, player: Value) -> str:
    kind = machine.checked.players
    return "the table" if player is None or kind is None else machine.world.things[kind][player]


def ending(machine: Machine, node: Over) -> str:
    """Who has won and lost, in one line."""
    if not node.outcomes:
        return "the game is over; no rule says who has won"
    named = [
        f"nobody {result}" if player is None else f"{player_name(machine, player)} {result}"
        for player, result in node.outcomes
    ]
    return f"the game is over: {', '.join(named)}"


def open_lines(node: Open) -> list[str]:
    """What is open, and the rules concerned with their places."""
    match node.kind:
        case "undetermined":
            lines = [f"undetermined: the rules disagree on `{node.text}`"]
            for number, side in enumerate(node.sides, 1):
                lines += [f"  side {number}: {ground(norm)}: {sentence(norm)}" for norm in side]
            return lines
        case "gap":
            return [f"a gap: {node.text}", *_standing(node)]
        case "unmet":
            return [f"a duty that cannot be met: {node.text}", *(f"  {ground(norm)}" for norm in node.sides[0])]
        case "broken":
            return [f"out of bounds: {node.text}", *_standing(node)]
        case "stuck":
            return [f"stuck: {node.text}", *_standing(node)]


def ground(norm: RuleNorm) -> str:
    """A norm with its place in the text and in the book."""
    span = norm.body.span
    cites = ", ".join(cited(norm.clauses.cites))
    return f"{norm.name} ({_place(span.source.path, span.line)}{f', cites {cites}' if cites else ''})"


def sentence(norm: RuleNorm) -> str:
    """What a norm says, in the words of the book; of one that does something, its first line."""
    body = norm.body
    if isinstance(body, m.Case):
        said = f"{print_manner(body.manner)}{print_assignment(body.op, body.value)}{print_conditions(body.conditions)}"
        return f"{norm.name} {said}"
    return print_norm(m.Norm(norm.manner, body, body.span))


def _standing(node: Open) -> list[str]:
    return [f"  {_place(node.span.source.path, node.span.line)}"] if node.span is not None else []


def _place(path: str, line: int) -> str:
    return f"{path}:{line}"


def cited(cites: Iterable[m.Citation]) -> Iterable[str]:
    """Places in documents: `book 20`."""
    for cite in cites:
        if cite.section is not None:
            yield f'{cite.document.text} "{cite.section}"'
        elif cite.first is None:
            yield cite.document.text
        else:
            yield f"{cite.document.text} {cite.first}" + (f"..{cite.last}" if cite.last != cite.first else "")
