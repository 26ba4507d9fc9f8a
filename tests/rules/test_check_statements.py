"""Statements: what is changed, moved, drawn, rolled, looked up, chosen and ended fits what was declared."""

from __future__ import annotations

import pytest

from tests.rules.harness import verify

CASES = {
    "what never fits or never happens": """
play
    each p
        coins of p increases by 21          # LX303 at 21 | and this is the number 21: it never fits
        coins of p increases by 20
        coins of p decreases by coins of p + 21     # LX303 at coins of p + 21
        day increases by 8
        day increases by 9                  # LX303 at 9
        repeat 0 times                      # LX302 at 0 | something that is repeated 0 times never happens
            nothing
        repeat 1 times
            nothing
        repeat coins of p times
            nothing
        p takes up to 0 actions             # LX302 at 0 | something that is done 0 times never happens
        p takes up to 1 actions
""",
    "what a phase binds ends with it": """
play
    each p
        phase dawn
            draw 1 from deck to hand of p as c
            p chooses q
            step noon
                roll d6 as n
                if n > 3
                    move c to deck
            if n > 3                        # LX104 at n
                nothing
        move c to deck                      # LX104 at c
        p chooses q
        p chooses n                         # label at n
        repeat until n is 3
            p chooses r
            roll d6 as n                    # LX105 at n
""",
    "rolls on tables": """
table fates by d6
    any: nothing
table fortunes by 2..12
    any: nothing
table moods by Weather
    any: nothing
play
    roll d6 on fates
    roll d4 on fates
    roll d8 on fates                        # LX303 at roll d8 on fates | a number 1..6, and the roll is a number 1..8
    roll 2 d6 on fortunes
    roll 2 d6 on fates                      # LX303 at roll 2 d6 on fates | the roll is a number 2..12
    roll d6 on fortunes                     # LX303 at roll d6 on fortunes
    roll d6 on moods                        # LX201 at roll d6 on moods
""",
    "keys around zero": """
table depths by -3..0
    -3..-1: nothing
    -1..0: nothing
    -2..1: nothing                          # LX306 at -2..1
table heights by -3..2
    -1..0: nothing
    1+: nothing
    3+: nothing                             # LX306 at 3+
play
    consult depths with 0
    consult heights with 0
""",
    "statements that begin with someone": """
play
    each p
        p coins of q                        # LX101 at p | a statement begins with its verb: `coins of p increases by 1`
        move p to q                         # LX211 at q | write `ship of p becomes q` ; LX104 at q
        move p to weather                   # LX211 at weather | to change `weather`, write
        fly p                               # LX101 at fly | declare it: `action fly by ...`
""",
    "variables of a body": """
action trade by p
    coins of other increases by 1           # LX104 at other | add `by other` to the header of `trade`
    coins of p increases by 1
rule trading
    p may trade
""",
    "what can be set": """
play
    each p
        coins of p becomes 3
        day becomes 3
        toll of p becomes 1                 # LX205 at toll of p | `toll` cannot be set: it is no state
        p becomes starter                   # LX205 at p
        depth of athens becomes 3           # LX205 at depth of athens | is printed and never changes
        deck becomes {}                     # LX205 at deck | write `move ... to ...` or `draw ...`
        ready of p becomes 3                # LX205 at ready of p | counters of the pool `cubes` are only moved
        fog becomes 3                       # LX101 at fog
""",
    "increases and decreases": """
play
    each p
        coins of p increases by 3
        coins of p decreases by storm       # LX204 at storm
        seen of p increases by {athens}
        seen of p decreases by {storm}      # LX201 at {storm} | what `seen` decreases by is a set of Port
        weather increases by 1              # LX204 at weather | only a number, a set or a bag increases
        depth of athens increases by fog    # LX205 at depth of athens ; LX101 at fog
        pay 2 from coins of p
        pay 2 from weather                  # LX204 at weather | only a number, a set or a bag decreases
        pay 2 from supply of p to ready of p
        pay 2 from supply of p              # LX205 at supply of p
""",
    "moves of things": """
play
    each p
        move top of deck to hand of p
        move {c where c is gust} to deck
        move hand of p to deck
        move squall from hand of p to deck
        move athens to deck                 # LX211 at athens | this pile holds Card, and this is a Port
        move {athens} to deck               # LX211 at {athens}
        move squall from coins of p to deck # LX211 at coins of p | a pile is needed here
        move squall under deck
        move squall to bottom of deck       # LX211 at bottom of deck | write `under deck`
        move 2 from supply of p under ready of p    # LX211 at ready of p | nothing lies under the counters
        move squall to weather              # LX211 at weather | write `weather ... becomes ...`
        move 3 from coins of p to day       # LX211 at day
        move fog to mist                    # LX101 at fog ; LX101 at mist
""",
    "moves of counters": """
pool pegs 5
    box starts 5
    board
play
    each p
        move 2 from supply of p to ready of p
        move 2 to ready of p                # LX211 at ready of p | counters of a pool are moved from somewhere
        move 2 from box to ready of p       # LX211 at box | this is no place of the pool `cubes`
        move 2 from coins of p to ready of p    # LX211 at coins of p
        move storm from box to board        # LX204 at storm
        move 1 from box to board
""",
    "draws": """
kind Coin 9
piles of Coin
    purse starts Coin
let coin be Coin
let cards be set of Card
play
    each p
        draw 2 from deck to hand of p
        draw storm from deck to hand of p   # LX204 at storm
        draw 1 from day to hand of p        # LX211 at day | a pile is needed here
        draw 1 from deck to purse           # LX211 at purse | Card cannot go to a pile of Coin
        draw 1 from deck to hand of p as c  # label at c
        draw 3 from deck to hand of p as cards
        draw 1 from deck to hand of p as q  # LX201 at q | `q` is a Port, and what is drawn is a Card
        draw 1 from purse to purse as coin
        draw 1 from deck to hand of p as c  # LX105 at c
        if c is gust
            nothing
""",
    "shuffling and showing": """
kind Coin 9
piles of Coin
    purse starts Coin
play
    each p
        shuffle deck
        shuffle initiative
        shuffle hand of p into deck
        shuffle day                         # LX211 at day | only a pile or an order is shuffled
        shuffle deck into day               # LX211 at day
        shuffle deck into purse             # LX211 at purse | Card cannot go to a pile of Coin
        reveal hand of p
        reveal hand of p to starter
        reveal hand of p to weather         # LX212 at weather
        reveal hands of p                   # LX101 at hands
""",
    "rolls": """
die sky is calm, rough, storm
let w be Weather
let skies be bag of Weather up to 4
play
    roll d6 as n                            # label at n
    roll sky as w
    roll sky as q                           # LX201 at q | `q` is a Port, and the roll is a Weather
    roll 3 d6 as dice
    roll 2 sky as skies
    roll 2 sky as dice_2                    # LX201 at dice_2 | `dice_2` is a number 1..6, and the roll is a Weather
    roll 2 d6 as m                          # LX201 at m | let it be a bag
    roll storm d6                           # LX204 at storm
    roll d6 as n                            # LX105 at n
    roll dice_of_fate                       # LX101 at dice_of_fate | dice are `d6`, `d20` and the like
    roll 2 d6 as gone                       # LX101 at gone
let m be 1..9
let dice_2 be bag of d6 up to 2
""",
    "rolls on a table": """
table omens by d6
    any: weather becomes storm
table charts by d6, Weather
    any, any: weather becomes storm
table wages by d6
    any: gives 2
table skies by Weather
    any: day becomes 3
table sums by 2..12
    any: day becomes 3
play
    roll d6 on omens
    roll 2 d6 on sums
    roll d6 on omen                         # LX101 at omen | did you mean `omens`?
    roll d6 on charts                       # LX202 at roll d6 on charts | a roll gives one
    roll d6 on wages                        # LX103 at wages | give a value and do nothing
    roll d6 on skies                        # LX201 at roll d6 on skies | is read by a Weather, and the roll is a number
""",
    "looking up a table": """
state
    omens of Port 0..3
table omens by d6, Weather
    any, any: weather becomes storm
table wages by d6
    any: gives 2
play
    consult omens with 3, storm
    consult omens with 3                    # LX202 at consult omens with 3 | the table `omens` has 2 keys, not 1
    consult omens with storm, 3             # LX201 at storm | the key of `omens` is a number 1..6 ; LX201 at 3
    consult wages with 3                    # LX103 at wages | use its value: `wages of ...`
    consult wage with 3                     # LX101 at wage
""",
    "the row for all the rest": """
table omens by d6, Weather
    1..2 or 6, rough or storm: nothing
    any, calm: nothing
    otherwise: nothing
table signs by d6
    1: nothing
    otherwise: nothing                      # LX214 at otherwise: nothing | stands below all others
    2: nothing
    otherwise: nothing
table moods by d6
    otherwise: nothing                      # LX214 at otherwise: nothing | begins with `any`
play
    consult omens with 3, weather
    consult signs with 3
    roll d6 on moods
    roll d6:
        1 or 6: nothing
        otherwise:
            nothing
""",
    "rows under a roll": """
die sky is calm, rough, storm
play
    roll d6 as n:
        1..5: day becomes n
        6:
            nothing
    roll d6:
        0..3: nothing                       # LX306 at 0..3
        4+: nothing
        7: nothing                          # LX306 at 7 | this reaches beyond the key, which is a number 1..6
        6..5: nothing                       # LX301 at 6..5 | did you mean `5..6`?
        storm: nothing                      # LX201 at storm
        yes: nothing                        # LX201 at yes | the key is a number 1..6, not yes or no
        1, 2: nothing                       # LX202 at 1 | joined by `or`
        1 or 8..9: nothing                  # LX306 at 8..9
        1 or storm: nothing                 # LX201 at storm | the key is a number 1..6, and `storm` is no number
        6 or more: nothing                  # LX201 at more | write `6+`
    roll 2 d6:
        2..12: nothing
        13+: nothing                        # LX306 at 13+
    roll sky as q:                          # LX201 at q
        calm: nothing
        fog: nothing                        # LX101 at fog
        3: nothing                          # LX201 at 3 | the key is a Weather, not a number
        any: nothing
    roll cloud:                             # LX101 at cloud
        anything: nothing
        3: nothing
    roll storm d6:                          # LX204 at storm
        3: nothing
""",
    "a roll does something": """
play
    roll d6:
        1..3: gives 2                       # LX213 at 1..3: gives 2 | what is rolled here gives no value
        4..6: gives 3
""",
    "choices": """
let ports be set of Port
play
    each p
        p chooses q where depth of q > 3    # label at q
        p chooses r or none where r is not q
        if r is none or depth of q > 2
            nothing
        p chooses ports                     # LX201 at ports | `ports` is a set of Port
        p chooses n where n                 # LX203 at n #2
        p chooses q                         # LX105 at q
        day chooses s                       # LX212 at day
        p chooses day                       # LX110 at day
""",
    "decisions": """
play
    each p
        p decides
            option "go on"
                nothing
            option "stop" when day          # LX203 at day
                nothing
            option "rest" when day > 3 unless day even if weather is calm   # LX203 at day #2
                end sail
        weather decides                     # LX212 at weather
            option "rain"
                nothing
""",
    "actions that are taken": """
play
    each p
        p takes 1 action
        p takes up to storm actions         # LX204 at storm
        p takes any actions
        weather takes 1 action              # LX212 at weather
        p may sail to q or sail to crete
        p must sail
        p cannot sail                       # LX412 at p cannot sail | `cannot` is said in a rule
        p may sail to storm                 # LX201 at storm
""",
    "windows": """
play
    window reaction for p by initiative
    window hurry by initiative
    window late by initative                # LX101 at initative | did you mean `initiative`?
    window answer by day                    # LX210 at day | an order or a pile is needed after `by`
    each p
        window own for p
    window lost_ones for x                  # LX101 at x
    window ports for q by initiative        # LX201 at initiative | `q` does not stand for a Player
    end reaction
    if during reaction
        nothing
""",
    "loops": """
play
    each p by initiative where coins of p > 3
        nothing
    each c by deck
        nothing
    each p by Player                        # LX210 at Player | this is a set of Player
        nothing
    each q by initiative                    # LX201 at initiative | `q` does not stand for a Player
        nothing
    each p where coins of p                 # LX203 at coins of p
        nothing
    turns of p by initiative where coins of p > 3 until day is 9
        nothing
    turns of p until coins of p > 3         # LX104 at p #2
        nothing
    turns of p where day until weather      # LX203 at day ; LX203 at weather
        nothing
    repeat 3 times
        nothing
    repeat storm times                      # LX204 at storm
        nothing
    repeat until c is gust
        draw 1 from deck to hand of starter as c
    repeat until day                        # LX203 at day
        nothing
    if c is gust                            # LX104 at c
        nothing
    each dice                               # LX201 at dice | a variable for one thing is needed here
        nothing
    turns of dice until day is 3            # LX201 at dice
        nothing
""",
    "moments that end": """
play
    phase night
        step watch
            end night
            end this step
            after this phase
                nothing
            after nigth                     # LX101 at nigth | did you mean `night`?
                nothing
            end wach                        # LX101 at wach
            end night then
                day becomes storm           # LX201 at storm
    phase dusk
        after dawn                          # LX101 at dawn
            coins of p becomes 3            # LX104 at p
""",
    "rules that are switched off": """
play
    each p
        disable sailing
        disable sailing until turn of p ends
        disable sialing                     # LX101 at sialing | did you mean `sailing`?
        disable sailing until night ends    # LX101 at night
""",
    "stories": """
play
    read quay
    read pier                               # LX101 at pier | no passage is called `pier`
    go to quay                              # LX411 at go to quay | `read PASSAGE` starts a story from outside
    return                                  # LX411 at return
    ending "The end."                       # LX411 at ending "The end."
story voyage
    starts at quay
    passage quay "Gulls."
        if day > 3
            go to ship
        otherwise
            return
    passage ship "Creaking planks."
        go to mast                          # LX101 at mast
    passage deck_ "Wind."
        ending "You sail."
""",
    "who wins": """
play
    each p
        p wins
        starter loses
        nobody wins
        weather wins                        # LX212 at weather | someone who can win is needed here
        Player wins
        passing wins                        # LX101 at passing
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])
