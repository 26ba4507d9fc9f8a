"""LX942: a case of a value marked `first`, or an `otherwise if`, that never counts because earlier ones cover it."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.symbols import ValueSymbol
from solver.encode.bound import Binder
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.terms import Flag, both, no, some
from solver.verdict import Proved
from verifier.bookmap import Item, bookmap
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place
from verifier.suspicion import Check, Looked, Remark

_HINT = "put it before what covers it, or leave it out"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for node in court.machine.values.values():
        if node.combine == "first":
            try:
                yield from _cases(court, node, looked)
            except NotEncodable as reason:
                court.cannot_encode(node.name.text, reason)
    for name, chain in _chains(court):
        try:
            yield from _branches(court, name, chain, looked)
        except NotEncodable as reason:
            court.cannot_encode(name, reason)


def _cases(court: Court, node: m.Value, looked: Looked) -> Iterator[Finding]:
    symbol = court.checked.symbol_of(node.name)
    assert isinstance(symbol, ValueSymbol)
    for applying in covered_cases(court, symbol, looked):
        norm = applying.norm
        if all(norm.key in _covered_with(other, symbol) for other in court.others):
            places = (Place(norm.name, norm.body.span, cited(norm.clauses), "never counts"),)
            message = f"this case of `{node.name.text}` never counts: the cases before it leave nothing to it"
            yield Finding("LX942", message, places, "proved", "the solver", None, (), _HINT)


def _covered_with(other: Court, symbol: ValueSymbol) -> frozenset[tuple[str, int, bool]]:
    return frozenset(one.norm.key for one in covered_cases(other, symbol, Looked()))


def covered_cases(court: Court, symbol: ValueSymbol, looked: Looked) -> Iterator[Applying]:
    """The cases that can apply, and only where one before them does."""
    node = court.machine.values[symbol.span]
    binder = Binder(court.encoder)
    with court.encoder.apart():
        args = tuple(binder.variable(name.text) for name in node.variables)
        cases = [one for one in court.encoder.cases_of(symbol, args) if one.norm.body.op == "is"]  # type: ignore[union-attr]
    before: list[Flag] = []
    for one in cases:
        looked.things += 1
        if before and is_covered(court, one.when, before):
            yield one
        before.append(one.when)


def is_covered(court: Court, when: Flag, before: list[Flag]) -> bool:
    if not isinstance(court.possible(("case", both(when, no(some(before)))), in_play=False), Proved):
        return False
    return isinstance(court.possible(("case", when), in_play=False), Case)


# ---- otherwise if


def _chains(court: Court) -> Iterator[tuple[str, tuple[m.If, ...]]]:
    """Every `if` with its `otherwise if`s, and the part of the book that it stands in."""
    items = bookmap(court.checked).items
    inner: set[int] = set()
    for item in items.values():
        node = item.node
        if isinstance(node, m.If) and id(node) not in inner:
            chain = [node]
            while len(chain[-1].otherwise) == 1 and isinstance(following := chain[-1].otherwise[0], m.If):
                chain.append(following)
            inner |= {id(one) for one in chain}
            if len(chain) > 1:
                yield _name(item), tuple(chain)


def _name(item: Item) -> str:
    """The phase or step that a statement stands in, else what it is a line of."""
    around = item.above
    while around is not None:
        if isinstance(around.node, m.Phase):
            return around.node.name.text
        around = around.above
    return item.owner


def _branches(court: Court, name: str, chain: tuple[m.If, ...], looked: Looked) -> Iterator[Finding]:
    for place in _covered_branches(court, chain, looked):
        if all(place in set(_covered_branches(other, chain, Looked())) for other in court.others):
            places = (Place(name, chain[place].condition.span, (), "never counts"),)
            message = "this `otherwise if` is never come to: the conditions before it leave nothing to it"
            yield Finding("LX942", message, places, "proved", "the solver", None, (), _HINT)


def _covered_branches(court: Court, chain: tuple[m.If, ...], looked: Looked) -> Iterator[int]:
    names = sorted({name for one in chain for name in court.machine.needs(one.condition)})
    binder = Binder(court.encoder)
    env = {name: binder.variable(name) for name in names}
    before: list[Flag] = []
    for place, one in enumerate(chain):
        looked.things += 1
        with court.encoder.apart():
            when = court.encoder.holds(one.condition, env)
        if before and is_covered(court, when, before):
            yield place
        before.append(when)


CHECK = Check("covered cases", "overlap", suspect, for_all=True)
