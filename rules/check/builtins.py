"""The functions and relations of the language. They never clash with the names of a book: the types decide."""

from __future__ import annotations

from collections.abc import Callable

from rules import model as m
from rules.check.context import Context
from rules.symbols import BuiltinSymbol, KindSymbol, RelationSymbol
from rules.types import (
    UNKNOWN,
    BagT,
    KindT,
    MaybeT,
    NumberT,
    OrderT,
    PileT,
    SetT,
    Type,
    UnknownT,
    comparable,
    describe,
    elements,
    or_none,
    without_none,
)

BUILTIN_RELATIONS = ("next", "diagonal")


def call_builtin(expr: m.Ref, types: list[Type], cx: Context) -> Type:
    """The type of `size of hand of p` and the like."""
    name = expr.name.text
    usage, function = BUILTIN_FUNCTIONS[name]
    if any(isinstance(t, UnknownT) for t in types):
        return UNKNOWN
    found = function([without_none(t) for t in types], cx)
    if found is None:
        given = ", ".join(describe(t) for t in types)
        cx.report("LX201", f"`{name}` cannot be asked of {given}", expr.span, help=f"write `{usage}`")
        return UNKNOWN
    cx.use(expr, BuiltinSymbol(name))
    return or_none(found, *types)


def use_maps(names: list[str], cx: Context) -> None:
    cx.used.update(id(s) for name in names for s in cx.terms[name] if isinstance(s, RelationSymbol))


def _size(types: list[Type], cx: Context) -> Type | None:
    match types:
        case [SetT(of=KindT(name=kind)) | OrderT(kind=kind) | PileT(kind=kind)]:
            return NumberT(0, cx.kinds[kind].most)
        case [BagT(limit=limit)]:
            return NumberT(0, limit)
        case [SetT()]:
            return NumberT(0, 1000)
        case _:
            return None


def _end_of_pile(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [PileT(kind=kind)]:
            return MaybeT(KindT(kind))
        case _:
            return None


def _end_of_order(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [OrderT(kind=kind)]:
            return KindT(kind)
        case _:
            return None


def _following(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [KindT(name=kind), OrderT(kind=other)] if kind == other:
            return KindT(kind)
        case _:
            return None


def _grid(type_: Type, cx: Context) -> KindSymbol | None:
    if isinstance(type_, KindT) and type_.name in cx.kinds and cx.kinds[type_.name].grid:
        return cx.kinds[type_.name]
    return None


def _row(types: list[Type], cx: Context) -> Type | None:
    kind = _grid(types[0], cx) if len(types) == 1 else None
    return NumberT(1, kind.grid.rows) if kind and kind.grid else None


def _column(types: list[Type], cx: Context) -> Type | None:
    kind = _grid(types[0], cx) if len(types) == 1 else None
    return NumberT(1, kind.grid.columns) if kind and kind.grid else None


def _cell(types: list[Type], cx: Context) -> Type | None:
    match types:
        case [SetT(of=KindT() as of), NumberT(), NumberT()] if _grid(of, cx):
            return MaybeT(of)
        case _:
            return None


def _distance(types: list[Type], cx: Context) -> Type | None:
    match types:
        case [KindT(name=one), KindT(name=other)] if one == other and one in cx.kinds:
            kind = cx.kinds[one]
            on_map = [name for name, of in cx.maps.items() if of == one]
            use_maps(on_map, cx)
            if kind.grid:
                return NumberT(0, kind.most)
            return MaybeT(NumberT(0, kind.most)) if on_map else None  # there may be no way
        case _:
            return None


def _place(types: list[Type], cx: Context) -> Type | None:
    match types:
        case [KindT(name=kind), OrderT(kind=other)] if kind == other:
            return NumberT(1, cx.kinds[kind].most)
        case _:
            return None


def _larger(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [NumberT(low=a, high=b), NumberT(low=c, high=d)]:
            return NumberT(max(a, c), max(b, d))
        case _:
            return None


def _smaller(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [NumberT(low=a, high=b), NumberT(low=c, high=d)]:
            return NumberT(min(a, c), min(b, d))
        case _:
            return None


def _remainder(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [NumberT(), NumberT(low=low, high=high)] if low > 0:
            return NumberT(0, high - 1)
        case _:
            return None


def _count(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [item, BagT(of=of, limit=limit)] if comparable(item, of):
            return NumberT(0, limit)
        case [item, (SetT() | PileT()) as group] if comparable(item, elements(group) or UNKNOWN):
            return NumberT(0, 1000)
        case _:
            return None


def _sum(types: list[Type], _cx: Context) -> Type | None:
    match types:
        case [BagT(of=NumberT(low=low, high=high), limit=limit)]:
            return NumberT(min(0, low * limit), max(0, high * limit))
        case _:
            return None


_Function = Callable[[list[Type], Context], Type | None]

# Each with the way it is written.
BUILTIN_FUNCTIONS: dict[str, tuple[str, _Function]] = {
    "size": ("size of hand of p", _size),
    "top": ("top of deck", _end_of_pile),
    "bottom": ("bottom of deck", _end_of_pile),
    "front": ("front of initiative", _end_of_order),
    "back": ("back of initiative", _end_of_order),
    "following": ("following of (p, initiative)", _following),
    "row": ("row of s", _row),
    "column": ("column of s", _column),
    "cell": ("cell of (Space, column, row)", _cell),
    "distance": ("distance of (a, b)", _distance),
    "place": ("place of (p, initiative)", _place),
    "larger": ("larger of (a, b)", _larger),
    "smaller": ("smaller of (a, b)", _smaller),
    "remainder": ("remainder of (a, b)", _remainder),
    "count": ("count of (face, dice)", _count),
    "sum": ("sum of dice", _sum),
}
