"""Sets of states as plain integers: a bit for each combination of the values of a few cells.

What conditions and effects ask of other cells is taken to be as it may be: sets can only be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from solver.stories.program import Change, Edge, Forget, Guard, Op, Program

Set = int
Step = tuple[str, object]


class Group:
    """Some cells of a program; `size` is the number of combinations of their values."""

    def __init__(self, program: Program, cells: Iterable[int]) -> None:
        self.cells = tuple(sorted(cells))
        self._radix = {cell: len(program.cells[cell].values) for cell in self.cells}
        self.size = prod(self._radix.values())
        self._stride: dict[int, int] = {}
        stride = 1
        for cell in self.cells:
            self._stride[cell] = stride
            stride *= self._radix[cell]
        self.all: Set = (1 << self.size) - 1
        self._masks = {
            (cell, value): self._mask(cell, value) for cell in self.cells for value in range(self._radix[cell])
        }
        self._guards: dict[int, Set | None] = {}
        self._changes: dict[int, tuple[tuple[Set, int, int], ...] | None] = {}
        self._kept: list[object] = []  # what is known by its identity stays alive

    def _mask(self, cell: int, value: int) -> Set:
        """The states in which a cell has a value."""
        stride, radix = self._stride[cell], self._radix[cell]
        found, width = ((1 << stride) - 1) << (value * stride), stride * radix
        while width < self.size:
            found |= found << width
            width *= 2
        return found & self.all

    def state(self, values: Sequence[int]) -> Set:
        """The set of one state, given the values of all cells of the program."""
        return 1 << sum(values[cell] * self._stride[cell] for cell in self.cells)

    # ---- along an edge

    def along(self, edge: Edge, states: Set) -> Set:
        for op in edge.ops:
            if not states:
                return 0
            states = self.after(op, states)
        return states

    def touches(self, op: Op) -> bool:
        match op:
            case Guard():
                return self._guard(op) is not None
            case Change(cell=cell):
                return cell in self._stride or not all(op.becomes.values())
            case Forget(cells=cells):
                return not cells.isdisjoint(self._stride)

    def after(self, op: Op, states: Set) -> Set:
        match op:
            case Guard():
                mask = self._guard(op)
                return states if mask is None else states & mask
            case Change():
                return self._change(op, states)
            case Forget(cells=cells):
                for cell in cells:
                    if cell in self._stride:
                        states = self._forget(cell, states)
                return states

    def _guard(self, guard: Guard) -> Set | None:
        """None where a condition says nothing about these cells."""
        if id(guard) not in self._guards:
            self._kept.append(guard)
            mine = [place for place, cell in enumerate(guard.cells) if cell in self._stride]
            found: Set | None = None
            if mine:
                combinations = {tuple(state[place] for place in mine) for state in guard.fitting}
                cells = [guard.cells[place] for place in mine]
                found = 0
                for values in combinations:
                    found |= self._where(cells, values)
                if found == self.all:
                    found = None
            self._guards[id(guard)] = found
        return self._guards[id(guard)]

    def _where(self, cells: Sequence[int], values: Sequence[int]) -> Set:
        found = self.all
        for cell, value in zip(cells, values, strict=True):
            found &= self._masks[cell, value]
        return found

    def _change(self, change: Change, states: Set) -> Set:
        moves = self._changes.get(id(change))
        if moves is None:
            self._kept.append(change)
            moves = self._changes[id(change)] = tuple(self._moves(change))
        found = 0
        for mask, left, right in moves:
            met = states & mask
            if met:
                found |= met << left >> right
        return found

    def _moves(self, change: Change) -> Iterable[tuple[Set, int, int]]:
        """States to move, and how far: left or right."""
        mine = [place for place, cell in enumerate(change.reads) if cell in self._stride]
        cells = [change.reads[place] for place in mine]
        becomes: dict[tuple[int, ...], dict[int, None]] = {}
        for state, new in change.becomes.items():
            becomes.setdefault(tuple(state[place] for place in mine), {}).update(dict.fromkeys(new))
        inside = change.cell in self._stride
        for values, new_values in becomes.items():
            where = self._where(cells, values)
            if not inside:
                if new_values:
                    yield where, 0, 0
                continue
            for old in range(self._radix[change.cell]):
                mask = where & self._masks[change.cell, old]
                if mask:
                    for value in new_values:
                        far = (value - old) * self._stride[change.cell]
                        yield mask, max(0, far), max(0, -far)

    def _forget(self, cell: int, states: Set) -> Set:
        stride, radix = self._stride[cell], self._radix[cell]
        lowest = 0
        for value in range(radix):
            lowest |= (states & self._masks[cell, value]) >> (value * stride)
        found = 0
        for value in range(radix):
            found |= lowest << (value * stride)
        return found

    def value(self, cell: int, state: Set) -> int | None:
        """The value of a cell in a set of one state; None for other cells."""
        if cell not in self._stride:
            return None
        return (state.bit_length() - 1) // self._stride[cell] % self._radix[cell]
