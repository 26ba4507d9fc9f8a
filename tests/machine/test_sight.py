"""Lines of sight: what blocks, what is only touched, from where to where.

The maps are drawn: A sees or does not see B, # blocks, | is a wall on the right of the cell before it.
"""

from __future__ import annotations

import pytest

from rules.machine.world import Value
from tests.machine.making import machine

BOOK = """\
game "Sight" played by Player

kind Player 1

kind Space {shape} grid 5 by 3
    rocky yes/no

state
    wall of (Space, Space) yes/no

let s, t, from_space, to_space be Space

sight sees of (from_space, to_space)
    from {origin} to {target}
    blocked by s where s is rocky
    blocked between s and t where wall of (s, t)
{touching}
play
    nothing
"""


def sees(drawing: str, points: str, shape: str = "square", **touching: str) -> Value:
    origin, target = points.split(" to ")
    lines = "".join(f"    touching {what} {result}\n" for what, result in touching.items())
    made = machine(BOOK.format(shape=shape, origin=origin, target=target, touching=lines))
    state = made.start()
    slots = {slot.symbol.name: slot for slot in made.world.slots.values()}
    ends: dict[str, int] = {}
    for row, line in enumerate(drawing.split("/")):
        column = 0
        for mark in line:
            place = row * 5 + column
            if mark == "|":
                for pair in ((place - 1, place), (place, place - 1)):
                    address = slots["wall"].address(pair)
                    assert address is not None
                    state.cells[address] = True
                continue
            column += 1
            if mark in "AB":
                ends[mark] = place
            if mark == "#":
                state.cells[slots["rocky"].base + place] = True
    return made.sees("sees", ends["A"], ends["B"], state)


@pytest.mark.parametrize(
    ("drawing", "points", "seen"),
    [
        ("A...B/...../.....", "centre to centre", True),
        ("A.#.B/...../.....", "centre to centre", False),
        ("A...B/..#../.....", "centre to centre", True),
        ("A..|.B/...../.....", "centre to centre", False),
        ("AB.../...../.....", "centre to centre", True),
        ("A..../.#.../..B..", "centre to centre", False),
        ("A..../...../..#.B", "centre to centre", True),
        ("A.#.B/...../.....", "any corner to any corner", True),
        ("A.#.B/#####/.....", "any corner to any corner", True),
        ("A.#.B/...../.....", "every corner to every corner", False),
        ("...../A.#.B/.....", "any corner to every corner", False),
    ],
)
def test_squares(drawing: str, points: str, seen: bool) -> None:
    assert sees(drawing, points, edge="passes", corner="passes") is seen


@pytest.mark.parametrize(
    ("drawing", "seen"),
    [
        ("A...B/...../.....", True),
        ("A.#.B/...../.....", False),
        ("A..../.#.../B....", True),
        ("A..../.#.../..B..", False),
    ],
)
def test_hexes_from_centre_to_centre(drawing: str, seen: bool) -> None:
    assert sees(drawing, "centre to centre", "hex", corner="passes", edge="passes") is seen


@pytest.mark.parametrize("blocks", [True, False])
def test_a_line_along_the_edge_of_a_hex(blocks: bool) -> None:
    """Two rows down, straight: the hex between them stands half a hex to the right, and its side lies on the line."""
    assert sees("A..../#..../B....", "centre to centre", "hex", edge="blocks" if blocks else "passes") is not blocks


@pytest.mark.parametrize("blocks", [True, False])
def test_a_line_that_runs_along_an_edge(blocks: bool) -> None:
    """The lower corners of A and B lie on the upper edge of the rock; the upper ones see past it above."""
    along = sees("A...B/..#../.....", "every corner to every corner", edge="blocks" if blocks else "passes")
    assert along is not blocks


@pytest.mark.parametrize("blocks", [True, False])
def test_a_line_that_touches_one_corner(blocks: bool) -> None:
    """From centre to centre over one diagonal step: the line goes through the corner that the rock has there."""
    word = "blocks" if blocks else "passes"
    assert sees("A#.../.B.../.....", "centre to centre", corner=word, joint="passes") is not blocks


@pytest.mark.parametrize("blocks", [True, False])
def test_a_line_that_slips_through_a_joint(blocks: bool) -> None:
    word = "blocks" if blocks else "passes"
    assert sees("A#.../#B.../.....", "centre to centre", corner="passes", joint=word) is not blocks


def test_an_untold_touch_is_as_the_engine_documents() -> None:
    assert sees("A#.../.B.../.....", "centre to centre") is True
    assert sees("A#.../#B.../.....", "centre to centre") is True
    assert sees("A...B/..#../.....", "every corner to every corner") is False
