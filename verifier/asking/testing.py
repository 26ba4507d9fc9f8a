"""Questions as tests: asked of the solver, and of play only where the answer is not the expected one."""

from __future__ import annotations

from rules import model as m
from verifier.asking.answer import Answer
from verifier.asking.ask import BUDGET, answer_for, settled_by_play
from verifier.asking.expected import expected_text, unexpected
from verifier.court import Court


def surprise(court: Court, question: m.Question) -> tuple[Answer, str] | None:
    """The answer and what is unexpected in it; None where it is as expected, or nothing is expected."""
    drafted = answer_for(court, question)
    if _otherwise(court, question, drafted.plain()) is None:
        return None
    found = settled_by_play(drafted, BUDGET)
    text = _otherwise(court, question, found)
    return None if text is None else (found, text)


def _otherwise(court: Court, question: m.Question, found: Answer) -> str | None:
    return unexpected(question, found, expected_text(court.checked, question, found))
