"""LX901: an action that one rule allows and another forbids, and nothing says which goes before."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.machine.world import Value
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.play import Fact
from solver.terms import both
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Witness
from verifier.judgement import Decided
from verifier.suspicion import Check, Looked, Remark, Suspicion


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for verb in court.machine.actions:
        permits, _, prohibitions = court.machine.by_modal(verb)
        if not permits or not prohibitions or court.machine.by_of(verb) is None:
            continue
        try:
            yield from _suspicions(court, verb, permits, prohibitions, looked)
        except NotEncodable as reason:
            for norm in (*permits, *prohibitions):
                court.cannot_encode(norm.name, reason)


def _suspicions(
    court: Court, verb: str, permits: list[RuleNorm], prohibitions: list[RuleNorm], looked: Looked
) -> Iterator[Remark]:
    encoder = court.encoder
    with encoder.apart():
        args = encoder.parts(verb)
        allowing = encoder.matching(permits, verb, args)
        against = encoder.matching(prohibitions, verb, args)
        seen: set[tuple[object, object]] = set()
        for one in allowing:
            for other in against:
                looked.things += 1
                meet = both(one.when, other.when)
                if meet is False or (one.norm.key, other.norm.key) in seen:
                    continue
                undecided = both(encoder.stands(one, against), encoder.stands(other, allowing))
                asked = court.asked(verb, args, undecided)
                found = court.possible(
                    ("allowed", one.when), ("forbidden", other.when), ("undecided", undecided), ("asked", asked)
                )
                if isinstance(found, Proved):
                    yield from _decided(court, verb, one, other)
                    continue
                seen.add((one.norm.key, other.norm.key))
                yield _suspicion(court, verb, one, other, found)


def _suspicion(court: Court, verb: str, one: Applying, other: Applying, found: Case | Unknown) -> Suspicion:
    places = (court.place(one.norm, "allows it"), court.place(other.norm, "forbids it"))
    message = (
        f"`{one.norm.name}` allows `{verb}` where `{other.norm.name}` forbids it, and nothing says which goes before"
    )
    hint = f"say which goes before: `{one.norm.name}` with `overrides {other.norm.name}`, or a line of `precedence`"

    def shown(fact: Fact) -> bool:
        if fact.kind != "open" or fact.what[0] != "undetermined":
            return False
        sides = fact.what[2]
        return any(one.norm.key in side for side in sides) and any(other.norm.key in side for side in sides)

    if isinstance(found, Unknown):
        return Suspicion(
            Finding("LX901", message, places, "unknown", found.reason, None, (), hint), shown_by_fact=shown
        )
    move = court.machine.show_move(verb, court.move_in(found, verb))
    witness = Witness((*found.situation.facts, f"the move: {move}"), None, court.seats)
    return Suspicion(
        Finding("LX901", message, places, "possible", "the solver", witness, (), hint), found, shown_by_fact=shown
    )


def _decided(court: Court, verb: str, one: Applying, other: Applying) -> Iterator[Remark]:
    """Where both can apply and the book puts them in order, that is worth knowing, but no finding."""
    encoder = court.encoder
    both_apply = court.possible(
        ("allowed", one.when),
        ("forbidden", other.when),
        ("asked", court.asked(verb, encoder.parts(verb), one.when, other.when)),
    )
    if not isinstance(both_apply, Case) or both_apply.state is None:
        return
    state: State = both_apply.state
    args: tuple[Value, ...] = court.move_in(both_apply, verb)
    legal = court.machine.weigh(verb, args, state)
    for defeat in legal.defeats:
        pair = (defeat.winner.norm, defeat.loser.norm)
        if {norm.key for norm in pair} == {one.norm.key, other.norm.key}:
            rule = defeat.ground.rule
            places = (court.place(pair[0], "goes before"), court.place(pair[1], "gives way"))
            yield Decided(places, pair[0].name, defeat.ground.words, _cites(rule))


def _cites(rule: object) -> tuple[str, ...]:
    return cited(m.Clauses(cites=rule.cites)) if isinstance(rule, m.MetaRule) else ()


CHECK = Check("allowed and forbidden", "contradiction", suspect)
