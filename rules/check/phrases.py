"""Phrases (uses of actions and procedures) and events, as patterns and as calls."""

from __future__ import annotations

from typing import assert_never

from rules import model as m
from rules.check.context import Context
from rules.check.expressions import Scope, expect, infer, number, ref
from rules.symbols import BuiltinSymbol, SlotSymbol, VariableSymbol, VerbSymbol
from rules.types import KindT, NumberT, PileT, SetT, Type, UnknownT, describe, fits, without_none
from rules.walk import nodes_of


def find_verb(name: m.Name, cx: Context) -> VerbSymbol | None:
    symbol = cx.verbs.get(name.text)
    if symbol is None and _is_variable(name, cx):
        cx.unknown(
            name,
            "action or procedure",
            (),
            help=f"a statement begins with its verb: `coins of {name.text} increases by 1`, "
            f"`draw 1 from deck to hand of {name.text}`, `when row by {name.text} to q`",
        )
    elif symbol is None:
        cx.unknown(name, "action or procedure", cx.verbs, help=f"declare it: `action {name.text} by ...`")
    else:
        cx.use(name, symbol)
    return symbol


def _is_variable(name: m.Name, cx: Context) -> bool:
    return any(isinstance(s, VariableSymbol) for s in cx.terms.get(name.text, ()))


def check_phrase(
    phrase: m.Phrase, scope: Scope, cx: Context, actor: Type | None = None, complete: bool = False
) -> None:
    """`actor` fills the part labelled `by`; a complete phrase leaves no part out."""
    verb = find_verb(phrase.verb, cx)
    if verb is None:
        if not _is_variable(phrase.verb, cx):  # else the rest is no phrase either
            for arg in phrase.args:
                infer(arg.value, scope, cx)
        return
    given = _match(phrase, verb, scope, cx)
    if actor is not None:
        _check_actor(phrase, verb, actor, given, cx)
    missing = [p for p in verb.params if p.label not in given]
    if complete and missing:
        parts = ", ".join(_part(p) for p in missing)
        cx.report("LX207", f"`{verb.name}` also needs {parts}", phrase.span, help=f"write `{usage(verb)}`")


def _match(phrase: m.Phrase, verb: VerbSymbol, scope: Scope, cx: Context) -> set[str | None]:
    given: set[str | None] = set()
    parts = {param.label: (param, type_) for param, type_ in zip(verb.params, verb.types, strict=True)}
    for arg in phrase.args:
        part = parts.get(arg.label)
        if part is None:
            words = f"no part `{arg.label}`" if arg.label else "no part without a word such as `to` before it"
            cx.report("LX207", f"`{verb.name}` has {words}", arg.span, help=f"write `{usage(verb)}`")
            infer(arg.value, scope, cx)
        elif arg.label in given:
            word = arg.label or part[0].variable.text
            cx.report("LX207", f"the part `{word}` of `{verb.name}` is given twice", arg.span)
        else:
            given.add(arg.label)
            expect(arg.value, part[1], scope, cx, f"`{part[0].variable.text}` of `{verb.name}`")
    return given


def _check_actor(phrase: m.Phrase, verb: VerbSymbol, actor: Type, given: set[str | None], cx: Context) -> None:
    wanted = next((t for p, t in zip(verb.params, verb.types, strict=True) if p.label == "by"), None)
    if verb.role == "procedure":
        cx.report(
            "LX208",
            f"nobody chooses to do `{verb.name}`: it is a procedure",
            phrase.verb.span,
            help=f"declare it as `action {verb.name} by ...`, or carry it out where it happens: `{usage(verb)}`",
        )
    elif wanted is None:
        cx.report(
            "LX208",
            f"nobody does `{verb.name}`: it has no part `by`",
            phrase.verb.span,
            help=f"declare it as `{verb.role} {verb.name} by ...`",
        )
    elif "by" in given:
        cx.report("LX207", f"who does `{verb.name}` is said twice", phrase.span, help="leave out the part `by`")
    elif not fits(actor, wanted):
        cx.report("LX201", f"`{verb.name}` is done by {describe(wanted)}, not by {describe(actor)}", phrase.verb.span)


def _part(param: m.Param) -> str:
    return f"`{param.label} {param.variable.text}`" if param.label else f"`{param.variable.text}`"


def usage(verb: VerbSymbol) -> str:
    return " ".join([verb.name, *(_part(p).strip("`") for p in verb.params)])


def check_actor(actor: m.Ref, scope: Scope, cx: Context, chance: bool = False) -> Type:
    """Who acts: a thing; the table as one (`Player chooses`); or, where `chance` may act, chance."""
    if chance and actor.name.text == "chance" and not actor.args and "chance" not in cx.terms:
        cx.use(actor, BuiltinSymbol("chance"))
        return UnknownT()
    found = ref(actor, scope, cx)
    plain = without_none(found)
    if isinstance(plain, SetT) and plain.of is not None and cx.players is not None and plain.of == KindT(cx.players):
        return plain.of
    if isinstance(plain, KindT):
        _check_controlled(actor, plain, cx)
    elif not isinstance(plain, UnknownT):
        cx.report("LX212", f"someone who can act is needed here, and this is {describe(found)}", actor.span)
    return plain


def _check_controlled(actor: m.Ref, kind: KindT, cx: Context) -> None:
    """A thing that is no player acts through the player that one of its attributes names."""
    if cx.players is None:
        if cx.has_game and not cx.controlled:
            cx.report(
                "LX212",
                "nobody can act: the game does not say who plays it",
                actor.span,
                help=f'write `game "..." played by {kind.name}`',
            )
        cx.controlled.add(kind)
        return
    if kind.name == cx.players or kind in cx.controlled:
        return
    cx.controlled.add(kind)
    player = KindT(cx.players)
    masters = [
        symbol
        for found in cx.terms.values()
        for symbol in found
        if isinstance(symbol, SlotSymbol) and symbol.params == (kind,) and without_none(symbol.type) == player
    ]
    for master in masters:
        cx.used.add(id(master))
    if len(masters) != 1:
        which = "none" if not masters else ", ".join(f"`{s.name}`" for s in masters)
        cx.report(
            "LX212",
            f"nothing says which {cx.players} acts for a {kind.name}",
            actor.span,
            help=f"a {kind.name} acts through its one attribute of type {cx.players}; it has {which}",
        )


# ---- Events ---------------------------------------------------------------------------------------------------------


def check_event(event: m.Event, scope: Scope, cx: Context) -> None:
    match event:
        case m.PhraseEvent(phrase=phrase):
            check_phrase(phrase, scope, cx)
        case m.ChangeEvent(subject=subject, change=change, amount=amount):
            _check_change(subject, change, amount, scope, cx)
        case m.MomentEvent(moment=moment):
            symbol = cx.find_moment(moment.name)
            if symbol is not None:
                cx.note(moment, symbol)
            for arg in moment.args:
                infer(arg, scope, cx)
        case m.RunsOutEvent(pile=pile):
            found = without_none(ref(pile, scope, cx))
            slot = cx.symbol_of.get(id(pile))
            place = isinstance(slot, SlotSymbol) and slot.role == "place"
            if not isinstance(found, (PileT, UnknownT)) and not place:
                cx.report(
                    "LX211", f"only a pile or a place of a pool runs out, and this is {describe(found)}", pile.span
                )
        case m.TransferEvent(what=what, where=where):
            one = ref(what, scope, cx)
            into = without_none(ref(where, scope, cx))
            if not isinstance(into, (PileT, UnknownT)):
                cx.report("LX211", f"a pile is needed here, and this is {describe(into)}", where.span)
            elif isinstance(into, PileT) and not fits(one, KindT(into.kind)):
                cx.report("LX201", f"this pile holds {into.kind}, and this is {describe(one)}", what.span)
        case _:
            assert_never(event)


def _check_change(subject: m.Ref, change: str, amount: m.Expr | None, scope: Scope, cx: Context) -> None:
    found = ref(subject, scope, cx)
    symbol = cx.symbol_of.get(id(subject))
    if symbol is not None and not (isinstance(symbol, SlotSymbol) and symbol.role != "printed"):
        cx.report(
            "LX205",
            f"`{subject.name.text}` never changes",
            subject.span,
            help="only state, attributes and places of a pool change",
        )
    if change in ("increases", "decreases"):
        if not isinstance(without_none(found), (NumberT, UnknownT)):
            cx.report("LX204", f"only a number {change}, and this is {describe(found)}", subject.span)
        if amount is not None:
            number(amount, scope, cx)
    elif amount is not None:
        # What is asked of nothing is nothing, but it never becomes none.
        expect(amount, symbol.type if isinstance(symbol, SlotSymbol) else found, scope, cx, f"`{subject.name.text}`")


def bound_inside(node: object) -> set[str]:
    """The variables that expressions in it bind themselves."""
    return {
        part.variable.text
        for part in nodes_of(node)
        if isinstance(part, m.SetWhere | m.NumberOf | m.Aggregate | m.Quantified)
    }


def bind_pattern(node: object, scope: Scope, cx: Context) -> Scope:
    """The variables in the subject of a rule stand for any thing: they are bound for the rest of it.

    Those that an expression in the subject binds itself (`number of (c where ...)`) are not among them.
    """
    own = bound_inside(node)
    for part in nodes_of(node):
        if isinstance(part, m.Ref) and not part.args and part.name.text not in {*scope.bound, *own}:
            for symbol in cx.terms.get(part.name.text, ()):
                if isinstance(symbol, VariableSymbol):
                    scope = scope.with_(part.name, symbol.type)
    return scope
