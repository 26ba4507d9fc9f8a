"""A small book with findings made by hand, for whatever shows them."""

from __future__ import annotations

import pytest

from grammar.text import parse_text
from rules import model as m
from rules.codes import CODES, Code
from rules.diagnostics import Diagnostic, Label
from rules.span import Source, Span
from verifier.coverage import coverage_of
from verifier.finding import Finding, Place, Witness
from verifier.judgement import Assumption, CheckRun, Decided, Judgement
from verifier.report import Report, report_of
from verifier.selection import Selection

TEXT = """\
game "Two Ports <b>&</b>" played by Player

documents
    book "Rulebook"
    card "Cards"

outline book
    section "Sailing" lines 1..9
        line 3 states 2
        line 5 states 1
    section "Money" lines 10..19
        line 12 states 2

precedence
    authority card > book cites book 5
    assume cannot over may
    otherwise undecided

kind Player 2..4
    coins 0..9
    passed yes/no

state
    storm yes/no

let p be Player

play
    each p
        p takes 1 action

action sail by p cites book 3
    coins of p increases by 1

rule fair_wind cites book 3
    p may sail when coins of p < 9

rule storm_keeps_in cites book 5, card 2
    p cannot sail when storm

rule lighthouse cites card 4
    p may sail when storm and coins of p > 2
"""
SOURCE = Source("two ports.rules", TEXT)
CODES_HERE = (
    Code("LX901", "error", "one rule allows what another forbids"),
    Code("LX902", "error", "two duties that exclude each other"),
    Code("LX931", "warning", "a table with a hole"),
    Code("LX932", "warning", "a value with no rule"),
    Code("LX951", "warning", "a rule that never fires"),
    Code("LX991", "info", "two readings that differ"),
)
PAGE = "# LX901: a title\n\n## What it finds\n\nTwo rules.\n\n## How to mend it\n\nSay which wins.\n"


@pytest.fixture
def codes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes of findings as these tests need them, whatever the registry has, each with the same page."""
    for name in [name for name in CODES if name.startswith("LX9")]:
        monkeypatch.delitem(CODES, name)
    for code in CODES_HERE:
        monkeypatch.setitem(CODES, code.code, code)
    monkeypatch.setattr("verifier.report.sarif.page_of", lambda _: PAGE)


def span_of(mark: str, text: str = TEXT, source: Source = SOURCE) -> Span:
    start = text.index(mark)
    return Span(source, start, start + len(mark))


STORM = Place(
    "storm_keeps_in",
    span_of("rule storm_keeps_in cites book 5, card 2\n    p cannot sail when storm"),
    ("book 5", "card 2"),
    "forbids it",
)
LIGHT = Place("lighthouse", span_of("lighthouse"), ("card 4",), "allows it")
WIND = Place("fair_wind", span_of("fair_wind"), ("book 3",))

CONTRADICTION = Finding(
    "LX901",
    "`storm_keeps_in` forbids `sail` where `lighthouse` allows it",
    (STORM, LIGHT),
    "witnessed",
    "guided play",
    Witness(("storm is yes", "coins of Player 1 is 3"), ("sail by Player 1", "sail by Player 2"), 2),
    (("no policy", "undetermined"), ("policy `brave`", "`lighthouse` wins")),
    "write `overrides storm_keeps_in` into `lighthouse`",
    ("the pair meets in 6 of 20 states",),
)
GAP = Finding("LX931", "no row says what happens on 7 to 9", (WIND,), "proved", "boxes")
READING = Finding("LX991", "readings of `fair_wind` differ", (WIND,), "possible", "solver", Witness(("storm is no",)))
NEVER = Finding("LX951", "`lighthouse` never fires", (LIGHT,), "unknown", "the limit of 1,000 states")
FINDINGS = (CONTRADICTION, GAP, READING, NEVER)
WARNING = Diagnostic(
    "LX504",
    "no rule ever allows `sail`",
    span_of("sail by p"),
    (Label(span_of("passed yes/no"), "see here"),),
    "say who may",
)
JUDGEMENT = Judgement(
    FINDINGS,
    (
        CheckRun("may against cannot", "contradiction", 3, 1, seconds=0.25),
        CheckRun("holes in tables", "gap", 2, 1, seconds=0.5),
        CheckRun("rows that meet", "overlap", 0, 0),
        CheckRun("campaigns that cannot be won", "stuck", 0, 0, skipped="the book has no campaign"),
    ),
    3,
    (("fair_wind", span_of("fair_wind"), "its amount has no bound"),),
    ("lighthouse",),
    False,
    (("boxes", 12), ("solver", 2)),
    (Assumption("cannot over may", span_of("cannot over may"), 1),),
    (Decided((STORM, LIGHT), "lighthouse", "authority card > book", ("book 5",)),),
)


def report(
    judgement: Judgement = JUDGEMENT,
    diagnostics: tuple[Diagnostic, ...] = (WARNING,),
    selection: Selection | None = None,
    **further: object,
) -> Report:
    coverage = coverage_of(m.Rulebook(parse_text(SOURCE).declarations))
    title = "Two Ports <b>&</b>"
    read = "1 file, 44 lines: 3 rules"
    return report_of("two ports.rules", title, read, diagnostics, judgement, coverage, selection, **further)  # type: ignore[arg-type]
