"""Numbers that are not known, and cells that hold them, in the form in which the interpreter handles plain ones.

Arithmetic with such a number gives such a number. A comparison is decided, on a way for each answer; so is its value
where the interpreter needs a plain one: to look something up, to count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import is_
from typing import Any

from rules.machine.base import Happening
from rules.machine.norms import Applied, Ruling
from rules.machine.state import Frame, State
from rules.machine.world import Value, World
from rules.types import EnumT, MaybeT, NumberT, TruthT, Type, without_none
from solver.encode.sym import Sym
from solver.flow.forks import Forks
from solver.terms import Number, Term, at_most, divide, equal, less, minus, modulo, plus, times


def number_of(term: Number, forks: Forks) -> Any:
    """A plain number where the term is one."""
    return Num(term, forks) if isinstance(term, Term) else term


def _term(value: object) -> Number | None:
    if isinstance(value, Num):
        return value.term
    return value if type(value) is int else None


class Num:
    """A number that is not known. It passes for an `int`, but for its type: nothing reads a value that it has not."""

    __slots__ = ("forks", "term")

    def __init__(self, term: Term, forks: Forks) -> None:
        self.term = term
        self.forks = forks

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return int

    def plain(self) -> int:
        return self.forks.value(self.term)

    def _made(self, other: object, do: Callable[[Number, Number], Number], turned: bool = False) -> Any:
        term = _term(other)
        if term is None:
            return NotImplemented
        return number_of(do(term, self.term) if turned else do(self.term, term), self.forks)

    def __add__(self, other: object) -> Any:
        return self._made(other, plus)

    def __radd__(self, other: object) -> Any:
        return self._made(other, plus, turned=True)

    def __sub__(self, other: object) -> Any:
        return self._made(other, minus)

    def __rsub__(self, other: object) -> Any:
        return self._made(other, minus, turned=True)

    def __mul__(self, other: object) -> Any:
        return self._made(other, times)

    def __rmul__(self, other: object) -> Any:
        return self._made(other, times, turned=True)

    def __floordiv__(self, other: object) -> Any:
        return self._made(other, divide)

    def __rfloordiv__(self, other: object) -> Any:
        return self._made(other, divide, turned=True)

    def __mod__(self, other: object) -> Any:
        return self._made(other, modulo)

    def __rmod__(self, other: object) -> Any:
        return self._made(other, modulo, turned=True)

    def __neg__(self) -> Any:
        return number_of(minus(0, self.term), self.forks)

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def _compared(self, other: object, test: Callable[[Number, Number], Any]) -> Any:
        term = _term(other)
        if term is None:
            return NotImplemented if not isinstance(other, float) else test(0, 1 if other > 0 else -1)
        return self.forks.decide(test(self.term, term))

    def __lt__(self, other: object) -> Any:
        return self._compared(other, less)

    def __le__(self, other: object) -> Any:
        return self._compared(other, at_most)

    def __gt__(self, other: object) -> Any:
        return self._compared(other, lambda a, b: less(b, a))

    def __ge__(self, other: object) -> Any:
        return self._compared(other, lambda a, b: at_most(b, a))

    def __eq__(self, other: object) -> Any:
        term = _term(other)
        return False if term is None else self.forks.decide(equal(self.term, term))

    def __ne__(self, other: object) -> Any:
        return not self == other

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __hash__(self) -> int:
        return hash(self.plain())

    def __index__(self) -> int:
        return self.plain()

    __int__ = __index__

    def __str__(self) -> str:
        return "a number"  # texts do not decide where play stands

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


def is_unknown(value: object) -> bool:
    return type(value) is Num


class UnknownCells(list[Any]):
    """Cells as they are or as terms; read as the interpreter reads them. What is read is kept, so that it stays so."""

    def __init__(self, held: list[Any], forks: Forks, world: World, types: dict[int, Type]) -> None:
        super().__init__(held)
        self._forks = forks
        self._world = world
        self._types = types  # of the cells that can hold terms
        self._read: dict[int, tuple[Sym, Value]] = {}

    def held(self, address: int) -> Any:
        """A plain value, or a `Sym`."""
        return list.__getitem__(self, address)

    def copy(self) -> UnknownCells:
        made = UnknownCells([], self._forks, self._world, self._types)
        list.extend(made, list.__iter__(self))
        made._read = dict(self._read)
        return made

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[address] for address in range(*place.indices(len(self)))]
        held = self.held(place)
        if not isinstance(held, Sym):
            return held
        known = self._read.get(place)
        if known is None or known[0] is not held:
            known = self._read[place] = (held, self._value(held, self._types[place]))
        return known[1]

    def __iter__(self) -> Iterator[Any]:
        return (self[address] for address in range(len(self)))

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place, Sym(value.term) if is_unknown(value) else value)

    def _value(self, sym: Sym, type_: Type) -> Value:
        if self._forks.decide(sym.none):
            return None
        match without_none(type_):
            case NumberT():
                return number_of(sym.payload, self._forks)
            case TruthT():
                return self._forks.decide(sym.payload)
            case EnumT(name=name):
                return self._world.enums[name][self._forks.value(sym.payload)]
            case _:
                return self._forks.value(sym.payload)


def can_be_unknown(type_: Type) -> bool:
    """Whether cells of a type can hold terms; the others are part of where play stands."""
    plain = type_.of if isinstance(type_, MaybeT) else type_
    return type(plain).__name__ in ("NumberT", "TruthT", "EnumT", "KindT")


class UnknownState(State):
    """A state with unknown cells; its copies are such states too."""

    __slots__ = ()

    def copy(self) -> UnknownState:
        cells = self.cells
        assert isinstance(cells, UnknownCells)
        return unknown_state(self, cells.copy())


def unknown_state(state: State, cells: UnknownCells) -> UnknownState:
    return UnknownState(
        cells,
        [frame.copy() for frame in state.stack],
        list(state.log),
        dict(state.disabled),
        dict(state.outcomes),
        state.over,
        state.answer,
        state.asking,
        state.overs,
        state.reads,
        state.defaults,
        state.resting,
        state.short,
        state.rows,
        state.ties,
        dict(state.shown),
        state.learned,
    )


def known_state(state: State, cells: list[Value]) -> State:
    """The same with these cells, and with nothing in its frames and its past that is not known."""
    return State(
        cells,
        [_known_frame(frame) for frame in state.stack],
        [known(one) for one in state.log],
        {name: None if until is None else (until[0], known(until[1])) for name, until in state.disabled.items()},
        dict(state.outcomes),
        state.over,
        known(state.answer),
        state.asking,
        state.overs,
        state.reads,
        state.defaults,
        state.resting,
        state.short,
        state.rows,
        state.ties,
        dict(state.shown),
        state.learned,
    )


def _known_frame(frame: Frame) -> Frame:
    made = frame.copy()
    made.env = known(made.env)
    made.of = known(made.of)
    made.data = known(made.data)
    made.deferred = [(block, known(env)) for block, env in made.deferred]
    return made


def known(value: Any) -> Any:
    """The same with plain numbers for those that were not known; itself where there are none."""
    if is_unknown(value):
        return value.plain()
    if type(value) is dict:
        return {key: known(one) for key, one in value.items()}
    if type(value) in (list, tuple, frozenset):
        made = [known(one) for one in value]
        return value if all(map(is_, made, value)) else type(value)(made)
    if isinstance(value, Happening):
        facts = {name: known(getattr(value, name)) for name in ("args", "old", "new", "amount")}
        return value if all(getattr(value, name) is one for name, one in facts.items()) else replace(value, **facts)
    if isinstance(value, Ruling):
        return replace(value, value=known(value.value))
    if isinstance(value, Applied):
        env = known(value.env)
        return value if all(env[name] is one for name, one in value.env.items()) else replace(value, env=env)
    return value
