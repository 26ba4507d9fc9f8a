"""Whether some reading of the stories comes to a condition, and the way to it with the fewest decisions.

At first only the cells that the condition asks about are followed, all their states at once, the nearest first. If none
of them has it, no reading does. Else the nearest way is tried with all cells; where it fails, those that it fails on
are followed too. What is followed is never less than can be, so the nearest way that can be gone is a shortest one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

from rules import model as m
from rules.machine import Choice, Machine, Node
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.observer import Observer
from rules.machine.state import State as Position
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from rules.walk import nodes_of
from solver.play.plays import Decision, Play, decide, decisions_at, replay
from solver.stories.bits import Group, Set
from solver.stories.compiling import asked_of
from solver.stories.deciding import sliced, step_of, through
from solver.stories.program import Edge, Guard, Program

_WIDEST = 1 << 16  # combinations of values that are followed at once
_TRIED = 4_000  # positions in which a way is looked for in play


@dataclass(frozen=True, slots=True)
class NoReading:
    """No reading comes to it; `cells` are the names of what that hangs on."""

    cells: tuple[str, ...]


def way_to(machine: Machine, expr: m.Expr, wanted: bool) -> Play | NoReading | None:
    """A play to where a condition holds, or does not, replayed; None where it is not known."""
    if not machine.passages:
        return None
    found = asked_of(machine, expr, wanted)
    if found is None:
        return None
    program, goal = found
    if goal is False:
        return NoReading(())
    if goal is True:
        return Play(machine.world.seats, ())
    return _Asking(machine, sliced(program, goal.cells), goal, expr, wanted).answer()


@dataclass(frozen=True, slots=True)
class _Met:
    """The goal after so many decisions: behind the first `number` steps of an edge, from some of the states before it,
    in one state; without an edge, at the start."""

    cost: int
    edge: Edge | None
    before: Set
    state: Set
    number: int


@dataclass(slots=True)
class _Nearest:
    """How places were come to, the nearest first: along which edge, from which states, to which that were new.

    A state is new once, where it costs least; `met` is where the goal is nearest.
    """

    came: dict[int, list[tuple[Edge, Set, Set]]] = field(default_factory=dict)
    states: dict[int, Set] = field(default_factory=dict)
    met: _Met | None = None


class _Asking:
    def __init__(self, machine: Machine, program: Program, goal: Guard, expr: m.Expr, wanted: bool) -> None:
        self.machine = machine
        self.program = program
        self.goal = goal
        self.expr = expr
        self.wanted = wanted
        self.after = program.after()

    def answer(self) -> Play | NoReading | None:
        cells = set(self.goal.cells)
        while True:
            size = 1
            for cell in cells:
                size *= len(self.program.cells[cell].values)
            if size > _WIDEST:
                return None
            group = Group(self.program, cells)
            nearest = self._nearest(group)
            if nearest.met is None:
                return NoReading(tuple(self.program.cells[cell].name for cell in group.cells))
            way = self._way(group, nearest)
            more = self._fails_on(group, way)
            if more is None:
                return self._played(way)
            if not more - cells:
                return None
            cells |= more

    # ---- the nearest

    def _nearest(self, group: Group) -> _Nearest:
        """By the number of decisions; places that cost nothing to come to are gone on from at once."""
        found = _Nearest()
        start = group.state(self.program.start)
        found.states[0] = start
        if self._with_goal(group, start):
            found.met = _Met(0, None, start, start, 0)
            return found
        levels: dict[int, dict[int, Set]] = {0: {0: start}}
        cost = 0
        while levels and (found.met is None or found.met.cost > cost):
            level = levels.pop(cost, {})
            while level:
                place = next(iter(level))
                self._go_on(group, place, level.pop(place), cost, level, levels, found)
            cost += 1
        return found

    def _go_on(
        self,
        group: Group,
        place: int,
        delta: Set,
        cost: int,
        level: dict[int, Set],
        levels: dict[int, dict[int, Set]],
        found: _Nearest,
    ) -> None:
        for edge in self.after[place]:
            after = delta
            for number, op in enumerate(edge.ops, 1):
                after = group.after(op, after)
                here = self._with_goal(group, after)
                if here and (found.met is None or found.met.cost > cost + edge.cost):
                    found.met = _Met(cost + edge.cost, edge, delta, here & -here, number)
            fresh = after & ~found.states.get(edge.target, 0)
            if fresh:
                found.states[edge.target] = found.states.get(edge.target, 0) | fresh
                found.came.setdefault(edge.target, []).append((edge, delta, fresh))
                onward = level if not edge.cost else levels.setdefault(cost + edge.cost, {})
                onward[edge.target] = onward.get(edge.target, 0) | fresh

    def _with_goal(self, group: Group, states: Set) -> Set:
        return group.after(self.goal, states) if states else 0

    # ---- one way

    def _way(self, group: Group, nearest: _Nearest) -> list[tuple[Edge, list[Set]]]:
        """The way to the goal: each edge with the state of the group at each of its steps. The last is cut off where
        the goal is."""
        assert nearest.met is not None
        edge, before, after = nearest.met.edge, nearest.met.before, nearest.met.state
        if edge is None:
            return []
        cut = replace(edge, ops=edge.ops[: nearest.met.number])
        found: list[tuple[Edge, list[Set]]] = []
        while True:
            ops = through(group, cut, before, after)
            found.append((cut, ops))
            if cut.source == 0 and ops[0] & group.state(self.program.start):
                return found[::-1]
            cut, before, fresh = next(one for one in nearest.came[cut.source] if one[2] & ops[0])
            after = fresh & ops[0]

    def _fails_on(self, group: Group, way: list[tuple[Edge, list[Set]]]) -> set[int] | None:
        """None where the way can be gone with all cells, else the cells that it fails on."""
        state = self.program.start
        for edge, ops in way:
            for op, (_, after) in zip(edge.ops, pairwise(ops), strict=True):
                found = step_of(group, op, state, after)
                if isinstance(found, set):
                    return found
                state = found
        return None

    # ---- in play

    def _played(self, way: list[tuple[Edge, list[Set]]]) -> Play | None:
        """The same options chosen in play; what is rolled on the way falls as it must."""
        places = {
            id(option): place
            for node in nodes_of(self.machine.checked.book.declarations)
            if isinstance(node, m.Passage | m.Decides)
            for place, option in enumerate(node.options)
        }
        chosen = [places[option] for edge, _ in way for option in edge.chosen]
        decisions = self._search(chosen, sum(edge.cost for edge, _ in way))
        if decisions is None:
            return None
        play = Play(self.machine.world.seats, tuple(decisions))
        replay(self.machine, play)
        return play

    def _search(self, chosen: list[int], most: int) -> list[Decision] | None:
        start = self.machine.start()
        node, met = self._run(start)
        if met:
            return []
        waiting: list[tuple[Position, Node, list[Decision], int]] = [(start, node, [], 0)]
        for _ in range(_TRIED):
            if not waiting:
                return None
            state, node, made, done = waiting.pop()
            if len(made) >= most:
                continue
            onward = []
            for decision, further in self._fitting(node, chosen, done):
                after = state.copy()
                decide(self.machine, after, decision)
                next_node, met = self._run(after)
                if met:
                    return [*made, decision]
                onward.append((after, next_node, [*made, decision], further))
            waiting += reversed(onward)
        return None

    def _fitting(self, node: Node, chosen: list[int], done: int) -> Iterator[tuple[Decision, int]]:
        for decision in decisions_at(node):
            if decision.by == "ruling":
                continue
            if isinstance(node, Choice) and decision.data == (chosen[done] if done < len(chosen) else None):
                yield decision, done + 1
            elif not isinstance(node, Choice) or isinstance(decision.data, tuple):
                yield decision, done

    def _run(self, state: Position) -> tuple[Node, bool]:
        """What must be decided next, and whether the condition was met on the way."""
        lookout = _Lookout(self, state)
        self.machine.observer = lookout
        try:
            node = self.machine.run(state)
        finally:
            self.machine.observer = None
        lookout.look(state)
        return node, lookout.met

    def holds(self, state: Position) -> bool:
        observer, self.machine.observer = self.machine.observer, None
        try:
            return any(self.machine.evaluator.holds(self.expr, state, env) is self.wanted for env in self._envs)
        except (Undetermined, Gap, Broken):
            return False
        finally:
            self.machine.observer = observer

    @property
    def _envs(self) -> Iterator[dict[str, Value]]:
        names = sorted(self.machine.needs(self.expr))
        symbols = [self.machine.variables[name] for name in names]
        domains = [self.machine.world.domain(one.type) for one in symbols if isinstance(one, VariableSymbol)]
        return (dict(zip(names, values, strict=True)) for values in product(*domains))


class _Lookout(Observer):
    def __init__(self, asking: _Asking, state: Position) -> None:
        self._asking = asking
        self._state = state
        self.met = False

    def look(self, state: Position) -> None:
        if state is self._state and not self.met:
            self.met = self._asking.holds(state)

    def asks(self, state: Position) -> None:
        self.look(state)

    def happened(self, _happenings: object, state: Position) -> None:
        self.look(state)

    def changed(self, state: Position) -> None:
        self.look(state)


__all__ = ["NoReading", "way_to"]
