"""Norms as terms: when a pattern fits, when a norm applies, which goes before which."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules import model as m
from rules.machine.norms import Applied, Ground, RuleNorm
from rules.machine.state import State
from rules.symbols import VariableSymbol, VerbSymbol
from rules.types import MaybeT, NumberT, TitleT, Type, without_none
from rules.walk import nodes_of
from solver.encode.expressions import Env, Expressions, NotEncodable
from solver.encode.space import MOST_TIMES
from solver.encode.sym import NONE, Group, Sym, alike, equal_payloads, lift, look_up, type_bounds
from solver.terms import Flag, Number, at_most, both, either, every, less, no, pick, same, some

Result = TypeVar("Result")
_MOST_READINGS = 16


@dataclass(frozen=True, slots=True)
class Applying:
    """A norm with what its variables stand for, and the condition under which it applies."""

    norm: RuleNorm
    env: Mapping[str, Sym] = field(compare=False)
    when: Flag
    phrase: m.Phrase | None = field(default=None, compare=False)


class Judging(Expressions, ABC):
    reads: Mapping[str, str] = {}  # which reading of a rule is being followed
    left_out: frozenset[tuple[str, int, bool]] = frozenset()  # the keys of norms that are taken not to be there

    @contextmanager
    def leaving_out(self, *norms: RuleNorm) -> Iterator[None]:
        """As if these norms did not stand in the book: what is judged inside is judged without them."""
        before = self.left_out
        self.left_out = before | {norm.key for norm in norms}
        try:
            yield
        finally:
            self.left_out = before

    def stands_in_book(self, norm: RuleNorm) -> bool:
        return norm.key not in self.left_out

    # ---- patterns

    def unify(self, expr: m.Expr, value: Sym, env: dict[str, Sym]) -> Flag:
        """When a part of a pattern fits a value; a variable that stands for nothing yet is bound to it."""
        if isinstance(expr, m.Ref) and not expr.args:
            symbol = self.checked.symbols.get(id(expr))
            if isinstance(symbol, VariableSymbol) and symbol.name not in env:
                env[symbol.name] = value
                return self.has_type(value, symbol.type)
        given = self.value(expr, env)
        type_ = without_none(self.checked.type_of(expr))
        if isinstance(type_, TitleT):
            return both(value.there, self._titled(value, type_.kind, given.payload))
        return alike(given, value)

    def has_type(self, value: Sym, type_: Type) -> Flag:
        if isinstance(type_, MaybeT):
            return either(value.none, self.has_type(value, type_.of))
        if not isinstance(type_, NumberT):
            return value.there
        low, high = type_bounds(type_, self.world)
        return both(value.there, at_most(low, value.payload), at_most(value.payload, high))

    def match_phrase(self, phrase: m.Phrase, args: tuple[Sym, ...], env: dict[str, Sym]) -> Flag:
        verb = self.checked.symbol_of(phrase.verb)
        assert isinstance(verb, VerbSymbol)
        labels = [param.label for param in verb.params]
        return every([self.unify(arg.value, args[labels.index(arg.label)], env) for arg in phrase.args])

    def is_meant(self, player: m.Ref | None, who: Sym, env: dict[str, Sym]) -> Flag:
        """When an ending speaks of somebody; what it says of nobody counts for everybody."""
        if player is None:
            return True
        if isinstance(self.checked.symbols.get(id(player)), VariableSymbol):
            return self.unify(player, who, env)
        given = self.value(player, env)
        if isinstance(given.payload, Group):
            members = given.payload.members.items()
            return both(given.there, some(both(inside, equal_payloads(who.payload, key)) for key, inside in members))
        return both(given.there, equal_payloads(given.payload, who.payload))

    def bindings(self, norm: RuleNorm) -> list[dict[str, Sym]]:
        """What stands for something before a pattern is compared, as the interpreter tries it."""
        return [self.lifted(env) for env in self.machine.bindings(norm)]

    def lifted(self, env: Mapping[str, object]) -> dict[str, Sym]:
        found: dict[str, Sym] = {}
        for name, value in env.items():
            symbol = self.machine.variables[name]
            assert isinstance(symbol, VariableSymbol)
            found[name] = lift(value, symbol.type, self.world)
        return found

    # ---- what applies

    def applies(self, norm: RuleNorm, env: Env) -> Flag:
        if not self.is_read(norm):
            return False
        enabled = no(self.is_off(norm))
        conditions = norm.conditions
        with self.under(enabled):
            when = both(enabled, self.holds(conditions.when, env))
        if when is False:
            return False
        with self.under(when):
            if conditions.unless is not None:
                when = both(when, no(self.holds(conditions.unless, env)))
            return both(when, no(self._ignored(norm, env)))

    def is_read(self, norm: RuleNorm) -> bool:
        return self.machine.reads_with(norm, self.reads)

    def is_off(self, norm: RuleNorm) -> Flag:
        """That a rule is switched off, by its own name or by that of another version of it."""
        return some([self.disabled(name) for name in sorted(self.machine.restated.names(norm.name))])

    def disabled(self, rule: str) -> Flag:
        if rule not in self._switched:
            return False
        return self.space.flag(("disabled", rule), lambda s: rule in s.disabled, f"whether `{rule}` is switched off")

    @property
    def _switched(self) -> frozenset[str]:
        """The rules that some statement switches off."""
        found = self.__dict__.get("_switched_rules")
        if found is None:
            nodes = nodes_of(self.checked.book.declarations)
            found = frozenset(node.rule.text for node in nodes if isinstance(node, m.Disable))
            self.__dict__["_switched_rules"] = found
        return found

    def _ignored(self, norm: RuleNorm, env: Env) -> Flag:
        ignoring = self.machine.ignored.get(norm.name)
        if not ignoring:
            return False

        known = self.machine.restated.again.get(norm.key)  # with the letters of what it repeats, too
        letters = env if known is None else {**{a: env[b] for a, b in known[1].items() if b in env}, **env}

        def ask() -> tuple[Flag, Flag]:
            found = some(
                [both(no(self.is_off(one)), self._ignores(one, letters)) for one in ignoring if self.is_read(one)]
            )
            return found, found

        return self.under_readings(norm.name, ignoring, ask, same)

    def _ignores(self, one: RuleNorm, env: Env) -> Flag:
        body = one.body
        assert isinstance(body, m.IgnoreNorm)
        missing = {
            n.name.text: NONE
            for n in nodes_of(body.condition)
            if isinstance(n, m.Ref) and not n.args and n.name.text in self.machine.variables and n.name.text not in env
        }
        return self.holds(body.condition, {**missing, **env})

    def under_readings(
        self,
        about: str,
        norms: Iterable[RuleNorm],
        ask: Callable[[], tuple[Any, Result]],
        agree: Callable[[Any, Any], Flag],
    ) -> Result:
        """What is so under every reading and every version; that they differ is a trouble."""
        if not self.machine.has_versions:
            return ask()[1]
        norms = list(norms)
        ways = self.machine.ways_to_read(norms, self.reads, frozenset())
        if not ways.unread and not ways.families:
            return ask()[1]
        if len(ways.all) > _MOST_READINGS:
            raise NotEncodable(f"it can be read in {len(ways.all)} ways", norms[0].body.span)
        before = self.reads
        found: list[tuple[Any, Result]] = []
        try:
            for way in ways.all:
                self.reads = {**before, **way}
                found.append(ask())
        finally:
            self.reads = before
        agreeing = [agree(found[0][0], other) for other, _ in found]
        for key, (family, options) in ways.families.items():
            if len(options) > 1:
                same_as_first = [one for way, one in zip(ways.all, agreeing, strict=True) if way[key] != options[0]]
                names = tuple(norm.name for side in self.machine.restated.sides(family, options) for norm in side)
                self.trouble("undetermined", ("readings", about, tuple(dict.fromkeys(names))), no(every(same_as_first)))
        if ways.unread:
            self.trouble("undetermined", ("readings", about, tuple(ways.unread)), no(every(agreeing)))
        return found[0][1]

    # ---- how often something was done

    def times_done(self, frequency: m.Frequency, phrase: m.Phrase, args: tuple[Sym, ...]) -> Number:
        verb = phrase.verb.text
        symbol = self.machine.verbs[verb]
        labels = [param.label for param in symbol.params]
        apart = sorted(
            {labels.index("by")}
            | {
                labels.index(arg.label)
                for arg in phrase.args
                if any(name.text in self.machine.needs(arg.value) for name in frequency.each)
            }
        )
        moment = frequency.moment.text
        found: list[tuple[Flag, Sym]] = []
        for keys, test in self._ways([(args[i], symbol.types[i]) for i in apart], frequency.span):
            values = {i: self._plain(key, symbol.types[i]) for i, key in zip(apart, keys, strict=True)}

            def probe(s: State, values: dict[int, object] = values) -> int:
                since = self.machine._since(moment, s)
                if since is None:
                    return 0
                log = s.log[since:]
                return sum(
                    1 for h in log if h.key == ("phrase", verb) and all(h.args[i] == v for i, v in values.items())
                )

            name = ("done", verb, moment, tuple(values.items()))
            words = f"how often `{verb}` was done this {moment}"
            found.append((test, Sym(self.space.number(name, 0, MOST_TIMES, probe, words))))
        count: Number = look_up(found[:-1], found[-1][1]).payload
        return count

    def counts(self, body: m.ModalNorm, phrase: m.Phrase, args: tuple[Sym, ...]) -> Flag:
        """A `may` or `must` applies until the count is reached, a `cannot` from then on."""
        if body.frequency is None:
            return True
        open_ = less(self.times_done(body.frequency, phrase, args), body.frequency.count)
        return open_ if body.modal != "cannot" else no(open_)

    # ---- precedence

    def precedes(self, one: Applying, other: Applying) -> Flag:
        """When the one goes before the other, where both apply; found once for norms of which it does not hang on
        what their variables stand for."""
        if hangs_on_variables(one.norm) or hangs_on_variables(other.norm):
            return self._precedes(one, other)
        known: dict[object, Flag] = self.__dict__.setdefault("_known_precedence", {})
        key = (one.norm.key, one.norm.reading, id(one.phrase), other.norm.key, other.norm.reading, id(other.phrase))
        if key not in known:
            known[key] = self._precedes(one, other)
        return known[key]

    def _precedes(self, one: Applying, other: Applying) -> Flag:
        known = self.machine.precedence
        standing = known.before_meta_rules(one.norm, other.norm)
        if standing is not None:
            return standing[0]
        result: Flag = False
        for rule in reversed(known.rules):
            if known.can_settle(rule, one.norm, other.norm):
                forward, backward = self._by(rule, one, other), self._by(rule, other, one)
                result = pick(both(forward, no(backward)), True, pick(both(backward, no(forward)), False, result))
        return result

    def grounds(self, one: Applying, other: Applying) -> Iterator[tuple[Ground, Flag]]:
        """Why the one goes before the other, where both apply: each ground with when it is the one that decides."""
        known = self.machine.precedence
        standing = known.before_meta_rules(one.norm, other.norm)
        if standing is not None:
            if standing[0]:
                yield standing[1], True
            return
        undecided: Flag = True
        for rule in known.rules:
            if known.can_settle(rule, one.norm, other.norm):
                forward, backward = self._by(rule, one, other), self._by(rule, other, one)
                decides = both(undecided, forward, no(backward))
                if decides is not False:
                    yield known.ground_of(rule), decides
                undecided = both(undecided, same(forward, backward))

    def _by(self, rule: m.MetaRule, one: Applying, other: Applying) -> Flag:
        """What hangs on the state (`even if`, ages) as terms; the rest as the interpreter knows it without a state."""
        match rule.body:
            case m.Explicit():
                known = self.machine.precedence
                return True if known.overrides(one.norm, other.norm) else self._even_if(one, other)
            case m.Over(winner=winner, among=group, by=by) if winner.text in ("earlier", "later"):
                if group is not None and not self.machine.precedence.both_among(one.norm, other.norm, group.text):
                    return False
                ages = self._age(one, by), self._age(other, by)
                if ages[0] is None or ages[1] is None:
                    return False
                older = less(ages[0].payload, ages[1].payload)
                newer = less(ages[1].payload, ages[0].payload)
                return both(ages[0].there, ages[1].there, older if winner.text == "earlier" else newer)
            case _:
                return self.machine.precedence.by_form(rule, _plain(one), _plain(other))

    def _even_if(self, one: Applying, other: Applying) -> Flag:
        even_if = one.norm.conditions.even_if
        if even_if is None or not self.machine.precedence.speaks_of(_plain(one), _plain(other)):
            return False
        return self.holds(even_if, one.env)

    def _age(self, one: Applying, by: m.Name | None) -> Sym | None:
        source = one.norm.clauses.source
        if source is None or by is None:
            return None
        thing = one.env.get(source.text)
        if thing is None:
            constant = self.machine.constant_thing(source.text)
            if constant is None:
                return None
            thing = Sym(constant)
        for key, slot in self.world.slots.items():
            if slot.symbol.name == by.text and len(slot.symbol.params) == 1:
                return self.cell(key, (thing,))
        return None


def hangs_on_variables(norm: RuleNorm) -> bool:
    """Whether precedence asks more of a norm than its form: `even if`, or the age of what it comes from."""
    return norm.conditions.even_if is not None or norm.clauses.source is not None


def _plain(one: Applying) -> Applied:
    """As precedence by form sees it: which variables are bound counts, not to what."""
    return Applied(one.norm, dict.fromkeys(one.env), one.phrase)
