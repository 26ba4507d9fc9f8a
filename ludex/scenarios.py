"""`ludex test`: the scenarios of a book, and the lines at which they fail."""

from __future__ import annotations

from ludex.book import Book
from rules import model as m
from rules.diagnostics import Diagnostic, InternalError
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
