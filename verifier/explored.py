"""What play has shown in earlier checks of a book, and whether it still shows it after an edit.

An exploration is taken over where play does step by step the same: the parts of the book that it rests on are the same,
or the one rule that was edited says the same wherever play has looked at it. Why it is so is told in
`docs/decisions/0007-verdict-cache.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Protocol

from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.machine import Machine, machine_of
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.state import State
from rules.machine.world import Value
from rules.span import Source
from rules.symbols import VariableSymbol
from solver.flow.prove import Comes, Never
from solver.memory import Digests, Memory, UnstableError
from solver.play import Budget, Exploration, Goal, Progress, Situations, explore, reads_of
from solver.play.exhaustive import STOPPED
from solver.play.fair import Misses
from solver.play.record import (
    NotKept,
    digest_of,
    knows,
    play_of,
    play_parts,
    recalled,
    recorded,
    situations_of,
    walk_of,
    words_of,
)
from solver.play.situations import MODAL, sort_of_norm
from solver.play.slicing import slot_range
from solver.terms import Flag
from solver.verdict import Unknown

_MOST_ENVS = 2_000  # in which a condition is looked at, for each of the states that differ for it
_MOST_ASKED = 400_000


class Shelf(Protocol):
    """Where explorations are kept; `sources` are the texts of the book that is checked now."""

    sources: tuple[Source, ...]

    def read(self, name: str) -> Any | None: ...

    def write(self, name: str, content: dict[str, Any]) -> None: ...


@dataclass(slots=True)
class Explorations:
    """Explores, and keeps what was found; `recalled` counts what did not have to be explored again.

    `same_as` names the play that was explored: that of the book as it was then, where it was taken over.
    """

    shelf: Shelf
    recalled: int = 0
    same_as: str = ""

    def explore(
        self,
        machine: Machine,
        policies: tuple[str, ...],
        goals: Mapping[str, Goal],
        budget: Budget,
        progress: Callable[[Progress], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Exploration:
        walk = walk_of(machine, goals, budget)
        if walk is None:
            return explore(machine, goals, budget, progress, stop)
        name = f"{machine.world.seats} {budget.work} {' '.join(policies)}"
        parts = play_parts(machine.checked.book, policies)
        digests = [digest_of(part) for part in parts]
        self.same_as = digest_of(tuple(digests))
        kept = self.shelf.read(name)
        found = self._recalled(kept, machine, policies, goals, walk, parts, digests)
        if found is not None and kept is not None:
            self.recalled += 1
            self.same_as = str(kept["same as"])
            if kept["parts"] == digests and knows(kept["found"], goals):
                return found
        else:
            found = explore(machine, goals, budget, progress, stop)
        if STOPPED not in found.left_out:
            self._keep(name, found, goals, walk, parts, digests)
        return found

    def _keep(
        self,
        name: str,
        found: Exploration,
        goals: Mapping[str, Goal],
        walk: str,
        parts: Sequence[m.Declaration],
        digests: list[str],
    ) -> None:
        try:
            stored = recorded(found, goals, parts)
        except NotKept:
            return
        sources = [[source.path, source.text] for source in self.shelf.sources]
        content = {"walk": walk, "parts": digests, "same as": self.same_as, "sources": sources, "found": stored}
        self.shelf.write(name, content)

    def _recalled(
        self,
        stored: Any,
        machine: Machine,
        policies: tuple[str, ...],
        goals: Mapping[str, Goal],
        walk: str,
        parts: tuple[m.Declaration, ...],
        digests: list[str],
    ) -> Exploration | None:
        if not isinstance(stored, dict) or stored.get("walk") != walk or "same as" not in stored:
            return None
        try:
            edit = _edit(stored["parts"], digests)
            if edit is None:
                return None
            if edit.is_none:
                return recalled(machine, goals, stored["found"], parts, whole=False)
            old = _book_of(stored["sources"], policies, stored["parts"])
            if old is None:
                return None
            seen = situations_of(machine, stored["found"], edit.aligned(parts))
            was = machine_of(old, machine.world.seats, policies)
            complete = stored["found"]["complete"] is True
            ends = edit.old(play_parts(old.book, policies)), edit.new(parts)
            if not _is_untouched(was, machine, *ends, seen, complete):
                return None
            return recalled(machine, goals, stored["found"], edit.aligned(parts), whole=True)
        except (NotKept, KeyError, TypeError, ValueError):
            return None


class Proofs:
    """Verdicts that rest on all that play can do, by the parts of the book that say what it does."""

    def __init__(self, memory: Memory, machine: Machine, policies: tuple[str, ...]) -> None:
        self._memory = memory
        self._machine = machine
        self._policies = policies
        self._digests = Digests()

    @cached_property
    def _play(self) -> str:
        parts = [digest_of(part) for part in play_parts(self._machine.checked.book, self._policies)]
        return digest_of(tuple(parts))

    @property
    def _table(self) -> str:
        return f"{self._machine.world.seats} {' '.join(self._policies)}"

    def never(
        self, watched: Sequence[Flag], place: int, ask: Callable[[], Never | Comes | Unknown]
    ) -> Never | Comes | Unknown:
        """What is proved of one condition can help to prove another: all that are watched count."""
        try:
            terms = [self._digests.of(one).hex() for one in watched]
        except UnstableError:
            return ask()
        key = digest_of(("never", self._table, self._play, tuple(terms), place))
        match self._memory.recall(key):
            case ["never", str() as by]:
                return Never(by)
            case ["unknown", str() as reason]:
                return Unknown(reason)
        found = ask()
        match found:
            case Never(by=by):
                self._memory.keep(key, ["never", by])
            case Unknown(reason=reason):
                self._memory.keep(key, ["unknown", reason])
        return found

    def misses(self, goal: Goal, states: int, same_as: str, ask: Callable[[], Misses | bool]) -> Misses | bool:
        """`same_as` names the play, where all of its states were seen; else that of this book is meant."""
        key = digest_of(("misses", self._table, same_as or self._play, goal.lasting, states))
        match self._memory.recall(key):
            case ["fair", bool() as known]:
                return known
            case ["misses", list() as words]:
                try:
                    return Misses(play_of(self._machine, words))
                except (NotKept, TypeError, ValueError):
                    pass
        found = ask()
        self._memory.keep(key, ["misses", words_of(found.play)] if isinstance(found, Misses) else ["fair", found])
        return found


# ---- what was edited ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Edit:
    """Up to one part that was there, and up to one that is there now, at the same place."""

    place: int
    was: int
    now: int

    @property
    def is_none(self) -> bool:
        return not self.was and not self.now

    def old(self, parts: Sequence[m.Declaration]) -> m.Declaration | None:
        return parts[self.place] if self.was else None

    def new(self, parts: Sequence[m.Declaration]) -> m.Declaration | None:
        return parts[self.place] if self.now else None

    def aligned(self, parts: tuple[m.Declaration, ...]) -> tuple[m.Declaration | None, ...]:
        """The parts by the places that they had before; nothing where one is gone."""
        if self.was == self.now:
            return parts
        gone = (None,) if self.was else ()
        return (*parts[: self.place], *gone, *parts[self.place + self.now :])


def _edit(was: list[str], now: list[str]) -> _Edit | None:
    """None where more than one part was edited."""
    if was == now:
        return _Edit(0, 0, 0)
    place = next((i for i, (a, b) in enumerate(zip(was, now, strict=False)) if a != b), min(len(was), len(now)))
    for gone, new in ((1, 1), (0, 1), (1, 0)):
        if was[place + gone :] == now[place + new :] and len(was) >= place + gone and len(now) >= place + new:
            return _Edit(place, gone, new)
    return None


def _book_of(sources: list[list[str]], policies: tuple[str, ...], digests: list[str]) -> CheckedRulebook | None:
    """The book as it was; None where that cannot be told from its texts alone."""
    declarations = [d for path, text in sources for d in parse_text(Source(path, text)).declarations]
    book = m.Rulebook(tuple(declarations))
    if [digest_of(part) for part in play_parts(book, policies)] != digests:
        return None
    return check_rules(book).rulebook


# ---- whether it matters ---------------------------------------------------------------------------------------------


def _is_untouched(
    was: Machine,
    now: Machine,
    old: m.Declaration | None,
    new: m.Declaration | None,
    seen: Situations,
    complete: bool,
) -> bool:
    """Whether two machines that differ in one rule did the same wherever conditions were looked at: the conditions of
    the rule have the same answers there, and it weighs the same against others.

    Where not all states were seen, plays leant towards rules that had not applied, by what their conditions read: then
    there must be the same rules, and they must read the same.
    """
    if not all(rule is None or (isinstance(rule, m.Rule) and not rule.readings) for rule in (old, new)):
        return False
    ones = _norms(old)
    others = _norms(new)
    if old is not None and new is not None:
        if not isinstance(old, m.Rule) or not isinstance(new, m.Rule) or len(ones) != len(others):
            return False
        if digest_of(replace(old, norms=())) != digest_of(replace(new, norms=())):
            return False
        name = new.name.text
        pairs = list(zip(ones, others, strict=True))
        if not complete and not all(_read(was, one) == _read(now, other) for one, other in pairs):
            return False
        return all(_is_same(was, now, name, *pair, seen) for pair in pairs)
    return (
        complete
        and all(_never_applies(was, norm, seen) for norm in ones)
        and all(_never_applies(now, norm, seen) for norm in others)
    )


def _norms(rule: m.Declaration | None) -> tuple[m.Norm, ...]:
    return rule.norms if isinstance(rule, m.Rule) else ()


def _read(machine: Machine, norm: m.Norm) -> set[frozenset[str] | None]:
    return {reads_of(machine, condition).slots for condition in _conditions(norm) if condition is not None}


def _is_same(was: Machine, now: Machine, name: str, old: m.Norm, new: m.Norm, seen: Situations) -> bool:
    if digest_of(old) == digest_of(new):
        return True
    sort = sort_of_norm(name, old.body)
    if sort is None:
        return False
    if _without_conditions(old) is None or digest_of(_without_conditions(old)) != digest_of(_without_conditions(new)):
        return False
    applied = False
    for one, other in _asked(was, now, old, new, seen, sort):
        if one != other:
            return False
        applied = applied or one
    return not applied or not any(
        isinstance(rule.body, m.Over) and rule.body.winner.text in ("specific", "general")
        for rule in now.precedence.rules
    )


def _never_applies(machine: Machine, norm: m.Norm, seen: Situations) -> bool:
    if not isinstance(norm.body, m.ModalNorm) or norm.body.frequency is not None:
        return False
    return not any(one for one, _ in _asked(machine, machine, norm, norm, seen, MODAL))


def _without_conditions(norm: m.Norm) -> m.Norm | None:
    """What else a norm says; None where its conditions can count for more than whether it applies."""
    match norm.body:
        case m.ModalNorm() | m.OutcomeNorm() as body:
            return replace(norm, body=replace(body, conditions=replace(body.conditions, when=None, unless=None)))
        case m.EventNorm() as body:
            return replace(norm, body=replace(body, condition=None))
        case _:
            return None


def _conditions(norm: m.Norm) -> tuple[m.Expr | None, m.Expr | None]:
    match norm.body:
        case m.EventNorm(condition=condition):
            return condition, None
        case m.ModalNorm(conditions=conditions) | m.OutcomeNorm(conditions=conditions):
            return conditions.when, conditions.unless
        case _:
            return None, None


def _asked(
    was: Machine, now: Machine, old: m.Norm, new: m.Norm, seen: Situations, sort: str
) -> Iterator[tuple[bool, bool]]:
    """Whether the conditions of each hold, in every state that was weighed and for all that variables can stand for.

    Raises `NotKept` where states do not tell, or there are too many to ask.
    """
    sides = ((was, _conditions(old)), (now, _conditions(new)))
    slots: set[str] = set()
    names: set[str] = set()
    for machine, conditions in sides:
        for condition in conditions:
            if condition is not None:
                reads = reads_of(machine, condition)
                if reads.slots is None or reads.moments or reads.past:
                    raise NotKept
                slots |= reads.slots
                names |= machine.needs(condition)
    domains = {name: _domain(now, name) for name in sorted(names)}
    places = [p for slot in now.world.slots.values() if slot.symbol.name in slots for p in slot_range(slot)]
    states = map(seen.state_with, seen.weighed.get(sort, ()))
    cells = {tuple(state.cells[p] for p in places): state for state in states}
    envs = prod(map(len, domains.values()))
    if envs > _MOST_ENVS or envs * len(cells) > _MOST_ASKED:
        raise NotKept
    for state in cells.values():
        for values in product(*domains.values()):
            env = dict(zip(domains, values, strict=True))
            one, other = (_holds(machine, *conditions, state, env) for machine, conditions in sides)
            yield one, other


def _domain(machine: Machine, name: str) -> tuple[Value, ...]:
    symbol = machine.variables[name]
    if not isinstance(symbol, VariableSymbol):
        raise NotKept
    return machine.world.domain(symbol.type)


def _holds(machine: Machine, when: m.Expr | None, unless: m.Expr | None, state: State, env: dict[str, Value]) -> bool:
    evaluator = machine.evaluator
    try:
        return evaluator.holds(when, state, env) and not (unless is not None and evaluator.holds(unless, state, env))
    except (Undetermined, Gap, Broken) as error:
        raise NotKept from error
