"""Every state that play can reach, the nearest first, each gone on from once.

Complete where all that can be decided was tried everywhere. Shuffles of many things and rulings among many values are
not enumerable: of those some are tried, and what was left out is said.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import factorial

from rules.machine import Chance, Open
from solver.play.graph import Graph, GraphMaker
from solver.play.key import Key
from solver.play.plays import Decision, decisions_at
from solver.play.walking import Place, Stopped, Walker

MOST_ORDERS = 5_040  # of seven things
SAMPLED_ORDERS = 6
MOST_RULINGS = 6


@dataclass(slots=True)
class Explored:
    """`left_out` says, in words, what was not tried; nothing, where everything was."""

    states: int
    left_out: dict[str, None] = field(default_factory=dict)
    graph: Graph | None = None

    @property
    def complete(self) -> bool:
        return not self.left_out


def explore_all(
    walker: Walker, states: int, work: int, most_edges: int, progress: Callable[[int], None] | None = None
) -> Explored:
    """Goes on until everything is known, so many states are, or so much work is done."""
    return _Exhaustive(walker, most_edges).run(states, work, progress)


class _Exhaustive:
    def __init__(self, walker: Walker, most_edges: int) -> None:
        self.walker = walker
        self.known: dict[Key, int] = {}
        self.waiting: deque[tuple[Place, int]] = deque()
        self.count = 0
        self.left_out: dict[str, None] = {}
        self.graph = GraphMaker(most_edges)

    def run(self, states: int, work: int, progress: Callable[[int], None] | None) -> Explored:
        watcher = self.walker.watcher
        watcher.by = "exhaustive"
        watcher.known = self.known
        limit = watcher.work + work
        try:
            self._arrive(self.walker.start(), None)
            while self.waiting:
                if self.count > states or watcher.work > limit:
                    self.left_out[f"more than {self.count:,} states"] = None
                    break
                place, number = self.waiting.popleft()
                for decision in self._tried(place):
                    self._arrive(self.walker.follow(place, decision), number)
                if progress is not None:
                    progress(self.count)
        except Stopped:
            self.left_out["what the exploration was stopped before"] = None
        finally:
            watcher.known = None
        graph = None if self.left_out else self.graph.made()
        return Explored(self.count, self.left_out, graph)

    def _arrive(self, came: Place | Key, source: int | None) -> None:
        if not isinstance(came, Place):
            self.graph.edge(source, self.known[came])
            return
        key = self.walker.key_at(came)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = self.count
            self.count += 1
            self.waiting.append((came, number))
            self.graph.node(came.node, came.state.outcomes, self.walker.ask(came))
        if not isinstance(came.node, Open):  # what a ruling does there depends on how the open point was come to
            for asked in self.walker.watcher.asked:
                self.known.setdefault(asked, number)
        self.graph.edge(source, number)

    def _tried(self, place: Place) -> list[Decision]:
        """The decisions that are tried: all of them, but for what cannot be enumerated."""
        found = list(decisions_at(place.node))
        node = place.node
        if isinstance(node, Chance) and node.shuffles and factorial(min(len(found), 20)) > MOST_ORDERS:
            self.left_out[f"most orders of {node.what}"] = None
            frame = place.state.stack[-1]
            some = SAMPLED_ORDERS if frame.kind == "shuffle" and frame.data["at"] == 0 else 1
            draw = random.Random(self.count)
            return [found[int(draw.random() * len(found))] for _ in range(some)]
        if isinstance(node, Open) and len(found) > MOST_RULINGS:
            self.left_out[f"most rulings on {node.text}"] = None
            step = (len(found) - 1) / (MOST_RULINGS - 1)
            return [found[round(place * step)] for place in range(MOST_RULINGS)]
        return found
