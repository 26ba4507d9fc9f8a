"""What must be true of keys: states with one key have one future."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from rules.machine import Machine, Node, Open, Over
from rules.machine.state import State
from solver.play.key import Key, Keys
from solver.play.plays import decisions_at
from solver.play.slicing import slice_of
from solver.play.walking import Place, Walker


@dataclass
class Met:
    """How often two states had one key though they differ in cells, log or frames, and where their futures differ."""

    states: int = 0
    pairs: int = 0
    failures: list[str] = field(default_factory=list)


def _future(walker: Walker, place: Place) -> tuple[Node | None, dict[str, Key]]:
    """What can be decided, and the key that each decision leads to."""
    after: dict[str, Key] = {}
    for decision in list(decisions_at(place.node))[:12]:
        came = walker.follow(place, decision)
        assert isinstance(came, Place)
        after[decision.text] = walker.key_at(came)
    return place.node, after


def _picture(state: State) -> object:
    return (state.cells, state.log, [(f.env, f.since, f.data) for f in state.stack])


def check_keys(machine: Machine, name: str, most: int = 150, sliced: bool = False, keys: Keys | None = None) -> Met:
    """Goes through the nearest states; where two of them have one key, compares what is offered and where it leads."""
    if keys is None:
        keys = Keys(machine, slice_of(machine).kept, ()) if sliced else Keys(machine)
    walker = Walker(machine, {}, keys)
    with walker.watcher.watching():
        return _compared(walker, name, most)


def _compared(walker: Walker, name: str, most: int) -> Met:
    machine = walker.machine
    met = Met()
    first: dict[Key, tuple[Place, tuple[Node | None, dict[str, Key]] | None]] = {}
    waiting: deque[Place] = deque([walker.start()])
    while waiting and met.states < most:
        place = waiting.popleft()
        key = walker.key_at(place)
        if key in first:
            other, future = first[key]
            if _picture(other.state) == _picture(place.state):
                continue
            met.pairs += 1
            future = future or _future(walker, other)
            first[key] = (other, future)
            if _future(walker, place) != future:
                met.failures.append(f"{name}: {other.trail.play(machine).texts} and {place.trail.play(machine).texts}")
            continue
        first[key] = (place, None)
        met.states += 1
        if isinstance(place.node, Over | Open) and not list(decisions_at(place.node)):
            continue
        for decision in list(decisions_at(place.node))[:6]:
            came = walker.follow(place, decision)
            assert isinstance(came, Place)
            waiting.append(came)
    return met
