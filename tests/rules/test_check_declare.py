"""What a book declares: names once, numbers that make sense, types that exist."""

from __future__ import annotations

import pytest

from tests.rules.harness import diagnostics_of, verify

CASES = {
    "moments and verbs share their names": """
procedure sleep                             # label at sleep
    nothing
play
    sleep
    phase sleep                             # LX102 at sleep | `sleep` cannot also name a moment
        window echo for p
    step lull                               # label at lull
        window echo for p
        window lull for p                   # LX102 at lull | `lull` cannot also name a window
    phase tide                              # label at tide
        nothing
action tide by p                            # LX102 at tide | `tide` cannot also name an action
action turn by p                            # LX102 at turn | `turn` is a moment of every game
rule tiding
    p may tide or turn
""",
    "more values than can be gone through": """
type Year is 1..10000
type Age is 1..10001                        # LX302 at 1..10001 | the type `Age` has 10001 values
die lot is 1..10000
die fate is 1..20000                        # LX302 at die fate is 1..20000 | the die `fate` has 20000 values
let year be Year
let gold be 0..20000
state
    hoard 0..50000
    years set of Year
    sums set of 0..20000                    # LX302 at set of 0..20000 | more than 10000 cannot be gone through
claim possible some year where year > 3
claim possible gold > hoard
claim possible some gold where gold > 3     # LX302 at gold | `gold` has 20001 values
""",
    "blocks that stand once": """
play                                    # label at play | the first one
    nothing
play                                    # LX109 at play | the `play` block stands twice
    nothing
precedence                              # label at precedence
    assume cannot over may
precedence                              # LX109 at precedence
    assume may over must
""",
    "how many things": """
kind Boat                               # LX302 at Boat | nothing says how many Boat there are
kind Buoy 0                             # LX302 at 0 | `or none`
kind Crane 0..2                         # LX302 at 0..2
kind Dock 1
kind Eel 4..2                           # LX301 at 4..2 | did you mean `2..4`?
kind Fish 2..1000
kind Shell 2..1001                      # LX302 at 2..1001 | there can be 1 to 1000 Shell, not 1001
kind Gull named 0 grey, 1000 white      # LX302 at 0 grey | there can be 1 to 1000 copies, not 0
kind Heron named 1001 tall, 2 small     # LX302 at 1001 tall
""",
    "grids": """
kind Yard round grid 3 by 3             # LX106 at round | a grid is `square` or `hex`
kind Field hex grid 100 by 100
kind Meadow square grid 0 by 4          # LX302 at square grid 0 by 4 | not 0 by 4
kind Moor square grid 4 by 101          # LX302 at square grid 4 by 101
""",
    "one thing for each combination": """
type Level is 1..3
kind Chit for each Weather, Level
kind Token for each Port
kind Chart for each Space               # LX101 at Space | no type or kind with named values
kind Ticket for each Cargo, Cargo       # label at Cargo #1 ; LX102 at Cargo #2 | combined only once
type Year is 1..500
kind Coin for each Year, Cargo
type Speck is 1..900000000              # LX302 at 1..900000000 | the type `Speck` has 900000000 values
kind Sand for each Speck, Cargo         # LX302 at Speck | there can be 1 to 1000 things, not 1800000000
kind Stone for each Spek                # LX101 at Spek | did you mean `Speck`?
""",
    "what a combination is made of stands above": """
kind Letter for each Stamp              # LX101 at Stamp | above this line
type Stamp is red, blue
""",
    "ranges": """
type Depth is 9..0                      # LX301 at 9..0 | did you mean `0..9`?
type Height is -3..0
state
    width 5..4                          # LX301 at 5..4
    length 4..4
let x be 3..1                           # LX301 at 3..1
""",
    "types by name": """
state
    sky Wether starts calm              # LX101 at Wether | did you mean `Weather`?
    sea_state Weather starts calm
    lot d20
    odds d                              # LX101 at d
    lineup order of Weather             # LX103 at Weather | `Weather` is no kind
    queue order of Nobody               # LX101 at Nobody
    row_ order of Port
    bought set of Wether                # label at Wether | and here
""",
    "kinds by name": """
piles of Weather                        # LX103 at Weather | `Weather` is a type; a kind is needed here
    heap starts Card
piles of Cards                          # LX101 at Cards | did you mean `Card`?
    stack starts Card
map lake of Prot                        # LX101 at Prot | did you mean `Port`?
    links athens - rhodes
""",
    "a state is asked of a kind, a type or a variable": """
state
    price of Weather 0..3
    fee of q 0..9 starts depth of q
    tax of Wether 0..3                  # LX101 at Wether | no type or kind is called `Wether`
""",
    "variables": """
value charm of p: 0..3 is 2
value luck of x: 0..3 is 2              # LX101 at x | declare it: `let x be ...`
value skill of Player: 0..3 is 2        # LX110 at Player | `Player` is no variable
value grace of othr: 0..3 is 2          # LX101 at othr | did you mean `other`?
sight sees of (s, athens)               # LX110 at athens
    from centre to centre
""",
    "ranks are of things": """
rank winner of p
    most coins of p
rank highest_number of n                # LX201 at n | things that can be ranked
    most n
rank loser of x                         # LX101 at x
    fewest day
""",
    "dice": """
die sky is calm, storm, storm
die fate is 1, 2, storm                 # LX309 at storm | `fate` has both numbers and names
die mix is calm, wine                   # LX309 at die mix is calm, wine | not values of one type
die odd is calm, fog                    # LX101 at fog | declare a `type` with the faces
die lot is 0, 3..1                      # LX301 at 3..1
die good is 0, 1..3                     # label at good | first declared here
die good is 1, 2                        # LX102 at good | die `good` is declared twice
die d6 is 2..7
""",
    "a die with faces of two sorts is reported once": """
die fate is 1, 2, storm                 # LX309 at storm
play
    roll fate as n
""",
    "actions and procedures": """
action trade by p at q                  # label at trade
    nothing
procedure trade with p                  # LX102 at trade | action or procedure `trade` is declared twice
    nothing
action swap by p with q with r          # LX207 at with r | the part `with` stands twice in `swap`
    nothing
action give n p                         # LX207 at p | a part without a word before it stands twice
    nothing
action visit by p to p                  # LX105 at to p | `p` stands twice in `visit`
    nothing
action hail by p to other during turn, nigth    # LX101 at nigth | no phase, step, window, action or procedure
    nothing
""",
    "types and kinds": """
type Tide is ebb, flood                 # label at Tide ; label at Tide
kind Tide 3                             # LX102 at Tide | type or kind `Tide` is declared twice
type Tide is spring_tide, neap_tide     # LX102 at Tide | type or kind `Tide` is declared twice
type Wind is west, west                 # label at west #1 ; LX102 at west #2 | value `west` is declared twice
""",
    "values of two types and attributes of two kinds may share a name": """
type Mood is calm, angry
kind Inn 2
    coins 0..9
let inn be Inn
claim possible coins of inn > 3
state
    mood Mood starts calm
claim possible mood is angry
""",
    "one name for things of two sorts": """
kind Boat named skiff                   # label at skiff | first declared here
state
    skiff 0..3                          # LX102 at skiff | `skiff` cannot also name a state
    tide 0..3                           # label at tide
value tide: 0..3 is 2                   # LX102 at tide | `tide` cannot also name a value
let day_ be 1..9
let hour be 0..9                        # label at hour
let hour be 1..12                       # LX102 at hour | variable `hour` is declared twice
""",
    "names that nothing else is called": """
documents
    book "Rulebook"                     # label at book
    book "Second printing"              # LX102 at book | document `book` is declared twice
pool pegs 3                             # label at pegs
    board starts 3
pool pegs 4                             # LX102 at pegs | pool
    box starts 4
story voyage                            # label at voyage
    starts at quay
    passage quay                        # label at quay
    passage quay                        # LX102 at quay | passage
story voyage                            # LX102 at voyage | story
    starts at pier
    passage pier
policy strict                           # label at strict ; label at strict
    sailing over pirates
policy strict                           # LX102 at strict | policy
    sailing over pirates
ruling strict                           # LX102 at strict | `strict` cannot also name a ruling
    sailing over pirates
ruling errata                           # label at errata
    sailing over pirates
ruling errata                           # LX102 at errata | ruling `errata` is declared twice
    sailing over pirates
""",
    "moments": """
play
    phase dawn                          # label at dawn | first declared here
        nothing
    step dawn                           # LX102 at dawn | moment `dawn` is declared twice
        nothing
    phase turn                          # LX102 at turn | `turn` is a moment of every game
        nothing
    phase round
        window react
""",
    "outlines": """
documents
    book "Rulebook"
outline book                            # label at book
    section "A"
        line 1 states 1
outline book                            # LX102 at book | outline of `book` is declared twice
    section "B"
        line 2 states 1
""",
    "rules and what else a clause can name": """
rule storms                             # label at storms
    p cannot sail when weather is storm
rule storms                             # LX102 at storms | rule `storms` is declared twice
    p cannot sail when day is 9
rank first_rank of p                    # label at first_rank
    most coins of p
rule first_rank                         # LX102 at first_rank | `first_rank` cannot also name a rule
    p wins
policy strict
    rule fines                          # label at fines
        p cannot sail when day is 1
rule fines                              # LX102 at fines | rule
    p cannot sail when day is 2
""",
    "a rule and an action of one name, in either order": """
rule rowing                             # label at rowing
    p may row
action rowing by p                      # LX102 at rowing | `rowing` cannot also name an action
    nothing
action row by p                         # label at row
    nothing
rule row                                # LX102 at row | `row` cannot also name a rule
    p may row
""",
    "a value and an action may share a name": """
action pay_toll by p
    nothing
value pay_toll of q: 0..3 is 1
claim possible pay_toll of q > 0
rule tolls overrides pay_toll
    p may pay_toll
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])


GAMES = {
    "no game": """
kind Player 2                           # LX108 at kind | begin with `game "..." played by Player`
""",
    "two games": """
game "One" played by Player             # label at game "One" played by Player | the first one
game "Two" played by Player             # LX109 at game "Two" played by Player | the `game` line stands twice
kind Player 2
""",
    "who plays": """
game "One" played by Playr              # LX101 at Playr | did you mean `Player`?
kind Player 2
""",
    "a type does not play": """
game "One" played by Side               # LX103 at Side | `Side` is a type; a kind is needed here
type Side is north, south
""",
    "nobody need play": """
game "A story"
kind Hero 1
    health 0..9
let h be Hero
play
    each h
        health of h becomes 9
""",
}


@pytest.mark.parametrize("name", GAMES)
def test_game(name: str) -> None:
    verify(GAMES[name].removeprefix("\n"), alone=True)


def test_a_text_of_nothing_has_no_complaint_of_the_checker() -> None:
    from rules import model as m
    from rules.check import check_rules

    assert check_rules(m.Rulebook(())).diagnostics == ()


ONCE = """
table omens by d6
    any: fog becomes yes
play
    fog becomes no
    fog becomes yes
    fog becomes no
    fog becomes yes
    if fog
        nothing
"""


def test_a_name_is_unknown_once_and_its_other_places_are_labels_in_reading_order() -> None:
    (only,) = diagnostics_of(ONCE)
    assert only.code == "LX101"
    assert only.span.line == 3
    assert [(label.span.line, label.text) for label in only.labels] == [
        (5, "and here"),
        (6, "and here"),
        (7, "and here"),
    ]


def test_the_first_place_in_the_text_comes_first_though_tables_are_checked_before_all_else() -> None:
    (only,) = diagnostics_of("play\n    fog becomes no\ntable omens by d6\n    any: fog becomes yes\n")
    assert only.span.line == 2
    assert [label.span.line for label in only.labels] == [4]


def test_the_kind_of_name_that_is_missing_keeps_reports_apart() -> None:
    found = diagnostics_of("play\n    fog becomes no\n    end fog\n")
    assert [(d.code, d.span.line) for d in found] == [("LX101", 2), ("LX101", 3)]
