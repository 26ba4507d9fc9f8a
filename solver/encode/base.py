"""What all encoding rests on: where evaluation stands, what would stop it, and variables for what can be anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

from rules import model as m
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import RankSymbol, TableSymbol, ValueSymbol
from rules.types import EnumT, KindT, OrderT, PileT, TruthT, Type, without_none
from solver.encode.space import Space
from solver.encode.sym import Row, Sym, type_bounds
from solver.terms import Flag, Term, equal, every, no

Env = Mapping[str, Sym]
_MOST_WAYS = 600  # so many combinations of values are told apart


class NotEncodable(Exception):  # noqa: N818  (a fact about the rule: it is named in the report)
    """A part of a rule that has no form as a term, and why."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.reason = reason
        self.span = span


@dataclass(frozen=True, slots=True)
class Trouble:
    """What stops the interpreter, and when: `about` is what it concerns."""

    kind: Literal["undetermined", "gap", "broken"]
    about: Hashable
    when: Flag


class Base(ABC):
    def __init__(self, space: Space) -> None:
        self.space = space
        self.machine = space.machine
        self.world = space.world
        self.checked = space.machine.checked
        self.troubles: list[Trouble] = []
        self._path: list[Flag] = []
        # What is asked again and again of one pile or one term is made once.
        self._codes: dict[Term, list[tuple[Any, Flag]]] = {}
        self._ends: dict[tuple[int, bool], tuple[Row, Sym]] = {}
        self._known_cells: dict[tuple[int, tuple[Sym, ...]], Sym] = {}
        self._known_printed: dict[int, list[Sym]] = {}

    # ---- where evaluation stands

    @contextmanager
    def under(self, condition: Flag) -> Iterator[None]:
        """What is looked at inside is looked at only under this condition."""
        self._path.append(condition)
        try:
            yield
        finally:
            self._path.pop()

    def trouble(self, kind: Literal["undetermined", "gap", "broken"], about: Hashable, when: Flag) -> None:
        reached = every((*self._path, when))
        if reached is not False:
            self.troubles.append(Trouble(kind, about, reached))

    @contextmanager
    def apart(self) -> Iterator[list[Trouble]]:
        """Collects the troubles of what is looked at inside, as if it were looked at by itself."""
        outer, path = self.troubles, self._path
        self.troubles, self._path = [], []
        try:
            yield self.troubles
        finally:
            self.troubles, self._path = outer, path

    # ---- the layers above

    @abstractmethod
    def value_of(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Sym: ...

    @abstractmethod
    def look_up_table(self, symbol: TableSymbol, args: tuple[Sym, ...]) -> Sym: ...

    @abstractmethod
    def ranking(self, symbol: RankSymbol, args: tuple[Sym, ...]) -> Row: ...

    @abstractmethod
    def rank_place(self, symbol: RankSymbol, thing: Sym, args: tuple[Sym, ...]) -> Sym: ...

    @abstractmethod
    def value(self, expr: m.Expr, env: Env) -> Sym: ...

    def holds(self, expr: m.Expr | None, env: Env) -> Flag:
        return True if expr is None else self.value(expr, env).truth

    # ---- values of plain types

    def codes(self, sym: Sym, type_: Type) -> list[tuple[Any, Flag]]:
        """The codes that a plain value can have, each with the condition that it has it."""
        if not isinstance(sym.payload, Term):
            return [(sym.payload, True)]
        if isinstance(without_none(type_), TruthT):
            return [(False, no(sym.payload)), (True, sym.payload)]
        found = self._codes.get(sym.payload)
        if found is None:
            keys = range(sym.payload.low, sym.payload.high + 1)
            found = self._codes[sym.payload] = [(key, equal(sym.payload, key)) for key in keys]
        return found

    def _ways(self, parts: list[tuple[Sym, Type]], span: Span) -> list[tuple[tuple[Any, ...], Flag]]:
        """All combinations of codes that these can have, with their conditions."""
        options = [self.codes(sym, type_) for sym, type_ in parts]
        size = 1
        for option in options:
            size *= len(option)
        if size > _MOST_WAYS:
            raise NotEncodable(f"it asks of {size:,} combinations one by one", span)
        return [
            (tuple(key for key, _ in combination), every(test for _, test in combination))
            for combination in product(*options)
        ]

    def _plain(self, key: Any, type_: Type) -> Value:
        """The value of a code."""
        plain = without_none(type_)
        return self.world.enums[plain.name][key] if isinstance(plain, EnumT) else key

    def symbolic(self, name: Hashable, type_: Type) -> Sym:
        """A variable that stands for any value of a plain type: a part of a move."""
        plain = without_none(type_)
        none: Flag = False
        self.space.part_types[name] = plain
        if plain is not type_:
            none = self.space.flag(("part none", name), lambda _s: False)
        if isinstance(plain, TruthT):
            return Sym(self.space.flag(("part", name), lambda _s: False), none)
        low, high = type_bounds(plain, self.world)
        return Sym(self.space.number(("part", name), low, high, lambda _s: low), none)


def element_of(type_: object) -> object:
    if isinstance(type_, PileT | OrderT):
        return KindT(type_.kind)
    return getattr(type_, "of", None)
