"""The judge: a checked book in, a `Judgement` out.

With each number of players all checks say first what they suspect, and play is explored once for all of them; then
each suspicion is settled by what play has shown, and the checks that judge by what play did not show have their word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine.norms import all_norms
from solver.memory import Memory
from solver.play import Budget, Goal, Progress
from solver.terms import Pool
from verifier.checks import CHECKS
from verifier.court import Court
from verifier.explored import Shelf
from verifier.finding import Finding
from verifier.judgement import (
    Assumption,
    CheckRun,
    ClaimVerdict,
    Decided,
    Explored,
    Judgement,
    Players,
    Recalled,
    Wanted,
)
from verifier.numbers import Heard, Key, brief_of, key_of, merged, players_for, ruled
from verifier.suspicion import Ask, Check, Looked, Rests, Ruled, Suspicion, Watch, evidence_of, settle


def judge(
    checked: CheckedRulebook,
    players: Wanted = None,
    policies: tuple[str, ...] = (),
    checks: tuple[Check, ...] = CHECKS,
    budget: Budget | None = None,
    progress: Callable[[Progress], None] | None = None,
    stop: Callable[[], bool] | None = None,
    memory: Memory | None = None,
    shelf: Shelf | None = None,
) -> Judgement:
    """`stop` is asked now and then: where it says yes, what is known so far is given, and the judgement says so.

    `memory` has the verdicts of earlier checks, `shelf` what play has shown then; both are given those of this one.
    Raises `ValueError` for a number of players that the book is not for.
    """
    with Pool():
        numbers = players_for(checked, players)
        bench: dict[int, Court] = {}
        hearings: list[_Hearing] = []
        for seats in numbers.judged or (None,):
            brief = seats in numbers.brief
            court = Court(checked, seats, policies, budget, memory=memory, shelf=shelf, bench=bench, brief=brief)
            hearings.append(_Hearing(court, checks, progress, stop, first=not hearings))
        for hearing in hearings:
            hearing.suspect()
        closely = frozenset(key for one in hearings if not one.court.brief for key in one.suspected())
        for hearing in hearings:
            hearing.conclude(closely)
        return _judgement(hearings, numbers)


class _Hearing:
    """One number of players; what speaks for all of them is heard `first`."""

    def __init__(
        self,
        court: Court,
        checks: tuple[Check, ...],
        progress: Callable[[Progress], None] | None,
        stop: Callable[[], bool] | None,
        first: bool = True,
    ) -> None:
        self.court = court
        self.checks = checks
        self.budget = brief_of(court.budget) if court.brief else court.budget or Budget()
        self.progress = progress
        self.stop = stop or (lambda: False)
        self.heard = [first or not (check.for_all or (check.costly and court.brief)) for check in checks]
        self.looked = [Looked() for _ in checks]
        self.seconds = [0.0 for _ in checks]
        self.suspicions: list[list[tuple[str, Suspicion]]] = [[] for _ in checks]
        self.findings: list[list[Finding]] = [[] for _ in checks]
        self.watches: dict[str, Watch] = {}
        self.ruled: list[list[Ruled]] = [[] for _ in checks]
        self.decided: list[Decided] = []
        self.rests: Counter[str] = Counter()
        self.engines: Counter[str] = Counter()
        self.left_open: list[Finding] = []
        self.interrupted = False

    def suspect(self) -> None:
        """What the checks suspect, and what play shows of it."""
        for place, check in enumerate(self.checks):
            if self._is_stopped():
                break
            self._tell("checks", place)
            self._hear(place, check.suspect)
        goals: dict[str, Goal] = {
            name: replace(suspicion.goal, lasting=f"{suspicion.finding.code} {suspicion.finding.message}")
            for row in self.suspicions
            for name, suspicion in row
            if suspicion.goal is not None
        }
        goals |= {name: watch.goal for name, watch in self.watches.items() if watch.goal is not None}
        self.court.explore(goals, self.budget, self.progress, self.stop)

    def conclude(self, closely: frozenset[Key]) -> None:
        """What becomes of it. What was looked at `closely` with other numbers of players is not put to proofs here,
        where it is looked at briefly."""
        self._prepare_proofs(closely if self.court.brief else None)
        for place, check in enumerate(self.checks):
            for name, suspicion in self.suspicions[place]:
                found = settle(suspicion, name, self.court)
                if found.by is None:
                    assert found.finding is not None
                    self.left_open.append(found.finding)
                    continue
                if found.finding is not None:
                    self.findings[place].append(found.finding)
                self.engines[found.by] += 1
            if not self._is_stopped():
                self._hear(place, check.conclude)

    def _prepare_proofs(self, closely: frozenset[Key] | None) -> None:
        """What play has not shown is put to the prover, where not every state was seen."""
        exploration = self.court.exploration
        if exploration.complete or not self.court.machine.play or self._is_stopped():
            return
        conditions = {
            name: watch.condition
            for name, watch in self.watches.items()
            if name not in exploration.reached and closely is None
        } | {
            name: suspicion.condition
            for row in self.suspicions
            for name, suspicion in row
            if evidence_of(suspicion, name, exploration) is None
            and not (closely and key_of(suspicion.finding) in closely)
        }
        self.court.watch({name: flag for name, flag in conditions.items() if flag is not None})

    def _is_stopped(self) -> bool:
        self.interrupted = self.interrupted or self.stop()
        return self.interrupted

    def _tell(self, stage: str, done: int) -> None:
        if self.progress is not None:
            self.progress(Progress(stage, done, len(self.checks)))

    def _hear(self, place: int, ask: Ask | None) -> None:
        if ask is None or not self.heard[place]:
            return
        began = perf_counter()
        for remark in ask(self.court, self.looked[place]):
            if self._is_stopped():
                break
            match remark:
                case Suspicion():
                    name = f"{self.checks[place].name} {len(self.suspicions[place])}"
                    self.suspicions[place].append((name, remark))
                case Watch():
                    self.watches[remark.name] = remark
                case Ruled(verdict=verdict):
                    self.ruled[place].append(remark)
                    if verdict.verdict != "open":
                        self.engines[verdict.by] += 1
                case Finding():
                    self.findings[place].append(remark)
                    self.engines[remark.shown_by] += 1
                case Decided():
                    self.decided.append(remark)
                case Rests(words=words):
                    self.rests[words] += 1
        self.seconds[place] += perf_counter() - began

    def recalled(self) -> Recalled | None:
        asked = self.court.solver.statistics
        if self.court.memory is None:
            return None
        explorations = self.court.explorations
        play = explorations is not None and explorations.recalled > 0
        return Recalled(asked.recalled, asked.asked - asked.folded, play=play)

    def how_much(self) -> Explored | None:
        if not self.court.machine.play:
            return None
        seen = self.court.exploration
        return Explored(self.court.seats, seen.states, seen.plays, seen.left_out)

    def unseen(self) -> tuple[str, ...]:
        shown = {
            fact.what[0]
            for fact in self.court.exploration.facts
            if fact.kind in ("applied", "decided", "fired", "took over", "limited")
        }
        names = dict.fromkeys(norm.name for norm in self.court.machine.norms)
        return tuple(name for name in names if self.court.machine.restated.names(name).isdisjoint(shown))

    def suspected(self) -> frozenset[Key]:
        return frozenset(key_of(suspicion.finding) for row in self.suspicions for _, suspicion in row)

    def of_check(self, place: int) -> Heard:
        return Heard(self.court.seats, self.court.brief, tuple(self.findings[place]), self.suspected())


# ---- one judgement of all


def _judgement(hearings: Sequence[_Hearing], numbers: Players) -> Judgement:
    first = hearings[0]
    rows: list[tuple[Finding, ...]] = []
    claims: list[ClaimVerdict] = []
    for place in range(len(first.checks)):
        verdicts, of_claims = ruled([(h.court.seats, h.court.brief, one) for h in hearings for one in h.ruled[place]])
        claims += verdicts
        rows.append((*merged([h.of_check(place) for h in hearings if h.heard[place]]), *of_claims))
    findings = tuple(finding for row in rows for finding in row)
    silent = [set(one.unseen()) for one in hearings]
    return Judgement(
        findings=findings,
        ran=tuple(_run(hearings, place, len(row)) for place, row in enumerate(rows)),
        rules=len({norm.name for norm in all_norms(first.court.checked.book, {}, ())}),
        not_encoded=tuple(
            (rule, span, reason)
            for (rule, span), reason in {
                key: reason for one in reversed(hearings) for key, reason in one.court.not_encoded.items()
            }.items()
        ),
        unseen=tuple(name for name in first.unseen() if all(name in names for names in silent)),
        interrupted=any(one.interrupted for one in hearings),
        engines=tuple(sorted(sum((one.engines for one in hearings), Counter()).items())),
        assumptions=_assumptions(hearings),
        decided=tuple(dict.fromkeys(pair for one in hearings for pair in one.decided)),
        recalled=_recalled(hearings),
        claims=tuple(claims),
        left_open=tuple(_left_open(hearings, findings)),
        explored=tuple(much for one in hearings if (much := one.how_much()) is not None),
        players=numbers,
    )


def _left_open(hearings: Sequence[_Hearing], findings: Sequence[Finding]) -> Iterator[Finding]:
    """What is left open with some number of players, and shown with none. What a close look settled with fewer is not
    left open for want of looking."""
    told = {key_of(finding) for finding in findings}
    closely = {key for one in hearings if not one.court.brief for key in one.suspected()}
    for one in hearings:
        for finding in one.left_open:
            key = key_of(finding)
            if key not in told and not (one.court.brief and key in closely):
                told.add(key)
                yield replace(finding, players=(one.court.seats,)) if one.court.brief else finding


def _run(hearings: Sequence[_Hearing], place: int, found: int) -> CheckRun:
    check = hearings[0].checks[place]
    things = max(one.looked[place].things for one in hearings)
    return CheckRun(check.name, check.family, things, found, None, sum(one.seconds[place] for one in hearings))


def _recalled(hearings: Sequence[_Hearing]) -> Recalled | None:
    found = [recalled for one in hearings if (recalled := one.recalled()) is not None]
    if not found:
        return None
    play = all(one.play for one in found)
    return Recalled(sum(one.answered for one in found), sum(one.asked for one in found), play=play)


def _assumptions(hearings: Sequence[_Hearing]) -> tuple[Assumption, ...]:
    court = hearings[0].court
    return tuple(
        Assumption(words, rule.span, max(one.rests[words] for one in hearings))
        for declaration in court.checked.book.declarations
        if isinstance(declaration, m.Precedence)
        for rule in declaration.rules
        if rule.assumed and (words := court.machine.precedence.words_of(rule))
    )
