"""A drawing as SVG: one file that needs nothing else, for light and dark, with a hint on everything that has one.

Everything is styled by classes below `.ludex-graph`, and markers are named after the picture, so that several
pictures can stand in one page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from html import escape
from math import ceil

from solver.layout import Box, Layout, Link, Rect, Route, lay_out
from verifier.graphs.drawing import Drawing, Edge, Group, Node
from verifier.graphs.svg_style import LEGEND, STYLE
from verifier.graphs.wording import one_line, text_width, wrapped

_HEAD, _SMALL, _TITLE = 13.0, 11.0, 17.0
_BOLD = 13.5  # as wide as the bold type of group titles, which is smaller
_STEP = 15.0
_PAD = 10.0
_TURNS = {"document": 0, "rest": 2}  # what stands first and what last, where nothing links them
_TOP = 44.0
_ROOM = 24.0


def to_svg(drawing: Drawing) -> str:
    """The text of an SVG file. The same drawing gives the same text."""
    across = drawing.what == "phases"
    if across:
        drawing = replace(drawing, edges=tuple(_border_to_border(drawing)))
    boxes = [*map(_group_box, drawing.groups), *map(_node_box, drawing.nodes)]
    layout = lay_out(boxes, [*map(_link, drawing.edges)], across=across)
    foot = list(_foot(drawing, layout.width))
    wide = max(layout.width, text_width(drawing.title, _TITLE) + 2 * _ROOM, 360)
    high = _TOP + layout.height + sum(height for height, _ in foot) + _ROOM
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" class="ludex-graph" role="img"'
        f' viewBox="0 0 {ceil(wide)} {ceil(high)}"'
        f' width="{ceil(wide)}" height="{ceil(high)}">',
        f"<title>{_text(drawing.title)}</title>",
        f"<style>{STYLE}</style>",
        _markers(drawing),
        '<rect class="paper" width="100%" height="100%"/>',
        f'<text class="title" x="{_n(16)}" y="28">{_text(drawing.title)}</text>',
        f'<g transform="translate(0 {_n(_TOP)})">',
        *_picture(drawing, layout),
        "</g>",
    ]
    y = _TOP + layout.height
    for height, text in foot:
        parts.append(f'<g transform="translate(16 {_n(y)})">{text}</g>')
        y += height
    return "\n".join((*parts, "</svg>")) + "\n"


def _picture(drawing: Drawing, layout: Layout) -> Iterator[str]:
    for group in drawing.groups:
        yield _group(group, layout.boxes[group.id])
    for edge, route in zip(drawing.edges, layout.routes, strict=True):
        yield _edge(edge, route, drawing)
    for node in drawing.nodes:
        yield _node(node, layout.boxes[node.id])
    for group in drawing.groups:  # over the edges that come in at the top
        rect = layout.boxes[group.id]
        yield (
            f'<text class="group-title {group.kind}" x="{_n(rect.x + 10)}" y="{_n(rect.y + 17)}">'
            f"{_text(group.title)}{_hint(group.hint)}</text>"
        )
    for edge, route in zip(drawing.edges, layout.routes, strict=True):
        if route.label is not None:
            yield _label(edge, route.label)


def _border_to_border(drawing: Drawing) -> Iterator[Edge]:
    """The edges, those between parts of two outermost groups once for each two groups: the parts say what they call."""
    parent = {part.id: part.parent for part in drawing.groups} | {node.id: node.group for node in drawing.nodes}

    def outermost(part: str) -> str:
        above = parent[part]
        return part if above is None else outermost(above)

    seen: set[tuple[str, str]] = set()
    for edge in drawing.edges:
        ends = outermost(edge.source), outermost(edge.target)
        if edge.tone != "quiet":
            yield edge
        elif ends[0] != ends[1] and ends not in seen:
            seen.add(ends)
            yield replace(edge, source=ends[0], target=ends[1])


# ---- sizes ----------------------------------------------------------------------------------------------------------


def _node_box(node: Node) -> Box:
    sizes = [_HEAD, *[_SMALL] * (len(node.lines) - 1)]
    wide = max(text_width(line, size) for line, size in zip(node.lines, sizes, strict=True))
    return Box(node.id, max(wide + 2 * _PAD, 48), _STEP * len(node.lines) + 13, node.group, 1)


def _group_box(group: Group) -> Box:
    return Box(group.id, text_width(group.title, _BOLD) + 2 * _PAD, 14, group.parent, _TURNS.get(group.kind, 1))


def _link(edge: Edge) -> Link:
    if not edge.label:
        return Link(edge.source, edge.target)
    lines = edge.label.split("\n")
    return Link(edge.source, edge.target, max(text_width(line, _SMALL) for line in lines) + 4, 13.0 * len(lines) + 2)


# ---- parts ----------------------------------------------------------------------------------------------------------


def _group(group: Group, rect: Rect) -> str:
    return f'<rect class="group {group.kind}" {_box(rect)} rx="7">{_hint(group.hint)}</rect>'


def _node(node: Node, rect: Rect) -> str:
    marks = f"{' assumed' if node.assumed else ''}{' fault' if node.fault else ''}"
    middle = rect.x + rect.width / 2
    first = rect.y + rect.height / 2 - _STEP * (len(node.lines) - 1) / 2 + 4.5
    texts = "".join(
        f'<text class="{"head" if place == 0 else "line"}" x="{_n(middle)}" y="{_n(first + place * _STEP)}">'
        f"{_text(line)}</text>"
        for place, line in enumerate(node.lines)
    )
    hint = _hint("\n".join(part for part in (node.hint, node.fault) if part))
    return f'<g class="node {node.kind}{marks}">{hint}{_shape(node, rect)}{texts}</g>'


def _shape(node: Node, rect: Rect) -> str:
    match node.kind:
        case "state" | "moment" | "start":
            return f'<rect {_box(rect)} rx="{_n(min(rect.height / 2, 16))}"/>'
        case "if" | "choice":
            x, y, wide, high = rect.x, rect.y, rect.width, rect.height
            corners = (
                (x + 7, y), (x + wide - 7, y), (x + wide, y + high / 2),
                (x + wide - 7, y + high), (x + 7, y + high), (x, y + high / 2),
            )  # fmt: skip
            return f'<polygon points="{" ".join(f"{_n(a)},{_n(b)}" for a, b in corners)}"/>'
        case "end":
            inner = Rect(rect.x + 3, rect.y + 3, rect.width - 6, rect.height - 6)
            return f'<rect {_box(rect)} rx="4"/><rect class="inner" {_box(inner)} rx="2"/>'
        case "fold":
            behind = Rect(rect.x + 4, rect.y + 4, rect.width, rect.height)
            return f'<rect {_box(behind)} rx="4"/><rect {_box(rect)} rx="4"/>'
        case _:
            return f'<rect {_box(rect)} rx="4"/>'


def _edge(edge: Edge, route: Route, drawing: Drawing) -> str:
    head = f"url(#{_marker(drawing, edge)})"
    ends = f' marker-end="{head}"' + (f' marker-start="{head}"' if edge.both else "")
    hint = _hint(edge.hint or edge.label.replace("\n", " "))
    return f'<path class="edge {edge.line} {edge.tone}" d="{_way(route)}"{ends}>{hint}</path>'


def _way(route: Route) -> str:
    first, *rest = route.points
    found = f"M{_n(first[0])} {_n(first[1])}"
    if route.loop:
        return f"{found}C{' '.join(f'{_n(x)} {_n(y)}' for x, y in rest)}"
    before = first
    for x, y in rest:
        if abs(x - before[0]) < 0.05 or abs(y - before[1]) < 0.05:
            found += f"L{_n(x)} {_n(y)}"
        elif route.across:
            middle = (x + before[0]) / 2
            found += f"C{_n(middle)} {_n(before[1])} {_n(middle)} {_n(y)} {_n(x)} {_n(y)}"
        else:
            middle = (y + before[1]) / 2
            found += f"C{_n(before[0])} {_n(middle)} {_n(x)} {_n(middle)} {_n(x)} {_n(y)}"
        before = (x, y)
    return found


def _label(edge: Edge, at: tuple[float, float]) -> str:
    hint = _hint(edge.hint)
    return "".join(
        f'<text class="label {edge.tone}" x="{_n(at[0])}" y="{_n(at[1] + 11 + 13 * place)}">{_text(line)}{hint}</text>'
        for place, line in enumerate(edge.label.split("\n"))
    )


# ---- what stands under the picture ----------------------------------------------------------------------------------


def _foot(drawing: Drawing, wide: float) -> Iterator[tuple[float, str]]:
    """Lines with their heights: the legend of what occurs, then the notes."""
    used = {node.kind for node in drawing.nodes}
    shown: list[tuple[str, str]] = [(kind, words) for kind, words in LEGEND[drawing.what].items() if kind in used]
    if any(node.fault for node in drawing.nodes):
        shown.append(("fault", "no play comes here"))
    if any(node.assumed for node in drawing.nodes):
        shown.append(("assumed", "assumed, not in the book"))
    limit = max(wide, 360) - 32
    x, row = 0.0, ""
    for kind, words in shown:
        width = 26 + text_width(words, _SMALL) + 16
        if row and x + width > limit:
            yield 20, row
            x, row = 0.0, ""
        row += (
            f'<g class="node {kind}"><rect x="{_n(x)}" y="0" width="18" height="12" rx="3"/>'
            f'<text class="key" x="{_n(x + 24)}" y="10">{_text(words)}</text></g>'
        )
        x += width
    if row:
        yield 24, row
    for note in drawing.notes:
        for line in wrapped(note, int(limit / text_width("n", _SMALL)), 9):
            yield 16, f'<text class="note" x="0" y="10">{_text(line)}</text>'


def _markers(drawing: Drawing) -> str:
    tones = sorted({edge.tone for edge in drawing.edges})
    found = "".join(
        f'<marker id="ludex-{drawing.what}-{tone}" class="tip {tone}" viewBox="0 0 8 8" refX="7.4" refY="4"'
        ' markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
        '<path d="M0 .6L8 4L0 7.4z"/></marker>'
        for tone in tones
    )
    return f"<defs>{found}</defs>"


def _marker(drawing: Drawing, edge: Edge) -> str:
    return f"ludex-{drawing.what}-{edge.tone}"


def _box(rect: Rect) -> str:
    return f'x="{_n(rect.x)}" y="{_n(rect.y)}" width="{_n(rect.width)}" height="{_n(rect.height)}"'


def _hint(text: str) -> str:
    if not text:
        return ""
    lines = "\n".join(map(one_line, text.split("\n")))
    return f"<title>{escape(lines, quote=False)}</title>"


def _text(text: str) -> str:
    return escape(one_line(text), quote=False)


def _n(value: float) -> str:
    """A number in few letters."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
