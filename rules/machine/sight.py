"""Lines of sight on grids, exactly: points are whole numbers, so touching and crossing are no matter of rounding.

Squares have corners at even places and centres at odd ones. Hexes are drawn in slanted coordinates, in which they are
not regular; that a line touches, crosses or misses does not depend on that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from rules import model as m

Point = tuple[int, int]
Touch = Literal["through", "edge", "corner"] | None


@dataclass(frozen=True, slots=True)
class Space:
    centre: Point
    corners: tuple[Point, ...]  # in order around the space


def spaces_of(grid: m.Grid) -> tuple[Space, ...]:
    places = [(column, row) for row in range(grid.rows) for column in range(grid.columns)]
    return tuple((_hex if grid.shape.text == "hex" else _square)(column, row) for column, row in places)


def _square(column: int, row: int) -> Space:
    x, y = 2 * column, 2 * row
    return Space((x + 1, y + 1), ((x, y), (x + 2, y), (x + 2, y + 2), (x, y + 2)))


_HEX_CORNERS = ((1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1), (-1, 2))


def _hex(column: int, row: int) -> Space:
    x, y = 3 * (column - (row - row % 2) // 2), 3 * row
    return Space((x, y), tuple((x + dx, y + dy) for dx, dy in _HEX_CORNERS))


@dataclass(frozen=True, slots=True)
class Blockers:
    spaces: tuple[int, ...]
    walls: tuple[tuple[int, int], ...]


def sees(node: m.Sight, spaces: tuple[Space, ...], origin: int, target: int, blockers: Blockers) -> bool:
    """Whether the line, or any or every one of the lines, is free."""
    line = next(part for part in node.lines if isinstance(part, m.SightPoints))
    rules = {part.what.text: part.result.text for part in node.lines if isinstance(part, m.SightTouch)}
    walls = [wall for pair in blockers.walls if (wall := _shared(spaces[pair[0]], spaces[pair[1]])) is not None]
    blocking = [spaces[place] for place in blockers.spaces]

    def free(a: Point, b: Point) -> bool:
        return _free(a, b, blocking, walls, rules)

    starts, ends = _points(spaces[origin], line.origin), _points(spaces[target], line.target)
    return _quantified(line.origin, starts, lambda a: _quantified(line.target, ends, lambda b: free(a, b)))


def _points(space: Space, point: m.SightPoint) -> tuple[Point, ...]:
    return (space.centre,) if point.point.text == "centre" else space.corners


def _quantified(point: m.SightPoint, points: tuple[Point, ...], test: Callable[[Point], bool]) -> bool:
    return (all if point.quantity == "every" else any)(map(test, points))


def _free(
    a: Point,
    b: Point,
    blocking: list[Space],
    walls: list[tuple[Point, Point]],
    rules: dict[str, str],
) -> bool:
    corners: dict[Point, int] = {}
    for shape in (*(space.corners for space in blocking), *walls):
        touch, at = _touch(a, b, shape)
        if touch == "through" or (touch == "edge" and rules.get("edge", "blocks") == "blocks"):
            return False
        if touch == "corner" and at is not None:
            corners[at] = corners.get(at, 0) + 1
    single = rules.get("corner", "passes") == "blocks"
    joint = rules.get("joint", rules.get("corner", "passes")) == "blocks"
    return not any(single if count == 1 else joint for count in corners.values())


def _touch(a: Point, b: Point, shape: tuple[Point, ...]) -> tuple[Touch, Point | None]:
    """How a line meets a space, or a wall (a shape of two points)."""
    if a == b:
        return None, None
    sides = [_side(a, b, point) for point in shape]
    on_line = [point for point, side in zip(shape, sides, strict=True) if side == 0]
    crosses = min(sides) < 0 < max(sides)
    if crosses:
        return ("through", None) if _meets_inside(a, b, shape) else _at_corner(a, b, on_line)
    if len(on_line) >= 2:
        return ("edge", None) if _overlap(a, b, on_line[0], on_line[-1]) else _at_corner(a, b, on_line)
    return _at_corner(a, b, on_line)


def _at_corner(a: Point, b: Point, on_line: list[Point]) -> tuple[Touch, Point | None]:
    inside = [point for point in on_line if _between(a, b, point)]
    return ("corner", inside[0]) if inside else (None, None)


def _meets_inside(a: Point, b: Point, shape: tuple[Point, ...]) -> bool:
    """Whether the stretch from a to b has more than a point in common with a shape that its whole line cuts in two.

    The line is clipped by each side of the shape; what is left is compared as fractions of the whole.
    """
    if len(shape) == 2:
        s, t = _side(shape[0], shape[1], a), _side(shape[0], shape[1], b)
        return (s < 0 < t) or (t < 0 < s)
    low, high = (0, 1), (1, 1)  # fractions: numerator, denominator
    turn = 1 if _side(shape[0], shape[1], shape[2]) > 0 else -1
    for one, other in _sides(shape):
        start, end = turn * _side(one, other, a), turn * _side(one, other, b)
        if start <= 0 and end <= 0:
            return False
        if start < 0 or end < 0:
            cut = (abs(start), abs(start) + abs(end))
            if start < 0:
                low = cut if cut[0] * low[1] > low[0] * cut[1] else low
            else:
                high = cut if cut[0] * high[1] < high[0] * cut[1] else high
    return low[0] * high[1] < high[0] * low[1]


def _sides(shape: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    yield from zip(shape, (*shape[1:], shape[0]), strict=True)


def _side(a: Point, b: Point, p: Point) -> int:
    """Positive on the left of the line from a to b, negative on its right, 0 on it."""
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def _between(a: Point, b: Point, p: Point) -> bool:
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def _overlap(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two stretches of one line have more than a point in common."""
    axis = 0 if a[0] != b[0] else 1
    low = max(min(a[axis], b[axis]), min(c[axis], d[axis]))
    high = min(max(a[axis], b[axis]), max(c[axis], d[axis]))
    return low < high


def _shared(one: Space, other: Space) -> tuple[Point, Point] | None:
    both = [corner for corner in one.corners if corner in other.corners]
    return (both[0], both[1]) if len(both) == 2 else None
