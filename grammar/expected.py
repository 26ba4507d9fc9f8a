"""What could have stood at some place, in words: from a set of token types to a short list for the author."""

from __future__ import annotations

from functools import cache

from grammar.parser import keywords, words_of
from grammar.recognise import END

MOST_ITEMS = 6

_WORDS = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    END: "the end of the text",
}

# Words that are told as one: when all of a group could stand there, its name is shown and not its words.
_GROUPS: tuple[tuple[str, str], ...] = (
    ("a new declaration, such as `rule` or `kind`", "rule kind state action question"),
    ("a statement", "roll draw each if repeat"),
    ("a condition", "not some every during yes ("),
    ("a value", "yes none number total highest lowest ("),
    ("`when`, `unless` or `even if`", "when unless even"),
    ("a comparison, such as `is` or `>=`", "is < <= > >="),
    ("`and` or `or`", "and or"),
    ("reckoning with `+`, `-`, `*` or `/`", "+ - * /"),
    ("a clause, such as `cites`", "cites restates overrides among supplied"),
    ("a word such as `to` or `from` and what it joins", "by to from with onto using"),
)
# What a group stands for besides: told with it, so not told again.
_IMPLIED: dict[str, str] = {
    "a new declaration, such as `rule` or `kind`": "game import documents outline precedence type let piles pool map "
    "sight die play procedure value table rank story policy ruling note claim scenario",
    "a statement": "move shuffle reveal pay consult window end disable go read return ending nobody nothing phase step "
    "turns after",
    "a condition": "no none nobody number total highest lowest times happened { -",
    "a value": "no times { -",
    "a clause, such as `cites`": "source",
    "a word such as `to` or `from` and what it joins": "at on into for against through as",
}
_NAMES_TOO = frozenset({"a statement", "a condition", "a value"})


def in_words(types: frozenset[str]) -> str:
    """At most six items, the most telling first."""
    items = _items(types)
    if len(items) > MOST_ITEMS:
        items = items[:MOST_ITEMS]
        return ", ".join(items) + " and others"
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " or " + items[-1]


def _items(types: frozenset[str]) -> list[str]:
    left = set(types)
    grouped: list[str] = []
    for name, members in _group_types():
        if members <= left:
            grouped.append(name)
            left -= members
            left -= _types_of(_IMPLIED.get(name, ""))
            if name in _NAMES_TOO:
                left -= {"NAME", "INT"}
    plain = [_WORDS[t] for t in ("NAME", "INT", "STRING", "_INDENT") if t in left]
    layout = [_WORDS[t] for t in ("_NL", "_DEDENT", END) if t in left]
    left -= _WORDS.keys()
    words = sorted(words_of(t) for t in left)
    # Words are named before marks, and groups with many members after both: they say least about this very place.
    words.sort(key=lambda w: not w[0].isalpha())
    return plain + [f"`{w}`" for w in words] + grouped + layout


@cache
def _group_types() -> tuple[tuple[str, frozenset[str]], ...]:
    return tuple((name, _types_of(words)) for name, words in _GROUPS)


@cache
def _types_of(words: str) -> frozenset[str]:
    return frozenset(keywords()[w] for w in words.split())
