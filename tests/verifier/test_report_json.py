"""A report for programs."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.verifier.sample import CONTRADICTION, GAP, JUDGEMENT, report
from verifier.report.json_ import finding_json, judgement_json, report_json

pytestmark = pytest.mark.usefixtures("codes")


def test_a_finding() -> None:
    (shown,) = report(replace(JUDGEMENT, findings=(CONTRADICTION,))).findings
    assert finding_json(shown) == {
        "code": "LX901",
        "family": "contradiction",
        "severity": "error",
        "message": "`storm_keeps_in` forbids `sail` where `lighthouse` allows it",
        "certainty": "witnessed",
        "shown_by": "guided play",
        "places": [
            {
                "rule": "storm_keeps_in",
                "part": "forbids it",
                "cites": ["book 5", "card 2"],
                "file": "two ports.rules",
                "line": 38,
                "column": 1,
                "end_line": 39,
                "end_column": 29,
            },
            {
                "rule": "lighthouse",
                "part": "allows it",
                "cites": ["card 4"],
                "file": "two ports.rules",
                "line": 41,
                "column": 6,
                "end_line": 41,
                "end_column": 16,
            },
        ],
        "witness": {
            "facts": ["storm is yes", "coins of Player 1 is 3"],
            "play": ["sail by Player 1", "sail by Player 2"],
            "players": 2,
        },
        "outcomes": {"no policy": "undetermined", "policy `brave`": "`lighthouse` wins"},
        "details": ["the pair meets in 6 of 20 states"],
        "players": [],
        "hint": "write `overrides storm_keeps_in` into `lighthouse`",
        "fingerprint": CONTRADICTION.fingerprint,
        "known": False,
    }


def test_a_finding_without_a_witness_and_one_without_a_play() -> None:
    found = [finding_json(shown) for shown in report().findings]
    assert found[1]["witness"] is None
    assert found[2]["witness"] == {"facts": ["storm is no"], "play": None, "players": None}


def test_what_was_judged() -> None:
    found = judgement_json(JUDGEMENT)
    assert found["rules"] == 3
    assert [(c["name"], c["looked_at"], c["found"], c["vacuous"], c["skipped"]) for c in found["checks"]] == [
        ("may against cannot", 3, 1, False, None),
        ("holes in tables", 2, 1, False, None),
        ("rows that meet", 0, 0, True, None),
        ("campaigns that cannot be won", 0, 0, False, "the book has no campaign"),
    ]
    assert found["not_seen_to_fire"] == ["lighthouse"]
    assert found["not_encoded"][0]["rule"] == "fair_wind"
    assert found["engines"] == {"boxes": 12, "solver": 2}
    assert (found["assumptions"][0]["words"], found["assumptions"][0]["verdicts"]) == ("cannot over may", 1)
    assert found["decided"][0]["winner"] == "lighthouse"
    assert found["decided"][0]["cites"] == ["book 5"]


def test_seconds_only_on_request() -> None:
    assert "seconds" not in judgement_json(JUDGEMENT)["checks"][0]
    assert judgement_json(JUDGEMENT, stats=True)["checks"][0]["seconds"] == 0.25


def test_the_whole_report() -> None:
    found = report_json(report(), {"files": 1})
    assert json.loads(json.dumps(found)) == found
    assert list(found) == ["version", "book", "diagnostics", "findings", "judgement", "not_selected", "summary"]
    assert found["diagnostics"][0]["code"] == "LX504"
    assert len({item["fingerprint"] for item in (*found["diagnostics"], *found["findings"])}) == 5
    compared = report_json(report(replace(JUDGEMENT, findings=(GAP,)), baseline=report().entries()), {})
    assert compared["baseline"]["known"] == 2
    assert [entry["code"] for entry in compared["baseline"]["gone"]] == ["LX901"]
