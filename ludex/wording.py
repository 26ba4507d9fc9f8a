"""The rules' answers in the words of the game: conditions with names for their variables, cells, changes, moments."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from grammar.print_expressions import print_event, print_expression, print_phrase
from ludex.table import cited
from rules import model as m
from rules.machine import Machine
from rules.machine.lacks import (
    OPEN,
    Atom,
    FrequencyReached,
    Given,
    Ignored,
    Lack,
    SwitchedOff,
    Unfit,
    is_adjective,
    sides_of,
)
from rules.machine.nearest import Becomes, Carried, Change, Counters, Moment, slot_at
from rules.machine.norms import Ground, RuleNorm
from rules.machine.secrets import HIDDEN
from rules.machine.way import Stop
from rules.machine.world import NOTHING, Value
from rules.span import Span
from rules.symbols import VariableSymbol
from rules.types import KindT, NumberT, OrderT, PileT, Type, without_none
from rules.walk import nodes_of

_FEW = 6  # so many of a list are told one by one

Node = TypeVar("Node")


class Words:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    # ---- names

    def show(self, value: Value, type_: Type) -> str:
        if value is HIDDEN or value is OPEN:
            return "hidden" if value is HIDDEN else "open"
        if value is NOTHING:
            return "nothing"
        if isinstance(value, tuple) and HIDDEN in value:
            bare = without_none(type_)
            assert isinstance(bare, PileT | OrderT)
            names = self.machine.world.things[bare.kind]
            seen = [names[thing] for thing in value if thing is not HIDDEN]
            return "[" + ", ".join([*seen, f"{len(value) - len(seen)} hidden"]) + "]"
        return self.machine.world.show(value, type_)

    def cell(self, address: int) -> str:
        slot = slot_at(self.machine, address)
        args = [self.show(arg, type_) for arg, type_ in zip(slot.args_at(address), slot.symbol.params, strict=True)]
        if not args:
            return slot.symbol.name
        return f"{slot.symbol.name} of {args[0] if len(args) == 1 else f'({listed(args)})'}"

    def held(self, address: int, value: Value) -> str:
        return self.show(value, slot_at(self.machine, address).symbol.type)

    def put(self, node: Node, given: Given) -> Node:
        """A node of the model with names in place of the variables."""
        types = {
            name: symbol.type for name, symbol in self.machine.variables.items() if isinstance(symbol, VariableSymbol)
        }
        names = {name: self.show(value, types[name]) for name, value in given}
        found: Node = _replaced(node, names)
        return found

    def expression(self, expr: m.Expr, given: Given) -> str:
        return print_expression(self.put(expr, given))

    # ---- conditions

    def atom(self, atom: Atom) -> str:
        """`coins of Player 1 >= 4: it is 2`."""
        answer = self.answer(atom.expr, atom.holds, atom.values, atom.is_open, atom.given)
        text = f"{self.expression(atom.expr, atom.given)}: {answer}"
        inner = "; ".join(self.atom(part) for part in atom.parts[:_FEW])
        more = f"; and {len(atom.parts) - _FEW} more" if len(atom.parts) > _FEW else ""
        return f"{text} ({inner}{more})" if inner else text

    def answer(self, expr: m.Expr, holds: bool | None, values: tuple[Value, ...], is_open: bool, given: Given) -> str:
        if holds is None:
            return "the rules leave it open" if is_open else "hidden"
        plain = "yes" if holds else "no"
        sides = [
            (side, self.expression(side, given), self.show(value, self._type(side)))
            for side, value in zip(sides_of(self.machine, expr), values, strict=False)
        ]
        told = [(side, text, value) for side, text, value in sides if text != value and not _is_group(value)]
        if not told or (isinstance(expr, m.Is) and holds is not expr.negated and len(told) == 1):
            return plain
        if len(told) == 1 and told[0][0] is sides[0][0] and self._says_what_it_is(expr, holds):
            return f"it is {told[0][2]}"
        return f"{plain}, " + " and ".join(f"{text} is {value}" for _, text, value in told)

    def _says_what_it_is(self, expr: m.Expr, holds: bool) -> bool:
        """Whether the value of the left side alone is the whole answer."""
        if isinstance(expr, m.Is):
            return not expr.negated and not holds and not is_adjective(self.machine, expr.right)
        return isinstance(expr, m.Compare) and not holds

    def _type(self, expr: m.Expr) -> Type:
        return self.machine.checked.type_of(expr)

    def lack(self, lack: Lack) -> str:
        match lack:
            case Atom():
                return self.atom(lack)
            case Unfit(label=label, pattern=pattern, given=given, value=value):
                text = self.expression(pattern, given)
                shown = self.show(value, self._type(pattern))
                says = f"{label} {text}" if label else text
                return f"it speaks of `{says}`" + (f", which is {shown}" if shown != text else "")
            case FrequencyReached(frequency=frequency, done=done):
                return f"{often(frequency)}: done {'once' if done == 1 else f'{done} times'} already"
            case SwitchedOff(until=until):
                return "it is switched off" + (f" until {print_event(until)}" if until is not None else "")
            case Ignored(by=by, atoms=atoms):
                because = "; ".join(map(self.atom, atoms))
                return f"{rule(by)} says to ignore it" + (f": {because}" if because else "")

    # ---- what would make it legal

    def change(self, change: Change) -> str:
        match change:
            case Becomes(address=address, old=old, new=new):
                slot = slot_at(self.machine, address)
                if isinstance(slot.symbol.type, NumberT) and slot.symbol.params:
                    (value,) = new
                    return f"with {abs(value - old)} {'more' if value > old else 'fewer'} {self.cell(address)}"
                values = " or ".join(self.held(address, value) for value in new)
                return f"if {self.cell(address)} were {values}"
            case Carried(thing=thing, target=target):
                type_ = slot_at(self.machine, target).symbol.type
                assert isinstance(type_, PileT)
                return f"if {self.machine.world.things[type_.kind][thing]} were in {self.cell(target)}"
            case Counters(amount=amount, origin=origin, target=target):
                return f"with {amount} more in {self.cell(target)}, from {self.cell(origin)}"

    def changes(self, changes: tuple[Change, ...]) -> str:
        return " and ".join(map(self.change, changes))

    def counted(self, atom: Atom) -> str | None:
        """`one more n where n >= 4`: what a count lacks, None where the condition counts nothing."""
        expr = atom.expr
        if not isinstance(expr, m.Compare | m.Is) or atom.holds is not False or not atom.wanted:
            return None
        if len(atom.values) != 2 or not all(isinstance(v, int) and not isinstance(v, bool) for v in atom.values):
            return None
        missing = atom.values[1] - atom.values[0]
        if isinstance(expr, m.Is) and expr.negated:
            return None
        if isinstance(expr, m.Compare):
            missing += {">": 1, "<": -1}.get(expr.op, 0)
        what = self._counted_things(expr.left, atom.given)
        if what is None or missing == 0:
            return None
        number = "one" if abs(missing) == 1 else str(abs(missing))
        return f"{number} {'more' if missing > 0 else 'fewer'} {what}"

    def _counted_things(self, expr: m.Expr, given: Given) -> str | None:
        match expr:
            case m.NumberOf(variable=variable, where=where):
                condition = f" where {self.expression(where, given)}" if where is not None else ""
                return f"{variable}{condition}"
            case m.Ref(name=m.Name(text="count"), args=(item, group)):
                return f"{self.expression(item, given)} in {self.expression(group, given)}"
            case m.Ref(name=m.Name(text="size"), args=(group,)):
                return f"in {self.expression(group, given)}"
            case _:
                return None

    def moment(self, moment: Moment) -> str:
        *outer, last = moment.stops
        text = self._stop(last, moment.again)
        text += "".join(f" {self._stop(stop, again=False)}" for stop in reversed(outer))
        return f"{text}, if chance allows it" if moment.chance else text

    def _stop(self, stop: Stop, again: bool) -> str:
        whose = f" of {self.show(stop.of, self._owner(stop.moment))}" if stop.of is not None else ""
        if stop.moment == "turn":
            return f"in the next turn{whose}" if again else f"when it is the turn{whose}"
        phases = [node for node in nodes_of(self.machine.play) if isinstance(node, m.Phase)]
        word = next((node.word for node in phases if node.name.text == stop.moment), "")
        name = f"{stop.moment} {word}" if word else stop.moment
        return f"in the {'next ' if again else ''}{name}{whose}"

    def _owner(self, moment: str) -> Type:
        """Of what kind those are whose moment it is."""
        machine = self.machine
        for node in nodes_of(machine.play):
            if moment == "turn" and isinstance(node, m.Turns):
                symbol = machine.variables[node.variable.text]
                assert isinstance(symbol, VariableSymbol)
                return symbol.type
        if moment in machine.verbs and (by := machine.by_of(moment)) is not None:
            return machine.verbs[moment].types[by]
        return KindT(machine.checked.players or "")

    def phrases(self, phrases: Iterable[m.Phrase], given: Given) -> str:
        return " or ".join(f"`{print_phrase(self.put(phrase, given))}`" for phrase in phrases)


def rule(norm: RuleNorm) -> str:
    """`neighbours (book 20)`; a rule without a place in a document has that in the text."""
    places = ", ".join(cited(norm.clauses.cites))
    return f"{norm.name} ({places or place(norm.body.span)})"


def place(span: Span) -> str:
    return f"{span.source.path}:{span.line}"


def by_ground(ground: Ground) -> str:
    """`authority card > book (book 33)`, `cannot over may (assumed)`."""
    if ground.assumed:
        return f"{ground.words} (an assumption)"
    places = ", ".join(cited(ground.rule.cites)) if ground.rule is not None else ""
    return f"{ground.words} ({places})" if places else ground.words


def often(frequency: m.Frequency) -> str:
    times = "once" if frequency.count == 1 else f"up to {frequency.count} times"
    each = f" for each {listed(name.text for name in frequency.each)}" if frequency.each else ""
    return f"{times} per {frequency.moment}{each}"


def listed(items: Iterable[str]) -> str:
    return ", ".join(items)


def shortened(items: list[str]) -> str:
    return listed(items[:_FEW]) + (f" and {len(items) - _FEW} more" if len(items) > _FEW else "")


def _is_group(value: str) -> bool:
    return value.startswith(("[", "{"))


def _replaced(node: Any, names: dict[str, str]) -> Any:
    if isinstance(node, m.Ref) and not node.args and node.name.text in names:
        return m.Ref(m.Name(names[node.name.text], node.name.span), (), node.span)
    if isinstance(node, tuple):
        return tuple(_replaced(part, names) for part in node)
    if not is_dataclass(node) or isinstance(node, Span | type):
        return node
    return type(node)(*(_replaced(getattr(node, f.name), names) for f in fields(node)))
