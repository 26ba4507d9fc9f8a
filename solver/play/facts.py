"""What play has shown: facts, each with the shortest play to it that was found and the state in which it was so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from rules.machine import Machine
from rules.machine.state import State
from solver.play.packing import Packed
from solver.play.plays import Play, Trail

FactKind = Literal[
    "offered",  # an action is legal and can be chosen: its verb
    "entered",  # a moment begins: (word, name); the word of an action is `action`
    "happened",  # an event: (its sort, the name of the verb, moment or slot); `runs out` is one of the sorts
    "done",  # a statement was carried out: its span
    "applied",  # a norm or a case applies where it is asked for: its key
    "decided",  # a norm is among those that made a matter what it is: its key
    "defeated",  # a norm lost against another: (key of the loser, key of the winner, words of the meta-rule)
    "fired",  # a trigger was carried out: the key of its norm
    "took over",  # a norm put something in the place of an event, or dropped it: its key
    "limited",  # a limit held something back: the key of its norm
    "row",  # a row of a table or a roll counted: its span
    "passage",  # a passage of a story was read: its name
    "option offered",  # an option could be chosen: its span
    "option taken",  # an option was chosen: its span
    "ending",  # a story ended: its text
    "result",  # somebody wins or loses: (player or None for nobody, result)
    "over",  # the game is over: all results, sorted
    "open",  # an open point: (kind, text, keys of the norms of each side, span where the book is silent or None)
    "order",  # triggers wait for somebody to order them: their keys, sorted, none twice
    "no move",  # somebody should act and has no legal move: the running moments, outermost first
]


@dataclass(frozen=True, slots=True)
class Fact:
    kind: FactKind
    what: Any  # as listed above; always hashable


class Evidence:
    """How a fact came about. `state` is as it was just then: between two decisions, or at one.

    `by` says which member of the portfolio found it.
    """

    __slots__ = ("_machine", "_packed", "_trail", "by")

    def __init__(self, machine: Machine, trail: Trail, packed: Packed | Callable[[], State], by: str) -> None:
        self._machine = machine
        self._trail = trail
        self._packed = packed
        self.by = by

    @property
    def trail(self) -> Trail:
        return self._trail

    @property
    def state(self) -> State:
        """A copy of its own for whoever asks; where it was not kept, play goes there again."""
        return self._packed.unpack() if isinstance(self._packed, Packed) else self._packed()

    @property
    def length(self) -> int:
        return self._trail.length

    @property
    def play(self) -> Play:
        """The decisions up to it; it comes about in what follows from the last of them, before the next."""
        return self._trail.play(self._machine)
