"""Games whose numbers the world knows, counted on the machine.

Tic-tac-toe has 5,478 positions that play can reach, the empty board among them, and 255,168 games (both figures:
math.stackexchange.com/questions/469371). Nim is compared with Bouton's theorem (a position is lost for the one to move
if and only if the heaps add up to nought without carrying) and with a count that knows nothing of the machine.
"""

from __future__ import annotations

from typing import Any

import ludex
from rules.machine import Choice, Machine, Over
from rules.machine.state import State

Key = tuple[Any, ...]


def key_of(state: State) -> Key:
    turn = state.find("turn")
    return (tuple(state.cells), state.stack[turn].of if turn is not None and not state.over else None)


class Walk:
    """Every position below a start, each looked at once: how many games it begins, and whether its mover can win."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.games: dict[Key, int] = {}
        self.wins: dict[Key, bool] = {}

    def visit(self, state: State) -> Key:
        node = self.machine.run(state)
        key = key_of(state)
        if key in self.games:
            return key
        if isinstance(node, Over):
            self.games[key] = 1
            self.wins[key] = False  # the one who would move now has lost, or it is a draw
            return key
        assert isinstance(node, Choice)
        games, wins = 0, False
        for move in node.moves:
            after = state.copy()
            self.machine.answer(after, move)
            below = self.visit(after)
            games += self.games[below]
            wins = wins or not self.wins[below]
        self.games[key], self.wins[key] = games, wins
        return key


def walk(book: str) -> tuple[Walk, Key]:
    game = ludex.load(book).start()
    found = Walk(game.machine)
    return found, found.visit(game.machine.start())


def test_tic_tac_toe_has_its_positions_and_games() -> None:
    found, start = walk("tic_tac_toe")
    assert len(found.games) == 5_478
    assert found.games[start] == 255_168


def count_nim(heaps: tuple[int, ...], games: dict[tuple[int, ...], int]) -> int:
    if heaps not in games:
        after = [(*heaps[:i], n, *heaps[i + 1 :]) for i in range(3) for n in range(heaps[i])]
        games[heaps] = sum(count_nim(h, games) for h in after) if after else 1
    return games[heaps]


def test_nim_has_its_positions_and_games_and_is_won_as_bouton_says() -> None:
    found, start = walk("nim")
    games: dict[tuple[int, ...], int] = {}
    assert found.games[start] == count_nim((3, 5, 7), games)
    heaps = found.machine.world.slots
    (base,) = [slot.base for slot in heaps.values() if slot.symbol.name == "stones"]
    assert {cells[base : base + 3] for cells, _ in found.games} == set(games)
    assert len(games) == 4 * 6 * 8
    for (cells, turn), wins in found.wins.items():
        a, b, c = cells[base : base + 3]
        assert turn is None or wins == bool(a ^ b ^ c), (a, b, c)
