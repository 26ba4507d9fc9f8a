"""What comparing two statements brings to light."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rules.machine.state import State
from rules.span import Span
from solver.play import Fact, Goal
from solver.verdict import Unknown
from verifier.court import Case
from verifier.restating.aspects import Difference


@dataclass(frozen=True, slots=True)
class Apart:
    """One difference of two statements, with a state that tells them apart, and how play shows it: by `goal` or `fact`.

    `spans` are where each says it, `about` what they speak of, `extra` further lines of the state: the move, the value.
    Without a `case`, the text alone tells them apart; `proved_by` says how that is certain whatever play comes to.
    `tell` says what matters in a state of play.
    """

    difference: Difference
    spans: tuple[Span, Span]
    about: str = ""
    case: Case | Unknown | None = None
    extra: tuple[str, ...] = ()
    goal: Goal | None = None
    fact: Fact | None = None
    details: tuple[str, ...] = ()
    proved_by: str = ""
    tell: Callable[[State], tuple[str, ...]] | None = None
