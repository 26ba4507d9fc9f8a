"""What play stops at, as facts of exploration: whether one of them shows what a check suspects."""

from __future__ import annotations

from collections.abc import Callable

from rules.machine.norms import RuleNorm
from solver.play import Fact


def disagree(*norms: RuleNorm) -> Callable[[Fact], bool]:
    """Play stopped because these norms disagree, each on a side of its own."""
    keys = [norm.key for norm in norms]

    def shown(fact: Fact) -> bool:
        if fact.kind != "open" or fact.what[0] != "undetermined":
            return False
        sides = fact.what[2]
        places = [next((i for i, side in enumerate(sides) if key in side), None) for key in keys]
        return None not in places and len(set(places)) == len(keys)

    return shown


def versions(one: str, other: str) -> Callable[[Fact], bool]:
    """Play stopped because two rules that say the same thing come to different ends."""

    def shown(fact: Fact) -> bool:
        if fact.kind != "open" or fact.what[0] != "undetermined" or len(fact.what[2]) != 2:
            return False
        sides = [{key[0] for key in side} for side in fact.what[2]]
        return (one in sides[0] and other in sides[1]) or (one in sides[1] and other in sides[0])

    return shown


def readings_of(*names: str) -> Callable[[Fact], bool]:
    """Play stopped because the readings of one of these rules come to different ends."""

    def shown(fact: Fact) -> bool:
        if fact.kind != "open" or fact.what[0] != "undetermined":
            return False
        sides = fact.what[2]
        return len(sides) > 1 and all(side and all(key[0] in names for key in side) for side in sides)

    return shown
