"""A book as a transition system: where play can stand, and every step from there to the next decision.

A `Location` is the interpreter's stack where something must be decided, with all that stands in it, and those cells
that are no plain values; the other cells are variables. An `Edge` is one decision on one way to the next location: when
it can be taken, and what it makes of the variables. Where rules could not be followed, an edge leads to `ANYTHING`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules.machine import Node, Open, Over
from rules.machine.observer import Observer
from rules.machine.state import MISSING, State
from rules.types import TruthT, Type, without_none
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.sym import Sym, code, type_bounds
from solver.flow.forks import Excluded, Forks, TooMany, Way
from solver.flow.machine import ForkingMachine, Offers
from solver.flow.reading import Reader
from solver.flow.unknown import UnknownCells, can_be_unknown, known, known_state, unknown_state
from solver.play.key import Keys
from solver.play.plays import Decision, decide, decisions_at
from solver.play.slicing import changing_cells
from solver.solve import Solver
from solver.terms import Either, Flag, Term, either, pick

ANYTHING = -1  # the location of which nothing is known
_MOST_RULINGS = 6
_LOOKED_AT = 2_000  # steps of something that goes round
# Of the solver, for one question whether a way can be gone: what it does not settle so is gone.
_BUDGET = 60_000
_STEPS = 800
_OVERDRAFT = 1.25  # by so much the budget may be exceeded at one location
_A_CALL = 1_000  # what a question that needs Z3 counts as, in parts of terms


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is followed, the same on every machine: locations, edges, ways from one location, questions whether a
    way can be gone, parts of terms that are made on the way."""

    locations: int = 1_500
    edges: int = 12_000
    ways: int = 1_500
    questions: int = 60_000
    terms: int = 650_000


@dataclass(frozen=True, slots=True, eq=False)
class Location:
    """`state` is as the first way left it; of its cells only those count that are no variables.

    At an open point it is the state before that point, with the decision that led to it, and so are the variables.
    """

    number: int
    key: Hashable = field(repr=False)
    state: State = field(repr=False)
    is_open: bool
    is_over: bool


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """`updates` has the variables that change. `seen` and `passed` say, for each condition that is watched, when it
    holds on the way, after the decision: `seen` where whoever looks on is told, `passed` elsewhere too.

    `decision` is None where rules could not be followed.
    """

    source: int
    target: int
    guard: Flag
    updates: Mapping[Term, Either]
    decision: Decision | None
    seen: Mapping[int, Flag]
    passed: Mapping[int, Flag]


@dataclass(frozen=True, slots=True)
class Flow:
    """`complete` is true where every location that can be reached is there, with all its edges.

    `holding` has, for each location, when each of the watched conditions holds there; at an open point they count on
    the way there. `variables` are the cells that vary, `start` their values at the first decision, `first` its
    location; `begun` are the watched conditions that hold on the way there. `left_out` says what was not followed:
    where, and why.
    """

    watched: tuple[Flag, ...]
    locations: tuple[Location, ...]
    holding: tuple[tuple[Flag, ...], ...]
    edges: tuple[Edge, ...]
    variables: tuple[Term, ...]
    first: int
    start: Mapping[Term, bool | int]
    begun: frozenset[int]
    complete: bool
    left_out: Mapping[Hashable, str]

    @property
    def closed(self) -> bool:
        """Whether nothing but what was followed can happen."""
        return self.complete and all(edge.target != ANYTHING for edge in self.edges)


def flow_of(encoder: Encoder, watched: Sequence[Flag] = (), budget: Budget | None = None) -> Flow:
    return Follower(encoder, watched, budget or Budget()).followed()


@dataclass(frozen=True, slots=True)
class _Stand:
    """A location on one way: its state, what can be decided, and under which conditions."""

    state: State
    decisions: list[Decision]
    offers: Offers


class GoesRound(Exception):  # noqa: N818
    """Play has come back to where it was, and nobody has decided anything."""


class _Onlooker(Observer):
    """Notes at each report which of the watched conditions hold."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower

    def asks(self, state: State) -> None:
        self._follower.come_round(state)
        self._follower.look(state, seen=True)

    def happened(self, _happenings: object, state: State) -> None:
        self._follower.look(state, seen=True)

    def changed(self, state: State) -> None:
        self._follower.look(state, seen=True)


class Follower:
    def __init__(self, encoder: Encoder, watched: Sequence[Flag], budget: Budget) -> None:
        self.encoder = encoder
        self.space = encoder.space
        self.plain = encoder.machine
        self.budget = budget
        self.watched = tuple(watched)
        self._solver = Solver(_BUDGET, _STEPS)
        self.forks = Forks(self._possible)
        self.reader = Reader(encoder, self.forks)
        self.machine = ForkingMachine.of(self.plain, self.reader)
        self.machine.observer = _Onlooker(self)
        self.machine.unwound = lambda state: self.look(state, seen=False)
        self._types = self._unknown_cells()
        self.keys = Keys(self.plain, tuple(a for a in changing_cells(self.plain) if a not in self._types))
        self._first_cells = {address: self.space.cell(address) for address in self._types}
        self.locations: list[Location] = []
        self.edges: list[Edge] = []
        self._numbers: dict[Hashable, int] = {}
        self._waiting: deque[Location] = deque()
        self._asked_at: set[Hashable] = set()
        self._kept: list[UnknownCells] = []  # so that what is known by its identity stays
        self._running: State | None = None
        self._state: State | None = None  # the one that is being followed; trials are others
        self._seen: dict[int, Flag] = {}
        self._passed: dict[int, Flag] = {}
        self.left_out: dict[Hashable, str] = {}

    def _unknown_cells(self) -> dict[int, Type]:
        found: dict[int, Type] = {}
        for address in changing_cells(self.plain):
            type_ = self.space.slot_at(address).symbol.type
            if can_be_unknown(type_):
                found[address] = type_
        return found

    @property
    def variables(self) -> tuple[Term, ...]:
        return tuple(
            term for sym in self._first_cells.values() for term in (sym.payload, sym.none) if isinstance(term, Term)
        )

    # ---- all locations

    def followed(self) -> Flow:
        first, start, begun = self._begin()
        complete = True
        while self._waiting:
            if self._is_spent():
                complete = False
                break
            location = self._waiting.popleft()
            self._follow(location)
        return Flow(
            self.watched,
            tuple(self.locations),
            tuple(self._holding(location) for location in self.locations),
            tuple(self.edges),
            self.variables,
            first,
            start,
            begun,
            complete,
            self.left_out,
        )

    def _holding(self, location: Location) -> tuple[Flag, ...]:
        if location.is_open:
            return tuple(False for _ in self.watched)
        state = self._unknown(location.state)
        return tuple(self.reader.now(condition, state) for condition in self.watched)

    def _is_spent(self) -> bool:
        return (
            len(self.locations) > self.budget.locations
            or len(self.edges) > self.budget.edges
            or self.forks.asked > self.budget.questions
            or self._work > self.budget.terms
        )

    @property
    def _work(self) -> int:
        return self.reader.work + _A_CALL * self._solver.statistics.solver_calls

    def _possible(self, terms: list[Flag]) -> bool:
        if self.forks.asked > _OVERDRAFT * self.budget.questions or self._work > _OVERDRAFT * self.budget.terms:
            raise TooMany
        return self._solver.possible(*terms) is not False

    def _begin(self) -> tuple[int, dict[Term, bool | int], frozenset[int]]:
        """The start of a game is known: there is one way to the first decision."""
        state = self._unknown(self.plain.start(), known_cells=True)
        before = known_state(state, list(state.cells))
        self._look_anew(state)
        try:
            node = self._run(state)
        except NotEncodable as reason:
            node = Open("stuck", reason.reason, span=reason.span)
            number = self._number(("start",), node, before)
            self._waiting.clear()
            self._lost(self.locations[number], reason, True)
        cells = list(state.cells)
        at_node = known_state(state, cells)
        if isinstance(node, Open):
            self.look(state, seen=True)
            at_node = before
        if not self.locations:
            self._number(self._key(node, at_node), node, at_node)
        start = {variable: self.space.probes[variable](at_node) for variable in self.variables}
        begun = frozenset(place for place, flag in {**self._seen, **self._passed}.items() if flag is not False)
        return 0, start, begun

    def _key(self, node: Node, state: State) -> Hashable:
        match node:
            case Open(kind=kind, span=span, sides=sides, rulings=rulings):
                norms = tuple(tuple(norm.key for norm in side) for side in sides)
                texts = tuple(ruling.text for ruling in rulings)
                return ("open", kind, span, norms, texts, self.keys.of(state))
            case Over(outcomes=outcomes):  # nothing follows: only what can be asked of it counts
                running = tuple((f.moment, f.of, f.word) for f in state.stack if f.moment is not None)
                _, _, log, disabled, *_ = self.keys.of(state)
                return ("over", outcomes, running, log, disabled, self.keys.of(state)[0])
            case _:
                return (type(node).__name__, self.keys.of(state))

    def key_at(self, node: Node, state: State, before: State | None) -> Hashable:
        """The key of a state of the interpreter; at an open point `before` is the state from before it."""
        if isinstance(node, Open):
            assert before is not None
            return self._key(node, before)
        return self._key(node, state)

    def _number(self, key: Hashable, node: Node, state: State) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.locations)
            location = Location(number, key, state, isinstance(node, Open), isinstance(node, Over))
            self.locations.append(location)
            if not location.is_over:
                self._waiting.append(location)
        return number

    # ---- one location

    def _unknown(self, state: State, known_cells: bool = False) -> State:
        held = list(state.cells)
        if not known_cells:
            for address, sym in self._first_cells.items():
                held[address] = sym
        return unknown_state(state, UnknownCells(held, self.forks, self.plain.world, self._types))

    def _follow(self, location: Location) -> None:
        began = len(self.edges)
        try:
            for way, stand in self.forks.ways(lambda: self._stand(location), self.budget.ways):
                if isinstance(stand, NotEncodable):
                    self._lost(location, stand, way.condition)
                elif stand is not None:
                    with self.forks.inside(way):
                        self._decide(location, stand, began)
        except TooMany:
            del self.edges[began:]
            self.left_out.setdefault(location.key, f"more than {self.budget.ways:,} ways from one decision to the next")
            self.edges.append(Edge(location.number, ANYTHING, True, {}, None, {}, {}))

    def _lost(self, location: Location, reason: NotEncodable, condition: Flag) -> None:
        self.left_out.setdefault(reason.span, reason.reason)
        self.edges.append(Edge(location.number, ANYTHING, condition, {}, None, {}, {}))

    def _stand(self, location: Location) -> _Stand | NotEncodable | None:
        """What can be decided at a location, on one way; nothing where this way does not stand there."""
        state = self._unknown(location.state)
        self._state = None
        try:
            if location.is_open and location.state.answer is not MISSING and not self._was_offered(location):
                return None
            node = self._run(state)
            if not self._stands(location, node, state):
                return None
            found = list(decisions_at(node))
            if isinstance(node, Open) and len(found) > _MOST_RULINGS:
                return NotEncodable(f"there are {len(found)} rulings on it", node.span or self.machine.span(state))
        except NotEncodable as reason:
            return reason
        return _Stand(self._unknown(location.state) if location.is_open else state, found, self.machine.offers)

    def _was_offered(self, location: Location) -> bool:
        """Whether the decision before an open point can be made on this way; goes on only where it can."""
        state = self._unknown(location.state)
        answer, state.answer = state.answer, MISSING
        there = self.keys.of(self._known(state))
        node = self._run(state)
        if isinstance(node, Open) or self.keys.of(self._known(state)) != there:
            return False
        if all(decision.data != answer for decision in decisions_at(node)):
            return False
        self.forks.assume(self.machine.offers.get(answer, True) if self.machine.offers else True)
        return True

    def _stands(self, location: Location, node: Node, state: State) -> bool:
        if location.is_open:
            return isinstance(node, Open) and self._key(node, location.state) == location.key
        return not isinstance(node, Open) and self._key(node, self._known(state)) == location.key

    def _decide(self, location: Location, stand: _Stand, began: int) -> None:
        """The edges of each decision."""
        for decision in stand.decisions:
            for way, edge in self.forks.ways(lambda d=decision: self._go(location, stand, d), self.budget.ways):  # type: ignore[misc]
                if isinstance(edge, NotEncodable):
                    self._lost(location, edge, way.whole_condition)
                else:
                    self.edges.append(edge)
            if len(self.edges) - began > self.budget.ways:
                raise TooMany

    def _go(self, location: Location, stand: _Stand, decision: Decision) -> Edge | NotEncodable:
        """One way from a decision to the next."""
        try:
            return self._gone(location, stand, decision)
        except NotEncodable as reason:
            return reason

    def _gone(self, location: Location, stand: _Stand, decision: Decision) -> Edge:
        self.forks.assume(stand.offers.get(decision.data, True) if decision.by != "ruling" and stand.offers else True)
        if decision.by == "ruling":
            decision = replace(decision, data=known(decision.data))
        state = stand.state.copy()
        decide(self.machine, state, decision)
        before = self._known(state)
        self._look_anew(state)
        after = self._run(state)
        updates: dict[Term, Either] = {}
        if isinstance(after, Open):
            self.look(state, seen=True)
            after_state = before
        else:
            after_state, updates = self._known(state), self._updates(state)
        target = self._number(self._key(after, after_state), after, after_state)
        return Edge(
            location.number,
            target,
            self.forks.way.whole_condition,
            updates,
            decision,
            dict(self._seen),
            dict(self._passed),
        )

    def _run(self, state: State) -> Node:
        self._asked_at = set()
        self._running = state
        try:
            return self.machine.run(state)
        except GoesRound:
            self._running = None
            self.machine.steps = -_LOOKED_AT
            return self.machine.going_round(state)

    def come_round(self, state: State) -> None:
        """Somebody is to be asked for an action: where that was so before, with the same cells, it will be so again."""
        if state is not self._running:
            return
        cells = state.cells
        assert isinstance(cells, UnknownCells)
        held = tuple(id(h) if isinstance(h := cells.held(address), Sym) else (h,) for address in self._types)
        key = (held, self.keys.of(self._known(state)))
        if key in self._asked_at:
            raise GoesRound
        self._asked_at.add(key)
        self._kept.append(cells.copy())

    def _known(self, state: State) -> State:
        """With the cells that are no variables; the others are as they started."""
        cells = state.cells
        assert isinstance(cells, UnknownCells)
        start = self.space.start.cells
        return known_state(state, [start[a] if a in self._types else cells[a] for a in range(len(cells))])

    # ---- what changes

    def _updates(self, state: State) -> dict[Term, Either]:
        cells = state.cells
        assert isinstance(cells, UnknownCells)
        found: dict[Term, Either] = {}
        for address, first in self._first_cells.items():
            held = cells.held(address)
            if held is not first:
                found |= self._as_variables(address, held)
        return found

    def _as_variables(self, address: int, held: object) -> dict[Term, Either]:
        """The variables of a cell, as what it holds; of none, the number is the least, as probes read it."""
        first = self._first_cells[address]
        type_ = without_none(self._types[address])
        least: Either = False if isinstance(type_, TruthT) else type_bounds(type_, self.plain.world)[0]
        if isinstance(held, Sym):
            payload, none = pick(held.none, least, held.payload), held.none
        elif held is None:
            payload, none = least, True
        else:
            payload, none = code(held, type_, self.plain.world), False
        found: dict[Term, Either] = {}
        if isinstance(first.payload, Term) and payload is not first.payload:
            found[first.payload] = payload
        if isinstance(first.none, Term) and none is not first.none:
            found[first.none] = none
        return found

    # ---- watching

    def _look_anew(self, state: State) -> None:
        self._state = state
        self._seen, self._passed = {}, {}

    def look(self, state: State, seen: bool) -> None:
        if state is not self._state:
            return
        for place, condition in enumerate(self.watched):
            flag = self.reader.now(condition, state)
            if flag is not False:
                self._passed[place] = either(self._passed.get(place, False), flag)
                if seen:
                    self._seen[place] = either(self._seen.get(place, False), flag)


def edges_from(flow: Flow, location: int) -> Iterator[Edge]:
    return (edge for edge in flow.edges if edge.source == location)


__all__ = ["ANYTHING", "Budget", "Edge", "Excluded", "Flow", "Follower", "Location", "Way", "edges_from", "flow_of"]
