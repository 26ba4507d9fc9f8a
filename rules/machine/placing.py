"""From what a position holds to a state: things and counters are conserved, and control comes to a decision.

What is wanted is made so before play goes on to that decision, and once more at it, because what happens on the way may
have changed it: the same as in scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Literal

from rules import model as m
from rules.machine.base import Chance, Choice, Happening, Node, Over
from rules.machine.run import Machine
from rules.machine.state import State
from rules.machine.way import Stop, decisions, enter, is_inside
from rules.machine.world import Cells, Value

_MOST_DECISIONS = 50  # decisions that are looked at on the way to one that stands


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a position says; what it does not say is as at the start of a game."""

    cells: Mapping[int, Value] = field(default_factory=dict)
    disabled: Mapping[str, tuple[m.Event, dict[str, Value]] | None] = field(default_factory=dict)
    lost: tuple[int, ...] = ()
    happened: tuple[Happening, ...] = ()
    stops: tuple[Stop, ...] = ()


@dataclass(frozen=True, slots=True)
class Heap:
    """All piles of a kind, by their cells in the order of the book: every thing of the kind lies in one of them."""

    kind: str
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Purse:
    """All places of the counters of one pool, or of one owner's; `rest` are the cells that take up what is left."""

    pool: m.Pool
    owner: Value
    cells: tuple[int, ...]
    rest: tuple[int, ...]


class Placing:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.start = machine.start()

    # ---- what is conserved

    @cached_property
    def heaps(self) -> tuple[Heap, ...]:
        found: dict[str, list[int]] = {}
        for declaration in self.machine.checked.book.declarations:
            if isinstance(declaration, m.Piles):
                cells = found.setdefault(declaration.of.text, [])
                for node in declaration.slots:
                    cells += _addresses(self._slot(node))
        return tuple(Heap(kind, tuple(cells)) for kind, cells in found.items())

    @cached_property
    def purses(self) -> tuple[Purse, ...]:
        return tuple(
            purse
            for declaration in self.machine.checked.book.declarations
            if isinstance(declaration, m.Pool)
            for purse in self._purses(declaration)
        )

    def _purses(self, pool: m.Pool) -> list[Purse]:
        slots = [self._slot(node) for node in pool.slots]
        owners: tuple[Value, ...] = (None,) if pool.each is None else slots[0].domains[0]
        found = []
        for owner in owners:
            cells = {
                slot.base: tuple(
                    address
                    for address, args in enumerate(product(*slot.domains), slot.base)
                    if pool.each is None or args[0] == owner
                )
                for slot in slots
            }
            rest = tuple(a for slot in slots if slot.node.starts == "rest" for a in cells[slot.base])
            found.append(Purse(pool, owner, tuple(a for part in cells.values() for a in part), rest))
        return found

    def _slot(self, node: m.Slot) -> Cells:
        return self.machine.world.slots[id(self.machine.checked.symbol_of(node))]

    def homeless(self, heap: Heap, cells: Mapping[int, Value]) -> list[int]:
        """The things that no pile is left for, because all piles say what they hold."""
        if any(cell not in cells for cell in heap.cells):
            return []
        placed = {thing for cell in heap.cells for thing in cells[cell]}
        return [thing for thing in range(len(self.machine.world.things[heap.kind])) if thing not in placed]

    def surplus(self, purse: Purse, cells: Mapping[int, Value]) -> int:
        """How many counters are too many, or, below zero, too few; what the rest takes up counts as neither."""
        taker = _taker(purse, cells)
        placed = sum(cells.get(cell, self.start.cells[cell]) for cell in purse.cells if cell != taker)
        surplus = int(placed - purse.pool.total)
        return surplus if taker is None else max(0, surplus)

    # ---- making it so

    def give(self, wanted: Wanted, state: State) -> None:
        state.cells = [wanted.cells.get(place, value) for place, value in enumerate(state.cells)]
        for heap in self.heaps:
            if any(cell in wanted.cells for cell in heap.cells):
                self._give_piles(heap, wanted.cells, state)
        for purse in self.purses:
            if any(cell in wanted.cells for cell in purse.cells):
                self._give_counters(purse, wanted.cells, state)
        state.disabled.update(wanted.disabled)
        state.outcomes.update((player, "loses") for player in wanted.lost)

    def _give_piles(self, heap: Heap, cells: Mapping[int, Value], state: State) -> None:
        """A pile that is given holds exactly that; other things of it go back to where they start, or to the first pile
        that is not given."""
        free = [cell for cell in heap.cells if cell not in cells]
        placed = {thing for cell in heap.cells if cell in cells for thing in cells[cell]}
        for cell in free:
            state.cells[cell] = tuple(thing for thing in state.cells[cell] if thing not in placed)
            placed.update(state.cells[cell])
        for thing in range(len(self.machine.world.things[heap.kind])):
            if thing not in placed:
                home = next((cell for cell in free if thing in self.start.cells[cell]), free[0])
                state.cells[home] = (*state.cells[home], thing)

    def _give_counters(self, purse: Purse, cells: Mapping[int, Value], state: State) -> None:
        taker = _taker(purse, cells)
        others = [cell for cell in purse.cells if cell != taker]
        if taker is None or sum(state.cells[cell] for cell in others) > purse.pool.total:
            for cell in others:
                state.cells[cell] = cells.get(cell, self.start.cells[cell])
        if taker is not None:
            state.cells[taker] = purse.pool.total - sum(state.cells[cell] for cell in others)

    # ---- going to the decision

    def arrive(self, wanted: Wanted) -> tuple[State, Node] | Literal["no way", "no decision"]:
        """The first decision inside the moment at which everything is as it is wanted; a point that the rules leave
        open, if every way leads to one."""
        state = self.machine.start()
        self.give(wanted, state)
        if not enter(self.machine, state, wanted.stops, {}):
            return "no way"
        waiting = [state]
        opened: tuple[State, Node] | None = None
        for _ in range(_MOST_DECISIONS):
            if not waiting:
                break
            for after, node in decisions(self.machine, waiting.pop(0), wanted.stops):
                if isinstance(node, Over):
                    continue
                self.give(wanted, after)
                logged = len(after.log)
                after.log += wanted.happened
                if not isinstance(node, Choice):
                    opened = opened or (after, node)
                    continue
                cells = list(after.cells)
                settled = self.machine.run(after)
                if isinstance(settled, Chance | Over) or after.cells != cells or not is_inside(after, wanted.stops):
                    # Nobody could decide as things stand, and play went on: to the next decision.
                    del after.log[logged : logged + len(wanted.happened)]
                    waiting.append(after)
                elif isinstance(settled, Choice):
                    return after, settled
                else:
                    opened = opened or (after, settled)
        return opened or "no decision"


def _taker(purse: Purse, cells: Mapping[int, Value]) -> int | None:
    return next((cell for cell in purse.rest if cell not in cells), None)


def _addresses(slot: Cells) -> range:
    return range(slot.base, slot.base + slot.count)
