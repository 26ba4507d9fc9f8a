"""Judging a few lines of text."""

from __future__ import annotations

from dataclasses import replace

from solver.play import Budget
from tests.machine.making import checked
from verifier.finding import Finding
from verifier.judge import judge
from verifier.judgement import Judgement
from verifier.suspicion import Check

SMALL = Budget(work=15_000, guided=2_000, states=2_000, plays=40, edges=2_000)


def judged(text: str, *codes: str, seats: int | None = None, checks: tuple[Check, ...] | None = None) -> Judgement:
    """The judgement of a text, with the findings of these codes only, or all of them where none is named."""
    found = (
        judge(checked(text), seats, budget=SMALL)
        if checks is None
        else judge(checked(text), seats, checks=checks, budget=SMALL)
    )
    return replace(found, findings=tuple(f for f in found.findings if not codes or f.code in codes))


def only(judgement: Judgement) -> Finding:
    (finding,) = judgement.findings
    return finding
