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
    restates_some: tuple[Name, ...] = ()  # of these only a part
    overrides: tuple[Name, ...] = ()
    among: tuple[Name, ...] = ()
    source: Name | None = None
    supplied: bool = False

    @property
    def restated(self) -> tuple[Name, ...]:
        """What is said once more here, all of it or some."""
        return self.restates + self.restates_some


NO_CLAUSES = Clauses()
