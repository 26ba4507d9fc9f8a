"""In what order things stand in their rows, so that few links cross.

In: rows of numbered items and the links between neighbouring rows. Out: the rows, reordered. Each item is drawn to the
middle of what it is linked to, downwards and upwards in turn; the best order that was seen is kept.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from itertools import pairwise

Joint = tuple[int, float]  # an item, and where on it the link stands: from -0.5 at its left to 0.5 at its right

_SWEEPS = 24
_PATIENCE = 6
_MANY = 20_000


def ordered(
    rows: Sequence[Sequence[int]], up: Sequence[Sequence[Joint]], down: Sequence[Sequence[Joint]]
) -> list[list[int]]:
    best = [list(row) for row in rows]
    fewest = crossings(best, down)
    sweeps = _SWEEPS if sum(map(len, down)) < _MANY else _PATIENCE
    for start in (best, [list(reversed(row)) for row in rows]):
        current, idle = [list(row) for row in start], 0
        for sweep in range(sweeps):
            if fewest == 0 or idle == _PATIENCE:
                break
            downwards = sweep % 2 == 0
            _sweep(current, up if downwards else down, downwards, ties_turn=sweep % 4 >= 2)
            found = crossings(current, down)
            idle += 1
            if found < fewest:
                best, fewest, idle = [list(row) for row in current], found, 0
    return best


def _sweep(rows: list[list[int]], beside: Sequence[Sequence[Joint]], downwards: bool, ties_turn: bool) -> None:
    """Orders each row by the middle of what its items are linked to in the row before; unlinked items stay."""
    places: dict[int, float] = {}
    numbers = range(len(rows)) if downwards else range(len(rows) - 1, -1, -1)
    for number in numbers:
        row = rows[number]
        middles: dict[int, float] = {}
        for item in row:
            joints = beside[item]
            if joints:
                middles[item] = sum(places[other] + part for other, part in joints) / len(joints)
        linked = [item for item in (reversed(row) if ties_turn else row) if item in middles]
        linked.sort(key=middles.__getitem__)
        following = iter(linked)
        rows[number] = [next(following) if item in middles else item for item in row]
        places = {item: place for place, item in enumerate(rows[number])}


def crossings(rows: Sequence[Sequence[int]], down: Sequence[Sequence[Joint]]) -> int:
    """How many pairs of links cross."""
    total = 0
    for upper, lower in pairwise(rows):
        place = {item: number for number, item in enumerate(lower)}
        seen: list[int] = []
        for item in upper:
            ends = sorted(place[other] for other, _ in down[item])
            total += sum(len(seen) - bisect_left(seen, end + 1) for end in ends)
            for end in ends:
                insort(seen, end)
    return total
