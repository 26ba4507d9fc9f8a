"""From a checked book, a number of players and the policies that were chosen, to a machine.

The rulings of the book are always in force: what they settle, a policy cannot choose otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine.norms import Referee
from rules.machine.run import Machine
from rules.machine.world import world_of


def machine_of(
    checked: CheckedRulebook,
    seats: int | None = None,
    policies: tuple[str, ...] = (),
    referee: Callable[[Machine], Referee] | None = None,
) -> Machine:
    """`referee` makes who proves which of two conditions is the narrower; without one, their parts are compared.

    Raises `ValueError` for a policy that the book does not have, or a number of players that it is not for.
    """
    readings: dict[str, str] = {}
    overs: set[tuple[str, str]] = set()
    resting: set[str] = set()
    rules: list[m.Rule] = []
    # What comes later goes before: of two policies the one asked for last, and any ruling.
    for policy in (*_chosen(checked.book, policies), *checked.book.rulings()):
        for line in policy.lines:
            match line:
                case m.PolicyReads(rule=rule, reading=reading):
                    readings[rule.text] = reading.text
                case m.PolicyOver(winner=winner, loser=loser):
                    overs.discard((loser.text, winner.text))
                    overs.add((winner.text, loser.text))
                case m.PolicyIfPossible(rule=rule):
                    resting.add(rule.text)
                case m.Rule():
                    rules.append(line)
                case _:
                    assert_never(line)
    machine = Machine(world_of(checked, seats), readings, tuple(rules), frozenset(overs), frozenset(resting))
    machine.precedence.referee = None if referee is None else referee(machine)
    return machine


def in_force(book: m.Rulebook, named: tuple[str, ...] = (), defaults: bool = True) -> tuple[str, ...]:
    """The policies of a game, the one that counts last at the end: the default ones, if wanted, then those named."""
    usual = [policy.name.text for policy in book.defaults()] if defaults else []
    return tuple(reversed(dict.fromkeys(reversed((*usual, *named)))))


def _chosen(book: m.Rulebook, names: tuple[str, ...]) -> list[m.Policy]:
    known = {d.name.text: d for d in book.declarations if isinstance(d, m.Policy) and d.sort == "policy"}
    for name in names:
        if any(ruling.name.text == name for ruling in book.rulings()):
            raise ValueError(f"`{name}` is a ruling, not a policy: it is always in force")
        if name not in known:
            offered = f"; it has {', '.join(known)}" if known else "; it has none"
            raise ValueError(f"the rulebook has no policy `{name}`{offered}")
    return [known[name] for name in names]
