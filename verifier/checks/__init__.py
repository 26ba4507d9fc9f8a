"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import (
    allowed_and_forbidden,
    demanded_and_forbidden,
    idle_override,
    meta_rules,
    precedence_circle,
    restated,
    restated_alike,
    said_already,
    two_answers,
    two_duties,
    two_outcomes,
    two_readings,
)
from verifier.selection import Selection
from verifier.suspicion import Check

CHECKS: tuple[Check, ...] = (
    allowed_and_forbidden.CHECK,
    demanded_and_forbidden.CHECK,
    two_duties.CHECK,
    two_answers.CHECK,
    two_outcomes.CHECK,
    restated.CHECK,
    idle_override.CHECK,
    precedence_circle.CHECK,
    meta_rules.CHECK,
    two_readings.CHECK,
    said_already.CHECK,
)

# What is looked for only where its code is asked for.
ON_REQUEST: dict[str, Check] = {"LX996": restated_alike.CHECK}


def checks_for(selection: Selection) -> tuple[Check, ...]:
    """All checks that always run, and those on request that a selection asks for."""
    return (*CHECKS, *(check for code, check in ON_REQUEST.items() if selection.severity_of(code) is not None))
