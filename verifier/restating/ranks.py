"""Ranks that are meant to be the same: who is ranked, and who goes before whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product, zip_longest

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.state import State
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import RankSymbol
from solver.encode.amounts import before
from solver.encode.saying import Saying, Subject
from solver.play import Goal
from solver.terms import Flag, Number, both, no, same, some
from solver.verdict import Proved
from verifier.court import Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference, between
from verifier.restating.normal import Normal, guards_of, words_of
from verifier.restating.parts import teller

_Keys = Mapping[int, tuple[Flag, tuple[Number, ...]]]


def ranks_apart(court: Court, ours: m.Rank, theirs: m.Rank, part: bool) -> Iterator[Apart]:
    """With `part`, ours need not have every line."""
    symbols = court.checked.symbol_of(ours.name), court.checked.symbol_of(theirs.name)
    assert isinstance(symbols[0], RankSymbol)
    assert isinstance(symbols[1], RankSymbol)
    spans = (ours.name.span, theirs.name.span)
    if (symbols[0].kind, symbols[0].params) != (symbols[1].kind, symbols[1].params):
        yield Apart(Difference("kind", words_of(ours.name), words_of(theirs.name)), spans, proved_by="their headings")
        return
    if part and _is_part(court, ours, theirs):
        return
    given = Subject("value", id(symbols[1]), symbols[1].params, symbols[1].name)
    encoder = court.encoder
    with encoder.apart() as troubles:
        parts = Saying(encoder).parts(given)
        differ = _orders_differ(encoder.rank_keys(symbols[0], parts), encoder.rank_keys(symbols[1], parts))
        answered = no(some(t.when for t in troubles))
        found = court.possible(("differ", differ), ("answered", answered))
    if isinstance(found, Proved):
        yield from _ties_apart(ours, theirs)
        return
    difference, places = _lines_apart(court, ours, theirs)
    goal = _goal_of_ranks((symbols[0], symbols[1]), (ours, theirs))
    tell = teller(court, given, parts, differ)
    yield Apart(difference, places or spans, theirs.name.text, found, (), goal, tell=tell)


def _orders_differ(ours: _Keys, theirs: _Keys) -> Flag:
    """Somebody is ranked by one alone, or of two the one goes before the other by one alone."""
    found: list[Flag] = []
    nobody: tuple[Flag, tuple[Number, ...]] = (False, ())
    for one in dict.fromkeys((*ours, *theirs)):
        found.append(no(same(ours.get(one, nobody)[0], theirs.get(one, nobody)[0])))
        for other in ours.keys() & theirs.keys() if one in ours and one in theirs else ():
            if one != other:
                ranked = both(ours[one][0], ours[other][0], theirs[one][0], theirs[other][0])
                ahead = [before(keys[one][1], keys[other][1]) for keys in (ours, theirs)]
                found.append(both(ranked, no(same(ahead[0], ahead[1]))))
    return some(found)


def _normals(court: Court, *ranks: m.Rank) -> list[Normal]:
    return [
        Normal(
            court.machine,
            {node.variable.text: "the ranked", **{g.text: f"given {i}" for i, g in enumerate(node.given)}},
        )
        for node in ranks
    ]


def _is_part(court: Court, ours: m.Rank, theirs: m.Rank) -> bool:
    """Whether the one has only lines of the other, in their order, and ranks the same."""
    mine, rest = _normals(court, ours, theirs)
    lines = iter([rest.of(line) for line in theirs.lines])
    return mine.of(ours.where) == rest.of(theirs.where) and all(mine.of(line) in lines for line in ours.lines)


def _lines_apart(court: Court, ours: m.Rank, theirs: m.Rank) -> tuple[Difference, tuple[Span, Span] | None]:
    normals = _normals(court, ours, theirs)
    if normals[0].of(ours.where) != normals[1].of(theirs.where):
        sides = [guards_of(m.Conditions(n.where, None, None), x) for n, x in zip((ours, theirs), normals, strict=True)]
        return between(sides[0], sides[1], court.machine)[0], None
    for one, other in zip_longest(_by(ours), _by(theirs)):
        if one is None or other is None or normals[0].of(one) != normals[1].of(other):
            pair = _shifted(ours, theirs, normals, one, other)
            words = [words_of(line) if line is not None else "" for line in pair]
            places = [
                line.span if line is not None else n.name.span for line, n in zip(pair, (ours, theirs), strict=True)
            ]
            return Difference("list", words[0], words[1]), (places[0], places[1])
    return Difference("kind", words_of(ours), words_of(theirs)), None


def _by(rank: m.Rank) -> list[m.RankLine]:
    return [line for line in rank.lines if isinstance(line, m.RankLine)]


def _shifted(
    ours: m.Rank, theirs: m.Rank, normals: list[Normal], one: m.RankLine | None, other: m.RankLine | None
) -> tuple[m.RankLine | None, m.RankLine | None]:
    """Where lines are left out or added, only the one that the other side does not have."""
    mine, rest = [normals[0].of(line) for line in _by(ours)], [normals[1].of(line) for line in _by(theirs)]
    if other is not None and normals[1].of(other) not in mine and (one is None or normals[0].of(one) in rest):
        return None, other
    if one is not None and normals[0].of(one) not in rest and (other is None or normals[1].of(other) in mine):
        return one, None
    return one, other


def _ties_apart(ours: m.Rank, theirs: m.Rank) -> Iterator[Apart]:
    ties = [next((line for line in rank.lines if isinstance(line, m.RankTies)), None) for rank in (ours, theirs)]
    words = [words_of(tie) if tie is not None else "" for tie in ties]
    if words[0] != words[1]:
        spans = (ours.name.span, theirs.name.span)
        yield Apart(Difference("kind", words[0], words[1]), spans, proved_by="what they do with ties")


def _goal_of_ranks(symbols: tuple[RankSymbol, RankSymbol], nodes: tuple[m.Rank, m.Rank]) -> Goal:
    def order(machine: Machine, symbol: RankSymbol, given: tuple[Value, ...], state: State) -> object:
        keys = machine._rank_keys(symbol, given, state)
        return frozenset(keys), frozenset((a, b) for a in keys for b in keys if keys[a] < keys[b])

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        domains = [machine.world.domain(type_) for type_ in symbols[0].params]
        return any(
            order(machine, symbols[0], given, state) != order(machine, symbols[1], given, state)
            for given in product(*domains)
        )

    reads = tuple(
        expr for node in nodes for expr in (node.where, *(line.value for line in _by(node))) if expr is not None
    )
    return Goal(holds, "decisions", reads)
