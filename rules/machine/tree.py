"""The whole of what the rules say of a move: every norm that speaks of its action, each condition with its truth, and
each comparison of two norms that disagree."""

from __future__ import annotations

from dataclasses import dataclass

from rules import model as m
from rules.machine.lacks import OPEN_POINTS, Given, Lack, Lacks
from rules.machine.norms import Applied, Ground, RuleNorm
from rules.machine.run import Machine
from rules.machine.state import State
from rules.machine.watch import Concealed, watched
from rules.machine.why import Args, deciding_state
from rules.machine.world import Value


@dataclass(frozen=True, slots=True)
class Judged:
    """A condition and its parts. `holds` is None where the viewer may not see it, or where it `is_open`."""

    expr: m.Expr
    given: Given
    holds: bool | None
    values: tuple[Value, ...]
    is_open: bool
    parts: tuple[Judged, ...] = ()


@dataclass(frozen=True, slots=True)
class Spoken:
    """A norm that speaks of the action. `lacks` is what keeps it from applying; nothing, where it applies."""

    norm: RuleNorm
    lacks: tuple[Lack, ...]
    when: Judged | None
    unless: Judged | None

    @property
    def applies(self) -> bool:
        return not self.lacks


@dataclass(frozen=True, slots=True)
class Compared:
    """Two norms that disagree; `ground` is why the first goes before the second, None where neither does."""

    first: RuleNorm
    second: RuleNorm
    ground: Ground | None


@dataclass(frozen=True, slots=True)
class Tree:
    norms: tuple[Spoken, ...]
    comparisons: tuple[Compared, ...]


def tree_of(machine: Machine, state: State, verb: str, args: Args, viewer: int | None = None) -> Tree:
    seen = watched(machine, deciding_state(state), viewer)
    lacks = Lacks(machine, seen)
    ways = [way for norm in machine.modals.get(verb, []) if (way := lacks.to_apply(norm, verb, args)) is not None]
    spoken = tuple(
        Spoken(
            way.norm,
            way.lacks,
            _judged(lacks, way.norm.conditions.when, way.env),
            _judged(lacks, way.norm.conditions.unless, way.env),
        )
        for way in ways
    )
    applied = [Applied(way.norm, way.env) for way in ways if not way.lacks]
    return Tree(spoken, tuple(_comparisons(machine, seen, applied)))


def _judged(lacks: Lacks, expr: m.Expr | None, env: dict[str, Value]) -> Judged | None:
    if expr is None:
        return None
    parts: tuple[m.Expr, ...] = ()
    match expr:
        case m.And(left=left, right=right) | m.Or(left=left, right=right):
            parts = (left, right)
        case m.Not(operand=operand):
            parts = (operand,)
        case _:
            pass
    atom = lacks.atom(expr, env, True)
    inner = tuple(one for part in parts if (one := _judged(lacks, part, env)) is not None)
    return Judged(expr, atom.given, atom.holds, atom.values, atom.is_open, inner)


def _comparisons(machine: Machine, state: State, applied: list[Applied]) -> list[Compared]:
    found: list[Compared] = []
    for one in applied:
        for other in applied:
            if _modal(other.norm) != "cannot" or _modal(one.norm) == "cannot":
                continue
            try:
                forward = machine.precedence.precedes(one, other, state)
                backward = machine.precedence.precedes(other, one, state)
            except (Concealed, *OPEN_POINTS):
                continue
            if forward is not None or backward is None:
                found.append(Compared(one.norm, other.norm, forward))
            else:
                found.append(Compared(other.norm, one.norm, backward))
    return found


def _modal(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ModalNorm)
    return norm.body.modal
