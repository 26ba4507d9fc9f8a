"""LX934: phases, windows, actions, rolls, choices and marks that nothing takes up."""

from __future__ import annotations

import pytest

from tests.verifier.judging import NO_PLAY, judged, names
from verifier.checks import not_taken_up
from verifier.finding import Finding

BOOK = """
game "Copper Hill" played by Player

kind Player 2
    coins 0..9

kind Pit named deep, wide
    flooded yes/no

let p, other be Player
let n be 1..6
let pit be Pit

play
    repeat 3 times
        {dawn}
        each p
            p takes up to 1 action
        {dusk}

action dig by p during game
    coins of p increases by 1

rule digging
    p may dig

rule rich
    p wins when coins of p is 3 and no pit is flooded
{more}
"""


def book(*more: str, dawn: str = "nothing", dusk: str = "nothing") -> str:
    lines = dawn.replace(";", "\n        ")
    return BOOK.format(dawn=lines, dusk=dusk.replace(";", "\n        "), more="\n\n".join(more))


def found(text: str) -> tuple[Finding, ...]:
    return judged(text, "LX934", checks=(not_taken_up.CHECK,), budget=NO_PLAY).findings


BAIL = "action bail by p at pit"
BAILING = "rule bailing\n    p may bail at pit"
PARRY = "action parry by p during {}\n    coins of p decreases by 1\n\nrule parrying\n    p may parry"


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (book(dawn="phase fog"), "fog", "nothing is done in the phase `fog`"),
        (book(dawn="step fog even when ended"), "fog", "nothing is done in the step `fog`"),
        (book(dawn="window reaction").replace("dig by p during game", "dig by p during turn"), "reaction", "window"),
        (book(PARRY.format("fog"), dawn="phase fog;    window reaction"), "reaction", "window"),
        (book(BAIL, BAILING), "bail", "the action `bail` does nothing"),
        (book(dawn="roll d6"), "play", "the roll of `d6` in `play` has no consequence"),
        (book(dawn="roll d6 as n"), "play", "the roll of `d6`"),
        (book(dawn="each p;    p chooses other where other is not p"), "play", "the choice of `other`"),
        (book("state\n    omen yes/no", dawn="omen becomes yes"), "omen", "`omen` is changed, and no rule"),
        (book("state\n    toll 0..99", dawn="toll increases by 1"), "toll", "`toll` is changed"),
    ],
)
def test_what_nothing_takes_up_is_found(text: str, name: str, words: str) -> None:
    (finding,) = found(text)
    assert (finding.certainty, names(finding)[0]) == ("proved", name)
    assert words in finding.message


@pytest.mark.parametrize(
    "text",
    [
        book(),
        # a moment that has lines, that says that nothing is done, or that something hangs on
        book(dawn="phase fog;    nothing"),
        book("rule damp\n    when fog begins\n        each p\n            coins of p becomes 1", dawn="phase fog"),
        book("rule damp\n    p cannot dig when happened (fog begins) this game", dawn="phase fog"),
        # a window in which some action can be chosen, because it is named there, or names no moment
        book(PARRY.format("reaction"), dawn="window reaction"),
        book(dawn="window reaction").replace(" during game", ""),
        # what has no lines and is heard of, or says that it does nothing, or is there to pass
        book(BAIL, BAILING, "rule dry\n    when bail by p at pit\n        flooded of pit becomes no"),
        book(BAIL, BAILING, "rule dry\n    p wins when happened (bail by p at deep) this game"),
        book(BAIL + "\n    nothing", BAILING),
        book("action wait by p", "rule waiting\n    p may wait"),
        # an outcome that a line below uses, in the same part of the book or in a table for it
        book(dawn="roll d6 as n;each p;    coins of p becomes n"),
        book(dawn="repeat until n is 6;    roll d6 as n"),
        book(dawn="roll d6 as n;consult omens with yes", dusk="nothing").replace(
            "rule rich", "table omens by yes/no for n\n    any: nothing\n\nrule rich"
        ),
        book(dawn="each p;    p chooses other;    coins of other becomes 1"),
        book(dawn="each p;    p chooses other or none;    window reaction for other").replace(" during game", ""),
        # a mark that a rule, an event, a limit, a payment or a claim asks for
        book("state\n    omen yes/no", "rule bad\n    p cannot dig when omen", dawn="omen becomes yes"),
        book(
            "state\n    omen yes/no",
            "rule bad\n    when omen becomes yes\n        each p\n            coins of p becomes 0",
            dawn="omen becomes yes",
        ),
        book("state\n    toll 0..99", dawn="toll increases by 1;pay 1 from toll"),
        book("state\n    toll 0..99", "claim always toll < 9", dawn="toll increases by 1"),
        # one that nothing changes has a code of its own
        book("state\n    omen yes/no"),
    ],
)
def test_what_something_takes_up_is_not(text: str) -> None:
    assert found(text) == ()


def test_a_mark_says_where_it_is_changed() -> None:
    (finding,) = found(book("state\n    omen yes/no", dawn="omen becomes yes"))
    assert [place.part for place in finding.places] == ["is never asked for", "is changed"]
    assert [place.span.text for place in finding.places] == ["omen yes/no", "omen"]
