"""The solver, asked for an answer that somebody waits for: once more with a larger budget, never silently in vain."""

from __future__ import annotations

from solver.solve import BUDGET, Solver
from solver.terms import Flag, both
from solver.verdict import Query, Refuted, Unknown
from verifier.court import Court

_PATIENCE = 10  # times the usual budget


class GivenUp(Exception):  # noqa: N818
    """The solver could not tell whether an answer is possible."""


def is_possible(court: Court, term: Flag, answer: str) -> bool:
    """Whether something can be in a state that keeps the promises of the book."""
    asked = (term, *(fact for _, fact in court.space.facts([term])))
    found = court.solver.possible(*asked)
    if found is None:
        found = Solver(_PATIENCE * BUDGET).possible(*asked)
    if found is None:
        raise GivenUp(f"the solver gave up on whether `{answer}` is possible")
    return found


def another(court: Court, where: Flag, *others: Flag) -> Refuted | None:
    """A state in which something is asked and none of the other answers is given; None where there is none."""
    left = both(where, *others)
    facts = court.space.facts([left])
    given = (("where", left), *(((place, reason), fact) for place, (reason, fact) in enumerate(facts)))
    query, preferred = Query(False, given), court.preferred([left])
    found = court.solver.ask(query, preferred)
    if isinstance(found, Unknown):
        found = Solver(_PATIENCE * BUDGET).ask(query, preferred)
    if isinstance(found, Unknown):
        raise GivenUp("the solver gave up on whether there is another answer")
    return found if isinstance(found, Refuted) else None
