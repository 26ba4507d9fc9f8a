"""Limits of the book that a state does not keep."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules import model as m
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.run import Machine
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import SlotSymbol
from rules.walk import nodes_of


@dataclass(frozen=True, slots=True)
class BrokenLimit:
    """`cells` are those that the limit speaks of, as far as its text names them."""

    norm: RuleNorm
    amount: int
    most: int
    cells: frozenset[int] = field(repr=False)


def broken_limits(machine: Machine, state: State) -> Iterator[BrokenLimit]:
    """Where the rules leave open what a limit is, it is not broken."""
    for norm in machine.limits:
        body = norm.body
        assert isinstance(body, m.LimitNorm)
        for env in machine.limit_bindings(norm):
            try:
                amount = machine.evaluator.value(body.what, state, env)
                most = machine.evaluator.value(body.most, state, env)
                if NOTHING not in (amount, most) and amount > most and machine.applies(norm, env, state):
                    yield BrokenLimit(norm, amount, most, frozenset(_cells_in(machine, body.what, env, state)))
            except (Undetermined, Gap):
                continue


def _cells_in(machine: Machine, expr: m.Expr, env: dict[str, Value], state: State) -> Iterator[int]:
    for node in nodes_of(expr):
        symbol = machine.checked.symbols.get(id(node)) if isinstance(node, m.Ref) else None
        if not (isinstance(node, m.Ref) and isinstance(symbol, SlotSymbol) and symbol.role != "printed"):
            continue
        slot = machine.world.slots[id(symbol)]
        if len(node.args) != len(symbol.params) or not machine.needs(node) <= env.keys():
            yield from range(slot.base, slot.base + slot.count)
        else:
            address = machine.address(node, env, state)
            if address is not None:
                yield address
