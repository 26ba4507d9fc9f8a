"""The analysis of values: what it excludes, no play brings about; and what it must not exclude."""

from __future__ import annotations

import pytest

from rules.machine import Machine, Node
from rules.machine.state import State
from rules.walk import nodes_of
from solver.analysis import Analysis, analyse, read_early
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.play import Budget, Goal, explore
from solver.solve import Solver
from tests.machine.making import machine
from tests.making.book import random_book
from tests.making.shape import SHAPES

HEAD = """game "Copper Hill" played by Player
kind Player 2
    coins 0..9 starts 3
let p be Player
state
    key yes/no
    depth 0..9
    weather Weather starts calm
type Weather is calm, rough, storm
"""


def analysed(text: str) -> Analysis:
    return analyse(Encoder(Space(machine(text))), Solver())


def held(analysis: Analysis, name: str) -> set[object]:
    (key,) = [key for key, slot in analysis.machine.world.slots.items() if slot.symbol.name == name]
    return set(analysis.sets.held(key))


# ---- which values a cell can hold


def test_a_cell_that_nothing_sets_stays_as_it_starts() -> None:
    found = analysed(HEAD + "play\n    if key\n        key becomes yes\n        depth becomes 4\n")
    assert held(found, "key") == {False}
    assert held(found, "depth") == {0}


def test_a_counter_grows_as_far_as_its_condition_lets_it() -> None:
    found = analysed(HEAD + "play\n    repeat 9 times\n        if depth < 3\n            depth increases by 1\n")
    assert held(found, "depth") == {0, 1, 2, 3}


def test_a_condition_is_forgotten_when_what_it_reads_may_have_changed() -> None:
    found = analysed(HEAD + "play\n    if depth < 1\n        depth becomes 5\n        depth increases by 1\n")
    assert held(found, "depth") >= {0, 5, 6}


def test_what_only_a_forbidden_state_would_set_is_not_set() -> None:
    text = HEAD + "play\n    each p\n        p takes 1 action\naction open by p\n    key becomes yes\nrule opening\n"
    assert held(analysed(text + "    p may open when depth > 2\n"), "key") == {False}
    assert held(analysed(text + "    p may open when depth < 2\n"), "key") == {False, True}


def test_what_a_trigger_sets_counts_where_its_event_can_happen() -> None:
    text = HEAD + "play\n    {}\nrule rising\n    when depth becomes 4\n        key becomes yes\n"
    assert held(analysed(text.format("depth becomes 4")), "key") == {False, True}
    assert held(analysed(text.format("depth becomes 3")), "key") == {False}


def test_where_there_is_nothing_to_choose_from_play_goes_on() -> None:
    text = HEAD + "play\n    chance chooses p where coins of p > 8\n    key becomes yes\n"
    assert held(analysed(text), "key") == {False, True}


def test_what_a_limit_leaves_over_is_not_excluded() -> None:
    text = HEAD + "play\n    depth increases by 5\nrule deep\n    limit depth to 2, rest lost\n"
    found = analysed(text)
    (key,) = [key for key, slot in found.machine.world.slots.items() if slot.symbol.name == "depth"]
    assert not found.sets.follows(key)


def test_invariants_are_told_in_words() -> None:
    found = analysed(HEAD + "play\n    weather becomes rough\n    depth becomes 2\n    depth becomes 1\n")
    assert list(found.invariants()) == [
        "`coins` is always 3",
        "`key` is always no",
        "`depth` is always 0..2",
        "`weather` is never storm",
    ]


# ---- it never excludes what play does


@pytest.mark.parametrize("shape", list(SHAPES))
def test_play_stays_within_the_analysis(shape: str) -> None:
    for seed in range(3):
        _stays_within(machine(random_book(seed, SHAPES[shape])))


def _stays_within(table: Machine) -> None:
    found = analyse(Encoder(Space(table)), Solver())
    watched = [
        (place, found.sets.held(key))
        for key, slot in table.world.slots.items()
        if found.sets.follows(key) and found.sets.missing(key)
        for place in range(slot.base, slot.base + slot.count)
    ]

    def beyond(_machine: Machine, state: State, _node: Node | None) -> bool:
        return any(state.cells[place] not in values for place, values in watched)

    explored = explore(table, {"beyond": Goal(beyond, "every step")}, Budget(work=3_000, plays=8))
    assert "beyond" not in explored.reached
    facts = explored.facts
    nodes = list(nodes_of(table.checked.book.declarations))
    statements = {node.span for node in nodes if id(node) in found.reached.statements}  # type: ignore[attr-defined]
    options = {node.span for node in nodes if id(node) in found.reached.options}  # type: ignore[attr-defined]
    assert {fact.what for fact in facts if fact.kind == "done"} <= statements
    assert {fact.what for fact in facts if fact.kind == "option offered"} <= options
    assert {fact.what for fact in facts if fact.kind == "offered"} <= found.reached.verbs
    fired = {fact.what for fact in facts if fact.kind == "fired"}
    assert fired <= {norm.key for norm in table.norms if norm.order in found.reached.triggers}


# ---- what is read before it is there

STEPS = (
    HEAD
    + "type Load is 1..3\nstate\n    load Load or none\n"
    + "play\n    repeat 2 times\n{}        step clearing\n            load becomes none\n"
)
SURVEY = "        step survey\n            load becomes 2\n"
TOLL = "        step toll\n            if load > 1\n                key becomes yes\n"


def test_what_is_set_after_it_is_read() -> None:
    (early,) = read_early(machine(STEPS.format(TOLL + SURVEY)))
    assert (early.slot, early.reader, [moment for moment, _ in early.writers]) == ("load", "toll", ["survey"])


@pytest.mark.parametrize(
    "steps",
    [
        SURVEY + TOLL,
        TOLL.replace("load > 1", "load is none") + SURVEY,  # asking whether it is there is no reading
        "        step either\n            if key\n                load becomes 1\n" + TOLL + SURVEY,
    ],
)
def test_what_may_be_there_is_not_read_too_early(steps: str) -> None:
    assert read_early(machine(STEPS.format(steps))) == []


def test_what_is_kept_from_the_round_before_is_there() -> None:
    kept = STEPS.format(TOLL + SURVEY).replace("            load becomes none\n", "            key becomes no\n")
    assert read_early(machine(kept)) == []
