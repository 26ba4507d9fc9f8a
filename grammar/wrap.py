"""A long line to several: the lexer reads them as one.

In: a canonical line and its indentation. Out: the same tokens on one or more lines, the first at the indentation, the
others eight spaces deeper, so that they are never taken for a block. A break stands only where `layout` lets a line go
on; where there is none, the line stays long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from grammar.layout import CONTINUES_AFTER, CONTINUES_BEFORE

WIDTH = 100
DEEPER = 8

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|[ ]|[^\w" ]')
_CONNECTIVES = frozenset(("and", "or"))


@dataclass(frozen=True, slots=True)
class _Gap:
    """A space where the line may be broken; the gap of the lowest cost is the best."""

    place: int
    cost: tuple[int, int]


def wrap_line(text: str, indent: int, width: int = WIDTH) -> list[str]:
    lines: list[str] = []
    gaps = list(_gaps(text))
    start, margin = 0, indent
    while len(text) - start > width - margin:
        place = _best([gap for gap in gaps if gap.place > start], start, width - margin)
        if place is None:
            break
        lines.append(" " * margin + text[start:place])
        start, margin = place + 1, indent + DEEPER
    lines.append(" " * margin + text[start:])
    return lines


def _best(gaps: list[_Gap], start: int, room: int) -> int | None:
    """The cheapest gap that fits, the last of these; one that leaves most of the line empty only for want of others."""
    fitting = [gap for gap in gaps if gap.place - start <= room]
    if not fitting:
        return gaps[0].place if gaps else None
    full = [gap for gap in fitting if gap.place - start > room // 3]
    return min(full or fitting, key=lambda gap: (gap.cost, -gap.place)).place


def _gaps(text: str) -> Iterator[_Gap]:
    pieces = list(_PIECE.finditer(text))
    brackets = 0
    for before, piece, after in zip(pieces, pieces[1:], pieces[2:], strict=False):
        if before.group() in ("(", "{"):
            brackets += 1
        elif before.group() in (")", "}"):
            brackets -= 1
        if piece.group() != " ":
            continue
        follows_word, precedes_word = before.group(), after.group()
        if brackets or follows_word in CONTINUES_AFTER or precedes_word in CONTINUES_BEFORE:
            optional_type = precedes_word == "or" and text.startswith("or none", after.start())
            cost = 4 if optional_type else _cost(follows_word, precedes_word)
            yield _Gap(piece.start(), (brackets, cost))


def _cost(before: str, after: str) -> int:
    if after in CONTINUES_BEFORE - _CONNECTIVES:
        return 0
    if after in _CONNECTIVES:
        return 1
    if before == ",":
        return 2
    # Never right after `and`: the break before it is next to it, and better.
    return 4 if before in _CONNECTIVES or before not in CONTINUES_AFTER else 3
