"""What the judge finds of defects that were planted: `python -m benchmarks.planted --rules 300 --seeds 5`.

For every kind of defect: recall (a finding with its code names the planted rules), how many that were missed have a
finding with another code, what else is said of the part of the book that was changed (a defect can bring others about),
false alarms (findings about anything else), and the time a book takes beside the clean one. The last line is a book
with one defect of each kind. Exit status 1 where anything was missed or there was a false alarm.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Protocol

import ludex
from rules.check import CheckedRulebook
from tests.planting.clean import Book, make
from tests.planting.plant import KINDS, Planted, all_together, plant
from verifier.finding import Finding


class Judgement(Protocol):
    @property
    def findings(self) -> Iterable[Finding]: ...


Judge = Callable[[CheckedRulebook], Judgement]


@dataclass(slots=True)
class Score:
    """How well one kind of defect is found; the lists say what to look at."""

    planted: int = 0
    found: int = 0
    other_code: int = 0
    missed: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, planted: Planted, findings: list[Finding], where: str) -> None:
        """Counts one planted defect; false alarms are counted for the book as a whole, by `add_alarms`."""
        names = [[place.name for place in finding.places] for finding in findings]
        self.planted += 1
        if any(planted.is_found_by(f.code, n) for f, n in zip(findings, names, strict=True)):
            self.found += 1
            return
        self.other_code += any(planted.is_found_by(planted.code, n) for n in names)
        self.missed.append(f"{where}: {planted.kind}: {', '.join(planted.rules)}")

    def add_alarms(self, defects: Iterable[Planted], findings: list[Finding], where: str) -> None:
        known = list(defects)
        for finding in findings:
            names = [place.name for place in finding.places]
            said = f"{where}: {finding.code} {finding.message} ({finding.certainty})"
            if not any(planted.concerns(names) for planted in known):
                self.alarms.append(said)
            elif not any(planted.is_found_by(finding.code, names) for planted in known):
                self.beside.append(said)


def measure(
    judge: Judge, books: list[Book], kinds: Iterable[str], told: Callable[[str], None] = lambda _: None
) -> dict[str, Score]:
    """The score of the clean books, of every kind, and of all kinds in one book; small books lack a place for some.

    `told` gets the name of each when it is done.
    """
    asked: dict[str, Callable[[Book], tuple[Planted, ...]]] = {"clean book": lambda _: ()}
    asked |= {kind: partial(_one, kind) for kind in kinds}
    asked["all together"] = lambda book: all_together(book, book.seed, kinds)
    scores = {name: Score() for name in asked}
    for name, planting in asked.items():
        for book in books:
            try:
                defects = planting(book)
            except ValueError:
                continue
            where = f"seed {book.seed}"
            findings = _judged(judge, defects[0].text if defects else book.text(), scores[name])
            for planted in defects:
                scores[name].add(planted, findings, where)
            scores[name].add_alarms(defects, findings, where)
        told(name)
    return scores


def _one(kind: str, book: Book) -> tuple[Planted, ...]:
    return (plant(book, kind, book.seed),)


def _judged(judge: Judge, text: str, score: Score) -> list[Finding]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "book.rules"
        path.write_text(text, encoding="utf-8")
        loaded = ludex.load(path)
    assert loaded.checked is not None, loaded.errors
    start = time.perf_counter()
    findings = list(judge(loaded.checked).findings)
    score.seconds.append(time.perf_counter() - start)
    return findings


HEAD = (
    f"{'kind':<26} {'code':<6} {'recall':>7} {'other code':>11} {'beside':>7} "
    f"{'false alarms':>13} {'time':>9} {'ratio':>6}"
)


def report(scores: dict[str, Score], details: bool) -> list[str]:
    clean = median(scores["clean book"].seconds)
    lines = [HEAD]
    for kind, score in scores.items():
        code = KINDS[kind][0] if kind in KINDS else ""
        recall = f"{score.found}/{score.planted}" if score.planted else ""
        if not score.seconds:
            lines.append(f"{kind:<26} {code:<6} no place in books of this size")
            continue
        seconds = median(score.seconds)
        lines.append(
            f"{kind:<26} {code:<6} {recall:>7} {score.other_code:>11} {len(score.beside):>7} {len(score.alarms):>13}"
            f" {seconds:>7.2f} s {seconds / clean:>6.2f}"
        )
    planted, found = (sum(getattr(s, what) for s in scores.values()) for what in ("planted", "found"))
    alarms = sum(len(score.alarms) for score in scores.values())
    lines.append(f"found {found} of {planted}; {alarms} false alarms")
    if details:
        for word in ("missed", "alarms", "beside"):
            for kind, score in scores.items():
                lines += [f"{word}: {kind}: {one}" for one in getattr(score, word)]
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=5, help="how many books")
    parser.add_argument("--kind", choices=list(KINDS), action="append", help="all of them, if none is named")
    parser.add_argument(
        "--details", action="store_true", help="what was missed, each false alarm, and what else was said"
    )
    given = parser.parse_args(arguments)
    books = [make(seed, given.rules) for seed in range(given.seeds)]
    from verifier.hearing import judge  # noqa: PLC0415  (loads the machine and the solver)

    kinds = given.kind or list(KINDS)
    scores = measure(judge, books, kinds, lambda name: print(name, "done", file=sys.stderr, flush=True))
    print(f"{given.seeds} books of {books[0].size} rules and more")
    print("\n".join(report(scores, given.details)))
    return 1 if any(score.missed or score.alarms for score in scores.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
