"""Two declarations that are meant to say the same: rules, values, tables, ranks, actions, procedures and phases."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.norms import RuleNorm
from verifier.court import Court
from verifier.restating.apart import Apart
from verifier.restating.norms import rules_apart
from verifier.restating.pairs import Restated
from verifier.restating.ranks import ranks_apart
from verifier.restating.tables import tables_apart
from verifier.restating.values import rule_of_value_apart, values_apart
from verifier.restating.verbs import phases_apart, verbs_apart


def apart(court: Court, pair: Restated) -> Iterator[Apart]:
    """All differences. Raises `NotEncodable` where two things cannot be compared."""
    match pair.ours.node, pair.theirs.node:
        case m.Rule(), m.Rule():
            yield from _rules(court, pair)
        case m.Rule() as ours, m.Value() as theirs:
            yield from rule_of_value_apart(court, _readings(court, ours)[0], theirs)
        case m.Value() as ours, m.Value() as theirs:
            yield from values_apart(court, ours, theirs, pair.part)
        case m.Table() as ours, m.Table() as theirs:
            yield from tables_apart(court, ours, theirs, pair.part)
        case m.Rank() as ours, m.Rank() as theirs:
            yield from ranks_apart(court, ours, theirs, pair.part)
        case (m.Action() | m.Procedure()) as ours, (m.Action() | m.Procedure()) as theirs:
            yield from verbs_apart(court, ours, theirs, pair.part)
        case m.Procedure() as ours, m.Phase() as theirs:
            yield from phases_apart(court, ours, theirs, pair.part)
        case _:
            raise InternalError(f"`{pair.ours.name}` cannot restate `{pair.theirs.name}`")


def _rules(court: Court, pair: Restated) -> Iterator[Apart]:
    """Of a sentence with several readings, a restatement may follow any."""
    assert isinstance(pair.ours.node, m.Rule)
    assert isinstance(pair.theirs.node, m.Rule)
    first: list[Apart] | None = None
    for ours in _readings(court, pair.ours.node):
        for theirs in _readings(court, pair.theirs.node):
            found = list(rules_apart(court, ours, theirs, pair.part))
            if not found:
                return
            first = found if first is None else first
    yield from first or ()


def _readings(court: Court, rule: m.Rule) -> list[list[RuleNorm]]:
    found: dict[str | None, list[RuleNorm]] = {}
    for norm in court.machine.norms:
        if norm.name == rule.name.text:
            found.setdefault(norm.reading, []).append(norm)
    return list(found.values()) or [[]]
