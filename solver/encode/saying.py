"""What norms say, as terms: for which move, value, event, outcome or limit they apply, and what they make of it.

Two norms that speak of the same subject are compared over the same parts: `Saying.of` gives for each of them when it
applies to any part, and `same_content` whether they then say the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Literal, assert_never

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import SlotSymbol, ValueSymbol, VariableSymbol, VerbSymbol
from rules.types import EnumT, KindT, NumberT, TruthT, Type, without_none
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.legality import Encoder
from solver.encode.sym import Group, Sym, alike
from solver.terms import Flag, both, either, every, no, some

Sort = Literal["move", "value", "event", "ignored rule", "outcome", "limit"]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a norm speaks of. `key` tells subjects of one sort apart; `types` are those of its parts."""

    sort: Sort
    key: Hashable
    types: tuple[Type, ...] = field(compare=False)
    words: str = field(compare=False)  # as players call it


class Saying:
    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.machine = encoder.machine

    # ---- subjects

    def subjects(self, norm: RuleNorm) -> list[Subject]:
        """Several where a norm has alternatives, none twice."""
        body = norm.body
        match body:
            case m.ModalNorm(phrases=phrases):
                verbs = dict.fromkeys(phrase.verb.text for phrase in phrases)
                return [Subject("move", verb, self.machine.verbs[verb].types, verb) for verb in verbs]
            case m.ValueNorm(target=target):
                symbol = self.machine.checked.symbol_of(target)
                assert isinstance(symbol, ValueSymbol)
                return [self.of_value(symbol)]
            case m.EventNorm(event=event):
                return [self._of_event(event)]
            case m.IgnoreNorm(what=what):
                if isinstance(what, m.Name):
                    return [Subject("ignored rule", what.text, (), what.text)]
                return [self._of_event(what)]
            case m.OutcomeNorm(outcome=outcome):
                players = self.machine.checked.players
                types = () if outcome.player is None or players is None else (KindT(players),)
                return [Subject("outcome", bool(types), types, outcome.result)]
            case m.LimitNorm(what=what):
                return [Subject("limit", "limit", tuple(self._type(name) for name in self._named(what)), "limit")]
            case m.Case():
                raise NotEncodable("a case of a value is compared with its value", body.span)
            case _:
                assert_never(body)

    def of_value(self, symbol: ValueSymbol) -> Subject:
        return Subject("value", id(symbol), symbol.params, symbol.name)

    def _of_event(self, event: m.Event) -> Subject:
        key = self.machine.key_of(event)
        match event:
            case m.PhraseEvent(phrase=phrase):
                verb = self.machine.checked.symbol_of(phrase.verb)
                assert isinstance(verb, VerbSymbol)
                return Subject("event", key, verb.types, verb.name)
            case m.ChangeEvent(subject=ref):
                slot = self.machine.checked.symbol_of(ref)
                assert isinstance(slot, SlotSymbol)
                return Subject("event", key, (*slot.params, _amount(slot.type)), slot.name)
            case m.MomentEvent(moment=moment):
                return Subject("event", key, tuple(self._given(arg) for arg in moment.args), moment.name.text)
            case m.RunsOutEvent(pile=pile):
                return Subject("event", key, tuple(self._given(arg) for arg in pile.args), pile.name.text)
            case m.TransferEvent(what=what, where=where):
                types = (self._given(what), *(self._given(arg) for arg in where.args))
                return Subject("event", key, types, where.name.text)
            case _:
                assert_never(event)

    def _given(self, expr: m.Expr) -> Type:
        return self.machine.checked.type_of(expr)

    def _type(self, name: str) -> Type:
        symbol = self.machine.variables[name]
        assert isinstance(symbol, VariableSymbol)
        return symbol.type

    def _named(self, expr: m.Expr) -> tuple[str, ...]:
        """The variables that an expression needs, in the order of the text."""
        return variables_in_order(expr, self.machine.needs(expr))

    # ---- what is said

    def parts(self, subject: Subject) -> tuple[Sym, ...]:
        """The parts of a subject as variables: any move, any argument, any event."""
        if subject.sort == "move":
            return self.encoder.parts(subject.words)
        return tuple(self._part(subject, place, type_) for place, type_ in enumerate(subject.types))

    def _part(self, subject: Subject, place: int, type_: Type) -> Sym:
        if not isinstance(without_none(type_), NumberT | TruthT | EnumT | KindT):
            return Sym(0, False, True)  # no pattern can name it
        return self.encoder.symbolic((subject, place), type_)

    def of(self, norm: RuleNorm, subject: Subject, parts: tuple[Sym, ...]) -> list[Applying]:
        """When a norm applies to these parts, with what its variables stand for."""
        body = norm.body
        if subject.sort == "move":
            return self.encoder.matching([norm], subject.words, parts)
        found: list[Applying] = []
        for env in self._bindings(norm, parts):
            fits = self._fits(body, parts, env)
            if fits is False:
                continue
            with self.encoder.under(fits):
                when = both(fits, self.encoder.applies(norm, env))
            if when is not False:
                found.append(Applying(norm, env, when))
        return found

    def _bindings(self, norm: RuleNorm, parts: tuple[Sym, ...]) -> Iterator[dict[str, Sym]]:
        for env in self.encoder.bindings(norm):
            if isinstance(norm.body, m.LimitNorm):
                names = self._named(norm.body.what)
                yield {**env, **dict(zip(names, parts, strict=True))}
            else:
                yield env

    def _fits(self, body: m.NormBody | m.Case, parts: tuple[Sym, ...], env: dict[str, Sym]) -> Flag:
        match body:
            case m.ValueNorm(target=target):
                return self._all_fit(target.args, parts, env)
            case m.EventNorm(event=event):
                return self._event_fits(event, parts, env)
            case m.IgnoreNorm(what=what):
                return True if isinstance(what, m.Name) else self._event_fits(what, parts, env)
            case m.OutcomeNorm(outcome=outcome):
                return True if outcome.player is None else self._player_fits(outcome.player, parts[0], env)
            case _:
                return True

    def _all_fit(self, patterns: tuple[m.Expr, ...], parts: tuple[Sym, ...], env: dict[str, Sym]) -> Flag:
        return every([self.encoder.unify(p, part, env) for p, part in zip(patterns, parts, strict=False)])

    def _event_fits(self, event: m.Event, parts: tuple[Sym, ...], env: dict[str, Sym]) -> Flag:
        match event:
            case m.PhraseEvent(phrase=phrase):
                return self.encoder.match_phrase(phrase, parts, env)
            case m.ChangeEvent(subject=ref, amount=amount):
                fits = self._all_fit(ref.args, parts[:-1], env)
                return fits if amount is None else both(fits, self.encoder.unify(amount, parts[-1], env))
            case m.MomentEvent(moment=moment):
                return self._all_fit(moment.args, parts, env)
            case m.RunsOutEvent(pile=pile):
                return self._all_fit(pile.args, parts, env)
            case m.TransferEvent(what=what, where=where):
                return self._all_fit((what, *where.args), parts, env)
            case _:
                assert_never(event)

    def _player_fits(self, player: m.Ref, part: Sym, env: dict[str, Sym]) -> Flag:
        symbol = self.machine.checked.symbol_of(player)
        if isinstance(symbol, VariableSymbol) and symbol.name not in env:
            env[symbol.name] = part
            return part.there
        who = self.encoder.value(player, env)
        if isinstance(who.payload, Group):
            codes = self.encoder.codes(part, self.machine.checked.type_of(player))
            return some(both(test, who.payload.members.get(key, False)) for key, test in codes)
        return alike(who, part)

    # ---- comparing

    def content(self, one: Applying) -> Sym | None:
        """What a norm that applies says its subject is: of a value, or the most of a limit."""
        body = one.norm.body
        if isinstance(body, m.ValueNorm | m.Case):
            return self.encoder.case_value(one)
        if isinstance(body, m.LimitNorm):
            with self.encoder.under(one.when):
                return self.encoder.value(body.most, one.env)
        return None

    def differ(self, ours: list[Applying], theirs: list[Applying]) -> Flag:
        """When only one of them applies, or both do and say something else."""
        one, other = some(a.when for a in ours), some(a.when for a in theirs)
        return either(both(one, no(other)), both(other, no(one)), self.clash(ours, theirs))

    def clash(self, ours: list[Applying], theirs: list[Applying]) -> Flag:
        """When both apply and say something else."""
        found: list[Flag] = []
        for a, b in product(ours, theirs):
            says, instead = self.content(a), self.content(b)
            if says is not None and instead is not None:
                found.append(both(a.when, b.when, no(alike(says, instead))))
        return some(found)


def variables_in_order(node: object, names: frozenset[str]) -> tuple[str, ...]:
    """Those of the names that stand in a part of the book, in the order of the text."""
    found = [part.text for part in nodes_of(node) if isinstance(part, m.Name) and part.text in names]
    return tuple(dict.fromkeys(found))


def _amount(type_: Type) -> Type:
    """What a change can be by, or to."""
    plain = without_none(type_)
    return NumberT(min(plain.low, 0), max(plain.high, plain.high - plain.low)) if isinstance(plain, NumberT) else plain
