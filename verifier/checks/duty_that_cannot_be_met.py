"""LX936: a `must` that applies where there is no legal way to do what it asks for, and no `if possible`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

from rules import model as m
from rules.machine.norms import RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.sym import Sym, lift
from solver.play import Fact
from solver.terms import Flag, Term, both, either, every, no, some, variables_of
from solver.verdict import Proved
from verifier.court import Court
from verifier.finding import Finding
from verifier.stopping import open_points, suspicion, witnessed
from verifier.suspicion import Check, Looked, Remark

_MOST = 150  # ways of doing what a duty asks for that are weighed one by one
_HINT = "say `if possible`, or allow a way to do it wherever the duty applies"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for norm in _duties(court):
        looked.things += 1
        try:
            unmet = _unmet(court, norm)
        except NotEncodable as reason:
            court.cannot_encode(norm.name, reason)
            continue
        if unmet is False:
            continue
        found = court.possible(("unmet", unmet), ("asked", _asked(court, norm, unmet)))
        if not isinstance(found, Proved):
            court.suspected.add(("LX936", norm.key))
            places = (court.place(norm, "demands it"),)
            yield suspicion(court, "LX936", _message(norm), places, _HINT, found, _shown(norm))


def _duties(court: Court) -> list[RuleNorm]:
    return [
        norm
        for norm in court.machine.norms
        if isinstance(norm.body, m.ModalNorm)
        and norm.body.modal == "must"
        and not norm.body.if_possible
        and court.machine.restated.names(norm.name).isdisjoint(court.machine.resting)
        and not court.machine.restated.repeats(norm)
    ]


def _verbs(norm: RuleNorm) -> list[str]:
    assert isinstance(norm.body, m.ModalNorm)
    return list(dict.fromkeys(phrase.verb.text for phrase in norm.body.phrases))


def _message(norm: RuleNorm) -> str:
    verbs = " or ".join(_verbs(norm))
    return f"`{norm.name}` demands `{verbs}` where there is no legal way to do it"


def _unmet(court: Court, norm: RuleNorm) -> Flag:
    """The duty applies to some way, and no way of all is legal, or forbidden only: that is a contradiction.

    What a limit holds back is not modelled: it is taken to hold nothing back, and play shows where it does.
    """
    owed: list[Flag] = []
    met: list[Flag] = []
    for verb in _verbs(norm):
        for args in _ways(court, verb, norm):
            with court.encoder.apart():
                duty = some(one.when for one in court.encoder.matching([norm], verb, args))
                if duty is False:
                    continue
                weighed = court.encoder.weigh(verb, args)
                payable = court.encoder.payable(verb, args)
            owed.append(duty)
            judged = some(one.when for one in weighed.allowing)
            only_forbidden = both(judged, some(one.when for one in weighed.forbidding), payable)
            met.append(both(duty, either(weighed.legal, weighed.clash, only_forbidden)))
    unmet = both(some(owed), every(no(one) for one in met))
    return both(unmet, every(v for v in _variables(unmet) if v.args[0][0] == "within limits"))


def _variables(term: Flag) -> Iterable[Term]:
    return variables_of(term) if isinstance(term, Term) else ()


def _ways(court: Court, verb: str, norm: RuleNorm) -> Iterator[tuple[Sym, ...]]:
    """All ways of doing an action for any actor: the same for all actions that a duty speaks of."""
    world, symbol = court.machine.world, court.machine.verbs[verb]
    actor = court.encoder.parts(_verbs(norm)[0])[court.machine.by_of(_verbs(norm)[0]) or 0]
    by = court.machine.by_of(verb)
    domains = [
        [actor] if place == by else [lift(value, type_, world) for value in world.domain(type_)]
        for place, type_ in enumerate(symbol.types)
    ]
    size = 1
    for domain in domains:
        size *= len(domain)
    if size > _MOST:
        raise NotEncodable(f"there are {size:,} ways to do `{verb}`", norm.body.span)
    yield from product(*domains)


def _asked(court: Court, norm: RuleNorm, unmet: Flag) -> Flag:
    first = _verbs(norm)[0]
    by = court.machine.by_of(first)
    assert by is not None
    actor = court.encoder.parts(first)[by]
    found: list[Flag] = []
    for verb in _verbs(norm):
        place = court.machine.by_of(verb)
        parts = tuple(actor if i == place else part for i, part in enumerate(court.encoder.parts(verb)))
        found.append(court.asked(verb, parts, unmet))
    return some(found)


def _shown(norm: RuleNorm) -> Callable[[Fact], bool]:
    return lambda fact: fact.kind == "open" and fact.what[0] == "unmet" and fact.what[2] == ((norm.key,),)


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    for norm in _duties(court):
        if ("LX936", norm.key) in court.suspected:
            continue
        shown = _shown(norm)
        found = [(fact, evidence) for fact, evidence in open_points(court, "unmet") if shown(fact)]
        if found:
            fact, evidence = min(found, key=lambda one: one[1].length)
            places = (court.place(norm, "demands it"),)
            yield witnessed(court, "LX936", _message(norm), places, _HINT, fact, evidence)


CHECK = Check("duties that cannot be met", "gap", suspect, conclude)
