"""What a layout is asked for, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A box of this size. One that others have as `parent` grows with them: it is at least so wide, and `height` is
    the room for its title above them. Boxes that do not hang together stand in the order of their `turn`."""

    id: str
    width: float
    height: float
    parent: str | None = None
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Link:
    """From one box to another, with a label of this size (0 for none)."""

    source: str
    target: str
    width: float = 0
    height: float = 0


@dataclass(frozen=True, slots=True)
class Rect:
    """`x` and `y` are the corner at the top left."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """The way of a link, from its source to its target: straight where two points have one `x`, else a curve.

    `label` is the corner at the top left of its label. Of a loop, the points are the start, two that pull, and the end.
    """

    points: tuple[Point, ...]
    label: Point | None
    loop: bool = False
    across: bool = False  # it leads from left to right: straight where two points have one `y`


@dataclass(frozen=True, slots=True)
class Layout:
    """`routes` are in the order of the links."""

    width: float
    height: float
    boxes: Mapping[str, Rect]
    routes: tuple[Route, ...]
