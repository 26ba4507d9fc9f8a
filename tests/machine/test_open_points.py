"""Where the book leaves something open play stops, says which rules are concerned, and takes a ruling."""

from __future__ import annotations

import pytest

from rules.machine import Choice, Game, Open, Over
from tests.machine.making import machine

BOOK = """\
game "Open" played by Player

kind Player 2
    coins 0..20 starts 3

state
    storm yes/no starts yes
    fee 0..20

let p, other be Player
let n be 0..20

precedence
    explicit
    assume cannot over may
    otherwise undecided

play
    repeat 2 times
        each p
            p takes up to 2 actions

action sail by p
    coins of p decreases by 1

action wait by p
    nothing

rule waiting
    p may wait

"""


def game(rules: str, book: str = BOOK) -> Game:
    return Game(machine(book + rules))


def opened(found: Game, kind: str) -> Open:
    assert isinstance(found.node, Open), found.node
    assert found.node.kind == kind
    return found.node


def names(node: Open) -> list[list[str]]:
    return [[norm.name for norm in side] for side in node.sides]


def offered(found: Game) -> list[str]:
    assert isinstance(found.node, Choice), found.node
    return [move.text for move in found.node.moves]


# ---- two rules

CLASH = """\
rule good_wind
    p may sail even if storm

rule storm_keeps_in
    p cannot sail when storm or coins of p is 3

"""


def test_an_assumption_does_not_settle_cannot_against_may_even_if() -> None:
    found = game(CLASH)
    node = opened(found, "undetermined")
    assert names(node) == [["good_wind"], ["storm_keeps_in"]]
    assert [ruling.text for ruling in node.rulings] == [
        "good_wind over storm_keeps_in",
        "storm_keeps_in over good_wind",
    ]
    plain = CLASH.replace(" even if storm", "")
    assert offered(game(plain)) == ["wait by Player 1", "stop"]


@pytest.mark.parametrize(
    ("ruling", "moves"),
    [
        ("good_wind over storm_keeps_in", ["sail by Player 1", "wait by Player 1", "stop"]),
        ("storm_keeps_in over good_wind", ["wait by Player 1", "stop"]),
    ],
)
def test_a_ruling_settles_the_point_for_the_rest_of_the_game(ruling: str, moves: list[str]) -> None:
    found = game(CLASH)
    found.rule(ruling)
    assert offered(found) == moves
    while not found.is_over:
        found.do("stop" if "stop" in offered(found) else offered(found)[0])
    assert [entry.by for entry in found.record].count("ruling") == 1


def test_only_what_is_open_can_be_ruled_on_and_nothing_else_changes() -> None:
    found = game(CLASH)
    before = ([*found.state.cells], [*found.record], found.node)
    with pytest.raises(ValueError, match="does not settle what is open here"):
        found.rule("waiting over storm_keeps_in")
    with pytest.raises(ValueError, match="the book leaves something open here"):
        found.do("wait by Player 1")
    assert ([*found.state.cells], [*found.record], found.node) == before
    found.rule("good_wind over storm_keeps_in")
    with pytest.raises(ValueError, match="nothing is open here"):
        found.rule("good_wind over storm_keeps_in")


def test_a_ruling_is_undone_and_replayed_like_a_choice() -> None:
    found = game(CLASH)
    found.rule("good_wind over storm_keeps_in")
    found.do("sail by Player 1")
    record, cells = list(found.record), [*found.state.cells]
    assert found.undo().text == "sail by Player 1"
    assert found.undo().by == "ruling"
    opened(found, "undetermined")
    assert found.rulings == []
    found.replay(record)
    assert (found.record, found.state.cells) == (record, cells)
    assert [ruling.text for ruling in found.rulings] == ["good_wind over storm_keeps_in"]


def test_what_was_done_before_the_open_point_is_done_once() -> None:
    late = CLASH.replace("when storm or coins of p is 3", "when coins of p is 2")
    found = game(late.replace("even if storm", "even if coins of p is 3"))
    found.do("sail by Player 1")
    opened(found, "undetermined")
    found.rule("good_wind over storm_keeps_in")
    base = next(s.base for s in found.machine.world.slots.values() if s.symbol.name == "coins")
    assert found.state.cells[base] == 2


def test_an_assumption_does_not_settle_must_against_cannot_unless_it_was_written_for_it() -> None:
    duty = "rule duty cites card 1\n    p must sail\n\nrule ban cites book 1\n    p cannot sail\n"
    documents = 'documents\n    book "Book"\n    card "Cards"\n\n'
    assumed = BOOK.replace("    assume cannot over may", "    assume authority card > book")
    assert names(opened(game(duty, documents + assumed), "undetermined")) == [["duty"], ["ban"]]
    declared = BOOK.replace("    assume cannot over may", "    authority card > book cites book 9")
    assert offered(game(duty, documents + declared)) == ["sail by Player 1"]
    exactly = BOOK.replace("    assume cannot over may", "    assume must over cannot")
    assert offered(game(duty, documents + exactly)) == ["sail by Player 1"]


def test_of_two_norms_of_one_rule_the_number_tells_which_is_meant() -> None:
    value = "value toll: 0..9\n    is 1\n    is 2 when storm\n\n"
    found = game(value + "rule sailing\n    p may sail when toll > 1\n")
    node = opened(found, "undetermined")
    assert [ruling.text for ruling in node.rulings] == ["toll (1) over toll (2)", "toll (2) over toll (1)"]
    found.rule("toll (2) over toll (1)")
    assert offered(found)[0] == "sail by Player 1"
    other = game(value + "rule sailing\n    p may sail when toll > 1\n")
    other.rule("toll (1) over toll (2)")
    assert offered(other)[0] == "wait by Player 1"


def test_three_rules_that_override_each_other_in_a_ring_are_all_sides() -> None:
    value = "value toll: 0..9\n    is 1\n\n"
    ring = (
        "".join(f"rule {one}\n    toll is {number}\n\n" for number, one in enumerate(("a", "b", "c"), 2))
        + "policy ring\n    a over b\n    b over c\n    c over a\n    a over toll\n    b over toll\n    c over toll\n"
    )
    text = BOOK + value + ring + "rule sailing\n    p may sail when toll > 1\n"
    found = Game(machine(text, policies=("ring",)))
    assert names(opened(found, "undetermined")) == [["toll"], ["a"], ["b"], ["c"]]


# ---- gaps

GAP = "value toll: 0..3\n    is 1 when not storm\n\nrule sailing\n    p may sail when toll > 1\n"


def test_a_value_that_no_rule_gives_is_given_by_the_table() -> None:
    found = game(GAP)
    node = opened(found, "gap")
    assert node.span is not None
    assert [ruling.text for ruling in node.rulings] == [f"toll is {n}" for n in range(4)]
    found.rule("toll is 2")
    assert offered(found)[0] == "sail by Player 1"


EMPTY = """\
game "Empty" played by Player
kind Player 1
kind Card named ace, king
piles of Card
    deck starts Card
    hand of Player
pool gems 5
    bank starts 1
    chest starts rest
    purse of Player
let p be Player
play
    each p
        draw 3 from deck to hand of p
        move 2 from bank to purse of p
    nobody wins
"""


def test_an_empty_deck_and_a_pool_that_runs_out_are_gaps_unless_the_book_says_what_is_done() -> None:
    found = Game(machine(EMPTY))
    node = opened(found, "gap")
    assert node.text == "`deck` is empty, and no rule says what is done then"
    found.rule("when deck runs out, fewer are drawn")
    node = opened(found, "gap")
    assert node.text == "`bank` has too few counters, and no rule says what is done then"
    found.rule("when bank runs out, fewer are moved")
    assert isinstance(found.node, Over)
    hand, purse = (
        next(s.base for s in found.machine.world.slots.values() if s.symbol.name == name) for name in ("hand", "purse")
    )
    assert (sorted(found.state.cells[hand]), found.state.cells[purse]) == ([0, 1], 1)
    said = EMPTY + "rule dry\n    when deck runs out\n        nothing\n    when bank runs out\n        nothing\n"
    assert isinstance(Game(machine(said)).node, Over)


# ---- duties

DUTY = "rule duty\n    p must sail\n\nrule far\n    p may sail when coins of p > 5\n"


def test_a_duty_that_cannot_be_met_is_reported_and_can_rest() -> None:
    found = game(DUTY)
    node = opened(found, "unmet")
    assert names(node) == [["duty"]]
    assert [ruling.text for ruling in node.rulings] == ["duty rests where it cannot be met"]
    found.rule("duty rests where it cannot be met")
    assert offered(found) == ["wait by Player 1", "stop"]
    assert offered(game(DUTY.replace("must sail", "must sail if possible"))) == ["wait by Player 1", "stop"]


def test_a_duty_that_can_be_met_in_one_of_several_ways_is_met() -> None:
    assert offered(game(DUTY.replace("must sail", "must sail or wait"))) == ["wait by Player 1"]


def test_a_duty_whose_condition_holds_for_no_way_does_not_apply() -> None:
    assert offered(game(DUTY.replace("must sail", "must sail when coins of p > 9"))) == ["wait by Player 1", "stop"]


def test_a_duty_that_cannot_be_paid_is_reported() -> None:
    dear = BOOK.replace("coins of p decreases by 1", "pay 4 from coins of p")
    assert names(opened(game("rule duty\n    p must sail\n", dear), "unmet")) == [["duty"]]
    assert offered(game("rule duty\n    p must sail\n", dear.replace("pay 4", "pay 3"))) == ["sail by Player 1"]


def test_two_ways_that_are_both_forbidden_are_a_contradiction() -> None:
    rules = (
        "rule duty\n    p must sail or wait\n\nrule may_sail\n    p may sail\n\nrule ban\n    p cannot sail or wait\n"
    )
    assert names(opened(game(rules), "undetermined")) == [["duty"], ["ban"]]
    one_left = rules.replace("cannot sail or wait", "cannot wait")
    assert offered(game(one_left)) == ["sail by Player 1"]


# ---- readings

READINGS = """\
rule calm_only
    reading weather_of_now
        p may sail when not storm
    reading any_weather
        p may sail

"""


def test_readings_that_differ_stop_play_and_a_ruling_chooses_one() -> None:
    found = game(READINGS)
    node = opened(found, "undetermined")
    assert [ruling.text for ruling in node.rulings] == [
        "calm_only reads weather_of_now",
        "calm_only reads any_weather",
    ]
    found.rule("calm_only reads any_weather")
    assert offered(found)[0] == "sail by Player 1"


def test_readings_that_agree_do_not_stop_play() -> None:
    calm = BOOK.replace("storm yes/no starts yes", "storm yes/no starts no")
    assert offered(game(READINGS, calm))[0] == "sail by Player 1"
    banned = READINGS + "rule ban\n    p cannot sail\n"
    assert offered(game(banned)) == ["wait by Player 1", "stop"]


def test_two_readings_of_a_trigger_do_not_both_happen() -> None:
    rules = """\
rule wages
    reading one_each
        when wait by p
            coins of p increases by 1
    reading two_each
        when wait by p
            coins of p increases by 2
"""
    found = game(rules)
    found.do("wait by Player 1")
    opened(found, "undetermined")
    found.rule("wages reads two_each")
    base = next(s.base for s in found.machine.world.slots.values() if s.symbol.name == "coins")
    assert found.state.cells[base] == 5
    same = game(rules.replace("increases by 2", "increases by 1"))
    same.do("wait by Player 1")
    assert same.state.cells[base] == 4


def test_readings_of_a_value_are_compared() -> None:
    rules = """\
value toll: 0..9
    usually is 1

rule storm_toll
    reading in_storm
        toll is 2 when storm
    reading in_calm
        toll is 2 when not storm

rule sailing
    p may sail when toll > 1
"""
    opened(game(rules), "undetermined")
    assert offered(game(rules.replace("when not storm", "when storm")))[0] == "sail by Player 1"


# ---- endings

BOTH = """\
rule rich
    p wins when coins of p is 2

rule poor
    p loses when coins of p is 2
"""


def test_to_win_and_lose_at_once_is_a_contradiction() -> None:
    found = game(BOTH + "rule sailing\n    p may sail\n")
    found.do("sail by Player 1")
    assert names(opened(found, "undetermined")) == [["rich"], ["poor"]]
    found.rule("poor over rich")
    assert found.state.outcomes == {0: "loses"}
    settled = BOTH.replace("rule rich", "rule rich overrides poor")
    found = game(settled + "rule sailing\n    p may sail\n")
    found.do("sail by Player 1")
    assert isinstance(found.node, Over)
    assert found.node.outcomes == ((0, "wins"),)


def test_nobody_wins_against_somebody_wins_is_a_contradiction() -> None:
    found = game(
        BOTH.replace("p loses", "nobody wins")
        .replace("of p is 2\n", "of p is 2\n", 1)
        .replace("nobody wins when coins of p is 2", "nobody wins when some p where coins of p is 2")
        + "rule sailing\n    p may sail\n"
    )
    found.do("sail by Player 1")
    assert sorted(names(opened(found, "undetermined"))) == [["poor"], ["rich"]]
    found.rule("rich over poor")
    assert isinstance(found.node, Over)
    assert found.node.outcomes == ((0, "wins"),)


def test_an_immediate_ending_does_not_wait_for_the_action_to_end() -> None:
    there_and_back = BOOK.replace(
        "    coins of p decreases by 1", "    coins of p decreases by 3\n    coins of p increases by 3"
    )
    broke = "rule sailing\n    p may sail\n\nrule broke\n    p loses when coins of p is 0\n"
    late = game(broke, there_and_back)
    late.do("sail by Player 1")
    assert late.state.outcomes == {}
    at_once = game(broke.replace("    p loses", "    immediately p loses"), there_and_back)
    at_once.do("sail by Player 1")
    assert at_once.state.outcomes == {0: "loses"}


# ---- replacing

INSTEAD = """\
rule sailing
    p may sail

rule free_trip
    instead of coins of p decreases by n
        fee becomes 1

rule spared
    ignore coins of p decreases by n
"""


def test_a_replacement_and_an_ignore_disagree_like_other_norms() -> None:
    found = game(INSTEAD)
    found.do("sail by Player 1")
    assert sorted(names(opened(found, "undetermined"))) == [["free_trip"], ["spared"]]
    found.rule("spared over free_trip")
    fee = next(s.base for s in found.machine.world.slots.values() if s.symbol.name == "fee")
    assert found.state.cells[fee] == 0
    chosen = game(INSTEAD.replace("rule free_trip", "rule free_trip overrides spared"))
    chosen.do("sail by Player 1")
    assert chosen.state.cells[fee] == 1


def test_two_replacements_that_do_the_same_agree() -> None:
    same = INSTEAD.replace(
        "    ignore coins of p decreases by n", "    instead of coins of p decreases by n\n        fee becomes 1"
    )
    found = game(same)
    found.do("sail by Player 1")
    assert isinstance(found.node, Choice)


# ---- stories


def test_a_passage_that_leads_nowhere_is_a_dead_end() -> None:
    story = """\
game "Story" played by Player
kind Player 1
play
    read quay
    nobody wins
story s
    starts at quay
    passage quay "A quay."
        option "Wait"
        option "Go home"
            return
"""
    found = Game(machine(story))
    found.do("Wait")
    assert opened(found, "stuck").text == "nothing leads on from `quay`"
    found.undo()
    found.do("Go home")
    assert isinstance(found.node, Over)
