"""Phrases, actors and events: every part fits the action, someone does it, and what happens can happen."""

from __future__ import annotations

import pytest

from tests.rules.harness import verify

CASES = {
    "parts of a phrase": """
rule tides
    p may sail
    p may sail to q
    p may sale to q                     # LX101 at sale | did you mean `sail`?
    p may wander with x                 # LX101 at wander | declare it: `action wander by ...` ; LX101 at x
    p may sail from q                   # LX207 at from q | `sail` has no part `from`
    p may sail q                        # LX207 at q | no part without a word such as `to` before it
    p may sail to athens to crete       # LX207 at to crete | the part `to` of `sail` is given twice
    p may sail to storm                 # LX201 at storm | `q` of `sail` is a Port, and this is a Weather
    p may sail from fog                 # LX207 at from fog | write `sail by p to q` ; LX101 at fog
""",
    "a procedure is called with all its parts": """
play
    each p
        harm p by 3
        harm p                          # LX207 at harm p | `harm` also needs `by n`
        harm by 2                       # LX207 at harm by 2 | `harm` also needs `p`
        harm p p by 2                   # LX207 at p #2 | the part `p` of `harm` is given twice
        harm p by 30                    # LX303 at 30
        hurt p by 3                     # LX101 at hurt
""",
    "who does it": """
action drift
    nothing
rule tides
    p may drift                         # LX208 at drift | declare it as `action drift by ...`
    p may sail by p                     # LX207 at sail by p | who does `sail` is said twice
    starter may sail
    Player may sail
    q may sail                          # LX201 at sail | done by a Player, not by a Port ; LX212 at q
    day may sail                        # LX212 at day | this is a number 1..9 ; LX201 at sail
    nobody_here may sail                # LX101 at nobody_here
""",
    "a thing acts through its player": """
kind Titan 2
    master Player or none
kind Golem 2
    maker Player or none
    owner Player or none
kind Ghost 2
let titan be Titan
let golem be Golem
let ghost be Ghost
play
    each titan
        titan chooses q
    each golem
        golem chooses q                 # LX212 at golem | it has `maker`, `owner`
        golem chooses r
    each ghost
        ghost chooses q                 # LX212 at ghost | nothing says which Player acts for a Ghost
""",
    "chance chooses, but does nothing else": """
play
    chance chooses q
    chance decides
        option "storm"
            nothing
    chance takes 1 action               # LX101 at chance
    each p
        Player chooses r
        p chooses c
    Port chooses n                      # LX212 at Port | this is a set of Port
""",
    "changes": """
rule tides
    when coins of p increases by n if n > 3
        nothing
    when coins of p increases by storm  # LX204 at storm | a number is needed here
        nothing
    when weather decreases              # LX204 at weather | only a number decreases, and this is a Weather
        nothing
    when weather becomes storm
        nothing
    when weather becomes 3              # LX201 at 3
        nothing
    when ship of p changes
        nothing
    when ready of p decreases
        nothing
    when depth of q changes             # LX205 at depth of q | `depth` never changes
        nothing
    when toll of p changes              # LX205 at toll of p | only state, attributes and places of a pool change
        nothing
    when fog changes                    # LX101 at fog
        nothing
""",
    "moments": """
rule tides
    when turn of p begins
        nothing
    when sail ends
        nothing
    when night begins                   # LX101 at night | no phase, step, window, action or procedure
        nothing
    when turn of x ends                 # LX101 at x
        nothing
""",
    "piles": """
rule tides
    when deck runs out
        nothing
    when supply of p runs out
        nothing
    when coins of p runs out            # LX211 at coins of p | only a pile or a place of a pool runs out
        nothing
    when c enters hand of p
        nothing
    when c leaves coins of p            # LX211 at coins of p | a pile is needed here
        nothing
    when q enters hand of p             # LX201 at q | this pile holds Card, and this is a Port
        nothing
    when c enters fog                   # LX101 at fog
        nothing
""",
    "what a rule reacts to is a phrase": """
rule tides
    when about to sail by p to crete
        nothing
    instead of sail by p to storm       # LX201 at storm
        nothing
    ignore sail by p from athens        # LX207 at from athens
""",
    "variables in the subject stand for any thing": """
rule tides
    when sail by p to q if depth of q > 3 and coins of p > 2
        harm p by 1
    when sail by p if depth of q > 3    # LX104 at q
        harm p by 1
    p may sail when some q where depth of q > coins of p
""",
    "what an expression in the subject binds is not in the subject": """
rule tides
    limit number of (c where c is in hand of p) to 3
    limit total of (depth of q for q where q is in seen of p) to 9
    limit number of (c where c is in hand of p) to power of c       # LX104 at c #3
    ignore rule sailing if some q where ship of p is q
    ignore rule sailing if coins of p > 3
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])


def test_without_players_nobody_can_act() -> None:
    verify(
        """
game "A walk"
kind Hero 1
kind Path named left_path, right_path
let h be Hero
let way, other_way be Path
play
    each h
        h chooses way                   # LX212 at h | write `game "..." played by Hero`
        h chooses other_way
""".removeprefix("\n"),
        alone=True,
    )


def test_a_book_may_call_a_thing_chance() -> None:
    verify(
        """
state
    chance 0..3
play
    chance chooses q                    # LX212 at chance | this is a number 0..3
"""
    )
