"""Scenarios: a position is set up, moves are made; what the scenario expects is compared with what the rules say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import assert_never

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine.base import Broken, Chance, Choice, Move, Node, Open, Over
from rules.machine.norms import Gap, Referee, Undetermined
from rules.machine.policies import machine_of
from rules.machine.run import Machine
from rules.machine.setting import Fails, Setting, variables_of
from rules.machine.world import Value
from rules.span import Span
from rules.types import KindT, PileT, TitleT, without_none


@dataclass(frozen=True, slots=True)
class Failure:
    """The line of a scenario that is not as the rules have it."""

    span: Span
    text: str


def run_scenario(
    checked: CheckedRulebook, scenario: m.Scenario, referee: Callable[[Machine], Referee] | None = None
) -> Failure | None:
    """None where everything is as the scenario expects; `referee` as for `machine_of`."""
    seats = next((line.count for line in scenario.lines if isinstance(line, m.Seats)), None)
    policies: list[str] = []
    for line in scenario.lines:
        if isinstance(line, m.UsesPolicy):
            policies.append(line.policy.text)
        elif isinstance(line, m.UsesDefaults):
            policies += [policy.name.text for policy in checked.book.defaults()]
    machine = machine_of(checked, seats if seats is not None else _fewest(checked, scenario), tuple(policies), referee)
    try:
        _Run(machine, scenario).run()
    except Fails as failure:
        return Failure(failure.span, str(failure))
    return None


def _fewest(checked: CheckedRulebook, scenario: m.Scenario) -> int | None:
    """As few players as the game and the variables of the scenario need."""
    if checked.players is None:
        return None
    kind = checked.kinds[checked.players]
    named = {v.name for v in variables_of(checked, scenario) if v.type == KindT(kind.name)}
    return min(max(kind.least, len(named)), kind.most)


class _Run:
    def __init__(self, machine: Machine, scenario: m.Scenario) -> None:
        self.machine = machine
        self.scenario = scenario
        try:
            setting = Setting(machine, scenario)
        except (Undetermined, Gap, Broken) as open_point:
            raise Fails(scenario.span, f"the rules leave open what the scenario needs: {open_point}") from open_point
        self.env: dict[str, Value] = setting.env
        self.state, self.node = setting.state, setting.node

    def run(self) -> None:
        for line in self.scenario.lines:
            try:
                self._line(line)
            except (Undetermined, Gap, Broken) as open_point:
                raise Fails(line.span, f"the rules leave this open: {open_point}") from open_point

    def _line(self, line: m.ScenarioLine) -> None:
        match line:
            case m.DoMove():
                self._do(line)
            case m.Then(condition=condition):
                if not self.machine.evaluator.holds(condition, self.state, self.env):
                    raise Fails(line.span, "this does not hold")
            case m.ThenModal():
                self._then_modal(line)
            case m.ThenUndetermined(between=between):
                self._then_undetermined(line, {name.text for name in between})
            case m.GivenThat() | m.AtMoment() | m.Seats() | m.UsesPolicy() | m.UsesDefaults():
                pass  # the setting is made of them
            case _:
                assert_never(line)

    def _do(self, line: m.DoMove) -> None:
        verb = line.phrase.verb.text
        symbol = self.machine.verbs[verb]
        labels = [param.label for param in symbol.params]
        args: list[Value] = [None] * len(labels)
        for arg in line.phrase.args:
            args[labels.index(arg.label)] = self.machine.evaluator.value(arg.value, self.state, self.env)
        text = self.machine.show_move(verb, tuple(args))
        if not isinstance(self.node, Choice):
            raise Fails(line.span, f"nobody can choose anything here: {_situation(self.node)}")
        move = next((move for move in self.node.moves if move.text == text), None)
        if move is None:
            offered = "; ".join(move.text for move in self.node.moves[:6])
            raise Fails(line.span, f"`{text}` is not legal here; legal are: {offered}")
        self._stack_decks(line)
        self._answer(move)
        rolls, choices = list(line.rolls), list(line.choices)
        while True:
            if isinstance(self.node, Chance):
                self._answer(self._chance(self.node, line, rolls))
            elif isinstance(self.node, Choice) and choices:
                self._answer(self._chosen(self.node, line, choices.pop(0)))
            else:
                return

    def _stack_decks(self, line: m.DoMove) -> None:
        """What the scenario says is drawn lies on top of its pile, in that order."""
        for expr in reversed(line.draws):
            wanted = self.machine.evaluator.value(expr, self.state, self.env)
            type_ = without_none(self.machine.checked.type_of(expr))
            kind = type_.kind if isinstance(type_, TitleT) else type_.name if isinstance(type_, KindT) else ""
            names = self.machine.world.titles[kind]
            for slot in self.machine.world.slots.values():
                if slot.symbol.type != PileT(kind) or not any(w.text == "shuffled" for w in slot.node.modifiers):
                    continue
                for address in range(slot.base, slot.base + slot.count):
                    pile = self.state.cells[address]
                    found = next((t for t in pile if wanted in (t, names[t])), None)
                    if found is not None:
                        self.state.cells[address] = (found, *(t for t in pile if t != found))

    def _answer(self, move: Move) -> None:
        self.machine.answer(self.state, move)
        self.node = self.machine.run(self.state)

    def _chance(self, node: Chance, line: m.DoMove, values: list[m.Expr]) -> Move:
        if node.shuffles:
            return node.outcomes[0][0]
        if not values:
            raise Fails(
                line.span, f"chance decides here ({node.what}), and the scenario does not say how: add `rolling ...`"
            )
        wanted = self.machine.evaluator.value(values.pop(0), self.state, self.env)
        for move, _ in node.outcomes:
            if move.data in (wanted, (wanted,)):
                return move
        raise Fails(line.span, f"{node.what} cannot give {wanted}")

    def _chosen(self, node: Choice, line: m.DoMove, expr: m.Expr) -> Move:
        wanted = self.machine.evaluator.value(expr, self.state, self.env)
        for move in node.moves:
            if move.data in (wanted, (wanted,)):
                return move
        raise Fails(line.span, "what the scenario chooses cannot be chosen there")

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
            raise Fails(line.span, "this is not legal here")
        if line.modal == "must" and not (duties and {d.verb for d in duties} == {line.phrase.verb.text}):
            raise Fails(line.span, "nothing demands this here")
        if line.modal == "cannot":
            if fitting:
                raise Fails(line.span, f"this is legal here: {', '.join(sorted(rules))} allows it")
            rules = self.machine.forbidding(line.phrase, actor, self.env, self.state)
        if line.modal == "must":
            rules = self.machine.demanding(line.phrase.verb.text, self.state, actor)
        missing = [name.text for name in line.because if name.text not in rules]
        if missing:
            shown = ", ".join(sorted(rules)) or "no rule"
            raise Fails(line.span, f"not because of {', '.join(missing)}; it is because of {shown}")

    def _then_undetermined(self, line: m.ThenUndetermined, names: set[str]) -> None:
        if not isinstance(self.node, Open) or self.node.kind != "undetermined":
            raise Fails(line.span, f"nothing is undetermined here: {_situation(self.node)}")
        found = {norm.name for side in self.node.sides for norm in side}
        if not names <= found:
            raise Fails(line.span, f"the rules that disagree here are {', '.join(sorted(found))}")


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
            assert_never(node)
