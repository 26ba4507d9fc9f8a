"""Shortest plays, and what is known backwards from a graph of all states."""

from __future__ import annotations

import ludex
from rules.machine import Machine, Node, Over
from rules.machine.state import State
from solver.play import Budget, Graph, Play, explore, replay, shortened, shortest
from solver.play.explore import walker_of
from solver.play.plays import decisions_at
from solver.play.walking import Place
from tests.machine.making import machine as made


def second_wins(_machine: Machine, state: State, _node: Node | None) -> bool:
    return state.outcomes.get(1) == "wins"


def test_where_all_nearer_states_were_seen_a_play_is_exactly_the_shortest() -> None:
    machine = ludex.load("tic_tac_toe").machine(None, ())
    found = shortest(machine, second_wins)
    assert found is not None
    assert found.exact
    assert len(found.play) == 6


def test_a_play_that_was_found_at_random_is_made_shorter() -> None:
    machine = ludex.load("connect_four").machine(None, ())
    found = shortest(machine, second_wins, Budget(work=60_000))
    assert found is not None
    assert not found.exact
    assert 8 <= len(found.play) <= 12
    assert isinstance(replay(machine, found.play)[1], Over)
    again = shortest(machine, second_wins, Budget(work=60_000))
    assert again == found


def test_where_nothing_was_found_nothing_is_said() -> None:
    machine = ludex.load("nim").machine(None, ())
    assert shortest(machine, lambda _m, _s, _n: False, Budget(work=3_000)) is None


WALK = """
game "Walk" played by Player
kind Player 1
state
    n 0..20 starts 10
let p be Player
play
    turns of p until n is 0
        p must {moves}
action climb by p
    n increases by 1
action sink by p
    n decreases by 1
action {third} by p
    n becomes 10
rule may_walk
    p may climb when n < {most}
    p may sink when n > 0
    p may {third}
rule home
    p wins when n is 0
"""


def test_detours_are_cut_off() -> None:
    machine = made(WALK.format(moves="climb or sink or back", third="back", most=20))
    n = machine.start().cells.index(10)
    far = explore(machine, {"far": lambda _m, state, _n: state.cells[n] == 15}, Budget(work=100))
    assert far.reached == {}
    texts = [
        "climb",
        "sink",
        "climb",
        "climb",
        "sink",
        "back",
        "sink",
        "climb",
        "climb",
        "climb",
        "climb",
        "climb",
        "climb",
    ]
    play = _played(machine, [f"{text} by Player 1" for text in texts])
    short = shortened(machine, lambda _m, state, _n: state.cells[n] == 15, play)
    assert [text.split()[0] for text in short.texts] == ["climb"] * 5


def _played(machine: Machine, texts: list[str]) -> Play:
    walker = walker_of(machine, {})
    place = walker.start()
    for text in texts:
        came = walker.follow(place, next(one for one in decisions_at(place.node) if one.text == text))
        assert isinstance(came, Place)
        place = came
    return place.trail.play(machine)


# ---- The graph ------------------------------------------------------------------------------------------------------


def graph_of(machine: Machine) -> Graph:
    found = explore(machine, {"ten": lambda _m, state, _n: 10 in state.cells})
    assert found.complete
    assert found.graph is not None
    assert len(found.graph) == found.states
    return found.graph


def test_a_game_that_can_always_still_end() -> None:
    graph = graph_of(made(WALK.format(moves="climb or sink or back", third="back", most=12)))
    assert len(graph) == 13
    assert graph.can_end == graph.can_reach(graph.won_by(0)) == frozenset(range(13))
    assert graph.never(graph.ends) == frozenset()
    assert graph.traps() == []
    assert graph.has_cycle()  # but it need not end
    assert graph.goals["ten"] == {0}


TRAP = """
game "Trap" played by Player
kind Player 2
state
    caught yes/no
    n 0..2
let p be Player
play
    turns of p until n is 2
        p must go or fall
action go by p
    n increases by 1
action fall by p
    caught becomes yes
rule ways
    p may go unless caught
    p may fall
rule second_count
    p wins when n is 2 and during turn of p
"""


def test_states_from_which_no_end_is_in_reach() -> None:
    graph = graph_of(made(TRAP))
    assert 0 in graph.can_end
    lost = graph.never(graph.ends)
    assert lost
    assert set().union(*graph.traps()) <= lost
    for trap in graph.traps():
        assert all(follower in trap for number in trap for follower in graph.after[number])
    assert graph.never(graph.won_by(0)) > lost


def test_a_graph_is_kept_only_where_it_is_whole_and_small() -> None:
    machine = made(TRAP)
    assert explore(machine, budget=Budget(edges=2)).graph is None
    assert explore(machine, budget=Budget(edges=2)).complete
    assert explore(machine, budget=Budget(states=2, work=500)).graph is None
