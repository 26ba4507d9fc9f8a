"""What a check suspects before play was looked at, and what becomes of it afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from rules.codes import Family
from rules.machine.state import State
from solver.encode.situation import Situation
from solver.flow.prove import Comes, Never
from solver.play import Evidence, Exploration, Fact, Goal, Play, replay, shortened, witness
from solver.play.goals import holds
from solver.terms import Flag, every
from verifier.court import Case, Court
from verifier.finding import Finding, Witness
from verifier.judgement import ClaimVerdict, Decided
from verifier.telling import member_words, steps_of

_SHORTENING = 15_000  # so much work goes into making one play shorter


@dataclass(frozen=True, slots=True)
class Suspicion:
    """Something that is wrong if play can come to it. `finding` is how it is told if no play is found.

    Play shows it by a fact (`shown_by_fact`) or by coming to a state for which `goal` holds. `case` is the state that
    the solver found for `condition`; `about` tells the move, value or event in question, given its parts.
    `tell` says what matters in a state of play, where that is not what makes `condition` hold.
    """

    finding: Finding
    case: Case | None = None
    condition: Flag | None = None
    about: Callable[[Situation], str] | None = None
    shown_by_fact: Callable[[Fact], bool] | None = None
    goal: Goal | None = None
    only_by_play: bool = False  # a state alone would not show it
    outcomes: Callable[[State, Situation], tuple[tuple[str, str], ...]] | None = None  # who wins under each policy
    tell: Callable[[State], tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Something that a check wants to know of play when it concludes: whether a goal is reached and, where not every
    state was seen, whether `condition`, which is the goal as a term, can be proved never to hold. There is no goal
    where a fact of play tells."""

    name: str
    goal: Goal | None
    condition: Flag | None


@dataclass(frozen=True, slots=True)
class Rests:
    """A verdict that rests on an assumption: the words of the meta-rule."""

    words: str


@dataclass(frozen=True, slots=True)
class Ruled:
    """What became of a claim with one number of players, and how that is told where it does not hold or is open."""

    verdict: ClaimVerdict
    finding: Finding | None = None


@dataclass(slots=True)
class Looked:
    """How many things a check has looked at so far."""

    things: int = 0


Remark = Suspicion | Watch | Finding | Decided | Rests | Ruled


Ask = Callable[[Court, Looked], Iterable[Remark]]


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `suspect` comes before play is explored, `conclude` after it; each counts what it looks at.

    `for_all`: what it finds it has itself looked for with every number of players, so that it is asked once. `costly`:
    it is not asked where a number of players is looked at briefly.
    """

    name: str
    family: Family
    suspect: Ask | None = None
    conclude: Ask | None = None
    for_all: bool = False
    costly: bool = False


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of a suspicion: the finding, None where there is nothing to tell; and what decided it.

    Without `by` it is left open: no play that was looked at shows it, and nothing excludes it.
    """

    finding: Finding | None
    by: str | None


def settle(suspicion: Suspicion, name: str, court: Court) -> Settled:
    """The finding with what play has shown; none where every state was seen, and this was not among them, and where
    it is proved that play never comes to it."""
    exploration = court.exploration
    evidence = evidence_of(suspicion, name, exploration)
    if evidence is not None:
        return _settled(_witnessed(suspicion, *evidence, court))
    if exploration.complete:
        return Settled(None, "every state of play")
    proof = court.never(name)
    if isinstance(proof, Never):
        return Settled(None, proof.by)
    if isinstance(proof, Comes) and suspicion.goal is not None:
        shown = _shown_by_solver(suspicion, proof, court)
        if shown is not None:
            return _settled(shown)
    case = suspicion.case
    if suspicion.only_by_play and not _shown_at_a_decision(suspicion, court):
        return Settled(suspicion.finding, None)
    if case is not None and case.state is None:
        rests = f", which rests on {'; '.join(case.rests_on)}" if case.rests_on else ""
        words = f"the solver found a state{rests}; it could not be made a state of play to confirm it"
        return _settled(replace(suspicion.finding, certainty="unknown", shown_by=words))
    return _settled(suspicion.finding)


def _settled(finding: Finding) -> Settled:
    return Settled(finding, finding.shown_by)


def _shown_by_solver(suspicion: Suspicion, found: Comes, court: Court) -> Finding | None:
    """The finding with a play of the solver's, where the goal holds after it too."""
    assert suspicion.goal is not None
    state, node = replay(court.machine, found.play)
    if not holds(suspicion.goal, court.machine, state, node):
        return None
    facts = suspicion.tell(state) if suspicion.tell is not None else ()
    witness_ = Witness(facts, steps_of(court.machine, found.play), court.seats)
    return replace(suspicion.finding, certainty="witnessed", shown_by="a play found by the solver", witness=witness_)


def _shown_at_a_decision(suspicion: Suspicion, court: Court) -> bool:
    """Whether the goal holds at a decision that was set up as the solver's case says."""
    if suspicion.case is None or suspicion.goal is None:
        return False
    found = court.decision_in(suspicion.case)
    return found is not None and holds(suspicion.goal, court.machine, *found) is True


def evidence_of(suspicion: Suspicion, name: str, exploration: Exploration) -> tuple[Fact | None, Evidence] | None:
    """The nearest evidence, and the fact that it shows; None for that of a goal."""
    found: list[tuple[Fact | None, Evidence]] = []
    if suspicion.shown_by_fact is not None:
        found += [(fact, e) for fact, e in exploration.facts.items() if suspicion.shown_by_fact(fact)]
    if name in exploration.reached:
        found.append((None, exploration.reached[name]))
    return min(found, key=lambda one: one[1].length, default=None)


def _witnessed(suspicion: Suspicion, fact: Fact | None, evidence: Evidence, court: Court) -> Finding:
    play, state = _shown(suspicion, fact, evidence, court)
    condition = suspicion.condition
    if condition is None and suspicion.case is not None:
        condition = every(term for _, term in suspicion.case.conditions)
    situation = None if condition is None else court.holding_in(state, condition)
    facts: tuple[str, ...] = ()
    if suspicion.tell is not None:
        facts = suspicion.tell(state)
    elif situation is not None:
        about = suspicion.about(situation) if suspicion.about is not None else ""
        facts = (*situation.facts, about) if about else situation.facts
    shown = Witness(facts, steps_of(court.machine, play), court.seats)
    outcomes = suspicion.outcomes(state, situation) if suspicion.outcomes is not None and situation else ()
    return replace(
        suspicion.finding,
        certainty="witnessed",
        shown_by=member_words(evidence.by),
        witness=shown,
        outcomes=outcomes or suspicion.finding.outcomes,
    )


def _shown(suspicion: Suspicion, fact: Fact | None, evidence: Evidence, court: Court) -> tuple[Play, State]:
    """A play that shows it and the state in which it does. One that was found at random is made shorter."""
    if evidence.by == "exhaustive":
        return evidence.play, evidence.state
    if fact is None:
        assert suspicion.goal is not None
        if suspicion.goal.at != "decisions":
            return evidence.play, evidence.state
        play = shortened(court.machine, suspicion.goal, evidence.play, _SHORTENING)
        return play, replay(court.machine, play)[0]
    if fact.kind != "open":
        return evidence.play, evidence.state
    play = witness(court.machine, fact, evidence, _SHORTENING)
    return play, replay(court.machine, play)[0]
