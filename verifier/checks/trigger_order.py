"""LX961: two triggers that can wait at the same time, where it matters which comes first, and nothing says which."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from rules import model as m
from rules.machine import Choice, Machine, Node
from rules.machine.norms import RuleNorm, is_among
from rules.machine.state import State
from rules.symbols import SlotSymbol
from solver.play import Goal, Keys, matters, relevant_cells, waiting_at
from verifier.court import Court
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark, Suspicion


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    keys = Keys(court.machine, tuple(sorted(relevant_cells(court.machine))), ())
    for one, other in _pairs(court):
        looked.things += 1
        yield Suspicion(_finding(court, one, other), goal=_goal(keys, one, other), only_by_play=True)


def _pairs(court: Court) -> Iterator[tuple[RuleNorm, RuleNorm]]:
    """Triggers of one event that can wait together; a rule can wait with itself, for several things."""
    seen: set[tuple[int, int]] = set()
    for norms in court.machine.reactions.values():
        for timing in ("when about to", "when"):
            waiting = [n for n in norms if isinstance(n.body, m.EventNorm) and n.body.timing == timing]
            for one, other in combinations_with_replacement(waiting, 2):
                if one is other and not _can_wait_twice(court, one):
                    continue
                if (one.order, other.order) not in seen and not _is_ordered(court, one, other):
                    seen.add((one.order, other.order))
                    yield one, other


def _can_wait_twice(court: Court, norm: RuleNorm) -> bool:
    """Whether one event can let a rule wait for several things: where its pattern leaves open for which, and where
    counters go from one to another, which changes what both have."""
    assert isinstance(norm.body, m.EventNorm)
    if len(court.machine.bindings(norm)) > 1:
        return True
    event = norm.body.event
    symbol = court.checked.symbol_of(event.subject) if isinstance(event, m.ChangeEvent) else None
    return isinstance(symbol, SlotSymbol) and symbol.role == "place"


def _is_ordered(court: Court, one: RuleNorm, other: RuleNorm) -> bool:
    """Whether the book says who orders them, or that one of them comes at once."""
    if (one.manner == "immediately") != (other.manner == "immediately"):
        return True
    return any(
        isinstance(rule.body, m.Simultaneous)
        and (rule.body.among is None or all(is_among(norm, rule.body.among.text) for norm in (one, other)))
        for rule in court.machine.precedence.rules
    )


def _goal(keys: Keys, one: RuleNorm, other: RuleNorm) -> Goal:
    def holds(machine: Machine, state: State, node: Node | None) -> bool:
        if not isinstance(node, Choice) or node.what != "what happens first":
            return False
        waiting = waiting_at(state, node)
        ones = [applied for applied in waiting if applied.norm is one]
        others = [applied for applied in waiting if applied.norm is other]
        return any(
            matters(machine, keys, state, node, first, second)
            for first in ones
            for second in others
            if first is not second
        )

    return Goal(holds, reads=(), rules=(one,) if one is other else (one, other))


def _finding(court: Court, one: RuleNorm, other: RuleNorm) -> Finding:
    hint = "say who orders them, or that they go as listed: `simultaneous by` or `listed` under `precedence`"
    if one is other:
        message = f"`{one.name}` waits several times at once, it matters which comes first, and nothing says which"
        return Finding("LX961", message, (court.place(one, "waits"),), "possible", "", None, (), hint)
    message = (
        f"`{one.name}` and `{other.name}` wait at the same time, it matters which comes first, and nothing says which"
    )
    places = (court.place(one, "waits"), court.place(other, "waits too"))
    return Finding("LX961", message, places, "possible", "", None, (), hint)


CHECK = Check("triggers without an order", "order", suspect)
