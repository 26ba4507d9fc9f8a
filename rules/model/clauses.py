"""The clauses that may stand after a header: where the book says it, and how it stands to other rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.model.expressions import Name
from rules.span import Span


@dataclass(frozen=True, slots=True)
class Citation:
    """A place in a document: a line, a range of lines, or a section by its title; it stands for `count` statements."""

    document: Name
    first: int | None
    last: int | None
    section: str | None
    count: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Clauses:
    cites: tuple[Citation, ...] = ()
    restates: tuple[Name, ...] = ()
    overrides: tuple[Name, ...] = ()
    among: tuple[Name, ...] = ()
    source: Name | None = None
    supplied: bool = False


NO_CLAUSES = Clauses()
