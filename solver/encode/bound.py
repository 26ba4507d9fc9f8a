"""What statements give a name to, as variables: things that are chosen or drawn, faces and dice that are rolled."""

from __future__ import annotations

from rules import model as m
from rules.symbols import DieSymbol, VariableSymbol
from rules.types import BagT, EnumT, SetT, TruthT, Type, without_none
from solver.encode.expressions import Expressions, NotEncodable
from solver.encode.sym import Bag, Group, Sym, code, type_bounds
from solver.terms import Flag, Number, bounds, equal, larger, pick, plus, some, total

_MOST_DICE = 30


class Binder:
    """Each variable that it makes is a new one."""

    def __init__(self, encoder: Expressions) -> None:
        self.encoder = encoder
        self._made = 0

    def any(self, name: str, type_: Type, none: bool = False, absent: bool = False) -> Sym:
        """Any value of a type; `none` or nothing at all, where that can be."""
        plain = without_none(type_)
        never = none or plain is not type_
        return Sym(
            self._payload(name, plain),
            self._flag(name, "none") if never else False,
            self._flag(name, "absent") if absent else False,
        )

    def variable(self, name: str) -> Sym:
        """Any value that a variable of the book can stand for."""
        symbol = self.encoder.machine.variables[name]
        assert isinstance(symbol, VariableSymbol)
        return self.any(name, symbol.type)

    def _payload(self, name: str, type_: Type) -> object:
        world = self.encoder.world
        if isinstance(type_, SetT):
            assert type_.of is not None
            of = type_.of
            return Group(
                {
                    code(item, of, world): self._flag(f"{world.show(item, of)} in {name}", "in")
                    for item in world.domain(of)
                }
            )
        if isinstance(type_, BagT):
            kinds = [(code(item, type_.of, world), world.show(item, type_.of)) for item in world.domain(type_.of)]
            return Bag({key: self.number(f"the number of {shown}s", 0, type_.limit) for key, shown in kinds})
        if isinstance(type_, TruthT):
            return self._flag(name, "")
        low, high = type_bounds(type_, world)
        return self.number(name, low, high, type_)

    def number(self, name: str, low: int, high: int, type_: Type | None = None) -> Number:
        self._made += 1
        return self.encoder.space.number(("bound", (name, self._made), type_), low, high, lambda _s: low)

    def _flag(self, name: str, sort: str) -> Flag:
        self._made += 1
        return self.encoder.space.flag(("bound", (name, self._made), sort), lambda _s: False)

    # ---- dice

    def face(self, die: m.Name) -> tuple[Sym, Flag]:
        """What one die shows, and what is known of it."""
        codes, type_ = self._faces(die)
        shown = self.number(die.text, min(codes), max(codes), type_)
        return Sym(shown), some(equal(shown, key) for key in codes)

    def dice(self, die: m.Name, count: Sym) -> tuple[Sym, Flag]:
        """The bag of what several dice show."""
        codes, type_ = self._faces(die)
        number = pick(count.there, larger(0, count.payload), 0)
        most = bounds(number)[1]
        if most > _MOST_DICE:
            raise NotEncodable(f"it rolls up to {most} dice", die.span)
        shown = {key: self.number(f"the number of {self._called(key, type_)}s", 0, most) for key in codes}
        return Sym(Bag(shown)), equal(plus(*shown.values()), number)

    def totalled(self, dice: Sym) -> Sym:
        assert isinstance(dice.payload, Bag)
        return Sym(total((key, number) for key, number in dice.payload.counts.items()))

    def _faces(self, die: m.Name) -> tuple[list[int], Type]:
        symbol = self.encoder.checked.symbol_of(die)
        assert isinstance(symbol, DieSymbol)
        world = self.encoder.world
        return [code(face, symbol.type, world) for face, _ in self.encoder.machine.faces(die)], symbol.type

    def _called(self, key: int, type_: Type) -> str:
        return self.encoder.world.enums[type_.name][key] if isinstance(type_, EnumT) else str(key)
