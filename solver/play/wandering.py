"""Random plays with fixed seeds. Every other one prefers, wherever it stands, what was done there least often."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

from rules.machine import Chance, Node, Over
from rules.machine.state import State
from solver.play.plays import Decision, decisions_at
from solver.play.walking import Place, Walker
from solver.play.watcher import is_action

_Item = TypeVar("_Item")
LONGEST = 1_500  # decisions of one play
NOVEL = 200  # of these, how many can be guided: who always does what is rare need not come to an end
PATIENCE = 100  # plays without anything new
STOPPING, STRAYING = 1 / 8, 1 / 100  # how much is done that does not lead where a play leans to, beside what does


class Wandering:
    """Counts what was decided where: a place in the rules, whatever the cells hold, and a sort of decision."""

    def __init__(self, walker: Walker, seed: int = 0) -> None:
        self.walker = walker
        self.plays = 0
        self._seed = seed
        self._taken: Counter[tuple[Hashable, ...]] = Counter()

    def run(self, plays: int, work: int, progress: Callable[[int], None] | None = None) -> None:
        """So many plays, or fewer where so much work is done before or the last ones have shown nothing new.

        Raises `Stopped` where that is asked for.
        """
        watcher = self.walker.watcher
        watcher.by = "random"
        limit = watcher.work + work
        news, quiet = self._news(), 0
        for _ in range(plays):
            if watcher.work > limit or quiet > PATIENCE:
                return
            self.play(limit)
            before, news = news, self._news()
            quiet = quiet + 1 if news == before else 0
            if progress is not None:
                progress(self.plays)

    def _news(self) -> int:
        return self.walker.watcher.count + len(self.walker.reached)

    def play(self, limit: int, until: str | None = None, levels: Mapping[str, int] | None = None) -> bool:
        """One play to its end, to a goal, or until so much work is done in all; whether the goal was reached.

        With `levels` actions are preferred, the more the lower theirs is, and to stop is better than any other.
        """
        draw = random.Random(self._seed + self.plays)
        novel = NOVEL if self.plays % 2 == 0 else 0
        self.plays += 1
        place = self.walker.start()
        for number in range(LONGEST):
            if until in self.walker.ask(place) or until in self.walker.passed:
                return True
            offered = list(decisions_at(place.node))
            if not offered or self.walker.watcher.work > limit:
                break
            if levels is not None and any(is_action(one.data) for one in offered):
                decision = _leant(offered, levels, draw)
            else:
                decision = self._pick(place, offered, draw, number < novel)
            place = self.walker.step(place, decision)
        return False

    def _pick(self, place: Place, offered: list[Decision], draw: random.Random, novel: bool) -> Decision:
        if isinstance(place.node, Chance) and place.node.shuffles:
            return _drawn(offered, draw)
        where = location_of(place.state, place.node)
        if novel:
            sorts = {sort_of(one): None for one in offered}
            rarest = min(self._taken[where, sort] for sort in sorts)
            sort = _drawn([one for one in sorts if self._taken[where, one] == rarest], draw)
            some = [one for one in offered if sort_of(one) == sort]
            least = min(self._taken[where, one.text] for one in some)
            decision = _drawn([one for one in some if self._taken[where, one.text] == least], draw)
        else:
            decision = _drawn(offered, draw)
        self._taken[where, sort_of(decision)] += 1
        if sort_of(decision) != decision.text:
            self._taken[where, decision.text] += 1
        return decision


def _drawn(items: list[_Item], draw: random.Random) -> _Item:
    return items[int(draw.random() * len(items))]


def _leant(offered: list[Decision], levels: Mapping[str, int], draw: random.Random) -> Decision:
    ways = Counter(sort_of(one) for one in offered)

    def weight(one: Decision) -> float:
        if not is_action(one.data):
            return STOPPING
        return (0.5 ** levels[sort_of(one)] if sort_of(one) in levels else STRAYING) / ways[sort_of(one)]

    return draw.choices(offered, [weight(one) for one in offered])[0]


def sort_of(decision: Decision) -> str:
    """An action without its parts; of other decisions, all that is said."""
    return decision.data[0] if decision.by == "choice" and is_action(decision.data) else decision.text


def location_of(state: State, node: Node) -> Hashable:
    """Where in the rules play stands, whatever the cells hold."""
    if isinstance(node, Over):
        return ()
    return tuple(
        (frame.kind, id(frame.block[0]) if frame.block else 0, frame.pc, frame.stage, frame.moment)
        for frame in state.stack
    )
