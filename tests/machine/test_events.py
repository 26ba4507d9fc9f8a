"""Events that come from moving things and counters, and who orders what happens at the same time."""

from __future__ import annotations

import pytest

from rules.machine import Choice, Open, Over
from rules.machine.run import Machine
from rules.machine.state import State
from tests.machine.making import machine

CARDS = """\
game "Cards" played by Player
kind Player 2
kind Card named ace, king
piles of Card
    deck starts Card
    hand of Player
state
    left_deck 0..9
    came 0..9
    starter Player or none
let p be Player
let c be Card
play
    chance chooses p
    starter becomes p
    move king to hand of starter
    nobody wins
"""
POOL = """\
game "Pool" played by Player
kind Player 2
pool gems 5
    bank starts 1
    chest starts 4
    purse of Player
state
    seen 0..9
let p be Player
let n be 0..9
play
    each p
        move 2 from bank to purse of p
    nobody wins
"""


def finish(made: Machine) -> tuple[State, Over | Open]:
    state = made.start()
    while True:
        node = made.run(state)
        if isinstance(node, Over | Open):
            return state, node
        made.answer(state, node.moves[0] if isinstance(node, Choice) else node.outcomes[0][0])


def cell(made: Machine, state: State, name: str, *args: int) -> object:
    slot = next(slot for slot in made.world.slots.values() if slot.symbol.name == name)
    address = slot.address(args)
    assert address is not None
    return state.cells[address]


def test_a_thing_that_moves_leaves_one_pile_and_enters_another() -> None:
    made = machine(
        CARDS
        + "rule gone\n    when c leaves deck\n        left_deck increases by 1\n"
        + "rule come\n    when c enters hand of p if c is king\n        came increases by 1\n"
    )
    state, _ = finish(made)
    assert (cell(made, state, "left_deck"), cell(made, state, "came")) == (1, 1)


@pytest.mark.parametrize("event", ["c leaves deck", "c enters hand of p"])
def test_a_move_that_is_ignored_moves_nothing(event: str) -> None:
    made = machine(CARDS + f"rule stay\n    ignore {event}\n")
    state, _ = finish(made)
    assert cell(made, state, "deck") == (0, 1)
    assert cell(made, state, "hand", 0) == ()


def test_a_place_that_runs_out_without_a_rule_is_a_gap() -> None:
    made = machine(POOL)
    _, node = finish(made)
    assert isinstance(node, Open)
    assert node.kind == "gap"
    assert "bank" in node.text


def test_a_rule_can_fill_a_place_that_runs_out() -> None:
    made = machine(POOL + "rule refill\n    when bank runs out\n        move 3 from chest to bank\n")
    state, node = finish(made)
    assert isinstance(node, Over)
    held = [cell(made, state, "purse", p) for p in (0, 1)]
    assert held == [2, 2]
    assert (cell(made, state, "bank"), cell(made, state, "chest")) == (0, 1)


def test_moved_counters_are_changes_and_are_never_lost() -> None:
    made = machine(
        POOL.replace("bank starts 1", "bank starts 4").replace("chest starts 4", "chest starts 1")
        + "rule look\n    when purse of p increases by n\n        seen increases by n\n"
        + "rule keep\n    ignore purse of p increases if size of Player is 3\n"
    )
    state, _ = finish(made)
    assert cell(made, state, "seen") == 4
    stopped = machine(
        POOL.replace("bank starts 1", "bank starts 4").replace("chest starts 4", "chest starts 1")
        + "rule keep\n    ignore purse of p increases\n"
    )
    state, _ = finish(stopped)
    assert cell(stopped, state, "bank") == 4


ORDER = """\
game "Order" played by Player
precedence
    {by}
kind Player 2
state
    bell yes/no
    leader Player or none
    seating order of Player
    x 0..9
let p be Player
play
    chance chooses p
    leader becomes p
    bell becomes yes
rule one
    when bell becomes yes
        x becomes 1
rule two
    when bell becomes yes
        x becomes 2
"""


@pytest.mark.parametrize(
    ("by", "actor"),
    [
        ("assume simultaneous by leader", 1),
        ("assume simultaneous by seating", 0),
        ("assume simultaneous by Player", None),
        ("otherwise undecided", None),
    ],
)
def test_who_orders_what_happens_at_the_same_time(by: str, actor: int | None) -> None:
    made = machine(ORDER.format(by=by))
    state = made.start()
    chance = made.run(state)
    made.answer(state, chance.outcomes[1][0])  # type: ignore[union-attr]
    node = made.run(state)
    assert isinstance(node, Choice)
    assert node.what == "what happens first"
    assert node.actor == actor


LISTED = """\
game "Listed" played by Player
precedence
    assume {meta}
kind Player 2
kind Wound named cut, burn
    gained 0..9
state
    bell yes/no
    trace 0..999
let h be Wound
play
    gained of cut becomes {cut}
    gained of burn becomes {burn}
    bell becomes yes
    nobody wins
rule one among g source h
    when bell becomes yes if h is cut
        trace becomes trace * 10 + 1
rule two among g source h
    when bell becomes yes if h is burn
        trace becomes trace * 10 + 2
rule three {third}
    immediately when bell becomes yes
        trace becomes trace * 10 + 3
"""


@pytest.mark.parametrize(
    ("meta", "cut", "burn", "trace"),
    [
        ("listed order among g", 5, 5, 312),
        ("earlier over later among g by gained", 5, 4, 321),
        ("later over earlier among g by gained", 5, 4, 312),
    ],
)
def test_a_rule_of_the_book_orders_what_happens_at_the_same_time(meta: str, cut: int, burn: int, trace: int) -> None:
    made = machine(LISTED.format(meta=meta, cut=cut, burn=burn, third=""))
    state = made.start()
    assert isinstance(made.run(state), Over)  # nobody is asked
    assert cell(made, state, "trace") == trace


@pytest.mark.parametrize(
    "meta", ["earlier over later among g by gained", "listed order among other", "cannot over may"]
)
def test_what_the_book_does_not_order_the_players_do(meta: str) -> None:
    made = machine(LISTED.format(meta=meta, cut=5, burn=5, third="among other"))
    node = made.run(made.start())
    assert isinstance(node, Choice)
    assert [move.text for move in node.moves] == ["first one", "first two"]
