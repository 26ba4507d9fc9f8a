"""States of plays at random in which a phase, procedure, action or trigger begins: there, too, two blocks are compared.

At the start of a game nothing lies where a clearing-up rule would take it away: blocks that differ do the same there.
In: a book. Out: for each name that something restates, a few states of plays in which it was begun.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.machine import Chance, Choice, Machine, Move, Open, in_force, machine_of
from rules.machine.base import Happening
from rules.machine.norms import Applied
from rules.machine.observer import Observer, Use
from rules.machine.state import Frame, State
from rules.machine.world import Value
from solver.referee import referee_of
from verifier.court import Court
from verifier.restating.pairs import restated

_PLAYS = 30
_DECISIONS = 1_000  # of one play, by players and by chance
_ALL_DECISIONS = 6_000  # of all plays
_STATES = 12  # of one name
_IN_ONE_PLAY = 3  # of them, so that not all are of the first


@dataclass(frozen=True, slots=True)
class Begun:
    """`env` has the parts of what was called, `happenings` are what a trigger waited for."""

    state: State
    where: str
    env: dict[str, Value]
    happenings: tuple[Happening, ...] = ()


@dataclass(frozen=True, slots=True)
class Plays:
    """The machine that was played, with the default policies of the book: without, play would stop where it is open.

    `overs` lets what is restated go before what restates it: where the two differ, play would stop, too.
    """

    machine: Machine
    begun: dict[str, list[Begun]]
    overs: frozenset[tuple[object, object]]


@lru_cache(maxsize=4)
def plays_of(court: Court) -> Plays:
    """The same plays whenever they are asked for."""
    book = court.checked.book
    machine = machine_of(court.checked, court.seats, in_force(book), referee_of)
    pairs = list(restated(court.checked))
    overs = frozenset((pair.theirs.name, pair.ours.name) for pair in pairs)
    plays = Plays(machine, {pair.theirs.name: [] for pair in pairs}, overs)
    left = _ALL_DECISIONS
    for seed in range(_PLAYS):
        if left <= 0 or all(len(found) >= _STATES for found in plays.begun.values()):
            break
        left -= _play(plays, seed, min(left, _DECISIONS))
    return plays


def _play(plays: Plays, seed: int, most: int) -> int:
    """One play; how many decisions it had."""
    machine = plays.machine
    dice = random.Random(seed)
    state = machine.start()
    state.overs = state.overs | plays.overs
    machine.observer = watcher = _Watcher(plays.begun, state, seed)
    try:
        while watcher.decisions < most:
            node = machine.run(state)
            if isinstance(node, Open):
                watcher.stopped(node)
            if not isinstance(node, Choice | Chance):
                break
            machine.answer(state, _drawn(node, dice))
            watcher.decisions += 1
    finally:
        machine.observer = None
    return watcher.decisions


def _drawn(node: Choice | Chance, dice: random.Random) -> Move:
    weighted = node.outcomes if isinstance(node, Chance) else tuple((move, 1) for move in node.moves)
    # `random()` is the same on every machine and in every version of Python; its other methods need not be.
    place = int(dice.random() * sum(weight for _, weight in weighted))
    for move, weight in weighted:
        place -= weight
        if place < 0:
            return move
    return weighted[-1][0]


class _Watcher(Observer):
    def __init__(self, begun: dict[str, list[Begun]], state: State, seed: int) -> None:
        self.begun = begun
        self.state = state
        self.seed = seed
        self.decisions = 0
        self._here: Counter[str] = Counter()

    def entered(self, frame: Frame, state: State) -> None:
        if frame.moment is not None:
            self._keep(frame.moment, state, frame.env, ())

    def applied(self, norms: Sequence[Applied], use: Use, state: State) -> None:
        if use == "waits" and state.stack and state.stack[-1].kind == "event":
            for name in dict.fromkeys(one.norm.name for one in norms):
                self._keep(name, state, {}, state.stack[-1].data["happenings"])

    def stopped(self, node: Open) -> None:
        """Versions of a trigger that differ stop play where they would begin."""
        if self.state.stack and self.state.stack[-1].kind == "event":
            for name in dict.fromkeys(norm.name for side in node.sides for norm in side):
                self._keep(name, self.state, {}, self.state.stack[-1].data["happenings"])

    def _keep(self, name: str, state: State, env: dict[str, Value], happenings: tuple[Happening, ...]) -> None:
        found = self.begun.get(name)
        if found is None or state is not self.state or len(found) >= _STATES or self._here[name] >= _IN_ONE_PLAY:
            return
        self._here[name] += 1
        where = f"in a play at random, after {self.decisions} decisions (seed {self.seed})"
        found.append(Begun(state.copy(), where, dict(env), happenings))
