"""Clauses: what is cited, restated and overridden is there."""

from __future__ import annotations

import pytest

from tests.rules.harness import verify

DOCUMENTS = """
documents
    book "Rulebook"
    card "Cards"
outline book
    section "Storms" lines 30..44
        line 31 states 2
        line 33 restates 1
"""
CASES = {
    "the document": """
rule one cites book 31
    p cannot sail when day is 1
rule two cites card 4, 5..6, "Gusts"
    p cannot sail when day is 2
rule three cites 31                         # LX120 at 31 | write `cites book 12`
    p cannot sail when day is 3
rule four cites bok 31                      # LX101 at bok | did you mean `book`?
    p cannot sail when day is 4
rule five cites sheet 31                    # LX101 at sheet | declare it under `documents`: `sheet "..."`
    p cannot sail when day is 5
""",
    "the place": """
rule one cites book 31 (2), 33
    p cannot sail when day is 1
rule two cites book 32                      # LX121 at book 32 | the outline of `book` has no statement there
    p cannot sail when day is 2
rule three cites book 28..31, 32..32        # LX121 at 32..32
    p cannot sail when day is 3
rule four cites book "Storms"
    p cannot sail when day is 4
rule five cites book "Calms"                # LX121 at book "Calms" | has no section "Calms"
    p cannot sail when day is 5
rule six cites card 99, "Anything"
    p cannot sail when day is 6
""",
    "the count": """
rule one cites book 31 (0)                  # LX302 at book 31 (0) | a citation speaks of at least one statement
    p cannot sail when day is 1
rule two cites book 31 (1)
    p cannot sail when day is 2
""",
    "a range that runs downwards": """
rule one cites card 9..3                    # LX301 at card 9..3 | `9..3` runs downwards
    p cannot sail when day is 1
rule two cites card 3..3
    p cannot sail when day is 2
""",
    "other statements": """
rule one cites card 1 overrides sailing, sail, harm restates pirates, toll
    p cannot sail when day is 1
rule two cites card 2 overrides sialing     # LX101 at sialing | did you mean `sailing`?
    p cannot sail when day is 2
rule three cites card 3 restates nothing_said   # LX101 at nothing_said | no rule, value, table, rank, action
    p cannot sail when day is 3
""",
    "what restates what": """
play
    phase noon restates pirates             # LX419 at pirates | it stands after the header of a rule, value, table
        step lunch
            day increases by 1 restates noon    # LX419 at noon
procedure lunch_card restates lunch
    day increases by 1
procedure noon_card restates some of noon
    day increases by 1
rule to_itself cites card 1 restates to_itself  # LX419 at to_itself #2 | `to_itself` restates itself
    p cannot sail when day is 1
rule of_an_action cites card 2 restates sail    # LX419 at sail | a rule restates a rule, or a case of a value
    p cannot sail when day is 2
rule of_a_step cites card 2 restates lunch      # LX419 at lunch | a rule restates a rule, or a case of a value
    p cannot sail when day is 3
action sail_card by p cites card 3 restates harm    # LX419 at harm | an action restates an action
    nothing
rule chicken cites card 4 restates egg          # LX419 at egg | `chicken` and `egg` restate each other
    p cannot sail when day is 4
rule egg cites card 5 restates some of chicken
    p cannot sail when day is 4
""",
    "wherever a clause stands": """
type Tide is ebb, flood cites bok 1         # LX101 at bok
die sky is calm, storm cites bok 2          # label at bok
kind Inn named anchor, bell cites bok 3     # label at bok
    rooms 0..9 cites bok 4                  # label at bok
state
    moon yes/no cites shet 1                # LX101 at shet
    sun yes/no cites shet 1                 # label at shet
piles of Inn cites shet 1                   # label at shet
    heap starts Inn cites shet 1            # label at shet
pool pegs 3 cites letter 1                  # LX101 at letter
    board starts 3 cites letter 1           # label at letter
map lanes of Inn cites letter 1             # label at letter
    links anchor - bell
sight sees of (s, t) cites letter 1         # label at letter
    from centre to centre
play cites memo 1                           # LX101 at memo
    phase dawn cites memo 1                 # label at memo
        day becomes 3 cites memo 1          # label at memo
procedure fine p cites memo 1               # label at memo
    nothing
action row by p cites slip 1                # LX101 at slip
    nothing
table omens by d6 cites slip 1              # label at slip
    1: nothing cites slip 1                 # label at slip
value fee: 0..9 cites slip 1                # label at slip
    is 3
value tax: 0..9
    is 3 cites leaf 1                       # LX101 at leaf
rank winner of p cites leaf 1               # label at leaf
    most coins of p cites leaf 1            # label at leaf
    ties share cites leaf 1                 # label at leaf
story voyage cites page 1                   # LX101 at page
    starts at quay
    chapter one cites page 1                # label at page
        passage quay cites page 1           # label at page
            option "Stay" cites page 1      # label at page
                nothing
rule tides
    reading one_way cites tome 1            # LX101 at tome
        p cannot sail when day is 1
    reading other_way cites tome 1          # label at tome
        p cannot sail when day is 2
policy house cites tome 1                   # label at tome
    tides reads one_way
ruling errata cites shelf 1                 # LX101 at shelf
    tides reads one_way
note advice "sail early" cites tome 1       # label at tome
question "May a ship leave?" cites roll_ 1  # LX101 at roll_
    p may sail
claim always day > 0 cites roll_ 1          # label at roll_
scenario "nothing" cites roll_ 1            # label at roll_
    then day is 1
precedence
    cannot over may cites roll_ 1           # label at roll_
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(DOCUMENTS + CASES[name].removeprefix("\n"))


def test_the_game_line_cites_too() -> None:
    verify('game "One" cites book 1             # LX101 at book\nkind Player 2\n', alone=True)
