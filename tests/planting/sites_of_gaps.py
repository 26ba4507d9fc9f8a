"""Where the book is made silent, or to say two things in one row: gaps and overlaps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.planting.clean import Book
from tests.planting.parts import Group, Rank, Row, Table, Trigger, Value, without
from tests.planting.site import Site


def hole_in_a_table(book: Book) -> Iterator[Site]:
    for group, table in _tables(book):
        for place, row in enumerate(table.rows):
            if row.low < row.high:
                yield _with_row(group, table, place, replace(row, low=row.low + 1))
                yield _with_row(group, table, place, replace(row, high=row.high - 1))


def rows_that_meet(book: Book) -> Iterator[Site]:
    for group, table in _tables(book):
        for place, row in enumerate(table.rows):
            if place:
                yield _with_row(group, table, place, replace(row, low=row.low - 1))
            if place < len(table.rows) - 1:
                yield _with_row(group, table, place, replace(row, high=row.high + 1))


def _tables(book: Book) -> Iterator[tuple[Group, Table]]:
    return ((group, table) for group in book.groups for table in group.tables if not table.restates)


def _with_row(group: Group, table: Table, place: int, row: Row) -> Site:
    rows = (*table.rows[:place], row, *table.rows[place + 1 :])

    def edit(found: Group) -> Group:
        return replace(found, tables=tuple(replace(t, rows=rows) if t.name == table.name else t for t in found.tables))

    return Site(group.name, table.name, edit, ((table.name,),))


def tie_without_a_breaker(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for rank in group.ranks:
            yield _shorter_rank(group, rank)


def _shorter_rank(group: Group, rank: Rank) -> Site:
    def edit(found: Group) -> Group:
        ranks = tuple(replace(r, ranks=r.ranks[:-1]) if r.name == rank.name else r for r in found.ranks)
        return replace(found, ranks=ranks)

    return Site(group.name, rank.name, edit, ((rank.name,),))


def value_without_a_case(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for value in group.values:
            for place in range(len(value.cases)):
                yield _shorter_value(group, value, place)


def _shorter_value(group: Group, value: Value, place: int) -> Site:
    cases = (*value.cases[:place], *value.cases[place + 1 :])

    def edit(found: Group) -> Group:
        return replace(
            found, values=tuple(replace(v, cases=cases) if v.name == value.name else v for v in found.values)
        )

    return Site(group.name, value.name, edit, ((value.name,),))


def empty_stock(book: Book) -> Iterator[Site]:
    """The rule for the empty deck or the empty pool is taken out."""
    for group in book.groups:
        for rule in group.rules:
            if isinstance(rule.norm, Trigger) and rule.norm.event.endswith(" runs out"):
                stock = rule.norm.event.split()[0]
                taking = group.actions[0].phrase.split()[0]
                yield Site(group.name, stock, without(rule.name), ((stock, taking),))
