"""States with one key have one future; what no longer matters is not in the key."""

from __future__ import annotations

import pytest

import ludex
from rules import model as m
from rules.machine import Chance, Choice, Machine, Node
from rules.machine.state import State
from solver.play import Goal, Keys, explore, key_of, relevant_cells
from solver.play.goals import goal_of
from solver.play.slicing import changing_cells, slice_of
from tests.machine.making import machine as made
from tests.machine.properties import make
from tests.making import SHAPES
from tests.solver.keys import check_keys


@pytest.mark.parametrize("sliced", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_states_of_random_books_with_one_key_have_one_future(shape: str, sliced: bool) -> None:
    pairs = 0
    for seed in range(4):
        met = check_keys(make(shape, seed).machine(), f"{shape}:{seed}", 40, sliced)
        assert met.failures == []
        pairs += met.pairs
    assert pairs or shape not in ("numbers", "rules", "choices", "pools", "breaks")


@pytest.mark.parametrize("book", ["harbour", "kuhn_poker", "crazy_eights", "ur", "pig"])
def test_states_of_the_bundled_books_with_one_key_have_one_future(book: str) -> None:
    assert check_keys(ludex.load(book).machine(None, ()), book, 120).failures == []


def test_the_property_can_fail() -> None:
    """A key that leaves out a cell that counts is found out."""
    machine = made(TWO_WAYS)
    assert check_keys(machine, "whole").failures == []
    n = next(slot.base for slot in machine.world.slots.values() if slot.symbol.name == "n")
    keys = Keys(machine, tuple(place for place in changing_cells(machine) if place != n))
    assert check_keys(machine, "less", keys=keys).failures


TWO_WAYS = """
game "Two ways" played by Player
kind Player 1
state
    n 0..3
    other 0..3
let p be Player
play
    turns of p until n is 3
        p must raise or idle
action raise by p
    n increases by 1
action idle by p
    other becomes 1
rule may_raise
    p may raise when n < 1
    p may idle up to 2 times per game
"""


def after(machine: Machine, *texts: str) -> State:
    state = machine.start()
    for text in texts:
        node = machine.run(state)
        assert isinstance(node, Choice | Chance)
        moves = node.moves if isinstance(node, Choice) else tuple(move for move, _ in node.outcomes)
        machine.answer(state, next(move for move in moves if move.text == text))
    machine.run(state)
    return state


COUNTS = """
game "Counts" played by Player
kind Player 2
state
    done 0..9
let p, q be Player
play
    turns of p until done is 9
        p takes 2 actions
action greet by p to q
action bow by p
rule greeting
    p may greet to q once per turn
    p may bow when {asked}
"""


def test_of_the_log_only_what_can_be_asked_counts() -> None:
    machine = made(COUNTS.format(asked="times (bow by p) this turn < 2"))
    one, two = "Player 1", "Player 2"
    # In another turn nothing of this one can be asked any more; to whom was greeted is never asked.
    assert key_of(machine, after(machine, f"bow by {one}", f"greet by {one} to {two}")) == key_of(
        machine, after(machine, f"greet by {one} to {one}", f"bow by {one}")
    )
    assert key_of(machine, after(machine, f"bow by {one}")) != key_of(
        machine, after(machine, f"greet by {one} to {two}")
    )
    assert key_of(machine, after(machine, f"greet by {one} to {one}")) == key_of(
        machine, after(machine, f"greet by {one} to {two}")
    )
    of_game = made(COUNTS.format(asked="not happened (greet by p to p) this game"))
    assert key_of(of_game, after(of_game, f"greet by {one} to {one}")) != key_of(
        of_game, after(of_game, f"greet by {one} to {two}")
    )


SLICED = """
game "Sliced" played by Player
kind Player 1
    mood yes/no
state
    n 0..3
    last_seen 0..3
    tally 0..9
    fixed 0..3
let p be Player
play
    turns of p until n is 3
        p must raise or smile
action raise by p
    n increases by 1
    last_seen becomes n
    tally increases by 1
action smile by p
    mood of p becomes mood of p is no
rule may_raise
    p may raise when fixed is 0
    p may smile once per game
claim "seen" possible last_seen is 2 and n is 2
"""


def test_cells_that_nothing_reads_or_writes_are_left_out() -> None:
    machine = made(SLICED)
    slots = {slot.symbol.name: slot.base for slot in machine.world.slots.values()}
    found = slice_of(machine)
    assert found.dropped == ("last_seen",)  # `tally` can break its range, `mood` is read, `fixed` does not change
    assert relevant_cells(machine) == {slots["mood"], slots["n"], slots["tally"]}
    (condition,) = [d.condition for d in machine.checked.book.declarations if isinstance(d, m.Claim)]
    assert slots["last_seen"] in relevant_cells(machine, (condition,))


def test_what_a_goal_reads_is_kept() -> None:
    machine = made(SLICED)
    (condition,) = [d.condition for d in machine.checked.book.declarations if isinstance(d, m.Claim)]
    claimed = explore(machine, {"seen": goal_of(machine, condition)})
    assert claimed.dropped == ()
    assert "seen" in claimed.reached
    assert claimed.complete

    def anything(_machine: Machine, _state: State, _node: Node | None) -> bool:
        return False

    assert explore(machine, {"any": Goal(anything)}).dropped == ()
    assert explore(machine).dropped == ("last_seen",)
