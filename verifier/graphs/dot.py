"""A drawing as DOT, the language of Graphviz."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from verifier.graphs.drawing import Drawing, Edge, Group, Node
from verifier.graphs.wording import one_line

_SHAPES: Mapping[str, str] = {
    "state": 'shape=box, style="rounded,filled"',
    "moment": 'shape=box, style="rounded,filled"',
    "start": 'shape=box, style="rounded,filled"',
    "if": 'shape=hexagon, style="filled"',
    "choice": 'shape=hexagon, style="filled"',
    "end": 'shape=box, style="filled", peripheries=2',
    "fold": 'shape=box3d, style="filled"',
}
_COLOURS: Mapping[str, str] = {"plain": "#6d6d76", "quiet": "#a0a0aa", "good": "#2f7a35", "bad": "#b3261e"}


def to_dot(drawing: Drawing) -> str:
    """The text of a DOT file. The same drawing gives the same text."""
    nodes = {node.id: f"n{number}" for number, node in enumerate(drawing.nodes, 1)}
    lines = [
        "digraph {",
        f"  graph [label={_quoted(drawing.title)}, labelloc=t, compound=true, rankdir=TB, fontname=Helvetica];",
        '  node [fontname=Helvetica, fontsize=11, fillcolor="#f7f7f5", color="#8c8c86"];',
        "  edge [fontname=Helvetica, fontsize=9];",
        *_inside(None, drawing, nodes, 1),
    ]
    groups = {group.id: f"cluster_{number}" for number, group in enumerate(drawing.groups, 1)}
    first = _first_nodes(drawing)
    lines += (f"  {_edge(edge, nodes, groups, first)}" for edge in drawing.edges)
    return "\n".join((*lines, "}")) + "\n"


def _inside(group: str | None, drawing: Drawing, nodes: Mapping[str, str], depth: int) -> Iterator[str]:
    step = "  " * depth
    for number, inner in enumerate(drawing.groups, 1):
        if inner.parent == group:
            yield f"{step}subgraph cluster_{number} {{"
            yield f'{step}  graph [label={_quoted(inner.title)}, style="rounded,filled", {_group(inner)}];'
            yield from _inside(inner.id, drawing, nodes, depth + 1)
            yield f"{step}}}"
    for node in drawing.nodes:
        if node.group == group:
            yield f"{step}{nodes[node.id]} [{_node(node)}];"


def _group(group: Group) -> str:
    return f'fillcolor="#fafaf7", color="#b9b9b0", fontsize=11, tooltip={_quoted(group.hint or group.title)}'


def _node(node: Node) -> str:
    shape = _SHAPES.get(node.kind, 'shape=box, style="filled"')
    if node.assumed or node.fault:
        shape = shape.replace("filled", "dashed")
    colour = ', color="#b3261e", fontcolor="#b3261e"' if node.fault else ""
    hint = "\n".join(part for part in (node.hint, node.fault) if part)
    return f"label={_quoted(*node.lines)}, {shape}{colour}, tooltip={_quoted(*hint.split(chr(10)))}"


def _edge(edge: Edge, nodes: Mapping[str, str], groups: Mapping[str, str], first: Mapping[str, str]) -> str:
    parts = [f"style={edge.line}", f'color="{_COLOURS[edge.tone]}"']
    if edge.label:
        parts.append(f"label={_quoted(*edge.label.split(chr(10)))}")
    if edge.hint:
        parts.append(f"tooltip={_quoted(*edge.hint.split(chr(10)))}")
    if edge.both:
        parts.append("dir=both")
    if edge.source in groups:
        parts.append(f"ltail={groups[edge.source]}")
    if edge.target in groups:
        parts.append(f"lhead={groups[edge.target]}")
    source = nodes[first.get(edge.source, edge.source)]
    target = nodes[first.get(edge.target, edge.target)]
    return f"{source} -> {target} [{', '.join(parts)}];"


def _first_nodes(drawing: Drawing) -> dict[str, str]:
    """A node in each group: Graphviz draws edges between nodes, and cuts them off at the border of a group."""
    parent = {group.id: group.parent for group in drawing.groups}
    found: dict[str, str] = {}
    for node in drawing.nodes:
        at = node.group
        while at is not None:
            found.setdefault(at, node.id)
            at = parent[at]
    return found


def _quoted(*lines: str) -> str:
    """A text in quotes. Graphviz takes backslashes and the entities of HTML in it for more than they are."""
    text = "\\n".join(one_line(line).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return f'"{text}"'
