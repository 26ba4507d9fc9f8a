"""Interpreter and solver give the same answers, on random books, small ones and whole games."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

import ludex
from tests.machine.properties import Made, make
from tests.making import SHAPES
from tests.solver.agreement import Agreement
from tests.solver.comparing import Tally

HERE = Path(__file__).parent
SMALL = sorted((HERE.parent / "machine" / "meanings").glob("*.rules"))
LEAST = 1_000  # comparisons for each shape: norms, verdicts, precedence, values; parts of conditions come on top
MOST_BOOKS = 40  # of one shape, to come to so many
NOT_ENCODABLE = 0.01  # the share of questions that may have no form as a term
RARE = {
    "values": ("value", "table", "rank", "place in a rank"),
    "triggers": ("events",),
    "restated": ("events", "what happens", "value"),
    "whole": ("value", "table", "events"),
}


def kinds(tally: Tally) -> Counter[str]:
    """How often each thing was compared, whether or not its parts were known."""
    found: Counter[str] = Counter()
    for name, count in tally.compared.items():
        found[name.split(",")[0]] += count
    return found


def is_enough(tally: Tally, shape: str) -> bool:
    found = kinds(tally)
    return tally.pairs - found["expressions"] >= LEAST and all(found[what] >= 10 for what in RARE.get(shape, ()))


@pytest.mark.parametrize("shape", SHAPES)
def test_random_books(shape: str) -> None:
    tally = Tally()
    for seed in range(MOST_BOOKS):
        made = make(shape, seed, daring=0.5)
        Agreement(made, tally, () if seed % 2 else None).compare()
        if is_enough(tally, shape):
            break
    assert is_enough(tally, shape), tally.compared
    assert tally.certified > 0
    assert tally.share_not_encodable <= NOT_ENCODABLE, tally.not_encodable


def test_corners() -> None:
    """A book with holes, ties and ranges that are left: what stops the interpreter is a trouble of the same kind."""
    checked = ludex.load(HERE / "corners.rules").checked
    assert checked is not None
    tally = Tally()
    for seed in range(4):
        Agreement(Made("corners", seed, "", checked, ()), tally).compare(40, shaken=6)
    assert {"undetermined", "gap", "broken"} <= tally.stopped.keys(), tally.stopped
    assert not tally.not_encodable
    assert kinds(tally).keys() >= {"weigh", "matching", "applies", "precedes", "value", "table", "rank"}


def test_books_of_one_meaning_each() -> None:
    tally = Tally()
    for path in SMALL:
        checked = ludex.load(path).checked
        if checked is not None and path.stem != "start_out_of_range":  # that one cannot be set up
            Agreement(Made(path.stem, 0, "", checked, ()), tally).compare()
    assert tally.pairs >= LEAST
    assert tally.share_not_encodable <= NOT_ENCODABLE, tally.not_encodable


@pytest.mark.parametrize("name", ["harbour", "kuhn_poker", "nim", "pig", "tic_tac_toe"])
def test_whole_games(name: str) -> None:
    checked = ludex.load(name).checked
    assert checked is not None
    tally = Tally()
    Agreement(Made(name, 0, "", checked, ()), tally).compare(most=16)
    assert tally.pairs > 0
    assert not tally.not_encodable
