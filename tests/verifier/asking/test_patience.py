"""What the solver gives up on is asked once more with patience; if that is in vain, nobody knows."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

import ludex
from grammar.questions import parse_question
from rules import model as m
from rules.check import check_rules
from solver.solve import Solver
from solver.terms import Flag, Term
from solver.verdict import Query, Unknown, Verdict
from verifier.asking import Answer, answer_for, patience
from verifier.court import Court

QUESTIONS = [
    ("p may sail to q when ship of p is rhodes and weather is storm and q is next to rhodes", "always"),
    ("what is toll of p when ship of p is not crete", "always"),
    ("what happens when coins of p decreases by n", "depends"),
]


@cache
def harbour() -> ludex.Book:
    return ludex.load("harbour")


def impatiently(text: str) -> Answer:
    """The answer where the solver gives up at first."""
    _, question = parse_question(text)
    assert isinstance(question, m.Question), question
    found = check_rules(m.Rulebook((*harbour().rulebook.declarations, question)))
    assert found.rulebook is not None, found.diagnostics
    court = Court(found.rulebook)
    court.solver = GivingUp()
    return answer_for(court, question).plain()


class GivingUp(Solver):
    """It settles what folds, and no more."""

    def ask(self, query: Query, prefer: Mapping[Term, bool | int] | None = None) -> Verdict:
        return super().ask(query, prefer) if query.given and query.given[0][1] is False else Unknown("it gave up")

    def possible(self, *terms: Flag) -> bool | None:
        return False if False in terms else None


@pytest.mark.parametrize(("text", "word"), QUESTIONS)
def test_patience_finds_answers(text: str, word: str) -> None:
    assert harbour().ask(text).word == word
    assert impatiently(text).word not in ("unknown", "vacuous")


@pytest.mark.parametrize(("text", "word"), QUESTIONS)
def test_in_vain_is_no_answer(text: str, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "Solver", GivingUp)
    found = impatiently(text)
    assert found.word == "unknown", word
    assert "gave up" in found.reason
