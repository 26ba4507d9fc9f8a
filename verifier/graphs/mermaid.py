"""A drawing as a Mermaid flowchart, for pages that turn such texts into pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from verifier.graphs.drawing import Drawing, Edge, Line, Node
from verifier.graphs.wording import one_line

_SHAPES: Mapping[str, tuple[str, str]] = {
    "state": ("([", "])"),
    "moment": ("([", "])"),
    "start": ("([", "])"),
    "if": ("{{", "}}"),
    "choice": ("{{", "}}"),
    "end": ("[[", "]]"),
    "fold": ("[[", "]]"),
}
_ARROWS: Mapping[tuple[Line, bool], str] = {
    ("solid", False): "-->",
    ("solid", True): "<-->",
    ("dashed", False): "-.->",
    ("dashed", True): "<-.->",
    ("dotted", False): "-.->",
    ("dotted", True): "<-.->",
}
# Everything but letters, digits and a few harmless signs; an underscore within a word is harmless too.
_SIGNS = re.compile(r"[^\w ,·…→↻=/]|(?<![^\W_])_|_(?![^\W_])")


def to_mermaid(drawing: Drawing) -> str:
    """The text of a flowchart. The same drawing gives the same text."""
    ids = {node.id: f"n{number}" for number, node in enumerate(drawing.nodes, 1)}
    ids |= {group.id: f"g{number}" for number, group in enumerate(drawing.groups, 1)}
    lines = ["flowchart TD", *_inside(None, drawing, ids, 1)]
    lines += (_edge(edge, ids) for edge in drawing.edges)
    assumed = [ids[node.id] for node in drawing.nodes if node.assumed]
    faults = [ids[node.id] for node in drawing.nodes if node.fault]
    if assumed:
        lines += ["  classDef assumed stroke-dasharray:5 4", f"  class {','.join(assumed)} assumed"]
    if faults:
        lines += [
            "  classDef fault stroke:#b3261e,color:#b3261e,stroke-dasharray:3 3",
            f"  class {','.join(faults)} fault",
        ]
    return "\n".join(lines) + "\n"


def _inside(group: str | None, drawing: Drawing, ids: Mapping[str, str], depth: int) -> Iterator[str]:
    step = "  " * depth
    for inner in drawing.groups:
        if inner.parent == group:
            yield f"{step}subgraph {ids[inner.id]}[{_quoted(inner.title)}]"
            yield from _inside(inner.id, drawing, ids, depth + 1)
            yield f"{step}end"
    for node in drawing.nodes:
        if node.group == group:
            yield f"{step}{ids[node.id]}{_shape(node)}"


def _shape(node: Node) -> str:
    opening, closing = _SHAPES.get(node.kind, ("[", "]"))
    return f"{opening}{_quoted(*node.lines)}{closing}"


def _edge(edge: Edge, ids: Mapping[str, str]) -> str:
    label = f"|{_quoted(*edge.label.split(chr(10)))}|" if edge.label else ""
    return f"  {ids[edge.source]} {_ARROWS[edge.line, edge.both]}{label} {ids[edge.target]}"


def _quoted(*lines: str) -> str:
    """A text in quotes. What Mermaid could take for a sign of its own is written as a number."""
    return (
        '"' + "<br/>".join(_SIGNS.sub(lambda found: f"#{ord(found.group())};", one_line(line)) for line in lines) + '"'
    )
