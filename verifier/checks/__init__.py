"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import (
    allowed_and_forbidden,
    empty_stock,
    hole_in_a_table,
    tie_without_a_breaker,
    value_without_a_rule,
)
from verifier.suspicion import Check

CHECKS: tuple[Check, ...] = (
    allowed_and_forbidden.CHECK,
    hole_in_a_table.CHECK,
    value_without_a_rule.CHECK,
    tie_without_a_breaker.CHECK,
    empty_stock.CHECK,
)
