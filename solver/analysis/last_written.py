"""Who can have written last what a slot holds where it is read: by the order of the steps alone.

Followed is, at each place of `play` and of the procedures that it carries out, who can have written last what a slot
holds there: one of the statements, or nobody since the start. What actions write and read they can write and read
wherever somebody may act. What endings, limits and passages read, what is put off, and all that triggers have to do
with is not followed, but for triggers of steps, which are carried out where the step begins or ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import RuleNorm
from rules.machine.world import Cells
from rules.symbols import ConstantSymbol, SlotSymbol
from rules.types import EnumT, KindT, NumberT, TruthT, without_none
from rules.walk import nodes_of
from solver.play.situations import read_by

START = 0  # nobody has written it yet; writes are known by the identity of their statements, which is never 0
Held = dict[int, frozenset[int]]  # by identity of the slot's symbol: who can have written it last
_ASKS = (m.Takes, m.Offer, m.Window)
_LEAVES = (m.End, m.Return, m.Go, m.Ending)


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """A statement that writes a slot, in `moment`. `constant` is what it always writes; None where that varies.

    `sometimes`: it is carried out or not, as a condition or a roll may be.
    """

    slot: int
    moment: str
    node: m.Becomes | m.Shift | m.Pay
    constant: tuple[str, object] | None
    sometimes: bool


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """`part` is read in `moment`, where the slot was last written by one of `writers`."""

    slot: int
    moment: str
    part: m.Ref
    writers: frozenset[int]


@dataclass(slots=True)
class _Round:
    """A block that is repeated, or all of play; `first` are readings of what nobody has written by then."""

    first: list[Reading] = field(default_factory=list)


class Walk:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.checked = machine.checked
        self.start = machine.start()
        self.writes: dict[int, Write] = {}
        self.readings: dict[int, Reading] = {}
        self.used: set[int] = set()  # writes whose outcome something can read
        self.shown: set[int] = set()  # writes whose outcome players have before them when they decide
        self.overwritten: dict[int, dict[int, None]] = {}
        self.first_read: list[tuple[Reading, frozenset[int]]] = []  # with who has written it when the round is over
        self.moments: list[str] = ["play"]
        self.calls: list[str] = []
        self.alone: list[dict[int, str]] = []  # slots that a loop over things takes thing by thing, with its variable
        self.rounds: list[_Round] = []
        self.branches = 0
        self.jumped: Held = {}
        self._slots_read: dict[tuple[int, ...], tuple[tuple[m.Ref, int], ...]] = {}
        self.triggers = self._triggers_of_steps()
        self.acting = [d for d in self.checked.book.declarations if isinstance(d, m.Action)]
        self.acting_norms = [norm.body for norm in machine.norms if isinstance(norm.body, m.ModalNorm)]
        self.slots: dict[int, Cells] = self._followed()
        self.acts_read = self.slots_in((*self.acting, *self.acting_norms))
        self.acts_write = self._acts_write()
        self.acts_leave = any(isinstance(node, _LEAVES) for node in self._closure(tuple(self.acting)))
        self.triggers_leave = any(
            isinstance(node, _LEAVES)
            for norm in machine.norms
            if isinstance(norm.body, m.EventNorm)
            for node in self._closure(norm.body.body)
        )

    # ---- what is followed

    def _followed(self) -> dict[int, Cells]:
        found = {
            key: slot
            for key, slot in self.machine.world.slots.items()
            if slot.symbol.role in ("state", "attribute")
            and isinstance(without_none(slot.symbol.type), NumberT | EnumT | TruthT | KindT)
            and ("change", key) not in self.machine.reactions
        }
        for part in self._not_followed():
            for node in self._closure(part):
                found.pop(id(self.checked.symbols.get(id(node))), None)
        return found

    def _not_followed(self) -> Iterator[object]:
        """What is done and read at times that the order of the steps does not tell."""
        inline = {norm.order for norms in self.triggers.values() for norm in norms}
        for norm in self.machine.norms:
            if isinstance(norm.body, m.OutcomeNorm | m.LimitNorm | m.IgnoreNorm) or (
                isinstance(norm.body, m.EventNorm) and norm.order not in inline
            ):
                yield norm.body
        yield from (d for d in self.checked.book.declarations if isinstance(d, m.Passage | m.Precedence))
        yield from (node for node in nodes_of(self.checked.book.declarations) if isinstance(node, m.After))

    def _triggers_of_steps(self) -> dict[tuple[str, str], list[RuleNorm]]:
        """Triggers by the step and the edge of it: of steps that stand in `play` and procedures alone."""
        steps: set[str] = set()
        others: set[str] = set()
        for declaration in self.checked.book.declarations:
            names = {node.name.text for node in nodes_of(declaration) if isinstance(node, m.Phase)}
            (steps if isinstance(declaration, m.Play | m.Procedure) else others).update(names)
        found: dict[tuple[str, str], list[RuleNorm]] = {}
        for norm in self.machine.norms:
            if isinstance(norm.body, m.EventNorm) and norm.body.timing == "when":
                event = norm.body.event
                if isinstance(event, m.MomentEvent) and event.moment.name.text in steps - others:
                    found.setdefault((event.moment.name.text, event.edge), []).append(norm)
        return found

    def _closure(self, part: object) -> Iterator[object]:
        """The nodes of a part, and of all that it names, consults, carries out and lets others do."""
        waiting: list[object] = [part]
        seen: set[str] = set()
        while waiting:
            for node in read_by(self.machine, waiting.pop()):  # type: ignore[arg-type]
                yield node
                more: dict[str, object] = {}
                match node:
                    case m.Do(phrase=phrase):
                        verb = phrase.verb.text
                        more[verb] = self.machine.procedures.get(verb) or self.machine.actions.get(verb)
                    case m.Consult(table=table) | m.Roll(table=m.Name() as table):
                        more[f"table {table.text}"] = self.machine.tables[table.text]
                    case m.Takes() | m.Offer() | m.Window():
                        more["acting"] = (*self.acting, *self.acting_norms)
                    case m.Go(passage=passage) | m.Read(passage=passage):
                        more[f"passage {passage.text}"] = self.machine.passages[passage.text]
                    case _:
                        continue
                waiting += [what for name, what in more.items() if name not in seen]
                seen |= more.keys()

    def slots_in(self, part: object) -> tuple[tuple[m.Ref, int], ...]:
        """The slots that a part reads: all that it names, but for what it makes become something."""
        key = tuple(map(id, part)) if isinstance(part, tuple) else (id(part),)
        if key not in self._slots_read:
            nodes = list(self._closure(part))
            targets = {id(node.target) for node in nodes if isinstance(node, m.Becomes)}
            self._slots_read[key] = tuple(
                (node, id(symbol))
                for node in nodes
                if isinstance(node, m.Ref) and id(node) not in targets
                if isinstance(symbol := self.checked.symbols.get(id(node)), SlotSymbol) and id(symbol) in self.slots
            )
        return self._slots_read[key]

    def _acts_write(self) -> Held:
        found: Held = {}
        for action in self.acting:
            self.moments.append(action.signature.verb.text)
            for node in self._closure(action):
                if isinstance(node, m.Becomes | m.Shift | m.Pay):
                    write = self._write(node, sometimes=True)
                    if write is not None:
                        found[write.slot] = found.get(write.slot, frozenset()) | {id(node)}
            self.moments.pop()
        return found

    def _write(self, node: m.Becomes | m.Shift | m.Pay, sometimes: bool) -> Write | None:
        slot = id(self.checked.symbol_of(node.source if isinstance(node, m.Pay) else node.target))
        if slot not in self.slots:
            return None
        known = self.writes.get(id(node))
        if known is None:
            constant = self._constant(node.value) if isinstance(node, m.Becomes) else None
            known = self.writes[id(node)] = Write(slot, self.moments[-1], node, constant, sometimes)
        return known

    def _constant(self, value: m.Expr) -> tuple[str, object] | None:
        match value:
            case m.Number(value=number):
                return "number", number
            case m.Truth(value=truth):
                return "truth", truth
            case m.Nothing():
                return "none", None
            case m.Ref(name=name) if isinstance(self.checked.symbols.get(id(value)), ConstantSymbol):
                return "name", name.text
            case _:
                return None

    # ---- the walk

    def run(self) -> None:
        """Until what is carried out of blocks that are left early is known."""
        before: Held | None = None
        while before != self.jumped:
            before = dict(self.jumped)
            self.first_read = []
            self.readings = {}
            self.rounds = [_Round()]
            end = self._block(self.machine.play, dict.fromkeys(self.slots, frozenset((START,))))
            self._round_over(end)

    def _block(self, block: m.Block, held: Held) -> Held:
        for node in block:
            held = self._statement(node, held)
        return held

    def _statement(self, node: m.Statement, held: Held) -> Held:
        if self.triggers_leave:
            self._leave(held)
        match node:
            case m.Simple(body=line):
                return self._simple(line, held)
            case m.Phase(name=name, body=body):
                return self._moment(name.text, partial(self._block, body), held)
            case m.If(condition=condition, then=then, otherwise=otherwise):
                self._read(condition, held)
                return self._either(partial(self._block, then, held), partial(self._block, otherwise, held))
            case m.Each(order=order, where=where):
                self._read((order, where), held)
                return self._each(node, held)
            case m.Turns(order=order, where=where, until=until, body=body):
                self._read((order, where, until), held)
                turn = partial(self._moment, "turn", partial(self._block, body))
                return self._either(partial(self._loop, turn, held, (where, until)))
            case m.Repeat(times=times, until=until, body=body):
                self._read(times, held)
                surely = times is None or (isinstance(times, m.Number) and times.value > 0)
                return self._repeat(body, held, until, surely)
            case m.RollRows(count=count, rows=rows):
                self._read(count, held)
                return self._either(*(partial(self._block, row.body, held) for row in rows))
            case m.Decides(options=options):
                self._show(held)
                self._read(tuple(option.conditions for option in options), held)
                return self._either(lambda: held, *(partial(self._block, option.body, held) for option in options))
            case m.After():
                return held  # what it has to do with is not followed

    def _either(self, *ways: Callable[[], Held]) -> Held:
        self.branches += 1
        ends = [way() for way in ways]
        self.branches -= 1
        return _joined(ends)

    def _moment(self, name: str, body: Callable[[Held], Held], held: Held) -> Held:
        self.moments.append(name)
        skipped = any(
            not (isinstance(norm.body, m.EventNorm) and norm.body.timing == "when")
            for norm in self.machine.reactions.get(("moment", name), ())
        )
        after = self._triggered(name, "ends", body(self._triggered(name, "begins", held)))
        self.moments.pop()
        return self._left(_joined([held, after]) if skipped else after)

    def _triggered(self, name: str, edge: str, held: Held) -> Held:
        for norm in self.triggers.get((name, edge), ()):
            body = norm.body
            self.moments.append(norm.name)
            assert isinstance(body, m.EventNorm)
            self._read((body.event, body.condition), held)
            held = _joined([held, self._either(partial(self._block, body.body, held))])
            self.moments.pop()
        return held

    def _leave(self, held: Held) -> None:
        self.jumped = _joined([self.jumped, held])

    def _left(self, held: Held) -> Held:
        """At the end of something that can be left early."""
        return {slot: now | self.jumped.get(slot, frozenset()) for slot, now in held.items()}

    # ---- loops

    def _loop(self, body: Callable[[Held], Held], held: Held, asked: object, surely: bool = False) -> Held:
        entry, before, end = held, None, held
        while before != entry:
            before = entry
            end = body(entry)
            entry = _joined([entry, end])
        self._read(asked, end)
        return self._left(end if surely else entry)

    def _repeat(self, body: m.Block, held: Held, until: m.Expr | None, surely: bool) -> Held:
        first = True

        def once(now: Held) -> Held:
            nonlocal first
            self.rounds.append(_Round())
            end = self._block(body, now)
            if first:
                self._round_over(end)
            self.rounds.pop()
            first = False
            return end

        if not surely:
            return self._either(partial(self._loop, once, held, (until,)))
        return self._loop(once, held, (until,), surely)

    def _each(self, node: m.Each, held: Held) -> Held:
        """Of what a loop over all things of a kind writes for each thing alone, each thing has its own."""
        if node.where is not None:
            return self._either(partial(self._loop, partial(self._block, node.body), held, ()))
        alone = {} if node.order is not None or node.secretly else self._thing_by_thing(node)

        def once(now: Held) -> Held:
            self.alone.append(alone)
            end = self._block(node.body, {**now, **{slot: held[slot] for slot in alone}})
            self.alone.pop()
            return end

        return self._loop(once, held, (), surely=self._has_things(node))

    def _thing_by_thing(self, node: m.Each) -> dict[int, str]:
        name = node.variable.text
        type_ = getattr(self.machine.variables.get(name), "type", None)
        direct: set[int] = set()
        for inner in nodes_of(node.body):
            if getattr(inner, "variable", None) == node.variable:
                return {}
            if isinstance(inner, m.Ref) and _is_of(inner, name):
                direct.add(id(inner))
        found: dict[int, str] = {}
        others: set[int] = set()
        for inner in self._closure(node.body):
            slot = id(self.checked.symbols.get(id(inner)))
            if isinstance(inner, m.Ref) and slot in self.slots:
                found[slot] = name
                if id(inner) not in direct or self.slots[slot].symbol.params != (type_,):
                    others.add(slot)
        return {slot: name for slot in found if slot not in others}

    def _has_things(self, node: m.Each) -> bool:
        symbol = self.machine.variables.get(node.variable.text)
        type_ = getattr(symbol, "type", None)
        return isinstance(type_, KindT) and bool(self.machine.world.things.get(type_.name))

    # ---- statements of one line

    def _simple(self, body: m.SimpleBody, held: Held) -> Held:
        match body:
            case m.Becomes(target=target, value=value):
                self._read((target.args, value), held)
                return self._wrote(body, target, held)
            case m.Shift(target=target, amount=amount):
                self._read((target.args, amount), held)
                self._use(target, held)
                return self._wrote(body, target, held)
            case m.Pay(amount=amount, source=source):
                self._read((source.args, amount), held)
                self._use(source, held)
                return self._wrote(body, source, held)
            case m.Do(phrase=phrase):
                self._read(phrase, held)
                return self._called(phrase.verb.text, held)
            case m.Consult(table=table, keys=keys):
                self._read(keys, held)
                return self._consulted(table.text, held)
            case m.Roll(count=count, table=table):
                self._read(count, held)
                return held if table is None else self._consulted(table.text, held)
            case m.Takes() | m.Offer() | m.Window():
                self._read(body, held, others=False)
                return self._acted(held)
            case m.Chooses():
                self._show(held)
                self._read(body, held)
                return held
            case m.End(then=then):
                self._leave(self._block(then, held))
                return held
            case m.Return() | m.Go():
                self._leave(held)
                return held
            case _:
                self._read(body, held)
                return held

    def _wrote(self, node: m.Becomes | m.Shift | m.Pay, target: m.Ref, held: Held) -> Held:
        write = self._write(node, bool(self.branches))
        if write is None:
            return held
        slot = write.slot
        if target.args and not any(slot in alone and _is_of(target, alone[slot]) for alone in self.alone):
            return {**held, slot: held[slot] | {id(node)}}
        for other in held[slot] - {START, id(node)}:
            self.overwritten.setdefault(other, {})[id(node)] = None
        return {**held, slot: frozenset((id(node),))}

    def _called(self, verb: str, held: Held) -> Held:
        node = self.machine.procedures.get(verb)
        if node is None or verb in self.calls:
            part = node or self.machine.actions[verb]
            return self._at_any_time(part, held)
        self.calls.append(verb)
        found = self._moment(verb, partial(self._block, node.body), held)
        self.calls.pop()
        return found

    def _at_any_time(self, part: object, held: Held) -> Held:
        """What carries out a part in an order that is not followed: a procedure within itself, an action."""
        writes = [node for node in self._closure(part) if isinstance(node, m.Becomes | m.Shift | m.Pay)]
        for node in writes:
            write = self._write(node, sometimes=True)
            if write is not None:
                held = {**held, write.slot: held[write.slot] | {id(node)}}
        for ref, slot in self.slots_in(part):
            self._reads(ref, slot, held)
        return held

    def _consulted(self, table: str, held: Held) -> Held:
        name = f"table {table}"
        rows = self.machine.tables[table].rows
        if name in self.calls:
            return self._at_any_time(self.machine.tables[table], held)
        self.calls.append(name)
        end = self._either(lambda: held, *(partial(self._row, row, held) for row in rows))
        self.calls.pop()
        return end

    def _row(self, row: m.Row, held: Held) -> Held:
        self._read(row.gives, held)
        return self._block(row.body, held)

    def _acted(self, held: Held) -> Held:
        """After somebody may have acted, once or several times."""
        held = {slot: now | self.acts_write.get(slot, frozenset()) for slot, now in held.items()}
        self._show(held)
        if self.acts_leave:
            self._leave(held)
        for ref, slot in self.acts_read:
            self._reads(ref, slot, held)
        return held

    # ---- reading

    def _show(self, held: Held) -> None:
        for now in held.values():
            self.shown |= now

    def _use(self, target: m.Ref, held: Held) -> None:
        """What is counted up or down is read so, but nothing hangs on what it is."""
        slot = id(self.checked.symbol_of(target))
        if slot in self.slots:
            self.used |= held[slot]

    def _read(self, part: object, held: Held, others: bool = True) -> None:
        if part is None:
            return
        direct = {id(node) for node in nodes_of(part)}
        for ref, slot in self.slots_in(part):
            if others or id(ref) in direct:
                plainly = id(ref) in direct and not any(isinstance(n, m.And | m.Or) for n in nodes_of(part))
                self._reads(ref, slot, held, plainly)

    def _reads(self, ref: m.Ref, slot: int, held: Held, plainly: bool = False) -> None:
        known = self.readings.get(id(ref))
        now = held[slot]
        self.used |= now
        reading = Reading(slot, self.moments[-1], ref, now | (known.writers if known else frozenset()))
        self.readings[id(ref)] = reading
        if known is None and plainly and not self.branches and now == frozenset((START,)):
            self.rounds[-1].first.append(reading)

    def _round_over(self, end: Held) -> None:
        self.first_read += [(reading, end[reading.slot]) for reading in self.rounds[-1].first]


def _is_of(ref: m.Ref, variable: str) -> bool:
    return (
        len(ref.args) == 1
        and isinstance(ref.args[0], m.Ref)
        and ref.args[0] == m.Ref(m.Name(variable, ref.span), (), ref.span)
    )


def _joined(ends: Iterable[Held]) -> Held:
    found: Held = {}
    for end in ends:
        for slot, held in end.items():
            found[slot] = found.get(slot, frozenset()) | held
    return found
