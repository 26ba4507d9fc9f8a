"""Answers to questions: by folding where that suffices, then by bounds and alternatives, then by Z3 within a budget."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import process_time

from rules.diagnostics import InternalError
from solver.cases import Cases, chosen
from solver.loosen import loosened
from solver.memory import Memory, Recalling
from solver.narrow import Box, Clash, meet
from solver.pairs import Meeting
from solver.place import Values
from solver.terms import Flag, Term, both, evaluate, every, no, variables_of
from solver.verdict import Proved, Query, Refuted, Unknown, Verdict
from solver.witness import Part, has_value, nearer, reduced
from solver.z3_session import Impossible, Model, Session

BUDGET = 4_000_000
_STEPS = 3_000  # of narrowing, about as long as Z3 takes for a question that is not easy
_FEW = 12  # where numbers are multiplied by each other, only this part of the steps: what then is open is Z3's
_NEARER_ASKS = 200


@dataclass(slots=True)
class Statistics:
    """How questions were decided, and the time that it took; `hard_seconds` is that of those which were put to Z3."""

    folded: int = 0
    bounded: int = 0
    solved: int = 0
    unknown: int = 0
    recalled: int = 0
    solver_calls: int = 0
    solver_seconds: float = 0.0
    hard_seconds: float = 0.0
    seconds: float = 0.0

    @property
    def asked(self) -> int:
        return self.folded + self.recalled + self.bounded + self.solved + self.unknown


class Solver:
    """Answers about one world. `budget` is what one call of Z3 may spend, in its own units: it does not hang on the
    speed of the machine, so the same questions get the same answers in every run. `memory` keeps answers for later."""

    def __init__(self, budget: int = BUDGET, steps: int = _STEPS, memory: Memory | None = None) -> None:
        self.statistics = Statistics()
        self._budget = budget
        self._steps = steps
        self._cases = Cases()
        self._read: dict[Term, dict[Term, None]] = {}
        self._session: Session | None = None
        self._recalling = None if memory is None else Recalling(memory, f"{budget} {steps}")

    def ask(self, query: Query, prefer: Mapping[Term, bool | int] | None = None) -> Verdict:
        """Whether the claim holds wherever all that is given holds.

        A proof names conditions none of which can be spared. A refutation has values that agree with `prefer`
        wherever, in its order, that can be had, and leaves out what does not matter.
        """
        with self._timed():
            return self._ask(query, prefer or {})

    def possible(self, *terms: Flag) -> bool | None:
        """Whether these can hold together; None where the budget did not suffice."""
        with self._timed():
            return self._possible(terms)

    def implied(self, one: Flag, other: Flag) -> bool | None:
        """Whether `other` holds wherever `one` does."""
        found = self.possible(one, no(other))
        return None if found is None else not found

    def meeting(self, ones: Sequence[Flag], others: Sequence[Flag]) -> Iterator[tuple[int, int]]:
        """The places of pairs that can meet as far as bounds and alternatives tell, the first list outermost.

        Pairs that cannot are not looked at one by one, unless more than bounds keeps them apart.
        """
        table = Meeting(others, self._cases)
        for one, condition in enumerate(ones):
            for other in table.places(condition):
                if not isinstance(self._meet((condition, others[other])), Clash):
                    yield one, other

    def reads(self, *terms: Flag) -> tuple[Term, ...]:
        """The variables that terms read; found once for each term."""
        found: dict[Term, None] = {}
        for term in terms:
            if isinstance(term, Term):
                found.update(self._reads(term))
        return tuple(found)

    def certified(self, query: Query, verdict: Proved | Refuted) -> bool | None:
        """Whether Z3, asked of nothing else, confirms a verdict; None where the budget did not suffice."""
        if isinstance(verdict, Proved):
            terms = [term for name, term in query.given if name in verdict.because] + [no(query.claim)]
        else:
            holding = every([*(term for _, term in query.given), no(query.claim)])
            terms = [*(has_value(variable, value) for variable, value in verdict.values.items()), no(holding)]
        if any(term is False for term in terms):
            return True
        with self._solving() as session:
            answer = session.satisfiable([term for term in terms if isinstance(term, Term)])
        return None if isinstance(answer, Unknown) else not answer

    def mattering(self, term: Flag, values: Values) -> Values:
        """Of values with which a condition holds, those that make it so."""
        return reduced(values, [self._part(term)], self._cases) if isinstance(term, Term) else {}

    def _possible(self, terms: Sequence[Flag]) -> bool | None:
        if all(isinstance(term, bool) for term in terms) or any(term is False for term in terms):
            self.statistics.folded += 1
            return all(terms)
        if self._recalling is None:
            return self._tried(terms)
        before = self._recalling.recalled
        found = self._recalling.possible(terms, lambda: self._tried(terms))
        self.statistics.recalled += self._recalling.recalled - before
        return found

    def _tried(self, terms: Sequence[Flag]) -> bool | None:
        found = self._meet(terms)
        if found is not None:
            self.statistics.bounded += 1
            return isinstance(found, Box)
        asked = [term for term in terms if isinstance(term, Term)]
        with self._solving() as session:
            answer = session.satisfiable(asked)
        if isinstance(answer, Unknown) and self._never(asked):
            answer = False
        if isinstance(answer, Unknown):
            self.statistics.unknown += 1
            return None
        self.statistics.solved += 1
        return answer

    def _never(self, terms: Sequence[Term]) -> bool:
        """Whether these are seen not to hold together wherever long sums could come to anything."""
        loose = loosened(terms)
        if loose is None:
            return False
        return False in loose or self._excluded([term for term in loose if isinstance(term, Term)])

    def _ask(self, query: Query, prefer: Values) -> Verdict:
        given = _by_name(query.given)
        known = _folded(query.claim, given)
        if known is not None:
            self.statistics.folded += 1
            if isinstance(known, Proved) and isinstance(query.claim, Term) and self._always(query.claim):
                return Proved(())
            return known
        if self._recalling is None:
            return self._worked_out(query.claim, given, prefer)
        before = self._recalling.recalled
        terms = [term for _, term in given] + [no(query.claim)]
        verdict = self._recalling.verdict(
            query.claim,
            given,
            prefer,
            self.reads(*terms),
            lambda: self._worked_out(query.claim, given, prefer),
            lambda values: self._holds(terms, values, prefer),
        )
        self.statistics.recalled += self._recalling.recalled - before
        return verdict

    def _holds(self, terms: Sequence[Flag], values: Values, prefer: Values) -> bool:
        """Whether terms hold with these values; what is left out does not matter."""
        whole = {variable: chosen(variable, None, prefer) for variable in self.reads(*terms)} | dict(values)
        return all(evaluate(term, whole) for term in terms)

    def _worked_out(self, claim: Flag, given: Sequence[tuple[Hashable, Flag]], prefer: Values) -> Verdict:
        names = [name for name, term in given if isinstance(term, Term)]
        terms = [term for _, term in given if isinstance(term, Term)]
        if isinstance(claim, Term):
            terms.append(no(claim))  # type: ignore[arg-type]
        found = self._meet(terms, prefer)
        if isinstance(found, Box):
            self.statistics.bounded += 1
            return self._refuted(terms, self._values_in(found, terms, prefer), prefer)
        if isinstance(found, Clash):
            self.statistics.bounded += 1
            places = [place for place in range(len(terms)) if found.cases >> place & 1 or place == len(names)]
            return Proved(tuple(names[place] for place in self._thinned(places, terms, len(names))))
        with self._solving() as session:
            answer = session.solve(terms, len(names))
        if isinstance(answer, Unknown) and self._never(terms):
            answer = Impossible(tuple(range(len(names))))
        if isinstance(answer, Unknown):
            self.statistics.unknown += 1
            return answer
        self.statistics.solved += 1
        if isinstance(answer, Impossible):
            return Proved(tuple(names[place] for place in answer.places))
        return self._refuted(terms, answer.values, prefer)

    def _always(self, claim: Term) -> bool:
        """Whether a claim is seen to hold whatever is given."""
        return self._excluded([no(claim)])  # type: ignore[list-item]

    def _excluded(self, terms: Sequence[Term]) -> bool:
        """Whether these are seen not to hold together."""
        found = self._meet(terms)
        if found is not None:
            return isinstance(found, Clash)
        with self._solving() as session:
            return session.satisfiable(terms) is False

    def _thinned(self, places: list[int], terms: Sequence[Term], names: int) -> list[int]:
        """Those places of named conditions without any of which the rest could hold together."""
        kept = places
        for place in reversed(places):
            if place >= names:
                continue
            fewer = [other for other in kept if other != place]
            if self._excluded([terms[other] for other in fewer]):
                kept = fewer
        return [place for place in kept if place < names]

    def _refuted(self, terms: Sequence[Term], values: Values, prefer: Values) -> Refuted:
        parts = [self._part(term) for term in terms]
        found = nearer(values, parts, prefer, _NEARER_ASKS, lambda more: self._values([*terms, *more], prefer))
        if not all(evaluate(term, found) for term in terms):
            raise InternalError("a counterexample does not satisfy the conditions that it was found for")
        return Refuted(reduced(found, parts, self._cases))

    def _values(self, terms: Sequence[Flag], prefer: Values) -> Values | None:
        """Values with which all of these hold, or None where there are none or none were found."""
        if any(term is False for term in terms):
            return None
        asked = [term for term in terms if isinstance(term, Term)]
        found = self._meet(asked, prefer)
        if isinstance(found, Box):
            return self._values_in(found, asked, prefer)
        if isinstance(found, Clash):
            return None
        with self._solving() as session:
            answer = session.solve(asked, 0)
        return answer.values if isinstance(answer, Model) else None

    def _values_in(self, box: Box, terms: Sequence[Term], prefer: Values) -> Values:
        """A state of the box: as preferred where the box allows it, else the least value."""
        found: dict[Term, bool | int] = {}
        for term in terms:
            for variable in self._reads(term):
                if variable not in found:
                    found[variable] = chosen(variable, box.bits.get(variable), prefer)
        return found

    def _part(self, term: Term) -> Part:
        case = self._cases.of(term)
        if case is None:
            raise InternalError("a condition that cannot hold has a counterexample")
        return Part(term, case, self._reads(term))

    def _reads(self, term: Term) -> Mapping[Term, None]:
        if term not in self._read:
            self._read[term] = dict.fromkeys(variables_of(term))
        return self._read[term]

    def _meet(self, terms: Sequence[Flag], prefer: Values | None = None) -> Box | Clash | None:
        cases = [self._cases.of(term) for term in terms]
        steps = self._steps
        if any(not relation.linear for case in cases if case is not None for relation in case.relations):
            steps //= _FEW
        return meet(cases, steps, prefer)

    @contextmanager
    def _timed(self) -> Iterator[None]:
        start, calls = process_time(), self.statistics.solver_calls
        yield
        spent = process_time() - start
        self.statistics.seconds += spent
        if self.statistics.solver_calls > calls:
            self.statistics.hard_seconds += spent

    @contextmanager
    def _solving(self) -> Iterator[Session]:
        start = process_time()
        if self._session is None:
            self._session = Session(self._budget)
        yield self._session
        self.statistics.solver_calls += 1
        self.statistics.solver_seconds += process_time() - start


def _by_name(given: tuple[tuple[Hashable, Flag], ...]) -> tuple[tuple[Hashable, Flag], ...]:
    """Conditions under one name are one condition."""
    if len({name for name, _ in given}) == len(given):
        return given
    found: dict[Hashable, Flag] = {}
    for name, term in given:
        found[name] = both(found.get(name, True), term)
    return tuple(found.items())


def _folded(claim: Flag, given: Sequence[tuple[Hashable, Flag]]) -> Verdict | None:
    if claim is True:
        return Proved(())
    for name, term in given:
        if term is False or term is claim:
            return Proved((name,))
    if claim is False and all(term is True for _, term in given):
        return Refuted({})
    return None
