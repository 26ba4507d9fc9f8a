"""A play made shorter: what can be left out, what else could have come of a roll, where a shorter way leads on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from rules.diagnostics import InternalError
from rules.machine import Chance
from solver.play.key import Key
from solver.play.plays import Decision, Play, decisions_at
from solver.play.walking import Place, Stopped, Walker

_NEAR = 60  # states looked at around each state of a play, to find a shorter way on
_MOST_ADDED = 40  # chances that are filled in where a shorter play meets other ones


class Shortening:
    """`places` are those along the best play so far: the start, then one after each decision, the goal at the last.

    `reached` says of the place that play has just come to whether the goal is reached there, or was on the way.
    """

    def __init__(self, walker: Walker, reached: Callable[[Place], bool], work: int) -> None:
        self.walker = walker
        self._reached = reached
        self._limit = walker.watcher.work + work
        self.places: list[Place] = []

    @property
    def _is_spent(self) -> bool:
        return self.walker.watcher.work > self._limit

    def shortened(self, play: Play) -> Play:
        best = play
        try:
            start = self.walker.start()
            if self._reached(start):
                return replace(play, decisions=())
            if not self._take(0, self._followed(start, play.decisions)):
                raise InternalError("a play does not lead to what was said of it")
            best = self._play()
            self._with_one_chance()
            length = 0
            while len(self.places) != length and not self._is_spent:
                length = len(self.places)
                self._leave_out()
                self._cut_short()
                best = self._play()
        except Stopped:
            pass
        return best if len(best) <= len(play) else play

    def _play(self) -> Play:
        return self.places[-1].trail.play(self.walker.machine)

    def _decisions(self, start: int = 0) -> list[Decision]:
        return [found for place in self.places[start + 1 :] if (found := place.trail.decision) is not None]

    def _take(self, start: int, found: list[Place] | None) -> bool:
        """Goes on from a place of the best play as found, if that is shorter."""
        if found is None or (self.places and start + len(found) >= len(self.places)):
            return False
        self.places[start:] = found
        return True

    def _followed(self, start: Place, wanted: Sequence[Decision]) -> list[Place] | None:
        """The places up to the goal: of the decisions what does not fit is passed over, what chance lacks filled in."""
        found, added, left = [start], 0, deque(wanted)  # at the start the goal was not reached
        while found[-1] is start or not self._reached(found[-1]):
            node = found[-1].node
            offered = {(one.by, one.who, one.text): one for one in decisions_at(node)}
            while left and (left[0].by, left[0].who, left[0].text) not in offered:
                if isinstance(node, Chance) and left[0].by != "chance":
                    break
                left.popleft()
            first = left[0] if left else None
            if first is not None and (first.by, first.who, first.text) in offered:
                decision = offered[first.by, first.who, first.text]
                left.popleft()
            elif isinstance(node, Chance) and added < _MOST_ADDED:
                decision, added = next(iter(offered.values())), added + 1
            else:
                return None
            found.append(self.walker.step(found[-1], decision))
        return found

    # ---- three ways to get shorter

    def _with_one_chance(self) -> None:
        """Lets the same come out of every roll."""
        rolls = [
            after.trail.decision
            for place, after in pairwise(self.places)
            if isinstance(place.node, Chance) and not place.node.shuffles
        ]
        for text in sorted({roll.text for roll in rolls if roll is not None}):
            if self._is_spent:
                return
            wanted = [replace(one, text=text) if one in rolls else one for one in self._decisions()]
            self._take(0, self._followed(self.places[0], wanted))

    def _leave_out(self) -> None:
        """Leaves out stretches of decisions, long ones first, while the rest still leads to the goal."""
        size = len(self.places) // 2
        while size and not self._is_spent:
            start = 0
            while start < len(self.places) - 1 and not self._is_spent:
                rest = self._decisions(min(start + size, len(self.places) - 1))
                if not self._take(start, self._followed(self.places[start], rest)):
                    start += size
            size //= 2

    def _cut_short(self) -> None:
        """Goes along the play; where a shorter way leads to one of its later states, or to the goal, that is taken."""
        at = 0
        while at < len(self.places) - 1 and not self._is_spent:
            keys = {self.walker.key_at(place): number for number, place in enumerate(self.places)}
            found = self._shortcut(at, keys)
            if found is None:
                at += 1
                continue
            way, number = found
            rest = self._decisions(number) if number is not None else []
            if not self._take(at, self._followed(self.places[at], [*way, *rest])):
                at += 1

    def _shortcut(self, at: int, keys: dict[Key, int]) -> tuple[tuple[Decision, ...], int | None] | None:
        """A way from one state of the play to a later one, or to the goal (None), that saves decisions."""
        start = self.places[at]
        here = self.walker.key_at(start)
        if keys[here] > at:
            return (), keys[here]
        known = {here}
        waiting: deque[tuple[Place, tuple[Decision, ...]]] = deque([(start, ())])
        while waiting and len(known) < _NEAR:
            place, way = waiting.popleft()
            for decision in decisions_at(place.node):
                came = self.walker.step(place, decision)
                longer = (*way, decision)
                if at + len(longer) < len(self.places) - 1 and self._reached(came):
                    return longer, None
                key = self.walker.key_at(came)
                if keys.get(key, -1) > at + len(longer):
                    return longer, keys[key]
                if key not in known:
                    known.add(key)
                    waiting.append((came, longer))
        return None
