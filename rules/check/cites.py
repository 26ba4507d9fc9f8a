"""Clauses: documents that are cited are declared, rules that are overridden exist."""

from __future__ import annotations

from bisect import bisect_left

from rules import model as m
from rules.check.context import Context


def check_clauses(clauses: m.Clauses, cx: Context) -> None:
    if clauses is m.NO_CLAUSES:
        return
    check_citations(clauses.cites, cx)
    for name in clauses.overrides:
        cx.find_named(cx.statements, name, "rule, value, table, rank, action or procedure")


def check_citations(cites: tuple[m.Citation, ...], cx: Context) -> None:
    for citation in cites:
        _citation(citation, cx)


def _citation(citation: m.Citation, cx: Context) -> None:
    document = citation.document
    if not document.text:
        cx.report("LX120", "this does not say which document is cited", citation.span, help="write `cites book 12`")
        return
    if document.text not in cx.documents:
        cx.unknown(document, "document", cx.documents, help=f'declare it under `documents`: `{document.text} "..."`')
        return
    cx.use(document, cx.documents[document.text])
    if citation.first is not None and citation.last is not None and citation.first > citation.last:
        cx.report("LX301", f"`{citation.first}..{citation.last}` runs downwards", citation.span)
    if citation.count < 1:
        cx.report("LX302", "a citation speaks of at least one statement", citation.span, help="leave out `(0)`")
    if document.text not in cx.outlines:
        return
    if citation.section is not None:
        if citation.section not in cx.outline_titles(document.text):
            cx.report("LX121", f'the outline of `{document.text}` has no section "{citation.section}"', citation.span)
    elif citation.first is not None and citation.last is not None:
        lines = cx.outline_lines(document.text)
        place = bisect_left(lines, citation.first)
        if place == len(lines) or lines[place] > citation.last:
            cx.report(
                "LX121",
                f"the outline of `{document.text}` has no statement there",
                citation.span,
                help="coverage cannot count this citation",
            )
