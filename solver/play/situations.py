"""What play passed through, each situation once: cells, running moments, results, rules that are switched off or ruled
upon. Left out is what happened before, and what is still to be carried out.

A condition that asks for nothing else is asked of situations, however often play comes through them; and one that is
put to a book after it was explored can still be answered.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from rules import model as m
from rules.machine import Machine
from rules.machine.state import Frame, State
from rules.machine.world import Value
from rules.symbols import RankSymbol, RelationSymbol, SlotSymbol, TableSymbol, ValueSymbol
from rules.walk import nodes_of
from solver.play.plays import Trail
from solver.play.slicing import changing_cells, slot_range

MODAL = "may"
Cells = tuple[Value, ...]
Running = tuple[str, str, Value]  # a moment: its name, its word, whose it is
# The cells that can change; running moments, results, whether it is over, what is switched off; what was ruled.
Situation = tuple[Cells, tuple[Running, ...], tuple[tuple[Value, str], ...], bool, tuple[str, ...], tuple[Any, ...]]
Met = tuple[Trail, str, int]  # the shortest play to it, what found that, and when


class Situations:
    """`met` has every situation of play with the shortest play to it. `weighed` has the cells of all states in which
    conditions of norms were looked at, those of trials too: of all that allow, demand or forbid together, of all that
    end the game together, of each rule with triggers by itself, for they are looked at only where their event happens.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.met: dict[Situation, Met] = {}
        self.weighed: dict[str, set[Cells]] = {}
        self._start = machine.start().cells
        self.places = changing_cells(machine)
        self._cells: Callable[[list[Value]], Cells] = (
            itemgetter(*self.places) if len(self.places) > 1 else lambda cells: tuple(cells[p] for p in self.places)
        )
        self._count = 0

    def note(self, state: State, trail: Trail, by: str) -> bool:
        """Whether play was never there before."""
        ruled: tuple[Any, ...] = ()
        if state.overs or state.reads or state.defaults or state.resting or state.short or state.rows or state.ties:
            ruled = (
                state.overs,
                _frozen(state.reads),
                _frozen(state.defaults),
                state.resting,
                state.short,
                _frozen(state.rows),
                _frozen(state.ties),
            )
        found: Situation = (
            self._cells(state.cells),
            tuple([(f.moment, f.word, f.of) for f in state.stack if f.moment is not None]),
            tuple(sorted(state.outcomes.items(), key=repr)) if state.outcomes else (),
            state.over,
            tuple(sorted(state.disabled)) if state.disabled else (),
            ruled,
        )
        return self.keep(found, trail, by)

    def keep(self, found: Situation, trail: Trail, by: str) -> bool:
        met = self.met.get(found)
        if met is None or trail.length < met[0].length:
            self._count += 1
            self.met[found] = (trail, by, self._count)
        return met is None

    def weigh(self, sort: str, state: State) -> None:
        self.weighed.setdefault(sort, set()).add(self._cells(state.cells))

    def state_of(self, situation: Situation) -> State:
        """A state in which everything that a situation tells is as it says; nothing else is to be asked of it."""
        cells, running, outcomes, over, disabled, ruled = situation
        state = self.state_with(cells)
        state.stack = [Frame("moment", moment=name, word=word, of=of) for name, word, of in running]
        state.outcomes = dict(outcomes)
        state.over = over
        state.disabled = dict.fromkeys(disabled)
        if ruled:
            state.overs, reads, defaults, state.resting, state.short, rows, ties = ruled
            state.reads, state.defaults, state.rows, state.ties = dict(reads), dict(defaults), dict(rows), dict(ties)
        return state

    def seen_by(self, reads: Reads) -> Iterator[tuple[Situation, Met]]:
        """Of all situations in which what is read is the same, the one that play came to first by the fewest decisions;
        they are given in that order."""
        cells = None if reads.slots is None else self._places_of(reads.slots)
        found: dict[Hashable, tuple[Situation, Met]] = {}
        for situation, met in self.met.items():
            seen = (
                situation[0] if cells is None else tuple([situation[0][place] for place in cells]),
                situation[1] if reads.moments else None,
                situation[2:4] if reads.moments else None,
                situation[4:],
            )
            best = found.get(seen)
            if best is None or (met[0].length, met[2]) < (best[1][0].length, best[1][2]):
                found[seen] = (situation, met)
        yield from sorted(found.values(), key=lambda one: (one[1][0].length, one[1][2]))

    def _places_of(self, slots: frozenset[str]) -> list[int]:
        kept = {p for s in self.machine.world.slots.values() if s.symbol.name in slots for p in slot_range(s)}
        return [number for number, place in enumerate(self.places) if place in kept]

    def state_with(self, cells: Cells) -> State:
        found = list(self._start)
        for place, value in zip(self.places, cells, strict=True):
            found[place] = value
        return State(found)


def sort_of_norm(name: str, body: object) -> str | None:
    """As what a norm of a rule is weighed; None for values, tables and limits."""
    match body:
        case m.ModalNorm():
            return MODAL
        case m.OutcomeNorm():
            return "ends"
        case m.EventNorm():
            return f"when {name}"
        case _:
            return None


def _frozen(found: Any) -> Hashable:
    return frozenset(found.items())


@dataclass(frozen=True, slots=True)
class Reads:
    """What an expression can ask for: `slots` by name, None for all; whether `moments` and results, and what is in the
    `past`, which no situation tells."""

    slots: frozenset[str] | None
    moments: bool
    past: bool


def reads_of(machine: Machine, expr: m.Expr) -> Reads:
    slots: set[str] | None = set()
    moments = past = False
    for node in read_by(machine, expr):
        symbol = machine.checked.symbols.get(id(node))
        if isinstance(symbol, SlotSymbol) and slots is not None:
            slots.add(symbol.name)
        past = past or isinstance(node, m.Happened | m.TimesHappened)
        moments = moments or isinstance(node, m.During | m.Outcome)
        if isinstance(node, m.Norm):  # which of several norms goes before can hang on the age of things
            slots = None
    return Reads(None if slots is None else frozenset(slots), moments, past)


def read_by(machine: Machine, expr: m.Expr) -> Iterator[object]:
    """The nodes of an expression, and those of all that it names: values with the rules about them, tables, ranks,
    lines of sight; and of the rules that can switch such a rule off."""
    book = machine.checked.book
    waiting: list[object] = [expr]
    seen: set[int] = set()
    while waiting:
        for node in nodes_of(waiting.pop()):
            yield node
            symbol = machine.checked.symbols.get(id(node))
            if not isinstance(symbol, ValueSymbol | TableSymbol | RankSymbol | RelationSymbol) or id(symbol) in seen:
                continue
            seen.add(id(symbol))
            for declaration in book.declarations:
                match declaration:
                    case m.Value() | m.Table() | m.Rank() | m.Sight() if declaration.name.text == symbol.name:
                        waiting.append(declaration)
                    case m.Rule() if isinstance(symbol, ValueSymbol):
                        waiting += [n for n in declaration.all_norms() if _is_about(machine, n, symbol)]
                    case m.Policy() if isinstance(symbol, ValueSymbol):
                        waiting += [
                            norm
                            for line in declaration.lines
                            if isinstance(line, m.Rule)
                            for norm in line.all_norms()
                            if _is_about(machine, norm, symbol)
                        ]


def _is_about(machine: Machine, norm: m.Norm, symbol: ValueSymbol) -> bool:
    if isinstance(norm.body, m.IgnoreNorm):
        return isinstance(norm.body.what, m.Name)
    return isinstance(norm.body, m.ValueNorm) and machine.checked.symbol_of(norm.body.target) is symbol
