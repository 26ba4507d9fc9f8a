"""How much of each document is encoded: what its outline says it holds against what the rules and notes cite.

A line with n statements is closed by n citations, of rules or of notes. A citation counts as one statement of each line
that it names, or as many as it says: `book 675 (3)`. What is cited more often than the outline has statements counts
only as often as the outline says, so coverage never flatters.
"""

from __future__ import annotations

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
        if isinstance(declaration, m.Policy):
            continue  # a policy chooses; it does not say what the book says
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
    sections = tuple(_section(section, own, notes) for section in outline.sections) if outline else ()
    return DocumentCoverage(name, document.title, len(own) + len(notes), sections)


def _section(section: m.Section, modelled: list[_Cited], noted: list[_Cited]) -> SectionCoverage:
    total = done = 0
    reasons: Counter[str] = Counter()
    open_lines: list[tuple[int, int]] = []
    for line in section.lines:
        statements = line.states + line.restates
        by_rules = min(statements, _count(modelled, section, line.line))
        left = statements - by_rules
        for cited in noted:
            here = min(left, _counted(cited.citation, section, line.line))
            reasons[cited.reason or ""] += here
            left -= here
        total += statements
        done += by_rules
        if left:
            open_lines.append((line.line, left))
    reached = tuple(sorted((reason, count) for reason, count in reasons.items() if count))
    return SectionCoverage(section.title, total, done, reached, tuple(open_lines))


def _count(cited: list[_Cited], section: m.Section, line: int) -> int:
    return sum(_counted(c.citation, section, line) for c in cited)


def _counted(citation: m.Citation, section: m.Section, line: int) -> int:
    if citation.section is not None:
        return citation.count if citation.section == section.title else 0
    if citation.first is None or citation.last is None:
        return 0
    return citation.count if citation.first <= line <= citation.last else 0
