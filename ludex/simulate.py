"""`ludex run`: games that play themselves, and a summary of how they ended."""

from __future__ import annotations

import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from ludex import game as book_game
from ludex.strategies import strategy_of
from ludex.table import open_lines, player_name, policy_lines
from rules.machine import Chance, Game, Machine, Open, Over
from rules.machine.state import State
from rules.machine.world import Value


@dataclass(slots=True)
class Tally:
    """How games ended. Of the games that stopped somewhere, the seed of the first is kept, to look at it again."""

    games: int = 0
    choices: int = 0
    chances: int = 0
    wins: Counter[Value] = field(default_factory=Counter)
    nobody: int = 0
    all_lost: int = 0
    no_result: int = 0
    stopped: dict[object, tuple[Open, list[int]]] = field(default_factory=dict)  # the first such point, and the seeds
    left: list[int] = field(default_factory=list)  # the seeds of games longer than the limit

    @property
    def ended(self) -> int:
        return self.games - len(self.left) - sum(len(seeds) for _, seeds in self.stopped.values())


def simulate(begun: book_game.Game, seed: int, games: int, strategy: str, limit: int) -> int:
    """Plays games that begin like this one, prints the summary, also of what was played before somebody broke off.

    Gives the exit status.
    """
    machine, begin = begun.machine, begun.begin
    tally = Tally()
    start = shown = time.monotonic()
    progress = sys.stderr.isatty()
    try:
        for number in range(games):
            play_one(machine, seed + number, strategy, limit, tally, begin)
            if progress and time.monotonic() - shown > 1:
                shown = time.monotonic()
                print(f"\r{tally.games:,} of {games:,} games", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    if progress and shown > start:
        print(f"\r{'':40}\r", end="", file=sys.stderr, flush=True)
    print("\n".join(_summary(begun, tally, seed, strategy, limit)))
    if tally.games < games:
        print(f"ludex: interrupted after {tally.games:,} of {games:,} games", file=sys.stderr)
        return 2
    return 0 if tally.ended == tally.games else 1


def play_one(machine: Machine, seed: int, strategy: str, limit: int, tally: Tally, begin: State | None = None) -> Game:
    """One game to its end, to an open point, or to the limit; from a position, if one is given."""
    game = Game(machine, seed, begin)
    choose = strategy_of(strategy, seed)
    while not isinstance(game.node, Over | Open) and len(game.record) < limit:
        if isinstance(game.node, Chance):
            game.chance()
        else:
            game.do(choose(game))
    chances = sum(entry.by == "chance" for entry in game.record)
    tally.games += 1
    tally.chances += chances
    tally.choices += len(game.record) - chances
    if isinstance(game.node, Over):
        _count_ending(machine, game.node, tally)
    elif isinstance(game.node, Open):
        tally.stopped.setdefault(_point(game.node), (game.node, []))[1].append(seed)
    else:
        tally.left.append(seed)
    return game


def _point(node: Open) -> tuple[object, ...]:
    """What makes two stops the same finding: the rules that disagree, whatever the move, or the gap and its place."""
    return (node.kind, node.sides or node.text, node.span)


def _count_ending(machine: Machine, node: Over, tally: Tally) -> None:
    winners = [player for player, result in node.outcomes if result == "wins"]
    if None in winners:
        tally.nobody += 1
    elif winners:
        tally.wins.update(winners)
    elif machine.world.seats and len(node.outcomes) == machine.world.seats:
        tally.all_lost += 1
    else:
        tally.no_result += 1


def _summary(begun: book_game.Game, tally: Tally, seed: int, strategy: str, limit: int) -> list[str]:
    machine = begun.machine
    seats = machine.world.seats
    games = f"{tally.games:,} {'game' if tally.games == 1 else 'games'}"
    lines = [
        f"{begun.book.title}: {games}, {seats} {'player' if seats == 1 else 'players'}, seed {seed}, "
        f"strategy {strategy}",
        *policy_lines(begun.policies),
        f"decisions: {tally.choices:,} by players, {tally.chances:,} by chance",
        f"ended: {tally.ended:,}",
    ]
    ends = [(f"{player_name(machine, player)} wins", tally.wins[player]) for player in range(seats)]
    ends += [(word, n) for word, n in (("nobody wins", tally.nobody), ("all lose", tally.all_lost)) if n]
    ends += [("no rule says who has won", tally.no_result)] if tally.no_result else []
    width = max((len(word) for word, _ in ends), default=0)
    if tally.ended:
        lines += [f"  {word:<{width}}  {count:>6,}" for word, count in ends]
    for node, seeds in tally.stopped.values():
        lines.append(f"stopped at an open point: {len(seeds):,} (first with seed {seeds[0]})")
        lines += [f"  {line}" for line in open_lines(node)]
    if tally.left:
        lines.append(
            f"left after {limit:,} decisions without an end: {len(tally.left):,} (first with seed {tally.left[0]})"
        )
    return lines
