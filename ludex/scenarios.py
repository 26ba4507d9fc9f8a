"""`ludex test`: the scenarios of a book and the lines at which they fail, and its questions that expect an answer."""

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


def surprises(book: Book) -> list[Diagnostic]:
    """One for each question that is answered otherwise than it expects."""
    from solver.terms import Pool  # noqa: PLC0415  (scenarios alone need no solver)
    from verifier.asking import surprise  # noqa: PLC0415
    from verifier.court import Court  # noqa: PLC0415

    if book.checked is None:
        raise InternalError("questions of a book with errors")
    found: list[Diagnostic] = []
    with Pool():
        court = Court(book.checked)
        for question in expecting(book):
            other = surprise(court, question)
            if other is not None and question.expect is not None:
                message = f"the question `{question.text}` is answered {other[1]}"
                found.append(Diagnostic("LX925", message, question.expect.span))
    return found


def expecting(book: Book) -> list[m.Question]:
    return [d for d in book.rulebook.declarations if isinstance(d, m.Question) and d.expect is not None]


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
    scenarios, questions = len(scenarios_of(book)), len(expecting(book))
    if not scenarios and not questions:
        print("the rulebook has no scenarios, and no questions that expect an answer")
        return 0
    failing = failures(book) if scenarios else []
    surprising = surprises(book) if questions else []
    for diagnostic in (*failing, *surprising):
        print(to_text(diagnostic, colour), end="\n\n")
    told = []
    if scenarios:
        told.append(f"{counted(scenarios, 'scenario')}, {f'{len(failing)} failing' if failing else 'none failing'}")
    if questions:
        other = f"{len(surprising)} answered otherwise" if surprising else "all answered as expected"
        told.append(f"{counted(questions, 'question')}, {other}")
    print("; ".join(told))
    return 1 if failing or surprising else 0


def counted(number: int, word: str) -> str:
    return f"1 {word}" if number == 1 else f"{number} {word}s"
