"""The functions of the language as terms: sizes, ends of piles, places, distances, grids."""

from __future__ import annotations

from abc import ABC

from rules import model as m
from rules.symbols import RankSymbol
from rules.types import KindT, SetT, without_none
from solver.encode.base import Env, NotEncodable, element_of
from solver.encode.comparing import Comparing
from solver.encode.sym import ABSENT, Row, Sym, end_of, look_up, place_in, size_of
from solver.terms import (
    Flag,
    Number,
    at_most,
    both,
    equal,
    every,
    larger,
    minus,
    modulo,
    no,
    pick,
    plus,
    smaller,
    some,
    times,
    total,
)


class Builtins(Comparing, ABC):
    def _builtin(self, name: str, expr: m.Ref, env: Env) -> Sym:
        types = [without_none(self.checked.type_of(arg)) for arg in expr.args]
        if name == "place":
            symbol = self.checked.symbols.get(id(expr.args[1]))
            if isinstance(symbol, RankSymbol):
                order = expr.args[1]
                assert isinstance(order, m.Ref)
                given = tuple(self.value(arg, env) for arg in order.args)
                return self.rank_place(symbol, self.value(expr.args[0], env), given)
        args = [self.value(arg, env) for arg in expr.args]
        absent = no(every(arg.there for arg in args))
        match name:
            case "size":
                return Sym(0 if absent is True else size_of(args[0]), False, absent)
            case "top" | "front" | "bottom" | "back":
                return self._end(args[0], last=name in ("bottom", "back"))
            case "following":
                return self._following(args[0], args[1])
            case "row" | "column":
                grid = self._grid(types[0])
                table = [
                    Sym(c // grid.columns + 1 if name == "row" else c % grid.columns + 1)
                    for c in range(grid.columns * grid.rows)
                ]
                return self._at(args[0], table)
            case "cell":
                of = types[0]
                assert isinstance(of, SetT)
                assert isinstance(of.of, KindT)
                return self._grid_cell(self._grid(of.of), args[1], args[2])
            case "distance":
                place = types[0]
                assert isinstance(place, KindT)
                return self._distance(place.name, args[0], args[1])
            case "place":
                return self._place_of(args[0], args[1])
            case "larger":
                return Sym(larger(args[0].payload, args[1].payload), False, absent)
            case "smaller":
                return Sym(smaller(args[0].payload, args[1].payload), False, absent)
            case "remainder":
                return Sym(modulo(args[0].payload, args[1].payload), False, absent)
            case "count":
                return self._count(args[0], args[1], types[0], element_of(types[1]))
            case "sum":
                if args[0].there is False:
                    return ABSENT
                counts = self._as_counts(args[0])
                return Sym(total((key, number) for key, number in counts.items()), False, absent)
            case _:
                raise NotEncodable(f"`{name}` has no form as a term", expr.span)

    def _end(self, pile: Sym, last: bool) -> Sym:
        if pile.there is False:
            return ABSENT
        row: Row = pile.payload
        known = self._ends.get((id(row), last))
        if known is None:
            known = self._ends[id(row), last] = (row, end_of(row, last))
        found = known[1]
        return Sym(found.payload, both(pile.there, found.none), no(pile.there))

    def _following(self, thing: Sym, order: Sym) -> Sym:
        if order.there is False:
            return ABSENT
        row: Row = order.payload
        size = size_of(order)
        found: list[tuple[Flag, Sym]] = []
        for key, inside in row.members.items():
            place = plus(place_in(row, key), 1)
            wanted = pick(equal(place, size), 0, place)
            for other, also in row.members.items():
                test = both(equal(thing.payload, key), inside, also, equal(place_in(row, other), wanted))
                if test is not False:
                    found.append((test, Sym(other)))
        inside_ = both(thing.there, order.there, some(test for test, _ in found))
        inner = look_up(found, Sym(0))
        return Sym(inner.payload, False, no(inside_))

    def _place_of(self, thing: Sym, order: Sym) -> Sym:
        if order.there is False:
            return ABSENT
        row: Row = order.payload
        found = [
            (both(equal(thing.payload, key), inside), Sym(plus(place_in(row, key), 1)))
            for key, inside in row.members.items()
        ]
        inside_ = both(thing.there, order.there, some(test for test, _ in found))
        return Sym(look_up(found, Sym(1)).payload, False, no(inside_))

    def _count(self, item: Sym, group: Sym, item_type: object, element: object) -> Sym:
        absent = no(both(item.there, group.there))
        if group.there is False:
            return ABSENT
        found: list[tuple[int, Number]] = []
        for key, number in self._as_counts(group).items():
            lifted = Sym(key)
            test = self._same(item, lifted, item_type, element)
            found.append((1, pick(test, number, 0)))
        return Sym(total(found), False, absent)

    def _grid(self, type_: object) -> m.Grid:
        assert isinstance(type_, KindT)
        grid = self.checked.kinds[type_.name].grid
        assert grid is not None
        return grid

    def _grid_cell(self, grid: m.Grid, column: Sym, row: Sym) -> Sym:
        inside = both(
            column.there,
            row.there,
            at_most(1, column.payload),
            at_most(column.payload, grid.columns),
            at_most(1, row.payload),
            at_most(row.payload, grid.rows),
        )
        place = plus(times(minus(row.payload, 1), grid.columns), minus(column.payload, 1))
        most = grid.columns * grid.rows - 1
        return Sym(pick(inside, smaller(larger(place, 0), most), 0), no(inside))

    def _distance(self, kind: str, one: Sym, other: Sym) -> Sym:
        found: list[tuple[Flag, Sym]] = []
        size = len(self.world.things[kind])
        for a in range(size):
            here = equal(one.payload, a)
            if here is False:
                continue
            for b in range(size):
                steps = self.world.distance(kind, a, b)
                test = both(here, equal(other.payload, b))
                if steps is not None and test is not False:
                    found.append((test, Sym(steps)))
        inner = look_up(found, Sym(0))
        return Sym(inner.payload, False, no(both(one.there, other.there, some(test for test, _ in found))))
