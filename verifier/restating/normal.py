"""Text in one form, so that two sentences can be laid side by side: variables are called after what they stand for.

Only used to say in what two statements differ; whether they differ is for their meaning to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, Literal

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import RuleNorm, conjuncts
from rules.span import Span
from rules.symbols import ConstantSymbol, VariableSymbol

Aspect = Literal["guard", "number", "list", "actor", "time", "kind"]


@dataclass(slots=True)
class Normal:
    """Rewrites parts of one statement. `roles` are the variables of its subject and the parts that they stand for;
    `spoken` what else stands there. Other variables are counted as they come."""

    machine: Machine
    roles: Mapping[str, str] = field(default_factory=dict)
    spoken: Mapping[m.Expr, str] = field(default_factory=dict)

    def of(self, node: Any) -> Any:
        return self._of(node, {})

    def _of(self, node: Any, others: dict[str, str]) -> Any:
        if isinstance(node, m.Ref) and node in self.spoken:
            return m.Ref(m.Name(self.spoken[node], node.span), (), node.span)
        if isinstance(node, m.Name):
            return self._name(node, others)
        if isinstance(node, m.Clauses):
            return m.NO_CLAUSES
        if isinstance(node, tuple):
            return tuple(self._of(item, others) for item in node)
        if is_dataclass(node) and not isinstance(node, (type, Span)):
            changed = {f.name: self._of(getattr(node, f.name), others) for f in fields(node) if f.name != "span"}
            return replace(node, **changed)
        return node

    def _name(self, name: m.Name, others: dict[str, str]) -> m.Name:
        symbol = self.machine.variables.get(name.text)
        if not isinstance(symbol, VariableSymbol):
            return name
        if name.text in self.roles:
            return replace(name, text=self.roles[name.text])
        return replace(name, text=others.setdefault(name.text, f"{symbol.type} {len(others) + 1}"))


def normal_of(norm: RuleNorm, machine: Machine, phrase: m.Phrase | None = None) -> Normal:
    """With the parts of what a norm speaks of as roles."""
    roles: dict[str, str] = {}
    spoken: dict[m.Expr, str] = {}
    for label, part in subject_parts(norm.body, phrase):
        role = f"the part {label}"
        if isinstance(part, m.Ref) and not part.args and part.name.text in machine.variables:
            roles.setdefault(part.name.text, role)
        elif isinstance(part, m.Ref):
            spoken.setdefault(part, role)
    if isinstance(norm.body, m.Case):
        value = next(v for v in machine.values.values() if any(case is norm.body for case in v.cases))
        roles = {name.text: f"the part {place}" for place, name in enumerate(value.variables)}
    return Normal(machine, roles, spoken)


def subject_parts(body: m.NormBody | m.Case, phrase: m.Phrase | None = None) -> Iterator[tuple[str, m.Expr]]:
    """The parts of what a norm speaks of, each with its label."""
    match body:
        case m.ModalNorm(actor=actor, phrases=phrases):
            yield "by", actor
            yield from ((arg.label or "", arg.value) for arg in (phrase or phrases[0]).args)
        case m.EventNorm(event=event):
            yield from event_parts(event)
        case m.IgnoreNorm(what=what) if not isinstance(what, m.Name):
            yield from event_parts(what)
        case m.ValueNorm(target=target):
            yield from ((str(place), arg) for place, arg in enumerate(target.args))
        case m.OutcomeNorm(outcome=outcome) if outcome.player is not None:
            yield "who", outcome.player
        case _:
            return


def event_parts(event: m.Event) -> Iterator[tuple[str, m.Expr]]:
    match event:
        case m.PhraseEvent(phrase=phrase):
            yield from ((arg.label or "", arg.value) for arg in phrase.args)
        case m.ChangeEvent(subject=subject, amount=amount):
            yield from ((str(place), arg) for place, arg in enumerate(subject.args))
            if amount is not None:
                yield "amount", amount
        case m.MomentEvent(moment=of) | m.RunsOutEvent(pile=of):
            yield from ((str(place), arg) for place, arg in enumerate(of.args))
        case m.TransferEvent(what=what, where=where):
            yield "what", what
            yield from ((str(place), arg) for place, arg in enumerate(where.args))


# ---- conditions -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Guard:
    """One thing that must hold for a norm to apply; with `wanted` false, that must not hold."""

    form: Any  # in one form
    expr: m.Expr
    wanted: bool

    @property
    def words(self) -> str:
        return f"{'' if self.wanted else 'not '}{words_of(self.expr)}"


def guards_of(conditions: m.Conditions, normal: Normal) -> list[Guard]:
    found: list[Guard] = []
    if conditions.when is not None:
        found += [_guard(part, True, normal) for part in conjuncts(conditions.when)]
    if conditions.unless is not None:
        found += [_guard(part, False, normal) for part in disjuncts(conditions.unless)]
    return found


def _guard(expr: m.Expr, wanted: bool, normal: Normal) -> Guard:
    if isinstance(expr, m.Not):
        return _guard(expr.operand, not wanted, normal)
    return Guard((normal.of(expr), wanted), expr, wanted)


def disjuncts(expr: m.Expr) -> Iterator[m.Expr]:
    if isinstance(expr, m.Or):
        yield from disjuncts(expr.left)
        yield from disjuncts(expr.right)
    else:
        yield expr


# ---- what can differ in an expression -------------------------------------------------------------------------------


def apart(one: Any, other: Any, machine: Machine) -> Aspect | None:
    """In what two forms differ that are built alike; None where they are not, or do not differ.

    Forms of guards are pairs: what is asked, and whether it must hold.
    """
    match one, other:
        case (a, bool() as x), (b, bool() as y) if a == b and x is not y:
            return "guard"
    ours: list[tuple[Aspect, object]] = []
    theirs: list[tuple[Aspect, object]] = []
    if _blanked(one, machine, ours) != _blanked(other, machine, theirs):
        return _shorter_list(one, other)
    differing = [aspect for (aspect, a), (_, b) in zip(ours, theirs, strict=True) if a != b]
    return differing[0] if differing else None


def _shorter_list(one: Any, other: Any) -> Aspect | None:
    """Alternatives of which some are the same are a list."""
    if not isinstance(one, tuple) or not isinstance(other, tuple) or one[1:] != other[1:] or not (one and other):
        return None
    return "list" if set(disjuncts(one[0])) & set(disjuncts(other[0])) else None


def _blanked(node: Any, machine: Machine, found: list[tuple[Aspect, object]]) -> object:
    """The form with blanks for numbers, things, lists and moments, which are collected."""
    match node:
        case m.Number(value=value):
            found.append(("number", value))
            return "number"
        case m.SetOf(items=items):
            found.append(("list", frozenset(items)))
            return "set"
        case m.Compare(op=op, left=left, right=right):
            found.append(("number", op))
            return ("compare", _blanked(left, machine, found), _blanked(right, machine, found))
        case m.During(moment=moment, of=of):
            found.append(("time", moment.text))
            return ("during", _blanked(of, machine, found))
        case m.Happened(event=event, moment=moment) | m.TimesHappened(event=event, moment=moment):
            found.append(("time", moment.text))
            return (type(node), _blanked(event, machine, found))
        case m.Ref(name=name, args=()) if _is_constant(name.text, machine):
            found.append(("number", name.text))
            return "constant"
        case tuple():
            return tuple(_blanked(item, machine, found) for item in node)
        case _ if is_dataclass(node) and not isinstance(node, (type, Span)):
            inside = (_blanked(getattr(node, f.name), machine, found) for f in fields(node) if f.name != "span")
            return (type(node), *inside)
        case _:
            return node


def _is_constant(name: str, machine: Machine) -> bool:
    return any(isinstance(symbol, ConstantSymbol) for symbol in machine.checked.terms.get(name, ()))


def words_of(node: Any) -> str:
    """The text of a part of the book on one line, without the places that it cites."""
    text = node.span.text
    clauses = getattr(node, "clauses", m.NO_CLAUSES)
    if clauses.cites:
        text = text[: min(one.span.start for one in clauses.cites) - node.span.start]
    return " ".join(text.split()).removesuffix(" cites")
