"""Comparing and joining as terms: sums, sets, `is`, `is in`, relations and lines of sight."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Mapping
from typing import Any

from rules import model as m
from rules.machine.state import State
from rules.symbols import BuiltinSymbol, RelationSymbol, SlotSymbol, ValueSymbol
from rules.types import KindT, PileT, TitleT, without_none
from solver.encode.base import Env, element_of
from solver.encode.held import Held
from solver.encode.sym import Bag, Group, Payload, Sym, alike, equal_payloads, members_of
from solver.terms import Flag, Number, both, either, equal, every, larger, minus, no, pick, plus, some, times

_ARITHMETIC: dict[str, Callable[[Number, Number], Number]] = {"+": plus, "-": minus, "*": times}


class Comparing(Held, ABC):
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
        inside = element_of(without_none(self.checked.type_of(expr.right)))
        members = members_of(group) if group.absent is not True else {}
        if isinstance(left, TitleT):
            titles = self.world.titles[left.kind]
            found = some(test for key, test in members.items() if titles[key] == one.payload)
            return no(found) if expr.negated else found
        if isinstance(left, KindT) and isinstance(inside, TitleT):
            found = some(both(test, self._titled(one, left.name, title)) for title, test in members.items())
            known = both(one.there, group.there)
        else:
            found = both(one.there, _among(one.payload, members))
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


def _among(payload: Payload, members: Mapping[Any, Flag]) -> Flag:
    """Whether a code is one of these; where it is known, nothing else needs to be looked at."""
    if isinstance(payload, int):
        return members.get(payload, False)
    return some(both(test, equal_payloads(payload, key)) for key, test in members.items())
