"""Types of expressions: `infer` finds the type, notes what each name stands for, and reports what does not fit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import assert_never

from rules import model as m
from rules.check.builtins import BUILTIN_FUNCTIONS, BUILTIN_RELATIONS, call_builtin, use_maps
from rules.check.context import Context
from rules.check.declare import variable_type
from rules.diagnostics import Label
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
    EnumT,
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
    join,
    or_none,
    without_none,
)

_MAX_VALUES = 10_000
_Asked = SlotSymbol | ValueSymbol | TableSymbol | RelationSymbol | RankSymbol


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables that are bound here and where, and whether others are free to stand for anything.

    `verb` is the action or procedure whose body this is; `ignored` the rule whose variables alone are known here.
    """

    bound: dict[str, Type] = field(default_factory=dict)
    free: bool = False
    verb: str | None = None
    ignored: str | None = None
    places: dict[str, m.Name] = field(default_factory=dict)

    def with_(self, name: m.Name, type_: Type) -> Scope:
        bound = {**self.bound, name.text: type_}
        return replace(self, bound=bound, places={**self.places, name.text: name})

    def only(self, other: Scope) -> Scope:
        """What is bound in both."""
        return replace(self, bound={name: type_ for name, type_ in self.bound.items() if name in other.bound})


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


def expect(expr: m.Expr, wanted: Type, scope: Scope, cx: Context, what: str, help: str | None = None) -> Type:
    """Checks that an expression fits; `what` says what it is for, as in "`coins of p`"."""
    found = infer(expr, scope, cx, wanted)
    if not fits(found, wanted):
        cx.report("LX201", f"{what} is {describe(wanted)}, and this is {describe(found)}", expr.span, help=help)
        return UNKNOWN
    target, plain = without_none(wanted), without_none(found)
    if (
        isinstance(plain, NumberT)
        and isinstance(target, NumberT)
        and (plain.low > target.high or plain.high < target.low)
    ):
        cx.report("LX303", f"{what} is {describe(target)}, and this is {describe(plain)}", expr.span)
    return found


def infer_name(name: m.Name, scope: Scope, cx: Context, wanted: Type | None = None) -> Type:
    """Like `infer`, for a name that stands alone; what it stands for is noted on the name itself."""
    alone = m.Ref(name, (), name.span)
    found = ref(alone, scope, cx, wanted)
    del cx.type_of[id(alone)]
    symbol = cx.symbol_of.pop(id(alone), None)
    if symbol is not None:
        cx.note(name, symbol)
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
        case m.Divide(left=left, right=right, rounding=rounding):
            found = _divide(left, right, rounding, scope, cx)
            return or_none(found, cx.type_of[id(left)], cx.type_of[id(right)])
        case m.Negate(operand=operand):
            inside = number(operand, scope, cx)
            return or_none(NumberT(-inside.high, -inside.low), cx.type_of[id(operand)]) if inside else UNKNOWN
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
            subject = _compared(left)
            if subject is not None and isinstance(right, m.Ref | m.Number):
                _alternative(expr, subject, right, scope, cx)
            else:
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


def _compared(expr: m.Expr) -> m.Is | None:
    """The `weather is calm` that `... or storm` may be meant to go on from."""
    while isinstance(expr, m.Or | m.And):
        if isinstance(expr.right, m.Is):
            return expr.right
        expr = expr.left
    return expr if isinstance(expr, m.Is) else None


def _alternative(expr: m.And | m.Or, before: m.Is, right: m.Ref | m.Number, scope: Scope, cx: Context) -> None:
    """`weather is calm or storm` is no condition, and what is meant is plain."""
    known = cx.type_of.get(id(before.left), UNKNOWN)
    found = infer(right, scope, cx, known if _is_constant_name(right, cx) else TRUTH)
    if fits(found, TRUTH):
        return
    hint = "compare it: `... is ...`, `... >= ...`"
    if comparable(found, known):
        subject, one, other = before.left.span.text, before.right.span.text, right.span.text
        verb = "is not" if before.negated else "is"
        word = "or" if isinstance(expr, m.Or) else "and"
        hint = f"write `{subject} {verb} {one} {word} {subject} {verb} {other}`"
        if (word == "or") != before.negated:
            hint += f", or `{subject} {verb} in {{{one}, {other}}}`"
    cx.report("LX203", f"a condition is needed here, and this is {describe(found)}", right.span, help=hint)


def bind(name: m.Name, scope: Scope, cx: Context) -> tuple[Type, Scope]:
    """Binds a variable in a part of the text; it must not be bound around it already."""
    type_ = variable_type(name, cx)
    if name.text in scope.bound:
        cx.report(
            "LX105",
            f"`{name.text}` already stands for something here",
            name.span,
            help="use another variable of the same type; `let` can declare several",
            labels=[Label(scope.places[name.text].span, "from here on")],
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
    elif population(type_, cx) > _MAX_VALUES:
        cx.report(
            "LX302",
            f"`{name.text}` has {population(type_, cx)} values, and more than {_MAX_VALUES} cannot be gone through",
            name.span,
        )
    return type_, inner


def during(moment: m.Name, of: m.Expr | None, scope: Scope, cx: Context) -> None:
    cx.find_moment(moment)
    if of is not None:
        infer(of, scope, cx)


def outcome(node: m.Outcome, scope: Scope, cx: Context) -> None:
    cx.type_of[id(node)] = TRUTH
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
        case EnumT(name=name) if name in cx.types:
            return len(cx.types[name].values)
        case _:
            return 1


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


def _aggregate(expr: m.Aggregate, scope: Scope, cx: Context) -> Type:
    type_, inner = bind_each(expr.variable, scope, cx)
    if expr.where is not None:
        truth(expr.where, inner, cx)
    body = number(expr.body, inner, cx)
    if body is None:
        return UNKNOWN
    if expr.op != "total":
        none_fits: Type = NONE if expr.where is not None else body
        return or_none(body, none_fits, cx.type_of[id(expr.body)])
    most = population(type_, cx)
    return NumberT(min(body.low * most, 0), max(body.high * most, 0))


def _arithmetic(op: str, left: m.Expr, right: m.Expr, scope: Scope, cx: Context, wanted: Type | None) -> Type:
    first = infer(left, scope, cx, wanted)
    one = without_none(first)
    if isinstance(one, (SetT, BagT)) and op != "*":
        other = infer(right, scope, cx, one)
        if not fits(other, one):
            cx.report("LX201", f"this is joined to {describe(one)}, and is {describe(other)}", right.span)
        return or_none(without_none(other) if one == SetT(None) else one, first, other)
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
            result = NumberT(a + c, b + d)
        case "-":
            result = NumberT(a - d, b - c)
        case _:
            corners = (a * c, a * d, b * c, b * d)
            result = NumberT(min(corners), max(corners))
    return or_none(result, first, cx.type_of[id(right)])


def _divide(left: m.Expr, right: m.Expr, rounding: m.Rounding, scope: Scope, cx: Context) -> Type:
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
    pairs = [(x, y) for x in (one.low, one.high) for y in (other.low, other.high)]
    corners = [x // y if rounding == "down" else -(-x // y) for x, y in pairs]
    return NumberT(min(corners), max(corners))


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
    nothing = any(isinstance(cx.type_of.get(id(side)), MaybeT) for side in (expr.left, expr.right))
    if (never or (always and not nothing)) and not scope.free and not (one.low == one.high and other.low == other.high):
        cx.report(
            "LX305",
            f"this {'always holds' if always else 'can never hold'}",
            expr.span,
            help=f"the left side is {describe(one)}, the right side {describe(other)}",
        )


def _is(expr: m.Is, scope: Scope, cx: Context) -> None:
    left, right = expr.left, expr.right
    if _is_constant_name(left, cx) and not _is_constant_name(right, cx):
        assert isinstance(left, m.Ref)
        if isinstance(right, m.Ref) and not right.args:
            for symbol in cx.terms.get(left.name.text, ()):
                if isinstance(symbol, ConstantSymbol) and _adjective(right, symbol.type, cx):
                    infer(left, scope, cx, symbol.type)
                    return
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
        inside = elements(without_none(group))
        one = infer(left, scope, cx, inside)
    else:
        one = infer(left, scope, cx)
        group = infer(right, scope, cx, SetT(without_none(one)))
        inside = elements(without_none(group))
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
                cx.note(expr.relation, symbol)
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
        cx.note(expr.relation, BuiltinSymbol(relation))
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
        use_maps(maps, cx)
        cx.use(expr, BuiltinSymbol(relation))
        cx.note(expr.relation, BuiltinSymbol(relation))


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
        given = [
            (expect(arg, param, scope, cx, f"what `{expr.name.text}` is asked of"), param)
            for arg, param in zip(expr.args, symbol.params, strict=True)
        ]
        return _of_nothing(_asked(expr, symbol, cx), given)
    types = [infer(arg, scope, cx) for arg in expr.args]
    fitting = [s for s in candidates if all(map(fits, types, s.params))]
    if fitting:
        return _of_nothing(_asked(expr, fitting[0], cx), list(zip(types, fitting[0].params, strict=True)))
    if expr.name.text in BUILTIN_FUNCTIONS:
        return call_builtin(expr, types, cx)
    if any(isinstance(t, UnknownT) for t in types) and candidates:
        return UNKNOWN
    _report_wrong_use(expr, symbols, types, cx)
    return UNKNOWN


def _of_nothing(found: Type, given: list[tuple[Type, Type]]) -> Type:
    """What is asked of nothing is nothing, unless it can be asked of none."""
    return or_none(found, *(type_ for type_, param in given if not isinstance(param, MaybeT)))


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
                    _report_unbound(name, scope, cx)
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


def _report_unbound(name: m.Name, scope: Scope, cx: Context) -> None:
    word = name.text
    hint = f"name `{word}` in the subject of the rule, or say `some {word} where ...`, `every {word} satisfies ...`"
    if scope.verb is not None:
        hint = f"add `by {word}` to the header of `{scope.verb}`, or begin a block with `each {word}`"
    elif scope.ignored is not None:
        hint = f"`{scope.ignored}` does not speak of `{word}`: say `some {word} where ...`"
    cx.report("LX104", f"nothing says which `{word}` is meant", name.span, help=hint)


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
            help=f"write `{_usage(asked[0], cx)}`",
        )
        return
    cx.report(
        "LX201",
        f"`{name.text}` cannot be asked of {', '.join(describe(t) for t in types)}",
        expr.span,
        help="it can be asked of " + "; or of ".join(", ".join(describe(p) for p in s.params) for s in asked),
    )


def _usage(symbol: _Asked, cx: Context) -> str:
    if not symbol.params:
        return symbol.name
    variables = [s for found in cx.terms.values() for s in found if isinstance(s, VariableSymbol)]
    parts: list[str] = []
    for param in symbol.params:
        fitting = [v.name for v in variables if v.type == param and v.name not in parts]
        parts.append(fitting[0] if fitting else getattr(param, "name", "..."))
    return f"{symbol.name} of {parts[0] if len(parts) == 1 else '(' + ', '.join(parts) + ')'}"
