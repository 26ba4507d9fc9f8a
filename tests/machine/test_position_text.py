"""A state written as a state file and read again is the same state."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludex
from grammar.text import parse_text
from ludex.book import Book
from ludex.positions import read_position
from rules import model as m
from rules.check import check_rules
from rules.machine import Choice, Game, machine_of
from rules.machine.bounds import broken_limits
from rules.machine.position import Placed
from rules.machine.position_text import position_text
from rules.machine.state import State
from rules.machine.way import Stop, enter
from rules.span import Source
from tests.bundle import SMALL
from tests.machine.making import machine
from tests.machine.test_position import book as harbour
from tests.machine.test_way import BOOK as WATCHES

THIRTY = Path(__file__).parents[1] / "thirty"


@cache
def book_of(name: str) -> Book:
    if name != "thirty":
        return ludex.load(name)
    texts = [parse_text(Source(path.name, path.read_text(encoding="utf-8"))) for path in sorted(THIRTY.glob("*.rules"))]
    checked = check_rules(m.Rulebook(tuple(d for text in texts for d in text.declarations))).rulebook
    assert checked is not None
    return Book("thirty", checked.book, (), checked, ())


def read(book: Book, text: str) -> Placed:
    found = read_position(book, Source("s", text))
    assert isinstance(found, Placed), [(str(d.span), d.code, d.message) for d in found] + [text]
    return found


def moments(state: State) -> list[tuple[object, object]]:
    return [(frame.moment, frame.of) for frame in state.stack if frame.moment]


def begun(game: Game, decisions: int, chooser: random.Random) -> bool:
    """Plays on; whether play then stands at the first decision of a moment that a state file can name."""
    known: set[int] = set()
    frames: list[object] = []  # kept alive, so that no number is used twice
    for _ in range(decisions):
        if isinstance(game.node, Choice):
            frames += game.state.stack
            known = {id(frame) for frame in frames}
            game.do(chooser.choice(game.node.moves))
        game.settle()
    innermost = [frame for frame in game.state.stack if frame.moment][-1:]
    return bool(innermost) and id(innermost[0]) not in known and innermost[0].word not in ("action", "procedure")


def round_trip(name: str, seed: int, decisions: int) -> None:
    book = book_of(name)
    assert book.checked is not None
    assert book.checked.players is not None
    kind = book.checked.kinds[book.checked.players]
    seats = kind.least + seed % (kind.most - kind.least + 1)
    game = Game(machine_of(book.checked, seats), seed)
    game.settle()
    first = begun(game, decisions, random.Random(seed))
    if not isinstance(game.node, Choice):
        return
    text = position_text(game.machine, book.title, (), game.state)
    if any(True for _ in broken_limits(game.machine, game.state)):
        found = read_position(book, Source("s", text))
        assert isinstance(found, tuple)
        assert {d.code for d in found} == {"LX814"}
        return
    again = read(book, text)
    assert again.machine.world.seats == seats
    assert again.state.cells == game.state.cells, text
    assert again.state.disabled == game.state.disabled
    assert again.state.outcomes == game.state.outcomes
    if first:
        assert moments(again.state) == moments(game.state), text
        assert again.node == game.node, text
    # What was read can be written, and gives the same text.
    assert position_text(again.machine, book.title, (), again.state) == text


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SMALL), st.integers(0, 10_000), st.integers(0, 60))
def test_a_state_of_a_bundled_book_comes_back(name: str, seed: int, decisions: int) -> None:
    round_trip(name, seed, decisions)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 80))
def test_a_state_of_the_thirty_statements_comes_back(seed: int, decisions: int) -> None:
    round_trip("thirty", seed, decisions)


def test_the_first_decisions_of_turns_are_among_those_that_come_back() -> None:
    game = ludex.load("tic_tac_toe").start()
    assert begun(game, 3, random.Random(1))


@pytest.mark.parametrize(
    "lines",
    [
        ["coins of Player 1 is 5", "knows of (Player 2, crete) is yes", "during turn of Player 2"],
        ["tide is -3", "pirate_at is rhodes", "charts is {1, 3}", "during turn of Player 1"],
        ["hold of Player 1 is {grain, wine, wine}", "position is 2", "active is squall 2", "during turn of Player 1"],
        ["supply of Player 1 is 3", "ready of Player 1 is 7", "bank is 1", "chest is 4", "during turn of Player 1"],
        ["policy lenient", "disabled neighbours", "happened trade by Player 1 at athens", "during turn of Player 1"],
        ["players 3", "lost Player 2", "during turn of Player 1"],
        ["during dealing"],
        ["during turn of Player 2, dealing"],
    ],
    ids=lambda lines: lines[0],
)
def test_a_file_in_the_order_of_the_book_comes_back_word_by_word(lines: list[str]) -> None:
    text = "\n".join(['position "The Harbour"', *lines]) + "\n"
    found = read(harbour(), text)
    assert position_text(found.machine, "The Harbour", found.policies, found.state) == text


def test_a_moment_around_is_named_only_where_another_of_that_name_comes_first() -> None:
    made = machine(WATCHES.replace("            phase throwing", "            p must work\n            phase throwing"))
    for around, written in (("early", "turn of Player 2"), ("late", "late, turn of Player 2")):
        state = made.start()
        assert enter(made, state, (Stop(around), Stop("turn", 1)), {})
        made.run(state)
        assert position_text(made, "Two watches", (), state) == f'position "Two watches"\nduring {written}\n'


def test_what_the_way_to_a_decision_would_change_is_written_too() -> None:
    """Rations grow by one on the way to the first decision of the game; here they are what they are at the start."""
    found = read(harbour(), 'position "The Harbour"\nrations of Player 1 is 0\n')
    found.state.stack[1:] = []
    found.state.stack[0].pc = 0
    text = position_text(found.machine, "The Harbour", (), found.state)
    assert "rations of Player 1 is 0\n" in text
    assert read(harbour(), text).state.cells == found.state.cells


def test_a_title_and_a_long_pile_are_written_so_that_they_can_be_read() -> None:
    book = book_of("crazy_eights")
    game = book.start(seed=3)
    game.settle()
    text = position_text(game.machine, 'A "B" \\ #\n', (), game.state)
    assert text.startswith('position "A \\"B\\" \\\\ #\\n"\n')
    assert max(len(line) for line in text.splitlines()) <= 100
    assert read(book, position_text(game.machine, book.title, (), game.state)).state.cells == game.state.cells


def test_of_a_game_that_is_over_the_cells_are_written() -> None:
    game = book_of("tic_tac_toe").start()
    while not game.is_over:
        game.do(game.moves[0])
    text = position_text(game.machine, "Tic-tac-toe", (), game.state)
    assert "owner of Cell 1,1 is cross\n" in text
