"""Random play of the small bundled rulebooks: what must be true of every game."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludex
from ludex.book import Book
from ludex.simulate import Tally, play_one
from ludex.table import ending
from rules import model as m
from rules.machine import Chance, Choice, Entry, Game, Machine, Over, Save, read_save, save_text
from rules.machine.state import State
from tests.bundle import SMALL

PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
# How each recorded game ends, as the table shows it.
ENDS = {
    "connect_four": "the game is over: yellow wins",
    "crazy_eights": "the game is over: Player 2 wins",
    "harbour": "the game is over: Player 2 wins",  # after a ruling
    "kuhn_poker": "the game is over: Player 2 wins",
    "nim": "the game is over: Player 1 wins",
    "pig": "the game is over: Player 2 wins",
    "tic_tac_toe": "the game is over: cross wins",
    "ur": "the game is over: dark wins",
}

books = st.sampled_from(SMALL)
seeds = st.integers(0, 10_000)
lengths = st.integers(0, 60)


@cache
def book_of(name: str) -> Book:
    return ludex.load(name)


@cache
def machine_for(name: str) -> Machine:
    return book_of(name).start().machine


def advance(game: Game, decisions: int) -> Game:
    chooser = random.Random(game.seed)
    for _ in range(decisions):
        if isinstance(game.node, Chance):
            game.chance()
        elif isinstance(game.node, Choice):
            game.do(chooser.choice(game.node.moves))
        else:
            break
    return game


def picture(game: Game) -> tuple[object, ...]:
    return (game.state.cells, game.record, [frame.moment for frame in game.state.stack], game.node)


@settings(max_examples=60, deadline=None)
@given(books, seeds, lengths)
def test_undo_of_do_is_identity(name: str, seed: int, decisions: int) -> None:
    game = advance(Game(machine_for(name), seed), decisions)
    game.settle()
    if not isinstance(game.node, Choice):
        return
    before = ([*game.state.cells], [*game.record], game.node)
    for move in game.node.moves[:3]:
        game.do(move)
        game.settle()
        assert game.undo(through_chance=True).text == move.text
        assert (game.state.cells, game.record, game.node) == before


@settings(max_examples=40, deadline=None)
@given(books, seeds, lengths)
def test_undo_stops_at_chance_and_then_changes_nothing(name: str, seed: int, decisions: int) -> None:
    game = advance(Game(machine_for(name), seed), decisions)
    last = max((i for i, entry in enumerate(game.record) if entry.by == "choice"), default=None)
    if last is None or all(entry.by == "choice" for entry in game.record[last:]):
        return
    before = picture(game)
    with pytest.raises(ValueError, match="chance has decided"):
        game.undo()
    assert picture(game) == before


@settings(max_examples=40, deadline=None)
@given(books, seeds, lengths)
def test_save_read_replay_is_identity_and_play_goes_on_alike(name: str, seed: int, decisions: int) -> None:
    game = advance(Game(machine_for(name), seed), decisions)
    save = Save("a title", "00", game.machine.world.seats, seed, ("one", "two"), tuple(game.record))
    assert read_save(save_text(save)) == save
    again = Game(machine_for(name), seed)
    again.replay(list(save.record))
    assert picture(again) == picture(game)
    game.settle()
    again.settle()
    assert again.record == game.record


def test_lines_of_a_save_end_with_plain_line_ends_alone() -> None:
    odd = "a\u2028b\x85c\x0bd"
    save = Save(f"{odd}\n{odd}", "00", 2, 3, (), (Entry("choice", odd),), f"{odd}\n\n{odd}\n")
    assert read_save(save_text(save)) == save


@settings(max_examples=30, deadline=None)
@given(books, seeds)
def test_the_same_seed_gives_the_same_game_on_a_machine_made_anew(name: str, seed: int) -> None:
    one = play_one(machine_for(name), seed, "random", 80, Tally())
    other = play_one(book_of(name).start().machine, seed, "random", 80, Tally())
    assert one.record == other.record
    assert one.state.cells == other.state.cells


@settings(max_examples=40, deadline=None)
@given(books, seeds, lengths)
def test_every_thing_lies_in_exactly_one_pile_and_numbers_stay_in_their_ranges(
    name: str, seed: int, decisions: int
) -> None:
    game = advance(Game(machine_for(name), seed), decisions)
    world = game.machine.world
    for declaration in world.checked.book.declarations:
        if isinstance(declaration, m.Piles):
            found: list[int] = []
            for node in declaration.slots:
                cells = world.slots[id(world.checked.symbol_of(node))]
                for pile in game.state.cells[cells.base : cells.base + cells.count]:
                    found += pile
            assert sorted(found) == list(range(len(world.things[declaration.of.text])))
    for slot in world.slots.values():
        if slot.symbol.role != "pile" and hasattr(slot.symbol.type, "low"):
            domain = world.domain(slot.symbol.type)
            assert all(value in domain for value in game.state.cells[slot.base : slot.base + slot.count])


@settings(max_examples=30, deadline=None)
@given(books, seeds, lengths)
def test_a_copy_goes_its_own_way(name: str, seed: int, decisions: int) -> None:
    game = advance(Game(machine_for(name), seed), decisions)
    if not isinstance(game.node, Choice | Chance):
        return
    before = [*game.state.cells], len(game.state.stack), game.node
    copy: State = game.state.copy()
    move = game.node.moves[0] if isinstance(game.node, Choice) else game.node.outcomes[0][0]
    game.machine.answer(copy, move)
    game.machine.run(copy)
    assert (game.state.cells, len(game.state.stack), game.machine.run(game.state)) == before


def test_every_choice_of_an_action_has_a_rule_that_allows_it() -> None:
    game = advance(Game(machine_for("crazy_eights"), 5), 80)
    game.settle()
    legal = game.legal()
    assert [(one.verb, one.args) for one in legal] == [move.data for move in game.moves]
    assert all(one.winners for one in legal)


def test_moves_that_are_not_offered_change_nothing() -> None:
    game = book_of("tic_tac_toe").start()
    before = picture(game)
    for text in ("mark by nought at Cell 1,1", "mark by cross at Cell 4,1", "", "stop"):
        with pytest.raises(ValueError, match="cannot be chosen"):
            game.do(text)
    with pytest.raises(ValueError, match="nothing is left to chance"):
        game.chance()
    with pytest.raises(ValueError, match="nothing has been chosen"):
        game.undo()
    assert picture(game) == before


def test_a_record_that_does_not_fit_says_where_and_changes_nothing() -> None:
    game = book_of("tic_tac_toe").start()
    game.do("mark by cross at Cell 1,1")
    before = picture(game)
    twice = [Entry("choice", "mark by cross at Cell 2,2"), Entry("choice", "mark by nought at Cell 2,2")]
    with pytest.raises(ValueError, match="decision 2: `mark by nought at Cell 2,2`"):
        game.replay(twice)
    with pytest.raises(ValueError, match="decision 1: `6`: nothing is left to chance"):
        game.replay([Entry("chance", "6")])
    assert picture(game) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text.replace("ludex save 1", "ludex save 9"), "line 1: this is no save"),
        (lambda text: text[:-5], "cut off"),
        (lambda text: text[: len(text) // 2], "cut off"),
        (lambda text: text[:0], "line 1"),
        (lambda text: text.replace("players 2", "players two"), "line 4: `two` is no number"),
        (lambda text: text.replace("seed 3\n", ""), "line 5: `seed ...` should stand here"),
        (lambda text: text.replace("+ take", "take"), "line 7: a decision begins with"),
    ],
)
def test_a_save_that_is_no_save_names_the_line(change: Callable[[str], str], message: str) -> None:
    game = advance(Game(machine_for("nim"), 3), 2)
    text = save_text(Save("Nim", "00", 2, 3, (), tuple(game.record)))
    with pytest.raises(ValueError, match=message):
        read_save(change(text))


@pytest.mark.parametrize("name", SMALL)
def test_a_recorded_game_is_replayed_line_by_line(name: str) -> None:
    save = read_save((PLAYTHROUGHS / f"{name}.txt").read_text(encoding="utf-8"))
    game = book_of(name).start(save.players, save.seed, save.policies)
    for entry in save.record:
        if entry.by == "chance":
            assert game.chance() == entry.text
        elif entry.by == "ruling":
            game.rule(entry.text)
        else:
            assert entry.text in [move.text for move in game.moves]
            game.do(entry.text)
    assert tuple(game.record) == save.record
    assert isinstance(game.node, Over)
    assert ending(game.machine, game.node) == ENDS[name]


def test_a_game_of_another_number_of_seats_or_policy_is_refused() -> None:
    with pytest.raises(ValueError, match="for 2 to 6 players, not 7"):
        book_of("pig").start(players=7)
    with pytest.raises(ValueError, match="for 2 players, not 3"):
        book_of("nim").start(players=3)
    with pytest.raises(ValueError, match="no policy `x`"):
        book_of("nim").start(policies=("x",))
