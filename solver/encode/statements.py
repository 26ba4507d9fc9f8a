"""Statements followed one by one: what each asks for, what is known in its branches, what is known after it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from typing import Literal

from rules import model as m
from rules.symbols import SlotSymbol, VariableSymbol
from rules.types import NumberT, PileT, without_none
from solver.encode.bound import Binder
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.spots import Spot, knowing, placed
from solver.encode.sym import Sym, alike, size_of
from solver.encode.writes import ANYTHING, DECISION, Writes, marks_of
from solver.terms import Flag, Term, at_most, both, either, every, larger, less, minus, no, pick, plus, some

_MOST = 20_000  # statements that are followed; beyond, procedures are not entered again
Reason = Literal["undetermined", "gap", "broken"]


@dataclass(frozen=True, slots=True)
class Stop:
    """What the interpreter would stop at, and when. `about` is as in a `Trouble`; or a row of a roll, by its die, or a
    stock that runs out, by its slot."""

    kind: Reason
    about: tuple[Hashable, ...]
    when: Flag
    spot: Spot


class Statements:
    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.machine = encoder.machine
        self.binder = Binder(encoder)
        self.writes = Writes(encoder.machine)
        self.stops: list[Stop] = []
        self.failures: list[tuple[str, NotEncodable]] = []
        self._followed = 0
        self._seen: set[tuple[object, ...]] = set()

    # ---- asking

    def stop(self, kind: Reason, about: Hashable, when: Flag, spot: Spot) -> None:
        reached = both(spot.given, when)
        if reached is not False:
            reached = both(reached, placed(spot, self.encoder, reached))
        if reached is False:
            return
        assert isinstance(about, tuple)
        mark = (kind, about, reached, spot.part)
        if mark not in self._seen:
            self._seen.add(mark)
            self.stops.append(Stop(kind, about, reached, spot))

    def ask(self, expr: m.Expr, spot: Spot) -> Sym | None:
        """What an expression is at a spot; None where it cannot be told."""
        if not self.machine.needs(expr) <= spot.env.keys():
            return None
        try:
            with self.encoder.apart() as troubles:
                found = self.encoder.value(expr, spot.env)
        except NotEncodable as reason:
            self.failures.append((spot.part, reason))
            return None
        for trouble in troubles:
            self.stop(trouble.kind, trouble.about, trouble.when, spot)
        return found

    def holds(self, expr: m.Expr, spot: Spot) -> Flag | None:
        found = self.ask(expr, spot)
        return None if found is None else found.truth

    def branch(self, spot: Spot, condition: Flag | None) -> Spot | None:
        """The same spot where a condition holds; None where it cannot. What cannot be told is not known."""
        if condition is None or condition is True:
            return spot
        if both(spot.given, condition) is False:
            return None
        return knowing(spot, self.encoder, condition)

    def met(self, conditions: m.Conditions, spot: Spot) -> Spot | None:
        found: Spot | None = spot
        if conditions.when is not None:
            found = self.branch(spot, self.holds(conditions.when, spot))
        if found is not None and conditions.unless is not None:
            found = self.branch(found, _denied(self.holds(conditions.unless, found)))
        return found

    # ---- blocks

    def block(self, block: m.Block, spot: Spot) -> Spot | None:
        """Where control stands after a block; None where it never comes there."""
        at: Spot | None = spot
        for statement in block:
            if at is None:
                return None
            self._followed += 1
            at = self._statement(statement, replace(at, span=statement.span))
        return at

    def _statement(self, node: m.Statement, spot: Spot) -> Spot | None:
        after = spot.after(self.writes.of_statement(node))
        match node:
            case m.Simple(body=body):
                return self._simple(body, spot, after)
            case m.Phase(name=name, word=word, body=body):
                begun = spot.after(self.writes.of_event(("moment", name.text))).inside(name.text, word)
                self.block(body, begun)
            case m.Each(variable=variable, order=order, where=where, body=body):
                self._each(variable.text, order, where, body, spot)
            case m.Turns():
                return self._turns(node, spot, after)
            case m.Repeat():
                return self._repeat(node, spot, after)
            case m.If(condition=condition, then=then, otherwise=otherwise):
                return self._if(condition, then, otherwise, spot, after)
            case m.RollRows():
                self._roll_rows(node, spot)
            case m.Decides(options=options):
                self.options(options, spot)
                return after
            case m.After(body=body):
                self.block(body, spot.after(frozenset({ANYTHING})))
        return after

    def _each(self, variable: str, order: m.Ref | None, where: m.Expr | None, body: m.Block, spot: Spot) -> None:
        if order is not None:
            self.ask(order, spot)
        begun = spot.bound(variable, self.binder.variable(variable))
        inside = begun.after(self.writes.of(body))
        if where is not None:
            test = self.holds(where, begun)
            if self.branch(begun, test) is None:
                return
            fits = knowing(replace(begun, known=()), self.encoder, True if test is None else test)
            stays = fits.after(self.writes.of_others(body, variable, where))
            inside = replace(inside, known=(*inside.known, *stays.known))
        self.block(body, inside)

    def _turns(self, node: m.Turns, spot: Spot, after: Spot) -> Spot | None:
        again = spot.after(self.writes.of(node.body) | self.writes.of_event(("moment", "turn")))
        until = self.holds(node.until, again)
        begins = self.branch(again, _denied(until))
        if begins is not None:
            if node.order is not None:
                self.ask(node.order, begins)
            name = node.variable.text
            turn: Spot | None = begins.bound(name, self.binder.variable(name))
            assert turn is not None
            if node.where is not None:
                turn = self.branch(turn, self.holds(node.where, turn))
            if turn is not None:
                begun = turn.after(self.writes.of_event(("moment", "turn")))
                self.block(node.body, begun.inside("turn", "turn", turn.env[name]))
        return after if node.where is not None else self.branch(after, until)

    def _repeat(self, node: m.Repeat, spot: Spot, after: Spot) -> Spot | None:
        if node.times is not None:
            self.ask(node.times, spot)
        end = self.block(node.body, spot.after(self.writes.of(node.body)))
        if end is None or node.until is None:
            return after
        until = self.holds(node.until, end)
        return after if node.times is not None else self.branch(after, until if _is_of(until, after, end) else None)

    def _if(self, condition: m.Expr, then: m.Block, otherwise: m.Block, spot: Spot, after: Spot) -> Spot | None:
        test = self.holds(condition, spot)
        ends: list[Spot | None] = []
        for block, found in ((then, test), (otherwise, _denied(test))):
            inside = self.branch(spot, found)
            ends.append(None if inside is None else self.block(block, inside))
        if ends[0] is None and ends[1] is None:
            return None
        if None in ends and test is not None:
            left = _denied(test) if ends[0] is None else test
            block = otherwise if ends[0] is None else then
            known = self.branch(spot, left)
            return None if known is None else known.after(self.writes.of(block))
        return after

    def options(self, options: tuple[m.Option, ...], spot: Spot) -> None:
        for option in options:
            inside = self.met(option.conditions, replace(spot, span=option.span))
            if inside is None:
                continue
            try:
                with self.encoder.apart() as troubles:
                    payable: Flag | None = self.encoder.block_payable(option.body, inside.env)
            except NotEncodable as reason:
                self.failures.append((spot.part, reason))
                payable = None
            else:
                for trouble in troubles:
                    self.stop(trouble.kind, trouble.about, trouble.when, inside)
            chosen = self.branch(inside, payable)
            if chosen is not None:
                self.block(option.body, chosen.after(frozenset({DECISION})))

    # ---- statements of one line

    def _simple(self, node: m.SimpleBody, spot: Spot, after: Spot) -> Spot | None:
        match node:
            case m.Becomes(target=target, value=value):
                self._args(target, spot)
                found = self.ask(value, spot)
                self._kept_in_range(target, found, spot)
                return self._set(target, found, spot, after)
            case m.Shift(target=target, direction=direction, amount=amount):
                self._args(target, spot)
                self._shifted(target, direction, self.ask(amount, spot), spot)
            case m.Move(what=what, origin=origin, target=target):
                self._args(target, spot)
                self._moved(self.ask(what, spot), origin, spot)
            case m.Pay(amount=amount, source=source, target=paid_to):
                found = self.ask(amount, spot)
                if paid_to is not None:
                    self._args(paid_to, spot)
                    self._moved(found, source, spot)
                else:
                    self._shifted(source, "decreases", found, spot)
            case m.Draw():
                return self._draw(node, spot, after)
            case m.Shuffle(pile=pile, into=into):
                self._args(pile, spot)
                if into is not None:
                    self._args(into, spot)
            case m.Roll():
                return self._roll(node, spot, after)
            case m.Consult(table=table, keys=keys):
                self._consult(table.text, [self.ask(key, spot) for key in keys], spot)
            case m.Chooses():
                return self._chooses(node, spot, after)
            case m.Takes(count=count):
                if count is not None:
                    self.ask(count, spot)
                return after
            case m.Offer(phrases=phrases):
                for arg in (arg for phrase in phrases for arg in phrase.args):
                    self.ask(arg.value, spot)
                return after
            case m.Window(order=order):
                if order is not None:
                    self.ask(order, spot)
                return after
            case m.Do(phrase=phrase):
                self._do(phrase, spot)
            case m.End(moment=moment, then=then):
                self.block(then, spot.after(frozenset({ANYTHING})))
                return None if self._runs(moment.text, spot) else after
            case m.Go() | m.Return() | m.Ending():
                return None
            case m.Outcome(player=player, result=result):
                if player is not None:
                    self.ask(player, spot)
                return None if result == "wins" else after
            case m.Read():
                return after
            case m.Reveal() | m.Disable() | m.DoNothing():
                pass
        return after

    def _runs(self, moment: str, spot: Spot) -> bool:
        """Whether a moment is certain to run around a spot."""
        if any(moment in (one.name, f"this {one.word}") for one in spot.inner):
            return True
        return bool(spot.contexts) and all(moment in context.names for context in spot.contexts)

    def _args(self, ref: m.Ref, spot: Spot) -> None:
        for arg in ref.args:
            self.ask(arg, spot)

    def _set(self, target: m.Ref, value: Sym | None, spot: Spot, after: Spot) -> Spot | None:
        """What was set is known, where nothing reacts to it and nothing limits it."""
        symbol = self.machine.checked.symbol_of(target)
        if value is None or self.machine.reactions.get(("change", id(symbol))) or self.machine.limits:
            return after
        if not self.machine.needs(target) <= spot.env.keys() or not isinstance(symbol, SlotSymbol):
            return after
        with self.encoder.apart():
            now = alike(self.encoder.value(target, spot.env), value)
        if not isinstance(value.payload, bool | int | Term):
            return after
        changed = {("slot", id(symbol))}
        used = (value, *(self.encoder.value(arg, spot.env) for arg in target.args))
        hangs = all(
            changed.isdisjoint(marks_of(self.encoder.space, part))
            for sym in used
            for part in (sym.payload, sym.none, sym.absent)
        )
        return knowing(after, self.encoder, now) if hangs else after

    # ---- ranges

    def _shifted(self, target: m.Ref, direction: str, amount: Sym | None, spot: Spot) -> None:
        """A number that is added to or taken from; a set or a bag has no ends."""
        symbol = self.machine.checked.symbol_of(target)
        assert isinstance(symbol, SlotSymbol)
        held = self.ask(target, spot)
        if amount is None or held is None or not isinstance(without_none(symbol.type), NumberT):
            return
        change = plus if direction == "increases" else minus
        there = both(amount.there, held.there)
        self._kept_in_range(target, Sym(change(held.payload, amount.payload), absent=no(there)), spot)

    def _kept_in_range(self, target: m.Ref, value: Sym | None, spot: Spot) -> None:
        symbol = self.machine.checked.symbol_of(target)
        assert isinstance(symbol, SlotSymbol)
        type_ = without_none(symbol.type)
        if isinstance(type_, NumberT) and value is not None:
            inside = both(at_most(type_.low, value.payload), at_most(value.payload, type_.high))
            self.stop("broken", ("range", symbol.span, target.span), both(value.there, no(inside)), spot)

    # ---- stocks

    def _moved(self, number: Sym | None, origin: m.Ref | None, spot: Spot) -> None:
        """Counters are moved from a place of a pool that can hold too few."""
        if origin is None:
            return
        self._args(origin, spot)
        symbol = self.machine.checked.symbol_of(origin)
        assert isinstance(symbol, SlotSymbol)
        held = self.ask(origin, spot)
        if isinstance(symbol.type, PileT) or number is None or held is None:
            return
        self._short(symbol, origin, both(number.there, held.there, less(held.payload, number.payload)), spot)

    def _draw(self, node: m.Draw, spot: Spot, after: Spot) -> Spot | None:
        count, pile = self.ask(node.count, spot), self.ask(node.origin, spot)
        self._args(node.target, spot)
        symbol = self.machine.checked.symbol_of(node.origin)
        assert isinstance(symbol, SlotSymbol)
        if count is not None and pile is not None and pile.there is not False:
            wanted = pick(count.there, larger(0, count.payload), 0)
            self._short(symbol, node.origin, both(pile.there, less(size_of(pile), wanted)), spot)
        if node.variable is None:
            return after
        name = node.variable.text
        drawn = self.machine.variables[name]
        assert isinstance(drawn, VariableSymbol)
        return after.bound(name, self.binder.any(name, drawn.type, none=True))

    def _short(self, symbol: SlotSymbol, origin: m.Ref, when: Flag, spot: Spot) -> None:
        if when is not False:
            when = both(when, no(self._reacts(symbol, origin, spot)))
        self.stop("gap", ("runs out", id(symbol), origin.span), when, spot)

    def _reacts(self, symbol: SlotSymbol, origin: m.Ref, spot: Spot) -> Flag:
        """When some rule says what is done if a stock runs out."""
        found: list[Flag] = []
        for norm in self.machine.reactions.get(("runs out", id(symbol)), ()):
            body = norm.body
            assert isinstance(body, m.EventNorm | m.IgnoreNorm)
            event = body.event if isinstance(body, m.EventNorm) else body.what
            assert isinstance(event, m.RunsOutEvent)
            try:
                with self.encoder.apart():
                    args = [self.encoder.value(arg, spot.env) for arg in origin.args]
                    for env in self.encoder.bindings(norm):
                        fits = every(self.encoder.unify(a, v, env) for a, v in zip(event.pile.args, args, strict=True))
                        found.append(both(fits, self.encoder.applies(norm, env)))
            except NotEncodable as reason:
                self.failures.append((norm.name, reason))
                return True
        return some(found)

    # ---- dice, tables, choices, calls

    def _rolled(self, count: m.Expr | None, die: m.Name, spot: Spot) -> tuple[Sym, Sym, Flag] | None:
        """What `as` names, the total, and what is known of them."""
        try:
            if count is None:
                face, known = self.binder.face(die)
                return face, face, known
            number = self.ask(count, spot)
            if number is None:
                return None
            dice, known = self.binder.dice(die, number)
            return dice, self.binder.totalled(dice), known
        except NotEncodable as reason:
            self.failures.append((spot.part, reason))
            return None

    def _roll(self, node: m.Roll, spot: Spot, after: Spot) -> Spot | None:
        rolled = self._rolled(node.count, node.die, spot)
        if rolled is None:
            return after
        shown, total, known = rolled
        named = node.variable.text if node.variable is not None else None
        here = knowing(spot if named is None else spot.bound(named, shown), self.encoder, known)
        if node.table is not None:
            self._consult(node.table.text, [total], here)
        return knowing(after if named is None else after.bound(named, shown), self.encoder, known)

    def _roll_rows(self, node: m.RollRows, spot: Spot) -> None:
        rolled = self._rolled(node.count, node.die, spot)
        if rolled is None:
            return
        _, total, known = rolled
        here = knowing(spot, self.encoder, known)
        if node.variable is not None:
            here = here.bound(node.variable.text, total)
        self._rows(node.rows, (total,), ("rows", node.die.span, (total,)), here)

    def _consult(self, name: str, keys: list[Sym | None], spot: Spot) -> None:
        table = self.machine.tables[name]
        known = tuple(key for key in keys if key is not None)
        if len(known) == len(keys):
            self._rows(table.rows, known, ("table", table.name.span, known), spot)

    def _rows(self, rows: tuple[m.Row, ...], keys: tuple[Sym, ...], about: tuple[Hashable, ...], spot: Spot) -> None:
        fits = self.encoder.row_fits(rows, keys)
        there = every(no(key.absent) for key in keys)
        self.stop("gap", about, both(there, no(some(fits))), spot)
        meet = some(
            both(fits[a], fits[b])
            for a in range(len(rows))
            for b in range(a + 1, len(rows))
            if (rows[a].gives, rows[a].body) != (rows[b].gives, rows[b].body)
        )
        self.stop("undetermined", about, both(there, meet), spot)
        for row, fit in zip(rows, fits, strict=True):
            inside = self.branch(spot, fit)
            if inside is not None:
                self.block(row.body, inside)

    def _chooses(self, node: m.Chooses, spot: Spot, after: Spot) -> Spot | None:
        name = node.variable.text
        symbol = self.machine.variables[name]
        assert isinstance(symbol, VariableSymbol)
        chosen = self.binder.any(name, symbol.type, none=node.or_none, absent=node.where is not None)
        here = after.bound(name, chosen)
        if node.where is None:
            return here
        fits = self.holds(node.where, spot.bound(name, Sym(chosen.payload)))
        return here if fits is None else knowing(here, self.encoder, either(no(chosen.there), fits))

    def _do(self, phrase: m.Phrase, spot: Spot) -> None:
        verb = phrase.verb.text
        node = self.machine.actions.get(verb) or self.machine.procedures[verb]
        labels = [param.label for param in node.signature.params]
        args = {labels.index(arg.label): self.ask(arg.value, spot) for arg in phrase.args}
        if any(one.name == verb for one in spot.inner) or self._followed > _MOST:
            return
        env: dict[str, Sym] = {}
        owner: Sym | None = None
        for place, param in enumerate(node.signature.params):
            given = args.get(place)
            sym = self.binder.variable(param.variable.text) if given is None else given
            env[param.variable.text] = sym
            if param.label == "by":
                owner = sym
        begun = spot.after(self.writes.of_event(("moment", verb)))
        word = "action" if verb in self.machine.actions else "procedure"
        inside = replace(begun, part=verb, clauses=node.clauses, env=env).inside(verb, word, owner)
        there = self.branch(inside, every(no(sym.absent) for sym in env.values()))
        if there is not None:
            self.block(node.body, there)


def _denied(condition: Flag | None) -> Flag | None:
    return None if condition is None else no(condition)


def _is_of(condition: Flag | None, one: Spot, other: Spot) -> bool:
    """Whether a condition speaks only of what was named before both."""
    return condition is not None and one.env.keys() == other.env.keys()
