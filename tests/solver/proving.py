"""Proofs beside what play shows: a condition that is proved never to hold is met in no state of play."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from rules.machine import Machine, Node
from rules.machine.state import State
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.flow.flow import Budget as FlowBudget
from solver.flow.prove import Comes, Never, Prover
from solver.play import Budget, Goal, explore
from solver.play.slicing import changing_cells
from solver.terms import Flag, Term, both, equal, evaluate

_FOLLOWED = FlowBudget(locations=80, edges=700, ways=150, questions=3_000)
_PLAYED = Budget(work=20_000, guided=0, states=3_000, plays=20, edges=0)


@dataclass
class Compared:
    verdicts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def compare_proofs(machine: Machine, name: str, compared: Compared, count: int = 4) -> None:
    """Some conditions drawn at random: that cells have a value, alone or together."""
    space = Space(machine)
    encoder = Encoder(space)
    draw = random.Random(name)
    variables = [
        payload for address in changing_cells(machine) if isinstance(payload := space.cell(address).payload, Term)
    ]
    if not variables:
        return
    conditions = [_drawn(draw, variables) for _ in range(count)]
    prover = Prover(encoder, conditions, _FOLLOWED)
    exploration = explore(machine, {str(p): _goal(space, c) for p, c in enumerate(conditions)}, _PLAYED)
    for place in range(count):
        verdict = prover.never(place)
        reached = str(place) in exploration.reached
        compared.verdicts[verdict.by if isinstance(verdict, Never) else type(verdict).__name__] += 1
        if isinstance(verdict, Never) and reached:
            play = exploration.reached[str(place)].play.texts
            compared.failures.append(f"{name}: {conditions[place]} is excluded by {verdict.by}, and met by {play}")
        if isinstance(verdict, Comes) and exploration.complete and not reached:
            compared.failures.append(
                f"{name}: {conditions[place]} is never met, and {verdict.play.texts} is to meet it"
            )


def _drawn(draw: random.Random, variables: list[Term]) -> Flag:
    def one() -> Flag:
        variable = variables[int(draw.random() * len(variables))]
        if variable.is_flag:
            return variable
        return equal(variable, variable.low + int(draw.random() * (variable.high - variable.low + 1)))

    return both(one(), one()) if draw.random() < 0.5 else one()


def _goal(space: Space, condition: Flag) -> Goal:
    def holds(_machine: Machine, state: State, _node: Node | None) -> bool:
        return bool(evaluate(condition, space.values_in(state, [condition])))

    return Goal(holds, "every step")
