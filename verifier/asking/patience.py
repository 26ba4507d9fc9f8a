"""The solver, asked for an answer that somebody waits for: once more, longer and case by case, never in vain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from solver.solve import BUDGET, Solver
from solver.terms import Flag, Term, both, substitute, variables_of
from solver.verdict import Query, Refuted, Unknown
from verifier.court import Court

_PATIENCE = 10  # times the usual budget
_MOST_WAYS = 32  # of filling the parts of what is asked that are looked at one by one


class GivenUp(Exception):  # noqa: N818
    """The solver could not tell whether an answer is possible."""


def is_possible(court: Court, term: Flag, answer: str) -> bool:
    """Whether something can be in a state that keeps the promises of the book."""
    found = court.solver.possible(term, *(fact for _, fact in court.space.facts([term])))
    if found is not None:
        return found
    solver = Solver(_PATIENCE * BUDGET)
    ways = [solver.possible(one, *(fact for _, fact in court.space.facts([one]))) for _, one in _ways(term)]
    if True not in ways and None in ways:
        raise GivenUp(f"the solver gave up on whether `{answer}` is possible")
    return True in ways


def another(court: Court, where: Flag, *others: Flag) -> Mapping[Term, bool | int] | None:
    """A state in which something is asked and none of the other answers is given; None where there is none."""
    left = both(where, *others)
    found = _asked(court, court.solver, left)
    if isinstance(found, Refuted):
        return found.values
    if not isinstance(found, Unknown):
        return None
    solver = Solver(_PATIENCE * BUDGET)
    given_up = False
    for parts, one in _ways(left):
        found = _asked(court, solver, one)
        if isinstance(found, Refuted):
            return {**found.values, **parts}
        given_up |= isinstance(found, Unknown)
    if given_up:
        raise GivenUp("the solver gave up on whether there is another answer")
    return None


def _asked(court: Court, solver: Solver, left: Flag) -> object:
    facts = court.space.facts([left])
    given = (("where", left), *(((place, reason), fact) for place, (reason, fact) in enumerate(facts)))
    return solver.ask(Query(False, given), court.preferred([left]))


def _ways(term: Flag) -> Iterator[tuple[dict[Term, bool | int], Flag]]:
    """The term for each way to fill the parts of what is asked, as long as these are few: then sums fall into place."""
    parts = [variable for variable in variables_of(term) if variable.args[0][0] == "part" and not variable.is_flag]
    if prod(part.high - part.low + 1 for part in parts) > _MOST_WAYS:
        parts = []
    for values in product(*(range(part.low, part.high + 1) for part in parts)):
        chosen: dict[Term, bool | int] = dict(zip(parts, values, strict=True))
        yield chosen, substitute(term, chosen)
