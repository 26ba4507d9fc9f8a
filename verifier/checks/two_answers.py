"""LX904: a value for which two rules give different answers, and nothing says which goes before."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import ValueSymbol
from solver.encode.amounts import CaseOf
from solver.encode.expressions import NotEncodable
from solver.encode.situation import Situation
from solver.encode.sym import alike
from solver.terms import Flag, both, no
from solver.verdict import Proved, Unknown
from verifier.checks.pairs import in_order, pair_of, suspicion, which_first
from verifier.court import Case, Court
from verifier.finding import Finding
from verifier.suspicion import Check, Looked, Remark

_LONGEST = 60  # of what a case says


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for symbol in court.values:
        if court.machine.values[symbol.span].combine is not None:
            continue  # the book says how several answers become one
        try:
            yield from _pairs(court, symbol, looked)
        except NotEncodable as reason:
            court.cannot_encode(symbol.name, reason)


def _pairs(court: Court, symbol: ValueSymbol, looked: Looked) -> Iterator[Remark]:
    encoder = court.encoder
    with encoder.apart():
        args = tuple(encoder.symbolic(("of", symbol.name, i), type_) for i, type_ in enumerate(symbol.params))
        cases = [one for one in encoder.cases_of(symbol, args) if getattr(one.norm.body, "op", "") == "is"]
        judged = encoder.judged_cases(cases)
        told: set[tuple[object, object]] = set()
        for place, one in enumerate(judged):
            for other in judged[place + 1 :]:
                looked.things += 1
                pair = (one.applying.norm, other.applying.norm)
                differ = no(alike(one.value, other.value))
                meet = both(one.applying.when, other.applying.when, differ)
                if meet is False or pair_of(*pair) in told:
                    continue
                if court.machine.restated.are_versions(pair[0].name, pair[1].name):
                    continue  # two versions of one statement that differ are told as such
                undecided = both(one.stands, other.stands, differ)
                found = court.possible(("undecided", undecided))
                if isinstance(found, Proved):
                    yield from _decided(court, one, other, meet)
                    continue
                told.add(pair_of(*pair))
                yield _told(court, symbol, pair, found, undecided)


def _told(
    court: Court, symbol: ValueSymbol, pair: tuple[RuleNorm, RuleNorm], found: Case | Unknown, undecided: Flag
) -> Remark:
    says = [f"says {_said(norm)}" for norm in pair]
    places = tuple(court.place(norm, part) for norm, part in zip(pair, says, strict=True))
    names = f"`{pair[0].name}`" if pair[0].name == pair[1].name else f"`{pair[0].name}` and `{pair[1].name}`"
    if pair[0].name == pair[1].name:
        message = f"two cases of {names} give `{symbol.name}` different values, and nothing says which goes before"
    else:
        message = f"{names} give `{symbol.name}` different values, and nothing says which goes before"
    finding = Finding("LX904", message, places, "possible", "the solver", hint=which_first(*pair))
    return suspicion(court, finding, found, undecided, lambda found: _asked_of(court, symbol, found), *pair)


def _asked_of(court: Court, symbol: ValueSymbol, found: Situation) -> str:
    if not symbol.params:
        return ""
    world = court.machine.world
    args = [
        world.show(found.parts.get(("of", symbol.name, place), world.domain(type_)[0]), type_)
        for place, type_ in enumerate(symbol.params)
    ]
    return f"the value: {symbol.name} of {args[0] if len(args) == 1 else '(' + ', '.join(args) + ')'}"


def _decided(court: Court, one: CaseOf, other: CaseOf, meet: Flag) -> Iterator[Remark]:
    found = court.possible(("both say something", meet))
    if not isinstance(found, Case) or found.state is None:
        return
    a, b = one.applying.norm, other.applying.norm
    for winner, loser in ((a, b), (b, a)):
        ground = court.ground(winner, loser, found.state)
        if ground is not None:
            yield from in_order(court, winner, loser, ground)
            return


def _said(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ValueNorm | m.Case)
    words = " ".join(norm.body.value.span.text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 3] + "..."


CHECK = Check("two answers", "contradiction", suspect)
