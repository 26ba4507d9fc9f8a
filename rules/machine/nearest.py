"""What would make an illegal move legal: the smallest changes of the state, and the moments to wait for.

Candidates are the cells that were really read while the verdict was found, and the moments that the reasons name. Each
is tried out on a copy, with the same question that says what is legal, and only what answers it is kept. Nothing is
proposed that the state could not hold: numbers stay within their types, things lie in one pile each, counters are
neither made nor lost, and no limit is broken that was kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, islice, product

from rules import model as m
from rules.machine.base import Choice, Node
from rules.machine.bounds import broken_limits
from rules.machine.lacks import OPEN_POINTS, Atom, FrequencyReached, Unfit
from rules.machine.moves import LEFT_OUT
from rules.machine.placing import Heap, Placing, Purse
from rules.machine.run import Machine
from rules.machine.state import Frame, State
from rules.machine.watch import Concealed, Secret, Watched, watched
from rules.machine.way import Stop, decisions, enter
from rules.machine.why import (
    Args,
    CannotPay,
    ChanceDecides,
    GameOver,
    NotOffered,
    NotYours,
    OtherChoice,
    Why,
    WrongMoment,
    atoms_of,
    deciding_state,
    is_legal,
    ways_of,
)
from rules.machine.world import Cells, Value
from rules.types import BagT, KindT, NumberT, OrderT, PileT, SetT, Type

_SHOWN = 3  # so many changes are kept
_TRIES = 800  # states in which the move is judged again
_PAIRS = 400  # of these with two changes at once
_NUMBERS = 64  # so far a number is tried one by one; beyond, only what the conditions compare it with
_VALUES = 4  # so many values of one cell are told
_DECISIONS = 16  # decisions that are looked at in a moment
_WAYS = 60  # ways of doing an action that are tried there


@dataclass(frozen=True, slots=True)
class Becomes:
    """A cell has another value; each of `new` would do."""

    address: int
    old: Value
    new: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Carried:
    """A thing lies on top of another pile; `origin` is None where the viewer does not see in which one it lies."""

    thing: Value
    origin: int | None
    target: int


@dataclass(frozen=True, slots=True)
class Counters:
    """So many counters of a pool lie in another of its places."""

    amount: int
    origin: int
    target: int


Change = Becomes | Carried | Counters


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in which the move would be legal, with things as they are now.

    `stops` are the moments that run then, the outermost first. `again`: such a moment is running now, and the next one
    is meant. `chance`: only if what chance decides on the way allows it.
    """

    stops: tuple[Stop, ...]
    again: bool
    chance: bool


@dataclass(frozen=True, slots=True)
class Nearest:
    """Each of `changes` is made of changes that are made together."""

    changes: tuple[tuple[Change, ...], ...] = ()
    moments: tuple[Moment, ...] = ()


def nearest(machine: Machine, state: State, node: Node, why: Why, viewer: int | None = None) -> Nearest:
    """What would make legal what was found to be illegal."""
    args = why.nearest or why.args
    if why.verdict != "illegal" or any(isinstance(r, GameOver) for r in why.reasons):
        return Nearest()
    seen = watched(machine, deciding_state(state), viewer)
    if LEFT_OUT in args:  # the reasons are the same for all ways: which of them is meant does not matter
        return Nearest((), _moments(machine, seen, why, list(islice(ways_of(machine, why.verb, args), _WAYS))))
    search = _Search(machine, seen, node, why, args)
    return Nearest(search.changes(), _moments(machine, seen, why, [args]))


# ---- Changes --------------------------------------------------------------------------------------------------------


@dataclass
class _Search:
    machine: Machine
    state: Watched
    node: Node
    why: Why
    args: Args
    tries: int = field(default=0)

    def changes(self) -> tuple[tuple[Change, ...], ...]:
        blind = any(isinstance(r, ChanceDecides | OtherChoice | WrongMoment) for r in self.why.reasons)
        if blind or not isinstance(self.node, Choice):
            return ()
        found: list[tuple[int, int, Change]] = []
        for place, address in enumerate(self._cells()):
            found += [(size, place, change) for size, change in self._for_cell(address)]
        singles = [change for _, _, change in sorted(found, key=lambda one: one[:2])]
        if singles:
            return tuple((change,) for change in dict.fromkeys(singles))[:_SHOWN]
        return tuple(islice(self._pairs(), _SHOWN))

    def _cells(self) -> list[int]:
        """The cells on which the verdict rests, those of the conditions that fail first.

        Where somebody else is asked, or for something else, that comes before all conditions.
        """
        ordered: dict[int, None] = {}
        if not any(isinstance(r, NotYours | NotOffered) for r in self.why.reasons):
            for cells in self._cells_of_reasons:
                ordered |= cells
        fresh = self.state.anew()
        is_legal(self.machine, fresh, self.node, self.why.verb, self.args)
        return list(ordered | fresh.cells.reads)

    @cached_property
    def _cells_of_reasons(self) -> list[dict[int, None]]:
        """For each condition that is not as wanted, and for what cannot be paid, the cells that it reads."""
        found: list[dict[int, None]] = []
        for lack in self.why.lacks:
            parts = [(atom.expr, dict(atom.given)) for atom in atoms_of(lack)]
            if isinstance(lack, Unfit):
                parts.append((lack.pattern, dict(lack.given)))
            for expr, env in parts:
                fresh = self.state.anew()
                try:
                    self.machine.evaluator.value(expr, fresh, env)
                except (Concealed, *OPEN_POINTS):
                    continue
                found.append(fresh.cells.reads)
        found += [
            {r.unpaid.address: None}
            for r in self.why.reasons
            if isinstance(r, CannotPay) and r.unpaid.address is not None
        ]
        return found

    def _would_do(self, changed: Watched) -> bool:
        self.tries += 1
        return is_legal(self.machine, changed, self.node, self.why.verb, self.args) and not self._breaks_limit(changed)

    def _breaks_limit(self, changed: Watched) -> bool:
        try:
            kept = {(one.norm.order, one.cells) for one in broken_limits(self.machine, self.state)}
            return any((one.norm.order, one.cells) not in kept for one in broken_limits(self.machine, changed))
        except Concealed:
            return True

    def _for_cell(self, address: int) -> list[tuple[int, Change]]:
        """The smallest changes of a cell that would do, with their sizes."""
        found: list[tuple[int, Change]] = []
        for size, change in self._candidates(address):
            if self.tries >= _TRIES:
                break
            if isinstance(change, Becomes):
                (value,) = change.new
                if self._would_do(self._changed((change,))):
                    found.append((size, change))
                    if isinstance(value, int) and not isinstance(value, bool) and self._is_number(address):
                        break
                    if len(found) == _VALUES:
                        break
            elif self._would_do(self._changed((change,))):
                found.append((size, change))
                break
        values = [change for _, change in found if isinstance(change, Becomes)]
        if len(values) > 1:
            together = Becomes(address, values[0].old, tuple(value for change in values for value in change.new))
            return [(found[0][0], together)]
        return found

    def _is_number(self, address: int) -> bool:
        return isinstance(type_at(self.machine, address), NumberT)

    def _candidates(self, address: int) -> Iterator[tuple[int, Change]]:
        """Other things that a cell could hold, the nearest first, each with its size."""
        if address in self.state.cells.hidden:
            return
        old = list.__getitem__(self.state.cells, address)
        type_ = type_at(self.machine, address)
        purse = next((p for p in self._placing.purses if address in p.cells), None)
        if purse is not None:
            yield from self._counters(address, old, purse)
            return
        match type_:
            case PileT(kind=kind):
                heap = next((h for h in self._placing.heaps if h.kind == kind), None)
                if heap is not None:
                    yield from self._carried(address, old, heap)
            case NumberT():
                for value in self._numbers(old, type_):
                    yield abs(value - old), Becomes(address, old, (value,))
            case SetT(of=of) if of is not None:
                for value in self.machine.world.domain(of):
                    yield 1, Becomes(address, old, (old ^ {value},))
            case BagT(of=of, limit=limit):
                yield from ((1, Becomes(address, old, (bag,))) for bag in self._bags(old, of, limit))
            case OrderT() | SetT():
                return
            case _:
                for value in self.machine.world.domain(type_):
                    if value != old:
                        yield 1, Becomes(address, old, (value,))

    def _numbers(self, old: int, type_: NumberT) -> list[int]:
        near = range(max(type_.low, old - _NUMBERS), min(type_.high, old + _NUMBERS) + 1)
        values = set(near)
        for atom in self.why.atoms:
            for edge in atom.values:
                if isinstance(edge, int) and not isinstance(edge, bool):
                    values |= {v for v in (edge - 1, edge, edge + 1) if type_.low <= v <= type_.high}
        for reason in self.why.reasons:
            if isinstance(reason, CannotPay) and isinstance(reason.unpaid.due, int):
                values |= {min(reason.unpaid.due, type_.high)}
        return sorted(values - {old}, key=lambda value: (abs(value - old), value))

    def _bags(self, old: tuple[Value, ...], of: Type, limit: int) -> Iterator[tuple[Value, ...]]:
        """One thing turned into another, as a die is; then one more, then one less."""
        domain = self.machine.world.domain(of)
        for place, item in enumerate(old):
            for value in domain:
                if value != item:
                    yield tuple(sorted((*old[:place], value, *old[place + 1 :])))
        if len(old) < limit:
            for value in domain:
                yield tuple(sorted((*old, value)))
        for place in range(len(old)):
            yield (*old[:place], *old[place + 1 :])

    def _counters(self, address: int, old: int, purse: Purse) -> Iterator[tuple[int, Change]]:
        others = [cell for cell in purse.cells if cell != address and cell not in self.state.cells.hidden]
        for amount in range(1, min(purse.pool.total, _NUMBERS) + 1):
            for cell in others:
                if self._held(cell) >= amount:
                    yield amount, Counters(amount, cell, address)
            if old >= amount and others:
                yield amount, Counters(amount, address, others[0])

    def _held(self, address: int) -> Value:
        return list.__getitem__(self.state.cells, address)

    def _carried(self, address: int, old: tuple[Value, ...], heap: Heap) -> Iterator[tuple[int, Change]]:
        """One thing comes here from where it lies, or goes from here to the first other pile."""
        places: dict[Value, int] = {
            thing: cell for cell in heap.cells for thing in self._held(cell) if not isinstance(thing, Secret)
        }
        unseen = any(isinstance(thing, Secret) for cell in heap.cells for thing in self._held(cell))
        for thing in self._ordered_by_use(heap):
            origin = places.get(thing)
            if origin != address and (origin is not None or unseen):
                yield 1, Carried(thing, origin, address)
        elsewhere = next((cell for cell in heap.cells if cell != address), None)
        if elsewhere is not None:
            for thing in old:
                if not isinstance(thing, Secret):
                    yield 1, Carried(thing, address, elsewhere)

    def _ordered_by_use(self, heap: Heap) -> list[int]:
        """The things that the move itself names first."""
        named = {
            arg
            for arg, type_ in zip(self.args, self.machine.verbs[self.why.verb].types, strict=True)
            if type_ == KindT(heap.kind)
        }
        return sorted(range(len(self.machine.world.things[heap.kind])), key=lambda thing: thing not in named)

    @cached_property
    def _placing(self) -> Placing:
        return Placing(self.machine)

    # ---- carrying changes out

    def _changed(self, changes: tuple[Change, ...]) -> Watched:
        return changed(self.machine, self.state, changes)

    def _pairs(self) -> Iterator[tuple[Change, ...]]:
        """Two changes at once, each of a cell that a condition or a payment of its own reads."""
        before = self.tries
        for one, other in combinations(self._cells_of_reasons, 2):
            for first, second in product(one, other):
                if first == second:
                    continue
                for a, b in product(islice(self._candidates(first), 8), islice(self._candidates(second), 8)):
                    if self.tries - before >= _PAIRS:
                        return
                    if self._would_do(self._changed((a[1], b[1]))):
                        yield (a[1], b[1])
                        return


def slot_at(machine: Machine, address: int) -> Cells:
    """The slot to which a cell belongs."""
    return next(s for s in machine.world.slots.values() if s.base <= address < s.base + s.count)


def type_at(machine: Machine, address: int) -> Type:
    return slot_at(machine, address).symbol.type


def changed(machine: Machine, state: Watched, changes: tuple[Change, ...], choice: int = 0) -> Watched:
    """The state with changes made; of several values that would do, the one at the place `choice`."""
    found = state.anew()
    cells = found.cells
    for change in changes:
        match change:
            case Becomes(address=address, new=new):
                cells[address] = new[min(choice, len(new) - 1)]
            case Counters(amount=amount, origin=origin, target=target):
                cells[origin] -= amount
                cells[target] += amount
            case Carried(thing=thing, origin=origin, target=target):
                if origin is None:
                    _take_unseen(machine, cells, target)
                else:
                    cells[origin] = tuple(t for t in cells[origin] if t is not thing and not _same(t, thing))
                cells[target] = (thing, *cells[target])
    cells.reads.clear()
    return found


def _same(one: Value, other: Value) -> bool:
    return not isinstance(one, Secret) and bool(one == other)


def _take_unseen(machine: Machine, cells: list[Value], target: int) -> None:
    """A thing that the viewer does not see leaves some pile in which it may lie."""
    kind = type_at(machine, target)
    for address in range(len(cells)):
        if address != target and type_at(machine, address) == kind:
            pile = list.__getitem__(cells, address)
            place = next((i for i, thing in enumerate(pile) if isinstance(thing, Secret)), None)
            if place is not None:
                cells[address] = (*pile[:place], *pile[place + 1 :])
                return


# ---- Moments --------------------------------------------------------------------------------------------------------


def _moments(machine: Machine, state: Watched, why: Why, ways: list[Args]) -> tuple[Moment, ...]:
    found: list[Moment] = []
    for stops in _stops(machine, state, why, ways[0]):
        if not stops or any(stops[-1:] == moment.stops[-1:] for moment in found):
            continue
        answers: set[bool] = set()
        try:
            for after, node in islice(_brought(machine, state, stops), _DECISIONS):
                here = deciding_state(after)
                answers.add(any(is_legal(machine, here, node, why.verb, args) for args in ways))
                if len(answers) == 2:
                    break
        except (Concealed, *OPEN_POINTS):
            continue
        if True in answers:
            again = state.running(stops[-1].moment, stops[-1].of)
            found.append(Moment(stops, again, chance=False in answers))
    return tuple(found)[:_SHOWN]


def _stops(machine: Machine, state: State, why: Why, args: Args) -> Iterator[tuple[Stop, ...]]:
    """Where it may be worth looking, by the reasons: the turn of the one who acts, and the moments that they name."""
    named: list[Stop] = []
    for reason in why.reasons:
        if isinstance(reason, WrongMoment):
            named += [Stop(moment) for moment in reason.moments]
    for lack in why.lacks:
        if isinstance(lack, FrequencyReached):
            named.append(Stop(lack.frequency.moment.text))
        named += [stop for atom in atoms_of(lack) if (stop := _stop_of(machine, state, atom)) is not None]
    waits = any(isinstance(reason, NotYours | OtherChoice | ChanceDecides) for reason in why.reasons)
    if waits:
        named += [Stop(moment.text) for moment in machine.actions[why.verb].during]
    by = machine.by_of(why.verb)
    assert by is not None
    player = machine.player_of(args[by], machine.verbs[why.verb].types[by], state)
    turn = (Stop("turn", player),) if player is not None else ()
    if turn and (waits or named):
        yield turn
    for stop in dict.fromkeys(named):
        if stop.moment == "turn":
            yield (stop,) if stop.of is not None else turn
        elif stop.moment != "game":
            yield (stop,)
            if turn:
                yield (stop, *turn)


def _stop_of(machine: Machine, state: State, atom: Atom) -> Stop | None:
    """The moment that a condition waits for."""
    if not isinstance(atom.expr, m.During) or not atom.wanted:
        return None
    of = atom.expr.of
    try:
        whose = machine.evaluator.value(of, state, dict(atom.given)) if of is not None else None
    except (Concealed, *OPEN_POINTS):
        return None
    return Stop(atom.expr.moment.text, whose)


def _brought(machine: Machine, state: State, stops: tuple[Stop, ...]) -> Iterator[tuple[State, Node]]:
    """Control brought to the moments, with everything else as it is: the first decisions there."""
    moved = state.copy()
    moved.stack = [Frame("moment", machine.play, moment="game", word="game", stage=1)]
    if not enter(machine, moved, stops, {}):
        return
    for place, frame in enumerate(moved.stack[1:], 1):
        if frame.kind == "turns" and not _has_turn(machine, moved, frame):
            return
        if frame.moment is not None:
            frame.since = _since(state, frame, is_last=place == len(moved.stack) - 1)
    yield from decisions(machine, moved, stops)


def _has_turn(machine: Machine, state: State, frame: Frame) -> bool:
    """Whether the one whose turn it would be has turns, as things are."""
    node, who = frame.data["node"], frame.data["last"]
    env = {**frame.env, node.variable.text: who}
    holds = machine.evaluator.holds
    ended = node.until is not None and holds(node.until, state, frame.env)
    return not ended and state.outcomes.get(who) != "loses" and holds(node.where, state, env)


def _since(state: State, frame: Frame, is_last: bool) -> int:
    """What runs now around the moment goes on; what is wanted begins anew."""
    assert frame.moment is not None
    place = state.find(frame.moment, frame.of)
    return len(state.log) if is_last or place is None else state.stack[place].since
