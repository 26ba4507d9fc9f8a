"""Whether every fair play comes to a goal: play in which everything that can be decided again and again is decided so
sooner or later.

It does if and only if from every state that can be reached without the goal, the goal can still be reached.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass

from rules.machine import Machine, Over
from solver.play.explore import walker_of
from solver.play.goals import Goal
from solver.play.key import Key
from solver.play.plays import Play, Trail, decisions_at, replay
from solver.play.walking import Place

_GOAL = "the goal"
_LONGEST = 2_000  # decisions of a game at random


@dataclass(frozen=True, slots=True)
class Misses:
    """After this play the goal is out of reach, and was not reached on the way."""

    play: Play


def ends_without(machine: Machine, goal: Goal, plays: int, work: int) -> Misses | None:
    """A random game that is over and never came to a goal, the shortest of some; where not all states can be seen."""
    walker = walker_of(machine, {_GOAL: goal})
    found: list[Trail] = []
    with walker.watcher.watching():
        for seed in range(plays):
            if walker.watcher.work > work:
                break
            chance = random.Random(seed)
            place = walker.start()
            while not (_GOAL in walker.passed or _GOAL in walker.ask(place)):
                decisions = list(decisions_at(place.node))
                if isinstance(place.node, Over):
                    found.append(place.trail)
                if not decisions or place.trail.length >= _LONGEST:
                    break
                came = walker.follow(place, chance.choice(decisions))
                assert isinstance(came, Place)
                place = came
    if not found:
        return None
    play = min(found, key=lambda trail: trail.length).play(machine)
    replay(machine, play)
    return Misses(play)


def misses(machine: Machine, goal: Goal, states: int) -> Misses | bool:
    """A play that misses the goal for good; False where every fair play comes to it; True where there are more states
    than these, and it is not known."""
    walker = walker_of(machine, {_GOAL: goal})
    numbers: dict[Key, int] = {}
    trails: list[Trail] = []
    before: list[list[int]] = []
    reached: set[int] = set()
    waiting: deque[tuple[int, Place]] = deque()

    def arrive(place: Place, source: int | None) -> None:
        met = _GOAL in walker.passed or _GOAL in walker.ask(place)
        key: Key = (walker.key_at(place), met)
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(trails)
            trails.append(place.trail)
            before.append([])
            if met:
                reached.add(number)
            else:
                waiting.append((number, place))
        if source is not None:
            before[number].append(source)

    with walker.watcher.watching():
        arrive(walker.start(), None)
        while waiting:
            if len(trails) > states:
                return True
            number, place = waiting.popleft()
            for decision in decisions_at(place.node):
                arrive(walker.step(place, decision), number)
    can = set(reached)
    open_ = list(reached)
    while open_:
        for source in before[open_.pop()]:
            if source not in can:
                can.add(source)
                open_.append(source)
    lost = next((number for number in range(len(trails)) if number not in can), None)
    if lost is None:
        return False
    play = trails[lost].play(machine)
    replay(machine, play)
    return Misses(play)
