"""LX925: a question of the book that is answered otherwise than it expects."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from verifier.asking import Answer, surprise
from verifier.court import Court, cited
from verifier.finding import Certainty, Finding, Place, Witness
from verifier.suspicion import Check, Looked, Remark


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    for question in court.checked.book.declarations:
        if isinstance(question, m.Question) and question.expect is not None:
            looked.things += 1
            found = surprise(court, question)
            if found is not None:
                yield _finding(question, *found)


def _finding(question: m.Question, found: Answer, text: str) -> Finding:
    assert question.expect is not None
    places = [Place(question.text, question.expect.span, cited(question.clauses), "expects another answer")]
    places += (place for case in found.cases for place in case.because)
    message = f"the question `{question.text}` is answered {text}"
    case = _telling_case(question, found)
    witness = None
    certainty: Certainty = "proved"
    shown_by = "the solver"
    if found.word == "unknown":
        certainty, shown_by = "unknown", found.reason
    elif case is not None:
        example = found.cases[case].example
        witness = Witness(example.facts, example.play, found.players)
        if found.word in ("depends", "undetermined"):
            certainty = {"witnessed": "witnessed", "possible": "possible", "unconfirmed": "unknown"}[example.shown]  # type: ignore[assignment]
            shown_by = "play" if certainty == "witnessed" else "the solver"
    hint = f'`ludex ask` shows the whole answer: ludex ask BOOK "{question.text}"'
    return Finding("LX925", message, tuple(dict.fromkeys(places)), certainty, shown_by, witness, (), hint)


def _telling_case(question: m.Question, found: Answer) -> int | None:
    """The case that is not as expected: the one that the answer would be without, if there is such a one."""
    assert question.expect is not None
    if not found.cases:
        return None
    wanted = {"always": "yes", "never": "no"}.get(str(question.expect.answer), "")
    return next((place for place, case in enumerate(found.cases) if case.answer != wanted), 0)


CHECK = Check("questions", "precedence", None, conclude, costly=True)
