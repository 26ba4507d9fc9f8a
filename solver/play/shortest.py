"""The shortest play to a goal: exact where every state nearer than it was seen, else a long play made shorter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.machine import Machine
from solver.play.exhaustive import explore_all
from solver.play.explore import Budget, walker_of
from solver.play.facts import Evidence, Fact
from solver.play.goals import Goal, Holds, as_goals
from solver.play.guided import search
from solver.play.key import Keys
from solver.play.plays import Play, replay
from solver.play.shortening import Shortening
from solver.play.slicing import slice_of
from solver.play.walking import Place, Stopped, Walker
from solver.play.wandering import Wandering
from solver.play.watcher import Lookout

_GOAL = "the goal"
_PLAYS = 8  # plays to the goal of which the shortest is made shorter


@dataclass(frozen=True, slots=True)
class Shortest:
    """`exact` is true where no play with fewer decisions reaches the goal."""

    play: Play
    exact: bool


def shortest(
    machine: Machine,
    goal: Goal | Holds,
    budget: Budget | None = None,
    stop: Callable[[], bool] | None = None,
) -> Shortest | None:
    """None where no play to the goal was found within the budget."""
    limits = budget if budget is not None else Budget()
    wanted = as_goals({_GOAL: goal})
    walker = walker_of(machine, wanted, stop)
    with walker.watcher.watching():
        try:
            left_out = explore_all(walker, limits.states, limits.work // 2, until=_GOAL).left_out
            if _GOAL not in walker.reached:
                _find(walker, wanted[_GOAL], limits)
        except Stopped:
            left_out = {"": None}
        if _GOAL not in walker.reached:
            return None
        play = walker.reached[_GOAL].play
        exact = walker.reached[_GOAL].by == "exhaustive" and not left_out
        if not exact:
            play = Shortening(walker, _reaches(walker), limits.work // 4).shortened(play)
    replay(machine, play)
    return Shortest(play, exact)


def _find(walker: Walker, goal: Goal, budget: Budget) -> None:
    if goal.distance is not None and search(walker, _GOAL, goal.distance, budget.guided):
        return
    walker.watcher.by = "random"
    wandering = Wandering(walker)
    limit = walker.watcher.work + budget.work // 2
    reaching = 0
    for _ in range(budget.plays):
        reaching += wandering.play(limit, until=_GOAL)
        if reaching >= _PLAYS or walker.watcher.work > limit:
            return


def shortened(machine: Machine, goal: Goal | Holds, play: Play, work: int = 100_000) -> Play:
    """A play to the same goal with no more decisions, by trying what can be left out; the same every time."""
    walker = walker_of(machine, as_goals({_GOAL: goal}))
    with walker.watcher.watching():
        found = Shortening(walker, _reaches(walker), work).shortened(play)
    replay(machine, found)
    return found


def _reaches(walker: Walker) -> Callable[[Place], bool]:
    return lambda place: _GOAL in walker.passed or _GOAL in walker.ask(place)


def witness(machine: Machine, fact: Fact, evidence: Evidence, work: int = 60_000) -> Play:
    """A play in which a fact comes about after the last decision: the one that was found, made shorter, and replayed.

    Raises `InternalError` where it does not come about again.
    """
    keys = Keys(machine, slice_of(machine).kept, ())
    walker = Walker(machine, {}, keys, lookout=fact)
    lookout = walker.watcher
    assert isinstance(lookout, Lookout)
    with lookout.watching():
        play = Shortening(walker, lambda _: lookout.met, work).shortened(evidence.play)
    replay(machine, play)
    return play
