"""From a book to the graph of its stories. `play` is followed from its beginning to where it reads a story.

Of everything else it is known which cells it can change, and which passages it reads; where it may be carried out,
these cells can become anything, and these passages may be read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from rules import model as m
from rules.machine import Machine
from rules.walk import nodes_of
from solver.stories.meaning import OPEN, Meaning, Unclear
from solver.stories.program import Edge, Forget, Guard, Op, Program

_MOST_READINGS = 60
_MOST_TIMES = 4  # that a block is laid end to end


def program_of(machine: Machine) -> Program | None:
    """None where the stories have something in them of which it is not known when it is done."""
    try:
        return _Compiler(machine).program
    except Unclear:
        return None


def asked_of(machine: Machine, expr: m.Expr, wanted: bool) -> tuple[Program, Guard | bool] | None:
    """The same with a condition that is asked of its states: when it holds, or does not, for something that its
    variables can stand for. None where it is not known from cells that a story can have."""
    try:
        made = _Compiler(machine, (expr, wanted))
    except (Unclear, *OPEN):
        return None
    assert made.asked is not None
    return made.program, made.asked


@dataclass(slots=True)
class _Way:
    """An edge that is being made: where it begins, and what has been passed since."""

    place: int
    ops: tuple[Op, ...] = ()
    marks: tuple[int, ...] = ()
    chosen: tuple[int, ...] = ()
    cost: int = 0

    def with_(self, *ops: Op | bool, marks: tuple[int, ...] = (), chosen: tuple[int, ...] = ()) -> _Way | None:
        """Further along; None where a condition never holds."""
        if any(op is False for op in ops):
            return None
        kept = tuple(op for op in ops if not isinstance(op, bool))
        marks, cost = (*self.marks, *marks, *chosen), self.cost + len(chosen)
        return _Way(self.place, (*self.ops, *kept), marks, (*self.chosen, *chosen), cost)

    def decided(self) -> _Way:
        """Further along, where something else than an option is chosen or rolled."""
        return replace(self, cost=self.cost + 1)


class _Compiler:
    def __init__(self, machine: Machine, asked: tuple[m.Expr, bool] | None = None) -> None:
        self.machine = machine
        self.program = Program()
        self.meaning = Meaning(machine, self.program)
        self.asked = None if asked is None else self.meaning.asked(*asked)
        self.program.entries = {name: [] for name in machine.passages}
        self._entries: dict[tuple[str, int], int] = {}  # where a passage begins, for each place where it goes back to
        self._shared: dict[str, int] = {}  # where all go back to who began with a passage
        self._waiting: list[tuple[str, int]] = []
        self._back = 0  # the place where the story that is being followed goes back to
        self._above: dict[int, tuple[str, ...]] = {0: ()}  # what was being read there, the outermost first
        self._inner: tuple[str, ...] = self._read_elsewhere()
        self._limited = self._limits()
        self._forgetting: list[tuple[int, int]] = []  # between these places others may change what they can
        self._ended: list[_Way] = []  # ways on which a moment is broken off
        self._breaks_off = any(isinstance(node, m.End) and node.moment.text != "game" for node in self._elsewhere())
        self._tables: list[str] = []
        self._outside: list[m.Ref] = list(_targets(self._elsewhere()))
        self._close(self._block(machine.play, _Way(0)), self._place())
        played = range(1, self.program.places)
        self.program.marks = frozenset(_marks((machine.play, tuple(machine.passages.values()))))
        self._begin_unread()
        while self._waiting:
            self._passage(*self._waiting.pop())
        for way in self._ended:
            for place in played:
                self._close(way, place)
        self._finish()

    def _begin_unread(self) -> None:
        """A story that the book does not read anywhere is read from its own beginnings."""
        read = {
            node.passage.text for node in nodes_of(self.machine.checked.book.declarations) if isinstance(node, m.Read)
        }
        for story in self.machine.checked.book.declarations:
            if isinstance(story, m.Story) and read.isdisjoint(p.name.text for p in story.passages()):
                for name in story.starts:
                    self._read(name.text, _Way(0))

    # ---- places and edges

    def _place(self) -> int:
        self.program.places += 1
        return self.program.places - 1

    def _close(self, way: _Way | None, target: int) -> None:
        if way is not None:
            self.program.edges.append(Edge(way.place, target, way.ops, way.marks, way.chosen, way.cost))

    def _joined(self, ways: Iterable[_Way | None]) -> _Way | None:
        found = [way for way in ways if way is not None]
        if len(found) <= 1:
            return found[0] if found else None
        place = self._place()
        for way in found:
            self._close(way, place)
        return _Way(place)

    # ---- what is not followed

    def _read_elsewhere(self) -> tuple[str, ...]:
        """The passages that actions, procedures, triggers and tables read."""
        return tuple(dict.fromkeys(node.passage.text for node in self._elsewhere() if isinstance(node, m.Read)))

    def _elsewhere(self) -> Iterator[object]:
        """All that stands neither in `play` nor in a story."""
        parts = [d for d in self.machine.checked.book.declarations if not isinstance(d, m.Story | m.Play)]
        return nodes_of(tuple(parts))

    def _limits(self) -> frozenset[int] | None:
        """The slots that limits count; None where one counts something computed."""
        found: set[int] = set()
        for _, reads in self.machine._limit_reads:
            if reads is None:
                return None
            found |= reads
        return frozenset(found)

    def _anything(self, way: _Way, what: str) -> _Way:
        """Something is carried out that is not followed: it may change what it can, and read what it can."""
        self.program.left_out[what] = None
        place, after = self._place(), self._place()
        self._close(way, place)
        self._forgetting.append((place, after))
        for name in self._inner:
            back = self._share(name)
            self._close(_Way(after), self._entry(name, back))
            self._close(_Way(back), place)
        if self._breaks_off:
            self._ended.append(_Way(after))
        return _Way(after)

    def _finish(self) -> None:
        """Once all cells are known, what others change is known."""
        cells: set[int] = set()
        for ref in self._outside:
            cells |= self._cells_of(ref)
        op = (Forget(frozenset(cells)),) if cells else ()
        self.program.edges += [Edge(place, after, op) for place, after in self._forgetting]
        self.program.start = tuple(cell.values.index(self.meaning.first(cell.address)) for cell in self.program.cells)

    def _cells_of(self, ref: m.Ref) -> set[int]:
        """The known cells that a reference can mean."""
        slot = self.machine.world.slots.get(id(self.machine.checked.symbol_of(ref)))
        if slot is None:
            return set()
        return {
            place for place, cell in enumerate(self.program.cells) if slot.base <= cell.address < slot.base + slot.count
        }

    # ---- passages

    def _passage(self, name: str, back: int) -> None:
        self._back = back
        passage = self.machine.passages[name]
        way = self._block(passage.body, _Way(self._entry(name, back)))
        if way is not None and passage.options:
            self._joined(self._options(passage.options, self._at_place(way)))  # what falls off its end is stuck

    def _entry(self, name: str, back: int) -> int:
        """Where a passage begins, in a story that goes back to a place."""
        if (name, back) not in self._entries:
            self._entries[name, back] = self._place()
            self.program.entries[name].append(self._entries[name, back])
            self._waiting.append((name, back))
        return self._entries[name, back]

    def _read(self, name: str, way: _Way) -> _Way:
        """Reads a story from a passage on. Each place of reading has the story for itself, unless that were too many,
        or a story is read inside itself: then it may go back to any of them."""
        above = self._above.get(self._back, ())
        after = self._place()
        if name in above or len(self._above) > _MOST_READINGS:
            back = self._share(name)
            self._close(_Way(back), after)
        else:
            back = after
            self._above[after] = (*above, name)
        self._close(way, self._entry(name, back))
        return _Way(after)

    def _share(self, name: str) -> int:
        if name not in self._shared:
            self._shared[name] = self._place()
            self._above[self._shared[name]] = tuple(self.machine.passages)
        return self._shared[name]

    def _at_place(self, way: _Way) -> _Way:
        place = self._place()
        self._close(way, place)
        return _Way(place)

    def _options(self, options: tuple[m.Option, ...], way: _Way) -> list[_Way | None]:
        found: list[_Way | None] = []
        for option in options:
            conditions = option.conditions
            guards: list[Guard | bool] = [self.meaning.guard(conditions.when)]
            if conditions.unless is not None:
                guards.append(self.meaning.guard(conditions.unless, False))
            for statement in option.body:
                if isinstance(statement, m.Simple) and isinstance(statement.body, m.Pay):
                    guards.append(self.meaning.enough(statement.body.amount, statement.body.source))
                    break
            chosen = way.with_(*guards, chosen=(id(option),))
            # It can be chosen even where what it does then cannot be done.
            found.append(None if chosen is None else self._block(option.body, self._at_place(chosen)))
        return found

    # ---- statements

    def _block(self, block: m.Block, way: _Way | None) -> _Way | None:
        for node in block:
            if way is None:
                return None
            way = self._statement(node, way)
        return way

    def _statement(self, node: m.Statement, way: _Way) -> _Way | None:
        match node:
            case m.Simple(body=body):
                return self._simple(node, body, way)
            case m.Phase(name=name, body=body):
                begun = self._moment(name.text, way)
                done = self._block(body, begun)
                return None if done is None else self._moment(name.text, done)
            case m.Each(body=body):
                return self._loop(body, way)
            case m.Turns(body=body):
                return self._loop(body, self._moment("turn", way))
            case m.Repeat(times=m.Number(value=times), until=None, body=body) if times <= _MOST_TIMES:
                return self._block(body * times, way)
            case m.Repeat(times=times, until=until, body=body):
                return self._loop(body, way) if times is not None or until is None else self._until(body, until, way)
            case m.If(condition=condition, then=then, otherwise=otherwise):
                begin = self._at_place(way)
                yes = begin.with_(self.meaning.guard(condition))
                no = begin.with_(self.meaning.guard(condition, False))
                return self._joined((self._block(then, yes), self._block(otherwise, no)))
            case m.RollRows(rows=rows):
                return self._rows(rows, self._at_place(way).decided())
            case m.Decides(options=options):
                begin = self._at_place(way)
                return self._joined((*self._options(options, begin), begin))
            case m.After():
                raise Unclear  # when it will be done is not known

    def _loop(self, body: m.Block, way: _Way) -> _Way:
        """So often as may be, or not at all."""
        head, after = self._at_place(way), self._place()
        end = self._block(body, head)
        self._close(end, head.place)
        self._close(end, after)
        self._close(head, after)
        return _Way(after)

    def _until(self, body: m.Block, until: m.Expr, way: _Way) -> _Way:
        head, after = self._at_place(way), self._place()
        end = self._block(body, head)
        if end is not None:
            done = self._at_place(end)
            self._close(done.with_(self.meaning.guard(until, False)), head.place)
            self._close(done.with_(self.meaning.guard(until)), after)
        return _Way(after)

    def _moment(self, name: str, way: _Way) -> _Way:
        return self._anything(way, "triggers") if ("moment", name) in self.machine.reactions else way

    def _rows(self, rows: tuple[m.Row, ...], way: _Way) -> _Way | None:
        begin = self._at_place(way)
        return self._joined([self._block(row.body, begin) for row in rows])

    def _table(self, name: str, way: _Way) -> _Way | None:
        if name in self._tables:
            return self._anything(way, "a table that consults itself")
        self._tables.append(name)
        found = self._rows(self.machine.tables[name].rows, way)
        self._tables.pop()
        return found

    def _simple(self, node: m.Simple, body: m.SimpleBody, way: _Way) -> _Way | None:
        match body:
            case m.Becomes(target=target, value=value):
                return self._changes(target, "becomes", value, way)
            case m.Shift(target=target, direction=direction, amount=amount):
                return self._changes(target, direction, amount, way)
            case m.Pay(amount=amount, source=source, target=None):
                return self._changes(source, "decreases", amount, way)
            case m.Go(passage=passage):
                self._close(way, self._entry(passage.text, self._back))
                return None
            case m.Read(passage=passage):
                return self._read(passage.text, way)
            case m.Return() | m.Ending():
                self._close(way.with_(marks=(id(node),)), self._back)
                return None
            case m.Roll(table=table) if table is not None:
                return self._table(table.text, self._at_place(way).decided())
            case m.Consult(table=table):
                return self._table(table.text, way)
            case m.DoNothing() | m.Outcome() | m.Reveal():
                return way
            case m.Roll() | m.Chooses():
                return self._at_place(way).decided()
            case m.End(moment=moment, then=then):
                if moment.text != "game":
                    end = self._block(then, way)
                    self._ended += [end] if end is not None else []
                return None
            case m.Move() | m.Draw() | m.Shuffle() | m.Pay() if not self._reacting(body):
                return way
            case _:
                return self._anything(way, _WORDS.get(type(body), "other statements"))

    def _reacting(self, body: m.SimpleBody) -> bool:
        """Whether moving things or counters lets rules do something."""
        keys = self.machine.reactions
        return any(key[0] in ("transfer", "runs out") for key in keys) or any(
            ("change", id(self.machine.checked.symbol_of(ref))) in keys for ref in _targets((body,))
        )

    def _changes(self, target: m.Ref, word: str, amount: m.Expr, way: _Way) -> _Way | None:
        slot = id(self.machine.checked.symbol_of(target))
        change = self.meaning.change(target, word, amount)
        if change is None:
            self._outside.append(target)  # which cell it is, is not known
            return self._anything(way, "changes of what hangs on the state")
        if self._limited is None or slot in self._limited:
            change = self.meaning.anything(change.cell)
        elif ("change", slot) in self.machine.reactions:
            done = way.with_(change)
            begin = self._joined((done, way))
            assert begin is not None
            return self._anything(begin, "triggers")
        return way.with_(change)


def _marks(part: object) -> Iterator[int]:
    """The options and endings that are looked for."""
    for node in nodes_of(part):
        if isinstance(node, m.Option) or (isinstance(node, m.Simple) and isinstance(node.body, m.Return | m.Ending)):
            yield id(node)


def _targets(nodes: Iterable[object]) -> Iterator[m.Ref]:
    """What statements change."""
    for node in nodes:
        ends: tuple[m.Ref | None, ...] = ()
        match node:
            case m.Becomes(target=target) | m.Shift(target=target):
                ends = (target,)
            case m.Pay(source=source, target=into):
                ends = (source, into)
            case m.Move(origin=origin, target=target):
                ends = (origin, target)
            case _:
                continue
        yield from (end for end in ends if end is not None)


_WORDS: dict[type, str] = {
    m.Takes: "actions",
    m.Offer: "actions",
    m.Window: "actions",
    m.Do: "procedures",
    m.Disable: "rules that are switched off",
}
