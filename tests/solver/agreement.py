"""Interpreter and encoder side by side over the states of a game: moves, norms, values, expressions, events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import Any

from rules import model as m
from rules.machine import Chance, Choice, Game, Open
from rules.machine.norms import Applied, RuleNorm
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import ConstantSymbol, RankSymbol, SlotSymbol, TableSymbol, ValueSymbol, VariableSymbol
from rules.types import KindT, NumberT, OrderT, Type
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.legality import Weighed
from solver.encode.sym import Sym
from solver.solve import Solver
from solver.terms import Flag, every, no, variables_of
from solver.verdict import Proved, Query, Refuted
from solver.witness import has_value
from tests.machine.properties import Made, decisions
from tests.solver.agreement_of_events import EventAgreement, told
from tests.solver.comparing import STOPS, Tally, Way
from tests.solver.seeing import Seen, comparable

Verdict = tuple[bool, bool, bool]  # whether a move is legal, whether norms clash over it, whether it is owed

_STATES = 8  # of one game
_MOVES = 3  # ways of doing an action, and parts of a value, in each state
_EXPRESSIONS = 0.25  # of all parts of a book, in each state
_CERTIFIED = 40  # one verdict in so many is put to Z3


class Agreement(EventAgreement):
    """One random book. `compare` plays it and asks in the states that it comes to."""

    def __init__(self, made: Made, tally: Tally, policies: tuple[str, ...] | None = None) -> None:
        super().__init__(made, tally, policies)
        self.solver = Solver()

    def compare(self, most: int = 25, shaken: int = 1) -> None:
        """Asks in some states of a game of so many decisions, and beside each in so many shaken ones."""
        game = Game(self.machine, self.made.seed)
        with told(self.machine, self.happens):
            for place, node in enumerate(decisions(game, most)):
                if isinstance(node, Open) or (isinstance(node, Choice | Chance) and place % (most // _STATES) == 0):
                    self._ask_all(game.state)
                    for _ in range(shaken):
                        self._ask_all(self.shaken(game.state))

    def _ask_all(self, state: State) -> None:
        for verb in self.machine.actions:
            if self.machine.by_of(verb) is not None:
                self._moves(verb, state)
        for norm in self.machine.norms:
            self._applies(norm, state)
        for symbol in self._symbols:
            match symbol:
                case ValueSymbol():
                    self._value(symbol, state)
                case TableSymbol():
                    self._table(symbol, state)
                case RankSymbol():
                    self._rank(symbol, state)
        for expr in self._expressions:
            if self.chooser.random() < _EXPRESSIONS:
                self._expression(expr, state)

    @cached_property
    def _symbols(self) -> list[ValueSymbol | TableSymbol | RankSymbol]:
        found = self.machine.checked.symbols.values()
        return list({s.span: s for s in found if isinstance(s, ValueSymbol | TableSymbol | RankSymbol)}.values())

    # ---- moves

    def _moves(self, verb: str, state: State) -> None:
        types = self.machine.verbs[verb].types
        for _ in range(_MOVES):
            args = self.any_of(types)
            if args is None:
                return
            self._weigh(verb, types, args, self.chooser.random() < 0.3, state)
            for norm in self.machine.modals.get(verb, ()):
                self._matching(norm, verb, types, args, state)
            self._precedence(verb, args, state)

    def _weigh(self, verb: str, types: tuple[Type, ...], args: tuple[Value, ...], offered: bool, state: State) -> None:
        interpreted = partial(self._weighed, verb, args, state, offered)
        seen = partial(_verdict, self._by_offer(verb, offered))
        for way in self.ways((verb, offered), types, args, lambda syms: self.encoder.weigh(verb, syms, offered)):
            self.agree("weigh", verb, state, way, interpreted, seen)
            if way.how == "any" and self.chooser.random() * _CERTIFIED < 1:
                self._certify(way, state)

    def _weighed(self, verb: str, args: tuple[Value, ...], state: State, offered: bool) -> Verdict:
        """What is so of a move under every reading, as the interpreter compares the readings."""
        machine = self.machine
        permits, duties, _ = machine.by_modal(verb)

        def ask() -> tuple[object, Verdict]:
            if not machine._matching(permits or duties, verb, args, state) and not self._by_offer(verb, offered):
                return None, (False, False, False)  # in play nothing more is asked of what nothing allows
            found = machine.weigh(verb, args, state, offered)
            is_open = found.legal or found.clash is not None
            return ((found.must, found.legal) if is_open else None), (found.legal, found.clash is not None, found.must)

        return machine.under_readings(verb, machine.modals.get(verb, []), state, ask)

    def _by_offer(self, verb: str, offered: bool) -> bool:
        permits, duties, _ = self.machine.by_modal(verb)
        return offered and not permits and not duties

    def _matching(
        self, norm: RuleNorm, verb: str, types: tuple[Type, ...], args: tuple[Value, ...], state: State
    ) -> None:
        def interpreted() -> object:
            return self.applied(self.machine._matching([norm], verb, args, state))

        key = (norm.key, norm.reading, verb)
        for way in self.ways(key, types, args, lambda syms: self.encoder.matching([norm], verb, syms)):
            self.agree("matching", norm.name, state, way, interpreted, self.applying)

    def _precedence(self, verb: str, args: tuple[Value, ...], state: State) -> None:
        """Of norms that apply to one move, which go before which."""
        try:
            applied = self.machine._matching(self.machine.modals.get(verb, ()), verb, args, state)
        except STOPS:
            return
        for one in applied:
            for other in applied:
                if one.norm.key != other.norm.key:
                    self._precedes(one, other, state)

    def _precedes(self, one: Applied, other: Applied, state: State) -> None:
        def interpreted() -> bool:
            return self.machine.precedence.precedes(one, other, state) is not None

        pair = [Applying(a.norm, self.encoder.lifted(a.env), True, a.phrase) for a in (one, other)]
        way = Way("known", lambda: self.apart(lambda: self.encoder.precedes(*pair)))
        self.agree("precedes", (one.norm.name, other.norm.name), state, way, interpreted, _flag)

    def _certify(self, way: Way, state: State) -> None:
        """Z3 itself is asked what it makes of the terms where the variables are as in the state."""
        try:
            terms = way.ask()
            seen = Seen(self.space, state)
            seen.stand_for(terms.syms, way.values, way.types)
            claims: list[Flag] = [terms.answer.legal, terms.answer.clash, *(one.when for one in terms.troubles)]
            said = every([claim if seen.read(claim) else no(claim) for claim in claims])
            given = tuple((variable, has_value(variable, seen[variable])) for variable in variables_of(said))
        except (NotEncodable, *STOPS):
            return
        for claim, wanted in ((said, Proved), (no(said), Refuted)):
            query = Query(claim, given)
            verdict = self.solver.ask(query)
            assert isinstance(verdict, wanted), (self.made.shape, self.made.seed, verdict)
            assert isinstance(verdict, Proved | Refuted)
            assert self.solver.certified(query, verdict) is True
        self.tally.certified += 1

    # ---- norms and expressions

    def _applies(self, norm: RuleNorm, state: State) -> None:
        ignoring = [one.conditions.when for one in self.machine.ignored.get(norm.name, ())]
        parts = (norm.conditions.when, norm.conditions.unless, *ignoring)
        names = {name for part in parts if part is not None for name in self.machine.needs(part)}
        self._bound(
            "applies",
            (norm.key, norm.reading),
            sorted(names),
            state,
            lambda env: self.machine.applies(norm, env, state),
            lambda env: self.encoder.applies(norm, env),
            _flag,
        )

    @cached_property
    def _expressions(self) -> list[m.Expr]:
        """Every part of the book that has a value by itself, but for plain names and numbers."""
        checked = self.machine.checked
        found: dict[int, m.Expr] = {}
        for part in nodes_of(checked.book.declarations):
            if not isinstance(part, m.Expr) or id(part) not in checked._types:
                continue
            symbol = checked.symbols.get(id(part))
            match part, symbol:
                case (m.Number() | m.Truth() | m.Nothing(), _) | (_, VariableSymbol() | ConstantSymbol()):
                    continue
                case m.Ref(args=args), (SlotSymbol(params=params) | ValueSymbol(params=params)) if len(args) != len(
                    params
                ):
                    continue  # an adjective: it means something only with its subject
                case _:
                    found[id(part)] = part
        return list(found.values())

    def _expression(self, expr: m.Expr, state: State) -> None:
        type_ = self.machine.checked.type_of(expr)
        self._bound(
            "expressions",
            id(expr),
            sorted(self.machine.needs(expr)),
            state,
            lambda env: comparable(self.machine.evaluator.value(expr, state, env), type_),
            lambda env: self.encoder.value(expr, env),
            lambda seen, sym: seen.value(sym, type_),
        )

    def _bound(
        self,
        about: str,
        what: object,
        names: list[str],
        state: State,
        interpreted: Callable[[dict[str, Value]], Any],
        encoded: Callable[[dict[str, Sym]], Any],
        seen: Callable[[Seen, Any], Any],
    ) -> None:
        """The same under a random binding of these variables."""
        types = [self.type_of(name) for name in names]
        values = self.any_of(types)
        if values is None:
            return

        def ask(syms: tuple[Sym, ...]) -> Any:
            return encoded(dict(zip(names, syms, strict=True)))

        env = dict(zip(names, values, strict=True))
        for way in self.ways((about, what), types, values, ask):
            self.agree(about, what, state, way, lambda: interpreted(env), seen)

    # ---- values, tables, ranks

    def _asked_of(
        self,
        about: str,
        name: str,
        types: Sequence[Type],
        result: Type,
        state: State,
        interpreted: Callable[[tuple[Value, ...]], Value],
        encoded: Callable[[tuple[Sym, ...]], Sym],
    ) -> None:
        for _ in range(_MOVES):
            args = self.any_of(types)
            if args is None:
                return
            for way in self.ways((about, name), types, args, encoded):
                self.agree(
                    about,
                    name,
                    state,
                    way,
                    partial(interpreted, args),
                    lambda seen, sym: seen.value(sym, result),
                )

    def _value(self, symbol: ValueSymbol, state: State) -> None:
        self._asked_of(
            "value",
            symbol.name,
            symbol.params,
            symbol.type,
            state,
            lambda args: comparable(self.machine.value_of(symbol, args, state), symbol.type),
            lambda args: self.encoder.value_of(symbol, args),
        )

    def _table(self, symbol: TableSymbol, state: State) -> None:
        if symbol.type is not None:
            self._asked_of(
                "table",
                symbol.name,
                symbol.params,
                symbol.type,
                state,
                lambda args: self.machine.look_up(symbol, args, state),
                lambda args: self.encoder.look_up_table(symbol, args),
            )

    def _rank(self, symbol: RankSymbol, state: State) -> None:
        self._asked_of(
            "rank",
            symbol.name,
            symbol.params,
            OrderT(symbol.kind),
            state,
            lambda args: self.machine.ranking(symbol, args, state),
            lambda args: Sym(self.encoder.ranking(symbol, args)),
        )
        self._asked_of(
            "place in a rank",
            symbol.name,
            (KindT(symbol.kind), *symbol.params),
            NumberT(1, len(self.machine.world.things[symbol.kind])),
            state,
            lambda args: self.machine.place_in(symbol, args[0], args[1:], state),
            lambda args: self.encoder.rank_place(symbol, args[0], args[1:]),
        )


def _flag(seen: Seen, term: Flag) -> bool:
    return bool(seen.read(term))


def _verdict(by_offer: bool, seen: Seen, weighed: Weighed) -> Verdict:
    allowed = by_offer or any(seen.read(one.when) for one in weighed.allowing)
    must = allowed and bool(seen.read(weighed.must))
    return bool(seen.read(weighed.legal)), bool(seen.read(weighed.clash)), must
