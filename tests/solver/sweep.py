"""Interpreter and solver side by side on many random books: `python -m tests.solver.sweep --books 2000`.

Says how often each thing was compared, what stopped the interpreter and what could not be encoded; each disagreement
with the name of its book, by which `--only` makes it again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from tests.machine.properties import make
from tests.making import SHAPES
from tests.solver.agreement import Agreement
from tests.solver.comparing import Tally


def sweep(names: list[tuple[str, int]], tally: Tally, daring: float) -> list[str]:
    """The disagreements, each with the book that shows it."""
    failures = []
    for shape, seed in names:
        try:
            Agreement(make(shape, seed, daring=daring), tally, () if seed % 2 else None).compare()
        except Exception as error:  # whatever goes wrong is what the sweep is for
            place = traceback.extract_tb(error.__traceback__)[-1]
            failures.append(f"{shape}:{seed} {type(error).__name__} {place.name}:{place.lineno} {str(error)[:300]}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--books", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--shape", choices=sorted(SHAPES), action="append", help="all of them, if none is named")
    parser.add_argument("--only", help="one book, such as whole:17; its text is shown")
    parser.add_argument("--daring", type=float, default=0.5, help="how readily a book leaves its guards off, 0 to 1")
    given = parser.parse_args()
    if given.only:
        shape, _, seed = given.only.partition(":")
        names = [(shape, int(seed))]
        print(make(*names[0], daring=given.daring).text)
    else:
        shapes = given.shape or list(SHAPES)
        names = [(shapes[i % len(shapes)], given.first + i // len(shapes)) for i in range(given.books)]
    tally = Tally()
    began = time.perf_counter()
    failures = sweep(names, tally, given.daring)
    print(f"{len(names)} books in {time.perf_counter() - began:.1f} s, {tally.pairs:,} comparisons")
    print("compared:", ", ".join(f"{what} {count:,}" for what, count in tally.compared.most_common()))
    print("stopped:", ", ".join(f"{what} {count:,}" for what, count in tally.stopped.most_common()) or "never")
    print(f"not encodable: {tally.share_not_encodable:.2%}", dict(tally.not_encodable))
    print(f"confirmed by Z3: {tally.certified:,}")
    for failure in failures:
        print(failure)
    print(f"{len(failures)} disagreements")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
