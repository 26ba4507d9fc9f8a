"""What carrying out statements can change, so that conditions known before them are known to hold after them."""

from __future__ import annotations

from rules import model as m
from rules.machine import Machine
from rules.symbols import SlotSymbol
from rules.types import PileT
from rules.walk import nodes_of
from solver.analysis.guards import OTHER, THINGS

Writes = frozenset[int] | None  # slots by identity of their symbols; None is for anything
NOTHING_WRITTEN: Writes = frozenset()


def joined(*writes: Writes) -> Writes:
    found: frozenset[int] = frozenset()
    for one in writes:
        if one is None:
            return None
        found |= one
    return found


class Written:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._known: dict[tuple[int, int], Writes] = {}
        self._tables: list[str] = []
        keys = machine.reactions
        self._things_react = any(key[0] in ("transfer", "runs out") for key in keys)
        self._puts_off = any(isinstance(node, m.After) for node in nodes_of(machine.checked.book.declarations))

    def block(self, block: m.Block) -> Writes:
        if not block:
            return NOTHING_WRITTEN
        key = (id(block[0]), len(block))
        if key not in self._known:
            self._known[key] = joined(*(self.statement(node) for node in block))
        return self._known[key]

    def moment(self, name: str) -> Writes:
        """What the beginning or the end of a moment lets others do."""
        reacts = ("moment", name) in self.machine.reactions or self._puts_off
        return None if reacts else frozenset((OTHER,))

    def statement(self, node: m.Statement) -> Writes:
        match node:
            case m.Simple(body=body):
                return self._simple(body)
            case m.Phase(name=name, body=body):
                return joined(self.moment(name.text), self.block(body))
            case m.Turns(body=body):
                return joined(self.moment("turn"), self.block(body))
            case m.Each(body=body) | m.Repeat(body=body):
                return self.block(body)
            case m.If(then=then, otherwise=otherwise):
                return joined(self.block(then), self.block(otherwise))
            case m.RollRows(rows=rows):
                return joined(*(self.block(row.body) for row in rows))
            case m.Decides(options=options):
                return joined(*(self.block(option.body) for option in options))
            case m.After():
                return None

    def _simple(self, node: m.SimpleBody) -> Writes:
        match node:
            case m.Becomes(target=target) | m.Shift(target=target):
                return self._changes(target)
            case m.Pay(source=source, target=target):
                return self._changes(source) if target is None else self._moves(source, target)
            case m.Move(origin=origin, target=into):
                return self._moves(origin, into)
            case m.Draw(origin=origin, target=into):
                return self._moves(origin, into)
            case m.Shuffle(pile=pile, into=filled):
                return self._moves(pile, filled)
            case m.Roll(table=table) if table is not None:
                return self._table(table.text)
            case m.Consult(table=table):
                return self._table(table.text)
            case m.Chooses() | m.Reveal() | m.DoNothing() | m.Return() | m.Ending() | m.Roll():
                return NOTHING_WRITTEN
            case m.Disable() | m.Outcome():
                return frozenset((OTHER,))
            case _:
                return None

    def _changes(self, *targets: m.Ref | None) -> Writes:
        found = {OTHER}
        for target in targets:
            if target is not None:
                slot = id(self.machine.checked.symbol_of(target))
                if ("change", slot) in self.machine.reactions:
                    return None
                found.add(slot)
        return frozenset(found)

    def _moves(self, *ends: m.Ref | None) -> Writes:
        if self._things_react:
            return None
        found = self._changes(*ends)
        piles = any(
            isinstance(symbol, SlotSymbol) and isinstance(symbol.type, PileT)
            for symbol in (self.machine.checked.symbol_of(end) for end in ends if end is not None)
        )
        return joined(found, frozenset((THINGS,))) if piles else found

    def _table(self, name: str) -> Writes:
        if name in self._tables:
            return None
        self._tables.append(name)
        try:
            return joined(*(self.block(row.body) for row in self.machine.tables[name].rows))
        finally:
            self._tables.pop()
