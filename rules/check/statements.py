"""Statements: what is changed, moved, rolled, chosen and called fits what was declared."""

from __future__ import annotations

from collections.abc import Sized
from typing import assert_never

from rules import model as m
from rules.check.cites import check_clauses
from rules.check.context import Context
from rules.check.declare import die_named, variable_type
from rules.check.expressions import Scope, bind, bind_each, expect, infer, infer_name, number, outcome, ref, truth
from rules.check.phrases import bind_pattern, check_actor, check_event, check_phrase
from rules.symbols import DieSymbol, NamedSymbol, SlotSymbol, TableSymbol
from rules.types import (
    NONE,
    UNKNOWN,
    BagT,
    KindT,
    MaybeT,
    NumberT,
    OrderT,
    PileT,
    SetT,
    TruthT,
    Type,
    UnknownT,
    describe,
    elements,
    fits,
    without_none,
)


def check_block(block: m.Block, scope: Scope, cx: Context, in_story: bool = False) -> Scope:
    """Checks statements in order; what one binds, the next ones know. Gives the scope at the end."""
    for statement in block:
        scope = _statement(statement, scope, cx, in_story)
    return scope


def _statement(node: m.Statement, scope: Scope, cx: Context, in_story: bool) -> Scope:
    match node:
        case m.Simple(body=body, clauses=clauses):
            check_clauses(clauses, cx)
            return _simple(body, scope, cx, in_story)
        case m.Phase(body=body, clauses=clauses):
            check_clauses(clauses, cx)
            check_block(body, scope, cx, in_story)
        case m.Each(variable=variable, order=order, where=where, body=body):
            _, inner = bind_each(variable, scope, cx)
            _order(order, variable, scope, cx)
            if where is not None:
                truth(where, inner, cx)
            check_block(body, inner, cx, in_story)
        case m.Turns(variable=variable, order=order, where=where, until=until, body=body):
            _, inner = bind_each(variable, scope, cx)
            _order(order, variable, scope, cx)
            if where is not None:
                truth(where, inner, cx)
            truth(until, scope, cx)
            check_block(body, inner, cx, in_story)
        case m.Repeat(times=times, until=until, body=body):
            if times is not None:
                _at_least_once(times, number(times, scope, cx), "repeated", cx)
            inner = check_block(body, scope, cx, in_story)
            if until is not None:
                truth(until, inner, cx)
        case m.If(condition=condition, then=then, otherwise=otherwise):
            truth(condition, scope, cx)
            check_block(then, scope, cx, in_story)
            check_block(otherwise, scope, cx, in_story)
        case m.RollRows(count=count, die=die, variable=rolled, rows=rows):
            symbol = _die(die, cx)
            face = symbol.type if symbol else UNKNOWN
            if count is not None:
                counted = number(count, scope, cx)
                _adds_up(face, die, cx)
                if isinstance(face, NumberT) and counted is not None:
                    face = NumberT(face.low * max(counted.low, 0), face.high * max(counted.high, 0))
            inner = scope
            if rolled is not None:
                type_, inner = bind(rolled, scope, cx)
                _holds(rolled, type_, face, cx)
            if check_rows(rows, (face,), inner, cx, in_story):
                given = next(row for row in rows if row.gives is not None)
                cx.report("LX213", "what is rolled here gives no value: a row does something", given.span)
        case m.Decides(actor=actor, options=options):
            check_actor(actor, scope, cx, chance=True)
            for option in options:
                check_option(option, scope, cx, in_story)
        case m.After(moment=moment, body=body):
            cx.find_moment(moment)
            check_block(body, scope, cx, in_story)
        case _:
            assert_never(node)
    return scope


def _simple(node: m.SimpleBody, scope: Scope, cx: Context, in_story: bool) -> Scope:
    match node:
        case m.Becomes(target=target, value=value):
            expect(value, _target(target, scope, cx), scope, cx, f"`{target.name.text}`")
        case m.Shift(target=target, direction=direction, amount=amount):
            _shift(target, direction, amount, scope, cx)
        case m.Move(what=what, origin=origin, target=target, under=under):
            _move(what, origin, target, scope, cx)
            if under and isinstance(symbol := cx.symbol_of.get(id(target)), SlotSymbol) and symbol.role == "place":
                message = f"nothing lies under the counters of the pool `{symbol.pool}`"
                cx.report("LX211", message, target.span, help="write `to`")
        case m.Draw(count=count, origin=origin, target=target, variable=variable):
            number(count, scope, cx)
            kind = _pile(origin, scope, cx)
            other = _pile(target, scope, cx)
            if isinstance(kind, PileT) and isinstance(other, PileT) and kind != other:
                cx.report("LX211", f"{kind.kind} cannot go to a pile of {other.kind}", target.span)
            if variable is not None:
                type_, scope = bind(variable, scope, cx)
                drawn = KindT(kind.kind) if isinstance(kind, PileT) else UNKNOWN
                if not fits(drawn, type_) and not fits(SetT(drawn), type_):
                    cx.report(
                        "LX201",
                        f"`{variable.text}` is {describe(type_)}, and what is drawn is {describe(drawn)}",
                        variable.span,
                    )
        case m.Shuffle(pile=pile, into=into):
            found = without_none(ref(pile, scope, cx))
            if not isinstance(found, (PileT, OrderT, UnknownT)):
                cx.report("LX211", f"only a pile or an order is shuffled, and this is {describe(found)}", pile.span)
            if into is not None:
                other = _pile(into, scope, cx)
                if isinstance(found, PileT) and isinstance(other, PileT) and found != other:
                    cx.report("LX211", f"{found.kind} cannot go to a pile of {other.kind}", into.span)
        case m.Reveal(what=what, to=to):
            ref(what, scope, cx)
            if to is not None:
                check_actor(to, scope, cx)
        case m.Pay(amount=amount, source=source, target=paid_to):
            if paid_to is None:
                _shift(source, "decreases", amount, scope, cx)
            else:
                _move(amount, source, paid_to, scope, cx)
        case m.Roll():
            return _roll(node, scope, cx)
        case m.Consult(table=table, keys=keys):
            symbol = _table(table, cx)
            if symbol is not None:
                if len(keys) != len(symbol.params):
                    cx.report(
                        "LX202", f"the table `{table.text}` has {_keys(symbol.params)}, not {len(keys)}", node.span
                    )
                for key, param in zip(keys, symbol.params, strict=False):
                    expect(key, param, scope, cx, f"the key of `{table.text}`")
        case m.Chooses(actor=actor, variable=variable, or_none=or_none, where=where):
            check_actor(actor, scope, cx, chance=True)
            type_, inner = bind_each(variable, scope, cx)
            if where is not None:
                truth(where, inner, cx)
            return scope.with_(variable, MaybeT(type_) if or_none else type_)
        case m.Takes(actor=actor, count=count):
            check_actor(actor, scope, cx)
            if count is not None:
                _at_least_once(count, number(count, scope, cx), "done", cx)
        case m.Offer(actor=actor, modal=modal, phrases=phrases):
            who = check_actor(actor, scope, cx)
            if modal == "cannot":
                cx.report(
                    "LX412",
                    "`cannot` is said in a rule, not as a step of play",
                    node.span,
                    help="make it a `rule`, and say with `when` how long it holds",
                )
            inner = bind_pattern(phrases, scope, cx)
            for phrase in phrases:
                check_phrase(phrase, inner, cx, actor=who)
                cx.offered.add(phrase.verb.text)
        case m.Do(phrase=phrase):
            check_phrase(phrase, scope, cx, complete=True)
        case m.Window(variable=variable, order=order):
            if variable is not None and variable.text in scope.bound:
                variable_type(variable, cx)  # the window is for that one alone
            elif variable is not None:
                bind(variable, scope, cx)
            _order(order, variable, scope, cx)
        case m.End(moment=moment, then=then):
            cx.find_moment(moment)
            check_block(then, scope, cx, in_story)
        case m.Disable(rule=rule, until=until):
            check_ignorable(rule, cx)
            if until is not None:
                check_event(until, scope, cx)
        case m.Go(passage=passage):
            cx.find_named(cx.passages, passage, "passage")
            _only_in_story(node, "go to", in_story, cx)
        case m.Read(passage=passage):
            cx.find_named(cx.passages, passage, "passage")
        case m.Return():
            _only_in_story(node, "return", in_story, cx)
        case m.Ending():
            _only_in_story(node, "ending", in_story, cx)
        case m.Outcome():
            outcome(node, scope, cx)
        case m.DoNothing():
            pass
        case _:
            assert_never(node)
    return scope


def _at_least_once(expr: m.Expr, times: NumberT | None, what: str, cx: Context) -> None:
    if times is not None and times.high < 1:
        cx.report("LX302", f"something that is {what} {times.high} times never happens", expr.span)


def check_ignorable(name: m.Name, cx: Context) -> NamedSymbol | None:
    """What can be left out of account for a while: a rule, or what a value is of itself."""
    symbol = cx.find_named(cx.statements, name, "rule")
    if symbol is not None and symbol.what not in ("rule", "value"):
        hint = f"write `cannot {name.text}` in a rule" if symbol.what == "action" else None
        words = f"a rule or a value is needed here, and `{name.text}` is {'an' if symbol.what == 'action' else 'a'}"
        cx.report("LX103", f"{words} {symbol.what}", name.span, help=hint)
        return None
    return symbol


def _only_in_story(node: m.Go | m.Return | m.Ending, word: str, in_story: bool, cx: Context) -> None:
    if not in_story:
        cx.report(
            "LX411",
            f"`{word}` only stands in a passage of a story",
            node.span,
            help="`read PASSAGE` starts a story from outside",
        )


def _target(target: m.Ref, scope: Scope, cx: Context) -> Type:
    """The type of something that can be set."""
    found = ref(target, scope, cx)
    symbol = cx.symbol_of.get(id(target))
    if symbol is None:
        return found
    if not isinstance(symbol, SlotSymbol):
        cx.report(
            "LX205",
            f"`{target.name.text}` cannot be set: it is no state",
            target.span,
            help="only what `state` or a kind declares can change",
        )
        return UNKNOWN
    match symbol.role:
        case "printed":
            cx.report("LX205", f"`{target.name.text}` is printed and never changes", target.span)
        case "pile":
            cx.report(
                "LX205", f"`{target.name.text}` is a pile", target.span, help="write `move ... to ...` or `draw ...`"
            )
        case "place":
            cx.report(
                "LX205",
                f"the counters of the pool `{symbol.pool}` are only moved",
                target.span,
                help=f"write `move ... from {target.name.text} ... to ...`",
            )
        case "state" | "attribute":
            return symbol.type
    return UNKNOWN


def _shift(target: m.Ref, direction: str, amount: m.Expr, scope: Scope, cx: Context) -> None:
    found = without_none(_target(target, scope, cx))
    match found:
        case NumberT(low=low, high=high):
            by = number(amount, scope, cx)
            if by is not None and by.low > high - low:
                cx.report(
                    "LX303",
                    f"`{target.name.text}` is {describe(found)}, and this is {describe(by)}: it never fits",
                    amount.span,
                )
        case SetT() | BagT():
            expect(amount, found, scope, cx, f"what `{target.name.text}` {direction} by")
        case UnknownT():
            infer(amount, scope, cx)
        case _:
            cx.report("LX204", f"only a number, a set or a bag {direction}, and this is {describe(found)}", target.span)
            infer(amount, scope, cx)


def _move(what: m.Expr, origin: m.Ref | None, target: m.Ref, scope: Scope, cx: Context) -> None:
    into = without_none(ref(target, scope, cx))
    symbol = cx.symbol_of.get(id(target))
    if isinstance(into, PileT):
        moved = infer(what, scope, cx, KindT(into.kind))
        inside = elements(without_none(moved))
        if not fits(moved, KindT(into.kind)) and (inside is None or not fits(inside, KindT(into.kind))):
            cx.report("LX211", f"this pile holds {into.kind}, and this is {describe(moved)}", what.span)
        if origin is not None:
            _pile(origin, scope, cx)
    elif isinstance(symbol, SlotSymbol) and symbol.role == "place":
        number(what, scope, cx)
        if origin is None:
            cx.report(
                "LX211",
                "counters of a pool are moved from somewhere",
                target.span,
                help="write `move ... from ... to ...`",
            )
            return
        ref(origin, scope, cx)
        source = cx.symbol_of.get(id(origin))
        if not isinstance(source, SlotSymbol) or source.pool != symbol.pool:
            cx.report("LX211", f"this is no place of the pool `{symbol.pool}`", origin.span)
    else:
        moved = infer(what, scope, cx)
        if origin is not None:
            ref(origin, scope, cx)
        if not isinstance(into, UnknownT):
            cx.report(
                "LX211",
                f"a pile or a place of a pool is needed here, and this is {describe(into)}",
                target.span,
                help=_instead_of_move(what, moved, target, into, cx),
            )


_ENDS = {"bottom": "under", "top": "to"}


def _instead_of_move(what: m.Expr, moved: Type, target: m.Ref, into: Type, cx: Context) -> str:
    """A thing stands somewhere because a state says so, or lies at an end of a pile."""
    if target.name.text in _ENDS and len(target.args) == 1:
        return f"write `{_ENDS[target.name.text]} {target.args[0].span.text}`"
    holders = [
        symbol.name
        for found in cx.terms.values()
        for symbol in found
        if isinstance(symbol, SlotSymbol)
        and symbol.role in ("state", "attribute")
        and symbol.params == (without_none(moved),)
        and without_none(symbol.type) == into
    ]
    if len(holders) == 1:
        return f"write `{holders[0]} of {what.span.text} becomes {target.span.text}`"
    return f"to change `{target.name.text}`, write `{target.name.text} ... becomes ...`"


def _pile(node: m.Ref, scope: Scope, cx: Context) -> Type:
    found = without_none(ref(node, scope, cx))
    if not isinstance(found, (PileT, UnknownT)):
        cx.report("LX211", f"a pile is needed here, and this is {describe(found)}", node.span)
        return UNKNOWN
    return found


def _order(order: m.Ref | None, variable: m.Name | None, scope: Scope, cx: Context) -> None:
    if order is None:
        return
    found = without_none(ref(order, scope, cx))
    inside = elements(found) if isinstance(found, (OrderT, PileT, UnknownT)) else None
    if inside is None:
        cx.report("LX210", f"an order or a pile is needed after `by`, and this is {describe(found)}", order.span)
    elif variable is not None and not fits(inside, variable_type(variable, cx)):
        cx.report("LX201", f"`{variable.text}` does not stand for {describe(inside)}", order.span)


def _die(name: m.Name, cx: Context) -> DieSymbol | None:
    symbol = die_named(name, cx)
    if symbol is None:
        cx.unknown(name, "die", cx.dice, help="dice are `d6`, `d20` and the like, or declared with `die`")
    else:
        cx.use(name, symbol)
    return symbol


def _holds(variable: m.Name, type_: Type, rolled: Type, cx: Context) -> None:
    if not fits(rolled, type_):
        cx.report("LX201", f"`{variable.text}` is {describe(type_)}, and the roll is {describe(rolled)}", variable.span)


def _adds_up(face: Type, die: m.Name, cx: Context) -> None:
    if not isinstance(face, NumberT | UnknownT):
        cx.report(
            "LX201",
            f"several dice are rolled, and `{die.text}` shows {describe(face)}, which does not add up",
            die.span,
            help="write `roll ... as dice`, where `dice` is a bag, and ask `count of (..., dice)`",
        )


def _roll(node: m.Roll, scope: Scope, cx: Context) -> Scope:
    symbol = _die(node.die, cx)
    face: Type = symbol.type if symbol else UNKNOWN
    counted = number(node.count, scope, cx) if node.count is not None else None
    if node.variable is not None:
        type_, scope = bind(node.variable, scope, cx)
        if node.count is None:
            _holds(node.variable, type_, face, cx)
        elif isinstance(type_, BagT):
            if not fits(face, type_.of):
                _holds(node.variable, type_.of, face, cx)
        elif not isinstance(type_, UnknownT):
            cx.report(
                "LX201",
                f"several dice are rolled, and `{node.variable.text}` is {describe(type_)}",
                node.variable.span,
                help="let it be a bag: `let dice be bag of d6 up to 3`; add it up with `sum of dice`",
            )
    if node.table is not None:
        if node.count is not None:
            _adds_up(face, node.die, cx)
        table = _table(node.table, cx)
        if table is not None and table.params:
            if node.count is not None and isinstance(face, NumberT) and counted is not None:
                face = NumberT(face.low * max(counted.low, 0), face.high * max(counted.high, 0))
            if len(table.params) != 1:
                cx.report(
                    "LX202",
                    f"the table `{table.name}` has {len(table.params)} keys, and a roll gives one",
                    node.span,
                    help=f"write `roll ... as n` and `consult {table.name} with n, ...`",
                )
            else:
                key = table.params[0]
                words = f"the table `{table.name}` is read by {describe(key)}, and the roll is {describe(face)}"
                if not fits(face, key):
                    cx.report("LX201", words, node.span)
                elif (
                    isinstance(face, NumberT)
                    and isinstance(key, NumberT)
                    and not key.low <= face.low <= face.high <= key.high
                ):
                    cx.report("LX303", words, node.span, help="let the table be read by all that can be rolled")
    return scope


def _table(name: m.Name, cx: Context) -> TableSymbol | None:
    for symbol in cx.terms.get(name.text, ()):
        if isinstance(symbol, TableSymbol):
            cx.use(name, symbol)
            if symbol.type is not None:
                cx.report(
                    "LX103",
                    f"the rows of `{name.text}` give a value and do nothing",
                    name.span,
                    help=f"use its value: `{name.text} of ...`",
                )
            return symbol
    tables = [n for n, found in cx.terms.items() if any(isinstance(s, TableSymbol) for s in found)]
    cx.unknown(name, "table", tables)
    return None


# ---- Rows and options -----------------------------------------------------------------------------------------------


def check_rows(
    rows: tuple[m.Row, ...], keys: tuple[Type, ...], scope: Scope, cx: Context, in_story: bool
) -> list[Type]:
    """Checks rows against the types of their keys; gives the types of what the rows give."""
    given: list[Type] = []
    for row in rows:
        check_clauses(row.clauses, cx)
        if row.is_rest and (row is not rows[-1] or row is rows[0]):
            message = "this row is for all the rest, so it stands below all others"
            cx.report("LX214", message, row.span, help="put it last; a row for everything begins with `any`")
        elif not row.is_rest and len(row.keys) != len(keys):
            several = "several values for one key are joined by `or`: `1 or 6`" if len(keys) < len(row.keys) else None
            message = f"this row has {_keys(row.keys)}, and the table {len(keys)}"
            cx.report("LX202", message, row.keys[0].span, help=several)
        for key, type_ in zip(row.keys, keys, strict=False):
            _key(key, type_, cx)
        if row.gives is not None:
            given.append(infer(row.gives, scope, cx, next((t for t in given if t != NONE), None)))
        check_block(row.body, scope, cx, in_story)
    if given and len(given) != len(rows):
        odd = next(row for row in rows if row.gives is None)
        cx.report("LX213", "some rows of this table give a value, and this one does something", odd.span)
    first = next((t for t in given if t != NONE), NONE)
    for row, type_ in zip((row for row in rows if row.gives is not None), given, strict=True):
        if type_ != NONE and not fits(type_, first) and not fits(first, type_):
            cx.report("LX201", f"the first row gives {describe(first)}, and this {describe(type_)}", row.span)
    return given


_AND_SO_ON = frozenset({"more", "higher", "above", "greater", "less", "lower", "below", "fewer"})  # `6 or more`


def _keys(keys: Sized) -> str:
    return f"{len(keys)} key" if len(keys) == 1 else f"{len(keys)} keys"


def _key(key: m.Key, type_: Type, cx: Context) -> None:
    plain = without_none(type_)
    if isinstance(plain, UnknownT):
        return
    match key:
        case m.AnyKey():
            return
        case m.OneOfKey(keys=keys):
            for one in keys:
                _key(one, type_, cx)
        case m.NumberKey(low=low, high=high, span=span):
            if high is not None and low > high:
                cx.report("LX301", f"`{low}..{high}` runs downwards", span, help=f"did you mean `{high}..{low}`?")
            elif not isinstance(plain, NumberT):
                cx.report("LX201", f"the key is {describe(plain)}, not a number", span)
            elif (
                # A key such as `6+` has no upper end to be beyond.
                low > plain.high or low < plain.low or (high is not None and high > plain.high)
            ):
                cx.report("LX306", f"this reaches beyond the key, which is {describe(plain)}", span)
        case m.TruthKey(span=span):
            if not isinstance(plain, TruthT):
                cx.report("LX201", f"the key is {describe(plain)}, not yes or no", span)
        case m.NameKey(name=name) if isinstance(plain, NumberT):
            help_ = "write `6+` for 6 and all above, `0..2` for 2 and all below" if name.text in _AND_SO_ON else None
            cx.report("LX201", f"the key is {describe(plain)}, and `{name.text}` is no number", name.span, help=help_)
        case m.NameKey(name=name):
            found = infer_name(name, Scope(), cx, type_)
            if not fits(found, type_):
                cx.report("LX201", f"the key is {describe(type_)}, and this is {describe(found)}", name.span)
        case _:
            assert_never(key)


def check_conditions(conditions: m.Conditions, scope: Scope, cx: Context) -> None:
    for condition in (conditions.when, conditions.unless, conditions.even_if):
        if condition is not None:
            truth(condition, scope, cx)


def check_option(option: m.Option, scope: Scope, cx: Context, in_story: bool) -> None:
    check_clauses(option.clauses, cx)
    check_conditions(option.conditions, scope, cx)
    check_block(option.body, scope, cx, in_story)
