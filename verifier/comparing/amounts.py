"""Values, endings, tables, ranks and what actions do, on two sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Applied, Gap, RuleNorm, Undetermined
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
    other = _value(pair, pair.other, symbols[1], subject)
    one = _value(pair, pair.one, symbols[0], subject)
    unlike = no(either(one.silent, one.open, other.silent, other.open, alike(one.value, other.value)))
    differ = either(no(same(one.silent, other.silent)), no(same(one.open, other.open)), unlike)
    answered = no(either(one.stopped, other.stopped))
    found = pair.possible(one.raw, other.raw, ("differ", differ), ("answered", answered))
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


@dataclass(frozen=True, slots=True)
class _Value:
    """What a side says of a value, in the shared space; `raw` are its own terms."""

    value: Sym
    silent: Flag  # no rule says it
    open: Flag  # rules disagree
    stopped: Flag  # it cannot be asked
    raw: list[Flag]


def _value(pair: Pair, side: Side, symbol: ValueSymbol, subject: Subject) -> _Value:
    encoder = side.court.encoder
    with side.speaking((m.ValueNorm, m.Case)), encoder.apart() as troubles:
        parts = Saying(encoder).parts(subject)
        value = encoder.value_of(symbol, parts)
    kinds = ("gap", "undetermined", "broken")
    silent, open_, stopped = (some(t.when for t in troubles if t.kind == kind) for kind in kinds)
    silent = both(silent, no(open_))
    raw = [silent, open_, stopped, value.none, value.absent, *_terms(value.payload)]
    if side is not pair.one:
        return _Value(value, silent, open_, stopped, raw)
    over = pair.bridge.over
    brought = Sym(_brought(value.payload, pair), over(value.none), over(value.absent))
    return _Value(brought, over(silent), over(open_), over(stopped), raw)


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
    except Undetermined:
        return "undetermined"
    except Broken:
        return ""
    return "nothing" if value is NOTHING else side.court.machine.world.show(value, symbol.type)


# ---- endings --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Outcome:
    """When a side says of a player that he wins, that he loses, or both and nothing decides."""

    wins: Flag
    loses: Flag
    open: Flag
    raw: list[Flag]


def endings_apart(pair: Pair) -> Iterator[Different | Unknown]:
    """For whom the rules say otherwise on one side than on the other."""
    players = pair.one.court.checked.players
    if players is None or pair.other.court.checked.players is None:
        return
    subject = Subject("outcome", True, (pair.other.court.checked.kinds[players].type,), "outcome")
    other = _outcome(pair, pair.other, subject)  # first: what the one asks of the past is looked up among its questions
    one = _outcome(pair, pair.one, subject)
    alike_ = both(same(one.wins, other.wins), same(one.loses, other.loses), same(one.open, other.open))
    found = pair.possible(one.raw, other.raw, ("differ", no(alike_)))
    if isinstance(found, Proved):
        return
    if isinstance(found, Unknown):
        yield found
        return
    (player,) = _args(pair, subject, found)
    shown = pair.other.court.machine.world.show(player, subject.types[0])
    says = [_said(side, player, state) for side, state in zip((pair.one, pair.other), found.states, strict=True)]
    confirmed = None not in says and says[0] != says[1]
    told = [one if one is not None else Says("something else") for one in says]
    yield Different(
        "outcome", "outcome", f"what becomes of {shown}", told[0], told[1], found.situation.facts, confirmed
    )


def _endings(side: Side, result: str) -> list[RuleNorm]:
    return [
        norm
        for norm in side.norms()
        if isinstance(norm.body, m.OutcomeNorm)
        and norm.body.outcome.result == result
        and norm.body.outcome.player is not None
    ]


def _outcome(pair: Pair, side: Side, subject: Subject) -> _Outcome:
    encoder = side.court.encoder
    saying = Saying(encoder)
    with encoder.apart():
        parts = saying.parts(subject)
        winning, losing = (
            [one for norm in _endings(side, result) for one in saying.of(norm, subject, parts)]
            for result in ("wins", "loses")
        )
        won, lost = some(one.when for one in winning), some(one.when for one in losing)
        up = some(encoder.stands(one, losing) for one in winning)
        down = some(encoder.stands(one, winning) for one in losing)
    open_ = both(won, lost, same(up, down))
    raw = [both(up, no(open_)), both(down, no(open_)), open_]
    wins, loses, undecided = (pair.bridge.over(term) if side is pair.one else term for term in raw)
    return _Outcome(wins, loses, undecided, raw)


def _said(side: Side, player: Value, state: State | None) -> Says | None:
    if state is None:
        return None
    machine = side.court.machine
    applied: dict[str, list[Applied]] = {}
    try:
        for result in ("wins", "loses"):
            for who, _, one in machine._outcomes(_endings(side, result), state):
                if who == player:
                    applied.setdefault(result, []).append(one)
        if not applied:
            return Says("the game goes on")
        place, decided = machine.precedence.decide("wins and loses", list(applied.values()), state)
    except Undetermined as clash:
        return Says("undetermined", tuple(dict.fromkeys(norm.name for side in clash.sides for norm in side)))
    except (Gap, Broken):
        return None
    return Says(list(applied)[place], tuple(dict.fromkeys(one.norm.name for one in decided.winners)))
