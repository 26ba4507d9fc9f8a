"""Rules, values, tables, ranks, stories, policies and precedence: each says something that can hold."""

from __future__ import annotations

import pytest

from tests.rules.harness import diagnostics_of, verify

CASES = {
    "tables that need each other": """
table prices by Weather                     # LX415 at prices | `prices` needs `fees`, which needs `prices`
    any: gives 2 + fees of 1
table fees by 1..6                          # label at fees | `fees` is needed
    1..3: gives 1 + prices of calm
    any: gives 3
table own by d6                             # LX415 at own | `own` needs `own`
    any: gives own of 3 + 1
table low by d6
    any: gives 1
table high by d6
    any: gives low of 2 + low of 3
claim possible prices of calm > own of 2 + high of 1
""",
    "rows that may give none": """
table homes by Weather
    calm: gives none
    rough: gives athens
    storm: gives p                          # LX201 at storm: gives p | gives a Port, and this a Player ; LX104 at p
claim possible homes of calm is q
""",
    "what is ignored": """
rank winner of p
    most coins of p
rule tides
    ignore rule sailing if coins of p > depth of q
    ignore rule sailing if coins of other > 3   # LX104 at other | `sailing` does not speak of `other`
    ignore rule sailing if some other where coins of other > 3
    ignore rule toll if coins of p > 3
    ignore rule toll if depth of q > 3      # LX104 at q | `toll` does not speak of `q`
    ignore rule winner if p is passed       # LX103 at winner | a rule or a value is needed here, and `winner` is a rank
    ignore rule sail if p is passed         # LX103 at sail | write `cannot sail` in a rule
    when sail by p
        disable toll
        disable sailing
        disable harm                        # LX103 at harm | `harm` is a procedure
""",
    "a rule allows actions, not procedures": """
procedure heal by p
    coins of p increases by 1
rule healing
    p may heal                              # LX208 at heal | nobody chooses to do `heal`: it is a procedure
    p may sail
    when sail by p
        heal by p
""",
    "readings": """
rule tides
    reading strict                          # LX406 at strict | the rule `tides` has only one reading
        p cannot sail when weather is rough
rule winds
    reading strict                          # label at strict
        p cannot sail when weather is storm
    reading strict                          # LX102 at strict | reading `strict` is declared twice
        p cannot sail when weather is calm
    reading loose
        p cannot sail when day               # LX203 at day
""",
    "where a rule comes from": """
rule tides source c
    p cannot sail when c is in hand of p
rule winds source squall
    p cannot sail when squall is in hand of p
rule gusts source gust
    p cannot sail when day is 3
rule fines source day                       # LX103 at day | a rule comes from a thing, and `day` is a number 1..9
    p cannot sail when day is 3
rule fogs source fog                        # LX101 at fog
    p cannot sail when day is 3
""",
    "how often": """
rule tides
    p may sail to q once per turn
    p may sail to q up to 2 times per turn for each q
    p may sail to q up to 0 times per turn  # LX302 at up to 0 times per turn | write `cannot`
    p may sail to q once per nigth          # LX101 at nigth
    p may sail to q once per turn for each r    # LX104 at r | `r` does not stand in the subject of this rule
    p may sail to q once per turn for each day  # LX110 at day ; LX104 at day
""",
    "conditions": """
rule tides
    p may sail to q when depth of q > 3 unless weather is storm even if day is 3
    p may sail to q when depth of q unless weather even if day  # LX203 at depth of q ; LX203 at weather ; LX203 at day
    p wins when coins of p is 20
    p wins when coins of other is 20        # LX104 at other
    day wins                                # LX212 at day
    when sail by p to q if coins of p       # LX203 at coins of p
        nothing
    ignore sail by p if coins of p          # LX203 at coins of p
    ignore rule sailing if day              # LX203 at day
    ignore rule sialing                     # LX101 at sialing
""",
    "values": """
value fee of p: 0..3
    is 1
    is 7 when day > 3                       # LX303 at 7 | `fee` is a number 0..3
    is storm when day > 4                   # LX201 at storm
    plus storm                              # LX204 at storm | a number is needed here
    minus 1 when coins of q > 3             # LX201 at q ; LX104 at q
    is at least 1
    is at most 2 when day                   # LX203 at day
value sky: Weather
    is storm
    plus 1                                  # LX204 at 1 | `plus` is for numbers, and `sky` is a Weather
    is at least 2                           # LX204 at 2 | `is at least` is for numbers
value both of (p, p): 0..3 is 1             # LX105 at p #2 ; label at p | from here on
""",
    "rules about values": """
rule tides
    toll of p is 0 when ship of p is athens
    toll of p plus 1
    toll of p is storm                      # LX201 at storm
    toll of p is at most day
    coins of p is 3                         # LX103 at coins of p | `coins` is no value: a rule cannot say what it is
    tolls of p is 3                         # LX101 at tolls
    toll of p is 2 when coins of other > 3  # LX104 at other
""",
    "limits": """
rule tides
    limit size of hand of p to 7
    limit size of hand of p to coins of p, rest lost
    limit weather to 7                      # LX204 at weather
    limit coins of p to storm               # LX204 at storm
    limit coins of p to 7 when day          # LX203 at day
""",
    "tables": """
table omens by Weather, d6 for p
    storm, 1..3: coins of p becomes 0
    calm, any: coins of p becomes day
    storm, 7: nothing                       # LX306 at 7
    wine, 3: nothing                        # LX201 at wine
    storm: nothing                          # LX202 at storm | this row has 1 key, and the table 2
    rough, 1:
        coins of other becomes 3            # LX104 at other
table pairs by yes/no
    yes: nothing
    no: nothing
    3: nothing                              # LX201 at 3
table deeds by d6
    1: gives 3
    2: nothing                              # LX213 at 2: nothing | this one does something
    3: gives storm                          # LX201 at 3: gives storm | the first row gives the number 3
table fates by d6 for p, p                  # LX105 at p #2 ; label at p
    1: nothing
table maybe by Cargo
    wine: nothing
    grain: nothing
table odd by Sky                            # LX101 at Sky
    anything: nothing
""",
    "what a table gives": """
table wages by d6
    1..5: gives 1
    6: gives 40
play
    each p
        if wages of 3 > 40                  # LX305 at wages of 3 > 40
            nothing
        if wages of 3 > 39 and wages of 3 < 2
            nothing
""",
    "a table that uses another one below it": """
table double by d6
    any: gives single of 3
table single by d6
    any: gives 1
claim possible double of 3 > 1
""",
    "ranks": """
rank winner of p where coins of p > 3
    most coins of p
    fewest coins of p - day
    first in initiative
    ties share
rank middle of p
    most coins of p
    ties shared                             # LX106 at shared | write `ties share`
rank loser of p
    ties stay                               # LX413 at ties stay | `ties` comes last in a rank
    fewest coins of p
rank odd of p where coins of p              # LX203 at coins of p
    most weather                            # LX204 at weather
    most coins of other                     # LX104 at other
    first in seen of p                      # LX210 at seen of p | an order is needed here
    first in fog                            # LX101 at fog
rank ports of q for p, q                    # LX105 at q #2 ; label at q
    first in initiative                     # LX201 at initiative | `q` is not in this order
    first in harbours
rank harbours of q
    most depth of q
claim possible place of (starter, winner) > 1
""",
    "stories": """
story voyage
    starts at quay, inn                     # LX103 at inn | the passage `inn` belongs to another story
    chapter one "The start"
        passage quay "Gulls."
            option "Stay" when day > 3
                ending "You stay."
            option "Go" when day            # LX203 at day
                go to ship
    passage ship "Planks."
        go to quay                          # LX414 at go to quay | the options of `ship` are never offered
        option "Wait"
            nothing
    passage mast "Wind."
        option "Wait"
            nothing
        day becomes 3
    passage bow "Spray."
        roll d6 as n
        option "Lucky" when n > 3
            return
        option "Rich" when coins of p > 3   # LX104 at p
            return
story stay
    starts at inn, cellar                   # LX101 at cellar
    passage inn "Warm."
        if day > 3
            go to inn
        option "Sleep"
            nothing
""",
    "if possible": """
rule tides
    p must sail if possible
    usually p must sail to q or sail to athens if possible once per turn when day is 2
    p must sail if possible once per nite   # LX101 at nite
    p may sail if possible                  # LX418 at p may sail if possible | what a player may do is no duty
    p cannot sail if possible when day is 2 # LX418 at p cannot sail if possible when day is 2 | cannot do is no duty
""",
    "policies": """
rule tides
    reading strict
        p cannot sail when weather is storm
    reading loose
        p cannot sail when weather is rough
policy house
    tides reads strict
    tides reads losse                       # LX101 at losse | did you mean `loose`?
    tides reads middle                      # LX101 at middle | its readings are strict, loose
    sailing reads strict                    # LX407 at sailing | `sailing` has no readings to choose from
    sail reads strict                       # LX407 at sail
    winds reads strict                      # LX101 at winds | no rule is called `winds`
    tides over sailing
    tides over winds                        # LX101 at winds
    tides over tides                        # LX407 at tides over tides | `tides` cannot win over itself
    tides if possible                       # LX407 at tides | `tides` demands nothing that could rest
    breezes if possible                     # LX101 at breezes
    sail if possible                        # LX407 at sail
    rule fines
        p cannot sail when day              # LX203 at day
""",
    "rulings": """
rule tides
    reading strict
        p cannot sail when weather is storm
    reading loose
        p cannot sail when weather is rough
ruling errata
    tides reads middle                      # LX101 at middle | its readings are strict, loose
    sailing reads strict                    # LX407 at sailing | `sailing` has no readings to choose from
    tides over winds                        # LX101 at winds
    tides over tides                        # LX407 at tides over tides | `tides` cannot win over itself
    rule fines
        p cannot sail when day              # LX203 at day
""",
    "rulings are in force together": """
rule tides
    reading strict
        p cannot sail when weather is storm
    reading loose
        p cannot sail when weather is rough
ruling errata_1
    tides reads strict                      # label at tides reads strict | the other reading is chosen here
    tides over sailing                      # label at tides over sailing | here it is the other way round
    fines over sailing
    sailing over pirates
    rule fines
        p cannot sail when day is 3
ruling errata_2
    tides reads strict
    tides reads loose                       # LX417 at tides reads loose | cannot read both `strict` and `loose`
    tides over sailing
    sailing over tides                      # LX417 at sailing over tides | cannot each go over the other
    tides over fines
policy house
    tides reads loose
    sailing over fines
""",
    "a policy agrees with itself, and not with others": """
rule tides
    reading strict
        p cannot sail when weather is storm
    reading loose
        p cannot sail when weather is rough
policy one
    tides reads strict                      # label at tides reads strict
    tides reads loose                       # LX417 at tides reads loose
    sailing over pirates                    # label at sailing over pirates
    pirates over sailing                    # LX417 at pirates over sailing
policy two
    tides reads loose
    pirates over sailing
""",
    "policies that are in force by default agree with each other": """
rule tides
    reading strict
        p cannot sail when weather is storm
    reading loose
        p cannot sail when weather is rough
policy one by default
    tides reads strict                      # label at tides reads strict
    sailing over pirates                    # label at sailing over pirates
policy two
    tides reads loose
    pirates over sailing
policy three by default
    tides reads loose                       # LX417 at tides reads loose | cannot read both
    pirates over sailing                    # LX417 at pirates over sailing | cannot each go over the other
scenario "both"
    policy default
    then day is 1
""",
    "a scenario asks for default policies": """
policy two
    pirates over sailing
scenario "none is there"
    policy default                          # LX101 at policy default | no policy of the book is marked `by default`
    then day is 1
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])


META = {
    "what grants it": """
    cannot over may                         # LX401 at cannot over may | or write `assume` before it
    cannot over may cites book 3
    assume cannot over may
    explicit
    authority book > card                   # LX401 at authority book > card
    listed order among storms               # LX401 at listed order among storms
    simultaneous by Player                  # LX401 at simultaneous by Player
    otherwise undecided
""",
    "the last word": """
    otherwise undecided
    assume cannot over may                  # LX403 at assume cannot over may
    explicit                                # LX403 at explicit | nothing comes after `otherwise undecided`
""",
    "sides": """
    assume may over may                     # LX402 at may over may | `may` cannot win over itself
    assume specific over general among storms
    assume general over specific            # LX101 at general | no rule is `among general` ; LX101 at specific
    assume storms over calms
    assume storms over storms               # LX402 at storms over storms
    assume immediate over lasting among book
    assume cannot over may among strms      # LX101 at strms | did you mean `storms`?
""",
    "age": """
    assume earlier over later among storms by age
    assume later over earlier among storms by mood  # LX204 at mood | it must be a number
    assume earlier over later among storms by agee  # LX101 at agee | did you mean `age`?
    assume cannot over may among storms by age  # LX402 at age | only says how old a thing is
""",
    "authority": """
    assume authority card > book, book > sheet  # LX101 at sheet | no document is called `sheet`
    assume listed order among storms
    assume listed order among winds         # LX101 at winds
    cannot over may cites letter 3          # LX101 at letter
""",
    "who decides": """
    assume simultaneous by Player
    assume simultaneous by starter among storms
    assume simultaneous by initiative
    assume simultaneous by weather          # LX212 at weather | someone who can decide is needed here
    assume simultaneous by fog among winds  # LX101 at fog ; LX101 at winds
""",
}
AROUND = """
documents
    book "Rulebook"
    card "Cards"
kind Wound 3
    age 0..9
    mood Weather starts calm
let wound be Wound
rule one cites book 1 among storms
    p cannot sail when some wound where age of wound > 3 and mood of wound is calm
rule two cites card 1 among calms
    p cannot sail when weather is rough
precedence
"""


@pytest.mark.parametrize("name", META)
def test_precedence(name: str) -> None:
    verify(AROUND + META[name].removeprefix("\n"))


def test_a_table_used_only_by_a_table_above_it_is_used() -> None:
    text = "table double by d6\n    any: gives single of 3\ntable single by d6\n    any: gives 1\n"
    assert [(d.code, d.span.text) for d in diagnostics_of(text)] == [("LX501", "double")]
