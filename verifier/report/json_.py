"""A report for programs. Seconds are left out unless asked for: the same book gives the same text."""

from __future__ import annotations

from typing import Any

from verifier.finding import Place, Witness
from verifier.judgement import CheckRun, Decided, Judgement
from verifier.render import diagnostic_json, place_json
from verifier.report.report import Report, ShownFinding


def report_json(report: Report, summary: dict[str, Any]) -> dict[str, Any]:
    """`summary` is what was read and how much of it is covered."""
    found: dict[str, Any] = {
        "version": 1,
        "book": report.book,
        "diagnostics": [
            {**diagnostic_json(s.diagnostic, s.severity), "fingerprint": s.fingerprint, "known": s.known}
            for s in report.diagnostics
        ],
        "findings": [finding_json(shown) for shown in report.findings],
        "judgement": judgement_json(report.judgement, report.stats),
        "not_selected": dict(report.hidden),
        "summary": summary,
    }
    if report.gone is not None:
        found["baseline"] = {
            "known": report.known,
            "gone": [{"fingerprint": e.fingerprint, "code": e.code, "message": e.message} for e in report.gone],
        }
    return found


def finding_json(shown: ShownFinding) -> dict[str, Any]:
    finding = shown.finding
    return {
        "code": finding.code,
        "family": finding.family,
        "severity": shown.severity.value,
        "message": finding.message,
        "certainty": finding.certainty,
        "shown_by": finding.shown_by,
        "places": [_place(place) for place in finding.places],
        "witness": None if finding.witness is None else _witness(finding.witness),
        "outcomes": dict(finding.outcomes),
        "details": list(finding.details),
        "players": list(finding.players),
        "hint": finding.hint,
        "fingerprint": shown.fingerprint,
        "known": shown.known,
    }


def judgement_json(judgement: Judgement, stats: bool = False) -> dict[str, Any]:
    return {
        "rules": judgement.rules,
        "players": {
            "full": list(judgement.players.full),
            "brief": list(judgement.players.brief),
            "not_looked_at": list(judgement.players.left),
        },
        "interrupted": judgement.interrupted,
        "checks": [_run(run, stats) for run in judgement.ran],
        "explored": [
            {
                "players": e.players,
                "states": e.states,
                "plays": e.plays,
                "complete": e.complete,
                "left_out": [*e.left_out],
            }
            for e in judgement.explored
        ],
        "not_seen_to_fire": list(judgement.unseen),
        "not_encoded": [
            {"rule": name, "reason": reason, **place_json(span)} for name, span, reason in judgement.not_encoded
        ],
        "engines": dict(judgement.engines),
        "left_open": [
            {"code": f.code, "message": f.message, "places": [_place(place) for place in f.places]}
            for f in judgement.left_open
        ],
        "assumptions": [
            {"words": a.words, "verdicts": a.verdicts, **place_json(a.span)} for a in judgement.assumptions
        ],
        "decided": [_decided(pair) for pair in judgement.decided],
        "claims": [
            {
                "text": c.text,
                "word": c.word,
                "verdict": c.verdict,
                "in_part": c.in_part,
                "by": c.by,
                **place_json(c.span),
            }
            for c in judgement.claims
        ],
    }


def _run(run: CheckRun, stats: bool) -> dict[str, Any]:
    found: dict[str, Any] = {
        "name": run.name,
        "family": run.family,
        "looked_at": run.looked_at,
        "found": run.found,
        "vacuous": run.vacuous,
        "skipped": run.skipped,
    }
    return {**found, "seconds": round(run.seconds, 6)} if stats else found


def _place(place: Place) -> dict[str, Any]:
    return {"rule": place.name, "part": place.part, "cites": list(place.cites), **place_json(place.span)}


def _witness(witness: Witness) -> dict[str, Any]:
    play = None if witness.play is None else list(witness.play)
    return {"facts": list(witness.facts), "play": play, "players": witness.players}


def _decided(pair: Decided) -> dict[str, Any]:
    return {
        "places": [_place(place) for place in pair.places],
        "winner": pair.winner,
        "by": pair.by,
        "cites": list(pair.cites),
        "assumed": pair.assumed,
    }
