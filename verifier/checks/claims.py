"""LX926 and LX927: what the book claims of all games, and what play and proofs say to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from rules import model as m
from rules.machine import Machine
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from solver.encode.expressions import NotEncodable
from solver.flow.prove import Comes, Never
from solver.play import Evidence, Goal, Play, reads_of, replay, shortened
from solver.play.fair import Misses, ends_without
from solver.play.goals import holds
from solver.play.nearness import distance_to
from solver.stories import NoReading, way_to
from solver.terms import Flag, both, no, some
from verifier.court import Court, cited
from verifier.finding import Certainty, Finding, Place, Witness
from verifier.judgement import ClaimVerdict, Verdict
from verifier.reaching import STORY
from verifier.suspicion import Check, Looked, Remark, Ruled, Watch
from verifier.telling import member_words, steps_of

_FAIR_STATES = 40_000  # of a game in which all fair plays are looked at
_SEEN = "every state of play"
_BY_STORIES = "the shortest way through the stories"
_PLAYS, _WORK = 40, 60_000  # games at random in which a goal may be missed
_SHORTENING = 15_000  # so much work goes into making one play shorter


@dataclass(frozen=True, slots=True)
class _Part:
    """A claim for some things that its variables stand for. `name` is that of the watch for it."""

    claim: m.Claim
    name: str
    words: str
    envs: tuple[dict[str, Value], ...]

    @property
    def wanted(self) -> bool:
        """Whether the watch waits for the condition to hold, or not to."""
        return self.claim.word != "always"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for part in _parts(court):
        looked.things += 1
        if part.claim.word != "eventually":
            condition = _condition(court, part)
            goal = _goal(court.machine, part)
            if part.claim.word == "possible" and condition is not None:
                goal = replace(goal, distance=distance_to(court.space, condition))
            yield Watch(part.name, goal, condition)


def conclude(court: Court, _looked: Looked) -> Iterator[Remark]:
    for part in _parts(court):
        match part.claim.word:
            case "always" | "never":
                yield _never(court, part)
            case "possible":
                yield _possible(court, part)
            case "eventually":
                yield _eventually(court, part)


# ---- the parts of claims


def _parts(court: Court) -> Iterator[_Part]:
    """What must be possible, or come about, must be so for each thing that a variable can stand for."""
    claims = [d for d in court.checked.book.declarations if isinstance(d, m.Claim)]
    for number, claim in enumerate(claims):
        envs = _envs(court.machine, claim.condition)
        words = claim.text if claim.text is not None else f"{claim.word} {_text(claim.condition)}"
        if claim.word in ("always", "never") or len(envs) == 1:
            yield _Part(claim, f"claim {number}", words, tuple(envs))
            continue
        for place, env in enumerate(_sensible(court, claim, envs)):
            yield _Part(claim, f"claim {number}, {place}", f"{words} ({_bound(court.machine, env)})", (env,))


def _envs(machine: Machine, condition: m.Expr) -> list[dict[str, Value]]:
    names = sorted(machine.needs(condition))
    symbols = [machine.variables[name] for name in names]
    domains = [machine.world.domain(symbol.type) for symbol in symbols if isinstance(symbol, VariableSymbol)]
    return [dict(zip(names, values, strict=True)) for values in product(*domains)]


def _sensible(court: Court, claim: m.Claim, envs: list[dict[str, Value]]) -> list[dict[str, Value]]:
    """Without those that the condition itself excludes, as `p is not other` does; all, where it excludes them all."""
    try:
        with court.encoder.apart():
            left = [e for e in envs if court.encoder.holds(claim.condition, court.encoder.lifted(e)) is not False]
    except NotEncodable:
        return envs
    return left or envs


def _bound(machine: Machine, env: dict[str, Value]) -> str:
    found = []
    for name, value in env.items():
        symbol = machine.variables[name]
        assert isinstance(symbol, VariableSymbol)
        found.append(f"{name} is {machine.world.show(value, symbol.type)}")
    return ", ".join(found)


def _text(node: m.Expr) -> str:
    return " ".join(node.span.text.split())


def _goal(machine: Machine, part: _Part) -> Goal:
    """Reached where an `always` is broken, and where anything else comes to hold."""
    condition, wanted = part.claim.condition, part.wanted

    def holds(machine: Machine, state: State, _node: object) -> bool:
        return any(machine.evaluator.holds(condition, state, env) is wanted for env in part.envs)

    reads = reads_of(machine, condition)
    lasting = f"{part.claim.word} {condition} {part.envs}"
    return Goal(holds, "every step", (condition,), of_situations=None if reads.past else reads, lasting=lasting)


def _condition(court: Court, part: _Part) -> Flag | None:
    """The same as a term, where the rules say what it asks; None where it has none."""
    encoder = court.encoder
    found: list[Flag] = []
    try:
        for env in part.envs:
            with encoder.apart() as troubles:
                flag = encoder.holds(part.claim.condition, encoder.lifted(env))
            told = no(some(trouble.when for trouble in troubles))
            found.append(both(told, flag if part.wanted else no(flag)))
    except NotEncodable as reason:
        court.cannot_encode(part.words, reason)
        return None
    return some(found)


# ---- verdicts


def _never(court: Court, part: _Part) -> Ruled:
    seen = court.exploration.reached.get(part.name)
    told = _told_by_stories(court, part) if seen is None or seen.by != "exhaustive" else None
    if isinstance(told, Play) and (seen is None or len(told) < seen.length):
        return _fails(court, part, told, _BY_STORIES, "witnessed")
    if seen is not None:
        play = _short(court, part, seen)
        state = seen.state if play == seen.play else None
        return _fails(court, part, play, member_words(seen.by), "witnessed", state)
    if part.name in court.exploration.unanswered:
        return _open(court, part, "the rules leave open what it asks, in a state that play comes to")
    if court.exploration.complete:
        return _holds(part, _SEEN)
    if isinstance(told, NoReading):
        return _holds(part, STORY)
    found = court.never(part.name)
    if isinstance(found, Never):
        return _holds(part, found.by)
    if isinstance(found, Comes):
        return _fails(court, part, found.play, "a play found by the solver", "witnessed", found.state)
    return _open(court, part, found.reason)


def _possible(court: Court, part: _Part) -> Ruled:
    seen = court.exploration.reached.get(part.name)
    if seen is not None:
        return _holds(part, member_words(seen.by))
    if court.exploration.complete:
        return _fails(court, part, None, _SEEN, "proved")
    told = _told_by_stories(court, part)
    if isinstance(told, Play):
        return _holds(part, _BY_STORIES)
    if isinstance(told, NoReading):
        return _fails(court, part, None, STORY, "proved")
    found = court.never(part.name)
    if isinstance(found, Comes):
        return _holds(part, "a play found by the solver")
    if isinstance(found, Never):
        return _fails(court, part, None, found.by, "proved")
    return _open(court, part, found.reason)


def _told_by_stories(court: Court, part: _Part) -> Play | NoReading | None:
    """What the stories say of it by their marks; of what must be so for each thing by itself, they do not tell."""
    if part.claim.word == "possible" and part.envs != ({},):
        return None
    return way_to(court.machine, part.claim.condition, part.wanted)


def _short(court: Court, part: _Part, seen: Evidence) -> Play:
    """A play that was found at random is made shorter."""
    if seen.by == "exhaustive":
        return seen.play
    return shortened(court.machine, _goal(court.machine, part), seen.play, _SHORTENING)


def _eventually(court: Court, part: _Part) -> Ruled:
    if not court.exploration.complete:
        ended = ends_without(court.machine, _goal(court.machine, part), _PLAYS, _WORK) if court.machine.play else None
        if ended is not None:
            return _fails(court, part, ended.play, "plays at random", "witnessed")
        return _open(court, part, f"not every state was seen: {'; '.join(court.exploration.left_out)} left out")
    found = court.misses(_goal(court.machine, part), _FAIR_STATES)
    if isinstance(found, Misses):
        return _fails(court, part, found.play, "all states of play, under fair play", "witnessed")
    if found:
        return _open(court, part, f"there are more than {_FAIR_STATES:,} states")
    return _holds(part, "all states of play, under fair play")


def _holds(part: _Part, by: str) -> Ruled:
    return Ruled(_verdict(part, "holds", by))


def _verdict(part: _Part, verdict: Verdict, by: str) -> ClaimVerdict:
    return ClaimVerdict(part.words, part.claim.word, verdict, by, part.claim.span)


def _fails(
    court: Court, part: _Part, play: Play | None, by: str, certainty: Certainty, state: State | None = None
) -> Ruled:
    """`state` is the one that shows it, on the way of the last decision of the play or after it."""
    message = {
        "always": f"the claim `{part.words}` does not hold: a game can come to where it is not so",
        "never": f"the claim `{part.words}` does not hold: a game can come to where it is so",
        "possible": f"the claim `{part.words}` does not hold: no game comes to where it is so",
        "eventually": f"the claim `{part.words}` does not hold: a game can come to where it is out of reach",
    }[part.claim.word]
    facts = () if state is None or play is None else _facts(court, part, play, state)
    witness = None if play is None else Witness(facts, steps_of(court.machine, play), court.seats)
    finding = Finding("LX926", message, (_place(part),), certainty, by, witness)
    return Ruled(_verdict(part, "fails", by), finding)


def _facts(court: Court, part: _Part, play: Play, state: State) -> tuple[str, ...]:
    """What makes it so in a state; and that it is so only in the middle of something, where that is all."""
    condition = _condition(court, part)
    shown = None if condition is None else court.holding_in(state, condition)
    facts = () if shown is None else shown.facts
    after, node = replay(court.machine, play)
    if holds(_goal(court.machine, part), court.machine, after, node) is True:
        return facts
    return (*facts, "only in the middle of the last decision: what follows from it changes it again")


def _open(court: Court, part: _Part, reason: str) -> Ruled:
    exploration = court.exploration
    bound = f"{exploration.states:,} states and {exploration.plays:,} plays at random were looked at"
    if part.claim.word == "possible" and court.machine.play and not exploration.complete:
        bound = f"{bound}, and a search towards it was made"
    message = f"whether the claim `{part.words}` holds is left open: {bound}"
    finding = Finding("LX927", message, (_place(part),), "unknown", reason)
    return Ruled(_verdict(part, "open", f"{bound}; {reason}"), finding)


def _place(part: _Part) -> Place:
    return Place(part.claim.text or part.claim.word, part.claim.span, cited(part.claim.clauses), "claims it")


CHECK = Check("claims", "precedence", suspect, conclude)
