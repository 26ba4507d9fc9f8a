"""What does not change during a game: the things, their names, where they lie on maps and grids, and where in the state
each slot has its cells.

Values while playing: numbers are `int`, yes/no `bool`, values of an enumeration their names, things their number within
their kind, `none` is None; sets are frozensets, bags sorted tuples, orders and piles tuples with the front or top
first. `NOTHING` is what an attribute of `none` gives.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from rules import model as m
from rules.check import CheckedRulebook
from rules.diagnostics import InternalError
from rules.symbols import KindSymbol, SlotSymbol
from rules.types import BagT, EnumT, KindT, MaybeT, NumberT, OrderT, PileT, SetT, TruthT, Type, without_none


class Nothing(Enum):
    NOTHING = "nothing"

    def __repr__(self) -> str:
        return "NOTHING"


NOTHING = Nothing.NOTHING
Value = Any  # one of the values above; the checker has made sure which


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a slot: `base` is the first, one for each combination of the values that it is asked of."""

    symbol: SlotSymbol
    node: m.Slot
    base: int
    domains: tuple[tuple[Value, ...], ...]
    places: tuple[dict[Value, int], ...]  # the place of each value in its domain

    def address(self, args: tuple[Value, ...]) -> int | None:
        """The cell, or None where something is asked of nothing."""
        offset = 0
        for arg, domain, places in zip(args, self.domains, self.places, strict=True):
            place = places.get(arg)
            if place is None:
                return None
            offset = offset * len(domain) + place
        return self.base + offset

    def args_at(self, address: int) -> tuple[Value, ...]:
        """What the slot is asked of at a cell: the other way round than `address`."""
        offset = address - self.base
        found: list[Value] = []
        for domain in reversed(self.domains):
            offset, place = divmod(offset, len(domain))
            found.append(domain[place])
        return tuple(reversed(found))

    @property
    def count(self) -> int:
        total = 1
        for domain in self.domains:
            total *= len(domain)
        return total


@dataclass(frozen=True)
class World:
    checked: CheckedRulebook
    seats: int
    things: dict[str, tuple[str, ...]] = field(repr=False)  # the names of the things of each kind
    titles: dict[str, tuple[str, ...]] = field(repr=False)  # what copies of a thing share
    enums: dict[str, tuple[str, ...]] = field(repr=False)
    slots: dict[int, Cells] = field(repr=False)  # by identity of the symbol

    def domain(self, type_: Type) -> tuple[Value, ...]:
        """All values of a type, in order."""
        match type_:
            case NumberT(low=low, high=high):
                return tuple(range(low, high + 1))
            case TruthT():
                return (False, True)
            case EnumT(name=name):
                return self.enums[name]
            case KindT(name=name):
                return tuple(range(len(self.things[name])))
            case MaybeT(of=of):
                return (*self.domain(of), None)
            case _:
                raise InternalError(f"the values of {type_} cannot be listed")

    def has(self, type_: Type, value: Value) -> bool:
        """Whether a value is one of a type."""
        match type_:
            case NumberT(low=low, high=high):
                return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
            case TruthT():
                return isinstance(value, bool)
            case EnumT(name=name):
                return value in self.enums[name]
            case KindT(name=name):
                return isinstance(value, int) and 0 <= value < len(self.things[name])
            case MaybeT(of=of):
                return value is None or self.has(of, value)
            case SetT(of=of):
                return isinstance(value, frozenset) and (of is None or all(self.has(of, item) for item in value))
            case BagT(of=of, limit=limit):
                return isinstance(value, tuple) and len(value) <= limit and all(self.has(of, item) for item in value)
            case OrderT(kind=kind):
                return isinstance(value, tuple) and sorted(value) == list(range(len(self.things[kind])))
            case _:
                return True

    def neighbours(self, kind: str, relation: str) -> tuple[frozenset[int], ...]:
        """For each place, those that one step leads to."""
        return self.relations[kind, relation]

    @cached_property
    def relations(self) -> dict[tuple[str, str], tuple[frozenset[int], ...]]:
        found: dict[tuple[str, str], tuple[frozenset[int], ...]] = {}
        for kind in self.checked.kinds.values():
            if kind.grid is not None:
                found[kind.name, "next"] = _grid_steps(kind, diagonal=False)
                found[kind.name, "diagonal"] = _grid_steps(kind, diagonal=True)
        for declaration in self.checked.book.declarations:
            if isinstance(declaration, m.Map):
                steps = self._map_steps(declaration)
                found[declaration.of.text, declaration.name.text] = steps
                found.setdefault((declaration.of.text, "next"), steps)
        return found

    def _map_steps(self, node: m.Map) -> tuple[frozenset[int], ...]:
        names = self.things[node.of.text]
        steps: list[set[int]] = [set() for _ in names]
        for line in node.lines:
            for link in line.links:
                for one, other in zip(link.places, link.places[1:], strict=False):
                    a, b = names.index(one.text), names.index(other.text)
                    steps[a].add(b)
                    if not link.one_way:
                        steps[b].add(a)
        return tuple(frozenset(s) for s in steps)

    @cached_property
    def _distances(self) -> dict[str, tuple[dict[int, int], ...]]:
        found: dict[str, tuple[dict[int, int], ...]] = {}
        for kind, relation in self.relations:
            if relation == "next":
                steps = self.relations[kind, relation]
                found[kind] = tuple(_distances_from(start, steps) for start in range(len(steps)))
        return found

    def distance(self, kind: str, one: int, other: int) -> int | None:
        return self._distances[kind][one].get(other)

    def show(self, value: Value, type_: Type) -> str:
        """A value in the words of the game."""
        match without_none(type_):
            case _ if value is None:
                return "none"
            case TruthT():
                return "yes" if value else "no"
            case KindT(name=name):
                return self.things[name][value]
            case SetT(of=of):
                return "{" + ", ".join(self.show(v, of) if of else str(v) for v in sorted(value)) + "}"
            case BagT(of=of):
                return "{" + ", ".join(self.show(v, of) for v in value) + "}"
            case OrderT(kind=name) | PileT(kind=name):
                return "[" + ", ".join(self.things[name][v] for v in value) + "]"
            case _:
                return str(value)


def world_of(checked: CheckedRulebook, seats: int | None = None) -> World:
    """The world for a number of players; without one, as few as the game allows."""
    players = checked.kinds[checked.players] if checked.players else None
    count = seats if seats is not None else (players.least if players else 0)
    if players is not None and not players.least <= count <= players.most:
        range_ = str(players.least) if players.least == players.most else f"{players.least} to {players.most}"
        raise ValueError(f"the game is for {range_} players, not {count}")
    things: dict[str, tuple[str, ...]] = {}
    titles: dict[str, tuple[str, ...]] = {}
    for kind in checked.kinds.values():
        size = count if players is not None and kind.name == players.name else kind.most
        things[kind.name], titles[kind.name] = _names(kind, _members(checked.book, kind.name), size)
    enums = {
        d.name.text: tuple(v.text for v in d.body)
        for d in checked.book.declarations
        if isinstance(d, m.TypeDecl) and not isinstance(d.body, m.RangeType)
    }
    world = World(checked, count, things, titles, enums, {})
    base = 0
    for node in _slot_nodes(checked.book):
        symbol = checked.symbol_of(node)
        assert isinstance(symbol, SlotSymbol)
        domains = tuple(world.domain(param) for param in symbol.params)
        places = tuple({value: place for place, value in enumerate(domain)} for domain in domains)
        cells = Cells(symbol, node, base, domains, places)
        world.slots[id(symbol)] = cells
        base += cells.count
    return world


def _members(book: m.Rulebook, kind: str) -> tuple[m.Member, ...]:
    for declaration in book.declarations:
        if isinstance(declaration, m.Kind) and declaration.name.text == kind:
            return declaration.population.members if isinstance(declaration.population, m.Members) else ()
    return ()


def _names(kind: KindSymbol, members: tuple[m.Member, ...], size: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if members:
        titles = tuple(member.name.text for member in members for _ in range(member.copies))
        names = tuple(
            member.name.text if member.copies == 1 else f"{member.name.text} {copy + 1}"
            for member in members
            for copy in range(member.copies)
        )
        return names, titles
    if kind.members:
        return kind.members, kind.members
    if kind.grid is not None:
        cells = tuple(
            f"{kind.name} {column},{row}"
            for row in range(1, kind.grid.rows + 1)
            for column in range(1, kind.grid.columns + 1)
        )
        return cells, cells
    plain = tuple(f"{kind.name} {i + 1}" for i in range(size))
    return plain, plain


def _slot_nodes(book: m.Rulebook) -> list[m.Slot]:
    found: list[m.Slot] = []
    for declaration in book.declarations:
        match declaration:
            case m.State(slots=slots) | m.Piles(slots=slots) | m.Pool(slots=slots):
                found += slots
            case m.Kind(lines=lines):
                found += [line for line in lines if isinstance(line, m.Slot)]
            case _:
                pass
    return found


def _grid_steps(kind: KindSymbol, diagonal: bool) -> tuple[frozenset[int], ...]:
    grid = kind.grid
    assert grid is not None
    columns, rows = grid.columns, grid.rows
    result: list[frozenset[int]] = []
    for place in range(columns * rows):
        row, column = divmod(place, columns)
        steps: tuple[tuple[int, int], ...]
        if grid.shape.text == "square":
            steps = ((1, 1), (1, -1), (-1, 1), (-1, -1)) if diagonal else ((1, 0), (-1, 0), (0, 1), (0, -1))
        elif diagonal:
            steps = ()
        else:
            # Rows are shifted by half a hex; odd rows (counted from 0) stand further right.
            shift = row % 2
            steps = ((0, 1), (0, -1), (1, shift), (1, shift - 1), (-1, shift), (-1, shift - 1))
        inside = {
            (row + dr) * columns + column + dc
            for dr, dc in steps
            if 0 <= row + dr < rows and 0 <= column + dc < columns
        }
        result.append(frozenset(inside))
    return tuple(result)


def _distances_from(start: int, steps: tuple[frozenset[int], ...]) -> dict[int, int]:
    found = {start: 0}
    waiting = deque([start])
    while waiting:
        place = waiting.popleft()
        for after in steps[place]:
            if after not in found:
                found[after] = found[place] + 1
                waiting.append(after)
    return found
