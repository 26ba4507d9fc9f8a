"""What is never used, what no rule allows, what has no place in the book; and the order of what is reported."""

from __future__ import annotations

import pytest

from grammar.text import parse_text
from rules import model as m
from rules.check import check_rules
from rules.diagnostics import Severity
from rules.span import Source
from tests.rules.harness import PRELUDE, checked, diagnostics_of, parsed, verify

CASES = {
    "maps, lines of sight, pools; a policy is for those who play": """
kind Isle named east, west
kind Reef named north, south
kind Rock named high_rock, low_rock
let i, j be Isle
let x, y be Reef
map ferry of Isle
    links east - west
map shoals of Reef
    links north - south
map cliffs of Rock                          # LX501 at cliffs | the map `cliffs` is never used
    links high_rock - low_rock
sight sees of (s, t)
    from centre to centre
sight hears of (s, t)                       # LX501 at hears | the line of sight `hears` is never used
    from centre to centre
pool pegs 3                                 # LX501 at pegs | the pool `pegs` is never used
    box starts rest
    board
pool pins 3
    case starts rest
    cloth                                   # LX501 at cloth | the state `cloth` is never used
policy lenient
    sailing over pirates
policy strict
    pirates over sailing
scenario "ships"
    policy lenient
    then case > 2
claim possible i is next to j and distance of (x, y) > 0 and s is sees to t
""",
    "names": """
type Tide is ebb, flood                     # LX501 at Tide | the type `Tide` is never used
type Moon is new_moon, full_moon
type Depth is 0..9                          # LX501 at Depth
kind Inn 3                                  # LX501 at Inn | the kind `Inn` is never used
kind Crew named cook, mate
die sky is calm, storm                      # LX501 at sky | the die `sky` is never used
die lot is 0, 1
let x, y be Port                            # LX501 at y | the variable `y` is never used
state
    fog yes/no                              # LX501 at fog | the state `fog` is never used
    mist yes/no
value fee: 0..3 is 1                        # LX501 at fee | the value `fee` is never used
table omens by d6                           # LX501 at omens | the table `omens` is never used
    any: nothing
rank winner of p                            # LX501 at winner | the rank `winner` is never used
    most coins of p
procedure fine p                            # LX501 at fine | the procedure `fine` is never used
    nothing
play
    roll lot
    if mist and new_moon is full_moon and cook is mate and depth of athens > 3 and some x where depth of x > 3
        nothing
""",
    "what restates something is there to be compared": """
rank winner of p
    most coins of p
rank second_winner of p restates winner
    most coins of p
value toll_on_card of p: 0..3 is 1 restates toll
table omens by d6
    any: nothing
table omens_on_card by d6 restates omens
    any: nothing
procedure tidy_up
    nothing
procedure tidy_up_on_card restates tidy_up
    nothing
procedure tidy_up_twice                     # LX501 at tidy_up_twice | the procedure `tidy_up_twice` is never used
    tidy_up
play
    roll d6 on omens
    tidy_up
    initiative becomes winner
""",
    "documents and groups": """
documents
    book "Rulebook"
    card "Cards"                            # LX501 at card | the document `card` is never used
    sheet "Sheet"
precedence
    assume listed order among storms
rule one cites book 1 among storms
    p cannot sail when day is 1
rule two cites sheet 1 among calms          # LX501 at calms | the group of rules `calms` is never used
    p cannot sail when day is 2
rule three supplied
    p cannot sail when day is 2
rule four                                   # LX502 at four | content that the book does not give is marked `supplied`
    p cannot sail when day is 3
rule five
    reading early cites book 3
        p cannot sail when day is 4
    reading late
        p cannot sail when day is 5
claim possible day is 1 cites book 3
""",
    "actions": """
action row by p                             # LX504 at row | `... may row ...`
    nothing
action swim by p
    nothing
action dive by p
    nothing
action wade by p                            # LX504 at wade | no rule ever allows `wade`
    nothing
rule swimming
    p may swim
    p cannot wade when day is 3
play
    each p
        p must dive
""",
    "a value that only its own rules use": """
value fee of p: 0..3                        # LX501 at fee
    is 1
""",
    "what moves between piles and who acts for whom is used": """
kind Titan 2
    master Player or none
let titan be Titan
action stomp by titan
    nothing
rule stomping
    titan may stomp
""",
    "attributes of combinations need not be used": """
kind Chit for each Weather, Cargo
let chit be Chit
claim possible weather of chit is storm
""",
}


@pytest.mark.parametrize("name", CASES)
def test_case(name: str) -> None:
    verify(CASES[name])


def test_the_prelude_of_these_tests_is_clean() -> None:
    assert check_rules(m.Rulebook(parsed(PRELUDE))).diagnostics == ()


UNUSED = """
let x be Port
rule tides
    p may sail
"""


def test_warnings_about_unused_things_are_only_given_where_there_is_no_error() -> None:
    assert [d.code for d in diagnostics_of(UNUSED)] == ["LX501"]
    assert [d.code for d in diagnostics_of(UNUSED + "    p may sial\n")] == ["LX101"]


def test_other_warnings_stand_beside_errors() -> None:
    text = "rule tides\n    p may sail when coins of p > 20\n    p may sial\n"
    assert [d.code for d in diagnostics_of(text)] == ["LX305", "LX101"]


def test_a_rulebook_with_warnings_is_checked_and_one_with_errors_is_not() -> None:
    assert checked(UNUSED).rulebook is not None
    assert checked(UNUSED + "    p may sial\n").rulebook is None


MANY = """
play
    each p
        coins of p becomes weather
        if coins of p > 20 and fog
            nothing
table omens by d6
    7: day becomes storm
rule tides cites book 3
    p may sail to day
state
    sky Weather
"""


def test_diagnostics_come_in_reading_order() -> None:
    found = diagnostics_of(MANY)
    assert [(d.span.line, d.code) for d in found] == [
        (4, "LX201"),
        (5, "LX305"),
        (5, "LX101"),
        (8, "LX306"),
        (8, "LX201"),
        (9, "LX101"),
        (10, "LX201"),
        (12, "LX311"),
    ]
    assert [d.severity for d in found[:2]] == [Severity.ERROR, Severity.WARNING]


def test_the_same_finding_is_told_once() -> None:
    """A rank is declared as a rank and as something that a clause can name."""
    text = "rank winner of p\n    most coins of p\n" * 2
    (only,) = diagnostics_of(text)
    assert (only.code, only.span.line) == ("LX102", 3)


def test_files_come_in_the_order_of_their_paths() -> None:
    one = parse_text(Source("b.rules", "state\n    fog Fog\n")).declarations
    two = parse_text(Source("a.rules", "state\n    mist Mist\n")).declarations
    found = check_rules(m.Rulebook(parsed(PRELUDE) + one + two)).diagnostics
    assert [(d.span.source.path, d.span.text) for d in found] == [("a.rules", "Mist"), ("b.rules", "Fog")]


def test_hints_are_given_for_the_first_unknown_names_only() -> None:
    names = [f"harbour_{n:03}_{n * 7919 % 1000:03}" for n in range(1000)]
    declared = "".join(f"value {name}: 0..3 is 1\n" for name in names)
    used = "".join(f"claim possible {name}x > 1\n" for name in names[:100])
    hints = [d.help for d in diagnostics_of(declared + used) if d.code == "LX101"]
    assert len(hints) == 100
    assert hints[0] == f"did you mean `{names[0]}`?"
    assert sum(hint is not None for hint in hints) == 50
