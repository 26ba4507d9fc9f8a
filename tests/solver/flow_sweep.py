"""Flows of many random books beside the interpreter: `python -m tests.solver.flow_sweep --books 500`.

Says how much was compared, and how many books could be followed to the end; each failure with the name of its book.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from solver.flow.flow import Budget
from tests.machine.properties import make
from tests.making import SHAPES
from tests.solver.flows import SMALL, Agreement, Comparison


def sweep(names: list[tuple[str, int]], agreement: Agreement, games: int = 4, budget: Budget = SMALL) -> None:
    for shape, seed in names:
        try:
            compared = Comparison(make(shape, seed).machine(), f"{shape}:{seed}", agreement, budget)
            for game in range(games):
                compared.play(game)
        except Exception as error:  # whatever goes wrong is what the sweep is for
            place = traceback.extract_tb(error.__traceback__)[-1]
            agreement.failures.append(
                f"{shape}:{seed} {type(error).__name__} {place.name}:{place.lineno} {error}"[:400]
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--books", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--games", type=int, default=4, help="games of each book")
    parser.add_argument("--shape", choices=sorted(SHAPES), action="append", help="all of them, if none is named")
    given = parser.parse_args()
    shapes = given.shape or list(SHAPES)
    names = [(shapes[i % len(shapes)], given.first + i // len(shapes)) for i in range(given.books)]
    agreement = Agreement()
    began = time.perf_counter()
    sweep(names, agreement, given.games)
    print(f"{len(names)} books in {time.perf_counter() - began:.1f} s")
    print(", ".join(f"{what} {count:,}" for what, count in sorted(agreement.asked.items())))
    for failure in agreement.failures:
        print(failure)
    print(f"{len(agreement.failures)} failures")
    return 1 if agreement.failures else 0


if __name__ == "__main__":
    sys.exit(main())
