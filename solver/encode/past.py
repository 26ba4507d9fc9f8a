"""Control and the past as terms: what is running, who has won, what has happened."""

from __future__ import annotations

from abc import ABC
from typing import Any

from rules import model as m
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from rules.types import TruthT, without_none
from solver.encode.base import Base, Env, NotEncodable
from solver.encode.space import MOST_TIMES
from solver.encode.sym import Bag, Group, Row, Sym, look_up
from solver.terms import Flag, both, every, implies, some


class Past(Base, ABC):
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

    def _opaque(self, expr: m.Happened | m.TimesHappened, env: Env, words: str) -> Sym:
        """A variable of its own for each thing that it is asked of."""
        names = sorted(name for name in self.machine.needs(expr) if name in env)
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
            key_name = ("asked", *self._lasting(expr), keys)

            def probe(s: State, plain: dict[str, Value] = plain) -> Any:
                return self.machine.evaluator.value(expr, s, plain)

            made: Any
            if is_flag:
                made = self.space.flag(key_name, probe, words)
            else:
                made = self.space.number(key_name, 0, MOST_TIMES, probe, words)
            self.space.past[made] = (expr.event, plain)
            found.append((test, Sym(made)))
        return look_up(found[:-1], found[-1][1])

    def _lasting(self, expr: m.Expr) -> tuple[str, int]:
        """What an expression is known by in every run: its text, and how many others of that text came before it."""
        words = " ".join(expr.span.text.split())
        same: list[m.Expr] = self.__dict__.setdefault("_same_words", {}).setdefault(words, [])
        if not any(one is expr for one in same):
            same.append(expr)
        return words, next(place for place, one in enumerate(same) if one is expr)
