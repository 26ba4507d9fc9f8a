"""Places of a rulebook in the terminal: the line, what is marked on it, and a few words."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from rules.span import Span

_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "info": "\x1b[1;36m",
    "place": "\x1b[34m",
    "help": "\x1b[36m",
    "bold": "\x1b[1m",
}
_RESET = "\x1b[0m"
_WIDEST = 200


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours a text, or leaves it as it is."""

    colour: bool

    def __call__(self, text: str, style: str) -> str:
        return f"{_COLOURS[style]}{text}{_RESET}" if self.colour else text


def snippet(span: Span, text: str, width: int, mark: str, paint: Paint, most: int = 1) -> list[str]:
    """The place, its line with `text` under the mark, and the lines after it that the span covers, `most` in all."""
    line, column = span.source.line_column(span.start)
    lines = [" " * width + paint("--> ", "place") + plain(f"{span.source.path}:{line}:{column}")]
    source = span.source.line_text(line)
    if not source.strip():
        return [*lines, f"{' ' * width}   {text}"] if text else lines
    length = max(1, min(span.end - span.start, len(source) - column + 1))
    shown, start = _cut(source, column - 1)
    shown = plain(shown)
    before = _columns(shown[:start])
    carets = mark * max(1, _columns(shown[start : start + length]))
    bar = paint("|", "place")
    lines.append(f"{paint(str(line).rjust(width), 'place')} {bar} {shown}")
    lines.append(
        f"{' ' * width} {bar} {' ' * before}{paint(carets, 'error' if mark == '^' else 'place')} {text}".rstrip()
    )
    last = last_line(span)
    for further in range(line + 1, min(last, line + most - 1) + 1):
        follows = plain(_cut(span.source.line_text(further), 0)[0])
        lines.append(f"{paint(str(further).rjust(width), 'place')} {bar} {follows}".rstrip())
    if 1 < most <= last - line:
        lines.append(f"{paint('.' * min(width, 3), 'place').rjust(width)} {bar}")
    return lines


def last_line(span: Span) -> int:
    """The last line of a span that has something on it."""
    text = span.text.rstrip()
    return span.line + text.count("\n")


def plain(text: str) -> str:
    """What cannot be seen as one space: a rulebook must not be able to talk to the terminal, nor to move the carets."""
    return "".join(c if c.isprintable() else " " for c in text)


def _cut(source: str, start: int) -> tuple[str, int]:
    """A very long line is cut to what stands around the place."""
    if len(source) <= _WIDEST:
        return source, start
    first = max(0, start - _WIDEST // 2)
    head = "..." if first else ""
    tail = "..." if first + _WIDEST < len(source) else ""
    return head + source[first : first + _WIDEST] + tail, start - first + len(head)


def _columns(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
