"""All parts of a node of the model, in the order of the text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache

from rules.span import Span


@cache
def _fields(cls: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls) if f.name != "span")


def nodes_of(node: object) -> Iterator[object]:
    """The node itself, then everything inside it, depth first; plain values such as numbers and texts are left out."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(reversed(item))
        elif is_dataclass(item) and not isinstance(item, (type, Span)):
            yield item
            stack.extend(getattr(item, name) for name in reversed(_fields(type(item))))
