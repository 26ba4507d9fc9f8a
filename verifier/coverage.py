"""How much of each document is encoded: what its outline says it holds against what the rules and notes cite.

A line with n statements is closed by n citations, of rules or of notes. A citation counts as one statement, or as many
as it says: `book 675 (3)`; also one of a range of lines or of a section. It counts where something is still open, and
what is cited more often than there are statements counts only as often as the outline says: coverage never flatters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rules import model as m
from rules.walk import nodes_of


@dataclass(frozen=True, slots=True)
class SectionCoverage:
    """`modelled + sum of noted + open = statements`."""

    title: str
    statements: int
    modelled: int
    noted: tuple[tuple[str, int], ...]
    open_lines: tuple[tuple[int, int], ...]

    @property
    def noted_total(self) -> int:
        return sum(count for _, count in self.noted)

    @property
    def open(self) -> int:
        return sum(count for _, count in self.open_lines)


@dataclass(frozen=True, slots=True)
class DocumentCoverage:
    """Without an outline (`sections` is empty) only the number of citations is known."""

    name: str
    title: str
    citations: int
    sections: tuple[SectionCoverage, ...]

    @property
    def statements(self) -> int:
        return sum(section.statements for section in self.sections)

    @property
    def modelled(self) -> int:
        return sum(section.modelled for section in self.sections)

    @property
    def noted(self) -> int:
        return sum(section.noted_total for section in self.sections)

    @property
    def open(self) -> int:
        return sum(section.open for section in self.sections)


@dataclass(frozen=True, slots=True)
class Coverage:
    documents: tuple[DocumentCoverage, ...]


def coverage_of(book: m.Rulebook) -> Coverage:
    outlines = {d.document.text: d for d in book.declarations if isinstance(d, m.Outline)}
    modelled, noted = _citations(book)
    documents = [document for d in book.declarations if isinstance(d, m.Documents) for document in d.documents]
    return Coverage(
        tuple(_document(document, outlines.get(document.name.text), modelled, noted) for document in documents)
    )


@dataclass(frozen=True, slots=True)
class _Cited:
    citation: m.Citation
    reason: str | None


def _citations(book: m.Rulebook) -> tuple[list[_Cited], list[_Cited]]:
    modelled: list[_Cited] = []
    noted: list[_Cited] = []
    for declaration in book.declarations:
        if isinstance(declaration, m.Policy) and declaration.sort == "policy":
            continue  # a policy chooses; it does not say what the book says, as a ruling does
        if isinstance(declaration, m.Question | m.Claim | m.Scenario):
            continue  # these examine the rules
        reason = declaration.reason.text if isinstance(declaration, m.Note) else None
        for citation in _cites_in(declaration):
            (noted if reason is not None else modelled).append(_Cited(citation, reason))
    return modelled, noted


def _cites_in(declaration: m.Declaration) -> Iterator[m.Citation]:
    for node in nodes_of(declaration):
        if isinstance(node, m.Citation):
            yield node


def _document(
    document: m.Document, outline: m.Outline | None, modelled: list[_Cited], noted: list[_Cited]
) -> DocumentCoverage:
    name = document.name.text
    own = [cited for cited in modelled if cited.citation.document.text == name]
    notes = [cited for cited in noted if cited.citation.document.text == name]
    sections = _sections(outline, [*own, *notes]) if outline else ()
    return DocumentCoverage(name, document.title, len(own) + len(notes), sections)


class _Tally:
    """What is still open on each line of an outline, and what has closed the rest, by reason (None: modelled)."""

    def __init__(self, outline: m.Outline) -> None:
        self.lines = sorted(
            (line.line, place) for place, section in enumerate(outline.sections) for line in section.lines
        )
        self.left = {line.line: line.states + line.restates for s in outline.sections for line in s.lines}
        self.closed: list[Counter[str | None]] = [Counter() for _ in outline.sections]
        self.titles = {section.title: place for place, section in enumerate(outline.sections)}

    def count(self, cited: _Cited) -> None:
        budget = cited.citation.count
        for line, section in self._places(cited.citation):
            taken = min(budget, self.left[line])
            self.left[line] -= taken
            self.closed[section][cited.reason] += taken
            budget -= taken
            if not budget:
                return

    def _places(self, citation: m.Citation) -> Iterator[tuple[int, int]]:
        if citation.section is not None:
            wanted = self.titles.get(citation.section)
            yield from ((line, place) for line, place in self.lines if place == wanted)
        elif citation.first is not None and citation.last is not None:
            start = bisect_left(self.lines, (citation.first, -1))
            for line, place in self.lines[start:]:
                if line > citation.last:
                    return
                yield line, place


def _sections(outline: m.Outline, cited: list[_Cited]) -> tuple[SectionCoverage, ...]:
    tally = _Tally(outline)
    # Rules before notes, and narrow places before wide ones, so that a wide one counts where it is needed.
    for one in sorted(cited, key=lambda c: (c.reason is not None, _width(c.citation))):
        tally.count(one)
    return tuple(
        SectionCoverage(
            section.title,
            sum(line.states + line.restates for line in section.lines),
            tally.closed[place][None],
            tuple(sorted((reason, n) for reason, n in tally.closed[place].items() if reason is not None and n)),
            tuple((line.line, tally.left[line.line]) for line in section.lines if tally.left[line.line]),
        )
        for place, section in enumerate(outline.sections)
    )


def _width(citation: m.Citation) -> float:
    if citation.first is None or citation.last is None:
        return float("inf")
    return citation.last - citation.first
