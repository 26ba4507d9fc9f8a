"""Our books against OpenSpiel: its games are written by others from the same rules, and its bots play ours unchanged.

OpenSpiel (`pyspiel`, `open_spiel`) comes with the development extra; without it these tests fail and say so.

Where its games differ from our books, which are as people play them:
- pig: our book forbids to hold before the first throw; lots decide who begins.
- nim: OpenSpiel's default lets the last stone lose; ours lets it win.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts
from open_spiel.python.bots import uniform_random

from ludex import research
from tests.bundle import SMALL

# ---- The same game ---------------------------------------------------------------------------------------------------


def same_number(action: int, _: str) -> int:
    return action


def nim_action(_: int, text: str) -> int:
    """OpenSpiel counts heaps first, then stones."""
    _take, stones, *_by, heap = text.split()
    return ("three", "five", "seven").index(heap) + (int(stones) - 1) * 3


def kuhn_action(action: int, text: str) -> int:
    """OpenSpiel has one word for check and fold, and one for bet and call."""
    verb = text.split(maxsplit=1)[0]
    return action if verb not in ("check", "bet", "call", "fold") else int(verb in ("bet", "call"))


@dataclass(frozen=True)
class Pair:
    book: str
    theirs: str
    action: Callable[[int, str], int]
    score: str | None = None


PAIRS = [
    Pair("tic_tac_toe", "tic_tac_toe", same_number),
    Pair("connect_four", "connect_four", same_number),
    Pair("nim", "nim(pile_sizes=3;5;7,is_misere=false)", nim_action),
    Pair("kuhn_poker", "kuhn_poker", kuhn_action, "purse"),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.book)
def test_along_random_plays_the_moves_the_players_and_the_returns_agree(pair: Pair) -> None:
    ours, theirs = research.Game(pair.book, score=pair.score), pyspiel.load_game(pair.theirs)
    assert ours.num_players() == theirs.num_players()
    assert (ours.min_utility(), ours.max_utility()) == (theirs.min_utility(), theirs.max_utility())
    ends = set()
    for seed in range(60):
        chooser = random.Random(seed)
        state, other = ours.new_initial_state(), theirs.new_initial_state()
        while not state.is_terminal():
            assert not other.is_terminal()
            assert state.current_player() == other.current_player()
            matched = {a: pair.action(a, state.action_to_string(a)) for a in state.legal_actions()}
            assert sorted(matched.values()) == other.legal_actions()
            if state.is_chance_node():
                chances = {matched[a]: chance for a, chance in state.chance_outcomes()}
                assert chances == pytest.approx(dict(other.chance_outcomes()))
            chosen = chooser.choice(state.legal_actions())
            state.apply_action(chosen)
            other.apply_action(matched[chosen])
            assert state.returns() == other.returns()
        assert other.is_terminal()
        ends.add(tuple(state.returns()))
    assert len(ends) > 1  # not always the same end


@pytest.mark.parametrize("players", [2, 4])
def test_along_random_plays_pig_agrees_but_that_ours_forbids_to_hold_nothing(players: int) -> None:
    theirs = pyspiel.load_game("pig", {"players": players, "winscore": 100})
    for seed in range(15):
        chooser = random.Random(seed)
        state, other = research.Game("pig", players).new_initial_state(), theirs.new_initial_state()
        while state.is_chance_node():  # lots for the seats
            state.apply_action(chooser.choice(state.legal_actions()))
        seats: list[int] = []  # who sits where OpenSpiel has its players 0, 1, ...
        gathered = 0
        while not state.is_terminal():
            if state.is_chance_node():
                assert dict(state.chance_outcomes()) == pytest.approx(dict.fromkeys(state.legal_actions(), 1 / 6))
                chosen = chooser.choice(state.legal_actions())
                face = int(state.action_to_string(chosen))
                gathered = 0 if face == 1 else gathered + face
                other.apply_action(face - 1)
            else:
                seat = other.current_player()
                if seat == len(seats):
                    seats.append(state.current_player())
                assert state.current_player() == seats[seat]
                legal = {state.action_to_string(a).split(maxsplit=1)[0]: a for a in state.legal_actions()}
                allowed = {("throw", "hold")[action] for action in other.legal_actions()}
                assert set(legal) == allowed - ({"hold"} if gathered == 0 else set())
                verb = chooser.choice(sorted(legal))
                chosen = legal[verb]
                other.apply_action(int(verb == "hold"))
                gathered = 0 if verb == "hold" else gathered
            state.apply_action(chosen)
        assert other.is_terminal()
        assert [state.returns()[player] for player in seats] == pytest.approx(other.returns())


def test_what_players_can_tell_apart_in_kuhn_poker_is_what_they_can_in_openspiel() -> None:
    ours: dict[str, str] = {}
    theirs: dict[str, str] = {}
    ends = 0

    def go(state: research.State, other: Any) -> None:
        nonlocal ends
        ends += state.is_terminal()
        if state.is_player_node():
            mine, its = state.information_state_string(), other.information_state_string()
            assert ours.setdefault(mine, its) == its
            assert theirs.setdefault(its, mine) == mine
        for action in state.legal_actions():
            go(state.child(action), other.child(kuhn_action(action, state.action_to_string(action))))

    go(research.Game("kuhn_poker").new_initial_state(), pyspiel.load_game("kuhn_poker").new_initial_state())
    assert (len(ours), ends) == (12, 30)


# ---- Their bots ------------------------------------------------------------------------------------------------------


def play(game: research.Game, bots: list[Any], rng: np.random.RandomState) -> research.State:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choice(outcomes, p=chances))
        else:
            state.apply_action(bots[state.current_player()].step(state))
    return state


@pytest.mark.parametrize("name", sorted(set(SMALL) - {"harbour"}))
def test_the_random_bot_plays_every_bundled_game_to_its_end(name: str) -> None:
    game, rng = research.Game(name), np.random.RandomState(3)
    bots = [uniform_random.UniformRandomBot(player, rng) for player in range(game.num_players())]
    assert sum(play(game, bots, rng).returns()) == 0


def test_tree_search_beats_chance_at_tic_tac_toe() -> None:
    game, rng = research.Game("tic_tac_toe"), np.random.RandomState(5)
    score = 0.0
    for number in range(10):
        seat = number % 2
        searching = mcts.MCTSBot(game, 1.4, 40, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
        bots = [uniform_random.UniformRandomBot(player, rng) for player in (0, 1)]
        bots[seat] = searching
        score += play(game, bots, rng).returns()[seat]
    assert score >= 6


def test_tree_search_goes_through_chance() -> None:
    game, rng = research.Game("pig"), np.random.RandomState(1)
    searching = mcts.MCTSBot(game, 1.4, 2, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    assert searching.step(state) in state.legal_actions()


def test_regret_minimisation_finds_the_value_of_kuhn_poker() -> None:
    game = research.Game("kuhn_poker", score="purse", utility_sum=0)
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value == pytest.approx([-1 / 18, 1 / 18], abs=0.005)
    assert exploitability.nash_conv(game, policy, use_cpp_br=False) < 0.02
