"""Texts before the judge, with little play: what a check finds in a few lines."""

from __future__ import annotations

from dataclasses import replace

from solver.play import Budget
from tests.machine.making import checked
from verifier.finding import Finding
from verifier.judge import judge
from verifier.judgement import Judgement

SMALL = Budget(work=40_000, guided=4_000, states=20_000, plays=40)
NO_PLAY = Budget(work=10, guided=0, states=1, plays=0)  # nothing but what the text and the solver tell


def judged(text: str, *codes: str, seats: int | None = None, budget: Budget = SMALL) -> Judgement:
    """The judgement of a text; with only the findings of these codes, if any are named."""
    found = judge(checked(text), seats, budget=budget)
    if not codes:
        return found
    return replace(found, findings=tuple(finding for finding in found.findings if finding.code in codes))


def only(text: str, code: str, seats: int | None = None, budget: Budget = SMALL) -> Finding:
    """The one finding of a code."""
    (found,) = judged(text, code, seats=seats, budget=budget).findings
    return found


def names(finding: Finding) -> list[str]:
    return [place.name for place in finding.places]
