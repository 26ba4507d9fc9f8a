"""The checks of the judge, in the order in which they are run and reported. Removing one is removing its line."""

from __future__ import annotations

from verifier.checks import allowed_and_forbidden, restated, restated_alike, said_already
from verifier.selection import Selection
from verifier.suspicion import Check

CHECKS: tuple[Check, ...] = (allowed_and_forbidden.CHECK, restated.CHECK, said_already.CHECK)

# What is looked for only where its code is asked for.
ON_REQUEST: dict[str, Check] = {"LX996": restated_alike.CHECK}


def checks_for(selection: Selection) -> tuple[Check, ...]:
    """All checks that always run, and those on request that a selection asks for."""
    return (*CHECKS, *(check for code, check in ON_REQUEST.items() if selection.severity_of(code) is not None))
