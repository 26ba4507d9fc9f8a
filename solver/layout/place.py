"""Boxes in boxes: each level is laid out by itself, the inner ones first; then all is put together.

A link between boxes of two groups is drawn whole: it goes out of the one group through its border and into the other
through its border. Which side that is, top or bottom, is decided from the outside in, before anything is placed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from math import sqrt

from solver.layout.layered import LOOP, Arc, Block, Size, layered
from solver.layout.ranks import turned
from solver.layout.shapes import Box, Layout, Link, Point, Rect, Route

_PAD = 16.0
_APART = 32.0
_NARROW = 640.0


def lay_out(boxes: Sequence[Box], links: Sequence[Link], *, across: bool = False) -> Layout:
    """Places for all boxes and ways for all links; the same for the same input.

    With `across`, the links between outermost boxes lead from left to right; then no link may lead from inside one of
    them to another.
    """
    if not boxes:
        return Layout(0, 0, {}, ())
    whole = _Whole(boxes, links, across)
    block = whole.block(None)
    routes = tuple(whole.route(number, block) for number in range(len(links)))
    return Layout(block.width, block.height, block.boxes, routes)


class _Whole:
    def __init__(self, boxes: Sequence[Box], links: Sequence[Link], across: bool) -> None:
        self.across = across
        self.outermost: set[int] = set()
        self.box = {box.id: box for box in boxes}
        self.links = links
        self.inside: dict[str | None, list[str]] = {None: []}
        for box in boxes:
            self.inside.setdefault(box.parent, []).append(box.id)
        self.arcs: dict[str | None, list[Arc]] = {}
        self.loops: dict[str, list[int]] = {}
        self.up: set[int] = set()
        self._direct()

    def _direct(self) -> None:
        """Gives each level its arcs."""
        ways = {name: tuple(self._way(name)) for name in self.box}
        lifted: dict[str | None, list[tuple[int, int]]] = {}
        for number, link in enumerate(self.links):
            source, target = ways[link.source], ways[link.target]
            depth = next((d for d, (a, b) in enumerate(zip(source, target, strict=False)) if a != b), None)
            if depth is None:  # a box and itself, or what it is in
                self.loops.setdefault(max(source, target, key=len)[-1], []).append(number)
            else:
                lifted.setdefault(source[depth - 1] if depth else None, []).append((number, depth))
        for level, found in lifted.items():
            pairs = {
                number: (ways[self.links[number].source][d], ways[self.links[number].target][d]) for number, d in found
            }
            back = turned(self.inside[level], list(pairs.values()))
            for number, depth in found:
                link = self.links[number]
                up = pairs[number] in back
                if level is None:
                    self.outermost.add(number)
                high, low = (link.target, link.source) if up else (link.source, link.target)
                if up:
                    self.up.add(number)
                arc = Arc(number, ways[high][depth], ways[low][depth], link.width, link.height, up)
                self.arcs.setdefault(level, []).append(arc)
                for group, child in zip(ways[high][depth:], ways[high][depth + 1 :], strict=False):
                    self.arcs.setdefault(group, []).append(Arc(number, child, None))
                for group, child in zip(ways[low][depth:], ways[low][depth + 1 :], strict=False):
                    self.arcs.setdefault(group, []).append(Arc(number, None, child))

    def _way(self, name: str) -> Iterator[str]:
        parent = self.box[name].parent
        if parent is not None:
            yield from self._way(parent)
        yield name

    def block(self, group: str | None) -> Block:
        """A group with all that is in it, its border and its title; or all of the picture."""
        names = self.inside[group]
        blocks = {name: self.block(name) for name in names if name in self.inside}
        sizes = {name: self._size(name, blocks.get(name)) for name in names}
        arcs = self.arcs.get(group, [])
        across = self.across and group is None
        if across:
            sizes = {name: Size(size.height, size.width) for name, size in sizes.items()}
        inner = _turned(self._level(names, arcs, sizes)) if across else self._level(names, arcs, sizes)
        for name, content in blocks.items():
            _put(content, inner.boxes[name].x, inner.boxes[name].y, inner)
        for name in names:
            self._add_loops(name, inner)
        head, least = (0.0, 0.0) if group is None else (self.box[group].height, self.box[group].width)
        width = max(inner.width + 2 * _PAD, least)
        found = Block(width, inner.height + 2 * _PAD + head)
        left = (width - inner.width) / 2
        _put(inner, left, _PAD + head, found)
        for arc in arcs:
            if arc.upper is not None and arc.lower is not None:
                continue
            found.ports[arc.link] = x = inner.ports[arc.link] + left
            way = found.ways[arc.link]
            found.ways[arc.link] = ((x, 0), *way) if arc.upper is None else (*way, (x, found.height))
        return found

    def _size(self, name: str, content: Block | None) -> Size:
        box = self.box[name]
        beside = sum(LOOP + self.links[number].width for number in self.loops.get(name, []))
        if content is None:
            return Size(box.width, box.height, beside)
        return Size(content.width, content.height, beside, content.ports)

    def _level(self, names: Sequence[str], arcs: Sequence[Arc], sizes: Mapping[str, Size]) -> Block:
        area = sum((size.width + size.beside + _APART) * (size.height + _APART * 1.5) for size in sizes.values())
        area += sum(arc.width * arc.height * 2 for arc in arcs)
        widest = max(_NARROW, sqrt(area * 2.2), *(size.width + size.beside for size in sizes.values()))
        if any(arc.upper is None or arc.lower is None for arc in arcs):
            return layered(names, arcs, sizes, widest)
        parts: list[tuple[int, Block]] = []
        for part in _components(names, arcs):
            members = frozenset(part)
            own = [arc for arc in arcs if arc.upper in members]
            parts.append((min(self.box[name].turn for name in part), layered(part, own, sizes, widest)))
        ordered = sorted(parts, key=lambda part: (part[0], -part[1].height))
        return _shelves([block for _, block in ordered], widest)

    def _add_loops(self, name: str, block: Block) -> None:
        """Several loops lie in each other; their labels stand beside them."""
        rect = block.boxes[name]
        x, y = rect.x + rect.width, rect.y + rect.height / 2
        loops = self.loops.get(name, [])
        right = x + LOOP * len(loops)
        for place, number in enumerate(loops):
            link = self.links[number]
            out = x + LOOP * (place + 1) - 4
            high = min(6 + 4 * place, rect.height / 2)
            points = ((x, y - high), (out, y - high - 6), (out, y + high + 6), (x, y + high))
            label = (right - 2, y - link.height / 2) if link.width else None
            block.loops[number] = Route(points, label, loop=True)
            right += link.width

    def route(self, number: int, block: Block) -> Route:
        if number in block.loops:
            return block.loops[number]
        points = block.ways[number]
        across = self.across and number in self.outermost
        return Route(tuple(reversed(points)) if number in self.up else points, block.labels.get(number), across=across)


def _put(part: Block, x: float, y: float, whole: Block) -> None:
    """Adds a part to the whole, with its corner there. Ways of one link join: they follow each other downwards."""
    for name, rect in part.boxes.items():
        whole.boxes[name] = Rect(rect.x + x, rect.y + y, rect.width, rect.height)
    for link, way in part.ways.items():
        moved = _moved(way, x, y)
        other = whole.ways.get(link, ())
        joined = (*other, *moved) if not other or other[0][1] < moved[0][1] else (*moved, *other)
        whole.ways[link] = tuple(dict.fromkeys(joined))
    for link, (left, top) in part.labels.items():
        whole.labels[link] = (left + x, top + y)
    for link, route in part.loops.items():
        label = (route.label[0] + x, route.label[1] + y) if route.label else None
        whole.loops[link] = Route(_moved(route.points, x, y), label, loop=True)


def _turned(block: Block) -> Block:
    """The block with left for top and top for left."""
    found = Block(block.height, block.width)
    found.boxes = {name: Rect(rect.y, rect.x, rect.height, rect.width) for name, rect in block.boxes.items()}
    found.ways = {link: tuple((y, x) for x, y in way) for link, way in block.ways.items()}
    found.labels = {link: (y, x) for link, (x, y) in block.labels.items()}
    return found


def _moved(points: Sequence[Point], x: float, y: float) -> tuple[Point, ...]:
    return tuple((left + x, top + y) for left, top in points)


def _components(names: Sequence[str], arcs: Sequence[Arc]) -> list[list[str]]:
    """Names that hang together, the largest company first; within each, in the order given."""
    beside: dict[str, list[str]] = {name: [] for name in names}
    for arc in arcs:
        if arc.upper is not None and arc.lower is not None:
            beside[arc.upper].append(arc.lower)
            beside[arc.lower].append(arc.upper)
    company: dict[str, int] = {}
    fresh = count()
    for name in names:
        if name in company:
            continue
        number, waiting = next(fresh), [name]
        while waiting:
            found = waiting.pop()
            if found not in company:
                company[found] = number
                waiting += beside[found]
    parts: dict[int, list[str]] = {}
    for name in names:
        parts.setdefault(company[name], []).append(name)
    return sorted(parts.values(), key=len, reverse=True)


def _shelves(parts: Sequence[Block], widest: float) -> Block:
    """Parts side by side, in as many rows as are needed."""
    whole = Block()
    limit = max([widest, *(part.width for part in parts)])
    x = y = tall = 0.0
    for part in parts:
        if x and x + part.width > limit:
            x, y, tall = 0.0, y + tall + _APART, 0.0
        _put(part, x, y, whole)
        whole.width = max(whole.width, x + part.width)
        x += part.width + _APART
        tall = max(tall, part.height)
    whole.height = y + tall
    return whole
