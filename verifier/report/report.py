"""All that is shown of one check of a book, in whatever form.

In: diagnostics, a judgement, coverage, what is wanted, what is known. Out: a `Report`, in which each finding has its
severity for this project, a fingerprint of its own, and whether it is known. What was left out is counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import get_args

from rules.codes import CODES
from rules.diagnostics import Diagnostic, Severity
from verifier.baseline import Known
from verifier.coverage import Coverage
from verifier.finding import Certainty, Finding
from verifier.fingerprint import fingerprint_of, numbered
from verifier.judgement import Judgement
from verifier.selection import Selection


@dataclass(frozen=True, slots=True)
class ShownFinding:
    finding: Finding
    severity: Severity
    fingerprint: str
    known: bool  # it is in the baseline

    @property
    def counts(self) -> bool:
        """Whether it keeps a book from being clean."""
        return not self.known and self.severity is not Severity.INFO


@dataclass(frozen=True, slots=True)
class ShownDiagnostic:
    diagnostic: Diagnostic
    severity: Severity
    fingerprint: str
    known: bool

    @property
    def is_error(self) -> bool:
        return self.severity is Severity.ERROR


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture for the page, as SVG text that we drew."""

    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Report:
    """`book` is what was asked for, `title` the name of the game, `read` what was read, in words."""

    book: str
    title: str
    read: str
    diagnostics: tuple[ShownDiagnostic, ...]
    findings: tuple[ShownFinding, ...]
    hidden: tuple[tuple[str, int], ...]  # codes that are not wanted, and how often they were found
    judgement: Judgement
    coverage: Coverage
    gone: tuple[Known, ...] | None  # what the baseline lists and is found no more; None without a baseline
    stats: bool = False

    @property
    def errors(self) -> int:
        return sum(d.is_error for d in self.diagnostics)

    @property
    def warnings(self) -> int:
        return sum(d.severity is Severity.WARNING for d in self.diagnostics)

    @property
    def new(self) -> tuple[ShownFinding, ...]:
        return tuple(shown for shown in self.findings if not shown.known)

    @property
    def known(self) -> int:
        return sum(shown.known for shown in self.findings) + sum(shown.known for shown in self.diagnostics)

    def certainties(self) -> tuple[tuple[Certainty, int], ...]:
        """How many findings there are of each certainty, the surest first."""
        counts = Counter(shown.finding.certainty for shown in self.findings)
        return tuple((certainty, counts[certainty]) for certainty in get_args(Certainty) if counts[certainty])

    def clean(self, strict: bool) -> bool:
        """Whether nothing is wrong that counts; `strict` counts the warnings of reading too."""
        wrong = [d for d in self.diagnostics if not d.known and (d.is_error or strict)]
        return not wrong and not any(shown.counts for shown in self.findings)

    def entries(self) -> tuple[Known, ...]:
        """What is shown, as it stands in a baseline. Errors of reading are never known: they are to be mended."""
        return (
            *(Known(s.fingerprint, s.finding.code, s.finding.message) for s in self.findings),
            *(
                Known(s.fingerprint, s.diagnostic.code, s.diagnostic.message)
                for s in self.diagnostics
                if not s.diagnostic.is_error
            ),
        )


def report_of(
    book: str,
    title: str,
    read: str,
    diagnostics: Sequence[Diagnostic],
    judgement: Judgement,
    coverage: Coverage,
    selection: Selection | None = None,
    baseline: Sequence[Known] | None = None,
    stats: bool = False,
) -> Report:
    selection = selection or Selection()
    listed = frozenset(entry.fingerprint for entry in baseline or ())
    marks = numbered(
        [
            *(fingerprint_of(d.code, d.message) for d in diagnostics),
            *(finding.fingerprint for finding in judgement.findings),
        ]
    )
    diagnostics, marks = _without_told(diagnostics, judgement, marks)
    hidden: Counter[str] = Counter()
    shown_diagnostics: list[ShownDiagnostic] = []
    shown_findings: list[ShownFinding] = []
    found: tuple[Diagnostic | Finding, ...] = (*diagnostics, *judgement.findings)
    for item, mark in zip(found, marks, strict=True):
        severity = selection.severity_of(item.code)
        if severity is None:
            hidden[item.code] += 1
        elif isinstance(item, Finding):
            shown_findings.append(ShownFinding(item, severity, mark, mark in listed))
        else:
            shown_diagnostics.append(ShownDiagnostic(item, severity, mark, mark in listed and not item.is_error))
    gone = None if baseline is None else _gone(baseline, frozenset(marks), diagnostics, judgement)
    wanted = tuple(finding for finding in judgement.left_open if selection.severity_of(finding.code) is not None)
    return Report(
        book,
        title,
        read,
        tuple(shown_diagnostics),
        tuple(shown_findings),
        tuple(sorted(hidden.items())),
        replace(judgement, left_open=wanted),
        coverage,
        gone,
        stats,
    )


def _without_told(
    diagnostics: Sequence[Diagnostic], judgement: Judgement, marks: Sequence[str]
) -> tuple[Sequence[Diagnostic], list[str]]:
    """Without the passages that nothing leads to, where the judge tells of them: they are not told twice."""
    told = {finding.places[0].span for finding in judgement.findings if finding.code == "LX954"}
    kept = [not (one.code == "LX601" and one.span in told) for one in diagnostics]
    rest = list(marks[len(diagnostics) :])
    return (
        [one for one, keep in zip(diagnostics, kept, strict=True) if keep],
        [mark for mark, keep in zip(marks, kept, strict=False) if keep] + rest,
    )


def _gone(
    baseline: Sequence[Known], found: frozenset[str], diagnostics: Sequence[Diagnostic], judgement: Judgement
) -> tuple[Known, ...]:
    """What is listed and was looked for, and is found no more."""
    if any(d.is_error for d in diagnostics) or judgement.interrupted:
        return ()
    looked = {run.family for run in judgement.ran} - {run.family for run in judgement.skipped}
    gone: list[Known] = []
    for entry in baseline:
        code = CODES.get(entry.code)
        looked_for = code is None or code.family is None or code.family in looked
        if looked_for and entry.fingerprint not in found:
            gone.append(entry)
    return tuple(gone)
