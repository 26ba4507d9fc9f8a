"""For each slot the values that its cells can hold, as far as is known so far; they only ever grow.

A slot is followed as a whole: what one of its cells can hold, all of them can. Sets, bags, orders, piles and pools are
not followed; nor are numbers with very many values, and slots in which a limit makes something in between.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules import model as m
from rules.machine.world import Cells, Value
from rules.types import EnumT, KindT, NumberT, TruthT, Type, without_none
from solver.encode.space import Space
from solver.encode.sym import Sym, code
from solver.terms import Flag, Term, at_most, both, equal, no, some, variables_of

MOST_VALUES = 256


class ValueSets:
    """`version` counts how often the values of a slot have grown."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.world = space.world
        self.version: dict[int, int] = {}
        self._held: dict[int, set[Value]] = {}
        self._slot_of: dict[int, int] = {}
        self._facts: dict[tuple[int, int], Flag] = {}
        limited = {
            key
            for norm, reads in space.machine._limit_reads
            if isinstance(norm.body, m.LimitNorm) and norm.body.rest_lost
            for key in (self.world.slots if reads is None else reads)
        }
        for key, slot in self.world.slots.items():
            for address in range(slot.base, slot.base + slot.count):
                self._slot_of[address] = key
            if key not in limited and slot.symbol.role in ("state", "attribute") and self._is_plain(slot):
                self._held[key] = set(space.start.cells[slot.base : slot.base + slot.count])
                self.version[key] = 0

    def _is_plain(self, slot: Cells) -> bool:
        match without_none(slot.symbol.type):
            case NumberT(low=low, high=high):
                return high - low < MOST_VALUES
            case KindT(name=name):
                return len(self.world.things[name]) <= MOST_VALUES
            case TruthT() | EnumT():
                return True
            case _:
                return False

    # ---- what is known

    def follows(self, slot: int) -> bool:
        return slot in self._held

    def held(self, slot: int) -> frozenset[Value]:
        return frozenset(self._held[slot])

    def missing(self, slot: int) -> list[Value]:
        """The values of its type that a slot does not hold yet."""
        held = self._held[slot]
        return [value for value in self.world.domain(self.world.slots[slot].symbol.type) if value not in held]

    def add(self, slot: int, value: Value) -> None:
        held = self._held[slot]
        if value not in held:
            held.add(value)
            self.version[slot] += 1

    def add_all(self, slot: int) -> None:
        for value in self.missing(slot):
            self.add(slot, value)

    # ---- as terms

    def slot_of(self, variable: Term) -> int | None:
        """The slot that a variable is part of."""
        address = self.space.cell_of.get(variable)
        return None if address is None else self._slot_of[address]

    def facts(self, terms: Iterable[object]) -> list[tuple[str, Flag]]:
        """What the values promise of the variables that terms read, each in words."""
        found: dict[int, tuple[str, Flag]] = {}
        for variable in variables_of(*(term for term in terms if isinstance(term, Term))):
            address = self.space.cell_of.get(variable)
            if address is None or address in found or not self.follows(self._slot_of[address]):
                continue
            fact = self._fact(address)
            if fact is not True:
                found[address] = (self.words(self._slot_of[address]), fact)
        return list(found.values())

    def _fact(self, address: int) -> Flag:
        slot = self._slot_of[address]
        key = (address, self.version[slot])
        if key not in self._facts:
            sym = self.space.cell(address)
            self._facts[key] = some(self.is_value(sym, value, slot) for value in self._held[slot])
            if _is_range(self._held[slot]):
                low, high = min(self._held[slot]), max(self._held[slot])
                self._facts[key] = both(no(sym.none), at_most(low, sym.payload), at_most(sym.payload, high))
            if not self.missing(slot):
                self._facts[key] = True if None in self._held[slot] else no(sym.none)
        return self._facts[key]

    def is_value(self, sym: Sym, value: Value, slot: int) -> Flag:
        """That a term has a value of the type of a slot."""
        type_: Type = without_none(self.world.slots[slot].symbol.type)
        if value is None:
            return both(no(sym.absent), sym.none)
        if isinstance(type_, TruthT):
            return both(sym.there, sym.payload if value else no(sym.payload))
        return both(sym.there, equal(sym.payload, code(value, type_, self.world)))

    def words(self, slot: int) -> str:
        """What the values of a slot come to, as it is said to players."""
        cells = self.world.slots[slot]
        type_ = cells.symbol.type
        held = [value for value in self.world.domain(type_) if value in self._held[slot]]
        if None in self._held[slot] and None not in held:
            held.append(None)
        never = self.missing(slot)
        name = f"`{cells.symbol.name}`"
        if len(held) == 1:
            return f"{name} is always {self.world.show(held[0], type_)}"
        if _is_range(self._held[slot]):
            return f"{name} is always {min(held)}..{max(held)}"
        if len(never) <= len(held):
            return f"{name} is never {' or '.join(self.world.show(value, type_) for value in never)}"
        return f"{name} is always {' or '.join(self.world.show(value, type_) for value in held)}"


def _is_range(values: set[Value]) -> bool:
    return (
        len(values) > 2
        and all(isinstance(value, int) and not isinstance(value, bool) for value in values)
        and max(values) - min(values) == len(values) - 1
    )
