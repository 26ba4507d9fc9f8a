"""What the state holds, as terms: cells by what they are asked of, and printed values."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from rules.machine.world import Value
from rules.symbols import SlotSymbol, ValueSymbol
from rules.types import KindT
from solver.encode.base import Base
from solver.encode.sym import ABSENT, Sym, choose, code, equal_payloads, lift, look_up
from solver.terms import Flag, Term, both, no


class Held(Base, ABC):
    def _symbol(self, symbol: SlotSymbol | ValueSymbol, args: tuple[Sym, ...]) -> Sym:
        if isinstance(symbol, ValueSymbol):
            return self.value_of(symbol, args)
        printed = self.machine.printed.get(id(symbol))
        if printed is not None:
            return self._at(args[0], self._lifted(symbol, printed))
        return self.cell(id(symbol), args)

    def cell(self, slot: int, args: tuple[Sym, ...]) -> Sym:
        """What a slot holds for these; made once, as a pile of somebody is a choice among the piles of all."""
        known = self._known_cells.get((slot, args))
        if known is None:
            known = self._known_cells[slot, args] = self._cell_of(slot, args)
        return known

    def _cell_of(self, slot: int, args: tuple[Sym, ...]) -> Sym:
        cells = self.world.slots[slot]

        def go(place: int, address: int) -> Sym:
            if place == len(args):
                return self.space.cell(cells.base + address)
            domain = cells.domains[place]
            type_ = cells.symbol.params[place]
            arg = args[place]
            found: list[tuple[Flag, Sym]] = []
            for offset, value in enumerate(domain):
                test = arg.none if value is None else equal_payloads(arg.payload, code(value, type_, self.world))
                if value is not None:
                    test = both(arg.there, test)
                if test is not False:
                    found.append((test, go(place + 1, address * len(domain) + offset)))
            return self._first(found, arg, None in domain)

        return go(0, 0)

    def _lifted(self, symbol: SlotSymbol, printed: Sequence[Value]) -> list[Sym]:
        """What is printed on the things of a kind, each as a term."""
        found = self._known_printed.get(id(symbol))
        if found is None:
            found = self._known_printed[id(symbol)] = [lift(value, symbol.type, self.world) for value in printed]
        return found

    def _at(self, arg: Sym, table: list[Sym]) -> Sym:
        """The entry of a list at a code."""
        found = [(test, table[key]) for key, test in self.codes(arg, KindT("")) if 0 <= key < len(table)]
        return self._first(found, arg, False)

    def _first(self, found: list[tuple[Flag, Sym]], arg: Sym, none_too: bool) -> Sym:
        """One of these, by their conditions; nothing where something is asked of nothing."""
        asked = no(arg.absent) if none_too else arg.there
        if not found or asked is False:
            return ABSENT
        complete = isinstance(arg.payload, Term) or found[-1][0] is True
        inner = look_up(found[:-1], found[-1][1]) if complete else look_up(found, ABSENT)
        return choose(asked, inner, Sym(inner.payload, False, True))
