"""A report as SARIF: what version 2.1.0 requires, and what readers of it need."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from rules.codes import CODES
from rules.diagnostics import Diagnostic
from rules.explain import page_of, section_of
from rules.span import Span
from tests.verifier.sample import JUDGEMENT, SOURCE, report
from verifier.judgement import Judgement
from verifier.report.sarif import report_sarif, uri_of
from verifier.selection import Selection, Wanted

pytestmark = pytest.mark.usefixtures("codes")
# Of each object that we write: what it must have, and all that it may have.
SHAPES: dict[str, tuple[set[str], set[str]]] = {
    "log": ({"version", "runs"}, {"$schema"}),
    "run": ({"tool"}, {"columnKind", "invocations", "results"}),
    "driver": ({"name"}, {"version", "rules"}),
    "rule": ({"id"}, {"shortDescription", "fullDescription", "help", "defaultConfiguration", "properties"}),
    "result": (
        {"message"},
        {
            "ruleId",
            "ruleIndex",
            "level",
            "locations",
            "relatedLocations",
            "partialFingerprints",
            "properties",
            "baselineState",
        },
    ),
    "location": (set(), {"id", "physicalLocation", "message"}),
    "physicalLocation": ({"artifactLocation"}, {"region"}),
    "region": (set(), {"startLine", "startColumn", "endLine", "endColumn", "snippet"}),
    "invocation": ({"executionSuccessful"}, {"toolExecutionNotifications"}),
    "notification": ({"message"}, {"level", "locations"}),
}
LEVELS = {"none", "note", "warning", "error"}


def has_shape(value: dict[str, Any], name: str) -> None:
    required, allowed = SHAPES[name]
    assert required <= set(value) <= required | allowed, (name, sorted(value))


def is_message(value: dict[str, Any]) -> None:
    assert set(value) <= {"text", "markdown"}
    assert value["text"]


def is_location(value: dict[str, Any]) -> None:
    has_shape(value, "location")
    physical = value["physicalLocation"]
    has_shape(physical, "physicalLocation")
    assert " " not in physical["artifactLocation"]["uri"]
    region = physical["region"]
    has_shape(region, "region")
    start, end = (region["startLine"], region["startColumn"]), (region["endLine"], region["endColumn"])
    assert (1, 1) <= start <= end
    if "message" in value:
        is_message(value["message"])


def is_sarif(log: dict[str, Any]) -> None:
    assert json.loads(json.dumps(log)) == log
    has_shape(log, "log")
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    has_shape(run, "run")
    driver = run["tool"]["driver"]
    has_shape(driver, "driver")
    for rule in driver["rules"]:
        has_shape(rule, "rule")
        assert rule["defaultConfiguration"]["level"] in LEVELS
        for text in ("shortDescription", "fullDescription", "help"):
            is_message(rule[text])
    assert len({rule["id"] for rule in driver["rules"]}) == len(driver["rules"])
    for result in run["results"]:
        has_shape(result, "result")
        is_message(result["message"])
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in LEVELS
        assert result.get("baselineState", "new") in {"new", "unchanged", "updated", "absent"}
        assert all(isinstance(value, str) for value in result["partialFingerprints"].values())
        for location in (*result["locations"], *result["relatedLocations"]):
            is_location(location)
        ids = [location["id"] for location in result["relatedLocations"]]
        assert ids == list(range(1, len(ids) + 1))
    for invocation in run["invocations"]:
        has_shape(invocation, "invocation")
        for notification in invocation["toolExecutionNotifications"]:
            has_shape(notification, "notification")
            is_message(notification["message"])
            assert notification["level"] in LEVELS
            for location in notification.get("locations", ()):
                is_location(location)


def results(log: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = log["runs"][0]["results"]
    return found


def test_reports_have_the_shape_of_sarif() -> None:
    for one in (report(), report(Judgement(), ()), report(baseline=()), report(replace(JUDGEMENT, interrupted=True))):
        is_sarif(report_sarif(one, "1.0"))


def test_a_book_that_cannot_be_opened_was_not_judged() -> None:
    def succeeded(diagnostics: tuple[Diagnostic, ...]) -> bool:
        log = report_sarif(report(Judgement(), diagnostics), "1.0")
        found: bool = log["runs"][0]["invocations"][0]["executionSuccessful"]
        return found

    assert succeeded(())
    assert not succeeded((Diagnostic("LX001", "a file cannot be read", Span(SOURCE, 0, 0)),))


def test_results_have_their_rule_level_and_places() -> None:
    log = report_sarif(report(), "1.0")
    found = results(log)
    assert [(r["ruleId"], r["level"]) for r in found] == [
        ("LX504", "warning"),
        ("LX901", "error"),
        ("LX931", "warning"),
        ("LX991", "note"),
        ("LX951", "warning"),
    ]
    contradiction = found[1]
    (first,) = contradiction["locations"]
    assert first["physicalLocation"]["artifactLocation"] == {"uri": "two%20ports.rules"}
    region = first["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endLine"], region["endColumn"]) == (38, 1, 39, 29)
    assert region["snippet"]["text"] in SOURCE.text
    (other,) = contradiction["relatedLocations"]
    assert other["message"]["text"] == "lighthouse (card 4) allows it"
    assert contradiction["properties"]["certainty"] == "witnessed"
    lines = contradiction["message"]["text"].splitlines()
    assert lines[0] == "`storm_keeps_in` forbids `sail` where `lighthouse` allows it"
    assert "state: storm is yes; coins of Player 1 is 3" in lines
    assert "2. sail by Player 2" in lines
    assert lines[-1].startswith("hint: ")
    warning = found[0]
    assert warning["relatedLocations"][0]["message"]["text"] == "see here"


def test_rules_come_from_the_registry_and_the_pages() -> None:
    rules = report_sarif(report(), "1.0")["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["LX504", "LX901", "LX931", "LX951", "LX991"]
    assert rules[1]["shortDescription"]["text"] == CODES["LX901"].title
    assert rules[1]["fullDescription"]["text"] == "Two rules."
    assert rules[1]["properties"]["tags"] == ["contradiction"]


def test_every_page_has_what_a_rule_needs() -> None:
    for code in CODES:
        if not code.startswith(("LX0", "LX9")):
            assert section_of(page_of(code), "What it finds")
    assert section_of(page_of("LX504"), "No such heading") == ""


def test_fingerprints_tell_results_apart() -> None:
    twice = report(replace(JUDGEMENT, findings=JUDGEMENT.findings * 2))
    prints = [tuple(result["partialFingerprints"].values()) for result in results(report_sarif(twice, "1.0"))]
    assert len(set(prints)) == len(prints) == 9


def test_the_baseline_says_what_is_new() -> None:
    entries = report().entries()[:1]
    states = [result["baselineState"] for result in results(report_sarif(report(baseline=entries), "1.0"))]
    assert states == ["new", "unchanged", "new", "new", "new"]
    assert "baselineState" not in results(report_sarif(report(), "1.0"))[0]


def notes(log: dict[str, Any]) -> list[str]:
    invocation = log["runs"][0]["invocations"][0]
    return [note["message"]["text"] for note in invocation["toolExecutionNotifications"]]


def test_a_run_without_results_says_what_it_did_not_look_at() -> None:
    assert notes(report_sarif(report(Judgement(), ()), "1.0"))[0].startswith("nothing was judged")
    found = notes(report_sarif(report(selection=Selection(Wanted((), ("gap",)))), "1.0"))
    assert found == [
        "rows that meet: nothing to look at",
        "campaigns that cannot be won: skipped: the book has no campaign",
        "`fair_wind` is not encoded: its amount has no bound",
        "`lighthouse`: not seen to fire",
        "verdicts that rest on the assumption `cannot over may`: 1",
        "book: 3 of 5 statements covered",
        "card: it has no outline, so the share that is covered is not known",
        "LX931: not selected; found: 1",
    ]
    interrupted = report_sarif(report(replace(JUDGEMENT, interrupted=True)), "1.0")
    assert interrupted["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert notes(interrupted)[0].startswith("interrupted")


def test_paths_as_addresses() -> None:
    assert uri_of("books/città 1.rules") == "books/citt%C3%A0%201.rules"
    assert uri_of("/a b/c.rules") == "file:///a%20b/c.rules"
