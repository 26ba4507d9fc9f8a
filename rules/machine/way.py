"""How control comes to a moment, and from there to the first decision inside it.

Scenarios and state files say where play stands by naming a moment. `enter` puts the frames on the stack that stand when
that moment has just begun; `decisions` lets play go on from there until somebody decides.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules import model as m
from rules.machine.base import Chance, Node, Over
from rules.machine.run import Machine
from rules.machine.state import Frame, State
from rules.machine.world import Value

MOST_CHANCES = 2_000  # decisions of chance on the way to a decision


@dataclass(frozen=True, slots=True)
class Stop:
    """A moment that must be running; `of` is whose it is, None where nothing is said of that."""

    moment: str
    of: Value = None


def enter(machine: Machine, state: State, stops: tuple[Stop, ...], bound: Mapping[str, Value]) -> bool:
    """Brings control to the moments, the outermost first; no, and nothing is changed, where play never comes there.

    `bound` is what the variables stand for whom the one who asks has named already.
    """
    if not stops:
        return True
    frames = _Way(machine, state, bound).along(machine.play, dict(bound), frozenset(), stops)
    if frames is None:
        return False
    game, *shuffles = state.stack
    game.pc, game.stage = frames[0].pc, 1  # the game has begun
    state.stack = [game, *frames[1:], *shuffles]
    return True


def is_inside(state: State, stops: tuple[Stop, ...]) -> bool:
    return all(state.running(stop.moment, stop.of) for stop in stops)


def decisions(machine: Machine, state: State, stops: tuple[Stop, ...]) -> Iterator[tuple[State, Node]]:
    """The first decisions inside the moments, one for each way in which chance can come to one, and ends of the game.

    The state that is given is used up.
    """
    # In the order of throws: where nothing can be done with a nought, noughts alone would never come to a decision.
    waiting = deque([state])
    for _ in range(MOST_CHANCES):
        if not waiting:
            return
        current = waiting.popleft()
        node = machine.run(current)
        if not isinstance(node, Chance):
            if isinstance(node, Over) or is_inside(current, stops):
                yield current, node
            continue
        if not is_inside(current, stops):
            continue
        # Which card comes first never decides whether there is a decision: one order stands for all.
        outcomes = node.outcomes[:1] if node.shuffles else node.outcomes
        for move, _ in outcomes:
            after = current.copy()
            machine.answer(after, move)
            waiting.append(after)


class _Way:
    """The frames that stand when a moment has just begun: how play comes there from its beginning."""

    def __init__(self, machine: Machine, state: State, bound: Mapping[str, Value]) -> None:
        self.machine = machine
        self.state = state
        self.bound = bound

    def along(
        self, block: m.Block, env: dict[str, Value], seen: frozenset[str], stops: tuple[Stop, ...]
    ) -> list[Frame] | None:
        """The first frame stands for the block itself."""
        for place, statement in enumerate(block):
            match statement:
                case m.Simple(body=m.Window(name=name)) if (name.text,) == tuple(stop.moment for stop in stops):
                    return [Frame("block", block, place, dict(env))]
                case _:
                    inner = self._into(statement, env, seen, stops)
                    if inner is not None:
                        return [Frame("block", block, place + 1, dict(env)), *inner]
        return None

    def _into(
        self, node: m.Statement, env: dict[str, Value], seen: frozenset[str], stops: tuple[Stop, ...]
    ) -> list[Frame] | None:
        match node:
            case m.Phase(name=phase, body=body, word=word):
                return self._moment(phase.text, word, body, None, env, seen, stops)
            case m.Repeat(times=times, body=body):
                found = self.along(body, env, seen, stops)
                if found is None:
                    return None
                left = self.machine.evaluator.value(times, self.state, env) if times is not None else None
                data = {"node": node, "left": left, "outer": dict(env)}
                return [Frame("repeat", body, found[0].pc, dict(env), data=data), *found[1:]]
            case m.Turns(variable=variable, order=order, body=body):
                for who in self._candidates(variable, order, env):
                    found = self._moment("turn", "turn", body, who, {**env, variable.text: who}, seen, stops)
                    if found is not None:
                        found[0].data["node"] = node
                        return [Frame("turns", env=dict(env), data={"node": node, "last": who}), *found]
                return None
            case m.Each(variable=variable, order=order, where=where, body=body):
                for who in self._candidates(variable, order, env):
                    found = self.along(body, {**env, variable.text: who}, seen, stops)
                    if found is not None:
                        things = [
                            thing
                            for thing in self.machine.ordered(variable, order, env, self.state)
                            if thing == who
                            or self.machine.evaluator.holds(where, self.state, {**env, variable.text: thing})
                        ]
                        data = {"things": things, "variable": variable.text, "at": things.index(who) + 1}
                        return [Frame("each", body, env=dict(env), data=data), *found]
                return None
            case m.If(then=then, otherwise=otherwise):
                return self.along(then, env, seen, stops) or self.along(otherwise, env, seen, stops)
            case m.Simple(body=m.Do(phrase=phrase)) if phrase.verb.text not in seen:
                return self._called(phrase, env, seen, stops)
            case _:
                return None

    def _candidates(self, variable: m.Name, order: m.Ref | None, env: dict[str, Value]) -> list[Value]:
        """Whom the variable stands for already, then the others in their order."""
        things = self.machine.ordered(variable, order, env, self.state)
        return sorted(things, key=lambda thing: thing != self.bound.get(variable.text))

    def _called(
        self, phrase: m.Phrase, env: dict[str, Value], seen: frozenset[str], stops: tuple[Stop, ...]
    ) -> list[Frame] | None:
        verb = phrase.verb.text
        procedure = self.machine.procedures[verb]
        params: dict[str, Value] = {p.variable.text: None for p in procedure.signature.params}
        by = None
        for param in procedure.signature.params:
            arg = next((a.value for a in phrase.args if a.label == param.label), None)
            if arg is not None and self.machine.needs(arg) <= env.keys():
                params[param.variable.text] = self.machine.evaluator.value(arg, self.state, env)
            if param.label == "by":
                by = params[param.variable.text]
        return self._moment(verb, "procedure", procedure.body, by, params, seen | {verb}, stops)

    def _moment(
        self,
        own: str,
        word: str,
        body: m.Block,
        who: Value,
        env: dict[str, Value],
        seen: frozenset[str],
        stops: tuple[Stop, ...],
    ) -> list[Frame] | None:
        first, *rest = stops
        if own == first.moment:
            if who is not None and first.of is not None and who != first.of:
                return None
            of = first.of if who is None else who
            if not rest:
                return [Frame("moment", body, 0, dict(env), own, of, word, stage=1)]
            stops = tuple(rest)
        else:
            of = who
        found = self.along(body, env, seen, stops)
        if found is None:
            return None
        return [Frame("moment", body, found[0].pc, dict(env), own, of, word, stage=1), *found[1:]]
