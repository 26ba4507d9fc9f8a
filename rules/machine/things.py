"""Things and numbers: how cells change, what keeps them within limits, how piles and pools are moved."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

from rules import model as m
from rules.machine.base import Broken, Chance, Happening, LimitReached, Move, Node
from rules.machine.evaluate import Env, bag_add, bag_take
from rules.machine.events import Events
from rules.machine.norms import Applied, Gap, RuleNorm, Ruling, Undetermined
from rules.machine.state import MISSING, Frame, State
from rules.machine.world import NOTHING, Value
from rules.span import Span
from rules.symbols import RankSymbol, SlotSymbol, TableSymbol, ValueSymbol, VariableSymbol
from rules.types import BagT, NumberT, OrderT, PileT, SetT, Type, without_none
from rules.walk import nodes_of

MAX_STEPS = 100_000  # without a decision: a loop that never ends


class Things(Events, ABC):
    # ---- changing cells

    def _do_change(self, happening: Happening, address: int, span: Span, state: State) -> tuple[Happening, ...]:
        """The amount is added to what is there now: something may have come between."""
        slot = self._slot_at[address]
        old = state.cells[address]
        new = happening.new if old == happening.old else _changed(old, happening)
        state.cells[address] = new

        def limited() -> None:
            for norm, excess in self._exceeded({address: old}, state):
                if _rest_lost(norm) and isinstance(new, int):
                    state.cells[address] = max(old, state.cells[address] - excess)
                else:
                    self._refuse(norm, {address: old}, state)

        self._within_limits((address,), state, limited)
        done = state.cells[address]
        if done == old and new != old:
            return ()
        if not self.world.has(slot.type, done):
            state.cells[address] = old
            raise Broken(self._beyond(slot, done), span)
        state.shown.pop(("", address), None)
        if done == happening.new and old == happening.old:
            return (happening,)
        amount = abs(done - old) if _is_number(done) and happening.amount is not None else happening.amount
        return (replace(happening, old=old, new=done, amount=amount),)

    def _beyond(self, slot: SlotSymbol, value: Value) -> str:
        """What is wrong with a value that a slot cannot hold."""
        type_ = without_none(slot.type)
        if isinstance(type_, NumberT) and isinstance(value, int):
            return f"`{slot.name}` would be {value}, and it is {type_.low}..{type_.high}"
        if isinstance(type_, BagT) and isinstance(value, tuple) and len(value) > type_.limit:
            return f"`{slot.name}` would hold {len(value)}, and it is a bag of up to {type_.limit}"
        if isinstance(type_, OrderT):
            return f"`{slot.name}` would not be an order of all: some are missing"
        return f"`{slot.name}` would be {self.world.show(value, slot.type)}, and it cannot be that"

    def _within_limits(self, changed: tuple[int, ...], state: State, limited: Callable[[], None]) -> None:
        """Lets the limits have their way with cells that have changed: the same by every reading and every version."""
        if not self.limits:
            return
        if not self.has_versions:
            limited()
            return
        now = {address: state.cells[address] for address in changed}

        def ask() -> tuple[object, tuple[dict[int, Value], LimitReached | None]]:
            reached = None
            try:
                limited()
            except LimitReached as found:
                reached = found
            left = {address: state.cells[address] for address in changed}
            for address, value in now.items():
                state.cells[address] = value
            return (left, reached is None), (left, reached)

        left, reached = self.under_readings("what the limits leave", self.limits, state, ask)
        if reached is not None:
            raise reached
        for address, value in left.items():
            state.cells[address] = value

    def _refuse(self, norm: RuleNorm, before: dict[int, Value], state: State) -> None:
        """A limit does not let it happen; while legality is asked, that is what was asked."""
        if state.asking and not _rest_lost(norm):
            raise LimitReached(norm)
        for address, value in before.items():
            state.cells[address] = value

    def _exceeded(self, before: dict[int, Value], state: State) -> Iterator[tuple[RuleNorm, int]]:
        """The limits that a change exceeds, or exceeds by more than before, and by how much."""
        for norm, reads in self._limit_reads:
            if reads is not None and not any(id(self._slot_at[address]) in reads for address in before):
                continue
            body = norm.body
            assert isinstance(body, m.LimitNorm)
            for env in self.limit_bindings(norm):
                if not self.applies(norm, env, state):
                    continue
                what = self.evaluator.value(body.what, state, env)
                most = self.evaluator.value(body.most, state, env)
                if what is NOTHING or most is NOTHING or what <= most:
                    continue
                was = self._earlier(body.what, before, env, state)
                if was is NOTHING or was < what:
                    if self.observer is not None:
                        self.observer.applied([Applied(norm, env)], "limit", state)
                    yield norm, what - most if was is NOTHING else what - max(was, most)

    def _earlier(self, what: m.Expr, before: dict[int, Value], env: Env, state: State) -> Value:
        now = {address: state.cells[address] for address in before}
        for address, value in before.items():
            state.cells[address] = value
        found = self.evaluator.value(what, state, env)
        for address, value in now.items():
            state.cells[address] = value
        return found

    def limit_bindings(self, norm: RuleNorm) -> list[dict[str, Value]]:
        """All that the variables of a limit can stand for."""
        body = norm.body
        assert isinstance(body, m.LimitNorm)
        envs: list[dict[str, Value]] = list(self.bindings(norm))
        for name in sorted(self.needs(body.what)):
            symbol = self.variables[name]
            assert isinstance(symbol, VariableSymbol)
            envs = [
                {**env, name: value}
                for env in envs
                for value in ([env[name]] if name in env else self.world.domain(symbol.type))
            ]
        return envs

    @cached_property
    def _limit_reads(self) -> list[tuple[RuleNorm, frozenset[int] | None]]:
        """For each limit the slots that it counts; None where it counts something computed."""
        found: list[tuple[RuleNorm, frozenset[int] | None]] = []
        for norm in self.limits:
            assert isinstance(norm.body, m.LimitNorm)
            symbols = [self.checked.symbols.get(id(node)) for node in nodes_of(norm.body.what)]
            computed = any(isinstance(s, ValueSymbol | RankSymbol | TableSymbol) for s in symbols)
            found.append((norm, None if computed else frozenset(id(s) for s in symbols if isinstance(s, SlotSymbol))))
        return found

    def limit_on(self, verb: str, args: tuple[Value, ...], state: State) -> RuleNorm | None:
        """The limit that an action is certain to exceed. It is tried out on a copy, up to the first decision."""
        if not self.limits or state.asking:  # an offer inside the action that is tried out is not tried in its turn
            return None
        trial = state.copy()
        trial.asking = True
        depth = len(trial.stack)
        self._emit(trial, (Happening(("phrase", verb), args),), ("call", verb, args))
        try:
            for _ in range(MAX_STEPS):
                if trial.over or len(trial.stack) <= depth or self._step(trial) is not None:
                    return None
        except LimitReached as reached:
            return reached.norm
        except (Undetermined, Gap, Broken):
            return None
        return None

    @abstractmethod
    def _step(self, state: State) -> Node | None:
        """Goes on by one step."""

    def _change(self, target: m.Ref, word: str, amount: Value, env: Env, state: State) -> None:
        address = self.address(target, env, state)
        old = state.cells[address] if address is not None else NOTHING
        if address is None or amount is NOTHING or (word != "becomes" and (amount is None or old is None)):
            return  # asked of nothing: nothing changes
        shift: Value = None
        shifts = word != "becomes"
        if not shifts:
            new = amount
            if _is_number(old) and _is_number(new) and new != old:
                word, shift = ("increases", new - old) if new > old else ("decreases", old - new)
        else:
            if _is_number(amount) and amount < 0:
                word, amount = ("decreases" if word == "increases" else "increases"), -amount
            new, shift = _shifted(old, word, amount), amount
        args = tuple(self.evaluator.value(arg, state, env) for arg in target.args)
        key = ("change", id(self.checked.symbol_of(target)))
        self._emit(state, (Happening(key, args, old, new, shift, word, shifts),), ("change", address, target.span))

    def _move(
        self, what: m.Expr, origin: m.Ref | None, target: m.Ref, env: Env, state: State, under: bool = False
    ) -> None:
        moved = self.evaluator.value(what, state, env)
        into = self.address(target, env, state)
        source = self.address(origin, env, state) if origin is not None else None
        if into is None or moved is NOTHING or moved is None or (origin is not None and source is None):
            return
        if not isinstance(state.cells[into], tuple):
            assert source is not None
            data = {"number": moved, "source": source, "into": into, "span": what.span}
            state.stack.append(Frame("counters", data=data))
            return
        things = sorted(moved) if isinstance(moved, frozenset) else list(moved) if isinstance(moved, tuple) else [moved]
        # In this order they come to lie in their own: each on top, the last one first; or each at the bottom.
        if under:
            things.reverse()
        state.stack.append(Frame("moving", data={"things": things, "source": source, "into": into, "under": under}))

    def _moving(self, frame: Frame, state: State) -> None:
        """One thing after the other, each with all that follows from it."""
        things, source, into = frame.data["things"], frame.data["source"], frame.data["into"]
        if not things:
            state.stack.pop()
            return
        thing = things.pop()
        place = self._pile_of(thing, self._slot_at[into].type, state)
        if source is None or place == source:
            self._transfer(thing, place, into, state, frame.data["under"])

    def _do_transfer(self, thing: Value, origin: int | None, target: int, under: bool, state: State) -> bool:
        if origin is not None and thing not in state.cells[origin]:
            return False  # it has gone elsewhere in the meantime
        changed = {target: state.cells[target]} if origin is None else {a: state.cells[a] for a in (origin, target)}
        if origin is not None:
            state.cells[origin] = tuple(t for t in state.cells[origin] if t != thing)
        state.cells[target] = (*state.cells[target], thing) if under else (thing, *state.cells[target])

        def limited() -> None:
            for norm, _ in self._exceeded(changed, state):
                self._refuse(norm, changed, state)
                return

        self._within_limits(tuple(changed), state, limited)
        if all(state.cells[address] == value for address, value in changed.items()):
            return False
        self._carried(thing, origin, target, state)
        return True

    def _transfer(self, thing: Value, origin: int | None, target: int, state: State, under: bool = False) -> None:
        """A thing leaves one pile and enters another: rules can stop either."""
        happenings = [self._at_cell("transfer", target, new=thing, word="enters")]
        if origin is not None:
            happenings.insert(0, self._at_cell("transfer", origin, new=thing, word="leaves"))
        self._emit(state, tuple(happenings), ("transfer", thing, origin, target, under))

    def _counters(self, frame: Frame, state: State) -> None:
        """Counters go from one place of a pool to another; where there are too few, the place runs out first."""
        source, into, number = frame.data["source"], frame.data["into"], frame.data["number"]
        if frame.stage == 0 and state.cells[source] < number:
            frame.stage = 1
            self._run_out(source, frame.data["span"], state)
            return
        state.stack.pop()
        moved = min(number, state.cells[source])
        if moved > 0:
            old, grown = state.cells[source], state.cells[into]
            less = self._at_cell(
                "change", source, old=old, new=old - moved, amount=moved, word="decreases", shifts=True
            )
            more = self._at_cell(
                "change", into, old=grown, new=grown + moved, amount=moved, word="increases", shifts=True
            )
            self._emit(state, (less, more), ("counters", source, into))

    def _do_counters(
        self, happenings: tuple[Happening, ...], source: int, into: int, state: State
    ) -> tuple[Happening, ...]:
        before = {source: state.cells[source], into: state.cells[into]}
        number = min(happenings[0].amount, state.cells[source])
        state.cells[source] -= number
        state.cells[into] += number

        def limited() -> None:
            for norm, excess in self._exceeded(before, state):
                if not _rest_lost(norm):
                    self._refuse(norm, before, state)
                    return
                back = min(excess, state.cells[into] - before[into])
                state.cells[source] += back
                state.cells[into] -= back

        self._within_limits((source, into), state, limited)
        moved = state.cells[into] - before[into]
        if moved <= 0:
            return ()
        return tuple(
            replace(happening, old=before[place], new=state.cells[place], amount=moved)
            for happening, place in zip(happenings, (source, into), strict=True)
        )

    def _run_out(self, address: int, span: Span, state: State) -> None:
        """Something is to be taken where there is too little: what the rules say to that is done at once."""
        event = self._at_cell("runs out", address)
        if self._all_reacting(self.reactions.get(event.key, []), event, state) or event.key[1] in state.short:
            self._emit(state, (event,), ("none",))
            return
        slot = self._slot_at[address]
        less = "drawn" if isinstance(slot.type, PileT) else "moved"
        ruling = Ruling("short", f"when {slot.name} runs out, fewer are {less}", name=slot.name, value=event.key[1])
        what = "is empty" if isinstance(slot.type, PileT) else "has too few counters"
        raise Gap(f"`{slot.name}` {what}, and no rule says what is done then", span, (ruling,))

    def _at_cell(self, sort: str, address: int, **facts: Value) -> Happening:
        slot = self.world.slots[id(self._slot_at[address])]
        return Happening((sort, id(slot.symbol)), slot.args_at(address), **facts)

    def _pile_of(self, thing: Value, type_: Type, state: State) -> int | None:
        for slot in self.world.slots.values():
            if slot.symbol.type == type_ and slot.symbol.role == "pile":
                for place in range(slot.base, slot.base + slot.count):
                    if thing in state.cells[place]:
                        return place
        return None

    def _draw(self, frame: Frame, state: State) -> None:
        data = frame.data
        origin = self.address(data["origin"], frame.env, state)
        target = self.address(data["target"], frame.env, state)
        if origin is None or target is None or data["left"] <= 0:
            self._drawn(frame, state)
            return
        if not state.cells[origin]:
            if data["asked"]:
                self._drawn(frame, state)
                return
            data["asked"] = True
            self._run_out(origin, data["origin"].span, state)
            return
        data["asked"] = False
        data["left"] -= 1
        thing = state.cells[origin][0]
        data["drawn"].append(thing)
        self._transfer(thing, origin, target, state)

    def _drawn(self, frame: Frame, state: State) -> None:
        state.stack.pop()
        variable: m.Name | None = frame.data["variable"]
        if variable is not None:
            origin = self.address(frame.data["origin"], frame.env, state)
            left = state.cells[origin] if origin is not None else ()
            drawn = [thing for thing in frame.data["drawn"] if thing not in left]
            symbol = self.variables[variable.text]
            assert isinstance(symbol, VariableSymbol)
            several = isinstance(symbol.type, SetT)
            state.stack[-1].env[variable.text] = frozenset(drawn) if several else drawn[-1] if drawn else None

    def _push_shuffle(self, state: State, address: int | None) -> None:
        if address is not None:
            state.stack.append(Frame("shuffle", data={"address": address, "at": 0}))

    def _shuffle(self, frame: Frame, state: State) -> Node | None:
        """One card after the other, each of the rest with the same chance."""
        address, at = frame.data["address"], frame.data["at"]
        pile = state.cells[address]
        if at == 0 and isinstance(self._slot_at[address].type, PileT):
            self._hide_things(address, state)
        if at >= len(pile) - 1:
            state.stack.pop()
            return None
        answer = state.take_answer()
        if answer is MISSING:
            slot = self._slot_at[address]
            assert isinstance(slot.type, PileT | OrderT)
            names = self.world.things[slot.type.kind]
            return Chance(
                tuple((Move(names[thing], place), 1) for place, thing in enumerate(pile[at:], at)),
                f"shuffle {slot.name}",
                shuffles=True,
            )
        rest = list(pile)
        rest[at], rest[answer] = rest[answer], rest[at]
        state.cells[address] = tuple(rest)
        frame.data["at"] = at + 1
        if self.observer is not None:
            self.observer.changed(state)
        return None


def _is_number(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _shifted(old: Value, word: str, amount: Value) -> Value:
    grow = word == "increases"
    if isinstance(old, frozenset):
        return old | frozenset(amount) if grow else old - frozenset(amount)
    if isinstance(old, tuple):
        return bag_add(old, amount) if grow else bag_take(old, amount)
    return old + amount if grow else old - amount


def _changed(old: Value, happening: Happening) -> Value:
    """What an event makes of a cell that is no longer as it was when the event was announced."""
    if happening.shifts:
        return _shifted(old, happening.word, happening.amount)
    return happening.new


def _rest_lost(norm: RuleNorm) -> bool:
    return isinstance(norm.body, m.LimitNorm) and norm.body.rest_lost
