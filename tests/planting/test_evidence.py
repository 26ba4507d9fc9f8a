"""What the generator says of its defects is true: play shows each of them, and the clean book does not have it."""

from __future__ import annotations

import pytest

from tests.planting.clean import make
from tests.planting.evidence import EVIDENCE
from tests.planting.plant import KINDS, plant


def test_every_kind_has_its_evidence() -> None:
    assert list(EVIDENCE) == list(KINDS)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_play_shows_the_defect(kind: str, seed: int) -> None:
    book = make(seed + 20, 65)
    small = book.only(plant(book, kind, seed).group)
    assert EVIDENCE[kind](small, plant(small, kind, seed))
