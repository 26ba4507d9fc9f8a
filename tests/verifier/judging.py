"""Judging a few lines of text."""

from __future__ import annotations

from dataclasses import replace

from solver.play import Budget
from tests.machine.making import checked
from verifier.checks import CHECKS
from verifier.finding import Finding
from verifier.judge import judge
from verifier.judgement import Judgement
from verifier.suspicion import Check

SMALL = Budget(work=15_000, guided=2_000, states=2_000, plays=40, edges=2_000)
TINY = Budget(work=60, guided=1, states=3, plays=1, edges=3)  # where play has nothing to show


def judged(
    text: str,
    *codes: str,
    seats: int | None = None,
    checks: tuple[Check, ...] = CHECKS,
    budget: Budget = SMALL,
) -> Judgement:
    """The judgement of a text, with the findings of these codes only, or all of them where none is named."""
    found = judge(checked(text), seats, checks=checks, budget=budget)
    return replace(found, findings=tuple(f for f in found.findings if not codes or f.code in codes))


def only(judgement: Judgement) -> Finding:
    (finding,) = judgement.findings
    return finding
