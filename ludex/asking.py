"""Questions to a book: a text in, an `Answer` out, and how it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grammar.questions import parse_question
from ludex.book import Book
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.diagnostics import Diagnostic
from verifier.asking import SHOWN, Answer, AnswerCase, GaveWay, answer, expected_text, unexpected
from verifier.asking.asked import SILENT
from verifier.finding import Place


class QuestionError(ValueError):
    """A text that is no question about this book; `diagnostics` say where."""

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        first = diagnostics[0]
        super().__init__(f"{first.message} ({first.span})")
        self.diagnostics = diagnostics


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a book with its answer. `unexpected` says what is otherwise than the question expects."""

    title: str
    question: m.Question
    answer: Answer
    unexpected: str | None


def ask(book: Book, text: str, players: int | None = None, policies: tuple[str, ...] = ()) -> Asked:
    """The text is the lines of a question, a whole question, or the title of one that the book has.

    Raises `QuestionError` for a text that is none, and `ValueError` for a book with errors.
    """
    if book.checked is None:
        raise ValueError("a rulebook with errors cannot be asked")
    known = next((question for question in questions_of(book) if question.text == text.strip()), None)
    if known is not None:
        return _asked(book.checked, known, players, policies)
    asked, found = parse_question(text)
    if not isinstance(found, m.Question):
        raise QuestionError(found)
    checked = check_rules(m.Rulebook((*book.rulebook.declarations, found)))
    wrong = [asked.placed(d) for d in checked.diagnostics if d.is_error and d.span.source is asked.read]
    if checked.rulebook is None:
        raise QuestionError(tuple(wrong) or checked.diagnostics)
    return _asked(checked.rulebook, found, players, policies)


def ask_all(book: Book, players: int | None = None, policies: tuple[str, ...] = ()) -> Iterator[Asked]:
    """Every question of the book, in its order."""
    if book.checked is None:
        raise ValueError("a rulebook with errors cannot be asked")
    for question in questions_of(book):
        yield _asked(book.checked, question, players, policies)


def questions_of(book: Book) -> list[m.Question]:
    return [d for d in book.rulebook.declarations if isinstance(d, m.Question)]


def _asked(checked: CheckedRulebook, question: m.Question, players: int | None, policies: tuple[str, ...]) -> Asked:
    found = answer(checked, question, players, policies)
    return Asked(question.text, question, found, unexpected(question, found, expected_text(checked, question, found)))


# ---- as text --------------------------------------------------------------------------------------------------------

_WORDS = {"depends": "it depends", "vacuous": "it is never asked", "unknown": "nobody knows"}


def answer_text(asked: Asked, plays: bool = False) -> str:
    """`plays`: with the play to each state, move by move."""
    found = asked.answer
    word = _WORDS.get(found.word, found.word)
    if found.word == "undetermined" and len(found.open_cases) < len(found.cases):
        word = "in part undetermined"
    value = f" {found.value}" if found.value is not None else ""
    lines = [f"{word}{value}: {found.question}"]
    if found.reason:
        lines.append(f"  {found.reason}")
    single = word in ("always", "never", "undetermined")
    for case in found.cases:
        lines += _case_lines(case, single, plays)
    players = f" with {found.players} players" if found.players else ""
    notes = [f"not asked: {text}" for text in found.left_out]
    if found.cases:
        notes.append(f"in all states that keep the promises of the book{players}")
    lines += [f"  ({note})" for note in notes]
    if asked.unexpected is not None:
        lines.append(f"  unexpected: it is answered {asked.unexpected}")
    return "\n".join(lines)


def _case_lines(case: AnswerCase, single: bool, plays: bool) -> Iterator[str]:
    inside = "  "
    if not single:
        yield (
            f"  {case.answer}"
            + (f" when {' and '.join(case.when)}" if case.when else "")
            + ("" if case.whole else ", and elsewhere" if case.when else " in some states")
        )
        inside = "    "
    elif case.answer not in ("yes", "no", "undetermined"):
        yield f"  {case.answer}"
    if case.answer == "undetermined" and any(place.part != SILENT for place in case.because):
        yield f"{inside}between these, and nothing says which goes before:"
    deciding = [place for place in case.because if place.name in case.always] or case.because
    for place in deciding:
        yield f"{inside}{_place(place)} {place.part}"
    others = [place for place in case.because if place not in deciding]
    if others:
        yield f"{inside}in some of these states also {', '.join(_place(place) for place in others)}"
    if case.reason:
        yield f"{inside}{case.reason}"
    for lost in case.against:
        yield f"{inside}against {_place(lost.place)}: {_ground(lost)}"
    example = case.example
    if example.facts:
        yield f"{inside}for example: {'; '.join(example.facts)}"
    if example.play is None:
        yield f"{inside}({SHOWN[example.shown]})"
    elif plays:
        yield f"{inside}by this play: {'; '.join(example.play) or 'at the start'}"


def _place(place: Place) -> str:
    return f"{place.name} ({', '.join(place.cites)})" if place.cites else place.name


def _ground(lost: GaveWay) -> str:
    where = "an assumption" if lost.assumed else ", ".join(lost.cites)
    return f"{lost.by} ({where})" if where else lost.by


# ---- as JSON --------------------------------------------------------------------------------------------------------


def answer_json(asked: Asked) -> dict[str, object]:
    found = asked.answer
    return {
        "title": asked.title,
        "question": found.question,
        "answer": found.word,
        "value": found.value,
        "reason": found.reason,
        "players": found.players,
        "left_out": list(found.left_out),
        "cases": [_case_json(case) for case in found.cases],
        "unexpected": asked.unexpected,
    }


def _case_json(case: AnswerCase) -> dict[str, object]:
    example = case.example
    return {
        "answer": case.answer,
        "when": list(case.when),
        "whole": case.whole,
        "because": [{**_place_json(place), "always": place.name in case.always} for place in case.because],
        "reason": case.reason,
        "against": [
            {
                **_place_json(lost.place),
                "winner": lost.winner,
                "by": lost.by,
                "by_cites": list(lost.cites),
                "assumed": lost.assumed,
            }
            for lost in case.against
        ],
        "state": {
            "facts": list(example.facts),
            "shown": example.shown,
            "play": None if example.play is None else list(example.play),
        },
    }


def _place_json(place: Place) -> dict[str, object]:
    return {
        "rule": place.name,
        "file": place.span.source.path,
        "line": place.span.line,
        "cites": list(place.cites),
        "part": place.part,
    }
