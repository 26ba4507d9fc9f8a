"""Going from decision to decision, watched: the step that all ways of exploring share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rules import model as m
from rules.machine import Machine, Node, Open
from rules.machine.state import State
from solver.play.facts import Evidence, Fact
from solver.play.goals import Goal, holds
from solver.play.key import Key, Keys
from solver.play.packing import Packing
from solver.play.plays import Decision, Trail, decide
from solver.play.situations import Situations
from solver.play.watcher import GoesRound, Lookout, Seen, Watcher, options_at

ROUND_WORK = 500  # what it costs to find out that rules go round


class Stopped(Exception):  # noqa: N818
    """Whoever asked does not want to wait any longer."""


@dataclass(slots=True)
class Place:
    """Where play stands. `before` is the state from before an open point: a ruling is put in there.

    `orders` is in how many orders things were put at random since somebody last chose.
    """

    state: State
    node: Node
    trail: Trail
    before: State | None = None
    orders: int = 1


class Walker:
    """One machine, watched, with the goals that are asked on the way; with a `lookout` only for one fact.

    `reached` has the shortest evidence for each goal; `unanswered` where the rules left open what one asks.
    """

    def __init__(
        self,
        machine: Machine,
        goals: Mapping[str, Goal],
        keys: Keys,
        dropped: tuple[str, ...] = (),
        stop: Callable[[], bool] | None = None,
        lookout: Fact | None = None,
        situations: Situations | None = None,
    ) -> None:
        self.machine = machine
        self.situations = situations
        self.keys = keys
        self.dropped = dropped
        self.packing = Packing(machine)
        self.reached: dict[str, Evidence] = {}
        self.unanswered: dict[str, Evidence] = {}
        self.passed: set[str] = set()  # the goals at every step that held since the last decision
        self.transitions = 0
        self._stop = stop
        self._taken: tuple[m.Option, State] | None = None  # the option that the decision is, and where it was offered
        self._between: list[tuple[str, Goal]] = []
        self.goals = goals
        self.watcher = (
            Watcher(machine, self.packing, self._at_step, situations)
            if lookout is None
            else Lookout(machine, self.packing, lookout)
        )
        self.watcher.keys = keys

    @property
    def goals(self) -> Mapping[str, Goal]:
        """What is asked on the way."""
        return self._goals

    @goals.setter
    def goals(self, goals: Mapping[str, Goal]) -> None:
        self._goals = goals
        self._between = [(name, goal) for name, goal in goals.items() if goal.at == "every step"]

    # ---- going

    def start(self) -> Place:
        return self._run(self.machine.start, Trail())

    def follow(self, place: Place, decision: Decision) -> Place | Key:
        """Where a decision leads; the key of a known state if it leads there, and known states are of interest."""

        def decided() -> State:
            source = place.before if decision.by == "ruling" else place.state
            assert source is not None
            state = source.copy()
            decide(self.machine, state, decision)
            return state

        trail = Trail(place.trail, decision)
        if isinstance(decision.data, int) and decision.by != "ruling":
            option = options_at(self.machine, place.state, place.node).get(decision.data)
            if option is not None:
                self._taken = (option, place.state)
        try:
            return self._run(decided, trail)
        except Seen as seen:
            return seen.key

    def step(self, place: Place, decision: Decision) -> Place:
        """Where a decision leads, while known states are of no interest."""
        came = self.follow(place, decision)
        assert isinstance(came, Place)
        return came

    def _run(self, make: Callable[[], State], trail: Trail) -> Place:
        if self._stop is not None and self.transitions % 32 == 0 and self._stop():
            raise Stopped
        self.transitions += 1
        self.passed.clear()
        state = make()
        self.watcher.begin(state, trail)
        if self._taken is not None:
            self.watcher.note("option taken", self._taken[0].span, self._taken[1])
            self._taken = None
        try:
            node = self.machine.run(state)
        except GoesRound:
            with self.watcher.looking_away():
                node = self.machine.going_round(state)
        if isinstance(node, Open) and node.kind == "stuck":
            self.watcher.work += ROUND_WORK
        self.watcher.arrive(state, node)
        self._pass(state)
        return Place(state, node, trail, make() if isinstance(node, Open) else None)

    def key_at(self, place: Place) -> Key:
        if isinstance(place.node, Open):
            assert place.before is not None
            return ("open", place.node.text, self.keys.of(place.before))
        return self.keys.of(place.state)

    def _pass(self, state: State) -> None:
        if self.situations is not None and self.situations.note(state, self.watcher.trail, self.watcher.by):
            self.watcher.work += 1  # goals are asked of it afterwards

    # ---- goals

    def ask(self, place: Place) -> list[str]:
        """The goals that hold where something must be decided."""
        found: list[str] = []
        if self.goals:
            with self.watcher.looking_away():
                for name, goal in self.goals.items():
                    if self._asked(name, goal, place.state, place.node):
                        found.append(name)
        return found

    def _at_step(self, state: State) -> None:
        self._pass(state)
        if not self._between:
            return
        with self.watcher.looking_away():
            for name, goal in self._between:
                if name not in self.passed and self._asked(name, goal, state, None):
                    self.passed.add(name)

    def _asked(self, name: str, goal: Goal, state: State, node: Node | None) -> bool:
        self.watcher.work += 1
        answer = holds(goal, self.machine, state, node)
        if answer is False:
            return False
        into = self.unanswered if answer is None else self.reached
        trail = self.watcher.trail
        if name not in into or trail.length < into[name].length:
            into[name] = Evidence(self.machine, trail, self.packing.pack(state), self.watcher.by)
        return answer is True
