"""States put away: of the cells only those that can change are kept, so that large boards cost little."""

from __future__ import annotations

from dataclasses import dataclass

from rules.machine import Machine
from rules.machine.state import State
from rules.machine.world import Value
from solver.play.slicing import changing_cells


@dataclass(frozen=True, slots=True)
class Packed:
    """`rest` is the state without its cells; nobody changes it."""

    packing: Packing
    cells: tuple[Value, ...]
    rest: State

    def unpack(self) -> State:
        state = self.rest.copy()
        state.cells = self.packing.filled(self.cells)
        return state


class Packing:
    """For the states that play of one machine reaches from its start. It `pays` where most cells never change."""

    def __init__(self, machine: Machine) -> None:
        self._start = machine.start().cells
        changing = changing_cells(machine)
        self.pays = 2 * len(changing) < len(self._start)
        self._changing = changing if self.pays else None

    def pack(self, state: State) -> Packed:
        cells, state.cells = state.cells, []
        rest = state.copy()
        state.cells = cells
        kept = tuple(cells) if self._changing is None else tuple([cells[place] for place in self._changing])
        return Packed(self, kept, rest)

    def filled(self, cells: tuple[Value, ...]) -> list[Value]:
        """All cells, of those that were kept."""
        if self._changing is None:
            return list(cells)
        found = list(self._start)
        for place, value in zip(self._changing, cells, strict=True):
            found[place] = value
        return found
