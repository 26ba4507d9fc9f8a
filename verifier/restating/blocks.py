"""Two blocks of statements that are meant to do the same: compared by their text, then by carrying both out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine import Chance, Choice, Machine, Node, Open
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.state import Frame, State
from rules.machine.world import Value
from solver.encode.expressions import NotEncodable
from solver.encode.saying import Subject
from verifier.court import Case, Court
from verifier.restating.aspects import Difference
from verifier.restating.normal import Aspect, Normal, apart, normal_of, words_of
from verifier.restating.plays import plays_of
from verifier.restating.shown import env_of

_MOST_STEPS = 400  # of a block that is carried out to be looked at
_MOST_WAYS = 200  # of going on where something is decided or rolled
_MOST_TOLD = 3  # of what two blocks leave

Env = dict[str, Value]


def blocks_apart(
    court: Court, ours: RuleNorm, theirs: RuleNorm, subject: Subject, args: tuple[Value, ...], case: Case, part: bool
) -> Difference | None:
    """The difference of what two triggers do in a state in which both apply; None where there is none to be seen."""
    assert isinstance(ours.body, m.EventNorm)
    assert isinstance(theirs.body, m.EventNorm)
    machine = court.machine
    one, other = normal_of(ours, machine), normal_of(theirs, machine)
    difference = text_apart(ours.body.body, theirs.body.body, (one, other), part)
    if difference is None:
        return None
    states = [state for state in (case.state, court.space.start) if state is not None]
    for state in states:
        envs = [env_of(machine, norm, subject, args, state) for norm in (ours, theirs)]
        if envs[0] is not None and envs[1] is not None:
            blocks = (ours.body.body, envs[0]), (theirs.body.body, envs[1])
            if ends_apart(machine, state, *blocks) is not None:
                return difference
    plays = plays_of(court)
    for begun in plays.begun.get(theirs.name, ()):
        for happening in begun.happenings:
            met = [plays.machine._reacting(norm, happening, begun.state) for norm in (ours, theirs)]
            if met[0] and met[1]:
                blocks = (ours.body.body, met[0][0].env), (theirs.body.body, met[1][0].env)
                if ends_apart(plays.machine, begun.state, *blocks) is not None:
                    return difference
    reason = f"it is written otherwise than in `{theirs.name}`, and did the same in the states that were tried"
    court.cannot_encode(ours.name, NotEncodable(reason, ours.body.span))
    return None


def text_apart(ours: m.Block, theirs: m.Block, normals: tuple[Normal, Normal], part: bool = False) -> Difference | None:
    """The first statement that is written otherwise; with `part`, ours need not have all that theirs have."""
    one, other = normals[0].of(ours), normals[1].of(theirs)
    if one == other:
        return None
    left_out = _left_out(ours, theirs, normals)
    if left_out is not None:
        return None if part else Difference("list", "", words_of(left_out))
    machine = normals[0].machine
    for place in range(max(len(ours), len(theirs))):
        if place >= len(ours) or place >= len(theirs):
            words = [words_of(block[place]) if place < len(block) else "" for block in (ours, theirs)]
            return Difference("list", words[0], words[1])
        if one[place] != other[place]:
            moved = one[place] in other or other[place] in one
            aspect: Aspect | None = "list" if moved else apart(one[place], other[place], machine)
            return Difference(aspect or "kind", words_of(ours[place]), words_of(theirs[place]))
    return None


def _left_out(ours: m.Block, theirs: m.Block, normals: tuple[Normal, Normal]) -> m.Statement | None:
    """The first statement that ours lack, where they are theirs without some; None where they are not."""
    mine = [normals[0].of(statement) for statement in ours]
    missing: m.Statement | None = None
    for statement in theirs:
        if mine and mine[0] == normals[1].of(statement):
            mine.pop(0)
        elif missing is None:
            missing = statement
    return None if mine else missing


def ends_apart(
    machine: Machine, state: State, ours: tuple[m.Block, Env], theirs: tuple[m.Block, Env]
) -> tuple[str, ...] | None:
    """In what two blocks, each carried out from a state, differ: in what they ask for, or in what they leave, in words.

    None where they do the same, or too much to tell.
    """
    ends = [_carried_out(machine, state, block, env) for block, env in (ours, theirs)]
    one, other = ends
    if one is None or other is None or one == other:
        return None
    if len(one) == len(other) == 1 and isinstance(one[0], _Left) and isinstance(other[0], _Left):
        return _cells_apart(machine, one[0].cells, other[0].cells)
    return ()


def _cells_apart(machine: Machine, ours: tuple[Value, ...], theirs: tuple[Value, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for slot in machine.world.slots.values():
        for address in range(slot.base, slot.base + slot.count):
            if ours[address] != theirs[address] and len(found) < _MOST_TOLD:
                args = [
                    machine.world.show(arg, type_)
                    for arg, type_ in zip(slot.args_at(address), slot.symbol.params, strict=True)
                ]
                of = f" of {args[0]}" if len(args) == 1 else f" of ({', '.join(args)})" if args else ""
                left = [machine.world.show(cells[address], slot.symbol.type) for cells in (ours, theirs)]
                found.append(f"then {slot.symbol.name}{of} is {left[0]} by the one, {left[1]} by the other")
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Left:
    """What a block leaves when it is done."""

    cells: tuple[Value, ...]
    outcomes: tuple[object, ...]
    disabled: tuple[str, ...]


def _carried_out(machine: Machine, state: State, block: m.Block, env: Env) -> list[object] | None:
    """All that comes of a block: what is asked on the way, and the state that each answer leaves. None: too much."""
    begun = state.copy()
    depth = len(begun.stack)
    begun.stack.append(Frame("block", block, env=dict(env)))
    found: list[object] = []
    waiting = [begun]
    while waiting:
        current = waiting.pop()
        try:
            node = _run(machine, current, depth)
        except (Undetermined, Gap, Broken) as stopped:
            found.append((type(stopped), str(stopped)))
            continue
        if node is False or len(found) > _MOST_WAYS:
            return None
        if isinstance(node, Choice | Chance):
            found.append((type(node), node.what, tuple(_texts(node))))
            moves = node.moves if isinstance(node, Choice) else tuple(move for move, _ in node.outcomes)
            for move in moves:
                after = current.copy()
                machine.answer(after, move)
                waiting.append(after)
        elif isinstance(node, Open):
            found.append((node.kind, node.text))
        else:
            found.append(_Left(tuple(current.cells), tuple(current.outcomes.items()), tuple(current.disabled)))
    return found


def _texts(node: Choice | Chance) -> Iterator[object]:
    if isinstance(node, Choice):
        yield from (move.text for move in node.moves)
    else:
        yield from ((move.text, weight) for move, weight in node.outcomes)


def _run(machine: Machine, state: State, depth: int) -> Node | bool | None:
    """Goes on until something is decided (the node) or the block is done (None); False where it takes too long."""
    for _ in range(_MOST_STEPS):
        if state.over or len(state.stack) <= depth:
            return None
        node = machine._step(state)
        if node is not None:
            return node
    return False
