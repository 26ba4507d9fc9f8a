"""The types of the rule language as the checker and the engines see them. All are finite."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class NumberT:
    """Whole numbers from `low` to `high`; an expression's type is the span of values that it can take."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class TruthT:
    pass


@dataclass(frozen=True, slots=True)
class EnumT:
    name: str


@dataclass(frozen=True, slots=True)
class KindT:
    """A thing of a kind."""

    name: str


@dataclass(frozen=True, slots=True)
class TitleT:
    """What all copies of a thing share: `calm`, where the kind has three of them."""

    kind: str


@dataclass(frozen=True, slots=True)
class NoneT:
    pass


@dataclass(frozen=True, slots=True)
class MaybeT:
    of: Type


@dataclass(frozen=True, slots=True)
class SetT:
    """`of` is None for the empty set, which fits every set."""

    of: Type | None


@dataclass(frozen=True, slots=True)
class BagT:
    of: Type
    limit: int


@dataclass(frozen=True, slots=True)
class OrderT:
    kind: str


@dataclass(frozen=True, slots=True)
class PileT:
    kind: str


@dataclass(frozen=True, slots=True)
class UnknownT:
    """Of an expression with a mistake that has already been reported: it fits everything."""


Type = NumberT | TruthT | EnumT | KindT | TitleT | NoneT | MaybeT | SetT | BagT | OrderT | PileT | UnknownT

UNKNOWN = UnknownT()
TRUTH = TruthT()
NONE = NoneT()


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of the one type can stand where the other is wanted. Ranges of numbers are compared elsewhere."""
    match given, wanted:
        case (UnknownT(), _) | (_, UnknownT()):
            return True
        case NumberT(), NumberT():
            return True
        case NoneT(), MaybeT():
            return True
        case MaybeT(of=inner), MaybeT(of=outer):
            return fits(inner, outer)
        case MaybeT(of=inner), _:
            # An attribute of none gives nothing, and what compares with it is no: see the language reference.
            return fits(inner, wanted)
        case _, MaybeT(of=inner):
            return fits(given, inner)
        case SetT(of=None), (SetT() | BagT()):
            return True
        case (SetT(), SetT(of=None)):
            return True
        case SetT(of=inner), SetT(of=outer):
            return inner is not None and outer is not None and fits(inner, outer)
        case SetT(of=inner), BagT(of=outer):
            return inner is not None and fits(inner, outer)
        case BagT(of=inner), BagT(of=outer):
            return fits(inner, outer)
        case _:
            return given == wanted


def comparable(left: Type, right: Type) -> bool:
    """Whether `left is right` makes sense."""
    if fits(left, right) or fits(right, left):
        return True
    match without_none(left), without_none(right):
        case (KindT(name=kind), TitleT(kind=other)) | (TitleT(kind=other), KindT(name=kind)):
            return kind == other
        case (PileT(kind=kind), SetT(of=of)) | (SetT(of=of), PileT(kind=kind)):
            return of is None or of == KindT(kind)
        case _:
            return False


def without_none(type_: Type) -> Type:
    return type_.of if isinstance(type_, MaybeT) else type_


def or_none(type_: Type, *sources: Type) -> Type:
    """The type of what is made from these: where one of them may be nothing, so may the result."""
    if any(isinstance(s, (MaybeT, NoneT)) for s in sources) and not isinstance(type_, (MaybeT, NoneT, UnknownT)):
        return MaybeT(type_)
    return type_


def join(one: Type, other: Type) -> Type:
    """A type for both, where they are comparable or one of them is none."""
    if isinstance(one, NoneT):
        return or_none(other, one)
    if isinstance(other, NoneT):
        return or_none(one, other)
    a, b = without_none(one), without_none(other)
    if isinstance(a, NumberT) and isinstance(b, NumberT):
        a = NumberT(min(a.low, b.low), max(a.high, b.high))
    elif a == SetT(None):
        a = b
    return or_none(a, one, other)


def has_unknown(type_: Type) -> bool:
    match type_:
        case UnknownT():
            return True
        case MaybeT(of=of) | BagT(of=of):
            return has_unknown(of)
        case SetT(of=inside):
            return inside is not None and has_unknown(inside)
        case _:
            return False


def elements(type_: Type) -> Type | None:
    """What a collection holds; None for what is no collection."""
    match type_:
        case SetT(of=of):
            return UNKNOWN if of is None else of
        case BagT(of=of):
            return of
        case OrderT(kind=kind) | PileT(kind=kind):
            return KindT(kind)
        case UnknownT():
            return UNKNOWN
        case _:
            return None


def describe(type_: Type) -> str:
    """In table language, to stand after "is" or "expected"."""
    match type_:
        case NumberT(low=low, high=high):
            return f"the number {low}" if low == high else f"a number {low}..{high}"
        case TruthT():
            return "yes/no"
        case EnumT(name=name) | KindT(name=name):
            return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
        case TitleT(kind=kind):
            return f"a title of {kind}"
        case NoneT():
            return "none"
        case MaybeT(of=of):
            return f"{describe(of)} or none"
        case SetT(of=None):
            return "an empty set"
        case SetT(of=of):
            assert of is not None
            return f"a set of {_plain(of)}"
        case BagT(of=of):
            return f"a bag of {_plain(of)}"
        case OrderT(kind=kind):
            return f"an order of {kind}"
        case PileT(kind=kind):
            return f"a pile of {kind}"
        case UnknownT():
            return "unknown"


def _plain(type_: Type) -> str:
    match type_:
        case NumberT(low=low, high=high):
            return f"{low}..{high}"
        case EnumT(name=name) | KindT(name=name):
            return name
        case _:
            return describe(type_)
