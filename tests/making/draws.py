"""Draws from a seed. Only `random()` is used: it is the same in every version of Python."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draws:
    def __init__(self, source: int | random.Random) -> None:
        self._random = random.Random(source) if isinstance(source, int) else source

    def share(self, share: float) -> bool:
        """Yes, in this share of all cases."""
        return self._random.random() < share

    def below(self, number: int) -> int:
        return int(self._random.random() * number)

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def some(self, things: Sequence[T], least: int, most: int) -> list[T]:
        """Different ones, in their old order."""
        left = list(range(len(things)))
        wanted = min(self.between(least, most), len(things))
        while len(left) > wanted:
            left.pop(self.below(len(left)))
        return [things[place] for place in left]
