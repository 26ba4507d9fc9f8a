"""Books that nobody wrote: each is read, formatted, checked and played, and what must be true of every book is asked.

A failure names its book, `shape:seed`; `python -m tests.machine.sweep --only shape:seed` shows it and asks again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.machine import Choice, Game
from tests.machine.oracle import Oracle, asked_of
from tests.machine.properties import Tally, check_format, check_play, check_state, decisions, make, play_log
from tests.machine.sweep import sweep
from tests.making import SHAPES, random_book
from tests.making.draws import Draws

ROOT = Path(__file__).parents[2]
SEEDS = 48  # of each shape
shapes = st.sampled_from(sorted(SHAPES))
seeds = st.integers(0, 2**32)


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_true_of_every_book_and_game(shape: str, part: int) -> None:
    tally = Tally()
    assert sweep([(shape, seed) for seed in range(part, SEEDS, 3)], tally) == []
    assert tally.asked["state"] >= SEEDS * 2 // 3  # two positions a book and more
    assert tally.asked["legal"] or shape == "stories"
    assert tally.ends["over"]


@settings(max_examples=60, deadline=None)
@given(shapes, seeds, st.integers(1, 6))
def test_a_book_of_any_size_checks_and_has_one_format(shape: str, seed: int, size: int) -> None:
    check_format(make(shape, seed, size))


@settings(max_examples=40, deadline=None)
@given(shapes, seeds)
def test_any_seed_gives_a_game_in_which_all_is_true(shape: str, seed: int) -> None:
    check_play(make(shape, seed), Tally())


@given(shapes, seeds)
def test_the_same_seed_gives_the_same_text(shape: str, seed: int) -> None:
    assert random_book(seed, SHAPES[shape]) == random_book(seed, SHAPES[shape])


def logs(names: list[tuple[str, int]]) -> list[str]:
    return [line for shape, seed in names for line in (f"{shape}:{seed}", *play_log(make(shape, seed)))]


def test_a_fresh_process_with_another_hash_seed_plays_the_same_games() -> None:
    names = [(shape, seed) for shape in SHAPES for seed in (1, 2)]
    code = f"from tests.machine.test_random_books import logs\nprint('\\n'.join(logs({names!r})))"
    for hash_seed in ("0", "4711"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        assert done.stdout.splitlines() == logs(names)


def test_a_shape_with_nothing_in_it_uses_none_of_the_constructs() -> None:
    for seed in range(40):
        words = set(random_book(seed, SHAPES["numbers"]).replace(":", " ").split())
        assert not words & {"piles", "pool", "roll", "value", "story", "instead", "must", "window", "policy", "rank"}


def test_the_whole_shape_reaches_every_construct() -> None:
    words = {word for seed in range(150) for word in random_book(seed).replace(":", " ").split()}
    wanted = "piles pool roll value story instead ignore must window policy rank table"
    wanted += " limit source after end disable default"
    assert set(wanted.split()) <= words


# ---- The properties can fail ----------------------------------------------------------------------------------------


def game_at_an_action() -> Game:
    for seed in range(200):
        game = Game(make("rules", seed).machine(), seed)
        for node in decisions(game, 40):
            if isinstance(node, Choice) and game.legal():
                return game
    raise AssertionError("no game comes to an action")


def test_a_value_outside_its_type_is_seen() -> None:
    game = game_at_an_action()
    slot = next(s for s in game.machine.world.slots.values() if s.symbol.name == "coins")
    check_state(game.machine, game.state)
    for wrong in (99, None, True):
        game.state.cells[slot.base] = wrong
        with pytest.raises(AssertionError):
            check_state(game.machine, game.state)


def test_the_oracle_sees_a_rule_that_is_switched_off() -> None:
    game = game_at_an_action()
    oracle = Oracle(game.machine)
    asked = asked_of(game.machine, game.state)
    assert asked is not None
    before = oracle.verdict(game.state, asked)
    assert before.moves == {(one.verb, one.args) for one in game.legal()}
    game.state.disabled.update({one.norm.name: None for legal in game.legal() for one in legal.winners})
    assert oracle.verdict(game.state, asked).moves < before.moves


def test_draws_are_spread_over_all_that_can_be_drawn() -> None:
    draws = Draws(7)
    assert {draws.between(-2, 2) for _ in range(200)} == {-2, -1, 0, 1, 2}
    assert {len(draws.some("abcd", 1, 3)) for _ in range(100)} == {1, 2, 3}
    assert draws.some("abcd", 4, 9) == ["a", "b", "c", "d"]
    assert 150 < sum(draws.share(0.2) for _ in range(1000)) < 250
