"""What exploration looks for besides facts: conditions asked of states, each until it is found to hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Literal

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.state import State
from rules.symbols import VariableSymbol
from solver.play.situations import Reads

Holds = Callable[[Machine, State, Node | None], bool]
Distance = Callable[[Machine, State, Node], float]


@dataclass(frozen=True, slots=True)
class Goal:
    """`holds` gets the node where something must be decided, and None between decisions.

    With `at` "every step" it is also asked after each event. `reads` are the expressions that it evaluates, so that
    cells which they do not read can be left out; None is for a goal that may look at anything but who has seen what.
    `distance` says how far a state seems to be from the goal; what is nearer is tried first. `rules` are those by which
    it is reached: plays lean towards what brings them about.

    With `of_situations` it asks only for what a situation tells, and this says for what of it: it is asked once of each
    such situation that play passed, after play. `lasting` says what it asks, the same in every run.
    """

    holds: Holds
    at: Literal["decisions", "every step"] = "decisions"
    reads: tuple[m.Expr, ...] | None = None
    distance: Distance | None = None
    of_situations: Reads | None = None
    lasting: str = ""
    rules: tuple[RuleNorm, ...] = ()


def goal_of(
    machine: Machine, condition: m.Expr, wanted: bool = True, at: Literal["decisions", "every step"] = "decisions"
) -> Goal:
    """Reached where a condition holds, or does not if that is wanted, for some choice of its free variables."""
    names = sorted(machine.needs(condition))
    symbols = [machine.variables[name] for name in names]
    domains = [machine.world.domain(symbol.type) for symbol in symbols if isinstance(symbol, VariableSymbol)]
    envs = [dict(zip(names, values, strict=True)) for values in product(*domains)]

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        return any(machine.evaluator.holds(condition, state, env) is wanted for env in envs)

    return Goal(holds, at, (condition,))


def as_goals(goals: Mapping[str, Goal | Holds]) -> dict[str, Goal]:
    return {name: goal if isinstance(goal, Goal) else Goal(goal) for name, goal in goals.items()}


def holds(goal: Goal, machine: Machine, state: State, node: Node | None) -> bool | None:
    """None where the rules leave open what the goal asks."""
    try:
        return goal.holds(machine, state, node)
    except (Undetermined, Gap, Broken):
        return None
