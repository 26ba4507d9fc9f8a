"""Why and why not, as data: each kind of reason, what just misses it, and what would make a move legal."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.machine import Choice, Game
from rules.machine.base import Chance
from rules.machine.lacks import Atom, FrequencyReached, Ignored, SwitchedOff, Unfit
from rules.machine.moves import read_move
from rules.machine.nearest import Becomes, Carried, Counters, Nearest, nearest
from rules.machine.why import (
    BeyondLimit,
    CannotPay,
    ChanceDecides,
    Concealing,
    Forbidden,
    GameOver,
    NotAllowed,
    NotOffered,
    NotYours,
    OtherChoice,
    OtherDuty,
    Stopped,
    Why,
    WrongMoment,
    explain,
    list_moves,
)
from tests.machine.making import machine

HEAD = """\
game "Ferry" played by Player

documents
    book "Rulebook"
    card "Cards"

precedence
    explicit
    authority card > book cites book 3
    assume cannot over may
    otherwise undecided

type Weather is calm, rough, storm

kind Player 2..3
    coins 0..20 starts 3
    tired yes/no
    hat yes/no

kind Port named athens, rhodes, crete

map sea of Port
    links athens - rhodes - crete

let p, other be Player
let q be Port
let n be 1..6

state
    weather Weather starts calm
    day 1..9
    ship of p Port starts athens

"""

DAY = """\
play
    turns of p until weather is storm and day is 9
        phase sailing
            p takes any actions
        phase resting
            p takes any actions

action sail by p to q during sailing
    ship of p becomes q

action nap by p during resting
    tired of p becomes no

action wait by p during sailing

rule idle cites book 10
    p may wait

"""


def game(text: str, seats: int = 2) -> Game:
    made = Game(machine(text, seats), 0)
    made.settle()
    return made


def ask(made: Game, text: str, viewer: int | None = None) -> Why:
    actor = made.node.actor if isinstance(made.node, Choice) else None
    move = read_move(made.machine, text, actor)
    return explain(made.machine, made.state, made.node, move.verb, move.args, viewer)


def would(made: Game, why: Why, viewer: int | None = None) -> Nearest:
    return nearest(made.machine, made.state, made.node, why, viewer)


def kinds(why: Why) -> list[type]:
    return [type(reason) for reason in why.reasons]


def base(made: Game, name: str) -> int:
    return next(s for s in made.machine.world.slots.values() if s.symbol.name == name).base


def put(made: Game, **values: object) -> None:
    """Sets cells by the name of their slot; of several, the first."""
    for name, value in values.items():
        made.state.cells[base(made, name)] = value


def sets(made: Game, change: Becomes) -> tuple[str, tuple[object, ...]]:
    slot = next(s for s in made.machine.world.slots.values() if s.base <= change.address < s.base + s.count)
    return slot.symbol.name, change.new


NEIGHBOURS = """\
rule neighbours cites book 20
    p may sail to q when q is next to ship of p
"""


def test_a_legal_move_has_the_norms_that_decided() -> None:
    why = ask(game(HEAD + DAY + NEIGHBOURS), "sail to rhodes")
    assert (why.verdict, why.reasons) == ("legal", ())
    assert [a.norm.name for a in why.deciding] == ["neighbours"]


def test_a_condition_that_fails_is_the_reason_with_what_its_variables_stand_for() -> None:
    made = game(HEAD + DAY + NEIGHBOURS)
    why = ask(made, "sail to crete")
    assert (why.verdict, kinds(why)) == ("illegal", [NotAllowed])
    (atom,) = why.atoms
    assert (dict(atom.given), atom.wanted, atom.holds) == ({"p": 0, "q": 2}, True, False)
    assert atom.values == (2, 0)  # crete, and where the ship is
    assert [sets(made, c) for (c,) in would(made, why).changes if isinstance(c, Becomes)] == [("ship", (1,))]


def test_an_action_that_no_rule_speaks_of() -> None:
    why = ask(game(HEAD + DAY + NEIGHBOURS.replace("sail to q", "nap").replace("q is", "rhodes is")), "sail to rhodes")
    assert why.reasons == (NotAllowed(()),)


def test_of_several_rules_the_one_that_lacks_least_is_nearest() -> None:
    rules = """\
rule far cites book 21
    p may sail to q when coins of p >= 9 and weather is storm

rule hat_helps cites book 22
    p may sail to q when hat of p
"""
    why = ask(game(HEAD + DAY + rules), "sail to crete")
    (reason,) = why.reasons
    assert isinstance(reason, NotAllowed)
    assert [(way.norm.name, len(way.lacks)) for way in reason.ways] == [("hat_helps", 1), ("far", 2)]


@pytest.mark.parametrize(
    ("condition", "lacking"),
    [
        ("hat of p and tired of p", 2),
        ("hat of p or tired of p", 1),
        ("hat of p or (tired of p and weather is storm)", 1),
        ("(tired of p and weather is storm) or hat of p", 1),
        ("not (weather is calm and coins of p is 3)", 1),
        ("not (weather is calm or coins of p is 3)", 2),
        ("some other where hat of other and weather is storm", 2),
        ("every other satisfies hat of other", 2),
        ("every other where coins of other is 3 satisfies hat of other", 2),
        ("no other where coins of other is 3", 2),
        ("(hat of p or tired of p) and (tired of p or weather is storm)", 1),
        ("weather is calm and hat of p", 1),
    ],
)
def test_the_fewest_conditions_are_told(condition: str, lacking: int) -> None:
    why = ask(game(HEAD + DAY + f"rule only cites book 20\n    p may sail to q when {condition}\n"), "sail to crete")
    assert kinds(why) == [NotAllowed]
    assert len(why.atoms) == lacking


def test_unless_is_a_condition_that_must_not_hold() -> None:
    made = game(HEAD + DAY + "rule fair cites book 20\n    p may sail to q unless weather is calm\n")
    why = ask(made, "sail to crete")
    (atom,) = why.atoms
    assert (atom.wanted, atom.holds) == (False, True)
    assert ("weather", ("rough", "storm")) in [
        sets(made, c) for (c,) in would(made, why).changes if isinstance(c, Becomes)
    ]


STORM = """
rule storm_keeps_in cites book 31
    p cannot sail when weather is storm
"""


def test_a_rule_that_forbids_won_by_a_meta_rule() -> None:
    made = game(HEAD + DAY + NEIGHBOURS + STORM)
    assert ask(made, "sail to rhodes").verdict == "legal"
    put(made, weather="storm")
    why = ask(made, "sail to rhodes")
    assert (why.verdict, kinds(why)) == ("illegal", [Forbidden])
    assert [a.norm.name for a in why.deciding] == ["storm_keeps_in"]
    (defeat,) = why.defeats
    assert (defeat.loser.norm.name, defeat.winner.norm.name) == ("neighbours", "storm_keeps_in")
    assert (defeat.ground.words, defeat.ground.assumed) == ("cannot over may", True)
    assert [sets(made, c) for (c,) in would(made, why).changes if isinstance(c, Becomes)] == [
        ("weather", ("calm", "rough"))
    ]


def test_a_rule_that_is_defeated_is_no_reason() -> None:
    made = game(
        HEAD + DAY + STORM + "\nrule lighthouse cites card 4\n    p may sail to q when q is next to ship of p\n"
    )
    put(made, weather="storm")
    why = ask(made, "sail to rhodes")
    assert why.verdict == "legal"
    assert [(d.loser.norm.name, d.ground.assumed) for d in why.defeats] == [("storm_keeps_in", False)]
    assert kinds(ask(made, "sail to crete")) == [NotAllowed]  # the storm would not stand in the way


def test_what_is_not_allowed_and_forbidden_has_both_reasons() -> None:
    made = game(HEAD + DAY + NEIGHBOURS + STORM)
    put(made, weather="storm")
    why = ask(made, "sail to crete")
    assert kinds(why) == [NotAllowed, Forbidden]
    changes = would(made, why).changes
    assert [[sets(made, c) for c in pair if isinstance(c, Becomes)] for pair in changes] == [
        [("ship", (1,)), ("weather", ("calm",))]
    ]


def test_rules_that_disagree_are_no_reasons() -> None:
    text = HEAD.replace("    assume cannot over may\n", "") + DAY + NEIGHBOURS + STORM
    made = game(text)
    put(made, weather="storm")
    why = ask(made, "sail to rhodes")
    assert (why.verdict, why.reasons) == ("undetermined", ())
    assert why.open is not None
    assert {norm.name for side in why.open.sides for norm in side} == {"neighbours", "storm_keeps_in"}


def test_in_a_window_what_belongs_to_the_moment_around_it_waits() -> None:
    day = DAY.replace(
        "            p takes any actions\n        phase resting", "            window reaction\n        phase resting"
    )
    made = game(
        HEAD + day + "action shout by p during reaction\n\nrule all cites book 20\n    p may shout\n    p may nap\n"
    )
    assert [legal.verb for legal in made.legal()] == ["shout"]
    why = ask(made, "wait")
    assert why.reasons == (WrongMoment(("sailing",), "reaction"),)


@pytest.mark.parametrize(("rule", "move"), [("p may nap", "nap"), ("p may sail to q", "sail by Player 2 to crete")])
def test_a_moment_to_wait_for(rule: str, move: str) -> None:
    made = game(HEAD + DAY + f"rule both cites book 20\n    p may sail to q\n    {rule}\n")
    why = ask(made, move)
    assert kinds(why) == [WrongMoment if move == "nap" else NotYours]
    (moment,) = would(made, why).moments
    assert (moment.stops[-1].moment, moment.again) == (("resting", False) if move == "nap" else ("turn", False))


def test_a_player_whose_turn_never_comes_is_not_promised_one() -> None:
    day = DAY.replace("turns of p until", "turns of p where not tired of p until")
    made = game(HEAD + day + "rule free cites book 20\n    p may sail to q\n")
    made.state.cells[base(made, "tired") + 1] = True
    assert would(made, ask(made, "sail by Player 2 to crete")).moments == ()
    made.state.cells[base(made, "tired") + 1] = False
    assert len(would(made, ask(made, "sail by Player 2 to crete")).moments) == 1


def test_what_was_done_often_enough_waits_for_the_next_turn() -> None:
    made = game(HEAD + DAY + "rule one cites book 20\n    p may sail to q once per turn\n    p may nap\n")
    assert ask(made, "sail to crete").verdict == "legal"
    made.do("sail by Player 1 to rhodes")
    why = ask(made, "sail to crete")
    (lack,) = why.lacks
    assert isinstance(lack, FrequencyReached)
    assert (lack.done, lack.frequency.moment.text) == (1, "turn")
    (moment,) = would(made, why).moments
    assert (moment.stops[-1].moment, moment.again) == ("turn", True)


def test_what_was_done_often_enough_in_the_game_waits_for_nothing() -> None:
    made = game(HEAD + DAY + "rule one cites book 20\n    p may sail to q once per game\n    p may nap\n")
    made.do("sail by Player 1 to rhodes")
    why = ask(made, "sail to crete")
    assert [type(lack) for lack in why.lacks] == [FrequencyReached]
    assert would(made, why) == Nearest()


def test_what_cannot_be_paid() -> None:
    day = DAY.replace("    ship of p becomes q\n", "    pay 5 from coins of p\n    ship of p becomes q\n")
    made = game(HEAD + day + NEIGHBOURS)
    why = ask(made, "sail to rhodes")
    (reason,) = why.reasons
    assert isinstance(reason, CannotPay)
    assert (reason.unpaid.due, reason.unpaid.held) == (5, 3)
    assert would(made, why).changes == ((Becomes(reason.unpaid.address or 0, 3, (5,)),),)
    put(made, coins=5)
    assert ask(made, "sail to rhodes").verdict == "legal"


def test_two_payments_from_one_purse_are_added() -> None:
    day = DAY.replace("    ship of p becomes q\n", "    pay 2 from coins of p\n    pay 2 from coins of p\n")
    (reason,) = ask(game(HEAD + day + NEIGHBOURS), "sail to rhodes").reasons
    assert isinstance(reason, CannotPay)
    assert reason.unpaid.due == 4


def test_a_limit() -> None:
    day = DAY.replace("    ship of p becomes q\n", "    coins of p increases by 4\n")
    made = game(HEAD + day + NEIGHBOURS + "\nrule purse cites book 40\n    limit coins of p to 6\n")
    why = ask(made, "sail to rhodes")
    (reason,) = why.reasons
    assert isinstance(reason, BeyondLimit)
    assert reason.norm.name == "purse"
    assert [sets(made, c) for (c,) in would(made, why).changes if isinstance(c, Becomes)] == [("coins", (2,))]


def test_no_change_breaks_a_limit() -> None:
    rules = (
        "rule rich cites book 20\n    p may sail to q when coins of p >= 9\n\nrule purse\n    limit coins of p to 8\n"
    )
    made = game(HEAD + DAY + rules)
    assert would(made, ask(made, "sail to crete")).changes == ()
    made = game(HEAD + DAY + rules.replace("to 8", "to 9"))
    assert [sets(made, c) for (c,) in would(made, ask(made, "sail to crete")).changes if isinstance(c, Becomes)] == [
        ("coins", (9,))
    ]


def test_another_duty() -> None:
    free = "rule free cites book 20\n    p may sail to q\n"
    made = game(HEAD + DAY + free + "\nrule home cites book 21\n    p must sail to athens when hat of p\n")
    assert ask(made, "sail to crete").verdict == "legal"
    put(made, hat=True)
    why = ask(made, "sail to crete")
    (reason,) = why.reasons
    assert isinstance(reason, OtherDuty)
    assert ([norm.name for norm in reason.duties], reason.moves) == (["home"], (("sail", (0, 0)),))
    assert ask(made, "sail to athens").must


def test_a_part_that_a_rule_does_not_speak_of() -> None:
    rules = "rule home cites book 20\n    p may sail to athens\n"
    (lack,) = ask(game(HEAD + DAY + rules), "sail to crete").lacks
    assert isinstance(lack, Unfit)
    assert (lack.label, lack.value, lack.wanted, lack.fixed) == ("to", 0, 2, True)


def test_a_part_that_the_state_says() -> None:
    made = game(HEAD + DAY + "rule stay cites book 20\n    p may sail to ship of p\n")
    why = ask(made, "sail to crete")
    (lack,) = why.lacks
    assert isinstance(lack, Unfit)
    assert not lack.fixed
    assert [sets(made, c) for (c,) in would(made, why).changes if isinstance(c, Becomes)] == [("ship", (2,))]


def test_a_rule_that_is_switched_off_or_ignored() -> None:
    ignoring = "\nrule sea_god cites card 13\n    ignore rule neighbours if weather is storm\n"
    made = game(HEAD + DAY + NEIGHBOURS + ignoring)
    assert ask(made, "sail to rhodes").verdict == "legal"
    put(made, weather="storm")
    (lack,) = ask(made, "sail to rhodes").lacks
    assert isinstance(lack, Ignored)
    assert (lack.by.name, len(lack.atoms)) == ("sea_god", 1)
    put(made, weather="calm")
    made.state.disabled["neighbours"] = None
    assert ask(made, "sail to rhodes").lacks == (SwitchedOff("neighbours", None),)


def test_only_what_is_offered() -> None:
    day = """\
play
    turns of p until weather is storm
        p must sail to rhodes or nap

action sail by p to q
    ship of p becomes q

action nap by p
    tired of p becomes no

action sing by p

"""
    made = game(HEAD + day)
    assert ask(made, "sail to rhodes").verdict == "legal"
    for move in ("sail to crete", "sing"):
        why = ask(made, move)
        assert NotOffered in kinds(why)


def test_the_game_is_over_chance_decides_or_something_else_is_decided() -> None:
    day = """\
play
    turns of p until weather is storm
        p chooses q
        ship of p becomes q
        roll d6 as n
        if n <= 6
            weather becomes storm

action sail by p to q
    ship of p becomes q

rule free cites book 20
    p may sail to q

"""
    made = Game(machine(HEAD + day, 2), 0)
    (reason,) = ask(made, "sail by Player 1 to crete").reasons
    assert reason == OtherChoice("choose q", 0, ("athens", "rhodes", "crete"))
    (reason,) = ask(made, "sail by Player 1 to crete", viewer=1).reasons
    assert reason == OtherChoice("choose q", 0, ())
    made.do("crete")
    assert isinstance(made.node, Chance)
    assert kinds(ask(made, "sail by Player 1 to crete")) == [ChanceDecides]
    made.settle()
    assert kinds(ask(made, "sail by Player 1 to crete")) == [GameOver]
    assert would(made, ask(made, "sail by Player 1 to crete")) == Nearest()


GAP = """\
value toll of p: 0..3
    is 1 when weather is storm

"""


def test_where_play_stands_still_no_move_is_judged() -> None:
    day = DAY.replace(
        "            p takes any actions\n        phase resting",
        "            coins of p becomes toll of p\n        phase resting",
    )
    made = game(HEAD + GAP + day + NEIGHBOURS)
    why = ask(made, "sail by Player 1 to rhodes")
    assert (why.verdict, kinds(why)) == ("undetermined", [Stopped])


def test_a_gap_in_what_a_move_costs_leaves_that_move_open_and_others_as_they_are() -> None:
    day = DAY.replace("    ship of p becomes q\n", "    pay toll of p from coins of p\n")
    made = game(HEAD + GAP + day + NEIGHBOURS + "\nrule sleep cites book 30\n    p may nap\n")
    assert ask(made, "sail by Player 1 to rhodes").verdict == "undetermined"
    assert ask(made, "sail by Player 1 to crete").verdict == "illegal"
    listing = list_moves(made.machine, made.state, made.node)
    assert [(verb, args) for verb, args, _ in listing.open] == [("sail", (0, 1))]


def test_readings_that_differ_leave_a_move_undetermined() -> None:
    rules = """\
rule shore cites book 20
    reading near
        p may sail to q when q is next to ship of p
    reading far
        p may sail to q
"""
    made = game(HEAD + DAY + rules)
    assert ask(made, "sail by Player 1 to crete").verdict == "undetermined"
    assert ask(made, "sail by Player 1 to rhodes").verdict == "legal"


# ---- parts that are left out


def test_the_legal_ways_of_an_action() -> None:
    why = ask(game(HEAD + DAY + NEIGHBOURS), "sail")
    assert (why.verdict, why.ways) == ("legal", ((0, 1),))


def test_reasons_that_all_ways_share_and_the_nearest_way() -> None:
    made = game(HEAD + DAY + NEIGHBOURS + STORM)
    put(made, weather="storm")
    why = ask(made, "sail")
    assert (why.verdict, kinds(why), why.nearest) == ("illegal", [Forbidden], (0, 1))
    made = game(HEAD + DAY + "rule odd cites book 20\n    p may sail to q when q is crete and hat of p\n")
    why = ask(made, "sail")
    assert why.nearest == (0, 2)
    assert len(why.lacks) == 1


# ---- things and counters

CARDS = """\
game "Cards" played by Player

documents
    book "Rulebook"

precedence
    assume cannot over may
    otherwise undecided

kind Player 2

kind Card named ace, king, queen, jack
    printed worth 1..4 starts 1

piles of Card
    deck starts Card closed
    hand of Player private
    table

kind Guard named left, right

pool stones 6
    store starts rest
    held of Player

let p be Player
let c be Card

play
    turns of p until size of table is 4
        p takes 1 action

action lay by p with c
    move c to table

action peek by p

action build by p

rule laying cites book 1
    p may lay with c when c is in hand of p

rule peeking cites book 2
    p may peek when top of deck is not ace

rule building cites book 3
    p may build when held of p >= 2

rule waiting cites book 4
    p cannot lay when held of p > 4
"""


def cards(**hands: tuple[int, ...]) -> Game:
    made = Game(machine(CARDS, 2), 0)
    cells = made.state.cells
    for place, hand in enumerate(hands.values()):
        cells[base(made, "hand") + place] = hand
    taken = {card for hand in hands.values() for card in hand}
    cells[base(made, "deck")] = tuple(card for card in range(4) if card not in taken)
    made.node = made.machine.run(made.state)
    return made


def test_a_thing_would_have_to_lie_elsewhere() -> None:
    made = cards(one=(0,), two=(1,))
    why = ask(made, "lay with king")
    hand = base(made, "hand")
    assert would(made, why).changes == ((Carried(1, hand + 1, hand),),)


def test_counters_are_moved_and_never_made() -> None:
    made = cards(one=(0,), two=(1,))
    store, held = base(made, "store"), base(made, "held")
    assert made.state.cells[store] == 6
    assert would(made, ask(made, "build")).changes == ((Counters(2, store, held),),)
    made.state.cells[store], made.state.cells[held + 1] = 1, 5
    assert would(made, ask(made, "build")).changes == ((Counters(2, held + 1, held),),)


# ---- what a player may not see


def test_what_others_hold_is_hidden_and_what_a_player_holds_is_not() -> None:
    made = cards(one=(0,), two=(1,))
    assert ask(made, "lay by Player 1 with ace", viewer=0).verdict == "legal"
    assert ask(made, "lay by Player 1 with ace", viewer=1).verdict == "hidden"
    assert ask(made, "lay by Player 1 with king", viewer=1) != ask(made, "lay by Player 1 with king")
    assert kinds(ask(made, "lay by Player 2 with king", viewer=0)) == [NotYours, Concealing]
    assert kinds(ask(made, "lay by Player 2 with king", viewer=1)) == [NotYours]


def test_a_change_names_no_place_that_the_player_does_not_see() -> None:
    made = cards(one=(0,), two=(1,))
    why = ask(made, "lay with king", viewer=0)
    assert would(made, why, viewer=0).changes == ((Carried(1, None, base(made, "hand")),),)


def test_a_condition_on_what_is_closed_has_no_answer() -> None:
    made = cards(one=(1,), two=(2,))
    why = ask(made, "peek", viewer=0)  # the ace lies on top
    assert (why.verdict, kinds(why)) == ("illegal", [Concealing])
    (reason,) = why.reasons
    assert isinstance(reason, Concealing)
    (atom,) = [lack for way in reason.ways for lack in way.lacks if isinstance(lack, Atom)]
    assert (atom.holds, atom.is_open) == (None, False)
    known = Carried(1, base(made, "hand"), base(made, "deck"))
    assert would(made, why, viewer=0).changes == ((known,),)  # a card that the player knows, on top


def _same_for(viewer: int, one: Game, other: Game, moves: list[str], answer: Callable[[Game, str], object]) -> None:
    for move in moves:
        assert answer(one, move) == answer(other, move), (viewer, move)


def test_states_that_look_alike_get_the_same_answers() -> None:
    """Player 2 cannot tell these apart, so nothing that Player 2 is told may differ."""
    one, other = cards(one=(0, 1), two=(3,)), cards(one=(2, 0), two=(3,))
    moves = [f"lay by Player {p} with {c}" for p in (1, 2) for c in ("ace", "king", "queen", "jack")]
    moves += ["peek by Player 1", "build by Player 1", "build by Player 2"]

    def answer(made: Game, move: str) -> object:
        why = ask(made, move, viewer=1)
        return why.verdict, why.reasons, why.deciding, would(made, why, viewer=1)

    _same_for(1, one, other, moves, answer)
    assert ask(one, "lay by Player 1 with king").verdict != ask(other, "lay by Player 1 with king").verdict


def test_what_was_drawn_out_of_sight_is_not_remembered_for_others() -> None:
    text = CARDS.replace(
        "p may peek when top of deck is not ace", "p may peek when happened (c enters hand of p) this game"
    )
    text = text.replace("may peek when happened (c", "may peek when some c where c is ace and happened (c")
    text = text.replace("may build when held of p >= 2", "may build")  # nobody is stuck at the start
    made = Game(machine(text, 2), 0)
    made.state.log.append(made.machine._at_cell("transfer", base(made, "hand"), new=0, word="enters"))
    made.state.cells[base(made, "hand")] = (0,)
    made.state.cells[base(made, "deck")] = (1, 2, 3)
    assert ask(made, "peek").verdict == "legal"
    assert ask(made, "peek", viewer=0).verdict == "legal"
    assert ask(made, "peek by Player 1", viewer=1).verdict == "hidden"


def test_a_number_that_only_one_player_sees() -> None:
    made = game(
        HEAD.replace("    hat yes/no\n", "    hat yes/no private\n")
        + DAY
        + "rule hats\n    p may sail to q when hat of p\n"
    )
    assert ask(made, "sail to crete", viewer=0).atoms[0].holds is False
    assert ask(made, "sail by Player 1 to crete", viewer=1).verdict == "hidden"
    assert kinds(ask(made, "sail by Player 2 to crete", viewer=0)) == [NotYours, Concealing]
