"""Looking on while the machine plays, and noting each fact with the shortest play to it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from rules import model as m
from rules.machine import Chance, Choice, Legal, Machine, Node, Open, Over
from rules.machine.base import Broken, Happening
from rules.machine.norms import Applied, Decision, Defeat, Gap, RuleNorm, Undetermined
from rules.machine.observer import Observer, Use
from rules.machine.state import Frame, State
from rules.machine.why import deciding_state
from solver.play.facts import Evidence, Fact, FactKind
from solver.play.key import Key, Keys
from solver.play.packing import Packed, Packing
from solver.play.plays import Trail
from solver.play.situations import MODAL, Situations, sort_of_norm

_KIND_OF_USE: dict[Use, FactKind] = {
    "waits": "applied",
    "fires": "fired",
    "takes over": "took over",
    "case": "applied",
    "outcome": "applied",
    "limit": "limited",
}


class Seen(Exception):  # noqa: N818
    """Play has come to a state from which it has gone on before."""

    def __init__(self, key: Key) -> None:
        super().__init__()
        self.key = key


class GoesRound(Exception):  # noqa: N818
    """Play has come back to a state without any decision."""


class Aside(Observer):
    """Looks on while something is asked that is no part of the play: only what is weighed is of interest."""

    def __init__(self, situations: Situations) -> None:
        self._situations = situations

    def weighs(self, norm: RuleNorm, state: State) -> None:
        sort = sort_of_norm(norm.name, norm.body)
        if sort is not None:
            self._situations.weigh(sort, state)

    def asks(self, state: State) -> None:
        self._situations.weigh(MODAL, state)

    def judged(self, found: Sequence[Legal], state: State) -> None:  # noqa: ARG002
        self._situations.weigh(MODAL, state)


class Watcher(Observer):
    """`begin` before each run, `arrive` after it. `steps` is called wherever an event has changed the state.

    `work` grows with what the machine does: budgets are measured in it, so that they mean the same on every machine.
    """

    def __init__(
        self,
        machine: Machine,
        packing: Packing,
        steps: Callable[[State], None] | None = None,
        situations: Situations | None = None,
    ) -> None:
        self.machine = machine
        self.packing = packing
        self._aside = None if situations is None else Aside(situations)
        self.by = ""
        self.work = 0
        self.trail = Trail()
        self.known: dict[Key, int] | None = None  # where states lead that somebody was asked in; None: not of interest
        self.keys: Keys | None = None
        self.asked: list[Key] = []
        self._steps = steps
        self._uses = 0
        self._state: State | None = None
        self._found: dict[tuple[FactKind, Hashable], Evidence] = {}
        self._least: dict[tuple[FactKind, Hashable], int] = {}  # the length of the shortest play to each
        self._idle = {
            norm.order: norm for norms in machine.modals.values() for norm in norms
        }  # modal norms that have not applied yet

    def facts(self) -> dict[Fact, Evidence]:
        return {Fact(kind, what): evidence for (kind, what), evidence in self._found.items()}

    @property
    def count(self) -> int:
        return len(self._found)

    def has_applied(self, norm: RuleNorm) -> bool:
        return ("applied", id(norm)) in self._least or ("limited", id(norm)) in self._least

    @contextmanager
    def watching(self) -> Iterator[None]:
        self.machine.observer = self
        try:
            yield
        finally:
            self.machine.observer = None

    @contextmanager
    def looking_away(self) -> Iterator[None]:
        """What is asked from outside is no part of the play."""
        self.machine.observer = self._aside
        try:
            yield
        finally:
            self.machine.observer = self

    def begin(self, state: State, trail: Trail) -> None:
        self._state = state
        self.trail = trail
        self.asked.clear()
        self.work += 1 + len(state.cells) // 2_000  # a state is copied before each run

    # ---- noting

    def note(self, kind: FactKind, what: Hashable, state: State) -> None:
        self._note(kind, what, what, state)

    def _note(self, kind: FactKind, mark: Hashable, what: Hashable, state: State) -> None:
        """`mark` stands for `what`, and is cheaper to look up."""
        least = self._least.get((kind, mark))
        if least is None or self.trail.length < least:
            self._least[kind, mark] = self.trail.length
            found = self._found.get((kind, what))
            if found is None or self.trail.length < found.length:
                self._found[kind, what] = Evidence(self.machine, self.trail, self.packing.pack(state), self.by)

    def _norm(self, kind: FactKind, norm: RuleNorm, state: State) -> None:
        least = self._least.get((kind, id(norm)))
        if least is None or self.trail.length < least:
            self._note(kind, id(norm), norm.key, state)

    # ---- reports of the machine

    def weighs(self, norm: RuleNorm, state: State) -> None:
        if self._aside is not None:
            self._aside.weighs(norm, state)

    def asks(self, state: State) -> None:
        if self._aside is not None:
            self._aside.asks(state)
        if state is not self._state or self.keys is None:
            return
        key = self.keys.of(state)
        if self.known is not None and key in self.known:
            raise Seen(key)
        if key in self.asked:
            raise GoesRound
        self.asked.append(key)

    def judged(self, found: Sequence[Legal], state: State) -> None:
        self.work += len(found)
        if self._aside is not None:
            self._aside.judged(found, state)
        if state.asking:
            return
        for one in found:
            for applied in one.allowing:
                self._norm("applied", applied.norm, state)
            for applied in one.owed:
                self._norm("applied", applied.norm, state)
            for applied in one.forbidding:
                self._norm("applied", applied.norm, state)
            if one.clash is None:
                for applied in one.winners:
                    self._norm("decided", applied.norm, state)
            self._defeats(one.defeats, state)
            if one.limit is not None:
                self._norm("limited", one.limit, state)
        if not any(one.legal or one.clash is not None for one in found):
            self.note("no move", tuple(f.moment for f in state.stack if f.moment is not None), state)

    def applied(self, norms: Sequence[Applied], use: Use, state: State) -> None:
        self._uses += 1
        self.work += self._uses % 2  # values are asked often, and are half the work of a statement
        if state.asking:
            return
        kind = _KIND_OF_USE[use]
        for applied in norms:
            self._norm("applied", applied.norm, state)
            if kind != "applied":
                self._norm(kind, applied.norm, state)

    def decided(self, decision: Decision, state: State) -> None:
        if state.asking:
            return
        for applied in decision.winners:
            self._norm("decided", applied.norm, state)
        self._defeats(decision.defeats, state)

    def _defeats(self, defeats: Iterable[Defeat], state: State) -> None:
        for defeat in defeats:
            loser, winner, ground = defeat.loser.norm, defeat.winner.norm, defeat.ground
            self._note(
                "defeated", (id(loser), id(winner), id(ground.rule)), (loser.key, winner.key, ground.words), state
            )

    def entered(self, frame: Frame, state: State) -> None:
        if state is self._state:
            self.note("entered", (frame.word, frame.moment), state)

    def done(self, statement: m.Statement, state: State) -> None:
        self.work += 1
        if state is not self._state:
            return
        self._note("done", id(statement), statement.span, state)
        if isinstance(statement, m.Simple):
            match statement.body:
                case m.Read(passage=passage) | m.Go(passage=passage):
                    self.note("passage", passage.text, state)
                case m.Ending(text=text):
                    self.note("ending", text, state)
                case _:
                    pass

    def found_row(self, row: m.Row, state: State) -> None:
        if not state.asking:
            self._note("row", id(row), row.span, state)

    def happened(self, happenings: Sequence[Happening], state: State) -> None:
        self.work += 1
        if state is not self._state:
            return
        for happening in happenings:
            self._note("happened", happening.key, self._event(happening), state)
        if self._steps is not None:
            self._steps(state)

    def _event(self, happening: Happening) -> tuple[str, str]:
        sort, what = happening.key
        return (sort, what) if isinstance(what, str) else (sort, self.machine.world.slots[what].symbol.name)

    def changed(self, state: State) -> None:
        if self._steps is not None and state is self._state:
            self._steps(state)

    # ---- at a node

    def arrive(self, state: State, node: Node) -> None:
        """What can be seen where something must be decided."""
        for who, result in state.outcomes.items():
            self.note("result", (who, result), state)
        match node:
            case Choice():
                self._choice(state, node)
            case Open(kind=kind, text=text, sides=sides, span=span):
                keys = tuple(tuple(norm.key for norm in side) for side in sides)
                self.note("open", (kind, text, keys, span), state)
            case Over(outcomes=outcomes):
                self.note("over", outcomes, state)
            case Chance():
                for option in options_at(self.machine, state, node).values():
                    self.note("option offered", option.span, state)

    def _choice(self, state: State, node: Choice) -> None:
        for verb in {move.data[0]: None for move in node.moves if is_action(move.data)}:
            self.note("offered", verb, state)
        for option in options_at(self.machine, state, node).values():
            self.note("option offered", option.span, state)
        asking = deciding_state(state)
        if asking.stack[-1].kind == "triggers":
            waiting: list[Applied] = asking.stack[-1].data["waiting"]
            self.note("order", tuple(sorted({applied.norm.key for applied in waiting})), state)
        self._look_for_idle(asking)

    def _look_for_idle(self, state: State) -> None:
        """Norms that apply where nothing allows what they speak of are not met by the machine: they are looked for."""
        for order in [order for order, norm in self._idle.items() if ("applied", id(norm)) in self._least]:
            del self._idle[order]
        asked = self.machine.asked(state) if self._idle else None
        if asked is None:
            return
        offered = self.machine.spoken_of(state, *asked[1:3])
        with self.looking_away():
            for norm in [norm for order, norm in self._idle.items() if order in offered]:
                try:
                    found = self.machine.applying([norm], state, *asked)
                except (Undetermined, Gap, Broken):
                    continue
                for one in found:
                    self._norm("applied", one, state)


class Lookout(Watcher):
    """Looks for one fact: `met` says whether it came about in the last run, `at` where it first did."""

    def __init__(self, machine: Machine, packing: Packing, fact: Fact) -> None:
        super().__init__(machine, packing)
        self.fact = fact
        self.met = False
        self.at: Packed | None = None
        self._idle = {order: norm for order, norm in self._idle.items() if fact == Fact("applied", norm.key)}

    def begin(self, state: State, trail: Trail) -> None:
        super().begin(state, trail)
        self.met = False
        self.at = None

    def _note(self, kind: FactKind, mark: Hashable, what: Hashable, state: State) -> None:  # noqa: ARG002
        if not self.met and kind == self.fact.kind and what == self.fact.what:
            self.met = True
            self.at = self.packing.pack(state)


def is_action(data: object) -> bool:
    """Whether the data of a move are an action with its parts."""
    return isinstance(data, tuple) and len(data) == 2 and isinstance(data[0], str) and isinstance(data[1], tuple)


def options_at(machine: Machine, state: State, node: Node) -> dict[int, m.Option]:
    """The options of a story or a decision that can be chosen here, by what the machine calls them."""
    if not isinstance(node, Choice | Chance):
        return {}
    frame = deciding_state(state).stack[-1]
    options: tuple[m.Option, ...] = ()
    if frame.pc < len(frame.block):
        statement = frame.block[frame.pc]
        options = statement.options if isinstance(statement, m.Decides) else ()
    elif frame.kind == "story":
        options = machine.passages[frame.data["passage"]].options
    moves = node.moves if isinstance(node, Choice) else tuple(move for move, _ in node.outcomes)
    return {move.data: options[move.data] for move in moves} if options else {}
