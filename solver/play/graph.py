"""The graph of all states that play can reach, by number, and what can be known backwards from it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.machine import Chance, Choice, Machine, Node, Open, Over
from rules.machine.world import Value
from solver.play.plays import Play, Trail

Sort = Literal["choice", "chance", "open", "over"]


@dataclass(frozen=True, slots=True)
class Graph:
    """States by number, 0 is the first. `who` decides at a choice; `results` is who has won or lost so far.

    `goals` has, for each goal, the states in which it holds. A state that is not over and leads nowhere is an open
    point that no ruling settles.
    """

    sorts: tuple[Sort, ...]
    who: tuple[int | None, ...]
    results: tuple[Mapping[Value, str], ...]
    after: tuple[tuple[int, ...], ...]
    goals: Mapping[str, frozenset[int]]
    trails: tuple[Trail, ...] = ()

    def __len__(self) -> int:
        return len(self.sorts)

    @property
    def ends(self) -> frozenset[int]:
        return frozenset(number for number, sort in enumerate(self.sorts) if sort == "over")

    def won_by(self, player: Value) -> frozenset[int]:
        """The states in which a player has won; None is for nobody."""
        return frozenset(number for number, results in enumerate(self.results) if results.get(player) == "wins")

    def can_reach(self, targets: Iterable[int]) -> frozenset[int]:
        """The states from which some play leads to one of these."""
        before: list[list[int]] = [[] for _ in self.sorts]
        for number, followers in enumerate(self.after):
            for follower in followers:
                before[follower].append(number)
        found = set(targets)
        waiting = list(found)
        while waiting:
            for number in before[waiting.pop()]:
                if number not in found:
                    found.add(number)
                    waiting.append(number)
        return frozenset(found)

    def choices_to(self, targets: Iterable[int]) -> dict[int, int]:
        """For each state that leads to one of these, the fewest decisions of players on the way there."""
        before: list[list[int]] = [[] for _ in self.sorts]
        for number, followers in enumerate(self.after):
            for follower in followers:
                before[follower].append(number)
        found = dict.fromkeys(targets, 0)
        waiting = deque(found)
        while waiting:
            follower = waiting.popleft()
            for number in before[follower]:
                costs = self.sorts[number] == "choice"
                if number not in found or found[follower] + costs < found[number]:
                    found[number] = found[follower] + costs
                    if costs:
                        waiting.append(number)
                    else:
                        waiting.appendleft(number)
        return found

    def play_to(self, number: int, machine: Machine) -> Play:
        """The shortest play to a state."""
        return self.trails[number].play(machine)

    @property
    def can_end(self) -> frozenset[int]:
        """The states from which the game can still come to an end."""
        return self.can_reach(self.ends)

    def never(self, targets: Iterable[int]) -> frozenset[int]:
        """The states from which no play leads to any of these.

        Under fair play, in which everything that can be decided again and again is decided so sooner or later, one of
        the targets is reached in every play if and only if the first state, and all others that can be reached without
        passing a target, are not among them.
        """
        return frozenset(range(len(self))) - self.can_reach(targets)

    def traps(self) -> list[frozenset[int]]:
        """Sets of states that play cannot leave, in which everything stays in reach of everything: each the last of a
        play that does not end. Ends themselves are none."""
        import networkx as nx  # noqa: PLC0415  (a third of a second that most runs do not need)

        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(self)))
        graph.add_edges_from((number, other) for number, others in enumerate(self.after) for other in others)
        found = [
            frozenset(component)
            for component in nx.strongly_connected_components(graph)
            if all(other in component for number in component for other in self.after[number])
            and not (len(component) == 1 and not self.after[next(iter(component))])
        ]
        return sorted(found, key=min)

    def has_cycle(self) -> bool:
        """Whether a play can come back to a state, and so go on for ever."""
        import networkx as nx  # noqa: PLC0415  (see `traps`)

        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_edges_from((number, other) for number, others in enumerate(self.after) for other in others)
        return not nx.is_directed_acyclic_graph(graph)


@dataclass(slots=True)
class GraphMaker:
    """Takes states and steps while there are no more than `most` steps; beyond that it forgets them all."""

    most: int
    sorts: list[Sort] = field(default_factory=list)
    who: list[int | None] = field(default_factory=list)
    results: list[Mapping[Value, str]] = field(default_factory=list)
    after: list[dict[int, None]] = field(default_factory=list)
    goals: dict[str, set[int]] = field(default_factory=dict)
    trails: list[Trail] = field(default_factory=list)
    _edges: int = 0

    def node(self, node: Node, results: Mapping[Value, str], holding: Iterable[str], trail: Trail) -> None:
        number = len(self.sorts)
        self.sorts.append(_sort(node))
        self.who.append(node.actor if isinstance(node, Choice) else None)
        self.results.append(dict(results))
        self.after.append({})
        self.trails.append(trail)
        for name in holding:
            self.goals.setdefault(name, set()).add(number)

    def edge(self, source: int | None, target: int) -> None:
        if source is None or self._edges > self.most:
            return
        if target not in self.after[source]:
            self._edges += 1
            self.after[source][target] = None
            if self._edges > self.most:
                self.after = []

    def made(self) -> Graph | None:
        if self._edges > self.most:
            return None
        return Graph(
            tuple(self.sorts),
            tuple(self.who),
            tuple(self.results),
            tuple(tuple(others) for others in self.after),
            {name: frozenset(found) for name, found in self.goals.items()},
            tuple(self.trails),
        )


def _sort(node: Node) -> Sort:
    match node:
        case Choice():
            return "choice"
        case Chance():
            return "chance"
        case Open():
            return "open"
        case Over():
            return "over"
