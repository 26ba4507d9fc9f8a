"""Diagnostics as text and as JSON: carets stand under what is meant, whatever the line is made of."""

from __future__ import annotations

import json
import re
import unicodedata

import pytest

from rules.diagnostics import Diagnostic, Label
from rules.span import Source, Span
from verifier.render import to_json, to_text


def span_of(text: str, mark: str, path: str = "book.rules", nth: int = 0) -> Span:
    place = -1
    for _ in range(nth + 1):
        place = text.index(mark, place + 1)
    return Span(Source(path, text), place, place + len(mark))


def shown(text: str, mark: str) -> tuple[str, str]:
    """The line of the source and the line of the carets, after the bar."""
    lines = to_text(Diagnostic("LX101", "m", span_of(text, mark))).splitlines()
    return lines[2].partition("| ")[2], lines[3].partition("| ")[2]


def test_the_whole_message() -> None:
    text = "let p be Player\nlet p be Port\n"
    diagnostic = Diagnostic(
        "LX102",
        "variable `p` is declared twice",
        span_of(text, "p", nth=1),
        (Label(span_of(text, "p"), "first declared here"),),
        "take another name",
    )
    assert to_text(diagnostic) == (
        "error[LX102]: variable `p` is declared twice\n"
        " --> book.rules:2:5\n"
        "2 | let p be Port\n"
        "  |     ^\n"
        " --> book.rules:1:5\n"
        "1 | let p be Player\n"
        "  |     - first declared here\n"
        "  = help: take another name"
    )


def test_a_warning_without_help() -> None:
    assert to_text(Diagnostic("LX501", "the state `fog` is never used", span_of("    fog yes/no", "fog"))) == (
        "warning[LX501]: the state `fog` is never used\n --> book.rules:1:5\n1 |     fog yes/no\n  |     ^^^"
    )


CARETS = [
    pytest.param("coins of p", "coins", "^^^^^", id="at the start"),
    pytest.param("coins of p", "p", "         ^", id="at the end"),
    pytest.param("città of p", "of", "      ^^", id="an accent as one letter"),
    pytest.param(
        unicodedata.normalize("NFD", "città") + " of p", "of", "      ^^", id="an accent as a mark of its own"
    ),
    pytest.param("città is rough", "città", "^^^^^", id="a marked word with an accent"),
    pytest.param("港 of p", "of", "   ^^", id="a wide letter before"),
    pytest.param("ship is 港口", "港口", "        ^^^^", id="wide letters marked"),
    pytest.param("a\u20dd of p", "of", "  ^^", id="a letter in a circle"),
    pytest.param("\tcoins of p", "coins", " ^^^^^", id="a tab"),
    pytest.param("a\u200bb of p", "of", "    ^^", id="a letter without width"),
]


@pytest.mark.parametrize(("text", "mark", "carets"), CARETS)
def test_carets_stand_under_the_mark(text: str, mark: str, carets: str) -> None:
    assert shown(text, mark)[1] == carets


def test_nothing_in_a_line_can_steer_the_terminal() -> None:
    source, carets = shown("coins \x1b[31m of \u202ep\r", "of")
    assert source == "coins  [31m of  p "
    assert carets == "            ^^"


def test_nor_can_a_message_or_its_help() -> None:
    diagnostic = Diagnostic("LX121", 'no section "\x1b[2J"', span_of("cites", "cites"), help="not \x07 this")
    text = to_text(diagnostic)
    assert "\x1b" not in text
    assert "\x07" not in text


def test_a_mark_of_several_lines_is_shown_on_its_first() -> None:
    assert shown("play\n    day becomes 3\n", "play\n    day becomes 3") == ("play", "^^^^")


def test_a_mark_at_the_end_of_a_line_has_one_caret() -> None:
    source = Source("book.rules", "play\nrule\n")
    assert to_text(Diagnostic("LX022", "m", Span(source, 4, 4))).splitlines()[3] == "  |     ^"


def test_an_empty_line_is_not_shown() -> None:
    source = Source("book.rules", "\n\n")
    label = Label(Span(source, 1, 1), "and here")
    text = to_text(Diagnostic("LX002", "nothing to read", Span(source, 0, 0), (label,)))
    assert text == "error[LX002]: nothing to read\n --> book.rules:1:1\n --> book.rules:2:1\n    and here"


@pytest.mark.parametrize("place", [0, 40, 100, 105, 250, 495, 500, 595])
def test_a_long_line_is_cut_around_the_mark(place: int) -> None:
    words = " ".join(f"w{n:03}" for n in range(120))
    mark = f"w{place // 5:03}"
    source, carets = shown(words, mark)
    assert len(source) <= 206
    assert source[len(carets) - 4 :].startswith(mark)
    assert carets.strip() == "^^^^"
    assert source.startswith("w000" if place <= 100 else "...")
    assert source.endswith("w119" if place >= len(words) - 100 else "...")


def test_a_line_of_ordinary_length_is_not_cut() -> None:
    words = "x" * 200
    assert shown(words, "x")[0] == words


def test_a_mark_longer_than_what_is_shown_is_cut_too() -> None:
    words = "x" * 900
    source, carets = shown(words, words)
    assert source == "x" * 200 + "..."
    assert set(carets) == {"^"}
    assert len(carets) <= len(source)


def test_places_with_numbers_of_different_width_are_aligned() -> None:
    text = "\n" * 98 + "let p be Player\nlet p be Port\n"
    label = Label(span_of(text, "p"), "first declared here")
    diagnostic = Diagnostic("LX102", "m", span_of(text, "p", nth=1), (label,), "h")
    assert to_text(diagnostic).splitlines()[1:] == [
        "   --> book.rules:100:5",
        "100 | let p be Port",
        "    |     ^",
        "   --> book.rules:99:5",
        " 99 | let p be Player",
        "    |     - first declared here",
        "    = help: h",
    ]


def test_a_label_in_another_file_names_it() -> None:
    label = Label(span_of("let p be Port", "p", "other.rules"), "first declared here")
    text = to_text(Diagnostic("LX102", "m", span_of("let p be Player", "p"), (label,)))
    assert " --> other.rules:1:5" in text.splitlines()


COLOUR = re.compile("\x1b\\[[0-9;]*m")


@pytest.mark.parametrize("code", ["LX101", "LX501"])
def test_colour_only_adds_colour(code: str) -> None:
    text = "let p be Player\nlet p be Port\n"
    diagnostic = Diagnostic(code, "m", span_of(text, "p", nth=1), (Label(span_of(text, "p"), "l"),), "h")
    plain, coloured = to_text(diagnostic), to_text(diagnostic, colour=True)
    assert "\x1b" not in plain
    assert COLOUR.sub("", coloured) == plain
    assert coloured.startswith("\x1b[1;31merror" if code == "LX101" else "\x1b[1;33mwarning")
    for line in coloured.splitlines():
        assert line.count("\x1b") == 0 or line.rstrip().count("\x1b[0m") * 2 == line.count("\x1b")


def test_json() -> None:
    text = "let p be Player\nlet p\n    be Port\n"
    diagnostic = Diagnostic(
        "LX102",
        "variable `p` is declared twice",
        span_of(text, "p\n    be"),
        (Label(span_of(text, "p"), "first declared here"),),
    )
    (found,) = to_json([diagnostic])
    assert found == {
        "code": "LX102",
        "severity": "error",
        "message": "variable `p` is declared twice",
        "file": "book.rules",
        "line": 2,
        "column": 5,
        "end_line": 3,
        "end_column": 7,
        "help": None,
        "related": [
            {
                "message": "first declared here",
                "file": "book.rules",
                "line": 1,
                "column": 5,
                "end_line": 1,
                "end_column": 6,
            }
        ],
    }


def test_json_of_warnings_and_help() -> None:
    found = to_json([Diagnostic("LX501", "m", span_of("città", "à"), help="h")] * 2)
    assert [(d["severity"], d["help"], d["related"]) for d in found] == [("warning", "h", [])] * 2
    assert json.loads(json.dumps(found)) == found
    assert to_json([]) == []
