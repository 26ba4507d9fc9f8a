"""Expressions to terms, case by case as the interpreter evaluates them.

What the interpreter would stop at (a value without a rule, norms that disagree) is noted as a `Trouble` with the
condition under which it is come to; parts that are only looked at under a condition count only there.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator
from typing import Any, assert_never

from rules import model as m
from rules.diagnostics import InternalError
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
from rules.types import EnumT, KindT, TitleT
from solver.encode.base import Env, NotEncodable, Trouble
from solver.encode.builtins import Builtins
from solver.encode.past import Past
from solver.encode.sym import NONE, Group, Sym, code, lift
from solver.terms import Flag, Number, at_most, both, divide, either, less, minus, no, pick, some, total

__all__ = ["Env", "Expressions", "NotEncodable", "Trouble"]


class Expressions(Builtins, Past, ABC):
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
                return self._opaque(expr, env, f"`{expr.event.span.text}` in this {expr.moment}")
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
