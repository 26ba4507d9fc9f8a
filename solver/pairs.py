"""Which conditions of two lists can meet, by the bounds of their variables: pairs that cannot are never looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.cases import Cases
from solver.terms import Flag, Term


class Meeting:
    """A list of conditions, asked again and again which of them another condition can meet.

    Places in the list are the bits of plain integers, so that what a bound excludes is taken away at once.
    """

    def __init__(self, conditions: Sequence[Flag], cases: Cases) -> None:
        self._cases = cases
        self._possible = 0
        self._limited: dict[Term, dict[int, int]] = {}  # by variable and the bits it may have: which conditions say so
        self._excluded: dict[tuple[Term, int], int] = {}
        for place, condition in enumerate(conditions):
            case = cases.of(condition)
            if case is None:
                continue
            self._possible |= 1 << place
            for variable, bits in case.limits.items():
                by_bits = self._limited.setdefault(variable, {})
                by_bits[bits] = by_bits.get(bits, 0) | 1 << place

    def places(self, condition: Flag) -> Iterator[int]:
        """The places of those that no bound keeps from meeting a condition, in order."""
        case = self._cases.of(condition)
        left = 0 if case is None else self._possible
        if case is not None:
            for variable, bits in case.limits.items():
                left &= ~self._out(variable, bits)
        while left:
            lowest = left & -left
            yield lowest.bit_length() - 1
            left ^= lowest

    def _out(self, variable: Term, bits: int) -> int:
        """Those that leave a variable none of these values."""
        key = (variable, bits)
        found = self._excluded.get(key)
        if found is None:
            found = 0
            for theirs, places in self._limited.get(variable, {}).items():
                if not theirs & bits:
                    found |= places
            self._excluded[key] = found
        return found
