"""One exploration of a book serves all its checks: what play was seen to do, and whether it was seen to do everything.

A portfolio, cheapest first: every state, the nearest first, while that stays within the budget; then random plays; then
plays that lean towards rules that were not seen to apply; then, for goals that are still open and say how far a state
is from them, a search towards them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from rules.machine import Machine
from rules.machine.state import State
from solver.play.exhaustive import STOPPED, Explored, explore_all
from solver.play.facts import Evidence, Fact, FactKind
from solver.play.goals import Goal, Holds, as_goals, holds
from solver.play.graph import Graph
from solver.play.guided import search
from solver.play.key import Keys
from solver.play.leaning import lean
from solver.play.plays import Trail
from solver.play.situations import Situations
from solver.play.slicing import Slice, changing_cells, slice_of
from solver.play.walking import Stopped, Walker
from solver.play.wandering import Wandering

_SHARE_OF_ALL = 0.6  # of the work, for seeing every state
_SHARE_OF_RANDOM = 0.15  # for random plays that lean towards nothing


@dataclass(frozen=True, slots=True)
class Budget:
    """How much is tried, the same on every machine.

    `work` counts what the rules do: runs, statements, events, moves that are judged. Most of it goes into seeing every
    state while that seems possible, the rest into random plays, also such that lean towards what has not come about;
    `guided` is for each goal that is searched towards.
    `edges` is how many steps between states are kept as a graph.
    """

    work: int = 400_000
    guided: int = 50_000
    states: int = 100_000
    plays: int = 500
    edges: int = 300_000


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `most` states or plays."""

    stage: str
    done: int
    most: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """`complete` is true where every state that play can reach was seen: what is not among the facts, and what goals
    were not reached, is then proved to be out of reach. Otherwise `left_out` says what was not tried.

    `states` were told apart, `transitions` carried out, `plays` played at random. `dropped` names the slots in which
    states may differ and count as one. Goals in `unanswered` asked for what the rules leave open, there. `situations`
    are what play passed through, `sought` are the goals that were searched for, in their lasting words.
    """

    machine: Machine = field(repr=False)
    complete: bool
    left_out: tuple[str, ...]
    states: int
    transitions: int
    work: int
    plays: int
    facts: Mapping[Fact, Evidence] = field(repr=False)
    reached: Mapping[str, Evidence] = field(repr=False)
    unanswered: Mapping[str, Evidence] = field(repr=False)
    dropped: tuple[str, ...] = ()
    graph: Graph | None = field(default=None, repr=False)
    situations: Situations | None = field(default=None, repr=False)
    sought: tuple[str, ...] = ()

    def of_kind(self, kind: FactKind) -> dict[Fact, Evidence]:
        return {fact: evidence for fact, evidence in self.facts.items() if fact.kind == kind}


def explore(
    machine: Machine,
    goals: Mapping[str, Goal | Holds] | None = None,
    budget: Budget | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Exploration:
    """All that play shows within the budget. `stop` is asked now and then; what is known by then is given."""
    wanted = as_goals(goals or {})
    limits = budget if budget is not None else Budget()
    situations = Situations(machine)
    walker = walker_of(machine, wanted, stop, situations)
    walker.goals = {name: goal for name, goal in wanted.items() if goal.of_situations is None}
    wandering = Wandering(walker)
    sought: list[str] = []

    def told(stage: str, most: int) -> Callable[[int], None] | None:
        return None if progress is None else lambda done: progress(Progress(stage, done, most))

    with walker.watcher.watching():
        work = int(limits.work * _SHARE_OF_ALL)
        explored = explore_all(walker, limits.states, work, limits.edges, told("states", limits.states))
        if not explored.complete:
            try:
                wandering.run(limits.plays, int(limits.work * _SHARE_OF_RANDOM), told("plays", limits.plays))
                lean(walker, wandering, _not_passed(walker, wanted), limits.work - walker.watcher.work)
                _search_open_goals(walker, wanted, limits, sought)
            except Stopped:
                explored.left_out.setdefault(STOPPED)
    answer_goals(walker.reached, walker.unanswered, situations, wanted)
    return _made(walker, explored, wandering.plays, situations, sought)


def walker_of(
    machine: Machine,
    goals: Mapping[str, Goal],
    stop: Callable[[], bool] | None = None,
    situations: Situations | None = None,
) -> Walker:
    """Cells that nothing reads are left out where all goals say what they read."""
    found, keys = keys_for(machine, goals)
    return Walker(machine, goals, keys, found.dropped, stop, situations=situations)


def keys_for(machine: Machine, goals: Mapping[str, Goal]) -> tuple[Slice, Keys]:
    reads = [goal.reads for goal in goals.values()]
    if None in reads:
        kept = changing_cells(machine)
        return Slice(kept, ()), Keys(machine, kept)
    asks = tuple(expr for read in reads if read is not None for expr in read)
    found = slice_of(machine, asks)
    return found, Keys(machine, found.kept, asks)


def _search_open_goals(walker: Walker, goals: Mapping[str, Goal], budget: Budget, sought: list[str]) -> None:
    """What play has passed without being asked for it is not searched for."""
    walked = walker.goals
    for name, goal in goals.items():
        if goal.distance is not None and _not_passed(walker, {name: goal}):
            sought.append(goal.lasting)
            walker.goals = {**walked, name: goal}
            search(walker, name, goal.distance, budget.guided)
            walker.goals = walked


def _not_passed(walker: Walker, goals: Mapping[str, Goal]) -> dict[str, Goal]:
    """The goals that no play has met yet, whether or not it was asked for them on the way."""
    assert walker.situations is not None
    found: dict[str, Evidence] = {}
    answer_goals(found, {}, walker.situations, goals)
    return {name: goal for name, goal in goals.items() if name not in walker.reached and name not in found}


def answer_goals(
    reached: dict[str, Evidence], unanswered: dict[str, Evidence], situations: Situations, goals: Mapping[str, Goal]
) -> None:
    """Asks goals of the situations that play passed; the nearest are the evidence."""
    for name, goal in goals.items():
        if goal.of_situations is None:
            continue
        for situation, (trail, by, _) in situations.seen_by(goal.of_situations):
            answer = holds(goal, situations.machine, situations.state_of(situation), None)
            into = {True: reached, None: unanswered}.get(answer)
            if into is not None and name not in into:
                later = partial(passing, situations.machine, goal, trail)
                into[name] = Evidence(situations.machine, trail, later, by)
            if name in reached:
                break


def passing(machine: Machine, goal: Goal, trail: Trail) -> State:
    """The state in which a goal is first met after the last decision of a play, or first asks for what is left open."""
    walker = walker_of(machine, {"": goal})
    with walker.watcher.watching():
        place = walker.start()
        for decision in trail.play(machine).decisions:
            walker.reached.clear()
            walker.unanswered.clear()
            place = walker.step(place, decision)
        walker.ask(place)
    return (walker.reached or walker.unanswered)[""].state


def _made(walker: Walker, explored: Explored, plays: int, situations: Situations, sought: Sequence[str]) -> Exploration:
    return Exploration(
        walker.machine,
        explored.complete,
        tuple(explored.left_out),
        explored.states,
        walker.transitions,
        walker.watcher.work,
        plays,
        walker.watcher.facts(),
        walker.reached,
        walker.unanswered,
        walker.dropped,
        explored.graph,
        situations,
        tuple(sought),
    )
