"""Cells of no consequence: those that nothing writes, and those that nothing reads.

In: a machine, and the expressions that are asked of its states from outside. Out: the cells that count, and the names
of the slots that are written and do not. A slot counts as not read only where every way in which the book names it
writes it, and no such writing can fail: a number that is raised may go beyond its range, and that ends a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine import Machine
from rules.machine.world import Cells
from rules.symbols import SlotSymbol
from rules.types import EnumT, KindT, MaybeT, NoneT, NumberT, SetT, TruthT, Type
from rules.walk import nodes_of


@dataclass(frozen=True, slots=True)
class Slice:
    """`kept` are the addresses of the cells that count; `dropped` names the slots that change and do not count."""

    kept: tuple[int, ...]
    dropped: tuple[str, ...]


def relevant_cells(machine: Machine, asks: Iterable[m.Expr] = ()) -> frozenset[int]:
    """The addresses of the cells that can change, and that the rules or these expressions can read."""
    return frozenset(slice_of(machine, tuple(asks)).kept)


def slice_of(machine: Machine, asks: tuple[m.Expr, ...] = ()) -> Slice:
    rules = [d for d in machine.checked.book.declarations if not isinstance(d, m.Question | m.Scenario | m.Claim)]
    read = {id(slot) for node in (*rules, *asks) for slot in _read(machine, node)}
    read |= {key for key, slot in machine.world.slots.items() if _always_counts(machine, slot)}
    written = _written(machine)
    slots = [(key, slot) for key, slot in machine.world.slots.items() if key in written]
    kept = [place for key, slot in slots if key in read for place in slot_range(slot)]
    return Slice(tuple(kept), tuple(slot.symbol.name for key, slot in slots if key not in read))


def changing_cells(machine: Machine) -> tuple[int, ...]:
    """The addresses of the cells that some statement can change; the others stay as they start."""
    written = _written(machine)
    return tuple(p for key, slot in machine.world.slots.items() if key in written for p in slot_range(slot))


def slot_range(slot: Cells) -> range:
    return range(slot.base, slot.base + slot.count)


def _written(machine: Machine) -> set[int]:
    """The slots that something can change, by the identity of their symbols."""
    found = {
        key
        for key, slot in machine.world.slots.items()
        if slot.symbol.role in ("pile", "place") or any(word.text == "shuffled" for word in slot.node.modifiers)
    }
    for node in nodes_of(machine.checked.book.declarations):
        targets: tuple[m.Ref | None, ...] = ()
        match node:
            case m.Becomes(target=target) | m.Shift(target=target):
                targets = (target,)
            case m.Pay(source=source, target=paid_to):
                targets = (source, paid_to)
            case m.Move(origin=origin, target=target):
                targets = (origin, target)
            case m.Draw(origin=source, target=target):
                targets = (source, target)
            case m.Shuffle(pile=pile, into=into):
                targets = (pile, into)
            case _:
                continue
        found |= {id(machine.checked.symbol_of(target)) for target in targets if target is not None}
    return found


def _always_counts(machine: Machine, slot: Cells) -> bool:
    """Piles and pools are read by moving; who owns a thing decides for it; the age of a thing can go before."""
    symbol = slot.symbol
    if symbol.role in ("pile", "place"):
        return True
    type_ = symbol.type.of if isinstance(symbol.type, MaybeT) else symbol.type
    if type_ == KindT(machine.checked.players or "") and len(symbol.params) == 1:
        return True
    return any(
        isinstance(rule.body, m.Over) and rule.body.by is not None and rule.body.by.text == symbol.name
        for rule in machine.precedence.rules
    )


def _read(machine: Machine, part: object) -> Iterator[SlotSymbol]:
    """The slots that a part of the book reads: all that it names, but for what it safely writes."""
    passed: set[int] = set()  # the parts come after what they stand in
    for node in nodes_of(part):
        if isinstance(node, m.Becomes | m.Shift) and _is_safe(machine, node):
            passed.add(id(node.target))
        elif isinstance(node, m.Slot):
            passed |= {id(node), id(node.name)}
        symbol = machine.checked.symbols.get(id(node))
        if isinstance(symbol, SlotSymbol) and id(node) not in passed:
            yield symbol


def _is_safe(machine: Machine, node: m.Becomes | m.Shift) -> bool:
    """Whether the slot can hold what is written, whatever it holds now."""
    wanted = machine.checked.type_of(node.target)
    given = machine.checked.type_of(node.value if isinstance(node, m.Becomes) else node.amount)
    if isinstance(node, m.Becomes):
        return _holds(wanted, given)
    return isinstance(wanted, SetT) and _holds(wanted, given)


def _holds(wanted: Type, given: Type) -> bool:
    """Whether every value of the one type is one of the other."""
    match wanted, given:
        case NumberT(low=low, high=high), NumberT():
            return low <= given.low and given.high <= high
        case (TruthT(), TruthT()) | (MaybeT(), NoneT()) | (SetT(), SetT(of=None)):
            return True
        case (EnumT(), EnumT()) | (KindT(), KindT()):
            return wanted == given
        case MaybeT(of=of), MaybeT(of=inner):
            return _holds(of, inner)
        case MaybeT(of=of), _:
            return _holds(of, given)
        case SetT(of=of), SetT(of=inner) if of is not None and inner is not None:
            return _holds(of, inner)
        case _:
            return False
