"""Questions in the language of a rulebook, answered: always, never, it depends on this, undetermined between these."""

from verifier.asking.answer import SHOWN, Answer, AnswerCase, Example, GaveWay
from verifier.asking.ask import answer, answer_for
from verifier.asking.expected import expected_text, unexpected
from verifier.asking.testing import surprise

__all__ = [
    "SHOWN",
    "Answer",
    "AnswerCase",
    "Example",
    "GaveWay",
    "answer",
    "answer_for",
    "expected_text",
    "surprise",
    "unexpected",
]
