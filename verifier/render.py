"""Diagnostics for people (source lines and carets) and for programs (JSON)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rules.diagnostics import Diagnostic, Severity
from rules.span import Span
from verifier.snippet import Paint, plain, snippet


def to_text(diagnostic: Diagnostic, colour: bool = False, severity: Severity | None = None) -> str:
    """One diagnostic: what is wrong, where, the line with a caret, the other places, and help.

    `severity` is given where a project has one of its own.
    """
    paint = Paint(colour)
    word = (severity or diagnostic.severity).value
    head = paint(f"{word}[{diagnostic.code}]", word) + paint(f": {plain(diagnostic.message)}", "bold")
    width = max(len(str(span.line)) for span in (diagnostic.span, *(label.span for label in diagnostic.labels)))
    parts = [head, *snippet(diagnostic.span, "", width, "^", paint)]
    for label in diagnostic.labels:
        parts += snippet(label.span, label.text, width, "-", paint)
    if diagnostic.help is not None:
        parts.append(" " * width + paint(" = ", "place") + paint("help: ", "help") + plain(diagnostic.help))
    return "\n".join(parts)


def to_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, Any]]:
    return [diagnostic_json(d, d.severity) for d in diagnostics]


def diagnostic_json(d: Diagnostic, severity: Severity) -> dict[str, Any]:
    return {
        "code": d.code,
        "severity": severity.value,
        "message": d.message,
        **place_json(d.span),
        "help": d.help,
        "related": [{"message": label.text, **place_json(label.span)} for label in d.labels],
    }


def place_json(span: Span) -> dict[str, Any]:
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    return {"file": span.source.path, "line": line, "column": column, "end_line": end_line, "end_column": end_column}
