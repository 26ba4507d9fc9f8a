"""Plays: the decisions of a game from its start, and their replay, by which every witness is confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rules.diagnostics import InternalError
from rules.machine import Chance, Choice, Entry, Machine, Node, Open, Ruling
from rules.machine.state import State

By = Literal["choice", "chance", "ruling"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, and by whom: a player by number, None for the table as one; chance and rulings have nobody.

    `data` is what the machine is given: the data of a move, or the ruling itself.
    """

    by: By
    who: int | None
    text: str
    data: Any


@dataclass(frozen=True, slots=True)
class Play:
    """The decisions of a game for so many players, from its start on."""

    seats: int
    decisions: tuple[Decision, ...]

    def __len__(self) -> int:
        return len(self.decisions)

    @property
    def record(self) -> tuple[Entry, ...]:
        """The same as a game keeps it in a save."""
        return tuple(Entry(one.by, one.text) for one in self.decisions)

    @property
    def texts(self) -> tuple[str, ...]:
        """As it is shown to players."""
        return tuple(one.text for one in self.decisions)


class Trail:
    """The last decision of a play, with the trail to it; many plays share their beginnings."""

    __slots__ = ("before", "decision", "length")

    def __init__(self, before: Trail | None = None, decision: Decision | None = None) -> None:
        self.before = before
        self.decision = decision
        self.length: int = before.length + 1 if before is not None else 0

    def play(self, machine: Machine) -> Play:
        found: list[Decision] = []
        at: Trail | None = self
        while at is not None and at.decision is not None:
            found.append(at.decision)
            at = at.before
        return Play(machine.world.seats, tuple(reversed(found)))


def decisions_at(node: Node) -> Iterator[Decision]:
    """All that can be decided at a node, in its order; at an open point, the rulings that settle it."""
    match node:
        case Choice(actor=actor, moves=moves):
            for move in moves:
                yield Decision("choice", actor, move.text, move.data)
        case Chance(outcomes=outcomes):
            for move, _ in outcomes:
                yield Decision("chance", None, move.text, move.data)
        case Open(rulings=rulings):
            for ruling in rulings:
                yield Decision("ruling", None, ruling.text, ruling)
        case _:
            return


def decide(machine: Machine, state: State, decision: Decision) -> None:
    """Puts a decision in; `run` goes on with it. A ruling is put into the state from before the open point."""
    if decision.by == "ruling":
        assert isinstance(decision.data, Ruling)
        machine.rule(state, decision.data)
    else:
        state.answer = decision.data


def replay(machine: Machine, play: Play) -> tuple[State, Node]:
    """The state after a play, and what must be decided there.

    Raises `InternalError` where a decision does not fit: whoever claimed that play is wrong, and that is our mistake.
    """
    *_, last = nodes_along(machine, play)
    return last


def nodes_along(machine: Machine, play: Play) -> Iterator[tuple[State, Node]]:
    """The start and every step of a play, replayed: what must be decided there, and the state. Raises like `replay`.

    A state goes on with the play: who wants to keep one copies it.
    """
    if play.seats != machine.world.seats:
        raise InternalError(f"a play of {play.seats} players was replayed with {machine.world.seats}")
    state = machine.start()
    before = state.copy()
    node = machine.run(state)
    yield state, node
    for number, decision in enumerate(play.decisions, 1):
        if not any(_is_same(decision, offered) for offered in decisions_at(node)):
            raise InternalError(f"decision {number} of a play, `{decision.text}`, does not fit")
        if decision.by == "ruling":
            state = before
        decide(machine, state, decision)
        before = state.copy()
        node = machine.run(state)
        yield state, node


def _is_same(one: Decision, other: Decision) -> bool:
    if (one.by, one.who, one.text) != (other.by, other.who, other.text):
        return False
    return one.by == "ruling" or one.data == other.data
