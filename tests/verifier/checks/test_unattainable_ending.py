"""LX982: endings that nobody comes to."""

from __future__ import annotations

import pytest

from solver.play import Budget
from tests.verifier.checks.mine import mine
from tests.verifier.judging import BUDGET, NO_PLAY, TINY, judged, names, the_one

DIG = "coins of p increases by 1"


def ending(when: str, players: str = "2") -> str:
    return mine(f"rule rich\n    p wins when {when}", dig=DIG, players=players)


@pytest.mark.parametrize("when", ["weather is dry and weather is wet", "p is tired and not p is tired"])
def test_a_condition_that_excludes_itself(when: str) -> None:
    found = the_one(ending(when), "LX982", budget=NO_PLAY)
    assert (found.certainty, found.shown_by, names(found)) == ("proved", "the solver", ["rich"])


def test_a_condition_that_no_play_comes_to() -> None:
    found = the_one(ending("coins of p is 5"), "LX982")
    assert (found.certainty, found.shown_by) == ("proved", "every state of play")
    assert found.places[0].part == "is out of reach by history"
    assert "players" not in found.message


@pytest.mark.parametrize("players", ["2", "2..3"])
def test_bounds_prove_it_where_not_every_state_was_seen(players: str) -> None:
    found = the_one(ending("coins of p is 5", players=players), "LX982", budget=TINY)
    assert (found.certainty, found.shown_by, found.players) == ("proved", "bounds", ())
    assert found.places[0].part == "is out of reach by history"


TURNING = """state
    a yes/no
    b yes/no starts yes
    c yes/no
    d yes/no"""
TURN = "if a is b;    d becomes yes;c becomes a;a becomes b;b becomes c"


def test_induction_or_an_invariant_proves_it() -> None:
    text = mine(TURNING, "rule rich\n    p wins when d", dig=TURN).replace("repeat 3 times", "repeat until day is 9")
    found = the_one(text, "LX982", budget=TINY)
    assert found.certainty == "proved"
    assert found.shown_by in ("k-induction", "Spacer")
    assert judged(text.replace("b yes/no starts yes", "b yes/no"), "LX982", budget=TINY).findings == ()


def test_what_was_shown_for_some_players_is_said_of_them() -> None:
    dig = "each other;    coins of other increases by 1"
    text = mine("let other be Player", "rule rich\n    p wins when coins of p is 8", dig=dig, players="2..3")
    found = the_one(text, "LX982")
    assert "with 2 players" in found.message
    assert found.players == (2,)


def test_the_values_that_a_story_can_bring_about_are_known() -> None:
    text = """
game "Night Ferry" played by Player

kind Player 1

state
    ticket yes/no
    crown yes/no

let p be Player

play
    read harbour

story voyage
    starts at harbour
    passage harbour "Gulls over the quay."
        option "Go below" when ticket
            go to hold
        option "Stay"
            return
    passage hold
        crown becomes yes
        return

rule king
    p wins when crown
"""
    found = the_one(text, "LX982", budget=NO_PLAY)
    assert (found.shown_by, found.places[0].part) == (
        "the values that can ever be held",
        "is out of reach by history",
    )
    given = text.replace("    read harbour", "    ticket becomes yes\n    read harbour")
    assert judged(given, "LX982", budget=NO_PLAY).findings == ()


LINE = "if weather is {};    p wins"


@pytest.mark.parametrize(
    ("dig", "budget", "by"),
    [
        (LINE.format("wet"), NO_PLAY, "the values that can ever be held"),
        ("if coins of p is 5;    p wins;coins of p increases by 1", BUDGET, "every state of play"),
    ],
)
def test_a_line_that_is_never_done(dig: str, budget: Budget, by: str) -> None:
    found = the_one(mine(dig=dig), "LX982", budget=budget)
    assert (found.certainty, found.shown_by, names(found)[0]) == ("proved", by, "dig")
    assert found.message.startswith("no play ever comes to `p wins` in `dig`")


@pytest.mark.parametrize("dig", [LINE.format("dry"), "p wins", "roll d6:;    1..5: nothing;    6: p wins"])
def test_a_line_that_is_done(dig: str) -> None:
    assert judged(mine(dig=dig), "LX982").findings == ()


def test_a_line_in_a_row_that_never_counts_is_told_of_as_the_row() -> None:
    table = "table omens by 1..6\n    1..2: nothing\n    3..6: nobody wins"
    text = mine(table, dig="consult omens with 2")
    assert {finding.code for finding in judged(text, "LX982", "LX957").findings} == {"LX957"}


def test_an_ending_for_more_players_is_attained_with_more() -> None:
    when = "size of Player is 3 and coins of p is 2"
    assert judged(ending(when, players="2..3"), "LX982").findings == ()


def test_an_ending_that_play_comes_to_is_no_finding() -> None:
    assert judged(ending("coins of p is 2"), "LX982").findings == ()


def test_what_reading_the_book_has_told_is_not_told_again() -> None:
    assert judged(ending("coins of p > 9"), "LX982").findings == ()
