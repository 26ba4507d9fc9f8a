"""What exploration calls complete is: no random play of any book shows anything that it has not seen."""

from __future__ import annotations

import pytest

import ludex
from rules.machine import Machine
from solver.play import Budget, explore
from solver.play.explore import walker_of
from solver.play.wandering import Wandering
from tests.machine.properties import make
from tests.making import SHAPES

SOME = Budget(work=8_000, plays=20)


def unseen(machine: Machine, plays: int = 12, work: int = 6_000) -> tuple[bool, list[str]]:
    """Whether exploration was complete, and what random plays show that it has not seen, or not on so short a play."""
    found = explore(machine, budget=SOME)
    walker = walker_of(machine, {})
    with walker.watcher.watching():
        Wandering(walker, seed=1_000).run(plays, work)
    shown = walker.watcher.facts()
    return found.complete, [
        f"{fact} on {evidence.play.texts}"
        for fact, evidence in shown.items()
        if fact not in found.facts or found.facts[fact].length > evidence.length
    ]


@pytest.mark.parametrize("shape", SHAPES)
def test_no_random_play_shows_what_a_complete_exploration_has_not_seen(shape: str) -> None:
    complete = 0
    for seed in range(5):
        is_complete, new = unseen(make(shape, seed).machine())
        complete += is_complete
        assert not (is_complete and new), f"{shape}:{seed}: {new[0]}"
    assert complete


@pytest.mark.parametrize("book", ["nim", "kuhn_poker"])
def test_nor_of_bundled_books(book: str) -> None:
    machine = ludex.load(book).machine(None, ())
    found = explore(machine)
    assert found.complete
    _, new = unseen(machine, plays=40)
    assert [text for text in new if text.split(" on ")[0] not in map(str, found.facts)] == []
