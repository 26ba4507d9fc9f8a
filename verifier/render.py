"""Diagnostics for people (source lines and carets) and for programs (JSON)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from rules.diagnostics import Diagnostic
from rules.span import Span

_COLOURS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "place": "\x1b[34m", "help": "\x1b[36m", "bold": "\x1b[1m"}
_RESET = "\x1b[0m"
_WIDEST = 200


def to_text(diagnostic: Diagnostic, colour: bool = False) -> str:
    """One diagnostic: what is wrong, where, the line with a caret, the other places, and help."""

    def paint(text: str, style: str) -> str:
        return f"{_COLOURS[style]}{text}{_RESET}" if colour else text

    severity = diagnostic.severity.value
    head = paint(f"{severity}[{diagnostic.code}]", severity) + paint(f": {_plain(diagnostic.message)}", "bold")
    width = max(len(str(span.line)) for span in (diagnostic.span, *(label.span for label in diagnostic.labels)))
    parts = [head, *_snippet(diagnostic.span, "", width, "^", paint)]
    for label in diagnostic.labels:
        parts += _snippet(label.span, label.text, width, "-", paint)
    if diagnostic.help is not None:
        parts.append(" " * width + paint(" = ", "place") + paint("help: ", "help") + _plain(diagnostic.help))
    return "\n".join(parts)


def _snippet(span: Span, text: str, width: int, mark: str, paint: Any) -> list[str]:
    line, column = span.source.line_column(span.start)
    lines = [" " * width + paint("--> ", "place") + f"{span.source.path}:{line}:{column}"]
    source = span.source.line_text(line)
    if not source.strip():
        return [*lines, f"{' ' * width}   {text}"] if text else lines
    length = max(1, min(span.end - span.start, len(source) - column + 1))
    shown, start = _cut(source, column - 1)
    shown = _plain(shown)
    before = _columns(shown[:start])
    carets = mark * max(1, _columns(shown[start : start + length]))
    bar = paint("|", "place")
    lines.append(f"{paint(str(line).rjust(width), 'place')} {bar} {shown}")
    lines.append(
        f"{' ' * width} {bar} {' ' * before}{paint(carets, 'error' if mark == '^' else 'place')} {text}".rstrip()
    )
    return lines


def _plain(text: str) -> str:
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


def to_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    return [
        {
            "code": d.code,
            "severity": d.severity.value,
            "message": d.message,
            **_place(d.span),
            "help": d.help,
            "related": [{"message": label.text, **_place(label.span)} for label in d.labels],
        }
        for d in diagnostics
    ]


def _place(span: Span) -> dict[str, Any]:
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    return {"file": span.source.path, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
