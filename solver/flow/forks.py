"""Ways through what is not known: where a condition can go either way, first the one way is gone, later the other.

A way is a list of answers. It is gone from the beginning each time: whoever asks `decide` gets the answers that were
noted so far, and after them the first that is possible; what else was possible there waits to be gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from rules.diagnostics import InternalError
from solver.terms import Flag, Number, Term, equal, every, no

Result = TypeVar("Result")
Answer = tuple[Term, bool, bool]  # what was asked, what was answered, whether there was no other answer

MOST_ASKED = 600  # on one way
MOST_WAYS = 256  # of something that is looked at by itself


class Excluded(Exception):  # noqa: N818
    """This way cannot be gone."""


class TooMany(Exception):  # noqa: N818
    """There are more ways than are worth going."""


@dataclass(slots=True)
class Way:
    """`noted` are the answers to begin with; `conditions` are what was decided where it could have gone otherwise."""

    noted: tuple[Answer, ...] = ()
    above: Way | None = None
    answers: list[Answer] = field(default_factory=list)
    conditions: list[Flag] = field(default_factory=list)
    known: dict[Term, bool] = field(default_factory=dict)
    others: list[tuple[Answer, ...]] = field(default_factory=list)

    @property
    def condition(self) -> Flag:
        return every(self.conditions)

    @property
    def whole_condition(self) -> Flag:
        return every(self.all_conditions())

    def all_conditions(self) -> list[Flag]:
        return [*(self.above.all_conditions() if self.above is not None else ()), *self.conditions]

    def look_up(self, term: Term) -> bool | None:
        found = self.known.get(term)
        return self.above.look_up(term) if found is None and self.above is not None else found

    def note(self, term: Term, value: bool) -> None:
        self.known[term] = value
        if term.op == ("and" if value else "or"):
            for part in term.args:
                self.note(part, value)
        elif term.op == "not":
            self.note(term.args[0], not value)


class Forks:
    """`possible` says whether conditions can hold together; where it does not know, it says yes."""

    def __init__(self, possible: Callable[[list[Flag]], bool]) -> None:
        self._possible = possible
        self.way = Way()
        self.asked = 0  # questions to whoever says what is possible

    def ways(self, go: Callable[[], Result], most: int = MOST_WAYS) -> Iterator[tuple[Way, Result]]:
        """All ways of doing something, each with what comes of it; inside another way, only those possible there."""
        above = self.way
        waiting: list[tuple[Answer, ...]] = [()]
        count = 0
        while waiting:
            count += 1
            if count > most:
                raise TooMany
            way = Way(waiting.pop(), above)
            self.way = way
            try:
                result = go()
            except Excluded:
                continue
            finally:
                self.way = above
                waiting += reversed(way.others)
            yield way, result

    def whole(self, go: Callable[[], Result], most: int = MOST_WAYS) -> list[tuple[Flag, Result]]:
        """What comes of something, each with its condition, without deciding here which of them it is."""
        return [(way.condition, result) for way, result in self.ways(go, most)]

    @contextmanager
    def inside(self, way: Way) -> Iterator[None]:
        """Goes on where a way has ended."""
        above, self.way = self.way, way
        try:
            yield
        finally:
            self.way = above

    # ---- asking

    def decide(self, flag: Flag) -> bool:
        if isinstance(flag, bool):
            return flag
        way = self.way
        found = way.look_up(flag)
        if found is not None:
            return found
        place = len(way.answers)
        if place < len(way.noted):
            answer = way.noted[place]
            if answer[0] is not flag:
                raise InternalError("the same way led elsewhere")
        else:
            answer = self._first(way, flag)
        way.answers.append(answer)
        value = answer[1]
        way.note(flag, value)
        if not answer[2]:
            way.conditions.append(flag if value else no(flag))
        return value

    def _first(self, way: Way, flag: Term) -> Answer:
        """The first answer that is possible; the other waits."""
        if len(way.answers) > MOST_ASKED:
            raise TooMany
        given = way.all_conditions()
        self.asked += 1
        if not self._possible([*given, flag]):
            return (flag, False, True)
        self.asked += 1
        if not self._possible([*given, no(flag)]):
            return (flag, True, True)
        way.others.append((*way.answers, (flag, False, False)))
        return (flag, True, False)

    def assume(self, flag: Flag) -> None:
        """Goes on only where this holds."""
        way = self.way
        if isinstance(flag, bool):
            if not flag:
                raise Excluded
            return
        found = way.look_up(flag)
        if found is None:
            self.asked += 1
            if not self._possible([*way.all_conditions(), flag]):
                raise Excluded
            way.note(flag, True)
            way.conditions.append(flag)
        elif not found:
            raise Excluded

    def value(self, term: Number) -> int:
        """A plain number: each that it can be on a way of its own."""
        if isinstance(term, int):
            return term
        for value in range(term.low, term.high):
            if self.decide(equal(term, value)):
                return value
        return term.high
