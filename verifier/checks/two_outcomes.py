"""LX905: an event for which two rules put different things in its place, and nothing says which goes before."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.norms import RuleNorm
from solver.encode.events import AnyEvent, Events
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.terms import both
from solver.verdict import Proved
from verifier.checks.pairs import in_order, pair_of, suspicion, which_first
from verifier.court import Case, Court
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    events = Events(court.encoder)
    for key, norms in court.machine.reactions.items():
        taking = [norm for norm in norms if _takes_over(norm)]
        if len(taking) < 2:
            continue
        told: set[tuple[object, object]] = set()
        for event in events.of_key(key):
            try:
                yield from _pairs(court, events, event, taking, told, looked)
            except NotEncodable as reason:
                for norm in taking:
                    court.cannot_encode(norm.name, reason)


def _takes_over(norm: RuleNorm) -> bool:
    body = norm.body
    return isinstance(body, m.IgnoreNorm) or (isinstance(body, m.EventNorm) and body.timing == "instead of")


def _pairs(
    court: Court,
    events: Events,
    event: AnyEvent,
    norms: list[RuleNorm],
    told: set[tuple[object, object]],
    looked: Looked,
) -> Iterator[Remark]:
    encoder = court.encoder
    with encoder.apart():
        reacting = [one for norm in norms for one in events.reacting(norm, event)]
        for place, one in enumerate(reacting):
            for other in reacting[place + 1 :]:
                looked.things += 1
                pair = (one.norm, other.norm)
                meet = both(one.when, other.when)
                if meet is False or one.norm is other.norm or _same(one.norm, other.norm):
                    continue
                if pair_of(*pair) in told or court.machine.restated.are_versions(pair[0].name, pair[1].name):
                    continue  # two versions of one statement that differ are told as such
                rivals = [rival for rival in reacting if not _same(rival.norm, one.norm)]
                others = [rival for rival in reacting if not _same(rival.norm, other.norm)]
                undecided = both(encoder.stands(one, rivals), encoder.stands(other, others))
                placed = court.happening(pair, undecided)
                found = court.possible(("undecided", undecided), ("it can happen", placed))
                if isinstance(found, Proved):
                    yield from _decided(court, one, other)
                    continue
                told.add(pair_of(*pair))
                message = (
                    f"`{pair[0].name}` and `{pair[1].name}` put different things in the place of one event, "
                    f"{event.words}, and nothing says which goes before"
                )
                places = tuple(court.place(norm, _part(norm)) for norm in pair)
                finding = Finding("LX905", message, places, "possible", "the solver", hint=which_first(*pair))
                yield suspicion(court, finding, found, undecided, None, *pair)


def _part(norm: RuleNorm) -> str:
    return "drops it" if isinstance(norm.body, m.IgnoreNorm) else "replaces it"


def _same(one: RuleNorm, other: RuleNorm) -> bool:
    """Two that do the same do not disagree."""
    a, b = one.body, other.body
    if isinstance(a, m.IgnoreNorm) or isinstance(b, m.IgnoreNorm):
        return isinstance(a, m.IgnoreNorm) and isinstance(b, m.IgnoreNorm)
    return isinstance(a, m.EventNorm) and isinstance(b, m.EventNorm) and a.body == b.body


def _decided(court: Court, one: Applying, other: Applying) -> Iterator[Remark]:
    placed = court.happening((one.norm, other.norm), one.when, other.when)
    found = court.possible(("one", one.when), ("other", other.when), ("it can happen", placed))
    if not isinstance(found, Case) or found.state is None:
        return
    for winner, loser in ((one.norm, other.norm), (other.norm, one.norm)):
        ground = court.ground(winner, loser, found.state)
        if ground is not None:
            yield from in_order(court, winner, loser, ground)
            return


CHECK = Check("two outcomes of an event", "contradiction", suspect)
