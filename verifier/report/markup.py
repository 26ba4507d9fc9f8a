"""HTML, in which every text is escaped: only what `element` has made goes into a page as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

_QUOTED = re.compile(r"`([^`]*)`")
_EMPTY = frozenset({"input", "meta"})


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Child = str | Markup | None


def element(name: str, /, *children: Child | Iterable[Child], **attributes: str | bool | None) -> Markup:
    """An element. `class_` and `data_family` become `class` and `data-family`; None and False are left out."""
    inside = "".join(_inside(child) for child in children)
    head = name + "".join(_attribute(key, value) for key, value in attributes.items())
    return Markup(f"<{head}>" if name in _EMPTY else f"<{head}>{inside}</{name}>")


def join(*parts: Child | Iterable[Child]) -> Markup:
    return Markup("".join(_inside(part) for part in parts))


def words(text: str) -> Markup:
    """A sentence; the author's words, in backticks, are set as such."""
    parts: list[Child] = []
    end = 0
    for found in _QUOTED.finditer(text):
        parts += [text[end : found.start()], element("code", found.group(1))]
        end = found.end()
    return join(parts, text[end:])


def _inside(child: Child | Iterable[Child]) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return escape(visible(child), quote=False)
    return "".join(_inside(part) for part in child)


def _attribute(key: str, value: str | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{escape(visible(value), quote=True)}"'


def visible(text: str) -> str:
    """What cannot be seen as one space, but for ends of lines: nothing in a rulebook may turn the order of a page."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
