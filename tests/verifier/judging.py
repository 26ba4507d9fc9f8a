"""Judging a text in a test: it must be read and checked without an error, and play is explored only a little."""

from __future__ import annotations

from dataclasses import replace

from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.codes import CODES
from rules.span import Source
from solver.play import Budget
from verifier.checks import CHECKS
from verifier.finding import Finding
from verifier.hearing import judge
from verifier.judgement import Judgement
from verifier.suspicion import Check

BUDGET = Budget(work=40_000, guided=4_000, states=20_000, plays=40, edges=40_000)
TINY = Budget(work=60, guided=1, states=3, plays=1, edges=3)  # where play has nothing to show
NO_PLAY = Budget(work=10, guided=0, states=1, plays=0)  # nothing but what the text and the solver tell


def checked(text: str) -> CheckedRulebook:
    parsed = parse_text(Source("example.rules", text))
    assert parsed.diagnostics == (), [d.message for d in parsed.diagnostics]
    found = check_rules(m.Rulebook(parsed.declarations))
    assert found.rulebook is not None, [d.message for d in found.diagnostics if d.is_error]
    return found.rulebook


def judged(
    text: str,
    *codes: str,
    seats: int | None = None,
    policies: tuple[str, ...] = (),
    budget: Budget = BUDGET,
    checks: tuple[Check, ...] = CHECKS,
) -> Judgement:
    """The judgement of a text, with the findings of these codes only, or all of them where none is named."""
    whole = judge(checked(text), seats, policies, checks, budget)
    return replace(whole, findings=tuple(f for f in whole.findings if not codes or f.code in codes))


def only(judgement: Judgement) -> Finding:
    (finding,) = judgement.findings
    return finding


def the_one(text: str, code: str, seats: int | None = None, budget: Budget = BUDGET) -> Finding:
    """The one finding of a code."""
    return only(judged(text, code, seats=seats, budget=budget))


def names(finding: Finding) -> list[str]:
    return [place.name for place in finding.places]


def findings(text: str, *codes: str) -> list[Finding]:
    """The findings of these codes, by the checks of their families alone."""
    families = {CODES[code].family for code in codes}
    chosen = tuple(check for check in CHECKS if check.family in families)
    return [finding for finding in judged(text, checks=chosen).findings if finding.code in codes]


def found(text: str, *codes: str) -> list[Finding]:
    """The findings of these codes, or all but what is only told for information."""
    findings = judged(text).findings
    if codes:
        return [finding for finding in findings if finding.code in codes]
    return [finding for finding in findings if finding.severity.value != "info"]
