"""Whether a condition can ever hold: proved by bounds, by induction or by an invariant, or refuted by a play.

A portfolio, cheapest first. Every play is replayed in the interpreter, and the condition asked of it there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from rules.diagnostics import InternalError
from rules.machine import Machine, Node
from rules.machine.observer import Observer
from rules.machine.state import State
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.flow.bounds import Bounds, Range, bounds_of, changes_of, parts
from solver.flow.flow import ANYTHING, Budget, Edge, Flow, flow_of
from solver.flow.sums import ConservedSum, conserved_sums
from solver.flow.system import System, broken_by, system_of
from solver.memory import Memory, Recalling
from solver.play.plays import Decision, Play, decide, decisions_at, replay
from solver.solve import Solver
from solver.terms import Flag, Term, at_most, bounds, evaluate, no, substitute, variables_of
from solver.unroll import Unroller
from solver.verdict import Proved, Reached, Unknown, Ways

_DEEPEST = 4  # of induction
_LONGEST = 12  # decisions of a play that is looked for
_MOST_EDGES = 1_500  # in one step relation
_BUDGET = 4_000_000  # for one call of Z3
_SPACER = 1_000_000
_MOST_PARTS = 600  # of a condition, by edges
_MOST_CHANGES = 600  # of sums by edges that are looked at one by one


@dataclass(frozen=True, slots=True)
class Never:
    """It never holds. `by` says how that was shown, `kept` which variables it hangs on."""

    by: str
    kept: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Comes:
    """It comes to hold after the last decision of a play; `state` is as it is then."""

    play: Play
    state: State


Verdict = Never | Comes | Unknown


class Prover:
    """Proofs about one flow; what is watched is asked for by its place."""

    def __init__(
        self, encoder: Encoder, watched: Sequence[Flag], budget: Budget | None = None, memory: Memory | None = None
    ) -> None:
        self.space: Space = encoder.space
        self.machine: Machine = encoder.machine
        self.flow: Flow = flow_of(encoder, watched, budget)
        self.bounds: Bounds = bounds_of(self.flow)
        self.solver = Solver(memory=memory)
        self._recalling = None if memory is None else Recalling(memory, f"{_BUDGET} {_SPACER} {_DEEPEST} {_LONGEST}")
        closed = self.flow.complete and not any(edge.target == ANYTHING for edge in self.bounds.edges)
        self.closed = closed
        self.sums: tuple[ConservedSum, ...] = conserved_sums(self.flow, self.bounds.edges) if closed else ()
        self._facts = [fact for _, fact in self.space.facts(self.flow.variables)]
        self._facts += [one.flag for one in self.sums]
        self._proved: list[int] = []
        self._narrowed = False

    def never(self, place: int, thorough: bool = True) -> Verdict:
        """Without being `thorough` only what is cheap is tried: bounds, and induction edge by edge."""
        if not self.flow.complete:
            found = self._sought(place) if thorough else None
            return found if isinstance(found, Comes) else Unknown(_why(self.flow))
        shown = self._cheap.get(place)
        if shown is None and not thorough:
            return Unknown("bounds and induction do not exclude it")
        shown = shown or self._by_parts(place) or self._by_steps(place)
        if shown is not None:
            return shown
        found = self._sought(place)
        return found if isinstance(found, Comes) else self._by_invariant(place) or found

    @cached_property
    def _cheap(self) -> dict[int, Never]:
        """What bounds and induction prove of all that is watched; what is proved helps to prove the rest."""
        found: dict[int, Never] = {}
        while True:
            before = len(found)
            for place in range(len(self.flow.watched)):
                shown = None if place in found else self._by_bounds(place) or self._by_induction(place)
                if shown is not None:
                    found[place] = shown
                    self._proved.append(place)
            if len(found) == len(self.flow.watched) or (len(found) == before and not self._narrow()):
                return found

    def _narrow(self) -> bool:
        """Narrower bounds of sums, once: what was proved can say what an edge adds to them."""
        changes = {} if self._narrowed else changes_of(self.flow)
        self._narrowed = True
        if not self._proved or not changes or len(changes) > _MOST_CHANGES:
            return False
        ranges = {key: self._range(key[0], change) for key, change in changes.items()}
        if not any(range_ != bounds(changes[key]) for key, range_ in ranges.items()):
            return False
        self.bounds = bounds_of(self.flow, ranges)
        return True

    def _range(self, edge: Edge, change: Term) -> Range:
        """What a term can be where an edge is taken."""
        low, high = bounds(change)
        while low < high and not self._possible(edge.source, [edge.guard, at_most(change, low)]):
            low += 1
        while low < high and not self._possible(edge.source, [edge.guard, at_most(high, change)]):
            high -= 1
        return low, high

    def _lemmas(self, location: int) -> list[Flag]:
        """What was proved, at a location."""
        return [no(self.flow.holding[location][place]) for place in self._proved]

    # ---- edge by edge

    def _by_bounds(self, place: int) -> Never | None:
        """It holds nowhere within the bounds of a location, and on no edge from there."""
        if self._at_first(place):
            return None
        for location in self.bounds.boxes:
            holding = self.flow.holding[location][place]
            if holding is not False and self._possible(location, [holding]):
                return None
        for edge in self.bounds.edges:
            passed = True if edge.target == ANYTHING else edge.passed.get(place, False)
            if passed is not False and self._possible(edge.source, [edge.guard, passed]):
                return None
        return Never("bounds", self._read(place))

    def _by_induction(self, place: int) -> Never | None:
        """It does not hold at first, and no edge brings it about from where it does not hold."""
        if self._at_first(place):
            return None
        for edge in self.bounds.edges:
            broken = broken_by(self.flow, edge, place)
            before = no(self.flow.holding[edge.source][place])
            if broken is not False and self._possible(edge.source, [edge.guard, broken, before]):
                return None
        return Never("induction", self._read(place))

    def _by_parts(self, place: int) -> Never | None:
        """A condition of several parts that must hold together, where at each location some of them never hold.

        At first no part is taken to hold anywhere; what an edge brings about is given up, until nothing more is. What
        is left excludes each other's parts, and so it is true of every play.
        """
        parts_ = self._parts(place)
        if len(parts_) < 2 or len(self.bounds.edges) * len(parts_) > _MOST_PARTS or self._at_first(place):
            return None
        never = {location: dict.fromkeys(parts_) for location in self.bounds.boxes}
        for part in parts_:
            if substitute(part, dict(self.flow.start)) is not False:
                del never[self.flow.first][part]
        after: dict[int, list[Edge]] = {}
        for edge in self.bounds.edges:
            after.setdefault(edge.source, []).append(edge)
        waiting = dict.fromkeys(after)
        while waiting:
            source = next(iter(waiting))
            del waiting[source]
            excluded = [no(part) for part in never[source]]
            for edge in after[source]:
                if edge.target == ANYTHING:
                    return None
                gained = [part for part in never[edge.target] if self._brings(edge, part, excluded)]
                for part in gained:
                    del never[edge.target][part]
                if gained and edge.target in after:
                    waiting[edge.target] = None
        for edge in self.bounds.edges:
            broken = broken_by(self.flow, edge, place)
            excluded = [no(part) for part in never[edge.source]]
            if broken is not False and self._possible(edge.source, [edge.guard, broken, *excluded]):
                return None
        return Never("induction over its parts", self._read(place))

    def _parts(self, place: int) -> list[Term]:
        """The parts of a watched condition that hang on the variables alone."""
        known = self.flow.start.keys()
        found = dict.fromkeys(
            part for location in self.bounds.boxes for part in parts(self.flow.holding[location][place])
        )
        return [part for part in found if set(variables_of(part)) <= known]

    def _brings(self, edge: Edge, part: Term, excluded: list[Flag]) -> bool:
        """Whether an edge can lead to where a part holds."""
        new = substitute(part, dict(edge.updates))
        return new is not False and self._possible(edge.source, [edge.guard, new, *excluded])

    def _read(self, place: int) -> tuple[Term, ...]:
        return variables_of(*(row[place] for row in self.flow.holding))

    def _at_first(self, place: int) -> bool:
        flow = self.flow
        return place in flow.begun or substitute(flow.holding[flow.first][place], dict(flow.start)) is not False

    def _possible(self, location: int, terms: list[Flag]) -> bool:
        relevant = self._relevant(set(variables_of(*terms)))
        known = [*self.bounds.at(location, self.flow.variables), *relevant, *self._lemmas(location)]
        return self.solver.possible(*terms, *known) is not False

    def _relevant(self, read: set[Term]) -> list[Flag]:
        return [fact for fact in self._facts if isinstance(fact, Term) and not read.isdisjoint(variables_of(fact))]

    # ---- steps laid end to end

    def _by_steps(self, place: int) -> Never | None:
        """Induction over several steps: first over the variables that the condition is made of, then over all."""
        for guards in (False, True):
            system = self._system(place, guards)
            if system is None:
                return None
            found = self._way("induction", system, partial(_induction, system))
            if isinstance(found, Proved):
                return Never("k-induction", system.kept)
            if system.exact:
                return None
        return None

    def _by_invariant(self, place: int) -> Never | None:
        for guards in (False, True):
            system = self._system(place, guards)
            if system is None:
                return None
            found = self._way("invariant", system, partial(_invariant, system))
            if isinstance(found, Proved):
                return Never("Spacer", system.kept)
            if system.exact:
                return None
        return None

    def _system(self, place: int, guards: bool) -> System | None:
        if len(self.bounds.edges) > _MOST_EDGES:
            return None
        return system_of(self.flow, self.bounds, place, self._facts, guards=guards, lemmas=self._lemmas)

    def _way(self, sort: str, system: System, ask: Callable[[], Ways]) -> Ways:
        """Asked of the system itself: its step, where it begins, what is looked for, whose twin each variable is."""
        if self._recalling is None:
            return ask()
        twins = [one for pair in system.twins.items() for one in pair]
        return self._recalling.way(sort, [system.step, system.initial, system.broken, *twins], ask)

    # ---- a play

    def _sought(self, place: int) -> Comes | Unknown:
        """A play by which the condition comes to hold."""
        if len(self.bounds.edges) > _MOST_EDGES:
            return Unknown(f"there are more than {_MOST_EDGES:,} steps between decisions")
        system = system_of(self.flow, self.bounds, place, self._facts, guards=True, lemmas=self._lemmas, anything=False)
        found = self._way("play", system, partial(_way_to, system))
        if not isinstance(found, Reached):
            return Unknown(_why(self.flow) if not self.closed else self._open(found))
        edges = [_edge(system, values) for values in found.trace[:-1]]
        free = {variable: value for variable, value in found.trace[0].items() if variable not in self.flow.start}
        return self._played(place, edges, free)

    def _played(self, place: int, edges: list[Edge], free: dict[Term, bool | int]) -> Comes:
        state = self.machine.start()
        before = state.copy()
        lookout = _Lookout(self.space, self.flow.watched[place], free)
        node = lookout.run(self.machine, state)
        made: list[Decision] = []
        for edge in edges:
            decision = _same(node, edge.decision)
            made.append(decision)
            state = (before if decision.by == "ruling" else state).copy()
            decide(self.machine, state, decision)
            before = state.copy()
            lookout.met = None
            node = lookout.run(self.machine, state)
        play = Play(self.machine.world.seats, tuple(made))
        replay(self.machine, play)
        if lookout.met is None:
            raise InternalError("a play that was found does not come to what it was found for")
        return Comes(play, lookout.met)

    def _open(self, found: Proved | Unknown) -> str:
        excluded = f"induction over {_DEEPEST} decisions does not exclude it"
        if isinstance(found, Unknown) and "depth" not in found.reason:
            return f"{excluded}, and a play was not found: {found.reason}"
        return f"{excluded}, and no play of {_LONGEST} decisions comes to it"


def _why(flow: Flow) -> str:
    reasons = tuple(dict.fromkeys(flow.left_out.values()))
    if reasons:
        return f"the rules could not be followed everywhere: {'; '.join(reasons[:3])}"
    return f"the rules were followed to {len(flow.locations):,} places and by {len(flow.edges):,} steps, not to the end"


def _induction(system: System) -> Ways:
    return _unroller(system).k_induction(system.initial, no(system.broken), _DEEPEST)


def _invariant(system: System) -> Ways:
    return _unroller(system).spacer(system.initial, no(system.broken), _SPACER)


def _way_to(system: System) -> Ways:
    return _unroller(system).bmc(system.initial, system.broken, _LONGEST)


def _unroller(system: System) -> Unroller:
    return Unroller(system.step, system.twins, _BUDGET)


def _edge(system: System, values: object) -> Edge:
    assert isinstance(values, dict)
    return system.edges[int(values[system.chosen]) if system.chosen is not None else 0]


def _same(node: Node, wanted: Decision | None) -> Decision:
    assert wanted is not None
    for offered in decisions_at(node):
        if offered.by == wanted.by and (
            offered.text == wanted.text if wanted.by == "ruling" else offered.data == wanted.data
        ):
            return offered
    raise InternalError(f"`{wanted.text}` of a play that was found does not fit")


class _Lookout(Observer):
    """Looks for a condition in the states of play."""

    def __init__(self, space: Space, condition: Flag, free: dict[Term, bool | int]) -> None:
        self.space = space
        self.condition = condition
        self.free = free
        self.met: State | None = None
        self._state: State | None = None

    def run(self, machine: Machine, state: State) -> Node:
        self._state = state
        machine.observer = self
        try:
            node = machine.run(state)
        finally:
            machine.observer = None
        self._look(state)
        return node

    def _look(self, state: State) -> None:
        if state is not self._state or self.met is not None:
            return
        observer, self.space.machine.observer = self.space.machine.observer, None
        values = {**self.space.values_in(state, [self.condition]), **self.free}
        self.space.machine.observer = observer
        if evaluate(self.condition, values):
            self.met = state.copy()

    def asks(self, state: State) -> None:
        self._look(state)

    def happened(self, _happenings: object, state: State) -> None:
        self._look(state)

    def changed(self, state: State) -> None:
        self._look(state)


def prove_never(encoder: Encoder, condition: Flag, budget: Budget | None = None) -> Verdict:
    """Whether a condition never holds in play: where something must be decided, after each event, and where somebody
    is to be asked for an action."""
    return Prover(encoder, (condition,), budget).never(0)
