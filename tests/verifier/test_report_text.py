"""Findings and the summary in the terminal."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from rules.diagnostics import Severity
from tests.verifier.sample import CONTRADICTION, FINDINGS, GAP, JUDGEMENT, NEVER, WIND, report
from verifier.finding import Finding, Witness
from verifier.judgement import Explored, Judgement
from verifier.report import ShownFinding
from verifier.report.text import (
    decided_lines,
    finding_text,
    findings_words,
    judgement_lines,
    selection_lines,
    stats_lines,
)
from verifier.selection import Selection, Wanted

pytestmark = pytest.mark.usefixtures("codes")


def shown(finding: Finding, known: bool = False) -> ShownFinding:
    return ShownFinding(finding, finding.severity, "f", known)


def test_the_whole_finding() -> None:
    assert finding_text(shown(CONTRADICTION)) == (
        "error[LX901]: `storm_keeps_in` forbids `sail` where `lighthouse` allows it\n"
        "  --> two ports.rules:38:1\n"
        "38 | rule storm_keeps_in cites book 5, card 2\n"
        "   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ storm_keeps_in (book 5, card 2) forbids it\n"
        "39 |     p cannot sail when storm\n"
        "  --> two ports.rules:41:6\n"
        "41 | rule lighthouse cites card 4\n"
        "   |      ---------- lighthouse (card 4) allows it\n"
        "   = witnessed: here is a play, replayed move by move (guided play)\n"
        "   = state:\n"
        "       storm is yes\n"
        "       coins of Player 1 is 3\n"
        "   = play: 2 players, 2 decisions\n"
        "       1. sail by Player 1\n"
        "       2. sail by Player 2\n"
        "   = under no policy: undetermined\n"
        "   = under policy `brave`: `lighthouse` wins\n"
        "   = details: 1 line; `--all` shows them\n"
        "   = hint: write `overrides storm_keeps_in` into `lighthouse`"
    )


def test_the_smallest_finding() -> None:
    assert finding_text(shown(GAP, known=True)).splitlines() == [
        "warning[LX931]: no row says what happens on 7 to 9 (known)",
        "  --> two ports.rules:35:6",
        "35 | rule fair_wind cites book 3",
        "   |      ^^^^^^^^^ fair_wind (book 3)",
        "   = proved: the solver or an exhaustive search closed the case (boxes)",
    ]
    nowhere = finding_text(shown(replace(GAP, places=())))
    assert nowhere.splitlines()[1].strip().startswith("= proved")


def test_details_are_shown_on_request() -> None:
    text = finding_text(shown(CONTRADICTION), whole=True)
    assert "   = details:\n       the pair meets in 6 of 20 states\n" in text


def test_a_long_play_is_cut_in_the_middle_unless_all_is_wanted() -> None:
    play = tuple(f"move {n}" for n in range(1, 41))
    finding = replace(CONTRADICTION, witness=Witness((), play, 3))
    lines = finding_text(shown(finding)).splitlines()
    assert "   = play: 3 players, 40 decisions" in lines
    kept = [*range(1, 7), *range(36, 41)]
    assert re.findall(r"\d+\. move \d+", "\n".join(lines)) == [f"{n}. move {n}" for n in kept]
    assert "           ... 29 more; `--all` shows them" in lines
    whole = finding_text(shown(finding), whole=True)
    assert re.findall(r"\d+\. move \d+", whole) == [f"{n}. move {n}" for n in range(1, 41)]


def test_a_state_at_the_start_of_the_game() -> None:
    finding = replace(CONTRADICTION, witness=Witness((), (), 2))
    assert "   = play: 2 players, at the start of the game" in finding_text(shown(finding)).splitlines()


def test_the_severity_is_that_of_the_project() -> None:
    assert finding_text(ShownFinding(GAP, Severity.INFO, "f", False)).startswith("info[LX931]: ")


def test_nothing_can_steer_the_terminal() -> None:
    nasty = "a \x1b[2J \u202eb"
    finding = replace(
        CONTRADICTION,
        message=nasty,
        hint=nasty,
        shown_by=nasty,
        details=(nasty,),
        outcomes=((nasty, nasty),),
        witness=Witness((nasty,), (nasty,)),
        places=tuple(replace(place, name=nasty, part=nasty, cites=(nasty,)) for place in CONTRADICTION.places),
    )
    text = finding_text(shown(finding), whole=True)
    assert "\x1b" not in text
    assert "\u202e" not in text
    judged = replace(JUDGEMENT, unseen=(nasty,), engines=((nasty, 1),), findings=(finding,))
    assert "\x1b" not in "\n".join(judgement_lines(report(judged)))


def test_colour_only_adds_colour() -> None:
    plain, coloured = finding_text(shown(CONTRADICTION)), finding_text(shown(CONTRADICTION), colour=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == plain
    assert coloured.startswith("\x1b[1;31merror")


def test_the_summary_says_what_was_judged_and_what_was_not() -> None:
    assert judgement_lines(report()) == [
        "judged: 3 rules by 3 checks; questions decided: boxes 12, solver 2",
        "not seen to fire: `lighthouse`",
        "nothing to look at: rows that meet",
        "skipped: campaigns that cannot be won (the book has no campaign)",
        "not encoded: `fair_wind` (two ports.rules:35:6): its amount has no bound",
        "assumed: `cannot over may` (two ports.rules:16:12): 1 verdict rests on it",
    ]
    assert findings_words(report()) == "4 findings (1 proved, 1 witnessed, 1 possible, 1 unknown)"


def test_a_summary_without_findings_is_not_empty() -> None:
    clean = Judgement(ran=JUDGEMENT.ran[:1], rules=3)
    assert judgement_lines(report(clean)) == ["judged: 3 rules by 1 check"]
    assert findings_words(report(clean)) == "no findings"
    assert judgement_lines(report(Judgement())) == []


def test_how_much_of_play_was_seen_decides_what_can_be_said_of_the_rest() -> None:
    all_of_it = replace(JUDGEMENT, explored=(Explored(2, 1200, 0),))
    assert judgement_lines(report(all_of_it))[1:3] == [
        "play: every state was seen with 2 players (1,200)",
        "never fire: `lighthouse`",
    ]
    part = replace(JUDGEMENT, explored=(Explored(2, 1200, 0), Explored(3, 5000, 40, ("more than 5,000 states",))))
    assert judgement_lines(report(part))[2:4] == [
        "play: 5,000 states and 40 random plays were seen with 3 players, not all (more than 5,000 states): "
        "what lies beyond them may be missed",
        "not seen to fire: `lighthouse`",
    ]
    assert not replace(all_of_it, interrupted=True).saw_all


def test_what_is_left_open_is_counted_and_listed() -> None:
    open_ = replace(JUDGEMENT, findings=(), left_open=(GAP, NEVER))
    told = "left open: LX931 1, LX951 1: no play that was seen shows it, and nothing excludes it"
    assert f"{told}; `--all` lists them" in judgement_lines(report(open_))
    lines = judgement_lines(report(open_), whole=True)
    assert lines[lines.index(told) + 1] == f"  LX931: {GAP.message} [{WIND.span}]"
    assert findings_words(report(open_)) == "no findings, 2 left open"
    assert findings_words(report(open_, selection=Selection(Wanted(ignore=("LX931",))))) == "no findings, 1 left open"


def test_an_interrupted_judgement_says_so() -> None:
    assert any(
        line.startswith("interrupted: ") for line in judgement_lines(report(replace(JUDGEMENT, interrupted=True)))
    )


def test_long_lists_are_cut_unless_all_is_wanted() -> None:
    many = replace(JUDGEMENT, unseen=tuple(f"r{n}" for n in range(20)))
    assert "`r7` and 12 more (`--all` shows them)" in judgement_lines(report(many))[1]
    assert judgement_lines(report(many), whole=True)[1].endswith("`r19`")


def test_what_is_not_selected_is_counted() -> None:
    selected = report(selection=Selection(Wanted((), ("gap", "LX504"))))
    assert selection_lines(selected) == ["not selected: LX504 (1), LX931 (1)"]
    assert [s.finding.code for s in selected.findings] == ["LX901", "LX991", "LX951"]
    assert selected.diagnostics == ()


def test_the_baseline_in_the_summary() -> None:
    entries = report().entries()
    later = report(replace(JUDGEMENT, findings=(GAP, NEVER)), baseline=entries[:2])
    assert selection_lines(later) == [
        "baseline: 1 known, 1 no longer found",
        "  no longer found: LX901: `storm_keeps_in` forbids `sail` where `lighthouse` allows it",
    ]
    assert findings_words(later) == "2 findings (1 proved, 1 unknown), 1 of them new"
    assert selection_lines(report(diagnostics=(), baseline=())) == ["baseline: none known, none no longer found"]


def test_decided_pairs() -> None:
    assert decided_lines(JUDGEMENT.decided) == [
        "decided by the book: 1 pair of rules",
        "  storm_keeps_in (book 5, card 2) forbids it [two ports.rules:38:1]",
        "  lighthouse (card 4) allows it [two ports.rules:41:6]",
        "    lighthouse wins, by authority card > book (book 5)",
    ]
    assert decided_lines(()) == ["decided by the book: no pair of rules"]
    (pair,) = JUDGEMENT.decided
    assumed = decided_lines([replace(pair, by="cannot over may", cites=(), assumed=True)])
    assert assumed[-1] == "    lighthouse wins, by cannot over may, an assumption"


def test_statistics() -> None:
    assert stats_lines(JUDGEMENT) == [
        "check                         family         looked at  found  seconds",
        "may against cannot            contradiction          3      1     0.25",
        "holes in tables               gap                    2      1     0.50",
        "rows that meet                overlap                0      0     0.00  nothing to look at",
        "campaigns that cannot be won  stuck                  0      0     0.00  skipped: the book has no campaign",
        "total                                                       2     0.75",
        "decided by boxes: 12 questions",
        "decided by solver: 2 questions",
    ]


def test_every_finding_can_be_shown() -> None:
    for finding in FINDINGS:
        assert finding.message in finding_text(shown(finding))
