"""One level of a picture, in rows: boxes of known size, arcs that lead down, come in at the top or go out below.

In: names with their sizes and `Arc`s. Out: a `Block`: where everything stands, seen from its own corner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from solver.layout.orders import Joint, ordered
from solver.layout.positions import Pull, positions, straighten
from solver.layout.ranks import rows as rows_of
from solver.layout.shapes import Point, Rect, Route

_BESIDE = 26.0  # between two boxes of a row
_PASSING = 12.0  # between two links that pass through a row
_BELOW = 20.0  # between two rows, at least
_SPREAD = 14.0  # between two links at one side of a box
_MANY = 40  # boxes of one level
LOOP = 26.0  # beside a box that is linked to itself


@dataclass(frozen=True, slots=True)
class Size:
    """`beside` is the room for loops at the right; `ports` has, for a link, where it passes through the border."""

    width: float
    height: float
    beside: float = 0
    ports: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arc:
    """A link as one level sees it. `upper` or `lower` is None where it comes from above, or leads on below, the level.

    `up`: the link itself leads from the lower end to the upper; its label then stands next to the lower.
    """

    link: int
    upper: str | None
    lower: str | None
    width: float = 0
    height: float = 0
    up: bool = False


@dataclass(slots=True)
class Block:
    """`ways` has, for a link, its points from above to below; `ports` where it passes through the top or the bottom."""

    width: float = 0
    height: float = 0
    boxes: dict[str, Rect] = field(default_factory=dict)
    ways: dict[int, tuple[Point, ...]] = field(default_factory=dict)
    labels: dict[int, Point] = field(default_factory=dict)
    ports: dict[int, float] = field(default_factory=dict)
    loops: dict[int, Route] = field(default_factory=dict)


@dataclass(slots=True)
class _Items:
    """Boxes, and the places where links pass through a row, by number."""

    width: list[float] = field(default_factory=list)
    height: list[float] = field(default_factory=list)
    row: list[int] = field(default_factory=list)
    solid: list[bool] = field(default_factory=list)

    def add(self, row: int, width: float, height: float, solid: bool) -> int:
        self.row.append(row)
        self.width.append(width)
        self.height.append(height)
        self.solid.append(solid)
        return len(self.row) - 1


@dataclass(frozen=True, slots=True)
class _Chain:
    """The items that a link passes, from above to below, and how far from the middle of each it does."""

    arc: Arc
    items: tuple[int, ...]
    off: tuple[float, ...]
    label: int | None  # the item that holds the label


@dataclass(frozen=True, slots=True)
class _Stack:
    """Which row of items a row of boxes is, and which the labels below it."""

    boxes: Mapping[int, int]
    labels: Mapping[int, int]
    last: int


def layered(names: Sequence[str], arcs: Sequence[Arc], sizes: Mapping[str, Size], widest: float) -> Block:
    inner = [(arc.upper, arc.lower) for arc in arcs if arc.upper is not None and arc.lower is not None]
    out = {name: sum(arc.width + _PASSING for arc in arcs if _bearer(arc) == name) for name in names}
    widths = {name: max(sizes[name].width + sizes[name].beside + _BESIDE, out[name]) for name in names}
    row = rows_of(names, inner, widths, widest)
    stack = _stack(row, arcs)
    items = _Items()
    box = {
        name: items.add(stack.boxes[row[name]], size.width + size.beside, size.height, True)
        for name in names
        for size in (sizes[name],)
    }
    chains = [_chain(arc, box, row, stack, sizes, items) for arc in arcs]
    order = _order(items, chains, stack.last + 1, _first_places(names, row, box, chains, len(items.row)))
    middle = _middles(items, chains, order)
    left = min(middle[item] - items.width[item] / 2 for item in range(len(middle)))
    middle = [at - left for at in middle]
    return _block(names, box, chains, sizes, items, order, middle)


def _bearer(arc: Arc) -> str | None:
    """The box next to which the label stands."""
    if not arc.width:
        return None
    return arc.lower if arc.up else arc.upper


def _gap_of_label(arc: Arc, row: Mapping[str, int]) -> int | None:
    """The row below which the label of an arc stands."""
    if not arc.width or arc.upper is None or arc.lower is None:
        return None
    return row[arc.lower] - 1 if arc.up else row[arc.upper]


def _stack(row: Mapping[str, int], arcs: Sequence[Arc]) -> _Stack:
    labelled = {_gap_of_label(arc, row) for arc in arcs}
    at = int(any(arc.upper is None for arc in arcs))
    boxes: dict[int, int] = {}
    labels: dict[int, int] = {}
    for number in range(max(row.values()) + 1):
        boxes[number] = at
        at += 1
        if number in labelled:
            labels[number] = at
            at += 1
    below = any(arc.lower is None for arc in arcs)
    return _Stack(boxes, labels, at if below else at - 1)


def _chain(
    arc: Arc,
    box: Mapping[str, int],
    row: Mapping[str, int],
    stack: _Stack,
    sizes: Mapping[str, Size],
    items: _Items,
) -> _Chain:
    gap = _gap_of_label(arc, row)
    first = 0 if arc.upper is None else stack.boxes[row[arc.upper]] + 1
    last = stack.last if arc.lower is None else stack.boxes[row[arc.lower]] - 1
    found: list[int] = []
    off: list[float] = []
    label: int | None = None
    if arc.upper is not None:
        found.append(box[arc.upper])
        off.append(_port(sizes[arc.upper], arc.link))
    for number in range(first, last + 1):
        if gap is not None and number == stack.labels[gap]:
            label = items.add(number, arc.width + _PASSING, arc.height, False)
            found.append(label)
            off.append(-arc.width / 2)
        else:
            found.append(items.add(number, 0, 0, False))
            off.append(0)
    if arc.lower is not None:
        found.append(box[arc.lower])
        off.append(_port(sizes[arc.lower], arc.link))
    return _Chain(arc, tuple(found), tuple(off), label)


def _port(size: Size, link: int) -> float:
    """How far a link stands from the middle of an item, the room for loops included."""
    return size.ports.get(link, size.width / 2) - (size.width + size.beside) / 2


def _first_places(
    names: Sequence[str], row: Mapping[str, int], box: Mapping[str, int], chains: Sequence[_Chain], count: int
) -> list[int]:
    """What is ordered first, from left to right. Of many boxes, those of early rows stand outside, and links that lead
    far down between them: then what hangs on one box takes the width of its rows, not the sum of them."""
    places = [0] * count
    if len(names) <= _MANY:
        return places
    last = max(row.values()) + 1
    for number, name in enumerate(names):
        places[box[name]] = (last - row[name]) * (-1 if number % 2 else 1)
    for chain in chains:
        for item in chain.items[1:-1]:
            places[item] = places[chain.items[-1]]
    return places


def _order(items: _Items, chains: Sequence[_Chain], count: int, places: Sequence[int]) -> list[list[int]]:
    rows: list[list[int]] = [[] for _ in range(count)]
    for item in sorted(range(len(items.row)), key=places.__getitem__):
        rows[items.row[item]].append(item)
    up: list[list[Joint]] = [[] for _ in items.row]
    down: list[list[Joint]] = [[] for _ in items.row]
    for chain in chains:
        parts = [off / (items.width[item] or 1) for item, off in zip(chain.items, chain.off, strict=True)]
        for place in range(len(chain.items) - 1):
            one, other = chain.items[place : place + 2]
            down[one].append((other, parts[place + 1]))
            up[other].append((one, parts[place]))
    return ordered(rows, up, down)


def _middles(items: _Items, chains: Sequence[_Chain], order: Sequence[Sequence[int]]) -> list[float]:
    up: list[list[Pull]] = [[] for _ in items.row]
    down: list[list[Pull]] = [[] for _ in items.row]
    for chain in chains:
        for place in range(len(chain.items) - 1):
            one, other = chain.items[place : place + 2]
            off = chain.off[place] - chain.off[place + 1]
            strength = (6.0, 2.0, 1.0)[items.solid[one] + items.solid[other]]
            down[one].append((other, -off, strength))
            up[other].append((one, off, strength))
    gaps = [
        [
            (items.width[one] + items.width[other]) / 2
            + (_BESIDE if items.solid[one] and items.solid[other] else _PASSING)
            for one, other in pairwise(row)
        ]
        for row in order
    ]
    middle = positions(order, gaps, up, down)
    runs = [[item for item in chain.items if not items.solid[item] and item != chain.label] for chain in chains]
    straighten(order, gaps, [run for run in runs if len(run) > 1], middle)
    return middle


def _block(
    names: Sequence[str],
    box: Mapping[str, int],
    chains: Sequence[_Chain],
    sizes: Mapping[str, Size],
    items: _Items,
    order: Sequence[Sequence[int]],
    middle: Sequence[float],
) -> Block:
    attached = _spread(chains, sizes, middle)
    tall = [max((items.height[item] for item in row), default=0) for row in order]
    top = _tops(tall, chains, items, middle)
    found = Block(max(middle[item] + items.width[item] / 2 for item in range(len(middle))), top[-1] + tall[-1])
    for name in names:
        item, size = box[name], sizes[name]
        x = middle[item] - items.width[item] / 2
        y = top[items.row[item]] + (tall[items.row[item]] - size.height) / 2
        found.boxes[name] = Rect(x, y, size.width, size.height)
    for chain in chains:
        arc = chain.arc
        points: list[Point] = []
        for place, item in enumerate(chain.items):
            row = items.row[item]
            x = middle[item] + attached.get((arc.link, item), chain.off[place])
            above, below = top[row], top[row] + tall[row]
            if items.solid[item]:
                rect = found.boxes[arc.upper if place == 0 and arc.upper is not None else arc.lower or ""]
                ends = [(x, rect.y + rect.height), (x, below)] if place == 0 else [(x, above), (x, rect.y)]
            else:
                ends = [(x, above), (x, below)]
            points += ends
        if chain.label is not None:
            row = items.row[chain.label]
            at = middle[chain.label] - arc.width / 2 + 5, top[row] + (tall[row] - arc.height) / 2
            found.labels[arc.link] = at
        found.ways[arc.link] = tuple(dict.fromkeys(points))
        if arc.upper is None:
            found.ports[arc.link] = points[0][0]
        elif arc.lower is None:
            found.ports[arc.link] = points[-1][0]
    return found


def _spread(
    chains: Sequence[_Chain], sizes: Mapping[str, Size], middle: Sequence[float]
) -> dict[tuple[int, int], float]:
    """Where links stand at the sides of their boxes: side by side, in the order of where they come from."""
    sides: dict[tuple[int, bool], list[tuple[float, int, str]]] = {}
    for chain in chains:
        arc = chain.arc
        if arc.upper is not None and arc.link not in sizes[arc.upper].ports:
            near = middle[chain.items[1]] + chain.off[1] if len(chain.items) > 1 else 0
            sides.setdefault((chain.items[0], True), []).append((near, arc.link, arc.upper))
        if arc.lower is not None and arc.link not in sizes[arc.lower].ports:
            near = middle[chain.items[-2]] + chain.off[-2] if len(chain.items) > 1 else 0
            sides.setdefault((chain.items[-1], False), []).append((near, arc.link, arc.lower))
    found: dict[tuple[int, int], float] = {}
    for (item, _), links in sides.items():
        size = sizes[links[0][2]]
        step = min(_SPREAD, (size.width - 16) / len(links))
        for place, (_, link, _) in enumerate(sorted(links)):
            found[link, item] = (place - (len(links) - 1) / 2) * step - size.beside / 2
    return found


def _tops(tall: Sequence[float], chains: Sequence[_Chain], items: _Items, middle: Sequence[float]) -> list[float]:
    """Where each row begins. Where links run far to the side, rows stand further apart."""
    far = [0.0] * len(tall)
    for chain in chains:
        for place in range(len(chain.items) - 1):
            one, other = chain.items[place : place + 2]
            across = abs(middle[one] + chain.off[place] - middle[other] - chain.off[place + 1])
            far[items.row[one]] = max(far[items.row[one]], across)
    found = [0.0]
    for number in range(len(tall) - 1):
        found.append(found[-1] + tall[number] + _BELOW + min(70.0, far[number] * 0.07))
    return found
