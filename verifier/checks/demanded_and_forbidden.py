"""LX902: an action that one rule demands and another forbids, no other way to meet the duty, and nothing decides."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rules import model as m
from rules.machine.norms import RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.sym import Sym, lift
from solver.terms import Flag, both, either, no, some
from solver.verdict import Proved
from verifier.checks.pairs import pair_of, suspicion, which_first
from verifier.court import Court
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark

_MOST_WAYS = 150  # ways of meeting a duty that are looked at one by one


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for verb in court.machine.actions:
        _, duties, prohibitions = court.machine.by_modal(verb)
        if not duties or not prohibitions or court.machine.by_of(verb) is None:
            continue
        try:
            yield from _pairs(court, verb, duties, prohibitions, looked)
        except NotEncodable as reason:
            for norm in (*duties, *prohibitions):
                court.cannot_encode(norm.name, reason)


def _pairs(
    court: Court, verb: str, duties: list[RuleNorm], prohibitions: list[RuleNorm], looked: Looked
) -> Iterator[Remark]:
    encoder = court.encoder
    told: set[tuple[object, object]] = set()
    with encoder.apart():
        args = encoder.parts(verb)
        owed = [one for one in encoder.matching(duties, verb, args) if not _rests(one.norm)]
        against = encoder.matching(prohibitions, verb, args)
        for duty in owed:
            met: Flag | None = None
            for ban in against:
                looked.things += 1
                if both(duty.when, ban.when) is False or pair_of(duty.norm, ban.norm) in told:
                    continue
                if met is None:
                    met = _met(court, verb, args, duty)
                undecided = both(_stands(court, duty, against), _stands(court, ban, [duty]), no(met))
                payable = encoder.payable(verb, args)
                asked = court.asked(verb, args, undecided, payable)
                found = court.possible(("undecided", undecided), ("payable", payable), ("asked", asked))
                if isinstance(found, Proved):
                    continue
                told.add(pair_of(duty.norm, ban.norm))
                message = (
                    f"`{duty.norm.name}` demands `{verb}` where `{ban.norm.name}` forbids it, "
                    "and nothing says which goes before"
                )
                places = (court.place(duty.norm, "demands it"), court.place(ban.norm, "forbids it"))
                hint = which_first(duty.norm, ban.norm) + ", or make the duty one `if possible`"
                finding = Finding("LX902", message, places, "possible", "the solver", hint=hint)
                yield suspicion(
                    court,
                    finding,
                    found,
                    undecided,
                    court.telling_move(verb),
                    duty.norm,
                    ban.norm,
                    outcomes=court.move_under_policies(verb),
                )


def _rests(norm: RuleNorm) -> bool:
    return isinstance(norm.body, m.ModalNorm) and norm.body.if_possible


def _stands(court: Court, one: Applying, rivals: list[Applying]) -> Flag:
    """A prohibition that applies and goes before the duty settles the point, whichever of them it is."""
    return court.encoder.stands(one, rivals)


def _met(court: Court, verb: str, args: tuple[Sym, ...], duty: Applying) -> Flag:
    """That some legal way meets the duty of the same actor."""
    encoder, world = court.encoder, court.machine.world
    by = court.machine.by_of(verb)
    types = court.machine.verbs[verb].types
    domains = [
        [args[place]] if place == by else [lift(value, type_, world) for value in world.domain(type_)]
        for place, type_ in enumerate(types)
    ]
    ways = 1
    for domain in domains:
        ways *= len(domain)
    if ways > _MOST_WAYS:
        raise NotEncodable(f"a duty that can be met in {ways:,} ways is not looked at one by one", duty.norm.body.span)
    found: list[Flag] = []
    for way in product(*domains):
        owed = some(one.when for one in encoder.matching([duty.norm], verb, way))
        if owed is not False:
            found.append(both(owed, encoder.weigh(verb, way).legal))
    return either(*found) if found else False


CHECK = Check("demanded and forbidden", "contradiction", suspect)
