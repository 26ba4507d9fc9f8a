"""Many random books, one after the other: `python -m tests.machine.sweep --books 2000`.

Says how often each property was asked and how the games ended; each failure with the name of its book, by which
`--only` makes it again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback

from tests.machine.properties import DARING, Tally, check_format, check_play, make, play_log
from tests.making import SHAPES


def sweep(names: list[tuple[str, int]], tally: Tally, daring: float = DARING) -> list[str]:
    """The failures, each with the book that shows it."""
    failures = []
    for shape, seed in names:
        try:
            made = make(shape, seed, daring=daring)
            check_format(made)
            assert check_play(made, tally) == play_log(made), "another machine plays another game"
            tally.asked["books"] += 1
        except Exception as error:  # whatever goes wrong is what the sweep is for
            place = traceback.extract_tb(error.__traceback__)[-1]
            words = str(error).splitlines()[0][:160] if str(error) else ""
            failures.append(f"{shape}:{seed} {type(error).__name__} {place.name}:{place.lineno} {words}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--books", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--shape", choices=sorted(SHAPES), action="append", help="all of them, if none is named")
    parser.add_argument("--only", help="one book, such as whole:17; its text is shown")
    parser.add_argument("--daring", type=float, default=DARING, help="how readily a book leaves its guards off, 0 to 1")
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
    print(f"{len(names)} books in {time.perf_counter() - began:.1f} s")
    print("asked:", ", ".join(f"{what} {count}" for what, count in sorted(tally.asked.items())))
    print("ended:", ", ".join(f"{what} {count}" for what, count in tally.ends.most_common()))
    for failure in failures:
        print(failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
