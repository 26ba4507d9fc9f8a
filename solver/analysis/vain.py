"""What a step sets for nothing, and what a step reads before another first sets it: by the order of the steps alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine import Machine
from rules.symbols import SlotSymbol
from rules.types import NumberT, TruthT
from solver.analysis.last_written import START, Reading, Walk, Write


@dataclass(frozen=True, slots=True, eq=False)
class InVain:
    """What `written` makes of a slot, something else overwrites (`by`) before anything reads it, in every play.

    `readings` come after that; `always` is what all that read it find, in words; None where that varies.
    """

    slot: str
    written: tuple[Write, ...]
    by: tuple[Write, ...]
    readings: tuple[Reading, ...]
    always: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Unset:
    """A slot without `starts` that `reading` reads, in every play, before `written` first set it."""

    slot: str
    reading: Reading
    written: tuple[Write, ...]
    value: str


@dataclass(frozen=True, slots=True)
class Orders:
    in_vain: tuple[InVain, ...]
    unset: tuple[Unset, ...]


def orders_of(machine: Machine) -> Orders:
    walk = Walk(machine)
    walk.run()
    found = _Sought(walk)
    return Orders(tuple(found.in_vain()), tuple(found.unset()))


class _Sought:
    def __init__(self, walk: Walk) -> None:
        self.walk = walk

    def unset(self) -> Iterator[Unset]:
        """What was read in a round before it was first written in it, by the one step that always does."""
        told: set[tuple[int, str]] = set()
        for reading, last in self.walk.first_read:
            slot = self.walk.slots[reading.slot]
            writes = [self.walk.writes[one] for one in last if one != START]
            if (
                START not in last
                and (reading.slot, reading.moment) not in told
                and slot.node.starts is None
                and isinstance(slot.symbol.type, NumberT | TruthT)
                and len({write.moment for write in writes} - {reading.moment}) == 1
                and all(write.moment != reading.moment and self._is_found_out(write) for write in writes)
                and self._varies(writes)
            ):
                told.add((reading.slot, reading.moment))
                value = self.walk.machine.world.show(self.walk.start.cells[slot.base], slot.symbol.type)
                yield Unset(slot.symbol.name, reading, _in_order(writes), value)

    def _is_found_out(self, write: Write) -> bool:
        """Whether a statement sets a slot anew: neither what it was, nor counted on, nor kept from something else, nor
        always the same."""
        if not isinstance(write.node, m.Becomes) or (write.constant is not None and not write.sometimes):
            return False
        if isinstance(self.walk.checked.symbols.get(id(write.node.value)), SlotSymbol):
            return False
        return all(slot != write.slot for _, slot in self.walk.slots_in(write.node.value))

    def _varies(self, writes: Iterable[Write]) -> bool:
        """Whether statements do not simply set one thing back to what it always is."""
        found = list(writes)
        return any(write.constant is None or write.sometimes for write in found) or (
            len({write.constant for write in found}) > 1
        )

    def in_vain(self) -> Iterator[InVain]:
        groups: dict[tuple[int, str], list[Write]] = {}
        for write in self.walk.writes.values():
            groups.setdefault((write.slot, write.moment), []).append(write)
        for (slot, moment), writes in groups.items():
            readings = tuple(one for one in self.walk.readings.values() if one.slot == slot)
            nodes = {id(write.node) for write in writes}
            by = [
                self.walk.writes[other]
                for one in nodes
                for other in self.walk.overwritten.get(one, ())
                if self.walk.writes[other].moment != moment
            ]
            if not readings or not by or nodes & self.walk.used or not self._varies(writes):
                continue
            always = self._always(slot, readings)
            afterwards = tuple(one for one in readings if one.writers & {id(other.node) for other in by})
            if nodes & self.walk.shown and (always is None or not afterwards):
                continue  # what players have before them when they decide is not set for nothing
            name = self.walk.slots[slot].symbol.name
            yield InVain(name, _in_order(writes), _in_order(by), afterwards, always)

    def _always(self, slot: int, readings: Iterable[Reading]) -> str | None:
        """What all of them find there, in words."""
        cells = self.walk.slots[slot]
        type_ = cells.symbol.type
        held: set[str] = set()
        for one in {one for reading in readings for one in reading.writers}:
            constant = None if one == START else self.walk.writes[one].constant
            if one == START:
                held |= {
                    self.walk.machine.world.show(v, type_)
                    for v in self.walk.start.cells[cells.base : cells.base + cells.count]
                }
            elif constant is None:
                return None
            else:
                held.add(_shown(constant))
        return held.pop() if len(held) == 1 else None


def _shown(constant: tuple[str, object]) -> str:
    sort, value = constant
    if sort == "truth":
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _in_order(writes: Iterable[Write]) -> tuple[Write, ...]:
    found = {id(write.node): write for write in writes}
    return tuple(sorted(found.values(), key=lambda write: (write.node.span.source.path, write.node.span.start)))
