"""Trial of the Gods: its set-up is that of the box, its games come to a winner, and its open points stay open."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

import ludex
from ludex.table import state_lines
from rules.machine import Choice, Game, Open, Over

COUNTS = {  # what is in the box: lines 106 to 274 of the document
    "Treasure": 12,
    "Temple": 12,
    "House": 6,
    "God": 6,
    "UpgradeToken": 24,
    "Feat": 24,
    "Travel": 24,
    "Hero": 12,
    "Enemy": 24 + 19 + 24,
    "ActionCard": 24 + 24 + 84 + 16,
    "Olympics": 6,
}
PILES = {  # cards of each sort where they lie before the set-up
    "god_deck": 84,
    "starting_cards": 24,
    "personal_cards": 24,
    "animae_deck": 16,
    "sea_enemies": 19,
    "land_enemies": 48,
}
CUBES = ("cube_pool", "available", "exhausted", "vigor_cube", "cubes_on_monsters", "cubes_on_islands")


@cache
def book() -> ludex.Book:
    return ludex.load("trial_of_the_gods")


def played(game: Game, mode: str, seed: int) -> Game:
    """The game in that mode, at random, to its end or to a point that the book leaves open."""
    chooser = random.Random(seed)
    while not isinstance(game.node, Over | Open):
        if not isinstance(game.node, Choice):
            game.chance()
        elif game.node.moves[0].text == "basic mode":
            game.do(mode)
        else:
            game.do(chooser.choice(game.node.moves))
    return game


def cells(game: Game, name: str) -> list[Any]:
    """What stands in the places of that name, in order."""
    slot = next(slot for slot in game.machine.world.slots.values() if slot.symbol.name == name)
    found: list[Any] = game.state.cells[slot.base : slot.base + slot.count]
    return found


def test_the_box_holds_what_the_document_lists() -> None:
    game = book().start(players=4)
    assert {kind: len(game.machine.world.things[kind]) for kind in COUNTS} == COUNTS
    assert {pile: sum(map(len, cells(game, pile))) for pile in PILES} == PILES
    assert sum(cells(game, "cube_pool")) == 76
    assert sum(cells(game, "flags_in_box")) == 24
    assert sum(cells(game, "tokens_in_box")) == 48


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mode", ["basic mode", "advanced mode"])
def test_games_come_to_a_winner(players: int, mode: str) -> None:
    game = played(book().start(players=players, seed=players), mode, seed=7)
    assert isinstance(game.node, Over)
    assert [word for _, word in game.node.outcomes] == ["wins"]
    assert cells(game, "round_number") == [4 if mode == "basic mode" else 5]
    places = zip(*(cells(game, name) for name in CUBES), strict=True)
    assert [sum(counts) for counts in places] == [19] * players


@pytest.mark.parametrize(
    ("mode", "open_point", "rules"),
    [
        ("advanced mode", "what happens", {"advanced_olympics_board"}),
        ("basic mode", "explore", {"exploring", "card_exploring"}),
    ],
)
def test_without_policies_play_stops_where_the_rules_disagree(mode: str, open_point: str, rules: set[str]) -> None:
    game = played(book().start(players=2, seed=2, default_policies=False), mode, seed=2)
    assert isinstance(game.node, Open)
    assert (game.node.kind, game.node.text) == ("undetermined", open_point)
    assert {norm.name for side in game.node.sides for norm in side} == rules


def test_captains_begin_on_the_outer_edge_and_apart() -> None:
    game = book().start(players=4, seed=5)
    chooser = random.Random(5)
    while "place_captain" not in game.node.moves[0].text if isinstance(game.node, Choice) else True:
        game.do(chooser.choice(game.node.moves)) if isinstance(game.node, Choice) else game.chance()
    for left in (4, 3, 2, 1):
        assert isinstance(game.node, Choice)
        assert len(game.node.moves) >= 1
        assert cells(game, "captain_at").count(None) == left
        game.do(game.node.moves[0])
    world = game.machine.world
    at = cells(game, "captain_at")
    assert all(world.distance("Zone", one, other) not in (0, 1) for one in at for other in at if one != other)
    assert len(set(at)) == 4


def test_hands_decks_and_treasures_are_secret() -> None:
    game = book().start(players=2, seed=3)
    chooser = random.Random(3)
    while not any(cells(game, "hand")):
        game.do(chooser.choice(game.node.moves)) if isinstance(game.node, Choice) else game.chance()
    seen = {line.split(":")[0]: line for line in state_lines(game.machine, game.state, viewer=0)}
    own, other = seen["hand"].split(", Player 2 ")
    assert "hidden" not in own
    assert other == "[4 hidden]"
    assert seen["deck"] == "deck: Player 1 [4 hidden], Player 2 [4 hidden]"
    assert "fleece_part" not in seen["treasure_under"]
    assert "fleece_part" in "".join(state_lines(game.machine, game.state))


def test_the_number_of_days_is_disputed_in_the_basic_game_alone() -> None:
    assert book().ask("what is last_round when mode is basic").word == "undetermined"
    advanced = book().ask("what is last_round when mode is advanced")
    assert (advanced.word, advanced.value) == ("always", "5")
