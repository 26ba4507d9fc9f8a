"""Conditions of rules in the words of a question: its own names for what a rule calls otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from grammar.print_expressions import print_expression
from rules import model as m
from rules.span import Span
from solver.terms import Flag, Term, no

_TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass(frozen=True, slots=True)
class Atom:
    """A plain condition that a rule asks for, as a term, and how it is told when it holds and when it does not."""

    term: Term
    holds: str
    fails: str

    def told(self, wanted: bool) -> str:
        return self.holds if wanted else self.fails

    def literal(self, wanted: bool) -> Flag:
        return self.term if wanted else no(self.term)


def leaves(expr: m.Expr | None) -> Iterator[m.Expr]:
    """The plain conditions that a condition is made of."""
    match expr:
        case None:
            return
        case m.And(left=left, right=right) | m.Or(left=left, right=right):
            yield from leaves(left)
            yield from leaves(right)
        case m.Not(operand=operand):
            yield from leaves(operand)
        case _:
            yield expr


def atom_of(expr: m.Expr, term: Flag, names: Mapping[str, m.Expr]) -> Atom | None:
    """None where a condition holds always or never."""
    if isinstance(term, bool):
        return None
    renamed = substituted(expr, names)
    if term.op == "not":
        inner = no(term)
        assert isinstance(inner, Term)
        return Atom(inner, print_expression(denied(renamed)), print_expression(renamed))
    return Atom(term, print_expression(renamed), print_expression(denied(renamed)))


def denied(expr: m.Expr) -> m.Expr:
    """The opposite, as people say it."""
    match expr:
        case m.Is() | m.IsIn() | m.Related():
            return replace(expr, negated=not expr.negated)
        case m.Compare(op=op):
            return replace(expr, op=_TURNED[op])  # type: ignore[arg-type]
        case m.Not(operand=operand):
            return operand
        case _:
            return m.Not(expr, expr.span)


def substituted(node: Any, names: Mapping[str, m.Expr]) -> Any:
    """The same with other expressions in place of some variables."""
    if isinstance(node, m.Ref) and not node.args and node.name.text in names:
        return names[node.name.text]
    if isinstance(node, tuple):
        return tuple(substituted(item, names) for item in node)
    if is_dataclass(node) and not isinstance(node, type | Span):
        changed = {f.name: substituted(getattr(node, f.name), names) for f in fields(node) if f.name != "span"}
        return replace(node, **changed)
    return node
