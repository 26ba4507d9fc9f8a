"""Names and types: `check_rules` takes a rulebook as written and gives evidence that it makes sense, or says why not.

In: a `Rulebook`. Out: `Checked`, with all diagnostics in reading order and, where there is no error among them, a
`CheckedRulebook`. Afterwards every name is declared, every variable bound, every expression typed, every phrase fits
its action; the later stages rely on that and take nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import assert_never

from rules import model as m
from rules.check.cites import check_clauses
from rules.check.content import check_kind, check_map, check_outline, check_piles, check_pool, check_sight, check_state
from rules.check.context import Context
from rules.check.declare import declare
from rules.check.expressions import Scope, bind
from rules.check.judging import check_claim, check_note, check_question, check_scenario
from rules.check.norms import (
    check_in_force_together,
    check_policy,
    check_precedence,
    check_rank,
    check_rule,
    check_story,
    check_tables,
    check_value,
)
from rules.check.reading import with_reading
from rules.check.restating import check_restating
from rules.check.statements import check_block
from rules.check.unused import check_unused
from rules.diagnostics import Diagnostic, InternalError, in_reading_order
from rules.span import Span
from rules.symbols import DieSymbol, KindSymbol, NamedSymbol, SlotSymbol, Symbol, Term, TypeSymbol, VerbSymbol
from rules.types import Type, has_unknown


@dataclass(frozen=True, slots=True)
class CheckedRulebook:
    """A rulebook without errors. Only `check_rules` makes one.

    What a node stands for and its type are kept beside the nodes, by identity: the book is kept alive here with them.
    """

    book: m.Rulebook
    players: str | None
    kinds: Mapping[str, KindSymbol]
    types: Mapping[str, TypeSymbol]
    dice: Mapping[str, DieSymbol]  # of the book, and those plain ones that it rolls
    verbs: Mapping[str, VerbSymbol]
    terms: Mapping[str, Sequence[Term]]  # what can stand in an expression; a name may stand for several
    maps: Mapping[str, str]  # the kind that each map joins
    moments: Mapping[str, NamedSymbol]
    # The printed slots of `kind Card for each Suit, Rank`: each with its kind and the place of its type in the list.
    products: tuple[tuple[SlotSymbol, str, int], ...]
    symbols: dict[int, Symbol] = field(repr=False)
    _types: dict[int, Type] = field(repr=False)
    _declared: dict[Symbol, object] = field(repr=False)

    def symbol_of(self, node: object) -> Symbol:
        """What a name or a reference in this book stands for."""
        return self.symbols[id(node)]

    def declaration_of(self, symbol: Symbol) -> object | None:
        """The node that declares a symbol: a `Slot`, a `Value`, a `Member`, a `Let`...; none for what the language has.

        A value of a `type` and a thing of a product have no node of their own: the `TypeDecl` or `Kind` declares them.
        """
        return self._declared.get(symbol)

    def type_of(self, expr: m.Expr) -> Type:
        return self._types[id(expr)]


@dataclass(frozen=True, slots=True)
class Checked:
    rulebook: CheckedRulebook | None
    diagnostics: tuple[Diagnostic, ...]


def check_rules(book: m.Rulebook) -> Checked:
    book = with_reading(book)
    cx = Context()
    declare(book, cx)
    check_tables([d for d in book.declarations if isinstance(d, m.Table)], cx)
    for declaration in book.declarations:
        _check(declaration, cx)
    check_restating(book, cx)
    check_in_force_together(book.rulings(), cx)
    check_in_force_together(book.defaults(), cx)
    _check_game(book, cx)
    if not any(d.is_error for d in cx.diagnostics):
        # A mistake elsewhere often leaves things unused: warnings about that would only hide its cause.
        check_unused(book, cx)
    diagnostics = in_reading_order(cx.diagnostics)
    if any(d.is_error for d in diagnostics):
        return Checked(None, diagnostics)
    return Checked(evidence(book, cx), diagnostics)


def evidence(book: m.Rulebook, cx: Context) -> CheckedRulebook:
    """INVARIANT: in a rulebook without errors every expression has a type; the later stages need not ask."""
    if any(has_unknown(type_) for type_ in cx.type_of.values()):
        raise InternalError("an expression without a type in a rulebook without errors")
    return CheckedRulebook(
        book,
        cx.players,
        MappingProxyType(cx.kinds),
        MappingProxyType(cx.types),
        MappingProxyType(cx.dice),
        MappingProxyType(cx.verbs),
        MappingProxyType({name: tuple(found) for name, found in cx.terms.items()}),
        MappingProxyType(cx.maps),
        MappingProxyType(cx.moments),
        tuple(cx.products),
        cx.symbol_of,
        cx.type_of,
        cx.declared,
    )


def _check_game(book: m.Rulebook, cx: Context) -> None:
    if book.declarations and not any(isinstance(d, m.Game) for d in book.declarations):
        span = book.declarations[0].span
        word = Span(span.source, span.start, span.start + len(span.text.split(maxsplit=1)[0]))
        cx.report(
            "LX108", "no `game` line says which game this is", word, help='begin with `game "..." played by Player`'
        )


def _check(node: m.Declaration, cx: Context) -> None:
    match node:
        case m.Game(clauses=clauses) | m.TypeDecl(clauses=clauses) | m.Die(clauses=clauses):
            check_clauses(clauses, cx)
        case m.Import() | m.Documents() | m.Let() | m.Table():
            pass
        case m.Outline():
            check_outline(node, cx)
        case m.Precedence():
            check_precedence(node, cx)
        case m.Kind():
            check_kind(node, cx)
        case m.State():
            check_state(node, cx)
        case m.Piles():
            check_piles(node, cx)
        case m.Pool():
            check_pool(node, cx)
        case m.Map():
            check_map(node, cx)
        case m.Sight():
            check_sight(node, cx)
        case m.Play(clauses=clauses, body=body):
            check_clauses(clauses, cx)
            check_block(body, Scope(), cx)
        case m.Procedure(signature=signature, clauses=clauses, body=body):
            check_clauses(clauses, cx)
            check_block(body, _parameters(signature, cx), cx)
        case m.Action(signature=signature, during=during, clauses=clauses, body=body):
            check_clauses(clauses, cx)
            for moment in during:
                cx.find_moment(moment)
            check_block(body, _parameters(signature, cx), cx)
        case m.Rule():
            check_rule(node, cx)
        case m.Value():
            check_value(node, cx)
        case m.Rank():
            check_rank(node, cx)
        case m.Story():
            check_story(node, cx)
        case m.Policy():
            check_policy(node, cx)
        case m.Note():
            check_note(node, cx)
        case m.Question():
            check_question(node, cx)
        case m.Claim():
            check_claim(node, cx)
        case m.Scenario():
            check_scenario(node, cx)
        case _:
            assert_never(node)


def _parameters(signature: m.Signature, cx: Context) -> Scope:
    scope = Scope(verb=signature.verb.text)
    for param in signature.params:
        if param.variable.text not in scope.bound:
            _, scope = bind(param.variable, scope, cx)
    return scope


__all__ = ["Checked", "CheckedRulebook", "check_rules"]
