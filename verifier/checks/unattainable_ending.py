"""LX982: an ending that no play can come to: a rule whose condition never holds, or a line that is never done.

By condition: types, piles and pools exclude it. By history: the values that can ever be held do, or no state of all has
it, or a proof over the steps of play says so; with every number of players.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules import model as m
from rules.check import check_rules
from rules.machine.norms import RuleNorm
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.flow.prove import Never, Prover
from solver.play import Exploration
from solver.terms import Flag, some
from solver.verdict import Proved
from verifier.bookmap import Item, bookmap
from verifier.checks.never_entered import is_first_closed_part
from verifier.court import Court, cited
from verifier.endings import any_player, ending_of
from verifier.finding import Finding, Place
from verifier.reaching import FLOW, SOLVER, STATES, Lost, Way, everywhere, finding
from verifier.suspicion import Check, Looked, Remark, Watch

_HINT = "look at its condition: something in it can never be, or is over before"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for norm in court.machine.endings if court.checked.players else ():
        if court.machine.restated.repeats(norm):
            continue
        looked.things += 1
        condition = _condition(court, norm)
        if condition is None:
            continue
        way = _excluded(court, condition)
        if way is None:
            yield Watch(_name(norm), None, condition)
            continue
        court.suspected.add(("LX982", norm.key))
        if not _is_told_already(court, norm) and everywhere(court, lambda other, norm=norm: _is_lost(other, norm)):  # type: ignore[misc]
            message = f"the condition of `{norm.name}` can never hold: nobody ends the game so"
            yield _finding(court, norm, message, Lost(way, SOLVER if way == "condition" else FLOW))
    for item in _lines(court):
        looked.things += 1
        if is_first_closed_part(court, item) and everywhere(court, lambda other, item=item: _is_closed(other, item)):  # type: ignore[misc]
            yield _line(item, FLOW)


# ---- rules


def _name(norm: RuleNorm) -> str:
    return f"ending {norm.key}"


def _condition(court: Court, norm: RuleNorm) -> Flag | None:
    try:
        ending = ending_of(court, norm, any_player(court))
    except NotEncodable as reason:
        court.cannot_encode(norm.name, reason)
        return None
    return some(one.when for one in ending.applying)


def _excluded(court: Court, condition: Flag) -> Way | None:
    """Whether types, piles and pools alone exclude it, or what cells can ever hold."""
    if not isinstance(court.possible(("ending", condition)), Proved):
        return None
    return "condition" if isinstance(court.possible(("ending", condition), in_play=False), Proved) else "history"


def _is_lost(court: Court, norm: RuleNorm) -> bool:
    condition = _condition(court, _same(court, norm))
    return condition is not None and _excluded(court, condition) is not None


def _same(court: Court, norm: RuleNorm) -> RuleNorm:
    return next(one for one in court.machine.endings if one.key == norm.key)


def _is_told_already(court: Court, norm: RuleNorm) -> bool:
    """Whether reading the book has shown a comparison in it that types alone decide: one spot, one report."""
    span = norm.body.span
    return any(
        found.code == "LX305" and found.span.source is span.source and span.start <= found.span.start < span.end
        for found in check_rules(court.checked.book).diagnostics
    )


def _finding(court: Court, norm: RuleNorm, message: str, lost: Lost) -> Finding:
    return finding("LX982", message, (court.place(norm),), lost, _HINT)


# ---- by what play has shown


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001  (they were counted before)
    for norm in court.machine.endings:
        if ("LX982", norm.key) in court.suspected or _was_seen(court.exploration, norm):
            continue
        if court.machine.restated.repeats(norm) or norm.key in court.machine.restated.families:
            continue  # it counts beside others that it is compared with
        by = _shown_by(court, norm)
        if by is None:
            continue
        if all(_is_never_seen(other, norm) for other in court.others):
            yield _finding(court, norm, f"no play ever comes to an end by `{norm.name}`", Lost("history", by))
        elif not _counts_players(court, norm):
            message = f"no play with {court.seats} players ever comes to an end by `{norm.name}`"
            yield replace(_finding(court, norm, message, Lost("history", by)), players=(court.seats,))
    for item in _lines(court):
        if is_first_closed_part(court, item) or not _is_undone(court, item):
            continue
        if everywhere(court, lambda other, item=item: _is_undone(other, item)):  # type: ignore[misc]
            yield _line(item, STATES)


def _was_seen(exploration: Exploration, norm: RuleNorm) -> bool:
    return any(fact.kind == "applied" and fact.what == norm.key for fact in exploration.facts)


def _shown_by(court: Court, norm: RuleNorm) -> str | None:
    """What shows that it never applies in play."""
    if court.exploration.complete:
        return STATES
    if not court.machine.play or norm.reading is not None:
        return None
    found = court.never(_name(norm))
    return found.by if isinstance(found, Never) else None


def _is_never_seen(court: Court, norm: RuleNorm) -> bool:
    """The same with another number of players."""
    same = _same(court, norm)
    if _was_seen(court.explore_in_full(), same):
        return False
    if court.explore_in_full().complete:
        return True
    condition = _condition(court, same)
    return condition is not None and isinstance(Prover(court.encoder, (condition,)).never(0), Never)


def _counts_players(court: Court, norm: RuleNorm) -> bool:
    """Whether an ending speaks of how many play: then one number says nothing of others."""
    players = court.checked.players
    return any(isinstance(node, m.Ref) and node.name.text == players for node in nodes_of(norm.body))


# ---- lines


def _lines(court: Court) -> Iterator[Item]:
    """The statements that decide the game."""
    for item in bookmap(court.checked).items.values():
        if isinstance(item.node, m.Simple) and isinstance(item.node.body, m.Outcome):
            yield item


def _is_closed(court: Court, item: Item) -> bool:
    return id(item.node) not in court.analysis.reached.statements


def _is_undone(court: Court, item: Item) -> bool:
    """Whether play came to what is right around it, and never to the line itself."""
    exploration = court.explore_in_full()
    if not exploration.complete or item.above is None:
        return False
    done = {fact.what for fact in exploration.facts if fact.kind in ("done", "row", "option taken")}
    return item.node.span not in done and item.above.node.span in done


def _line(item: Item, by: str) -> Finding:
    assert isinstance(item.node, m.Simple)
    place = Place(item.owner, item.node.span, cited(item.node.clauses) or cited(item.clauses))
    needed = item.needs[:1]
    lost = Lost("history", by, needed, (), True)
    text = " ".join(item.node.body.span.text.split())
    return finding("LX982", f"no play ever comes to `{text}` in `{item.owner}`", (place,), lost, _HINT, of_it="a line")


CHECK = Check("endings that cannot be attained", "outcome", suspect, conclude, for_all=True)
