"""The state as variables: each cell, and what rules can ask of control and of the past.

Every variable knows how it is read off a state of the interpreter (`values_in`), so that a term can be asked of a real
state; and a variable that stands for something not modelled says so (`opaque`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import combinations

from rules import model as m
from rules.machine import Machine
from rules.machine.placing import Placing
from rules.machine.state import State
from rules.machine.world import Cells, Value
from rules.types import BagT, MaybeT, OrderT, PileT, SetT, TruthT, Type, without_none
from rules.walk import nodes_of
from solver.encode.sym import Bag, Group, Row, Sym, code, lift, type_bounds
from solver.terms import Flag, Number, Term, at_most, either, equal, flag, no, number, plus, variables_of

Probe = Callable[[State], "bool | int"]
MOST_TIMES = 99  # so often something is taken to have happened


class Space:
    """`supposing`: also what no statement of the book changes may be anything that its type allows."""

    def __init__(self, machine: Machine, supposing: bool = False) -> None:
        self.machine = machine
        self.world = machine.world
        self.probes: dict[Term, Probe] = {}
        self.opaque: dict[Term, str] = {}  # what stands for something that is not modelled, in words
        self.part_types: dict[Hashable, Type] = {}  # what a question leaves open besides the state, by name
        self.cell_of: dict[Term, int] = {}  # the cell, or the first of the cells, that a variable is part of
        self.past: dict[Term, tuple[m.Event, dict[str, Value]]] = {}  # what a variable asks whether it happened
        self._cells: dict[int, Sym] = {}
        self.placing = Placing(machine)
        self._heap_of = {cell: heap for heap in self.placing.heaps for cell in heap.cells}
        self._purse_of = {cell: purse for purse in self.placing.purses for cell in purse.cells}
        self.start = self.placing.start
        self._slots = sorted((slot for slot in self.world.slots.values() if slot.count), key=lambda slot: slot.base)
        self._bases = [slot.base for slot in self._slots]
        self._at_start: dict[Term, bool | int] = {}
        self._facts: dict[int, list[tuple[str, Flag]]] = {}
        self._apart: dict[tuple[str, int, int], Flag] = {}
        self.fixed = frozenset() if supposing else self._never_changed()

    # ---- variables

    def flag(self, name: Hashable, probe: Probe, opaque: str = "") -> Flag:
        found = flag(name)
        self.probes.setdefault(found, probe)
        if opaque:
            self.opaque[found] = opaque
        return found

    def number(self, name: Hashable, low: int, high: int, probe: Probe, opaque: str = "") -> Number:
        found = number(name, low, high)
        if isinstance(found, Term):
            self.probes.setdefault(found, probe)
            if opaque:
                self.opaque[found] = opaque
        return found

    def values_in(self, state: State, terms: Iterable[object]) -> dict[Term, bool | int]:
        """The variables that terms read, as they are in a state."""
        wanted = variables_of(*(term for term in terms if isinstance(term, Term)))
        return {variable: self.probes[variable](state) for variable in wanted}

    def at_start(self, variable: Term) -> bool | int:
        """A variable as it is at the start of a game, before anything has happened."""
        found = self._at_start.get(variable)
        if found is None:
            found = self._at_start[variable] = self.probes[variable](self.start)
        return found

    # ---- cells

    def cell(self, address: int) -> Sym:
        found = self._cells.get(address)
        if found is None:
            found = self._cells[address] = self._new_cell(address)
        return found

    def heap_cells(self, kind: str) -> tuple[int, ...]:
        """The piles of a kind, in the order in which things lie in them."""
        return next(heap.cells for heap in self.placing.heaps if heap.kind == kind)

    def slot_at(self, address: int) -> Cells:
        return self._slots[bisect_right(self._bases, address) - 1]

    def _new_cell(self, address: int) -> Sym:
        slot = self.slot_at(address)
        type_ = slot.symbol.type
        if slot.symbol.name in self.fixed:
            return lift(self.start.cells[address], type_, self.world)
        name = (slot.symbol.name, *(self._named(slot, address)))
        before = set(self.probes)
        none: Flag = False
        if isinstance(type_, MaybeT) or self.start.cells[address] is None:
            none = self.flag(("none", address, name), lambda s: s.cells[address] is None)
        made = Sym(self._payload(without_none(type_), address, name), none)
        for variable in set(self.probes) - before:
            self.cell_of[variable] = address
        return made

    def _named(self, slot: Cells, address: int) -> tuple[str, ...]:
        return tuple(
            self.world.show(arg, type_) for arg, type_ in zip(slot.args_at(address), slot.symbol.params, strict=True)
        )

    def _payload(self, type_: Type, address: int, name: tuple[str, ...]) -> object:
        world = self.world
        match type_:
            case TruthT():
                return self.flag(("cell", address, name), lambda s: s.cells[address] is True)
            case SetT(of=of):
                assert of is not None
                return Group(
                    {
                        code(item, of, world): self.flag(("has", address, name, item), _holds(address, item))
                        for item in world.domain(of)
                    }
                )
            case BagT(of=of, limit=limit):
                return Bag(
                    {
                        code(item, of, world): self.number(
                            ("count", address, name, item), 0, limit, _counts(address, item)
                        )
                        for item in world.domain(of)
                    }
                )
            case OrderT(kind=kind):
                things = range(len(world.things[kind]))
                return Row(
                    dict.fromkeys(things, True),
                    {
                        t: self.number(("place", address, name, t), 0, len(things) - 1, _placed(address, t))
                        for t in things
                    },
                )
            case PileT(kind=kind):
                return self._pile(kind, address)
            case _:
                low, high = type_bounds(type_, world)
                least = low

                def probe(s: State) -> int:
                    value = s.cells[address]
                    return least if value is None else code(value, type_, world)

                return self.number(("cell", address, name), low, high, probe)

    def _pile(self, kind: str, address: int) -> Row:
        heap = self._heap_of[address]
        things = range(len(self.world.things[kind]))
        mine = heap.cells.index(address)
        lies = {t: self.number(("lies", kind, t), 0, len(heap.cells) - 1, _lies(heap.cells, t)) for t in things}
        depth = {t: self.number(("depth", kind, t), 0, len(things) - 1, _depth(heap.cells, t)) for t in things}
        return Row({t: equal(lies[t], mine) for t in things}, dict(depth))

    def _never_changed(self) -> frozenset[str]:
        """The names of slots that no statement of the book can change: they stay as they start.

        A book that does not say how play goes does not say what changes either.
        """
        if not self.machine.play:
            return frozenset()
        changed: set[str] = set()
        for node in nodes_of(self.machine.checked.book.declarations):
            match node:
                case m.Becomes(target=target) | m.Shift(target=target):
                    changed.add(target.name.text)
                case m.Move(origin=origin, target=target):
                    changed |= {ref.name.text for ref in (origin, target) if ref is not None}
                case m.Pay(source=source, target=paid):
                    changed |= {ref.name.text for ref in (source, paid) if ref is not None}
                case m.Draw(origin=drawn, target=target):
                    changed |= {drawn.name.text, target.name.text}
                case m.Shuffle(pile=pile, into=into):
                    changed |= {ref.name.text for ref in (pile, into) if ref is not None}
                case m.Slot(modifiers=modifiers, name=name) if any(word.text == "shuffled" for word in modifiers):
                    changed.add(name.text)
                case _:
                    pass
        return frozenset(
            slot.symbol.name
            for slot in self.world.slots.values()
            if slot.symbol.name not in changed and not isinstance(slot.symbol.type, PileT)
        )

    # ---- what is true of every state

    def facts(self, terms: Iterable[object]) -> list[tuple[str, Flag]]:
        """What the types, piles and pools promise of the variables that terms read, each with its reason in words."""
        return self.facts_of(variables_of(*_only(terms)))

    def facts_of(self, variables: Iterable[Term]) -> list[tuple[str, Flag]]:
        """What is promised of these variables; each promise is made once."""
        found: list[tuple[str, Flag]] = []
        seen: set[Hashable] = set()
        deep: dict[str, list[int]] = {}
        for variable in variables:
            match variable.args[0]:
                case ("depth", str() as kind, int() as thing):
                    deep.setdefault(kind, []).append(thing)
                case ("cell" | "none" | "has" | "count" | "place", int() as address, *_) if address not in seen:
                    seen.add(address)
                    for word, fact in self._facts_about(address):
                        if fact not in seen:
                            seen.add(fact)
                            found.append((word, fact))
                case _:
                    continue
        return found + [fact for kind, things in deep.items() for fact in self._heap_facts(kind, things)]

    def _facts_about(self, address: int) -> list[tuple[str, Flag]]:
        known = self._facts.get(address)
        if known is None:
            known = self._facts[address] = self._cell_facts(address) + self._purse_facts(address)
        return known

    def _purse_facts(self, address: int) -> list[tuple[str, Flag]]:
        purse = self._purse_of.get(address)
        if purse is None:
            return []
        held = plus(*(self.cell(cell).payload for cell in purse.cells))
        return [(f"the counters of {purse.pool.name} add up", equal(held, purse.pool.total))]

    def _heap_facts(self, kind: str, things: Iterable[int]) -> Iterator[tuple[str, Flag]]:
        """Of things whose place in a pile is asked for; the others find room in any pile, wherever these are."""
        heap = next(heap for heap in self.placing.heaps if heap.kind == kind)
        places = self.cell(heap.cells[0]).payload.places
        for a, b in combinations(sorted(things), 2):
            known = self._apart.get((kind, a, b))
            if known is None:
                lies = [number(("lies", kind, t), 0, len(heap.cells) - 1) for t in (a, b)]
                known = either(no(equal(lies[0], lies[1])), no(equal(places[a], places[b])))
                self._apart[kind, a, b] = known
            yield "no two things lie in one place", known

    def _cell_facts(self, address: int) -> list[tuple[str, Flag]]:
        slot = self.slot_at(address)
        sym = self.cell(address)
        match without_none(slot.symbol.type):
            case OrderT():
                places = list(sym.payload.places.values())
                return [(f"`{slot.symbol.name}` is an order", no(equal(a, b))) for a, b in combinations(places, 2)]
            case BagT(limit=limit):
                held = plus(*sym.payload.counts.values())
                return [(f"`{slot.symbol.name}` holds up to {limit}", at_most(held, limit))]
            case _:
                return []


def _only(terms: Iterable[object]) -> list[Term]:
    return [term for term in terms if isinstance(term, Term)]


def _holds(address: int, item: Value) -> Probe:
    return lambda s: s.cells[address] is not None and item in s.cells[address]


def _counts(address: int, item: Value) -> Probe:
    return lambda s: 0 if s.cells[address] is None else s.cells[address].count(item)


def _placed(address: int, thing: int) -> Probe:
    return lambda s: s.cells[address].index(thing)


def _lies(cells: tuple[int, ...], thing: int) -> Probe:
    return lambda s: next((place for place, cell in enumerate(cells) if thing in s.cells[cell]), 0)


def _depth(cells: tuple[int, ...], thing: int) -> Probe:
    return lambda s: next((s.cells[cell].index(thing) for cell in cells if thing in s.cells[cell]), 0)
