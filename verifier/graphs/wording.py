"""Texts of a picture: how wide they are, and how they are cut to fit. Nothing is lost: the whole stands in the hint."""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import category, combining, east_asian_width

# Widths of letters as parts of the size of the type, for a wide sans-serif: in a narrower one there is room to spare.
_NARROW = frozenset("iIjl|!'.,:;()[]{}ftr/\\` ")
_WIDE = frozenset("mwMWGOQ@%&—…→↻")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def text_width(text: str, size: float) -> float:
    """How wide a text is at most, in the units of `size`."""
    return sum(map(_letter, text)) * size


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.40
    if letter in _WIDE:
        return 0.98
    if combining(letter) or category(letter) == "Cf":
        return 0.0
    if east_asian_width(letter) in "WF" or ord(letter) >= 0x1F000:
        return 1.1
    return 0.74 if letter.isupper() else 0.64


def one_line(text: str) -> str:
    """The text without line breaks and other letters that cannot be shown."""
    clean = _CONTROL.sub(" ", text).encode("utf-8", "replace").decode("utf-8")
    return " ".join(clean.split())


def cut(text: str, most: int) -> str:
    """At most so many letters; three dots stand for the rest."""
    text = one_line(text)
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def wrapped(text: str, most: int, lines: int) -> tuple[str, ...]:
    """The text in lines of at most so many letters; what does not fit in so many lines is cut."""
    found: list[str] = []
    rest = one_line(text)
    while rest and len(found) < lines - 1 and len(rest) > most:
        at = rest.rfind(" ", 1, most + 1)
        if at <= 0:
            break
        found.append(rest[:at])
        rest = rest[at + 1 :]
    return (*found, cut(rest, most)) if rest else tuple(found)


def listed(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """The first lines, and how many more there are."""
    every = tuple(lines)
    if len(every) <= most:
        return every
    return (*every[: most - 1], f"… {len(every) - most + 1} more")


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
