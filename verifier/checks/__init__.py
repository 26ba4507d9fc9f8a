"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import allowed_and_forbidden, idle_override, meta_rules, precedence_circle, questions
from verifier.suspicion import Check

CHECKS: tuple[Check, ...] = (
    allowed_and_forbidden.CHECK,
    idle_override.CHECK,
    precedence_circle.CHECK,
    meta_rules.CHECK,
    questions.CHECK,
)
