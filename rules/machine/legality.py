"""Which moves are legal: what the norms that apply and are undefeated allow, can be paid, and keeps the limits."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from rules import model as m
from rules.machine.amounts import Amounts
from rules.machine.base import Legal
from rules.machine.evaluate import Env, bag_take
from rules.machine.norms import Applied, Defeat, RuleNorm, Undetermined, Unmet, conjuncts
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import BuiltinSymbol, SlotSymbol, ValueSymbol, VerbSymbol
from rules.types import KindT, TitleT, Type, without_none

Offered = tuple[str, m.Phrase | None]


@dataclass(frozen=True, slots=True)
class Unpaid:
    """What is to be paid from a cell, with all that the same action takes from it, and what is there.

    A thing is paid from a pile; `NOTHING` is due or held where something is asked of nothing.
    """

    statement: m.Pay
    address: int | None
    due: Value
    held: Value


class Legality(Amounts, ABC):
    # ---- legal moves

    def legal(
        self, state: State, actor: Value, kind: Type, phrases: tuple[m.Phrase, ...] | None, env: Env
    ) -> list[Legal]:
        """Every legal move of an actor, in the order of the book; of the phrases only, if they are given.

        Raises `Undetermined` where norms disagree on one of them, and `Unmet` where a duty cannot be met.
        """
        found = self.survey(state, actor, kind, phrases, env)
        if self.observer is not None:
            self.observer.judged(found, state)
        clash = next((one.clash for one in found if one.clash is not None), None)
        if clash is not None:
            raise clash
        self._meet_duties(found, state, actor, kind, phrases, env)
        return [one for one in found if one.legal]

    def survey(
        self, state: State, actor: Value, kind: Type, phrases: tuple[m.Phrase, ...] | None, env: Env
    ) -> list[Legal]:
        """What the norms say of every move that some norm or the offer itself allows, legal or not."""
        found: dict[tuple[str, tuple[Value, ...]], Legal] = {}
        for verb, phrase in self._offered(state, kind, phrases):
            fixed = self._fixed(self.verbs[verb], actor, phrase, env, state)
            if not all(self.world.has(self.verbs[verb].types[i], value) for i, value in fixed.items()):
                continue  # a part that is nothing: what cannot be named cannot be offered
            for one in self._judged(verb, fixed, state, offered=phrase is not None):
                found.setdefault((verb, one.args), one)
        return list(found.values())

    def _offered(self, state: State, kind: Type, phrases: tuple[m.Phrase, ...] | None) -> list[Offered]:
        """The actions that somebody of a kind can be offered now; without phrases, those whose time it is."""
        if phrases is not None:
            named = [(phrase.verb.text, phrase) for phrase in phrases]
            return [(verb, phrase) for verb, phrase in named if self._can_offer(verb, kind, state)]
        running = ((f.moment, f.word) for f in state.stack if f.moment is not None)
        moments = (kind, state.over, self.open_window(state), *running)
        found = self._offers.get(moments)
        if found is None:
            found = [(verb, None) for verb in self.actions if self._can_offer(verb, kind, state)]
            self._offers[moments] = found
        return found

    def _can_offer(self, verb: str, kind: Type, state: State) -> bool:
        return self.acts(verb) == kind and self.is_its_time(verb, state)

    def acts(self, verb: str) -> Type | None:
        """The kind of those who can do an action."""
        by = self.by_of(verb)
        return None if by is None else self.verbs[verb].types[by]

    def by_of(self, verb: str) -> int | None:
        """Which part of an action is the one who acts."""
        return self._by.get(verb)

    def is_its_time(self, verb: str, state: State) -> bool:
        """A window offers what names it, and what names no moment; not what belongs to the moments around it."""
        during = self.actions[verb].during
        if not during:
            return True
        window = self.open_window(state)
        if window is not None:
            return any(moment.text == window for moment in during)
        return any(state.running(moment.text) for moment in during)

    def open_window(self, state: State) -> str | None:
        """The window in which somebody is asked for a reaction now."""
        asking = state.stack[-1] if state.stack else None
        return asking.moment if asking is not None and asking.kind == "window" else None

    def _fixed(
        self, symbol: VerbSymbol, actor: Value, phrase: m.Phrase | None, env: Env, state: State
    ) -> dict[int, Value]:
        """Parts whose value is known: the actor, and what an offer says."""
        labels = [param.label for param in symbol.params]
        fixed: dict[int, Value] = {labels.index("by"): actor}
        for arg in phrase.args if phrase is not None else ():
            if self.needs(arg.value) <= env.keys():
                fixed[labels.index(arg.label)] = self.evaluator.value(arg.value, state, env)
        return fixed

    def _judged(self, verb: str, fixed: dict[int, Value], state: State, offered: bool) -> list[Legal]:
        """The ways of doing one action that something allows, under every reading of the rules."""
        norms = self.modals.get(verb, [])

        def ask() -> tuple[object, list[Legal]]:
            found = self._ways(verb, fixed, state, offered)
            open_ = [(one.args, one.must, one.legal) for one in found if one.legal or one.clash is not None]
            return open_, found

        return (
            self.under_readings(verb, norms, state, ask)
            if self.has_versions
            else self._ways(verb, fixed, state, offered)
        )

    def _ways(self, verb: str, fixed: dict[int, Value], state: State, offered: bool) -> list[Legal]:
        """`must` asks for one of the ways that are legal.

        Only where no `may` of the book speaks of the action does it allow the action itself, and so does an offer.
        """
        permits, duties, _ = self.by_modal(verb)
        allowed: dict[tuple[Value, ...], list[Applied]] = {}
        for norm in permits or duties:
            for args, applied in self._solutions(norm, verb, fixed, state):
                allowed.setdefault(args, []).append(applied)
        if offered and not permits and not duties:
            allowed = {args: [] for args in self._all_args(self.verbs[verb], fixed)}
        return [self._weigh(verb, args, allowed[args], state) for args in sorted(allowed, key=_in_order)]

    def weigh(self, verb: str, args: tuple[Value, ...], state: State, offered: bool = False) -> Legal:
        """What the norms say of one move, whether or not anything allows it."""
        permits, duties, prohibitions = self.by_modal(verb)
        allowing = self._matching(permits or duties, verb, args, state)
        if allowing or (offered and not permits and not duties):
            return self._weigh(verb, args, allowing, state)
        owed = self._matching(duties, verb, args, state)
        against = self._matching(prohibitions, verb, args, state)
        return Legal(verb, args, False, (), bool(owed), (), tuple(against), tuple(owed))

    def _weigh(self, verb: str, args: tuple[Value, ...], allowing: list[Applied], state: State) -> Legal:
        permits, duties, prohibitions = self.by_modal(verb)
        owed = self._matching(duties, verb, args, state)
        against = self._matching(prohibitions, verb, args, state)
        winners: tuple[Applied, ...] = tuple(allowing)
        defeats: tuple[Defeat, ...] = ()
        clash: Undetermined | None = None
        allowed = True
        if against:
            pressing = [d for d in owed if all(self.precedence.precedes(d, rival, state) for rival in against)]
            if pressing:
                winners = (*winners, *(d for d in pressing if d not in winners))
                defeats = tuple(
                    Defeat(rival, pressing[0], ground)
                    for rival in against
                    if (ground := self.precedence.precedes(pressing[0], rival, state)) is not None
                )
            elif not permits:
                allowed, winners = False, tuple(against)  # the duty may be met in another way: see `_ask_duties`
            elif winners:
                try:
                    side, decision = self.precedence.decide(self.show_move(verb, args), [list(winners), against], state)
                    allowed, winners, defeats = side == 0, decision.winners, decision.defeats
                except Undetermined as found:
                    clash = found
            else:
                allowed, winners = False, tuple(against)
        # What is forbidden need not be paid for: nothing is asked of the rules that the answer does not need.
        asked = allowed and clash is None
        payable = not asked or self.payable(verb, args, state)
        limit = self.limit_on(verb, args, state) if asked and payable else None
        legal = asked and payable and limit is None
        return Legal(
            verb,
            args,
            legal,
            winners,
            bool(owed),
            tuple(allowing),
            tuple(against),
            tuple(owed),
            defeats,
            payable,
            limit,
            clash,
        )

    def _meet_duties(
        self,
        found: list[Legal],
        state: State,
        actor: Value,
        kind: Type,
        phrases: tuple[m.Phrase, ...] | None,
        env: Env,
    ) -> None:
        """Raises `Unmet` where a duty cannot be met, the same by every reading and every version."""
        offered = self._offered(state, kind, phrases)
        duties = [norm for verb, _ in offered for norm in self.by_modal(verb)[1]]
        reads = state.reads

        def ask() -> tuple[bool, Unmet | None]:
            judged = found if state.reads is reads else self.survey(state, actor, kind, phrases, env)
            try:
                self._ask_duties(judged, offered, actor, env, state)
            except Unmet as unmet:
                return False, unmet
            return True, None

        unmet = self.under_readings("what must be done", duties, state, ask) if duties else None
        if unmet is not None:
            raise unmet

    def _ask_duties(self, found: list[Legal], offered: list[Offered], actor: Value, env: Env, state: State) -> None:
        """A duty that applies and that no legal move meets is a contradiction, or cannot be met."""
        duties = {n.order: n for verb, _ in offered for n in self.by_modal(verb)[1]}
        for duty in duties.values():
            if self.is_resting(duty, state):
                continue
            judged = [one for one in found if any(owed.norm is duty for owed in one.owed)]
            if any(one.legal for one in judged) or not self._is_owed(duty, offered, actor, env, state):
                continue
            body = duty.body
            assert isinstance(body, m.ModalNorm)
            forbidden = next((one for one in judged if self._only_forbidden(one, state)), None)
            if forbidden is not None:
                owed = [a for a in forbidden.owed if a.norm is duty]
                side, _ = self.precedence.decide(
                    f"{forbidden.verb}: must and cannot", [owed, list(forbidden.forbidding)], state
                )
                if side == 1:
                    continue  # the prohibition goes before the duty
            verbs = " or ".join(dict.fromkeys(_verbs(duty)))
            raise Unmet(f"`{duty.name}` demands `{verbs}`, and there is no legal way to do it", duty)

    def contradiction(self, one: Legal, state: State) -> Undetermined | None:
        """That norms forbid every way of meeting a duty that asks for this move, and nothing decides between them."""
        by = self.by_of(one.verb)
        assert by is not None
        verbs = dict.fromkeys(verb for applied in one.owed for verb in _verbs(applied.norm))
        offered: list[Offered] = [(verb, None) for verb in verbs if self.is_its_time(verb, state)]
        actor = one.args[by]
        fixed = [(verb, self._fixed(self.verbs[verb], actor, None, {}, state)) for verb, _ in offered]
        found = [legal for verb, parts in fixed for legal in self._judged(verb, parts, state, offered=False)]
        try:
            self._ask_duties(found, offered, actor, {}, state)
        except Undetermined as clash:
            return clash
        except Unmet:
            pass
        return None

    def is_resting(self, duty: RuleNorm, state: State) -> bool:
        """Whether a duty is not asked for where it cannot be met: by its own words, or by what was ruled of it."""
        assert isinstance(duty.body, m.ModalNorm)
        names = self.restated.names(duty.name)
        return duty.body.if_possible or not names.isdisjoint(self.resting) or not names.isdisjoint(state.resting)

    def _only_forbidden(self, one: Legal, state: State) -> bool:
        """Whether nothing but a prohibition stands in the way of a move."""
        return (
            bool(one.forbidding)
            and self.payable(one.verb, one.args, state)
            and self.limit_on(one.verb, one.args, state) is None
        )

    def _is_owed(self, duty: RuleNorm, offered: list[Offered], actor: Value, env: Env, state: State) -> bool:
        return any(
            True
            for verb, phrase in offered
            for _ in self._solutions(duty, verb, self._fixed(self.verbs[verb], actor, phrase, env, state), state)
        )

    def by_modal(self, verb: str) -> tuple[list[RuleNorm], list[RuleNorm], list[RuleNorm]]:
        """The norms that allow, demand and forbid an action."""
        found = self._by_modal.get(verb)
        if found is None:
            norms = self.modals.get(verb, [])
            permits, duties, prohibitions = (
                [n for n in norms if _modal(n) == modal] for modal in ("may", "must", "cannot")
            )
            found = self._by_modal[verb] = (permits, duties, prohibitions)
        return found

    def _all_args(self, symbol: VerbSymbol, fixed: dict[int, Value]) -> Iterator[tuple[Value, ...]]:
        domains = [(fixed[i],) if i in fixed else self.world.domain(type_) for i, type_ in enumerate(symbol.types)]
        yield from product(*domains)

    def _matching(self, norms: Iterable[RuleNorm], verb: str, args: tuple[Value, ...], state: State) -> list[Applied]:
        """The norms among these that apply to a move with all its parts."""
        found: list[Applied] = []
        by = self.by_of(verb)
        assert by is not None
        for norm in norms:
            body = norm.body
            assert isinstance(body, m.ModalNorm)
            for phrase in body.phrases:
                if phrase.verb.text != verb:
                    continue
                for base in self.bindings(norm):
                    env = dict(base)
                    if (
                        self.unify(body.actor, args[by], env, state)
                        and self.match_phrase(phrase, args, env, state)
                        and self._counts(body, phrase, args, state)
                        and self.applies(norm, env, state)
                    ):
                        found.append(Applied(norm, env, phrase))
        return found

    def _counts(self, body: m.ModalNorm, phrase: m.Phrase, args: tuple[Value, ...], state: State) -> bool:
        """Frequency: a `may` or `must` applies until the count is reached, a `cannot` from then on."""
        frequency = body.frequency
        if frequency is None:
            return True
        done = self.times_done(frequency, phrase, args, state)
        return (done < frequency.count) == (body.modal != "cannot")

    def times_done(self, frequency: m.Frequency, phrase: m.Phrase, args: tuple[Value, ...], state: State) -> int:
        """How often this was done in the running moment that a frequency names; never, while none is running."""
        since = self._since(frequency.moment.text, state)
        if since is None:
            return 0
        verb = phrase.verb.text
        labels = [param.label for param in self.verbs[verb].params]
        apart = {labels.index("by")} | {
            labels.index(arg.label)
            for arg in phrase.args
            if any(name.text in self.needs(arg.value) for name in frequency.each)
        }
        return sum(
            1 for h in state.log[since:] if h.key == ("phrase", verb) and all(h.args[i] == args[i] for i in apart)
        )

    def _solutions(
        self, norm: RuleNorm, verb: str, fixed: dict[int, Value], state: State
    ) -> Iterator[tuple[tuple[Value, ...], Applied]]:
        """The ways in which a norm that allows applies: parts that its guard excludes are never tried."""
        body = norm.body
        assert isinstance(body, m.ModalNorm)
        symbol, by = self.verbs[verb], self.by_of(verb)
        assert by is not None
        for phrase in body.phrases:
            if phrase.verb.text != verb:
                continue
            for base in self.bindings(norm):
                env: dict[str, Value] = dict(base)
                if not self.unify(body.actor, fixed[by], env, state):
                    continue
                yield from self._search(norm, body, phrase, symbol, by, fixed, env, state)

    def _search(
        self,
        norm: RuleNorm,
        body: m.ModalNorm,
        phrase: m.Phrase,
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
                if self.world.has(symbol.types[index], value) and (
                    pattern is None or self.unify(pattern, value, inner, state)
                ):
                    args[index] = value
                    yield from go(place + 1, inner, waiting)

        for found in go(0, env, tests):
            done = tuple(args)
            if self._counts(body, phrase, done, state) and self.applies(norm, found, state):
                yield done, Applied(norm, found, phrase)

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
                if isinstance(getattr(without_none(self.checked.type_of(right)), "of", None), TitleT):
                    return None
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

    def spoken_of(self, state: State, kind: Type, phrases: tuple[m.Phrase, ...] | None) -> set[int]:
        """The norms, by their order, that speak of an action offered now."""
        return {norm.order for verb, _ in self._offered(state, kind, phrases) for norm in self.modals.get(verb, ())}

    def applying(
        self,
        norms: Iterable[RuleNorm],
        state: State,
        actor: Value,
        kind: Type,
        phrases: tuple[m.Phrase, ...] | None,
        env: Env,
    ) -> list[RuleNorm]:
        """Those of these norms that speak of an action offered now and apply to some way of it, allowed or not."""
        found: dict[int, RuleNorm] = {}
        for verb, phrase in self._offered(state, kind, phrases):
            fixed = self._fixed(self.verbs[verb], actor, phrase, env, state)
            spoken = {norm.order for norm in self.modals.get(verb, ())}
            for norm in norms:
                if norm.order in spoken and any(True for _ in self._solutions(norm, verb, fixed, state)):
                    found[norm.order] = norm
        return list(found.values())

    def forbidding(self, phrase: m.Phrase, actor: Value, env: Env, state: State) -> set[str]:
        """The rules that forbid a move, in any of the ways that a phrase leaves open."""
        verb = phrase.verb.text
        fixed = self._fixed(self.verbs[verb], actor, phrase, env, state)
        return {
            applied.norm.name
            for args in self._all_args(self.verbs[verb], fixed)
            for applied in self._matching(self.by_modal(verb)[2], verb, args, state)
        }

    def demanding(self, verb: str, state: State, actor: Value) -> set[str]:
        """The rules that demand an action of somebody now."""
        fixed = self._fixed(self.verbs[verb], actor, None, {}, state)
        return {
            norm.name for norm in self.by_modal(verb)[1] if any(True for _ in self._solutions(norm, verb, fixed, state))
        }

    # ---- paying

    def payable(self, verb: str, args: tuple[Value, ...], state: State) -> bool:
        """Whether all that an action must pay is there, before anything of it is done."""
        node = self.actions[verb]
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, args, strict=True)}
        return self.block_payable(node.body, env, state)

    def block_payable(self, block: m.Block, env: Env, state: State) -> bool:
        return self.unpaid(block, env, state) is None

    def unpaid(self, block: m.Block, env: Env, state: State) -> Unpaid | None:
        """The first payment of a block for which there is not enough."""
        left: dict[int, Value] = {}
        taken: dict[int, int] = {}
        for node in self._payments(block, env, state):
            if not self.needs(node.amount) | self.needs(node.source) <= env.keys():
                continue  # it is chosen or rolled only on the way
            amount = self.evaluator.value(node.amount, state, env)
            address = self.address(node.source, env, state)
            if address is None or amount is NOTHING or amount is None:
                return Unpaid(node, address, amount, NOTHING)
            held = left.get(address, state.cells[address])
            if isinstance(held, int):
                taken[address] = taken.get(address, 0) + amount
                if held < amount:
                    return Unpaid(node, address, taken[address], state.cells[address])
                left[address] = held - amount
                continue
            items = list(amount) if isinstance(amount, frozenset | tuple) else [amount]
            if held is None or bag_take(tuple(items), held):  # something of it is not there
                return Unpaid(node, address, amount, held)
            left[address] = bag_take(tuple(held), items)
        return None

    def _payments(self, block: m.Block, env: Env, state: State) -> Iterator[m.Pay]:
        """What a block pays: in its own lines, and in an `if` whose condition decides before anything is done."""
        for statement in block:
            if isinstance(statement, m.Simple) and isinstance(statement.body, m.Pay):
                yield statement.body
            elif isinstance(statement, m.If) and self.needs(statement.condition) <= env.keys():
                holds = self.evaluator.holds(statement.condition, state, env)
                yield from self._payments(statement.then if holds else statement.otherwise, env, state)

    def address(self, target: m.Ref, env: Env, state: State) -> int | None:
        symbol = self.checked.symbol_of(target)
        cells = self.world.slots[id(symbol)]
        args = tuple(self.evaluator.value(arg, state, env) for arg in target.args)
        return cells.address(args)

    @abstractmethod
    def limit_on(self, verb: str, args: tuple[Value, ...], state: State) -> RuleNorm | None:
        """The limit that an action would exceed."""

    def show_move(self, verb: str, args: tuple[Value, ...]) -> str:
        symbol = self.verbs[verb]
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


def _verbs(norm: RuleNorm) -> list[str]:
    assert isinstance(norm.body, m.ModalNorm)
    return [phrase.verb.text for phrase in norm.body.phrases]


class _Any:
    pass


_ANY: Any = _Any()
