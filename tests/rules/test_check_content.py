"""Kinds, state, piles, pools, maps, lines of sight and outlines: what they hold at the start fits."""

from __future__ import annotations

import pytest

from tests.rules.harness import verify

CASES = {
    "lines of a section": """
documents
    book "Rulebook"
outline book
    section "Storms" lines 30..44
        line 30 states 1
        line 44 states 1
        line 45 states 1                    # LX122 at line 45 states 1 | not among the lines 30..44
        line 29 states 1                    # LX122 at line 29 states 1
    section "Calms"
        line 50 states 1
""",
    "a start of none": """
state
    leader Player starts none               # LX201 at none | let it be `Player or none`
    sky Weather starts none                 # LX201 at none | let it be `Weather or none`
    heir Player or none starts none
    count 0..3 starts none                  # LX201 at none | `count` is a number 0..3, and this is none
""",
    "printed values": """
kind Lamp named tall, small
    printed cost 0..9                       # LX310 at cost | nothing says what `cost` is printed on `small`
    printed shade Weather                   # LX310 at shade | on `tall`, `small`
    printed lit yes/no
    printed ports set of Port
    printed keeper Player or none
    printed height 0..9 starts 3
    printed width 0..9
    tall has cost 3, width 2
    small has width 3
kind Sail 5
    printed area 0..9                       # LX310 at area | nothing says what `area` is printed on the Sail
    printed torn yes/no
kind Flag named one, two, three, four, five, six
    printed rank 1..9                       # LX310 at rank | `one`, `two`, `three`, `four` and 2 more
""",
    "has lines": """
kind Lamp named tall, small
    printed cost 0..9
    tall has cost 3
    small has cost 12                       # LX303 at 12 | `cost` is a number 0..9
    smal has cost 2                         # LX101 at smal | did you mean `small`?
    tall has cots 3                         # LX101 at cots | did you mean `cost`?
kind Sail named main, jib
    printed area 0..9
    main has area 3                         # label at area 3 | first given here
    main has area 4                         # LX102 at area 4 | `area` of `main` is given twice
    jib has area storm                      # LX201 at storm
""",
    "things made by combination": """
kind Chit for each Weather, Cargo
    printed worth 0..9
    calm_wine has worth 3
    calm_grain has worth 3
    rough_wine has worth 1
    rough_grain has worth 1
    storm_wine has worth 1
    storm_grain has worth 1
kind Token for each Cargo
    printed worth 0..9                      # LX310 at worth | on `grain`
    wine has worth 3
    beer has worth 3                        # LX101 at beer | no thing of Token is called `beer`
claim possible worth of calm_wine > 2
""",
    "starts": """
kind Boat named skiff, barge
    port Port                               # LX311 at port | let it be `Port or none`
    goal Port or none
    sky Weather                             # LX311 at sky | write `starts ...`
    home Port
    load 0..9
    crew 0..9 starts 12                     # LX303 at 12
    skiff has home athens
    barge has home crete
state
    wind Weather                            # LX311 at wind
    tide Weather starts wine                # LX201 at wine | `tide` is a Weather
    harbour Port                            # LX311 at harbour
    leader Player starts front of initiative
    fee of q 0..9 starts depth of q
    fine of Port 0..9 starts depth of q     # LX104 at q
    full bag of Port up to 0                # LX302 at full | the bag `full` can hold nothing
    some_ports bag of Port up to 2 starts {athens}
""",
    "words after a state": """
state
    purse 0..9 private
    vault 0..9 hidden                       # LX106 at hidden | what can stand here: `open`, `closed`, `private`
    chest 0..9 clsed                        # LX106 at clsed | did you mean `closed`?
    stack 0..9 shuffled                     # LX106 at shuffled | only a pile or an order is shuffled
    seating order of Player shuffled
    box 0..9 open closed                    # LX106 at box | cannot be both `open` and `closed`
""",
    "piles": """
kind Coin 9
piles of Coin
    purse starts Coin shuffled closed
    bank starts {coin where worth of coin > 3}
    mint starts 3                           # LX201 at 3 | `mint` holds Coin, and this is the number 3
    chest starts Player                     # LX201 at Player | this is a set of Player
    sack starts fog                         # LX101 at fog
    drawer private                          # LX106 at drawer | belongs to nobody, so nobody could see it
    pocket of Player private shufled        # LX106 at shufled | did you mean `shuffled`?
    secret of p starts {coin where worth of coin is coins of p}
let coin be Coin
state
    worth of Coin 0..9
""",
    "piles of nothing": """
kind Coin 9
piles of Coin                               # LX312 at piles of Coin | write `starts Coin` after one of the piles
    purse
    bank
""",
    "pools": """
pool pegs 0                                 # LX302 at pegs | the pool `pegs` has no counters
    a1 starts 0
pool cogs 9
    a2 starts 5
    b2 starts 4
pool rods 9                                 # LX304 at rods | the pool has 9 counters, and 8 are placed at the start
    a3 starts 5
    b3 starts 3
pool bars 9                                 # LX304 at bars | and 10 are placed
    a4 starts 10                            # LX303 at 10
    b4 starts rest
pool nuts 9
    a5 starts rest
    b5 starts rest                          # LX304 at b5 | only one place of a pool can hold the rest
pool caps 9
    a6 of Port starts 3
pool hats 9                                 # LX304 at hats | and 6 are placed
    a7 of Port starts 2
pool pins 9
    a8 of Player starts 2
pool tops 9
    a9 starts coins of starter
pool lids 4                                 # LX304 at lids | and 0 are placed
    a10
""",
    "pools for each": """
pool pegs 5 for each Player
    free starts rest                        # LX313 at free | write `free of Player`
    used of Player starts 2
    lost_pegs of Port                       # LX313 at lost_pegs
    near of (Player, Port) starts 1
pool cogs 5 for each Playr                  # LX101 at Playr | did you mean `Player`?
    box of Player starts rest
pool rods 5 for each Player                 # LX304 at rods | and 6 are placed
    each_port of (Player, Port) starts 2
pool bars 5 for each Player
    each_other of (Player, Player) starts 2
""",
    "maps": """
kind Cave 5
map tunnels of Cave
    links one - two                         # LX101 at one | the Cave have no names: write `named ...` ; LX101 at two
kind Inn named anchor, bell, crown
map lanes of Inn
    links anchor - bell, crown -> anchor
    links anchor - anchor                   # LX314 at anchor #2 | `anchor` is joined to itself
    links crown -> crown                    # LX314 at crown #2
    links anchor - crwon - bell             # LX101 at crwon | did you mean `crown`?
    links anchor - bell - anchor
""",
    "lines of sight": """
state
    wall of (Space, Space) yes/no
    tree of Space yes/no
sight sees of (s, t)
    from any corner to centre
    blocked by u where tree of u and u is not s
    blocked between u and v where wall of (u, v)
    touching edge blocks
    touching corner passes
    touching joint blocks
sight hears of (s, t)                       # LX315 at hears | write `from centre to centre` ; label at s
    blocked by u where day                  # LX203 at day
    blocked by s where tree of s            # LX105 at s
    blocked between u and u where wall of (u, u)    # LX105 at u #2 ; label at u
sight smells of (s, t)
    from middle to centre                   # LX106 at middle | a line runs from a `centre` or a `corner`
    from corner to edge                     # LX106 at edge
    touching wall blocks                    # LX106 at wall | an `edge`, a `corner` or a `joint`
    touching edge stops                     # LX106 at stops | touching `blocks` or `passes`
sight feels of (q, r)                       # LX315 at feels | two spaces of one grid
    from centre to centre
sight knows_of of (s, q)                    # LX315 at knows_of
    from centre to centre
sight meets of (s, gone)                    # LX101 at gone
    from centre to centre
let u, v be Space
claim possible sees of (s, t)
""",
    "outlines": """
documents
    book "Rulebook"
    card "Cards"
outline book
    section "One" lines 1..9                # label at section "One" lines 1..9 | the first one
        line 2 states 1                     # label at line 2 states 1 | the first one
        line 2 restates 1                   # LX122 at line 2 restates 1 | line 2 stands twice in this outline
    section "One" lines 10..12              # LX122 at section "One" lines 10..12 | the section "One" stands twice
        line 12 states 1
    section "Two" lines 20..13              # LX301 at section "Two" lines 20..13
        line 14 states 1
outline card
    section "One"
        line 2 states 1
outline sheet                               # LX101 at sheet | no document is called `sheet`
    section "One"
        line 1 states 1
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])
