"""What changes during a game: the cells, what is going on (a stack of frames), what has happened, who has won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules import model as m
from rules.machine.world import Value
from rules.span import Span

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
    "moving",
    "secret",
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
        data = {
            k: list(v) if isinstance(v, list) else v.copy() if isinstance(v, State) else v for k, v in self.data.items()
        }
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
    # Rules that are switched off: until which event, with what variables stood for; None is for the rest of the game.
    disabled: dict[str, tuple[m.Event, dict[str, Value]] | None] = field(default_factory=dict)
    outcomes: dict[Value, str] = field(default_factory=dict)  # None: nobody wins
    over: bool = False
    answer: Any = MISSING
    asking: bool = False  # a trial, to find out whether an action is legal
    # What was ruled so far. None of these is changed in place.
    overs: frozenset[tuple[object, object]] = frozenset()  # which rule or norm goes before which
    reads: Mapping[str, str] = field(default_factory=dict)  # which reading of a rule holds
    defaults: Mapping[Span, Value] = field(default_factory=dict)  # what a value is where the book does not say
    resting: frozenset[str] = frozenset()  # rules whose duties are not asked for where they cannot be met
    short: frozenset[int] = frozenset()  # slots from which fewer are taken where there are too few
    rows: Mapping[tuple[Span, tuple[Value, ...]], int] = field(default_factory=dict)  # which row of a table counts
    ties: Mapping[Any, tuple[int, ...]] = field(default_factory=dict)  # who comes first of those who are tied
    # What `reveal` has shown: a cell, or a thing of a kind; to whom, None is everybody.
    shown: dict[tuple[str, int], frozenset[int] | None] = field(default_factory=dict)
    learned: int = 0  # how often somebody came to see what was hidden

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
            self.overs,
            self.reads,
            self.defaults,
            self.resting,
            self.short,
            self.rows,
            self.ties,
            dict(self.shown),
            self.learned,
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
