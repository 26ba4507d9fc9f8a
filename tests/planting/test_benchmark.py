"""The benchmark counts what a judge finds, misses and makes up; judges of our own stand in for the real one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from benchmarks.planted import Judge, measure, report
from rules.check import CheckedRulebook
from rules.codes import CODES, Code
from rules.span import Source, Span
from tests.planting.clean import make
from tests.planting.plant import plant
from verifier.finding import Finding, Place

BOOKS = [make(seed, 65) for seed in (2, 3)]
KIND = "may against cannot"
GAP = "hole in a table"


@dataclass(frozen=True)
class _Judgement:
    findings: tuple[Finding, ...]


def _finding(code: str, *names: str) -> Finding:
    span = Span(Source("made.rules", "x"), 0, 1)
    return Finding(code, "told", tuple(Place(name, span) for name in names), "proved", "test")


def _judge(find: Callable[[str], tuple[Finding, ...]]) -> Judge:
    def judge(checked: CheckedRulebook) -> _Judgement:
        return _Judgement(find(checked.book.declarations[0].span.source.text))

    return judge


@pytest.fixture(autouse=True)
def _codes(monkeypatch: pytest.MonkeyPatch) -> None:
    for code in ("LX901", "LX931"):
        monkeypatch.setitem(CODES, code, CODES.get(code, Code(code, "error", "a finding of these tests")))


def _all(text: str) -> tuple[Finding, ...]:
    """Finds everything in these books: what is planted is known from the generator."""
    found = []
    for book in BOOKS:
        for kind, code in ((KIND, "LX901"), (GAP, "LX931")):
            planted = plant(book, kind, book.seed)
            if text == planted.text:
                found.append(_finding(code, *planted.rules))
    return tuple(found)


def test_a_judge_that_finds_all_has_full_recall_and_no_false_alarms() -> None:
    scores = measure(_judge(_all), BOOKS, [KIND, GAP])
    assert [(scores[kind].found, scores[kind].planted) for kind in (KIND, GAP)] == [(2, 2), (2, 2)]
    assert all(score.alarms == [] for score in scores.values())
    assert (scores["all together"].found, scores["all together"].planted) == (0, 4)  # this judge knows only the others
    assert len(scores["all together"].missed) == 4


def test_a_judge_that_finds_nothing_misses_all() -> None:
    scores = measure(_judge(lambda _: ()), BOOKS, [KIND])
    assert (scores[KIND].found, scores[KIND].other_code, len(scores[KIND].missed)) == (0, 0, 2)
    assert "found 0 of 4; 0 false alarms" in report(scores, details=False)


def test_what_is_said_of_something_else_is_a_false_alarm() -> None:
    scores = measure(_judge(lambda _: (_finding("LX901", "neighbours", "lighthouse"),)), BOOKS, [GAP])
    assert len(scores["clean book"].alarms) == 2
    assert len(scores[GAP].alarms) == 2
    assert sum(line.startswith("alarms: ") for line in report(scores, details=True)) == 6


def test_the_right_rules_under_another_code_are_told_apart_from_a_miss() -> None:
    def other(text: str) -> tuple[Finding, ...]:
        return tuple(_finding("LX931", *(place.name for place in finding.places)) for finding in _all(text))

    scores = measure(_judge(other), BOOKS, [KIND])
    assert (scores[KIND].found, scores[KIND].other_code, len(scores[KIND].missed)) == (0, 2, 2)
    assert scores[KIND].alarms == []


def test_what_small_books_have_no_place_for_is_left_out() -> None:
    scores = measure(_judge(lambda _: ()), [make(0, 10)], [GAP, "steps swapped"])
    assert (scores[GAP].planted, scores["steps swapped"].planted, scores["all together"].planted) == (1, 0, 0)
    assert sum("no place in books of this size" in line for line in report(scores, details=True)) == 2
