"""Where something is read that is not there yet, in every play: by the order of the steps alone.

Followed are slots that may be none. At each place of `play`, and of the procedures that it carries out, it is known
whether such a slot is none, is something, or can be either; what others can make of it, it can be after anything of
theirs. Rules and triggers are not followed: what they change can be anything everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine import Machine
from rules.symbols import SlotSymbol
from rules.types import MaybeT, NoneT
from rules.walk import nodes_of

NONE, SOME = "none", "some"
Held = dict[int, frozenset[str]]  # by identity of the slot's symbol
_EITHER = frozenset((NONE, SOME))


@dataclass(frozen=True, slots=True, eq=False)
class Early:
    """`ref` is read in `reader` where it is none in every play; `writers` are the statements that make it something."""

    slot: str
    ref: m.Ref
    reader: str
    writers: tuple[tuple[str, m.Becomes], ...]


def read_early(machine: Machine) -> list[Early]:
    walk = _Walk(machine)
    return walk.found()


class _Walk:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.checked = machine.checked
        self.moments: list[str] = ["play"]
        self.calls: list[str] = []
        self.reads: dict[int, tuple[m.Ref, str, frozenset[str]]] = {}
        self.writers: dict[int, dict[int, tuple[str, m.Becomes]]] = {}
        self.elsewhere = self._elsewhere()
        start = machine.start()
        self.start: Held = {
            key: frozenset((NONE,))
            for key, slot in machine.world.slots.items()
            if isinstance(slot.symbol.type, MaybeT)
            and all(value is None for value in start.cells[slot.base : slot.base + slot.count])
            and self.elsewhere.get(key) != _EITHER
        }

    def found(self) -> list[Early]:
        if not self.start:
            return []
        self._block(self.machine.play, dict(self.start))
        found: list[Early] = []
        for ref, reader, held in self.reads.values():
            slot = id(self.checked.symbol_of(ref))
            writers = tuple(self.writers.get(slot, {}).values())
            if held == frozenset((NONE,)) and writers:
                found.append(Early(ref.name.text, ref, reader, writers))
        return found

    # ---- others

    def _elsewhere(self) -> Held:
        """What actions can make of slots; of what tables, triggers and passages can change, nothing is known."""
        found: Held = {}
        for declaration in self.checked.book.declarations:
            if isinstance(declaration, m.Play | m.Procedure):
                continue
            sure = isinstance(declaration, m.Action)
            for node in nodes_of(declaration):
                if isinstance(node, m.Becomes):
                    slot = id(self.checked.symbol_of(node.target))
                    found[slot] = found.get(slot, frozenset()) | (self._given(node.value) if sure else _EITHER)
        return found

    def _given(self, value: m.Expr) -> frozenset[str]:
        if isinstance(value, m.Nothing):
            return frozenset((NONE,))
        type_ = self.checked.type_of(value)
        return _EITHER if isinstance(type_, MaybeT | NoneT) else frozenset((SOME,))

    def _after_others(self, held: Held) -> Held:
        return {slot: now | self.elsewhere.get(slot, frozenset()) for slot, now in held.items()}

    # ---- statements

    def _block(self, block: m.Block, held: Held) -> Held:
        for node in block:
            held = self._statement(node, held)
        return held

    def _statement(self, node: m.Statement, held: Held) -> Held:
        match node:
            case m.Simple(body=body):
                return self._simple(body, held)
            case m.Phase(name=name, body=body):
                self.moments.append(name.text)
                held = self._block(body, held)
                self.moments.pop()
                return held
            case m.If(condition=condition, then=then, otherwise=otherwise):
                self._read(condition, held)
                yes, no = self._known(condition, held)
                ends = [self._block(block, one) for block, one in ((then, yes), (otherwise, no)) if one is not None]
                return _joined(ends)
            case m.Each(order=order, where=where, body=body):
                self._read((order, where), held)
                return self._loop(body, held, ())
            case m.Turns(order=order, where=where, until=until, body=body):
                self._read((order, where, until), held)
                return self._loop(body, held, (where, until))
            case m.Repeat(times=times, until=until, body=body):
                self._read(times, held)
                return self._loop(body, held, (until,), at_least_once=times is None)
            case m.RollRows(rows=rows):
                return _joined([self._block(row.body, held) for row in rows])
            case m.Decides(options=options):
                for option in options:
                    self._read(option.conditions, held)
                return _joined([held, *(self._block(option.body, held) for option in options)])
            case m.After(body=body):
                return _joined([held, self._block(body, self._after_others(held))])

    def _loop(self, body: m.Block, held: Held, asked: object, at_least_once: bool = False) -> Held:
        """Until nothing is added; what is read in it is read with what any pass leaves behind."""
        entry, before = held, None
        end = held
        while before != entry:
            before = entry
            end = self._block(body, entry)
            entry = _joined([entry, end])
        self._read(asked, end)
        return end if at_least_once else entry

    def _simple(self, body: m.SimpleBody, held: Held) -> Held:
        match body:
            case m.Becomes(target=target, value=value):
                self._read((target.args, value), held)
                return self._becomes(body, target, value, held)
            case m.Do(phrase=phrase):
                self._read(phrase, held)
                return self._called(phrase.verb.text, held)
            case m.Shift() | m.Pay() | m.Move() | m.Chooses() | m.Reveal() | m.Roll() | m.Consult() | m.Draw():
                self._read(body, held)
                return self._after_others(held)
            case m.DoNothing() | m.Outcome():
                return held
            case _:
                return self._after_others(held)

    def _becomes(self, node: m.Becomes, target: m.Ref, value: m.Expr, held: Held) -> Held:
        slot = id(self.checked.symbol_of(target))
        if slot not in held:
            return held
        given = self._given(value)
        if SOME in given:
            self.writers.setdefault(slot, {}).setdefault(id(node), (self.moments[-1], node))
        return {**held, slot: given if not target.args else held[slot] | given}

    def _called(self, verb: str, held: Held) -> Held:
        node = self.machine.procedures.get(verb)
        if node is None or verb in self.calls:
            everything = dict.fromkeys(held, _EITHER)
            return everything if node is not None else self._after_others(held)
        self.calls.append(verb)
        self.moments.append(verb)
        found = self._block(node.body, held)
        self.moments.pop()
        self.calls.pop()
        return found

    # ---- reading

    def _read(self, part: object, held: Held) -> None:
        """Notes what is read; whether something is none may be asked at any time."""
        tested = {id(ref) for ref in _tested(part)}
        for node in nodes_of(part):
            if isinstance(node, m.Ref) and id(node) not in tested:
                symbol = self.checked.symbols.get(id(node))
                if isinstance(symbol, SlotSymbol) and id(symbol) in held:
                    _, _, before = self.reads.get(id(node), (node, "", frozenset()))
                    self.reads[id(node)] = (node, self.moments[-1], before | held[id(symbol)])

    def _known(self, condition: m.Expr, held: Held) -> tuple[Held | None, Held | None]:
        """What is known where a test for none has come out one way or the other."""
        if not (isinstance(condition, m.Is) and isinstance(condition.right, m.Nothing)):
            return held, held
        symbol = self.checked.symbols.get(id(condition.left))
        if not isinstance(symbol, SlotSymbol) or id(symbol) not in held or symbol.params:
            return held, held
        yes, no = (self._narrowed(held, id(symbol), wanted) for wanted in (NONE, SOME))
        return (no, yes) if condition.negated else (yes, no)

    def _narrowed(self, held: Held, slot: int, wanted: str) -> Held | None:
        return {**held, slot: frozenset((wanted,))} if wanted in held[slot] else None


def _tested(part: object) -> Iterator[m.Ref]:
    for node in nodes_of(part):
        if isinstance(node, m.Is):
            sides = (node.left, node.right)
            if any(isinstance(side, m.Nothing) for side in sides):
                yield from (side for side in sides if isinstance(side, m.Ref))


def _joined(ends: Iterable[Held]) -> Held:
    found: Held = {}
    for end in ends:
        for slot, held in end.items():
            found[slot] = found.get(slot, frozenset()) | held
    return found
