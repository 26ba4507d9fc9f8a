"""LX901: an action that one rule allows and another forbids, and nothing says which goes before."""

from __future__ import annotations

from collections.abc import Iterator

from rules.machine.norms import Applied, RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying, hangs_on_variables
from solver.encode.sym import Sym
from solver.terms import Flag, both
from solver.verdict import Proved, Unknown
from verifier.checks.pairs import in_order, pair_of, suspicion, which_first
from verifier.court import Case, Court
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark, Suspicion


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for verb in court.machine.actions:
        permits, _, prohibitions = court.machine.by_modal(verb)
        if not permits or not prohibitions or court.machine.by_of(verb) is None:
            continue
        try:
            yield from _pairs(court, verb, permits, prohibitions, looked)
        except NotEncodable as reason:
            for norm in (*permits, *prohibitions):
                court.cannot_encode(norm.name, reason)


def _pairs(
    court: Court, verb: str, permits: list[RuleNorm], prohibitions: list[RuleNorm], looked: Looked
) -> Iterator[Remark]:
    encoder = court.encoder
    told: set[tuple[object, object]] = set()
    with encoder.apart():
        args = encoder.parts(verb)
        allowing = encoder.matching(permits, verb, args)
        against = encoder.matching(prohibitions, verb, args)
        looked.things += len(allowing) * len(against)
        met = list(court.meeting(allowing, against))
        rivals: dict[int, list[Applying]] = {}  # by identity, those that can apply together with a norm
        for one, other in met:
            rivals.setdefault(id(one), []).append(other)
            rivals.setdefault(id(other), []).append(one)
        stands: dict[int, Flag] = {}
        for one, other in met:
            if pair_of(one.norm, other.norm) in told or court.machine.restated.are_versions(
                one.norm.name, other.norm.name
            ):
                continue  # two versions of one statement that differ are told as such
            if True in (encoder.precedes(one, other), encoder.precedes(other, one)):
                yield from _decided(court, verb, args, one, other)
                continue
            for norm in (one, other):
                if id(norm) not in stands:
                    stands[id(norm)] = encoder.stands(norm, rivals[id(norm)])
            undecided = both(stands[id(one)], stands[id(other)])
            found = court.possible(("undecided", undecided), ("asked", court.asked(verb, args, undecided)))
            if isinstance(found, Proved):
                yield from _decided(court, verb, args, one, other)
                continue
            told.add(pair_of(one.norm, other.norm))
            yield _suspicion(court, verb, one.norm, other.norm, found, undecided)


def _suspicion(
    court: Court, verb: str, one: RuleNorm, other: RuleNorm, found: Case | Unknown, undecided: Flag
) -> Suspicion:
    message = f"`{one.name}` allows `{verb}` where `{other.name}` forbids it, and nothing says which goes before"
    places = (court.place(one, "allows it"), court.place(other, "forbids it"))
    finding = Finding("LX901", message, places, "possible", "the solver", hint=which_first(one, other))
    return suspicion(
        court,
        finding,
        found,
        undecided,
        court.telling_move(verb),
        one,
        other,
        outcomes=court.move_under_policies(verb),
    )


def _decided(court: Court, verb: str, args: tuple[Sym, ...], one: Applying, other: Applying) -> Iterator[Remark]:
    """Where both can apply and the book puts them in order."""
    asked = court.asked(verb, args, one.when, other.when)
    if not hangs_on_variables(one.norm) and not hangs_on_variables(other.norm):
        if court.can_meet(one.when, other.when, asked):
            yield from _in_form(court, one, other)
        return
    found = court.possible(("allowed", one.when), ("forbidden", other.when), ("asked", asked))
    if not isinstance(found, Case) or found.state is None:
        return
    legal = court.machine.weigh(verb, court.move_in(found.situation, verb), found.state)
    for defeat in legal.defeats:
        if {defeat.winner.norm.key, defeat.loser.norm.key} == {one.norm.key, other.norm.key}:
            yield from in_order(court, defeat.winner.norm, defeat.loser.norm, defeat.ground)


def _in_form(court: Court, one: Applying, other: Applying) -> Iterator[Remark]:
    """Which of two goes before the other, where no state makes a difference to that."""
    pair = [Applied(norm.norm, dict.fromkeys(norm.env), norm.phrase) for norm in (one, other)]
    for winner, loser in (pair, reversed(pair)):
        ground = court.machine.precedence.precedes(winner, loser, court.space.start)
        if ground is not None:
            yield from in_order(court, winner.norm, loser.norm, ground)


CHECK = Check("allowed and forbidden", "contradiction", suspect)
