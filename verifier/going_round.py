"""What repeats where rules go round without end: looked at in the machine, step by step, from a state inside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rules.machine import Legal, Machine
from rules.machine.norms import Applied, RuleNorm
from rules.machine.observer import Observer, Use
from rules.machine.state import Frame, State
from rules.span import Span
from solver.play import Evidence
from verifier.court import Court

_LOOKED_AT = 600  # steps


@dataclass(slots=True)
class Round:
    """`moment` is the innermost moment that stays while the rest repeats, `span` the statement that repeats it.

    `asked` are those moments in which somebody was asked and had no legal move, `fired` the triggers, each once.
    """

    evidence: Evidence
    moment: str = "play"
    span: Span | None = None
    asked: bool = False
    verbs: dict[str, None] = field(default_factory=dict)
    fired: dict[int, RuleNorm] = field(default_factory=dict)
    entered: dict[str, None] = field(default_factory=dict)


class _Looking(Observer):
    def __init__(self, found: Round, state: State) -> None:
        self.found = found
        self.state = state

    def judged(self, found: Sequence[Legal], state: State) -> None:
        if state is self.state and not any(one.legal for one in found):
            self.found.asked = True
            self.found.verbs |= dict.fromkeys(one.verb for one in found)

    def asks(self, state: State) -> None:
        if state is self.state:
            self.found.asked = True

    def applied(self, norms: Sequence[Applied], use: Use, state: State) -> None:
        if state is self.state and use == "fires":
            for one in norms:
                self.found.fired.setdefault(one.norm.order, one.norm)

    def entered(self, frame: Frame, state: State) -> None:
        if state is self.state and frame.moment is not None:
            self.found.entered[frame.moment] = None


@lru_cache(maxsize=4)
def rounds(court: Court) -> tuple[Round, ...]:
    """All that play came to, each once, the nearest first."""
    found: dict[object, Round] = {}
    evidence = [
        (fact.what[1], one)
        for fact, one in court.exploration.facts.items()
        if fact.kind == "open" and fact.what[0] == "stuck" and not _is_passage(one)
    ]
    for _, one in sorted(evidence, key=lambda pair: (pair[1].length, pair[0])):
        round_ = _looked(court.machine, one)
        found.setdefault((round_.moment, round_.asked, tuple(sorted(round_.fired))), round_)
    return tuple(found.values())


def stuck_passages(court: Court) -> dict[str, Evidence]:
    """Passages from which nothing leads on, by name."""
    found: dict[str, Evidence] = {}
    for fact, one in court.exploration.facts.items():
        if fact.kind == "open" and fact.what[0] == "stuck" and _is_passage(one):
            name = one.state.stack[-1].data["passage"]
            if name not in found or one.length < found[name].length:
                found[name] = one
    return found


def _is_passage(evidence: Evidence) -> bool:
    """Whether it is a story that does not go on."""
    stack = evidence.state.stack
    return bool(stack) and stack[-1].kind == "story"


def _looked(machine: Machine, evidence: Evidence) -> Round:
    state = evidence.state
    found = Round(evidence)
    open_ = machine.going_round(state)
    found.span = open_.span
    found.moment = _innermost(machine, state)
    trial = evidence.state
    machine.observer = _Looking(found, trial)
    try:
        for _ in range(_LOOKED_AT):
            if trial.over or not trial.stack or machine._step(trial) is not None:
                break
    finally:
        machine.observer = None
    return found


def _innermost(machine: Machine, state: State) -> str:
    """The moment that stays below all that comes and goes."""
    trial = state.copy()
    lowest = len(trial.stack)
    for _ in range(_LOOKED_AT):
        if trial.over or not trial.stack or machine._step(trial) is not None:
            break
        lowest = min(lowest, len(trial.stack))
    named = [frame.moment for frame in state.stack[:lowest] if frame.moment not in (None, "game", "turn")]
    return str(named[-1]) if named else "play"
