"""How much a game can take from a stock: what lasts by counting, no play empties."""

from __future__ import annotations

import pytest

from rules.types import PileT
from solver.analysis import lasts
from solver.play import Budget, explore
from tests.machine.making import machine
from tests.making.book import random_book
from tests.making.shape import SHAPES

HEAD = """game "Copper Hill" played by Player
kind Player 2
    coins 0..9
kind Card named 6 ore
state
    day 1..4 starts 1
    left 0..6 starts 3
let p, q be Player
let n be 0..6
piles of Card
    deck starts Card
    hand of Player
action dig by p
    draw 1 from deck to hand of p
action sleep by p
    nothing
rule digging
    p may dig or sleep
"""
ASKS = "        each p\n            p takes 1 action\n"


def deck_lasts(play: str, more: str = "", cards: int = 6) -> bool:
    table = machine(HEAD.replace("6 ore", f"{cards} ore") + more + "play\n" + play)
    (deck,) = [key for key, slot in table.world.slots.items() if slot.symbol.name == "deck"]
    return lasts(table, deck)


@pytest.mark.parametrize(
    ("play", "most"),
    [
        ("    repeat 3 times\n" + ASKS, 6),
        ("    repeat until day is 4\n" + ASKS + "        day increases by 1\n", 6),
        ("    repeat until day is 4\n        phase work\n            each p\n                p takes 1 action\n"
         "            day increases by 1\n", 6),
        ("    repeat until left is 0\n" + ASKS + "        left decreases by 1\n", 6),
        ("    repeat until day >= 2\n" + ASKS + "        day increases by 1\n", 8),  # as far as the range goes
        ("    repeat 2 times\n        each p\n            p takes up to 2 actions\n", 8),
        ("    each p\n        if left > 1\n            draw 2 from deck to hand of p\n"
         "        otherwise\n            draw 3 from deck to hand of p\n", 6),
        ("    each p\n        roll d6:\n            1..3: draw 2 from deck to hand of p\n"
         "            4..6: nothing\n", 4),
        ("    repeat 2 times\n        do_it\n", 4),
    ],
)  # fmt: skip
def test_what_is_taken_at_most(play: str, most: int) -> None:
    more = "procedure do_it\n    each p\n        draw 1 from deck to hand of p\n" if "do_it" in play else ""
    assert deck_lasts(play, more, most)
    assert not deck_lasts(play, more, most - 1)


@pytest.mark.parametrize(
    ("play", "more"),
    [
        ("    repeat\n" + ASKS, ""),
        ("    repeat until coins of front of seating is 9\n" + ASKS, "state\n    seating order of Player\n"),
        ("    repeat until day is 4\n" + ASKS + "        if left > 1\n            day increases by 1\n", ""),
        ("    repeat until day is 4\n" + ASKS + "        day increases by 1\n",
         "rule again\n    when dig by p\n        day becomes 1\n"),
        ("    repeat until day is 4\n        phase work\n            each p\n                p takes 1 action\n"
         "            day increases by 1\n", "action flee by p\n    end work\nrule fleeing\n    p may flee\n"),
        ("    turns of p until left is 0\n        p takes 1 action\n", ""),
        ("    repeat 3 times\n" + ASKS, "rule more\n    when dig by p\n        each q\n            p may dig\n"),
        ("    each p\n        p takes any actions\n", ""),
    ],
)  # fmt: skip
def test_where_there_is_no_most(play: str, more: str) -> None:
    assert not deck_lasts(play, more, 40)


@pytest.mark.parametrize("shape", ["pools", "whole"])
def test_what_lasts_by_counting_no_play_empties(shape: str) -> None:
    for seed in range(12):
        table = machine(random_book(seed, SHAPES[shape]))
        kept = [
            slot
            for key, slot in table.world.slots.items()
            if slot.symbol.role in ("pile", "place") and lasts(table, key)
        ]
        words = [
            f"`{slot.symbol.name}` {'is empty' if isinstance(slot.symbol.type, PileT) else 'has too few counters'}"
            for slot in kept
        ]
        facts = explore(table, {}, Budget(work=2_000, plays=6)).facts if words else {}
        open_ = [fact.what[1] for fact in facts if fact.kind == "open"]
        assert not [text for text in open_ for word in words if text.startswith(word)]
