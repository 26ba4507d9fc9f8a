"""Moves as people type them."""

from __future__ import annotations

from functools import cache

import pytest

from grammar.parser import grammar_text
from rules.machine import Machine
from rules.machine.moves import LABELS, LEFT_OUT, MoveError, ReadMove, read_move
from rules.machine.world import Value
from tests.machine.making import machine

BOOK = """\
game "Quay" played by Player

kind Player 2..3

kind Port named athens, rhodes, crete
kind Card named 3 gale, gust
kind Cell square grid 3 by 3
kind Heap named small, large

type Weather is calm, storm

let p, other be Player
let q, from_port be Port
let c be Card
let s be Cell
let heap be Heap
let n be 1..7
let w be Weather
let cards be set of Card

play
    turns of p until nobody wins
        p takes any actions

action sail by p to q from from_port
    nothing

action take n by p from heap
    nothing

action grab by p from heap n
    nothing

action mark by p at s
    nothing

action lay by p with c for w
    nothing

action pass by p
    nothing

procedure battle by p against other
    nothing

procedure collect by p with cards
    nothing

rule all_may
    p may sail or take or grab or mark or lay or pass
"""


@cache
def quay() -> Machine:
    return machine(BOOK)


@pytest.mark.parametrize(
    ("text", "verb", "args"),
    [
        ("sail by Player 1 to crete from athens", "sail", (0, 2, 0)),
        ("sail to crete from athens by Player 2", "sail", (1, 2, 0)),
        ("sail to crete", "sail", (LEFT_OUT, 2, LEFT_OUT)),
        ("  SAIL   to Crete  BY player  1 ", "sail", (0, 2, LEFT_OUT)),
        ("sail", "sail", (LEFT_OUT, LEFT_OUT, LEFT_OUT)),
        ("take 3 by Player 1 from large", "take", (3, 0, 1)),
        ("take from large 3", "take", (3, LEFT_OUT, 1)),
        ("take 3", "take", (3, LEFT_OUT, LEFT_OUT)),
        ("grab by Player 2 from small 3", "grab", (1, 0, 3)),
        ("mark by Player 1 at Cell 2,3", "mark", (0, 7)),
        ("mark at cell 2,3 by Player 1", "mark", (0, 7)),
        ("lay with gale 3 for storm", "lay", (LEFT_OUT, 2, "storm")),
        ("lay for calm with gust", "lay", (LEFT_OUT, 3, "calm")),
        ("pass\n", "pass", (LEFT_OUT,)),
    ],
)
def test_a_move_is_read(text: str, verb: str, args: tuple[Value, ...]) -> None:
    assert read_move(quay(), text) == ReadMove(verb, args)


def test_who_acts_is_filled_in_where_the_text_does_not_say() -> None:
    assert read_move(quay(), "sail to crete", actor=1).args == (1, 2, LEFT_OUT)
    assert read_move(quay(), "sail to crete by Player 1", actor=1).args == (0, 2, LEFT_OUT)
    assert read_move(quay(), "pass", actor=0).is_whole
    assert not read_move(quay(), "sail to crete", actor=1).is_whole


def test_every_move_that_play_shows_is_read_back() -> None:
    made = quay()
    for verb, node in made.actions.items():
        types = made.verbs[verb].types
        for values in zip(*[(made.world.domain(t) * 9)[:9] for t in types], strict=True):
            assert read_move(made, made.show_move(verb, values)) == ReadMove(verb, values), node.signature.verb


@pytest.mark.parametrize(
    ("text", "mark", "message"),
    [
        ("", "", "a move begins with an action"),
        ("3", "3", "a move begins with an action, not `3`"),
        ("sial to crete", "sial", "no action is called `sial`; did you mean `sail`?"),
        ("swim", "swim", "no action is called `swim`; actions are `sail`, `take`, `grab`, `mark`, `lay`, `pass`"),
        ("battle by Player 1", "battle", "`battle` is a procedure: it is done, but nobody chooses it"),
        ("sail to cretee", "cretee", "there is no Port `cretee`; did you mean `crete`?"),
        ("sail to Player 1", "Player 1", "what stands after `to` is a Port, and `Player 1` is a Player"),
        ("sail to crete to athens", "to", "`to ...` is said twice"),
        ("take 3 from large 4", "4", "what `take` is about is said twice"),
        ("sail at crete", "at", "`sail` has no part `at ...`; the parts of `sail` begin with `by`, `to`, `from`"),
        ("sail too crete", "too", "`too` cannot stand here; did you mean `to`?"),
        ("sail crete", "crete", "`crete` cannot stand here; did you mean `to crete` or `from crete`?"),
        ("mark 3", "3", "`3` cannot stand here; the parts of `mark` begin with `by`, `at`"),
        ("sail to", "", "after `to` a Port should stand"),
        ("sail to by Player 1", "by", "after `to` a Port should stand, not `by`"),
        ("sail to crete!", "!", "`!` cannot stand here; the parts of `sail` begin with `by`, `to`, `from`"),
        ("take 9 from large", "9", "9 is beyond what stands after `take`, which is 1..7"),
        (
            "lay with gale",
            "gale",
            "`gale` is the title of 3 things, and one is meant; say which: `gale 1`, `gale 2`, `gale 3`",
        ),
        ("mark at Cell 4,4", "Cell 4,4", "there is no Cell `Cell 4,4`; there are "),
        ("sail by Player 3", "Player 3", "there is no Player `Player 3`; there are `Player 1`, `Player 2`"),
        ('sail to "crete"', '"', 'a value should stand here, not `"`; names stand without quotation marks'),
    ],
)
def test_what_is_no_move_is_told_in_one_line(text: str, mark: str, message: str) -> None:
    with pytest.raises(MoveError) as caught:
        read_move(quay(), text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
    assert caught.value.span.text == mark


def test_letters_that_differ_only_in_size_must_tell_things_apart() -> None:
    made = machine(BOOK.replace("named athens, rhodes, crete", "named athens, Athens, crete"))
    assert read_move(made, "sail to Athens").args[1] == 1
    with pytest.raises(MoveError, match="no Port `ATHENS`"):
        read_move(made, "sail to ATHENS")


def test_the_small_words_are_those_of_the_grammar() -> None:
    line = next(line for line in grammar_text().splitlines() if line.startswith("!label:"))
    assert tuple(line.removeprefix("!label:").replace('"', "").replace(" ", "").split("|")) == LABELS
