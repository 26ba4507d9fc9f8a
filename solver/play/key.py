"""What of a state decides its future: two states with the same key have the same legal moves, and each of these leads
to states with the same key.

Left out is what nothing can ask for again: who has seen what (it is in no rule's power to depend on it), events that no
running moment reaches back to, variables that no statement still to be carried out names, and the cells that
whoever makes the keys says are of no consequence (see `solver.play.slicing`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache
from typing import Any

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import Applied
from rules.machine.state import MISSING, Frame, State
from rules.machine.world import Value
from rules.walk import nodes_of
from solver.play.asked import asked_of, askers_of

Key = tuple[Hashable, ...]
Env = dict[str, Value]
_Names = tuple[str, ...]


@lru_cache(maxsize=8)
def _keys_of(machine: Machine) -> Keys:
    return Keys(machine)


def key_of(machine: Machine, state: State) -> Key:
    """Of a state in which something must be decided, or just before `run`; of the cells none is left out."""
    return _keys_of(machine).of(state)


class Keys:
    """Makes the keys of one machine from the cells that count; None is for all of them.

    `asks` are the expressions that are asked of states from outside: what they ask of the log counts, besides what the
    rules do; None is for all that stands in the book.
    """

    def __init__(
        self, machine: Machine, cells: tuple[int, ...] | None = None, asks: Iterable[m.Expr] | None = None
    ) -> None:
        self.machine = machine
        judging = (m.Scenario,) if asks is None else (m.Question, m.Scenario, m.Claim)
        rules = [d for d in machine.checked.book.declarations if not isinstance(d, judging)]
        self.askers = askers_of(machine, (*rules, *(asks or ())))
        self._kept = cells if cells is not None and len(cells) < len(machine.start().cells) else None
        self._live: dict[tuple[int, ...], _Names] = {}

    def of(self, state: State) -> Key:
        kept = self._kept
        cells = state.cells
        ruled: Hashable = None
        if state.overs or state.reads or state.defaults or state.resting or state.short or state.rows or state.ties:
            ruled = (
                state.overs,
                frozenset(state.reads.items()),
                frozenset(state.defaults.items()),
                state.resting,
                state.short,
                frozenset(state.rows.items()),
                frozenset(state.ties.items()),
            )
        return (
            tuple(cells) if kept is None else tuple([cells[place] for place in kept]),
            tuple([self._frame(frame) for frame in state.stack]),
            asked_of(self.askers, state) if state.log else None,
            self._disabled(state) if state.disabled else None,
            frozenset(state.outcomes.items()) if state.outcomes else None,
            state.over,
            None if state.answer is MISSING else (state.answer,),
            state.asking,
            ruled,
        )

    def _disabled(self, state: State) -> Hashable:
        return frozenset(
            (name, None if until is None else (id(until[0]), self._env(until[1], (id(until[0]),), until[0])))
            for name, until in state.disabled.items()
        )

    # ---- frames

    def _frame(self, frame: Frame) -> Hashable:
        block, data = frame.block, frame.data
        # A statement stands in one block only, so its first statement and its length tell which block it is.
        place = (id(block[0]), len(block), frame.pc) if block else (0, 0, frame.pc)
        deferred: Hashable = None
        if frame.deferred:
            deferred = tuple((id(b[0]), len(b), self._env(env, (id(b[0]), len(b)), b)) for b, env in frame.deferred)
        more, env = self._by_kind(frame, place)
        rolled = data.get("rolled")
        return (
            frame.kind,
            place,
            env,
            frame.moment,
            frame.of,
            frame.word,
            frame.stage,
            deferred,
            more,
            tuple(rolled) if rolled else None,
        )

    def _by_kind(self, frame: Frame, place: tuple[int, int, int]) -> tuple[Hashable, Hashable]:
        """What a kind of frame has of its own, and those of its variables that it can still need."""
        data, block, env = frame.data, frame.block, frame.env
        match frame.kind:
            case "block" | "moment":
                left = self._env(env, place, block[frame.pc :]) if env else None
                if "prepared" in data:
                    return ("prepared", tuple(data["prepared"]), data["who"]), left
                return data.get("replaces"), left
            case "repeat":
                node: m.Repeat = data["node"]
                outer = self._env(data["outer"], (place[0], place[1], -1), (block, node.until))
                return (data["left"], outer), self._env(env, (*place, -2), (block[frame.pc :], node.until))
            case "turns":
                turns: m.Turns = data["node"]
                return (id(turns), data["last"]), self._env(env, (id(turns),), turns)
            case "each":
                at = data["at"]
                answers = tuple(tuple(given) for given in data["answers"][at:]) if "answers" in data else None
                things = tuple(data["things"][at:])
                return (data["variable"], things, answers), self._env(env, (place[0], place[1], -3), block)
            case "secret":
                trial: State | None = data["trial"]
                secret = (
                    data["variable"],
                    tuple(data["things"]),
                    data["at"],
                    None if trial is None else self.of(trial),
                    tuple(data["given"]),
                    tuple(tuple(given) for given in data["answers"]),
                )
                return secret, self._env(env, (place[0], place[1], -3), block)
            case "takes":
                actor, phrases = data["actor"], data["phrases"]
                asked = (id(actor), id(phrases))
                return (asked, data["left"], data["stop"]), self._env(env, asked, (actor, phrases or ()))
            case "window":
                things = tuple(data["things"])
                return (things, data["at"] % len(things) if things else 0, data["declined"]), None
            case "event":
                return (data["happenings"], data["perform"]), None
            case "triggers":
                return tuple(self._applied(one) for one in data["waiting"]), None
            case "draw":
                drawn = tuple(data["drawn"]) if data["variable"] is not None else None
                ends = (id(data["origin"]), id(data["target"]))
                where = (data["origin"], data["target"])
                return (ends, data["left"], drawn, data["asked"]), self._env(env, ends, where)
            case "counters" | "moving" | "shuffle":
                return tuple([tuple(v) if isinstance(v, list) else v for v in data.values()]), None
            case "story":
                passage = self.machine.passages[data["passage"]]
                left = (passage.body[frame.pc :], passage.options)
                return data["passage"], self._env(env, (id(passage), frame.pc), left)

    def _applied(self, applied: Applied) -> Hashable:
        return (id(applied.norm), tuple(sorted(applied.env.items())))

    def _env(self, env: Env, place: tuple[int, ...], left: Any) -> Hashable:
        """What variables stand for, of those that `left` names; `place` tells what is left."""
        names = self._live.get(place)
        if names is None:
            named = {node.text for node in nodes_of(left) if isinstance(node, m.Name)}
            names = self._live[place] = tuple(sorted(named & self.machine.variables.keys()))
        return tuple([env.get(name, MISSING) for name in names])
