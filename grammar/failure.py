"""A syntax error and its surroundings: where the parser stopped, on which line, and what another wording would change.

In: the error, the tokens of the declaration, the source. `Failure.mended` is the question that all guesses ask: if
these tokens were others, could the line be read to its end?
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lark import Token
from lark.exceptions import UnexpectedToken

from grammar.recognise import END, Cursor
from rules.span import Source, Span

LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", END})
_BLANK = re.compile(r"(?:\s|\#[^\n]*)*")
# No guess looks further back than this on a line.
_REACH = 30
_LONGEST_SHOWN = 60


@dataclass(frozen=True)
class Failure:
    """`index` is the place of the token that does not fit; it equals `len(tokens)` when the declaration just ends.

    Three states of the parser tell where that is: `state`, where it stopped; `here`, right behind the last word that
    fits; `settled`, once all before the error is taken for finished.
    """

    source: Source
    tokens: Sequence[Token]
    index: int
    state: int

    @classmethod
    def of(cls, error: UnexpectedToken, tokens: Sequence[Token], source: Source) -> Failure:
        index = next((i for i, token in enumerate(tokens) if token is error.token), len(tokens))
        return cls(source, tokens, index, error.state.position)

    @cached_property
    def types(self) -> list[str]:
        return [token.type for token in self.tokens] + [END]

    @cached_property
    def line(self) -> range:
        """The line that the error is on, up to the error; where layout is wrong, the line before it."""
        stop = self.index
        if self.types[stop] in LAYOUT:
            while stop > 0 and self.types[stop - 1] in LAYOUT:
                stop -= 1
        start = stop
        while start > 0 and self.types[start - 1] not in LAYOUT:
            start -= 1
        return range(max(start, stop - _REACH), min(stop + 1, self.index + 1))

    @property
    def type(self) -> str:
        return self.types[self.index]

    @property
    def declaration(self) -> str:
        """The word that the declaration begins with."""
        return next((str(token) for token in self.tokens if token.type not in LAYOUT), "")

    @property
    def word(self) -> str:
        return str(self.tokens[self.index]) if self.index < len(self.tokens) else ""

    @property
    def shown(self) -> str:
        """The word that does not fit, as a message shows it."""
        return shorten(self.word)

    @cached_property
    def follow(self) -> frozenset[str]:
        """What could have stood here."""
        return self._here.could_follow()

    @cached_property
    def settled(self) -> int:
        return self._here.settle()

    @property
    def here(self) -> int:
        return self._here.stack[-1]

    def mended(self, start: int, stop: int, types: Sequence[str]) -> bool:
        """Whether the line could be read to its end with these types in place of the tokens from `start` to `stop`."""
        return self.fits(start, stop, types, self._goal)

    def fits(self, start: int, stop: int, types: Sequence[str], goal: int) -> bool:
        """Whether the text could be read up to the token `goal` with such a change on the line."""
        changed = [*self.types[self.line.start : start], *types, *self.types[stop : goal + 1]]
        return stop <= goal and self._before_line.allows(changed)

    def helped(self, start: int, stop: int, types: Sequence[str]) -> bool:
        """Whether the same change lets at least two more words be read."""
        if not start <= self.index <= stop + 1 or self.type in LAYOUT:
            return False
        further = self.types[max(stop, self.index + 1) : max(stop, self.index + 1) + 2]
        between = self.types[stop : self.index + 1]
        return self._before_line.allows([*self.types[self.line.start : start], *types, *between, *further])

    def span(self, start: int | None = None, stop: int | None = None) -> Span:
        """The span of some tokens, or of the one that does not fit."""
        first = self.index if start is None else start
        last = (self.index + 1 if stop is None else stop) - 1
        if first >= len(self.tokens):
            end = _end(self.tokens[-1])
            return Span(self.source, end, end)
        return Span(self.source, _start(self.tokens[first]), _end(self.tokens[last]))

    def header_span(self) -> Span:
        """The last line before the error."""
        stop = self.index
        while stop > 1 and self.types[stop - 1] in LAYOUT:
            stop -= 1
        start = stop - 1
        while start > 0 and self.types[start - 1] not in LAYOUT:
            start -= 1
        return self.span(start, stop)

    @cached_property
    def at_end(self) -> bool:
        """Nothing follows in the whole text but space and comments."""
        if any(t not in LAYOUT for t in self.types[self.index :]):
            return False
        found = _BLANK.match(self.source.text, _end(self.tokens[-1]))
        return found is not None and found.end() == len(self.source.text)

    @cached_property
    def line_end(self) -> int:
        """The place right behind the last word of the line."""
        return next(i for i in range(self.line.start, len(self.types)) if self.types[i] in LAYOUT)

    @cached_property
    def _goal(self) -> int:
        """The token that must be reached for the line to count as read."""
        if self.type in LAYOUT:
            return self.index
        return self.types.index("_NL", self.index)

    @cached_property
    def _here(self) -> Cursor:
        cursor = self._before_line.copy()
        cursor.feed(self.types[self.line.start : self.index])
        return cursor

    @cached_property
    def _before_line(self) -> Cursor:
        cursor = Cursor()
        cursor.feed(self.types[: self.line.start])
        return cursor


def shorten(text: str) -> str:
    """A text on one line, and not too long for a message."""
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST_SHOWN else words[: _LONGEST_SHOWN - 3] + "..."


def _start(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


def _end(token: Token) -> int:
    assert token.end_pos is not None
    return token.end_pos
