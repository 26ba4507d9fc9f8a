"""What was looked at, in numbers: never an empty green."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ludex.book import Book
from rules import model as m
from verifier.coverage import Coverage, DocumentCoverage

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

# What this release does not look for yet; the report says so each time.
NOT_CHECKED = (
    "contradictions, precedence, gaps; questions and claims are read but not yet answered; "
    "scenarios are run by `ludex test`"
)


def summary_of(book: Book) -> dict[str, Any]:
    counts = Counter(type(declaration) for declaration in book.rulebook.declarations)
    counts[m.Policy] = len(book.rulebook.rulings())  # a policy counts only where it is asked for
    return {
        "files": len(book.sources),
        "lines": sum(source.line_count - source.text.endswith("\n") for source in book.sources),
        "counts": {plural: counts[kind] for kind, _, plural in _COUNTED if counts[kind]},
        "errors": len(book.errors),
        "warnings": len(book.warnings),
        "complete": not any(d.code < "LX1" for d in book.errors),
        "checked": "names, types, places in the book, links of stories",
        "not_checked": NOT_CHECKED,
        "coverage": coverage_json(book.coverage()),
    }


def summary_text(summary: dict[str, Any]) -> str:
    singular = {plural: word for _, word, plural in _COUNTED}
    counts = [f"{n} {singular[plural] if n == 1 else plural}" for plural, n in summary["counts"].items()]
    files = _number(summary["files"], "file")
    lines = [f"read: {files}, {_number(summary['lines'], 'line')}: {', '.join(counts) or 'no rules'}"]
    if summary["complete"]:
        lines.append(f"checked: {summary['checked']}")
    else:
        lines.append(
            "checked: only in part, because some of the text could not be read; unknown names are not reported"
        )
    lines.append(f"not checked: {summary['not_checked']}")
    for document in [] if summary["errors"] else summary["coverage"]:
        lines.append(f"coverage: {_coverage_line(document)}")
    lines.append(f"{_number(summary['errors'], 'error')}, {_number(summary['warnings'], 'warning')}")
    return "\n".join(lines)


def _coverage_line(document: dict[str, Any]) -> str:
    name = document["document"]
    if not document["sections"]:
        return f"{name}: {_number(document['citations'], 'citation')}; it has no outline, so the share is not known"
    return (
        f"{name}: {document['modelled']} of {_number(document['statements'], 'statement')} modelled, "
        f"{document['noted']} noted, {document['open']} open"
    )


def _number(count: int, word: str) -> str:
    return f"{count or 'no'} {word}{'' if count == 1 else 's'}"


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
        return f"{head}\n  no outline; {_number(document.citations, 'citation')}"
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
