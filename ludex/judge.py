"""The judge's part in `ludex check`: a book in, a judgement out."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ludex.book import Book
from verifier.judgement import Judgement


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """`decided`: whether to list the pairs that the book itself puts in order."""

    decided: bool = False


def judge(book: Book, options: JudgeOptions) -> Judgement:
    """What can be said of a book; nothing of one with errors, for nobody knows what it says."""
    found = Judgement()
    return found if options.decided and book.checked is not None else replace(found, decided=())
