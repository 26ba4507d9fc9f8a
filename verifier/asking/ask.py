"""The way of a question: what it asks as terms, which answers are possible, what tells them apart, a state for each.

Answers are looked for in all states that keep the promises of the book and in which what is asked about can be asked.
What the solver finds possible is confirmed in the interpreter; whether play comes to it is seen by playing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from grammar.printer import print_ask
from rules import model as m
from rules.check import CheckedRulebook
from solver.encode.expressions import NotEncodable
from solver.play import Budget, Exploration, Goal, explore
from solver.terms import Flag, Pool, both, no
from verifier.asking.actions import AskedAction
from verifier.asking.answer import Answer, AnswerCase, Example, GaveWay, Shown, Word
from verifier.asking.asked import Asked, Outcome
from verifier.asking.happenings import asked_events
from verifier.asking.in_play import InPlay, facts_of
from verifier.asking.patience import GivenUp, is_possible
from verifier.asking.telling_apart import Apart, Way
from verifier.asking.values import AskedValue
from verifier.court import Case, Court, cited
from verifier.finding import Place
from verifier.telling import steps_of

BUDGET = Budget(work=40_000, guided=0, states=4_000, plays=40, edges=0)


@dataclass(frozen=True, slots=True)
class Draft:
    """A case before it was looked for in play; `play` is None where no play can come to it."""

    case: AnswerCase
    sort: str
    play: InPlay | None


@dataclass(frozen=True, slots=True)
class Drafted:
    """An answer as far as the solver knows it; `settled` makes it whole."""

    court: Court
    question: str
    drafts: tuple[Draft, ...]
    reason: str = ""
    word: Word | None = None  # where there are no cases
    left_out: tuple[str, ...] = ()

    def goals(self) -> dict[str, Goal]:
        return {
            f"case {place}": Goal(draft.play.holds) for place, draft in enumerate(self.drafts) if draft.play is not None
        }

    def settled(self, exploration: Exploration) -> Answer:
        """With what play has shown: a case that no play comes to is dropped where every state was seen."""
        kept: list[Draft] = []
        for place, draft in enumerate(self.drafts):
            evidence = exploration.reached.get(f"case {place}")
            if evidence is not None and draft.play is not None:
                steps = steps_of(self.court.machine, evidence.play)
                example = Example(draft.play.told_in(evidence.state), "witnessed", steps)
                kept.append(replace(draft, case=replace(draft.case, example=example)))
            elif draft.play is None or draft.play.gave_up or not exploration.complete:
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
    if any(draft.sort == "open" for draft in drafts):
        return "undetermined"
    answers = {(draft.sort, draft.case.answer if draft.sort == "value" else "") for draft in drafts}
    told = {draft.case.answer for draft in drafts}
    if len(answers) > 1 or (len(told) > 1 and {draft.sort for draft in drafts} == {"yes"}):
        return "depends"
    return "always" if drafts[0].sort in ("yes", "value") else "never"


# ---- the whole way --------------------------------------------------------------------------------------------------


def answer(
    checked: CheckedRulebook,
    question: m.Question,
    seats: int | None = None,
    policies: tuple[str, ...] = (),
    budget: Budget = BUDGET,
) -> Answer:
    """Without `seats`, for as few players as it can be asked with."""
    with Pool():
        drafted = answer_for(Court(checked, seats, policies), question, seats is not None, policies)
        return settled_by_play(drafted, budget)


def settled_by_play(drafted: Drafted, budget: Budget) -> Answer:
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
    supposed = _drafted(Court(court.checked, court.seats, policies, supposing=True), question)
    if supposed.word == "vacuous":
        return drafted
    why = "no play comes to such a state: nothing in the book changes what the question supposes"
    return replace(supposed, reason=why, drafts=tuple(replace(draft, play=None) for draft in supposed.drafts))


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
    except GivenUp as reason:
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


class _Drafting:
    """The cases of one question."""

    def __init__(self, court: Court, asked: Asked) -> None:
        self.court = court
        self.asked = asked
        self.apart = Apart(court, asked.where, asked.atoms, asked.names, asked.single_facts)

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
        return is_possible(self.court, term, outcome.answer)

    def _draft(self, outcome: Outcome, way: Way) -> Draft:
        region = both(self.asked.where, outcome.term, way.term)
        found = self.court.possible(("where", region), in_play=False)
        because, always = self._because(outcome, region)
        against = self._against(outcome, region, always)
        facts: tuple[str, ...] = ()
        shown: Shown = "unconfirmed"
        if isinstance(found, Case):
            facts = facts_of(self.court, self.asked, found, region)
            if found.state is not None and self.asked.confirms(found, found.state, outcome):
                shown = "possible"
        example = Example(facts, shown)
        reason = ""
        if outcome.unless is not None and not always and not self._can_be(region, outcome.unless[0]):
            because, reason = (), outcome.unless[1]
        when = (self.asked.label, *way.when) if self.asked.label else way.when
        made = AnswerCase(outcome.answer, when, because, against, example, always, reason, way.whole)
        return Draft(made, outcome.sort, InPlay(self.court, self.asked, region))

    # ---- by which rules

    def _can_be(self, *terms: Flag) -> bool:
        whole = both(*terms)
        if isinstance(whole, bool):
            return whole
        facts = [fact for _, fact in self.court.space.facts([whole])]
        return self.court.solver.possible(whole, *facts) is True

    def _because(self, outcome: Outcome, region: Flag) -> tuple[tuple[Place, ...], frozenset[str]]:
        """All rules that decide, those that always do first; and the names of these."""
        found: dict[object, Place] = {}
        always: dict[object, Place] = {}
        for decider in outcome.deciders:
            key = decider.norm.key
            if key not in always and self._can_be(region, decider.decides):
                found[key] = self.court.place(decider.norm, decider.part)
                if not self._can_be(region, no(decider.decides)):
                    always[key] = found[key]
        unsaid = [place for place, when in outcome.unsaid if self._can_be(region, when)]
        places = dict.fromkeys((*always.values(), *found.values(), *unsaid))
        return tuple(places), frozenset(place.name for place in always.values())

    def _against(self, outcome: Outcome, region: Flag, always: frozenset[str]) -> tuple[GaveWay, ...]:
        """Each rule that is defeated, by one that always decides where there is such a one."""
        found: dict[object, GaveWay] = {}
        for loser in outcome.losers:
            key = loser.applying.norm.key
            if key in found or not self._can_be(region, loser.applying.when):
                continue
            for rival, stands in sorted(loser.rivals, key=lambda rival: rival[0].norm.name not in always):
                with self.court.encoder.apart():
                    grounds = list(self.court.encoder.grounds(rival, loser.applying))
                for ground, decides in grounds:
                    if key not in found and self._can_be(region, loser.applying.when, stands, decides):
                        cites = () if ground.rule is None else cited(m.Clauses(cites=ground.rule.cites))
                        place = self.court.place(loser.applying.norm, loser.part)
                        found[key] = GaveWay(place, rival.norm.name, ground.words, cites, ground.assumed)
        return tuple(found.values())
