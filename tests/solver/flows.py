"""What must be true of a flow: from a state of the interpreter, for every decision exactly one edge fits, and it leads
where the interpreter goes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.machine import Machine, Node, Open
from rules.machine.state import State
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.flow.flow import ANYTHING, Budget, Edge, Flow, Follower
from solver.play.plays import Decision, decide, decisions_at
from solver.terms import Term, evaluate

SMALL = Budget(locations=60, edges=600, ways=120, questions=2_500)
_MOST_STEPS = 30
_MOST_DECISIONS = 10  # that are compared in one state


@dataclass
class Agreement:
    """How often it was asked, and where it was not so."""

    asked: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


class Comparison:
    def __init__(self, machine: Machine, name: str, agreement: Agreement, budget: Budget = SMALL) -> None:
        self.machine = machine
        self.name = name
        self.agreement = agreement
        self.space = Space(machine)
        self.follower = Follower(Encoder(self.space), (), budget)
        self.flow: Flow = self.follower.followed()
        self.numbers = {location.key: location.number for location in self.flow.locations}
        self.edges: dict[int, list[Edge]] = {}
        for edge in self.flow.edges:
            self.edges.setdefault(edge.source, []).append(edge)
        agreement.asked["books"] += 1
        agreement.asked["closed"] += self.flow.closed
        agreement.asked["locations"] += len(self.flow.locations)
        agreement.asked["edges"] += len(self.flow.edges)

    def fail(self, what: str, *more: object) -> None:
        self.agreement.failures.append(f"{self.name}: {what} {' | '.join(map(str, more))}"[:600])

    def play(self, seed: int) -> None:
        """One game at random; every decision of each state on the way is compared."""
        draw = random.Random(seed)
        state = self.machine.start()
        before = state.copy()
        node = self.machine.run(state)
        for _ in range(_MOST_STEPS):
            found = self.compare(state, node, before)
            if not found:
                return
            decision = found[int(draw.random() * len(found))]
            source = before if decision.by == "ruling" else state
            state = source.copy()
            decide(self.machine, state, decision)
            before = state.copy()
            node = self.machine.run(state)

    def compare(self, state: State, node: Node, before: State) -> list[Decision]:
        decisions = list(decisions_at(node))
        key = self.follower.key_at(node, state, before)
        number = self.numbers.get(key)
        if number is None:
            if self.flow.closed:
                self.fail("no location for", node)
            self.agreement.asked["beyond the budget"] += 1
            return decisions
        origin = before if isinstance(node, Open) else state
        values = {variable: self.space.probes[variable](origin) for variable in self.flow.variables}
        edges = [edge for edge in self.edges.get(number, ()) if evaluate(edge.guard, values)]
        if any(edge.target == ANYTHING for edge in edges):
            self.agreement.asked["anything"] += 1
            return decisions
        if not edges and number in self.unfollowed:
            return decisions
        offered = {_name(decision) for decision in decisions}
        if {_name(edge.decision) for edge in edges} != offered:
            self.fail("decisions differ", node, sorted({_name(edge.decision) for edge in edges} ^ offered))
            return decisions
        for decision in decisions[:_MOST_DECISIONS]:
            fitting = [edge for edge in edges if _name(edge.decision) == _name(decision)]
            if len(fitting) != 1:
                self.fail(f"{len(fitting)} edges for", decision.text, node)
                continue
            self.step(origin, decision, fitting[0], values)
        return decisions

    @property
    def unfollowed(self) -> set[int]:
        """Locations whose edges were not looked for any more."""
        if self.flow.complete:
            return set()
        return {location.number for location in self.flow.locations} - set(self.edges)

    def step(self, origin: State, decision: Decision, edge: Edge, values: Mapping[Term, bool | int]) -> None:
        state = origin.copy()
        decide(self.machine, state, decision)
        before = state.copy()
        node = self.machine.run(state)
        after = before if isinstance(node, Open) else state
        self.agreement.asked["steps"] += 1
        if self.flow.locations[edge.target].key != self.follower.key_at(node, state, before):
            self.fail("another place after", decision.text, node)
            return
        for variable in self.flow.variables:
            made = evaluate(edge.updates.get(variable, variable), values)
            wanted = self.space.probes[variable](after)
            if made != wanted:
                self.fail("another value after", decision.text, variable, made, wanted)
                return


def _name(decision: Decision | None) -> str:
    assert decision is not None
    return f"{decision.by} {decision.text}" if decision.by == "ruling" else f"{decision.by} {decision.data!r}"
