"""Stories decided by their marks: the same as reading them in every way, and known losses in long ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules import model as m
from rules.machine import Machine
from rules.walk import nodes_of
from solver.play import Budget, explore
from solver.stories import Stories, stories_of
from tests.machine.making import machine
from tests.solver.tales import large_tale, small_tale


def _options(table: Machine) -> Iterator[m.Option]:
    return (node for node in nodes_of(table.checked.book.declarations) if isinstance(node, m.Option))


def _endings(table: Machine) -> Iterator[m.Simple]:
    for node in nodes_of(table.checked.book.declarations):
        if isinstance(node, m.Simple) and isinstance(node.body, m.Ending):
            yield node


def lost_options(table: Machine, stories: Stories) -> set[str]:
    return {option.text for option in _options(table) if id(option) in stories.marks}


@pytest.mark.parametrize("block", range(6))
def test_the_same_is_lost_as_where_every_state_is_seen(block: int) -> None:
    for seed in range(block * 10, block * 10 + 10):
        table = machine(small_tale(seed))
        stories, explored = stories_of(table), explore(table, None, Budget(work=100_000))
        assert explored.complete
        assert (stories.undecided, stories.left_out) == (0, ())
        facts = explored.facts
        read = {fact.what for fact in facts if fact.kind == "passage"}
        assert set(stories.passages) == set(table.passages) - read, seed
        offered = {fact.what for fact in facts if fact.kind == "option offered"}
        assert {o.span for o in _options(table) if id(o) not in stories.marks} == offered, seed
        done = {fact.what for fact in facts if fact.kind == "done"}
        assert {e.span for e in _endings(table) if id(e) in stories.marks} == {e.span for e in _endings(table)} - done


def test_what_is_lost_in_a_long_story_is_found_and_nothing_else() -> None:
    tale = large_tale(300)
    table = machine(tale.text)
    stories = stories_of(table)
    assert lost_options(table, stories) == tale.lost
    assert (stories.passages, stories.undecided) == ((), 0)


TALE = """game "A Tale" played by Player
kind Player 1
let p be Player
state
    left yes/no
    right yes/no
    deeds 0..3
play
{play}
story tale
    starts at fork
    passage fork "A fork."
        option "Left"
            left becomes yes
            go to gate
        option "Right"
            right becomes yes
            go to gate
    passage gate "A gate."
        option "Both" when left and right
            go to gate
        option "Back"
            ending "Home."
{more}"""


def test_marks_that_exclude_each_other() -> None:
    table = machine(TALE.format(play="    read fork", more=""))
    stories = stories_of(table)
    assert lost_options(table, stories) == {"Both"}
    ((_, because),) = stories.because.items()
    assert set(because) == {"left", "right"}


def test_a_story_that_is_read_twice_keeps_its_marks() -> None:
    table = machine(TALE.format(play="    read fork\n    read fork", more=""))
    assert lost_options(table, stories_of(table)) == set()


def test_what_others_can_change_may_be_anything() -> None:
    more = "action veer by p\n    left becomes yes\nrule veering\n    p may veer\n"
    between = "    each p\n        p takes 1 action\n    read fork"
    table = machine(TALE.format(play=between, more=more))
    stories = stories_of(table)
    assert lost_options(table, stories) == set()
    assert stories.left_out == ("actions",)


def test_a_trigger_may_set_a_mark() -> None:
    more = "rule turning\n    when left becomes yes\n        right becomes yes\n"
    table = machine(TALE.format(play="    read fork", more=more))
    assert lost_options(table, stories_of(table)) == set()


def test_a_story_with_something_that_is_done_later_is_not_decided() -> None:
    more = '    passage late "Late."\n        after turn\n            left becomes yes\n        ending "Late."\n'
    table = machine(TALE.format(play="    read late\n    read fork", more=more))
    assert not stories_of(table).modelled
