"""What the generator says of its defects is true: play shows each of them, and not in the clean book."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.planting import evidence
from tests.planting.clean import make
from tests.planting.evidence import EVIDENCE
from tests.planting.plant import KINDS, plant

# What play itself stops at, or shows by what is offered.
SHOWN_IN_PLAY = [
    "hole in a table",
    "rows that meet",
    "tie without a breaker",
    "value without a case",
    "empty stock",
    "duty without a way",
    "beyond its range",
    "may against cannot",
    "must against cannot",
    "two duties",
    "two values",
    "two replacements",
    "triggers without order",
    "cycle",
    "no legal move",
    "no open option",
    "endless loop",
    "win and loss",
    "two readings",
]


def test_every_kind_has_its_evidence() -> None:
    assert list(EVIDENCE) == list(KINDS)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_play_shows_the_defect(kind: str, seed: int) -> None:
    book = make(seed + 20, 65)
    small = book.only(plant(book, kind, seed).group)
    assert EVIDENCE[kind](small, plant(small, kind, seed))


@pytest.mark.parametrize("kind", SHOWN_IN_PLAY)
def test_the_clean_book_shows_no_such_thing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "GAMES", 15)
    book = make(21, 65)
    small = book.only(plant(book, kind, 1).group)
    planted = plant(small, kind, 1)
    assert EVIDENCE[kind](small, planted)
    assert not EVIDENCE[kind](small, replace(planted, text=small.text()))
