"""How far a state seems to be from a condition: by how much its numbers miss, and how many of its parts do not hold."""

from __future__ import annotations

from collections.abc import Mapping

from rules.machine import Machine, Node
from rules.machine.state import State
from solver.encode.space import Space
from solver.play.goals import Distance
from solver.terms import Flag, Term, evaluate

Values = Mapping[Term, "bool | int"]


def distance_to(space: Space, condition: Flag) -> Distance:
    """For a goal that is reached where the condition holds."""

    def distance(_machine: Machine, state: State, _node: Node) -> float:
        return missing(condition, space.values_in(state, [condition]))

    return distance


def missing(term: Flag, values: Values, wanted: bool = True) -> float:
    """Nought where a term is as it is wanted; else the more, the further its variables are from that."""
    if not isinstance(term, Term):
        return 0.0 if term is wanted else float("inf")
    if bool(evaluate(term, values)) is wanted:
        return 0.0
    match term.op:
        case "not":
            return missing(term.args[0], values, not wanted)
        case "and" | "or":
            parts = [missing(part, values, wanted) for part in term.args]
            return sum(parts) if (term.op == "and") is wanted else min(parts)
        case "le":
            return float(abs(evaluate(term.args[0], values) - term.args[1])) + (not wanted)
        case "eq" if wanted:
            return float(abs(evaluate(term.args[0], values) - evaluate(term.args[1], values)))
        case _:
            return 1.0
