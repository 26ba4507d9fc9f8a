"""What comparing two rulebooks brings to light, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from verifier.finding import Finding

Sort = Literal["move", "value", "outcome", "table", "rank", "trigger", "action", "passage", "state"]


@dataclass(frozen=True, slots=True)
class Says:
    """What one side says of a matter, and the rules that make it so."""

    words: str  # `legal`, `illegal`, `undetermined`, a value
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Different:
    """A matter on which two sides differ, and a state that shows it.

    `example` is the move, the value or the player of whom it is told; `facts` are the state, in the words of the game.
    `confirmed`: both interpreters were asked in that state, and gave these answers.
    """

    sort: Sort
    name: str
    example: str
    one: Says
    other: Says
    facts: tuple[str, ...] = ()
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class Only:
    """Something that only one side has."""

    sort: str  # `kind`, `state`, `action`, `rule` ...
    name: str
    side: Literal["one", "other"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """`one` and `other` are what was compared, as it was called; `players` for how many.

    `not_compared` says of what it is not known whether it differs, and why. `settled` and `appeared` are the findings
    of the one that the other does not have, and those that are new in it; None where nobody asked for them.
    """

    one: str
    other: str
    players: int
    different: tuple[Different, ...] = ()
    only: tuple[Only, ...] = ()
    compared: tuple[tuple[str, int], ...] = ()  # how many moves, values ... were compared
    not_compared: tuple[tuple[str, str], ...] = ()
    settled: tuple[Finding, ...] | None = None
    appeared: tuple[Finding, ...] | None = None

    @property
    def same(self) -> bool:
        """Whether no difference was found, and everything could be compared. How rules are called does not matter."""
        alone = [one for one in self.only if one.sort not in ("rule", "ruling")]
        return not self.different and not self.not_compared and not alone

    def of_sort(self, sort: Sort) -> tuple[Different, ...]:
        return tuple(one for one in self.different if one.sort == sort)
