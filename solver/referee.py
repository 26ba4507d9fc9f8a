"""Who says which of two norms is the narrower: asked for only when two norms meet, and made only then."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rules.machine import Machine
    from rules.machine.norms import Applied
    from solver.encode.specificity import Referee


def referee_of(machine: Machine) -> Callable[[Applied, Applied], bool]:
    """A referee for `machine.precedence`. Nothing is loaded or made before the first pair is put to it."""
    made: list[Referee] = []

    def compare(one: Applied, other: Applied) -> bool:
        if not made:
            from solver.encode.specificity import Referee  # noqa: PLC0415  (most games never ask)

            made.append(Referee(machine))
        return made[0](one, other)

    return compare
