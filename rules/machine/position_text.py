"""The other way round: a state to the text of a state file that gives the same state again: `position_text`.

What is kept: all cells, the rules that are switched off, the players who have lost, the running moment, and the actions
since it began. What is not: what happened earlier, events that are no actions, and how far play has come inside the
moment.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.placing import Placing, Wanted
from rules.machine.policies import in_force
from rules.machine.run import Machine
from rules.machine.state import Frame, State
from rules.machine.way import Stop
from rules.machine.world import Cells, Value
from rules.position import NO_DEFAULTS
from rules.symbols import VariableSymbol
from rules.types import PileT, Type

_WIDEST = 100  # a longer list goes on in the next line


def position_text(machine: Machine, title: str, policies: tuple[str, ...], state: State) -> str:
    """Everything in which a state differs from the start of a game, as a state file says it."""
    return _Writing(machine, state).text(title, policies)


class _Writing:
    def __init__(self, machine: Machine, state: State) -> None:
        self.machine = machine
        self.state = state
        self.placing = Placing(machine)

    def text(self, title: str, policies: tuple[str, ...]) -> str:
        moments, wanted = self._standing()
        quoted = title.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        lines = [f'position "{quoted}"', *self._players(), *self._policies(policies)]
        for slot in self.machine.world.slots.values():
            for address, args in enumerate(product(*slot.domains), slot.base):
                if address in wanted.cells:
                    lines.append(self._holds(slot, args, wanted.cells[address]))
        lines += [f"disabled {name}" for name in wanted.disabled]
        lines += [f"lost {self._player(player)}" for player in wanted.lost]
        lines += [f"happened {self.machine.show_move(event.key[1], event.args)}" for event in wanted.happened]
        if moments:
            lines.append(f"during {', '.join(moments)}")
        return "\n".join(lines) + "\n"

    def _policies(self, policies: tuple[str, ...]) -> list[str]:
        """The default policies are in force without a line."""
        book = self.machine.checked.book
        usual = {policy.name.text for policy in book.defaults()}
        named = tuple(name for name in policies if name not in usual)
        if in_force(book, named) != policies:
            named = (NO_DEFAULTS, *policies)
        return [f"policy {name}" for name in named]

    def _players(self) -> list[str]:
        players = self.machine.checked.players
        seats = self.machine.world.seats
        return [] if players is None or seats == self.machine.checked.kinds[players].least else [f"players {seats}"]

    def _player(self, player: Value) -> str:
        assert self.machine.checked.players is not None
        return self.machine.world.things[self.machine.checked.players][player]

    def _holds(self, slot: Cells, args: tuple[Value, ...], value: Value) -> str:
        show = self.machine.world.show
        shown = [show(arg, type_) for arg, type_ in zip(args, slot.symbol.params, strict=True)]
        of = "" if not shown else f" of {shown[0]}" if len(shown) == 1 else f" of ({', '.join(shown)})"
        line = f"{slot.symbol.name}{of} is {show(value, slot.symbol.type)}"
        if len(line) <= _WIDEST or not isinstance(slot.symbol.type, PileT):
            return line
        names = [self.machine.world.things[slot.symbol.type.kind][thing] for thing in value]
        return f"{slot.symbol.name}{of} is [\n{_wrapped(names)}\n]"

    # ---- where play stands

    def _standing(self) -> tuple[list[str], Wanted]:
        """The innermost moment that a state file can name, with as many of those around it as are needed."""
        running = [
            (f"{frame.moment}{self._whose(frame, place)}", Stop(frame.moment, frame.of), frame.since)
            for place, frame in enumerate(self.state.stack)
            if frame.moment is not None and frame.moment != "game" and frame.word != "action"
        ]
        stops = [stop for _, stop, _ in running]
        for count in range(len(running), 0, -1):
            for first in range(count - 1, -1, -1):
                wanted = self._wanted(tuple(stops[first:count]), running[count - 1][2])
                found = self._settled(wanted)
                if found is not None and _running(found[1], count) == stops[:count]:
                    return [shown for shown, _, _ in running[first:count]], found[0]
        wanted = self._wanted((), running[-1][2] if running else 0)
        found = self._settled(wanted)
        return [], found[0] if found is not None else wanted

    def _wanted(self, stops: tuple[Stop, ...], since: int) -> Wanted:
        start = self.placing.start.cells
        cells = {place: value for place, value in enumerate(self.state.cells) if value != start[place]}
        lost = tuple(player for player, result in self.state.outcomes.items() if result == "loses")
        happened = tuple(event for event in self.state.log[since:] if event.key[0] == "phrase")
        return Wanted(cells, self.state.disabled, lost, happened, stops)

    def _settled(self, wanted: Wanted) -> tuple[Wanted, State] | None:
        """What is wanted, and besides it whatever the way to the decision would change; and the state there."""
        while True:
            try:
                found = self.placing.arrive(wanted)
            except (Undetermined, Gap, Broken):
                return None
            if isinstance(found, str):
                return None
            changed = {
                place: value
                for place, value in enumerate(self.state.cells)
                if value != found[0].cells[place] and place not in wanted.cells
            }
            if not changed:
                return wanted, found[0]
            wanted = replace(wanted, cells={**wanted.cells, **changed})

    def _whose(self, frame: Frame, place: int) -> str:
        if frame.of is None:
            return ""
        type_: Type | None = None
        if frame.word == "turn":
            around = self.state.stack[place - 1].data["node"]
            assert isinstance(around, m.Turns)
            symbol = self.machine.variables[around.variable.text]
            assert isinstance(symbol, VariableSymbol)
            type_ = symbol.type
        else:
            verb = self.machine.verbs.get(frame.moment or "")
            if verb is not None:
                type_ = next(t for p, t in zip(verb.params, verb.types, strict=True) if p.label == "by")
        return f" of {self.machine.world.show(frame.of, type_)}" if type_ is not None else ""


def _running(state: State, count: int) -> list[Stop]:
    """The outermost moments that run, so many of them."""
    return [Stop(frame.moment, frame.of) for frame in state.stack if frame.moment not in (None, "game")][:count]


def _wrapped(names: list[str]) -> str:
    lines = [""]
    for name in names:
        if len(lines[-1]) + len(name) > _WIDEST - 8:
            lines.append("")
        lines[-1] += f" {name}," if lines[-1] else f"    {name},"
    return "\n".join(lines).removesuffix(",")
