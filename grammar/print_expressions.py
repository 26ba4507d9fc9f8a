"""Expressions, phrases, events, types and clauses to canonical text, each on one line.

In: nodes of the model. Out: text that parses back to the same nodes. Brackets stand only where the grammar needs them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from rules import model as m

# How tightly a node binds, by the layers of `expr` in the grammar. A place that wants a `sum` takes a node of that
# level or a higher one; anything looser stands in brackets there.
_OR, _AND, _NOT, _COMPARISON, _SUM, _PRODUCT, _UNARY, _PRIMARY = range(8)


def print_expression(expr: m.Expr) -> str:
    return _fitted(expr, _OR, last=True)


def print_sum(expr: m.Expr) -> str:
    """For a place where the grammar wants a `sum`."""
    return _fitted(expr, _SUM)


def print_primary(expr: m.Expr) -> str:
    """For a place where the grammar wants a `primary`."""
    return _fitted(expr, _PRIMARY)


def _fitted(expr: m.Expr, least: int, last: bool = False) -> str:
    """`last`: nothing follows that a quantifier without brackets could swallow."""
    if _level(expr) < least or (not last and _is_open(expr)):
        return f"({_bare(expr, last=True)})"
    return _bare(expr, last)


def _is_short(expr: m.Quantified) -> bool:
    """`every p is passed` rather than `every p satisfies p is passed`."""
    return expr.where is None and isinstance(expr.body, m.Is) and expr.body.left == m.Ref(expr.variable, (), expr.span)


def _is_open(expr: m.Expr) -> bool:
    """A quantifier that reaches as far to the right as it can."""
    return isinstance(expr, m.Quantified) and not _is_short(expr)


def _level(expr: m.Expr) -> int:
    match expr:
        case m.Or():
            return _OR
        case m.And():
            return _AND
        case m.Not():
            return _NOT
        case m.Quantified():
            return _COMPARISON if _is_short(expr) else _NOT
        case m.Compare() | m.Is() | m.IsIn() | m.Related() | m.During() | m.Happened() | m.Outcome():
            return _COMPARISON
        case m.Arithmetic(op="+" | "-"):
            return _SUM
        case m.Arithmetic() | m.Divide():
            return _PRODUCT
        case m.Negate():
            return _UNARY
        case m.Number(value=value):
            return _UNARY if value < 0 else _PRIMARY
        case (
            m.Truth()
            | m.Nothing()
            | m.Ref()
            | m.SetOf()
            | m.SetWhere()
            | m.NumberOf()
            | m.Aggregate()
            | m.TimesHappened()
        ):
            return _PRIMARY
        case _:
            assert_never(expr)


def _bare(expr: m.Expr, last: bool) -> str:
    match expr:
        case m.Or(left=left, right=right):
            return f"{_alternative(left, _OR)} or {_alternative(right, _AND, last)}"
        case m.And(left=left, right=right):
            return f"{_fitted(left, _AND)} and {_fitted(right, _NOT, last)}"
        case m.Not(operand=operand):
            return f"not {_fitted(operand, _NOT, last)}"
        case m.Quantified():
            return _quantified(expr)
        case m.Compare(op=compare, left=left, right=right):
            return f"{print_sum(left)} {compare} {print_sum(right)}"
        case m.Is(left=left, right=right, negated=negated):
            return f"{print_sum(left)} is {'not ' if negated else ''}{print_sum(right)}"
        case m.IsIn(left=left, right=right, negated=negated):
            return f"{print_sum(left)} is {'not ' if negated else ''}in {print_sum(right)}"
        case m.Related(left=left, relation=relation, right=right, negated=negated):
            return f"{print_sum(left)} is {'not ' if negated else ''}{relation} to {print_sum(right)}"
        case m.During(moment=moment, of=of):
            return print_during(moment, of)
        case m.Happened(event=event, moment=moment):
            return f"happened ({print_event(event)}) this {moment}"
        case m.Outcome():
            return print_outcome(expr)
        case m.Arithmetic(op="*", left=left, right=right):
            return f"{_fitted(left, _PRODUCT)} * {_fitted(right, _UNARY)}"
        case m.Arithmetic(op=sign, left=left, right=right):
            return f"{_fitted(left, _SUM)} {sign} {_fitted(right, _PRODUCT)}"
        case m.Divide(left=left, right=right, rounding=rounding):
            return f"{_fitted(left, _PRODUCT)} / {_fitted(right, _UNARY)} rounded {rounding}"
        case m.Negate(operand=operand):
            return f"-{_fitted(operand, _UNARY)}"
        case m.Number(value=value):
            return str(value)
        case m.Truth(value=value):
            return "yes" if value else "no"
        case m.Nothing():
            return "none"
        case m.Ref():
            return print_ref(expr)
        case m.SetOf(items=items):
            return f"{{{', '.join(map(print_expression, items))}}}"
        case m.SetWhere(variable=variable, where=where):
            return f"{{{variable}{_where(where)}}}"
        case m.NumberOf(variable=variable, where=where):
            return f"number of ({variable}{_where(where)})"
        case m.Aggregate(op=aggregate, body=body, variable=variable, where=where):
            return f"{aggregate} of ({print_expression(body)} for {variable}{_where(where)})"
        case m.TimesHappened(event=event, moment=moment):
            return f"times ({print_event(event)}) this {moment}"
        case _:
            assert_never(expr)


def _alternative(expr: m.Expr, least: int, last: bool = False) -> str:
    """Brackets around an `and` beside an `or`: not needed, but nobody has to know which binds tighter."""
    return f"({_bare(expr, last=True)})" if isinstance(expr, m.And) else _fitted(expr, least, last)


def _quantified(expr: m.Quantified) -> str:
    words = f"{expr.quantifier} {expr.variable}"
    if isinstance(expr.body, m.Is) and _is_short(expr):
        return f"{words} is {'not ' if expr.body.negated else ''}{print_sum(expr.body.right)}"
    if expr.quantifier == "every":
        return f"{words}{_where(expr.where)} satisfies {print_expression(expr.body)}"
    return f"{words}{_where(expr.body)}"


def _where(condition: m.Expr | None) -> str:
    return optional("where", condition)


def optional(word: str, expr: m.Expr | None) -> str:
    """A part of a line that may be absent, with the space before it: ` when ...`."""
    return "" if expr is None else f" {word} {print_expression(expr)}"


def print_ref(ref: m.Ref) -> str:
    match ref.args:
        case ():
            return str(ref.name)
        case (arg,):
            return f"{ref.name} of {print_primary(arg)}"
        case args:
            return f"{ref.name} of ({', '.join(map(print_expression, args))})"


def print_during(moment: m.Name, of: m.Expr | None) -> str:
    return f"during {moment}" if of is None else f"during {moment} of {print_primary(of)}"


def print_outcome(outcome: m.Outcome) -> str:
    return f"{'nobody' if outcome.player is None else print_ref(outcome.player)} {outcome.result}"


# ---- Phrases and events -------------------------------------------------------------------------------------------


def print_phrase(phrase: m.Phrase) -> str:
    return " ".join([str(phrase.verb), *map(_arg, phrase.args)])


def _arg(arg: m.Arg) -> str:
    return print_primary(arg.value) if arg.label is None else f"{arg.label} {print_primary(arg.value)}"


def print_offer(actor: m.Ref, modal: m.Modal, phrases: Iterable[m.Phrase]) -> str:
    """`p may sail to q or pass`."""
    return f"{print_ref(actor)} {modal} {' or '.join(map(print_phrase, phrases))}"


def print_event(event: m.Event) -> str:
    match event:
        case m.PhraseEvent(phrase=phrase):
            return print_phrase(phrase)
        case m.ChangeEvent():
            return _change(event)
        case m.MomentEvent(moment=moment, edge=edge):
            return f"{print_ref(moment)} {edge}"
        case m.RunsOutEvent(pile=pile):
            return f"{print_ref(pile)} runs out"
        case m.TransferEvent(what=what, direction=direction, where=where):
            return f"{print_ref(what)} {direction} {print_ref(where)}"
        case _:
            assert_never(event)


def _change(event: m.ChangeEvent) -> str:
    words = f"{print_ref(event.subject)} {event.change}"
    if event.amount is None:
        return words
    return f"{words}{'' if event.change == 'becomes' else ' by'} {print_primary(event.amount)}"


# ---- Types --------------------------------------------------------------------------------------------------------


def print_type(type: m.TypeExpr) -> str:
    match type:
        case m.RangeType(low=low, high=high):
            return f"{low}..{high}"
        case m.YesNoType():
            return "yes/no"
        case m.NamedType(name=name, or_none=or_none):
            return f"{name} or none" if or_none else str(name)
        case m.SetType(of=of):
            return f"set of {print_type(of)}"
        case m.BagType(of=of, limit=limit):
            return f"bag of {print_type(of)} up to {limit}"
        case m.OrderType(of=kind):
            return f"order of {kind}"
        case _:
            assert_never(type)


# ---- Words, texts and clauses -------------------------------------------------------------------------------------


def print_names(names: Iterable[m.Name]) -> str:
    return ", ".join(map(str, names))


def print_of(names: tuple[m.Name, ...]) -> str:
    """The indices of a slot or the variables of a value, with the space before them: ` of p`, ` of (p, q)`."""
    match names:
        case ():
            return ""
        case (name,):
            return f" of {name}"
        case _:
            return f" of ({print_names(names)})"


def print_string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def print_clauses(clauses: m.Clauses) -> str:
    """All clauses in their fixed order, with the space before them; nothing when there are none."""
    parts = [print_cites(clauses.cites)]
    for word, names in (
        ("restates", clauses.restates),
        ("restates some of", clauses.restates_some),
        ("overrides", clauses.overrides),
        ("among", clauses.among),
    ):
        if names:
            parts.append(f" {word} {print_names(names)}")
    if clauses.source is not None:
        parts.append(f" source {clauses.source}")
    if clauses.supplied:
        parts.append(" supplied")
    return "".join(parts)


def print_cites(citations: tuple[m.Citation, ...]) -> str:
    """` cites book 12, 14, card 3`: a document is named once and goes on until the next one."""
    text = ""
    document: str | None = None
    for citation in citations:
        named = citation.document.text
        # Only a first citation can lack its document; another one like it stood at the start of a further `cites`.
        text += ", " if document is not None and (named or not document) else " cites "
        if named and named != document:
            text += f"{named} "
        document = named
        text += _place(citation)
    return text


def _place(citation: m.Citation) -> str:
    if citation.section is not None:
        place = print_string(citation.section)
    elif citation.first != citation.last:
        place = f"{citation.first}..{citation.last}"
    else:
        place = str(citation.first)
    return place if citation.count == 1 else f"{place} ({citation.count})"
