"""Carrying rules out: the stack, and what each statement does to it."""

from __future__ import annotations

from itertools import product
from typing import Any, assert_never

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.base import (
    Broken,
    Chance,
    Choice,
    Happening,
    Legal,
    LimitReached,
    Move,
    Node,
    Open,
    Over,
)
from rules.machine.evaluate import Env, bag_add, bag_take
from rules.machine.judge import Judging
from rules.machine.norms import Applied, Gap, RuleNorm, Undetermined, is_among
from rules.machine.state import MISSING, Frame, State
from rules.machine.world import NOTHING, Value
from rules.symbols import BuiltinSymbol, DieSymbol, SlotSymbol, VariableSymbol
from rules.types import KindT, NumberT, OrderT, PileT, SetT, Type, without_none

_MAX_STEPS = 100_000  # without a decision: a loop that never ends


class Machine(Judging):
    # ---- the start

    def start(self) -> State:
        cells: list[Value] = []
        state = State(cells)
        for slot in self.world.slots.values():
            cells.extend([None] * slot.count)
        for slot in self.world.slots.values():
            for args in product(*slot.domains):
                address = slot.address(args)
                assert address is not None
                cells[address] = self._start(slot, args, state)
        self._fill_piles(state)
        self._fill_pools(state)
        state.stack.append(Frame("moment", self.play, moment="game", word="game", stage=1))
        for slot in self.world.slots.values():
            if any(word.text == "shuffled" for word in slot.node.modifiers):
                for args in product(*slot.domains):
                    self._push_shuffle(state, slot.address(args))
        return state

    # ---- going on

    def run(self, state: State) -> Node:
        """Goes on until something must be decided."""
        try:
            for _ in range(_MAX_STEPS):
                if state.over or not state.stack:
                    return self._finish(state)
                node = self._step(state)
                if node is not None:
                    return node
            return Open("stuck", "the rules go round and round, and nobody decides anything")
        except Undetermined as clash:
            sides = tuple(tuple({id(a.norm.body): a.norm for a in side}.values()) for side in clash.sides)
            return Open("undetermined", clash.subject, sides)
        except Gap as gap:
            return Open("gap", str(gap), span=gap.span)
        except Broken as broken:
            return Open("broken", str(broken))

    def answer(self, state: State, move: Move) -> None:
        state.answer = move.data

    def _finish(self, state: State) -> Over:
        state.over = True
        return Over(tuple(sorted(state.outcomes.items(), key=repr)))

    def _step(self, state: State) -> Node | None:
        frame = state.stack[-1]
        match frame.kind:
            case "block":
                if frame.pc >= len(frame.block):
                    state.stack.pop()
                    return None
                return self._next_statement(frame, state)
            case "moment":
                return self._moment(frame, state)
            case "each":
                self._each(frame, state)
                return None
            case "turns":
                self._turns(frame, state)
                return None
            case "repeat":
                return self._repeat(frame, state)
            case "takes":
                return self._takes(frame, state)
            case "window":
                return self._window(frame, state)
            case "event":
                return self._event(frame, state)
            case "triggers":
                return self._triggers(frame, state)
            case "draw":
                self._draw(frame, state)
                return None
            case "counters":
                self._counters(frame, state)
                return None
            case "shuffle":
                return self._shuffle(frame, state)
            case "story":
                return self._story(frame, state)
            case _:
                assert_never(frame.kind)

    def _next_statement(self, frame: Frame, state: State) -> Node | None:
        statement = frame.block[frame.pc]
        frame.pc += 1
        node = self._statement(statement, frame, state)
        if node is not None:
            frame.pc -= 1  # it is carried out again when the answer is there
        return node

    # ---- moments

    def _push_moment(self, state: State, name: str, word: str, block: m.Block, env: Env, of: Value = None) -> None:
        state.stack.append(Frame("moment", block, env=dict(env), moment=name, of=of, word=word, since=len(state.log)))

    def _moment(self, frame: Frame, state: State) -> Node | None:
        """Stages: begin, body, end, leave."""
        assert frame.moment is not None
        if frame.stage == 0:
            frame.stage = 1
            self._emit(state, self._moment_event(frame, "begins"), ("none",))
        elif frame.stage == 1:
            if frame.pc < len(frame.block):
                return self._next_statement(frame, state)
            frame.stage = 2
            self._emit(state, self._moment_event(frame, "ends"), ("none",))
        else:
            state.stack.pop()
            for block, env in reversed(frame.deferred):
                state.stack.append(Frame("block", block, env=dict(env)))
            self._check_endings(state)
        return None

    def _moment_event(self, frame: Frame, word: str) -> Happening:
        return Happening(("moment", frame.moment), (frame.of,), word=word)

    def _check_endings(self, state: State) -> None:
        """Who wins or loses by the rules of the book as things stand."""
        for norm in self.endings:
            body = norm.body
            assert isinstance(body, m.OutcomeNorm)
            player = body.outcome.player
            if player is None:
                if self.applies(norm, {}, state):
                    self._decide_outcome(None, body.outcome.result, state)
                continue
            for env in self._any_binding(player, {}):
                if self.applies(norm, env, state):
                    who = self.evaluator.value(player, state, env)
                    self._decide_outcome(who, body.outcome.result, state)
        self._settle(state)

    def _any_binding(self, player: m.Ref, env: dict[str, Value]) -> list[dict[str, Value]]:
        symbol = self.checked.symbol_of(player)
        if isinstance(symbol, VariableSymbol) and symbol.name not in env:
            return [{**env, symbol.name: value} for value in self.world.domain(symbol.type)]
        return [env]

    def _decide_outcome(self, who: Value, result: str, state: State) -> None:
        players = who if isinstance(who, frozenset) else (who,)
        for player in players:
            state.outcomes.setdefault(player, result)

    def _settle(self, state: State) -> None:
        results = state.outcomes
        lost = bool(self.checked.players) and all(results.get(p) == "loses" for p in range(self.world.seats))
        if None in results or "wins" in results.values() or lost:
            state.over = True

    # ---- events

    def _emit(self, state: State, happening: Happening, perform: tuple[Any, ...]) -> None:
        if self.reactions.get(happening.key):
            state.stack.append(Frame("event", data={"happening": happening, "perform": perform}))
        else:
            self._perform(happening, perform, state)

    def _perform(self, happening: Happening, perform: tuple[Any, ...], state: State) -> None:
        match perform:
            case ("none",):
                pass
            case ("set", address, value):
                self._set(address, value, state)
            case ("call", verb, args):
                self._call(verb, args, state)
            case ("emit", event, then):
                self._emit(state, event, then)
            case ("counters", source, into, number):
                state.cells[source] -= number
                state.cells[into] += number
            case ("transfer", thing, origin, target):
                if origin is not None:
                    state.cells[origin] = tuple(t for t in state.cells[origin] if t != thing)
                state.cells[target] = (thing, *state.cells[target])
            case _:
                raise InternalError(f"nothing to perform: {perform}")
        if happening.key in self.tracked:
            state.log.append(happening)
        for rule, until in list(state.disabled.items()):
            if until is not None and self.match_event(until, happening, {}, state):
                del state.disabled[rule]

    def _event(self, frame: Frame, state: State) -> Node | None:
        happening: Happening = frame.data["happening"]
        if frame.stage == 0:
            return self._before(frame, happening, state)
        if frame.stage == 1:
            frame.stage = 2
            self._perform(happening, frame.data["perform"], state)
        elif frame.stage == 2:
            frame.stage = 3
            self._push_triggers("when", happening, state)
        else:
            state.stack.pop()
        return None

    def _before(self, frame: Frame, happening: Happening, state: State) -> Node | None:
        reactions = self.reactions.get(happening.key, [])
        if any(isinstance(n.body, m.IgnoreNorm) and self._reacting(n, happening, state) for n in reactions):
            state.stack.pop()
            return None
        replacing = [
            applied
            for norm in reactions
            if isinstance(norm.body, m.EventNorm)
            and norm.body.timing == "instead of"
            and not any(f.data.get("replaces") == norm.order for f in state.stack)
            for applied in self._reacting(norm, happening, state)
        ]
        if replacing:
            chosen = replacing[0]
            if len(replacing) > 1:
                sides = [[applied] for applied in replacing]
                place, _ = self.precedence.decide("what happens instead", sides, state)
                chosen = replacing[place]
            state.stack.pop()
            assert isinstance(chosen.norm.body, m.EventNorm)
            state.stack.append(
                Frame("block", chosen.norm.body.body, env=dict(chosen.env), data={"replaces": chosen.norm.order})
            )
            return None
        frame.stage = 1
        self._push_triggers("when about to", happening, state)
        return None

    def _reacting(self, norm: RuleNorm, happening: Happening, state: State) -> list[Applied]:
        event = norm.body.what if isinstance(norm.body, m.IgnoreNorm) else norm.body.event  # type: ignore[union-attr]
        found = []
        for base in self.bindings(norm, {}):
            env = dict(base)
            if self.match_event(event, happening, env, state) and self.applies(norm, env, state):  # type: ignore[arg-type]
                found.append(Applied(norm, env))
        return found

    def _push_triggers(self, timing: str, happening: Happening, state: State) -> None:
        waiting = [
            applied
            for norm in self.reactions.get(happening.key, ())
            if isinstance(norm.body, m.EventNorm) and norm.body.timing == timing
            for applied in self._reacting(norm, happening, state)
        ]
        if waiting:
            state.stack.append(Frame("triggers", data={"waiting": waiting}))

    def _triggers(self, frame: Frame, state: State) -> Node | None:
        """One after the other; immediate ones first; an effect whose ground has gone is skipped."""
        waiting: list[Applied] = [a for a in frame.data["waiting"] if self.applies(a.norm, a.env, state)]
        if not waiting:
            state.stack.pop()
            return None
        first = [a for a in waiting if a.norm.manner == "immediately"] or waiting
        chosen = first[0]
        if len(first) > 1:
            answer = state.take_answer()
            if answer is MISSING:
                frame.data["waiting"] = waiting
                moves = tuple(Move(f"first {a.norm.name}", place) for place, a in enumerate(first))
                return Choice(self._orderer(first, state), moves, "what happens first")
            chosen = first[answer]
        frame.data["waiting"] = [a for a in waiting if a is not chosen]
        assert isinstance(chosen.norm.body, m.EventNorm)
        state.stack.append(Frame("block", chosen.norm.body.body, env=dict(chosen.env)))
        return None

    def _orderer(self, waiting: list[Applied], state: State) -> int | None:
        """Who orders what happens at the same time, by the book's own word; None is the table as one."""
        for rule in self.precedence.rules:
            body = rule.body
            if not isinstance(body, m.Simultaneous):
                continue
            if body.among is not None and not all(is_among(a.norm, body.among.text) for a in waiting):
                continue
            symbol = self.checked.symbol_of(body.by)
            if not isinstance(symbol, SlotSymbol):
                return None
            found = state.cells[self.world.slots[id(symbol)].base]
            who: int | None = found[0] if isinstance(found, tuple) else found
            return who
        return None

    def _call(self, verb: str, args: tuple[Value, ...], state: State) -> None:
        node = self.actions.get(verb) or self.procedures[verb]
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, args, strict=True)}
        by = next((arg for p, arg in zip(node.signature.params, args, strict=True) if p.label == "by"), None)
        word = "action" if verb in self.actions else "procedure"
        self._push_moment(state, verb, word, node.body, env, by)

    # ---- changing cells

    def _set(self, address: int, value: Value, state: State) -> None:
        slot = self._slot_at[address]
        type_ = without_none(slot.type)
        if isinstance(type_, NumberT) and isinstance(value, int) and not type_.low <= value <= type_.high:
            raise Broken(f"`{slot.name}` would be {value}, and it is {type_.low}..{type_.high}")
        old = state.cells[address]
        state.cells[address] = value
        if self.limits:
            self._keep_limits(address, old, value, state)

    def _keep_limits(self, address: int, old: Value, value: Value, state: State) -> None:
        for norm in self.limits:
            body = norm.body
            assert isinstance(body, m.LimitNorm)
            for env in self._limit_bindings(body):
                if not self.applies(norm, env, state):
                    continue
                what = self.evaluator.value(body.what, state, env)
                most = self.evaluator.value(body.most, state, env)
                if what is NOTHING or most is NOTHING or what <= most:
                    continue
                if body.rest_lost and isinstance(value, int):
                    state.cells[address] = max(old, value - (what - most))
                elif state.asking:
                    raise LimitReached
                else:
                    state.cells[address] = old
                value = state.cells[address]

    def _limit_bindings(self, body: m.LimitNorm) -> list[dict[str, Value]]:
        envs: list[dict[str, Value]] = [{}]
        for name in sorted(self.needs(body.what)):
            symbol = self.variables[name]
            assert isinstance(symbol, VariableSymbol)
            envs = [{**env, name: value} for env in envs for value in self.world.domain(symbol.type)]
        return envs

    def within_limits(self, verb: str, args: tuple[Value, ...], state: State) -> bool:
        """Tried out on a copy, up to the first decision."""
        if not self.limits:
            return True
        trial = state.copy()
        trial.asking = True
        depth = len(trial.stack)
        self._call(verb, args, trial)
        try:
            for _ in range(_MAX_STEPS):
                if trial.over or len(trial.stack) <= depth or self._step(trial) is not None:
                    return True
        except LimitReached:
            return False
        except (Undetermined, Gap, Broken):
            return True
        return True

    # ---- statements

    def _statement(self, node: m.Statement, frame: Frame, state: State) -> Node | None:
        env = frame.env
        match node:
            case m.Simple(body=body):
                return self._simple(body, frame, state)
            case m.Phase(word=word, name=name, body=body):
                self._push_moment(state, name.text, word, body, env)
            case m.Each(secretly=True, span=span):
                return Open("unplayed", "`secretly`: choices that all make at the same time", span=span)
            case m.Each(variable=variable, order=order, where=where, body=body):
                things = self.ordered(variable, order, env, state)
                chosen = [t for t in things if self.evaluator.holds(where, state, {**env, variable.text: t})]
                data = {"things": chosen, "variable": variable.text, "at": 0}
                state.stack.append(Frame("each", body, env=dict(env), data=data))
            case m.Turns():
                state.stack.append(Frame("turns", env=dict(env), data={"node": node, "last": None}))
            case m.Repeat(times=times, body=body):
                count = self.evaluator.value(times, state, env) if times is not None else None
                data = {"node": node, "left": count, "outer": dict(env)}
                if count is None or count > 0:
                    state.stack.append(Frame("repeat", body, env=dict(env), data=data))
            case m.If(condition=condition, then=then, otherwise=otherwise):
                block = then if self.evaluator.holds(condition, state, env) else otherwise
                if block:
                    state.stack.append(Frame("block", block, env=dict(env)))
            case m.RollRows(count=count, die=die, variable=variable, rows=rows):
                rolled = self._rolled(count, die, frame, state)
                if isinstance(rolled, Chance):
                    return rolled
                total = rolled[0] if len(rolled) == 1 else sum(rolled)
                inner = dict(env)
                if variable is not None:
                    inner[variable.text] = total
                row = self.row_for(rows, (total,), die)
                state.stack.append(Frame("block", row.body, env=inner))
            case m.Decides(actor=actor, options=options):
                return self._decides(actor, options, env, state)
            case m.After(moment=moment, body=body):
                place = state.find(moment.text)
                if place is None:
                    state.stack.append(Frame("block", body, env=dict(env)))
                else:
                    state.stack[place].deferred.append((body, dict(env)))
            case _:
                assert_never(node)
        return None

    def _simple(self, node: m.SimpleBody, frame: Frame, state: State) -> Node | None:
        env = frame.env
        match node:
            case m.Becomes(target=target, value=value):
                self._change(target, "becomes", self.evaluator.value(value, state, env), env, state)
            case m.Shift(target=target, direction=direction, amount=amount):
                self._change(target, direction, self.evaluator.value(amount, state, env), env, state)
            case m.Move(what=what, origin=origin, target=target):
                self._move(what, origin, target, env, state)
            case m.Pay(amount=amount, source=source, target=paid_to):
                if paid_to is None:
                    self._change(source, "decreases", self.evaluator.value(amount, state, env), env, state)
                else:
                    self._move(amount, source, paid_to, env, state)
            case m.Draw(count=count, origin=origin, target=target, variable=variable):
                data = {
                    "left": self.evaluator.value(count, state, env),
                    "origin": origin,
                    "target": target,
                    "variable": variable,
                    "drawn": [],
                    "asked": False,
                }
                state.stack.append(Frame("draw", env=dict(env), data=data))
            case m.Shuffle(pile=pile, into=into):
                emptied = self.address(pile, env, state)
                filled = self.address(into, env, state) if into is not None else emptied
                if emptied is not None and filled is not None and emptied != filled:
                    state.cells[filled] = (*state.cells[filled], *state.cells[emptied])
                    state.cells[emptied] = ()
                self._push_shuffle(state, filled)
            case m.Reveal():
                pass  # what players have seen is kept apart from the state of the game
            case m.Roll(count=count, die=die, variable=variable, table=table):
                rolled = self._rolled(count, die, frame, state)
                if isinstance(rolled, Chance):
                    return rolled
                if variable is not None:
                    env[variable.text] = rolled[0] if count is None else tuple(sorted(rolled))
                if table is not None:
                    total = rolled[0] if count is None else sum(rolled)
                    self._apply_row(table.text, (total,), env, state)
            case m.Consult(table=table, keys=keys):
                self._apply_row(table.text, tuple(self.evaluator.value(k, state, env) for k in keys), env, state)
            case m.Chooses():
                return self._chooses(node, frame, state)
            case m.Takes(actor=actor, up_to=up_to, count=count):
                left = self.evaluator.value(count, state, env) if count is not None else None
                data = {"actor": actor, "left": left, "stop": up_to or count is None, "phrases": None}
                state.stack.append(Frame("takes", env=dict(env), data=data))
            case m.Offer(actor=actor, modal=modal, phrases=phrases):
                data = {"actor": actor, "left": 1, "stop": modal == "may", "phrases": phrases}
                state.stack.append(Frame("takes", env=dict(env), data=data))
            case m.Do(phrase=phrase):
                self._do(phrase, env, state)
            case m.Window(name=name, variable=variable, order=order):
                self._open_window(name, variable, order, env, state)
            case m.End(moment=moment, then=then):
                self._end(moment.text, then, env, state)
            case m.Disable(rule=rule, until=until):
                state.disabled[rule.text] = until
            case m.Go(passage=passage):
                self._turn_to(passage.text, state)
            case m.Read(passage=passage):
                self._read(passage.text, state)
            case m.Return() | m.Ending():
                place = max(i for i, f in enumerate(state.stack) if f.kind == "story")
                del state.stack[place:]
            case m.Outcome(player=player, result=result):
                who = self.evaluator.value(player, state, env) if player is not None else None
                self._decide_outcome(who, result, state)
                self._settle(state)
            case m.DoNothing():
                pass
            case _:
                assert_never(node)
        return None

    def _change(self, target: m.Ref, word: str, amount: Value, env: Env, state: State) -> None:
        address = self.address(target, env, state)
        if address is None or amount is NOTHING:
            return  # asked of nothing: nothing changes
        old = state.cells[address]
        if word == "becomes":
            new = amount
            shift: Value = None
            if isinstance(old, int) and isinstance(new, int) and not isinstance(old, bool):
                word, shift = ("increases", new - old) if new > old else ("decreases", old - new)
        else:
            if isinstance(amount, int) and amount < 0:
                word, amount = ("decreases" if word == "increases" else "increases"), -amount
            grow = word == "increases"
            if isinstance(old, frozenset):
                new = old | frozenset(amount) if grow else old - frozenset(amount)
            elif isinstance(old, tuple):
                new = bag_add(old, amount) if grow else bag_take(old, amount)
            else:
                new = old + amount if grow else old - amount
            shift = amount
        args = tuple(self.evaluator.value(arg, state, env) for arg in target.args)
        key = ("change", id(self.checked.symbol_of(target)))
        self._emit(state, Happening(key, args, old, new, shift, word), ("set", address, new))

    def _move(self, what: m.Expr, origin: m.Ref | None, target: m.Ref, env: Env, state: State) -> None:
        moved = self.evaluator.value(what, state, env)
        into = self.address(target, env, state)
        source = self.address(origin, env, state) if origin is not None else None
        if into is None or moved is NOTHING or moved is None:
            return
        if not isinstance(state.cells[into], tuple):
            assert source is not None
            data = {"number": moved, "source": source, "into": into, "span": what.span}
            state.stack.append(Frame("counters", data=data))
            return
        things = sorted(moved) if isinstance(moved, frozenset) else list(moved) if isinstance(moved, tuple) else [moved]
        symbol = self.checked.symbol_of(target)
        for thing in reversed(things):
            place = self._pile_of(thing, symbol, state)
            if source is None or place == source:
                self._transfer(thing, place, into, state)

    def _transfer(self, thing: Value, origin: int | None, target: int, state: State) -> None:
        """A thing leaves one pile and enters another: two events, of which rules can stop either."""
        enters = self._at_cell("transfer", target, new=thing, word="enters")
        perform = ("transfer", thing, origin, target)
        if origin is None:
            self._emit(state, enters, perform)
        else:
            leaves = self._at_cell("transfer", origin, new=thing, word="leaves")
            self._emit(state, leaves, ("emit", enters, perform))

    def _counters(self, frame: Frame, state: State) -> None:
        """Counters go from one place of a pool to another; where there are too few, the place runs out first."""
        source, into, number = frame.data["source"], frame.data["into"], frame.data["number"]
        if frame.stage == 0 and state.cells[source] < number:
            frame.stage = 1
            event = self._at_cell("runs out", source)
            if not self.reactions.get(event.key):
                name = self._slot_at[source].name
                raise Gap(f"`{name}` has too few counters, and no rule says what is done then", frame.data["span"])
            self._emit(state, event, ("none",))
            return
        state.stack.pop()
        moved = min(number, state.cells[source])
        if moved <= 0:
            return
        old, grown = state.cells[source], state.cells[into]
        less = self._at_cell("change", source, old=old, new=old - moved, amount=moved, word="decreases")
        more = self._at_cell("change", into, old=grown, new=grown + moved, amount=moved, word="increases")
        self._emit(state, less, ("emit", more, ("counters", source, into, moved)))

    def _at_cell(self, sort: str, address: int, **facts: Value) -> Happening:
        slot = self.world.slots[id(self._slot_at[address])]
        return Happening((sort, id(slot.symbol)), slot.args_at(address), **facts)

    def _pile_of(self, thing: Value, symbol: object, state: State) -> int | None:
        assert isinstance(symbol, SlotSymbol)
        for slot in self.world.slots.values():
            if slot.symbol.type == symbol.type and slot.symbol.role == "pile":
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
            self._emit(state, self._at_cell("runs out", origin), ("none",))
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
            drawn = frame.data["drawn"]
            symbol = self.variables[variable.text]
            assert isinstance(symbol, VariableSymbol)
            several = isinstance(symbol.type, SetT)
            state.stack[-1].env[variable.text] = frozenset(drawn) if several else drawn[-1] if drawn else None

    def _push_shuffle(self, state: State, address: int | None) -> None:
        if address is not None and len(state.cells[address]) > 1:
            state.stack.append(Frame("shuffle", data={"address": address, "at": 0}))

    def _shuffle(self, frame: Frame, state: State) -> Node | None:
        """One card after the other, each of the rest with the same chance."""
        address, at = frame.data["address"], frame.data["at"]
        pile = state.cells[address]
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
        return None

    def _rolled(self, count: m.Expr | None, die: m.Name, frame: Frame, state: State) -> list[Value] | Chance:
        number = self.evaluator.value(count, state, frame.env) if count is not None else 1
        done: list[Value] = frame.data.setdefault("rolled", [])
        answer = state.take_answer()
        if answer is not MISSING:
            done.append(answer)
        if len(done) < number:
            return Chance(
                tuple((Move(str(face), face), weight) for face, weight in self.faces(die)), f"roll {die.text}"
            )
        frame.data["rolled"] = []
        return done

    def faces(self, die: m.Name) -> list[tuple[Value, int]]:
        symbol = self.checked.symbol_of(die)
        assert isinstance(symbol, DieSymbol)
        node = next(
            (d for d in self.checked.book.declarations if isinstance(d, m.Die) and d.name.text == die.text), None
        )
        weights: dict[Value, int] = {}
        if node is None:
            return [(face, 1) for face in self.world.domain(symbol.type)]
        for face in node.faces:
            values: list[Value] = (
                [face.name.text] if face.name is not None else list(range(face.low or 0, (face.high or 0) + 1))
            )
            for value in values:
                weights[value] = weights.get(value, 0) + 1
        return list(weights.items())

    def _apply_row(self, table: str, keys: tuple[Value, ...], env: Env, state: State) -> None:
        row = self.row_for(self.tables[table].rows, keys, self.tables[table].name)
        state.stack.append(Frame("block", row.body, env=dict(env)))

    def _do(self, phrase: m.Phrase, env: Env, state: State) -> None:
        symbol = self._verb(phrase.verb.text)
        labels = [param.label for param in symbol.params]
        args: list[Value] = [None] * len(labels)
        for arg in phrase.args:
            args[labels.index(arg.label)] = self.evaluator.value(arg.value, state, env)
        if any(arg is NOTHING for arg in args):
            return
        done = tuple(args)
        self._emit(state, Happening(("phrase", phrase.verb.text), done), ("call", phrase.verb.text, done))

    # ---- loops

    def ordered(self, variable: m.Name, order: m.Ref | None, env: Env, state: State) -> list[Value]:
        if order is not None:
            return list(self.evaluator.value(order, state, env))
        symbol = self.variables[variable.text]
        assert isinstance(symbol, VariableSymbol)
        return list(self.world.domain(symbol.type))

    def _each(self, frame: Frame, state: State) -> None:
        things, at = frame.data["things"], frame.data["at"]
        if at >= len(things):
            state.stack.pop()
            return
        frame.data["at"] = at + 1
        env = {**frame.env, frame.data["variable"]: things[at]}
        state.stack.append(Frame("block", frame.block, env=env))

    def _turns(self, frame: Frame, state: State) -> None:
        node: m.Turns = frame.data["node"]
        if self.evaluator.holds(node.until, state, frame.env):
            state.stack.pop()
            return
        order = self.ordered(node.variable, node.order, frame.env, state)
        last = frame.data["last"]
        start = order.index(last) + 1 if last in order else 0
        for thing in (*order[start:], *order[:start]):
            env = {**frame.env, node.variable.text: thing}
            if state.outcomes.get(thing) != "loses" and self.evaluator.holds(node.where, state, env):
                frame.data["last"] = thing
                self._push_moment(state, "turn", "turn", node.body, env, thing)
                return
        state.stack.pop()

    def _repeat(self, frame: Frame, state: State) -> Node | None:
        if frame.pc < len(frame.block):
            return self._next_statement(frame, state)
        node: m.Repeat = frame.data["node"]
        left = frame.data["left"]
        if left is not None:
            frame.data["left"] = left = left - 1
        if left == 0 or (node.until is not None and self.evaluator.holds(node.until, state, frame.env)):
            state.stack.pop()
            return None
        frame.env = dict(frame.data["outer"])
        frame.pc = 0
        return None

    # ---- choices

    def player_of(self, actor: Value, kind: Type, state: State) -> int | None:
        """The player who decides for an actor; None is the table as one."""
        if isinstance(actor, frozenset) or not isinstance(kind, KindT):
            return None
        if kind.name == self.checked.players:
            return int(actor)
        for slot in self.world.slots.values():
            symbol = slot.symbol
            if symbol.params == (kind,) and without_none(symbol.type) == KindT(self.checked.players or ""):
                address = slot.address((actor,))
                return state.cells[address] if address is not None else None
        return None

    def _actor(self, actor: m.Ref, env: Env, state: State) -> tuple[Value, Type]:
        if self.checked.symbol_of(actor) == BuiltinSymbol("chance"):
            return "chance", KindT("")
        value = self.evaluator.value(actor, state, env)
        return value, without_none(self.checked.type_of(actor))

    def _takes(self, frame: Frame, state: State) -> Node | None:
        data = frame.data
        actor, kind = self._actor(data["actor"], frame.env, state)
        if data["left"] == 0 or actor is None or actor is NOTHING or state.outcomes.get(actor) == "loses":
            state.stack.pop()
            return None
        answer = state.take_answer()
        if answer is MISSING:
            moves, must = self.options(frame, state)
            if not moves:
                state.stack.pop()
                return None
            choices = [Move(self.show_move(legal.verb, legal.args), (legal.verb, legal.args)) for legal in moves]
            if data["stop"] and not must:
                choices.append(Move("stop" if data["phrases"] is None else "decline", None))
            return Choice(self.player_of(actor, kind, state), tuple(choices), "an action")
        if answer is None:
            state.stack.pop()
            return None
        if data["left"] is not None:
            data["left"] -= 1
        verb, args = answer
        self._emit(state, Happening(("phrase", verb), args), ("call", verb, args))
        return None

    def legal_now(self, state: State) -> list[Legal]:
        """The actions among which the one who decides can choose; none where the choice is of another sort."""
        frame = state.stack[-1]
        if frame.kind == "takes":
            return self.options(frame, state)[0]
        if frame.kind == "window":
            return self._reactions(frame, state)
        return []

    def options(self, frame: Frame, state: State) -> tuple[list[Legal], bool]:
        """The legal moves of the one who acts here; where one of them must be done, only those."""
        actor, kind = self._actor(frame.data["actor"], frame.env, state)
        moves = self.legal(state, actor, kind, frame.data["phrases"], frame.env)
        duties = [legal for legal in moves if legal.must]
        return duties or moves, bool(duties)

    def _chooses(self, node: m.Chooses, frame: Frame, state: State) -> Node | None:
        actor, kind = self._actor(node.actor, frame.env, state)
        name = node.variable.text
        symbol = self.variables[name]
        assert isinstance(symbol, VariableSymbol)
        answer = state.take_answer()
        if answer is MISSING:
            values = [
                value
                for value in self.world.domain(symbol.type)
                if self.evaluator.holds(node.where, state, {**frame.env, name: value})
            ]
            moves = [Move(self.world.show(value, symbol.type), (value,)) for value in values]
            if node.or_none:
                moves.append(Move("none", (None,)))
            if not moves:
                frame.env[name] = NOTHING
                return None
            if actor == "chance":
                return Chance(tuple((move, 1) for move in moves), f"choose {name}")
            return Choice(self.player_of(actor, kind, state), tuple(moves), f"choose {name}")
        frame.env[name] = answer[0]
        return None

    def _decides(self, actor: m.Ref, options: tuple[m.Option, ...], env: Env, state: State) -> Node | None:
        who, kind = self._actor(actor, env, state)
        answer = state.take_answer()
        if answer is not MISSING:
            state.stack.append(Frame("block", options[answer].body, env=dict(env)))
            return None
        moves = self._open_options(options, env, state)
        if not moves:
            return None
        if who == "chance":
            return Chance(tuple((move, 1) for move in moves), "decide")
        return Choice(self.player_of(who, kind, state), moves, "decide")

    def _open_options(self, options: tuple[m.Option, ...], env: Env, state: State) -> tuple[Move, ...]:
        return tuple(
            Move(option.text, place)
            for place, option in enumerate(options)
            if self.evaluator.holds(option.conditions.when, state, env)
            and not (
                option.conditions.unless is not None and self.evaluator.holds(option.conditions.unless, state, env)
            )
            and self.block_payable(option.body, env, state)
        )

    def _open_window(self, name: m.Name, variable: m.Name | None, order: m.Ref | None, env: Env, state: State) -> None:
        if variable is None:
            things: list[Value] = list(range(self.world.seats))
            kind: Type = KindT(self.checked.players or "")
        else:
            symbol = self.variables[variable.text]
            assert isinstance(symbol, VariableSymbol)
            kind = symbol.type
            bound = env.get(variable.text, MISSING)
            things = self.ordered(variable, order, env, state) if bound is MISSING else [bound]
        data = {"things": things, "kind": kind, "at": 0, "declined": 0}
        frame = Frame("window", env=dict(env), moment=name.text, word="window", since=len(state.log), data=data)
        state.stack.append(frame)

    def _window(self, frame: Frame, state: State) -> Node | None:
        data = frame.data
        things: list[Value] = data["things"]
        if data["declined"] >= len(things):
            state.stack.pop()
            return None
        actor = things[data["at"] % len(things)]
        answer = state.take_answer()
        if answer is MISSING:
            moves = self._reactions(frame, state)
            if not moves:
                data["at"] += 1
                data["declined"] += 1
                return None
            choices = [Move(self.show_move(legal.verb, legal.args), (legal.verb, legal.args)) for legal in moves]
            if not any(legal.must for legal in moves):
                choices.append(Move("decline", None))
            return Choice(self.player_of(actor, data["kind"], state), tuple(choices), "a reaction")
        data["at"] += 1
        if answer is None:
            data["declined"] += 1
            return None
        data["declined"] = 0
        verb, args = answer
        self._emit(state, Happening(("phrase", verb), args), ("call", verb, args))
        return None

    def _reactions(self, frame: Frame, state: State) -> list[Legal]:
        things: list[Value] = frame.data["things"]
        actor = things[frame.data["at"] % len(things)]
        return self.legal(state, actor, frame.data["kind"], None, frame.env)

    # ---- breaking off

    def _end(self, moment: str, then: m.Block, env: Env, state: State) -> None:
        place = len(state.stack) - 1 if moment == "game" else state.find(moment)
        if moment == "game":
            state.over = True
            return
        if place is None:
            return
        ended = state.stack[place:]
        del state.stack[place:]
        frame = ended[0]
        if then:
            state.stack.append(Frame("block", then, env=dict(env)))
        for block, inner in reversed(frame.deferred):
            state.stack.append(Frame("block", block, env=dict(inner)))
        still = [
            (statement, part.env)
            for part in ended
            for statement in part.block[part.pc :]
            if isinstance(statement, m.Phase) and statement.even_when_ended
        ]
        frame.block, frame.pc, frame.stage, frame.deferred = (), 0, 1, []
        if frame.kind == "moment":
            frame.block = tuple(statement for statement, _ in still)
            state.stack.append(frame)

    # ---- stories

    def _read(self, passage: str, state: State) -> None:
        state.stack.append(Frame("story", data={"passage": passage}))

    def _turn_to(self, passage: str, state: State) -> None:
        place = max(i for i, f in enumerate(state.stack) if f.kind == "story")
        del state.stack[place + 1 :]
        story = state.stack[place]
        story.data["passage"] = passage
        story.stage = 0

    def _story(self, frame: Frame, state: State) -> Node | None:
        node = self.passages[frame.data["passage"]]
        if frame.stage == 0:
            frame.stage = 1
            state.stack.append(Frame("block", node.body))
            return None
        if frame.stage == 1 and node.options:
            answer = state.take_answer()
            if answer is not MISSING:
                frame.stage = 2
                state.stack.append(Frame("block", node.options[answer].body))
                return None
            moves = self._open_options(node.options, {}, state)
            if moves:
                turn = state.find("turn")
                actor = state.stack[turn].of if turn is not None else None
                return Choice(actor, moves, f"read {node.name.text}")
        state.stack.pop()
        return None
