"""What statements can change, with all that follows from them: so that what is known beforehand can be forgotten.

What is changed is named by marks: a slot by the identity of its symbol, all piles of a kind together, and `ANYTHING`
where somebody chooses an action or a story goes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules import model as m
from rules.machine import Machine
from rules.symbols import SlotSymbol
from rules.types import PileT
from solver.encode.space import Space
from solver.terms import Flag, Term, variables_of

Mark = tuple[str, object]
Marks = frozenset[Mark]
ANYTHING: Mark = ("anything", None)
DECISION: Mark = ("decision", None)  # nothing changes, but somebody has decided something
PAST: Mark = ("past", None)  # what happened, what is switched off, who has won: every event can change it


Part = Mark | m.Statement  # what is changed, or a statement that follows


class Writes:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._parts: dict[int, tuple[Part, ...]] = {}
        self._known: dict[int, Marks] = {}

    def of(self, block: m.Block) -> Marks:
        return frozenset(mark for statement in block for mark in self.of_statement(statement))

    def of_statement(self, node: m.Statement) -> Marks:
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = self._all((node,))
        return known

    def of_event(self, *keys: tuple[object, ...]) -> Marks:
        """By the rules that react to events."""
        return self._all(self._reacting(*keys))

    def of_call(self, verb: str) -> Marks:
        return self._all(self._called(verb))

    def _all(self, parts: Iterable[Part]) -> Marks:
        """All that follows; rules may well follow from each other in a circle."""
        found: set[Mark] = set()
        seen: set[int] = set()
        waiting = list(parts)
        while waiting:
            part = waiting.pop()
            if isinstance(part, tuple):
                found.add(part)
            elif id(part) not in seen:
                seen.add(id(part))
                waiting += self._of(part)
        return frozenset(found)

    def _of(self, node: m.Statement) -> tuple[Part, ...]:
        found = self._parts.get(id(node))
        if found is None:
            found = self._parts[id(node)] = tuple(self._statement(node))
        return found

    def _statement(self, node: m.Statement) -> Iterator[Part]:
        match node:
            case m.Simple(body=body):
                yield from self._simple(body)
            case m.Phase(name=name, body=body):
                yield from (*self._reacting(("moment", name.text)), *body)
            case m.Turns(body=body):
                yield from (*self._reacting(("moment", "turn")), *body)
            case m.Each(body=body) | m.Repeat(body=body) | m.After(body=body):
                yield from body
            case m.If(then=then, otherwise=otherwise):
                yield from (*then, *otherwise)
            case m.RollRows(rows=rows):
                yield from (statement for row in rows for statement in row.body)
            case m.Decides(options=options):
                yield DECISION
                yield from (statement for option in options for statement in option.body)

    def _simple(self, node: m.SimpleBody) -> Iterator[Part]:
        match node:
            case m.Becomes(target=target) | m.Shift(target=target):
                yield from self._slots(target)
            case m.Pay(source=source, target=into):
                yield from self._slots(source, into)
            case m.Move(origin=origin, target=into):
                yield from self._slots(origin, into)
            case m.Draw(origin=source, target=target):
                yield from self._slots(source, target)
            case m.Shuffle(pile=pile, into=into):
                yield from self._slots(pile, into)
            case m.Do(phrase=phrase):
                yield from self._called(phrase.verb.text)
            case m.Roll(table=table) if table is not None:
                yield from self._table(table.text)
            case m.Consult(table=table):
                yield from self._table(table.text)
            case m.Takes() | m.Offer() | m.Window() | m.Go() | m.Read() | m.End() | m.Return() | m.Ending():
                yield ANYTHING
                yield DECISION
            case m.Chooses():
                yield DECISION
            case m.Disable() | m.Outcome():
                yield PAST
            case _:
                pass

    def _called(self, verb: str) -> Iterator[Part]:
        node = self.machine.actions.get(verb) or self.machine.procedures[verb]
        yield from (*self._reacting(("phrase", verb), ("moment", verb)), *node.body)

    def _table(self, name: str) -> Iterator[Part]:
        return (statement for row in self.machine.tables[name].rows for statement in row.body)

    def _reacting(self, *keys: tuple[object, ...]) -> Iterator[Part]:
        yield PAST
        for key in keys:
            for norm in self.machine.reactions.get(key, ()):
                if isinstance(norm.body, m.EventNorm):
                    yield from norm.body.body

    def _slots(self, *refs: m.Ref | None) -> Iterator[Part]:
        for ref in refs:
            if ref is None:
                continue
            symbol = self.machine.checked.symbol_of(ref)
            assert isinstance(symbol, SlotSymbol)
            if not isinstance(symbol.type, PileT):
                yield ("slot", id(symbol))
                yield from self._reacting(("change", id(symbol)), ("runs out", id(symbol)))
                continue
            kind = symbol.type
            yield ("piles", kind.kind)
            same = [id(slot.symbol) for slot in self.machine.world.slots.values() if slot.symbol.type == kind]
            yield from self._reacting(*((sort, slot) for slot in same for sort in ("transfer", "runs out")))


def marks_of(space: Space, term: Flag) -> Marks:
    """What a condition hangs on. What stands for a part of a move or for what was rolled never changes."""
    return frozenset(mark for variable in variables_of(*_only(term)) for mark in _mark(space, variable))


def _only(term: Flag) -> Iterable[Term]:
    return (term,) if isinstance(term, Term) else ()


def _mark(space: Space, variable: Term) -> Iterator[Mark]:
    name = variable.args[0]
    match name[0]:
        case "cell" | "none" | "has" | "count" | "place":
            yield ("slot", id(space.slot_at(name[1]).symbol))
        case "lies" | "depth":
            yield ("piles", name[1])
        case "part" | "part none" | "bound" | "running":
            pass
        case "sees" | "within limits":
            yield ANYTHING
        case _:
            yield PAST
