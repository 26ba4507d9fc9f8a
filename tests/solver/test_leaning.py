"""Plays that lean towards rules, and a search through states that sees in time that it cannot come to its end."""

from __future__ import annotations

from rules.machine import Machine
from solver.play import Budget, Fact, explore
from solver.play.exhaustive import explore_all
from solver.play.explore import walker_of
from solver.play.leaning import Leaning
from tests.machine.making import machine

# Many things to do, and one rule that needs five times the same of them.
CRAFTS = tuple(f"craft_{number}" for number in range(14))


def workshop(days: int = 3) -> str:
    lines = ['game "Workshop" played by Player', "kind Player 2", "    pots 0..6", "    clay 0..9"]
    lines += [f"    {craft}_wares 0..9" for craft in CRAFTS]
    lines += [
        "let p be Player",
        "play",
        f"    repeat {days} times",
        "        each p",
        "            p takes up to 6 actions",
    ]
    for verb, change in (("dig", "clay"), ("fire", "pots"), *((craft, f"{craft}_wares") for craft in CRAFTS)):
        lines += [f"action {verb} by p", f"    {change} of p increases by 1"]
        needs = " and clay of p >= 1" if verb == "fire" else ""
        most = 6 if verb == "fire" else 9
        lines += [f"rule may_{verb}", f"    p may {verb} when {change} of p < {most}{needs}"]
    lines += ["rule shelf_is_full", "    when fire by p if pots of p is 6", "        clay of p becomes 0"]
    return "\n".join(lines) + "\n"


def norm_of(table: Machine, name: str) -> tuple[object, ...]:
    return next(norm for norm in table.norms if norm.name == name).key


def test_what_brings_a_rule_about_is_near_and_what_that_needs_is_farther() -> None:
    table = machine(workshop())
    wanted = next(norm for norm in table.norms if norm.name == "shelf_is_full")
    assert Leaning(table).towards([wanted]) == {"fire": 0, "dig": 1}


def test_leaning_plays_bring_about_what_plays_at_random_do_not() -> None:
    table = machine(workshop())
    found = explore(table, budget=Budget(work=60_000, guided=0, plays=3, edges=0))
    assert not found.complete
    assert Fact("fired", norm_of(table, "shelf_is_full")) in found.facts


def test_a_search_that_a_play_lies_far_ahead_of_is_given_up_early() -> None:
    phases = "".join(
        f"    phase day_{number}\n        each p\n            p takes up to 3 actions\n" for number in range(30)
    )
    start, rest = workshop().split("    repeat 3 times\n")
    table = machine(start + phases + rest.split("p takes up to 6 actions\n")[1])
    walker = walker_of(table, {})
    with walker.watcher.watching():
        found = explore_all(walker, 100_000, 50_000)
    assert not found.complete
    assert walker.watcher.work < 15_000


def test_a_search_that_comes_to_its_end_is_not_given_up() -> None:
    text = workshop(1)
    for craft in CRAFTS[1:]:
        text = text.replace(f"    {craft}_wares 0..9\n", "").replace(
            f"    p may {craft} when {craft}_wares of p < 9\n", ""
        )
        text = text.replace(f"action {craft} by p\n    {craft}_wares of p increases by 1\n", "")
        text = text.replace(f"rule may_{craft}\n", "")
    assert explore(machine(text), budget=Budget(work=200_000)).complete
