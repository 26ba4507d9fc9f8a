"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import (
    allowed_and_forbidden,
    claims,
    covered_case,
    demanded_and_forbidden,
    duty_that_cannot_be_met,
    empty_ending,
    empty_stock,
    game_without_end,
    goes_round,
    hole_in_a_table,
    idle_override,
    meta_rules,
    never_applies,
    never_comes_up,
    never_ends,
    never_entered,
    never_legal,
    never_open,
    never_read,
    no_longer_won,
    no_move,
    not_taken_up,
    out_of_range,
    precedence_circle,
    questions,
    read_too_early,
    restated,
    restated_alike,
    rows_that_meet,
    said_already,
    set_in_vain,
    tie_without_a_breaker,
    trigger_order,
    two_answers,
    two_duties,
    two_outcomes,
    two_readings,
    unattainable_ending,
    value_without_a_rule,
    win_and_loss,
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
    questions.CHECK,
    claims.CHECK,
    hole_in_a_table.CHECK,
    value_without_a_rule.CHECK,
    tie_without_a_breaker.CHECK,
    not_taken_up.CHECK,
    empty_stock.CHECK,
    duty_that_cannot_be_met.CHECK,
    out_of_range.CHECK,
    rows_that_meet.CHECK,
    covered_case.CHECK,
    never_applies.CHECK,
    never_legal.CHECK,
    never_entered.CHECK,
    never_read.CHECK,
    never_open.CHECK,
    never_ends.CHECK,
    never_comes_up.CHECK,
    trigger_order.CHECK,
    read_too_early.CHECK,
    set_in_vain.CHECK,
    no_move.CHECK,
    goes_round.CHECK,
    no_longer_won.CHECK,
    win_and_loss.CHECK,
    unattainable_ending.CHECK,
    empty_ending.CHECK,
    game_without_end.CHECK,
    two_readings.CHECK,
    said_already.CHECK,
)

# What is looked for only where its code is asked for.
ON_REQUEST: dict[str, Check] = {"LX996": restated_alike.CHECK}


def checks_for(selection: Selection) -> tuple[Check, ...]:
    """All checks that always run, and those on request that a selection asks for."""
    return (*CHECKS, *(check for code, check in ON_REQUEST.items() if selection.severity_of(code) is not None))
