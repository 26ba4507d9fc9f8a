"""Events: what is done before, instead of and after them, and who wins by what has happened."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from typing import Any

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.base import Choice, Happening, Move, Node
from rules.machine.norms import Applied, RuleNorm, is_among
from rules.machine.secrets import Secrets
from rules.machine.state import MISSING, Frame, State
from rules.machine.world import NOTHING, Value
from rules.span import Span
from rules.symbols import SlotSymbol, VariableSymbol


class Events(Secrets, ABC):
    # ---- events

    @abstractmethod
    def _do_change(self, happening: Happening, address: int, span: Span, state: State) -> tuple[Happening, ...]:
        """Changes a cell; gives what really happened."""

    @abstractmethod
    def _do_counters(
        self, happenings: tuple[Happening, ...], source: int, into: int, state: State
    ) -> tuple[Happening, ...]:
        """Moves counters; gives what really happened."""

    @abstractmethod
    def _do_transfer(self, thing: Value, origin: int | None, target: int, under: bool, state: State) -> bool:
        """Moves a thing; whether it was."""

    @abstractmethod
    def _call(self, verb: str, args: tuple[Value, ...], state: State) -> None:
        """Begins an action or a procedure."""

    def _emit(self, state: State, happenings: tuple[Happening, ...], perform: tuple[Any, ...]) -> None:
        """Something is about to happen; seen from several sides it can be several events at once."""
        if any(self.reactions.get(happening.key) for happening in happenings):
            state.stack.append(Frame("event", data={"happenings": happenings, "perform": perform}))
        else:
            self._perform(happenings, perform, state)

    def _perform(
        self, happenings: tuple[Happening, ...], perform: tuple[Any, ...], state: State
    ) -> tuple[Happening, ...]:
        """Lets it happen; gives what really happened, nothing where a limit or the state leaves nothing to happen."""
        match perform:
            case ("none",):
                pass
            case ("call", verb, args):
                if verb in self.actions and not self.payable(verb, args, state):
                    return ()  # what comes before it has taken away what it needs
                self._call(verb, args, state)
            case ("change", address, span):
                happenings = self._do_change(happenings[0], address, span, state)
            case ("counters", source, into):
                happenings = self._do_counters(happenings, source, into, state)
            case ("transfer", thing, origin, target, under):
                happenings = happenings if self._do_transfer(thing, origin, target, under, state) else ()
            case _:
                raise InternalError(f"nothing to perform: {perform}")
        for happening in happenings:
            if happening.key in self.tracked:
                state.log.append(happening)
            for rule, until in list(state.disabled.items()):
                if until is not None and self.match_event(until[0], happening, dict(until[1]), state):
                    del state.disabled[rule]
        if self.observer is not None and happenings:
            self.observer.happened(happenings, state)
        if self.immediate_endings and perform[0] in ("change", "counters", "transfer"):
            self.check_endings(state, self.immediate_endings)
        return happenings

    def _event(self, frame: Frame, state: State) -> None:
        """Stages: before it, the event itself, after it, done."""
        happenings: tuple[Happening, ...] = frame.data["happenings"]
        if frame.stage == 0:
            self._before(frame, happenings, state)
        elif frame.stage == 1:
            frame.stage = 2
            frame.data["happenings"] = self._perform(happenings, frame.data["perform"], state)
        elif frame.stage == 2:
            frame.stage = 3
            self._push_triggers("when", happenings, state)
        else:
            state.stack.pop()
            self.check_endings(state, self.endings)

    def _before(self, frame: Frame, happenings: tuple[Happening, ...], state: State) -> None:
        """What is ignored or replaced does not happen; else what comes before it is done first."""
        taking = self.taking_over(happenings, state)
        if not taking:
            frame.stage = 1
            self._push_triggers("when about to", happenings, state)
            return
        chosen = taking[0]
        if self.observer is not None:
            self.observer.applied([chosen], "takes over", state)
        state.stack.pop()
        if isinstance(chosen.norm.body, m.EventNorm):
            state.stack.append(
                Frame(
                    "block",
                    chosen.norm.body.body,
                    env=dict(chosen.env),
                    data={"replaces": self.restated.order_of(chosen.norm)},
                )
            )

    def taking_over(self, happenings: tuple[Happening, ...], state: State) -> list[Applied]:
        """The norms by which something is ignored or replaced; they all do the same. None where it happens.

        Raises `Undetermined` where norms disagree.
        """
        taking = [applied for happening in happenings for applied in self._taking_over(happening, state)]
        if len(taking) <= 1:
            return taking
        sides: dict[object, list[Applied]] = {}
        for applied in taking:
            sides.setdefault(self.shapes.effect(applied), []).append(applied)
        groups = list(sides.values())
        if len(groups) <= 1:
            return taking
        return groups[self.precedence.decide("what happens instead", groups, state)[0]]

    def _taking_over(self, happening: Happening, state: State) -> list[Applied]:
        """The norms that ignore an event, or put something in its place, and have not done so already."""
        norms = [
            norm
            for norm in self.reactions.get(happening.key, ())
            if isinstance(norm.body, m.IgnoreNorm)
            or (
                isinstance(norm.body, m.EventNorm)
                and norm.body.timing == "instead of"
                and not any(f.data.get("replaces") == self.restated.order_of(norm) for f in state.stack)
            )
        ]
        return self._all_reacting(norms, happening, state)

    def reacting(self, timing: str, happening: Happening, state: State) -> list[Applied]:
        """The triggers of an event that come before it (`when about to`) or after it (`when`)."""
        norms = [
            norm
            for norm in self.reactions.get(happening.key, ())
            if isinstance(norm.body, m.EventNorm) and norm.body.timing == timing
        ]
        return self._all_reacting(norms, happening, state)

    def _all_reacting(self, norms: list[RuleNorm], happening: Happening, state: State) -> list[Applied]:
        if not norms:
            return []

        def ask() -> tuple[object, list[Applied]]:
            found = [applied for norm in norms for applied in self._reacting(norm, happening, state)]
            if state.reads:
                found = self._without_restated(found, state)
            if not self.has_versions:
                return None, found
            return Counter((self.shapes.effect(applied), applied.norm.manner) for applied in found), found

        return self.under_readings("what happens", norms, state, ask)

    def _without_restated(self, found: list[Applied], state: State) -> list[Applied]:
        """Where a version in part reacts, what it restates does not, unless it does all that and perhaps more."""
        for version in self.said_in_part(state.reads):
            ours = [one for one in found if one.norm.key in version.ours]
            theirs = [one for one in found if one.norm.key in version.theirs]
            agree = all(any(self.shapes.is_part(one, other) for other in theirs) for one in ours)
            if ours:
                gone = ours if agree else theirs
                found = [one for one in found if not any(one is other for other in gone)]
        return found

    def _reacting(self, norm: RuleNorm, happening: Happening, state: State) -> list[Applied]:
        body = norm.body
        assert isinstance(body, m.EventNorm | m.IgnoreNorm)
        event = body.event if isinstance(body, m.EventNorm) else body.what
        assert not isinstance(event, m.Name)
        found = []
        for base in self.bindings(norm):
            env = dict(base)
            if self.match_event(event, happening, env, state) and self.applies(norm, env, state):
                found.append(Applied(norm, env))
        return found

    def _push_triggers(self, timing: str, happenings: tuple[Happening, ...], state: State) -> None:
        waiting = [applied for happening in happenings for applied in self.reacting(timing, happening, state)]
        if waiting:
            if self.observer is not None:
                again = [one for applied in waiting for one in self.said_again(applied)]
                self.observer.applied([*waiting, *again], "waits", state)
            state.stack.append(Frame("triggers", data={"waiting": waiting}))

    def _triggers(self, frame: Frame, state: State) -> Node | None:
        """One after the other; immediate ones first, then as the book orders them, then as its players do.

        An effect whose ground has gone by its turn is skipped.
        """
        waiting: list[Applied] = frame.data["waiting"]
        if not waiting:
            state.stack.pop()
            return None
        first = [a for a in waiting if a.norm.manner == "immediately"] or waiting
        if len(first) > 1:
            ahead = [a for a in first if not any(self.precedence.comes_first(b, a, state) for b in first)]
            first = ahead or first  # a book that orders them in a ring orders none
        chosen = first[0]
        if len(first) > 1:
            answer = state.take_answer()
            if answer is MISSING:
                names = [a.norm.name for a in first]
                moves = tuple(Move(f"first {name}", place) for place, name in enumerate(counted(names)))
                return Choice(self._orderer(first, state), moves, "what happens first")
            chosen = first[answer]
        frame.data["waiting"] = [a for a in waiting if a is not chosen]
        assert isinstance(chosen.norm.body, m.EventNorm)
        if self.applies(chosen.norm, chosen.env, state):
            if self.observer is not None:
                self.observer.applied([chosen, *self.said_again(chosen)], "fires", state)
            state.stack.append(Frame("block", chosen.norm.body.body, env=dict(chosen.env)))
        return None

    def _orderer(self, waiting: list[Applied], state: State) -> int | None:
        """Who orders what happens at the same time, by the book's own word; None is the table as one."""
        for rule in self.precedence.rules:
            body = rule.body
            if not isinstance(body, m.Simultaneous):
                continue
            if body.among is not None and not all(is_among(a.norm, body.among.text) for a in waiting):
                continue
            symbol = self.checked.symbol_of(body.by)
            if not isinstance(symbol, SlotSymbol):
                return None
            found = state.cells[self.world.slots[id(symbol)].base]
            who: int | None = found[0] if isinstance(found, tuple) else found
            return who
        return None

    # ---- moments

    def _moment_event(self, frame: Frame, word: str) -> Happening:
        return Happening(("moment", frame.moment), (frame.of,), word=word)

    def _leave_moment(self, frame: Frame, state: State) -> None:
        """What was put off until its end is done now; then it is seen who wins."""
        state.stack.pop()
        for block, env in reversed(frame.deferred):
            state.stack.append(Frame("block", block, env=dict(env)))
        self.check_endings(state, self.endings)

    # ---- endings

    def check_endings(self, state: State, norms: list[RuleNorm]) -> None:
        """Who wins or loses by these norms as things stand. Raises `Undetermined` where they disagree."""
        if not norms:
            return

        def ask() -> tuple[object, list[tuple[Value, str, Applied]]]:
            found = list(self._outcomes(norms, state))
            return {(who, result) for who, result, _ in found}, found

        sides: dict[Value, dict[str, list[Applied]]] = {}
        outcomes = self.under_readings("who wins", norms, state, ask)
        if self.observer is not None and outcomes:
            self.observer.applied([applied for _, _, applied in outcomes], "outcome", state)
        for who, result, applied in outcomes:
            if who not in state.outcomes:
                sides.setdefault(who, {}).setdefault(result, []).append(applied)
        won = [a for who, results in sides.items() if who is not None for a in results.get("wins", [])]
        nobody = sides.get(None, {}).get("wins", [])
        if won and nobody:
            place, _ = self.precedence.decide("nobody wins", [nobody, won], state)
            for who in list(sides):
                if (who is None) == (place == 1):
                    sides[who].pop("wins", None)
        for who, results in sides.items():
            if not results:
                continue
            place = 0
            if len(results) > 1:
                place, _ = self.precedence.decide("wins and loses", list(results.values()), state)
            state.outcomes[who] = list(results)[place]
        self._settle(state)

    def _outcomes(self, norms: list[RuleNorm], state: State) -> Iterator[tuple[Value, str, Applied]]:
        for norm in norms:
            body = norm.body
            assert isinstance(body, m.OutcomeNorm)
            player = body.outcome.player
            for base in self.bindings(norm):
                for env in [base] if player is None else self.any_binding(player, base):
                    if self.applies(norm, env, state):
                        who = self.evaluator.value(player, state, env) if player is not None else None
                        if player is not None and (who is None or who is NOTHING):
                            continue
                        for one in sorted(who) if isinstance(who, frozenset) else (who,):
                            yield one, body.outcome.result, Applied(norm, env)

    def any_binding(self, player: m.Ref, env: dict[str, Value]) -> list[dict[str, Value]]:
        symbol = self.checked.symbol_of(player)
        if isinstance(symbol, VariableSymbol) and symbol.name not in env:
            return [{**env, symbol.name: value} for value in self.world.domain(symbol.type)]
        return [env]

    def _decide_outcome(self, who: Value, result: str, state: State) -> None:
        for player in who if isinstance(who, frozenset) else (who,):
            state.outcomes.setdefault(player, result)

    def _settle(self, state: State) -> None:
        results = state.outcomes
        lost = bool(self.checked.players) and all(results.get(p) == "loses" for p in range(self.world.seats))
        if None in results or "wins" in results.values() or lost:
            state.over = True


def counted(texts: list[str]) -> list[str]:
    """Where a text stands more than once, it is counted."""
    return [
        text if texts.count(text) == 1 else f"{text} ({texts[: place + 1].count(text)})"
        for place, text in enumerate(texts)
    ]
