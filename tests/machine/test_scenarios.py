"""Scenarios: those that pass, and for each way to fail the line that is shown."""

from __future__ import annotations

import pytest

import ludex
from ludex.book import bundled
from ludex.scenarios import failures, scenarios_of
from tests.machine.making import failure, machine

BOOK = """\
game "Small" played by Player

kind Player 2..3
    coins 0..9 starts 3

kind Card named 3 calm, 1 gust

piles of Card
    deck starts Card shuffled closed
    hand of Player

pool gold 10
    bank starts rest
    chest

state
    thrown 0..6

let p, other be Player
let c be Card
let n be 1..6

precedence
    assume cannot over may
    otherwise undecided

play
    turns of p until some p where coins of p is 9
        phase throwing
            roll d6 as n
            thrown becomes n
        phase acting
            if thrown > 5
                p must work or rest_a_while or fish or store or gamble

action work by p
    coins of p increases by 1

action rest_a_while by p
    nothing

action fish by p
    draw 1 from deck to hand of p

action store by p
    pay 1 from coins of p
    move 2 from bank to chest

action gamble by p
    roll d6 as n
    coins of p becomes n

rule working
    p may work or rest_a_while or fish or store or gamble

rule rich
    p cannot work when coins of p >= 8

rule weary
    p cannot rest_a_while when coins of p is 7

rule never_weary
    p must rest_a_while when coins of p is 7

"""


def lines(*given: str) -> str:
    return BOOK + 'scenario "it"\n' + "".join(f"    {line}\n" for line in given)


@pytest.mark.parametrize("name", sorted(bundled()))
def test_the_scenarios_of_every_bundled_book_pass(name: str) -> None:
    book = ludex.load(name)
    assert scenarios_of(book)
    assert failures(book) == []


@pytest.mark.parametrize(
    "given",
    [
        ("given thrown is 6", "during acting", "do work by p rolling 6", "then coins of p is 4"),
        ("given coins of other is 5", "during turn of other", "then other may work because working"),
        ("given coins of p is 8", "during turn of p", "then p cannot work because rich", "then p may fish"),
        (
            "during turn of p",
            "do fish by p rolling 6 drawing gust",
            "then some c where c is gust and c is in hand of p",
        ),
        ("during turn of p", "do store by p rolling 6", "then bank is 8 and chest is 2 and coins of p is 2"),
        ("during turn of p", "do gamble by p rolling 2, 6", "then coins of p is 2"),
        ("seats 3", "during turn of p", "then size of Player is 3"),
        ("given top of deck is gust", "during turn of p", "do fish by p rolling 6", "then size of hand of p is 1"),
        ("given coins of p is 7", "during turn of p", "then undetermined between weary, never_weary"),
    ],
    ids=lambda given: given[-1],
)
def test_scenarios_that_hold(given: tuple[str, ...]) -> None:
    assert failure(lines(*given)) is None


@pytest.mark.parametrize(
    ("given", "line", "text"),
    [
        (
            ("during turn of p", "do work by p rolling 6", "then coins of p is 5"),
            "then coins of p is 5",
            "does not hold",
        ),
        (
            ("given coins of p is 9", "during turn of p", "do work by p", "then during game"),
            "do work by p",
            "is not legal here",
        ),
        (("during turn of p", "do work by p", "then during game"), "do work by p", "chance decides here (roll d6)"),
        (
            ("during turn of p", "do gamble by p rolling 7", "then during game"),
            "do gamble by p rolling 7",
            "cannot give 7",
        ),
        (("during turn of p", "then p cannot work"), "then p cannot work", "this is legal here: working"),
        (("during turn of p", "then p must work"), "then p must work", "nothing demands this"),
        (
            ("during turn of p", "then p may work because rich"),
            "then p may work because rich",
            "not because of rich; it is because of working",
        ),
        (
            ("given coins of p is 2 and coins of p is 3", "during turn of p", "then p may work"),
            "given",
            "cannot all hold",
        ),
        (("during throwing", "then p may work"), "during throwing", "nobody comes to decide anything"),
        (("during work", "then p may work"), "during work", "play never comes to `work` by itself"),
        (("during turn of p", "then undetermined"), "then undetermined", "nothing is undetermined here"),
        (
            ("given coins of p is 7", "during turn of p", "then undetermined between rich"),
            "then undetermined",
            "the rules that disagree here are never_weary, weary",
        ),
    ],
)
def test_scenarios_that_fail_show_the_line_and_why(given: tuple[str, ...], line: str, text: str) -> None:
    found = failure(lines(*given))
    assert found is not None
    assert found.span.text.strip().startswith(line)
    assert text in found.text


def test_a_pool_is_conserved_and_paying_what_is_not_there_is_illegal() -> None:
    made = machine(BOOK)
    state = made.start()
    slots = {slot.symbol.name: slot.base for slot in made.world.slots.values()}
    assert (state.cells[slots["bank"]], state.cells[slots["chest"]]) == (10, 0)
    assert failure(lines("given coins of p is 0", "during turn of p", "then p cannot store")) is None
    assert failure(lines("given coins of p is 1", "during turn of p", "then p may store")) is None
