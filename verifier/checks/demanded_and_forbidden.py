"""LX902: an action that one rule demands and another forbids, no other way to meet the duty, and nothing decides."""

from __future__ import annotations

from collections.abc import Iterator

from rules.machine.norms import RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.sym import Sym
from solver.terms import Flag, both, no
from solver.verdict import Proved
from verifier.checks.open_points import disagree
from verifier.checks.pairs import pair_of, suspicion, which_first
from verifier.court import Court
from verifier.duties import at_odds, met, rests
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark, Suspicion


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
    known: dict[object, Flag] = {}  # when each duty can be met
    with encoder.apart():
        args = encoder.parts(verb)
        owed = [one for one in encoder.matching(duties, verb, args) if not rests(one.norm)]
        against = encoder.matching(prohibitions, verb, args)
        payable = encoder.payable(verb, args)
        for duty in owed:
            for ban in against:
                looked.things += 1
                if pair_of(duty.norm, ban.norm) in told or court.machine.restated.are_versions(
                    duty.norm.name, ban.norm.name
                ):
                    continue  # two versions of one statement that differ are told as such
                undecided = both(at_odds(court, duty, ban, against), payable)
                if undecided is False or _never(court, verb, args, undecided):
                    continue
                told.add(pair_of(duty.norm, ban.norm))
                found = _settled(court, verb, args, duty, ban, undecided, known)
                if found is not None:
                    yield found


def _never(court: Court, verb: str, args: tuple[Sym, ...], condition: Flag) -> bool:
    return isinstance(court.possible(("it holds", condition), ("asked", court.asked(verb, args, condition))), Proved)


def _settled(
    court: Court,
    verb: str,
    args: tuple[Sym, ...],
    duty: Applying,
    ban: Applying,
    undecided: Flag,
    known: dict[object, Flag],
) -> Suspicion | None:
    """The suspicion, unless the duty can then always be met in another way.

    Where there are too many ways to look at one by one, only play can show it.
    """
    message = (
        f"`{duty.norm.name}` demands `{verb}` where `{ban.norm.name}` forbids it, and nothing says which goes before"
    )
    places = (court.place(duty.norm, "demands it"), court.place(ban.norm, "forbids it"))
    hint = which_first(duty.norm, ban.norm) + ", or make the duty one `if possible`"
    finding = Finding("LX902", message, places, "possible", "the solver", hint=hint)
    try:
        if duty.norm.key not in known:
            known[duty.norm.key] = met(court, verb, args, duty)
        condition = both(undecided, no(known[duty.norm.key]))
    except NotEncodable as reason:
        court.cannot_encode(duty.norm.name, reason)
        return Suspicion(finding, shown_by_fact=disagree(duty.norm, ban.norm), only_by_play=True)
    found = court.possible(("undecided", condition), ("asked", court.asked(verb, args, condition)))
    if isinstance(found, Proved):
        return None
    return suspicion(
        court,
        finding,
        found,
        condition,
        court.telling_move(verb),
        duty.norm,
        ban.norm,
        outcomes=court.move_under_policies(verb),
    )


CHECK = Check("demanded and forbidden", "contradiction", suspect)
