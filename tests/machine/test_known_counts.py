"""Games whose numbers the world knows, counted on the machine.

Tic-tac-toe has 5,478 positions that play can reach, the empty board among them, and 255,168 games (both figures:
math.stackexchange.com/questions/469371). Nim is compared with Bouton's theorem (a position is lost for the one to move
if and only if the heaps add up to nought without carrying) and with a count that knows nothing of the machine.

Connect Four: the positions after so many discs on the board of seven by six (oeis.org/A212693, by John Tromp), and the
games on boards of n + 1 by n (oeis.org/A342329, by Robin Jehn), which count the lines of four too.

Kuhn poker: six deals and five courses of play, so thirty ends; worth -1/18 to the first player, who has a family of
best strategies, and the second has one (H. W. Kuhn, "A simplified two-person poker", Contributions to the Theory of
Games I, 1950, pages 97 to 103).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.book import bundled
from rules.machine import Chance, Choice, Machine, Over
from rules.machine.state import State
from rules.machine.world import Cells
from tests.machine.making import machine as machine_from

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


def walk(machine: Machine) -> tuple[Walk, Key]:
    found = Walk(machine)
    return found, found.visit(machine.start())


def machine_of(book: str) -> Machine:
    return ludex.load(book).start().machine


def test_tic_tac_toe_has_its_positions_and_games() -> None:
    found, start = walk(machine_of("tic_tac_toe"))
    assert len(found.games) == 5_478
    assert found.games[start] == 255_168


def count_nim(heaps: tuple[int, ...], games: dict[tuple[int, ...], int]) -> int:
    if heaps not in games:
        after = [(*heaps[:i], n, *heaps[i + 1 :]) for i in range(3) for n in range(heaps[i])]
        games[heaps] = sum(count_nim(h, games) for h in after) if after else 1
    return games[heaps]


def test_nim_has_its_positions_and_games_and_is_won_as_bouton_says() -> None:
    found, start = walk(machine_of("nim"))
    games: dict[tuple[int, ...], int] = {}
    assert found.games[start] == count_nim((3, 5, 7), games)
    heaps = found.machine.world.slots
    (base,) = [slot.base for slot in heaps.values() if slot.symbol.name == "stones"]
    assert {cells[base : base + 3] for cells, _ in found.games} == set(games)
    assert len(games) == 4 * 6 * 8
    for (cells, turn), wins in found.wins.items():
        a, b, c = cells[base : base + 3]
        assert turn is None or wins == bool(a ^ b ^ c), (a, b, c)


# ---- Connect Four


def connect_four(columns: int, rows: int) -> Machine:
    """The bundled book for a board of another size; what it says to examine itself is of the real one."""
    text, _, _ = Path(bundled()["connect_four"]).read_text(encoding="utf-8").partition("# ---- Judging")
    for old, new in (
        ("type Column is 1..7", f"type Column is 1..{columns}"),
        ("square grid 7 by 6", f"square grid {columns} by {rows}"),
        ("value filled of i: 0..6", f"value filled of i: 0..{rows}"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return machine_from(text)


def test_connect_four_has_its_positions_after_so_many_discs() -> None:
    machine = machine_of("connect_four")
    now = {key_of(start := machine.start()): start}
    counted = [1]
    for _ in range(5):
        after: dict[Key, State] = {}
        for state in now.values():
            node = machine.run(state)
            assert isinstance(node, Choice)
            for move in node.moves:
                below = state.copy()
                machine.answer(below, move)
                machine.run(below)
                after.setdefault(key_of(below), below)
        now = after
        counted.append(len(now))
    assert counted == [1, 7, 49, 238, 1_120, 4_263]


@pytest.mark.parametrize(("columns", "rows", "games"), [(2, 1, 2), (3, 2, 90), (4, 3, 356_232)])
def test_connect_four_has_its_games_on_small_boards(columns: int, rows: int, games: int) -> None:
    found, start = walk(connect_four(columns, rows))
    assert found.games[start] == games


# ---- Kuhn poker


@dataclass(frozen=True)
class Decided:
    """At a point of play, known by who decides and what was done before: whether a chip was put in."""

    player: int
    before: str
    chip: bool


@dataclass(frozen=True)
class End:
    deal: Fraction  # how likely it is
    hands: tuple[str, str]
    done: tuple[Decided, ...]
    won: int  # by the first player, in chips


# How likely a player puts a chip in, by his card and what was done before.
Strategy = dict[tuple[str, str], Fraction]
CARDS = ("jack", "queen", "king")
POINTS = {0: ("", "check bet"), 1: ("check", "bet")}


def slot_of(machine: Machine, name: str) -> Cells:
    (slot,) = [slot for slot in machine.world.slots.values() if slot.symbol.name == name]
    return slot


def kuhn_end(machine: Machine, state: State, deal: Fraction, done: tuple[Decided, ...]) -> End:
    hand, purse = slot_of(machine, "hand"), slot_of(machine, "purse")
    (first,), (second,) = state.cells[hand.base], state.cells[hand.base + 1]
    won = state.cells[purse.base] - 2
    assert state.cells[purse.base + 1] - 2 == -won
    return End(deal, (machine.world.things["Card"][first], machine.world.things["Card"][second]), done, won)


def kuhn_ends(
    machine: Machine, state: State, deal: Fraction, done: tuple[Decided, ...] = (), before: str = ""
) -> Iterator[End]:
    node = machine.run(state)
    if isinstance(node, Over):
        yield kuhn_end(machine, state, deal, done)
        return
    assert isinstance(node, Choice | Chance)
    weights = node.outcomes if isinstance(node, Chance) else [(move, 1) for move in node.moves]
    for move, weight in weights:
        after = state.copy()
        machine.answer(after, move)
        if isinstance(node, Choice):
            assert node.actor is not None
            verb = move.text.split()[0]
            decided = Decided(node.actor, before, verb in ("bet", "call"))
            yield from kuhn_ends(machine, after, deal, (*done, decided), f"{before} {verb}".strip())
        else:
            part = Fraction(weight, sum(weight for _, weight in weights))
            yield from kuhn_ends(machine, after, deal * part, done, before)


def kuhn_solution(alpha: Fraction) -> dict[int, Strategy]:
    """Kuhn's: the first player is free to choose `alpha` from nought to a third."""
    never, third, sure = Fraction(0), Fraction(1, 3), Fraction(1)
    by_point = {
        (0, ""): (alpha, never, 3 * alpha),
        (0, "check bet"): (never, alpha + third, sure),
        (1, "check"): (third, never, sure),
        (1, "bet"): (never, third, sure),
    }
    found: dict[int, Strategy] = {0: {}, 1: {}}
    for (player, before), chips in by_point.items():
        found[player].update({(card, before): chip for card, chip in zip(CARDS, chips, strict=True)})
    return found


def kuhn_worth(ends: list[End], strategies: dict[int, Strategy]) -> Fraction:
    """What the first player wins on average."""
    worth = Fraction(0)
    for end in ends:
        likely = end.deal
        for decided in end.done:
            chip = strategies[decided.player][end.hands[decided.player], decided.before]
            likely *= chip if decided.chip else 1 - chip
        worth += likely * end.won
    return worth


def kuhn_plans(player: int) -> Iterator[Strategy]:
    """Everything that a player can plan without chance: at each of six points, a chip or none."""
    points = [(card, before) for card in CARDS for before in POINTS[player]]
    for chips in product((Fraction(0), Fraction(1)), repeat=len(points)):
        yield dict(zip(points, chips, strict=True))


def test_kuhn_poker_has_thirty_ends_and_twelve_information_sets() -> None:
    machine = machine_of("kuhn_poker")
    ends = list(kuhn_ends(machine, machine.start(), Fraction(1)))
    assert len(ends) == 30
    assert {(end.hands, end.deal) for end in ends} == {(two, Fraction(1, 6)) for two in permutations(CARDS, 2)}
    assert len({(end.hands[d.player], d.player, d.before) for end in ends for d in end.done}) == 12


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 7), Fraction(1, 3)], ids=str)
def test_kuhn_poker_is_worth_what_kuhn_says(alpha: Fraction) -> None:
    """With Kuhn's strategies the first player loses an eighteenth of a chip, and no plan of either does better."""
    machine = machine_of("kuhn_poker")
    ends = list(kuhn_ends(machine, machine.start(), Fraction(1)))
    solution = kuhn_solution(alpha)
    assert kuhn_worth(ends, solution) == Fraction(-1, 18)
    assert max(kuhn_worth(ends, {**solution, 0: plan}) for plan in kuhn_plans(0)) == Fraction(-1, 18)
    assert min(kuhn_worth(ends, {**solution, 1: plan}) for plan in kuhn_plans(1)) == Fraction(-1, 18)
