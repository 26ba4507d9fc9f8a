"""The same book gives the same report to the byte: judged again, in another process, and after other books."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import judged

_ROOT = Path(__file__).parent.parent.parent

# Judges books by their names and prints what is told of each on one line.
_PROGRAM = """
import sys
from tests.verifier.test_determinism import told_of

for name in sys.argv[1:]:
    print(told_of(name))
"""


# Books with something to tell; the same names stand for other things, and in another order, from book to book.
BOOKS: dict[str, str] = {
    "fog": mine(
        "rule fog\n    p cannot dig when weather is wet and coins of p > 2",
        dig="coins of p increases by 1",
        dawn="roll d6:;    1..3: weather becomes wet;    4..6: weather becomes dry",
    ),
    "wages": mine(
        "value wage of p: 0..3\n    is 1 when weather is dry\n    is 2 when coins of p > 1\n    is 3 when p is tired",
        dig="tired of p becomes yes;coins of p becomes wage of p",
        dawn="roll d6:;    1..3: weather becomes wet;    4..6: weather becomes dry",
    ),
    "ends": mine(
        "rule rich\n    p wins when coins of p is 3",
        "rule worn\n    p loses when p is tired and coins of p > 2",
        dig="if coins of p is 2;    tired of p becomes yes;coins of p increases by 1",
    ),
}


def _reports(names: tuple[str, ...], hash_seed: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *names],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(_ROOT)},
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(names, done.stdout.splitlines(), strict=True))


@pytest.fixture(scope="module")
def told() -> dict[str, str]:
    return _reports(tuple(BOOKS), "1")


def test_another_process_with_other_hashes_and_the_books_in_another_order(told: dict[str, str]) -> None:
    assert all("Finding(" in report for report in told.values())
    assert _reports(tuple(BOOKS)[::-1], "2") == told


def test_the_same_book_twice_in_one_process() -> None:
    one, again = (told_of("wages") for _ in range(2))
    assert one == again


def told_of(name: str) -> str:
    """All that is told of a book but how long it took, on one line."""
    found = judged(BOOKS[name])
    return repr(replace(found, ran=tuple(replace(run, seconds=0.0) for run in found.ran)))
