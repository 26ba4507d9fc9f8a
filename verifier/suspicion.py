"""What a check suspects before play was looked at, and what becomes of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rules.codes import Family
from solver.play import Evidence, Exploration, Fact, Goal
from verifier.court import Case, Court
from verifier.finding import Finding, Witness
from verifier.judgement import Decided


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Something that is wrong if play can come to it. `finding` is how it is told if no play is found.

    Play shows it by a fact (`shown_by_fact`) or by coming to a state for which `goal` holds. `case` is the state that
    the solver found.
    """

    finding: Finding
    case: Case | None = None
    shown_by_fact: Callable[[Fact], bool] | None = None
    goal: Goal | None = None


@dataclass(frozen=True, slots=True)
class Rests:
    """A verdict that rests on an assumption: the words of the meta-rule."""

    words: str


@dataclass(slots=True)
class Looked:
    """How many things a check has looked at so far."""

    things: int = 0


Remark = Suspicion | Finding | Decided | Rests


Ask = Callable[[Court, Looked], Iterable[Remark]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `suspect` comes before play is explored, `conclude` after it; each counts what it looks at."""

    name: str
    family: Family
    suspect: Ask | None = None
    conclude: Ask | None = None


def settle(suspicion: Suspicion, name: str, court: Court) -> Finding | None:
    """The finding with what play has shown; None where every state was seen, and this was not among them."""
    exploration = court.exploration
    evidence = _evidence(suspicion, name, exploration)
    if evidence is not None:
        return _witnessed(suspicion, evidence, court)
    if exploration.complete:
        return None
    case = suspicion.case
    if case is not None and case.state is None:
        rests = f", which rests on {'; '.join(case.rests_on)}" if case.rests_on else ""
        return replace(
            suspicion.finding,
            certainty="unknown",
            shown_by=f"the solver found a state{rests}; it could not be made a state of play to confirm it",
        )
    return suspicion.finding


def _evidence(suspicion: Suspicion, name: str, exploration: Exploration) -> Evidence | None:
    found: list[Evidence] = []
    if suspicion.shown_by_fact is not None:
        found += [e for fact, e in exploration.facts.items() if suspicion.shown_by_fact(fact)]
    if name in exploration.reached:
        found.append(exploration.reached[name])
    return min(found, key=lambda evidence: evidence.length, default=None)


def _witnessed(suspicion: Suspicion, evidence: Evidence, court: Court) -> Finding:
    facts: tuple[str, ...] = ()
    if suspicion.case is not None:
        facts = court.facts_in(evidence.state, suspicion.case)
    elif suspicion.finding.witness is not None:
        facts = suspicion.finding.witness.facts
    witness = Witness(facts, evidence.play.texts, court.seats)
    return replace(suspicion.finding, certainty="witnessed", shown_by=evidence.by, witness=witness)
