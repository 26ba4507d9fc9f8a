"""The position that a scenario begins with.

Variables stand for different things, in order; the first way in which all that is given holds is taken. Control stands
at the first decision inside the moment that `during` names, and what is given holds there: it is made so before play
goes on to that decision, and once more at it, because what happens on the way may have changed it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine.base import Choice, Node, Over
from rules.machine.norms import conjuncts
from rules.machine.run import Machine
from rules.machine.state import State
from rules.machine.way import Stop, decisions, enter
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import BuiltinSymbol, RankSymbol, SlotSymbol, TableSymbol, ValueSymbol, VariableSymbol
from rules.types import KindT, TitleT, without_none
from rules.walk import nodes_of

_MOST_TRIES = 300  # ways to give things to the variables of a scenario


class Fails(Exception):  # noqa: N818
    """The scenario is not as the rules have it; the line, and why."""

    def __init__(self, span: Span, text: str) -> None:
        super().__init__(text)
        self.span = span


def variables_of(checked: CheckedRulebook, scenario: m.Scenario) -> list[VariableSymbol]:
    """The free variables, in the order in which they stand in the text."""
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


class Setting:
    """`state`, `node` and `env` are what the scenario begins with. Raises `Fails` where it cannot be."""

    def __init__(self, machine: Machine, scenario: m.Scenario) -> None:
        self.machine = machine
        self.scenario = scenario
        self.given = [line for line in scenario.lines if isinstance(line, m.GivenThat)]
        self.moment = next((line for line in scenario.lines if isinstance(line, m.AtMoment)), None)
        self.env: dict[str, Value] = {}
        self.state, self.node = self._set_up()

    def _set_up(self) -> tuple[State, Node]:
        reached = tried = False
        for count, env in enumerate(self._assignments()):
            if count == _MOST_TRIES:
                raise Fails(self._last_given(), f"no way to give all this was found in {_MOST_TRIES} tries")
            tried = True
            self.env = env
            state = self.machine.start()
            self._give(state)
            if self.moment is not None:
                self._enter(self.moment, state)
            node = self._to_decision(state)
            if node is None:
                continue
            reached = True
            self._give(node[0])
            if all(self.machine.evaluator.holds(line.condition, node[0], env) for line in self.given):
                state, waiting = node
                return state, self.machine.run(state) if isinstance(waiting, Choice) else waiting
        if tried and not reached:
            name = self.moment.moment.text if self.moment else "game"
            raise Fails((self.moment or self.scenario).span, f"nobody comes to decide anything during `{name}`")
        raise Fails(self._last_given(), "what is given cannot all hold")

    def _last_given(self) -> Span:
        return self.given[-1].span if self.given else self.scenario.span

    def _give(self, state: State) -> None:
        for line in self.given:
            self._establish(line.condition, state)

    # ---- what the variables stand for

    def _assignments(self) -> Iterator[dict[str, Value]]:
        """Conditions that no state can change (what is printed on things) are looked at as soon as they can be."""
        machine = self.machine
        variables = variables_of(machine.checked, self.scenario)
        fixed = [part for line in self.given for part in conjuncts(line.condition) if self._is_fixed(part)]
        known: set[str] = set()
        tests: list[list[m.Expr]] = []
        for symbol in variables:
            before = frozenset(known)
            known.add(symbol.name)
            needs = [(part, machine.needs(part)) for part in fixed]
            tests.append([part for part, names in needs if names <= known and not names <= before])
        start = machine.start()

        def go(place: int, env: dict[str, Value]) -> Iterator[dict[str, Value]]:
            if place == len(variables):
                yield env
                return
            symbol = variables[place]
            taken = [env[v.name] for v in variables[:place] if v.type == symbol.type]
            for value in machine.world.domain(symbol.type):
                if value in taken and isinstance(symbol.type, KindT):
                    continue
                inner = {**env, symbol.name: value}
                if all(machine.evaluator.holds(part, start, inner) for part in tests[place]):
                    yield from go(place + 1, inner)

        yield from go(0, {})

    def _is_fixed(self, expr: m.Expr) -> bool:
        for node in nodes_of(expr):
            symbol = self.machine.checked.symbols.get(id(node))
            if isinstance(symbol, ValueSymbol | RankSymbol | TableSymbol):
                return False
            if isinstance(symbol, SlotSymbol) and symbol.role != "printed":
                return False
            if isinstance(node, m.Happened | m.TimesHappened | m.During | m.Outcome):
                return False
        return True

    # ---- going to the moment

    def _to_decision(self, state: State) -> tuple[State, Node] | None:
        """The first decision inside the moment; where every way leads past it, the first end of the game."""
        over: tuple[State, Node] | None = None
        for found in decisions(self.machine, state, self._stops(state)):
            if not isinstance(found[1], Over):
                return found
            over = over or found
        return over

    def _stops(self, state: State) -> tuple[Stop, ...]:
        if self.moment is None or self.moment.moment.text == "game":
            return ()
        of = self.machine.evaluator.value(self.moment.of, state, self.env) if self.moment.of is not None else None
        return (Stop(self.moment.moment.text, of),)

    def _enter(self, line: m.AtMoment, state: State) -> None:
        if not enter(self.machine, state, self._stops(state), self.env):
            raise Fails(line.span, f"play never comes to `{line.moment.text}` by itself")

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
                pile = self._topped(target)
                if pile is not None:
                    self._establish_in(source, pile, state)
                    return
                if isinstance(target, m.Ref) and self._is_slot(target):
                    self._assign(target, self.machine.evaluator.value(source, state, self.env), state)
                    return

    def _topped(self, node: m.Expr) -> m.Ref | None:
        """The pile in `top of pile`."""
        symbol = self.machine.checked.symbols.get(id(node))
        if not (isinstance(node, m.Ref) and isinstance(symbol, BuiltinSymbol) and symbol.name == "top"):
            return None
        pile = node.args[0]
        return pile if isinstance(pile, m.Ref) else None

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
            assert isinstance(kind, TitleT)
            thing = self.machine.world.titles[kind.kind].index(thing)
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
