"""What terms say of a state of the interpreter, as its own values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.types import BagT, EnumT, KindT, NumberT, SetT, TruthT, Type, without_none
from solver.encode.space import Space
from solver.encode.sym import Bag, Group, Row, Sym, code
from solver.terms import Either, Term, evaluate, variables_of


class Seen(dict[Term, "bool | int"]):
    """The variables of a space as they are in a state, each read off it when it is asked for."""

    def __init__(self, space: Space, state: State) -> None:
        super().__init__()
        self.space = space
        self.state = state
        self._known: dict[Term, bool | int] = {}

    def __missing__(self, variable: Term) -> bool | int:
        found = self[variable] = self.space.probes[variable](self.state)
        return found

    def read(self, term: Either) -> bool | int:
        return evaluate(term, self, self._known)

    def stand_for(self, syms: Sequence[Sym], values: Sequence[Value], types: Sequence[Type]) -> None:
        """From now on these variables stand for these values."""
        self._known.clear()
        for sym, value, type_ in zip(syms, values, types, strict=True):
            for variable in variables_of(sym.none):
                self[variable] = value is None
            for variable in variables_of(sym.payload):
                self[variable] = _least(type_) if value is None else code(value, type_, self.space.world)

    def value(self, sym: Sym, type_: Type) -> Value:
        if self.read(sym.absent):
            return NOTHING
        if self.read(sym.none):
            return None
        plain = without_none(type_)
        match sym.payload:
            case Group(members=members):
                of = plain.of if isinstance(plain, SetT | BagT) else None
                return frozenset(self._plain(key, of) for key, inside in members.items() if self.read(inside))
            case Bag(counts=counts):
                of = plain.of if isinstance(plain, SetT | BagT) else None
                held = [self._plain(key, of) for key, number in counts.items() for _ in range(self.read(number))]
                return tuple(sorted(held))
            case Row(members=members, places=places):
                inside = [key for key, there in members.items() if self.read(there)]
                return tuple(sorted(inside, key=lambda key: self.read(places[key])))
            case str() as title:
                return title
            case payload:
                return self._plain(self.read(payload), plain)

    def _plain(self, key: Any, type_: Type | None) -> Value:
        return self.space.world.enums[type_.name][key] if isinstance(type_, EnumT) else key


def _least(type_: Type) -> bool | int:
    match without_none(type_):
        case TruthT():
            return False
        case NumberT(low=low):
            return low
        case _:
            return 0


def is_plain(type_: Type) -> bool:
    """Whether a variable can stand for any value of a type."""
    return isinstance(without_none(type_), NumberT | EnumT | KindT | TruthT)


def comparable(value: Value, type_: Type) -> Value:
    """The value without what does not count: a bag has no order."""
    return tuple(sorted(value)) if isinstance(without_none(type_), BagT) and isinstance(value, tuple) else value
