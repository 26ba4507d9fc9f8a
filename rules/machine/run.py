"""Carrying rules out: the stack, and what each statement does to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import assert_never

from rules import model as m
from rules.machine.base import Broken, Chance, Choice, Move, Node, Open, Over
from rules.machine.choosing import Choosing
from rules.machine.evaluate import Env
from rules.machine.events import counted
from rules.machine.norms import Gap, Ruling, Undetermined, Unmet
from rules.machine.state import MISSING, Frame, State
from rules.machine.things import MAX_STEPS
from rules.machine.world import NOTHING, Value
from rules.span import Span
from rules.symbols import DieSymbol, VariableSymbol
from rules.types import KindT, PileT, without_none

_LOOKED_AT = 1_000  # steps of something that never ends
_PILED = 10  # frames of one statement: it does not come to an end
_DEEPEST = 2_000  # frames: triggers that bring each other about pile up without end


class Machine(Choosing):
    # ---- the start

    def start(self) -> State:
        cells: list[Value] = []
        state = State(cells)
        for slot in self.world.slots.values():
            cells.extend([None] * slot.count)
        for slot in self._in_start_order:
            for address, args in enumerate(product(*slot.domains), slot.base):
                cells[address] = self._start(slot, args, state)
        self._fill_piles(state)
        self._fill_pools(state)
        self._check_start(state)
        state.stack.append(Frame("moment", self.play, moment="game", word="game"))
        for slot in self.world.slots.values():
            if any(word.text == "shuffled" for word in slot.node.modifiers):
                for args in product(*slot.domains):
                    self._push_shuffle(state, slot.address(args))
        return state

    # ---- going on

    def run(self, state: State) -> Node:
        """Goes on until something must be decided."""
        try:
            for _ in range(MAX_STEPS):
                if state.over or not state.stack:
                    return self._finish(state)
                if len(state.stack) > _DEEPEST:
                    break
                node = _told_apart(self._step(state))
                if isinstance(node, Choice) and (prepared := self._prepared(node, state)) is not MISSING:
                    state.answer = prepared
                elif node is not None:
                    return node
            return self.going_round(state)
        except Undetermined as clash:
            return Open("undetermined", clash.subject, clash.sides, rulings=clash.rulings)
        except Unmet as unmet:
            return Open("unmet", str(unmet), ((unmet.duty,),), unmet.span, unmet.rulings)
        except Gap as gap:
            return Open("gap", str(gap), span=gap.span, rulings=gap.rulings)
        except Broken as broken:
            return Open("broken", str(broken), span=broken.span)

    def going_round(self, state: State) -> Open:
        """Where it is: looked at a little longer, what stays below all that comes and goes is what repeats it."""
        trial = state.copy()
        lowest = len(trial.stack)
        for _ in range(_LOOKED_AT):
            if trial.over or not trial.stack or self._step(trial) is not None:
                break
            lowest = min(lowest, len(trial.stack))
        below = state.stack[:lowest]
        moment = next((frame.moment for frame in reversed(below) if frame.moment is not None), None)
        where = f" in `{moment}`" if moment not in (None, "game") else ""
        span = _repeating(below)
        return Open("stuck", f"the rules go round and round{where}, and nobody decides anything", span=span)

    def answer(self, state: State, move: Move) -> None:
        state.answer = move.data

    def rule(self, state: State, ruling: Ruling) -> None:
        """Puts a ruling in force. The state must be one from before the open point: a decision, or the start."""
        match ruling.kind:
            case "over":
                names = {norm.name for norm in ruling.winners}
                if names.isdisjoint(norm.name for norm in ruling.losers):
                    pairs: set[tuple[object, object]] = {
                        (w.name, x.name) for w in ruling.winners for x in ruling.losers
                    }
                else:
                    pairs = {(w.key, x.key) for w in ruling.winners for x in ruling.losers}
                state.overs = frozenset(state.overs | pairs)
            case "reads":
                state.reads = {**state.reads, ruling.name: ruling.value}
            case "usually":
                assert ruling.at is not None
                state.defaults = {**state.defaults, ruling.at: ruling.value}
            case "rests":
                state.resting = state.resting | {ruling.name}
            case "short":
                state.short = state.short | {ruling.value}
            case "row":
                keys, place = ruling.value
                assert ruling.at is not None
                state.rows = {**state.rows, (ruling.at, keys): place}
            case "tie":
                tie, first = ruling.value
                state.ties = {**state.ties, tie: (*state.ties.get(tie, ()), first)}
            case _:
                assert_never(ruling.kind)

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
                self._event(frame, state)
                return None
            case "triggers":
                return self._triggers(frame, state)
            case "draw":
                self._draw(frame, state)
                return None
            case "counters":
                self._counters(frame, state)
                return None
            case "moving":
                self._moving(frame, state)
                return None
            case "secret":
                return self._secret(frame, state)
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
        elif self.observer is not None:
            self.observer.done(statement, state)
        return node

    # ---- moments

    def _push_moment(self, state: State, name: str, word: str, block: m.Block, env: Env, of: Value = None) -> None:
        frame = Frame("moment", block, env=dict(env), moment=name, of=of, word=word, since=len(state.log))
        state.stack.append(frame)
        if self.observer is not None:
            self.observer.entered(frame, state)

    def _moment(self, frame: Frame, state: State) -> Node | None:
        """Stages: begin, body, end, leave."""
        assert frame.moment is not None
        if frame.stage == 0:
            frame.stage = 1
            self._emit(state, (self._moment_event(frame, "begins"),), ("none",))
        elif frame.stage == 1:
            if frame.pc < len(frame.block):
                return self._next_statement(frame, state)
            frame.stage = 2
            self._emit(state, (self._moment_event(frame, "ends"),), ("none",))
        else:
            self._leave_moment(frame, state)
        return None

    # ---- statements

    def _call(self, verb: str, args: tuple[Value, ...], state: State) -> None:
        node = self.actions.get(verb) or self.procedures[verb]
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, args, strict=True)}
        by = next((arg for p, arg in zip(node.signature.params, args, strict=True) if p.label == "by"), None)
        word = "action" if verb in self.actions else "procedure"
        self._push_moment(state, verb, word, node.body, env, by)

    def _statement(self, node: m.Statement, frame: Frame, state: State) -> Node | None:
        env = frame.env
        match node:
            case m.Simple(body=body):
                return self._simple(body, frame, state)
            case m.Phase(word=word, name=name, body=body):
                self._push_moment(state, name.text, word, body, env)
            case m.Each(variable=variable, order=order, where=where, body=body, secretly=secretly):
                things = self.ordered(variable, order, env, state)
                chosen = [t for t in things if self.evaluator.holds(where, state, {**env, variable.text: t})]
                data = {"things": chosen, "variable": variable.text, "at": 0}
                if secretly:
                    symbol = self.variables[variable.text]
                    assert isinstance(symbol, VariableSymbol)
                    data |= {"kind": symbol.type, "trial": None, "given": [], "answers": []}
                state.stack.append(Frame("secret" if secretly else "each", body, env=dict(env), data=data))
            case m.Turns():
                state.stack.append(Frame("turns", env=dict(env), data={"node": node, "last": None}))
            case m.Repeat(times=times, body=body):
                count = self._number(times, env, state) if times is not None else None
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
                total = rolled[0] if count is None else sum(rolled)
                inner = dict(env)
                if variable is not None:
                    inner[variable.text] = total
                row = self.row_for(rows, (total,), die, state)
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
            case m.Move(what=what, origin=origin, target=target, under=under):
                self._move(what, origin, target, env, state, under)
            case m.Pay(amount=amount, source=source, target=paid_to):
                if paid_to is None:
                    self._change(source, "decreases", self.evaluator.value(amount, state, env), env, state)
                else:
                    self._move(amount, source, paid_to, env, state)
            case m.Draw(count=count, origin=origin, target=target, variable=variable):
                data = {
                    "left": self._number(count, env, state),
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
                if emptied is None or filled is None:
                    return None
                self._push_shuffle(state, filled)
                if emptied != filled:
                    things = list(state.cells[emptied])
                    state.stack.append(
                        Frame("moving", data={"things": things, "source": emptied, "into": filled, "under": False})
                    )
            case m.Reveal():
                self._reveal(node, env, state)
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
                left = self._number(count, env, state) if count is not None else None
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
                state.disabled[rule.text] = (until, dict(env)) if until is not None else None
            case m.Go(passage=passage):
                self._turn_to(passage.text, state)
            case m.Read(passage=passage):
                self._read(passage.text, state)
            case m.Return() | m.Ending():
                place = max(i for i, f in enumerate(state.stack) if f.kind == "story")
                del state.stack[place:]
            case m.Outcome(player=player, result=result):
                who = self.evaluator.value(player, state, env) if player is not None else None
                if player is None or (who is not None and who is not NOTHING):
                    self._decide_outcome(who, result, state)
                    self._settle(state)
            case m.DoNothing():
                pass
            case _:
                assert_never(node)
        return None

    def _number(self, expr: m.Expr, env: Env, state: State) -> int:
        """How many or how often; never fewer than none at all, and nothing is none at all."""
        found = self.evaluator.value(expr, state, env)
        return 0 if found is None or found is NOTHING else max(0, found)

    def _reveal(self, node: m.Reveal, env: Env, state: State) -> None:
        """What is shown is seen until it is moved, shuffled or changed."""
        to = None
        if node.to is not None:
            who = self.evaluator.value(node.to, state, env)
            player = self.player_of(who, without_none(self.checked.type_of(node.to)), state)
            if player is None:
                return
            to = (player,)
        symbol = self.checked.symbol_of(node.what)
        if id(symbol) in self.world.slots:
            address = self.address(node.what, env, state)
            if address is None:
                return
            kind = self._kind_in(address)
            if kind:
                for thing in state.cells[address]:
                    self._show((kind, thing), to, address, state)
            else:
                self._show(("", address), to, address, state)
            return
        thing = self.evaluator.value(node.what, state, env)
        kind_of = without_none(self.checked.type_of(node.what))
        if thing is None or thing is NOTHING or not isinstance(kind_of, KindT):
            return
        place = self._pile_of(thing, PileT(kind_of.name), state)
        if place is not None:
            self._show((kind_of.name, thing), to, place, state)

    def _rolled(self, count: m.Expr | None, die: m.Name, frame: Frame, state: State) -> list[Value] | Chance:
        number = self._number(count, frame.env, state) if count is not None else 1
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
        row = self.row_for(self.tables[table].rows, keys, self.tables[table].name, state)
        state.stack.append(Frame("block", row.body, env=dict(env)))

    def _do(self, phrase: m.Phrase, env: Env, state: State) -> None:
        symbol = self.verbs[phrase.verb.text]
        labels = [param.label for param in symbol.params]
        args: list[Value] = [None] * len(labels)
        for arg in phrase.args:
            args[labels.index(arg.label)] = self.evaluator.value(arg.value, state, env)
        if any(arg is NOTHING for arg in args):
            return
        done = tuple(args)
        self._act((phrase.verb.text, done), state)

    # ---- loops

    def _each(self, frame: Frame, state: State) -> None:
        things, at = frame.data["things"], frame.data["at"]
        if at >= len(things):
            state.stack.pop()
            return
        frame.data["at"] = at + 1
        env = {**frame.env, frame.data["variable"]: things[at]}
        data: dict[str, Value] = {}
        if "answers" in frame.data:  # chosen in secret
            who = self.player_of(things[at], frame.data["kind"], state)
            data = {"prepared": list(frame.data["answers"][at]), "who": who}
        state.stack.append(Frame("block", frame.block, env=env, data=data))

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
                state.stack[-1].data["node"] = node
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

    # ---- breaking off

    def _end(self, moment: str, then: m.Block, env: Env, state: State) -> None:
        """Ends a moment and all that runs inside it, from the inside out.

        Every moment among them comes to its end: the steps marked `even when ended`, the event, what was put off.
        """
        if moment == "game":
            state.over = True
            return
        place = state.find(moment)
        if place is None or state.stack[place].stage > 1:  # it does not run, or is ending already
            return
        ended = state.stack[place:]
        del state.stack[place:]
        if then:
            state.stack.append(Frame("block", then, env=dict(env)))
        for frame in ended:
            steps: m.Block = ()
            if frame.kind in ("block", "moment", "repeat"):  # the others count their passes, not their statements
                steps = tuple(s for s in frame.block[frame.pc :] if isinstance(s, m.Phase) and s.even_when_ended)
            if frame.moment is not None:
                frame.pc = len(frame.block)
                if frame.kind == "window":
                    frame.data["declined"] = len(frame.data["things"])
                state.stack.append(frame)
            if steps:
                state.stack.append(Frame("block", steps, env=dict(frame.env)))

    # ---- stories

    def _read(self, passage: str, state: State) -> None:
        state.stack.append(Frame("story", data={"passage": passage}))

    def _turn_to(self, passage: str, state: State) -> None:
        place = max(i for i, f in enumerate(state.stack) if f.kind == "story")
        del state.stack[place + 1 :]
        story = state.stack[place]
        story.data["passage"] = passage
        story.stage, story.pc, story.env = 0, 0, {}

    def _story(self, frame: Frame, state: State) -> Node | None:
        node = self.passages[frame.data["passage"]]
        frame.block = node.body  # carried out here, so that the options know what was rolled and drawn
        if frame.pc < len(frame.block):
            return self._next_statement(frame, state)
        if frame.stage == 0 and node.options:
            answer = state.take_answer()
            if answer is not MISSING:
                frame.stage = 1
                state.stack.append(Frame("block", node.options[answer].body, env=dict(frame.env)))
                return None
            moves = self._open_options(node.options, frame.env, state)
            if moves:
                return Choice(self._reader(state), moves, f"read {node.name.text}")
        return Open("stuck", f"nothing leads on from `{node.name.text}`", span=node.name.span)

    def _reader(self, state: State) -> int | None:
        """The player whose turn it is; outside of turns, the table as one."""
        place = state.find("turn")
        if place is None:
            return None
        turns: m.Turns = state.stack[place].data["node"]
        symbol = self.variables[turns.variable.text]
        assert isinstance(symbol, VariableSymbol)
        return self.player_of(state.stack[place].of, symbol.type, state)


def _span_of(frame: Frame) -> Span | None:
    """The statement that a frame is carrying out."""
    node = frame.data.get("node")
    if node is not None and frame.kind in ("repeat", "turns"):
        span: Span = node.span
        return span
    return frame.block[max(0, frame.pc - 1)].span if frame.block else None


def _repeating(below: list[Frame]) -> Span | None:
    """The innermost statement; of statements that bring each other about and pile up, the first that does something."""
    found = [(frame, span) for frame in below if (span := _span_of(frame)) is not None]
    piled = Counter(span for _, span in found)
    pile = [(frame, span) for frame, span in found if piled[span] > _PILED]
    if pile and piled[found[-1][1]] > _PILED:
        doing = [span for frame, span in pile if isinstance(frame.block[max(0, frame.pc - 1)], m.Simple)]
        return doing[0] if doing else pile[0][1]
    return found[-1][1] if found else None


def _told_apart(node: Node | None) -> Node | None:
    """Moves are known by their texts, in saves too: where two are alike, the second is counted."""
    if not isinstance(node, Choice):
        return node
    texts = [move.text for move in node.moves]
    if len(set(texts)) == len(texts):
        return node
    return replace(
        node,
        moves=tuple(replace(move, text=text) for move, text in zip(node.moves, counted(texts), strict=True)),
    )
