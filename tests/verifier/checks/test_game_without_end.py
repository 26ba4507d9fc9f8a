"""LX984 and LX985: games that cannot or need not end."""

from __future__ import annotations

import pytest

from tests.verifier.judging import NO_PLAY, judged, the_one

BOOK = """
game "Copper Hill" played by Player

kind Player 2
    coins 0..1

state
    flooded yes/no

let p be Player

play
    repeat{times}
        each p
            p takes 1 action

action dig by p
    {dig}

action flood by p
    flooded becomes yes

action wait by p

rule work
    p may dig or flood

rule rich
    p wins when coins of p is 1{dry}

{more}
"""
WAIT = "rule idle\n    p may wait"
DROWNED = "rule drowned\n    nobody wins when flooded"


def book(*more: str, times: str = "", dry: str = " and not flooded", dig: str = "coins of p becomes 1") -> str:
    return BOOK.format(times=times, dry=dry, dig=dig, more="\n\n".join(more))


def test_play_comes_to_where_no_end_is_left() -> None:
    found = the_one(book(), "LX984")
    assert (found.certainty, found.shown_by) == ("proved", "exhaustive")
    assert found.witness is not None
    assert found.witness.play == ("flood by Player 1",)
    assert judged(book(), "LX985").findings == ()


def test_a_game_without_any_end() -> None:
    found = the_one(book(dig="nothing"), "LX984")
    assert found.message == "the game never ends: no play comes to an end"


def test_players_can_wait_for_ever() -> None:
    found = the_one(book(WAIT, DROWNED), "LX985")
    assert found.certainty == "proved"
    assert judged(book(WAIT, DROWNED), "LX984").findings == ()


def test_what_hangs_on_the_dice_is_no_finding() -> None:
    dice = book(DROWNED, dig="roll d6:\n        1..5: nothing\n        6: coins of p becomes 1").replace(
        "dig or flood", "dig"
    )
    assert judged(dice, "LX984", "LX985").findings == ()


@pytest.mark.parametrize("text", [book(DROWNED), book(WAIT, times=" 3 times"), book(DROWNED, WAIT, times=" 3 times")])
def test_a_game_that_ends_is_no_finding(text: str) -> None:
    assert judged(text, "LX984", "LX985").findings == ()


def test_nothing_is_said_where_not_every_state_was_seen() -> None:
    assert judged(book(), "LX984", "LX985", budget=NO_PLAY).findings == ()
