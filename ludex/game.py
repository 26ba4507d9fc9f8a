"""A game of a book, as users of the library have it: it knows its book, so it can be saved and can explain itself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludex.rewrite import write_whole
from rules import machine
from rules.machine import Legal, Machine, Move, Save, save_text
from rules.machine.state import State

if TYPE_CHECKING:
    from ludex.book import Book
    from ludex.reasons import Explanation


class Game(machine.Game):
    """`Book.start` and `Book.resume` make it. `position` is the text of the state file it began with, if any."""

    def __init__(
        self,
        book: Book,
        of: Machine,
        seed: int = 0,
        policies: tuple[str, ...] = (),
        begin: State | None = None,
        position: str = "",
    ) -> None:
        super().__init__(of, seed, begin)
        self.book = book
        self.policies = policies
        self.position = position

    def save(self, path: str | Path) -> None:
        """Writes the game to a file, whole or not at all. Raises `ValueError` where it cannot be written."""
        players = self.machine.world.seats
        save = Save(
            self.book.title, self.book.digest, players, self.seed, self.policies, tuple(self.record), self.position
        )
        write_whole(Path(path), save_text(save))

    def why(self, move: str | Move | Legal, viewer: int | None = None) -> Explanation:
        """Why a move is legal or not, in words and as data; of what `viewer` may not see, nothing is told.

        Raises `ValueError` for a text that is no move or a viewer who is none of the players, `TypeError` for what is
        no text and no move.
        """
        if not isinstance(move, str | Move | Legal):
            raise TypeError(f"a move is a text, or one of `moves` or `legal()`, not {move!r}")
        players = self.machine.world.seats
        if viewer is not None and viewer not in range(players):
            raise ValueError(f"players are numbered from 0 to {players - 1}; nobody is {viewer}")
        from ludex.reasons import why_at  # noqa: PLC0415  (few games ask)

        return why_at(self.machine, self.state, self.node, move, viewer)

    def errata(self, book: str) -> str:
        """The rulings of this game as a rulebook that imports the game from the path `book`."""
        from ludex.errata import errata_text  # noqa: PLC0415  (few games need the printer of the language)

        return errata_text(self.machine, self.rulings, book)
