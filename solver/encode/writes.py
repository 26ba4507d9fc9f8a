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
from rules.walk import nodes_of
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

    def of_others(self, block: m.Block, variable: str, read: m.Expr) -> Marks:
        """What a block can change that a condition reads of one thing, while it is done for other things in its turn.

        A slot of which the block changes only what belongs to its own thing, and the condition reads only that, stays.
        """
        inside = {id(node) for node in nodes_of(block)}
        follows = [
            part
            for node in nodes_of(block)
            if isinstance(node, _STATEMENTS)
            for part in self._of(node)
            if not isinstance(part, tuple) and id(part) not in inside
        ]
        changed = [ref for node in nodes_of(block) for ref in _targets(node)]
        changed_elsewhere = self._all(follows)
        kept = {
            mark
            for ref in changed
            if (mark := ("slot", id(self.machine.checked.symbol_of(ref)))) not in changed_elsewhere
            and self._only_of(mark, variable, (*changed, read))
        }
        return self.of(block) - kept

    def _only_of(self, mark: Mark, variable: str, parts: tuple[object, ...]) -> bool:
        """Whether a slot is named only as that of the variable."""
        for node in nodes_of(parts):
            if isinstance(node, m.Ref) and ("slot", id(self.machine.checked.symbols.get(id(node)))) == mark:
                names = [arg.name.text for arg in node.args if isinstance(arg, m.Ref) and not arg.args]
                if names != [variable]:
                    return False
        return True

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
                yield from self._slot(target)
            case m.Pay(source=source, target=into):
                yield from self._slot(source, taken=into is not None)
                yield from self._slot(into)
            case m.Move(origin=origin, target=into):
                yield from self._slot(origin, taken=True)
                yield from self._slot(into)
            case m.Draw(origin=source, target=target):
                yield from self._slot(source, taken=True)
                yield from self._slot(target)
            case m.Shuffle(pile=pile, into=into):
                yield from self._slot(pile)
                yield from self._slot(into)
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

    def _slot(self, ref: m.Ref | None, taken: bool = False) -> Iterator[Part]:
        """A slot that is changed; what is taken from can run out."""
        if ref is None:
            return
        symbol = self.machine.checked.symbol_of(ref)
        assert isinstance(symbol, SlotSymbol)
        if taken:
            yield from self._reacting(("runs out", id(symbol)))
        if isinstance(symbol.type, PileT):
            yield ("piles", symbol.type.kind)
            same = [slot.symbol for slot in self.machine.world.slots.values() if slot.symbol.type == symbol.type]
            yield from self._reacting(*(("transfer", id(one)) for one in same))
        else:
            yield ("slot", id(symbol))
            yield from self._reacting(("change", id(symbol)))


_STATEMENTS = m.Simple | m.Phase | m.Each | m.Turns | m.Repeat | m.If | m.RollRows | m.Decides | m.After


def _targets(node: object) -> Iterator[m.Ref]:
    """What a statement of one line changes itself."""
    match node:
        case m.Becomes(target=one) | m.Shift(target=one):
            yield one
        case m.Pay(source=one, target=other):
            yield from (ref for ref in (one, other) if ref is not None)
        case m.Move(origin=origin, target=into):
            yield from (ref for ref in (origin, into) if ref is not None)
        case m.Draw(origin=one, target=target):
            yield from (one, target)
        case m.Shuffle(pile=one, into=other):
            yield from (ref for ref in (one, other) if ref is not None)
        case _:
            pass


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
