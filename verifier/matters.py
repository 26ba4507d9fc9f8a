"""Matters: what norms can disagree on. An action, a value, an event that is replaced or dropped, who wins.

In: a court. Out: each matter once, with the norms that speak of it as terms over shared variables, and the pairs that
can meet and say different things. What cannot be encoded is noted with the court, and its rules in `unseen`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import ValueSymbol
from rules.types import KindT
from solver.encode.events import AnyEvent, Events, same_instead
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.sym import alike
from solver.terms import Flag, both, no

if TYPE_CHECKING:
    from verifier.court import Court


@dataclass(frozen=True, slots=True)
class Pair:
    """Two norms of one matter, in the order of the book. `meet`: both apply, and say different things."""

    matter: Matter = field(repr=False)
    one: Applying
    other: Applying
    meet: Flag


@dataclass(frozen=True, slots=True)
class Matter:
    """`words` name it in a sentence. `says` tells what a norm says of it, as a part in a finding."""

    words: str
    norms: tuple[Applying, ...]
    differ: Callable[[int, int], Flag] = field(repr=False)
    asked: Callable[[Iterable[Flag]], Flag] = field(repr=False)
    says: Callable[[RuleNorm], str] = field(repr=False)

    def pairs(self) -> Iterator[Pair]:
        for (a, one), (b, other) in combinations(enumerate(self.norms), 2):
            if both(one.when, other.when) is False:
                continue
            meet = both(one.when, other.when, self.differ(a, b))
            if meet is not False:
                yield Pair(self, one, other, meet)


@dataclass(frozen=True, slots=True)
class Matters:
    all: tuple[Matter, ...]
    unseen: frozenset[str]  # rules that speak of what has no form as a term


def matters_of(court: Court) -> Matters:
    found: list[Matter] = []
    unseen: set[str] = set()
    for names, make in _makers(court):
        try:
            with court.encoder.apart():
                found += make()
        except NotEncodable as reason:
            for name in names:
                court.cannot_encode(name, reason)
                unseen.add(name)
    return Matters(tuple(found), frozenset(unseen))


Maker = tuple[tuple[str, ...], Callable[[], list[Matter]]]


def _makers(court: Court) -> Iterator[Maker]:
    machine = court.machine
    for verb in machine.actions:
        permits, duties, prohibitions = machine.by_modal(verb)
        if prohibitions and (permits or duties) and machine.by_of(verb) is not None:
            yield _names((*permits, *duties, *prohibitions)), partial(_of_action, court, verb)
    for node in machine.values.values():
        symbol = machine.checked.symbol_of(node.name)
        assert isinstance(symbol, ValueSymbol)
        rules = machine.value_norms.get(id(symbol), [])
        if node.combine is None and len(rules) + len(node.cases) > 1:
            names = tuple(dict.fromkeys((node.name.text, *_names(rules))))
            yield names, partial(_of_value, court, node, symbol)
    for key, norms in machine.reactions.items():
        taking = [norm for norm in norms if _takes_over(norm)]
        if len(taking) > 1:
            yield _names(taking), partial(_of_event, court, key, taking)
    if len(machine.endings) > 1:
        yield _names(machine.endings), partial(_of_outcome, court, machine.endings)


def _names(norms: Iterable[RuleNorm]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(norm.name for norm in norms))


# ---- actions --------------------------------------------------------------------------------------------------------


def _of_action(court: Court, verb: str) -> list[Matter]:
    permits, duties, prohibitions = court.machine.by_modal(verb)
    args = court.encoder.parts(verb)
    norms = sorted((*permits, *duties, *prohibitions), key=lambda norm: norm.order)
    found = court.encoder.matching(norms, verb, args)

    def differ(one: int, other: int) -> Flag:
        return _forbids(found[one].norm) != _forbids(found[other].norm)

    def asked(terms: Iterable[Flag]) -> Flag:
        return court.asked(verb, args, *terms)

    return [Matter(f"`{verb}`", tuple(found), differ, asked, _modal_says)]


def _forbids(norm: RuleNorm) -> bool:
    return isinstance(norm.body, m.ModalNorm) and norm.body.modal == "cannot"


def _modal_says(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ModalNorm)
    return {"may": "allows it", "must": "demands it", "cannot": "forbids it"}[norm.body.modal]


# ---- values ---------------------------------------------------------------------------------------------------------


def _of_value(court: Court, node: m.Value, symbol: ValueSymbol) -> list[Matter]:
    encoder = court.encoder
    args = tuple(encoder.symbolic(("argument", symbol.name, place), type_) for place, type_ in enumerate(symbol.params))
    cases = [one for one in encoder.cases_of(symbol, args) if _op(one.norm) == "is"]
    values = [encoder.case_value(case) for case in cases]

    def differ(one: int, other: int) -> Flag:
        return no(alike(values[one], values[other]))

    return [Matter(f"`{node.name.text}`", tuple(cases), differ, _anywhere, _case_says)]


def _op(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ValueNorm | m.Case)
    return norm.body.op


def _case_says(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ValueNorm | m.Case)
    return f"says {norm.body.value.span.text}"


def _anywhere(_terms: Iterable[Flag]) -> Flag:
    return True


# ---- events ---------------------------------------------------------------------------------------------------------


def _takes_over(norm: RuleNorm) -> bool:
    return isinstance(norm.body, m.IgnoreNorm) or (
        isinstance(norm.body, m.EventNorm) and norm.body.timing == "instead of"
    )


def _of_event(court: Court, key: tuple[object, ...], norms: list[RuleNorm]) -> list[Matter]:
    events = Events(court.encoder)
    return [_of_one_event(events, event, norms) for event in events.of_key(key)]


def _of_one_event(events: Events, event: AnyEvent, norms: list[RuleNorm]) -> Matter:
    found = [one for norm in norms for one in events.reacting(norm, event)]

    def differ(one: int, other: int) -> Flag:
        return no(same_instead(found[one], found[other], events.machine.shapes))

    return Matter(f"what happens when `{event.words}`", tuple(found), differ, _anywhere, _instead_says)


def _instead_says(norm: RuleNorm) -> str:
    return "drops it" if isinstance(norm.body, m.IgnoreNorm) else "puts something in its place"


# ---- who wins -------------------------------------------------------------------------------------------------------


def _of_outcome(court: Court, norms: list[RuleNorm]) -> list[Matter]:
    players = court.machine.checked.players
    encoder = court.encoder
    who = None if players is None else encoder.symbolic(("outcome of",), KindT(players))
    found: list[Applying] = []
    for norm in norms:
        assert isinstance(norm.body, m.OutcomeNorm)
        for env in encoder.bindings(norm):
            fits = True if who is None else encoder.is_meant(norm.body.outcome.player, who, env)
            with encoder.under(fits):
                when = both(fits, encoder.applies(norm, env))
            if when is not False:
                found.append(Applying(norm, env, when))

    def differ(one: int, other: int) -> Flag:
        a, b = found[one].norm.body, found[other].norm.body
        assert isinstance(a, m.OutcomeNorm)
        assert isinstance(b, m.OutcomeNorm)
        nobody = [body.outcome.player is None for body in (a, b)]
        if any(nobody):
            return nobody[0] != nobody[1] and a.outcome.result == b.outcome.result == "wins"
        return a.outcome.result != b.outcome.result

    return [Matter("who wins", tuple(found), differ, _anywhere, _outcome_says)]


def _outcome_says(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.OutcomeNorm)
    who = "nobody" if norm.body.outcome.player is None else norm.body.outcome.player.span.text
    return f"says that {who} {norm.body.outcome.result}"
