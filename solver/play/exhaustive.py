"""Every state that play can reach, the nearest first, each gone on from once.

Complete where all that can be decided was tried everywhere. Shuffles of many things and rulings among many values are
not enumerable: of those some are tried, and what was left out is said.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from math import factorial

from rules.machine import Chance, Choice, Open
from solver.play.graph import Graph, GraphMaker
from solver.play.key import Key
from solver.play.packing import Packed
from solver.play.pilot import places_along
from solver.play.plays import Decision, decisions_at
from solver.play.walking import Place, Stopped, Walker
from solver.play.wandering import location_of

MOST_ORDERS = 5_040  # of seven things
SAMPLED_ORDERS = 6
MOST_RULINGS = 6
STOPPED = "what the exploration was stopped before"
LOOKED_AHEAD = 0.1  # of the work, after which it is asked whether the rest can be enough


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
    walker: Walker,
    states: int,
    work: int,
    most_edges: int = 0,
    progress: Callable[[int], None] | None = None,
    until: str | None = None,
) -> Explored:
    """Goes on until everything is known, so many states are, so much work is done, or a goal is reached."""
    return _Exhaustive(walker, most_edges).run(states, work, progress, until)


class _Exhaustive:
    def __init__(self, walker: Walker, most_edges: int) -> None:
        self.walker = walker
        self.known: dict[Key, int] = {}
        self.waiting: deque[tuple[Place, Packed | None, int]] = deque()
        self.count = 0
        self.left_out: dict[str, None] = {}
        self.graph = GraphMaker(most_edges)
        self.places: set[Hashable] = set()  # in the rules, at which something is decided
        self.ahead: set[Hashable] | None = None  # those that a play goes through and that have not been come to

    def run(self, states: int, work: int, progress: Callable[[int], None] | None, until: str | None) -> Explored:
        watcher = self.walker.watcher
        watcher.by = "exhaustive"
        watcher.known = self.known
        begun = watcher.work
        try:
            self._arrive(self.walker.start(), None, 1)
            while self.waiting and until not in self.walker.reached:
                if self.count > states or self._is_hopeless((watcher.work - begun) / work):
                    self.left_out[f"more than {self.count:,} states"] = None
                    break
                place, packed, number = self.waiting.popleft()
                if packed is not None:
                    place.state = packed.unpack()
                decisions, orders = self._tried(place)
                for decision in decisions:
                    self._arrive(self.walker.follow(place, decision), number, orders)
                if progress is not None:
                    progress(self.count)
        except Stopped:
            self.left_out[STOPPED] = None
        finally:
            watcher.known = None
        graph = None if self.left_out else self.graph.made()
        return Explored(self.count, self.left_out, graph)

    def _is_hopeless(self, spent: float) -> bool:
        """Whether the work is done, or will be before all is seen.

        A play goes through places in the rules that lie ahead, one step after the other: if there are as many states at
        each of these steps as there are now, so many more are to come. It is as bad where half of the work is done and
        most of what is known has not been gone on from.
        """
        if spent < LOOKED_AHEAD or spent > 1:
            return spent > 1
        if self.ahead is None:
            with self.walker.watcher.looking_away():
                self.ahead = places_along(self.walker.machine) - self.places
        if len(self.ahead) * len(self.waiting) > self.count * (1 / spent - 1):
            return True
        return spent > 0.5 and len(self.waiting) > self.count / 2

    def _arrive(self, came: Place | Key, source: int | None, orders: int) -> None:
        if not isinstance(came, Place):
            self.graph.edge(source, self.known[came])
            return
        came.orders = orders
        key = self.walker.key_at(came)
        number = self.known.get(key)
        if number is None:
            number = self.known[key] = self.count
            self.count += 1
            where = location_of(came.state, came.node)
            self.places.add(where)
            if self.ahead is not None:
                self.ahead.discard(where)
            self.graph.node(came.node, came.state.outcomes, self.walker.ask(came), came.trail)
            packed = self.walker.packing.pack(came.state) if self.walker.packing.pays else None
            if packed is not None:
                came.state = packed.rest
            self.waiting.append((came, packed, number))
        if not isinstance(came.node, Open):  # what a ruling does there depends on how the open point was come to
            for asked in self.walker.watcher.asked:
                self.known.setdefault(asked, number)
        self.graph.edge(source, number)

    def _tried(self, place: Place) -> tuple[list[Decision], int]:
        """The decisions that are tried, all of them but for what cannot be enumerated, and the orders after them."""
        found = list(decisions_at(place.node))
        node = place.node
        if isinstance(node, Chance) and node.shuffles:
            if place.orders * factorial(min(len(found), 20)) <= MOST_ORDERS:
                return found, place.orders * len(found)
            self.left_out[f"most orders of {node.what}"] = None
            draw = random.Random(self.count)
            some = SAMPLED_ORDERS if place.orders == 1 else 1
            return [found[int(draw.random() * len(found))] for _ in range(some)], MOST_ORDERS
        if isinstance(node, Open) and len(found) > MOST_RULINGS:
            self.left_out[f"most rulings on {node.text}"] = None
            step = (len(found) - 1) / (MOST_RULINGS - 1)
            return [found[round(number * step)] for number in range(MOST_RULINGS)], place.orders
        return found, 1 if isinstance(node, Choice) else place.orders
