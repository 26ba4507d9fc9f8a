"""Books through the conventions of game research: what must be true of every state, and what nobody may be told."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludex
from ludex import research
from ludex.research import CHANCE_PLAYER, TERMINAL_PLAYER, GameType, OpenPointError, State, TooLongError
from tests.bundle import SMALL

PLAYED = sorted(set(SMALL) - {"harbour"})  # the Harbour is there to disagree with itself


@cache
def game_of(name: str) -> research.Game:
    return research.Game(name)


def step(state: State, chooser: random.Random) -> None:
    if state.is_chance_node():
        outcomes, weights = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(chooser.choices(outcomes, weights)[0])
    else:
        state.apply_action(chooser.choice(state.legal_actions()))


def advance(game: research.Game, seed: int, decisions: int = 10_000) -> State:
    state, chooser = game.new_initial_state(), random.Random(seed)
    for _ in range(decisions):
        if state.is_terminal():
            break
        step(state, chooser)
    return state


def made(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "made.rules"
    path.write_text(text, encoding="utf-8")
    return path


# ---- Every game


@pytest.mark.parametrize("name", PLAYED)
def test_a_bundled_game_is_played_to_its_end(name: str) -> None:
    game = game_of(name)
    for seed in range(3):
        state = advance(game, seed)
        assert state.is_terminal()
        assert state.current_player() == TERMINAL_PLAYER
        assert state.legal_actions() == []
        assert state.rewards() == state.returns()
        assert sum(state.returns()) == game.utility_sum() == 0
        assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()
        assert [state.player_return(player) for player in range(game.num_players())] == state.returns()
        assert state.player_reward(0) == state.rewards()[0]
        choices = [entry for entry in state.full_history() if entry.player != CHANCE_PLAYER]
        assert len(choices) <= game.max_game_length()


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(PLAYED), st.integers(0, 1_000), st.integers(0, 80))
def test_what_must_be_true_of_every_state(name: str, seed: int, decisions: int) -> None:
    game = game_of(name)
    state = advance(game, seed, decisions)
    player, actions = state.current_player(), state.legal_actions()
    assert actions == sorted(set(actions)) == state.legal_actions(player)
    assert [i for i, legal in enumerate(state.legal_actions_mask()) if legal] == actions
    assert bool(actions) != state.is_terminal()
    assert [state.is_chance_node(), state.is_player_node(), state.is_terminal()].count(True) == 1
    assert not state.is_simultaneous_node()
    assert not state.is_mean_field_node()
    for other in range(game.num_players()):
        assert other == player or (state.legal_actions(other) == [] and not any(state.legal_actions_mask(other)))
    limit = game.max_chance_outcomes() if state.is_chance_node() else game.num_distinct_actions()
    for action in actions:
        assert 0 <= action < limit
        text = state.action_to_string(action)
        assert text == state.action_to_string(player, action) == game.action_to_string(player, action)
        assert state.string_to_action(text) == state.string_to_action(player, text) == action
    if state.is_chance_node():
        assert [action for action, _ in state.chance_outcomes()] == actions
        assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
    if not state.is_terminal():
        assert state.returns() == state.rewards() == [0.0] * state.num_players()
    assert state.move_number() == len(state.history()) <= decisions
    assert state.is_initial_state() == (state.move_number() == 0)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(PLAYED), st.integers(0, 1_000), st.integers(0, 60))
def test_copies_children_steps_back_and_histories_agree(name: str, seed: int, decisions: int) -> None:
    game = game_of(name)
    state = advance(game, seed, decisions)
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert (str(again), again.history_str()) == (str(state), state.history_str())
    before, player = str(state), state.current_player()
    for action in state.legal_actions()[:3]:
        child, copy = state.child(action), state.clone()
        copy.apply_action(action)
        assert (str(copy), copy.history()) == (str(child), child.history())
        assert child.get_game() is game
        assert str(state) == before
        with pytest.raises(ValueError, match="last decision"):
            copy.undo_action(player, action + 1)
        copy.undo_action(player, action)
        assert (str(copy), copy.history()) == (before, state.history())


@pytest.mark.parametrize("name", PLAYED)
def test_a_number_means_the_same_in_every_state_and_in_every_making_of_a_game(name: str) -> None:
    game, other = game_of(name), research.Game(name)
    assert (game.num_distinct_actions(), game.max_chance_outcomes()) == (
        other.num_distinct_actions(),
        other.max_chance_outcomes(),
    )
    numbers: dict[str, int] = {}
    texts: dict[tuple[bool, int, int], str] = {}
    for seed in range(2):
        state, chooser = game.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            chance, player = state.is_chance_node(), state.current_player()
            for action in state.legal_actions():
                text = state.action_to_string(action)
                assert chance or numbers.setdefault(text, action) == action
                assert texts.setdefault((chance, player, action), text) == text
                assert other.action_to_string(player, action) == text
            step(state, chooser)


def test_the_number_says_what_is_done_and_not_by_whom() -> None:
    game = game_of("connect_four")
    state = game.new_initial_state()
    assert state.legal_actions() == list(range(7))
    assert state.action_to_string(3) == "drop by yellow into 4"
    assert state.action_to_string(1, 3) == "drop by red into 4"
    state.apply_action(3)
    assert state.action_to_string(3) == "drop by red into 4"


def test_what_is_not_legal_changes_nothing() -> None:
    state = game_of("tic_tac_toe").new_initial_state()
    state.apply_action(4)
    before = str(state)
    for action in (4, -1, 9):
        with pytest.raises(ValueError, match="not legal"):
            state.apply_action(action)
    with pytest.raises(ValueError, match="cannot be chosen"):
        state.string_to_action("mark by cross at Cell 1,1")
    with pytest.raises(ValueError, match="left to chance"):
        state.chance_outcomes()
    with pytest.raises(ValueError, match="no action 9"):
        state.action_to_string(9)
    with pytest.raises(ValueError, match="no player"):
        state.observation_string(2)
    assert (str(state), state.history()) == (before, [4])


def test_what_bots_read_before_they_play() -> None:
    found = {name: game_of(name).get_type() for name in ("tic_tac_toe", "pig", "kuhn_poker")}
    assert [t.short_name for t in found.values()] == list(found)
    assert {t.dynamics for t in found.values()} == {GameType.Dynamics.SEQUENTIAL}
    assert {t.utility for t in found.values()} == {GameType.Utility.ZERO_SUM}
    assert [t.chance_mode.name for t in found.values()] == [
        "DETERMINISTIC",
        "EXPLICIT_STOCHASTIC",
        "EXPLICIT_STOCHASTIC",
    ]
    assert [t.information.name for t in found.values()] == [
        "PERFECT_INFORMATION",
        "PERFECT_INFORMATION",
        "IMPERFECT_INFORMATION",
    ]
    assert (found["pig"].min_num_players, found["pig"].max_num_players) == (2, 6)
    assert found["pig"].long_name == "Pig"
    assert str(research.Game("pig", 3)) == "pig(players=3)"


# ---- Where play cannot go on


def test_a_point_that_the_book_leaves_open_is_an_error_and_the_state_stays() -> None:
    state, chooser = game_of("harbour").new_initial_state(), random.Random(0)
    before, found = "", None
    while found is None:
        before = repr(state) + str(state)
        try:
            step(state, chooser)
        except OpenPointError as error:
            found = error
    assert "disagree on `toll`" in str(found)
    assert found.point.kind == "undetermined"
    assert repr(state) + str(state) == before


def test_a_game_longer_than_was_promised_is_an_error() -> None:
    game = research.Game("tic_tac_toe", max_game_length=4)
    assert game.max_game_length() == 4
    state = advance(game, 0, 4)
    with pytest.raises(TooLongError, match="after 4 decisions"):
        state.apply_action(state.legal_actions()[0])
    assert state.move_number() == 4


# ---- Returns

RACE = """\
game "Race" played by Player

kind Player 1..4
    coins 0..9 starts 3

state
    winners set of Player

let p be Player

play
    each p
        p decides
            option "win"
                winners increases by {p}
            option "lose"
                p loses
            option "earn"
                coins of p increases by 2
            option "spend"
                coins of p decreases by 3
    if size of winners > 0
        winners wins
"""


def race(path: Path, choices: str, score: str | None = None, utility_sum: float | None = None) -> list[float]:
    game = research.Game(path, len(choices.split()), score=score, utility_sum=utility_sum)
    state = game.new_initial_state()
    for choice in choices.split():
        state.apply_action(state.string_to_action(choice))
    assert state.is_terminal()
    return state.returns()


@pytest.mark.parametrize(
    ("choices", "returns"),
    [
        ("win earn", [1, -1]),
        ("earn lose", [1, -1]),
        ("earn spend", [0, 0]),
        ("win win", [0, 0]),
        ("lose lose", [0, 0]),
        ("win earn earn", [1, -0.5, -0.5]),
        ("win lose win", [0.5, -1, 0.5]),
        ("lose earn earn earn", [-1, 1 / 3, 1 / 3, 1 / 3]),
        ("win", [1]),
        ("lose", [-1]),
        ("earn", [0]),
    ],
)
def test_winners_share_one_and_the_others_minus_one(tmp_path: Path, choices: str, returns: list[float]) -> None:
    assert race(made(tmp_path, RACE), choices) == pytest.approx(returns)


def test_a_number_of_the_book_can_be_the_score(tmp_path: Path) -> None:
    path = made(tmp_path, RACE)
    assert race(path, "earn spend win", score="coins") == [2, -3, 0]
    game = research.Game(path, 2, score="coins")
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (-3, 6, None)
    assert game.get_type().utility == GameType.Utility.GENERAL_SUM
    assert race(path, "earn spend", score="coins", utility_sum=-1) == [2, -3]
    with pytest.raises(ValueError, match="add up to 4, and not to -1"):
        race(path, "earn earn", score="coins", utility_sum=-1)
    with pytest.raises(ValueError, match="no number called `winners`"):
        research.Game(path, 2, score="winners")
    with pytest.raises(ValueError, match="another sum needs a `score`"):
        research.Game(path, 2, utility_sum=1)


def test_one_player_has_nobody_to_take_from(tmp_path: Path) -> None:
    game = research.Game(made(tmp_path, RACE), 1)
    assert game.utility_sum() is None
    assert game.get_type().utility == GameType.Utility.GENERAL_SUM


# ---- Whose decision it is

TOGETHER = """\
game "Together" played by Player

kind Player 2
kind Port named athens, delos

state
    ship Port starts athens

let q be Port

play
    Player chooses q
    ship becomes q
    nobody wins
"""


def test_the_first_player_decides_for_the_table(tmp_path: Path) -> None:
    state = research.Game(made(tmp_path, TOGETHER)).new_initial_state()
    assert state.current_player() == 0
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["athens", "delos"]
    state.apply_action(state.string_to_action("delos"))
    assert state.returns() == [0, 0]
    assert "the table: delos" in state.information_state_string(1)


# ---- What nobody may be told


def deal(name: str, top: list[str], players: int | None = None) -> State:
    """A game whose pile is shuffled so that these lie on top; where chance decides more, the first thing."""
    state = research.Game(name, players).new_initial_state()
    rest = list(top)
    while state.is_chance_node():
        texts = [state.action_to_string(action) for action in state.legal_actions()]
        wanted = rest.pop(0) if rest and rest[0] in texts else texts[0]
        state.apply_action(state.string_to_action(wanted))
    assert not rest
    return state


def test_kuhn_poker_has_twelve_information_states() -> None:
    found: set[str] = set()
    waiting = [game_of("kuhn_poker").new_initial_state()]
    while waiting:
        state = waiting.pop()
        if state.is_player_node():
            found.add(state.information_state_string())
        waiting += [state.child(action) for action in state.legal_actions()]
    assert len(found) == 12


def test_another_hand_and_the_order_of_a_closed_pile_change_nothing_that_a_player_is_told() -> None:
    mine = ["hearts_two", "hearts_three", "hearts_four", "hearts_five", "hearts_six", "hearts_seven", "spades_two"]
    theirs = ["clubs_two", "clubs_three", "clubs_four", "clubs_five", "clubs_six", "clubs_seven", "spades_three"]
    others = ["diamonds_two", "diamonds_three", "diamonds_four", "diamonds_five", "diamonds_six", "diamonds_seven"]
    one = deal("crazy_eights", [*mine, *theirs, "hearts_nine", "clubs_king"])
    other = deal("crazy_eights", [*mine, *others, "clubs_three", "hearts_nine", "clubs_ten"])
    assert str(one) != str(other)
    first = one.current_player()
    assert other.current_player() == first

    def told(state: State) -> tuple[str, str]:
        return state.information_state_string(first), state.observation_string(first)

    assert told(one) == told(other)
    assert one.information_state_string(1 - first) != other.information_state_string(1 - first)
    for state in (one, other):
        state.apply_action(state.string_to_action(f"lay by Player {first + 1} with hearts_two"))
    assert told(one) == told(other)
    for state in (one, other):
        state.apply_action(state.string_to_action(f"take by Player {2 - first}"))
    assert told(one) == told(other)
    for card in (*theirs, *others, "clubs_king", "clubs_ten"):
        assert card not in told(one)[0]


SECRETS = """\
game "Secrets" played by Player

kind Player 3
    suspect Player or none closed

kind Card named ace, king, queen

piles of Card
    table_top starts Card
    hand of Player private

state
    bid of Player 0..3 private
    seen 0..3

let p, other be Player
let c be Card
let n be 0..3

play
    each p
        p chooses c where c is in table_top
        move c to hand of p
    each p
        p must hand_over or bet or name or say or lay
    nobody wins

action hand_over by p with c to other
    move c to hand of other

action bet n by p
    bid of p becomes n

action name by p with other
    suspect of p becomes other

action say n by p
    seen becomes n

action lay by p with c
    move c to table_top

rule handing
    p may hand_over with c to other when c is in hand of p and other is not p
    p may bet n
    p may name with other
    p may say n
    p may lay with c when c is in hand of p
"""
GIVE = "hand_over by Player 1 with ace to Player 2"


@pytest.mark.parametrize(
    ("done", "heard"),
    [
        (GIVE, [GIVE, GIVE, "hand_over by Player 1 with hidden to Player 2"]),
        ("bet 2 by Player 1", ["bet 2 by Player 1", "bet hidden by Player 1", "bet hidden by Player 1"]),
        ("name by Player 1 with Player 3", ["name by Player 1 with Player 3", *["name by Player 1 with hidden"] * 2]),
        ("say 2 by Player 1", ["say 2 by Player 1"] * 3),
        ("lay by Player 1 with ace", ["lay by Player 1 with ace"] * 3),
    ],
)
def test_who_hears_what_of_a_decision(tmp_path: Path, done: str, heard: list[str]) -> None:
    state = research.Game(made(tmp_path, SECRETS)).new_initial_state()
    for card in ("ace", "king", "queen"):
        state.apply_action(state.string_to_action(card))
    state.apply_action(state.string_to_action(done))
    for player, text in enumerate(heard):
        lines = state.information_state_string(player).splitlines()
        assert f"Player 1: {text}" in lines
        assert lines[0] == f"Player {player + 1} knows"
        assert "suspect Player 1: hidden" in state.observation_string(player).splitlines()  # closed to all


def test_what_was_seen_once_stays_known_and_is_no_longer_observed(tmp_path: Path) -> None:
    state = research.Game(made(tmp_path, SECRETS)).new_initial_state()
    for card in ("king", "ace", "queen"):
        state.apply_action(state.string_to_action(card))
    assert "Player 1: king" in state.information_state_string(1)
    assert "king" not in state.observation_string(1)
    assert "hand Player 1: [king]" in state.observation_string(0)
    assert "hand Player 1: [1 hidden]" in state.observation_string(1)


TWICE = """\
game "Twice" played by Player

kind Player 2
    first_bid 0..3
    second_bid 0..3

let p be Player
let n be 0..3

play
    each p secretly
        p chooses n
        first_bid of p becomes n
    each p secretly
        p chooses n
        second_bid of p becomes n
    nobody wins
"""


def test_what_is_chosen_in_secret_is_heard_when_all_have_chosen(tmp_path: Path) -> None:
    game = research.Game(made(tmp_path, TWICE))
    assert game.get_type().information == GameType.Information.IMPERFECT_INFORMATION

    def heard(*bids: str) -> list[list[str]]:
        state = game.new_initial_state()
        for bid in bids:
            state.apply_action(state.string_to_action(bid))
        lines = [state.information_state_string(player).splitlines() for player in (0, 1)]
        return [[line for line in one if line.startswith("Player") and "knows" not in line][:-1] for one in lines]

    assert heard("3") == [["Player 1: 3"], ["Player 1: hidden"]]
    first, second = heard("3", "1")
    assert first == ["Player 1: 3", "Player 2: hidden", "Player 1: 3", "Player 2: 1"]
    assert second == ["Player 1: hidden", "Player 2: 1", "Player 1: 3", "Player 2: 1"]
    assert heard("3", "1", "2")[1][-1] == "Player 1: hidden"
    assert heard("3", "1", "2")[1] == heard("3", "1", "0")[1]


def test_what_is_revealed_is_seen(tmp_path: Path) -> None:
    text = SECRETS.replace(
        "    nobody wins\n", "    each p\n        reveal hand of p\n    Player chooses n\n    nobody wins\n"
    )
    state = research.Game(made(tmp_path, text)).new_initial_state()
    for done in ("ace", "king", "queen", "say 0 by Player 1", "say 0 by Player 2"):
        state.apply_action(state.string_to_action(done))
    assert "hand Player 1: [1 hidden]" in state.observation_string(2)
    state.apply_action(state.string_to_action("say 0 by Player 3"))
    assert "hand Player 1: [ace]" in state.observation_string(2)


AT_ONCE = """\
game "At once" played by Player

kind Player 2
    coins 0..20

kind Charm named owl, cat

let p be Player
let charm be Charm

play
    each p
        p must work
    nobody wins

action work by p

rule pay_day
    when work by p
        coins of p increases by 1

rule blessing source charm
    when work by p
        coins of p increases by 2

rule alone
    when coins of p increases
        nothing
"""


def test_what_happens_first_has_numbers_too(tmp_path: Path) -> None:
    game = research.Game(made(tmp_path, AT_ONCE))
    texts = ["work by Player 1", "first pay_day", "first blessing", "first blessing (1)", "first blessing (2)"]
    assert [game.action_to_string(0, action) for action in range(game.num_distinct_actions())] == texts
    state = game.new_initial_state()
    state.apply_action(0)
    asked = [state.action_to_string(action) for action in state.legal_actions()]
    assert asked == ["first pay_day", "first blessing (1)", "first blessing (2)"]
    state.apply_action(state.string_to_action("first blessing (2)"))
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["first pay_day", "first blessing"]


SIDES = """\
game "Sides" played by Player

kind Player 2

kind Card named ace, king, queen

piles of Card
    deck starts Card shuffled closed
    discard

pool coins 4
    purse of Player starts rest

let p, other be Player
let c be Card

play
    each p
        p must pay_up
        p must turn_up
    nobody wins

action pay_up by p
    each other where other is not p
        move 1 from purse of p to purse of other

action turn_up by p
    draw 1 from deck to discard

rule money
    when purse of p changes
        nothing

rule leaving
    when c leaves deck
        nothing

rule entering
    when c enters discard
        nothing
"""


def test_both_sides_of_a_payment_and_of_a_drawn_card_have_numbers(tmp_path: Path) -> None:
    state = research.Game(made(tmp_path, SIDES)).new_initial_state()
    asked = []
    while not state.is_terminal():
        if state.is_player_node():
            asked.append([state.action_to_string(action) for action in state.legal_actions()])
        state.apply_action(state.legal_actions()[0])
    assert ["first money (1)", "first money (2)"] in asked
    assert ["first leaving", "first entering"] in asked


def test_a_shuffle_is_not_told_wherever_the_pile_lies(tmp_path: Path) -> None:
    game = research.Game(made(tmp_path, SIDES))
    told: list[set[str]] = [set(), set()]
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_chance_node():
            for player in (0, 1):
                told[player].add(state.information_state_string(player))
        else:
            waiting += [state.child(action) for action in state.legal_actions()]
    assert [len(strings) for strings in told] == [1, 1]


def test_the_adapter_knows_nothing_of_other_libraries() -> None:
    for module in ("research", "numbering", "knowledge"):
        text = Path(ludex.__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
        assert "import pyspiel" not in text
        assert "import open_spiel" not in text
