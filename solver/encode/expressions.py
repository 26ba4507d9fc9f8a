"""Expressions to terms, case by case as the interpreter evaluates them.

What the interpreter would stop at (a value without a rule, norms that disagree) is noted as a `Trouble` with the
condition under which it is come to; parts that are only looked at under a condition count only there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal, assert_never

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.state import State
from rules.machine.world import Value
from rules.span import Span
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
from rules.types import EnumT, KindT, OrderT, PileT, SetT, TitleT, TruthT, Type, without_none
from solver.encode.space import MOST_TIMES, Space
from solver.encode.sym import (
    ABSENT,
    NONE,
    Bag,
    Group,
    Row,
    Sym,
    alike,
    choose,
    code,
    end_of,
    equal_payloads,
    lift,
    look_up,
    members_of,
    place_in,
    size_of,
    type_bounds,
)
from solver.terms import (
    Flag,
    Number,
    Term,
    at_most,
    both,
    divide,
    either,
    equal,
    every,
    implies,
    larger,
    less,
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

Env = Mapping[str, Sym]
_ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {"+": plus, "-": minus, "*": times}
_MOST_WAYS = 600  # so many combinations of values are told apart


class NotEncodable(Exception):  # noqa: N818  (a fact about the rule: it is named in the report)
    """A part of a rule that has no form as a term, and why."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


@dataclass(frozen=True, slots=True)
class Trouble:
    """What stops the interpreter, and when: `about` is what it concerns."""

    kind: Literal["undetermined", "gap", "broken"]
    about: Hashable
    when: Flag


class Expressions(ABC):
    def __init__(self, space: Space) -> None:
        self.space = space
        self.machine = space.machine
        self.world = space.world
        self.checked = space.machine.checked
        self.troubles: list[Trouble] = []
        self._path: list[Flag] = []
        # What is asked again and again of one pile or one term is made once.
        self._codes: dict[Term, list[tuple[Any, Flag]]] = {}
        self._ends: dict[tuple[int, bool], tuple[Row, Sym]] = {}

    # ---- where evaluation stands

    @contextmanager
    def under(self, condition: Flag) -> Iterator[None]:
        """What is looked at inside is looked at only under this condition."""
        self._path.append(condition)
        try:
            yield
        finally:
            self._path.pop()

    def trouble(self, kind: Literal["undetermined", "gap", "broken"], about: Hashable, when: Flag) -> None:
        reached = every((*self._path, when))
        if reached is not False:
            self.troubles.append(Trouble(kind, about, reached))

    @contextmanager
    def apart(self) -> Iterator[list[Trouble]]:
        """Collects the troubles of what is looked at inside, as if it were looked at by itself."""
        outer, path = self.troubles, self._path
        self.troubles, self._path = [], []
        try:
            yield self.troubles
        finally:
            self.troubles, self._path = outer, path

    # ---- the layers above

    @abstractmethod
    def value_of(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Sym: ...

    @abstractmethod
    def look_up_table(self, symbol: TableSymbol, args: tuple[Sym, ...]) -> Sym: ...

    @abstractmethod
    def ranking(self, symbol: RankSymbol, args: tuple[Sym, ...]) -> Row: ...

    @abstractmethod
    def rank_place(self, symbol: RankSymbol, thing: Sym, args: tuple[Sym, ...]) -> Sym: ...

    # ---- expressions

    def holds(self, expr: m.Expr | None, env: Env) -> Flag:
        return True if expr is None else self.value(expr, env).truth

    def value(self, expr: m.Expr, env: Env) -> Sym:
        match expr:
            case m.Number(value=number):
                return Sym(number)
            case m.Truth(value=truth):
                return Sym(truth)
            case m.Nothing():
                return NONE
            case m.Ref():
                return self._ref(expr, env)
            case m.SetOf(items=items):
                return self._set_of([self.value(item, env) for item in items], expr)
            case m.SetWhere(variable=variable, where=where):
                return Sym(Group({key: test for key, test, _ in self._collected(variable, where, env)}))
            case m.NumberOf(variable=variable, where=condition):
                return Sym(total((1, pick(test, 1, 0)) for _, test, _ in self._collected(variable, condition, env)))
            case m.Aggregate(op=op, body=body, variable=variable, where=condition):
                return self._aggregate(op, body, variable, condition, env)
            case m.TimesHappened() | m.Happened():
                return self._opaque(expr, env, f"what happened {expr.moment}")
            case m.Arithmetic(op=op, left=left, right=right):
                return self._arithmetic(op, self.value(left, env), self.value(right, env))
            case m.Divide(left=left, right=right, rounding=rounding):
                one, other = self.value(left, env), self.value(right, env)
                if rounding == "up":
                    result = minus(0, divide(minus(0, one.payload), other.payload))
                else:
                    result = divide(one.payload, other.payload)
                return Sym(result, False, no(both(one.there, other.there)))
            case m.Negate(operand=operand):
                inner = self.value(operand, env)
                return Sym(minus(0, inner.payload), False, no(inner.there))
            case m.Compare(op=op, left=left, right=right):
                one, other = self.value(left, env), self.value(right, env)
                a, b = one.payload, other.payload
                test = {"<": less(a, b), "<=": at_most(a, b), ">": less(b, a), ">=": at_most(b, a)}[op]
                return Sym(both(one.there, other.there, test))
            case m.Is():
                return Sym(self._is(expr, env))
            case m.IsIn():
                return Sym(self._is_in(expr, env))
            case m.Related():
                return Sym(self._related(expr, env))
            case m.Quantified():
                return Sym(self._quantified(expr, env))
            case m.And(left=left, right=right):
                first = self.holds(left, env)
                if first is False:
                    return Sym(False)
                with self.under(first):
                    return Sym(both(first, self.holds(right, env)))
            case m.Or(left=left, right=right):
                first = self.holds(left, env)
                if first is True:
                    return Sym(True)
                with self.under(no(first)):
                    return Sym(either(first, self.holds(right, env)))
            case m.Not(operand=operand):
                return Sym(no(self.holds(operand, env)))
            case m.During(moment=moment, of=of):
                return Sym(self._during(moment.text, None if of is None else self.value(of, env), of))
            case m.Outcome(player=player, result=result):
                return self._outcome(player, result, env)
            case _:
                assert_never(expr)

    # ---- collecting over a variable

    def domain(self, variable: m.Name) -> tuple[tuple[Any, Sym], ...]:
        """The codes and values that a variable can stand for."""
        symbol = self.checked.symbol_of(variable)
        assert isinstance(symbol, VariableSymbol)
        return tuple(
            (code(value, symbol.type, self.world), lift(value, symbol.type, self.world))
            for value in self.world.domain(symbol.type)
        )

    def _collected(
        self, variable: m.Name, where: m.Expr | None, env: Env
    ) -> Iterator[tuple[Any, Flag, dict[str, Sym]]]:
        """Each code, whether it is taken, and the variables with it bound. None itself is never taken."""
        for key, sym in self.domain(variable):
            inner = {**env, variable.text: sym}
            yield key, both(sym.there, self.holds(where, inner)), inner

    def _aggregate(self, op: str, body: m.Expr, variable: m.Name, where: m.Expr | None, env: Env) -> Sym:
        found: list[tuple[Flag, Number]] = []
        for _, sym in self.domain(variable):
            inner = {**env, variable.text: sym}
            test = self.holds(where, inner)
            if test is False:
                continue
            with self.under(test):
                got = self.value(body, inner)
            found.append((both(test, got.there), got.payload))
        if op == "total":
            return Sym(total((1, pick(test, number, 0)) for test, number in found))
        best: Number = 0
        any_: Flag = False
        for test, number in found:
            better = less(best, number) if op == "highest" else less(number, best)
            best = pick(both(test, either(no(any_), better)), number, best)
            any_ = either(any_, test)
        return Sym(best, False, no(any_))

    def _quantified(self, expr: m.Quantified, env: Env) -> Flag:
        """As the interpreter looks: one after the other, until it is decided."""
        found: list[Flag] = []
        open_: Flag = True
        for _, sym in self.domain(expr.variable):
            inner = {**env, expr.variable.text: sym}
            with self.under(open_):
                test = self.holds(expr.where, inner)
                if test is False:
                    continue
                with self.under(test):
                    body = self.holds(expr.body, inner)
            decided = both(test, no(body) if expr.quantifier == "every" else body)
            found.append(decided)
            open_ = both(open_, no(decided))
        one = some(found)
        return one if expr.quantifier == "some" else no(one)

    # ---- comparing

    def _arithmetic(self, op: str, one: Sym, other: Sym) -> Sym:
        absent = no(both(one.there, other.there))
        a, b = one.payload, other.payload
        match a:
            case Group(members=members):
                more = members_of(other) if other.there is not False else {}
                keys = {**members, **more}
                if op == "+":
                    return Sym(
                        Group({k: either(members.get(k, False), more.get(k, False)) for k in keys}), False, absent
                    )
                return Sym(Group({k: both(v, no(more.get(k, False))) for k, v in members.items()}), False, absent)
            case Bag(counts=counts):
                added = self._as_counts(other)
                if op == "+":
                    return Sym(
                        Bag({k: plus(counts.get(k, 0), added.get(k, 0)) for k in {**counts, **added}}), False, absent
                    )
                left = {k: larger(0, minus(v, added.get(k, 0))) for k, v in counts.items()}
                return Sym(Bag(left), False, absent)
            case _:
                return Sym(_ARITHMETIC[op](a, b), False, absent)

    def _as_counts(self, sym: Sym) -> Mapping[Any, Number]:
        if isinstance(sym.payload, Bag):
            return sym.payload.counts
        return {key: pick(inside, 1, 0) for key, inside in members_of(sym).items()}

    def _set_of(self, items: list[Sym], expr: m.SetOf) -> Sym:
        members: dict[Any, Flag] = {}
        types = [self.checked.type_of(item) for item in expr.items]
        for item, type_ in zip(items, types, strict=True):
            for key, test in self.codes(item, type_):
                members[key] = either(members.get(key, False), both(item.there, test))
        return Sym(Group(members))

    def codes(self, sym: Sym, type_: Type) -> list[tuple[Any, Flag]]:
        """The codes that a plain value can have, each with the condition that it has it."""
        if not isinstance(sym.payload, Term):
            return [(sym.payload, True)]
        if isinstance(without_none(type_), TruthT):
            return [(False, no(sym.payload)), (True, sym.payload)]
        found = self._codes.get(sym.payload)
        if found is None:
            keys = range(sym.payload.low, sym.payload.high + 1)
            found = self._codes[sym.payload] = [(key, equal(sym.payload, key)) for key in keys]
        return found

    def _is(self, expr: m.Is, env: Env) -> Flag:
        one = self.value(expr.left, env)
        right = expr.right
        symbol = self.checked.symbols.get(id(right))
        adjective = (
            isinstance(right, m.Ref)
            and not right.args
            and isinstance(symbol, SlotSymbol | ValueSymbol)
            and bool(symbol.params)
        )
        if adjective:
            assert isinstance(symbol, SlotSymbol | ValueSymbol)
            asked = self._symbol(symbol, (one,))
            return both(no(asked.absent), no(asked.truth) if expr.negated else asked.truth)
        other = self.value(right, env)
        known = both(no(one.absent), no(other.absent))
        left_type = without_none(self.checked.type_of(expr.left))
        right_type = without_none(self.checked.type_of(right))
        equal_ = self._same(one, other, left_type, right_type)
        return both(known, no(equal_) if expr.negated else equal_)

    def _same(self, one: Sym, other: Sym, left: object, right: object) -> Flag:
        if isinstance(left, KindT) and isinstance(right, TitleT):
            return both(one.there, self._titled(one, left.name, other.payload))
        if isinstance(left, TitleT) and isinstance(right, KindT):
            return both(other.there, self._titled(other, right.name, one.payload))
        if isinstance(left, PileT) != isinstance(right, PileT):
            a, b = members_of(one), members_of(other)
            inside = every(equal_payloads(a.get(k, False), b.get(k, False)) for k in {**a, **b})
            return either(both(one.none, other.none), both(one.there, other.there, inside))
        return alike(one, other)

    def _titled(self, thing: Sym, kind: str, title: str) -> Flag:
        titles = self.world.titles[kind]
        return some(equal(thing.payload, key) for key, name in enumerate(titles) if name == title)

    def _is_in(self, expr: m.IsIn, env: Env) -> Flag:
        one, group = self.value(expr.left, env), self.value(expr.right, env)
        left = without_none(self.checked.type_of(expr.left))
        inside = _element(without_none(self.checked.type_of(expr.right)))
        members = members_of(group) if group.absent is not True else {}
        if isinstance(left, TitleT):
            titles = self.world.titles[left.kind]
            found = some(test for key, test in members.items() if titles[key] == one.payload)
            return no(found) if expr.negated else found
        if isinstance(left, KindT) and isinstance(inside, TitleT):
            found = some(both(test, self._titled(one, left.name, title)) for title, test in members.items())
            known = both(one.there, group.there)
        else:
            found = both(
                one.there,
                some(both(test, equal_payloads(one.payload, key)) for key, test in members.items()),
            )
            known = both(no(one.absent), no(group.absent))
        return both(known, no(found) if expr.negated else found)

    def _related(self, expr: m.Related, env: Env) -> Flag:
        one, other = self.value(expr.left, env), self.value(expr.right, env)
        symbol = self.checked.symbol_of(expr)
        if isinstance(symbol, BuiltinSymbol):
            kind = without_none(self.checked.type_of(expr.left))
            assert isinstance(kind, KindT)
            found = self._steps(self.world.neighbours(kind.name, symbol.name), other, one)
            return both(one.there, other.there, no(found) if expr.negated else found)
        asked = self._relation(symbol, (one, other), expr)
        return both(no(asked.absent), no(asked.truth) if expr.negated else asked.truth)

    def _steps(self, steps: tuple[frozenset[int], ...], origin: Sym, target: Sym) -> Flag:
        """Whether one step leads from the one to the other."""
        return some(
            both(equal(origin.payload, start), some(equal(target.payload, end) for end in sorted(ends)))
            for start, ends in enumerate(steps)
        )

    def _relation(self, symbol: object, args: tuple[Sym, ...], expr: m.Expr) -> Sym:
        if isinstance(symbol, RelationSymbol):
            kind = symbol.params[0]
            assert isinstance(kind, KindT)
            if (kind.name, symbol.name) not in self.world.relations:
                return self._sight(symbol.name, args, kind, expr)
            found = self._steps(self.world.neighbours(kind.name, symbol.name), args[0], args[1])
            return Sym(both(args[0].there, args[1].there, found))
        assert isinstance(symbol, SlotSymbol | ValueSymbol)
        return self._symbol(symbol, args)

    def _sight(self, name: str, args: tuple[Sym, ...], kind: KindT, expr: m.Expr) -> Sym:
        """Each line is a variable of its own: what stands in its way is not modelled."""
        ways = self._ways([(arg, kind) for arg in args], expr.span)

        def probe(a: int, b: int) -> Callable[[State], bool]:
            return lambda s: self.machine.sees(name, a, b, s) is True

        found = some(
            both(test, self.space.flag(("sees", name, *keys), probe(*keys), f"`{name}`, a line of sight"))
            for keys, test in ways
        )
        return Sym(found, False, no(both(args[0].there, args[1].there)))

    def _ways(self, parts: list[tuple[Sym, Type]], span: Span) -> list[tuple[tuple[Any, ...], Flag]]:
        """All combinations of codes that these can have, with their conditions."""
        options = [self.codes(sym, type_) for sym, type_ in parts]
        size = 1
        for option in options:
            size *= len(option)
        if size > _MOST_WAYS:
            raise NotEncodable(f"it asks of {size:,} combinations one by one", span)
        return [
            (tuple(key for key, _ in combination), every(test for _, test in combination))
            for combination in product(*options)
        ]

    # ---- names

    def _ref(self, expr: m.Ref, env: Env) -> Sym:
        symbol = self.checked.symbol_of(expr)
        match symbol:
            case VariableSymbol(name=name):
                return env[name]
            case ConstantSymbol(name=name, type=type_):
                if isinstance(type_, KindT):
                    return Sym(self.world.things[type_.name].index(name))
                if isinstance(type_, TitleT):
                    return Sym(name)
                assert isinstance(type_, EnumT)
                return Sym(self.world.enums[type_.name].index(name))
            case KindSymbol(name=name):
                return Sym(Group(dict.fromkeys(range(len(self.world.things[name])), True)))
            case RankSymbol():
                return Sym(self.ranking(symbol, tuple(self.value(arg, env) for arg in expr.args)))
            case TableSymbol():
                return self.look_up_table(symbol, tuple(self.value(arg, env) for arg in expr.args))
            case RelationSymbol():
                return self._relation(symbol, tuple(self.value(arg, env) for arg in expr.args), expr)
            case SlotSymbol() | ValueSymbol():
                return self._symbol(symbol, tuple(self.value(arg, env) for arg in expr.args))
            case BuiltinSymbol(name=name):
                return self._builtin(name, expr, env)
            case _:
                raise InternalError(f"no value for {symbol}")

    def _symbol(self, symbol: SlotSymbol | ValueSymbol, args: tuple[Sym, ...]) -> Sym:
        if isinstance(symbol, ValueSymbol):
            return self.value_of(symbol, args)
        printed = self.machine.printed.get(id(symbol))
        if printed is not None:
            things = [lift(value, symbol.type, self.world) for value in printed]
            return self._at(args[0], things)
        return self.cell(id(symbol), args)

    def cell(self, slot: int, args: tuple[Sym, ...]) -> Sym:
        cells = self.world.slots[slot]

        def go(place: int, address: int) -> Sym:
            if place == len(args):
                return self.space.cell(cells.base + address)
            domain = cells.domains[place]
            type_ = cells.symbol.params[place]
            arg = args[place]
            found: list[tuple[Flag, Sym]] = []
            for offset, value in enumerate(domain):
                test = arg.none if value is None else equal_payloads(arg.payload, code(value, type_, self.world))
                if value is not None:
                    test = both(arg.there, test)
                if test is not False:
                    found.append((test, go(place + 1, address * len(domain) + offset)))
            return self._first(found, arg, None in domain)

        return go(0, 0)

    def _at(self, arg: Sym, table: list[Sym]) -> Sym:
        """The entry of a list at a code."""
        found = [(test, table[key]) for key, test in self.codes(arg, KindT("")) if 0 <= key < len(table)]
        return self._first(found, arg, False)

    def _first(self, found: list[tuple[Flag, Sym]], arg: Sym, none_too: bool) -> Sym:
        """One of these, by their conditions; nothing where something is asked of nothing."""
        asked = no(arg.absent) if none_too else arg.there
        if not found or asked is False:
            return ABSENT
        complete = isinstance(arg.payload, Term) or found[-1][0] is True
        inner = look_up(found[:-1], found[-1][1]) if complete else look_up(found, ABSENT)
        return choose(asked, inner, Sym(inner.payload, False, True))

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
                return self._count(args[0], args[1], types[0], _element(types[1]))
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

    # ---- control and the past

    def running(self, moment: str, of: Value = None) -> Flag:
        if moment == "game":
            return self.space.flag(("running", "game"), lambda s: not s.over)
        return self.space.flag(("running", moment, of), lambda s: s.running(moment, of))

    def _during(self, moment: str, of: Sym | None, expr: m.Expr | None) -> Flag:
        if of is None or expr is None:
            return self.running(moment)
        type_ = self.checked.type_of(expr)
        return both(of.there, some(both(test, self.running(moment, key)) for key, test in self.codes(of, type_)))

    def _outcome(self, player: m.Ref | None, result: str, env: Env) -> Sym:
        def has(who: Value) -> Flag:
            return self.space.flag(("outcome", who, result), lambda s: s.has_outcome(who, result))

        if player is None:
            return Sym(has(None))
        sym = self.value(player, env)
        if isinstance(sym.payload, Group):
            return Sym(every(implies(inside, has(key)) for key, inside in sym.payload.members.items()))
        found = some(both(test, has(key)) for key, test in self.codes(sym, self.checked.type_of(player)))
        return Sym(both(sym.there, found))

    def _opaque(self, expr: m.Expr, env: Env, words: str) -> Sym:
        """A variable of its own for each thing that it is asked of."""
        names = sorted(name for name in self._free(expr) if name in env)
        types = []
        for name in names:
            symbol = self.machine.variables[name]
            assert isinstance(symbol, VariableSymbol)
            types.append(symbol.type)
        is_flag = isinstance(without_none(self.checked.type_of(expr)), TruthT)
        found: list[tuple[Flag, Sym]] = []
        parts = [(env[name], type_) for name, type_ in zip(names, types, strict=True)]
        if any(sym.there is not True or isinstance(sym.payload, Group | Bag | Row) for sym, _ in parts):
            raise NotEncodable("it asks about the past of what may be nothing, or of several", expr.span)
        for keys, test in self._ways(parts, expr.span):
            plain = {name: self._plain(key, type_) for name, key, type_ in zip(names, keys, types, strict=True)}
            key_name = ("asked", id(expr), expr.span.start, keys)

            def probe(s: State, plain: dict[str, Value] = plain) -> Any:
                return self.machine.evaluator.value(expr, s, plain)

            made: Any
            if is_flag:
                made = self.space.flag(key_name, probe, words)
            else:
                made = self.space.number(key_name, 0, MOST_TIMES, probe, words)
            found.append((test, Sym(made)))
        return look_up(found[:-1], found[-1][1])

    def _plain(self, key: Any, type_: Type) -> Value:
        """The value of a code."""
        plain = without_none(type_)
        return self.world.enums[plain.name][key] if isinstance(plain, EnumT) else key

    def _free(self, expr: m.Expr) -> frozenset[str]:
        return self.machine.needs(expr)

    def symbolic(self, name: Hashable, type_: Type) -> Sym:
        """A variable that stands for any value of a plain type: a part of a move."""
        self.space.part_types[name] = type_
        plain = without_none(type_)
        none: Flag = False
        if plain is not type_:
            none = self.space.flag(("part none", name), lambda _s: False)
        if isinstance(plain, TruthT):
            return Sym(self.space.flag(("part", name), lambda _s: False), none)
        low, high = type_bounds(plain, self.world)
        return Sym(self.space.number(("part", name), low, high, lambda _s: low), none)


def _element(type_: object) -> object:
    if isinstance(type_, PileT | OrderT):
        return KindT(type_.kind)
    return getattr(type_, "of", None)
