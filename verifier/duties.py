"""Where prohibitions leave no way to meet a duty and nothing says which goes before, as conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from rules import model as m
from rules.machine.norms import RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.legality import Weighed
from solver.encode.sym import Sym, lift
from solver.terms import Flag, both, no, some
from verifier.court import Court

_MOST_WAYS = 400  # ways of meeting a duty that are looked at one by one


def rests(norm: RuleNorm) -> bool:
    """Whether a duty rests where it cannot be met."""
    return isinstance(norm.body, m.ModalNorm) and norm.body.if_possible


def at_odds(court: Court, duty: Applying, ban: Applying, against: Sequence[Applying]) -> Flag:
    """A duty and a prohibition of one move apply, and neither gives way."""
    return both(court.encoder.stands(duty, against), court.encoder.stands(ban, [duty]))


def torn_between(
    court: Court, verb: str, args: tuple[Sym, ...], weighed: Weighed
) -> Iterator[tuple[Applying, Applying, Flag]]:
    """Duties and prohibitions of a move that nothing decides between, where the duty cannot be met in another way, each
    with when that is so. Raises `NotEncodable` where there are too many ways."""
    if not weighed.forbidding:
        return
    for duty in weighed.owed:
        if not rests(duty.norm):
            unmet = no(met(court, verb, args, duty))
            for ban in weighed.forbidding:
                when = both(at_odds(court, duty, ban, weighed.forbidding), unmet)
                if when is not False:
                    yield duty, ban, when


def met(court: Court, verb: str, args: tuple[Sym, ...], duty: Applying) -> Flag:
    """That some legal way meets the duty of the same actor, by any of the actions that it names."""
    by = court.machine.by_of(verb)
    assert by is not None
    assert isinstance(duty.norm.body, m.ModalNorm)
    verbs = dict.fromkeys(phrase.verb.text for phrase in duty.norm.body.phrases)
    ways = [(other, way) for other in verbs for way in _ways(court, other, args[by])]
    if len(ways) > _MOST_WAYS:
        words = f"a duty that can be met in {len(ways):,} ways is not looked at way by way"
        raise NotEncodable(words, duty.norm.body.span)
    found: list[Flag] = []
    for other, way in ways:
        owed = some(one.when for one in court.encoder.matching([duty.norm], other, way))
        if owed is not False:
            found.append(both(owed, _timely(court, other), court.encoder.weigh(other, way).legal))
    return some(found)


def _ways(court: Court, verb: str, actor: Sym) -> Iterator[tuple[Sym, ...]]:
    world, by = court.machine.world, court.machine.by_of(verb)
    types = court.machine.verbs[verb].types
    yield from product(
        *(
            [actor] if place == by else [lift(value, type_, world) for value in world.domain(type_)]
            for place, type_ in enumerate(types)
        )
    )


def _timely(court: Court, verb: str) -> Flag:
    during = court.machine.actions[verb].during
    return some(court.encoder.running(moment.text) for moment in during) if during else True
