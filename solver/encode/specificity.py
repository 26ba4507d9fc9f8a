"""Which of two conditions is the narrower: one implies the other and not the reverse, proved by the solver.

What the norms speak of (the parts of a move, the arguments of a value, an event) are variables that both share. States
in which a condition cannot be answered at all do not count: there the game stops anyway.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import Applied, RuleNorm, is_narrower_by_form
from rules.symbols import RankSymbol, ValueSymbol
from rules.types import KindT
from rules.walk import nodes_of
from solver.encode.events import Events
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.encode.sym import Sym
from solver.solve import Solver
from solver.terms import Flag, Pool, both, every, no, some


@dataclass(frozen=True, slots=True)
class Condition:
    """When a norm applies to each sort of thing that it can speak of, and where that can be answered."""

    subject: object
    when: tuple[Flag, ...]
    answered: Flag


class Referee:
    """Compares norms of one machine; what it has found it keeps.

    It is asked in the middle of other work, and has terms of its own: whether it was asked leaves no mark elsewhere.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._conditions: dict[tuple[object, int], Condition | None] = {}
        self._solver = Solver()
        self._pool = Pool()

    @cached_property
    def _space(self) -> Space:
        return Space(self.machine)

    def __call__(self, one: Applied, other: Applied) -> bool:
        """Whether the condition of the one implies that of the other, and not the reverse.

        Where a condition has no form as a term, or the solver gives up, the parts of the conditions are compared.
        """
        with self._pool:
            return self._is_narrower(one, other)

    def _is_narrower(self, one: Applied, other: Applied) -> bool:
        ours, theirs = self._condition(one), self._condition(other)
        if ours is None or theirs is None or ours.subject != theirs.subject:
            return is_narrower_by_form(one, other)
        there, back = self._implies(ours, theirs), self._implies(theirs, ours)
        if there is None or back is None:
            return is_narrower_by_form(one, other)
        return there and not back

    def _implies(self, one: Condition, other: Condition) -> bool | None:
        answered = both(one.answered, other.answered)
        unknown = False
        for ours, theirs in zip(one.when, other.when, strict=True):
            terms = (ours, no(theirs), answered)
            facts = [fact for _, fact in self._space.facts(terms)] if False not in terms else []
            found = self._solver.possible(*terms, *facts)
            if found:
                return False
            unknown = unknown or found is None
        return None if unknown else True

    def _condition(self, applied: Applied) -> Condition | None:
        key = (applied.norm.key, id(applied.phrase))
        if key not in self._conditions:
            try:
                self._conditions[key] = None if self._needs_itself(applied.norm) else self._encoded(applied)
            except NotEncodable:
                self._conditions[key] = None
        return self._conditions[key]

    def _encoded(self, applied: Applied) -> Condition:
        """By an encoder of its own: this is asked in the middle of other encoding, which must leave no mark on it."""
        encoder = Encoder(self._space)
        with encoder.apart() as troubles:
            subject, when = _Subjects(encoder).of(applied.norm, applied.phrase)
        return Condition(subject, tuple(when), no(some(trouble.when for trouble in troubles)))

    def _needs_itself(self, norm: RuleNorm) -> bool:
        """Whether the condition of a case asks for the value that it is a case of.

        Then what the value is hangs on which case is the narrower, and the other way round.
        """
        about = _value_of(self.machine, norm)
        if about is None:
            return False
        waiting: list[object] = [norm.conditions]
        seen: set[int] = set()
        while waiting:
            for node in nodes_of(waiting.pop()):
                symbol = self.machine.checked.symbols.get(id(node))
                if symbol is about:
                    return True
                if symbol is None or id(symbol) in seen:
                    continue
                seen.add(id(symbol))
                if isinstance(symbol, ValueSymbol):
                    waiting.append(self.machine.values[symbol.span].cases)
                    waiting += [other.body for other in self.machine.value_norms.get(id(symbol), ())]
                    waiting += [other.body for other in self._ignoring(symbol)]
                elif isinstance(symbol, RankSymbol):
                    waiting.append(self.machine.ranks[symbol.span])
        return False

    def _ignoring(self, symbol: ValueSymbol) -> Iterator[RuleNorm]:
        names = {symbol.name, *(norm.name for norm in self.machine.value_norms.get(id(symbol), ()))}
        for name in names:
            yield from self.machine.ignored.get(name, ())


def _value_of(machine: Machine, norm: RuleNorm) -> object:
    """The symbol of the value that a norm says something about."""
    match norm.body:
        case m.ValueNorm(target=target):
            return machine.checked.symbol_of(target)
        case m.Case():
            node = _declared(machine, norm)
            return machine.checked.symbol_of(node.name)
        case _:
            return None


def _declared(machine: Machine, norm: RuleNorm) -> m.Value:
    return next(node for node in machine.values.values() if any(case is norm.body for case in node.cases))


class _Subjects:
    """What norms speak of as variables, and when each applies to it: `when` and `unless`, and what its parts ask."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.machine = encoder.machine

    def of(self, norm: RuleNorm, phrase: m.Phrase | None) -> tuple[object, list[Flag]]:
        match norm.body:
            case m.ModalNorm(phrases=phrases):
                return self._modal(norm, norm.body, phrase or phrases[0])
            case m.EventNorm(event=event):
                return self._event(norm, event)
            case m.IgnoreNorm(what=what):
                if isinstance(what, m.Name):
                    raise NotEncodable("it speaks of a rule", norm.body.span)
                return self._event(norm, what)
            case m.ValueNorm(target=target):
                symbol = self.machine.checked.symbol_of(target)
                assert isinstance(symbol, ValueSymbol)
                return id(symbol), [self._patterns(norm, target.args, self._arguments(symbol))]
            case m.Case():
                return self._case(norm)
            case m.OutcomeNorm(outcome=outcome):
                return "outcome", [self._outcome(norm, outcome.player)]
            case m.LimitNorm():
                raise NotEncodable("a limit has no rivals", norm.body.span)

    def _holds(self, norm: RuleNorm, env: dict[str, Sym], fits: Flag) -> Flag:
        conditions = norm.conditions
        if fits is False:
            return False
        with self.encoder.under(fits):
            when = both(fits, self.encoder.holds(conditions.when, env))
        if conditions.unless is None or when is False:
            return when
        with self.encoder.under(when):
            return both(when, no(self.encoder.holds(conditions.unless, env)))

    def _patterns(self, norm: RuleNorm, patterns: tuple[m.Expr, ...], args: tuple[Sym, ...]) -> Flag:
        found: list[Flag] = []
        for env in self.encoder.bindings(norm):
            fits = every([self.encoder.unify(part, arg, env) for part, arg in zip(patterns, args, strict=True)])
            found.append(self._holds(norm, env, fits))
        return some(found)

    def _modal(self, norm: RuleNorm, body: m.ModalNorm, phrase: m.Phrase) -> tuple[object, list[Flag]]:
        verb = phrase.verb.text
        args, by = self.encoder.parts(verb), self.machine.by_of(verb)
        assert by is not None
        found: list[Flag] = []
        for env in self.encoder.bindings(norm):
            fits = self.encoder.unify(body.actor, args[by], env)
            if fits is not False:
                with self.encoder.under(fits):
                    fits = both(fits, self.encoder.match_phrase(phrase, args, env))
            found.append(self._holds(norm, env, fits))
        return ("action", verb), [some(found)]

    def _event(self, norm: RuleNorm, pattern: m.Event) -> tuple[object, list[Flag]]:
        key = self.machine.key_of(pattern)
        events = Events(self.encoder)
        found: list[Flag] = []
        for event in events.of_key(key):
            ways: list[Flag] = []
            for env in self.encoder.bindings(norm):
                fits = both(event.facts, events.fits(pattern, event, env))
                ways.append(self._holds(norm, env, fits))
            found.append(some(ways))
        if not found:
            raise NotEncodable("what happens has no form as a term", norm.body.span)
        return key, found

    def _arguments(self, symbol: ValueSymbol) -> tuple[Sym, ...]:
        return tuple(
            self.encoder.symbolic(("argument", symbol.name, place), type_) for place, type_ in enumerate(symbol.params)
        )

    def _case(self, norm: RuleNorm) -> tuple[object, list[Flag]]:
        node = _declared(self.machine, norm)
        symbol = self.machine.checked.symbol_of(node.name)
        assert isinstance(symbol, ValueSymbol)
        args = self._arguments(symbol)
        env = {name.text: arg for name, arg in zip(node.variables, args, strict=True)}
        return id(symbol), [self._holds(norm, env, True)]

    def _outcome(self, norm: RuleNorm, player: m.Ref | None) -> Flag:
        """Of whoever it is said; what is said of nobody or of several is said whoever it is."""
        players = self.machine.checked.players
        if players is None:
            return some(self._holds(norm, env, True) for env in self.encoder.bindings(norm))
        who = self.encoder.symbolic(("outcome of",), KindT(players))
        found: list[Flag] = []
        for env in self.encoder.bindings(norm):
            fits = self.encoder.is_meant(player, who, env)
            found.append(self._holds(norm, env, fits))
        return some(found)
