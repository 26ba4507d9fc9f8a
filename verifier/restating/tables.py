"""Tables that are meant to be the same, key by key."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from rules import model as m
from rules.machine.world import Value
from rules.symbols import TableSymbol
from rules.types import Type
from solver.encode.expressions import NotEncodable
from solver.encode.sym import alike
from solver.terms import no, some
from solver.verdict import Proved
from verifier.court import Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference
from verifier.restating.blocks import ends_apart, text_apart
from verifier.restating.normal import Normal, words_of

_MOST_KEYS = 5_000


def tables_apart(court: Court, ours: m.Table, theirs: m.Table, part: bool) -> Iterator[Apart]:
    """Every combination of keys for which the rows of the two do not say the same; told as one difference.

    With `part`, ours need not have every row.
    """
    symbols = [_table(court, table) for table in (ours, theirs)]
    spans = (ours.name.span, theirs.name.span)
    if symbols[0].params != symbols[1].params:
        yield Apart(Difference("kind", words_of(ours.name), words_of(theirs.name)), spans, proved_by="their keys")
        return
    types = symbols[0].params
    domains = [court.machine.world.domain(type_) for type_ in types]
    if prod(map(len, domains)) > _MOST_KEYS:
        raise NotEncodable(f"it has {prod(map(len, domains)):,} combinations of keys", ours.span)
    found: dict[tuple[Value, ...], tuple[m.Row | None, m.Row | None]] = {}
    for keys in product(*domains):
        rows = _row(court, ours, keys), _row(court, theirs, keys)
        if _rows_differ(court, *rows) and not (part and rows[0] is None):
            found[keys] = rows
    if not found:
        return
    keys, rows = next(iter(found.items()))
    shown = [_keys(court, keys, types) for keys in found]
    about = f"the row{'s' if len(shown) > 1 else ''} for {_listed(shown)}"
    places = tuple(row.span if row is not None else span for row, span in zip(rows, spans, strict=True))
    details = tuple(
        f"for {_keys(court, keys, types)}: `{ours.name.text}` {_gives(one)}, `{theirs.name.text}` {_gives(other)}"
        for keys, (one, other) in found.items()
    )
    difference = Difference("list", _text(rows[0]), _text(rows[1]))
    yield Apart(
        difference, (places[0], places[1]), about, None, details[:1], details=details[1:], proved_by="every row of both"
    )


def _table(court: Court, table: m.Table) -> TableSymbol:
    symbol = court.checked.symbol_of(table.name)
    assert isinstance(symbol, TableSymbol)
    return symbol


def _row(court: Court, table: m.Table, keys: tuple[Value, ...]) -> m.Row | None:
    return next((row for _, row in court.machine.fitting_rows(table.rows, keys)), None)


def _rows_differ(court: Court, ours: m.Row | None, theirs: m.Row | None) -> bool:
    if ours is None or theirs is None:
        return ours is not theirs
    if ours.gives is not None and theirs.gives is not None:
        return _gives_differ(court, ours.gives, theirs.gives)
    normal = Normal(court.machine)
    if text_apart(ours.body, theirs.body, (normal, normal)) is None:
        return False
    return ends_apart(court.machine, court.space.start, (ours.body, {}), (theirs.body, {})) is not None


def _gives_differ(court: Court, ours: m.Expr, theirs: m.Expr) -> bool:
    if Normal(court.machine).of(ours) == Normal(court.machine).of(theirs):
        return False
    encoder = court.encoder
    with encoder.apart() as troubles:
        differ = no(alike(encoder.value(ours, {}), encoder.value(theirs, {})))
        answered = no(some(t.when for t in troubles))
    return not isinstance(court.possible(("differ", differ), ("answered", answered)), Proved)


def _gives(row: m.Row | None) -> str:
    return f"says `{_text(row)}`" if row is not None else "has no row"


def _text(row: m.Row | None) -> str:
    if row is None:
        return ""
    return words_of(row.gives) if row.gives is not None else "; ".join(words_of(one) for one in row.body)


def _keys(court: Court, keys: tuple[Value, ...], types: tuple[Type, ...]) -> str:
    return ", ".join(court.machine.world.show(key, type_) for key, type_ in zip(keys, types, strict=True))


def _listed(words: list[str]) -> str:
    return ", ".join(words[:6]) + (f" and {len(words) - 6} more" if len(words) > 6 else "")
