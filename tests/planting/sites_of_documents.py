"""Restatements that no longer say what they restate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tests.planting.clean import Book
from tests.planting.parts import Group, Lines, Modal, Row, Rule, Table, with_norm
from tests.planting.site import Site, other_number

SECOND_ACTOR = "front of seating"


def _restatements(book: Book) -> Iterator[tuple[Group, Rule, Modal]]:
    for group in book.groups:
        for rule in group.rules:
            if rule.restates and isinstance(rule.norm, Modal):
                yield group, rule, rule.norm


def _site(group: Group, rule: Rule, norm: Modal) -> Site:
    return Site(group.name, rule.name, with_norm(rule.name, norm), ((rule.name,), (rule.restates,)))


def guard_dropped(book: Book) -> Iterator[Site]:
    for group, rule, norm in _restatements(book):
        for place, guard in enumerate(norm.when):
            if "_height <" not in guard:  # while somebody decides, a building is never finished
                yield _site(group, rule, replace(norm, when=(*norm.when[:place], *norm.when[place + 1 :])))


def number_changed(book: Book) -> Iterator[Site]:
    for group, rule, norm in _restatements(book):
        for place, guard in enumerate(norm.when):
            if (other := other_number(guard)) is not None:
                yield _site(group, rule, replace(norm, when=_with(norm.when, place, other)))
        if norm.times.startswith("once per"):
            yield _site(group, rule, replace(norm, times=norm.times.replace("once", "up to 2 times")))


def actor_changed(book: Book) -> Iterator[Site]:
    for group, rule, norm in _restatements(book):
        when = tuple(re.sub(r"\bp\b", SECOND_ACTOR, guard) for guard in norm.when)
        yield _site(group, rule, replace(norm, actor=SECOND_ACTOR, when=when))


def time_changed(book: Book) -> Iterator[Site]:
    for group, rule, norm in _restatements(book):
        if norm.times:
            yield _site(group, rule, replace(norm, times=re.sub(r"per \w+", "per game", norm.times)))


def item_dropped(book: Book) -> Iterator[Site]:
    """Of a list in a restated rule, or of the rows of a restated table."""
    for group, rule, norm in _restatements(book):
        for place, guard in enumerate(norm.when):
            if listed := re.search(r"\{(.*)\}", guard):
                items = listed[1].split(", ")
                for item in items:
                    rest = ", ".join(i for i in items if i != item)
                    shorter = f"{guard[: listed.start(1)]}{rest}{guard[listed.end(1) :]}"
                    yield _site(group, rule, replace(norm, when=_with(norm.when, place, shorter)))
    for group in book.groups:
        for table in group.tables:
            if table.restates:
                for dropped in range(len(table.rows)):
                    yield _without_row(group, table, dropped)


def row_shifted(book: Book) -> Iterator[Site]:
    """Of a restated table, one row ends later and the next begins later."""
    for group in book.groups:
        for table in group.tables:
            for place in range(len(table.rows) - 1) if table.restates else ():
                first, second = table.rows[place], table.rows[place + 1]
                if second.low < second.high:
                    moved = replace(first, high=first.high + 1), replace(second, low=second.low + 1)
                    yield _with_rows(group, table, (*table.rows[:place], *moved, *table.rows[place + 2 :]))


def said_otherwise(book: Book) -> Iterator[Site]:
    """What the rule allows, its restatement demands."""
    for group, rule, norm in _restatements(book):
        if norm.modal == "may" and not norm.times:
            yield _site(group, rule, replace(norm, modal="must", phrase=f"{norm.phrase} if possible"))


def _without_row(group: Group, table: Table, dropped: int) -> Site:
    return _with_rows(group, table, (*table.rows[:dropped], *table.rows[dropped + 1 :]))


def _with_rows(group: Group, table: Table, rows: tuple[Row, ...]) -> Site:
    def edit(found: Group) -> Group:
        return replace(found, tables=tuple(replace(t, rows=rows) if t.name == table.name else t for t in found.tables))

    return Site(group.name, table.name, edit, ((table.name,), (table.restates,)))


def _with(guards: Lines, place: int, guard: str) -> Lines:
    return (*guards[:place], guard, *guards[place + 1 :])
