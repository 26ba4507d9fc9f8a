"""A picture as plain data: nodes, edges, groups. What they look like is for the writers to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

What = Literal["phases", "story", "precedence", "rules"]

NodeKind = Literal[
    "action",
    "call",
    "chance",
    "choice",
    "deed",
    "document",
    "end",
    "fold",
    "if",
    "meta",
    "moment",
    "offer",
    "passage",
    "play",
    "procedure",
    "rank",
    "rule",
    "start",
    "state",
    "table",
    "value",
    "window",
]
GroupKind = Literal["chapter", "document", "loop", "phase", "procedure", "rest"]
Line = Literal["solid", "dashed", "dotted"]
Tone = Literal["plain", "good", "bad", "quiet"]


@dataclass(frozen=True, slots=True)
class Node:
    """`name` is the author's, by which the node can be asked for. `fault` says why no play comes here, where none does.

    `fold` names what the node is part of where a picture is too large to show every node.
    """

    id: str
    kind: NodeKind
    name: str
    lines: tuple[str, ...]
    group: str | None = None
    fold: str | None = None
    hint: str = ""
    assumed: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a node or a group to another. `both`: the arrow has two heads."""

    source: str
    target: str
    label: str = ""
    hint: str = ""
    line: Line = "solid"
    tone: Tone = "plain"
    both: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    id: str
    kind: GroupKind
    name: str
    title: str
    parent: str | None = None
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """`notes` are sentences that stand under the picture: what was folded, what a line means."""

    what: What
    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    groups: tuple[Group, ...] = ()
    notes: tuple[str, ...] = ()
