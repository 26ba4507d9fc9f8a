"""What is set in vain and what is read before it is set: found, not found where it may be meant, and true in play."""

from __future__ import annotations

import random

import pytest

from rules.machine import Machine, Open
from solver.analysis import InVain, orders_of
from solver.play.plays import decide, decisions_at
from tests.machine.making import machine
from tests.making.book import random_book
from tests.making.shape import SHAPES

HEAD = """game "Copper Hill" played by Player
type Weather is calm, storm
kind Player 2
    coins 0..90
    share 0..6
    ready yes/no
state
    haul 0..6{starts}
    fog yes/no
    weather Weather starts calm
    kept 0..6
let p, q be Player
let n be 0..6
action dig by p
    coins of p increases by 1
rule digging
    p may dig
play
    repeat 2 times
"""
SETS = "        step digs\n            roll d6 as n\n            haul becomes n\n"
CLEARS = "        step clears\n            haul becomes 0\n"
PAYS = "        step pays\n            each p\n                coins of p increases by haul\n"
ASKS = "        step asks\n            each p\n                p takes 1 action\n"


def book(*steps: str, starts: str = "", more: str = "") -> Machine:
    return machine(HEAD.format(starts=starts) + "".join(steps) + more)


def vain(*steps: str, more: str = "") -> list[tuple[str, str, str, str | None]]:
    found = orders_of(book(*steps, more=more)).in_vain
    return [(one.slot, one.written[0].moment, one.by[0].moment, one.always) for one in found]


def unset(*steps: str, starts: str = "", more: str = "") -> list[tuple[str, str, str]]:
    found = orders_of(book(*steps, starts=starts, more=more)).unset
    return [(one.slot, one.reading.moment, one.written[0].moment) for one in found]


# ---- overwritten before it is read


def test_what_is_cleared_before_it_is_read() -> None:
    assert vain(SETS, CLEARS, PAYS) == [("haul", "digs", "clears", "0")]


def test_what_is_read_before_it_is_cleared() -> None:
    assert vain(SETS, PAYS, CLEARS) == []


def test_a_second_roll_over_the_first() -> None:
    again = SETS.replace("digs", "digs_again")
    assert vain(SETS, again, PAYS) == [("haul", "digs", "digs_again", None)]


@pytest.mark.parametrize(
    ("sets", "clears", "reads", "found"),
    [
        (
            "roll d6:\n                1..3: fog becomes yes\n                4..6: fog becomes no",
            "fog becomes no",
            "if fog\n                kept becomes 1",
            ("fog", "finds", "clears", "no"),
        ),
        (
            "roll d6:\n                1..3: weather becomes storm\n                4..6: weather becomes calm",
            "weather becomes calm",
            "if weather is storm\n                kept becomes 1",
            ("weather", "finds", "clears", "calm"),
        ),
        (
            "each p\n                roll d6 as n\n                share of p becomes n",
            "each p\n                share of p becomes 0",
            "each p\n                coins of p increases by share of p",
            ("share", "finds", "clears", "0"),
        ),
    ],
)
def test_yes_or_no_a_type_and_something_of_each_player(
    sets: str, clears: str, reads: str, found: tuple[str, ...]
) -> None:
    steps = [
        f"        step {name}\n            {body}\n"
        for name, body in zip(("finds", "clears", "looks"), (sets, clears, reads), strict=True)
    ]
    assert vain(*steps) == [found]
    assert vain(steps[0], steps[2], steps[1]) == []


@pytest.mark.parametrize(
    "steps",
    [
        (CLEARS, SETS, PAYS),  # set back before it is found out
        (SETS, CLEARS.replace("haul becomes 0", "if fog\n                haul becomes 0"), PAYS),  # not in every play
        (SETS.replace("becomes n", "becomes 3"), CLEARS, PAYS),  # always the same: set up, and set up anew
        (SETS, SETS.replace("digs", "more").replace("becomes n", "increases by n"), PAYS),  # counted on
        (SETS, ASKS, SETS.replace("digs", "digs_again"), PAYS),  # players have seen it when they acted
        (SETS, "        step keeps\n            kept becomes haul\n", CLEARS, PAYS),
        (SETS, CLEARS),  # nobody ever reads it
        (
            "        step digs\n            each p where fog\n                share of p becomes 1\n",
            "        step clears\n            each p where not fog\n                share of p becomes 0\n",
            "        step pays\n            each p\n                coins of p increases by share of p\n",
        ),
    ],
)
def test_what_may_be_meant(steps: tuple[str, ...]) -> None:
    assert vain(*steps) == []


@pytest.mark.parametrize(
    "more",
    [
        "rule last\n    p wins when haul is 6\n",
        "rule told\n    when haul changes\n        fog becomes yes\n",
        "rule told\n    when digs ends\n        kept becomes haul\n",
        "rule told\n    when dig by p\n        kept becomes haul\n",
        "rule skipped\n    instead of clears begins\n        nothing\n",
    ],
)
def test_what_rules_read_or_change_on_the_way(more: str) -> None:
    assert vain(SETS, CLEARS, PAYS, more=more) == []


def test_a_trigger_of_a_step_stands_where_the_step_does() -> None:
    more = "rule told\n    when clears ends\n        kept becomes haul\n"
    assert vain(SETS, CLEARS, PAYS, more=more) == [("haul", "digs", "clears", "0")]


def test_what_an_action_sets_and_a_step_clears() -> None:
    more = "action bid by p\n    haul becomes 3\nrule bidding\n    p may bid\n"
    assert vain(ASKS, CLEARS, PAYS, more=more) == [("haul", "bid", "clears", "0")]
    read = "rule waiting\n    p cannot dig when haul > 2\nprecedence\n    assume cannot over may\n"
    assert vain(ASKS, CLEARS, PAYS, more=more + read) == []


def test_a_value_reads_what_its_rules_read() -> None:
    more = "value wage: 0..12 is haul + 1\n"
    reads = PAYS.replace("by haul", "by wage")
    assert vain(SETS, CLEARS, reads, more=more) == [("haul", "digs", "clears", "0")]
    between = "        step keeps\n            kept becomes smaller of (wage, 6)\n"
    assert vain(SETS, between, CLEARS, reads, more=more) == []


def test_a_step_that_is_ended_early_clears_nothing() -> None:
    steps = (
        "        phase round\n            step digs\n                roll d6 as n\n                haul becomes n\n"
        "                if n > 3\n                    end round\n"
        "            step clears\n                haul becomes 0\n"
    )
    assert vain(steps, PAYS) == []
    assert vain(steps.replace("end round", "fog becomes yes"), PAYS) == [("haul", "digs", "clears", "0")]


# ---- read before it is first set


def test_what_is_read_before_it_is_first_set() -> None:
    assert unset(PAYS, SETS) == [("haul", "pays", "digs")]
    assert unset(SETS, PAYS) == []


@pytest.mark.parametrize(
    "steps",
    [
        (PAYS, SETS.replace("becomes n", "increases by n")),  # counted on
        (PAYS, SETS.replace("becomes n", "becomes smaller of (haul + n, 6)")),
        (PAYS, SETS.replace("becomes n", "becomes kept")),  # kept from something else
        (PAYS, CLEARS),  # set back
        (PAYS.replace("each p", "each p where fog"), SETS),  # not read the first time
        (PAYS, SETS.replace("haul becomes n", "if fog\n                haul becomes n")),  # need not be set
        ("        step digs\n            roll d6 as n\n            if n > haul\n                fog becomes yes\n"
         "            haul becomes n\n",),  # one step, in the order in which it is written
    ],
)  # fmt: skip
def test_what_the_first_round_may_find(steps: tuple[str, ...]) -> None:
    assert unset(*steps) == []


def test_what_starts_as_the_book_says() -> None:
    assert unset(PAYS, SETS, starts=" starts 0") == []


def test_a_flag_that_is_set_back_each_round() -> None:
    reads = (
        "        step looks\n            each p\n                if ready of p\n                    kept becomes 1\n"
    )
    sets = (
        "        step finds\n            each p\n                ready of p becomes no\n"
        "            each p where fog\n                ready of p becomes yes\n"
    )
    assert unset(reads, sets) == []


# ---- true in play


@pytest.mark.parametrize("shape", ["numbers", "rules", "triggers", "pools"])
def test_without_what_is_set_in_vain_play_goes_on_the_same(shape: str) -> None:
    for seed in range(25):
        text = random_book(seed, SHAPES[shape])
        first = machine(text)
        for one in orders_of(first).in_vain:
            second = machine(_without(text, one))
            for number in range(3):
                _goes_on_the_same(first, second, random.Random(number))


def _without(text: str, one: InVain) -> str:
    for write in reversed(one.written):
        span = write.node.span
        text = text[: span.start] + "nothing" + text[span.end :]
    return text


def _goes_on_the_same(first: Machine, second: Machine, rng: random.Random) -> None:
    ones, others = first.start(), second.start()
    for _ in range(60):
        one, other = first.run(ones), second.run(others)
        if isinstance(one, Open) and one.kind == "broken":
            return  # what is set in vain can be out of range
        offered = list(decisions_at(one))
        assert type(one) is type(other)
        assert [d.text for d in offered] == [d.text for d in decisions_at(other)]
        if not offered or isinstance(one, Open):
            return
        place = rng.randrange(len(offered))
        decide(first, ones, offered[place])
        decide(second, others, list(decisions_at(other))[place])
