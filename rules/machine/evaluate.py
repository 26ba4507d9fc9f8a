"""Expressions to functions of the state. Each node of the text is compiled once per world.

A compiled expression takes the state and the variables that are bound, and gives a value. What is asked of nothing
gives `NOTHING`; arithmetic with it gives it again, and every comparison with it is no.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, assert_never

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.world import NOTHING, Value
from rules.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    KindSymbol,
    RankSymbol,
    RelationSymbol,
    SlotSymbol,
    TableSymbol,
    ValueSymbol,
    VariableSymbol,
)
from rules.types import EnumT, KindT, OrderT, PileT, SetT, TitleT, without_none

if TYPE_CHECKING:
    from rules.machine.run import Machine
    from rules.machine.state import State

Env = Mapping[str, Value]
Compiled = Callable[["State", Env], Value]

_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
_ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul}


class Evaluator:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.world = machine.world
        self.checked = machine.world.checked
        self._compiled: dict[int, Compiled] = {}

    def compiled(self, expr: m.Expr) -> Compiled:
        found = self._compiled.get(id(expr))
        if found is None:
            found = self._compiled[id(expr)] = self._compile(expr)
        return found

    def value(self, expr: m.Expr, state: State, env: Env) -> Value:
        return self.compiled(expr)(state, env)

    def holds(self, expr: m.Expr | None, state: State, env: Env) -> bool:
        """Whether a condition holds; none at all always does."""
        return expr is None or self.compiled(expr)(state, env) is True

    def _compile(self, expr: m.Expr) -> Compiled:
        match expr:
            case m.Number(value=number):
                return lambda _s, _e: number
            case m.Truth(value=truth):
                return lambda _s, _e: truth
            case m.Nothing():
                return lambda _s, _e: None
            case m.Ref():
                return self._ref(expr)
            case m.SetOf(items=items):
                parts = [self.compiled(item) for item in items]
                return lambda s, e: frozenset(v for part in parts if (v := part(s, e)) is not None and v is not NOTHING)
            case m.SetWhere(variable=variable, where=where):
                return self._collect(variable, where, None, frozenset)
            case m.NumberOf(variable=variable, where=condition):
                return self._collect(variable, condition, None, len)
            case m.Aggregate(op=op, body=body, variable=variable, where=condition):
                return self._collect(variable, condition, body, _FOLDS[op])
            case m.TimesHappened(event=event, moment=moment):
                return lambda s, e: self.machine.times_happened(event, moment, s, e)
            case m.Arithmetic(op=op, left=left, right=right):
                return self._arithmetic(op, left, right)
            case m.Divide(left=left, right=right, rounding=rounding):
                one, other = self.compiled(left), self.compiled(right)
                sign = -1 if rounding == "up" else 1
                return _strict(one, other, lambda a, b: sign * (sign * a // b))
            case m.Negate(operand=operand):
                inner = self.compiled(operand)
                return lambda s, e: NOTHING if (v := inner(s, e)) is None or v is NOTHING else -v
            case m.Compare(op=op, left=left, right=right):
                one, other = self.compiled(left), self.compiled(right)
                test = _COMPARE[op]
                return lambda s, e: _things(a := one(s, e), b := other(s, e)) and test(a, b)
            case m.Is():
                return self._is(expr)
            case m.IsIn():
                return self._is_in(expr)
            case m.Related():
                return self._related(expr)
            case m.Quantified():
                return self._quantified(expr)
            case m.And(left=left, right=right):
                one, other = self.compiled(left), self.compiled(right)
                return lambda s, e: one(s, e) is True and other(s, e) is True
            case m.Or(left=left, right=right):
                one, other = self.compiled(left), self.compiled(right)
                return lambda s, e: one(s, e) is True or other(s, e) is True
            case m.Not(operand=operand):
                inner = self.compiled(operand)
                return lambda s, e: inner(s, e) is not True
            case m.During(moment=moment, of=of):
                if of is None:
                    return lambda s, _e: s.running(moment.text)
                subject = self.compiled(of)
                return lambda s, e: (v := subject(s, e)) is not None and v is not NOTHING and s.running(moment.text, v)
            case m.Happened(event=event, moment=moment):
                return lambda s, e: self.machine.times_happened(event, moment, s, e) > 0
            case m.Outcome(player=player, result=result):
                if player is None:
                    return lambda s, _e: s.has_outcome(None, result)
                who = self.compiled(player)
                return lambda s, e: (v := who(s, e)) is not None and v is not NOTHING and s.has_outcome(v, result)
            case _:
                assert_never(expr)

    # ---- collecting over a variable

    def _domain(self, variable: m.Name) -> tuple[Value, ...]:
        symbol = self.checked.symbol_of(variable)
        assert isinstance(symbol, VariableSymbol)
        return self.world.domain(symbol.type)

    def _collect(
        self, variable: m.Name, where: m.Expr | None, body: m.Expr | None, fold: Callable[[list[Value]], Value]
    ) -> Compiled:
        domain = self._domain(variable)
        name = variable.text
        test = self.compiled(where) if where is not None else None
        give = self.compiled(body) if body is not None else None

        def collect(s: State, e: Env) -> Value:
            inner = dict(e)
            found: list[Value] = []
            for value in domain:
                inner[name] = value
                if test is None or test(s, inner) is True:
                    got = give(s, inner) if give is not None else value
                    if got is not NOTHING and got is not None:
                        found.append(got)
            return fold(found)

        return collect

    def _quantified(self, expr: m.Quantified) -> Compiled:
        domain = self._domain(expr.variable)
        name = expr.variable.text
        where = self.compiled(expr.where) if expr.where is not None else None
        body = self.compiled(expr.body)
        wanted, result = {"some": (True, True), "no": (True, False), "every": (False, False)}[expr.quantifier]

        def quantified(s: State, e: Env) -> bool:
            inner = dict(e)
            for value in domain:
                inner[name] = value
                if (where is None or where(s, inner) is True) and (body(s, inner) is True) is wanted:
                    return result
            return not result

        return quantified

    # ---- comparing

    def _arithmetic(self, op: str, left: m.Expr, right: m.Expr) -> Compiled:
        one, other = self.compiled(left), self.compiled(right)
        kind = type(without_none(self.checked.type_of(left))).__name__
        if kind == "SetT":
            return _strict(
                one, other, (lambda a, b: a | frozenset(b)) if op == "+" else (lambda a, b: a - frozenset(b))
            )
        if kind == "BagT":
            return _strict(one, other, bag_add if op == "+" else bag_take)
        return _strict(one, other, _ARITHMETIC[op])

    def _is(self, expr: m.Is) -> Compiled:
        one = self.compiled(expr.left)
        wanted = not expr.negated
        right = expr.right
        symbol = self.checked.symbols.get(id(right))
        if (
            isinstance(right, m.Ref)
            and not right.args
            and isinstance(symbol, SlotSymbol | ValueSymbol)
            and symbol.params
        ):
            asked = self._asked(right, symbol, [one])
            return lambda s, e: (v := asked(s, e)) is not NOTHING and (v is True) is wanted
        other = self.compiled(right)
        left_type = without_none(self.checked.type_of(expr.left))
        right_type = without_none(self.checked.type_of(right))
        same = self._sameness(left_type, right_type)
        return lambda s, e: _both(a := one(s, e), b := other(s, e)) and same(a, b) is wanted

    def _sameness(self, left: object, right: object) -> Callable[[Value, Value], bool]:
        if isinstance(left, KindT) and isinstance(right, TitleT):
            titles = self.world.titles[left.name]
            return lambda a, b: a is not None and titles[a] == b
        if isinstance(left, TitleT) and isinstance(right, KindT):
            names = self.world.titles[right.name]
            return lambda a, b: b is not None and names[b] == a
        if isinstance(left, PileT) != isinstance(right, PileT):  # a pile and a set
            return lambda a, b: frozenset(a) == frozenset(b)
        return operator.eq

    def _is_in(self, expr: m.IsIn) -> Compiled:
        one, group = self.compiled(expr.left), self.compiled(expr.right)
        wanted = not expr.negated
        left = without_none(self.checked.type_of(expr.left))
        if isinstance(left, TitleT):
            titles = self.world.titles[left.kind]
            return lambda s, e: any(titles[c] == one(s, e) for c in group(s, e)) is wanted
        inside = _element(without_none(self.checked.type_of(expr.right)))
        if isinstance(left, KindT) and isinstance(inside, TitleT):
            names = self.world.titles[left.name]
            return lambda s, e: _things(a := one(s, e), b := group(s, e)) and (names[a] in b) is wanted
        return lambda s, e: _both(a := one(s, e), b := group(s, e)) and (a in b) is wanted

    def _related(self, expr: m.Related) -> Compiled:
        one, other = self.compiled(expr.left), self.compiled(expr.right)
        wanted = not expr.negated
        symbol = self.checked.symbol_of(expr)
        if isinstance(symbol, BuiltinSymbol):
            kind = without_none(self.checked.type_of(expr.left))
            assert isinstance(kind, KindT)
            steps = self.world.neighbours(kind.name, symbol.name)
            # `q is next to r`: one step leads from r to q.
            return lambda s, e: _things(a := one(s, e), b := other(s, e)) and (a in steps[b]) is wanted
        asked = self._relation(symbol, [one, other])
        return lambda s, e: (v := asked(s, e)) is not NOTHING and (v is True) is wanted

    def _relation(self, symbol: object, args: list[Compiled]) -> Compiled:
        if isinstance(symbol, RelationSymbol):
            kind = symbol.params[0]
            assert isinstance(kind, KindT)
            if (kind.name, symbol.name) not in self.world.relations:
                return lambda s, e: self.machine.sees(symbol.name, args[0](s, e), args[1](s, e), s)
            steps = self.world.neighbours(kind.name, symbol.name)
            return lambda s, e: _things(a := args[0](s, e), b := args[1](s, e)) and b in steps[a]
        assert isinstance(symbol, SlotSymbol | ValueSymbol)
        return self._symbol(symbol, args)

    # ---- names

    def _ref(self, expr: m.Ref) -> Compiled:
        symbol = self.checked.symbol_of(expr)
        args = [self.compiled(arg) for arg in expr.args]
        match symbol:
            case VariableSymbol(name=name):
                return lambda _s, e: e[name]
            case ConstantSymbol(name=name, type=type_):
                value: Value = name
                if isinstance(type_, KindT):
                    value = self.world.things[type_.name].index(name)
                assert isinstance(type_, KindT | TitleT | EnumT)
                return lambda _s, _e: value
            case KindSymbol(name=name):
                everything = frozenset(range(len(self.world.things[name])))
                return lambda _s, _e: everything
            case RankSymbol():
                return lambda s, e: self.machine.ranking(symbol, tuple(a(s, e) for a in args), s)
            case SlotSymbol() | ValueSymbol() | TableSymbol() | RelationSymbol():
                return self._asked(expr, symbol, args)
            case BuiltinSymbol(name=name):
                return self._builtin(name, expr, args)
            case _:
                raise InternalError(f"no value for {symbol}")

    def _asked(self, _expr: m.Ref, symbol: object, args: list[Compiled]) -> Compiled:
        if isinstance(symbol, TableSymbol):
            return lambda s, e: self.machine.look_up(symbol, tuple(a(s, e) for a in args), s)
        if isinstance(symbol, RelationSymbol):
            return self._relation(symbol, args)
        assert isinstance(symbol, SlotSymbol | ValueSymbol)
        return self._symbol(symbol, args)

    def _symbol(self, symbol: SlotSymbol | ValueSymbol, args: list[Compiled]) -> Compiled:
        if isinstance(symbol, ValueSymbol):
            return lambda s, e: self.machine.value_of(symbol, tuple(a(s, e) for a in args), s)
        printed = self.machine.printed.get(id(symbol))
        if printed is not None:
            one = args[0]
            return lambda s, e: NOTHING if (a := one(s, e)) is None or a is NOTHING else printed[a]
        cells = self.world.slots[id(symbol)]
        if not args:
            base = cells.base
            return lambda s, _e: s.cells[base]
        if len(args) == 1:
            only, base, places = args[0], cells.base, cells.places[0]
            return lambda s, e: NOTHING if (p := places.get(only(s, e))) is None else s.cells[base + p]
        address = cells.address
        return lambda s, e: NOTHING if (p := address(tuple(a(s, e) for a in args))) is None else s.cells[p]

    def _builtin(self, name: str, expr: m.Ref, args: list[Compiled]) -> Compiled:
        types = [without_none(self.checked.type_of(arg)) for arg in expr.args]
        world = self.world
        match name:
            case "size":
                return _one(args, len)
            case "top" | "front":
                return _one(args, lambda v: v[0] if v else None)
            case "bottom" | "back":
                return _one(args, lambda v: v[-1] if v else None)
            case "following":
                return _two(args, lambda p, order: order[(order.index(p) + 1) % len(order)] if p in order else NOTHING)
            case "row" | "column":
                columns = self._columns(types[0])
                by_row = name == "row"
                return _one(args, lambda c: c // columns + 1 if by_row else c % columns + 1)
            case "cell":
                of = types[0]
                assert isinstance(of, SetT)
                kind = of.of
                assert isinstance(kind, KindT)
                grid = world.checked.kinds[kind.name].grid
                assert grid is not None
                return lambda s, e: _cell(grid, args[1](s, e), args[2](s, e))
            case "distance":
                place = types[0]
                assert isinstance(place, KindT)
                return _two(args, lambda a, b: NOTHING if (d := world.distance(place.name, a, b)) is None else d)
            case "place":
                return self._place(expr, args)
            case "larger":
                return _two(args, max)
            case "smaller":
                return _two(args, min)
            case "remainder":
                return _two(args, operator.mod)
            case "count":
                same = self._sameness(types[0], _element(types[1]))
                return _two(args, lambda item, group: sum(1 for x in group if same(item, x)))
            case "sum":
                return _one(args, sum)
            case _:
                raise InternalError(f"no built-in function {name}")

    def _columns(self, type_: object) -> int:
        assert isinstance(type_, KindT)
        grid = self.world.checked.kinds[type_.name].grid
        assert grid is not None
        return grid.columns

    def _place(self, expr: m.Ref, args: list[Compiled]) -> Compiled:
        """In a rank, those who are tied share a place."""
        symbol = self.checked.symbols.get(id(expr.args[1]))
        if isinstance(symbol, RankSymbol):
            order = expr.args[1]
            assert isinstance(order, m.Ref)
            given = [self.compiled(arg) for arg in order.args]
            return lambda s, e: self.machine.place_in(symbol, args[0](s, e), tuple(g(s, e) for g in given), s)
        return _two(args, lambda p, order: order.index(p) + 1 if p in order else NOTHING)


def _element(type_: object) -> object:
    if isinstance(type_, PileT | OrderT):
        return KindT(type_.kind)
    return getattr(type_, "of", None)


def _both(a: Value, b: Value) -> bool:
    return a is not NOTHING and b is not NOTHING


def _things(a: Value, b: Value) -> bool:
    return a is not NOTHING and b is not NOTHING and a is not None and b is not None


def _strict(one: Compiled, other: Compiled, do: Callable[[Value, Value], Value]) -> Compiled:
    def strict(s: State, e: Env) -> Value:
        a, b = one(s, e), other(s, e)
        return do(a, b) if _things(a, b) else NOTHING

    return strict


def _one(args: list[Compiled], do: Callable[[Value], Value]) -> Compiled:
    only = args[0]
    return lambda s, e: NOTHING if (v := only(s, e)) is None or v is NOTHING else do(v)


def _two(args: list[Compiled], do: Callable[[Value, Value], Value]) -> Compiled:
    return _strict(args[0], args[1], do)


def _cell(grid: m.Grid, column: Value, row: Value) -> Value:
    if not _things(column, row) or not (1 <= column <= grid.columns and 1 <= row <= grid.rows):
        return None
    return (row - 1) * grid.columns + column - 1


def _highest(values: list[Value]) -> Value:
    return max(values) if values else NOTHING


def _lowest(values: list[Value]) -> Value:
    return min(values) if values else NOTHING


_FOLDS: dict[str, Callable[[list[Value]], Value]] = {"total": sum, "highest": _highest, "lowest": _lowest}


def bag_add(bag: tuple[Value, ...], more: object) -> tuple[Value, ...]:
    return tuple(sorted((*bag, *more)))  # type: ignore[misc]


def bag_take(bag: tuple[Value, ...], less: object) -> tuple[Value, ...]:
    left = list(bag)
    for item in less:  # type: ignore[attr-defined]
        if item in left:
            left.remove(item)
    return tuple(left)
