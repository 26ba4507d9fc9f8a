"""After an edit a check says what it would say without anything kept, and explores only what the edit can touch."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from tests.making import SHAPES, random_book
from tests.verifier.rechecking import Kept, check, edited, read_text

BOOK = """
game "Harbour" played by Player

documents
    book "Rulebook"
    card "Cards"

precedence
    authority card > book cites book 1
    otherwise undecided

kind Player 2
    coins 0..6 starts 2

state
    day 1..3
    wind 0..3

let p be Player

play
    repeat until day is 3
        roll d4:
            1..2: wind becomes 1
            3..4: wind becomes 2
        each p
            p takes up to 1 action
        day increases by 1

action fish by p
    coins of p increases by 1

action sail by p
    coins of p decreases by 1

rule fishing cites book 2
    p may fish when coins of p < 6

rule sailing cites book 3
    p may sail when coins of p > 0

rule calm cites book 4 overrides sailing
    p cannot sail when wind is 1 and coins of p > 2

rule squall cites card 5
    p cannot fish when wind is 3

rule rich cites book 6
    when coins of p becomes 3
        wind becomes 0

rule last_day cites book 7
    nobody wins when day is 3

claim never coins of p > 5

note flavour "nothing" cites book 9
"""


def is_taken_over(text: str, kept: Kept) -> bool:
    """Whether play was not explored again; what is said must be what is said without anything kept."""
    found, said = check(text, kept)
    assert said == check(text)[1]
    assert found.recalled is not None
    return found.recalled.play


def rechecked(old: str, new: str) -> bool:
    kept = Kept()
    check(old, kept)
    return is_taken_over(new, kept)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("game ", "# A remark\ngame "),
        ("cites book 4", "cites book 40"),
        ('note flavour "nothing" cites book 9', 'note flavour "something" cites book 9'),
        ("claim never coins of p > 5", "claim never coins of p > 3"),
        ("claim never coins of p > 5", "claim always coins of p < 6\nclaim possible wind is 2"),
        ("claim never coins of p > 5\n", ""),
        ("wind is 3", "wind is 3 and day is 2"),  # holds nowhere
        ("coins of p > 2", "coins of p > 2 and day < 3"),  # the same wherever it is asked
        ("coins of p becomes 3\n", "coins of p becomes 3 if day < 3\n"),
        ("rule last_day", "rule storm cites book 8\n    p cannot sail when wind is 3\n\nrule last_day"),
        ("rule squall cites card 5\n    p cannot fish when wind is 3\n\n", ""),
    ],
)
def test_what_play_cannot_tell_is_not_explored_again(old: str, new: str) -> None:
    assert old in BOOK
    assert rechecked(BOOK, BOOK.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("coins of p < 6", "coins of p < 4"),
        ("cites book 2", "cites card 2"),  # another authority
        ("wind is 3", "wind is 2"),
        ("coins of p becomes 3\n", "coins of p becomes 3 if day < 2\n"),
        ("rule last_day", "rule storm cites card 8\n    p cannot fish when wind is 2\n\nrule last_day"),
        ("coins of p increases by 1", "coins of p increases by 2"),
        ("claim never coins of p > 5", "claim never happened (sail by p) this game"),  # asks for what is past
        ("rule calm cites book 4 overrides sailing\n    p cannot sail when wind is 1 and coins of p > 2\n\n", ""),
        ("1..2: wind becomes 1", "1..2: wind becomes 3"),
    ],
)
def test_what_play_can_tell_is_explored_again(old: str, new: str) -> None:
    assert old in BOOK
    assert not rechecked(BOOK, BOOK.replace(old, new))


def test_a_book_that_leaves_something_open() -> None:
    """Rulings are made on the way, and are part of what play passed."""
    book = BOOK.replace(" overrides sailing", "")
    for old, new in (
        ("p > 5", "p > 4"),
        ("wind is 3", "wind is 3 and day is 2"),
        ("coins of p > 2", "coins of p > 2 "),
    ):
        assert rechecked(book, book.replace(old, new))


def test_two_edits_one_after_the_other() -> None:
    """What was taken over once is taken over again, and is measured against what was really explored."""
    kept = Kept()
    check(BOOK, kept)
    text = BOOK
    for old, new in (("wind is 3", "wind is 3 and day is 2"), ("wind is 3 and day is 2", "wind is 0 and day is 3")):
        text = text.replace(old, new)
        assert is_taken_over(text, kept)
    assert not is_taken_over(text.replace("wind is 0 and day is 3", "wind is 2"), kept)


def test_a_condition_that_weighs_more_where_the_narrower_goes_before_is_explored_again() -> None:
    """The answers are the same everywhere, and yet another rule wins."""
    book = BOOK.replace("    otherwise undecided", "    specific over general cites book 1\n    otherwise undecided")
    new = book.replace("wind is 1 and coins of p > 2", "wind is 1 and coins of p > 2 and coins of p > 0")
    assert new != book
    assert not rechecked(book, new)


def test_what_was_kept_and_does_not_fit_is_not_used() -> None:
    kept = Kept()
    check(BOOK, kept)
    (name,) = kept.plays
    whole = kept.read(name)
    assert whole is not None
    spoilt: list[object] = [
        {**whole, "found": {**whole["found"], "facts": [["applied", ["nobody"], 10**9, "random"]]}},
        {**whole, "found": {key: part for key, part in whole["found"].items() if key != "told"}},
        {**whole, "walk": "another"},
        {**whole, "parts": None},
        {},
    ]
    for one in spoilt:
        kept.plays[name] = json.dumps(one)
        assert not is_taken_over("# x" + BOOK, kept)


@pytest.mark.parametrize(("shape", "seed"), [("numbers", 1), ("triggers", 0), ("stories", 3), ("values", 4)])
def test_random_books_after_random_edits(shape: str, seed: int) -> None:
    text = random_book(seed, replace(SHAPES[shape], daring=0.3), 2)
    assert read_text(text) is not None
    kept = Kept()
    check(text, kept)
    for name, new in edited(text, random.Random(seed)):
        again = Kept(dict(kept.questions), dict(kept.plays))
        assert check(new, again)[1] == check(new)[1], (shape, seed, name)
