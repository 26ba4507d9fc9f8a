"""Which findings are wanted: by code, by the beginning of codes, by family; the command before the project."""

from __future__ import annotations

import pytest

from rules.diagnostics import Severity
from verifier.selection import Selection, Wanted, problem_with

pytestmark = pytest.mark.usefixtures("codes")
ALL = ("LX504", "LX901", "LX902", "LX931", "LX932", "LX951", "LX991")


def shown(selection: Selection) -> list[str]:
    return [code for code in ALL if selection.severity_of(code) is not None]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(), list(ALL)),
        (Wanted(("LX901",)), ["LX901"]),
        (Wanted(("LX90",)), ["LX901", "LX902"]),
        (Wanted(("gap",)), ["LX931", "LX932"]),
        (Wanted(("gap", "LX504")), ["LX504", "LX931", "LX932"]),
        (Wanted(("LX9",), ("gap",)), ["LX901", "LX902", "LX951", "LX991"]),
        (Wanted(("LX931",), ("gap",)), ["LX931"]),
        (Wanted(("gap",), ("LX931",)), ["LX932"]),
        (Wanted(("gap",), ("gap",)), []),
        (Wanted((), ("LX93", "LX5")), ["LX901", "LX902", "LX951", "LX991"]),
        (Wanted(("reading",)), ["LX991"]),
    ],
)
def test_the_closest_counts(wanted: Wanted, expected: list[str]) -> None:
    assert shown(Selection(wanted)) == expected
    assert shown(Selection(project=wanted)) == expected


@pytest.mark.parametrize(
    ("command", "project", "expected"),
    [
        (Wanted(("gap",)), Wanted(("LX901",)), ["LX931", "LX932"]),
        (Wanted(("gap",)), Wanted((), ("gap",)), ["LX931", "LX932"]),
        (Wanted((), ("LX931",)), Wanted(("gap",)), ["LX932"]),
        (Wanted((), ("LX931",)), Wanted(), ["LX504", "LX901", "LX902", "LX932", "LX951", "LX991"]),
    ],
)
def test_the_command_speaks_before_the_project(command: Wanted, project: Wanted, expected: list[str]) -> None:
    assert shown(Selection(command, project)) == expected


def test_severities_of_the_project() -> None:
    own = Selection(severities=(("gap", Severity.ERROR), ("LX932", None), ("LX504", Severity.INFO)))
    assert own.severity_of("LX931") is Severity.ERROR
    assert own.severity_of("LX932") is None
    assert own.severity_of("LX504") is Severity.INFO
    assert own.severity_of("LX901") is Severity.ERROR
    assert Selection(Wanted(("LX932",)), severities=own.severities).severity_of("LX932") is Severity.WARNING
    assert Selection(severities=(("gap", None), ("LX932", Severity.INFO))).severity_of("LX932") is Severity.INFO


def test_errors_of_reading_are_always_wanted() -> None:
    assert Selection(Wanted(("gap",), ("LX101",))).severity_of("LX101") is Severity.ERROR
    assert Selection(Wanted(("gap",))).severity_of("LX121") is None  # a warning


@pytest.mark.parametrize("text", ["LX901", "LX9", "LX", "gap", "contradiction", "LX1"])
def test_what_names_findings(text: str) -> None:
    assert problem_with(text) is None


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("gaps", "did you mean `gap`?"),
        ("LX90x", "did you mean `LX90"),
        ("nothing", "families are"),
        ("lx901", "did you mean `LX901`?"),
        ("L", "families are"),
    ],
)
def test_what_does_not(text: str, hint: str) -> None:
    problem = problem_with(text)
    assert problem is not None
    assert problem.startswith(f"`{text}` is no code")
    assert hint in problem
