"""What was ruled in games of random books settles the same points when it is loaded as errata."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import ludex
from rules.machine import Chance, Choice, Open
from tests.making import SHAPES, random_book

SEEDS = range(25)
DECISIONS = 40


def ruled(game: ludex.Game) -> ludex.Game:
    """Plays at random, and rules at random wherever something is open."""
    chooser = random.Random(game.seed)
    while len(game.record) < DECISIONS:
        if isinstance(game.node, Choice):
            game.do(chooser.choice(game.node.moves))
        elif isinstance(game.node, Chance):
            game.chance()
        elif isinstance(game.node, Open) and game.node.rulings:
            game.rule(chooser.choice(game.node.rulings))
        else:
            break
    return game


def test_the_errata_of_any_game_are_read_and_settle_what_was_ruled(tmp_path: Path) -> None:
    done: Counter[str] = Counter()
    for shape in SHAPES:
        for seed in SEEDS:
            (tmp_path / "b.rules").write_text(random_book(seed, replace(SHAPES[shape], daring=0.4), 3))
            game = ruled(ludex.load(tmp_path / "b.rules").start(seed=seed))
            if not game.rulings:
                continue
            sheet = game.errata("b.rules")
            (tmp_path / "e.rules").write_text(sheet)
            book = ludex.load(tmp_path / "e.rules")
            assert book.errors == (), (shape, seed)
            if "#" in sheet:  # a row or a tie can only be settled where it stands
                continue
            again = book.start(seed=seed)
            again.replay([entry for entry in game.record if entry.by != "ruling"])
            assert again.state.cells == game.state.cells, (shape, seed)
            done.update(ruling.kind for ruling in game.rulings)
    assert done["over"] > 5
    assert done["rests"] > 2
    assert done["short"] > 5
