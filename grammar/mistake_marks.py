"""What to write instead of a mark that means nothing: `help_for`.

In: the mark, what stands before and after it on its line, and the word that the declaration begins with. Out: the help
of a diagnostic, or nothing. Only the next words on either side are looked at, so a long line costs no more than a short
one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

REACH = 60
_LONGEST_NAME = 24

_WORD_BEFORE = re.compile(r"([^\W\d]\w*)$")
_WORD_AFTER = re.compile(r"([^\W\d]\w*)")
_IS_NOT = re.compile(r"\b(is|are|was|were)n$")
_CANNOT = re.compile(r"\b(can|don|doesn|won|mustn|shouldn|couldn|mayn)$")
_CITED = re.compile(r"\bcites\b[^#]*$")
_PAGE = re.compile(r"\b(p|pp|pg|page|s)$")
_RANGE_END = re.compile(r"\.\.[0-9]+$")

_QUOTES = 'text stands in straight double quotes: "..."'
_LINE_ENDS = "a line ends a statement; no mark is needed"

_PLAIN = {
    "?": 'a question stands in quotes: `question "..."`',
    "≤": "write `<=`",
    "≥": "write `>=`",
    "≠": "write `is not`",
    "\u00d7": "write `*`",
    "÷": "write `/`, and how it is rounded: `a / b rounded down`",
    "\u2212": "write `-`",
    "→": "write `->`",
    ";": _LINE_ENDS,
    "[": "use round brackets",
    "]": "use round brackets",
    "&": "write `and`",
    "|": "write `or`",
    "…": "write two dots: `..`",
    "•": "no mark stands in front of a line",
    "§": 'cite the title of a section in quotes, `cites book "Storms"`, or the number of a line',
} | dict.fromkeys("“”„‟«»\u2039\u203a`", _QUOTES)


def help_for(mark: str, before: str, after: str, head: str) -> str | None:
    special = _SPECIAL.get(mark)
    return special(before, after, head) if special else _PLAIN.get(mark)


def glued(word: str, before: str) -> tuple[str, str]:
    """The message and the help for a number with letters right behind it, such as `2d6` or `3rd_isle`."""
    digits = re.match(r"[0-9]+", word)
    assert digits is not None
    number, rest = digits.group(), word[digits.end() :]
    if _CITED.search(before):
        return (
            "a line of a document is a number, without letters",
            "write `cites book 12`, or the title of a section in quotes",
        )
    if re.fullmatch(r"d[0-9]+", rest) and len(word) <= _LONGEST_NAME:
        return "between the number of dice and the die a space is missing", f"write `{number} {rest}`"
    if len(word) > _LONGEST_NAME:
        return "a name cannot begin with a digit", "put a letter or `_` in front"
    return (
        f"a name cannot begin with a digit, as `{word}` does",
        f"take another name, such as `{rest}`; for {number} copies of it write `{number} {rest}`",
    )


def _apostrophe(before: str, after: str, _head: str) -> str:
    if re.match(r"t\b", after):
        if _IS_NOT.search(before):
            return "write `is not`"
        if _CANNOT.search(before):
            return "write `cannot`"
    if re.match(r"s\b", after):
        return "to say whose it is write `of`: `coins of p`"
    joined = _joined(before, after, "{0}_{1}")
    return f"a name has only letters, digits and `_`: write `{joined}`" if joined else _QUOTES


def _dot(before: str, after: str, head: str) -> str:
    if head == "import":
        return 'put the path in quotes: `import "harbour.rules"`'
    if not after:
        return _LINE_ENDS
    if _CITED.search(before):
        if _PAGE.search(before):
            return "cite the number of the line, not of the page: `cites book 12`"
        if before[-1].isdigit():
            return 'cite the title of the section in quotes, `cites book "Storms"`, or the number of a line'
    if _RANGE_END.search(before):
        return "all numbers are whole: write `0..2`"
    if before[-1:].isdigit() and after[0].isdigit():
        return "all numbers are whole; for a range write two dots: `1..6`"
    owned = _joined(before, after, "{1} of {0}")
    return f"to say whose it is write `of`: `{owned}`" if owned else "write two dots for a range: `1..6`"


def _exclamation(_before: str, after: str, _head: str) -> str:
    if after.startswith("="):
        return "write `is not`"
    return "write `not`" if after.strip() else _LINE_ENDS


def _percent(before: str, _after: str, _head: str) -> str:
    if before[-1:].isdigit():
        return "numbers are whole; write a fraction as `a / b rounded down`"
    return "for what is left by a division write `remainder of (a, b)`"


def _equals(before: str, after: str, head: str) -> str:
    change = {"+": "increases", "-": "decreases"}.get(before.rstrip()[-1:])
    if change:
        amount = re.match(r"\s*(\w+)", after)
        return f"write `{change} by {amount[1] if amount and len(amount[1]) <= _LONGEST_NAME else '1'}`"
    if after.startswith("="):
        return "to compare write `is`"
    if after[:1] in ("<", ">") and after[:1]:
        return f"write `{after[0]}=`"
    if before.rstrip().endswith(":"):
        return "to set write `becomes`"
    return _EQUALS.get(head, "to compare write `is`, to set write `becomes`")


def _dash(before: str, after: str, head: str) -> str:
    if head == "map":
        return "join places with a plain `-`: `links mill - island`"
    if before.rstrip()[-1:].isdigit() and after.lstrip()[:1].isdigit():
        return "write `..` for a range"
    return "write `..` for a range, `-` for minus"


def _joined(before: str, after: str, form: str) -> str | None:
    """The words on both sides of the mark, put together, if there are such and they are short."""
    left, right = _WORD_BEFORE.search(before), _WORD_AFTER.match(after)
    if left is None or right is None or len(left[1]) > _LONGEST_NAME or len(right[1]) > _LONGEST_NAME:
        return None
    return form.format(left[1], right[1])


_EQUALS = dict.fromkeys(
    ("state", "kind"), "give a range, and the first value with `starts`: `coins 0..20 starts 3`"
) | {
    "piles": "the first content is given with `starts`: `deck starts Card`",
    "pool": "the first number is given with `starts`: `supply starts 3`",
    "let": "write `be`: `let p be Player`",
    "type": "write `is`: `type Weather is calm, storm`",
    "die": "write `is`: `die agility is fail, success`",
}

_SPECIAL: dict[str, Callable[[str, str, str], str]] = {
    "'": _apostrophe,
    "\u2018": _apostrophe,
    "\u2019": _apostrophe,
    ".": _dot,
    "!": _exclamation,
    "%": _percent,
    "=": _equals,
    "\u2013": _dash,
    "\u2014": _dash,
}
