"""Values of the game as terms. Every value that the interpreter knows has its form here.

Numbers are themselves; values of an enumeration and things are their place in the list of their type, their *code*. A
value can be `none`, or `absent` where something was asked of nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rules.diagnostics import InternalError
from rules.machine.world import NOTHING, Value, World
from rules.types import BagT, EnumT, KindT, NumberT, OrderT, PileT, SetT, TruthT, Type, without_none
from solver.terms import Flag, Number, at_most, both, count, either, equal, every, less, no, pick, plus, same, some


@dataclass(frozen=True, slots=True)
class Group:
    """A set: for each code that can be in it, whether it is."""

    members: Mapping[Any, Flag]


@dataclass(frozen=True, slots=True)
class Bag:
    """How often each code is in it."""

    counts: Mapping[Any, Number]


@dataclass(frozen=True, slots=True)
class Row:
    """A pile or an order: who is in it, and by which numbers its members are sorted, the least first.

    INVARIANT: two members never have the same number; of who is not in it, the number means nothing.
    """

    members: Mapping[int, Flag]
    places: Mapping[int, Number]


Payload = Any  # Flag, Number, Group, Bag, Row, or the name of a title: the type of the expression says which


@dataclass(frozen=True, slots=True)
class Sym:
    payload: Payload
    none: Flag = False
    absent: Flag = False

    @property
    def there(self) -> Flag:
        """Whether it is something at all."""
        return both(no(self.none), no(self.absent))

    @property
    def truth(self) -> Flag:
        return both(self.there, self.payload)


ABSENT = Sym(0, False, True)
NONE = Sym(0, True)


def code(value: Value, type_: Type, world: World) -> Any:
    """The code of a plain value."""
    match without_none(type_):
        case EnumT(name=name):
            return world.enums[name].index(value)
        case _:
            return value


def lift(value: Value, type_: Type, world: World) -> Sym:
    """A value that is known."""
    if value is NOTHING:
        return ABSENT
    if value is None:
        return Sym(_empty(type_), True)
    match without_none(type_):
        case SetT(of=of):
            return Sym(Group({code(item, of, world) if of else item: True for item in value}))
        case BagT(of=of):
            counts: dict[Any, Number] = {}
            for item in value:
                key = code(item, of, world)
                counts[key] = counts.get(key, 0) + 1  # type: ignore[operator]
            return Sym(Bag(counts))
        case OrderT() | PileT():
            return Sym(Row(dict.fromkeys(value, True), {thing: place for place, thing in enumerate(value)}))
        case plain:
            return Sym(code(value, plain, world))


def _empty(type_: Type) -> Payload:
    match without_none(type_):
        case SetT():
            return Group({})
        case BagT():
            return Bag({})
        case OrderT() | PileT():
            return Row({}, {})
        case TruthT():
            return False
        case _:
            return 0


def type_bounds(type_: Type, world: World) -> tuple[int, int]:
    """The least and the greatest code of a plain type."""
    match without_none(type_):
        case NumberT(low=low, high=high):
            return low, high
        case EnumT(name=name):
            return 0, len(world.enums[name]) - 1
        case KindT(name=name):
            return 0, len(world.things[name]) - 1
        case other:
            raise InternalError(f"{other} has no codes")


def choose(condition: Flag, then: Sym, otherwise: Sym) -> Sym:
    if isinstance(condition, bool):
        return then if condition else otherwise
    return Sym(
        _choose(condition, then, otherwise),
        pick(condition, then.none, otherwise.none),
        pick(condition, then.absent, otherwise.absent),
    )


def _choose(condition: Flag, then: Sym, otherwise: Sym) -> Payload:
    """What is none or absent gives no payload that counts."""
    if then.none is True or then.absent is True:
        return otherwise.payload
    if otherwise.none is True or otherwise.absent is True:
        return then.payload
    match then.payload, otherwise.payload:
        case Group(members=a), Group(members=b):
            return Group({key: pick(condition, a.get(key, False), b.get(key, False)) for key in {**a, **b}})
        case Bag(counts=a), Bag(counts=b):
            return Bag({key: pick(condition, a.get(key, 0), b.get(key, 0)) for key in {**a, **b}})
        case Row(members=a, places=x), Row(members=b, places=y):
            keys = {**a, **b}
            return Row(
                {key: pick(condition, a.get(key, False), b.get(key, False)) for key in keys},
                {key: pick(condition, x.get(key, 0), y.get(key, 0)) for key in keys},
            )
        case str() as a, str() as b if a == b:
            return a
        case a, b:
            return pick(condition, a, b)


def look_up(keys: Iterable[tuple[Flag, Sym]], otherwise: Sym) -> Sym:
    """The first whose condition holds."""
    found = otherwise
    for condition, sym in reversed(list(keys)):
        found = choose(condition, sym, found)
    return found


def alike(one: Sym, other: Sym, payloads: Callable[[Any, Any], Flag] | None = None) -> Flag:
    """Whether two are the same value: both absent, both none, or the same thing."""
    inside = both(one.there, other.there, (payloads or equal_payloads)(one.payload, other.payload))
    if one.there is False or other.there is False:
        inside = False
    return either(both(one.absent, other.absent), both(no(one.absent), no(other.absent), one.none, other.none), inside)


def equal_payloads(one: Payload, other: Payload) -> Flag:
    match one, other:
        case Group(members=a), Group(members=b):
            return every(same(a.get(key, False), b.get(key, False)) for key in {**a, **b})
        case Bag(counts=a), Bag(counts=b):
            return every(equal(a.get(key, 0), b.get(key, 0)) for key in {**a, **b})
        case Row(), Row():
            return _same_row(one, other)
        case str(), str():
            return bool(one == other)
        case _:
            return same(one, other) if _is_flag(one) and _is_flag(other) else equal(one, other)


def _is_flag(term: object) -> bool:
    return isinstance(term, bool) or bool(getattr(term, "is_flag", False))


def _same_row(one: Row, other: Row) -> Flag:
    """The same members in the same order."""
    keys = sorted({**one.members, **other.members})
    found = [same(one.members.get(key, False), other.members.get(key, False)) for key in keys]
    for place, a in enumerate(keys):
        for b in keys[place + 1 :]:
            inside = both(one.members.get(a, False), one.members.get(b, False))
            if inside is not False:
                before = same(less(one.places[a], one.places[b]), less(other.places.get(a, 0), other.places.get(b, 0)))
                found.append(either(no(inside), before))
    return every(found)


def members_of(sym: Sym) -> Mapping[Any, Flag]:
    """Who is in a collection."""
    match sym.payload:
        case Group(members=members) | Row(members=members):
            return members
        case Bag(counts=counts):
            return {key: at_most(1, number) for key, number in counts.items()}
        case _:
            raise InternalError("this is no collection")


def size_of(sym: Sym) -> Number:
    match sym.payload:
        case Bag(counts=counts):
            return plus(*counts.values())
        case _:
            return count(members_of(sym).values())


def end_of(row: Row, last: bool) -> Sym:
    """The first or the last member; none where there is none."""
    keys: list[tuple[Flag, Sym]] = []
    for key, inside in row.members.items():
        others = [(other, also) for other, also in row.members.items() if other != key]
        ahead = every(
            either(
                no(also),
                less(row.places[other], row.places[key]) if last else less(row.places[key], row.places[other]),
            )
            for other, also in others
        )
        keys.append((both(inside, ahead), Sym(key)))
    return choose(some(row.members.values()), look_up(keys[:-1], keys[-1][1]) if keys else NONE, NONE)


def place_in(row: Row, key: int) -> Number:
    """How many stand before a member."""
    return count(
        both(also, less(row.places[other], row.places[key])) for other, also in row.members.items() if other != key
    )
