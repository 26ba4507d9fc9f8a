"""The shortest way through a story to a condition, and what no reading comes to: as play itself has it."""

from __future__ import annotations

import pytest

from rules import model as m
from rules.machine import Machine
from solver.play import Budget, Goal, Play, shortest
from solver.stories import NoReading, way_to
from tests.machine.making import machine
from tests.solver.tales import large_tale, small_tale


def _claims(table: Machine) -> list[m.Expr]:
    return [d.condition for d in table.checked.book.declarations if isinstance(d, m.Claim)]


def _goal(expr: m.Expr) -> Goal:
    return Goal(lambda table, state, _node: table.evaluator.holds(expr, state, {}), "every step", (expr,))


ASKED = (
    "mark_0",
    "count_0 is 2",
    "mark_0 and count_0 is 1",
    "not mark_0 and count_0 is 3",
    "count_0 is 0",
)


@pytest.mark.parametrize("block", range(2))
def test_the_way_is_as_short_as_the_shortest_play_and_there_is_none_where_there_is_no_play(block: int) -> None:
    ways = lost = 0
    for seed in range(block * 5, block * 5 + 5):
        table = machine(small_tale(seed) + "".join(f"claim possible {asked}\n" for asked in ASKED))
        for expr in _claims(table):
            found = way_to(table, expr, True)
            best = shortest(table, _goal(expr), Budget(work=100_000))
            assert found is not None, (seed, expr.span.text)
            if isinstance(found, NoReading):
                assert best is None, (seed, expr.span.text)
                lost += 1
            else:
                assert best is not None, (seed, expr.span.text)
                assert best.exact
                assert len(found) == len(best.play), (seed, expr.span.text)
                ways += 1
    assert ways > 5
    assert lost > 0


def a_tale(passages: int, *more: str) -> str:
    """A long corridor with a short cut: the key of the first chapter opens the last door."""
    lines = ['game "A Tale" played by Player', "kind Player 1", "state", "    key yes/no", "    crown yes/no"]
    lines += [f"    mark_{number} yes/no" for number in range(40)]
    lines += ["story tale", "    starts at room_0", '    chapter dawn "One"']
    for number in range(passages):
        if number == passages // 2:
            lines.append('    chapter dusk "Two"')
        lines.append(f'        passage room_{number} "Here."')
        lines.append(f'            option "Mark"\n                mark_{number % 40} becomes yes')
        lines.append(f"                go to room_{(number + 1) % passages}")
        if number == 3:
            lines.append(
                '            option "Take the key"\n                key becomes yes\n                go to room_4'
            )
        if number == 5:
            lines.append(f'            option "Short cut" when key\n                go to room_{passages - 1}')
        if number == passages - 1:
            lines.append(
                '            option "Open" when key\n                crown becomes yes\n                go to room_0'
            )
        else:
            lines.append(f'            option "On"\n                go to room_{(number + 1) % passages}')
    return "\n".join([*lines, *more, ""])


@pytest.mark.parametrize("passages", [60, 1_000])
def test_a_long_story_is_read_the_short_way(passages: int) -> None:
    table = machine(a_tale(passages, "claim possible crown", "claim possible crown and not key"))
    possible, never = _claims(table)
    found = way_to(table, possible, True)
    assert isinstance(found, Play)
    assert found.texts[3:] == ("Take the key", found.texts[4], "Short cut", "Open")
    assert way_to(table, never, True) == NoReading(("crown", "key"))


def test_a_large_tale_is_answered() -> None:
    tale = large_tale(300)
    table = machine(tale.text + "claim possible mark_0 and mark_1\n")
    (expr,) = _claims(table)
    assert isinstance(way_to(table, expr, True), Play | NoReading)


@pytest.mark.parametrize(
    "claim",
    ["possible during game", "possible size of Player is 2 and happened (dawn begins) this game", "possible p wins"],
)
def test_what_is_not_asked_of_cells_is_not_answered(claim: str) -> None:
    text = small_tale(1).replace("play\n", "let p be Player\nplay\n    phase dawn\n        nothing\n")
    (expr,) = _claims(machine(f"{text}claim {claim}\n"))
    assert way_to(machine(text), expr, True) is None
