"""A game: a machine, a seed, and the decisions so far. Its state is the replay of them.

Dice and shuffles are decided by the seed; the same seed and the same choices give the same game on every machine. What
was decided is kept as text, so that a game can be saved, read by people, and replayed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Literal

from rules.machine.base import Chance, Choice, Legal, Move, Node, Open
from rules.machine.run import Machine
from rules.machine.state import State

SAVE_VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was decided: by a player or by chance."""

    by: Literal["choice", "chance"]
    text: str


class Game:
    """Nothing that is not legal changes it."""

    def __init__(self, machine: Machine, seed: int = 0) -> None:
        self.machine = machine
        self.seed = seed
        self.record: list[Entry] = []
        self._begin()

    def _begin(self) -> None:
        self._random = random.Random(self.seed)
        self.state: State = self.machine.start()
        self.node: Node = self.machine.run(self.state)

    @property
    def is_over(self) -> bool:
        return self.state.over

    @property
    def moves(self) -> tuple[Move, ...]:
        """What the one whose decision it is can choose; nothing where nobody decides."""
        return self.node.moves if isinstance(self.node, Choice) else ()

    @property
    def has_chosen(self) -> bool:
        return any(entry.by == "choice" for entry in self.record)

    def legal(self) -> list[Legal]:
        """The legal actions now, with the rules that allow them."""
        if not isinstance(self.node, Choice):
            return []
        return self.machine.legal_now(self.state)

    def settle(self) -> None:
        """Lets chance decide until a player must, the game is over, or the book leaves something open."""
        while isinstance(self.node, Chance):
            self.chance()

    def chance(self) -> str:
        """Lets chance decide one thing, by the seed; what came out. Raises `ValueError` where it does not decide."""
        if not isinstance(self.node, Chance):
            raise ValueError("nothing is left to chance here")
        move = self._drawn(self.node)
        self._decide(move, "chance")
        return move.text

    def _drawn(self, node: Chance) -> Move:
        total = sum(weight for _, weight in node.outcomes)
        # `random()` is the same on every machine and in every version of Python; its other methods need not be.
        place = int(self._random.random() * total)
        for move, weight in node.outcomes:
            place -= weight
            if place < 0:
                return move
        return node.outcomes[-1][0]

    def do(self, move: str | Move) -> None:
        """Makes a choice, by its text; raises `ValueError` if it is none of the choices here."""
        if not isinstance(self.node, Choice):
            raise ValueError("nobody has to decide anything here")
        text = move.text if isinstance(move, Move) else move
        chosen = next((m for m in self.node.moves if m.text == text), None)
        if chosen is None:
            raise ValueError(f"`{text}` cannot be chosen here")
        self._decide(chosen, "choice")

    def _decide(self, move: Move, by: Literal["choice", "chance"]) -> None:
        self.machine.answer(self.state, move)
        self.record.append(Entry(by, move.text))
        self.node = self.machine.run(self.state)

    def undo(self, through_chance: bool = False) -> Entry:
        """Takes the last choice back. What chance has decided since is not taken back unless it is told to."""
        place = max((i for i, entry in enumerate(self.record) if entry.by == "choice"), default=None)
        if place is None:
            raise ValueError("nothing has been chosen yet")
        if any(entry.by == "chance" for entry in self.record[place:]) and not through_chance:
            raise ValueError("chance has decided since the last choice")
        undone = self.record[place]
        self.replay(self.record[:place])
        return undone

    def replay(self, record: list[Entry]) -> None:
        """The state after these decisions. Raises `ValueError`, and changes nothing, if one of them does not fit."""
        before = (self.record, self.state, self.node, self._random)
        self.record = []
        self._begin()
        try:
            for number, entry in enumerate(record, 1):
                self._replay_one(number, entry)
        except ValueError:
            self.record, self.state, self.node, self._random = before
            raise

    def _replay_one(self, number: int, entry: Entry) -> None:
        node = self.node
        if entry.by == "chance":
            if not isinstance(node, Chance):
                raise ValueError(f"decision {number}: nothing is left to chance here")
            self._random.random()  # the seed goes on from the same place
            found = next((move for move, _ in node.outcomes if move.text == entry.text), None)
        else:
            if not isinstance(node, Choice):
                raise ValueError(f"decision {number}: nobody decides anything here")
            found = next((move for move in node.moves if move.text == entry.text), None)
        if found is None:
            raise ValueError(f"decision {number}: `{entry.text}` cannot be chosen here")
        self._decide(found, entry.by)

    @property
    def open_point(self) -> Open | None:
        """Where the book disagrees with itself, or is silent."""
        return self.node if isinstance(self.node, Open) else None


# ---- Saves ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Save:
    book: str
    digest: str
    seats: int
    seed: int
    policies: tuple[str, ...]
    record: tuple[Entry, ...]


def save_text(save: Save) -> str:
    lines = [
        f"ludex save {SAVE_VERSION}",
        f"book {save.book}",
        f"digest {save.digest}",
        f"seats {save.seats}",
        f"seed {save.seed}",
        f"policies {' '.join(save.policies) or '-'}",
    ]
    lines += [f"{'+' if entry.by == 'choice' else '*'} {entry.text}" for entry in save.record]
    return "\n".join(lines) + "\nend\n"


def read_save(text: str) -> Save:
    """Raises `ValueError` with the line that is wrong."""
    lines = text.split("\n")
    if lines[0] != f"ludex save {SAVE_VERSION}":
        raise ValueError(f"line 1: this is no save of this version of Ludex (`ludex save {SAVE_VERSION}`)")
    if lines[-2:] != ["end", ""]:
        raise ValueError(f"line {len(lines)}: the save is cut off: its last line is not `end`")
    head: dict[str, str] = {}
    for number, word in enumerate(("book", "digest", "seats", "seed", "policies"), 2):
        found, _, value = lines[number - 1].partition(" ") if number <= len(lines) else ("", "", "")
        if found != word or not value:
            raise ValueError(f"line {number}: `{word} ...` should stand here")
        head[word] = value
    for number, word in ((4, "seats"), (5, "seed")):
        if not head[word].lstrip("-").isdigit():
            raise ValueError(f"line {number}: `{head[word]}` is no number")
    record: list[Entry] = []
    for number, line in enumerate(lines[6:-2], 7):
        mark, _, rest = line.partition(" ")
        if mark not in ("+", "*") or not rest:
            raise ValueError(f"line {number}: a decision begins with `+` (a choice) or `*` (chance)")
        record.append(Entry("choice" if mark == "+" else "chance", rest))
    policies = () if head["policies"] == "-" else tuple(head["policies"].split())
    return Save(head["book"], head["digest"], int(head["seats"]), int(head["seed"]), policies, tuple(record))
