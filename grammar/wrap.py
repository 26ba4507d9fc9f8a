"""A long line to several: the lexer reads them as one.

In: a canonical line and its indentation. Out: the same tokens on one or more lines, the first at the indentation, the
others eight spaces deeper, so that they are never taken for a block, and four more inside a bracket. A break stands
only where `layout` lets a line go on; where there is none, the line stays long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from grammar.layout import CONTINUES_AFTER, CONTINUES_BEFORE

WIDTH = 100
DEEPER = 8
_IN_BRACKET = 4

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|\w+|[ ]|[^\w" ]')
_CONNECTIVES = frozenset({"and", "or"})
_CLAUSES = CONTINUES_BEFORE - _CONNECTIVES

# What a break costs: the kind of place, more for each bracket around it, more where it leaves most of the line empty.
_AT_CLAUSE, _AT_OR, _AT_AND, _AFTER_COMMA, _AFTER_WORD, _AFTER_OPERATOR, _ELSEWHERE = 0, 1, 2, 3, 4, 7, 12
_PER_BRACKET = 4
_SHORT = 2


@dataclass(frozen=True, slots=True)
class _Gap:
    """A space where the line may be broken."""

    place: int
    brackets: int
    cost: int


def wrap_line(text: str, indent: int, width: int = WIDTH) -> list[str]:
    lines: list[str] = []
    gaps = list(_gaps(text)) if indent + len(text) > width else []
    places = [gap.place for gap in gaps]
    start, margin = 0, indent
    while len(text) - start > width - margin:
        first = bisect_right(places, start)
        if first == len(gaps):
            break
        gap = _best(gaps[first : max(first + 1, bisect_right(places, start + width - margin))], start, width - margin)
        lines.append(" " * margin + text[start : gap.place])
        start, margin = gap.place + 1, indent + DEEPER + _IN_BRACKET * gap.brackets
    lines.append(" " * margin + text[start:])
    return lines


def _best(gaps: list[_Gap], start: int, room: int) -> _Gap:
    """The last of the cheapest gaps that fit; the first of all if none fits."""
    fitting = [gap for gap in gaps if gap.place - start <= room]

    def cost(gap: _Gap) -> tuple[int, int]:
        is_short = gap.cost != _AT_CLAUSE and gap.place - start < room // 3
        return gap.cost + (_SHORT if is_short else 0), -gap.place

    return min(fitting, key=cost) if fitting else gaps[0]


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
        if brackets or before.group() in CONTINUES_AFTER or after.group() in CONTINUES_BEFORE:
            splits_type = text.startswith("or none", after.start())
            cost = _ELSEWHERE if splits_type else _cost(before.group(), after.group())
            yield _Gap(piece.start(), brackets, cost + _PER_BRACKET * brackets)


def _cost(before: str, after: str) -> int:
    if after in _CLAUSES:
        return _AT_CLAUSE
    if after in _CONNECTIVES:
        return _AT_OR if after == "or" else _AT_AND
    if before == ",":
        return _AFTER_COMMA
    if before not in CONTINUES_AFTER or before in _CONNECTIVES:  # the place before `and` is next to it, and better
        return _ELSEWHERE
    return _AFTER_WORD if before.isalpha() else _AFTER_OPERATOR
