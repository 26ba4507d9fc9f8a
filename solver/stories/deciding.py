"""Which passages, options and endings no reading of the stories comes to: exact where the stories are modelled.

Reading in many ways shows most of what can be reached. For the rest, only the cells that an edge asks about are
followed at first, all their states at once. If that excludes it, it is proved; else there is a way to it that may ask
more of other cells than they can give: it is tried, and where it fails, the cells that it fails on are followed too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from rules.machine import Machine
from solver.stories.bits import Group, Set
from solver.stories.compiling import program_of
from solver.stories.program import Change, Edge, Forget, Guard, Op, Program, State
from solver.stories.trying import Tried

WIDEST = 1 << 24  # combinations of values that are followed at once
_TRACED = 1 << 16  # with so many, the ways to each are kept


@dataclass(frozen=True, slots=True)
class Stories:
    """What no reading comes to: passages by name; options and statements by identity, each with the names of the cells
    that matter. `undecided` counts the ways that could not be decided; `left_out` names what is not modelled."""

    passages: tuple[str, ...]
    marks: frozenset[int]
    because: dict[int, tuple[str, ...]]
    undecided: int
    left_out: tuple[str, ...]
    modelled: bool = True


def stories_of(machine: Machine) -> Stories:
    program = program_of(machine) if machine.passages else None
    if program is None:
        left_out = ("something that is done after a moment",) if machine.passages else ()
        return Stories((), frozenset(), {}, 0, left_out, not machine.passages)
    return _Deciding(sliced(program)).decided()


def sliced(program: Program, asked: Iterable[int] = ()) -> Program:
    """Without the changes of cells that no condition reads, however far behind, and that stay within their range; but
    for those that are asked about."""
    changes = [op for edge in program.edges for op in edge.ops if isinstance(op, Change)]
    read = {cell for edge in program.edges for op in edge.ops if isinstance(op, Guard) for cell in op.cells}
    read |= set(asked)
    read |= {cell for op in changes if not all(op.becomes.values()) for cell in (op.cell, *op.reads)}
    grows = True
    while grows:
        more = {cell for op in changes if op.cell in read for cell in op.reads} - read
        read |= more
        grows = bool(more)

    def matters(op: Op) -> bool:
        return not isinstance(op, Change) or op.cell in read

    edges = [replace(e, ops=tuple(op for op in e.ops if matters(op))) for e in program.edges]
    return replace(program, edges=edges)


@dataclass(slots=True)
class _Traced:
    """How places were come to: along which edge, from which states, to which that were new."""

    came: dict[int, list[tuple[Edge, Set, Set]]] = field(default_factory=dict)
    states: dict[int, Set] = field(default_factory=dict)


class _Deciding:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.tried = Tried(program)
        self.after = self.tried.after
        self.closed: dict[int, tuple[str, ...]] = {}
        self.undecided: set[int] = set()

    def decided(self) -> Stories:
        self.tried.run()
        while (edge := self._next()) is not None:
            self._decide(edge)
            self.tried.run()
        reached = self._reached()
        open_marks = {
            mark
            for edge in self.program.edges
            if edge.source in reached and id(edge) not in self.closed
            for mark in edge.marks
        }
        marks = self.program.marks - open_marks
        because: dict[int, tuple[str, ...]] = {}
        for edge in self.program.edges:
            if id(edge) in self.closed:
                for mark in edge.marks:
                    because.setdefault(mark, self.closed[id(edge)])
        return Stories(
            tuple(name for name, places in self.program.entries.items() if reached.isdisjoint(places)),
            marks,
            because,
            len(self.undecided),
            tuple(self.program.left_out),
        )

    def _reached(self) -> set[int]:
        """The places to which ways lead that are not closed."""
        found = {0}
        waiting = [0]
        while waiting:
            for edge in self.after[waiting.pop()]:
                if id(edge) not in self.closed and edge.target not in found:
                    found.add(edge.target)
                    waiting.append(edge.target)
        return found

    def _next(self) -> Edge | None:
        """An edge that was not passed, at a place that was come to."""
        for edge in self.program.edges:
            known = id(edge) in self.tried.passed or id(edge) in self.closed or id(edge) in self.undecided
            if not known and self.tried.has_seen(edge.source):
                return edge
        return None

    # ---- one edge

    def _decide(self, edge: Edge) -> None:
        cells = {cell for op in edge.ops if isinstance(op, Guard) for cell in op.cells}
        while True:
            if self._size(cells) > WIDEST:
                self.undecided.add(id(edge))
                return
            group = Group(self.program, cells)
            traced = self._follow(group)
            self._close(group, traced)
            if id(edge) in self.closed:
                return
            states = group.along(edge, traced.states.get(edge.source, 0))
            more = self._try(group, traced, edge, states) if group.size <= _TRACED else None
            if more is None:
                self.undecided.add(id(edge))
                return
            if not more:
                return
            cells |= more

    def _size(self, cells: set[int]) -> int:
        size = 1
        for cell in cells:
            size *= len(self.program.cells[cell].values)
        return size

    def _close(self, group: Group, traced: _Traced) -> None:
        """All edges that no state of the group passes, at places that some come to."""
        names = tuple(self.program.cells[cell].name for cell in group.cells)
        for edge in self.program.edges:
            if id(edge) not in self.tried.passed and id(edge) not in self.closed:
                states = traced.states.get(edge.source, 0)
                if states and not group.along(edge, states):
                    self.closed[id(edge)] = names

    def _follow(self, group: Group) -> _Traced:
        """All states of the group at all places that ways lead to."""
        traced = _Traced()
        keep = group.size <= _TRACED
        waiting: deque[int] = deque([0])
        new: dict[int, Set] = {0: group.state(self.program.start)}
        known = traced.states = {0: new[0]}
        came = traced.came
        edges: dict[int, list[tuple[Edge, bool]]] = {}
        while waiting:
            place = waiting.popleft()
            delta = new.pop(place)
            if place not in edges:
                edges[place] = [
                    (e, any(group.touches(op) for op in e.ops)) for e in self.after[place] if id(e) not in self.closed
                ]
            for edge, touched in edges[place]:
                target = edge.target
                after = group.along(edge, delta) if touched else delta
                old = known.get(target, 0)
                fresh = after & ~old
                if fresh:
                    known[target] = old | fresh
                    if keep:
                        came.setdefault(target, []).append((edge, delta, fresh))
                    if target in new:
                        new[target] |= fresh
                    else:
                        new[target] = fresh
                        waiting.append(target)
        return traced

    # ---- trying a way

    def _try(self, group: Group, traced: _Traced, goal: Edge, states: Set) -> set[int] | None:
        """Goes a way that the group allows: nothing where it can be gone, else the cells that it fails on."""
        way = self._way(group, traced, goal, states)
        state = self.program.start
        for edge, ops in way:
            for op, (_, after) in zip(edge.ops, pairwise(ops), strict=True):
                found = step_of(group, op, state, after)
                if isinstance(found, set):
                    return found if found - set(group.cells) else None
                state = found
            self.tried.passed.add(id(edge))
            self.tried.come(edge.target, state)
        return set()

    def _way(self, group: Group, traced: _Traced, goal: Edge, states: Set) -> list[tuple[Edge, list[Set]]]:
        """A way to one of these states behind the goal, with the state of the group at each step of each edge."""
        found: list[tuple[Edge, list[Set]]] = []
        edge, before, after = goal, traced.states[goal.source], states & -states
        while True:
            ops = through(group, edge, before, after)
            found.append((edge, ops))
            if edge.source == 0 and ops[0] & group.state(self.program.start):
                return found[::-1]
            edge, before, fresh = next(one for one in traced.came[edge.source] if one[2] & ops[0])
            after = fresh & ops[0]


def step_of(group: Group, op: Op, state: State, after: Set) -> State | set[int]:
    """The state after a condition or an effect, as the group has it; the cells that say otherwise, if they do."""
    match op:
        case Guard(cells=cells, fitting=fitting):
            return state if tuple(state[cell] for cell in cells) in fitting else set(cells)
        case Change(cell=cell, reads=reads, becomes=becomes):
            wanted = group.value(cell, after)
            offered = becomes[tuple(state[read] for read in reads)]
            if not offered or (wanted is not None and wanted not in offered):
                return {cell, *reads}
            new = offered[0] if wanted is None else wanted
            return (*state[:cell], new, *state[cell + 1 :])
        case Forget(cells=cells):
            found = list(state)
            for cell in cells:
                wanted = group.value(cell, after)
                if wanted is not None:
                    found[cell] = wanted
            return tuple(found)


def through(group: Group, edge: Edge, before: Set, after: Set) -> list[Set]:
    """One state at each step of an edge, from one of the states before it to the one after it."""
    sets = [before]
    for op in edge.ops:
        sets.append(group.after(op, sets[-1]))
    found = [after]
    for op, states in zip(reversed(edge.ops), reversed(sets[:-1]), strict=True):
        found.append(_leading(group, op, states, found[-1]))
    if not edge.ops:
        return [after & -after] if after & before else found
    return found[::-1]


def _leading(group: Group, op: Op, states: Set, after: Set) -> Set:
    """One of the states from which a condition or an effect leads to this one: by halves."""
    while states & (states - 1):
        middle = states.bit_length() // 2
        low_bits = (states & -states).bit_length()
        middle = max(low_bits, (low_bits + states.bit_length()) // 2)
        lower = states & ((1 << middle) - 1)
        states = lower if lower and group.after(op, lower) & after else states & ~lower
    return states
