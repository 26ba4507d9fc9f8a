"""The way to a moment, as scenarios and state files ask for it."""

from __future__ import annotations

from rules.machine import Chance, Choice, Machine
from rules.machine.state import State
from rules.machine.way import Stop, decisions, enter, is_inside
from tests.machine.making import machine

BOOK = """\
game "Two watches" played by Player

kind Player 3
    coins 0..9
    resting yes/no

let p be Player
let n be 1..6

state
    thrown 0..6

play
    phase early
        turns of p until some p where coins of p > 0
            p must work
    phase late
        turns of p until some p where coins of p > 1
            phase throwing
                roll d6 as n
                thrown becomes n
            phase acting
                if thrown > 5
                    p must work
    each p where p is not resting
        phase last
            p must work

action work by p
    coins of p increases by 1

rule working
    p may work
"""


def moments(state: State) -> list[tuple[str, object]]:
    return [(frame.moment, frame.of) for frame in state.stack if frame.moment]


def entered(made: Machine, *stops: Stop) -> State:
    state = made.start()
    assert enter(made, state, stops, {})
    return state


def test_the_first_moment_of_a_name_is_taken() -> None:
    assert moments(entered(machine(BOOK), Stop("turn", 1))) == [("game", None), ("early", None), ("turn", 1)]


def test_a_moment_can_be_named_with_one_around_it() -> None:
    found = moments(entered(machine(BOOK), Stop("late"), Stop("turn", 1)))
    assert found == [("game", None), ("late", None), ("turn", 1)]


def test_what_play_never_comes_to_changes_nothing() -> None:
    made = machine(BOOK)
    state = made.start()
    before = moments(state), state.stack[0].pc
    for stops in ((Stop("work"),), (Stop("turn"), Stop("early")), (Stop("turn", 7),)):
        assert not enter(made, state, stops, {})
    assert (moments(state), state.stack[0].pc) == before


def test_chance_falls_as_it_must_and_only_inside_the_moment() -> None:
    made = machine(BOOK)
    stops = (Stop("late"), Stop("turn", 2))
    (found,) = decisions(made, entered(made, *stops), stops)
    state, node = found
    assert isinstance(node, Choice)
    assert node.actor == 2
    assert is_inside(state, stops)
    thrown = next(slot for slot in made.world.slots.values() if slot.symbol.name == "thrown")
    assert state.cells[thrown.base] == 6
    assert list(decisions(made, entered(made, Stop("throwing")), (Stop("throwing"),))) == []
    assert isinstance(made.run(entered(made, Stop("throwing"))), Chance)


def test_each_goes_on_with_those_for_whom_its_condition_holds() -> None:
    made = machine(BOOK)
    state = made.start()
    resting = next(slot for slot in made.world.slots.values() if slot.symbol.name == "resting")
    state.cells[resting.base + 1] = True
    assert enter(made, state, (Stop("last"),), {})
    actors = []
    for _ in range(2):
        node = made.run(state)
        assert isinstance(node, Choice)
        actors.append(node.actor)
        made.answer(state, node.moves[0])
    assert actors == [0, 2]


def test_a_game_entered_in_the_middle_does_not_begin_once_more() -> None:
    made = machine(
        """\
game "Bells" played by Player
kind Player 1
let p be Player
state
    bells 0..9
play
    phase dusk
        each p
            p takes 1 action
action ring by p
    bells increases by 1
rule ringing
    p may ring
rule opening
    when game begins
        bells increases by 3
"""
    )
    begun, entered = made.start(), made.start()
    made.run(begun)
    assert enter(made, entered, (Stop("dusk", None),), {})
    made.run(entered)
    assert (begun.cells, entered.cells) == ([3], [0])
