"""Who sees what, what is chosen in secret, and that undo stops where somebody has come to know something."""

from __future__ import annotations

import pytest

from rules.machine import Choice, Game, Over
from rules.machine.secrets import HIDDEN
from rules.machine.state import State
from tests.machine.making import machine

CARDS = """\
game "Cards" played by Player

kind Player 2
    bid 0..9 private
    rank_known yes/no

kind Card named ace, king, queen, jack
    mark 0..9 closed

kind Spy named lynx, owl
    boss Player or none
    code 0..9 starts 4 private

piles of Card
    deck starts {c where c is not ace} closed
    hand of Player starts {} private
    table_top starts {ace}
    grave of Spy closed

let p, other be Player
let c be Card
let spy be Spy

play
    boss of owl becomes front_player
    repeat
        each p
            p takes 1 action

state
    front_player Player or none

action fetch by p
    draw 1 from deck to hand of p

action show by p c to other
    reveal c to other

action show_all by p
    reveal hand of p

action tell by p
    reveal bid of p

action give by p c to other
    move c from hand of p to hand of other

action mix by p
    shuffle hand of p into deck

action pass by p
    nothing

action place by p c
    move c from hand of p to table_top

rule all_may
    p may fetch or show_all or tell or mix or pass
    p may show c to other when c is in hand of p
    p may give c to other when c is in hand of p
    p may place c when c is in hand of p
"""


@pytest.fixture
def game() -> Game:
    return Game(machine(CARDS))


def address(game: Game, name: str, *args: int) -> int:
    slot = next(slot for slot in game.machine.world.slots.values() if slot.symbol.name == name)
    found = slot.address(args)
    assert found is not None
    return found


def seen(game: Game, viewer: int | None, name: str, *args: int) -> object:
    return game.machine.seen(game.state, address(game, name, *args), viewer)


def test_closed_private_and_open(game: Game) -> None:
    game.do("fetch by Player 1")
    assert seen(game, 0, "hand", 0) == (1,)
    assert seen(game, 1, "hand", 0) == (HIDDEN,)
    assert seen(game, 0, "deck") == (HIDDEN, HIDDEN)
    assert seen(game, None, "deck") == (2, 3)
    assert seen(game, 1, "table_top") == (0,)
    assert seen(game, 0, "bid", 0) == 0
    assert seen(game, 1, "bid", 0) is HIDDEN
    assert seen(game, 0, "mark", 2) is HIDDEN


def test_what_belongs_to_a_thing_is_seen_by_the_player_it_belongs_to(game: Game) -> None:
    game.state.cells[address(game, "boss", 1)] = 1
    assert seen(game, 1, "code", 1) == 4
    assert seen(game, 0, "code", 1) is HIDDEN
    assert seen(game, 0, "code", 0) is HIDDEN


def test_what_is_revealed_stays_seen_until_it_is_moved(game: Game) -> None:
    game.do("fetch by Player 1")
    game.do("pass by Player 2")
    game.do("show by Player 1 king to Player 2")
    assert seen(game, 1, "hand", 0) == (1,)
    game.do("fetch by Player 2")
    assert seen(game, 1, "hand", 0) == (1,)
    game.do("mix by Player 1")
    assert seen(game, 1, "deck") == (HIDDEN, HIDDEN)


def test_a_revealed_pile_and_a_revealed_number(game: Game) -> None:
    game.do("tell by Player 1")
    assert seen(game, 1, "bid", 0) == 0
    game.do("fetch by Player 2")
    game.do("pass by Player 1")
    game.do("show_all by Player 2")
    assert seen(game, 0, "hand", 1) == (1,)


@pytest.mark.parametrize(
    ("moves", "stops"),
    [
        (("pass by Player 1",), False),
        (("fetch by Player 1",), True),
        (("fetch by Player 1", "pass by Player 2", "place by Player 1 king"), True),
        (("tell by Player 1",), True),
        (("tell by Player 1", "pass by Player 2", "tell by Player 1"), False),
        (("fetch by Player 1", "pass by Player 2", "show by Player 1 king to Player 1"), False),
    ],
)
def test_undo_stops_where_somebody_has_seen_something_new(game: Game, moves: tuple[str, ...], stops: bool) -> None:
    for move in moves:
        game.do(move)
    before: State = game.state
    if stops:
        with pytest.raises(ValueError, match="somebody has seen something new"):
            game.undo()
        assert game.state is before
        assert game.undo(through_chance=True).text == moves[-1]
    else:
        assert game.undo().text == moves[-1]


SECRET = """\
game "Bids" played by Player

kind Player 3
    bid 0..3
    shields 0..2 starts 2

let p, other be Player
let n be 0..3

state
    highest_bid 0..3

play
    each p secretly
        p chooses n where n <= 3 - highest_bid
        bid of p becomes n
        highest_bid becomes larger of (highest_bid, n)
    nobody wins
"""


def cells(game: Game, name: str) -> list[object]:
    slot = next(slot for slot in game.machine.world.slots.values() if slot.symbol.name == name)
    return game.state.cells[slot.base : slot.base + slot.count]


def test_all_choose_before_anything_is_carried_out() -> None:
    game = Game(machine(SECRET.replace(" where n <= 3 - highest_bid", "")))
    for player, bid in enumerate(("3", "1", "2")):
        assert isinstance(game.node, Choice)
        assert (game.node.actor, game.node.secret) == (player, True)
        assert cells(game, "bid") == [0, 0, 0]
        game.do(bid)
    assert isinstance(game.node, Over)
    assert cells(game, "bid") == [3, 1, 2]


def test_what_can_no_longer_be_chosen_is_chosen_anew_and_openly() -> None:
    game = Game(machine(SECRET))
    for bid in ("2", "2", "1"):
        assert len(game.moves) == 4  # as if nobody had chosen yet
        game.do(bid)
    assert isinstance(game.node, Choice)
    assert (game.node.actor, game.node.secret) == (1, False)
    assert [move.text for move in game.moves] == ["0", "1"]
    game.do("0")
    assert cells(game, "bid") == [2, 0, 1]
    assert isinstance(game.node, Over)


def test_secret_choices_are_undone_saved_and_copied_like_others() -> None:
    game = Game(machine(SECRET))
    game.do("2")
    game.do("1")
    copy = game.state.copy()
    assert game.undo().text == "1"
    assert isinstance(game.node, Choice)
    assert game.node.actor == 1
    game.do("1")
    again = Game(game.machine)
    again.replay(game.record)
    assert again.node == game.node == game.machine.run(copy)


def test_actions_can_be_taken_in_secret() -> None:
    book = (
        SECRET.replace(
            """        p chooses n where n <= 3 - highest_bid
        bid of p becomes n
        highest_bid becomes larger of (highest_bid, n)
""",
            "        p takes 1 action\n",
        )
        + "action strike by p against other\n    shields of other decreases by 1\n\n"
        + ("rule striking\n    p may strike against other when shields of p > 0 and p is not other\n")
    )
    game = Game(machine(book))
    for move in (
        "strike by Player 1 against Player 2",
        "strike by Player 2 against Player 3",
        "strike by Player 3 against Player 2",
    ):
        assert [legal.verb for legal in game.legal()] == ["strike", "strike"]
        game.do(move)
    assert cells(game, "shields") == [2, 0, 1]
