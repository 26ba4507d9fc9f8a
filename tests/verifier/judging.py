"""Judgements of a few lines of text, with little play."""

from __future__ import annotations

from rules.codes import CODES
from solver.play import Budget
from tests.machine.making import checked
from verifier.checks import CHECKS
from verifier.finding import Finding
from verifier.judge import judge
from verifier.judgement import Judgement

SMALL = Budget(work=20_000, guided=2_000, states=3_000, plays=20, edges=20_000)


def judged(text: str, *codes: str) -> Judgement:
    """By the checks of the families of these codes; by all checks without codes."""
    families = {CODES[code].family for code in codes}
    chosen = tuple(check for check in CHECKS if not codes or check.family in families)
    return judge(checked(text), checks=chosen, budget=SMALL)


def findings(text: str, *codes: str) -> list[Finding]:
    """The findings of these codes."""
    return [finding for finding in judged(text, *codes).findings if finding.code in codes]
