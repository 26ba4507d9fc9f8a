"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import (
    allowed_and_forbidden,
    demanded_and_forbidden,
    idle_override,
    meta_rules,
    precedence_circle,
    two_answers,
    two_duties,
    two_outcomes,
    two_readings,
)
from verifier.suspicion import Check

CHECKS: tuple[Check, ...] = (
    allowed_and_forbidden.CHECK,
    demanded_and_forbidden.CHECK,
    two_duties.CHECK,
    two_answers.CHECK,
    two_outcomes.CHECK,
    idle_override.CHECK,
    precedence_circle.CHECK,
    meta_rules.CHECK,
    two_readings.CHECK,
)
