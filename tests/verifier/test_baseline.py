"""Known findings: written, read back, compared."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.diagnostics import Diagnostic
from tests.verifier.sample import CONTRADICTION, FINDINGS, GAP, JUDGEMENT, NEVER, WARNING, report, span_of
from verifier.baseline import Known, baseline_text, read_baseline
from verifier.judgement import Judgement

pytestmark = pytest.mark.usefixtures("codes")


def test_what_is_written_is_read_back() -> None:
    known = (Known("b", "LX931", "città"), Known("a", "LX901", "`a` \\ and\n`b`"))
    assert read_baseline(baseline_text(known)) == (known[1], known[0])
    assert baseline_text(reversed(known)) == baseline_text(known)
    assert baseline_text(()).endswith("}\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 is not JSON"),
        ('{\n"version": 1,\n', "line 3 is not JSON"),
        ("[" * 100_000, "it is not JSON that a baseline would have"),
        ("[]", "it is no baseline of Ludex"),
        ("{}", "it is no baseline of Ludex"),
        ('{"version": 2, "findings": []}', "it has version 2, and this Ludex reads version 1; write it anew"),
        ('{"version": 1}', "it lists no findings"),
        (
            '{"version": 1, "findings": [{"fingerprint": 3, "code": "LX901", "message": ""}]}',
            "its entry 1 has no fingerprint, code and message",
        ),
    ],
)
def test_what_is_no_baseline(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as error:
        read_baseline(text)
    assert str(error.value) == message


def test_known_findings_do_not_count_and_others_do() -> None:
    before = report()
    assert not before.clean(False)
    same = report(baseline=before.entries())
    assert [s.known for s in same.findings] == [True] * 4
    assert same.clean(False)
    assert same.clean(True)
    assert (same.gone, same.known, same.new) == ((), 5, ())
    more = replace(CONTRADICTION, message="another `thing`")
    new = report(replace(JUDGEMENT, findings=(*FINDINGS, more)), baseline=before.entries())
    assert [s.finding for s in new.new] == [more]
    assert not new.clean(False)


def test_a_second_finding_alike_is_new() -> None:
    one = report(replace(JUDGEMENT, findings=(GAP,)))
    two = report(replace(JUDGEMENT, findings=(GAP, GAP)), baseline=one.entries())
    assert [s.known for s in two.findings] == [True, False]


def test_what_is_found_no_more_is_listed_if_it_was_looked_for() -> None:
    entries = report().entries()
    left = replace(JUDGEMENT, findings=(GAP,))
    assert [entry.code for entry in report(left, baseline=entries).gone or ()] == ["LX901"]
    # `reading` and `unreachable` are not among the checks that ran, so nothing is known of LX991 and LX951.
    assert report(left, diagnostics=(), baseline=entries[4:]).gone == entries[4:]
    assert report(replace(left, interrupted=True), baseline=entries).gone == ()
    assert report(Judgement(), baseline=entries).gone == ()
    error = Diagnostic("LX101", "m", span_of("storm"))
    assert report(left, diagnostics=(error,), baseline=entries).gone == ()


def test_a_check_that_was_skipped_leaves_its_entries_alone() -> None:
    skipped = tuple(replace(run, skipped="no time") if run.family == "contradiction" else run for run in JUDGEMENT.ran)
    later = replace(JUDGEMENT, findings=(GAP,), ran=skipped)
    assert report(later, baseline=report().entries()).gone == ()


def test_errors_of_reading_are_never_known() -> None:
    error = Diagnostic("LX101", "m", span_of("storm"))
    before = report(diagnostics=(error, WARNING))
    assert [entry.code for entry in before.entries() if entry.code < "LX9"] == ["LX504"]
    forged = Known(before.diagnostics[0].fingerprint, "LX101", "m")
    assert not report(diagnostics=(error,), baseline=[forged]).clean(False)


def test_information_does_not_count() -> None:
    info = replace(NEVER, code="LX991")
    assert report(replace(JUDGEMENT, findings=(info,))).clean(False)
    assert not report(replace(JUDGEMENT, findings=(info, NEVER))).clean(False)
