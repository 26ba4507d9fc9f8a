"""Machines and scenarios from a few lines of text."""

from __future__ import annotations

from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.machine import Machine, machine_of
from rules.machine.scenario import Failure, run_scenario
from rules.span import Source


def checked(text: str) -> CheckedRulebook:
    parsed = parse_text(Source("made.rules", text))
    assert parsed.diagnostics == (), [(d.message, d.span.line) for d in parsed.diagnostics]
    found = check_rules(m.Rulebook(parsed.declarations))
    assert found.rulebook is not None, found.diagnostics
    return found.rulebook


def machine(text: str, seats: int | None = None, policies: tuple[str, ...] = ()) -> Machine:
    return machine_of(checked(text), seats, policies)


def failure(text: str) -> Failure | None:
    """Of the only scenario in a text."""
    rulebook = checked(text)
    (scenario,) = [d for d in rulebook.book.declarations if isinstance(d, m.Scenario)]
    return run_scenario(rulebook, scenario)
