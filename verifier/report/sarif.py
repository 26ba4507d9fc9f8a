"""A report as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from rules.codes import CODES
from rules.diagnostics import Severity
from rules.explain import page_of, section_of
from rules.span import Span
from verifier.finding import CERTAINTIES, Finding
from verifier.judgement import with_players
from verifier.report.report import Report, ShownDiagnostic, ShownFinding
from verifier.report.text import explored_words, place_words, play_words, players_words, unseen_words

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_FINGERPRINT = "ludexFinding/v1"


def report_sarif(report: Report, version: str) -> dict[str, Any]:
    """One run; `version` is that of Ludex."""
    shown: tuple[ShownDiagnostic | ShownFinding, ...] = (*report.diagnostics, *report.findings)
    codes = sorted({_code(item) for item in shown})
    places = {code: place for place, code in enumerate(codes)}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "Ludex", "version": version, "rules": [_rule(code) for code in codes]}},
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": not report.judgement.interrupted and not _is_unread(report),
                        "toolExecutionNotifications": list(_notifications(report)),
                    }
                ],
                "results": [_result(item, places, report.gone is not None) for item in shown],
            }
        ],
    }


def _is_unread(report: Report) -> bool:
    """Whether what was to be judged could not be opened at all."""
    return any(shown.diagnostic.code == "LX001" for shown in report.diagnostics)


def _code(item: ShownDiagnostic | ShownFinding) -> str:
    return item.finding.code if isinstance(item, ShownFinding) else item.diagnostic.code


def _rule(code: str) -> dict[str, Any]:
    known = CODES[code]
    page = page_of(code)
    return {
        "id": code,
        "shortDescription": {"text": known.title},
        "fullDescription": {"text": section_of(page, "What it finds") or known.title},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": _LEVELS[Severity(known.severity)]},
        "properties": {"tags": [known.family or "reading the book"]},
    }


def _result(item: ShownDiagnostic | ShownFinding, places: dict[str, int], compared: bool) -> dict[str, Any]:
    code = _code(item)
    found = {
        "ruleId": code,
        "ruleIndex": places[code],
        "level": _LEVELS[item.severity],
        **(_of_finding(item.finding) if isinstance(item, ShownFinding) else _of_diagnostic(item)),
        "partialFingerprints": {_FINGERPRINT: item.fingerprint},
    }
    return {**found, "baselineState": "unchanged" if item.known else "new"} if compared else found


def _of_diagnostic(item: ShownDiagnostic) -> dict[str, Any]:
    found = item.diagnostic
    text = found.message if found.help is None else f"{found.message}\nhelp: {found.help}"
    return {
        "message": {"text": text},
        "locations": [_location(found.span)],
        "relatedLocations": _related((label.span, label.text) for label in found.labels),
    }


def _of_finding(finding: Finding) -> dict[str, Any]:
    first, *others = finding.places or (None,)
    return {
        "message": {"text": "\n".join(_words(finding))},
        "locations": [] if first is None else [{**_location(first.span), "message": {"text": place_words(first)}}],
        "relatedLocations": _related((place.span, place_words(place)) for place in others if place is not None),
        "properties": {
            "family": finding.family,
            "certainty": finding.certainty,
            "shownBy": finding.shown_by,
            "rules": [place.name for place in finding.places],
            **({"players": list(finding.players)} if finding.players else {}),
        },
    }


def _words(finding: Finding) -> Iterator[str]:
    yield finding.message
    yield f"{finding.certainty}: {CERTAINTIES[finding.certainty]} ({finding.shown_by})"
    if finding.players:
        yield f"seen {with_players(finding.players)}"
    if finding.witness is not None:
        if finding.witness.facts:
            yield f"state: {'; '.join(finding.witness.facts)}"
        if finding.witness.play is not None:
            yield f"play: {play_words(finding.witness)}"
            yield from (f"{place}. {step}" for place, step in enumerate(finding.witness.play, 1))
    yield from (f"under {policy}: {outcome}" for policy, outcome in finding.outcomes)
    yield from finding.details
    if finding.hint is not None:
        yield f"hint: {finding.hint}"


def _related(places: Iterable[tuple[Span, str]]) -> list[dict[str, Any]]:
    return [
        {"id": place, **_location(span), "message": {"text": text or span.text}}
        for place, (span, text) in enumerate(places, 1)
    ]


def _location(span: Span) -> dict[str, Any]:
    line, column = span.source.line_column(span.start)
    end_line, end_column = span.source.line_column(span.end)
    region: dict[str, Any] = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    if span.text:
        region["snippet"] = {"text": span.text}
    return {"physicalLocation": {"artifactLocation": {"uri": uri_of(span.source.path)}, "region": region}}


def uri_of(path: str) -> str:
    """A path as a URI: relative ones stay so, for whoever knows the folder that the check ran in."""
    slashes = path.replace(os.sep, "/")
    quoted = quote(slashes, errors="surrogateescape")
    if os.path.isabs(path):
        return f"file://{quoted}" if slashes.startswith("/") else f"file:///{quote(slashes, safe='/:')}"
    return quoted


def _notifications(report: Report) -> Iterator[dict[str, Any]]:
    """What was not looked at, and why: a run without results is not a proof."""
    judgement = report.judgement
    if judgement.interrupted:
        yield _note("interrupted: this is what is known so far", "warning")
    if judgement.players.several:
        yield _note(f"players: {players_words(judgement.players)}", "note")
    if not judgement.ran:
        yield _note("nothing was judged: only names, types, places and links were checked", "warning")
    for run in judgement.ran:
        if run.skipped is not None:
            yield _note(f"{run.name}: skipped: {run.skipped}", "warning")
        elif run.vacuous:
            yield _note(f"{run.name}: nothing to look at", "note")
    for name, span, reason in judgement.not_encoded:
        yield {**_note(f"`{name}` is not encoded: {reason}", "warning"), "locations": [_location(span)]}
    for explored in judgement.explored:
        yield _note(explored_words(explored), "note" if explored.complete else "warning")
    for name in judgement.unseen:
        yield _note(f"`{name}`: {unseen_words(judgement)}", "note")
    for finding in judgement.left_open:
        text = f"{finding.code} is left open: {finding.message}"
        yield {**_note(text, "note"), "locations": [_location(finding.places[0].span)]}
    for assumption in judgement.assumptions:
        text = f"verdicts that rest on the assumption `{assumption.words}`: {assumption.verdicts}"
        yield {**_note(text, "note"), "locations": [_location(assumption.span)]}
    for document in report.coverage.documents:
        if document.sections:
            text = f"{document.name}: {document.statements - document.open} of {document.statements} statements covered"
        else:
            text = f"{document.name}: it has no outline, so the share that is covered is not known"
        yield _note(text, "note")
    for code, count in report.hidden:
        yield _note(f"{code}: not selected; found: {count}", "note")


def _note(text: str, level: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}
