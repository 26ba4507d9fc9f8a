"""What rules say of cells that are not known: conditions and values by the encoder, as terms over those cells.

The encoder gives a term over the variables of a state; where play stands now, some cells have changed since, and what
is asked of control and of the past is known. Where the interpreter would stop, or the encoder has no term, the
interpreter's own way is gone, comparison by comparison.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from operator import is_
from typing import TYPE_CHECKING, Any

from rules import model as m
from rules.machine.evaluate import Env, Evaluator
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import VariableSymbol
from rules.types import EnumT, KindT, NumberT, TruthT, without_none
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.situation import plain
from solver.encode.sym import Sym, lift
from solver.flow.forks import Forks
from solver.flow.unknown import UnknownCells, is_unknown, number_of
from solver.terms import Either, Flag, Term, pick, some, substitute, variables_of

if TYPE_CHECKING:
    from rules.machine.run import Machine

_REMEMBERED = 12  # moments of play

Read = tuple[Sym, Flag]  # a value, and when the interpreter would stop at it


class Reader:
    """Terms of the encoder as they are in a state on some way."""

    def __init__(self, encoder: Encoder, forks: Forks) -> None:
        self.space = encoder.space
        self.machine = encoder.machine
        self.forks = forks
        self._encoders: dict[object, Encoder] = {(frozenset(), ()): encoder}
        self._variables: dict[Term, tuple[Term, ...]] = {}
        self.work = 0  # parts of terms that were made anew
        self._made: list[tuple[dict[Term, Either], dict[Term, Either]]] = []
        self._now: dict[tuple[Either, ...], Either] = {}
        self._flags: dict[tuple[object, ...], tuple[Flag, Flag] | None] = {}
        self._names: dict[int, tuple[str, ...]] = {}
        self._read: dict[tuple[object, ...], Read | None] = {}
        self.limit_on: Callable[[str, tuple[Value, ...], State], bool] | None = None  # tries an action out

    def encoder(self, state: State) -> Encoder | None:
        """One that knows what was ruled; None where none can: of ties, rows, and values that the book does not give."""
        if state.defaults or state.rows or state.ties:
            return None
        key = (state.overs, tuple(state.reads.items()))
        if key not in self._encoders:
            if state.overs and self.machine.precedence.overs:
                return None
            ruled = copy.copy(self.machine)
            ruled.precedence = copy.copy(self.machine.precedence)
            ruled.precedence.overs = ruled.precedence.overs | state.overs
            made = Encoder(self.space)
            made.machine, made.reads = ruled, state.reads
            self._encoders[key] = made
        return self._encoders[key]

    # ---- terms

    def variables(self, term: Term) -> tuple[Term, ...]:
        found = self._variables.get(term)
        if found is None:
            found = self._variables[term] = variables_of(term)
        return found

    def now(self, term: Either, state: State) -> Any:
        """A term of the encoder as it is in a state."""
        if not isinstance(term, Term):
            return term
        variables = self.variables(term)
        made = [self._variable(variable, state) for variable in variables]
        if all(map(is_, variables, made)):
            return term
        key = (term, *made)
        if key not in self._now:
            self._now[key] = self._substituted(term, dict(zip(variables, made, strict=True)))
        return self._now[key]

    def _substituted(self, term: Term, new: dict[Term, Either]) -> Either:
        """Parts that were made for other terms serve again, as long as they were made of the same."""
        fitting = (
            place
            for place, (used, _) in enumerate(self._made)
            if all(used.get(variable, one) is one for variable, one in new.items())
        )
        place = next(fitting, None)
        used, known = (new, {}) if place is None else self._made.pop(place)
        used.update(new)
        self._made.insert(0, (used, known))
        del self._made[_REMEMBERED:]
        before = len(known)
        found: Either = substitute(term, used, known)
        self.work += len(known) - before
        return found

    def _variable(self, variable: Term, state: State) -> Either:
        name = variable.args[0]
        match name[0]:
            case "cell" | "none":
                cells = state.cells
                held = cells.held(name[1]) if isinstance(cells, UnknownCells) else cells[name[1]]
                if not isinstance(held, Sym):
                    return self.space.probes[variable](state)
                return held.payload if name[0] == "cell" else held.none
            case "part" | "part none" | "bound":
                return variable
            case "within limits" | "sees" | "asked":
                return self._looked_at(variable, state)
            case _:
                return self.space.probes[variable](state)

    def _looked_at(self, variable: Term, state: State) -> Either:
        """What the interpreter finds out by looking at several cells, one after the other."""
        probe = self._probe(variable)
        found = self.forks.whole(lambda: probe(state.copy()))
        if not found:
            return probe(state)  # a way that cannot be gone
        result: Either = found[-1][1]
        for condition, value in reversed(found[:-1]):
            result = pick(condition, value, result)
        return result

    def _probe(self, variable: Term) -> Callable[[State], bool | int]:
        name = variable.args[0]
        kept = self.limit_on
        if name[0] != "within limits" or kept is None:
            return self.space.probes[variable]
        _, verb, keys = name
        types = self.machine.verbs[verb].types
        args = tuple(plain(key, type_, self.space) for key, type_ in zip(keys, types, strict=True))
        return lambda state: kept(verb, args, state)

    # ---- expressions

    def names(self, expr: m.Expr) -> tuple[str, ...]:
        """The variables that an expression names."""
        found = self._names.get(id(expr))
        if found is None:
            named = {node.name.text for node in nodes_of(expr) if isinstance(node, m.Ref) and not node.args}
            found = self._names[id(expr)] = tuple(sorted(named & self.machine.variables.keys()))
        return found

    def lifted(self, env: Env, names: tuple[str, ...]) -> dict[str, Sym]:
        return {name: self.lift(name, env[name]) for name in names if name in env}

    def lift(self, name: str, value: Value) -> Sym:
        if is_unknown(value):
            return Sym(value.term)
        symbol = self.machine.variables[name]
        assert isinstance(symbol, VariableSymbol)
        return lift(value, symbol.type, self.machine.world)

    def read(self, expr: m.Expr, env: Env, state: State) -> Read | None:
        """None where the encoder has no term, or rulings count that it does not know of."""
        encoder = self.encoder(state)
        if encoder is None:
            return None
        names = self.names(expr)
        key = (encoder, id(expr), *(_key(env[name]) for name in names if name in env))
        if key not in self._read:
            self._read[key] = _encoded(encoder, expr, self.lifted(env, names))
        found = self._read[key]
        if found is None:
            return None
        sym, stops = found
        return self._sym_now(sym, state), self.now(stops, state)

    def flag(
        self, encoder: Encoder, about: object, env: Env, state: State, ask: Callable[[dict[str, Sym]], Flag]
    ) -> tuple[Flag, Flag] | None:
        """When something holds of which `about` is the name, and when the interpreter would stop at it."""
        key = (encoder, about, *((name, _key(value)) for name, value in env.items()))
        if key not in self._flags:
            try:
                with encoder.apart() as troubles:
                    flag = ask(self.lifted(env, tuple(env)))
                self._flags[key] = (flag, some(trouble.when for trouble in troubles))
            except NotEncodable:
                self._flags[key] = None
        found = self._flags[key]
        return None if found is None else (self.now(found[0], state), self.now(found[1], state))

    def _sym_now(self, sym: Sym, state: State) -> Sym:
        if not isinstance(sym.payload, bool | int | Term):
            return sym
        return Sym(self.now(sym.payload, state), self.now(sym.none, state), self.now(sym.absent, state))


def _encoded(encoder: Encoder, expr: m.Expr, env: Mapping[str, Sym]) -> Read | None:
    try:
        with encoder.apart() as troubles:
            sym = encoder.value(expr, env)
    except NotEncodable:
        return None
    return sym, some(trouble.when for trouble in troubles)


def _key(value: Value) -> object:
    return ("term", value.term) if is_unknown(value) else (type(value).__name__, value)


class ForkingEvaluator(Evaluator):
    """As the interpreter's, over a state that is not known: it goes on only where its answers are plain."""

    def __init__(self, machine: Machine, reader: Reader) -> None:
        super().__init__(machine)
        self.reader = reader
        self.forks = reader.forks

    def holds(self, expr: m.Expr | None, state: State, env: Env) -> bool:
        if expr is None:
            return True
        found = self.reader.read(expr, env, state)
        if found is None or self.forks.decide(found[1]):
            return super().holds(expr, state, env)
        return self.forks.decide(found[0].truth)

    def value(self, expr: m.Expr, state: State, env: Env) -> Value:
        if isinstance(expr, m.Number | m.Truth | m.Nothing) or (
            isinstance(expr, m.Ref) and not expr.args and expr.name.text in env
        ):
            return super().value(expr, state, env)
        type_ = without_none(self.checked.type_of(expr))
        if not isinstance(type_, NumberT | TruthT | EnumT | KindT):
            return super().value(expr, state, env)
        found = self.reader.read(expr, env, state)
        if found is None or self.forks.decide(found[1]):
            return super().value(expr, state, env)
        sym = found[0]
        if self.forks.decide(sym.absent):
            return NOTHING
        if self.forks.decide(sym.none):
            return None
        match type_:
            case NumberT():
                return number_of(sym.payload, self.forks)
            case TruthT():
                return self.forks.decide(sym.payload)
            case EnumT(name=name):
                return self.world.enums[name][self.forks.value(sym.payload)]
            case _:
                return self.forks.value(sym.payload)
