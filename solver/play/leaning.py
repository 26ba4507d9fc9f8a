"""Random plays that lean towards rules which no play has brought to apply yet.

A rule speaks of actions and asks for cells to hold something; actions change those cells, and need others for that. The
nearer an action is to a rule in this way, the more it is preferred; who has nothing of the sort to do would rather
stop. One play leans towards many rules at once, because in a large book they have little to do with each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import RuleNorm
from rules.span import Span
from rules.symbols import RankSymbol, SlotSymbol, TableSymbol, ValueSymbol
from rules.types import PileT
from rules.walk import nodes_of
from solver.encode.writes import Mark, Writes
from solver.play.goals import Goal
from solver.play.walking import Walker
from solver.play.wandering import Wandering

PATIENCE = 12  # plays that bring nothing about that was leant towards
_FARTHEST = 4  # steps from a rule to an action that helps it

Levels = Mapping[str, int]  # actions, with how far they are from what is wanted


class Leaning:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._declared = {
            declaration.name.span: declaration
            for declaration in machine.checked.book.declarations
            if isinstance(declaration, m.Value | m.Table | m.Rank)
        }
        self._makers: dict[Mark, list[str]] = {}
        self._near: dict[int, tuple[str, ...]] = {}
        self._far: dict[int, tuple[str, ...]] = {}
        self._helping: dict[str, tuple[str, ...]] = {}
        writes = Writes(machine)
        for verb in machine.actions:
            for mark in writes.of_call(verb):
                self._makers.setdefault(mark, []).append(verb)

    def towards(self, norms: Iterable[RuleNorm]) -> Levels:
        """The actions that help to bring rules about, each with the least number of steps from one of them."""
        found: dict[str, int] = {}
        near: dict[str, None] = {}
        far: dict[str, None] = {}
        for norm in norms:
            if norm.order not in self._near:
                self._near[norm.order] = tuple(self._spoken_of(norm))
                self._far[norm.order] = tuple(self._makers_of(norm.conditions))
            near |= dict.fromkeys(self._near[norm.order])
            far |= dict.fromkeys(self._far[norm.order])
        for level in range(_FARTHEST + 1):
            new = [verb for verb in near if verb not in found]
            found |= dict.fromkeys(new, level)
            near, far = {**far, **dict.fromkeys(helper for verb in new for helper in self._helpers(verb))}, {}
        return found

    def _spoken_of(self, norm: RuleNorm) -> Iterator[str]:
        """The actions that a rule is about, or by which its event comes about."""
        body = norm.body
        if isinstance(body, m.ModalNorm):
            yield from (phrase.verb.text for phrase in body.phrases)
        elif isinstance(body, m.EventNorm | m.IgnoreNorm):
            event = body.event if isinstance(body, m.EventNorm) else body.what
            if isinstance(event, m.PhraseEvent):
                yield event.phrase.verb.text
            yield from self._makers_of(event)

    def _helpers(self, verb: str) -> tuple[str, ...]:
        """Actions that change what decides whether an action is legal."""
        if verb not in self._helping:
            parts: list[object] = [norm.conditions for norm in self.machine.modals.get(verb, ())]
            parts += [part for part in nodes_of(self.machine.actions.get(verb, ())) if isinstance(part, m.Pay)]
            self._helping[verb] = tuple(dict.fromkeys(maker for part in parts for maker in self._makers_of(part)))
        return self._helping[verb]

    def _makers_of(self, part: object) -> Iterator[str]:
        """The actions that change what a part of the book reads, also by the values, tables and ranks that it names."""
        seen: set[Span] = set()
        waiting: list[object] = [part]
        while waiting:
            for node in nodes_of(waiting.pop()):
                symbol = self.machine.checked.symbols.get(id(node))
                if isinstance(symbol, SlotSymbol):
                    pile = symbol.type if isinstance(symbol.type, PileT) else None
                    mark: Mark = ("slot", id(symbol)) if pile is None else ("piles", pile.kind)
                    yield from self._makers.get(mark, ())
                elif isinstance(symbol, ValueSymbol | TableSymbol | RankSymbol) and symbol.span not in seen:
                    seen.add(symbol.span)
                    if symbol.span in self._declared:
                        waiting.append(self._declared[symbol.span])


def lean(walker: Walker, wandering: Wandering, goals: Mapping[str, Goal], work: int) -> None:
    """Plays on until all is brought about that is wanted, so much work is done, or nothing of it comes about any more.

    Wanted are the rules that were not seen to apply, and goals that name the rules by which they are reached. Every
    other play leans towards half of it only: rules can be in each other's way. Raises `Stopped`.
    """
    leaning = Leaning(walker.machine)
    watcher = walker.watcher
    watcher.by = "random"
    limit = watcher.work + work
    draw = random.Random(0)

    def wanted() -> list[tuple[RuleNorm, ...]]:
        rules = [(norm,) for norm in walker.machine.norms if not watcher.has_applied(norm)]
        return rules + [goal.rules for name, goal in goals.items() if goal.rules and name not in walker.reached]

    left, quiet = wanted(), 0
    while left and watcher.work <= limit and quiet <= PATIENCE:
        some = left if wandering.plays % 2 else [one for one in left if draw.random() < 0.5]
        wandering.play(limit, levels=leaning.towards(norm for norms in some for norm in norms))
        before, left = left, wanted()
        quiet = quiet + 1 if len(left) == len(before) else 0
