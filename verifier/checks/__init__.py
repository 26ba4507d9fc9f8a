"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import (
    allowed_and_forbidden,
    covered_case,
    duty_that_cannot_be_met,
    empty_ending,
    empty_stock,
    game_without_end,
    hole_in_a_table,
    rows_that_meet,
    tie_without_a_breaker,
    unattainable_ending,
    value_without_a_rule,
    win_and_loss,
)
from verifier.suspicion import Check

CHECKS: tuple[Check, ...] = (
    allowed_and_forbidden.CHECK,
    hole_in_a_table.CHECK,
    value_without_a_rule.CHECK,
    tie_without_a_breaker.CHECK,
    empty_stock.CHECK,
    duty_that_cannot_be_met.CHECK,
    rows_that_meet.CHECK,
    covered_case.CHECK,
    win_and_loss.CHECK,
    unattainable_ending.CHECK,
    empty_ending.CHECK,
    game_without_end.CHECK,
)
