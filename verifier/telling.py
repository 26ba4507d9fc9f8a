"""Plays and verdicts in the words of the table."""

from __future__ import annotations

from rules.machine import Chance, Choice, Machine, Node
from solver.play import Play
from solver.play.plays import Decision, nodes_along

_MEMBERS = {
    "exhaustive": "a search through the states of play, the nearest first",
    "random": "plays at random",
    "guided": "a search towards it",
}


def steps_of(machine: Machine, play: Play) -> tuple[str, ...]:
    """Each decision with who made it, replayed on the way. Raises `InternalError` where the play does not fit."""
    nodes = [node for _, node in nodes_along(machine, play)]
    steps: list[str] = []
    shuffled: Node | None = None
    for node, decision in zip(nodes, play.decisions, strict=False):
        if isinstance(node, Chance) and node.shuffles and isinstance(shuffled, Chance) and shuffled.what == node.what:
            steps[-1] += f", {decision.text}"  # a shuffle is one thing to players
        else:
            steps.append(_step(machine, node, decision))
        shuffled = node if isinstance(node, Chance) and node.shuffles else None
    return tuple(steps)


def _step(machine: Machine, node: Node, decision: Decision) -> str:
    match node:
        case Choice(actor=actor):
            who = None if actor is None else machine.world.things[machine.checked.players or ""][actor]
            if who is None or who in decision.text:
                return decision.text
            return f"{who}: {decision.text}"
        case Chance(what=what):
            return f"{what}: {decision.text}"
        case _:
            return f"a ruling: {decision.text}"


def member_words(by: str) -> str:
    """What a member of the portfolio does, for whoever asks how something is known."""
    return _MEMBERS.get(by, by)
