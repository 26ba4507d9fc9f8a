"""State files: a path to a machine and a state of it that waits for a decision, or to what is wrong with the file."""

from __future__ import annotations

from dataclasses import replace

from grammar.positions import parse_position
from grammar.read import read_source
from ludex.book import Book
from rules import model as m
from rules.diagnostics import Diagnostic, in_reading_order
from rules.machine.position import Placed, place_position
from rules.machine.position_text import position_text
from rules.span import Source
from solver.referee import referee_of

__all__ = ["Placed", "load_position", "position_text", "read_position"]

# What `ludex fmt` mends in a rulebook is mended by hand in a state file; its lines are read all the same.
_MENDED_BY_HAND = {
    "LX005": "save it as UTF-8 without a byte order mark",
    "LX006": "save it with plain line ends",
}


def load_position(
    book: Book, path: str, policies: tuple[str, ...] = (), default_policies: bool = True
) -> Placed | tuple[Diagnostic, ...]:
    """Reads a state file of a book; `policies` are in force besides those that the file names.

    Raises `ValueError` for a book that cannot be played, or that does not have such a policy.
    """
    found = read_source(path)
    if isinstance(found, Source):
        return read_position(book, found, policies, default_policies)
    if found.code not in _MENDED_BY_HAND:
        return (replace(found, help=None if found.code == "LX004" else found.help),)
    spoiled = replace(found, help=_MENDED_BY_HAND[found.code])
    source = read_source(path, lenient=True)
    if isinstance(source, Diagnostic):  # it has changed under our eyes
        return (spoiled,)
    placed = read_position(book, source, policies, default_policies)
    return (spoiled, *placed) if isinstance(placed, tuple) else (spoiled,)


def read_position(
    book: Book, source: Source, policies: tuple[str, ...] = (), default_policies: bool = True
) -> Placed | tuple[Diagnostic, ...]:
    """Reads the text of a state file, as `load_position` does."""
    if book.checked is None:
        raise ValueError("a rulebook with errors cannot be played")
    if not any(isinstance(d, m.Play) for d in book.checked.book.declarations):
        raise ValueError("the rulebook has no `play`, so there is nothing to play")
    parsed = parse_position(source)
    complete = not parsed.diagnostics
    placed = place_position(book.checked, book.title, parsed.position, complete, referee_of, policies, default_policies)
    if isinstance(placed, tuple):
        return in_reading_order((*parsed.diagnostics, *placed))
    return placed
