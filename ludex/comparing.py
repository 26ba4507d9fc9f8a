"""Comparing rulebooks from Python: `ludex.compare("first.rules", "second.rules")`."""

from __future__ import annotations

from pathlib import Path

from ludex.book import Book, load
from rules import model as m
from rules.check import CheckedRulebook
from verifier.comparing import Comparison, compare_books, compare_documents

BookLike = Book | str | Path


def compare(
    one: BookLike,
    other: BookLike | None = None,
    *,
    documents: tuple[str, str] | None = None,
    players: int | None = None,
    findings: bool | None = None,
) -> Comparison:
    """Two rulebooks, or with `documents` two documents of one: which moves, values and outcomes differ.

    With `findings`, what the judge finds in one of them alone; None asks for it where the second book is built on the
    first, as an errata sheet is. Raises `ValueError` for a book with errors, a document that it does not have, or a
    number of players that a book is not for.
    """
    first = _book(one)
    if documents is not None:
        if other is not None:
            raise ValueError("two documents are compared in one rulebook, not in two")
        return _documents(first, documents, players)
    if other is None:
        raise ValueError("a rulebook to compare with, or two documents of this one, must be named")
    second = _book(other)
    wanted = is_built_on(second, first) if findings is None else findings
    names = _names(first, second)
    return compare_books(_checked(first), _checked(second), names, players, wanted)


def is_built_on(book: Book, base: Book) -> bool:
    """Whether a book has all the texts of another, and more: it imports it."""
    own = {source.text for source in book.sources}
    return len(book.sources) > len(base.sources) and all(source.text in own for source in base.sources)


def _documents(book: Book, documents: tuple[str, str], players: int | None) -> Comparison:
    known = [
        d.name.text for part in book.rulebook.declarations if isinstance(part, m.Documents) for d in part.documents
    ]
    for name in documents:
        if name not in known:
            listed = f"it has {', '.join(known)}" if known else "it declares none"
            raise ValueError(f"the rulebook has no document `{name}`: {listed}")
    if documents[0] == documents[1]:
        raise ValueError(f"`{documents[0]}` is to be compared with itself")
    return compare_documents(_checked(book), documents[0], documents[1], players)


def _book(given: BookLike) -> Book:
    return given if isinstance(given, Book) else load(given)


def _checked(book: Book) -> CheckedRulebook:
    if book.checked is None:
        raise ValueError(f"`{book.path}` has errors, so nobody knows what it says: `ludex check` shows them")
    if not any(isinstance(d, m.Play) for d in book.checked.book.declarations):
        raise ValueError(f"`{book.path}` has no `play`, so there are no states to compare in")
    return book.checked


def _names(first: Book, second: Book) -> tuple[str, str]:
    """What the two are called: by their files, with the folders where those have the same name."""
    paths = Path(first.path), Path(second.path)
    for parts in (1, 2):
        one, other = ("/".join(path.parts[-parts:]) for path in paths)
        if one != other:
            return one, other
    return f"{paths[0].name} (A)", f"{paths[1].name} (B)"
