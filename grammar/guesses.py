"""Guesses at what an author meant: each changes a few words, and counts only if the line can then be read.

In: a `Failure`. Out: what was written, what could be written instead, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from grammar.failure import Failure, shorten
from grammar.layout import lex
from grammar.mistake import Mistake
from grammar.mistakes import MISTAKES
from grammar.parser import keywords
from rules.span import Source, Span

# Declarations that hold hardly anything but new names.
_DECLARING = frozenset({"documents", "outline", "type", "kind", "let", "state", "piles", "pool", "map", "die"})
# In others, a new name stands right after these words.
_BEFORE_NAME = frozenset(
    [
        "rule",
        "reading",
        "phase",
        "step",
        "passage",
        "chapter",
        "story",
        "policy",
        "ruling",
        "table",
        "rank",
        "value",
        "action",
        "procedure",
        "sight",
        "window",
        "option",
    ]
)
# After these words stands nothing but a name, so that it may have had small words in it.
_NAMING = frozenset({"rule", "reading", "phase", "step", "passage", "chapter", "story", "policy", "ruling"})
_IN_NAMES = frozenset(
    {"and", "as", "at", "by", "for", "from", "in", "into", "no", "of", "on", "onto", "or", "over", "to", "up", "with"}
)
# Words of the language that an author may well have taken for a name of his own.
_NOUNS = frozenset(
    [
        "action",
        "actions",
        "bag",
        "end",
        "first",
        "highest",
        "lowest",
        "number",
        "option",
        "order",
        "phase",
        "policy",
        "reading",
        "rest",
        "rule",
        "set",
        "source",
        "step",
        "times",
        "total",
        "turns",
        "window",
    ]
)
_LONGEST_NAME = 5
_LONGEST_WORD = 16


@dataclass(frozen=True, slots=True)
class Guess:
    span: Span
    word: str
    right: str


@dataclass(frozen=True, slots=True)
class _Swap:
    wrong: tuple[str, ...]
    right: str
    types: tuple[str, ...]
    mistake: Mistake


def swapped(failure: Failure) -> tuple[Mistake, Guess] | None:
    """Wrong words from the table of mistakes, those nearest to the error first."""
    return _swapped(failure, failure.mended)


def half_swapped(failure: Failure) -> tuple[Mistake, Guess] | None:
    """The same, where something else on the line is wrong too."""
    return _swapped(failure, failure.helped)


def _swapped(failure: Failure, works: Callable[[int, int, Sequence[str]], bool]) -> tuple[Mistake, Guess] | None:
    for start in reversed(failure.line):
        for swap in _swaps().get(text_at(failure, start), ()):
            stop = start + len(swap.wrong)
            words = tuple(text_at(failure, i) for i in range(start, stop))
            if words == swap.wrong and _in_place(failure, swap, start) and works(start, stop, swap.types):
                return swap.mistake, Guess(failure.span(start, stop), shorten(" ".join(words)), swap.right)
    return None


def _in_place(failure: Failure, swap: _Swap, start: int) -> bool:
    mistake = swap.mistake
    if mistake.inside and failure.declaration not in mistake.inside:
        return False
    if mistake.where == "first":
        return start == failure.line.start
    before = range(failure.line.start, start)
    return not mistake.where or any(text_at(failure, i) == mistake.where for i in before)


def misspelt(failure: Failure) -> Guess | None:
    """A name that is nearly a word of the language, and cannot stand here as a name."""
    for works in (failure.mended, failure.helped):
        for start in reversed(failure.line):
            word = text_at(failure, start)
            if not word.isalpha() or len(word) > _LONGEST_WORD:
                continue
            for near in _near_keywords(word, failure.types[start] == "NAME"):
                if works(start, start + 1, (keywords()[near],)):
                    return Guess(failure.span(start, start + 1), word, near)
    return None


def declares(failure: Failure, index: int) -> bool:
    """Whether a name at this place would be a new one."""
    return failure.declaration in _DECLARING or (index > 0 and text_at(failure, index - 1) in _BEFORE_NAME)


def word_as_name(failure: Failure) -> bool:
    """A word of the language stands where a name could; where none is declared, a word that one would take for it."""
    is_word = failure.type != "NAME" and failure.word[:1].isalpha()
    likely = failure.word in _NOUNS or declares(failure, failure.index)
    return is_word and likely and failure.mended(failure.index, failure.index + 1, ("NAME",))


def joined(failure: Failure) -> Guess | None:
    """Several words that could be one name: a new one, or one that `of` follows, as in `victory points of p`."""
    for start in reversed(failure.line):
        if failure.types[start] != "NAME":
            continue
        new = declares(failure, start)
        named = start > 0 and text_at(failure, start - 1) in _NAMING
        for stop in range(start + 2, min(start + _LONGEST_NAME, len(failure.tokens)) + 1):
            last = text_at(failure, stop - 1)
            if new and last == "-":
                continue
            if not (failure.types[stop - 1] == "NAME" or (named and last in _IN_NAMES)):
                break
            if not new and text_at(failure, stop) != "of":
                continue
            if stop >= failure.index and failure.mended(start, stop, ("NAME",)):
                words = [text_at(failure, i) for i in range(start, stop)]
                right = "_".join(word for word in words if word != "-")
                return Guess(failure.span(start, stop), shorten(" ".join(words)), shorten(right))
    return None


def missing_of(failure: Failure) -> Guess | None:
    """Two names that could be parted by `of`."""
    first = _parted(failure, "of")
    if first is None:
        return None
    thing, owner = text_at(failure, first), text_at(failure, first + 1)
    # `p coins` is said by those who think of the owner first; variables have short names.
    right = f"{owner} of {thing}" if len(thing) <= 2 < len(owner) else f"{thing} of {owner}"
    return Guess(failure.span(first, first + 2), shorten(f"{thing} {owner}"), shorten(right))


def missing_comma(failure: Failure) -> Guess | None:
    """Two names that could be parted by a comma."""
    first = _parted(failure, ",")
    if first is None:
        return None
    one, two = text_at(failure, first), text_at(failure, first + 1)
    return Guess(failure.span(first, first + 2), shorten(f"{one} {two}"), shorten(f"{one}, {two}"))


def row_without_colon(failure: Failure) -> bool:
    """Rows stand below a roll, and the colon at its end is missing."""
    if failure.type != "_INDENT" or "_NL" not in failure.types[failure.index :]:
        return False
    row_end = failure.types.index("_NL", failure.index)
    line_end = failure.index - 1
    return failure.fits(line_end, line_end, (keywords()[":"],), row_end)


def _parted(failure: Failure, mark: str) -> int | None:
    """The place of two names that this word or mark could part."""
    for first in reversed(failure.line):
        pair = failure.types[first : first + 2]
        if pair == ["NAME", "NAME"] and failure.mended(first, first + 2, ("NAME", keywords()[mark], "NAME")):
            return first
    return None


def text_at(failure: Failure, index: int) -> str:
    return str(failure.tokens[index]) if index < len(failure.tokens) else ""


@cache
def _swaps() -> dict[str, tuple[_Swap, ...]]:
    """By the first wrong word; the longest first, then those for some declarations only."""
    found: dict[str, list[_Swap]] = {}
    for mistake in MISTAKES:
        for wrong, right in mistake.swaps:
            words = tuple(word for word, _ in _words_with_types(wrong))
            types = words_of_text(right)
            found.setdefault(words[0], []).append(_Swap(words, right, types, mistake))
    return {
        word: tuple(sorted(swaps, key=lambda s: (-len(s.wrong), not s.mistake.inside))) for word, swaps in found.items()
    }


@lru_cache(maxsize=256)
def words_of_text(text: str) -> tuple[str, ...]:
    """The types of the words and marks of a piece of a line."""
    return tuple(token_type for _, token_type in _words_with_types(text))


def _words_with_types(text: str) -> list[tuple[str, str]]:
    """The words and marks of a piece of a line, as if it stood where all of them belong."""
    tokens = lex(Source("", text), keywords()).tokens
    return [
        (str(token), keywords().get(str(token), token.type)) for token in tokens if token.type[0] != "_" or str(token)
    ]


@lru_cache(maxsize=4096)
def _near_keywords(word: str, is_name: bool) -> tuple[str, ...]:
    """Words of the language that differ in one slip of the pen, or in two if a name is long; the nearest first."""
    if not is_name and len(word) < 5:
        return ()
    if is_name and word.lower() != word and word.lower() in keywords():
        return (word.lower(),)
    slips = 2 if is_name and len(word) >= 6 else 1
    near = []
    for keyword in keywords():
        if not keyword.isalpha() or keyword == word or abs(len(keyword) - len(word)) > slips:
            continue
        distance = _slips(word, keyword)
        if distance <= slips and (len(word) > 2 or len(keyword) == 3 or sorted(word) == sorted(keyword)):
            near.append((distance, keyword))
    return tuple(keyword for _, keyword in sorted(near))


def _slips(a: str, b: str) -> int:
    """Letters left out, put in, changed, or two neighbours exchanged."""
    rows = [list(range(len(b) + 1))]
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
