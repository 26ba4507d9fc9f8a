"""What exploration notes of a play: each sort of fact where it comes about, and not where it only almost does."""

from __future__ import annotations

from typing import Any

import pytest

from rules.diagnostics import InternalError
from rules.machine import Machine
from solver.play import Exploration, Fact, explore, replay
from solver.play.shortest import witness
from tests.machine.making import machine as made

BOOK = """
game "All sorts" played by Player
documents
    book "The book"
    card "The card"
precedence
    authority card > book cites book 9
    assume cannot over may
    otherwise undecided
type Mood is glad, sad, gone
kind Player 1
state
    coins 0..9 starts 3
    turns_left 0..3 starts 2
    luck 0..9
    mood Mood starts glad
let p be Player
let n be 0..9
let face be Mood
play
    turns of p until turns_left is 0
        turns_left decreases by 1
        p takes up to 1 action
    read night
action toil by p
    coins increases by 2
action gamble by p
    roll d2 on fortune
action steal by p
    coins increases by 1
die d2 is 1..2
table fortune by d2
    1: luck increases by 1
    2: coins decreases by 1
value wage: 0..9
    is 1
    plus 1 when luck > 0
    plus 5 when mood is gone
rule work cites book 1
    p may toil
    p may gamble
rule honest cites book 2
    p cannot toil when luck > 0
rule diligent cites card 3
    p may toil when luck is 1
rule thief cites book 4
    p cannot steal when coins > 2
rule nobody_steals cites book 5
    p cannot steal when mood is sad
rule echo
    when luck increases
        coins increases by wage
rule echo_too
    when luck increases
        nothing
rule shield
    instead of coins decreases by n
        nothing
rule rich
    limit coins to 6
story tale
    starts at night
    passage night "It is night."
        option "Sleep"
            ending "You slept."
        option "Dream" when luck > 0
            go to dream
        option "Fly" when mood is gone
            ending "You flew."
    passage dream "A dream."
        ending "You dreamt."
"""


@pytest.fixture(scope="module")
def machine() -> Machine:
    return made(BOOK)


@pytest.fixture(scope="module")
def found(machine: Machine) -> Exploration:
    return explore(machine)


def of(found: Exploration, kind: str) -> set[Any]:
    return {fact.what for fact in found.facts if fact.kind == kind}


def names(found: Exploration, kind: str) -> set[str]:
    return {name for name, _, _ in of(found, kind)}


def test_everything_was_seen(found: Exploration) -> None:
    assert found.complete
    assert of(found, "open") == set()


def test_actions_and_moments(found: Exploration) -> None:
    assert of(found, "offered") == {"toil", "gamble"}
    assert {what for what in of(found, "entered") if what[0] == "action"} == {("action", "toil"), ("action", "gamble")}
    assert ("turn", "turn") in of(found, "entered")


def test_norms_that_apply_decide_and_lose(found: Exploration) -> None:
    applied = names(found, "applied")
    assert {"work", "honest", "diligent", "thief", "echo", "shield", "wage"} <= applied
    assert "nobody_steals" not in applied
    assert {number for name, number, _ in of(found, "applied") if name == "wage"} == {1, 2}
    assert "thief" not in names(found, "decided")  # it applies, where nothing allows what it forbids
    assert {(a[0], b[0], words) for a, b, words in of(found, "defeated")} == {
        ("honest", "diligent", "authority card > book"),
    } | {("work", "honest", "cannot over may")}


def test_triggers_replacements_limits_and_orders(found: Exploration) -> None:
    assert names(found, "fired") == {"echo", "echo_too"}
    assert names(found, "took over") == {"shield"}
    assert names(found, "limited") == {"rich"}
    assert of(found, "order") == {(("echo", 1, False), ("echo_too", 1, False))}
    assert ("change", "luck") in of(found, "happened")


def test_rows_and_stories(found: Exploration) -> None:
    assert {span.text.strip().split(":")[0] for span in of(found, "row")} == {"1", "2"}
    assert of(found, "passage") == {"night", "dream"}
    assert of(found, "ending") == {"You slept.", "You dreamt."}
    texts = [{span.text.split('"')[1] for span in of(found, kind)} for kind in ("option offered", "option taken")]
    assert texts == [{"Sleep", "Dream"}] * 2


def test_every_fact_comes_about_again_on_its_play(machine: Machine, found: Exploration) -> None:
    for fact, evidence in found.facts.items():
        play = witness(machine, fact, evidence, work=300)
        assert len(play) <= evidence.length
        replay(machine, play)


def test_a_fact_that_its_play_does_not_show_is_our_mistake(machine: Machine, found: Exploration) -> None:
    evidence = found.facts[Fact("passage", "night")]
    with pytest.raises(InternalError):
        witness(machine, Fact("passage", "dream"), evidence)


def test_the_state_of_a_fact_is_as_it_was_then(machine: Machine, found: Exploration) -> None:
    luck = next(slot.base for slot in machine.world.slots.values() if slot.symbol.name == "luck")
    coins = next(slot.base for slot in machine.world.slots.values() if slot.symbol.name == "coins")
    state = found.facts[Fact("fired", ("echo", 1, False))].state
    assert (state.cells[luck], state.cells[coins]) == (1, 3)  # the coins are still to come
    state.cells[coins] = 9
    assert found.facts[Fact("fired", ("echo", 1, False))].state.cells[coins] == 3


def test_the_machine_is_left_without_an_observer(machine: Machine) -> None:
    explore(machine)
    assert machine.observer is None


IDLE = """
game "Idle" played by Player
kind Player 2
state
    n 0..3
let p be Player
play
    turns of p until n is 3
        p takes 1 action
action count by p
    n increases by 1
rule first_only
    p may count when during turn of p and n < 1
"""


def test_somebody_who_cannot_move_is_noted(found: Exploration) -> None:
    idle = explore(made(IDLE))
    assert of(idle, "no move") == {("game", "turn")}
    assert of(found, "no move") == set()
