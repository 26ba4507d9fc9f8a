"""LX933: a rank that is used where a tie can be left, and nothing says who comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rules import model as m
from solver.play import Fact
from verifier.court import Court
from verifier.finding import Finding
from verifier.stopping import asking, by_subject, declared, first_possible, open_points, suspicion, witnessed
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    ranks = court.machine.ranks
    looked.things += len(ranks)
    for span, stops in by_subject(court, ("gap", "undetermined"), ("rank",)).items():
        found = first_possible(court, stops)
        if found is None:
            continue
        stop, case = found
        node = ranks[span]
        court.suspected.add(("LX933", span))
        places = (declared(node.name, node.clauses, "leaves a tie"), asking(stop, "asks who comes first"))
        yield suspicion(court, "LX933", _message(node), places, _hint(node), case, _shown(node))


def _message(node: m.Rank) -> str:
    if any(isinstance(line, m.RankTies) for line in node.lines):
        return f"`{node.name.text}` can leave a tie where it matters who comes first, and the book leaves it open"
    return f"`{node.name.text}` can leave a tie where it matters who comes first, and nothing breaks it"


def _hint(node: m.Rank) -> str:
    return f"let `{node.name.text}` end with a line that parts everybody, such as `first in` an order, or `ties share`"


def _shown(node: m.Rank) -> Callable[[Fact], bool]:
    def shown(fact: Fact) -> bool:
        if fact.kind != "open":
            return False
        kind, text, sides, span = fact.what
        return (kind == "gap" and span == node.name.span) or (
            kind == "undetermined" and not sides and text.startswith(f"{node.name.text}: ")
        )

    return shown


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    told = {subject for code, subject in court.suspected if code == "LX933"}
    for span, node in court.machine.ranks.items():
        shown = _shown(node)
        points = [*open_points(court, "gap"), *open_points(court, "undetermined")]
        found = [(fact, evidence) for fact, evidence in points if shown(fact)]
        if found and span not in told:
            fact, evidence = min(found, key=lambda one: one[1].length)
            places = (declared(node.name, node.clauses, "leaves a tie"),)
            yield witnessed(court, "LX933", _message(node), places, _hint(node), fact, evidence)


CHECK = Check("ties without a breaker", "gap", suspect, conclude)
