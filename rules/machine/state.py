"""What changes during a game: the cells, what is going on (a stack of frames), what has happened, who has won."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from rules import model as m
from rules.machine.world import Value

FrameKind = Literal[
    "block",
    "moment",
    "each",
    "turns",
    "repeat",
    "takes",
    "window",
    "event",
    "triggers",
    "draw",
    "counters",
    "shuffle",
    "story",
]


@dataclass(slots=True)
class Frame:
    """Something that is going on. `moment` is its name where rules can speak of it; `of` is whose it is.

    `data` is used by the kinds that need more; lists and dicts in it belong to this frame alone and are copied with it.
    """

    kind: FrameKind
    block: m.Block = ()
    pc: int = 0
    env: dict[str, Value] = field(default_factory=dict)
    moment: str | None = None
    of: Value = None
    word: str = ""  # phase, step, turn, action, procedure, window
    since: int = 0  # how much had happened when it began
    stage: int = 0
    deferred: list[tuple[m.Block, dict[str, Value]]] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> Frame:
        data = {k: list(v) if isinstance(v, list) else v for k, v in self.data.items()}
        return Frame(
            self.kind,
            self.block,
            self.pc,
            dict(self.env),
            self.moment,
            self.of,
            self.word,
            self.since,
            self.stage,
            list(self.deferred),
            data,
        )


class _Missing:
    pass


MISSING = _Missing()


@dataclass(slots=True)
class State:
    cells: list[Value]
    stack: list[Frame] = field(default_factory=list)
    log: list[Any] = field(default_factory=list)
    disabled: dict[str, m.Event | None] = field(default_factory=dict)
    outcomes: dict[Value, str] = field(default_factory=dict)  # None: nobody wins
    over: bool = False
    answer: Any = MISSING
    asking: bool = False  # a trial, to find out whether an action is legal

    def copy(self) -> State:
        return State(
            list(self.cells),
            [frame.copy() for frame in self.stack],
            list(self.log),
            dict(self.disabled),
            dict(self.outcomes),
            self.over,
            self.answer,
            self.asking,
        )

    def take_answer(self) -> Any:
        answer, self.answer = self.answer, MISSING
        return answer

    def find(self, moment: str, of: Value = None) -> int | None:
        """Where in the stack the innermost running moment of that name stands."""
        for place in range(len(self.stack) - 1, -1, -1):
            frame = self.stack[place]
            if (
                frame.moment is not None
                and moment in (frame.moment, f"this {frame.word}")
                and (of is None or frame.of == of)
            ):
                return place
        return None

    def running(self, moment: str, of: Value = None) -> bool:
        if moment == "game":
            return not self.over
        return self.find(moment, of) is not None

    def has_outcome(self, player: Value, result: str) -> bool:
        if isinstance(player, frozenset):
            return all(self.outcomes.get(one) == result for one in player)
        return self.outcomes.get(player) == result
