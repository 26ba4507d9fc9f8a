"""Rows of tables and rolls, cut into boxes: keys that no row tells apart are one box.

In: rows, and the keys that they are asked with. Out: the boxes, which rows each meets, the condition that the keys are
in it, and its words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from rules import model as m
from rules.span import Span
from rules.symbols import ConstantSymbol, DieSymbol, TableSymbol
from rules.types import EnumT, KindT, TruthT, Type, without_none
from rules.walk import nodes_of
from solver.encode.sym import Sym
from solver.terms import Flag, at_most, both, bounds, every, no
from solver.verdict import Proved
from verifier.court import Court

_MOST = 2_000  # boxes of one table
_TRIMMED = 40  # values at each end of a side

Side = tuple[int, int]  # the least and the greatest code; yes and no are 1 and 0


@dataclass(frozen=True, slots=True)
class Rows:
    """A table, or what stands below a roll; then `name` is the die."""

    name: m.Name
    rows: tuple[m.Row, ...]
    types: tuple[Type, ...]
    clauses: m.Clauses
    is_table: bool

    @property
    def words(self) -> str:
        return f"`{self.name.text}`" if self.is_table else f"this roll of `{self.name.text}`"


def all_rows(court: Court) -> dict[Span, Rows]:
    """Everything with rows, by the span of its name."""
    found: dict[Span, Rows] = {}
    for node in nodes_of(court.checked.book.declarations):
        if isinstance(node, m.Table):
            symbol = court.checked.symbol_of(node.name)
            assert isinstance(symbol, TableSymbol)
            found[node.name.span] = Rows(node.name, node.rows, symbol.params, node.clauses, True)
        elif isinstance(node, m.RollRows):
            die = court.checked.symbol_of(node.die)
            assert isinstance(die, DieSymbol)
            found[node.die.span] = Rows(node.die, node.rows, (die.type,), m.NO_CLAUSES, False)
    return found


@dataclass(frozen=True, slots=True)
class Box:
    sides: tuple[Side, ...]
    rows: tuple[m.Row, ...]  # those that meet it
    words: str


def boxes(court: Court, given: Rows, keys: tuple[Sym, ...]) -> Iterator[Box]:
    """All that the keys can be, as far as their bounds tell; none where that would be too many."""
    rows, types = given.rows, given.types
    sides = [_sides(rows, place, type_, key) for place, (type_, key) in enumerate(zip(types, keys, strict=True))]
    size = 1
    for one in sides:
        size *= len(one)
    if size > _MOST:
        return
    for combination in product(*sides):
        meeting = tuple(row for row in rows if not row.is_rest and _meets(court, row, combination))
        meeting = meeting or tuple(row for row in rows if row.is_rest)
        yield Box(combination, meeting, _all_words(court, combination, types))


def trimmed(court: Court, box: Box, keys: tuple[Sym, ...], given: Rows, when: Flag) -> Box:
    """The same box without the ends of its sides that cannot come up."""
    sides = list(box.sides)
    for place, (low, high) in enumerate(box.sides):
        for value in range(low, min(high, low + _TRIMMED)):
            if not _excludes(court, keys[place], value, when):
                break
            sides[place] = (value + 1, high)
        for value in range(high, max(sides[place][0], high - _TRIMMED), -1):
            if not _excludes(court, keys[place], value, when):
                break
            sides[place] = (sides[place][0], value - 1)
    return Box(tuple(sides), box.rows, _all_words(court, tuple(sides), given.types))


def _excludes(court: Court, key: Sym, value: int, when: Flag) -> bool:
    return isinstance(court.possible(("reached", when), ("key", _between(key, (value, value)))), Proved)


def _all_words(court: Court, sides: tuple[Side, ...], types: tuple[Type, ...]) -> str:
    return ", ".join(_words(court, side, type_) for side, type_ in zip(sides, types, strict=True))


def inside(box: Box, keys: tuple[Sym, ...]) -> Flag:
    return every(both(key.there, _between(key, side)) for key, side in zip(keys, box.sides, strict=True))


def _between(key: Sym, side: Side) -> Flag:
    low, high = side
    if _is_flag(key):
        return True if low < high else key.payload if low else no(key.payload)
    return both(at_most(low, key.payload), at_most(key.payload, high))


def _is_flag(key: Sym) -> bool:
    return isinstance(key.payload, bool) or bool(getattr(key.payload, "is_flag", False))


def _sides(rows: tuple[m.Row, ...], place: int, type_: Type, key: Sym) -> list[Side]:
    """Numbers are cut where a row begins or ends; all else is told apart one by one."""
    low, high = (0, 1) if _is_flag(key) else bounds(key.payload)
    if isinstance(without_none(type_), EnumT | KindT) or _is_flag(key):
        return [(value, value) for value in range(low, high + 1)]
    cuts = {low, high + 1}
    for one in (one for row in rows if not row.is_rest for one in _each(row.keys[place])):
        if isinstance(one, m.NumberKey):
            cuts |= {one.low, high + 1 if one.high is None else one.high + 1}
    ordered = sorted(cut for cut in cuts if low <= cut <= high + 1)
    return [(a, b - 1) for a, b in pairwise(ordered)]


def _each(key: m.Key) -> tuple[m.Key, ...]:
    return key.keys if isinstance(key, m.OneOfKey) else (key,)


def _meets(court: Court, row: m.Row, sides: tuple[Side, ...]) -> bool:
    return all(_fits(court, key, side) for key, side in zip(row.keys, sides, strict=True))


def _fits(court: Court, key: m.Key, side: Side) -> bool:
    low, high = side
    match key:
        case m.NumberKey():
            return key.low <= low and (key.high is None or high <= key.high)
        case m.TruthKey(value=wanted):
            return low == high == int(wanted)
        case m.NameKey(name=name):
            symbol = court.checked.symbol_of(name)
            assert isinstance(symbol, ConstantSymbol)
            world = court.machine.world
            if isinstance(symbol.type, KindT):
                return low == high and world.things[symbol.type.name][low] == name.text
            assert isinstance(symbol.type, EnumT)
            return low == high and world.enums[symbol.type.name][low] == name.text
        case m.AnyKey():
            return True
        case m.OneOfKey(keys=keys):
            return any(_fits(court, one, side) for one in keys)


def _words(court: Court, side: Side, type_: Type) -> str:
    low, high = side
    world = court.machine.world
    match without_none(type_):
        case EnumT(name=name):
            return world.enums[name][low]
        case KindT(name=name):
            return world.things[name][low]
        case TruthT():
            return "yes" if low else "no"
        case _:
            return str(low) if low == high else f"{low}..{high}"
