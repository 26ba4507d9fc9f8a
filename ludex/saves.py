"""Saved games, read back: everything that can be wrong with them, in one line."""

from __future__ import annotations

from pathlib import Path

from ludex.book import Book
from ludex.game import Game
from ludex.positions import read_position
from rules.machine import Save, read_save
from rules.machine.game import save_head
from rules.span import Source


def load_save(book: Book, path: str | Path) -> Game:
    """The game as it was saved. Raises `ValueError`, with the file and the place, where it cannot be."""
    save = _read(path)
    if save.book != book.title:
        raise ValueError(f"`{path}` is a game of `{save.book}`, and this is `{book.title}`")
    changed = save.digest != book.digest
    try:
        game = _begun(book, save)
        game.replay(list(save.record), settled=changed)
    except ValueError as error:
        why = "the rulebook has changed since, and it no longer fits" if changed else "it does not fit the rulebook"
        raise ValueError(f"`{path}`: {why}: {error}") from None
    return game


def _begun(book: Book, save: Save) -> Game:
    if not save.position:
        return book.start(save.players, save.seed, save.policies, default_policies=False)
    placed = read_position(book, Source("its position", save.position), save.policies, default_policies=False)
    if isinstance(placed, tuple):
        first = placed[0]
        raise ValueError(f"line {first.span.line} of its position: {first.message}")
    return book.begin(placed, save.position, save.seed)


def is_changed(book: Book, path: str | Path) -> bool:
    """Whether the book is another one than the game was saved with."""
    return _read(path).digest != book.digest


def needless(game: Game, path: str | Path) -> int:
    """How many rulings of a saved game were left out when it was read, because the book has settled them since."""
    return len(_read(path).record) - len(game.record)


def refusal(book: Book, path: str | Path) -> str | None:
    """Why a game of the book is not to be written to a file; None where nothing stands in the way."""
    place = Path(path)
    if not place.parent.is_dir():
        return f"`{path}` cannot be written: there is no folder `{place.parent}`"
    if not place.exists():
        return None
    if not place.is_file():
        return f"`{path}` cannot be written: it is no file"
    try:
        text = place.read_bytes()
    except OSError:
        return f"`{path}` cannot be written: it is there already and cannot be read"
    if text and not text.startswith(save_head(book.title).encode("utf-8")):
        return f"`{path}` is there already, and is no save of `{book.title}`; it is left as it is"
    return None


def _read(path: str | Path) -> Save:
    try:
        return read_save(Path(path).read_bytes().decode("utf-8"))
    except OSError as error:
        raise ValueError(f"`{path}` cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"`{path}` is no save: it is not text") from None
    except ValueError as error:
        raise ValueError(f"`{path}`: {error}") from None
