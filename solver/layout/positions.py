"""How far to the right each item stands, in a given order: near what it is linked to, and never over its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

Pull = tuple[int, float, float]  # another item, how far from its middle this one's middle would be, and how strongly

_ROUNDS = 14
_STRAIGHTENINGS = 3
_SPRAWLING = 2.0


def positions(
    rows: Sequence[Sequence[int]],
    gaps: Sequence[Sequence[float]],
    up: Sequence[Sequence[Pull]],
    down: Sequence[Sequence[Pull]],
) -> list[float]:
    """The middle of each item. `gaps` has, for each row, the least distance of the middles of each two neighbours.

    Where that takes far more width than any row needs, items only look to the row above, which is less even but narrow.
    """
    found = _settled(rows, gaps, up, down, False)
    if max(found) - min(found) > _SPRAWLING * max(map(sum, gaps), default=0):
        narrow = _settled(rows, gaps, up, down, True)
        return min(found, narrow, key=lambda middle: max(middle) - min(middle))
    return found


def _settled(
    rows: Sequence[Sequence[int]],
    gaps: Sequence[Sequence[float]],
    up: Sequence[Sequence[Pull]],
    down: Sequence[Sequence[Pull]],
    only_down: bool,
) -> list[float]:
    middle = [0.0] * sum(map(len, rows))
    for row, gap in zip(rows, gaps, strict=True):
        at = -sum(gap) / 2
        for place, item in enumerate(row):
            middle[item] = at
            at += gap[place] if place < len(gap) else 0
    for round_ in range(_ROUNDS):
        late = round_ >= _ROUNDS - 4 and not only_down
        downwards = round_ % 2 == 0 or only_down
        for number in range(len(rows)) if downwards else range(len(rows) - 1, -1, -1):
            row = rows[number]
            wanted: list[float] = []
            weights: list[float] = []
            for item in row:
                pulls = [*up[item], *down[item]] if late else (up[item] if downwards else down[item])
                weight = sum((pull[2] for pull in pulls), 0.0)
                weights.append(weight or 0.01)
                drawn = sum((middle[other] + off) * strength for other, off, strength in pulls)
                wanted.append(drawn / weight if weight else middle[item])
            for item, where in zip(row, _apart(wanted, weights, gaps[number]), strict=True):
                middle[item] = where
    return middle


def straighten(
    rows: Sequence[Sequence[int]], gaps: Sequence[Sequence[float]], runs: Sequence[Sequence[int]], middle: list[float]
) -> None:
    """Draws the places of each run to one line, or to as few as their neighbours leave room for.

    A run is a list of items of one link in successive rows, all at one distance from it.
    """
    beside: dict[int, tuple[int | None, float, int | None, float]] = {}
    for row, gap in zip(rows, gaps, strict=True):
        for place, item in enumerate(row):
            left = (row[place - 1], gap[place - 1]) if place else (None, 0.0)
            right = (row[place + 1], gap[place]) if place + 1 < len(row) else (None, 0.0)
            beside[item] = (*left, *right)

    def room(item: int) -> tuple[float, float]:
        left, before, right, after = beside[item]
        low = -inf if left is None else middle[left] + before
        high = inf if right is None else middle[right] - after
        return low, max(low, high)

    for _ in range(_STRAIGHTENINGS):
        for run in runs:
            start = 0
            while start < len(run):
                low, high = room(run[start])
                end = start + 1
                while end < len(run):
                    least, most = room(run[end])
                    if max(low, least) > min(high, most):
                        break
                    low, high, end = max(low, least), min(high, most), end + 1
                mean = sum(middle[item] for item in run[start:end]) / (end - start)
                for item in run[start:end]:
                    middle[item] = min(max(mean, low), high)
                start = end


def _apart(wanted: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Places as near as can be to those that are wanted, in their order and with these gaps between them.

    Neighbours that want to be nearer than they may form a block, which stands where its members want it on average.
    """
    shift = [0.0]
    for gap in gaps:
        shift.append(shift[-1] + gap)
    blocks: list[tuple[float, float, int]] = []  # sum of weighted wishes, weight, members
    for want, weight, off in zip(wanted, weights, shift, strict=False):
        block = ((want - off) * weight, weight, 1)
        while blocks and blocks[-1][0] / blocks[-1][1] >= block[0] / block[1]:
            total, heavy, members = blocks.pop()
            block = (total + block[0], heavy + block[1], members + block[2])
        blocks.append(block)
    base = [total / heavy for total, heavy, members in blocks for _ in range(members)]
    return [at + off for at, off in zip(base, shift, strict=False)]
