"""Norms and the state: what fits a pattern, what applies, what has happened, what several readings agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeVar, assert_never

from rules import model as m
from rules.machine.base import Base, Happening
from rules.machine.evaluate import Env
from rules.machine.norms import Applied, RuleNorm, Ruling, Undetermined
from rules.machine.restated import Family, Version
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import VariableSymbol, VerbSymbol
from rules.types import TitleT, without_none
from rules.walk import nodes_of

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Ways:
    """What can be read in several ways: rules with their readings, families of versions with those that may count; and
    all ways to read them, as `State.reads` has them. The first is what counts where all come to the same."""

    unread: dict[str, tuple[str, ...]]
    families: dict[str, tuple[Family, tuple[str, ...]]]
    all: list[dict[str, str]]


class Judging(Base):
    # ---- patterns

    def unify(self, expr: m.Expr, value: Value, env: dict[str, Value], state: State) -> bool:
        """Whether a part of a pattern fits a value; a variable that stands for nothing yet is bound to it."""
        if isinstance(expr, m.Ref) and not expr.args:
            symbol = self.checked.symbols.get(id(expr))
            if isinstance(symbol, VariableSymbol) and symbol.name not in env:
                if not self.world.has(symbol.type, value):
                    return False
                env[symbol.name] = value
                return True
        given = self.evaluator.value(expr, state, env)
        type_ = without_none(self.checked.type_of(expr))
        if isinstance(type_, TitleT):
            return value is not None and self.world.titles[type_.kind][value] == given
        return bool(given == value)

    def match_phrase(self, phrase: m.Phrase, args: tuple[Value, ...], env: dict[str, Value], state: State) -> bool:
        verb = self.checked.symbol_of(phrase.verb)
        assert isinstance(verb, VerbSymbol)
        labels = [param.label for param in verb.params]
        return all(self.unify(arg.value, args[labels.index(arg.label)], env, state) for arg in phrase.args)

    def match_event(self, event: m.Event, happening: Happening, env: dict[str, Value], state: State) -> bool:
        if self.key_of(event) != happening.key:
            return False
        match event:
            case m.PhraseEvent(phrase=phrase):
                return self.match_phrase(phrase, happening.args, env, state)
            case m.ChangeEvent(subject=subject, change=change, amount=amount):
                return self._match_change(subject, change, amount, happening, env, state)
            case m.MomentEvent(moment=moment, edge=edge):
                return edge == happening.word and all(
                    self.unify(arg, value, env, state) for arg, value in zip(moment.args, happening.args, strict=False)
                )
            case m.RunsOutEvent(pile=pile):
                return all(self.unify(a, v, env, state) for a, v in zip(pile.args, happening.args, strict=True))
            case m.TransferEvent(what=what, direction=direction, where=where):
                return (
                    direction == happening.word
                    and self.unify(what, happening.new, env, state)
                    and all(self.unify(a, v, env, state) for a, v in zip(where.args, happening.args, strict=True))
                )

    def _match_change(
        self, subject: m.Ref, change: str, amount: m.Expr | None, event: Happening, env: dict[str, Value], state: State
    ) -> bool:
        if not all(self.unify(a, v, env, state) for a, v in zip(subject.args, event.args, strict=True)):
            return False
        if change == "changes":
            return bool(event.old != event.new)
        if change == "becomes":
            return event.old != event.new and (amount is None or self.unify(amount, event.new, env, state))
        if change != event.word or event.old == event.new:
            return False
        return amount is None or self.unify(amount, event.amount, env, state)

    def bindings(self, norm: RuleNorm) -> list[dict[str, Value]]:
        """What stands for something before a pattern is compared.

        A rule that comes from a thing applies once for each thing that its source can be; and a variable inside a part,
        as in `when coins of owner of h decreases`, is tried with all that it can be.
        """
        names = self._bound_first.get(norm.order)
        if names is None:
            names = self._bound_first[norm.order] = self._first_bound(norm)
        found: list[dict[str, Value]] = [{}]
        for name in names:
            symbol = self.variables[name]
            assert isinstance(symbol, VariableSymbol)
            found = [{**env, name: value} for env in found for value in self.world.domain(symbol.type)]
        return found

    def _first_bound(self, norm: RuleNorm) -> tuple[str, ...]:
        source = norm.clauses.source
        names = [source.text] if source is not None and source.text in self.variables else []
        for pattern in _patterns(norm.body):
            if not (isinstance(pattern, m.Ref) and not pattern.args):
                names += sorted(self.needs(pattern))
        return tuple(dict.fromkeys(names))

    def needs(self, expr: m.Expr) -> frozenset[str]:
        """The variables that must be bound before an expression can be evaluated."""
        found = self._needs.get(id(expr))
        if found is None:
            bound = {
                n.variable.text
                for n in nodes_of(expr)
                if isinstance(n, m.Quantified | m.SetWhere | m.NumberOf | m.Aggregate)
            }
            names = {n.name.text for n in nodes_of(expr) if isinstance(n, m.Ref) and not n.args}
            found = frozenset(name for name in names if name in self.variables and name not in bound)
            self._needs[id(expr)] = found
        return found

    def applies(self, norm: RuleNorm, env: Env, state: State) -> bool:
        """Whether the conditions of a norm hold, and it is neither disabled, nor ignored, nor of another reading."""
        if self.is_off(norm, state) or not self.is_read(norm, state):
            return False
        if self.observer is not None:
            self.observer.weighs(norm, state)
        conditions = norm.conditions
        if not self.evaluator.holds(conditions.when, state, env):
            return False
        if conditions.unless is not None and self.evaluator.holds(conditions.unless, state, env):
            return False
        return not self._is_ignored(norm, env, state)

    def is_off(self, norm: RuleNorm, state: State) -> bool:
        """Whether a rule is switched off, by its own name or by that of another version of it."""
        return bool(state.disabled) and not self.restated.names(norm.name).isdisjoint(state.disabled)

    def letters_of(self, norm: RuleNorm, env: Env) -> Env:
        """With the letters of what a norm repeats, too."""
        known = self.restated.again.get(norm.key)
        return env if known is None else {**{a: env[b] for a, b in known[1].items() if b in env}, **env}

    def _is_ignored(self, norm: RuleNorm, env: Env, state: State) -> bool:
        ignoring = self.ignored.get(norm.name)
        if not ignoring:
            return False

        letters = self.letters_of(norm, env)

        def ask() -> tuple[bool, bool]:
            found = any(
                isinstance(one.body, m.IgnoreNorm)
                and not self.is_off(one, state)
                and self.is_read(one, state)
                and self.evaluator.holds(one.body.condition, state, self._closed(one.body.condition, letters))
                for one in ignoring
            )
            return found, found

        return self.under_readings(f"whether `{norm.name}` counts", ignoring, state, ask)

    def _closed(self, condition: m.Expr | None, env: Env) -> Env:
        """Variables of `ignore rule X if C` are those of the same name in X; others stand for nothing."""
        missing = {
            n.name.text: None
            for n in nodes_of(condition)
            if isinstance(n, m.Ref) and not n.args and n.name.text in self.variables and n.name.text not in env
        }
        return {**missing, **env}

    # ---- readings

    def is_read(self, norm: RuleNorm, state: State) -> bool:
        """Whether a norm counts under the readings and the versions that are followed."""
        return not self.has_versions or self.reads_with(norm, state.reads)

    def reads_with(self, norm: RuleNorm, reads: Mapping[str, str]) -> bool:
        family = self.restated.families.get(norm.key)
        if family is not None and family.key in reads and not family.says(norm.key, reads[family.key]):
            return False
        known = self.restated.again.get(norm.key)
        read = norm if known is None else known[0]  # what repeats a reading is read with it
        return read.reading is None or reads.get(read.name, read.reading) == read.reading

    def ways_to_read(
        self, norms: Iterable[RuleNorm], reads: Mapping[str, str], ruled: frozenset[tuple[object, object]]
    ) -> Ways:
        """The ways in which what norms say can be read: every reading, and every version that may count.

        Versions are taken one at a time: each in the place of what it restates, all else as the originals say.
        """
        norms = list(norms)
        unread = {n.name: self.readings[n.name] for n in norms if n.name in self.readings and n.name not in reads}
        families = {}
        if self.restated.families:
            for norm in norms:
                family = self.restated.families.get(norm.key)
                if family is not None and family.key not in reads:
                    families[family.key] = (family, self.restated.followed(family, ruled))
        first = {key: options[0] for key, (_, options) in families.items()}
        versions = [first]
        versions += [{**first, key: option} for key, (_, options) in families.items() for option in options[1:]]
        return Ways(
            unread,
            families,
            [
                {**dict(zip(unread, combination, strict=True)), **chosen}
                for chosen in versions
                for combination in product(*unread.values())
            ],
        )

    def under_readings(
        self, subject: str, norms: Iterable[RuleNorm], state: State, ask: Callable[[], tuple[object, Result]]
    ) -> Result:
        """What is so under every reading of the rules concerned; `ask` gives what is compared, and the result.

        Raises `Undetermined` where the readings differ.
        """
        ways = self.ways_to_read(norms, state.reads, state.overs) if self.has_versions else None
        if ways is None or not (ways.unread or ways.families):
            return ask()[1]
        before = state.reads
        found: list[tuple[object, Result]] = []
        try:
            for way in ways.all:
                state.reads = {**before, **way}
                found.append(ask())
        finally:
            state.reads = before
        other = next((way for way, one in zip(ways.all, found, strict=True) if one[0] != found[0][0]), None)
        if other is None:
            return found[0][1]
        for key, (family, options) in ways.families.items():
            if other[key] != options[0]:
                differing = self.restated.sides(family, (options[0], other[key]))
                raise Undetermined(subject, tuple(tuple(Applied(norm, {}) for norm in side) for side in differing))
        sides = [
            [Applied(norm, {}) for norm in self.norms if norm.name == name and norm.reading == reading]
            for name, readings in ways.unread.items()
            for reading in readings
        ]
        rulings = tuple(
            Ruling("reads", f"{name} reads {reading}", name=name, value=reading)
            for name, readings in ways.unread.items()
            for reading in readings
        )
        raise Undetermined(subject, tuple(map(tuple, sides)), rulings)

    def said_again(self, applied: Applied) -> Iterator[Applied]:
        """The norms that say word for word what one says that is carried out: they apply with it."""
        for norm in self.restated.restating(applied.norm.name):
            known = self.restated.again.get(norm.key)
            if known is not None and known[0].key == applied.norm.key and self.restated.is_done_already(norm):
                yield Applied(norm, {b: applied.env[a] for a, b in known[1].items() if a in applied.env})

    def said_in_part(self, reads: Mapping[str, str]) -> Iterator[Version]:
        """The versions that are followed and restate only some of what others say."""
        for key, followed in reads.items():
            family = self.restated.by_name.get(key)
            version = None if family is None else family.version(followed)
            if version is not None and version.part:
                yield version

    # ---- what has happened

    def times_happened(self, event: m.Event, moment: m.Name, state: State, env: Env) -> int:
        since = self._since(moment.text, state)
        if since is None:
            return 0
        key = self.key_of(event)
        return sum(
            1
            for happening in state.log[since:]
            if happening.key == key and self.match_event(event, happening, dict(env), state)
        )

    def _since(self, moment: str, state: State) -> int | None:
        if moment == "game":
            return 0
        place = state.find(moment)
        return None if place is None else state.stack[place].since

    def age(self, applied: Applied, by: m.Name | None, state: State) -> Value:
        """How old the thing is that a norm comes from."""
        source = applied.norm.clauses.source
        if source is None or by is None:
            return None
        thing = applied.env.get(source.text)
        if thing is None:
            symbol = self.constant_thing(source.text)
            thing = symbol
        for slot in self.world.slots.values():
            if slot.symbol.name == by.text and len(slot.symbol.params) == 1:
                address = slot.address((thing,))
                if address is not None:
                    return state.cells[address]
        return None

    def constant_thing(self, name: str) -> Value:
        for names in self.world.things.values():
            if name in names:
                return names.index(name)
        return None


def _patterns(body: m.NormBody | m.Case) -> Iterator[m.Expr]:
    """The parts of a norm that are compared with what happens or is asked."""
    match body:
        case m.ModalNorm(actor=actor, phrases=phrases):
            yield actor
            yield from (arg.value for phrase in phrases for arg in phrase.args)
        case m.EventNorm(event=event):
            yield from event_patterns(event)
        case m.IgnoreNorm(what=what):
            if not isinstance(what, m.Name):
                yield from event_patterns(what)
        case m.ValueNorm(target=target):
            yield from target.args
        case m.OutcomeNorm(outcome=outcome):
            if outcome.player is not None:
                yield outcome.player
        case m.LimitNorm() | m.Case():
            pass
        case _:
            assert_never(body)


def event_patterns(event: m.Event) -> Iterator[m.Expr]:
    match event:
        case m.PhraseEvent(phrase=phrase):
            yield from (arg.value for arg in phrase.args)
        case m.ChangeEvent(subject=subject, amount=amount):
            yield from subject.args
            if amount is not None:
                yield amount
        case m.MomentEvent(moment=moment):
            yield from moment.args
        case m.RunsOutEvent(pile=pile):
            yield from pile.args
        case m.TransferEvent(what=what, where=where):
            yield what
            yield from where.args
        case _:
            assert_never(event)
