"""Values as people write them in state files and moves: `storm`, `Player 1`, `Cell 2,2`, `-3`, `[gust, 2 breeze]`.

In: a source and a place in it. Out: a `Term` with its span, or `Unreadable`. What a term means is not asked here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from rules.span import Source, Span


@dataclass(frozen=True, slots=True)
class Word:
    """The name of a thing or a value, with one space between its parts."""

    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Copies:
    """So many of one title or value: `2 breeze`."""

    count: int
    of: Word
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Listing:
    """Several in brackets: `[` where their order counts, `{` where it does not."""

    bracket: Literal["[", "{"]
    items: tuple[Word | Number | Copies, ...]
    span: Span = field(compare=False, repr=False)


Term = Word | Number | Listing


class Unreadable(ValueError):  # noqa: N818
    """A text that is no term, in one line, and the place of it."""

    def __init__(self, message: str, span: Span, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.help = help


_NAME = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"-?\d+(?!\w)")
_DIGITS = re.compile(r"[ \t]+\d+(?!\w)")
_COLUMN = re.compile(r",\d+(?!\w)")
_OTHER = re.compile(r"\w+|\S")
_BLANKS = re.compile(r"[ \t]*")
_LINES = re.compile(r"(?:\s|#[^\n]*)*")
_CLOSING: dict[Literal["[", "{"], str] = {"[": "]", "{": "}"}
_MOST_DIGITS = 9


class Reader:
    """Reads terms from a place on. A line ends at a new line or a comment; an open bracket goes on over both."""

    def __init__(self, source: Source, at: int = 0, end: int | None = None) -> None:
        self.source = source
        self.at = at
        self.end = len(source.text) if end is None else end

    def blanks(self) -> None:
        self._over(_BLANKS)

    @property
    def at_line_end(self) -> bool:
        self.blanks()
        return self.at >= self.end or self.source.text[self.at] in "\n#"

    def next_is(self, mark: str) -> bool:
        self.blanks()
        return self.source.text.startswith(mark, self.at, self.end)

    def mark(self, mark: str) -> bool:
        """Goes past a mark, if it stands here."""
        if not self.next_is(mark):
            return False
        self.at += len(mark)
        return True

    def name(self) -> Word | None:
        """Goes past one word, if one stands here."""
        self.blanks()
        found = _NAME.match(self.source.text, self.at, self.end)
        if found is None:
            return None
        word = self._word(found.end())
        self.at = found.end()
        return word

    def keyword(self, word: str) -> bool:
        """Goes past this very word, if it stands here."""
        before = self.at
        found = self.name()
        if found is not None and found.text == word:
            return True
        self.at = before
        return False

    def next(self) -> Span:
        """What stands here, as far as it hangs together; nothing at the end of a line."""
        if self.at_line_end:
            return self.span(self.at)
        found = _OTHER.match(self.source.text, self.at, self.end)
        return self.span(found.end() if found is not None else self.at)

    def span(self, end: int) -> Span:
        return Span(self.source, self.at, end)

    def names(self) -> list[Word]:
        """All names that begin here, the longest first: `Cell 2,2`, `Cell 2`, `Cell`. The place stays."""
        self.blanks()
        text = self.source.text
        found = _NAME.match(text, self.at, self.end)
        ends: list[int] = []
        for pattern in (_DIGITS, _COLUMN):
            if found is None:
                break
            ends.append(found.end())
            found = pattern.match(text, found.end(), self.end)
        if found is not None:
            ends.append(found.end())
        return [self._word(end) for end in reversed(ends)]

    def term(self) -> Term:
        """Raises `Unreadable`, and stays where it is, where no term stands."""
        self.blanks()
        for bracket in _CLOSING:
            if self.next_is(bracket):
                return self._listing(bracket)
        words = self.names()
        if words:
            self.at = words[0].span.end
            return words[0]
        number = self.number()
        if number is not None:
            return number
        raise self.wrong("a value should stand here")

    def number(self) -> Number | None:
        self.blanks()
        found = _NUMBER.match(self.source.text, self.at, self.end)
        if found is None:
            return None
        span = self.span(found.end())
        if len(found.group().lstrip("-")) > _MOST_DIGITS:
            raise Unreadable(f"this number has more than {_MOST_DIGITS} digits", span)
        self.at = found.end()
        return Number(int(found.group()), span)

    def wrong(self, expected: str) -> Unreadable:
        """That something else stands here than was expected."""
        here = self.next()
        if not here.text:
            return Unreadable(expected, here)
        hint = "names stand without quotation marks" if here.text in ('"', "'") else None
        return Unreadable(f"{expected}, not `{here.text}`", here, hint)

    def _listing(self, bracket: Literal["[", "{"]) -> Listing:
        start, closing = self.at, _CLOSING[bracket]
        opening = self.span(self.at + 1)
        self.at += 1
        items: list[Word | Number | Copies] = []
        while True:
            line = opening.line if not items else items[-1].span.line
            self._over(_LINES)
            if self.mark(closing):
                return Listing(bracket, tuple(items), Span(self.source, start, self.at))
            if items:
                if not self.mark(","):
                    self._refuse(opening, closing, line)
                self._over(_LINES)
            if self.at >= self.end:
                raise Unreadable(f"`{bracket}` is never closed", opening, f"put `{closing}` after the last of them")
            items.append(self._item())

    def _refuse(self, opening: Span, closing: str, line: int) -> None:
        here = self.next()
        if not here.text or here.line > line or here.text in ("is", "of"):  # the next line of the file has begun
            raise Unreadable(f"`{opening.text}` is never closed", opening, f"put `{closing}` after the last of them")
        raise self.wrong(f"`,` or `{closing}` should stand here")

    def _item(self) -> Word | Number | Copies:
        start = self.at
        number = self.number()
        if number is not None:
            words = self._within_list()
            if words is None:
                return number
            return Copies(number.value, words, Span(self.source, start, self.at))
        word = self._within_list()
        if word is None:
            raise self.wrong("a name or a number should stand here")
        return word

    def _within_list(self) -> Word | None:
        """In `[squall 2,2 breeze]` the second number belongs to what follows it."""
        words = self.names()
        if not words:
            return None
        chosen = words[0]
        if len(words) == 3 and re.match(r"[ \t]*\w", self.source.text[chosen.span.end : self.end]):
            chosen = words[1]
        self.at = chosen.span.end
        return chosen

    def _word(self, end: int) -> Word:
        span = self.span(end)
        return Word(" ".join(span.text.split()), span)

    def _over(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.source.text, self.at, self.end)
        if found is not None:
            self.at = found.end()
