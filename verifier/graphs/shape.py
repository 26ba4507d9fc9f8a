"""Drawings made smaller: what stands round one node, or chapters in place of their passages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from verifier.graphs.drawing import Drawing, Edge, Group, Node
from verifier.graphs.wording import counted, cut

_DRAWN = 200  # edges of a folded picture
_LABELLED = 150  # edges; with more, their numbers stand only in the hints
_BLOCKS = 40  # into so many parts a drawing is folded that has no parts of its own


class NoSuchNode(ValueError):  # noqa: N818  (the asker's slip, not an error of ours)
    """A name that nothing in a picture has, with those that are near it."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        close = get_close_matches(name, sorted(set(known)), n=1, cutoff=0.6)
        hint = f"; did you mean `{close[0]}`?" if close else ""
        super().__init__(f"nothing in the picture is called `{name}`{hint}")


# ---- the neighbourhood of a node ------------------------------------------------------------------------------------


def around(drawing: Drawing, name: str, depth: int, most: int) -> Drawing:
    """What is at most so many edges away from what has this name, at most so many nodes, the nearest first.

    Raises `NoSuchNode`.
    """
    parts: list[Node | Group] = [*drawing.nodes, *drawing.groups]
    named = [part.id for part in parts if part.name == name]
    named = named or [node.id for node in drawing.nodes if node.fold == name]
    if not named:
        known = {part.name for part in parts} | {node.fold or "" for node in drawing.nodes}
        raise NoSuchNode(name, known - {""})
    inside = _inside(drawing)
    near: dict[str, None] = {}
    left_out = 0
    edge_ring = [node for part in named for node in inside.get(part, (part,))]
    beside = _neighbours(drawing, inside)
    for _ in range(depth + 1):
        fresh = [node for node in dict.fromkeys(edge_ring) if node not in near]
        room = max(most - len(near), 0)
        left_out += max(len(fresh) - room, 0)
        near |= dict.fromkeys(fresh[:room])
        edge_ring = [other for node in fresh[:room] for other in beside.get(node, ())]
    notes = [f"only what is within {counted(depth, 'step')} of {name}"]
    if left_out:
        notes.append(f"and {counted(left_out, 'more node')} beyond the limit of {most:,}")
    found = _only(drawing, frozenset(near))
    return replace(found, title=f"{drawing.title}, around {cut(name, 40)}", notes=(*drawing.notes[1:], *notes))


def _inside(drawing: Drawing) -> dict[str, tuple[str, ...]]:
    """The nodes in each group, those of inner groups too."""
    parent = {group.id: group.parent for group in drawing.groups}
    found: dict[str, list[str]] = {}
    for node in drawing.nodes:
        at = node.group
        while at is not None:
            found.setdefault(at, []).append(node.id)
            at = parent[at]
    return {group: tuple(nodes) for group, nodes in found.items()}


def _neighbours(drawing: Drawing, inside: Mapping[str, tuple[str, ...]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for edge in drawing.edges:
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            for node in inside.get(one, (one,)):
                found.setdefault(node, []).extend(inside.get(other, (other,)))
    return found


def _only(drawing: Drawing, kept: frozenset[str]) -> Drawing:
    nodes = tuple(node for node in drawing.nodes if node.id in kept)
    parent = {group.id: group.parent for group in drawing.groups}
    alive: set[str] = set()
    for node in nodes:
        at = node.group
        while at is not None and at not in alive:
            alive.add(at)
            at = parent[at]
    groups = tuple(group for group in drawing.groups if group.id in alive)
    ends = kept | alive
    edges = tuple(edge for edge in drawing.edges if edge.source in ends and edge.target in ends)
    return replace(drawing, nodes=nodes, groups=groups, edges=edges)


# ---- folding --------------------------------------------------------------------------------------------------------


def folded(drawing: Drawing, most: int) -> Drawing:
    """The drawing with one node for each part of it (a chapter, a section, a procedure), and how much is in it.

    A part that is one node stays as it is. Where there are no parts, or still too many, what stands next to each other
    in the book is put together.
    """
    whole = len(drawing.nodes)
    part = {node.id: node.fold or "" for node in drawing.nodes}
    titles = {group.id: group.title for group in drawing.groups}
    if len(set(part.values())) <= 1:
        part, titles = _in_blocks([node.id for node in drawing.nodes], drawing, min(_BLOCKS, most))
    if len(set(part.values())) > most:
        blocks, names = _in_blocks(list(dict.fromkeys(part.values())), drawing, min(_BLOCKS, most), titles)
        part = {node: blocks[fold] for node, fold in part.items()}
        titles |= names
    members: dict[str, list[Node]] = {}
    for node in drawing.nodes:
        members.setdefault(part[node.id], []).append(node)
    nodes = tuple(_fold_node(fold, found, titles.get(fold, fold)) for fold, found in members.items())
    ids = {node: f"fold {fold}" for node, fold in part.items()}
    for group, found in _inside(drawing).items():
        ids[group] = ids[found[0]]
    merged = list(_merged(drawing.edges, ids))
    drawn = _strongest(merged)
    unit = "passage" if drawing.what == "story" else "node"
    note = f"folded: {counted(whole, unit)} in {counted(len(nodes), 'part')}"
    notes = [*drawing.notes, note]
    if len(drawn) < len(merged):
        notes.append(f"{counted(len(merged) - len(drawn), 'line')} between parts that hang together least are left out")
    edges = tuple(_labelled(edge, count, len(drawn) <= _LABELLED) for edge, count in drawn)
    return replace(drawing, nodes=nodes, edges=edges, groups=(), notes=tuple(notes))


def _in_blocks(
    ids: list[str], drawing: Drawing, count: int, titles: Mapping[str, str] | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    names = {node.id: node.name or node.lines[0] for node in drawing.nodes} | dict(titles or {})
    size = -(-len(ids) // count)
    part: dict[str, str] = {}
    called: dict[str, str] = {}
    for start in range(0, len(ids), size):
        block = ids[start : start + size]
        fold = f"block {start // size}"
        part |= dict.fromkeys(block, fold)
        first, last = names.get(block[0], block[0]), names.get(block[-1], block[-1])
        called[fold] = f"{cut(first, 20)} … {cut(last, 20)}"
    return part, called


def _fold_node(fold: str, members: list[Node], title: str) -> Node:
    if len(members) == 1:
        return replace(members[0], id=f"fold {fold}", group=None)
    kinds: dict[str, int] = {}
    for node in members:
        kinds[node.kind] = kinds.get(node.kind, 0) + 1
    counts = [counted(number, *_WORDS.get(kind, (kind,))) for kind, number in kinds.items()]
    lost = sum(bool(node.fault) for node in members)
    starts = [node.name for node in members if node.kind == "start"]
    lines = [cut(title, 40), cut(", ".join(counts), 46)]
    if starts:
        lines.append(cut(f"begins: {', '.join(starts)}", 40))
    if lost:
        lines.append(f"{lost:,} that no play comes to")
    hint = "\n".join((title, *counts, ", ".join(node.name for node in members[:30] if node.name)))
    fault = f"none of the {len(members):,} can be come to" if lost == len(members) else ""
    return Node(f"fold {fold}", "fold", title, tuple(lines), None, None, hint, fault=fault)


_WORDS: Mapping[str, tuple[str, str]] = {
    "start": ("beginning", "beginnings"),
    "end": ("ending", "endings"),
    "if": ("condition", "conditions"),
    "deed": ("step", "steps"),
    "state": ("piece of state", "pieces of state"),
}


def _merged(edges: Iterable[Edge], ids: Mapping[str, str]) -> Iterator[tuple[Edge, int]]:
    """One edge for all that lead from one part to another, and how many they are; those inside a part are left out."""
    found: dict[tuple[str, str], list[Edge]] = {}
    for edge in edges:
        ends = ids[edge.source], ids[edge.target]
        if ends[0] != ends[1]:
            found.setdefault(ends, []).append(edge)
    for (source, target), several in found.items():
        hint = "\n".join(edge.hint or edge.label for edge in several[:12])
        more = f"\n… {len(several) - 12:,} more" if len(several) > 12 else ""
        both = any(edge.both for edge in several)
        yield Edge(source, target, "", hint + more, both=both), len(several)


def _strongest(edges: list[tuple[Edge, int]]) -> list[tuple[Edge, int]]:
    """As many as can be told apart, those that stand for most first; one that leads to it is kept for each part."""
    if len(edges) <= _DRAWN:
        return edges
    led_to: set[str] = set()
    kept: set[int] = set()
    order = sorted(range(len(edges)), key=lambda number: -edges[number][1])
    for number in order:
        if edges[number][0].target not in led_to:
            led_to.add(edges[number][0].target)
            kept.add(number)
    kept.update([number for number in order if number not in kept][: max(_DRAWN - len(kept), 0)])
    return [edge for number, edge in enumerate(edges) if number in kept]


def _labelled(edge: Edge, count: int, shown: bool) -> Edge:
    label = f"{count:,}" if shown and count > 1 else ""
    return replace(edge, label=label, tone="plain" if count > 1 else "quiet")
