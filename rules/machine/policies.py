"""From a checked book, a number of players and the policies that were chosen, to a machine."""

from __future__ import annotations

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine.run import Machine
from rules.machine.world import world_of


def machine_of(checked: CheckedRulebook, seats: int | None = None, policies: tuple[str, ...] = ()) -> Machine:
    """Raises `ValueError` for a policy that the book does not have, or a number of players that it is not for."""
    known = {d.name.text: d for d in checked.book.declarations if isinstance(d, m.Policy)}
    readings: dict[str, str] = {}
    overs: set[tuple[str, str]] = set()
    rules: list[m.Rule] = []
    for name in policies:
        if name not in known:
            offered = f"; it has {', '.join(known)}" if known else "; it has none"
            raise ValueError(f"the rulebook has no policy `{name}`{offered}")
        for line in known[name].lines:
            match line:
                case m.PolicyReads(rule=rule, reading=reading):
                    readings[rule.text] = reading.text
                case m.PolicyOver(winner=winner, loser=loser):
                    overs.add((winner.text, loser.text))
                case m.Rule():
                    rules.append(line)
    return Machine(world_of(checked, seats), readings, tuple(rules), frozenset(overs))
