"""`ludex test`: the scenarios of a book, and the lines at which they fail."""

from __future__ import annotations

from ludex.book import Book
from rules import model as m
from rules.diagnostics import Diagnostic, InternalError, Severity
from rules.machine.scenario import run_scenario
from solver.referee import referee_of
from verifier.render import to_text


def failures(book: Book) -> list[Diagnostic]:
    """One for each scenario that fails, at its first line that does."""
    if book.checked is None:
        raise InternalError("scenarios of a book with errors")
    found: list[Diagnostic] = []
    for scenario in scenarios_of(book):
        failure = run_scenario(book.checked, scenario, referee_of)
        if failure is not None:
            found.append(Diagnostic("LX701", f"the scenario `{scenario.text}` fails: {failure.text}", failure.span))
    return found


def scenarios_of(book: Book) -> list[m.Scenario]:
    return [d for d in book.rulebook.declarations if isinstance(d, m.Scenario)]


def run_claims(book: Book, colour: bool) -> int:
    """Prints what became of the claims of a book; gives the exit status."""
    from verifier.checks import claims  # noqa: PLC0415  (scenarios do without the solver)
    from verifier.hearing import judge  # noqa: PLC0415
    from verifier.report.report import ShownFinding  # noqa: PLC0415
    from verifier.report.text import claim_lines, finding_text  # noqa: PLC0415

    if book.checked is None:
        raise InternalError("claims of a book with errors")
    found = judge(book.checked, checks=(claims.CHECK,))
    failing = [finding for finding in found.findings if finding.severity is not Severity.INFO]
    for finding in failing:
        print(finding_text(ShownFinding(finding, finding.severity, finding.fingerprint, False), colour), end="\n\n")
    print("\n".join(claim_lines(found, whole=True) or ["the rulebook has no claims"]))
    return 1 if failing else 0


def run_scenarios(book: Book, colour: bool) -> int:
    """Prints what fails and a summary; gives the exit status."""
    total = len(scenarios_of(book))
    if not total:
        print("the rulebook has no scenarios")
        return 0
    found = failures(book)
    for diagnostic in found:
        print(to_text(diagnostic, colour), end="\n\n")
    word = "scenario" if total == 1 else "scenarios"
    print(f"{total} {word}, {f'{len(found)} failing' if found else 'none failing'}")
    return 1 if found else 0
