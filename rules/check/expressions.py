"""Types of expressions: `infer` finds the type, notes what each name stands for, and reports what does not fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from rules import model as m
from rules.check.builtins import BUILTIN_FUNCTIONS, BUILTIN_RELATIONS, call_builtin
from rules.check.context import Context
from rules.check.declare import variable_type
from rules.symbols import (
    BuiltinSymbol,
    ConstantSymbol,
    KindSymbol,
    RankSymbol,
    RelationSymbol,
    SlotSymbol,
    TableSymbol,
    Term,
    ValueSymbol,
    VariableSymbol,
)
from rules.types import (
    NONE,
    TRUTH,
    UNKNOWN,
    BagT,
    KindT,
    MaybeT,
    NumberT,
    OrderT,
    SetT,
    TitleT,
    TruthT,
    Type,
    UnknownT,
    comparable,
    describe,
    elements,
    fits,
    without_none,
)

_Asked = SlotSymbol | ValueSymbol | TableSymbol | RelationSymbol | RankSymbol


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables that are bound here, and whether others are free to stand for anything."""

    bound: dict[str, Type] = field(default_factory=dict)
    free: bool = False

    def with_(self, name: m.Name, type_: Type) -> Scope:
        return Scope({**self.bound, name.text: type_}, self.free)


def truth(expr: m.Expr, scope: Scope, cx: Context) -> None:
    """Checks a condition."""
    found = infer(expr, scope, cx, TRUTH)
    if not fits(found, TRUTH):
        cx.report(
            "LX203",
            f"a condition is needed here, and this is {describe(found)}",
            expr.span,
            help="compare it: `... is ...`, `... >= ...`",
        )


def number(expr: m.Expr, scope: Scope, cx: Context) -> NumberT | None:
    """Checks a number, and gives the values that it can take."""
    found = without_none(infer(expr, scope, cx))
    if isinstance(found, NumberT):
        return found
    if not isinstance(found, UnknownT):
        cx.report("LX204", f"a number is needed here, and this is {describe(found)}", expr.span)
    return None


def expect(expr: m.Expr, wanted: Type, scope: Scope, cx: Context, what: str) -> Type:
    """Checks that an expression fits; `what` says what it is for, as in "`coins of p`"."""
    found = infer(expr, scope, cx, wanted)
    if not fits(found, wanted):
        cx.report("LX201", f"{what} is {describe(wanted)}, and this is {describe(found)}", expr.span)
        return UNKNOWN
    target = without_none(wanted)
    if (
        isinstance(found, NumberT)
        and isinstance(target, NumberT)
        and (found.low > target.high or found.high < target.low)
    ):
        cx.report("LX303", f"{what} is {describe(target)}, and this is {describe(found)}", expr.span)
    return found


def infer(expr: m.Expr, scope: Scope, cx: Context, wanted: Type | None = None) -> Type:
    """`wanted` only helps to choose among values of the same name; the caller checks that the result fits."""
    found = _infer(expr, scope, cx, wanted)
    cx.type_of[id(expr)] = found
    return found


def _infer(expr: m.Expr, scope: Scope, cx: Context, wanted: Type | None) -> Type:
    match expr:
        case m.Number(value=value):
            return NumberT(value, value)
        case m.Truth():
            return TRUTH
        case m.Nothing():
            return NONE
        case m.Ref():
            return ref(expr, scope, cx, wanted)
        case m.SetOf(items=items):
            return _set_of(items, scope, cx, wanted)
        case m.SetWhere(variable=variable, where=where):
            type_, inner = bind_each(variable, scope, cx)
            truth(where, inner, cx)
            return type_ if isinstance(type_, UnknownT) else SetT(type_)
        case m.NumberOf(variable=variable, where=condition):
            type_, inner = bind_each(variable, scope, cx)
            if condition is not None:
                truth(condition, inner, cx)
            return NumberT(0, population(type_, cx))
        case m.Aggregate():
            return _aggregate(expr, scope, cx)
        case m.TimesHappened(event=event, moment=moment):
            _happened(event, moment, scope, cx)
            return NumberT(0, 1000)
        case m.Arithmetic(op=op, left=left, right=right):
            return _arithmetic(op, left, right, scope, cx, wanted)
        case m.Divide(left=left, right=right):
            return _divide(left, right, scope, cx)
        case m.Negate(operand=operand):
            inside = number(operand, scope, cx)
            return NumberT(-inside.high, -inside.low) if inside else UNKNOWN
        case m.Compare():
            _compare(expr, scope, cx)
            return TRUTH
        case m.Is():
            _is(expr, scope, cx)
            return TRUTH
        case m.IsIn(left=left, right=right):
            _is_in(left, right, scope, cx)
            return TRUTH
        case m.Related():
            _related(expr, scope, cx)
            return TRUTH
        case m.Quantified(variable=variable, where=condition, body=body):
            _, inner = bind_each(variable, scope, cx)
            if condition is not None:
                truth(condition, inner, cx)
            truth(body, inner, cx)
            return TRUTH
        case m.And(left=left, right=right) | m.Or(left=left, right=right):
            truth(left, scope, cx)
            truth(right, scope, cx)
            return TRUTH
        case m.Not(operand=operand):
            truth(operand, scope, cx)
            return TRUTH
        case m.During(moment=moment, of=of):
            during(moment, of, scope, cx)
            return TRUTH
        case m.Happened(event=event, moment=moment):
            _happened(event, moment, scope, cx)
            return TRUTH
        case m.Outcome():
            outcome(expr, scope, cx)
            return TRUTH
        case _:
            assert_never(expr)


def bind(name: m.Name, scope: Scope, cx: Context) -> tuple[Type, Scope]:
    """Binds a variable in a part of the text; it must not be bound around it already."""
    type_ = variable_type(name, cx)
    if name.text in scope.bound:
        cx.report(
            "LX105",
            f"`{name.text}` already stands for something here",
            name.span,
            help="use another variable of the same type; `let` can declare several",
        )
    return type_, scope.with_(name, type_)


def bind_each(name: m.Name, scope: Scope, cx: Context) -> tuple[Type, Scope]:
    """Binds a variable that stands for one thing of its type after the other."""
    type_, inner = bind(name, scope, cx)
    if isinstance(type_, (SetT, BagT, OrderT)):
        cx.report(
            "LX201",
            f"a variable for one thing is needed here, and `{name.text}` is {describe(type_)}",
            name.span,
            help="declare one with `let`; `... is in ...` asks whether a thing is among others",
        )
    return type_, inner


def during(moment: m.Name, of: m.Expr | None, scope: Scope, cx: Context) -> None:
    cx.find_moment(moment)
    if of is not None:
        infer(of, scope, cx)


def outcome(node: m.Outcome, scope: Scope, cx: Context) -> None:
    if node.player is None:
        return
    found = without_none(ref(node.player, scope, cx))
    if not isinstance(found, (KindT, SetT, UnknownT)):
        cx.report("LX212", f"someone who can win is needed here, and this is {describe(found)}", node.player.span)


def _happened(event: m.Event, moment: m.Name, scope: Scope, cx: Context) -> None:
    from rules.check.phrases import check_event  # noqa: PLC0415  (expressions and events contain each other)

    check_event(event, scope, cx)
    cx.find_moment(moment)


def population(type_: Type, cx: Context) -> int:
    """How many values a type has, at most."""
    match type_:
        case NumberT(low=low, high=high):
            return high - low + 1
        case TruthT():
            return 2
        case KindT(name=name) if name in cx.kinds:
            return cx.kinds[name].most
        case MaybeT(of=of):
            return population(of, cx) + 1
        case _:
            found = next((t for t in cx.types.values() if t.type == type_), None)
            return len(found.values) if found else 1


def _set_of(items: tuple[m.Expr, ...], scope: Scope, cx: Context, wanted: Type | None) -> Type:
    if not items:
        return SetT(None)
    inside = elements(wanted) if wanted is not None else None
    first = infer(items[0], scope, cx, inside)
    for item in items[1:]:
        other = infer(item, scope, cx, first)
        if not comparable(first, other):
            cx.report("LX201", f"this set begins with {describe(first)}, and this is {describe(other)}", item.span)
            return UNKNOWN
        first = join(first, other)
    return first if isinstance(first, UnknownT) else SetT(first)


def join(one: Type, other: Type) -> Type:
    """A type for both, where they are comparable."""
    if isinstance(one, NumberT) and isinstance(other, NumberT):
        return NumberT(min(one.low, other.low), max(one.high, other.high))
    return one


def _aggregate(expr: m.Aggregate, scope: Scope, cx: Context) -> Type:
    type_, inner = bind_each(expr.variable, scope, cx)
    if expr.where is not None:
        truth(expr.where, inner, cx)
    body = number(expr.body, inner, cx)
    if body is None:
        return UNKNOWN
    if expr.op != "total":
        return body
    most = population(type_, cx)
    return NumberT(min(body.low * most, 0), max(body.high * most, 0))


def _arithmetic(op: str, left: m.Expr, right: m.Expr, scope: Scope, cx: Context, wanted: Type | None) -> Type:
    one = without_none(infer(left, scope, cx, wanted))
    if isinstance(one, (SetT, BagT)) and op != "*":
        other = infer(right, scope, cx, one)
        if not fits(other, one):
            cx.report("LX201", f"this is joined to {describe(one)}, and is {describe(other)}", right.span)
        return other if one == SetT(None) else one
    other_number = number(right, scope, cx)
    if not isinstance(one, NumberT):
        if not isinstance(one, UnknownT):
            cx.report("LX204", f"a number is needed here, and this is {describe(one)}", left.span)
        return UNKNOWN
    if other_number is None:
        return UNKNOWN
    a, b, c, d = one.low, one.high, other_number.low, other_number.high
    match op:
        case "+":
            return NumberT(a + c, b + d)
        case "-":
            return NumberT(a - d, b - c)
        case _:
            corners = (a * c, a * d, b * c, b * d)
            return NumberT(min(corners), max(corners))


def _divide(left: m.Expr, right: m.Expr, scope: Scope, cx: Context) -> Type:
    one = number(left, scope, cx)
    other = number(right, scope, cx)
    if one is None or other is None:
        return UNKNOWN
    if other.low <= 0 <= other.high:
        if other.low == other.high:
            cx.report("LX308", "nothing can be divided by 0", right.span)
        else:
            cx.report(
                "LX308",
                f"this can be 0: it is {describe(other)}",
                right.span,
                help="divide by something that is at least 1, for example `larger of (x, 1)`",
            )
        return UNKNOWN
    corners = [x // y for x in (one.low, one.high) for y in (other.low, other.high)]
    return NumberT(min(corners), max(corners) + 1)


def _compare(expr: m.Compare, scope: Scope, cx: Context) -> None:
    one = number(expr.left, scope, cx)
    other = number(expr.right, scope, cx)
    if one is None or other is None:
        return
    always, never = {
        "<": (one.high < other.low, one.low >= other.high),
        "<=": (one.high <= other.low, one.low > other.high),
        ">": (one.low > other.high, one.high <= other.low),
        ">=": (one.low >= other.high, one.high < other.low),
    }[expr.op]
    _constant_condition(expr, (one, other), always, never, scope, cx)


def _constant_condition(
    expr: m.Compare | m.Is, sides: tuple[NumberT, NumberT], always: bool, never: bool, scope: Scope, cx: Context
) -> None:
    """In a rule, a comparison that the types already decide is a slip; in a claim (free variables) it is the point."""
    one, other = sides
    if (always or never) and not scope.free and not (one.low == one.high and other.low == other.high):
        cx.report(
            "LX305",
            f"this {'always holds' if always else 'can never hold'}",
            expr.span,
            help=f"the left side is {describe(one)}, the right side {describe(other)}",
        )


def _is(expr: m.Is, scope: Scope, cx: Context) -> None:
    left, right = expr.left, expr.right
    if _is_constant_name(left, cx) and not _is_constant_name(right, cx):
        other = infer(right, scope, cx)
        one = infer(left, scope, cx, other)
    else:
        one = infer(left, scope, cx)
        if isinstance(right, m.Ref) and not right.args and _adjective(right, one, cx):
            return
        other = infer(right, scope, cx, one)
    if not comparable(one, other):
        cx.report("LX206", f"these can never be the same: {describe(one)} and {describe(other)}", expr.span)
    one, other = without_none(one), without_none(other)
    if isinstance(one, NumberT) and isinstance(other, NumberT) and (one.high < other.low or one.low > other.high):
        _constant_condition(expr, (one, other), expr.negated, not expr.negated, scope, cx)


def _is_constant_name(expr: m.Expr, cx: Context) -> bool:
    return (
        isinstance(expr, m.Ref)
        and not expr.args
        and any(isinstance(s, ConstantSymbol) for s in cx.terms.get(expr.name.text, ()))
    )


def _adjective(right: m.Ref, subject: Type, cx: Context) -> bool:
    """`p is passed`, where `passed` is yes/no for each player."""
    for symbol in cx.terms.get(right.name.text, ()):
        if (
            isinstance(symbol, (SlotSymbol, ValueSymbol))
            and len(symbol.params) == 1
            and symbol.type == TRUTH
            and fits(subject, symbol.params[0])
        ):
            cx.use(right, symbol)
            cx.type_of[id(right)] = TRUTH
            return True
    return False


def _is_in(left: m.Expr, right: m.Expr, scope: Scope, cx: Context) -> None:
    if _is_constant_name(left, cx):
        group = infer(right, scope, cx)
        inside = elements(group)
        one = infer(left, scope, cx, inside)
    else:
        one = infer(left, scope, cx)
        group = infer(right, scope, cx, SetT(without_none(one)))
        inside = elements(group)
    if inside is None:
        cx.report(
            "LX210",
            f"something that holds things is needed here, and this is {describe(group)}",
            right.span,
            help="a set, a bag, a pile, an order or a kind can hold things",
        )
    elif not comparable(one, inside):
        cx.report("LX206", f"{describe(one)} can never be in {describe(group)}", left.span)


def _related(expr: m.Related, scope: Scope, cx: Context) -> None:
    left = infer(expr.left, scope, cx)
    right = infer(expr.right, scope, cx, left)
    for symbol in cx.terms.get(expr.relation.text, ()):
        if isinstance(symbol, (SlotSymbol, ValueSymbol, RelationSymbol)) and len(symbol.params) == 2:
            if not isinstance(symbol, RelationSymbol) and symbol.type != TRUTH:
                continue
            if fits(left, symbol.params[0]) and fits(right, symbol.params[1]):
                cx.use(expr, symbol)
                return
    if isinstance(left, UnknownT) or isinstance(right, UnknownT):
        return
    if expr.relation.text in BUILTIN_RELATIONS:
        _builtin_relation(expr, without_none(left), without_none(right), cx)
        return
    known = [
        name
        for name, found in cx.terms.items()
        for symbol in found
        if isinstance(symbol, (SlotSymbol, ValueSymbol, RelationSymbol)) and len(symbol.params) == 2
    ]
    if expr.relation.text in known:
        cx.report("LX209", f"`{expr.relation.text}` does not relate {describe(left)} to {describe(right)}", expr.span)
    else:
        cx.unknown(
            expr.relation,
            "relation",
            [*known, *BUILTIN_RELATIONS],
            help=f"declare it in `state`: `{expr.relation.text} of (..., ...) yes/no`",
        )


def _builtin_relation(expr: m.Related, left: Type, right: Type, cx: Context) -> None:
    relation = expr.relation.text
    if not isinstance(left, KindT) or left != right or left.name not in cx.kinds:
        cx.report(
            "LX209",
            f"`{relation}` relates two places of one kind, not {describe(left)} to {describe(right)}",
            expr.span,
        )
        return
    kind = cx.kinds[left.name]
    maps = [n for n in cx.maps if cx.maps[n] == kind.name]
    if relation == "diagonal":
        if kind.grid is None or kind.grid.shape.text != "square":
            cx.report(
                "LX209", f"only spaces of a square grid are diagonal to each other, and {kind.name} is none", expr.span
            )
        cx.use(expr, BuiltinSymbol(relation))
    elif kind.grid is None and not maps:
        cx.report(
            "LX209",
            f"no map or grid says which {kind.name} are {relation} to each other",
            expr.span,
            help=f"declare `map NAME of {kind.name}`, or make {kind.name} a grid",
        )
    elif len(maps) + (kind.grid is not None) > 1:
        cx.report(
            "LX209", f"several maps join the {kind.name}", expr.span, help=f"name the map: `{maps[0]} of (..., ...)`"
        )
    else:
        for name in maps:
            cx.used.update(id(s) for s in cx.terms[name])
        cx.use(expr, BuiltinSymbol(relation))


# ---- Names ----------------------------------------------------------------------------------------------------------


def ref(expr: m.Ref, scope: Scope, cx: Context, wanted: Type | None = None) -> Type:
    """What a name stands for, with what it is asked of."""
    found = _ref(expr, scope, cx, wanted)
    cx.type_of[id(expr)] = found
    return found


def _ref(expr: m.Ref, scope: Scope, cx: Context, wanted: Type | None) -> Type:
    symbols = cx.terms.get(expr.name.text, [])
    if not expr.args:
        return _plain_name(expr, symbols, scope, cx, wanted)
    candidates = [s for s in symbols if isinstance(s, _Asked) and len(s.params) == len(expr.args)]
    if len(candidates) == 1 and expr.name.text not in BUILTIN_FUNCTIONS:
        symbol = candidates[0]
        for arg, param in zip(expr.args, symbol.params, strict=True):
            expect(arg, param, scope, cx, f"what `{expr.name.text}` is asked of")
        return _asked(expr, symbol, cx)
    types = [infer(arg, scope, cx) for arg in expr.args]
    fitting = [s for s in candidates if all(map(fits, types, s.params))]
    if fitting:
        return _asked(expr, fitting[0], cx)
    if expr.name.text in BUILTIN_FUNCTIONS:
        return call_builtin(expr, types, cx)
    if any(isinstance(t, UnknownT) for t in types) and candidates:
        return UNKNOWN
    _report_wrong_use(expr, symbols, types, cx)
    return UNKNOWN


def _asked(expr: m.Ref, symbol: _Asked, cx: Context) -> Type:
    cx.use(expr, symbol)
    if isinstance(symbol, RelationSymbol):
        return TRUTH
    if isinstance(symbol, RankSymbol):
        return OrderT(symbol.kind)
    if symbol.type is None:
        cx.report(
            "LX103",
            f"the table `{symbol.name}` gives no value: its rows do something",
            expr.span,
            help=f"write `consult {symbol.name} with ...` as a statement",
        )
        return UNKNOWN
    return symbol.type


def _plain_name(expr: m.Ref, symbols: list[Term], scope: Scope, cx: Context, wanted: Type | None) -> Type:
    name = expr.name
    constants = [s for s in symbols if isinstance(s, ConstantSymbol)]
    if constants:
        return _constant(expr, constants, cx, wanted)
    for symbol in symbols:
        match symbol:
            case VariableSymbol():
                cx.use(expr, symbol)
                if name.text in scope.bound:
                    return scope.bound[name.text]
                if not scope.free:
                    _report_unbound(name, cx)
                return symbol.type
            case KindSymbol():
                cx.use(expr, symbol)
                return SetT(symbol.type)
            case RankSymbol(kind=kind, params=()):
                cx.use(expr, symbol)
                return OrderT(kind)
            case SlotSymbol(params=()) | ValueSymbol(params=()):
                cx.use(expr, symbol)
                return symbol.type
            case _:
                pass
    if symbols:
        _report_wrong_use(expr, symbols, [], cx)
    else:
        verb = f"`{name.text}` is an action or a procedure, not a value" if name.text in cx.verbs else None
        cx.unknown(name, "state, value, variable or thing", cx.terms, help=verb)
    return UNKNOWN


def _constant(expr: m.Ref, constants: list[ConstantSymbol], cx: Context, wanted: Type | None) -> Type:
    fitting = constants
    if len(constants) > 1 and wanted is not None:
        fitting = [c for c in constants if comparable(c.type, wanted)] or constants
    if len(fitting) > 1:
        owners = " and of ".join(_owner(c.type) for c in fitting)
        cx.report(
            "LX111",
            f"`{expr.name.text}` is a value of {owners}, and nothing here tells which is meant",
            expr.span,
            help="put it beside something of the type that is meant, or give the values different names",
        )
        return UNKNOWN
    cx.use(expr, fitting[0])
    return fitting[0].type


def _owner(type_: Type) -> str:
    return type_.kind if isinstance(type_, TitleT) else getattr(type_, "name", describe(type_))


def _report_unbound(name: m.Name, cx: Context) -> None:
    cx.report(
        "LX104",
        f"nothing says which `{name.text}` is meant",
        name.span,
        help=f"name `{name.text}` in the subject of the rule, or say `some {name.text} where ...`, "
        f"`every {name.text} satisfies ...`",
    )


def _report_wrong_use(expr: m.Ref, symbols: list[Term], types: list[Type], cx: Context) -> None:
    name = expr.name
    asked = [s for s in symbols if isinstance(s, _Asked)]
    if not symbols:
        others = [n for n, found in cx.terms.items() if any(isinstance(s, _Asked) for s in found)]
        cx.unknown(name, "state or value", [*others, *BUILTIN_FUNCTIONS])
        return
    counts = sorted({len(s.params) for s in asked})
    if not any(counts):
        cx.report("LX202", f"`{name.text}` is not asked of anything: write it without `of`", name.span)
        return
    if len(types) not in counts:
        words = " or ".join(map(str, counts))
        what = "thing" if counts == [1] else "things"
        cx.report(
            "LX202",
            f"`{name.text}` is asked of {words} {what}, " + (f"not of {len(types)}" if types else "and here of none"),
            expr.span,
            help=f"write `{_usage(asked[0])}`",
        )
        return
    cx.report(
        "LX201",
        f"`{name.text}` cannot be asked of {', '.join(describe(t) for t in types)}",
        expr.span,
        help="it can be asked of " + "; or of ".join(", ".join(describe(p) for p in s.params) for s in asked),
    )


def _usage(symbol: _Asked) -> str:
    if not symbol.params:
        return symbol.name
    parts = [getattr(p, "name", "...") for p in symbol.params]
    return f"{symbol.name} of {parts[0] if len(parts) == 1 else '(' + ', '.join(parts) + ')'}"
