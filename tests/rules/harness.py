"""Cases for the checker: a piece of a rulebook, with what must be found written at the end of the guilty line.

    coin of p increases by 1        # LX101 at coin | did you mean `coins`?

reads: on this line there is an LX101 whose mark is the word `coin`, and its message or help contains what stands after
the bar. `at coin #2` is the second `coin` of the line. Several findings of one line are separated by ` ; `. A further
place that a diagnostic points at is written as `label`, with its text after the bar. What is not announced must not be
found, so every other line of a case is a near miss.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grammar.text import parse_text
from rules import model as m
from rules.check import Checked, check_rules
from rules.diagnostics import Diagnostic
from rules.span import Source, Span

_EXPECTED = re.compile(r"(?P<code>LX\d{3}|label) at (?P<mark>.*?)(?: #(?P<nth>\d))?(?: \| (?P<words>.*))?\Z")
PRELUDE = Source("prelude.rules", (Path(__file__).parent / "prelude.rules").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Found:
    """The columns of the mark are those of the text; of a mark of several lines only the first is compared."""

    line: int
    column: int
    code: str
    mark: str


def parsed(source: Source) -> tuple[m.Declaration, ...]:
    result = parse_text(source)
    assert not result.diagnostics, [(str(d.span), d.message) for d in result.diagnostics]
    return result.declarations


def checked(text: str, alone: bool = False) -> Checked:
    """The text, together with the world of `prelude.rules` unless it stands alone."""
    before = () if alone else parsed(PRELUDE)
    return check_rules(m.Rulebook(before + parsed(Source("case.rules", text))))


def diagnostics_of(text: str, alone: bool = False) -> tuple[Diagnostic, ...]:
    return checked(text, alone).diagnostics


def verify(text: str, alone: bool = False) -> None:
    """Everything that the text announces is found, at its place and in these words; and nothing else."""
    diagnostics = diagnostics_of(text, alone)
    said = [place for d in diagnostics for place in places_of(d)]
    for found, words in expected_in(text):
        match = next((place for place in said if place[0] == found and words in place[1]), None)
        assert match is not None, f"not found: {found} {words!r}; but: {said}"
        said.remove(match)
    assert not said, f"found too: {said}"


def expected_in(text: str) -> Iterator[tuple[Found, str]]:
    for number, line in enumerate(text.splitlines(), start=1):
        rule, _, comment = line.partition("# ")
        for part in comment.split(" ; ") if comment else ():
            match = _EXPECTED.match(part)
            assert match is not None, part
            column = _column(rule, match["mark"], int(match["nth"] or 1))
            yield Found(number, column, match["code"], match["mark"]), match["words"] or ""


def _column(line: str, mark: str, nth: int) -> int:
    places = [found.start() for found in re.finditer(rf"(?<!\w){re.escape(mark)}(?!\w)", line)]
    assert len(places) >= nth, f"{line!r} has no {mark!r}"
    return places[nth - 1] + 1


def places_of(diagnostic: Diagnostic) -> Iterator[tuple[Found, str]]:
    yield _found(diagnostic.code, diagnostic.span), f"{diagnostic.message}\n{diagnostic.help}"
    for label in diagnostic.labels:
        yield _found("label", label.span), label.text


def _found(code: str, span: Span) -> Found:
    first_line = span.text.split("\n", maxsplit=1)[0].rstrip()
    return Found(span.line, span.column, code, first_line.partition("# ")[0].rstrip())
