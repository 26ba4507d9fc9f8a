"""LX901: an action that one rule allows and another forbids, and nothing says which goes before."""

from __future__ import annotations

from collections.abc import Iterator

from rules.machine.norms import RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.sym import Sym
from solver.terms import both
from solver.verdict import Proved
from verifier.checks.pairs import in_order, pair_of, suspicion, which_first
from verifier.court import Case, Court
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark


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
        for one in allowing:
            for other in against:
                looked.things += 1
                if both(one.when, other.when) is False or pair_of(one.norm, other.norm) in told:
                    continue
                undecided = both(encoder.stands(one, against), encoder.stands(other, allowing))
                asked = court.asked(verb, args, undecided)
                found = court.possible(("undecided", undecided), ("asked", asked))
                if isinstance(found, Proved):
                    yield from _decided(court, verb, args, one, other)
                    continue
                told.add(pair_of(one.norm, other.norm))
                message = (
                    f"`{one.norm.name}` allows `{verb}` where `{other.norm.name}` forbids it, "
                    "and nothing says which goes before"
                )
                places = (court.place(one.norm, "allows it"), court.place(other.norm, "forbids it"))
                hint = which_first(one.norm, other.norm)
                finding = Finding("LX901", message, places, "possible", "the solver", hint=hint)
                yield suspicion(
                    court,
                    finding,
                    found,
                    undecided,
                    court.telling_move(verb),
                    one.norm,
                    other.norm,
                    outcomes=court.move_under_policies(verb),
                )


def _decided(court: Court, verb: str, args: tuple[Sym, ...], one: Applying, other: Applying) -> Iterator[Remark]:
    """Where both can apply and the book puts them in order."""
    asked = court.asked(verb, args, one.when, other.when)
    found = court.possible(("allowed", one.when), ("forbidden", other.when), ("asked", asked))
    if not isinstance(found, Case) or found.state is None:
        return
    legal = court.machine.weigh(verb, court.move_in(found.situation, verb), found.state)
    for defeat in legal.defeats:
        if {defeat.winner.norm.key, defeat.loser.norm.key} == {one.norm.key, other.norm.key}:
            yield from in_order(court, defeat.winner.norm, defeat.loser.norm, defeat.ground)


CHECK = Check("allowed and forbidden", "contradiction", suspect)
