"""Whether it matters which of two waiting triggers comes first: both orders are carried out, and their ends compared.

Decisions on the way are all tried: the orders commute where the same ends can be come to in each.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from rules.machine import Chance, Choice, Machine
from rules.machine.base import Broken
from rules.machine.norms import Applied, Gap, Undetermined
from rules.machine.state import State
from rules.machine.why import deciding_state
from solver.play.key import Keys

_MOST_ENDS = 64

Ends = frozenset[Hashable]


def waiting_at(state: State, node: object) -> list[Applied]:
    """The triggers among which somebody must say which comes first; none where the choice is of another sort."""
    if not isinstance(node, Choice) or deciding_state(state) is not state or state.stack[-1].kind != "triggers":
        return []
    waiting: list[Applied] = state.stack[-1].data["waiting"]
    return waiting


def matters(machine: Machine, keys: Keys, state: State, node: Choice, one: Applied, other: Applied) -> bool:
    """Whether the ends differ; where there are too many of them to say, it does not count."""
    if not {id(one), id(other)} <= {id(a) for a in _offered(machine, state, node)}:
        return False
    forward, backward = (_ends(machine, keys, state, order) for order in ((one, other), (other, one)))
    return forward is not None and backward is not None and forward != backward


def _offered(machine: Machine, state: State, node: Choice) -> list[Applied]:
    """The waiting triggers in the order of the moves: those that nothing else puts in order."""
    waiting = waiting_at(state, node)
    first = [a for a in waiting if a.norm.manner == "immediately"] or waiting
    if len(first) > 1:
        ahead = [a for a in first if not any(machine.precedence.comes_first(b, a, state) for b in first)]
        first = ahead or first
    return first if len(first) == len(node.moves) else []


def _ends(machine: Machine, keys: Keys, state: State, order: tuple[Applied, ...]) -> Ends | None:
    """All that can come of it, until the triggers are done; None where that is too much."""
    depth = len(state.stack) - 1
    found: set[Hashable] = set()
    waiting = [state.copy()]
    tried = 0
    while waiting:
        now = waiting.pop()
        tried += 1
        if tried > _MOST_ENDS:
            return None
        try:
            node = machine._until_decision(now, depth)
        except (Undetermined, Gap, Broken) as stop:
            found.add((type(stop).__name__, str(stop)))
            continue
        if node is None:
            found.add(keys.of(now))
            continue
        for answer in _answers(machine, now, node, order, depth):
            after = now.copy()
            after.answer = answer
            waiting.append(after)
    return frozenset(found)


def _answers(machine: Machine, state: State, node: object, order: tuple[Applied, ...], depth: int) -> Iterator[Any]:
    if isinstance(node, Choice):
        offered = _offered(machine, state, node) if len(state.stack) == depth + 1 else []
        for wanted in order if offered else ():
            for place, one in enumerate(offered):
                if one is wanted:
                    yield place
                    return
        if offered:
            yield 0
            return
        yield from (move.data for move in node.moves)
    elif isinstance(node, Chance):
        yield from (move.data for move, _ in node.outcomes)
