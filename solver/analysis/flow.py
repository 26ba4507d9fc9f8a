"""Everything that can be carried out, with what cells can hold so far; and again, until nothing is added.

Control is followed by its text: a block where it is begun, an action where it can be offered and some rule allows it, a
trigger where its event can happen. Conditions are asked of the values found so far; what they exclude is not entered.
Conditions stay known until something is carried out that can change what they read.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field, fields

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import Applied, RuleNorm
from rules.machine.world import Value
from rules.symbols import BuiltinSymbol, SlotSymbol, TableSymbol
from rules.types import NumberT, Type, without_none
from rules.walk import nodes_of
from solver.analysis.guards import Env, Guards
from solver.analysis.sets import ValueSets
from solver.analysis.writes import Writes, Written, joined
from solver.encode.legality import Encoder
from solver.encode.sym import Sym
from solver.solve import Solver
from solver.terms import Flag, Term, bounds, either, minus, plus

_PATIENCE = 12  # so many passes before a number that still grows is taken to be any

Known = tuple[Flag, ...]  # conditions that hold where control stands


@dataclass(slots=True)
class Reached:
    """What can be carried out: statements, options and rows by identity; the rest by name."""

    statements: set[int] = field(default_factory=set)
    options: set[int] = field(default_factory=set)
    rows: set[int] = field(default_factory=set)
    passages: set[str] = field(default_factory=set)
    verbs: set[str] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)  # actions that somebody is asked for, allowed or not
    moments: set[tuple[str, str]] = field(default_factory=set)  # word and name
    events: set[Hashable] = field(default_factory=set)  # the keys of events that can happen
    triggers: set[int] = field(default_factory=set)  # norms by their order

    def size(self) -> int:
        return sum(len(getattr(self, one.name)) for one in fields(self))


@dataclass(frozen=True, slots=True)
class Closed:
    """What is known not to be reached: passages by name, options by identity."""

    passages: frozenset[str] = frozenset()
    options: frozenset[int] = frozenset()


def analyse(encoder: Encoder, solver: Solver, closed: Closed | None = None) -> Analysis:
    found = Analysis(encoder, solver, closed or Closed())
    found.run()
    return found


class Analysis:
    def __init__(self, encoder: Encoder, solver: Solver, closed: Closed) -> None:
        self.machine: Machine = encoder.machine
        self.sets = ValueSets(encoder.space)
        self.guards = Guards(encoder, solver, self.sets)
        self.reached = Reached()
        self.closed = closed
        self._written = Written(self.machine)
        self._waiting: list[tuple[str, object]] = []
        self._entered: set[tuple[str, object]] = set()
        self._consulting: list[str] = []
        self._passes = 0
        self._looked_up = self._in_statements()

    def run(self) -> None:
        before: object = None
        while before != (now := (self.reached.size(), sum(self.sets.version.values()))):
            before = now
            self._passes += 1
            self._pass()

    def _pass(self) -> None:
        self._entered.clear()
        self._block(self.machine.play, {}, ())
        for key in self.machine.reactions:
            if key[0] in ("runs out", "transfer"):  # where things are moved is not followed
                self._happens(key)
        while self._waiting:
            self._unit(*self._waiting.pop())

    def _enter(self, sort: str, what: object) -> None:
        if (sort, what) not in self._entered:
            self._entered.add((sort, what))
            self._waiting.append((sort, what))

    # ---- parts that are entered from elsewhere

    def _unit(self, sort: str, what: object) -> None:
        match sort:
            case "offered":
                assert isinstance(what, str)
                self._offered(what)
            case "action" | "procedure":
                assert isinstance(what, str)
                self._carried_out(what, ())
            case "passage":
                assert isinstance(what, str)
                self._passage(what)
            case _:
                assert isinstance(what, RuleNorm)
                self._trigger(what)

    def _offered(self, verb: str) -> None:
        self.reached.offered.add(verb)
        during = self.machine.actions[verb].during
        if during:
            names = {name for _, name in self.reached.moments} | {f"this {word}" for word, _ in self.reached.moments}
            if not any(one.text in names or one.text == "game" for one in during):
                return
        allowed = self.guards.allowed(verb)
        if self.guards.possible(allowed):
            self._carried_out(verb, (allowed,))

    def _carried_out(self, verb: str, known: Known) -> None:
        node = self.machine.actions.get(verb) or self.machine.procedures[verb]
        self.reached.verbs.add(verb)
        self.reached.moments.add(("action" if verb in self.machine.actions else "procedure", verb))
        self._happens(("phrase", verb))
        self._happens(("moment", verb))
        reacts = ("phrase", verb) in self.machine.reactions
        self._block(
            node.body, self.guards.parts(verb), () if reacts else self._after(known, self._written.moment(verb))
        )

    def _passage(self, name: str) -> None:
        if name in self.closed.passages:
            return
        self.reached.passages.add(name)
        passage = self.machine.passages[name]
        env: dict[str, Sym] = {}
        known = self._sequence(passage.body, env, ())
        if known is not None:
            self._options(passage.options, env, known)

    def _trigger(self, norm: RuleNorm) -> None:
        body = norm.body
        assert isinstance(body, m.EventNorm)
        env = self.guards.free(norm)
        known = self.guards.open_for(norm.conditions, env)
        if self._can_match(body.event) and self.guards.possible(*known):
            self.reached.triggers.add(norm.order)
            # What says the same word for word applies with it.
            self.reached.triggers |= {one.norm.order for one in self.machine.said_again(Applied(norm, {}))}
            self._block(body.body, env, known)

    def _can_match(self, event: m.Event) -> bool:
        """Whether a cell can come to hold what an event says that it becomes."""
        if not isinstance(event, m.ChangeEvent) or event.change != "becomes" or event.amount is None:
            return True
        slot = id(self.machine.checked.symbol_of(event.subject))
        sym = self.guards.amount(event.amount, {})
        if sym is None or not self.sets.follows(slot):
            return True
        return any(self.guards.possible(self.sets.is_value(sym, value, slot)) for value in self.sets.held(slot))

    def _happens(self, key: tuple[Hashable, ...]) -> None:
        self.reached.events.add(key)
        for norm in self.machine.reactions.get(key, ()):
            if isinstance(norm.body, m.EventNorm):
                self._enter("trigger", norm)

    # ---- statements

    def _after(self, known: Known, writes: Writes) -> Known:
        """What is still known when something may have been changed."""
        if writes is None:
            return ()
        return tuple(term for term in known if self.guards.reads(term).isdisjoint(writes))

    def _block(self, block: m.Block, env: Env, known: Known) -> Known | None:
        """What is known after it; None where control does not come to its end."""
        return self._sequence(block, dict(env), known)

    def _sequence(self, block: m.Block, env: dict[str, Sym], known: Known) -> Known | None:
        """Carried out in the frame of its caller: what it binds stays bound."""
        for node in block:
            self.reached.statements.add(id(node))
            after = self._statement(node, env, known)
            if after is None:
                return None
            known = after
        return known

    def _statement(self, node: m.Statement, env: dict[str, Sym], known: Known) -> Known | None:
        after = self._after(known, self._written.statement(node))
        match node:
            case m.Simple(body=body):
                for ref in self._looked_up.get(id(node), ()):
                    keys = tuple(self.guards.amount(arg, env) for arg in ref.args)
                    self._fitting(self.machine.tables[ref.name.text].rows, keys, env, known)
                return self._simple(body, env, known, after)
            case m.Phase(word=word, name=name, body=body):
                self.reached.moments.add((word, name.text))
                self._happens(("moment", name.text))
                self._block(body, env, self._after(known, self._written.moment(name.text)))
            case m.Each(variable=variable, where=where, body=body):
                inner = self.guards.bound(env, variable.text, id(node))
                self._when(self.guards.asked(where, inner).yes, body, inner, known, self._written.block(body))
            case m.Turns():
                self._turns(node, env, known)
            case m.Repeat(times=times, until=until, body=body):
                self._block(body, env, self._after(known, self._written.block(body)))
                if until is not None and times is None and self.machine.needs(until) <= env.keys():
                    return (*after, self.guards.asked(until, env).yes)
            case m.If():
                return self._if(node, env, known, after)
            case m.RollRows(count=count, die=die, variable=variable, rows=rows):
                self._rows(rows, count is None, die, variable, env, known)
            case m.Decides(options=options):
                self._options(options, env, known)
            case m.After(body=body):
                self._block(body, env, ())
        return after

    def _in_statements(self) -> dict[int, tuple[m.Ref, ...]]:
        """Where a line of its own asks what a table gives. Of a table that is asked elsewhere, in a condition or by a
        value, nothing is known: any of its rows may count."""
        found: dict[int, tuple[m.Ref, ...]] = {}
        followed: set[int] = set()
        asked: dict[int, m.Ref] = {}
        for node in nodes_of(self.machine.checked.book.declarations):
            if isinstance(node, m.Simple):
                refs = tuple(ref for ref in nodes_of(node) if isinstance(ref, m.Ref) and self._is_table(ref))
                if refs:
                    found[id(node)] = refs
                    followed |= {id(ref) for ref in refs}
            elif isinstance(node, m.Ref) and self._is_table(node):
                asked[id(node)] = node
        for ref in (ref for place, ref in asked.items() if place not in followed):
            self.reached.rows |= {id(row) for row in self.machine.tables[ref.name.text].rows}
        return found

    def _is_table(self, ref: m.Ref) -> bool:
        return isinstance(self.machine.checked.symbols.get(id(ref)), TableSymbol)

    def _when(self, test: Flag, body: m.Block, env: Env, known: Known, writes: Writes) -> None:
        """A block whose condition is asked once, and that may be carried out several times."""
        if self.guards.possible(*known, test):
            self._block(body, env, self._after((*known, test), writes))

    def _turns(self, node: m.Turns, env: Env, known: Known) -> None:
        inner = self.guards.bound(env, node.variable.text, id(node))
        held = self._after(known, joined(self._written.block(node.body), self._written.moment("turn")))
        asked = (self.guards.asked(node.until, env).no, self.guards.asked(node.where, inner).yes)
        if self.guards.possible(*held, *asked):
            self.reached.moments.add(("turn", "turn"))
            self._happens(("moment", "turn"))
            self._block(node.body, inner, self._after((*held, *asked), self._written.moment("turn")))

    def _if(self, node: m.If, env: Env, known: Known, after: Known) -> Known | None:
        asked = self.guards.asked(node.condition, env)
        ends: list[Known] = []
        for test, block in ((asked.yes, node.then), (asked.no, node.otherwise)):
            if self.guards.possible(*known, test):
                end = self._block(block, env, (*known, test))
                if end is not None:
                    ends.append(end)
        if len(ends) == 1:
            return ends[0]
        return after if ends else None

    def _options(self, options: Iterable[m.Option], env: Env, known: Known) -> None:
        for option in options:
            tests = (*self.guards.open_for(option.conditions, env), self.guards.payable(option.body, env))
            if id(option) not in self.closed.options and self.guards.possible(*known, *tests):
                self.reached.options.add(id(option))
                self._block(option.body, env, (*known, *tests))

    def _rows(
        self, rows: tuple[m.Row, ...], single: bool, die: m.Name, variable: m.Name | None, env: Env, known: Known
    ) -> None:
        inner = dict(env)
        sym = self._face(die) if single else None
        if variable is not None:
            inner.pop(variable.text, None)
            if sym is not None:
                inner[variable.text] = sym
        self._fitting(rows, (sym,), inner, known)

    def _face(self, die: m.Name) -> Sym | None:
        values = [value for value, _ in self.machine.faces(die)]
        if not all(isinstance(value, int) for value in values):
            return None
        return self.guards.encoder.symbolic(("face", id(die)), NumberT(min(values), max(values)))

    def _fitting(self, rows: tuple[m.Row, ...], keys: tuple[Sym | None, ...], env: Env, known: Known) -> None:
        """The rows that keys can fit; of a key that is None nothing is known."""
        tests: list[Flag] = [True] * len(rows)
        if None not in keys:
            tests = self.guards.encoder.row_fits(rows, tuple(key for key in keys if key is not None))
        for row, test in zip(rows, tests, strict=True):
            if self.guards.possible(*known, test):
                self.reached.rows.add(id(row))
                self._block(row.body, env, (*known, test))

    # ---- statements of one line

    def _simple(self, node: m.SimpleBody, env: dict[str, Sym], known: Known, after: Known) -> Known | None:
        match node:
            case m.Becomes(target=target, value=value):
                self._becomes(target, value, env, known)
            case m.Shift(target=target, direction=direction, amount=amount):
                self._shifts(target, direction == "increases", amount, env, known)
            case m.Pay(amount=amount, source=source, target=target):
                if target is None:
                    self._shifts(source, False, amount, env, known)
                else:
                    self._moves(source, target)
            case m.Move(origin=origin, target=target):
                self._moves(origin, target)
            case m.Draw(origin=origin, target=target, variable=variable):
                self._moves(origin, target)
                self._binds(variable, env, node)
            case m.Shuffle(pile=pile, into=into):
                self._moves(pile, into)
            case m.Roll(count=count, die=die, variable=variable, table=table):
                face = self._face(die) if count is None else None
                if variable is not None:
                    env.pop(variable.text, None)
                    if face is not None:
                        env[variable.text] = face
                if table is not None:
                    self._consult(table.text, (face,), env, known)
            case m.Consult(table=table, keys=keys):
                self._consult(table.text, tuple(self.guards.amount(key, env) for key in keys), env, known)
            case m.Chooses(variable=variable, where=where):
                self._binds(variable, env, node)
                if where is not None and variable.text in env:
                    return (*after, either(env[variable.text].absent, self.guards.asked(where, env).yes))
            case m.Takes(actor=actor):
                self._offers(actor, None)
            case m.Offer(actor=actor, phrases=phrases):
                self._offers(actor, phrases)
            case m.Window(name=name):
                self._window(name, node)
            case m.Do(phrase=phrase):
                verb = phrase.verb.text
                self._enter("action" if verb in self.machine.actions else "procedure", verb)
            case m.End(then=then):
                self._block(then, env, ())
            case m.Go(passage=passage):
                self._enter("passage", passage.text)
                return None
            case m.Read(passage=passage):
                self._enter("passage", passage.text)
            case m.Return() | m.Ending():
                return None
            case _:
                pass
        return after

    def _binds(self, variable: m.Name | None, env: dict[str, Sym], node: m.SimpleBody) -> None:
        """Where there is nothing to choose from, what is chosen is nothing at all; what is drawn is not followed."""
        if variable is not None:
            sym = self.guards.variable(variable.text, id(node))
            env.pop(variable.text, None)
            if sym is not None and isinstance(node, m.Chooses) and not node.or_none:
                env[variable.text] = Sym(sym.payload, sym.none, self.guards.unsure(id(node)))

    def _moves(self, *ends: m.Ref | None) -> None:
        for end in ends:
            if end is not None:
                slot = id(self.machine.checked.symbol_of(end))
                self._happens(("change", slot))
                if self.sets.follows(slot):
                    self.sets.add_all(slot)

    def _offers(self, actor: m.Ref, phrases: tuple[m.Phrase, ...] | None) -> None:
        if self.machine.checked.symbol_of(actor) == BuiltinSymbol("chance"):
            return
        kind = without_none(self.machine.checked.type_of(actor))
        named = None if phrases is None else {phrase.verb.text for phrase in phrases}
        self._ask(kind, named)

    def _ask(self, kind: Type | None, named: set[str] | None) -> None:
        for verb in self.machine.actions:
            acts = self.machine.acts(verb)
            alike = kind is None or acts == kind or getattr(kind, "of", None) == acts
            if (named is None or verb in named) and alike:
                self._enter("offered", verb)

    def _window(self, name: m.Name, node: m.SimpleBody) -> None:
        assert isinstance(node, m.Window)
        self.reached.moments.add(("window", name.text))
        self._happens(("moment", name.text))
        reactions = (verb for verb, action in self.machine.actions.items() if self._reacts(action, name.text))
        self._ask(None, set(reactions))

    def _reacts(self, action: m.Action, window: str) -> bool:
        return not action.during or any(moment.text == window for moment in action.during)

    def _consult(self, table: str, keys: tuple[Sym | None, ...], env: Env, known: Known) -> None:
        """The rows see the variables of whoever consults; a table inside itself is looked at once more, without."""
        depth = self._consulting.count(table)
        if depth > 1:
            return
        self._consulting.append(table)
        rows = self.machine.tables[table].rows
        if depth == 0:
            self._fitting(rows, keys, env, known)
        else:
            self._fitting(rows, (None,), {}, ())
        self._consulting.pop()

    # ---- what cells come to hold

    def _becomes(self, target: m.Ref, value: m.Expr, env: Env, known: Known) -> None:
        slot = self._changed(target)
        if slot is None:
            return
        sym = self.guards.amount(value, env)
        if sym is None:
            self.sets.add_all(slot)
            return
        for one in self.sets.missing(slot):
            test = self.sets.is_value(sym, one, slot)
            if test is not False and self.guards.possible(*known, test):
                self._grow(slot, one)

    def _shifts(self, target: m.Ref, grows: bool, amount: m.Expr, env: Env, known: Known) -> None:
        slot = self._changed(target)
        if slot is None:
            return
        sym = self.guards.amount(amount, env)
        type_ = without_none(self.machine.world.slots[slot].symbol.type)
        if sym is None or not isinstance(type_, NumberT) or not isinstance(sym.payload, int | Term):
            self.sets.add_all(slot)
            return
        least, most = bounds(sym.payload)
        if not grows:
            least, most = -most, -least
        while True:
            new = [v for v in self.sets.missing(slot) if self._can_shift(slot, v, least, most)]
            new = [v for v in new if self._is_shifted(target, slot, v, sym, grows, env, known)]
            if not new:
                return
            for one in new:
                self._grow(slot, one)

    def _can_shift(self, slot: int, value: Value, least: int, most: int) -> bool:
        """Whether some value is as far from a new one as the amount can be."""
        if value is None:
            return False
        return any(old is not None and least <= value - old <= most for old in self.sets.held(slot))

    def _is_shifted(
        self, target: m.Ref, slot: int, value: Value, amount: Sym, grows: bool, env: Env, known: Known
    ) -> bool:
        """Whether a value of the slot and an amount make the new one, where what is known holds.

        What is done before the event may change the cell in the meantime: then any old value is possible.
        """
        old = self.guards.amount(target, env)
        reacts = ("change", slot) in self.machine.reactions
        if old is None or reacts:
            return True
        after = plus(old.payload, amount.payload) if grows else minus(old.payload, amount.payload)
        return self.guards.possible(
            *known, amount.there, self.sets.is_value(Sym(after, old.none, old.absent), value, slot)
        )

    def _changed(self, target: m.Ref) -> int | None:
        """The slot that a statement changes, if it is one whose values are followed."""
        symbol = self.machine.checked.symbol_of(target)
        assert isinstance(symbol, SlotSymbol)
        self._happens(("change", id(symbol)))
        return id(symbol) if self.sets.follows(id(symbol)) else None

    def _grow(self, slot: int, value: Value) -> None:
        if self._passes > _PATIENCE:
            self.sets.add_all(slot)
        else:
            self.sets.add(slot, value)

    # ---- telling

    def invariants(self) -> Iterator[str]:
        """What is true of every state of play, in words: for each slot that does not come to hold all that it could."""
        for slot in self.sets.version:
            if self.sets.missing(slot):
                yield self.sets.words(slot)
