"""Plays, their replay, and exploration of whole books."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import ludex
from rules.diagnostics import InternalError
from rules.machine import Chance, Choice, Machine, Node, Open, Over
from rules.machine.state import State
from solver.play import Budget, Exploration, Fact, Goal, explore, replay
from tests.machine.making import machine as made

FEW = Budget(work=12_000, plays=12)


def machine_of(book: str, players: int | None = None) -> Machine:
    return ludex.load(book).machine(players, ())


def kinds(found: Exploration, kind: str) -> set[Any]:
    return {fact.what for fact in found.facts if fact.kind == kind}


# ---- Whole books ----------------------------------------------------------------------------------------------------


def test_tic_tac_toe_is_explored_to_the_end() -> None:
    found = explore(machine_of("tic_tac_toe"))
    assert found.complete
    assert found.left_out == ()
    assert found.states == 5_478  # one for each position: whose turn it is follows from the marks
    assert kinds(found, "over") == {((0, "wins"),), ((1, "wins"),), ((None, "wins"),)}
    shortest = found.facts[Fact("over", ((0, "wins"),))].play
    assert len(shortest) == 5
    assert ("marks_stay", 1, False) in kinds(found, "applied")  # although nothing allows what it forbids
    assert ("marks_stay", 1, False) not in kinds(found, "decided")
    assert found.graph is not None
    assert not found.graph.has_cycle()


def test_nim_and_kuhn_poker_are_explored_to_the_end() -> None:
    nim = explore(machine_of("nim"))
    assert nim.complete
    assert kinds(nim, "fired") == {("last_stone", 1, False)}
    kuhn = explore(machine_of("kuhn_poker"))
    assert kuhn.complete
    assert kinds(kuhn, "offered") == {"check", "bet", "call", "fold"}
    assert kinds(kuhn, "open") == set()


@pytest.mark.parametrize("book", ["harbour", "pig", "crazy_eights", "connect_four"])
def test_what_was_found_is_found_again_by_replay(book: str) -> None:
    machine = machine_of(book)
    found = explore(machine, budget=FEW)
    assert not found.complete
    assert found.left_out
    for fact, evidence in found.facts.items():
        state, node = replay(machine, evidence.play)
        match fact.kind:
            case "open":
                assert isinstance(node, Open)
                keys = tuple(tuple(n.key for n in side) for side in node.sides)
                assert fact.what == (node.kind, node.text, keys, node.span)
            case "over":
                assert node == Over(tuple(fact.what))
            case "offered":
                assert isinstance(node, Choice)
                assert any(move.text.startswith(str(fact.what)) for move in node.moves)
            case "result":
                assert fact.what in state.outcomes.items()
            case _:
                pass


def test_the_same_exploration_twice() -> None:
    once, again = (explore(machine_of("harbour"), budget=FEW) for _ in range(2))
    assert [(f.kind, e.play.texts, e.by) for f, e in once.facts.items()] == [
        (f.kind, e.play.texts, e.by) for f, e in again.facts.items()
    ]
    assert (once.states, once.transitions, once.work) == (again.states, again.transitions, again.work)


def test_a_shuffle_of_many_is_not_called_complete() -> None:
    found = explore(machine_of("crazy_eights"), budget=FEW)
    assert "most orders of shuffle deck" in found.left_out


# ---- Plays ----------------------------------------------------------------------------------------------------------


def test_a_play_that_does_not_fit_is_our_mistake() -> None:
    machine = machine_of("nim")
    play = explore(machine).facts[Fact("over", ((0, "wins"),))].play
    assert isinstance(replay(machine, play)[1], Over)
    with pytest.raises(InternalError, match="decision 1 "):
        replay(machine, replace(play, decisions=play.decisions[1:]))
    wrong = replace(play.decisions[0], data=("take", (0, 0, 0)))
    with pytest.raises(InternalError):
        replay(machine, replace(play, decisions=(wrong, *play.decisions[1:])))
    with pytest.raises(InternalError, match="2 players"):
        replay(machine_of("harbour", 3), play)


def test_a_play_is_a_record_of_a_game() -> None:
    machine = machine_of("kuhn_poker")
    play = explore(machine).facts[Fact("result", (1, "wins"))].play
    game = ludex.load("kuhn_poker").start()
    game.replay(list(play.record))
    assert game.is_over


# ---- Goals ----------------------------------------------------------------------------------------------------------

COUNTER = """
game "Count" played by Player
kind Player 1
state
    n 0..9
    twice 0..1
let p be Player
play
    turns of p until n is 9
        p must climb
action climb by p
    n increases by 1
    n decreases by 1
    n increases by 1
    twice becomes 1
    twice becomes 0
rule steps
    p may climb when n < 5
rule done
    nobody wins when n is 5
"""


def cell(machine: Machine, name: str) -> int:
    return next(slot.base for slot in machine.world.slots.values() if slot.symbol.name == name)


def test_goals_are_asked_at_decisions_or_at_every_step() -> None:
    machine = made(COUNTER)
    twice = cell(machine, "twice")

    def is_one(_machine: Machine, state: State, _node: Node | None) -> bool:
        return bool(state.cells[twice] == 1)

    found = explore(machine, {"decisions": is_one, "steps": Goal(is_one, "every step")})
    assert found.complete
    assert "decisions" not in found.reached
    assert found.reached["steps"].state.cells[twice] == 1
    assert len(found.reached["steps"].play) == 1


def test_a_goal_is_reached_by_the_shortest_play() -> None:
    machine = made(COUNTER)
    n = cell(machine, "n")
    found = explore(
        machine, {"four": lambda _m, state, _n: state.cells[n] == 4, "nine": lambda _m, s, _n: s.cells[n] == 9}
    )
    assert len(found.reached["four"].play) == 4
    assert "nine" not in found.reached
    assert found.complete


def test_a_search_towards_a_goal_finds_what_the_rest_does_not() -> None:
    machine = machine_of("pig")
    score = cell(machine, "gathered")

    def holds(_machine: Machine, state: State, _node: Node | None) -> bool:
        return bool(state.cells[score] >= 90)

    budget = Budget(work=700, guided=20_000)
    assert "ninety" not in explore(machine, {"ninety": Goal(holds)}, budget).reached
    goal = Goal(holds, distance=lambda _m, state, _n: 100 - state.cells[score])
    found = explore(machine, {"ninety": goal}, budget)
    assert found.reached["ninety"].by == "guided"
    state, _ = replay(machine, found.reached["ninety"].play)
    assert state.cells[score] >= 90


def test_exploration_can_be_stopped_and_tells_how_far_it_is() -> None:
    told: list[int] = []
    found = explore(machine_of("tic_tac_toe"), progress=lambda p: told.append(p.done), stop=lambda: len(told) > 100)
    assert not found.complete
    assert "what the exploration was stopped before" in found.left_out
    assert 100 < found.states < 1_000
    assert told == sorted(told)


# ---- Open points ----------------------------------------------------------------------------------------------------

CLASH = """
game "Clash" played by Player
kind Player 1
state
    n 0..3
let p be Player
play
    each p
        p must go or wait
action go by p
    n becomes toll
action wait by p
value toll: 0..3
    is 1
    is 2
rule may_go
    p may go
    p may wait
"""


def test_play_goes_on_under_each_ruling_at_an_open_point() -> None:
    machine = made(CLASH)
    n = cell(machine, "n")
    found = explore(machine, {"one": lambda _m, s, _n: s.cells[n] == 1, "two": lambda _m, s, _n: s.cells[n] == 2})
    assert found.complete
    (point,) = kinds(found, "open")
    assert point[:2] == ("undetermined", "toll")
    for goal in ("one", "two"):
        play = found.reached[goal].play
        assert [decision.by for decision in play.decisions] == ["choice", "ruling"]
        assert isinstance(replay(machine, play)[1], Over)


ROUND = """
game "Round" played by Player
kind Player 1
state
    n 0..3
let p be Player
play
    turns of p until n is 3
        p takes up to 1 action
action go by p
    n becomes 1
rule may_go
    p may go when n is 0
"""


def test_rules_that_go_round_are_an_open_point_that_replays() -> None:
    machine = made(ROUND)
    found = explore(machine)
    ((kind, text, _, span),) = kinds(found, "open")
    assert kind == "stuck"
    evidence = found.facts[Fact("open", (kind, text, (), span))]
    _, node = replay(machine, evidence.play)
    assert isinstance(node, Open)
    assert (node.kind, node.text) == (kind, text)
    assert found.work < 5_000  # it was not gone round a hundred thousand times


def test_chance_is_not_a_player() -> None:
    machine = machine_of("pig")
    found = explore(machine, budget=FEW)
    play = found.facts[Fact("entered", ("action", "throw"))].play
    _, node = replay(machine, play)
    assert isinstance(node, Chance)
    assert {decision.by for decision in play.decisions} == {"chance", "choice"}
