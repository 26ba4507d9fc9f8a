"""The judge: a checked book in, a `Judgement` out.

All checks say first what they suspect; then play is explored once for all of them; then each suspicion is settled by
what play has shown, and the checks that judge by what play did not show have their word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine.norms import all_norms
from solver.memory import Memory
from solver.play import Budget, Goal, Progress
from verifier.checks import CHECKS
from verifier.court import Court
from verifier.explored import Shelf
from verifier.finding import Finding
from verifier.judgement import Assumption, CheckRun, ClaimVerdict, Decided, Explored, Judgement, Recalled
from verifier.suspicion import Ask, Check, Looked, Rests, Suspicion, Watch, evidence_of, settle


def judge(
    checked: CheckedRulebook,
    seats: int | None = None,
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
    """
    court = Court(checked, seats, policies, budget, memory=memory, shelf=shelf)
    return _Hearing(court, checks, progress, stop).judged()


class _Hearing:
    def __init__(
        self,
        court: Court,
        checks: tuple[Check, ...],
        progress: Callable[[Progress], None] | None,
        stop: Callable[[], bool] | None,
    ) -> None:
        self.court = court
        self.checks = checks
        self.progress = progress
        self.stop = stop or (lambda: False)
        self.looked = [Looked() for _ in checks]
        self.seconds = [0.0 for _ in checks]
        self.suspicions: list[list[tuple[str, Suspicion]]] = [[] for _ in checks]
        self.findings: list[list[Finding]] = [[] for _ in checks]
        self.watches: dict[str, Watch] = {}
        self.claims: list[ClaimVerdict] = []
        self.decided: list[Decided] = []
        self.rests: Counter[str] = Counter()
        self.engines: Counter[str] = Counter()
        self.left_open: list[Finding] = []
        self.interrupted = False

    def judged(self) -> Judgement:
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
        goals |= {name: watch.goal for name, watch in self.watches.items()}
        self.court.explore(goals, self.progress, self.stop)
        self._prepare_proofs()
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
        return self._judgement()

    def _prepare_proofs(self) -> None:
        """What play has not shown is put to the prover, where not every state was seen."""
        exploration = self.court.exploration
        if exploration.complete or not self.court.machine.play or self._is_stopped():
            return
        conditions = {
            name: watch.condition for name, watch in self.watches.items() if name not in exploration.reached
        } | {
            name: suspicion.condition
            for row in self.suspicions
            for name, suspicion in row
            if evidence_of(suspicion, name, exploration) is None
        }
        self.court.watch({name: flag for name, flag in conditions.items() if flag is not None})

    def _is_stopped(self) -> bool:
        self.interrupted = self.interrupted or self.stop()
        return self.interrupted

    def _tell(self, stage: str, done: int) -> None:
        if self.progress is not None:
            self.progress(Progress(stage, done, len(self.checks)))

    def _hear(self, place: int, ask: Ask | None) -> None:
        if ask is None:
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
                case ClaimVerdict():
                    self.claims.append(remark)
                    if remark.verdict != "open":
                        self.engines[remark.by] += 1
                case Finding(code="LX926" | "LX927"):  # counted with its verdict
                    self.findings[place].append(remark)
                case Finding():
                    self.findings[place].append(remark)
                    self.engines[remark.shown_by] += 1
                case Decided():
                    self.decided.append(remark)
                case Rests(words=words):
                    self.rests[words] += 1
        self.seconds[place] += perf_counter() - began

    def _judgement(self) -> Judgement:
        ran = tuple(
            CheckRun(check.name, check.family, looked.things, len(findings), None, seconds)
            for check, looked, findings, seconds in zip(
                self.checks, self.looked, self.findings, self.seconds, strict=True
            )
        )
        book = self.court.checked.book
        return Judgement(
            findings=tuple(finding for row in self.findings for finding in row),
            ran=ran,
            rules=len({norm.name for norm in all_norms(book, {}, ())}),
            not_encoded=tuple((rule, span, reason) for (rule, span), reason in self.court.not_encoded.items()),
            unseen=self._unseen(),
            interrupted=self.interrupted,
            engines=tuple(sorted(self.engines.items())),
            left_open=tuple(self.left_open),
            explored=self._how_much(),
            assumptions=self._assumptions(),
            decided=tuple(dict.fromkeys(self.decided)),
            recalled=self._recalled(),
            claims=tuple(self.claims),
        )

    def _recalled(self) -> Recalled | None:
        asked = self.court.solver.statistics
        return Recalled(asked.recalled, asked.asked - asked.folded) if self.court.memory is not None else None

    def _how_much(self) -> tuple[Explored, ...]:
        if not self.court.machine.play:
            return ()
        seen = self.court.exploration
        return (Explored(self.court.seats, seen.states, seen.plays, seen.left_out),)

    def _unseen(self) -> tuple[str, ...]:
        shown = {
            fact.what[0]
            for fact in self.court.exploration.facts
            if fact.kind in ("applied", "decided", "fired", "took over", "limited")
        }
        names = dict.fromkeys(norm.name for norm in self.court.machine.norms)
        return tuple(name for name in names if name not in shown)

    def _assumptions(self) -> tuple[Assumption, ...]:
        return tuple(
            Assumption(words, rule.span, self.rests[words])
            for declaration in self.court.checked.book.declarations
            if isinstance(declaration, m.Precedence)
            for rule in declaration.rules
            if rule.assumed and (words := self.court.machine.precedence.words_of(rule))
        )
