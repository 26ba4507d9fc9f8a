"""Rulings of a table as a rulebook of their own: an errata sheet that imports the game and settles its open points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import assert_never

from grammar.format import format_text
from grammar.print_expressions import print_ref, print_string
from grammar.print_statements import norm_lines
from grammar.text import parse_text
from rules import model as m
from rules.diagnostics import InternalError
from rules.machine import Machine, Ruling
from rules.machine.norms import RuleNorm
from rules.machine.world import Value
from rules.span import Source, Span
from rules.symbols import ValueSymbol, VariableSymbol
from rules.types import KindT, TruthT, Type, without_none

_NOWHERE = Span(Source("", ""), 0, 0)


def errata_text(machine: Machine, rulings: Iterable[Ruling], book: str) -> str:
    """The text of a rulebook with one ruling; `book` is the path to the game, from where the text will lie."""
    sheet = _Sheet(machine)
    lines = [line for ruling in dict.fromkeys(rulings) for line in sheet.lines_of(ruling)]
    head = [f"import {print_string(book)}", ""]
    head += [f"let {variable} be {kind}" for kind, variable in sheet.declared.items()]
    said = any(not line.startswith("#") for line in lines)  # a ruling of remarks alone is none
    body = [f"ruling {sheet.name}", *(f"    {line}" for line in lines)] if said else lines
    parsed = parse_text(Source("errata.rules", "\n".join([*head, *body]) + "\n"))
    if parsed.diagnostics:
        raise InternalError(f"an errata sheet that cannot be read: {parsed.diagnostics[0].message}")
    return format_text(parsed)


class _Sheet:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.taken = {
            d.name.text
            for d in machine.checked.book.declarations
            if isinstance(d, m.Rule | m.Policy | m.Value | m.Table | m.Rank)
        }
        self.name = self._new("errata")
        self.declared: dict[str, str] = {}  # variables for kinds that have none

    def _new(self, word: str) -> str:
        """The word, or with a number where it is taken."""
        name = next(n for n in chain([word], (f"{word}_{i}" for i in count(2))) if n not in self.taken)
        self.taken.add(name)
        return name

    def lines_of(self, ruling: Ruling) -> Iterator[str]:
        match ruling.kind:
            case "reads":
                yield f"{ruling.name} reads {ruling.value}"
            case "over":
                winners, losers = ({n.name: None for n in side} for side in (ruling.winners, ruling.losers))
                if winners.keys().isdisjoint(losers):
                    yield from (f"{winner} over {loser}" for winner in winners for loser in losers)
                else:
                    for norm in ruling.winners:
                        yield from self._rule(f"{norm.name}_counts", norm, [_restated(norm, self.machine)])
            case "usually":
                yield from self._usually(ruling)
            case "rests":
                yield f"{ruling.name} if possible"
            case "short":
                slot = next(s for s in self.machine.world.slots.values() if id(s.symbol) == ruling.value)
                pile = print_ref(_ref(ruling.name, [self._variable(type_) for type_ in slot.symbol.params]))
                yield f"rule {self._new(f'{ruling.name}_runs_out')}"
                yield f"    when {pile} runs out"
                yield "        nothing"
            case "row" | "tie":
                assert ruling.at is not None
                yield f"# {ruling.text}; this can only be said in line {ruling.at.line} of {ruling.at.source.path}"
            case _:
                assert_never(ruling.kind)

    def _rule(self, word: str, norm: RuleNorm, norms: list[m.Norm]) -> Iterator[str]:
        source = norm.clauses.source
        yield f"rule {self._new(word)}" + (f" source {source.text}" if source is not None else "")
        for one in norms:
            yield from ("    " * line.depth + line.text for line in norm_lines(one, 1))

    def _usually(self, ruling: Ruling) -> Iterator[str]:
        assert ruling.at is not None
        node = self.machine.values[ruling.at]
        symbols = self.machine.checked.symbols.values()
        symbol = next(s for s in symbols if isinstance(s, ValueSymbol) and s.span == ruling.at)
        value = _sayable(self.machine, ruling.value, symbol.type)
        target = print_ref(_ref(ruling.name, [v.text for v in node.variables]))
        if value is None:
            yield f"# {target}: {ruling.text}; this thing has no name of its own, so the rule must be written by hand"
            return
        yield f"rule {self._new(f'{ruling.name}_otherwise')}"
        yield f"    usually {target} is {value}"

    def _variable(self, type_: Type) -> str:
        """A variable of the book that stands for such things, or a new one."""
        for name, symbol in self.machine.variables.items():
            if isinstance(symbol, VariableSymbol) and symbol.type == type_:
                return name
        assert isinstance(type_, KindT)
        return self.declared.setdefault(type_.name, f"any_{type_.name.lower()}")


def _restated(norm: RuleNorm, machine: Machine) -> m.Norm:
    """A norm as it can stand in a rule; a case of a value says which value it is of."""
    body = norm.body
    if not isinstance(body, m.Case):
        return m.Norm(norm.manner, body, _NOWHERE)
    node = next(v for v in machine.values.values() if any(case is body for case in v.cases))
    target = _ref(norm.name, [v.text for v in node.variables])
    return m.Norm(None, m.ValueNorm(target, body.op, body.value, body.conditions, _NOWHERE), _NOWHERE)


def _sayable(machine: Machine, value: Value, type_: Type) -> str | None:
    """A value as the language writes it; None for a thing that the language has no name for."""
    bare = without_none(type_)
    if value is None:
        return "none"
    if isinstance(bare, TruthT):
        return "yes" if value else "no"
    if isinstance(bare, KindT):
        kind = machine.checked.kinds[bare.name]
        if kind.grid is not None:
            row, column = divmod(value, kind.grid.columns)
            return f"cell of ({bare.name}, {column + 1}, {row + 1})"
        name = machine.world.things[bare.name][value]
        return name if name.isidentifier() else None
    return str(value)


def _name(text: str) -> m.Name:
    return m.Name(text, _NOWHERE)


def _ref(name: str, args: list[str]) -> m.Ref:
    return m.Ref(_name(name), tuple(m.Ref(_name(arg), (), _NOWHERE) for arg in args), _NOWHERE)
