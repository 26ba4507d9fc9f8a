"""Flows agree with the interpreter, and say what they cannot follow."""

from __future__ import annotations

import pytest

from ludex import load
from rules.machine import machine_of
from solver.flow.flow import Budget
from tests.making import SHAPES
from tests.solver.flow_sweep import sweep
from tests.solver.flows import Agreement, Comparison

PARTS = 3


@pytest.mark.parametrize("part", range(PARTS))
def test_edges_are_the_steps_of_the_interpreter(part: int) -> None:
    agreement = Agreement()
    names = [(shape, seed) for shape in SHAPES for seed in (part, part + PARTS)]
    sweep(names, agreement, games=10)
    assert agreement.failures == []
    assert agreement.asked["books"] == len(names)
    assert agreement.asked["steps"] >= 1_500


@pytest.mark.parametrize("name", ["nim", "pig", "tic_tac_toe", "kuhn_poker", "harbour"])
def test_bundled_games_are_followed_to_the_end(name: str) -> None:
    book = load(name)
    assert book.checked is not None
    agreement = Agreement()
    compared = Comparison(machine_of(book.checked), name, agreement, Budget())
    assert compared.flow.closed
    for game in range(3):
        compared.play(game)
    assert agreement.failures == []
    assert agreement.asked["steps"] > 20
    assert not agreement.asked["anything"]
