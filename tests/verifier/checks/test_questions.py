"""LX925: questions that are answered otherwise than expected."""

from __future__ import annotations

import pytest

from tests.verifier.checks.village import village
from tests.verifier.judging import findings, judged

PRECEDENCE = ("explicit", "assume cannot over may", "otherwise undecided")
RULES = "rule digging\n    p may dig", "rule storms\n    p cannot dig when weather is storm"


def book(*lines: str) -> str:
    text = "\n    ".join(lines)
    return village(PRECEDENCE, *RULES, f'question "May one dig?"\n    {text}')


@pytest.mark.parametrize(
    ("expect", "certainty", "play"),
    [
        ("expect always", "witnessed", True),
        ("expect never", "witnessed", True),
        ("expect undetermined", "witnessed", True),
        ("expect depends because digging against storms", "proved", None),
    ],
)
def test_another_answer(expect: str, certainty: str, play: bool | None) -> None:
    (found,) = findings(book("p may dig", expect), "LX925")
    assert found.family == "precedence"
    assert found.places[0].name == "May one dig?"
    if play:
        assert found.certainty == certainty
        assert found.witness is not None
        assert found.witness.play is not None


def test_proved_where_the_solver_closed_the_case() -> None:
    (found,) = findings(book("p may dig when weather is storm", "expect always"), "LX925")
    assert found.certainty == "proved"
    assert [place.name for place in found.places] == ["May one dig?", "storms"]


@pytest.mark.parametrize(
    "lines",
    [
        ("p may dig", "expect depends"),
        ("p may dig", "expect depends because digging, storms against digging"),
        ("p may dig when weather is storm", "expect never because storms against digging"),
        ("p may dig",),
    ],
)
def test_as_expected(lines: tuple[str, ...]) -> None:
    judgement = judged(book(*lines), "LX925")
    assert [finding for finding in judgement.findings if finding.code == "LX925"] == []
    (run,) = (run for run in judgement.ran if run.name == "questions")
    assert run.looked_at == (len(lines) > 1)


def test_a_question_that_can_never_be_asked_is_no_silent_success() -> None:
    (found,) = findings(book("p may dig when coins of p > 4 and coins of p < 3", "expect never"), "LX925")
    assert "never asked" in found.message
