"""Choices: actions, offers, things and options to choose, windows for reactions, choices made in secret."""

from __future__ import annotations

from abc import ABC
from dataclasses import replace
from typing import Any

from rules import model as m
from rules.machine.base import Chance, Choice, Happening, Legal, Move, Node
from rules.machine.evaluate import Env
from rules.machine.state import MISSING, Frame, State
from rules.machine.things import MAX_STEPS, Things
from rules.machine.world import NOTHING, Nothing, Value
from rules.symbols import BuiltinSymbol, VariableSymbol
from rules.types import KindT, Type, without_none


class Choosing(Things, ABC):
    # ---- choices

    def _actor(self, actor: m.Ref, env: Env, state: State) -> tuple[Value, Type]:
        if self.checked.symbol_of(actor) == BuiltinSymbol("chance"):
            return "chance", KindT("")
        value = self.evaluator.value(actor, state, env)
        return value, without_none(self.checked.type_of(actor))

    def _decider(self, actor: Value, kind: Type, state: State) -> int | Nothing | None:
        """Who decides for an actor: a player, None for the table as one, `NOTHING` where nobody can.

        A player who has lost has no more choices; a thing that no player owns cannot act.
        """
        if actor is None or actor is NOTHING:
            return NOTHING
        if isinstance(actor, frozenset):
            return None
        player = self.player_of(actor, kind, state)
        return NOTHING if player is None or state.outcomes.get(player) == "loses" else player

    def _takes(self, frame: Frame, state: State) -> Node | None:
        data = frame.data
        actor, kind = self._actor(data["actor"], frame.env, state)
        decider = self._decider(actor, kind, state)
        if data["left"] == 0 or isinstance(decider, Nothing):
            state.stack.pop()
            return None
        answer = state.take_answer()
        if answer is MISSING:
            if self.observer is not None:
                self.observer.asks(state)
            moves, must = self.options(frame, state)
            if not moves:
                state.stack.pop()
                return None
            choices = [Move(self.show_move(legal.verb, legal.args), (legal.verb, legal.args)) for legal in moves]
            if data["stop"] and not must:
                choices.append(Move("stop" if data["phrases"] is None else "decline", None))
            return Choice(decider, tuple(choices), "an action")
        if answer is None:
            state.stack.pop()
            return None
        if data["left"] is not None:
            data["left"] -= 1
        self._act(answer, state)
        return None

    def _act(self, answer: tuple[str, tuple[Value, ...]], state: State) -> None:
        verb, args = answer
        self._emit(state, (Happening(("phrase", verb), args),), ("call", verb, args))

    def legal_now(self, state: State) -> list[Legal]:
        """The actions among which the one who decides can choose; none where the choice is of another sort."""
        frame = state.stack[-1]
        if frame.kind == "takes":
            return self.options(frame, state)[0]
        if frame.kind == "window":
            return self._reactions(frame, state)[0]
        if frame.kind == "secret" and frame.data["trial"] is not None:
            return self.legal_now(frame.data["trial"])
        return []

    def asked(self, state: State) -> tuple[Value, Type, tuple[m.Phrase, ...] | None, Env] | None:
        """Who is asked for an action here, among which phrases; None where the choice is of another sort."""
        frame = state.stack[-1]
        if frame.kind == "takes":
            return (*self._actor(frame.data["actor"], frame.env, state), frame.data["phrases"], frame.env)
        if frame.kind == "window":
            return (self._reacting_now(frame), frame.data["kind"], None, frame.env)
        if frame.kind == "secret" and frame.data["trial"] is not None:
            return self.asked(frame.data["trial"])
        return None

    def options(self, frame: Frame, state: State) -> tuple[list[Legal], bool]:
        """The legal moves of the one who acts here; where one of them must be done, only those."""
        actor, kind = self._actor(frame.data["actor"], frame.env, state)
        return _pressing(self.legal(state, actor, kind, frame.data["phrases"], frame.env))

    def _chooses(self, node: m.Chooses, frame: Frame, state: State) -> Node | None:
        actor, kind = self._actor(node.actor, frame.env, state)
        name = node.variable.text
        symbol = self.variables[name]
        assert isinstance(symbol, VariableSymbol)
        answer = state.take_answer()
        if answer is MISSING:
            values = [
                value
                for value in self.world.domain(symbol.type)
                if self.evaluator.holds(node.where, state, {**frame.env, name: value})
            ]
            moves = [Move(self.world.show(value, symbol.type), (value,)) for value in values]
            if node.or_none:
                moves.append(Move("none", (None,)))
            if not moves:
                frame.env[name] = NOTHING
                return None
            if actor == "chance":
                return Chance(tuple((move, 1) for move in moves), f"choose {name}")
            decider = self._decider(actor, kind, state)
            if isinstance(decider, Nothing):
                frame.env[name] = NOTHING
                return None
            return Choice(decider, tuple(moves), f"choose {name}")
        frame.env[name] = answer[0]
        return None

    def _decides(self, actor: m.Ref, options: tuple[m.Option, ...], env: Env, state: State) -> Node | None:
        who, kind = self._actor(actor, env, state)
        answer = state.take_answer()
        if answer is not MISSING:
            state.stack.append(Frame("block", options[answer].body, env=dict(env)))
            return None
        moves = self._open_options(options, env, state)
        if not moves:
            return None
        if who == "chance":
            return Chance(tuple((move, 1) for move in moves), "decide")
        decider = self._decider(who, kind, state)
        return None if isinstance(decider, Nothing) else Choice(decider, moves, "decide")

    def _open_options(self, options: tuple[m.Option, ...], env: Env, state: State) -> tuple[Move, ...]:
        return tuple(
            Move(option.text, place)
            for place, option in enumerate(options)
            if self.evaluator.holds(option.conditions.when, state, env)
            and not (
                option.conditions.unless is not None and self.evaluator.holds(option.conditions.unless, state, env)
            )
            and self.block_payable(option.body, env, state)
        )

    def ordered(self, variable: m.Name, order: m.Ref | None, env: Env, state: State) -> list[Value]:
        if order is not None:
            found = self.evaluator.value(order, state, env)
            return [] if found is None or found is NOTHING else list(found)
        symbol = self.variables[variable.text]
        assert isinstance(symbol, VariableSymbol)
        return list(self.world.domain(symbol.type))

    def _open_window(self, name: m.Name, variable: m.Name | None, order: m.Ref | None, env: Env, state: State) -> None:
        if variable is None:
            things: list[Value] = list(range(self.world.seats))
            if order is not None:
                found = self.evaluator.value(order, state, env)
                things = [] if found is None or found is NOTHING else list(found)
            kind: Type = KindT(self.checked.players or "")
        else:
            symbol = self.variables[variable.text]
            assert isinstance(symbol, VariableSymbol)
            kind = symbol.type
            bound = env.get(variable.text, MISSING)
            things = self.ordered(variable, order, env, state) if bound is MISSING else [bound]
        data = {"things": things, "kind": kind, "at": 0, "declined": 0}
        frame = Frame("window", env=dict(env), moment=name.text, word="window", since=len(state.log), data=data)
        state.stack.append(frame)
        if self.observer is not None:
            self.observer.entered(frame, state)

    def _window(self, frame: Frame, state: State) -> Node | None:
        """Stages: begin, going round, end, leave."""
        data = frame.data
        if frame.stage == 0 or (frame.stage == 1 and data["declined"] >= len(data["things"])):
            word = "ends" if frame.stage else "begins"
            frame.stage += 1
            self._emit(state, (self._moment_event(frame, word),), ("none",))
            return None
        if frame.stage == 2:
            self._leave_moment(frame, state)
            return None
        actor = self._reacting_now(frame)
        decider = self._decider(actor, data["kind"], state)
        answer = state.take_answer()
        if answer is MISSING:
            if self.observer is not None:
                self.observer.asks(state)
            moves, must = ([], False) if isinstance(decider, Nothing) else self._reactions(frame, state)
            if isinstance(decider, Nothing) or not moves:
                data["at"] += 1
                data["declined"] += 1
                return None
            choices = [Move(self.show_move(legal.verb, legal.args), (legal.verb, legal.args)) for legal in moves]
            if not must:
                choices.append(Move("decline", None))
            return Choice(decider, tuple(choices), "a reaction")
        data["at"] += 1
        if answer is None:
            data["declined"] += 1
            return None
        data["declined"] = 0
        self._act(answer, state)
        return None

    def _reacting_now(self, frame: Frame) -> Value:
        things: list[Value] = frame.data["things"]
        return things[frame.data["at"] % len(things)]

    def _reactions(self, frame: Frame, state: State) -> tuple[list[Legal], bool]:
        return _pressing(self.legal(state, self._reacting_now(frame), frame.data["kind"], None, frame.env))

    # ---- choices made at the same time

    def _secret(self, frame: Frame, state: State) -> Node | None:
        """Each chooses on a copy of the state, as it was before anybody chose; then all is carried out in order."""
        data = frame.data
        things: list[Value] = data["things"]
        if data["at"] == len(things):
            state.stack.pop()
            carried = {"things": things, "variable": data["variable"], "at": 0, "answers": data["answers"]}
            state.stack.append(Frame("each", frame.block, env=frame.env, data={**carried, "kind": data["kind"]}))
            return None
        thing = things[data["at"]]
        if data["trial"] is None:
            trial = state.copy()
            trial.stack.append(Frame("block", frame.block, env={**frame.env, data["variable"]: thing}))
            data["trial"], data["given"] = trial, []
        trial = data["trial"]
        answer = state.take_answer()
        if answer is not MISSING:
            data["given"].append(answer)
            trial.answer = answer
        node = self._until_decision(trial, len(state.stack))
        if isinstance(node, Choice) and node.actor == self.player_of(thing, data["kind"], state):
            return replace(node, secret=True)
        data["answers"].append(data["given"])
        data["trial"], data["at"] = None, data["at"] + 1
        return None

    def _until_decision(self, state: State, depth: int) -> Node | None:
        """Goes on until something must be decided, or the stack is as low as this."""
        for _ in range(MAX_STEPS):
            if state.over or len(state.stack) <= depth:
                return None
            node = self._step(state)
            if node is not None:
                return node
        return None

    def _prepared(self, node: Choice, state: State) -> Any:
        """What was chosen for this in secret; `MISSING` where nothing was, or it can no longer be chosen."""
        for frame in reversed(state.stack):
            if "prepared" in frame.data:
                waiting: list[Any] = frame.data["prepared"]
                if not waiting or node.actor != frame.data["who"]:
                    return MISSING
                answer = waiting.pop(0)
                if any(move.data == answer for move in node.moves):
                    return answer
                waiting.clear()
                return MISSING
        return MISSING


def _pressing(moves: list[Legal]) -> tuple[list[Legal], bool]:
    """Where one of the moves must be done, only those that must."""
    duties = [legal for legal in moves if legal.must]
    return duties or moves, bool(duties)
