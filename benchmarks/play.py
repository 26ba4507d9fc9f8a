"""Speed of play: `python -m benchmarks.play`.

Random play of every bundled book, its legal moves and its answers to "why not", each beside the other in one run; where
OpenSpiel has the game, its own implementation is driven from Python in the same run. Medians of interleaved rounds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any

import open_spiel.python.games  # noqa: F401  (registers the games written in Python)
import pyspiel

import ludex
from benchmarks.timing import medians
from ludex.simulate import Tally, play_one
from rules.machine import Game, Machine
from rules.machine.nearest import nearest
from rules.machine.why import explain
from rules.machine.world import Value

_GAMES = {"pig": 8, "nim": 40, "crazy_eights": 8, "tic_tac_toe": 40, "connect_four": 4, "kuhn_poker": 200, "ur": 1}
_PEERS = {
    "pig": ["pig"],
    "nim": ["nim"],
    "tic_tac_toe": ["tic_tac_toe", "python_tic_tac_toe"],
    "connect_four": ["connect_four"],
    "kuhn_poker": ["kuhn_poker", "python_kuhn_poker"],
}
_QUESTIONS = 40


def _playouts(machine: Machine, games: int) -> int:
    """Plays; the number of decisions."""
    tally = Tally()
    for seed in range(games):
        play_one(machine, seed, "random", 1_000, tally)
    return tally.choices + tally.chances


def _peer_playouts(game: Any, games: int) -> int:
    chooser = random.Random(0)
    count = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chooser.choices(outcomes, chances)[0])
            else:
                state.apply_action(chooser.choice(state.legal_actions()))
            count += 1
    return count


def _standing(machine: Machine) -> list[Game]:
    """Games that wait for an action, each some random decisions old."""
    found: list[Game] = []
    for seed in range(_QUESTIONS):
        game = Game(machine, seed)
        chooser = random.Random(seed)
        game.settle()
        for _ in range(seed % 12):
            if game.moves:
                game.do(chooser.choice(game.moves))
                game.settle()
        if game.legal():
            found.append(game)
    return found


def _illegal(game: Game) -> tuple[str, tuple[Value, ...]] | None:
    """A way of an action that is not legal, the first in the order of the book."""
    legal = {(one.verb, one.args) for one in game.legal()}
    for verb in game.machine.actions:
        domains = [game.machine.world.domain(type_) for type_ in game.machine.verbs[verb].types]
        for args in product(*domains):
            if (verb, args) not in legal:
                return verb, args
    return None


def _asking(machine: Machine) -> None:
    """What is legal, why not, and the nearest change, in the same positions."""
    asked = [(game, way) for game in _standing(machine) if (way := _illegal(game)) is not None]
    if not asked:
        print("  every way of every action is legal: nothing to ask")
        return
    why = [(game, explain(machine, game.state, game.node, *way)) for game, way in asked]
    times = medians(
        {
            "legal moves": lambda: [game.legal() for game, _ in asked],
            "why not": lambda: [explain(machine, game.state, game.node, *way) for game, way in asked],
            "nearest change": lambda: [nearest(machine, game.state, game.node, one) for game, one in why],
        },
        rounds=5,
    )
    for key, seconds in times.items():
        each = seconds / len(asked) * 1e6
        print(f"  {key:<22} {each:12,.0f} us  {seconds / times['legal moves']:8.1f} x the legal moves")


def _playing(name: str, machine: Machine, games: int) -> None:
    works: dict[str, Callable[[], int]] = {"ours": partial(_playouts, machine, games)}
    for peer in _PEERS.get(name, []):
        works[f"OpenSpiel {peer}"] = partial(_peer_playouts, pyspiel.load_game(peer), games)
    counts = {key: work() for key, work in works.items()}
    times = medians(works, rounds=5)
    rates = {key: counts[key] / times[key] for key in works}
    for key, rate in rates.items():
        print(f"  {key:<27} {rate:10,.0f} decisions/s  ours does {rates['ours'] / rate:7.3f} x as many")


def main() -> None:
    for name, games in _GAMES.items():
        machine = ludex.load(name).machine(None, ())
        print(name)
        _playing(name, machine, games)
        _asking(machine)


if __name__ == "__main__":
    main()
