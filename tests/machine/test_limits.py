"""Limits: what would exceed them is not legal, or not carried out, or carried out as far as they go."""

from __future__ import annotations

import pytest

from rules.machine import Game
from tests.machine.making import machine

BOOK = """\
game "Limits" played by Player

kind Player 1
    coins 0..20 starts 3

kind Card named ace, king, queen, jack

piles of Card
    deck starts Card
    hand of Player

pool gems 9
    bank starts rest
    chest starts 1

let p be Player
let c be Card

play
    each p
        p takes any actions

action earn by p
    coins of p increases by 4

action fetch by p
    draw 2 from deck to hand of p

action mine by p
    move 4 from bank to chest

action spend by p
    coins of p decreases by 1

action gamble by p
    roll d6:
        1..6: coins of p increases by 4

action tax by p
    collect by p

procedure collect by p
    coins of p increases by 4

rule all_may
    p may earn or fetch or mine or spend or gamble or tax

"""


def game(limit: str) -> Game:
    return Game(machine(BOOK + limit))


def cell(found: Game, name: str) -> object:
    return found.state.cells[next(s.base for s in found.machine.world.slots.values() if s.symbol.name == name)]


def verbs(found: Game) -> set[str]:
    return {legal.verb for legal in found.legal()}


PURSE = "rule purse\n    limit coins of p to 5\n"


@pytest.mark.parametrize(
    ("limit", "illegal"),
    [
        (PURSE, {"earn", "tax"}),
        ("rule hand_size\n    limit size of hand of p to 1\n", {"fetch"}),
        ("rule chest_size\n    limit chest to 3\n", {"mine"}),
        ("rule purse\n    limit coins of p to 7\n", set()),
        ("rule purse\n    limit coins of p to 5 when chest is 0\n", set()),
    ],
)
def test_an_action_that_would_exceed_a_limit_is_not_legal(limit: str, illegal: set[str]) -> None:
    found = game(limit)
    assert verbs(found) == {"earn", "fetch", "mine", "spend", "gamble", "tax"} - illegal
    blamed = {one.verb: one.limit for one in found.machine.survey(found.state, *found.machine.asked(found.state) or ())}
    assert {verb for verb, norm in blamed.items() if norm is not None} == illegal


def test_an_effect_behind_a_die_is_not_carried_out() -> None:
    found = game(PURSE)
    found.do("gamble by Player 1")
    found.settle()
    assert cell(found, "coins") == 3


@pytest.mark.parametrize(
    ("limit", "move", "slot", "after"),
    [
        ("limit coins of p to 5, rest lost", "earn", "coins", 5),
        ("limit chest to 3, rest lost", "mine", "chest", 3),
        ("limit size of hand of p to 1, rest lost", "fetch", "hand", (0,)),
    ],
)
def test_with_rest_lost_it_is_carried_out_as_far_as_the_limit_goes(
    limit: str, move: str, slot: str, after: object
) -> None:
    found = game(f"rule at_most\n    {limit}\n")
    found.do(f"{move} by Player 1")
    if slot == "hand":  # a card is not lost: it stays where it was
        assert len(cell(found, "deck")) + len(cell(found, "hand")) == 4  # type: ignore[arg-type]
        assert len(cell(found, "hand")) == 1  # type: ignore[arg-type]
    else:
        assert cell(found, slot) == after


def test_counters_beyond_a_limit_stay_where_they_were() -> None:
    found = game("rule at_most\n    limit chest to 3, rest lost\n")
    found.do("mine by Player 1")
    assert (cell(found, "bank"), cell(found, "chest")) == (6, 3)


def test_what_is_already_beyond_the_limit_may_come_closer_to_it() -> None:
    found = game(PURSE)
    found.state.cells[next(s.base for s in found.machine.world.slots.values() if s.symbol.name == "coins")] = 9
    assert "spend" in verbs(found)
    found.do("spend by Player 1")
    assert cell(found, "coins") == 8


def test_an_effect_that_a_limit_stops_sets_nothing_off() -> None:
    found = game(PURSE + "\nrule thanks\n    when coins of p increases\n        move 1 from bank to chest\n")
    found.do("gamble by Player 1")
    found.settle()
    assert cell(found, "chest") == 1
    found.do("spend by Player 1")
    free = game("rule thanks\n    when coins of p increases\n        move 1 from bank to chest\n")
    free.do("gamble by Player 1")
    free.settle()
    assert cell(free, "chest") == 2
