"""Speed and reach of exploration by play: `python -m benchmarks.explore`.

Every bundled book under the default budget: how many states were told apart, whether that was all of them, how many
plays went beyond, and how fast.
"""

from __future__ import annotations

import time

import ludex
from ludex.book import bundled
from solver.play import Exploration, Progress, explore


def _explored(name: str) -> tuple[Exploration, dict[str, float]]:
    """The exploration, and the seconds of each of its stages."""
    machine = ludex.load(name).machine(None, ())
    seconds: dict[str, float] = {}
    last = time.perf_counter()

    def note(progress: Progress) -> None:
        nonlocal last
        now = time.perf_counter()
        seconds[progress.stage] = seconds.get(progress.stage, 0.0) + now - last
        last = now

    return explore(machine, progress=note), seconds


def main() -> None:
    for name in sorted(bundled()):
        found, seconds = _explored(name)
        rate = found.states / seconds["states"]
        print(f"{name:<14} {found.states:7,} states  {rate:8,.0f} a second  {'all' if found.complete else 'not all'}")
        if found.plays:
            print(f"{'':<14} {found.plays:7,} plays   {found.plays / seconds['plays']:8,.1f} a second")
        for text in found.left_out:
            print(f"{'':<14}         left out: {text}")


if __name__ == "__main__":
    main()
