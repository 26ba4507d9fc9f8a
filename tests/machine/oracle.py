"""Legal moves by the plainest way: every action with all its parts is asked for, one by one.

Written from sections 8, 10, 13 and 14 of docs/language.md, apart from the search in `rules.machine.judge`. Of the
machine it uses the values that a type has, the evaluator of expressions, and what is going on (`asked_of`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from grammar.print_expressions import print_expression
from rules import model as m
from rules.machine import Machine
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import VariableSymbol
from rules.types import TitleT, Type, without_none
from rules.walk import nodes_of

Env = dict[str, Value]
Way = tuple[str, tuple[Value, ...]]
Ways = dict[tuple[Value, ...], bool]


@dataclass(frozen=True, slots=True)
class Asked:
    """Whose move it is, and what is offered: some phrases, or all actions."""

    actor: Value
    kind: Type
    phrases: tuple[m.Phrase, ...] | None
    env: Env


@dataclass(frozen=True, slots=True)
class Verdict:
    """The moves that can be chosen; whether a rule demands one of them; whether the rules contradict each other."""

    moves: frozenset[Way]
    duty: bool
    undetermined: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A norm of a rule, with the rule's clauses and its place in the text."""

    rule: str
    norm: m.Norm
    clauses: m.Clauses
    place: int
    env: Env
    phrase: m.Phrase | None = None
    ruled: bool = False  # it stands in a policy that is in force

    @property
    def body(self) -> m.ModalNorm:
        assert isinstance(self.norm.body, m.ModalNorm)
        return self.norm.body


def asked_of(machine: Machine, state: State) -> Asked | None:
    """What is asked where play stands: the only place that looks at what is going on."""
    frame = state.stack[-1]
    if frame.kind == "takes":
        actor = frame.data["actor"]
        kind = without_none(machine.checked.type_of(actor))
        return Asked(machine.evaluator.value(actor, state, frame.env), kind, frame.data["phrases"], dict(frame.env))
    if frame.kind == "window":
        things = frame.data["things"]
        return Asked(things[frame.data["at"] % len(things)], frame.data["kind"], None, {})
    return None


class Oracle:
    def __init__(self, machine: Machine, policies: tuple[str, ...] = ()) -> None:
        self.machine = machine
        self.checked = machine.checked
        self.world = machine.world
        book = self.checked.book
        self.actions = {d.signature.verb.text: d for d in book.declarations if isinstance(d, m.Action)}
        self.metas = [r for d in book.declarations if isinstance(d, m.Precedence) for r in d.rules]
        chosen = [d for d in book.declarations if isinstance(d, m.Policy) and d.name.text in policies]
        self.readings = {
            line.rule.text: line.reading.text for d in chosen for line in d.lines if isinstance(line, m.PolicyReads)
        }
        self.overs = {
            (line.winner.text, line.loser.text) for d in chosen for line in d.lines if isinstance(line, m.PolicyOver)
        }
        own = [d for d in book.declarations if isinstance(d, m.Rule)]
        ruled = [line for d in chosen for line in d.lines if isinstance(line, m.Rule)]
        self.norms = [*self._norms(own), *(replace(norm, ruled=True) for norm in self._norms(ruled))]
        # Nodes that the evaluator is asked about are kept: it knows them by their identity.
        self._kept: dict[object, m.Expr] = {}

    def _norms(self, rules: list[m.Rule]) -> Iterator[Standing]:
        place = 0
        for rule in rules:
            groups = [(rule.norms, rule.clauses)]
            groups += [
                (reading.norms, replace(rule.clauses, cites=reading.clauses.cites or rule.clauses.cites))
                for reading in rule.readings
                if self.readings.get(rule.name.text) == reading.name.text
            ]
            for norms, clauses in groups:
                for norm in norms:
                    yield Standing(rule.name.text, norm, clauses, place, {})
                    place += 1

    # ---- the question

    def verdict(self, state: State, asked: Asked) -> Verdict:
        moves: dict[Way, bool] = {}
        undetermined = False
        for verb, action in self.actions.items():
            phrases = [None] if asked.phrases is None else [p for p in asked.phrases if p.verb.text == verb]
            if not phrases or not self._can_act(action, asked) or not self._is_time(action, state):
                continue
            offered = asked.phrases is not None
            ways = [w for p in phrases for w in self._open(action, asked, p, state)]
            found, clash = self._under_versions(partial(self._ways, action, ways, offered, state))
            undetermined = undetermined or clash
            moves.update({(verb, args): duty for args, duty in found.items()})
        duty = any(moves.values())
        return Verdict(frozenset(way for way, owed in moves.items() if owed or not duty), duty, undetermined)

    def _under_versions(self, ask: Callable[[], tuple[Ways, bool]]) -> tuple[Ways, bool]:
        """The same whichever version of a statement is taken in the place of the others; else the book disagrees."""
        restated, everything = self.machine.restated, self.norms
        keys = {id(norm.body): norm.key for norm in self.machine.norms}
        families = list(restated.by_name.values())
        followed = {family.key: restated.followed(family, frozenset()) for family in families}
        found: list[tuple[Ways, bool]] = []
        for turned in (None, *families):
            for option in ("",) if turned is None else followed[turned.key][1:]:
                chosen = {key: options[0] for key, options in followed.items()}
                if turned is not None:
                    chosen[turned.key] = option
                self.norms = [
                    norm
                    for norm in everything
                    if all(family.says(keys[id(norm.norm.body)], chosen[family.key]) for family in families)
                ]
                found.append(ask())
        self.norms = everything
        return found[0][0], any(clash for _, clash in found) or any(ways != found[0][0] for ways, _ in found)

    def _can_act(self, action: m.Action, asked: Asked) -> bool:
        types = self._types(action)
        by = [t for p, t in zip(action.signature.params, types, strict=True) if p.label == "by"]
        return by == [asked.kind]

    def _types(self, action: m.Action) -> list[Type]:
        found = []
        for param in action.signature.params:
            symbol = self.machine.variables[param.variable.text]
            assert isinstance(symbol, VariableSymbol)
            found.append(symbol.type)
        return found

    def _is_time(self, action: m.Action, state: State) -> bool:
        if not action.during:
            return True
        if state.stack[-1].kind == "window":  # only what names the window is a reaction
            return state.stack[-1].moment in [moment.text for moment in action.during]
        moments = [self._kept.setdefault(("during", n.text), m.During(n, None, n.span)) for n in action.during]
        return any(self.machine.evaluator.holds(moment, state, {}) for moment in moments)

    def _open(self, action: m.Action, asked: Asked, phrase: m.Phrase | None, state: State) -> list[tuple[Value, ...]]:
        """All ways of doing an action that an offer leaves open."""
        params = action.signature.params
        domains = [
            (asked.actor,) if param.label == "by" else self.world.domain(type_)
            for param, type_ in zip(params, self._types(action), strict=True)
        ]
        labels = [param.label for param in params]
        found = []
        for args in product(*domains):
            env = dict(asked.env)
            said = phrase.args if phrase is not None else ()
            if all(self._fits(arg.value, args[labels.index(arg.label)], env, state) for arg in said):
                found.append(args)
        return found

    def _fits(self, pattern: m.Expr, value: Value, env: Env, state: State) -> bool:
        """Whether a part of a phrase is this value; a variable that stands for nothing yet is bound to it."""
        if isinstance(pattern, m.Ref) and not pattern.args and pattern.name.text in self.machine.variables:
            return bool(env.setdefault(pattern.name.text, value) == value)
        given = self.machine.evaluator.value(pattern, state, env)
        type_ = without_none(self.checked.type_of(pattern))
        if isinstance(type_, TitleT):
            return bool(self.world.titles[type_.kind][value] == given)
        return bool(given == value)

    # ---- one action

    def _ways(
        self, action: m.Action, ways: list[tuple[Value, ...]], offered: bool, state: State
    ) -> tuple[dict[tuple[Value, ...], bool], bool]:
        """The legal ways, each with whether it is demanded; and whether the rules contradict each other."""
        verb = action.signature.verb.text
        speaking = [n for n in self.norms if isinstance(n.norm.body, m.ModalNorm) and self._speaks(n.norm.body, verb)]
        permits = any(n.body.modal == "may" for n in speaking)
        duties = any(n.body.modal == "must" for n in speaking)
        found: dict[tuple[Value, ...], bool] = {}
        undetermined = False
        met: dict[int, bool] = {}  # by place of the duty: whether one of its ways is legal
        against_duty: dict[int, tuple[Standing, list[Standing]]] = {}
        for args in ways:
            allowing = self._all_applying("may" if permits else "must", speaking, action, args, state)
            if not allowing and (permits or duties or not offered):
                continue  # what nothing allows, nothing needs to forbid: it is not asked
            must = self._all_applying("must", speaking, action, args, state)
            cannot = self._all_applying("cannot", speaking, action, args, state)
            legal = not cannot
            pressing = any(all(self._before(duty, rival, state) for rival in cannot) for duty in must)
            if cannot and pressing:
                legal = True
            elif cannot and permits:
                decided = self._decided(allowing, cannot, state)
                undetermined = undetermined or decided is None
                legal = decided is True
            if not legal:
                for duty in must:
                    met.setdefault(duty.place, False)
                    against_duty.setdefault(duty.place, (duty, cannot))
                continue
            if self._payable(action, args, state):
                found[args] = bool(must)
                met.update((duty.place, True) for duty in must)
        for place, (duty, cannot) in against_duty.items():
            if not met[place] and self._decided([duty], cannot, state) is None:
                undetermined = True
        return found, undetermined

    def _all_applying(
        self, modal: str, norms: list[Standing], action: m.Action, args: tuple[Value, ...], state: State
    ) -> list[Standing]:
        return [a for n in norms if n.body.modal == modal for a in self._applying(n, action, args, state)]

    def _speaks(self, body: m.ModalNorm, verb: str) -> bool:
        return any(phrase.verb.text == verb for phrase in body.phrases)

    def _applying(self, norm: Standing, action: m.Action, args: tuple[Value, ...], state: State) -> list[Standing]:
        """The ways in which a norm applies to a move: one for each thing that it can come from."""
        body = norm.body
        params = action.signature.params
        labels = [param.label for param in params]
        found = []
        for phrase in body.phrases:
            if phrase.verb.text != action.signature.verb.text:
                continue
            for source in self._sources(norm.clauses):
                env = dict(source)
                if (
                    self._fits(body.actor, args[labels.index("by")], env, state)
                    and all(self._fits(arg.value, args[labels.index(arg.label)], env, state) for arg in phrase.args)
                    and self._counted(body, phrase, env, state)
                    and self._applies(norm, env, state)
                ):
                    found.append(replace(norm, env=env, phrase=phrase))
        return found

    def _sources(self, clauses: m.Clauses) -> list[Env]:
        if clauses.source is None or clauses.source.text not in self.machine.variables:
            return [{}]
        symbol = self.machine.variables[clauses.source.text]
        assert isinstance(symbol, VariableSymbol)
        return [{clauses.source.text: value} for value in self.world.domain(symbol.type)]

    def _applies(self, norm: Standing, env: Env, state: State) -> bool:
        holds = self.machine.evaluator.holds
        conditions = norm.body.conditions
        names = self.machine.restated.names(norm.rule)
        if not names.isdisjoint(state.disabled) or not holds(conditions.when, state, env):
            return False
        if conditions.unless is not None and holds(conditions.unless, state, env):
            return False
        for other in self.norms:
            body = other.norm.body
            if not isinstance(body, m.IgnoreNorm) or not isinstance(body.what, m.Name) or body.what.text not in names:
                continue
            env = self._letters(norm, env)
            asked = {n.name.text for n in nodes_of(body.condition) if isinstance(n, m.Ref) and not n.args}
            known = {name: env.get(name) for name in asked if name in self.machine.variables}
            if self.machine.restated.names(other.rule).isdisjoint(state.disabled) and holds(
                body.condition, state, known
            ):
                return False
        return True

    def _counted(self, body: m.ModalNorm, phrase: m.Phrase, env: Env, state: State) -> bool:
        """Frequency, as `times (...) this ...` counts it."""
        frequency = body.frequency
        if frequency is None:
            return True
        key = (id(phrase), "times")
        if key not in self._kept:
            each = {name.text for name in frequency.each}
            apart = [a for a in phrase.args if isinstance(a.value, m.Ref) and a.value.name.text in each]
            counted = m.Phrase(phrase.verb, (m.Arg("by", body.actor, phrase.span), *apart), phrase.span)
            event = m.PhraseEvent(counted, phrase.span)
            self._kept[key] = m.TimesHappened(event, frequency.moment, phrase.span)
        done = self.machine.evaluator.value(self._kept[key], state, env)
        running = self._kept.setdefault(
            ("during", frequency.moment.text), m.During(frequency.moment, None, frequency.span)
        )
        if not self.machine.evaluator.holds(running, state, {}):
            return body.modal != "cannot"
        return bool((done < frequency.count) == (body.modal != "cannot"))

    # ---- which goes before

    def _decided(self, one: list[Standing], other: list[Standing], state: State) -> bool | None:
        """Whether the one side wins; None where the book contradicts itself."""
        left = [a for a in one if not any(self._before(b, a, state) for b in other)]
        right = [b for b in other if not any(self._before(a, b, state) for a in one)]
        if bool(left) == bool(right):
            return None
        return bool(left)

    def _before(self, one: Standing, other: Standing, state: State) -> bool:
        """By a policy, by `usually`, then by the first meta-rule that tells the two apart."""
        for a, b in ((one, other), (other, one)):
            if (a.rule, b.rule) in self.overs or any(pair in self.overs for pair in self._ruled_of(a, b)):
                return a is one
        if (one.norm.manner == "usually") != (other.norm.manner == "usually"):
            return other.norm.manner == "usually"
        if one.ruled != other.ruled:
            return one.ruled
        modals = {one.body.modal, other.body.modal}
        even_if = any(norm.body.conditions.even_if is not None for norm in (one, other))
        for meta in self.metas:
            exactly = isinstance(meta.body, m.Over) and {meta.body.winner.text, meta.body.loser.text} == modals
            if meta.assumed and modals == {"must", "cannot"} and not exactly:
                continue
            if meta.assumed and modals == {"may", "cannot"} and even_if:
                continue
            forward, backward = self._by(meta, one, other, state), self._by(meta, other, one, state)
            if forward != backward:
                return forward
        return False

    def _ruled_of(self, one: Standing, other: Standing) -> list[tuple[str, str]]:
        """The names under which two norms are meant; of versions of one statement, only their own."""
        restated = self.machine.restated
        if one.rule == other.rule or restated.are_versions(one.rule, other.rule):
            return []
        return list(product(restated.names(one.rule), restated.names(other.rule)))

    def _letters(self, norm: Standing, env: Env) -> Env:
        """With the letters of what a norm repeats."""
        known = next((n.key for n in self.machine.norms if n.body is norm.norm.body), None)
        again = self.machine.restated.again.get(known) if known is not None else None
        return env if again is None else {**{a: env[b] for a, b in again[1].items() if b in env}, **env}

    def _by(self, meta: m.MetaRule, one: Standing, other: Standing, state: State) -> bool:
        match meta.body:
            case m.Explicit():
                said = {other.rule, *(name for _, name in self._ruled_of(one, other))}
                named = any(name.text in said for name in one.clauses.overrides)
                return named or self._even_if(one, other, state)
            case m.Authority(chains=chains):
                stronger = {(a.text, b.text) for chain in chains for i, a in enumerate(chain) for b in chain[i + 1 :]}
                return (_document(one), _document(other)) in stronger
            case m.Listed(among=group):
                return _is_in(one, group.text) and _is_in(other, group.text) and one.place < other.place
            case m.Over(winner=winner, loser=loser, among=among, by=by):
                if among is not None and not (_is_in(one, among.text) and _is_in(other, among.text)):
                    return False
                return self._over(winner.text, loser.text, by, one, other, state)
            case _:
                return False

    def _over(self, winner: str, loser: str, by: m.Name | None, one: Standing, other: Standing, state: State) -> bool:
        match winner, loser:
            case "specific", "general":
                return _parts(other) < _parts(one)
            case "immediate", "lasting":
                return one.norm.manner == "immediately" and other.norm.manner != "immediately"
            case ("earlier", "later") | ("later", "earlier"):
                ages = [self._age(norm, by, state) for norm in (one, other)]
                if None in ages:
                    return False
                return bool(ages[0] < ages[1] if winner == "earlier" else ages[0] > ages[1])
            case (("may" | "must" | "cannot"), _):
                return (one.body.modal, other.body.modal) == (winner, loser)
            case _:
                return _is_in(one, winner) and _is_in(other, loser)

    def _age(self, norm: Standing, by: m.Name | None, state: State) -> Value:
        source = norm.clauses.source
        if source is None or by is None:
            return None
        symbol = self.machine.variables[source.text]
        assert isinstance(symbol, VariableSymbol)
        for cells in self.world.slots.values():
            if cells.symbol.name == by.text and cells.symbol.params == (symbol.type,):
                address = cells.address((norm.env[source.text],))
                return None if address is None else state.cells[address]
        return None

    def _even_if(self, one: Standing, other: Standing, state: State) -> bool:
        """The one is not stopped where its condition holds; the other applies only in such states."""
        condition = one.body.conditions.even_if
        if condition is None or not self.machine.evaluator.holds(condition, state, one.env):
            return False
        return {_in_roles(part, one) for part in _conjuncts(condition)} <= _parts(other)

    # ---- paying

    def _payable(self, action: m.Action, args: tuple[Value, ...], state: State) -> bool:
        env = {p.variable.text: arg for p, arg in zip(action.signature.params, args, strict=True)}
        value = self.machine.evaluator.value
        left: dict[int, Value] = {}
        waiting: list[m.Statement] = list(action.body)
        while waiting:
            statement = waiting.pop(0)
            if isinstance(statement, m.If) and self.machine.needs(statement.condition) <= env.keys():
                holds = self.machine.evaluator.holds(statement.condition, state, env)
                waiting[:0] = statement.then if holds else statement.otherwise
            if not isinstance(statement, m.Simple) or not isinstance(statement.body, m.Pay):
                continue
            if not self.machine.needs(statement.body.amount) | self.machine.needs(statement.body.source) <= env.keys():
                continue
            amount, source = value(statement.body.amount, state, env), statement.body.source
            cells = self.world.slots[id(self.checked.symbol_of(source))]
            address = cells.address(tuple(value(arg, state, env) for arg in source.args))
            if address is None or amount is NOTHING or amount is None:
                return False
            held = left.get(address, state.cells[address])
            if isinstance(held, tuple):
                if amount not in held:
                    return False
            else:
                left[address] = held - amount
                if left[address] < 0:
                    return False
        return True


def _document(norm: Standing) -> str:
    return norm.clauses.cites[0].document.text if norm.clauses.cites else ""


def _is_in(norm: Standing, group: str) -> bool:
    return group in [name.text for name in norm.clauses.among] or _document(norm) == group


def _conjuncts(expr: m.Expr) -> Iterator[m.Expr]:
    if isinstance(expr, m.And):
        yield from _conjuncts(expr.left)
        yield from _conjuncts(expr.right)
    else:
        yield expr


def _parts(norm: Standing) -> set[str]:
    """What must hold for a norm to apply, as text in which the parts of the action stand for the variables."""
    conditions = norm.body.conditions
    assert norm.phrase is not None
    found = {_in_roles(part, norm) for part in _conjuncts(conditions.when)} if conditions.when is not None else set()
    if conditions.unless is not None:
        found.add(f"unless {_in_roles(conditions.unless, norm)}")
    subject = [("by", norm.body.actor), *((arg.label, arg.value) for arg in norm.phrase.args)]
    return found | {f"{label}: {print_expression(part)}" for label, part in subject if not _is_variable(part, norm)}


def _is_variable(expr: m.Expr, norm: Standing) -> bool:
    return isinstance(expr, m.Ref) and not expr.args and expr.name.text in norm.env


def _in_roles(expr: m.Expr, norm: Standing) -> str:
    assert norm.phrase is not None
    roles: dict[str, str] = {}
    for label, part in [("by", norm.body.actor), *((arg.label, arg.value) for arg in norm.phrase.args)]:
        if _is_variable(part, norm):
            roles.setdefault(print_expression(part), f"<{label}>")
    return re.sub(r"\w+", lambda word: roles.get(word[0], word[0]), print_expression(expr))
