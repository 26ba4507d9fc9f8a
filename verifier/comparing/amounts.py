"""Values, endings, tables, ranks and what actions do, on two sides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import ValueSymbol
from solver.encode.saying import Saying, Subject
from solver.encode.sym import Bag, Group, Row, Sym, alike
from solver.terms import Flag, both, either, no, same, some
from solver.verdict import Proved, Unknown
from verifier.comparing.comparison import Different, Says
from verifier.comparing.sides import Pair, Shown, Side

_MOST_KEYS = 3_000


def values_apart(pair: Pair, name: str, symbols: tuple[ValueSymbol, ValueSymbol]) -> Iterator[Different | Unknown]:
    """Raises `NotEncodable` where a rule has no form as a term."""
    subject = Subject("value", name, symbols[1].params, name)
    other, quiet, halted, rest = _value(pair, pair.other, symbols[1], subject)
    one, silent, stopped, mine = _value(pair, pair.one, symbols[0], subject)
    differ = either(no(same(silent, quiet)), both(no(silent), no(quiet), no(alike(one, other))))
    found = pair.possible(mine, rest, ("differ", differ), ("answered", no(either(stopped, halted))))
    if isinstance(found, Proved):
        return
    if isinstance(found, Unknown):
        yield found
        return
    world = pair.other.court.machine.world
    args = _args(pair, subject, found)
    shown = [world.show(arg, type_) for arg, type_ in zip(args, subject.types, strict=True)]
    listed = f" of {shown[0]}" if len(shown) == 1 else f" of ({', '.join(shown)})" if shown else ""
    says = [
        _value_in(side, symbol, args, state)
        for side, symbol, state in zip((pair.one, pair.other), symbols, found.states, strict=True)
    ]
    confirmed = all(says) and says[0] != says[1]
    both_say = [Says(words) if words else Says("something else") for words in says]
    yield Different("value", name, f"{name}{listed}", both_say[0], both_say[1], found.situation.facts, confirmed)


def _value(pair: Pair, side: Side, symbol: ValueSymbol, subject: Subject) -> tuple[Sym, Flag, Flag, list[Flag]]:
    encoder = side.court.encoder
    with side.speaking((m.ValueNorm, m.Case)), encoder.apart() as troubles:
        parts = Saying(encoder).parts(subject)
        value = encoder.value_of(symbol, parts)
    silent = some(t.when for t in troubles if t.kind == "gap")
    stopped = some(t.when for t in troubles if t.kind != "gap")
    raw = [silent, stopped, value.none, value.absent, *_terms(value.payload)]
    if side is not pair.one:
        return value, silent, stopped, raw
    over = pair.bridge.over
    brought = Sym(_brought(value.payload, pair), over(value.none), over(value.absent))
    return brought, over(silent), over(stopped), raw


def _terms(payload: Any) -> list[Any]:
    match payload:
        case Group(members=members):
            return list(members.values())
        case Bag(counts=counts):
            return list(counts.values())
        case Row(members=members, places=places):
            return [*members.values(), *places.values()]
        case str():
            return []
        case _:
            return [payload]


def _brought(payload: Any, pair: Pair) -> Any:
    over = pair.bridge.over
    match payload:
        case Group(members=members):
            return Group({key: over(term) for key, term in members.items()})
        case Bag(counts=counts):
            return Bag({key: over(term) for key, term in counts.items()})  # type: ignore[arg-type]
        case Row(members=members, places=places):
            return Row({k: over(t) for k, t in members.items()}, {k: over(t) for k, t in places.items()})  # type: ignore[arg-type]
        case str():
            return payload
        case _:
            return over(payload)


def _args(pair: Pair, subject: Subject, shown: Shown) -> tuple[Value, ...]:
    world = pair.other.court.machine.world
    return tuple(
        shown.situation.parts.get((subject, place), world.domain(type_)[0]) for place, type_ in enumerate(subject.types)
    )


def _value_in(side: Side, symbol: ValueSymbol, args: tuple[Value, ...], state: State | None) -> str:
    """What the interpreter of a side says; nothing where it cannot be asked for this side alone."""
    if state is None or side.left_out:
        return ""
    try:
        value = side.court.machine.value_of(symbol, args, state)
    except Gap:
        return "no rule says it"
    except (Undetermined, Broken):
        return ""
    return "nothing" if value is NOTHING else side.court.machine.world.show(value, symbol.type)


# ---- endings --------------------------------------------------------------------------------------------------------


def endings_apart(pair: Pair, result: str) -> Iterator[Different | Unknown]:
    """For whom the rules say that they win, or lose, on one side and not on the other."""
    second, first = (_ending(pair, side, result) for side in (pair.other, pair.one))
    if first is None or second is None:
        return
    one, mine, rules, subject = first
    other, rest, others, _ = second
    found = pair.possible(mine, rest, ("differ", no(same(one, other))))
    if isinstance(found, Proved):
        return
    if isinstance(found, Unknown):
        yield found
        return
    (player,) = _args(pair, subject, found)
    shown = pair.other.court.machine.world.show(player, subject.types[0])
    says = [
        _said(side, names, player, state)
        for side, names, state in zip((pair.one, pair.other), (rules, others), found.states, strict=True)
    ]
    confirmed = None not in says and says[0] != says[1]
    told = [one if one is not None else Says("something else") for one in says]
    yield Different("outcome", result, f"{shown} {result}", told[0], told[1], found.situation.facts, confirmed)


def _ending(pair: Pair, side: Side, result: str) -> tuple[Flag, list[Flag], list[RuleNorm], Subject] | None:
    saying = Saying(side.court.encoder)
    norms = [
        norm
        for norm in side.norms()
        if isinstance(norm.body, m.OutcomeNorm)
        and norm.body.outcome.result == result
        and norm.body.outcome.player is not None
    ]
    if side.court.checked.players is None:
        return None
    types = (side.court.checked.kinds[side.court.checked.players].type,)
    subject = Subject("outcome", True, types, result)
    with side.court.encoder.apart():
        parts = saying.parts(subject)
        when = some(one.when for norm in norms for one in saying.of(norm, subject, parts))
    return (pair.bridge.over(when) if side is pair.one else when), [when], norms, subject


def _said(side: Side, norms: list[RuleNorm], player: Value, state: State | None) -> Says | None:
    if state is None:
        return None
    try:
        found = list(side.court.machine._outcomes(norms, state))
    except (Undetermined, Gap, Broken):
        return None
    rules = dict.fromkeys(applied.norm.name for who, _, applied in found if who == player)
    return Says("yes", tuple(rules)) if rules else Says("no")
