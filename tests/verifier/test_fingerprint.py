"""A fingerprint stays when the book is edited elsewhere, and changes when the finding does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.span import Source
from tests.verifier.sample import CONTRADICTION, LIGHT, STORM, TEXT, span_of
from verifier.finding import Place, Witness
from verifier.fingerprint import fingerprint_of, numbered


def moved(place: Place) -> Place:
    longer = "# a line\n" * 7 + TEXT
    return replace(place, span=span_of(place.span.text, longer, Source("other/name.rules", longer)))


def test_moved_lines_and_another_file_do_not_count() -> None:
    there = replace(CONTRADICTION, places=tuple(moved(place) for place in CONTRADICTION.places))
    assert there.places[0].span.line != CONTRADICTION.places[0].span.line
    assert there.fingerprint == CONTRADICTION.fingerprint


def test_rules_that_change_places_do_not_count() -> None:
    there = replace(CONTRADICTION, places=(LIGHT, STORM))
    assert there.fingerprint == CONTRADICTION.fingerprint
    one, other = (
        "`a` and `b` demand moves that exclude each other",
        "`b` and `a` demand moves that exclude each other",
    )
    assert fingerprint_of("LX902", one) == fingerprint_of("LX902", other)


def test_how_it_was_shown_does_not_count() -> None:
    there = replace(CONTRADICTION, certainty="proved", shown_by="solver", witness=Witness(("day is 3",)), hint=None)
    assert there.fingerprint == CONTRADICTION.fingerprint


@pytest.mark.parametrize(
    "there",
    [
        replace(CONTRADICTION, code="LX902"),
        replace(CONTRADICTION, message=CONTRADICTION.message.replace("forbids", "demands")),
        replace(CONTRADICTION, message=CONTRADICTION.message.replace("`sail`", "`trade`")),
        replace(CONTRADICTION, places=(STORM, replace(LIGHT, name="beacon"))),
        replace(CONTRADICTION, places=(STORM,)),
        replace(CONTRADICTION, places=(replace(STORM, part="allows it"), replace(LIGHT, part="forbids it"))),
    ],
)
def test_what_the_finding_says_counts(there: object) -> None:
    assert there.fingerprint != CONTRADICTION.fingerprint  # type: ignore[attr-defined]


def test_places_in_a_sentence_do_not_count_but_other_numbers_do() -> None:
    assert fingerprint_of("LX901", "see  line 12 of it") == fingerprint_of("LX901", "see line 130 of it")
    assert fingerprint_of("LX901", "as in a.rules:3:4") == fingerprint_of("LX901", "as in b/a.rules:5")
    assert fingerprint_of("LX931", "no row for 7") != fingerprint_of("LX931", "no row for 8")


def test_equal_ones_are_numbered() -> None:
    assert numbered(["a", "b", "a", "a"]) == ["a", "b", "a.2", "a.3"]
