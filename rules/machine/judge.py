"""What the norms say in a state: values, ranks, tables, what has happened, and which moves are legal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import product
from typing import Any

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.base import Base, Happening, Legal
from rules.machine.evaluate import Env
from rules.machine.norms import Applied, Gap, RuleNorm, conjuncts
from rules.machine.sight import Blockers, sees, spaces_of
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import BuiltinSymbol, RankSymbol, SlotSymbol, TableSymbol, ValueSymbol, VariableSymbol, VerbSymbol
from rules.types import KindT, TitleT, Type, without_none
from rules.walk import nodes_of


class Judging(Base, ABC):
    # ---- patterns

    def unify(self, expr: m.Expr, value: Value, env: dict[str, Value], state: State) -> bool:
        """Whether a part of a pattern fits a value; a variable that stands for nothing yet is bound to it."""
        if isinstance(expr, m.Ref) and not expr.args:
            symbol = self.checked.symbols.get(id(expr))
            if isinstance(symbol, VariableSymbol) and symbol.name not in env:
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
        if change != event.word:
            return False
        return amount is None or self.unify(amount, event.amount, env, state)

    def bindings(self, norm: RuleNorm, env: dict[str, Value]) -> Iterator[dict[str, Value]]:
        """A rule that comes from a thing applies once for each thing that its source can be."""
        source = norm.clauses.source
        if source is None or source.text not in self.variables or source.text in env:
            yield env
            return
        symbol = self.variables[source.text]
        assert isinstance(symbol, VariableSymbol)
        for value in self.world.domain(symbol.type):
            yield {**env, source.text: value}

    def applies(self, norm: RuleNorm, env: Env, state: State) -> bool:
        """Whether the conditions of a norm hold, and it is neither disabled nor ignored."""
        if norm.name in state.disabled:
            return False
        conditions = norm.conditions
        if not self.evaluator.holds(conditions.when, state, env):
            return False
        if conditions.unless is not None and self.evaluator.holds(conditions.unless, state, env):
            return False
        return not any(
            isinstance(ignoring.body, m.IgnoreNorm)
            and ignoring.name not in state.disabled
            and self.evaluator.holds(ignoring.body.condition, state, self._closed(ignoring.body.condition, env))
            for ignoring in self.ignored.get(norm.name, ())
        )

    def _closed(self, condition: m.Expr | None, env: Env) -> Env:
        """Variables of `ignore rule X if C` are those of the same name in X; others stand for nothing."""
        missing = {
            n.name.text: None
            for n in nodes_of(condition)
            if isinstance(n, m.Ref) and not n.args and n.name.text in self.variables and n.name.text not in env
        }
        return {**missing, **env}

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

    # ---- values, tables, ranks

    def value_of(self, symbol: ValueSymbol, args: tuple[Value, ...], state: State) -> Value:
        if any(arg is NOTHING or arg is None for arg in args):
            return NOTHING
        node = self.values[symbol.span]
        applied = list(self._applied_cases(node, symbol, args, state))
        base = self._base(node, [a for a in applied if a.norm.body.op == "is"], state)  # type: ignore[union-attr]
        if base is NOTHING:
            return NOTHING
        for op, sign in (("plus", 1), ("minus", -1)):
            for a in applied:
                if a.norm.body.op == op:  # type: ignore[union-attr]
                    base += sign * self._case_value(a, state)
        for a in applied:
            if a.norm.body.op == "is at least":  # type: ignore[union-attr]
                base = max(base, self._case_value(a, state))
        for a in applied:
            if a.norm.body.op == "is at most":  # type: ignore[union-attr]
                base = min(base, self._case_value(a, state))
        return base

    def _applied_cases(
        self, node: m.Value, symbol: ValueSymbol, args: tuple[Value, ...], state: State
    ) -> Iterator[Applied]:
        env = {name.text: arg for name, arg in zip(node.variables, args, strict=True)}
        for place, case in enumerate(node.cases):
            clauses = case.clauses if case.clauses.cites else node.clauses
            norm = RuleNorm(node.name.text, case, case.manner, clauses, place)
            if self.applies(norm, env, state):
                yield Applied(norm, env)
        for norm in self.value_norms.get(id(symbol), ()):
            assert isinstance(norm.body, m.ValueNorm)
            for base in self.bindings(norm, {}):
                inner = dict(base)
                fits = all(self.unify(a, v, inner, state) for a, v in zip(norm.body.target.args, args, strict=True))
                if fits and self.applies(norm, inner, state):
                    yield Applied(norm, inner)

    def _case_value(self, applied: Applied, state: State) -> Value:
        assert isinstance(applied.norm.body, m.ValueNorm | m.Case)
        return self.evaluator.value(applied.norm.body.value, state, applied.env)

    def _base(self, node: m.Value, cases: list[Applied], state: State) -> Value:
        if not cases:
            raise Gap(f"no rule says what `{node.name.text}` is here", node.name.span)
        if node.combine == "first":
            return self._case_value(cases[0], state)
        values = [(self._case_value(case, state), case) for case in cases]
        if node.combine == "highest":
            return max(value for value, _ in values)
        if node.combine == "lowest":
            return min(value for value, _ in values)
        sides: dict[Value, list[Applied]] = {}
        for value, case in values:
            sides.setdefault(value, []).append(case)
        if len(sides) == 1:
            return values[0][0]
        place, _ = self.precedence.decide(node.name.text, list(sides.values()), state)
        return list(sides)[place]

    def row_for(self, rows: tuple[m.Row, ...], keys: tuple[Value, ...], name: m.Name) -> m.Row:
        for row in rows:
            if all(_key_fits(key, value) for key, value in zip(row.keys, keys, strict=False)):
                return row
        shown = ", ".join(map(str, keys))
        raise Gap(f"`{name.text}` has no row for {shown}", name.span)

    def look_up(self, symbol: TableSymbol, args: tuple[Value, ...], state: State) -> Value:
        table = self.tables[symbol.name]
        row = self.row_for(table.rows, args, table.name)
        if row.gives is None:
            raise InternalError("a table that gives nothing was looked up")
        return self.evaluator.value(row.gives, state, {})

    def _rank_keys(self, symbol: RankSymbol, given: tuple[Value, ...], state: State) -> dict[int, tuple[Value, ...]]:
        node = self.ranks[symbol.span]
        env = {name.text: value for name, value in zip(node.given, given, strict=True)}
        found: dict[int, tuple[Value, ...]] = {}
        for thing in range(len(self.world.things[symbol.kind])):
            inner = {**env, node.variable.text: thing}
            if not self.evaluator.holds(node.where, state, inner):
                continue
            key: list[Value] = []
            for line in node.lines:
                if isinstance(line, m.RankTies):
                    continue
                value = self.evaluator.value(line.value, state, inner)
                if line.by == "first in":
                    key.append(value.index(thing) if thing in value else len(value))
                elif value is NOTHING:
                    key.append(float("inf"))
                else:
                    key.append(-value if line.by == "most" else value)
            found[thing] = tuple(key)
        return found

    def ranking(self, symbol: RankSymbol, given: tuple[Value, ...], state: State) -> tuple[int, ...]:
        keys = self._rank_keys(symbol, given, state)
        node = self.ranks[symbol.span]
        shared = any(isinstance(line, m.RankTies) and line.how.text == "share" for line in node.lines)
        if not shared and len(set(keys.values())) != len(keys):
            raise Gap(f"`{symbol.name}` leaves a tie, and nothing breaks it", node.name.span)
        return tuple(sorted(keys, key=lambda thing: (keys[thing], thing)))

    def place_in(self, symbol: RankSymbol, thing: Value, given: tuple[Value, ...], state: State) -> Value:
        keys = self._rank_keys(symbol, given, state)
        if thing not in keys:
            return NOTHING
        return 1 + sum(1 for key in keys.values() if key < keys[thing])

    def sees(self, name: str, origin: Value, target: Value, state: State) -> Value:
        """Whether a line of sight of the book is free."""
        if origin is None or target is None or NOTHING in (origin, target):
            return NOTHING
        node = self.sights[name]
        symbol = self.variables[node.origin.text]
        assert isinstance(symbol, VariableSymbol)
        assert isinstance(symbol.type, KindT)
        kind = self.checked.kinds[symbol.type.name]
        assert kind.grid is not None
        if name not in self._spaces:
            self._spaces[name] = spaces_of(kind.grid)
        ends = {node.origin.text: origin, node.target.text: target}
        blocking: set[int] = set()
        walls: set[tuple[int, int]] = set()
        steps = self.world.neighbours(kind.name, "next")
        for line in node.lines:
            if isinstance(line, m.SightSpace):
                blocking |= {
                    s
                    for s in range(kind.most)
                    if self.evaluator.holds(line.where, state, {**ends, line.variable.text: s})
                }
            elif isinstance(line, m.SightEdge):
                walls |= {
                    (min(s, t), max(s, t))
                    for s in range(kind.most)
                    for t in steps[s]
                    if self.evaluator.holds(line.where, state, {**ends, line.first.text: s, line.second.text: t})
                }
        blockers = Blockers(tuple(sorted(blocking)), tuple(sorted(walls)))
        return sees(node, self._spaces[name], origin, target, blockers)

    # ---- legal moves

    def legal(
        self, state: State, actor: Value, kind: Type, phrases: tuple[m.Phrase, ...] | None, env: Env
    ) -> list[Legal]:
        """Every legal move of an actor, in the order of the book; of the phrases only, if they are given."""
        wanted: list[tuple[str, m.Phrase | None]] = (
            [(verb, None) for verb in self.actions]
            if phrases is None
            else [(phrase.verb.text, phrase) for phrase in phrases]
        )
        found: dict[tuple[str, tuple[Value, ...]], Legal] = {}
        for verb, phrase in wanted:
            node = self.actions[verb]
            symbol = self._verb(verb)
            by = next((i for i, p in enumerate(symbol.params) if p.label == "by"), None)
            if by is None or symbol.types[by] != kind:
                continue
            if node.during and not any(state.running(moment.text) for moment in node.during):
                continue
            fixed = self._fixed(symbol, by, actor, phrase, env, state)
            for legal in self._legal_of(verb, symbol, by, fixed, state, offered=phrase is not None):
                found.setdefault((verb, legal.args), legal)
        return list(found.values())

    def _verb(self, verb: str) -> VerbSymbol:
        return self.verbs[verb]

    def _fixed(
        self, symbol: VerbSymbol, by: int, actor: Value, phrase: m.Phrase | None, env: Env, state: State
    ) -> dict[int, Value]:
        """Parts whose value is known: the actor, and what an offer says."""
        fixed: dict[int, Value] = {by: actor}
        labels = [param.label for param in symbol.params]
        for arg in phrase.args if phrase is not None else ():
            names = {n.name.text for n in nodes_of(arg.value) if isinstance(n, m.Ref) and not n.args}
            if all(name in env or name not in self.variables for name in names):
                fixed[labels.index(arg.label)] = self.evaluator.value(arg.value, state, env)
        return fixed

    def _legal_of(
        self, verb: str, symbol: VerbSymbol, by: int, fixed: dict[int, Value], state: State, offered: bool
    ) -> Iterator[Legal]:
        """The legal ways of doing one action.

        `must` asks for one of the ways that are legal; only where no `may` of the book speaks of the action does it
        allow the action itself, and so does an offer. A duty whose every way is forbidden is a contradiction.
        """
        norms = self.modals.get(verb, [])
        permits = [n for n in norms if _modal(n) == "may"]
        duties = [n for n in norms if _modal(n) == "must"]
        allowed: dict[tuple[Value, ...], list[Applied]] = {}
        for norm in permits or duties:
            for args, applied in self._solutions(norm, verb, symbol, by, fixed, state):
                allowed.setdefault(args, []).append(applied)
        if offered and not permits and not duties:
            allowed = {args: [] for args in self._all_args(symbol, fixed)}
        demanded: dict[int, bool] = {}  # by order of the duty: whether some way is left
        clashes: dict[int, tuple[Applied, list[Applied]]] = {}
        found: list[Legal] = []
        for args in sorted(allowed, key=_in_order):
            owed = self._matching(duties, verb, by, args, state)
            against = self._matching([n for n in norms if _modal(n) == "cannot"], verb, by, args, state)
            winners = tuple(allowed[args])
            pressing = [d for d in owed if all(self.precedence.precedes(d, rival, state) for rival in against)]
            if against and pressing:
                winners = (*winners, *pressing)
            elif against and not permits:
                winners = ()  # the duty may be met in another way; whether one is left is asked below
            elif against and winners:
                side, decision = self.precedence.decide(self.show_move(verb, args), [list(winners), against], state)
                winners = decision.winners if side == 0 else ()
            if against and not winners:
                for duty in owed:
                    demanded.setdefault(duty.norm.order, False)
                    clashes.setdefault(duty.norm.order, (duty, against))
                continue
            if self.payable(verb, args, state) and self.within_limits(verb, args, state):
                found.append(Legal(verb, args, winners, bool(owed)))
                demanded.update((duty.norm.order, True) for duty in owed)
        for order, (duty, against) in clashes.items():
            if not demanded[order] and _single(duty.norm):
                self.precedence.decide(f"{verb}: must and cannot", [[duty], against], state)
        yield from found

    def _all_args(self, symbol: VerbSymbol, fixed: dict[int, Value]) -> Iterator[tuple[Value, ...]]:
        domains = [(fixed[i],) if i in fixed else self.world.domain(type_) for i, type_ in enumerate(symbol.types)]
        yield from product(*domains)

    def _matching(
        self, norms: list[RuleNorm], verb: str, by: int, args: tuple[Value, ...], state: State
    ) -> list[Applied]:
        """The norms among these that apply to a move with all its parts."""
        found: list[Applied] = []
        for norm in norms:
            body = norm.body
            assert isinstance(body, m.ModalNorm)
            for phrase in body.phrases:
                if phrase.verb.text != verb:
                    continue
                for base in self.bindings(norm, {}):
                    env = dict(base)
                    if (
                        self.unify(body.actor, args[by], env, state)
                        and self.match_phrase(phrase, args, env, state)
                        and self._counts(body, verb, by, args, env, state)
                        and self.applies(norm, env, state)
                    ):
                        found.append(Applied(norm, env))
        return found

    def _counts(
        self,
        body: m.ModalNorm,
        verb: str,
        by: int,
        args: tuple[Value, ...],
        env: Env,
        state: State,
    ) -> bool:
        """Frequency: a `may` or `must` applies until the count is reached, a `cannot` from then on."""
        frequency = body.frequency
        if frequency is None:
            return True
        since = self._since(frequency.moment.text, state)
        if since is None:
            return body.modal != "cannot"
        apart = {by}
        for name in frequency.each:
            apart |= {i for i, arg in enumerate(args) if env.get(name.text) == arg and i != by}
        done = sum(
            1 for h in state.log[since:] if h.key == ("phrase", verb) and all(h.args[i] == args[i] for i in apart)
        )
        return (done < frequency.count) == (body.modal != "cannot")

    def _solutions(
        self, norm: RuleNorm, verb: str, symbol: VerbSymbol, by: int, fixed: dict[int, Value], state: State
    ) -> Iterator[tuple[tuple[Value, ...], Applied]]:
        """The ways in which a norm that allows applies: parts that its guard excludes are never tried."""
        body = norm.body
        assert isinstance(body, m.ModalNorm)
        for phrase in body.phrases:
            if phrase.verb.text != verb:
                continue
            for base in self.bindings(norm, {}):
                env: dict[str, Value] = dict(base)
                if not self.unify(body.actor, fixed[by], env, state):
                    continue
                yield from self._search(norm, body, phrase, verb, symbol, by, fixed, env, state)

    def _search(
        self,
        norm: RuleNorm,
        body: m.ModalNorm,
        phrase: m.Phrase,
        verb: str,
        symbol: VerbSymbol,
        by: int,
        fixed: dict[int, Value],
        env: dict[str, Value],
        state: State,
    ) -> Iterator[tuple[tuple[Value, ...], Applied]]:
        labels = [param.label for param in symbol.params]
        patterns = {labels.index(arg.label): arg.value for arg in phrase.args}
        args: list[Value] = [None] * len(symbol.params)
        args[by] = fixed[by]
        parts = list(conjuncts(body.conditions.when)) if body.conditions.when is not None else []
        tests = [(part, self.needs(part)) for part in parts]
        open_parts = [i for i in range(len(symbol.params)) if i != by]

        def go(
            place: int, env: dict[str, Value], left: list[tuple[m.Expr, frozenset[str]]]
        ) -> Iterator[dict[str, Value]]:
            waiting: list[tuple[m.Expr, frozenset[str]]] = []
            for part, needs in left:
                if needs <= env.keys():
                    if not self.evaluator.holds(part, state, env):
                        return
                else:
                    waiting.append((part, needs))
            if place == len(open_parts):
                yield env
                return
            index = open_parts[place]
            pattern = patterns.get(index)
            for value in self._tried(pattern, symbol.types[index], fixed.get(index, _ANY), waiting, env, state):
                inner = dict(env)
                if pattern is None or self.unify(pattern, value, inner, state):
                    args[index] = value
                    yield from go(place + 1, inner, waiting)

        for found in go(0, env, tests):
            done = tuple(args)
            if self._counts(body, verb, by, done, found, state) and self.applies(norm, found, state):
                yield done, Applied(norm, found)

    def needs(self, expr: m.Expr) -> frozenset[str]:
        """The variables that must be bound before an expression can be evaluated."""
        bound = {
            n.variable.text
            for n in nodes_of(expr)
            if isinstance(n, m.Quantified | m.SetWhere | m.NumberOf | m.Aggregate)
        }
        names = {n.name.text for n in nodes_of(expr) if isinstance(n, m.Ref) and not n.args}
        return frozenset(name for name in names if name in self.variables and name not in bound)

    def _tried(
        self,
        pattern: m.Expr | None,
        type_: Type,
        fixed: Value,
        waiting: list[tuple[m.Expr, frozenset[str]]],
        env: dict[str, Value],
        state: State,
    ) -> tuple[Value, ...]:
        """The values worth trying for a part: those that one of the conditions leaves."""
        if fixed is not _ANY:
            return (fixed,)
        if pattern is not None:
            if not (isinstance(pattern, m.Ref) and not pattern.args and pattern.name.text in self.variables):
                wanted = without_none(self.checked.type_of(pattern))
                if isinstance(wanted, TitleT):
                    return self.world.domain(type_)
                return (self.evaluator.value(pattern, state, env),)
            name = pattern.name.text
            if name in env:
                return (env[name],)
            for part, needs in waiting:
                if needs - {name} <= env.keys():
                    values = self._values_for(part, name, state, env)
                    if values is not None:
                        return values
        return self.world.domain(type_)

    def _values_for(self, part: m.Expr, name: str, state: State, env: Env) -> tuple[Value, ...] | None:
        def is_name(expr: m.Expr) -> bool:
            return isinstance(expr, m.Ref) and not expr.args and expr.name.text == name

        match part:
            case m.Is(left=left, right=right, negated=False) if is_name(left) and name not in self.needs(right):
                if (
                    isinstance(without_none(self.checked.type_of(right)), TitleT)
                    or id(right) not in self.checked.symbols
                ):
                    return None
                if isinstance(right, m.Ref) and not right.args and _is_adjective(self.checked.symbols[id(right)]):
                    return None
                value = self.evaluator.value(right, state, env)
                return () if value is None or value is NOTHING else (value,)
            case m.IsIn(left=left, right=right, negated=False) if is_name(left) and name not in self.needs(right):
                group = self.evaluator.value(right, state, env)
                return () if group is NOTHING else tuple(sorted(group))
            case m.Related(left=left, right=right, negated=False) if is_name(left) and name not in self.needs(right):
                symbol = self.checked.symbol_of(part)
                kind = without_none(self.checked.type_of(left))
                if not isinstance(symbol, BuiltinSymbol) or not isinstance(kind, KindT):
                    return None
                place = self.evaluator.value(right, state, env)
                if place is None or place is NOTHING:
                    return ()
                steps = self.world.neighbours(kind.name, symbol.name)
                return tuple(sorted(steps[place]))
            case _:
                return None

    def forbidding(self, phrase: m.Phrase, actor: Value, env: Env, state: State) -> set[str]:
        """The rules that forbid a move, in any of the ways that a phrase leaves open."""
        verb = phrase.verb.text
        symbol = self._verb(verb)
        by = next(i for i, p in enumerate(symbol.params) if p.label == "by")
        fixed = self._fixed(symbol, by, actor, phrase, env, state)
        norms = [n for n in self.modals.get(verb, []) if _modal(n) == "cannot"]
        return {
            applied.norm.name
            for args in self._all_args(symbol, fixed)
            for applied in self._matching(norms, verb, by, args, state)
        }

    def demanding(self, verb: str, state: State, actor: Value) -> set[str]:
        """The rules that demand an action of somebody now."""
        symbol = self._verb(verb)
        by = next(i for i, p in enumerate(symbol.params) if p.label == "by")
        norms = [n for n in self.modals.get(verb, []) if _modal(n) == "must"]
        found: set[str] = set()
        for norm in norms:
            if any(True for _ in self._solutions(norm, verb, symbol, by, {by: actor}, state)):
                found.add(norm.name)
        return found

    # ---- paying

    def payable(self, verb: str, args: tuple[Value, ...], state: State) -> bool:
        """Whether all that an action must pay is there, before anything of it is done."""
        node = self.actions[verb]
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, args, strict=True)}
        return self.block_payable(node.body, env, state)

    def block_payable(self, block: m.Block, env: Env, state: State) -> bool:
        due: dict[int, int] = {}
        for statement in block:
            if not (isinstance(statement, m.Simple) and isinstance(statement.body, m.Pay)):
                continue
            if not self.needs(statement.body.amount) <= env.keys():
                continue
            amount = self.evaluator.value(statement.body.amount, state, env)
            address = self.address(statement.body.source, env, state)
            if address is None or amount is NOTHING:
                return False
            held = state.cells[address]
            if isinstance(held, tuple):
                if amount not in held:
                    return False
                continue
            due[address] = due.get(address, 0) + amount
            if held - due[address] < 0:
                return False
        return True

    def address(self, target: m.Ref, env: Env, state: State) -> int | None:
        symbol = self.checked.symbol_of(target)
        cells = self.world.slots[id(symbol)]
        args = tuple(self.evaluator.value(arg, state, env) for arg in target.args)
        return cells.address(args)

    @abstractmethod
    def within_limits(self, verb: str, args: tuple[Value, ...], state: State) -> bool:
        """Whether an action would stay within the limits of the book."""

    def show_move(self, verb: str, args: tuple[Value, ...]) -> str:
        symbol = self._verb(verb)
        parts = [verb]
        for param, type_, arg in zip(symbol.params, symbol.types, args, strict=True):
            words = f"{param.label} " if param.label else ""
            parts.append(f"{words}{self.world.show(arg, type_)}")
        return " ".join(parts)


def _in_order(args: tuple[Value, ...]) -> tuple[tuple[str, Value], ...]:
    """Numbers and things by size, names by letters, nothing last."""
    return tuple(("~", 0) if arg is None else (type(arg).__name__, arg) for arg in args)


def _is_adjective(symbol: object) -> bool:
    return isinstance(symbol, SlotSymbol | ValueSymbol) and bool(symbol.params)


def _modal(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ModalNorm)
    return norm.body.modal


def _single(norm: RuleNorm) -> bool:
    """Whether a duty leaves no other action to meet it."""
    return isinstance(norm.body, m.ModalNorm) and len(norm.body.phrases) == 1


class _Any:
    pass


_ANY: Any = _Any()


def _key_fits(key: m.Key, value: Value) -> bool:
    match key:
        case m.NumberKey(low=low, high=high):
            return bool(low <= value and (high is None or value <= high))
        case m.NameKey(name=name):
            return bool(value == name.text)
        case m.TruthKey(value=wanted):
            return value is wanted
        case m.AnyKey():
            return True
