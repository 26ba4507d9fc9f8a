"""Two norms that disagree: how a pair is told, and what is known of a pair that the book itself puts in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules import model as m
from rules.machine.norms import Ground, RuleNorm
from rules.machine.state import State
from solver.encode.situation import Situation
from solver.terms import Flag
from solver.verdict import Unknown
from verifier.checks.open_points import disagree
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Witness
from verifier.judgement import Decided
from verifier.suspicion import Remark, Suspicion


def suspicion(
    court: Court,
    finding: Finding,
    found: Case | Unknown,
    condition: Flag,
    about: Callable[[Situation], str] | None,
    *norms: RuleNorm,
    outcomes: Callable[[State, Situation], tuple[tuple[str, str], ...]] | None = None,
) -> Suspicion:
    """`finding` with what the solver found for a condition; `about` tells the move, value or event in question."""
    shown = disagree(*norms)
    if isinstance(found, Unknown):
        unknown = replace(finding, certainty="unknown", shown_by=found.reason)
        return Suspicion(unknown, None, condition, about, shown)
    more = about(found.situation) if about is not None else ""
    facts = (*found.situation.facts, more) if more else found.situation.facts
    told = replace(finding, witness=Witness(facts, None, court.seats))
    if outcomes is not None and found.state is not None:
        told = replace(told, outcomes=outcomes(found.state, found.situation))
    return Suspicion(told, found, condition, about, shown, outcomes=outcomes)


def in_order(court: Court, winner: RuleNorm, loser: RuleNorm, ground: Ground) -> Iterator[Remark]:
    """The book says which goes before: worth knowing, but no finding."""
    cites = cited(m.Clauses(cites=ground.rule.cites)) if ground.rule is not None else ()
    places = (court.place(winner, "goes before"), court.place(loser, "gives way"))
    assumed = ground.rule is not None and ground.rule.assumed
    yield Decided(places, winner.name, ground.words, cites, assumed)


def pair_of(one: RuleNorm, other: RuleNorm) -> tuple[object, object]:
    """What makes two disagreements one: the same two rules, or the same two lines of one rule."""
    return (one.key, other.key) if one.name == other.name else (one.name, other.name)


def which_first(one: RuleNorm, other: RuleNorm) -> str:
    if one.name == other.name:
        return "say in the conditions when which of them counts"
    for winner, loser in ((one, other), (other, one)):
        if loser.name in {name.text for name in winner.clauses.overrides}:
            return f"let `{winner.name}` go before, as it says: add the line `explicit` to `precedence`"
    return f"say which goes before: `overrides {other.name}` on `{one.name}`, or a line of `precedence`"
