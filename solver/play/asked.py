"""What can still be asked of the log: which events, since when, and what about them.

An expression or a frequency names the moment since which it counts, and a pattern. Of an event only the parts that the
pattern looks at matter, in any order; and where it is only asked whether something happened, once is as good as twice.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, assert_never

from rules import model as m
from rules.machine import Machine
from rules.machine.base import Happening
from rules.machine.state import Frame, State
from rules.walk import nodes_of

Facts = tuple[str, ...]  # attributes of a happening


@dataclass(frozen=True, slots=True)
class Asker:
    """Counts events of a sort since a moment began. `args` and `facts` are what it looks at; `most` is where it stops
    counting; `word` is the only one that it counts, `change` says that what stayed the same does not count."""

    key: tuple[Any, ...]
    moment: str
    args: tuple[int, ...]
    facts: Facts = ()
    word: str | None = None
    change: bool = False
    most: int | None = None

    def sees(self, happening: Happening) -> Hashable:
        """What of an event matters to it; None where the event does not count."""
        if happening.key != self.key or (self.word is not None and happening.word != self.word):
            return None
        if self.change and happening.old == happening.new:
            return None
        args = happening.args
        parts = [args[place] for place in self.args if place < len(args)]
        return (*parts, *(getattr(happening, fact) for fact in self.facts))

    def counted(self, happenings: Iterable[Happening]) -> frozenset[tuple[Hashable, int]]:
        found: dict[Hashable, int] = {}
        for happening in happenings:
            seen = self.sees(happening)
            if seen is not None:
                found[seen] = found.get(seen, 0) + 1
        if self.most is not None:
            return frozenset((seen, min(number, self.most)) for seen, number in found.items())
        return frozenset(found.items())


def askers_of(machine: Machine, nodes: Iterable[object]) -> tuple[Asker, ...]:
    """Those in parts of the book; of several that look at the same, the one that counts furthest."""
    found: dict[tuple[object, ...], Asker] = {}
    for node in nodes_of(tuple(nodes)):
        for asker in _askers(machine, node):
            same = (asker.key, asker.moment, asker.args, asker.facts, asker.word, asker.change)
            other = found.get(same)
            if other is None or (other.most is not None and (asker.most is None or asker.most > other.most)):
                found[same] = asker
    return tuple(found.values())


def _askers(machine: Machine, node: object) -> Iterator[Asker]:
    match node:
        case m.TimesHappened(event=event, moment=moment):
            yield _asker(machine, event, moment.text, None)
        case m.Happened(event=event, moment=moment):
            yield _asker(machine, event, moment.text, 1)
        case m.ModalNorm(phrases=phrases, frequency=m.Frequency() as frequency):
            for phrase in phrases:
                labels = [param.label for param in machine.verbs[phrase.verb.text].params]
                apart = {labels.index("by")} | {
                    labels.index(arg.label)
                    for arg in phrase.args
                    if any(name.text in machine.needs(arg.value) for name in frequency.each)
                }
                key = ("phrase", phrase.verb.text)
                yield Asker(key, frequency.moment.text, tuple(sorted(apart)), most=frequency.count)
        case _:
            pass


def _asker(machine: Machine, event: m.Event, moment: str, most: int | None) -> Asker:
    key = machine.key_of(event)
    match event:
        case m.PhraseEvent(phrase=phrase):
            labels = [param.label for param in machine.verbs[phrase.verb.text].params]
            args = tuple(sorted(labels.index(arg.label) for arg in phrase.args))
            return Asker(key, moment, args, most=most)
        case m.ChangeEvent(subject=subject, change=change, amount=amount):
            args = tuple(range(len(subject.args)))
            if change in ("changes", "becomes"):
                facts: Facts = () if amount is None else ("new",)
                return Asker(key, moment, args, facts, change=True, most=most)
            return Asker(key, moment, args, () if amount is None else ("amount",), change, True, most)
        case m.MomentEvent(moment=began, edge=edge):
            return Asker(key, moment, tuple(range(len(began.args))), word=edge, most=most)
        case m.RunsOutEvent(pile=pile):
            return Asker(key, moment, tuple(range(len(pile.args))), most=most)
        case m.TransferEvent(direction=direction, where=where):
            return Asker(key, moment, tuple(range(len(where.args))), ("new",), direction, most=most)
        case _:
            assert_never(event)


def asked_of(askers: tuple[Asker, ...], state: State) -> tuple[Hashable, ...]:
    """All that askers can count now, or once inner moments have ended: for each running moment that one names."""
    found: list[Hashable] = []
    for asker in askers:
        if asker.moment == "game":
            found.append(asker.counted(state.log))
            continue
        for frame in state.stack:
            if is_moment(frame, asker.moment):
                found.append(asker.counted(state.log[frame.since :]))
    return tuple(found)


def is_moment(frame: Frame, moment: str) -> bool:
    return frame.moment is not None and moment in (frame.moment, f"this {frame.word}")
