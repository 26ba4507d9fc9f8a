"""Where the book is made silent, or to say two things in one row: gaps and overlaps."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tests.planting.clean import Book
from tests.planting.parts import (
    Group,
    Modal,
    Rank,
    Row,
    Rule,
    Table,
    Trigger,
    Value,
    with_action,
    with_new,
    with_step,
    without,
)
from tests.planting.site import Site, place_in


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


def duty_without_a_way(book: Book) -> Iterator[Site]:
    """What is demanded is allowed only where the duty does not apply."""
    for group in book.groups:
        if group.sort == "craft":
            buy = f"buy_{group.name}_tool"
            yield _demanding(group, buy, (f"{group.name}_tool of p", "weather is not calm"))
        elif group.sort == "contest":
            yield _demanding(group, f"train_to_{group.name}", (f"{group.name}_strain of p is 3", "day > 1"))


def _demanding(group: Group, verb: str, when: tuple[str, ...]) -> Site:
    new = Rule(f"{verb}_duty", place_in("book"), Modal("must", verb, when))
    return Site(group.name, new.name, with_new(new), ((new.name,),))


def beyond_its_range(book: Book) -> Iterator[Site]:
    """More is added than the rule that allows it leaves room for."""
    for group in book.groups:
        for action in group.actions:
            verb = action.phrase.split()[0]
            for place, line in enumerate(action.body):
                found = re.fullmatch(r"(\w+) of p increases by (\d)", line)
                if found is not None and group.sort in ("craft", "market", "contest"):
                    step = int(found[2]) + 1
                    if f"{group.name}_points 0..{step}" in group.attributes:  # one step, and it is full
                        continue
                    more = f"{found[1]} of p increases by {step}"
                    edit = with_action(verb, (*action.body[:place], more, *action.body[place + 1 :]))
                    yield Site(group.name, verb, edit, ((verb, found[1]),))


def nothing_follows(book: Book) -> Iterator[Site]:
    """A step without lines, or a roll that nothing looks at."""
    for group in book.groups:
        if group.steps:
            pause = f"{group.name}_pause"
            yield Site(group.name, pause, with_step(pause, ()), ((pause,),))
        if group.sort == "catch":
            salting = group.actions[1]
            verb = salting.phrase.split()[0]
            yield Site(group.name, verb, with_action(verb, ("roll d6 as n", *salting.body)), ((verb, "n"),))


def case_covered(book: Book) -> Iterator[Site]:
    """In the survey of a building, a case for which the one before it leaves nothing."""
    for group in book.groups:
        if group.steps:
            survey, load = group.steps[0], f"{group.name}_load"
            storm, then, *rest = survey.body
            for narrower in ("day > 2", "day is 3"):
                body = (storm, then, f"otherwise {storm} and {narrower}", f"    {load} becomes 1", *rest)
                names = (survey.name, f"{group.name}_works")
                yield Site(group.name, survey.name, with_step(survey.name, body), (names,))
