"""State files: what they make of a game, and for every mistake its code and its place.

In the wrong files, what must be found stands at the end of the guilty line, as in `tests/rules/harness.py`; every other
line is a near miss.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from grammar.text import parse_text
from ludex.book import Book
from ludex.positions import load_position, read_position
from rules import model as m
from rules.check import check_rules
from rules.diagnostics import Diagnostic, Label
from rules.machine import Choice, Open
from rules.machine.position import Placed
from rules.machine.world import Value
from rules.span import Source
from tests.rules.harness import expected_in, places_of

BOOK = """\
game "The Harbour" played by Player

documents
    book "Rulebook"

precedence
    assume cannot over may
    otherwise undecided

type Weather is calm, rough, storm
type Cargo is grain, wine, marble

kind Player 2..4
    coins 0..20 starts 3
    passed yes/no
    rations 0..9

kind Port named athens, rhodes, crete
    printed depth 0..9
    lamp yes/no
    athens has depth 4
    rhodes has depth 2
    crete has depth 6

kind Well named deep, dry
    depth 0..3

kind Card named 4 breeze, 2 squall, gust

kind Space square grid 3 by 3
    rocky yes/no

map sea of Port
    links athens - rhodes - crete

state
    weather Weather starts calm
    tide -3..3
    starter Player or none
    pirate_at Port or none
    initiative order of Player
    ship of Player Port starts athens
    knows of (Player, Port) yes/no
    closed_ports set of Port
    charts set of 1..6
    hold of Player bag of Cargo up to 3
    thrown bag of d6 up to 3
    position 0..3
    active Card or none
    lair Space starts cell of (Space, 1, 1)

piles of Card
    deck starts Card shuffled closed
    hand of Player private
    discard

pool cubes 10 for each Player
    supply of Player starts rest
    ready of Player starts 2

pool gold 5
    bank starts rest
    chest

let p, other be Player
let q be Port
let c be Card
let n be 0..20

play
    phase deal
        each p
            draw 2 from deck to hand of p
            rations of p increases by 1
    repeat
        phase dawn
            roll d6:
                1..5: weather becomes calm
                6: weather becomes storm
        phase sailing
            turns of p by initiative where p is not passed until every p is passed
                p takes up to 2 actions
        phase trading
            turns of p until every p is passed
                step dealing
                    p may trade at athens
        phase dusk
            nothing

action sail by p to q during sailing, trading
    ship of p becomes q

action trade by p at q during sailing, trading
    pay 1 from coins of p
    battle by p against p

action pass by p during sailing
    passed of p becomes yes
    disable neighbours until dusk ends

procedure battle by p against other
    nothing

rule neighbours cites book 20
    p may sail to q when q is next to ship of p

rule storm_keeps_in cites book 31
    p cannot sail when weather is storm

rule trading_once cites book 24
    p may trade at q once per turn

rule passing cites book 25
    p may pass

rule full_purse cites book 26
    limit coins of p to 15 when weather is calm

rule full_hand cites book 27
    limit size of hand of p to 4

value toll of p: 0..3 is 1

policy lenient
    neighbours over storm_keeps_in
"""

HEAD = 'position "The Harbour"\n'


@cache
def book() -> Book:
    parsed = parse_text(Source("harbour.rules", BOOK))
    assert parsed.diagnostics == ()
    checked = check_rules(m.Rulebook(parsed.declarations))
    assert checked.rulebook is not None, checked.diagnostics
    return Book("harbour.rules", checked.rulebook.book, (), checked.rulebook, ())


def placed(text: str) -> Placed:
    found = read_position(book(), Source("test.position", text))
    assert isinstance(found, Placed), [(str(d.span), d.code, d.message) for d in found]
    return found


def wrong(text: str) -> tuple[Diagnostic, ...]:
    found = read_position(book(), Source("test.position", text))
    assert isinstance(found, tuple)
    return found


def verify(text: str) -> None:
    """Labels in the rulebook are looked at elsewhere."""
    said = [place for d in wrong(text) for place in places_of(replace(d, labels=_here(d)))]
    for found, words in expected_in(text):
        match = next((place for place in said if place[0] == found and words in place[1]), None)
        assert match is not None, f"not found: {found} {words!r}; but: {said}"
        said.remove(match)
    assert not said, f"found too: {said}"


def _here(diagnostic: Diagnostic) -> tuple[Label, ...]:
    return tuple(label for label in diagnostic.labels if label.span.source is diagnostic.span.source)


def held(position: Placed, name: str, *args: Value) -> str:
    slots = [slot for slot in position.machine.world.slots.values() if slot.symbol.name == name]
    slot = next(slot for slot in slots if len(slot.symbol.params) == len(args))
    address = slot.address(args)
    assert address is not None
    return position.machine.world.show(position.state.cells[address], slot.symbol.type)


# ---- what a file says is so -----------------------------------------------------------------------------------------


def test_a_file_that_names_only_the_game_stands_at_its_first_decision() -> None:
    found = placed(HEAD)
    assert isinstance(found.node, Choice)
    assert found.machine.world.seats == 2
    assert found.state.running("sailing")
    assert [held(found, "rations", p) for p in (0, 1)] == ["1", "1"]
    assert held(found, "hand", 0) == "[breeze 2, breeze 1]"


@pytest.mark.parametrize(
    ("line", "name", "args", "shown"),
    [
        ("weather is storm", "weather", (), "storm"),
        ("tide is -3", "tide", (), "-3"),
        ("ship of Player 2 is rhodes", "ship", (1,), "rhodes"),
        ("ship  of Player   2 is rhodes   # there", "ship", (1,), "rhodes"),
        ("    passed of Player 1 is yes", "passed", (0,), "yes"),
        ("knows of (Player 1, crete) is yes", "knows", (0, 2), "yes"),
        ("pirate_at is none", "pirate_at", (), "none"),
        ("pirate_at is crete", "pirate_at", (), "crete"),
        ("initiative is [Player 2, Player 1]", "initiative", (), "[Player 2, Player 1]"),
        ("closed_ports is {crete, athens}", "closed_ports", (), "{athens, crete}"),
        ("closed_ports is {}", "closed_ports", (), "{}"),
        ("charts is {3, 1}", "charts", (), "{1, 3}"),
        ("hold of Player 1 is {2 wine, grain}", "hold", (0,), "{grain, wine, wine}"),
        ("thrown is {6, 6, 1}", "thrown", (), "{1, 6, 6}"),
        ("position is 2", "position", (), "2"),
        ("lair is Space 2,3", "lair", (), "Space 2,3"),
        ("active is squall 2", "active", (), "squall 2"),
        ("discard is [gust, squall 2, 2 breeze]", "discard", (), "[gust, squall 2, breeze 1, breeze 2]"),
        ("discard is [squall 2,2 breeze,gust]", "discard", (), "[squall 2, breeze 1, breeze 2, gust]"),
        ("discard is [\n    gust,  # on top\n    squall 2\n]", "discard", (), "[gust, squall 2]"),
    ],
)
def test_a_line_holds_at_the_decision(line: str, name: str, args: tuple[Value, ...], shown: str) -> None:
    assert held(placed(f"{HEAD}{line}\nduring turn of Player 1\n"), name, *args) == shown


def test_where_several_pieces_share_a_name_the_thing_decides() -> None:
    found = placed(f"{HEAD}depth of dry is 3\n")
    slot = next(
        s for s in found.machine.world.slots.values() if (s.symbol.name, s.symbol.role) == ("depth", "attribute")
    )
    assert found.state.cells[slot.base : slot.base + slot.count] == [0, 3]


def test_what_happens_on_the_way_to_the_decision_changes_nothing_that_is_given() -> None:
    found = placed(f"{HEAD}weather is rough\nrations of Player 1 is 0\nhand of Player 1 is []\n")
    assert (held(found, "weather"), held(found, "rations", 0), held(found, "hand", 0)) == ("rough", "0", "[]")
    assert (held(found, "rations", 1), held(found, "hand", 1)) == ("1", "[breeze 4, breeze 3]")
    assert len(found.state.cells[_base(found, "deck")]) == 5


def _base(found: Placed, name: str) -> int:
    return next(slot.base for slot in found.machine.world.slots.values() if slot.symbol.name == name)


def test_players_policies_and_rules_that_are_off() -> None:
    found = placed(f"{HEAD}players 3\npolicy lenient\ndisabled storm_keeps_in\ndisabled neighbours\nduring sailing\n")
    assert (found.machine.world.seats, found.policies) == (3, ("lenient",))
    assert list(found.state.disabled) == ["storm_keeps_in", "neighbours"]
    assert found.state.disabled["storm_keeps_in"] is None
    until = found.state.disabled["neighbours"]
    assert until is not None
    assert isinstance(until[0], m.MomentEvent)
    assert ("neighbours", "storm_keeps_in") in found.machine.precedence.overs


def test_who_has_lost_has_no_turn() -> None:
    assert (
        placed(f"{HEAD}players 3\nlost Player 1\n").node
        == placed(f"{HEAD}players 3\nlost Player 1\nduring turn of Player 2\n").node
    )
    node = placed(f"{HEAD}lost Player 1\n").node
    assert isinstance(node, Choice)
    assert node.actor == 1


def moves(text: str) -> list[str]:
    node = placed(text).node
    assert isinstance(node, Choice)
    return [move.text for move in node.moves]


def test_what_has_happened_counts_for_once_per_turn() -> None:
    text = f"{HEAD}during turn of Player 1\n"
    assert "trade by Player 1 at crete" in moves(text)
    assert "trade by Player 1 at crete" not in moves(f"{text}happened trade by Player 1 at athens\n")
    assert "trade by Player 1 at crete" in moves(f"{text}happened trade by Player 2 at athens\n")
    assert "trade by Player 1 at crete" in moves(f"{text}happened battle by Player 1 against Player 2\n")
    untold = placed(f"{text}happened battle by Player 1 against Player 2\n")
    assert untold.state.log == []  # no rule asks about it


@pytest.mark.parametrize(
    ("line", "running", "actor"),
    [
        ("during turn of Player 2", ["sailing", "turn"], 1),
        ("during sailing", ["sailing", "turn"], 0),
        ("during game", ["sailing", "turn"], 0),
        ("during trading, turn of Player 2", ["trading", "turn", "dealing"], 1),
        ("during dealing", ["trading", "turn", "dealing"], 0),
    ],
)
def test_play_stands_at_the_first_decision_of_the_moment(line: str, running: list[str], actor: int) -> None:
    found = placed(f"{HEAD}{line}\n")
    assert [frame.moment for frame in found.state.stack if frame.moment][1:] == running
    assert isinstance(found.node, Choice)
    assert found.node.actor == actor


def test_the_order_of_lines_is_free() -> None:
    lines = ["during turn of Player 2", "weather is storm", "players 3", "hand of Player 3 is [2 breeze]"]
    one, other = placed(HEAD + "\n".join(lines)), placed(HEAD + "\n".join(reversed(lines)))
    assert (one.state.cells, one.node) == (other.state.cells, other.node)


def test_a_point_that_the_rules_leave_open_is_a_position_too() -> None:
    text = BOOK.replace("    assume cannot over may\n", "")
    parsed = parse_text(Source("harbour.rules", text))
    checked = check_rules(m.Rulebook(parsed.declarations)).rulebook
    assert checked is not None
    undecided = Book("harbour.rules", checked.book, (), checked, ())
    found = read_position(undecided, Source("x", f"{HEAD}weather is storm\nduring sailing\n"))
    assert isinstance(found, Placed)
    assert isinstance(found.node, Open)


# ---- things and counters are conserved ------------------------------------------------------------------------------


def test_things_that_are_not_given_stay_where_they_start() -> None:
    found = placed(f"{HEAD}hand of Player 1 is [squall 1]\nduring sailing\n")
    assert held(found, "hand", 1) == "[]"
    assert held(found, "deck") == "[breeze 1, breeze 2, breeze 3, breeze 4, squall 2, gust]"


def test_things_whose_pile_is_given_go_to_the_first_that_is_not() -> None:
    found = placed(f"{HEAD}deck is [gust]\nhand of Player 1 is [2 squall]\nduring sailing\n")
    assert held(found, "hand", 1) == "[breeze 1, breeze 2, breeze 3, breeze 4]"
    assert held(found, "discard") == "[]"


def test_a_title_takes_a_copy_that_nobody_names() -> None:
    found = placed(f"{HEAD}hand of Player 1 is [squall]\nhand of Player 2 is [squall 1]\nduring sailing\n")
    assert (held(found, "hand", 0), held(found, "hand", 1)) == ("[squall 2]", "[squall 1]")


def test_the_place_that_holds_the_rest_takes_up_what_is_left() -> None:
    found = placed(f"{HEAD}ready of Player 2 is 7\nchest is 5\n")
    assert [held(found, "supply", p) for p in (0, 1)] == ["8", "3"]
    assert held(found, "bank") == "0"


def test_counters_that_are_all_given_must_only_add_up() -> None:
    found = placed(f"{HEAD}bank is 1\nchest is 4\nsupply of Player 1 is 8\n")
    assert (held(found, "bank"), held(found, "chest"), held(found, "supply", 0)) == ("1", "4", "8")


UPKEEP = """\
game "Upkeep" played by Player

kind Player 2
    coins 0..9

pool gold 5
    bank starts rest
    chest
    safe

let p be Player

play
    turns of p until nobody wins
        coins of p increases by 1
        if chest > 0
            move chest from chest to safe
        p may work
        coins of p increases by 1
        p must rest_here

action work by p
    nothing

action rest_here by p
    nothing

rule working
    p may work when coins of p > 0
    p may rest_here
"""


def upkeep() -> Book:
    checked = check_rules(m.Rulebook(parse_text(Source("x", UPKEEP)).declarations)).rulebook
    assert checked is not None
    return Book("x", checked.book, (), checked, ())


def test_where_nobody_can_decide_as_things_stand_play_goes_on_to_the_next_decision() -> None:
    found = read_position(upkeep(), Source("s", 'position "Upkeep"\ncoins of Player 1 is 0\nduring turn of Player 1\n'))
    assert isinstance(found, Placed)
    assert isinstance(found.node, Choice)
    assert [move.text for move in found.node.moves] == ["rest_here by Player 1"]
    assert held(found, "coins", 0) == "0"


def test_counters_that_the_way_has_moved_go_back_where_too_many_would_be() -> None:
    found = read_position(upkeep(), Source("s", 'position "Upkeep"\nchest is 4\nduring turn of Player 1\n'))
    assert isinstance(found, Placed)
    assert [held(found, name) for name in ("bank", "chest", "safe")] == ["1", "4", "0"]


# ---- mistakes -------------------------------------------------------------------------------------------------------


CASES = {
    "another game": """\
position "The Harbor"                   # LX803 at position "The Harbor" | the rulebook is `The Harbour`
wether is storm
""",
    "twice": """\
position "The Harbour"                  # label at position "The Harbour" | first
position "The Harbour"                  # LX805 at position "The Harbour" | only one line `position ...`
players 2                               # label at players 2 | said here first
players 3                               # LX805 at players 3
policy lenient                          # label at policy lenient | first
policy lenient                          # LX805 at policy lenient | twice
disabled passing                        # label at disabled passing | first
disabled passing                        # LX805 at disabled passing | twice
lost Player 1                           # label at lost Player 1 | first
lost Player 1                           # LX805 at lost Player 1 | twice
during sailing                          # label at during sailing | first
during sailing                          # LX805 at during sailing | only one line
happened pass by Player 1
happened pass by Player 1
ship of Player 1 is rhodes              # label at ship of Player 1 is rhodes | given here first
ship of Player 2 is rhodes
ship of Player 1 is rhodes              # LX805 at ship of Player 1 | `ship of Player 1` is given twice
knows of (Player 1, crete) is no        # label at knows of (Player 1, crete) is no
knows of (Player 1, crete) is yes       # LX805 at knows of (Player 1, crete)
closed_ports is {crete, athens, crete}  # LX805 at crete #2 | twice in `closed_ports`
""",
    "unknown names": """\
position "The Harbour"
players 7                               # LX804 at 7 | for 2 to 4 players, not 7
coins of Player 4 is 2
policy lenien                           # LX806 at lenien | did you mean `lenient`?
wether is storm                         # LX806 at wether | did you mean `weather`?
zzz is 3                                # LX806 at zzz | no piece of the state is called `zzz`
weather is strom                        # LX806 at strom | did you mean `storm`?
ship of Player 9 is rhodes              # LX806 at Player 9 | there are `Player 1`, `Player 2`
ship of player 1 is rhodes              # LX806 at player 1 | did you mean `Player 1`?
ship of Player 1 is rodes               # LX806 at rodes | did you mean `rhodes`?
lair is Space 4,4                       # LX806 at Space 4,4 | there is no Space
passed of Player 1 is maybe             # LX806 at maybe | there are `no`, `yes`
disabled storm_keep_in                  # LX806 at storm_keep_in | did you mean `storm_keeps_in`?
during salling                          # LX806 at salling | did you mean `sailing`?
hand of Player 1 is [gust, sqall 1]     # LX806 at sqall 1 | did you mean `squall 1`?
hand of Player 2 is [2 sqall]           # LX806 at sqall | did you mean `squall`?
lost Player 6                           # LX806 at Player 6
""",
    "another sort": """\
position "The Harbour"
weather is 3                            # LX807 at 3 | `weather` is a Weather, and `3` is a number
weather is rhodes                       # LX807 at rhodes | `rhodes` is a Port
ship of Player 1 is none                # LX807 at none | `none` is nothing at all
ship of rhodes is rhodes                # LX807 at rhodes #1 | `ship` is of a Player, and `rhodes` is a Port
tide is calm                            # LX807 at calm | `tide` is a number -3..3
passed of Player 1 is 1                 # LX807 at 1 #2 | yes/no
initiative is {Player 1, Player 2}      # LX807 at {Player 1, Player 2} | stands in `[ ]`
closed_ports is [crete]                 # LX807 at [crete] | stands in `{ }`
charts is 3                             # LX807 at 3 | a set of 1..6
hold of Player 1 is {2, wine}           # LX807 at 2 | what `hold` holds is a Cargo
active is breeze                        # LX807 at breeze | say which: `breeze 1`, `breeze 2`
starter is [Player 1]                   # LX807 at [Player 1] | this is a list
hand of Player 1 is gust                # LX807 at gust | a pile of Card
hand of Player 2 is [2 gust, 3]         # LX807 at 3 | what `hand` holds is a Card
discard is [2 squall 1]                 # LX807 at 2 squall 1 | one thing, and has no copies
thrown is {1, 2 wine}                   # LX807 at wine | `wine` is a Cargo
""",
    "out of range": """\
position "The Harbour"
coins of Player 1 is 21                 # LX808 at 21 | beyond `coins`, which is 0..20
coins of Player 2 is 20
tide is -4                              # LX808 at -4
hold of Player 1 is {wine, wine, wine, grain}  # LX808 at grain | at most 3
hold of Player 2 is {4 wine}            # LX808 at 4 wine | at most 3
hand of Player 1 is [0 breeze]          # LX808 at 0 breeze
bank is 6                               # LX808 at 6 | 0..5
charts is {7}                           # LX808 at 7
""",
    "no part of the state": """\
position "The Harbour"
depth of athens is 3                    # LX809 at depth | printed
depth of deep is 3
toll of Player 1 is 3                   # LX809 at toll | worked out by the rules
sea of (athens, crete) is yes           # LX809 at sea
depth of Player 1 is 2                  # LX806 at Player 1 | `depth` is of a Port or of a Well
""",
    "of too many or too few": """\
position "The Harbour"
weather of Player 1 is calm             # LX817 at Player 1 | only one `weather`
ship is crete                           # LX817 at ship | of a Player
ship of (Player 1, crete) is crete      # LX817 at Player 1, crete | `ship` is of a Player
knows of Player 1 is yes                # LX817 at Player 1 | (a Player, a Port)
during sailing of Player 1              # LX817 at Player 1 | `sailing` is nobody's
""",
    "an order that leaves somebody out": """\
position "The Harbour"
players 3
initiative is [Player 2, Player 1]      # LX810 at [Player 2, Player 1] | `Player 3` is missing
""",
    "an order with somebody twice": """\
position "The Harbour"
initiative is [Player 2, Player 1, Player 2]  # LX810 at Player 2 #2 | stands twice
""",
    "a thing in two places": """\
position "The Harbour"
hand of Player 1 is [gust, squall 1]    # label at gust | it lies here ; label at squall 1 | one lies here
hand of Player 2 is [breeze, gust]      # LX811 at gust | two places
discard is [squall, squall]             # LX811 at squall #2 | there are only 2 `squall`, and 2 are elsewhere
""",
    "more copies than there are": """\
position "The Harbour"
discard is [5 breeze]                   # LX811 at 5 breeze | there are only 4 `breeze`
hand of Player 1 is [2 squall]
""",
    "a thing that lies nowhere": """\
position "The Harbour"
deck is [4 breeze]
hand of Player 1 is []
hand of Player 2 is [2 squall]
discard is []                           # LX812 at discard is [] | where `gust` lies
""",
    "counters that do not add up": """\
position "The Harbour"
supply of Player 1 is 9                 # LX813 at supply of Player 1 is 9 | `cubes` of Player 1 has 10 counters, and 11
supply of Player 2 is 8
bank is 1                               # label at bank is 1
chest is 3                              # LX813 at chest is 3 | has 5 counters, and 4 are placed
""",
    "limits": """\
position "The Harbour"
coins of Player 1 is 16                 # LX814 at coins of Player 1 is 16 | `full_purse` limits this to 15
coins of Player 2 is 15
hand of Player 1 is [4 breeze, gust]    # LX814 at hand of Player 1 is [4 breeze, gust] | `full_hand` limits this to 4
during sailing
""",
    "moves": """\
position "The Harbour"
happened sale by Player 1 to crete      # LX816 at sale | did you mean `sail`?
happened sail by Player 1               # LX816 at sail by Player 1 | `to ...` is left out
happened sail by Player 1 to Player 2   # LX816 at Player 2 | is a Port, and `Player 2` is a Player
happened sail by Player 1 to crete by Player 2  # LX816 at by #2 | said twice
happened sail by Player 1 to crete from athens  # LX816 at from | no part `from ...`
happened sail by Player 1 to crete
""",
    "a moment without a decision": """\
position "The Harbour"
during dawn                             # LX815 at during dawn | nobody comes to decide anything during `dawn`
""",
    "an action as a moment": """\
position "The Harbour"
during sail                             # LX815 at sail | play never comes to `sail` by itself
""",
    "moments that do not lie in each other": """\
position "The Harbour"
during turn of Player 1, dusk           # LX815 at dusk | play never comes to `dusk` by itself
""",
    "all have lost": """\
position "The Harbour"
lost Player 1
lost Player 2                           # LX815 at lost Player 2 | all players have lost
""",
    "what does not fit together is not asked where a name is unknown": """\
position "The Harbour"
wether is storm                         # LX806 at wether
bank is 5
chest is 5
""",
    "what does not fit together is not asked where a line cannot be read": """\
position "The Harbour"
wether is storm                         # LX806 at wether
weather = storm                         # LX801 at = | write `is`
bank is 5
chest is 5
""",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES.keys())
def test_mistakes_are_found_at_their_place_and_nothing_else(text: str) -> None:
    verify(text)


def test_a_limit_shows_its_place_in_the_book() -> None:
    text = f"{HEAD}coins of Player 1 is 16\nduring sailing\n"
    (found,) = wrong(text)
    (label,) = found.labels
    assert label.span.source.path == "harbour.rules"
    assert label.span.text.startswith("limit coins of p to 15")
    assert held(placed(text.replace("during", "weather is storm\nduring")), "coins", 0) == "16"
    assert held(placed(f"{text}disabled full_purse\n"), "coins", 0) == "16"


def test_a_game_without_players_has_no_line_for_them() -> None:
    parsed = parse_text(Source("x", 'game "Alone"\n\nplay\n    nothing\n'))
    checked = check_rules(m.Rulebook(parsed.declarations)).rulebook
    assert checked is not None
    alone = Book("x", checked.book, (), checked, ())
    found = read_position(alone, Source("y", 'position "Alone"\nplayers 2\nlost Player 1\n'))
    assert isinstance(found, tuple)
    assert [(d.code, d.span.text) for d in found] == [("LX804", "players 2"), ("LX804", "lost Player 1")]
    (nobody,) = wrong_of(alone, 'position "Alone"\n')
    assert (nobody.code, nobody.span.text) == ("LX815", 'position "Alone"')


def wrong_of(of: Book, text: str) -> tuple[Diagnostic, ...]:
    found = read_position(of, Source("y", text))
    assert isinstance(found, tuple)
    return found


# ---- files ----------------------------------------------------------------------------------------------------------


def loaded(tmp_path: Path, data: bytes) -> Placed | tuple[Diagnostic, ...]:
    path = tmp_path / "s.position"
    path.write_bytes(data)
    return load_position(book(), str(path))


def test_a_file_is_read(tmp_path: Path) -> None:
    assert isinstance(loaded(tmp_path, f"{HEAD}weather is storm\n".encode()), Placed)


@pytest.mark.parametrize(
    ("data", "codes", "help"),
    [
        (b"", ["LX802"], "begin with"),
        (b"# only a comment\n\n", ["LX802"], "begin with"),
        (b"\xff\xfe\x00p", ["LX003"], "UTF-8"),
        (HEAD.encode() + b"weather is \xe9\n", ["LX003"], "UTF-8"),
        (b"\xef\xbb\xbf" + HEAD.encode(), ["LX005"], "without a byte order mark"),
        (HEAD.replace("\n", "\r\n").encode(), ["LX006"], "plain line ends"),
        (HEAD.replace("\n", "\r\n").encode() + b"wether is calm\r\n", ["LX006", "LX806"], "plain line ends"),
        (b" " * 5_000_001, ["LX004"], "None"),
    ],
)
def test_a_file_that_is_no_plain_text_is_told(tmp_path: Path, data: bytes, codes: list[str], help: str) -> None:
    found = loaded(tmp_path, data)
    assert isinstance(found, tuple)
    assert [d.code for d in found] == codes
    assert help in str(found[0].help)
    assert "fmt" not in str(found[0].help)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.position", tmp_path):
        found = load_position(book(), str(path))
        assert isinstance(found, tuple)
        assert [d.code for d in found] == ["LX001"]


def test_a_book_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(ValueError, match="with errors"):
        read_position(Book("x", m.Rulebook(()), (), None, ()), Source("y", HEAD))
    parsed = parse_text(Source("x", 'game "Alone"\n'))
    checked = check_rules(m.Rulebook(parsed.declarations)).rulebook
    assert checked is not None
    with pytest.raises(ValueError, match="no `play`"):
        read_position(Book("x", checked.book, (), checked, ()), Source("y", HEAD))
