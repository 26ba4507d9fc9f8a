"""Diagnostics as data: how grave they are, and in which order they are told."""

from __future__ import annotations

from rules.diagnostics import Diagnostic, Severity, in_reading_order
from rules.span import Source, Span

ONE = Source("a.rules", "play\n    nothing\n")
TWO = Source("b.rules", "play\n")


def test_the_registry_says_how_grave_a_code_is() -> None:
    error = Diagnostic("LX311", "m", Span(ONE, 0, 4))
    warning = Diagnostic("LX305", "m", Span(ONE, 0, 4))
    assert (error.severity, error.is_error) == (Severity.ERROR, True)
    assert (warning.severity, warning.is_error) == (Severity.WARNING, False)


def test_by_file_then_place_then_gravity_then_code() -> None:
    expected = (
        Diagnostic("LX201", "m", Span(ONE, 0, 4)),
        Diagnostic("LX311", "m", Span(ONE, 0, 4)),
        Diagnostic("LX311", "n", Span(ONE, 0, 4)),
        Diagnostic("LX305", "m", Span(ONE, 0, 4)),
        Diagnostic("LX101", "m", Span(ONE, 9, 16)),
        Diagnostic("LX101", "m", Span(TWO, 0, 4)),
    )
    assert in_reading_order(reversed(expected)) == expected


def test_what_is_said_twice_is_told_once() -> None:
    one = Diagnostic("LX101", "m", Span(ONE, 0, 4))
    assert in_reading_order([one, Diagnostic("LX101", "m", Span(ONE, 0, 4))]) == (one,)
    assert len(in_reading_order([one, Diagnostic("LX101", "m", Span(ONE, 0, 5))])) == 2
