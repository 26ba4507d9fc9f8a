"""Scenarios: a position is set up, moves are made, and what the scenario expects is compared with what the rules say.

Variables stand for different things, in order; the first way in which all that is given holds is taken. Control stands at
the first decision inside the moment that `during` names, and what is given holds there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules import model as m
from rules.check import CheckedRulebook
from rules.diagnostics import InternalError
from rules.machine.base import Chance, Choice, Move, Node, Open, Over
from rules.machine.policies import machine_of
from rules.machine.run import Machine
from rules.machine.state import Frame, State
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import SlotSymbol, VariableSymbol
from rules.types import KindT, without_none
from rules.walk import nodes_of


@dataclass(frozen=True, slots=True)
class Failure:
    span: Span
    text: str


class _Fails(Exception):  # noqa: N818
    def __init__(self, span: Span, text: str) -> None:
        super().__init__(text)
        self.span = span


def run_scenario(checked: CheckedRulebook, scenario: m.Scenario) -> Failure | None:
    """None where everything is as the scenario expects."""
    seats = next((line.count for line in scenario.lines if isinstance(line, m.Seats)), None)
    policies = tuple(line.policy.text for line in scenario.lines if isinstance(line, m.UsesPolicy))
    machine = machine_of(checked, seats if seats is not None else _fewest(checked, scenario), policies)
    try:
        _Run(machine, scenario).run()
    except _Fails as failure:
        return Failure(failure.span, str(failure))
    return None


def _fewest(checked: CheckedRulebook, scenario: m.Scenario) -> int | None:
    """As few players as the game and the variables of the scenario need."""
    if checked.players is None:
        return None
    kind = checked.kinds[checked.players]
    named = {v.name for v in _variables(checked, scenario) if v.type == KindT(kind.name)}
    return min(max(kind.least, len(named)), kind.most)


def _variables(checked: CheckedRulebook, scenario: m.Scenario) -> list[VariableSymbol]:
    bound = {
        n.variable.text
        for n in nodes_of(scenario)
        if isinstance(n, m.Quantified | m.SetWhere | m.NumberOf | m.Aggregate)
    }
    found: dict[str, VariableSymbol] = {}
    for node in nodes_of(scenario):
        symbol = checked.symbols.get(id(node)) if isinstance(node, m.Ref) else None
        if isinstance(symbol, VariableSymbol) and symbol.name not in bound:
            found.setdefault(symbol.name, symbol)
    return list(found.values())


class _Run:
    def __init__(self, machine: Machine, scenario: m.Scenario) -> None:
        self.machine = machine
        self.scenario = scenario
        self.given = [line for line in scenario.lines if isinstance(line, m.GivenThat)]
        self.moment = next((line for line in scenario.lines if isinstance(line, m.AtMoment)), None)
        self.env: dict[str, Value] = {}
        self.state, self.node = self._set_up()

    # ---- setting up

    def _set_up(self) -> tuple[State, Node]:
        for env in self._assignments():
            self.env = env
            state = self.machine.start()
            if self.moment is not None:
                self._enter(self.moment, state)
            node = self._to_decision(state)
            for line in self.given:
                self._establish(line.condition, state)
            if all(self.machine.evaluator.holds(line.condition, state, env) for line in self.given):
                if isinstance(node, Choice):
                    node = self.machine.run(state)
                return state, node
        line = self.given[-1] if self.given else self.scenario
        raise _Fails(line.span, "what is given cannot all hold")

    def _assignments(self) -> Iterator[dict[str, Value]]:
        variables = _variables(self.machine.checked, self.scenario)

        def go(place: int, env: dict[str, Value]) -> Iterator[dict[str, Value]]:
            if place == len(variables):
                yield env
                return
            symbol = variables[place]
            taken = [env[v.name] for v in variables[:place] if v.type == symbol.type]
            for value in self.machine.world.domain(symbol.type):
                if value not in taken or not isinstance(symbol.type, KindT):
                    yield from go(place + 1, {**env, symbol.name: value})

        yield from go(0, {})

    def _to_decision(self, state: State) -> Node:
        """Goes on to the first decision; what chance decides on the way does not matter, the given holds there."""
        node = self.machine.run(state)
        while isinstance(node, Chance):
            self.machine.answer(state, node.outcomes[0][0])
            node = self.machine.run(state)
        return node

    def _enter(self, line: m.AtMoment, state: State) -> None:
        name = line.moment.text
        if name == "game":
            return
        of = self.machine.evaluator.value(line.of, state, self.env) if line.of is not None else None
        frames = self._path(self.machine.play, name, of, dict(self.env), set())
        if frames is None:
            raise _Fails(line.span, f"play never comes to `{name}` by itself")
        game = state.stack[0]
        game.pc = frames[0].pc
        state.stack = [game, *frames[1:]]

    def _path(self, block: m.Block, name: str, of: Value, env: dict[str, Value], seen: set[str]) -> list[Frame] | None:
        """The frames that stand when the moment begins; the first stands for the block itself."""
        for place, statement in enumerate(block):
            inner = self._into(statement, name, of, env, seen)
            if inner is not None:
                return [Frame("block", block, place + 1, dict(env)), *inner]
        return None

    def _into(
        self, node: m.Statement, name: str, of: Value, env: dict[str, Value], seen: set[str]
    ) -> list[Frame] | None:
        match node:
            case m.Phase(name=phase, body=body, word=word):
                return self._moment(phase.text, word, body, None, name, of, env, seen)
            case m.Repeat(body=body):
                found = self._path(body, name, of, env, seen)
                if found is None:
                    return None
                data = {"node": node, "left": 2, "outer": dict(env)}
                return [Frame("repeat", body, found[0].pc, dict(env), data=data), *found[1:]]
            case m.Turns(variable=variable, body=body):
                who = of if name == "turn" and of is not None else self.env.get(variable.text, 0)
                inner = {**env, variable.text: who}
                found = self._moment("turn", "turn", body, who, name, of, inner, seen)
                return found and [Frame("turns", env=dict(env), data={"node": node, "last": who}), *found]
            case m.Each(variable=variable, body=body):
                who = self.env.get(variable.text, 0)
                found = self._path(body, name, of, {**env, variable.text: who}, seen)
                return found
            case m.If(then=then, otherwise=otherwise):
                return self._path(then, name, of, env, seen) or self._path(otherwise, name, of, env, seen)
            case m.Simple(body=m.Do(phrase=phrase)) if phrase.verb.text not in seen:
                procedure = self.machine.procedures[phrase.verb.text]
                params = {p.variable.text: self._argument(phrase, p, env) for p in procedure.signature.params}
                by = next((params[p.variable.text] for p in procedure.signature.params if p.label == "by"), None)
                verb = phrase.verb.text
                return self._moment(verb, "procedure", procedure.body, by, name, of, params, {*seen, verb})
            case m.Simple(body=m.Window()):
                return [] if node.body.name.text == name else None  # type: ignore[union-attr]
            case _:
                return None

    def _argument(self, phrase: m.Phrase, param: m.Param, env: dict[str, Value]) -> Value:
        arg = next((a for a in phrase.args if a.label == param.label), None)
        if arg is None:
            return None
        return self.machine.evaluator.value(arg.value, State([None] * 0), env) if _is_plain(arg.value) else None

    def _moment(
        self,
        own: str,
        word: str,
        body: m.Block,
        who: Value,
        name: str,
        of: Value,
        env: dict[str, Value],
        seen: set[str],
    ) -> list[Frame] | None:
        if own == name:
            return [Frame("moment", body, 0, dict(env), own, who if of is None else of, word, stage=1)]
        found = self._path(body, name, of, env, seen)
        if found is None:
            return None
        return [Frame("moment", body, found[0].pc, dict(env), own, who, word, stage=1), *found[1:]]

    # ---- making something so

    def _establish(self, condition: m.Expr, state: State) -> None:
        """Sets what can be set; whether everything then holds is asked afterwards."""
        holds = self.machine.evaluator.holds
        if holds(condition, state, self.env):
            return
        match condition:
            case m.And(left=left, right=right):
                self._establish(left, state)
                self._establish(right, state)
            case m.Is(left=left, right=right, negated=negated):
                self._establish_is(left, right, negated, state)
            case m.IsIn(left=left, right=m.Ref() as pile, negated=False):
                self._establish_in(left, pile, state)
            case m.Ref():
                self._assign(condition, True, state)
            case m.Not(operand=m.Ref() as operand):
                self._assign(operand, False, state)
            case m.Compare(op=op, left=m.Ref() as left, right=right):
                edge = self.machine.evaluator.value(right, state, self.env)
                if isinstance(edge, int):
                    self._assign(left, edge + {"<": -1, ">": 1}.get(op, 0), state)
            case m.Quantified(quantifier="every", variable=variable, where=where, body=body):
                outer = self.env
                for value in self._values(variable):
                    self.env = {**outer, variable.text: value}
                    if holds(where, state, self.env):
                        self._establish(body, state)
                self.env = outer
            case _:
                pass

    def _values(self, variable: m.Name) -> tuple[Value, ...]:
        symbol = self.machine.variables[variable.text]
        assert isinstance(symbol, VariableSymbol)
        return self.machine.world.domain(symbol.type)

    def _establish_is(self, left: m.Expr, right: m.Expr, negated: bool, state: State) -> None:
        symbol = self.machine.checked.symbols.get(id(right))
        if isinstance(right, m.Ref) and not right.args and isinstance(symbol, SlotSymbol) and symbol.params:
            subject = self.machine.evaluator.value(left, state, self.env)
            address = self.machine.world.slots[id(symbol)].address((subject,))
            if address is not None and symbol.role != "printed":
                state.cells[address] = not negated
        elif not negated:
            for target, source in ((left, right), (right, left)):
                if isinstance(target, m.Ref) and self._is_slot(target):
                    self._assign(target, self.machine.evaluator.value(source, state, self.env), state)
                    return

    def _is_slot(self, node: m.Ref) -> bool:
        symbol = self.machine.checked.symbols.get(id(node))
        return isinstance(symbol, SlotSymbol) and symbol.role != "printed"

    def _establish_in(self, left: m.Expr, pile: m.Ref, state: State) -> None:
        thing = self.machine.evaluator.value(left, state, self.env)
        address = self.machine.address(pile, self.env, state)
        symbol = self.machine.checked.symbols.get(id(pile))
        if address is None or not isinstance(symbol, SlotSymbol) or symbol.role != "pile":
            return
        if isinstance(thing, str):  # a title: any copy
            kind = without_none(self.machine.checked.type_of(left))
            thing = self.machine.world.titles[kind.kind].index(thing)  # type: ignore[union-attr]
        for slot in self.machine.world.slots.values():
            if slot.symbol.role == "pile" and slot.symbol.type == symbol.type:
                for place in range(slot.base, slot.base + slot.count):
                    state.cells[place] = tuple(t for t in state.cells[place] if t != thing)
        state.cells[address] = (thing, *state.cells[address])

    def _assign(self, target: m.Ref, value: Value, state: State) -> None:
        if self._is_slot(target):
            address = self.machine.address(target, self.env, state)
            if address is not None:
                state.cells[address] = value

    # ---- moves and expectations

    def run(self) -> None:
        for line in self.scenario.lines:
            match line:
                case m.DoMove():
                    self._do(line)
                case m.Then(condition=condition):
                    if not self.machine.evaluator.holds(condition, self.state, self.env):
                        raise _Fails(line.span, "this does not hold")
                case m.ThenModal():
                    self._then_modal(line)
                case m.ThenUndetermined(between=between):
                    self._then_undetermined(line, {name.text for name in between})
                case _:
                    pass

    def _do(self, line: m.DoMove) -> None:
        verb = line.phrase.verb.text
        symbol = self.machine.verbs[verb]
        labels = [param.label for param in symbol.params]
        args: list[Value] = [None] * len(labels)
        for arg in line.phrase.args:
            args[labels.index(arg.label)] = self.machine.evaluator.value(arg.value, self.state, self.env)
        text = self.machine.show_move(verb, tuple(args))
        if not isinstance(self.node, Choice):
            raise _Fails(line.span, f"nobody can choose anything here: {_situation(self.node)}")
        move = next((move for move in self.node.moves if move.text == text), None)
        if move is None:
            offered = "; ".join(move.text for move in self.node.moves[:6])
            raise _Fails(line.span, f"`{text}` is not legal here; legal are: {offered}")
        self._answer(move)
        values = {"rolls": list(line.rolls), "draws": list(line.draws), "choices": list(line.choices)}
        while True:
            if isinstance(self.node, Chance):
                self._answer(self._chance(self.node, line, values["draws" if "shuffle" in self.node.what else "rolls"]))
            elif isinstance(self.node, Choice) and values["choices"]:
                self._answer(self._chosen(self.node, line, values["choices"].pop(0)))
            else:
                return

    def _answer(self, move: Move) -> None:
        self.machine.answer(self.state, move)
        self.node = self.machine.run(self.state)

    def _chance(self, node: Chance, line: m.DoMove, values: list[m.Expr]) -> Move:
        if not values:
            if "shuffle" in node.what:
                return node.outcomes[0][0]
            raise _Fails(
                line.span, f"chance decides here ({node.what}), and the scenario does not say how: add `rolling ...`"
            )
        wanted = self.machine.evaluator.value(values.pop(0), self.state, self.env)
        for move, _ in node.outcomes:
            if move.data == wanted or move.data == (wanted,):
                return move
        raise _Fails(line.span, f"{node.what} cannot give {wanted}")

    def _chosen(self, node: Choice, line: m.DoMove, expr: m.Expr) -> Move:
        wanted = self.machine.evaluator.value(expr, self.state, self.env)
        for move in node.moves:
            if move.data in (wanted, (wanted,)):
                return move
        raise _Fails(line.span, "what the scenario chooses cannot be chosen there")

    def _then_modal(self, line: m.ThenModal) -> None:
        actor = self.machine.evaluator.value(line.actor, self.state, self.env)
        kind = without_none(self.machine.checked.type_of(line.actor))
        found = self.machine.legal(self.state, actor, kind, None, self.env)
        duties = [legal for legal in found if legal.must]
        fitting = [
            legal
            for legal in found
            if legal.verb == line.phrase.verb.text
            and self.machine.match_phrase(line.phrase, legal.args, dict(self.env), self.state)
        ]
        rules = {applied.norm.name for legal in fitting for applied in legal.winners}
        if line.modal == "may" and not (fitting and (not duties or any(legal.must for legal in fitting))):
            raise _Fails(line.span, "this is not legal here")
        if line.modal == "must" and not (duties and {d.verb for d in duties} == {line.phrase.verb.text}):
            raise _Fails(line.span, "nothing demands this here")
        if line.modal == "cannot":
            if fitting:
                raise _Fails(line.span, f"this is legal here: {', '.join(sorted(rules))} allows it")
            rules = self.machine.forbidding(line.phrase, actor, self.env, self.state)
        if line.modal == "must":
            rules = self.machine.demanding(line.phrase.verb.text, self.state, actor)
        missing = [name.text for name in line.because if name.text not in rules]
        if missing:
            shown = ", ".join(sorted(rules)) or "no rule"
            raise _Fails(line.span, f"not because of {', '.join(missing)}; it is because of {shown}")

    def _then_undetermined(self, line: m.ThenUndetermined, names: set[str]) -> None:
        if not isinstance(self.node, Open) or self.node.kind != "undetermined":
            raise _Fails(line.span, f"nothing is undetermined here: {_situation(self.node)}")
        found = {name for side in self.node.sides for name in side}
        if not names <= found:
            raise _Fails(line.span, f"the rules that disagree here are {', '.join(sorted(found))}")


def _is_plain(expr: m.Expr) -> bool:
    return isinstance(expr, m.Number | m.Truth | m.Nothing) or (isinstance(expr, m.Ref) and not expr.args)


def _situation(node: Node) -> str:
    match node:
        case Over():
            return "the game is over"
        case Open(kind=kind, text=text):
            return f"{kind}: {text}"
        case Chance(what=what):
            return f"chance decides ({what})"
        case Choice(what=what):
            return f"a choice is open ({what})"
        case _:
            raise InternalError("no such node")
