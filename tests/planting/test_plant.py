"""Planted defects: each kind reads and checks, stays where it was planted, and is the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludex
from rules.codes import CODES
from tests.planting.clean import Book, make
from tests.planting.plant import KINDS, NOT_PLANTED, Planted, all_together, plant

BOOK = make(2, 65)  # one guild of every sort


def _codes(planted: Planted, folder: Path) -> set[str]:
    path = folder / "planted.rules"
    path.write_text(planted.text, encoding="utf-8")
    return {found.code for found in ludex.load(path).check()}


def _changed(book: Book, planted: Planted) -> list[str]:
    """The declarations that differ from those of the clean book."""
    before, after = (text.split("\n\n") for text in (book.text(), planted.text))
    return [one for one in (*before, *after) if (one in before) != (one in after)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_planted_book_reads_and_checks(kind: str, tmp_path: Path) -> None:
    planted = plant(BOOK, kind, 1)
    # The graph alone tells what a cut link leaves behind; no other kind is seen before the judge looks.
    assert _codes(planted, tmp_path) == ({"LX601"} if kind == "link cut" else set())


@pytest.mark.parametrize("kind", KINDS)
def test_only_what_was_planted_is_changed(kind: str) -> None:
    for seed in range(5):
        planted = plant(BOOK, kind, seed)
        changed = _changed(BOOK, planted)
        assert 1 <= len(changed) <= 2
        assert all(any(name in declaration for name in planted.about) for declaration in changed)
        assert all(name in planted.text for name in planted.rules)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_plants_the_same_and_others_plant_elsewhere(kind: str) -> None:
    texts = {plant(BOOK, kind, seed).text for seed in range(12)}
    assert plant(BOOK, kind, 3) == plant(BOOK, kind, 3)
    assert (len(texts) > 1) == (len(list(KINDS[kind][1](BOOK))) > 1)


def test_every_code_of_the_judge_is_planted_or_it_is_said_why_not() -> None:
    planted = {code for code, _ in KINDS.values()}
    assert planted.isdisjoint(NOT_PLANTED)
    assert planted | NOT_PLANTED.keys() == {code for code, known in CODES.items() if known.family is not None}


def test_a_book_without_a_place_for_a_defect_is_refused() -> None:
    with pytest.raises(ValueError, match="no place for: steps swapped"):
        plant(make(0, 10), "steps swapped", 0)


def test_all_kinds_at_once_stand_in_different_places_of_one_book(tmp_path: Path) -> None:
    book = make(1, 300)
    together = all_together(book, 1)
    assert [planted.kind for planted in together] == list(KINDS)
    assert len({planted.text for planted in together}) == 1
    assert _codes(together[0], tmp_path) == {"LX601"}
    groups = [planted.group for planted in together if planted.group != "core"]
    assert len(groups) == len(set(groups))
    assert len(_changed(book, together[0])) >= len(KINDS)


def test_a_small_book_has_no_room_for_all_kinds() -> None:
    with pytest.raises(ValueError, match="too small"):
        all_together(make(1, 65), 1)


def test_a_finding_must_have_the_code_and_name_every_rule() -> None:
    planted = plant(BOOK, "may against cannot", 1)
    new, old = planted.rules
    assert planted.is_found_by("LX901", (old, new))
    assert planted.is_found_by("LX901", (f"{new}, line 3", f"`{old}`"))
    assert not planted.is_found_by("LX901", (new,))
    assert not planted.is_found_by("LX902", (old, new))
    assert planted.concerns((new, "somewhere_else"))
    assert not planted.concerns(("somewhere_else",))


def test_of_several_names_for_one_thing_any_is_enough() -> None:
    planted = plant(BOOK, "steps swapped", 1)
    assert all(planted.is_found_by("LX962", (name,)) for name in planted.rules)
