"""An exploration as plain data, to be read again when the book is checked again; and what it rests on.

What play does rests on some declarations of the book and on nothing else: not on questions, claims, scenarios, notes,
outlines, nor on where in its document a rule stands. Plays are kept by what was decided in words: whoever wants a state
lets play go there again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from hashlib import blake2b
from typing import Any, cast

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine import Machine
from rules.machine.state import State
from rules.span import Span
from solver.play.asked import Asker
from solver.play.explore import Budget, Exploration, answer_goals, keys_for, passing
from solver.play.facts import Evidence, Fact
from solver.play.goals import Goal
from solver.play.graph import Graph
from solver.play.key import Keys
from solver.play.plays import Decision, Play, Trail, decide, decisions_at
from solver.play.situations import Situation, Situations
from solver.play.slicing import slice_of
from solver.play.walking import Walker
from solver.play.watcher import Lookout

Stored = Any  # what JSON can hold
_EVIDENCE = (m.Question, m.Claim, m.Scenario, m.Note, m.Documents, m.Outline, m.Import, m.Game)
_CONDITIONS = ("conditions", "condition")


class NotKept(Exception):  # noqa: N818
    """Something has no plain form, or what is kept does not fit."""


# ---- what play rests on ---------------------------------------------------------------------------------------------


def play_parts(book: m.Rulebook, policies: tuple[str, ...]) -> tuple[m.Declaration, ...]:
    """The declarations that say what play does, in their order."""
    return tuple(
        d
        for d in book.declarations
        if not isinstance(d, _EVIDENCE)
        and not (isinstance(d, m.Policy) and d.sort == "policy" and d.name.text not in policies)
    )


def digest_of(part: object) -> str:
    """Of all that a part of the book says but where it says it; of a citation, only which document it is in counts."""
    found = blake2b(digest_size=12)
    for piece in _pieces(part):
        found.update(piece.encode("utf-8", "surrogatepass"))
        found.update(b"\0")
    return found.hexdigest()


def _pieces(part: object) -> Iterator[str]:
    if isinstance(part, tuple):
        yield f"({len(part)}"
        for item in part:
            yield from _pieces(item)
    elif isinstance(part, m.Citation):
        yield f"cites {part.document.text}"
    elif is_dataclass(part) and not isinstance(part, type):
        yield type(part).__name__
        for field in fields(part):
            if field.compare:
                yield from _pieces(getattr(part, field.name))
    else:
        yield repr(part)


def walk_of(machine: Machine, goals: Mapping[str, Goal], budget: Budget) -> str | None:
    """What else a walk through the states of play hangs on; None where a goal does not say what it asks."""
    walked = [goal for goal in goals.values() if goal.of_situations is None]
    if not all(goal.lasting for goal in walked):
        return None
    found, keys = keys_for(machine, goals)
    askers = sorted(repr(_asker(machine, asker)) for asker in keys.askers)
    asked = [(goal.lasting, goal.at) for goal in goals.values() if goal.of_situations is None or goal.rules]
    return repr((budget, machine.world.seats, found.kept, found.dropped, askers, asked))


def _asker(machine: Machine, asker: Asker) -> tuple[object, ...]:
    sort, what = asker.key
    name = what if isinstance(what, str) else machine.world.slots[what].symbol.name
    return (sort, name, asker.moment, asker.args, asker.facts, asker.word, asker.change, asker.most)


# ---- places in the book ---------------------------------------------------------------------------------------------


def _nodes(part: object) -> Iterator[object]:
    """The nodes of a declaration, but for those of conditions."""
    if isinstance(part, tuple):
        for item in part:
            yield from _nodes(item)
    elif is_dataclass(part) and not isinstance(part, type | Span):
        yield part
        for field in fields(part):
            if field.name not in _CONDITIONS:
                yield from _nodes(getattr(part, field.name))


def _spans(parts: Sequence[m.Declaration | None]) -> Iterator[tuple[Span, tuple[int, int]]]:
    for number, part in enumerate(parts):
        for place, node in enumerate(_nodes(part)):
            span = getattr(node, "span", None)
            if isinstance(span, Span):
                yield span, (number, place)


# ---- plain data -----------------------------------------------------------------------------------------------------


class _Writing:
    def __init__(self, parts: Sequence[m.Declaration]) -> None:
        self.places: dict[Span, tuple[int, int]] = {}
        for span, place in _spans(parts):
            self.places.setdefault(span, place)
        self.before: list[int] = [-1]
        self.decided: list[int] = [0]
        self.decisions: dict[tuple[str, int | None, str], int] = {}
        self._trails: dict[int, int] = {}
        self._again: dict[int, int] = {}  # numbers of now, by those of then
        self._held: list[Trail] = []  # so that none is another's after it is gone

    def value(self, value: Any) -> Stored:
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, Span):
            if value not in self.places:
                raise NotKept
            return {"at": self.places[value]}
        if isinstance(value, tuple):
            return [self.value(item) for item in value]
        if isinstance(value, frozenset):
            return {"set": [self.value(item) for item in sorted(value, key=repr)]}
        raise NotKept

    def trail(self, trail: Trail) -> int:
        """Its number; the start is 0."""
        if isinstance(trail, _KeptTrail):
            return self._kept(trail)
        way: list[Trail] = []
        at: Trail | None = trail
        while at is not None and at.decision is not None and id(at) not in self._trails:
            way.append(at)
            at = at.before
        number = 0 if at is None or at.decision is None else self._trails[id(at)]
        for one in reversed(way):
            decision = one.decision
            assert decision is not None
            number = self._trails[id(one)] = self._add(number, (decision.by, decision.who, decision.text))
            self._held.append(one)
        return number

    def _kept(self, trail: _KeptTrail) -> int:
        """That of a play that was kept before."""
        reading, at = trail.reading, trail.number
        way: list[int] = []
        while at and at not in self._again:
            way.append(at)
            at = reading.before[at]
        number = self._again[at] if at else 0
        for one in reversed(way):
            number = self._again[one] = self._add(number, reading.decisions[reading.decided[one]])
        return number

    def _add(self, before: int, decision: tuple[str, int | None, str]) -> int:
        self.before.append(before)
        self.decided.append(self.decisions.setdefault(decision, len(self.decisions)))
        return len(self.before) - 1

    def evidence(self, evidence: Evidence) -> Stored:
        return [self.trail(evidence.trail), evidence.by]


def recorded(found: Exploration, goals: Mapping[str, Goal], parts: Sequence[m.Declaration]) -> Stored:
    """Raises `NotKept` where something in it has no plain form."""
    writing = _Writing(parts)
    facts = [[f.kind, writing.value(f.what), *writing.evidence(e)] for f, e in found.facts.items()]
    walked = [name for name, goal in goals.items() if goal.of_situations is None]
    answers = [
        {str(place): writing.evidence(into[name]) for place, name in enumerate(walked) if name in into}
        for into in (found.reached, found.unanswered)
    ]
    told = {
        goal.lasting: [
            writing.evidence(into[name]) if name in into else None for into in (found.reached, found.unanswered)
        ]
        for name, goal in goals.items()
        if goal.of_situations is not None
    }
    return {
        "complete": found.complete,
        "left out": list(found.left_out),
        "counts": [found.states, found.transitions, found.work, found.plays],
        "dropped": list(found.dropped),
        "facts": facts,
        "answers": answers,
        "told": told,
        "sought": list(found.sought),
        "graph": None if found.graph is None else _graph(writing, found.graph, walked),
        "situations": _situations(writing, found.situations),
        "trails": [writing.before, writing.decided],
        "decisions": [list(key) for key in writing.decisions],
    }


def _graph(writing: _Writing, graph: Graph, walked: Sequence[str]) -> Stored:
    return [
        list(graph.sorts),
        list(graph.who),
        [[[writing.value(who), result] for who, result in results.items()] for results in graph.results],
        [list(after) for after in graph.after],
        {str(walked.index(name)): sorted(numbers) for name, numbers in graph.goals.items()},
        [writing.trail(trail) for trail in graph.trails],
    ]


def _situations(writing: _Writing, found: Situations | None) -> str | None:
    """A text of its own, for it is large and most checks do not ask for it."""
    if found is None:
        return None
    cells: dict[Hashable, int] = {}
    rests: dict[Hashable, int] = {}
    numbers: list[int] = []
    finders: dict[str, int] = {}
    for situation, (trail, by, _) in sorted(found.met.items(), key=lambda one: one[1][2]):
        numbers += (
            cells.setdefault(situation[0], len(cells)),
            rests.setdefault((*situation[1:5], _ruled(found.machine, situation[5])), len(rests)),
            writing.trail(trail),
            finders.setdefault(by, len(finders)),
        )
    weighed = {
        sort: sorted(cells.setdefault(one, len(cells)) for one in weighed) for sort, weighed in found.weighed.items()
    }
    told = (writing.value(tuple(cells)), writing.value(tuple(rests)), numbers, list(finders), weighed)
    return json.dumps(told, separators=(",", ":"))


def words_of(play: Play) -> Stored:
    """A play by what was decided in words."""
    return [[one.by, one.who, one.text] for one in play.decisions]


def play_of(machine: Machine, words: Iterable[Sequence[Any]]) -> Play:
    """Raises `NotKept` where a decision does not fit."""
    state = machine.start()
    before = state.copy()
    node = machine.run(state)
    made: list[Decision] = []
    for by, who, text in words:
        fitting = [d for d in decisions_at(node) if (d.by, d.who, d.text) == (by, who, text)]
        if not fitting:
            raise NotKept
        made.append(fitting[0])
        if by == "ruling":
            state = before
        decide(machine, state, fitting[0])
        before = state.copy()
        node = machine.run(state)
    return Play(machine.world.seats, tuple(made))


def _ruled(machine: Machine, ruled: tuple[Any, ...]) -> tuple[Any, ...]:
    """What was ruled, with slots by their names."""
    if not ruled:
        return ()
    overs, reads, defaults, resting, short, *rest = ruled
    return (overs, reads, defaults, resting, frozenset(machine.world.slots[s].symbol.name for s in short), *rest)


def _ruled_again(machine: Machine, ruled: tuple[Any, ...]) -> tuple[Any, ...]:
    if not ruled:
        return ()
    overs, reads, defaults, resting, short, *rest = ruled
    slots = frozenset(key for key, slot in machine.world.slots.items() if slot.symbol.name in short)
    return (overs, reads, defaults, resting, slots, *rest)


class _KeptTrail(Trail):
    """A play that is known by what was decided in words."""

    __slots__ = ("number", "reading")

    def __init__(self, reading: _Reading, number: int) -> None:
        super().__init__()
        self.reading = reading
        self.number = number
        self.length = reading.length(number)

    def play(self, machine: Machine) -> Play:
        """Raises `InternalError` where a decision does not fit."""
        try:
            return play_of(machine, self.reading.way(self.number))
        except NotKept as error:
            raise InternalError("a play that was kept does not fit") from error


class _Reading:
    def __init__(self, machine: Machine, stored: Stored, parts: Sequence[m.Declaration | None]) -> None:
        self.machine = machine
        self.places = {place: span for span, place in _spans(parts)}
        self.before, self.decided = stored["trails"]
        self.decisions: list[tuple[str, int | None, str]] = [(by, who, text) for by, who, text in stored["decisions"]]
        self.lengths = [0] * len(self.before)
        for number in range(1, len(self.before)):
            self.lengths[number] = self.lengths[self.before[number]] + 1

    def length(self, number: int) -> int:
        return self.lengths[number]

    def way(self, number: int) -> list[tuple[str, int | None, str]]:
        found = []
        while number:
            found.append(self.decisions[self.decided[number]])
            number = self.before[number]
        return found[::-1]

    def trail(self, number: int) -> Trail:
        return _KeptTrail(self, number)

    def value(self, stored: Stored) -> Any:
        match stored:
            case list():
                return tuple([self.value(item) for item in stored])
            case {"at": [int() as number, int() as place]}:
                return self.places[number, place]
            case {"set": list() as items}:
                return frozenset(self.value(item) for item in items)
            case _:
                return stored

    def evidence(self, stored: Stored, later: Callable[[Trail], State]) -> Evidence:
        number, by = stored
        trail = self.trail(number)
        return Evidence(self.machine, trail, partial(later, trail), str(by))


def knows(stored: Stored, goals: Mapping[str, Goal]) -> bool:
    """Whether what is kept has the answer to every goal that is asked of situations."""
    return all(goal.of_situations is None or goal.lasting in stored["told"] for goal in goals.values())


def recalled(
    machine: Machine, goals: Mapping[str, Goal], stored: Stored, parts: Sequence[m.Declaration | None], whole: bool
) -> Exploration:
    """The exploration of a book whose play does the same; `parts` are those that it rests on, in the order of then.

    Situations are read where it is wanted `whole`, to be kept anew, and where a goal must be asked of them. Raises
    `NotKept` where what is kept does not suffice.
    """
    try:
        return _recalled(machine, goals, stored, parts, whole or not knows(stored, goals))
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NotKept from error


def _recalled(
    machine: Machine, goals: Mapping[str, Goal], stored: Stored, parts: Sequence[m.Declaration | None], whole: bool
) -> Exploration:
    reading = _Reading(machine, stored, parts)
    facts: dict[Fact, Evidence] = {}
    for kind, what, number, by in stored["facts"]:
        fact = Fact(kind, reading.value(what))
        facts[fact] = reading.evidence((number, by), partial(_state_of_fact, machine, fact))
    situations = _read_situations(machine, reading, stored["situations"]) if whole else None
    walked = [name for name, goal in goals.items() if goal.of_situations is None]
    reached, unanswered = (
        {walked[int(place)]: _of_goal(reading, goals[walked[int(place)]], one) for place, one in into.items()}
        for into in stored["answers"]
    )
    sought: list[str] = []
    for name, goal in goals.items():
        if goal.of_situations is None:
            if goal.distance is not None and goal.lasting in stored["sought"]:
                sought.append(goal.lasting)
        elif goal.lasting in stored["told"]:
            for into, one in zip((reached, unanswered), stored["told"][goal.lasting], strict=True):
                if one is not None:
                    into[name] = _of_goal(reading, goal, one)
            if goal.lasting in stored["sought"]:
                sought.append(goal.lasting)
        elif situations is None or (goal.distance is not None and stored["sought"]):
            raise NotKept
        else:
            answer_goals(reached, unanswered, situations, {name: goal})
            if goal.distance is not None and name not in reached:
                raise NotKept
    if sought != stored["sought"]:
        raise NotKept
    states, transitions, work, plays = stored["counts"]
    return Exploration(
        machine,
        stored["complete"] is True,
        tuple(stored["left out"]),
        states,
        transitions,
        work,
        plays,
        facts,
        {name: reached[name] for name in goals if name in reached},
        {name: unanswered[name] for name in goals if name in unanswered},
        tuple(stored["dropped"]),
        None if stored["graph"] is None else _read_graph(reading, stored["graph"], walked),
        situations,
        tuple(sought),
    )


def situations_of(machine: Machine, stored: Stored, parts: Sequence[m.Declaration | None]) -> Situations:
    """What play passed through, of an exploration that was kept. Raises `NotKept` where that was not kept."""
    try:
        found = _read_situations(machine, _Reading(machine, stored, parts), stored["situations"])
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NotKept from error
    if found is None:
        raise NotKept
    return found


def _of_goal(reading: _Reading, goal: Goal, stored: Stored) -> Evidence:
    return reading.evidence(stored, partial(passing, reading.machine, goal))


def _state_of_fact(machine: Machine, fact: Fact, trail: Trail) -> State:
    """The state in which a fact comes about after the last decision of a play."""
    walker = Walker(machine, {}, Keys(machine, slice_of(machine).kept, ()), lookout=fact)
    lookout = walker.watcher
    assert isinstance(lookout, Lookout)
    with lookout.watching():
        place = walker.start()
        for decision in trail.play(machine).decisions:
            place = walker.step(place, decision)
    if lookout.at is None:
        raise InternalError("a fact that was kept does not come about again")
    return lookout.at.unpack()


def _read_graph(reading: _Reading, stored: Stored, walked: Sequence[str]) -> Graph:
    sorts, who, results, after, holding, trails = stored
    return Graph(
        tuple(sorts),
        tuple(who),
        tuple({reading.value(one): str(result) for one, result in row} for row in results),
        tuple(tuple(row) for row in after),
        {walked[int(place)]: frozenset(numbers) for place, numbers in holding.items()},
        tuple(reading.trail(number) for number in trails),
    )


def _read_situations(machine: Machine, reading: _Reading, stored: str | None) -> Situations | None:
    if stored is None:
        return None
    cells, rests, numbers, finders, weighed = json.loads(stored)
    all_cells, all_rests = reading.value(cells), reading.value(rests)
    found = Situations(machine)
    four: Iterable[tuple[int, int, int, int]] = zip(*[iter(numbers)] * 4, strict=True)
    for place, rest, number, by in four:
        *rest_of, ruled = all_rests[rest]
        situation = cast("Situation", (all_cells[place], *rest_of, _ruled_again(machine, ruled)))
        found.keep(situation, reading.trail(number), finders[by])
    found.weighed = {sort: {all_cells[place] for place in places} for sort, places in weighed.items()}
    if any(len(one) != len(found.places) for one in all_cells):
        raise NotKept
    return found
