"""Clean books check without a warning, run to an end, and say nothing in vain."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludex
from ludex.simulate import Tally, play_one
from rules.machine import Choice
from tests.planting.clean import Book, clean_book, make
from tests.planting.evidence import applied_rules, machines, moves_without, positions, readings_of_the_tale
from tests.planting.parts import Modal, Says


def _loaded(book: Book, folder: Path) -> ludex.Book:
    path = folder / "clean.rules"
    path.write_text(book.text(), encoding="utf-8")
    return ludex.load(path)


@pytest.mark.parametrize(("seed", "size"), [(0, 10), (1, 14), (2, 25), (3, 40), (4, 60), (5, 300)])
def test_a_clean_book_checks_without_a_warning_and_has_as_many_rules_as_asked_for(
    seed: int, size: int, tmp_path: Path
) -> None:
    book = make(seed, size)
    assert _loaded(book, tmp_path).check() == ()
    assert size <= book.size < size + 8


@pytest.mark.parametrize(("seed", "size"), [(0, 10), (6, 30), (7, 60)])
def test_a_clean_book_runs_to_an_end_without_open_points(seed: int, size: int, tmp_path: Path) -> None:
    loaded = _loaded(make(seed, size), tmp_path)
    for players in (2, 3, 4):
        tally = Tally()
        machine = loaded.machine(players)
        for game in range(20):
            play_one(machine, game, "random", 2_000, tally)
        assert (tally.stopped, tally.left, tally.no_result) == ({}, [], 0)
        assert tally.ended == 20


@pytest.mark.parametrize(("seed", "size"), [(0, 10), (8, 60)])
def test_every_rule_of_a_clean_book_applies_in_some_play(seed: int, size: int) -> None:
    book = make(seed, size)
    rules = frozenset(rule.name for group in book.groups for rule in group.rules)
    assert rules - applied_rules(book.text(), 600, wanted=rules)[0] == set()


def test_every_passage_and_option_of_the_tale_is_read() -> None:
    book = make(9, 60)
    assert len(book.chapters) > 1
    options = {(p.name, o.text) for group in book.chapters for p in group.passages for o in p.options}
    assert readings_of_the_tale(book.text()) == options


@pytest.mark.parametrize("seed", [10, 11])
def test_no_rule_of_a_clean_book_is_said_in_vain(seed: int) -> None:
    """Without a rule and what restates it, somebody could do more or less somewhere, or a value would differ."""
    book = make(seed, 60)
    for group in book.groups:
        open_rules = {r.name: r for r in group.rules if isinstance(r.norm, Modal | Says) and not r.restates}
        for game in positions(machines(book.only(group.name).text()), 400, group.names()):
            if not open_rules:
                break
            if not isinstance(game.node, Choice) or not game.legal():
                continue
            for name in list(open_rules):
                copies = {rule.name for rule in group.rules if rule.restates == name}
                if moves_without(game, frozenset({name, *copies})) != moves_without(game, frozenset()):
                    del open_rules[name]
        assert not open_rules


def test_the_same_seed_gives_the_same_book_and_another_seed_another() -> None:
    assert clean_book(3, 40) == clean_book(3, 40)
    assert clean_book(3, 40) != clean_book(4, 40)


def test_larger_books_have_more_guilds_of_different_names() -> None:
    book = make(1, 10_000)
    assert book.size >= 10_000
    names = [rule.name for group in book.groups for rule in group.rules]
    assert len(names) == len(set(names))
