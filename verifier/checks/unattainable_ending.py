"""LX982: an ending that no play can come to: its condition never holds, or no state of all has it."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.check import check_rules
from rules.machine.norms import RuleNorm
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.terms import some
from solver.verdict import Proved
from verifier.checks.covered_case import other_sizes
from verifier.court import Court
from verifier.endings import any_player, ending_of
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark

_HINT = "look at its condition: something in it can never be, or is over before"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for norm in court.machine.endings if court.checked.players else ():
        if court.machine.restated.repeats(norm):
            continue
        looked.things += 1
        if not _is_excluded(court, norm):
            continue
        court.suspected.add(("LX982", norm.key))
        if not _is_told_already(court, norm) and all(_is_excluded_with(court, norm, s) for s in other_sizes(court)):
            yield _finding(court, norm, f"the condition of `{norm.name}` can never hold: nobody ends the game so", "")


def _is_excluded(court: Court, norm: RuleNorm) -> bool:
    """Whether types, piles and pools alone exclude the condition."""
    try:
        ending = ending_of(court, norm, any_player(court))
    except NotEncodable as reason:
        court.cannot_encode(norm.name, reason)
        return False
    return isinstance(court.possible(("ending", some(one.when for one in ending.applying))), Proved)


def _is_excluded_with(court: Court, norm: RuleNorm, seats: int) -> bool:
    other = Court(court.checked, seats)
    same = next(one for one in other.machine.endings if one.key == norm.key)
    return _is_excluded(other, same)


def _is_told_already(court: Court, norm: RuleNorm) -> bool:
    """Whether reading the book has shown a comparison in it that types alone decide: one spot, one report."""
    span = norm.body.span
    return any(
        found.code == "LX305" and found.span.source is span.source and span.start <= found.span.start < span.end
        for found in check_rules(court.checked.book).diagnostics
    )


def _finding(court: Court, norm: RuleNorm, message: str, how: str) -> Finding:
    shown_by = how or "the solver"
    return Finding("LX982", message, (court.place(norm, "cannot be attained"),), "proved", shown_by, None, (), _HINT)


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    """Where every state was seen; of an ending that speaks of the number of players, that says nothing of others."""
    exploration = court.exploration
    if not exploration.complete:
        return
    applied = {fact.what for fact in exploration.facts if fact.kind == "applied"}
    for norm in court.machine.endings:
        if norm.key in applied or ("LX982", norm.key) in court.suspected:
            continue
        if court.machine.restated.repeats(norm) or norm.key in court.machine.restated.families:
            continue  # it counts beside others that it is compared with
        others = other_sizes(court)
        if others and _counts_players(court, norm):
            continue
        players = f" with {court.seats} players" if others else ""
        message = f"no play{players} ever comes to an end by `{norm.name}`"
        yield _finding(court, norm, message, "exhaustive")


def _counts_players(court: Court, norm: RuleNorm) -> bool:
    players = court.checked.players
    return any(isinstance(node, m.Ref) and node.name.text == players for node in nodes_of(norm.body))


CHECK = Check("endings that cannot be attained", "outcome", suspect, conclude)
