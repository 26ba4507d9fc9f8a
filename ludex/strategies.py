"""Who plays when nobody sits there: at random, always the first move, or a function of yours in Python."""

from __future__ import annotations

import random
import runpy
from collections.abc import Callable
from pathlib import Path

from ludex.errors import UsageError
from rules.machine import Choice, Game, Move

Strategy = Callable[[Game], Move]


def strategy_of(words: str, seed: int) -> Strategy:
    """`random`, `first`, or `FILE.py:NAME`: a function that is given the game and gives one of `game.moves`.

    A move can be given as such, by its text, or by its place in `game.moves`.
    """
    if words == "random":
        return _at_random(seed)
    if words == "first":
        return lambda game: game.moves[0]
    return _own(words)


def _at_random(seed: int) -> Strategy:
    # `random()` is the same on every machine and in every version of Python; its other methods need not be.
    chooser = random.Random(f"choices {seed}")
    return lambda game: game.moves[int(chooser.random() * len(game.moves))]


def _own(words: str) -> Strategy:
    path, _, name = words.rpartition(":")
    if not path or not name.isidentifier():
        raise UsageError(f"`{words}` is no strategy: it is `random`, `first`, or `FILE.py:NAME`")
    try:
        found = runpy.run_path(path).get(name)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be read: {error.strerror}") from None
    except Exception as error:
        raise UsageError(f"`{path}` cannot be run: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise UsageError(f"`{Path(path).name}` has no function `{name}`")

    def choose(game: Game) -> Move:
        try:
            given = found(game)
        except Exception as error:
            place = f"seed {game.seed}, decision {len(game.record) + 1}"
            raise UsageError(f"the strategy `{words}` failed ({place}): {type(error).__name__}: {error}") from None
        return _meant(given, game.node, words)

    return choose


def _meant(given: object, node: object, words: str) -> Move:
    assert isinstance(node, Choice)
    if isinstance(given, int) and not isinstance(given, bool) and 0 <= given < len(node.moves):
        return node.moves[given]
    text = given.text if isinstance(given, Move) else given
    found = next((move for move in node.moves if move.text == text), None)
    if found is None:
        raise UsageError(f"the strategy `{words}` gave `{given}`, which cannot be chosen there")
    return found
