"""Which moves are legal on one side and not on the other, each with a state, grouped by the rules that decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine.base import Broken, Legal
from rules.machine.norms import Gap, Undetermined
from rules.machine.state import State
from rules.machine.why import judge
from rules.machine.world import Value
from solver.encode.legality import Weighed
from solver.encode.sym import Sym
from solver.terms import Flag, both, either, evaluate, no, same, some, variables_of
from solver.verdict import Proved, Unknown
from verifier.comparing.comparison import Different, Says
from verifier.comparing.sides import Pair, Shown, Side
from verifier.duties import torn_between

_MOST_GROUPS = 6  # differences of one action that are told apart


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a side says of any move of an action, in the shared space; `raw` are its own terms."""

    legal: Flag  # and not undetermined
    clash: Flag
    must: Flag
    asked: Flag
    rules: dict[str, Flag]  # when each norm applies, by the name of its rule
    raw: list[Flag]


def moves_apart(pair: Pair, verb: str) -> Iterator[Different | Unknown]:
    """Raises `NotEncodable` where a rule has no form as a term."""
    other = _heard(pair, pair.other, verb)  # first: what the one asks of the past is looked up among its questions
    one = _heard(pair, pair.one, verb)
    differ = no(both(same(one.legal, other.legal), same(one.clash, other.clash), same(one.must, other.must)))
    told: Flag = False
    known: set[tuple[Says, Says]] = set()
    for _ in range(_MOST_GROUPS):
        found = pair.possible(
            one.raw,
            other.raw,
            ("differ", differ),
            ("told", no(told)),
            ("asked", either(one.asked, other.asked)),
        )
        if isinstance(found, Proved):
            return
        if isinstance(found, Unknown):
            yield found
            return
        different, names = _different(pair, verb, found, (one, other))
        if (different.one, different.other) in known:
            return  # nothing new to tell: the rules that decide do not tell the rest apart
        known.add((different.one, different.other))
        yield different
        if not any(names):
            return
        sides = [(heard, group) for heard, group in zip((one, other), names, strict=True) if group]
        told = either(told, both(*(some(heard.rules.get(name, False) for name in group) for heard, group in sides)))


def _heard(pair: Pair, side: Side, verb: str) -> _Heard:
    encoder = side.court.encoder
    with side.speaking(m.ModalNorm), encoder.apart() as troubles:
        parts: tuple[Sym, ...] = encoder.parts(verb)
        found: Weighed = encoder.weigh(verb, parts)
        during = side.court.machine.actions[verb].during
        time: Flag = some(encoder.running(name.text) for name in during) if during else True
        legal, must = both(time, found.legal), both(time, found.must, found.legal)
        open_ = some(t.when for t in troubles if t.kind == "undetermined")
        torn = some(when for *_, when in torn_between(side.court, verb, parts, found))
        clash = both(time, either(found.clash, torn, open_))
        asked = side.court.asked(verb, parts, legal, must, clash)
        stopped = some(t.when for t in troubles if t.kind != "undetermined")
    over = pair.bridge.over if side is pair.one else _as_is
    rules: dict[str, Flag] = {}
    for applying in (*found.allowing, *found.forbidding, *found.owed):
        rules[applying.norm.name] = either(rules.get(applying.norm.name, False), over(applying.when))
    usable = both(over(asked), no(over(stopped)))
    decided = no(clash)
    legal, must = both(legal, decided), both(must, decided)
    return _Heard(over(legal), over(clash), over(must), usable, rules, [legal, clash, must, asked, stopped])


def _as_is(term: Flag) -> Flag:
    return term


def _different(
    pair: Pair, verb: str, shown: Shown, heard: tuple[_Heard, _Heard]
) -> tuple[Different, tuple[tuple[str, ...], tuple[str, ...]]]:
    court = pair.other.court
    types = court.machine.verbs[verb].types
    args: tuple[Value, ...] = tuple(
        shown.situation.parts.get((verb, place), court.machine.world.domain(type_)[0])
        for place, type_ in enumerate(types)
    )
    weighed = [
        _weighed(side, verb, args, state) for side, state in zip((pair.one, pair.other), shown.states, strict=True)
    ]
    says = [said for said in weighed if said is not None]
    confirmed = len(says) == 2 and says[0].words != says[1].words
    if not confirmed:
        says = [_said_by_terms(by_terms, shown) for by_terms in heard]
    move = court.machine.show_move(verb, args)
    different = Different("move", verb, move, says[0], says[1], shown.situation.facts, confirmed)
    return different, (says[0].rules, says[1].rules)


def _weighed(side: Side, verb: str, args: tuple[Value, ...], state: State | None) -> Says | None:
    """What the interpreter of a side says of a move; None where it could not be asked."""
    if state is None:
        return None
    asked = side.silence(state)
    machine = side.court.machine
    if not machine.is_its_time(verb, asked):
        return _says(Legal(verb, args, False, ()))
    try:
        found = judge(machine, asked, verb, args)
    except Undetermined as clash:
        return _undetermined(clash)
    except (Gap, Broken):
        return None
    clash_of_duties = machine.contradiction(found, asked)
    return _says(found) if clash_of_duties is None else _undetermined(clash_of_duties)


def _undetermined(clash: Undetermined) -> Says:
    return Says("undetermined", tuple(dict.fromkeys(norm.name for side in clash.sides for norm in side)))


def _says(legal: Legal) -> Says:
    if legal.clash is not None:
        return _undetermined(legal.clash)
    rules = dict.fromkeys(applied.norm.name for applied in legal.winners)
    if legal.legal and legal.must:
        return Says("legal and demanded", tuple(dict.fromkeys((*rules, *(a.norm.name for a in legal.owed)))))
    if legal.legal:
        return Says("legal", tuple(rules))
    if not legal.allowing:
        return Says("illegal: no rule allows it")
    if not legal.payable:
        return Says("illegal: it cannot be paid for")
    if legal.limit is not None:
        return Says("illegal", (legal.limit.name,))
    return Says("illegal", tuple(rules))


def _said_by_terms(heard: _Heard, shown: Shown) -> Says:
    def holds(term: Flag) -> bool:
        values = {v: shown.values.get(v, False if v.is_flag else v.low) for v in variables_of(term)}
        return bool(evaluate(term, values))

    words = "undetermined" if holds(heard.clash) else "legal" if holds(heard.legal) else "illegal"
    return Says(words, tuple(name for name, when in heard.rules.items() if holds(when)))
