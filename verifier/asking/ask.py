"""The way of a question: what it asks as terms, which answers are possible, what tells them apart, a state for each.

Answers are looked for in all states that keep the promises of the book and in which what is asked about can be asked.
What the solver finds possible is confirmed in the interpreter; whether play comes to it is seen by playing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import partial
from itertools import product

from grammar.printer import print_ask
from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import Machine, Node, Over
from rules.machine.state import State
from rules.machine.world import Value
from solver.encode.expressions import NotEncodable
from solver.encode.situation import plain
from solver.play import Budget, Exploration, Goal, explore
from solver.terms import Flag, Term, both, evaluate, no, substitute, variables_of
from solver.verdict import Proved, Unknown
from verifier.asking.actions import AskedAction
from verifier.asking.answer import Answer, AnswerCase, Example, GaveWay, Shown, Word
from verifier.asking.asked import Asked, Outcome
from verifier.asking.happenings import asked_events
from verifier.asking.telling_apart import Apart, Way
from verifier.asking.values import AskedValue
from verifier.court import Case, Court, cited
from verifier.finding import Place

BUDGET = Budget(work=40_000, guided=0, states=4_000, plays=40, edges=0)
_MOST_PARTS = 1_000  # so many combinations of what a question leaves open are looked at in a state of play


@dataclass(frozen=True, slots=True)
class Draft:
    """A case before it was looked for in play: `goal` is reached where play comes to it, `told` tells a state there."""

    case: AnswerCase
    sort: str
    goal: Goal | None
    told: Callable[[State], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Drafted:
    """An answer as far as the solver knows it; `settled` makes it whole."""

    court: Court
    question: str
    drafts: tuple[Draft, ...]
    reason: str = ""
    word: Word | None = None  # where there are no cases
    left_out: tuple[str, ...] = ()

    def goals(self, prefix: str = "") -> dict[str, Goal]:
        return {
            f"{prefix}case {place}": draft.goal for place, draft in enumerate(self.drafts) if draft.goal is not None
        }

    def settled(self, exploration: Exploration, prefix: str = "") -> Answer:
        """With what play has shown: a case that no play comes to is dropped where every state was seen."""
        kept: list[Draft] = []
        for place, draft in enumerate(self.drafts):
            evidence = exploration.reached.get(f"{prefix}case {place}")
            if evidence is not None:
                example = Example(draft.told(evidence.state), "witnessed", evidence.play.texts)
                kept.append(replace(draft, case=replace(draft.case, example=example)))
            elif draft.goal is None or not exploration.complete:
                kept.append(draft)
        if self.drafts and not kept:
            reason = "no play comes to a state in which it is asked"
            return Answer(self.question, "vacuous", (), self.court.seats, None, reason, self.left_out)
        return self._answer(tuple(kept))

    def plain(self) -> Answer:
        """Without a look at play."""
        return self._answer(self.drafts)

    def _answer(self, drafts: tuple[Draft, ...]) -> Answer:
        cases = tuple(draft.case for draft in drafts)
        word = self.word if self.word is not None else _word(drafts)
        value = cases[0].answer if word == "always" and drafts[0].sort == "value" else None
        if word in ("always", "never", "undetermined") and len(cases) == 1:
            cases = (replace(cases[0], when=()),)
        return Answer(self.question, word, cases, self.court.seats, value, self.reason, self.left_out)


def _word(drafts: tuple[Draft, ...]) -> Word:
    answers = {(draft.sort, draft.case.answer if draft.sort == "value" else "") for draft in drafts}
    told = {draft.case.answer for draft in drafts}
    if len(answers) > 1 or (len(told) > 1 and {draft.sort for draft in drafts} == {"yes"}):
        return "depends"
    sort = drafts[0].sort
    return "always" if sort in ("yes", "value") else "never" if sort == "no" else "undetermined"


# ---- the whole way --------------------------------------------------------------------------------------------------


def answer(
    checked: CheckedRulebook,
    question: m.Question,
    seats: int | None = None,
    policies: tuple[str, ...] = (),
    budget: Budget = BUDGET,
) -> Answer:
    """Without `seats`, for as few players as it can be asked with."""
    drafted = answer_for(Court(checked, seats, policies), question, seats is not None, policies)
    if not drafted.drafts:
        return drafted.plain()
    return drafted.settled(explore(drafted.court.machine, drafted.goals(), budget))


def answer_for(court: Court, question: m.Question, only: bool = False, policies: tuple[str, ...] = ()) -> Drafted:
    """Where nothing can be asked with so many players, more are tried, unless `only` these are meant."""
    drafted = _drafted(court, question)
    players = court.checked.players
    if only or drafted.word != "vacuous" or players is None:
        return drafted
    for seats in range(court.seats + 1, court.checked.kinds[players].most + 1):
        other = _drafted(Court(court.checked, seats, policies), question)
        if other.word != "vacuous":
            return other
    return drafted


def _drafted(court: Court, question: m.Question) -> Drafted:
    text = print_ask(question.ask)
    try:
        asked = _asked(court, question.ask)
        drafts: list[Draft] = []
        left_out: dict[str, None] = {}
        for one in asked:
            drafts += _Drafting(court, one).drafts()
            left_out |= dict.fromkeys(one.left_out)
    except NotEncodable as reason:
        return Drafted(court, text, (), f"{reason.reason} (line {reason.span.line})", "unknown")
    except _GivenUp as reason:
        return Drafted(court, text, (), str(reason), "unknown")
    if not drafts:
        why = "no state that keeps the promises of the book is one in which this can be asked"
        return Drafted(court, text, (), why, "vacuous")
    return Drafted(court, text, tuple(drafts), left_out=tuple(left_out))


def _asked(court: Court, ask: m.AskModal | m.AskValue | m.AskEvent) -> list[Asked]:
    match ask:
        case m.AskModal():
            return [AskedAction(court, ask)]
        case m.AskValue():
            return [AskedValue(court, ask)]
        case m.AskEvent():
            return [*asked_events(court, ask)]


class _GivenUp(Exception):  # noqa: N818
    """The solver could not tell whether an answer is possible."""


class _Drafting:
    """The cases of one question."""

    def __init__(self, court: Court, asked: Asked) -> None:
        self.court = court
        self.asked = asked
        self.apart = Apart(court, asked.where, asked.atoms, asked.names)

    def drafts(self) -> list[Draft]:
        if self.asked.where is False:
            return []
        possible = [outcome for outcome in self.asked.outcomes() if self._is_possible(outcome)]
        if len(possible) == 1:
            return [self._draft(possible[0], Way((), True))]
        return [self._draft(outcome, way) for outcome in possible for way in self._ways(outcome)]

    def _ways(self, outcome: Outcome) -> list[Way]:
        return list(self.apart.ways(outcome.term)) or [Way((), True, False)]

    def _is_possible(self, outcome: Outcome) -> bool:
        term = both(self.asked.where, outcome.term)
        if term is False:
            return False
        found = self.court.possible(("where", term))
        if isinstance(found, Unknown):
            raise _GivenUp(found.reason)
        return not isinstance(found, Proved)

    def _draft(self, outcome: Outcome, way: Way) -> Draft:
        region = both(self.asked.where, outcome.term, way.term)
        found = self.court.possible(("where", region))
        because, always = self._because(outcome, region)
        against = self._against(outcome, region)
        facts: tuple[str, ...] = ()
        shown: Shown = "unconfirmed"
        if isinstance(found, Case):
            facts = self._facts(found)
            if found.state is not None and self.asked.confirms(found, found.state, outcome):
                shown = "possible"
        example = Example(facts, shown)
        made = AnswerCase(outcome.answer, way.when, because, against, example, always, way.whole)
        ways = self._grounded(region)
        goal = None if ways is None else Goal(self._reaches(ways))
        return Draft(made, outcome.sort, goal, partial(self._told_in, ways or []))

    def _facts(self, case: Case) -> tuple[str, ...]:
        told = self.asked.told(case)
        return (*case.situation.facts, *((told,) if told else ()))

    # ---- by which rules

    def _can_be(self, *terms: Flag) -> bool:
        whole = both(*terms)
        if isinstance(whole, bool):
            return whole
        facts = [fact for _, fact in self.court.space.facts([whole])]
        return self.court.solver.possible(whole, *facts) is True

    def _because(self, outcome: Outcome, region: Flag) -> tuple[tuple[Place, ...], frozenset[str]]:
        found: dict[object, Place] = {}
        always: set[str] = set()
        for decider in outcome.deciders:
            if self._can_be(region, decider.decides):
                found.setdefault(decider.norm.key, self.court.place(decider.norm, decider.part))
                if not self._can_be(region, no(decider.decides)):
                    always.add(decider.norm.name)
        return tuple(found.values()) or outcome.fallback, frozenset(always)

    def _against(self, outcome: Outcome, region: Flag) -> tuple[GaveWay, ...]:
        found: dict[object, GaveWay] = {}
        for loser in outcome.losers:
            key = loser.applying.norm.key
            if key in found or not self._can_be(region, loser.applying.when):
                continue
            for rival, stands in loser.rivals:
                with self.court.encoder.apart():
                    grounds = list(self.court.encoder.grounds(rival, loser.applying))
                for ground, decides in grounds:
                    if key not in found and self._can_be(region, loser.applying.when, stands, decides):
                        cites = () if ground.rule is None else cited(m.Clauses(cites=ground.rule.cites))
                        place = self.court.place(loser.applying.norm, loser.part)
                        found[key] = GaveWay(place, rival.norm.name, ground.words, cites, ground.assumed)
        return tuple(found.values())

    # ---- in play

    def _grounded(self, region: Flag) -> list[_Ground] | None:
        """The case for each combination of what the question leaves open; None where there are too many."""
        parts = [v for v in variables_of(region) if v.args[0][0] in ("part", "part none")]
        ranges = [(False, True) if v.op == "flag" else range(v.low, v.high + 1) for v in parts]
        size = 1
        for values in ranges:
            size *= len(values)
        if size > _MOST_PARTS:
            return None
        found: list[_Ground] = []
        for combination in product(*ranges):
            chosen = dict(zip(parts, combination, strict=True))
            term = substitute(region, chosen)
            if term is not False:
                found.append(_Ground(chosen, self._named(chosen), term))
        return found

    def _named(self, chosen: dict[Term, bool | int]) -> dict[Hashable, Value]:
        space = self.court.space
        return {
            v.args[0][1]: plain(int(value), space.part_types[v.args[0][1]], space)
            for v, value in chosen.items()
            if v.args[0][0] == "part"
        }

    def _holding(self, ways: list[_Ground], state: State) -> _Ground | None:
        """What the question asks about in a state of play so that it is this case."""
        asked = [way for way in ways if self.asked.is_asked_at(state, way.named)]
        values = self.court.space.values_in(state, [way.term for way in asked])
        known: dict[Term, bool | int] = {}
        return next((way for way in asked if evaluate(way.term, values, known)), None)

    def _reaches(self, ways: list[_Ground]) -> Callable[[Machine, State, Node | None], bool]:
        def holds(_machine: Machine, state: State, node: Node | None) -> bool:
            return node is not None and not isinstance(node, Over) and self._holding(ways, state) is not None

        return holds

    def _told_in(self, ways: list[_Ground], state: State) -> tuple[str, ...]:
        """The facts of a state of play that make it this case."""
        way = self._holding(ways, state)
        assert way is not None
        found = self.court.seen_in(state, way.term)
        situation = replace(found.situation, parts=way.named)
        return self._facts(replace(found, values={**found.values, **way.chosen}, situation=situation))


@dataclass(frozen=True, slots=True)
class _Ground:
    """A case with all that the question leaves open chosen: only the state is open."""

    chosen: dict[Term, bool | int]
    named: dict[Hashable, Value]
    term: Flag
