"""LX931: keys that can come up and have no row; and keys that look so and cannot come up."""

from __future__ import annotations

import pytest

from tests.verifier.checks.mine import mine
from tests.verifier.judging import NO_PLAY, judged, names, the_one

SEAMS = """table seams by {keys} for p
    {rows}"""


def seams(keys: str, *rows: str) -> str:
    return SEAMS.format(keys=keys, rows="\n    ".join(rows))


def test_a_face_without_a_row_is_shown_by_play() -> None:
    table = seams("d6", "1..2: nothing", "4..6: tired of p becomes yes")
    found = the_one(mine(table, dig="roll d6 on seams"), "LX931")
    assert found.certainty == "witnessed"
    assert names(found) == ["seams", "dig"]
    assert found.message == "`seams` has no row for 3"
    assert found.witness is not None
    assert found.witness.play is not None
    assert found.witness.play[-1] == "roll d6: 3"


def test_all_totals_of_dice_are_looked_at_and_no_others() -> None:
    table = seams("2..12", "3..7: nothing", "8..12: tired of p becomes yes")
    assert the_one(mine(table, dig="roll 2 d6 on seams"), "LX931").message == "`seams` has no row for 2"
    whole = seams("0..20", "2..7: nothing", "8..12: tired of p becomes yes")
    assert judged(mine(whole, dig="roll 2 d6 on seams"), "LX931").findings == ()


def test_the_rows_of_a_roll_are_rows_too() -> None:
    found = the_one(mine(dig="roll d6:;    1..5: nothing"), "LX931")
    assert (found.certainty, found.message) == ("witnessed", "this roll of `d6` has no row for 6")
    assert names(found) == ["dig"]


def test_a_roll_that_uses_what_was_rolled_asks_only_for_what_is_on_the_die() -> None:
    die = "die short_die is 1, 1, 3, 3"
    text = mine(die, dig="roll short_die:;    1: nothing;    3: tired of p becomes yes")
    assert judged(text, "LX931").findings == ()


@pytest.mark.parametrize(("key", "hole"), [("weather", "snow"), ("tired of p", "yes")])
def test_values_of_types_are_told_by_name(key: str, hole: str) -> None:
    of = "Weather" if key == "weather" else "yes/no"
    rows = ("dry: nothing", "wet: nothing") if key == "weather" else ("no: nothing",)
    text = mine(
        seams(of, *rows),
        dig=f"consult seams with {key};tired of p becomes yes",
        dawn="roll d6:;    1..5: weather becomes wet;    6: weather becomes snow",
    )
    found = the_one(text, "LX931")
    assert (found.certainty, found.message) == ("witnessed", f"`seams` has no row for {hole}")


def test_several_keys_make_several_holes() -> None:
    table = seams("d6, Weather", "any, dry: nothing", "1..4, wet: nothing", "any, snow: nothing")
    found = the_one(mine(table, dig="roll d6 as n;weather becomes wet;consult seams with n, weather"), "LX931")
    assert found.message == "`seams` has no row for 5..6, wet"


def test_values_that_share_a_row_leave_holes_between_them() -> None:
    table = seams("d6", "1 or 6: nothing", "3..4 or 2: tired of p becomes yes")
    found = the_one(mine(table, dig="roll d6 on seams"), "LX931")
    assert (found.certainty, found.message) == ("witnessed", "`seams` has no row for 5")
    by_name = seams("Weather", "dry or snow: nothing")
    text = mine(by_name, dig="consult seams with weather", dawn="roll d6:;    1..5: nothing;    6: weather becomes wet")
    assert the_one(text, "LX931").message == "`seams` has no row for wet"


def test_a_row_for_the_rest_leaves_no_hole() -> None:
    table = seams("d6, Weather", "1 or 6, wet: nothing", "otherwise: tired of p becomes yes")
    assert judged(mine(table, dig="roll d6 as n;consult seams with n, weather"), "LX931").findings == ()
    assert judged(mine(dig="roll d6:;    1..2: nothing;    otherwise: nothing"), "LX931").findings == ()


@pytest.mark.parametrize(
    ("guard", "dig"),
    [
        ("coins of p >= 2", "consult seams with coins of p"),
        ("", "if coins of p >= 2;    consult seams with coins of p"),
        ("", "coins of p becomes 3;consult seams with coins of p"),
        ("", "look by p"),
    ],
)
def test_what_is_known_where_it_is_asked_counts(guard: str, dig: str) -> None:
    table = seams("0..9", "2..9: tired of p becomes yes")
    procedure = "procedure look by p\n    if coins of p > 1\n        peer by p"
    peer = "procedure peer by p\n    consult seams with coins of p"
    text = mine(table, procedure, peer, dig=dig, when=guard, dawn="roll d6 as n;each p;    coins of p becomes n")
    assert judged(text, "LX931", budget=NO_PLAY).findings == ()


def test_what_was_known_and_has_changed_does_not_count() -> None:
    table = seams("0..9", "2..9: tired of p becomes yes")
    text = mine(table, dig="coins of p decreases by 1;consult seams with coins of p", when="coins of p >= 2", coins=3)
    found = the_one(text, "LX931", budget=NO_PLAY)
    assert found.certainty == "possible"
    assert found.witness is not None
    assert found.witness.play is None


def test_a_key_that_no_play_brings_about_is_no_hole() -> None:
    table = seams("Weather", "dry: nothing", "wet: nothing")
    text = mine(table, dig="consult seams with weather", dawn="roll d6:;    1..6: weather becomes wet")
    assert judged(text, "LX931", budget=NO_PLAY).findings == ()
    assert judged(text, "LX931").findings == ()


def test_a_table_that_is_read_like_a_value_can_have_holes() -> None:
    table = "table yield by 1..6\n    1..5: gives 1"
    found = the_one(mine(table, dig="roll d6 as n;coins of p becomes yield of n"), "LX931")
    assert (found.certainty, found.message) == ("witnessed", "`yield` has no row for 6")


def test_tables_are_counted() -> None:
    found = judged(mine(seams("d6", "1..6: nothing"), dig="roll d6 on seams"))
    run = next(one for one in found.ran if one.name == "holes in tables")
    assert (run.looked_at, run.found) == (1, 0)
