"""A pilot: one play at random, to see through how much of the rules a play goes."""

from __future__ import annotations

import random
from collections.abc import Hashable

from rules.machine import Machine, Open
from solver.play.plays import decide, decisions_at
from solver.play.wandering import LONGEST, location_of


def places_along(machine: Machine) -> set[Hashable]:
    """The places in the rules at which something is decided; as far as the rules are clear."""
    draw = random.Random(0)
    state = machine.start()
    node = machine.run(state)
    found: set[Hashable] = set()
    for _ in range(LONGEST):
        offered = list(decisions_at(node))
        if isinstance(node, Open) or not offered:
            break
        found.add(location_of(state, node))
        decide(machine, state, draw.choice(offered))
        node = machine.run(state)
    return found
