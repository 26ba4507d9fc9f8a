"""Warnings: what is declared and never used, allowed by no rule, or without a place in the book."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.check.context import Context
from rules.span import Span
from rules.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    DieSymbol,
    KindSymbol,
    NamedSymbol,
    RankSymbol,
    RelationSymbol,
    SlotSymbol,
    TableSymbol,
    Term,
    TypeSymbol,
    ValueSymbol,
    VariableSymbol,
)

_WORDS: tuple[tuple[type, str], ...] = (
    (VariableSymbol, "variable"),
    (SlotSymbol, "state"),
    (ValueSymbol, "value"),
    (TableSymbol, "table"),
    (RankSymbol, "rank"),
)


def check_unused(book: m.Rulebook, cx: Context) -> None:
    restating: set[str] = set()
    for declaration in book.declarations:
        # What restates something is there to be compared with it.
        if isinstance(declaration, m.Value | m.Table | m.Rank) and declaration.clauses.restated:
            cx.used.update(id(term) for term in cx.terms[declaration.name.text])
        elif isinstance(declaration, m.Action | m.Procedure) and declaration.clauses.restated:
            restating.add(declaration.signature.verb.text)
    for name, span, what in _unused(cx):
        cx.report("LX501", f"the {what} `{name}` is never used", span)
    for verb in cx.verbs.values():
        if verb.name in restating:
            continue
        if verb.role == "action" and verb.name not in cx.offered:
            cx.report(
                "LX504",
                f"no rule ever allows `{verb.name}`",
                verb.span,
                help=f"an action is legal only where a rule allows it: `... may {verb.name} ...`",
            )
        elif verb.role == "procedure" and id(verb) not in cx.used:
            cx.report("LX501", f"the procedure `{verb.name}` is never used", verb.span)
    if cx.documents:
        for declaration in book.declarations:
            if isinstance(declaration, m.Rule) and not _has_place(declaration):
                cx.report(
                    "LX502",
                    f"the rule `{declaration.name.text}` has no place in the book",
                    declaration.name.span,
                    help="add `cites ...`; content that the book does not give is marked `supplied`",
                )


def _has_place(rule: m.Rule) -> bool:
    clauses = (rule.clauses, *(reading.clauses for reading in rule.readings))
    return any(clause.cites or clause.supplied for clause in clauses)


def _unused(cx: Context) -> Iterator[tuple[str, Span, str]]:
    # A type or kind whose values are spoken of is used.
    spoken = {
        getattr(term.type, "name", getattr(term.type, "kind", None))
        for found in cx.terms.values()
        for term in found
        if isinstance(term, ConstantSymbol) and id(term) in cx.used
    }
    idle = _idle_pools(cx)
    owners: list[TypeSymbol | KindSymbol | DieSymbol] = [*cx.types.values(), *cx.kinds.values(), *cx.dice.values()]
    for symbol in owners:
        if id(symbol) not in cx.used and symbol.span is not None and symbol.name not in spoken:
            yield symbol.name, symbol.span, type(symbol).__name__.removesuffix("Symbol").lower()
    for found in cx.terms.values():
        for term in found:
            word = next((w for t, w in _WORDS if isinstance(term, t)), None)
            if isinstance(term, RelationSymbol):
                word = "map" if term.name in cx.maps else "line of sight"
            if isinstance(term, SlotSymbol) and term.pool in idle:
                continue
            if word is not None and id(term) not in cx.used:
                yield term.name, _span(term), word
    yield from ((name, span, "pool") for name, span in idle.items())
    for table in (cx.documents, cx.tags):
        for named in table.values():
            if id(named) not in cx.used and named.span is not None:
                yield named.name, named.span, _what(named)


def _idle_pools(cx: Context) -> dict[str, Span]:
    """Pools of which no place is used: each is one thing to tell."""
    places = [t for found in cx.terms.values() for t in found if isinstance(t, SlotSymbol)]
    busy = {place.pool for place in places if id(place) in cx.used}
    return {pool.name: pool.span for pool in cx.pools.values() if pool.name not in busy and pool.span is not None}


def _span(term: Term) -> Span:
    assert not isinstance(term, BuiltinSymbol)
    return term.span


def _what(named: NamedSymbol) -> str:
    return "group of rules" if named.what == "tag" else named.what
