"""Where a defect can be planted: the part of a group that is changed, how, and what a finding must then name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.planting.parts import Edit, Lines, Modal, Rule

# Conditions that come true in every game, whatever a guild does.
COMMON: Lines = ("day is 2", "day is 3", "coins of p >= 2", "cargo of p")
_PLANTED_LINE = 900


@dataclass(frozen=True, slots=True)
class Site:
    """`named`: of each of these, a finding must give at least one name. `code` is that of the finding, where what is
    lost here is told by another than the usual one of the kind."""

    group: str
    part: str
    edit: Edit
    named: tuple[Lines, ...]
    code: str = ""


def place_in(document: str) -> str:
    """Where planted sentences stand in a document: behind all others."""
    return f"{document} {_PLANTED_LINE}"


def common_for(rule: Rule) -> Lines:
    """The common conditions that a permission does not exclude."""
    norm = rule.norm
    assert isinstance(norm, Modal)
    return tuple(c for c in COMMON if f"not {c}" not in norm.when)


def other_number(guard: str) -> str | None:
    """The same guard with a number next to its own, such that both can be told apart in play."""
    found = re.search(r"(<|<=|>|>=) (\d+)$", guard)
    if found is None:
        return None
    step = -1 if found[1] in ("<", "<=") else 1
    return f"{guard[: found.start(2)]}{int(found[2]) + step}"
