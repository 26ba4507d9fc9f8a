"""A story as a graph of places with edges between them: what must hold to go along an edge, and what it changes.

Places stand for passages, for where their options are chosen, and for where ways join. Cells are those of the state
that the story names; each has its values, by number. What is not modelled is taken to go either way, and to change
cells to anything: what cannot be reached here cannot be reached in play.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.machine.world import Value

State = tuple[int, ...]  # for each cell the number of its value


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """A cell of the state; `values` are those of its type in order."""

    address: int
    name: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Guard:
    """A condition on cells: the combinations of their values with which it can hold."""

    cells: tuple[int, ...]
    fitting: frozenset[State]


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """What a cell can become, by the values of the cells that are read; it is not among them where that is not said.

    Where a combination has no new value, the game stops there.
    """

    cell: int
    reads: tuple[int, ...]
    becomes: Mapping[State, tuple[int, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Forget:
    """Cells that can be anything from here on."""

    cells: frozenset[int]


Op = Guard | Change | Forget


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """`marks` are the identities of the options and statements that are passed along it; `chosen` are those of the
    options that are chosen, in order; `cost` is how often something is decided on it."""

    source: int
    target: int
    ops: tuple[Op, ...] = ()
    marks: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    cost: int = 0


@dataclass(slots=True)
class Program:
    """`entries` are the places where passages begin, `marks` all that is looked for on edges. `left_out` names what is
    not modelled."""

    cells: list[Cell] = field(default_factory=list)
    start: State = ()
    edges: list[Edge] = field(default_factory=list)
    places: int = 1
    entries: dict[str, list[int]] = field(default_factory=dict)
    marks: frozenset[int] = frozenset()
    left_out: dict[str, None] = field(default_factory=dict)

    def after(self) -> list[list[Edge]]:
        found: list[list[Edge]] = [[] for _ in range(self.places)]
        for edge in self.edges:
            found[edge.source].append(edge)
        return found
