"""The states of a case, in play and in words."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from itertools import product

from rules.machine import Machine, Node, Over
from rules.machine.state import State
from rules.machine.world import Value
from solver.encode.situation import plain
from solver.terms import Flag, Term, evaluate, substitute, variables_of
from verifier.asking.asked import Asked
from verifier.court import Case, Court

_MOST_PARTS = 1_000  # so many combinations of what a question leaves open are looked at in a state of play
_MOST_LOOKS = 4_000  # so often a state is asked whether it is of the case

Chosen = dict[Term, bool | int]


class InPlay:
    """Looks out for states of play that are of a case. `gave_up`: not all states could be looked at."""

    def __init__(self, court: Court, asked: Asked, region: Flag) -> None:
        self.court = court
        self.asked = asked
        self.region = region
        self.parts = _parts(region)
        size = 1
        for part in self.parts:
            size *= 2 if part.op == "flag" else part.high - part.low + 1
        self.gave_up = size > _MOST_PARTS
        self._looks = 0

    def holds(self, _machine: Machine, state: State, node: Node | None) -> bool:
        if node is None or isinstance(node, Over) or self.gave_up:
            return False
        return self._holding(state) is not None

    def told_in(self, state: State) -> tuple[str, ...]:
        """The facts of a state that make it one of the case."""
        chosen = self._holding(state)
        assert chosen is not None
        return _cut(self.court, self.asked, state, self.region, chosen, self._named(chosen))

    def _holding(self, state: State) -> Chosen | None:
        """What the question leaves open so that it is this case."""
        values: Chosen | None = None
        for chosen in self._ways():
            if not self.asked.is_asked_at(state, self._named(chosen)):
                continue
            if values is None:
                values = self.court.space.values_in(state, [self.region])
            self._looks += 1
            if evaluate(self.region, values | chosen):
                return chosen
        self.gave_up = self.gave_up or self._looks > _MOST_LOOKS
        return None

    def _ways(self) -> Iterator[Chosen]:
        ranges = [(False, True) if part.op == "flag" else range(part.low, part.high + 1) for part in self.parts]
        return (dict(zip(self.parts, combination, strict=True)) for combination in product(*ranges))

    def _named(self, chosen: Chosen) -> dict[Hashable, Value]:
        space = self.court.space
        return {
            v.args[0][1]: plain(int(value), space.part_types[v.args[0][1]], space)
            for v, value in chosen.items()
            if v.args[0][0] == "part"
        }


def facts_of(court: Court, asked: Asked, case: Case, region: Flag) -> tuple[str, ...]:
    """A case that the solver found, in words; cut to what makes it one where it could be made a state."""
    if case.state is None:
        return (*case.situation.facts, *_told(asked, case))
    chosen = {v: case.values.get(v, v.low if v.op == "number" else False) for v in _parts(region)}
    return _cut(court, asked, case.state, region, chosen, dict(case.situation.parts))


def _cut(
    court: Court, asked: Asked, state: State, region: Flag, chosen: Chosen, named: dict[Hashable, Value]
) -> tuple[str, ...]:
    found = court.seen_in(state, substitute(region, chosen))
    situation = replace(found.situation, parts=named)
    whole = replace(found, values={**found.values, **chosen}, situation=situation)
    return (*situation.facts, *_told(asked, whole))


def _told(asked: Asked, case: Case) -> tuple[str, ...]:
    told = asked.told(case)
    return (told,) if told else ()


def _parts(region: Flag) -> list[Term]:
    return [variable for variable in variables_of(region) if variable.args[0][0] in ("part", "part none")]
