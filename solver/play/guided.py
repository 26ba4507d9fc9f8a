"""Searching towards a goal: of all states not yet gone on from, the one that seems nearest is next."""

from __future__ import annotations

from heapq import heappop, heappush

from solver.play.goals import Distance
from solver.play.key import Key
from solver.play.plays import decisions_at
from solver.play.walking import Place, Walker


def search(walker: Walker, name: str, distance: Distance, work: int) -> bool:
    """Whether the goal was reached before so much work was done. Raises `Stopped` where that is asked for."""
    watcher = walker.watcher
    watcher.by = "guided"
    limit = watcher.work + work
    known: set[Key] = set()
    waiting: list[tuple[float, int, int, Place]] = []

    def arrive(place: Place) -> bool:
        key = walker.key_at(place)
        if key in known:
            return False
        known.add(key)
        if name in walker.ask(place) or name in walker.passed:
            return True
        with watcher.looking_away():
            far = distance(walker.machine, place.state, place.node)
        heappush(waiting, (far, place.trail.length, len(known), place))
        return False

    if arrive(walker.start()):
        return True
    while waiting and watcher.work <= limit:
        place = heappop(waiting)[3]
        for decision in decisions_at(place.node):
            if arrive(walker.step(place, decision)):
                return True
    return False
