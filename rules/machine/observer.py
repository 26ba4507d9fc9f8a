"""Looking on while a machine plays: what an observer is told, and when.

A machine has at most one observer and plays the same with or without it. Trials, by which the machine finds out whether
an action is legal or what is chosen in secret, run on other states: each report says of which state it speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rules import model as m
    from rules.machine.base import Happening, Legal
    from rules.machine.norms import Applied, Decision, RuleNorm
    from rules.machine.state import Frame, State

# What norms do that apply: they wait for their turn as triggers, are carried out as such, put something in the place
# of an event or drop it, are a case of a value, make somebody win or lose, hold something within a limit.
Use = Literal["waits", "fires", "takes over", "case", "outcome", "limit"]


class Observer:
    """Each report does nothing here; whoever looks on takes those that matter."""

    def asks(self, state: State) -> None:
        """Somebody is about to be asked for an action; what is legal has not been looked at yet."""

    def weighs(self, norm: RuleNorm, state: State) -> None:
        """The conditions of a norm are about to be looked at."""

    def judged(self, found: Sequence[Legal], state: State) -> None:
        """What the norms say of every move that something allows, legal or not."""

    def applied(self, norms: Sequence[Applied], use: Use, state: State) -> None:
        """These norms apply, and do this."""

    def decided(self, decision: Decision, state: State) -> None:
        """Norms disagreed, and precedence has decided."""

    def entered(self, frame: Frame, state: State) -> None:
        """A moment begins: a phase, a step, a turn, an action, a procedure, a window."""

    def done(self, statement: m.Statement, state: State) -> None:
        """A statement was carried out; what it has begun may still go on."""

    def found_row(self, row: m.Row, state: State) -> None:
        """A row of a table or of a roll fits, and counts."""

    def happened(self, happenings: Sequence[Happening], state: State) -> None:
        """An event has happened, seen from all its sides; the state is as it has left it."""

    def changed(self, state: State) -> None:
        """A cell was changed without an event: a step of a shuffle."""
