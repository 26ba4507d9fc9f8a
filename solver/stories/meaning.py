"""Conditions and effects of a story by the values of the cells that they read, as the interpreter finds them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rules import model as m
from rules.machine import Machine
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.world import NOTHING, Value
from rules.symbols import BuiltinSymbol, ConstantSymbol, SlotSymbol, VariableSymbol
from rules.types import EnumT, KindT, NumberT, TruthT, without_none
from rules.walk import nodes_of
from solver.stories.program import Cell, Change, Guard, Program

_MOST = 4_096  # combinations of values that are tried for one condition
_MOST_VALUES = 128  # of a cell
OPEN = (Undetermined, Gap, Broken)
_PLAIN = (
    m.Number,
    m.Truth,
    m.Nothing,
    m.Ref,
    m.SetOf,
    m.Arithmetic,
    m.Divide,
    m.Negate,
    m.Compare,
    m.Is,
    m.IsIn,
    m.And,
    m.Or,
    m.Not,
    m.Name,
)


class Unclear(Exception):  # noqa: N818
    """Something that is not modelled."""


class Meaning:
    def __init__(self, machine: Machine, program: Program) -> None:
        self.machine = machine
        self.program = program
        self._state = machine.start()
        self._start = list(self._state.cells)
        self._places: dict[int, int] = {}
        self._guards: dict[tuple[int, bool], Guard | bool] = {}

    # ---- cells

    def cell(self, ref: m.Ref) -> int:
        """The cell that a reference always means. Raises `Unclear` where that hangs on the state."""
        symbol = self.machine.checked.symbol_of(ref)
        if not isinstance(symbol, SlotSymbol) or symbol.role not in ("state", "attribute"):
            raise Unclear
        args: list[Value] = []
        slot = self.machine.world.slots[id(symbol)]
        for arg, domain in zip(ref.args, slot.domains, strict=True):
            named = self.machine.checked.symbols.get(id(arg))
            if len(domain) == 1:
                args.append(domain[0])
            elif isinstance(named, ConstantSymbol):
                args.append(self.machine.evaluator.value(arg, self._state, {}))
            else:
                raise Unclear
        address = slot.address(tuple(args))
        if address is None:
            raise Unclear
        return self.at(address)

    def at(self, address: int) -> int:
        """The number of a cell; it is made where it is not yet known."""
        if address not in self._places:
            symbol = self.machine._slot_at[address]
            if not isinstance(without_none(symbol.type), NumberT | TruthT | EnumT | KindT):
                raise Unclear
            values = self.machine.world.domain(symbol.type)
            if self._start[address] not in values:
                values = (*values, self._start[address])
            if len(values) > _MOST_VALUES:
                raise Unclear
            self._places[address] = len(self.program.cells)
            self.program.cells.append(Cell(address, symbol.name, values))
        return self._places[address]

    def first(self, address: int) -> Value:
        """What a cell holds at the start."""
        return self._start[address]

    # ---- conditions

    def guard(self, expr: m.Expr | None, wanted: bool = True) -> Guard | bool:
        """When a condition can be found to hold, or not to: always, never, or by its cells."""
        if expr is None:
            return wanted
        key = (id(expr), wanted)
        if key not in self._guards:
            try:
                self._guards[key] = self._guard(expr, wanted)
            except (Unclear, *OPEN):
                self._guards[key] = True
            self._restore()
        return self._guards[key]

    def _guard(self, expr: m.Expr, wanted: bool) -> Guard | bool:
        cells, envs = self._read(expr)
        fitting = frozenset(
            state
            for state in self._combinations(cells)
            if any(self.machine.evaluator.holds(expr, self._state, env) is wanted for env in envs)
        )
        if not fitting:
            return False
        everything = 1
        for cell in cells:
            everything *= len(self.program.cells[cell].values)
        return True if len(fitting) == everything else Guard(cells, fitting)

    def asked(self, expr: m.Expr, wanted: bool) -> Guard | bool:
        """The same, exactly. Raises `Unclear`, or what the rules raise where they leave it open."""
        try:
            return self._guard(expr, wanted)
        finally:
            self._restore()

    def enough(self, amount: m.Expr, source: m.Ref) -> Guard | bool:
        """That something can be paid."""
        try:
            return self._enough(amount, source)
        except (Unclear, *OPEN):
            return True
        finally:
            self._restore()

    def _enough(self, amount: m.Expr, source: m.Ref) -> Guard | bool:
        cell = self.cell(source)
        cells, envs = self._read(amount)
        every = tuple(dict.fromkeys((cell, *cells)))
        address = self.program.cells[cell].address
        fitting: set[tuple[int, ...]] = set()
        for state in self._combinations(every):
            held = self._state.cells[address]
            due = [self.machine.evaluator.value(amount, self._state, env) for env in envs]
            if isinstance(held, int) and any(isinstance(one, int) and one <= held for one in due):
                fitting.add(state)
        return Guard(every, frozenset(fitting)) if fitting else False

    # ---- effects

    def change(self, target: m.Ref, word: str, amount: m.Expr) -> Change | None:
        """What a statement makes of a cell; None where it is not known what it changes."""
        try:
            cell = self.cell(target)
        except Unclear:
            return None
        try:
            return self._change(cell, word, amount)
        except (Unclear, *OPEN):
            return self.anything(cell)
        finally:
            self._restore()

    def _change(self, cell: int, word: str, amount: m.Expr) -> Change:
        cells, envs = self._read(amount)
        reads = tuple(dict.fromkeys((cell, *cells))) if word != "becomes" else cells
        address = self.program.cells[cell].address
        values = {value: place for place, value in enumerate(self.program.cells[cell].values)}
        becomes: dict[tuple[int, ...], tuple[int, ...]] = {}
        for state in self._combinations(reads):
            old = self._state.cells[address]
            given = [self.machine.evaluator.value(amount, self._state, env) for env in envs]
            new = [made for one in given for made in _made(old, word, one)]
            found = dict.fromkeys(values[one] for one in new if one in values)
            if any(one is NOTHING for one in given):  # it stays as it is
                return self.anything(cell)
            becomes[state] = tuple(found)
        return Change(cell, reads, becomes)

    def anything(self, cell: int) -> Change:
        return Change(cell, (), {(): tuple(range(len(self.program.cells[cell].values)))})

    # ---- reading

    def _read(self, expr: m.Expr) -> tuple[tuple[int, ...], list[dict[str, Value]]]:
        """The cells that an expression reads, and all that its variables can stand for."""
        cells: dict[int, None] = {}
        for node in nodes_of(expr):
            if not isinstance(node, _PLAIN):
                raise Unclear
            if isinstance(node, m.Ref):
                symbol = self.machine.checked.symbols.get(id(node))
                if isinstance(symbol, SlotSymbol):
                    cells[self.cell(node)] = None
                elif not isinstance(symbol, ConstantSymbol | VariableSymbol):
                    raise Unclear
            elif isinstance(node, m.Is) and isinstance(node.right, m.Ref) and not node.right.args:
                symbol = self.machine.checked.symbols.get(id(node.right))
                if isinstance(symbol, SlotSymbol) and symbol.params:  # `p is passed`
                    raise Unclear
            elif isinstance(self.machine.checked.symbols.get(id(node)), BuiltinSymbol):
                raise Unclear
        size = 1
        for cell in cells:
            size *= len(self.program.cells[cell].values)
        names = sorted(self.machine.needs(expr))
        domains: list[tuple[Value, ...]] = []
        for name in names:
            symbol = self.machine.variables[name]
            if not isinstance(symbol, VariableSymbol) or not isinstance(symbol.type, NumberT | TruthT | EnumT | KindT):
                raise Unclear
            domains.append(self.machine.world.domain(symbol.type))
            size *= len(domains[-1])
        if size > _MOST:
            raise Unclear
        return tuple(cells), [dict(zip(names, values, strict=True)) for values in product(*domains)]

    def _combinations(self, cells: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Each combination of values, with the state made so."""
        known = [self.program.cells[cell] for cell in cells]
        for state in product(*(range(len(cell.values)) for cell in known)):
            for cell, place in zip(known, state, strict=True):
                self._state.cells[cell.address] = cell.values[place]
            yield state

    def _restore(self) -> None:
        self._state.cells[:] = self._start


def _made(old: Value, word: str, amount: Value) -> list[Value]:
    if word == "becomes":
        return [amount]
    if old is None or amount is None or isinstance(old, bool) or not isinstance(amount, int):
        return [old]
    return [old + amount if word == "increases" else old - amount]
