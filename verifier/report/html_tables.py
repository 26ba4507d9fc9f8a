"""Coverage and checks as tables of the page; on a narrow screen each row stands by itself."""

from __future__ import annotations

from verifier.coverage import Coverage, DocumentCoverage, SectionCoverage
from verifier.judgement import CheckRun, Judgement
from verifier.report.markup import Markup, element, join
from verifier.report.text import number


def coverage_tables(coverage: Coverage) -> Markup:
    if not coverage.documents:
        return element("p", "The rulebook declares no documents, so nothing can be covered.")
    legend = element(
        "p",
        [element("span", element("i", class_=kind), f" {kind} ") for kind in ("modelled", "noted", "open")],
        class_="legend",
    )
    return join(legend, [_document(document) for document in coverage.documents])


def _document(document: DocumentCoverage) -> Markup:
    title = element("h3", f"{document.title} ", element("code", document.name))
    if not document.sections:
        cited = number(document.citations, "citation")
        return join(title, element("p", f"It has no outline, so the share is not known; {cited}."))
    total = SectionCoverage(
        "total",
        document.statements,
        document.modelled,
        (("", document.noted),),
        ((0, document.open),),
    )
    head = ("section", "", "statements", "modelled", "noted", "open")
    return join(
        title,
        element(
            "table",
            element("thead", element("tr", [element("th", word, scope="col") for word in head])),
            element("tbody", [_section(section) for section in document.sections]),
            element("tfoot", _section(total)),
            class_="coverage",
        ),
    )


def _section(section: SectionCoverage) -> Markup:
    counts = (
        ("statements", section.statements),
        ("modelled", section.modelled),
        ("noted", section.noted_total),
        ("open", section.open),
    )
    return element(
        "tr",
        element("th", section.title, _remarks(section), scope="row"),
        element("td", _bar(section), class_="bars"),
        [element("td", str(count), data_label=word, class_="n") for word, count in counts],
    )


def _remarks(section: SectionCoverage) -> Markup:
    """Why statements are only noted, and which lines are open."""
    noted = ", ".join(f"{reason} {count}" for reason, count in section.noted if reason)
    lines = ", ".join(str(line) for line, _ in section.open_lines if line)
    remarks = [f"noted: {noted}" if noted else "", f"open lines: {lines}" if lines else ""]
    return join([element("span", remark, class_="remark") for remark in remarks if remark])


def _bar(section: SectionCoverage) -> Markup:
    parts = (("modelled", section.modelled), ("noted", section.noted_total), ("open", section.open))
    words = ", ".join(f"{count} {kind}" for kind, count in parts)
    whole = max(1, section.statements)
    pieces = [
        element("span", class_=kind, style=f"width: {100 * count / whole:.2f}%") for kind, count in parts if count
    ]
    return element("span", pieces, class_="bar", role="img", aria_label=words)


def checks_table(judgement: Judgement, stats: bool) -> Markup:
    head = ["check", "family", "looked at", "found", *(["seconds"] if stats else []), ""]
    return element(
        "table",
        element("thead", element("tr", [element("th", word, scope="col") for word in head])),
        element("tbody", [_check(run, stats) for run in judgement.ran]),
        class_="checks",
    )


def _check(run: CheckRun, stats: bool) -> Markup:
    state = f"skipped: {run.skipped}" if run.skipped is not None else "nothing to look at" if run.vacuous else ""
    return element(
        "tr",
        element("th", run.name, scope="row"),
        element("td", run.family, data_label="family"),
        element("td", str(run.looked_at), data_label="looked at", class_="n"),
        element("td", str(run.found), data_label="found", class_="n"),
        element("td", f"{run.seconds:.2f}", data_label="seconds", class_="n") if stats else None,
        element("td", state, class_="state"),
        class_="idle" if state else None,
    )
