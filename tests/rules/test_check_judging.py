"""Notes, questions, claims and scenarios: they ask what can be asked and expect what can be answered."""

from __future__ import annotations

import pytest

from tests.rules.harness import verify

CASES = {
    "notes": """
documents
    book "Rulebook"
note etiquette "shake hands" cites book 1
note manners "shake hands" cites book 1     # LX106 at manners | a reason is one of etiquette, appearance
note advise "sail early" cites book 1       # LX106 at advise | did you mean `advice`?
note advice "sail early"                    # LX120 at note advice "sail early" | add `cites book 12`
""",
    "may, must, cannot": """
question "May a ship leave?"
    p may sail to q when ship of p is athens and depth of q > 3
    expect always because sailing
question "May a ship drift?"
    p may drift when weather                # LX101 at drift ; LX203 at weather
question "May a port sail?"
    weather may sail                        # LX212 at weather ; LX201 at sail
question "How much?"
    p may sail
    expect 3                                # LX410 at expect 3 | this question is answered `always`, `never`
question "Why?"
    p may sail to q
    expect never because sialing against pirates, storms    # LX101 at sialing ; LX101 at storms
question "Who knows?"
    p may sail to q
    expect undetermined because sail, toll, harm
""",
    "what is": """
question "What is the toll?"
    what is toll of p when coins of p > 3
    expect 1
question "What is the toll of the rich?"
    what is toll of p when coins of p       # LX203 at coins of p
    expect 7                                # LX303 at 7 | `toll` is a number 0..3
question "What is the weather?"
    what is weather
    expect wine                             # LX201 at wine
question "What is the wether?"
    what is wether                          # LX101 at wether
    expect storm
question "Is it known?"
    what is weather
    expect depends
""",
    "what happens": """
question "What happens?"
    what happens when sail by p to crete if coins of p > 3
    expect depends
question "What happens then?"
    what happens when sail by p to storm if coins of p      # LX201 at storm ; LX203 at coins of p
question "How many?"
    what happens when sail by p
    expect fog                              # LX410 at expect fog ; LX101 at fog
""",
    "claims": """
claim "ships float" always depth of q >= coins of p or p is passed
claim "sum" never coins of p + day          # LX203 at coins of p + day
claim possible p wins and not other wins
claim eventually not during game
claim possible weather wins                 # LX212 at weather
""",
    "scenarios": """
policy house
    sailing over pirates
scenario "a good one"
    seats 3
    policy house
    given coins of p is 3 and ship of p is athens
    during turn of p
    do sail by p to rhodes
    then coins of p is 3
    then p may sail to athens because sailing
    then undetermined between sailing, pirates
scenario "lots"
    seats 5                                 # LX303 at seats 5 | the game is for 2 to 4 Player, not 5
    policy huose                            # LX101 at huose | did you mean `house`?
    given coins of p                        # LX203 at coins of p
    during nite of p                        # LX101 at nite
    do sail by p                            # LX207 at sail by p | `sail` also needs `to q`
    do sail by p to rhodes rolling fog drawing gust     # LX101 at fog
    then day                                # LX203 at day
    then p may sail to storm                # LX201 at storm
    then weather may sail                   # LX212 at weather ; LX201 at sail
    then p may sail because salling         # LX101 at salling | did you mean `sailing`?
    then undetermined between storms        # LX101 at storms
ruling errata
    pirates over sailing
policy house_rule
    sailing over pirates
scenario "a ruling is not asked for"
    policy errata                           # LX103 at errata | `errata` is a ruling: it is always in force
    policy erata                            # LX101 at erata | no policy is called `erata`
    then nobody wins
scenario "nothing is expected"              # LX409 at scenario "nothing is expected" | this scenario expects nothing
    given coins of p is 3
scenario "one line is enough"
    then nobody wins
scenario "few"
    seats 1                                 # LX303 at seats 1
    then coins of p is 0
scenario "just two"
    seats 2
    then coins of p is 0
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])


def test_seats_in_a_game_that_nobody_plays() -> None:
    verify(
        """
game "A walk"
kind Hero 1
    health 0..9
let h be Hero
scenario "alone"
    seats 1                                 # LX409 at seats 1 | write `game "..." played by Player`
    then health of h is 0
""".removeprefix("\n"),
        alone=True,
    )


def test_the_seats_of_a_game_for_a_fixed_number() -> None:
    verify(
        """
game "The ferry" played by Ferryman
kind Ferryman 2
    coins 0..9
let f be Ferryman
scenario "three"
    seats 3                                 # LX303 at seats 3 | the game is for 2 Ferryman, not 3
    then coins of f is 0
""".removeprefix("\n"),
        alone=True,
    )
