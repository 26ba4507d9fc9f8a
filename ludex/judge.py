"""The judge's part in `ludex check`: a book in, a judgement out; progress for who waits, and an ear for Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from time import monotonic
from types import FrameType
from typing import TYPE_CHECKING

from ludex.book import Book
from rules.check import CheckedRulebook
from rules.codes import CODES
from verifier.cache import Cache
from verifier.judgement import Judgement, Wanted
from verifier.selection import Selection

if TYPE_CHECKING:
    from solver.play import Progress

_EVERY = 0.2  # seconds between two words of progress


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """`decided`: whether to list the pairs that the book itself puts in order. `players`: with how many it is judged;
    None is for the least, and others briefly. `telling`: whether to tell on the way how far it has come. `cache`:
    whether what earlier checks found may be used, and what this one finds is kept. `selection`: what is asked for; some
    checks run only on request."""

    decided: bool = False
    players: Wanted = None
    telling: bool = False
    cache: bool = False
    selection: Selection = field(default_factory=Selection)


def judge(book: Book, options: JudgeOptions) -> Judgement:
    """What can be said of a book; nothing of one with errors, for nobody knows what it says.

    Raises `ValueError` for a number of players that the book is not for.
    """
    if book.checked is None:
        return Judgement()
    requested = tuple(
        code for code in CODES if CODES[code].on_request and options.selection.severity_of(code) is not None
    )
    cache = Cache(book.path, book.sources, (options.players, requested)) if options.cache else None
    found = cache.judgement() if cache is not None else None
    if found is None:
        found = _heard(book.checked, options, cache)
    return found if options.decided else replace(found, decided=())


def _heard(checked: CheckedRulebook, options: JudgeOptions, cache: Cache | None) -> Judgement:
    from verifier.checks import checks_for  # noqa: PLC0415  (reading a book must not pay for the solver)
    from verifier.hearing import judge as heard  # noqa: PLC0415

    telling = _Telling() if options.telling else None
    with _interruptible() as stopped:
        memory = None if cache is None else cache.questions
        found = heard(
            checked,
            options.players,
            checks=checks_for(options.selection),
            progress=telling,
            stop=stopped,
            memory=memory,
            shelf=None if cache is None else cache.plays,
        )
    if telling is not None:
        telling.done()
    if cache is not None:
        cache.keep(found)
    return found


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C asks for what is known so far; the second ends it at once."""
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            signal.default_int_handler(number, frame)
        asked = True

    try:
        before = signal.signal(signal.SIGINT, ask)
    except ValueError:  # not in the main thread: whoever runs it there stops it in their own way
        yield lambda: False
        return
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


class _Telling:
    """One line that is written over: the stage, how much of it is done, and how much there can be."""

    def __init__(self) -> None:
        self._told = 0.0
        self._width = 0

    def __call__(self, progress: Progress) -> None:
        now = monotonic()
        if now - self._told < _EVERY:
            return
        self._told = now
        self._write(f"{progress.stage}: {progress.done:,} of up to {progress.most:,}")

    def done(self) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")

    def _write(self, text: str) -> None:
        sys.stderr.write("\r" + text.ljust(self._width))
        sys.stderr.flush()
        self._width = len(text)
