"""Expressions: names stand for something, and what is compared, counted, added and related fits together."""

from __future__ import annotations

import pytest

from tests.rules.harness import diagnostics_of, verify

CASES = {
    "one subject, two values": """
play
    if weather is calm or storm                 # LX203 at storm | storm`, or `weather is in {calm, storm}`
        nothing
    if weather is not calm and storm            # LX203 at storm | `weather is not in {calm, storm}`
        nothing
    if weather is calm or day                   # LX203 at day | compare it
        nothing
    if day is 3 or 4                            # LX203 at 4 | write `day is 3 or day is 4`
        nothing
    if weather is calm or weather is storm or weather is in {calm, storm}
        nothing
    each p
        if weather is calm or passed of p
            nothing
""",
    "comparisons with what may be nothing": """
play
    each p
        if coins of starter >= 0 or coins of starter is not 30
            nothing
        if coins of p >= 0                      # LX305 at coins of p >= 0 | this always holds
            nothing
        if coins of starter > 20                # LX305 at coins of starter > 20 | this can never hold
            nothing
        if highest of (coins of other for other where other is passed) >= 0
            nothing
        if highest of (coins of other for other) >= 0   # LX305 at highest of (coins of other for other) >= 0
            nothing
        coins of starter becomes none           # LX201 at none
        coins of starter becomes coins of p + 1
        move top of hand of starter to hand of starter
        draw 1 from hand of starter to deck
        if gust is in hand of starter or size of hand of starter > 1
            nothing
""",
    "conditions": """
play
    each p
        if coins of p                           # LX203 at coins of p | a condition is needed here, and this is a number
            nothing
        if p is passed and passed of p
            nothing
        if passed of p and weather              # LX203 at weather | this is a Weather
            nothing
        if not day or passed of p               # LX203 at day
            nothing
        if some q where depth of q              # LX203 at depth of q
            nothing
        if every q where depth of q satisfies q is athens   # LX203 at depth of q
            nothing
        if size of {q where ship of p} > 1      # LX203 at ship of p
            nothing
        if number of (q where q) > 1            # LX203 at q #2
            nothing
        if total of (depth of q for q where deck) > 1   # LX203 at deck
            nothing
""",
    "numbers": """
play
    each p
        if weather > 2                          # LX204 at weather | a number is needed here, and this is a Weather
            nothing
        if day >= passed of p                   # LX204 at passed of p | this is yes/no
            nothing
        coins of p increases by -ship of p      # LX204 at ship of p
        coins of p increases by -day + 2 * day
        coins of p becomes day + weather        # LX204 at weather
        coins of p becomes weather + day        # LX204 at weather
        coins of p becomes total of (ship of other for other)   # LX204 at ship of other
        coins of p becomes highest of (depth of q for q)
        coins of p becomes day / weather rounded up             # LX204 at weather
        coins of p becomes weather / day rounded down           # LX204 at weather
""",
    "another type": """
play
    each p
        weather becomes 3                       # LX201 at 3 | `weather` is a Weather, and this is the number 3
        weather becomes storm
        weather becomes wine                    # LX201 at wine | this is a Cargo
        coins of p becomes weather              # LX201 at weather | `coins` is a number 0..20
        cargo of p becomes none
        ship of p becomes none                  # LX201 at none | `ship` is a Port, and this is none
        starter becomes other                   # LX104 at other
        starter becomes p
        passed of p becomes p is starter
        initiative becomes day                  # LX201 at day | an order of Player
""",
    "out of range": """
play
    each p
        coins of p becomes 21                   # LX303 at 21 | `coins` is a number 0..20, and this is the number 21
        coins of p becomes 20
        day becomes coins of p - 21             # LX303 at coins of p - 21 | this is a number -21..-1
        day becomes coins of p - 19
""",
    "sets": """
play
    each p
        seen of p becomes {athens, crete}
        seen of p becomes {}
        seen of p becomes {athens, calm}        # LX201 at calm | this set begins with a Port, and this is a Weather
        seen of p becomes seen of p + {crete} - {}
        seen of p becomes {} + seen of p
        seen of p becomes seen of p + {calm}    # LX201 at {calm} | this is joined to a set of Port
        seen of p becomes seen of p * 2         # LX204 at seen of p #2
        seen of p becomes {1, 2} - {20}         # LX201 at {1, 2} - {20} | a set of 1..2
        if size of {1, 5} > 3
            nothing
""",
    "what a set holds chooses among values of one name": """
type Mood is calm, angry
state
    moods set of Mood starts {calm}
    skies set of Weather starts {calm}
play
    moods becomes {calm, angry}
    skies becomes {calm}
    if calm is in moods and weather is calm and calm is weather
        nothing
    if size of {calm} > 0                       # LX111 at calm | `calm` is a value of Weather and of Mood
        nothing
""",
    "a name with two meanings": """
type Mood is calm, angry
state
    price of Weather 0..3
    price of Mood 0..3
play
    day becomes price of angry + price of storm
    day becomes price of calm                   # LX111 at calm
    day becomes price of p                      # LX104 at p ; LX201 at price of p | or of a Mood
    day becomes price of fog                    # LX101 at fog
""",
    "division": """
play
    each p
        day becomes day / 0 rounded down        # LX308 at 0 | nothing can be divided by 0
        day becomes day / coins of p rounded up # LX308 at coins of p | this can be 0: it is a number 0..20
        day becomes coins of p / day rounded up
        day becomes coins of p / larger of (coins of p, 1) rounded up
        day becomes coins of p / -2 rounded down        # LX303 at coins of p / -2 rounded down | a number -10..0
        day becomes 9 - coins of p / -2 rounded down
        if 9 / 2 rounded down is day or day / 2 rounded up > 4 or day / 2 rounded down >= 4
            nothing
        if day / 2 rounded down > 4             # LX305 at day / 2 rounded down > 4 | the left side is a number 0..4
            nothing
""",
    "comparisons that are always the same": """
play
    each p
        if coins of p > 20                      # LX305 at coins of p > 20 | this can never hold
            nothing
        if coins of p >= 20 and day <= 1
            nothing
        if coins of p <= 20                     # LX305 at coins of p <= 20 | this always holds
            nothing
        if day < 1                              # LX305 at day < 1 | never
            nothing
        if day >= 1                             # LX305 at day >= 1 | always
            nothing
        if day > 0                              # LX305 at day > 0 | always
            nothing
        if day < 10                             # LX305 at day < 10 | always
            nothing
        if day <= 0                             # LX305 at day <= 0 | never
            nothing
        if day >= 10                            # LX305 at day >= 10 | never
            nothing
        if coins of p is 21                     # LX305 at coins of p is 21 | never
            nothing
        if coins of p is not 21                 # LX305 at coins of p is not 21 | always
            nothing
        if coins of p is 20 or day is not 9
            nothing
        if 2 > 1
            nothing
""",
    "comparisons of unlike things": """
play
    each p
        if p is athens                          # LX206 at p is athens | a Player and a Port
            nothing
        if ship of p is athens and athens is ship of p
            nothing
        if athens is weather                    # LX206 at athens is weather
            nothing
        if starter is p and p is starter and starter is none
            nothing
        if weather is none                      # LX206 at weather is none
            nothing
        if coins of p is storm                  # LX206 at coins of p is storm
            nothing
        if hand of p is deck and deck is {} and {} is deck and {squall} is deck
            nothing
        if hand of p is {athens}                # LX206 at hand of p is {athens}
            nothing
""",
    "titles": """
play
    each c
        if c is gust and gust is c and c is squall and top of deck is gust
            nothing
        if count of (gust, deck) > 2 and gust is in deck
            nothing
        if gust is athens                       # LX206 at gust is athens | a title of Card and a Port
            nothing
""",
    "yes/no attributes": """
play
    each p
        if p is passed and not p is passed and p is not passed
            nothing
        if p is day                             # LX206 at p is day
            nothing
        each q
            if q is passed                      # LX202 at passed | `passed` is asked of 1 thing, and here of none
                nothing
""",
    "what holds things": """
play
    each p
        if athens is in seen of p and p is in initiative and squall is in deck and p is in Player
            nothing
        if athens is in ship of p               # LX210 at ship of p | this is a Port
            nothing
        if day is in coins of p                 # LX210 at coins of p
            nothing
        if p is in seen of p                    # LX206 at p | a Player can never be in a set of Port
            nothing
        if weather is in {calm, rough} and wine is not in {grain} and day is in {1, 3}
            nothing
        if calm is in deck                      # LX206 at calm
            nothing
""",
    "relations": """
play
    each p
        each q
            if p is knows to q
                nothing
            if q is knows to p                  # LX209 at q is knows to p | `knows` does not relate a Port to a Player
                nothing
            if p is gift to q                   # LX209 at p is gift to q | `gift` does not relate
                nothing
            if p is fond to q                   # LX101 at fond | declare it in `state`: `fond of (..., ...) yes/no`
                nothing
            if p is know to q                   # LX101 at know | did you mean `knows`?
                nothing
            if q is sea to r                    # LX104 at r
                nothing
            if p is coins to q                  # LX101 at coins | no relation is called `coins`
                nothing
            if gone is knw to q                 # LX101 at gone
                nothing
""",
    "next and diagonal": """
play
    each q
        if q is next to athens and athens is not next to q
            nothing
        if q is next to p                       # LX104 at p ; LX209 at q is next to p | two places of one kind
            nothing
        if q is diagonal to athens              # LX209 at q is diagonal to athens | only spaces of a square grid
            nothing
        if starter is next to starter           # LX209 at starter is next to starter | declare `map NAME of Player`
            nothing
    each s
        if some t where t is next to s and t is diagonal to s
            nothing
        if some u where u is next to u and u is diagonal to u   # LX209 at u is diagonal to u | and Comb is none
            nothing
kind Comb hex grid 3 by 3
let u be Comb
""",
    "several maps": """
kind Inn named anchor, bell
map path of Inn
    links anchor - bell
map road of Inn
    links bell - anchor
let i be Inn
play
    each i
        if i is next to bell                    # LX209 at i is next to bell | name the map: `path of (..., ...)`
            nothing
        if path of (i, bell) or road of (i, bell) or i is road to bell
            nothing
""",
    "variables": """
play
    if coins of p > 3                           # LX104 at p | say `some p where ...`
        nothing
    each p                                      # label at p | from here on ; label at p | from here on
        each p                                  # LX105 at p | `let` can declare several
            nothing
        if some p where coins of p > 3          # LX105 at p
            nothing
        if some other where coins of other > 3
            nothing
        if coins of other > 3                   # LX104 at other
            nothing
    if some day where weather is calm           # LX110 at day
        nothing
    if number of (q where depth of q > 3) > 1 and total of (depth of q for q) > 1
        nothing
    if number of (dice) > 0 and some dice where sum of dice > 3     # LX201 at dice #1 ; LX201 at dice #2
        nothing
    if total of (sum of dice for dice) > 0                          # LX201 at dice #2
        nothing
    if {dice where sum of dice > 3} is {}                           # LX201 at dice
        nothing
    if number of (x) > 0                        # LX101 at x
        nothing
""",
    "names": """
play
    if fog                                      # LX101 at fog | no state, value, variable or thing is called `fog`
        nothing
    if wether is storm                          # LX101 at wether | did you mean `weather`?
        nothing
    if sail                                     # LX101 at sail | `sail` is an action or a procedure, not a value
        nothing
    if size of Player > 2
        nothing
    if ships of starter is athens               # LX101 at ships | did you mean `ship`?
        nothing
""",
    "what is asked of what": """
play
    each p
        coins becomes 3                         # LX202 at coins | asked of 1 thing, and here of none
        coins of (p, athens) becomes 3          # LX202 at coins of (p, athens) | write `coins of p`
        weather of p becomes storm              # LX202 at weather | `weather` is not asked of anything
        storm of p becomes 3                    # LX202 at storm
        if knows of p                           # LX202 at knows of p | write `knows of (p, q)`
            nothing
        if knows of (p, athens)
            nothing
        coins of athens becomes 3               # LX201 at athens | what `coins` is asked of is a Player, and this
        coins of starter becomes 3
""",
    "one attribute of several kinds": """
kind Inn 2
    coins 0..9
let inn be Inn
play
    each inn
        coins of inn becomes 3
        coins of starter becomes 3
        coins of athens becomes 3               # LX201 at coins of athens | it can be asked of a Player; or of an Inn
        coins becomes 3                         # LX202 at coins
        coins of nobody_here becomes 3          # LX101 at nobody_here
""",
    "a state with and without a kind": """
state
    luck 0..3
    luck of Player 0..3
    luck of (Player, Port) 0..3
    luck of (Port, Port) 0..3
play
    each p
        luck becomes luck of p + luck of (p, athens)
        luck becomes luck of (p, athens, 3)     # LX202 at luck of (p, athens, 3) | of 0 or 1 or 2 things, not of 3
        luck becomes luck of (p, p)             # LX201 at luck of (p, p)
        luck becomes luck of (p, fog)           # LX101 at fog
        luck becomes luck of (storm, fog)       # label at fog
""",
    "tables as values": """
table wages by d6
    1..5: gives 1
    6: gives 4
table omens by d6
    any: weather becomes storm
play
    day becomes wages of 3
    day becomes omens of 3                      # LX103 at omens of 3 | write `consult omens with ...`
    day becomes wages                           # LX202 at wages
    day becomes wages of storm                  # LX201 at storm
    day becomes wages of 7                      # LX303 at 7
""",
    "ranks as orders": """
rank winner of p
    most coins of p
rank nearest of p for q
    most gift of (p, q)
play
    initiative becomes winner
    if place of (starter, winner) is 1 and place of (starter, nearest of athens) is 2
        nothing
    initiative becomes nearest                  # LX202 at nearest | write `nearest of q`
    initiative becomes winner of athens         # LX202 at winner
""",
    "moments and events": """
play
    each p
        if happened (sail by p) this turn
            nothing
        if happened (sale by p) this turn       # LX101 at sale | did you mean `sail`?
            nothing
        if times (sail by p) this trun > 2      # LX101 at trun | did you mean `turn`?
            nothing
        if during turn of p and not during game and during sail
            nothing
        if during turn of x                     # LX101 at x
            nothing
        if during nigt                          # LX101 at nigt
            nothing
""",
    "outcomes": """
play
    each p
        if p wins or starter loses or nobody wins
            nothing
        if day wins                             # LX212 at day | someone who can win is needed here
            nothing
""",
    "functions of the language": """
play
    each p
        day becomes size of hand of p + size of dice_seen + size of {p} + size of Player
        day becomes size of day                 # LX201 at size of day | write `size of hand of p`
        starter becomes front of initiative
        starter becomes back of winner_order
        starter becomes following of (p, initiative)
        starter becomes following of (athens, initiative)   # LX201 at following of (athens, initiative)
        starter becomes front of deck           # LX201 at front of deck
        move top of deck to hand of p
        move bottom of hand of p to deck
        move top of initiative to deck          # LX201 at top of initiative
        day becomes row of athens               # LX201 at row of athens
        day becomes column of (athens, rhodes)  # LX201 at column of (athens, rhodes)
        day becomes distance of (ship of p, athens)
        day becomes distance of (p, starter)    # LX201 at distance of (p, starter)
        day becomes distance of (p, athens)     # LX201 at distance of (p, athens)
        day becomes place of (p, initiative)
        day becomes place of (athens, initiative)           # LX201 at place of (athens, initiative)
        day becomes larger of (day, 3) + smaller of (3, day) + remainder of (day, 2)
        day becomes larger of (day, storm)      # LX201 at larger of (day, storm)
        day becomes smaller of (storm, day)     # LX201 at smaller of (storm, day)
        day becomes remainder of (day, coins of p)          # LX201 at remainder of (day, coins of p)
        day becomes sum of dice_seen + count of (6, dice_seen) + count of (athens, seen of p)
        day becomes sum of seen of p            # LX201 at sum of seen of p
        day becomes count of (athens, day)      # LX201 at count of (athens, day)
        day becomes larger of (day, fog)        # LX101 at fog
    each s
        day becomes row of s + column of s + distance of (s, s)
        if cell of (Space, 2, 3) is s
            nothing
        if cell of (Port, 2, 3) is athens       # LX201 at cell of (Port, 2, 3) | write `cell of (Space, column, row)`
            nothing
state
    dice_seen bag of d6 up to 3
    winner_order order of Player
""",
    "a name of the book goes before a function of the language": """
kind Crate 3
    size 0..9
let crate be Crate
play
    each crate
        size of crate becomes size of deck
        if place of crate is 3                  # LX201 at place of crate
            nothing
""",
    "what is in brackets of a relation or a state": """
play
    each p
        if knows of (p, p)                      # LX201 at p #2
            nothing
        if knows of (starter, ship of starter)
            nothing
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])


RANGE = """
let w be Weather
let u be yes/no
let m be Player or none
claim possible weather is w and u and starter is m
play
    roll 3 d6 as dice
    each p
        each s
            if {condition}
                nothing
"""


def _conditions_found(condition: str) -> list[str]:
    found = diagnostics_of(RANGE.format(condition=condition))
    assert all((d.code, d.span.text) == ("LX305", condition) for d in found)
    return [d.message for d in found]


@pytest.mark.parametrize(
    ("expression", "low", "high"),
    [
        ("number of (other)", 0, 4),
        ("number of (c)", 0, 4),
        ("number of (t)", 0, 12),
        ("number of (n)", 0, 21),
        ("number of (w)", 0, 3),
        ("number of (u)", 0, 2),
        ("number of (m)", 0, 5),
        ("coins of p + day", 1, 29),
        ("coins of p - day", -9, 19),
        ("coins of p * day", 0, 180),
        ("-day", -9, -1),
        ("(day - 5) * (day - 5)", -16, 16),
        ("total of (coins of other for other)", 0, 80),
        ("highest of (coins of other for other)", 0, 20),
        ("larger of (day, 4)", 4, 9),
        ("smaller of (day, 4)", 1, 4),
        ("remainder of (coins of p, 3)", 0, 2),
        ("size of hand of p", 0, 4),
        ("size of dice", 0, 3),
        ("sum of dice", 0, 18),
        ("row of s", 1, 3),
        ("column of s", 1, 4),
        ("place of (p, initiative)", 1, 4),
    ],
)
def test_the_range_of_a_number_is_known(expression: str, low: int, high: int) -> None:
    for never in (f"{expression} > {high}", f"{expression} < {low}"):
        assert _conditions_found(never) == ["this can never hold"]
    for always in (f"{expression} <= {high}", f"{expression} >= {low}"):
        assert _conditions_found(always) == ["this always holds"]
    for possible in (f"{expression} >= {high}", f"{expression} <= {low}"):
        assert _conditions_found(possible) == []


def test_what_a_claim_says_may_be_certain() -> None:
    assert diagnostics_of("claim never coins of p > 20\n") == ()


SETS_OF_NOTHING = """
let some_ports be set of Prot
let rolls be bag of dx up to 3
state
    visited set of Prot
play
    if sum of rolls > 3 and some_ports is deck and {fog} is deck and {fog, athens} is deck and visited is 3
        nothing
    if {x where x is athens} is deck
        nothing
"""


def test_a_set_of_something_unknown_fits_everywhere() -> None:
    found = diagnostics_of(SETS_OF_NOTHING)
    assert {(d.code, d.span.text) for d in found if d.code != "LX104"} == {
        ("LX101", "Prot"),
        ("LX101", "dx"),
        ("LX101", "fog"),
        ("LX101", "x"),
    }


def test_a_mistake_inside_hides_those_that_would_follow_from_it() -> None:
    found = diagnostics_of("play\n    weather becomes larger of (fog, 3) + 2 * fog\n")
    assert [(d.code, d.span.text) for d in found] == [("LX101", "fog")]
