"""What was looked at, in numbers: never an empty green."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludex.book import Book
from rules import model as m
from verifier.coverage import Coverage, DocumentCoverage
from verifier.report import Report
from verifier.report.text import findings_words, judgement_lines, number, selection_lines

_COUNTED: tuple[tuple[type, str, str], ...] = (
    (m.Rule, "rule", "rules"),
    (m.Policy, "ruling", "rulings"),
    (m.Value, "value", "values"),
    (m.Table, "table", "tables"),
    (m.Rank, "rank", "ranks"),
    (m.Action, "action", "actions"),
    (m.Procedure, "procedure", "procedures"),
    (m.Story, "story", "stories"),
    (m.Question, "question", "questions"),
    (m.Claim, "claim", "claims"),
    (m.Scenario, "scenario", "scenarios"),
)

_CHECKED = "names, types, places in the book, links of stories"
# Said wherever the judge had no part in it.
NOT_CHECKED = (
    "contradictions, precedence, gaps, questions, claims: a book is judged when it can be read without an error; "
    "scenarios are run by `ludex test`"
)


def summary_of(book: Book, report: Report) -> dict[str, Any]:
    """What was read, checked and covered, for programs. `report` is that of the book."""
    return {
        "files": len(book.sources),
        "lines": _lines(book),
        "counts": {many: count for _, many, count in _counts(book)},
        "errors": report.errors,
        "warnings": report.warnings,
        "complete": _is_complete(book),
        "checked": _CHECKED,
        "not_checked": None if report.judgement.ran else NOT_CHECKED,
        "coverage": coverage_json(report.coverage),
    }


def summary_lines(book: Book, report: Report, whole: bool = False) -> list[str]:
    """The same for people, with what was judged and what was not, and why; lists are cut unless `whole`."""
    lines = [f"read: {report.read}"]
    if _is_complete(book):
        lines.append(f"checked: {_CHECKED}")
    else:
        lines.append(
            "checked: only in part, because some of the text could not be read; unknown names are not reported"
        )
    lines += judgement_lines(report, whole) or [f"not checked: {NOT_CHECKED}"]
    lines += [f"coverage: {_coverage_line(d)}" for d in ([] if book.errors else coverage_json(report.coverage))]
    lines += selection_lines(report, whole)
    read = f"{number(report.errors, 'error')}, {number(report.warnings, 'warning')}"
    lines.append(f"reading: {read}; judging: {findings_words(report)}" if report.judgement.ran else read)
    return lines


def read_words(book: Book) -> str:
    """What was read: `1 file, 127 lines: 8 rules, 1 value`."""
    counts = [f"{count} {one if count == 1 else many}" for one, many, count in _counts(book)]
    files, lines = number(len(book.sources), "file"), number(_lines(book), "line")
    return f"{files}, {lines}: {', '.join(counts) or 'no rules'}"


def _counts(book: Book) -> list[tuple[str, str, int]]:
    counts = Counter(type(declaration) for declaration in book.rulebook.declarations)
    counts[m.Policy] = len(book.rulebook.rulings())  # a policy counts only where it is asked for
    return [(one, many, counts[kind]) for kind, one, many in _COUNTED if counts[kind]]


def _lines(book: Book) -> int:
    return sum(source.line_count - source.text.endswith("\n") for source in book.sources)


def _is_complete(book: Book) -> bool:
    return not any(d.code < "LX1" for d in book.errors)


def _coverage_line(document: dict[str, Any]) -> str:
    name = document["document"]
    if not document["sections"]:
        return f"{name}: {number(document['citations'], 'citation')}; it has no outline, so the share is not known"
    return (
        f"{name}: {document['modelled']} of {number(document['statements'], 'statement')} modelled, "
        f"{document['noted']} noted, {document['open']} open"
    )


def coverage_json(coverage: Coverage) -> list[dict[str, Any]]:
    return [_document_json(document) for document in coverage.documents]


def _document_json(document: DocumentCoverage) -> dict[str, Any]:
    return {
        "document": document.name,
        "title": document.title,
        "citations": document.citations,
        "statements": document.statements,
        "modelled": document.modelled,
        "noted": document.noted,
        "open": document.open,
        "sections": [
            {
                "title": section.title,
                "statements": section.statements,
                "modelled": section.modelled,
                "noted": dict(section.noted),
                "open": section.open,
                "open_lines": [{"line": line, "statements": count} for line, count in section.open_lines],
            }
            for section in document.sections
        ],
    }


def coverage_text(coverage: Coverage, list_open: bool) -> str:
    if not coverage.documents:
        return "the rulebook declares no documents, so nothing can be covered"
    return "\n\n".join(_document_text(document, list_open) for document in coverage.documents)


def _document_text(document: DocumentCoverage, list_open: bool) -> str:
    head = f"{document.name}: {document.title}"
    if not document.sections:
        return f"{head}\n  no outline; {number(document.citations, 'citation')}"
    width = min(60, max(len("section"), *(len(section.title) for section in document.sections)))
    lines = [head, f"  {'section':<{width}}  statements  modelled  noted  open"]
    for section in document.sections:
        title = section.title if len(section.title) <= width else section.title[: width - 3] + "..."
        reasons = ", ".join(f"{reason} {count}" for reason, count in section.noted)
        lines.append(
            f"  {title:<{width}}  {section.statements:>10}  {section.modelled:>8}  {section.noted_total:>5}"
            f"  {section.open:>4}" + (f"  ({reasons})" if reasons else "")
        )
        if list_open and section.open_lines:
            some = ", ".join(f"{line} ({count})" if count > 1 else str(line) for line, count in section.open_lines)
            lines.append(f"  {'':<{width}}  open lines: {some}")
    lines.append(
        f"  {'total':<{width}}  {document.statements:>10}  {document.modelled:>8}  {document.noted:>5}"
        f"  {document.open:>4}{_share(document)}"
    )
    return "\n".join(lines)


def _share(document: DocumentCoverage) -> str:
    if not document.statements:
        return ""
    done = document.statements - document.open
    return f"  {100 * done // document.statements}% done"
