"""LX935: decks and pools that can run out."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

CARDS = """kind Card named {cards}

piles of Card
    deck starts Card
    hand of Player
    discard

let c be Card"""
POOL = """pool cubes {total}
    bank starts rest
    purse of Player"""
RESHUFFLE = "rule reshuffle\n    when deck runs out\n        shuffle discard into deck"


def deck(*more: str, dig: str = "draw 1 from deck to hand of p", when: str = "", cards: str = "4 ore") -> str:
    return mine(CARDS.format(cards=cards), *more, dig=dig, when=when)


def pool(dig: str = "move 1 from bank to purse of p", when: str = "", total: int = 5, *more: str) -> str:
    return mine(POOL.format(total=total), *more, dig=dig, when=when)


def test_a_deck_runs_out_in_play() -> None:
    found = the_one(deck(), "LX935")
    assert found.certainty == "witnessed"
    assert names(found) == ["deck", "dig"]
    assert found.witness is not None
    assert found.witness.play is not None
    assert len(found.witness.play) == 5


def test_a_place_of_a_pool_runs_out_in_play() -> None:
    found = the_one(pool(), "LX935")
    assert (found.certainty, names(found)) == ("witnessed", ["bank", "dig"])


def test_a_deck_that_lasts_for_all_rounds_does_not() -> None:
    """Two players draw one card in each of three rounds: counting tells, without any play."""
    assert judged(deck(cards="6 ore"), "LX935").findings == ()
    unplayed = judged(deck(cards="6 ore"), "LX935", budget=NO_PLAY)
    assert (unplayed.findings, [one for one in unplayed.left_open if one.code == "LX935"]) == ((), [])


def test_a_deck_that_might_run_out_is_left_open_where_no_play_shows_it() -> None:
    unplayed = judged(deck(cards="5 ore"), "LX935", budget=NO_PLAY)
    assert (unplayed.findings, [one.code for one in unplayed.left_open if one.code == "LX935"]) == ((), ["LX935"])
    assert the_one(deck(cards="5 ore"), "LX935").certainty == "witnessed"


@pytest.mark.parametrize(
    "text",
    [
        deck(RESHUFFLE),
        deck(when="size of deck > 0"),
        deck(dig="if size of deck > 0;    draw 1 from deck to hand of p"),
        deck(dig="if size of deck is 0;    end dig;draw 1 from deck to hand of p"),
        pool(when="bank >= 1"),
        pool(dig="pay 1 from bank to purse of p"),
        pool("move 1 from bank to purse of p", "", 5, "rule broke\n    when bank runs out\n        nothing"),
    ],
)
def test_a_rule_for_it_or_a_guard_is_enough(text: str) -> None:
    assert judged(text, "LX935", budget=NO_PLAY).findings == ()


def test_a_rule_that_applies_only_sometimes_is_not() -> None:
    half = "rule reshuffle\n    when deck runs out if weather is wet\n        shuffle discard into deck"
    assert the_one(deck(half), "LX935").certainty == "witnessed"
    never = "rule reshuffle\n    when deck runs out if weather is dry\n        shuffle discard into deck"
    assert judged(deck(never), "LX935").findings == ()


def test_a_draw_of_several_needs_several() -> None:
    two = "draw 2 from deck to hand of p"
    assert the_one(deck(dig=two, when="size of deck > 0", cards="3 ore"), "LX935").certainty == "witnessed"
    assert judged(deck(dig=two, when="size of deck > 1", cards="3 ore"), "LX935", budget=NO_PLAY).findings == ()


def test_what_is_dealt_before_anybody_decides_is_left_to_play() -> None:
    dealt = deck(dig="nothing").replace(
        "    repeat 3 times", "    each p\n        draw 2 from deck to hand of p\n    repeat 3 times", 1
    )
    assert judged(dealt, "LX935", budget=NO_PLAY).findings == ()
    found = the_one(dealt.replace("draw 2 from", "draw 3 from"), "LX935")
    assert (found.certainty, names(found)) == ("witnessed", ["deck", "play"])


@pytest.mark.parametrize(("taken", "found"), [("purse of other", 0), ("purse of front of seating", 1)])
def test_what_holds_of_each_stays_true_of_those_who_come_later(taken: str, found: int) -> None:
    text = pool(dig=f"each other where purse of other >= 1;    move 1 from {taken} to bank", when="bank >= 9")
    text = text.replace("state\n", "state\n    seating order of Player shuffled\n")
    text = text.replace("pool cubes 5", "pool cubes 9").replace("let p be", "let p, other be")
    left = judged(text, "LX935", budget=NO_PLAY).left_open
    assert [one.code for one in left if one.code == "LX935"] == ["LX935"] * found
