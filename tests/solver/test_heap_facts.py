"""What piles promise is told of things whose place in a pile is asked for, and of no others."""

from __future__ import annotations

import ludex
from rules.machine import machine_of
from solver.encode.space import Space
from solver.encode.sym import Row
from solver.terms import either, equal, less


def pile() -> tuple[Space, Row]:
    book = ludex.load("crazy_eights")
    assert book.checked is not None
    space = Space(machine_of(book.checked, 2))
    row = space.cell(space.heap_cells("Card")[0]).payload
    assert isinstance(row, Row)
    return space, row


def test_where_things_lie_needs_no_places() -> None:
    space, row = pile()
    assert space.facts([either(*(row.members[card] for card in range(52)))]) == []


def test_things_whose_places_are_asked_for_are_apart() -> None:
    space, row = pile()
    (fact,) = space.facts([less(row.places[3], row.places[7])])
    assert fact[0] == "no two things lie in one place"
    three = space.facts([less(row.places[3], row.places[7]), equal(row.places[9], 1), row.members[20]])
    assert len(three) == 3
    assert fact in three
