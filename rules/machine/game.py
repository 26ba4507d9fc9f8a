"""A game: a machine, a seed, and the decisions so far. Its state is the replay of them.

Dice and shuffles are decided by the seed; the same seed and the same choices give the same game on every machine. What
was decided is kept as text, so that a game can be saved, read by people, and replayed.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, Self

from rules.machine.base import Chance, Choice, Legal, Move, Node, Open
from rules.machine.norms import Ruling
from rules.machine.run import Machine
from rules.machine.state import State

SAVE_VERSION = 1
MOST_DIGITS = 40  # of a seed; longer numbers help nobody, and Python reads them slowly

By = Literal["choice", "chance", "ruling"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that was decided: by a player, by chance, or by a ruling of the table at an open point."""

    by: By
    text: str


class Game:
    """Nothing that is not legal changes it. `begin` is a position to start from instead of the set-up."""

    def __init__(self, machine: Machine, seed: int = 0, begin: State | None = None) -> None:
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise TypeError(f"a seed is a whole number, not {seed!r}")
        if abs(seed) >= 10**MOST_DIGITS:
            raise ValueError(f"a seed has up to {MOST_DIGITS} digits")
        self.machine = machine
        self.seed = seed
        self.begin = begin
        self._keeping = False
        self._start()

    def _start(self) -> None:
        self._random = random.Random(self.seed)
        self.record: list[Entry] = []
        self.rulings: list[Ruling] = []
        self._learned: list[int] = []  # how much players had come to know after each entry
        self._run(self.begin.copy() if self.begin is not None else self.machine.start())

    def _run(self, state: State) -> None:
        # A ruling goes back to here. Few games need one, so only those that are replayed for it pay for the copy.
        self._before = state.copy() if self._keeping else None
        self.state = state
        self.node: Node = self.machine.run(state)

    @property
    def is_over(self) -> bool:
        return self.state.over

    @property
    def open_point(self) -> Open | None:
        """Where the book disagrees with itself, is silent, or asks for what cannot be done."""
        return self.node if isinstance(self.node, Open) else None

    @property
    def moves(self) -> tuple[Move, ...]:
        """What the one whose decision it is can choose; nothing where nobody decides."""
        return self.node.moves if isinstance(self.node, Choice) else ()

    @property
    def has_chosen(self) -> bool:
        return any(entry.by != "chance" for entry in self.record)

    def legal(self) -> list[Legal]:
        """The legal actions now, in the order of the book, with the rules that allow them.

        What no rule is asked about (to stop, a thing or an option to choose, what happens first) is only in `moves`.
        """
        if not isinstance(self.node, Choice):
            return []
        return self.machine.legal_now(self.state)

    # ---- deciding

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

    def do(self, move: str | Move | Legal) -> None:
        """Makes a choice: one of `moves` or `legal()`, or its text.

        Raises `ValueError`, and changes nothing, if it is none of the choices here; `TypeError` if it is no move.
        """
        if not isinstance(move, str | Move | Legal):
            raise TypeError(f"a move is a text, or one of `moves` or `legal()`, not {move!r}")
        text = self.machine.show_move(move.verb, move.args) if isinstance(move, Legal) else _text(move)
        if not isinstance(self.node, Choice):
            is_open = isinstance(self.node, Open)
            why = "the book leaves something open here" if is_open else "nobody has to decide anything here"
            raise ValueError(f"`{text}`: {why}")
        if isinstance(move, Legal):
            chosen = next((m for m in self.node.moves if m.data == (move.verb, move.args)), None)
        else:
            chosen = next((m for m in self.node.moves if m.text == text), None)
        if chosen is None:
            raise ValueError(f"`{text}` cannot be chosen here")
        self._decide(chosen, "choice")

    def _decide(self, move: Move, by: By) -> None:
        self.machine.answer(self.state, move)
        self._run(self.state)
        self._note(Entry(by, move.text))

    def rule(self, ruling: str | Ruling) -> None:
        """Settles an open point and goes on; raises `ValueError`, and changes nothing, if it is none of its rulings."""
        text = _text(ruling)
        if not isinstance(self.node, Open):
            raise ValueError(f"`{text}`: nothing is open here")
        chosen = next((r for r in self.node.rulings if r.text == text), None)
        if chosen is None:
            raise ValueError(f"`{text}` does not settle what is open here")
        if self._before is None:
            self._become(self._replayed(self.record, keeping=True))
            self._keeping = False
        state = self._before
        assert state is not None
        self.machine.rule(state, chosen)
        self._run(state)
        self.rulings.append(chosen)
        self._note(Entry("ruling", chosen.text))

    def _note(self, entry: Entry) -> None:
        self.record.append(entry)
        self._learned.append(self.state.learned)

    # ---- going back

    def undo(self, through_chance: bool = False) -> Entry:
        """Takes the last choice or ruling back. What chance decided or somebody saw since then stays, unless told."""
        place = max((i for i, entry in enumerate(self.record) if entry.by != "chance"), default=None)
        if place is None:
            raise ValueError("nothing has been chosen yet")
        if not through_chance:
            if any(entry.by == "chance" for entry in self.record[place:]):
                raise ValueError("chance has decided since the last choice")
            if self.state.learned > (self._learned[place - 1] if place else 0):
                raise ValueError("somebody has seen something new since the last choice")
        undone = self.record[place]
        self.replay(self.record[:place])
        return undone

    def replay(self, record: list[Entry], settled: bool = False) -> None:
        """The state after these decisions. Raises `ValueError`, and changes nothing, if one of them does not fit.

        With `settled`, rulings on what is no longer open are left out: the book may have taken them up since.
        """
        self._become(self._replayed(record, any(entry.by == "ruling" for entry in record), settled))
        self._keeping = False

    def _replayed(self, record: list[Entry], keeping: bool, settled: bool = False) -> Self:
        again = type(self).__new__(type(self))
        again._become(self)
        again._keeping = keeping
        again._start()
        for number, entry in enumerate(record, 1):
            if not (settled and entry.by == "ruling" and not isinstance(again.node, Open)):
                again._replay_one(number, entry)
        return again

    def _become(self, other: Self) -> None:
        self.__dict__.update(other.__dict__)

    def _replay_one(self, number: int, entry: Entry) -> None:
        node = self.node
        if entry.by == "chance":
            if not isinstance(node, Chance):
                raise ValueError(f"decision {number}: `{entry.text}`: nothing is left to chance here")
            self._random.random()  # the seed goes on from the same place
            found = next((move for move, _ in node.outcomes if move.text == entry.text), None)
            if found is None:
                raise ValueError(f"decision {number}: `{entry.text}` cannot come out here")
            self._decide(found, "chance")
            return
        try:
            if entry.by == "choice":
                self.do(entry.text)
            else:
                self.rule(entry.text)
        except ValueError as error:
            raise ValueError(f"decision {number}: {error}") from None


def _text(given: str | Move | Ruling) -> str:
    return given if isinstance(given, str) else given.text


# ---- Saves ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Save:
    """`position` is the text of the state file from which the game was begun, if any."""

    book: str
    digest: str
    players: int
    seed: int
    policies: tuple[str, ...]
    record: tuple[Entry, ...]
    position: str = ""


_MARKS: dict[str, By] = {"+": "choice", "*": "chance", "!": "ruling"}


def save_text(save: Save) -> str:
    marks = {by: mark for mark, by in _MARKS.items()}
    lines = [
        save_head(save.book).removesuffix("\n"),
        f"digest {save.digest}",
        f"players {save.players}",
        f"seed {save.seed}",
        f"policies {' '.join(save.policies) or '-'}",
    ]
    if save.position:
        lines += [f"| {line}" for line in save.position.removesuffix("\n").split("\n")]
    lines += [f"{marks[entry.by]} {_escaped(entry.text)}" for entry in save.record]
    text = "\n".join(lines) + "\n"
    return f"{text}end {_seal(text)}\n"


def save_head(book: str) -> str:
    """The first lines of every save of a game."""
    return f"ludex save {SAVE_VERSION}\nbook {_escaped(book)}\n"


def _escaped(text: str) -> str:
    """A text in one line."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


def _seal(text: str) -> str:
    """Tells a save that was changed by hand from one that was not."""
    return blake2b(text.encode("utf-8"), digest_size=6).hexdigest()


def read_save(text: str) -> Save:
    """Raises `ValueError` with the line that is wrong."""
    lines = text.split("\n")
    if lines[0] != f"ludex save {SAVE_VERSION}":
        raise ValueError(f"line 1: this is no save of this version of Ludex (`ludex save {SAVE_VERSION}`)")
    if lines[-1] or not re.fullmatch(r"end [0-9a-f]{12}", lines[-2]):
        raise ValueError(f"line {len(lines)}: the save is cut off: its last line is not `end ...`")
    head: dict[str, str] = {}
    for number, word in enumerate(("book", "digest", "players", "seed", "policies"), 2):
        found, _, value = lines[number - 1].partition(" ") if number <= len(lines) else ("", "", "")
        if found != word or not (value or word == "book"):
            raise ValueError(f"line {number}: `{word} ...` should stand here")
        head[word] = value
    for number, word in ((4, "players"), (5, "seed")):
        if not re.fullmatch(rf"-?[0-9]{{1,{MOST_DIGITS}}}", head[word]):
            raise ValueError(f"line {number}: `{head[word]}` is no number")
    position: list[str] = []
    record: list[Entry] = []
    for number, line in enumerate(lines[6:-2], 7):
        mark, _, rest = line.partition(" ")
        if mark == "|" and not record:
            position.append(rest)
        elif mark in _MARKS:
            record.append(Entry(_MARKS[mark], _unescaped(rest)))
        else:
            raise ValueError(f"line {number}: a decision begins with `+` (a choice), `*` (chance) or `!` (a ruling)")
    if lines[-2] != f"end {_seal(text[: text.rindex('end ')])}":
        raise ValueError(f"line {len(lines) - 1}: the save has been changed since it was written")
    policies = () if head["policies"] == "-" else tuple(head["policies"].split())
    start = "".join(f"{line}\n" for line in position)
    return Save(
        _unescaped(head["book"]),
        head["digest"],
        int(head["players"]),
        int(head["seed"]),
        policies,
        tuple(record),
        start,
    )
