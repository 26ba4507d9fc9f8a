"""In which way something is out of reach, and for how many players that was shown.

By graph alone: nothing leads there. By condition: the conditions on it cannot hold together, whatever the state. By
history: they could, but no play comes to a state in which they do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from rules import model as m
from solver.analysis import THINGS, Asked
from solver.encode.sym import Sym
from solver.terms import Flag
from solver.verdict import Proved, Query
from verifier.court import Court
from verifier.finding import Finding, Place

Way = Literal["graph", "condition", "history"]
SOLVER = "the solver"
FLOW = "the values that can ever be held"
STATES = "every state of play"
STORY = "every state of the story"
GRAPH = "the graph"
_WAYS: dict[Way, str] = {
    "graph": "by graph alone",
    "condition": "by condition",
    "history": "by history",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of what something needs: an expression that must hold, or must not."""

    expr: m.Expr
    wanted: bool = True

    @property
    def words(self) -> str:
        text = " ".join(self.expr.span.text.split())
        return f"`{text}`" if self.wanted else f"not `{text}`"


@dataclass(frozen=True, slots=True)
class Lost:
    """Why something is out of reach. `because` are the conditions that exclude each other, the fewest that do so;
    `facts` is what they rest on besides, in words. `there`: they may hold together elsewhere."""

    way: Way
    by: str
    because: tuple[Condition, ...] = ()
    facts: tuple[str, ...] = ()
    there: bool = False

    @property
    def words(self) -> str:
        """As the end of a sentence: why it is so."""
        found = [condition.words for condition in self.because]
        if not found:
            return ""
        held = " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)
        facts = f", because {' and '.join(self.facts)}" if self.facts else ""
        there = " there" if self.there else ""
        if len(found) > 1:
            return f": {held} never hold together{there}{facts}"
        return f": {held} never holds{there}{facts}"


def conjuncts(expr: m.Expr | None, wanted: bool = True) -> tuple[Condition, ...]:
    """The parts of a condition all of which must hold."""
    match expr:
        case None:
            return ()
        case m.And(left=left, right=right) if wanted:
            return (*conjuncts(left), *conjuncts(right))
        case m.Or(left=left, right=right) if not wanted:
            return (*conjuncts(left, False), *conjuncts(right, False))
        case m.Not(operand=operand):
            return conjuncts(operand, not wanted)
        case _:
            return (Condition(expr, wanted),)


def needs_of(conditions: m.Conditions) -> tuple[Condition, ...]:
    return (*conjuncts(conditions.when), *conjuncts(conditions.unless, False))


def excluded(
    court: Court, needed: Iterable[Condition], env: dict[str, Sym], more: Iterable[tuple[Hashable, Flag]] = ()
) -> Lost | None:
    """Why these cannot hold together; None where they can, or nothing is known. `more` are conditions without words."""
    named: list[tuple[Hashable, Flag]] = list(more)
    for condition in needed:
        asked: Asked = court.analysis.guards.asked(condition.expr, env)
        named.append((condition, asked.yes if condition.wanted else asked.no))
    return _excluded(court, named, "condition", ()) or _excluded(
        court, named, "history", court.analysis.sets.facts([term for _, term in named])
    )


def _excluded(
    court: Court, named: list[tuple[Hashable, Flag]], way: Way, known: Iterable[tuple[str, Flag]]
) -> Lost | None:
    if way == "history" and not known:
        return None
    terms = [term for _, term in named]
    facts: list[tuple[str, Flag]] = list(known)
    if not any(THINGS in court.analysis.guards.reads(term) for term in terms):  # how things lie is rarely the point
        facts += court.space.facts(terms)
    if court.solver.possible(*terms, *(fact for _, fact in facts)) is not False:
        return None
    verdict = court.solver.ask(Query(False, (*named, *facts)))
    if not isinstance(verdict, Proved):
        return None
    because = tuple(one for one in verdict.because if isinstance(one, Condition))
    words = tuple(dict.fromkeys(one for one in verdict.because if isinstance(one, str)))
    return Lost(way, SOLVER if way == "condition" else FLOW, because, words)


def everywhere(court: Court, lost: Callable[[Court], bool]) -> bool:
    """Whether something is lost for every other number of players too."""
    return all(lost(other) for other in court.others)


def finding(
    code: str,
    message: str,
    places: tuple[Place, ...],
    lost: Lost,
    hint: str | None = None,
    details: tuple[str, ...] = (),
    changes: tuple[Place, ...] = (),
    of_it: str | None = None,
) -> Finding:
    """What is out of reach is proved; there is no state to show. The first place says in which way it is so; `of_it`
    says what of it is, where it is not the whole: `an ending`. The last places are what `changes` what it needs."""
    what = "" if of_it is None else f"has {of_it} here that "
    first = replace(places[0], part=f"{what}is out of reach {_WAYS[lost.way]}")
    needs = "needs this" if of_it is None else "asks for this"
    conditions = tuple(Place(first.name, one.expr.span, (), needs) for one in lost.because)
    whole = (first, *places[1:], *conditions, *changes)
    return Finding(code, f"{message}{lost.words}", whole, "proved", lost.by, None, (), hint, details)
