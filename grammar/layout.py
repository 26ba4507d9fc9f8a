"""Text to tokens: words, marks and layout.

In: a `Source`. Out: `Lexed`, the tokens of `ludex.lark` with `_NL`, `_INDENT` and `_DEDENT` set from the indentation,
the comments apart, and a diagnostic for each line with something that is no token. Afterwards every token has its
offsets, brackets are balanced or reported, and no statement is nested so deeply that a recursive pass over it could
fail.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lark.lexer import Token

from grammar.mistake_marks import REACH, glued, help_for
from rules.diagnostics import Diagnostic
from rules.span import Source, Span

# The next line, indented deeper, goes on with the last one when it begins with one of these ...
CONTINUES_BEFORE = frozenset(
    {"and", "or", "unless", "even", "cites", "restates", "overrides", "among", "because", "against"}
)
# ... or when the last one ends in one of these.
CONTINUES_AFTER = frozenset({"and", "or", "when", "where", "unless", "if", ",", "+", "-", "*", "(", "{"})

# Words that only begin a declaration: words of the language at the left margin, names anywhere else.
HEADS = frozenset(
    [
        "game",
        "import",
        "documents",
        "outline",
        "precedence",
        "type",
        "kind",
        "let",
        "state",
        "piles",
        "pool",
        "map",
        "sight",
        "die",
        "play",
        "procedure",
        "value",
        "table",
        "rank",
        "story",
        "ruling",
        "note",
        "question",
        "claim",
        "scenario",
    ]
)

# Words that are only used in one sort of declaration: names in all others.
LOCAL = {
    word: heads
    for heads, words in {
        ("game",): "played",
        ("documents",): "language",
        ("outline",): "line lines section states",
        ("precedence",): "assume authority explicit listed simultaneous undecided",
        ("map",): "links",
        ("sight",): "blocked touching",
        ("policy", "scenario"): "default",
    }.items()
    for word in words.split()
}

# A statement may hold this many operators and open brackets; a block may stand this deep, where `otherwise if` counts
# as one step deeper than the `if` before it. The passes that follow walk statements and expressions by recursion: with
# these bounds they cannot run out of stack.
MAX_OPERATORS = 150
MAX_DEPTH = 30
# How many levels of a tree each word can add: an event inside an expression adds several.
_NESTING = dict.fromkeys(("and", "or", "not", "+", "-", "*", "/", "of", "(", "{", "where", "is", "satisfies"), 1) | {
    "times": 3,
    "happened": 3,
}
MAX_DIGITS = 9

_MASTER = r"""(?P<newline>\n)
    | (?P<space>[ ]+)
    | (?P<comment>\#[^\n]*)
    | (?P<word>[^\W\d][\w<marks>]*)
    | (?P<glued>[0-9]+[^\W\d][\w<marks>]*)
    | (?P<int>[0-9]+)
    | (?P<string>"[^"\\\n]*(?:\\["\\n][^"\\\n]*)*")
    | (?P<slashes>/[/*][^\n]*)
    | (?P<mark>\.\.|->|<=|>=|[-+*/<>,:(){}])
    | (?P<tab>\t+)
    | (?P<openstring>"[^\n]*)
    | (?P<other>.)"""
_CLOSER = {"(": ")", "{": "}"}
_UNSEEN = re.compile("VARIATION SELECTOR|GRAPHEME JOINER|VOWEL INHERENT")


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment without its `#`; `alone` when nothing else stands on its line."""

    text: str
    line: int
    alone: bool


@dataclass(frozen=True, slots=True)
class Lexed:
    tokens: list[Token]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


def lex(source: Source, keywords: dict[str, str]) -> Lexed:
    """`keywords` gives the token type of each word and mark of the language."""
    return _Lexer(source, keywords).run()


@lru_cache(maxsize=16)
def _master(marks: str) -> re.Pattern[str]:
    return re.compile(_MASTER.replace("<marks>", marks), re.VERBOSE)


def _marks_in(text: str) -> str:
    """The combining marks of a text, such as the vowel signs of Hindi, which a name may go on with.

    `\\w` has none of them. Those that cannot be seen are left out: names that look alike must be alike.
    """
    if text.isascii():
        return ""
    found = [letter for letter in set(text) if unicodedata.category(letter) in ("Mn", "Mc")]
    return "".join(sorted(letter for letter in found if not _UNSEEN.search(unicodedata.name(letter, ""))))


class _Lexer:
    def __init__(self, source: Source, keywords: dict[str, str]) -> None:
        self.source = source
        self.keywords = keywords
        self.tokens: list[Token] = []
        self.comments: list[Comment] = []
        self.diagnostics: list[Diagnostic] = []
        self.indents = [0]
        self.branches = [0]  # per open block: how many `otherwise` hang on its last statement
        self.brackets: list[tuple[str, int]] = []
        self.operators = 0
        self.last_end = 0
        self.tab_seen = False  # a text with one tab mostly has many: one message for all
        self.head = ""  # the word that the current declaration begins with
        self.bad_line = 0  # the last line with a mark that means nothing: one message for each such line

    def run(self) -> Lexed:
        text = self.source.text
        keywords = self.keywords
        tokens = self.tokens
        line = 1
        line_start = 0
        fresh = True  # nothing but space so far on this line
        tabs = 0  # a tab in front of a line counts as four spaces, so that the lines after it still make sense
        pending = False  # a line has ended, its _NL is not yet set
        for match in _master(_marks_in(text)).finditer(text):
            kind = match.lastgroup
            if kind == "space":
                continue
            start, end = match.span()
            if kind == "newline":
                if not fresh:
                    pending = True
                line += 1
                line_start = end
                fresh = True
                tabs = 0
                continue
            if kind == "comment":
                self.comments.append(Comment(match.group()[1:].strip(), line, fresh))
                continue
            word = match.group()
            if kind == "slashes":
                self._bad(kind, word[:2], line, start, start + 2)
                continue
            if kind == "tab":
                self._tab(start, end)
                tabs += end - start if fresh else 0
                continue
            if fresh:
                fresh = False
                if tokens or start > line_start:
                    self._start_line(word, start - line_start + 3 * tabs, start, pending)
                pending = False
            if kind == "word":
                if start == line_start:
                    self.head = word
                known = start == line_start if word in HEADS else word not in LOCAL or self.head in LOCAL[word]
                token_type = keywords.get(word, "NAME") if known else "NAME"
            elif kind == "int":
                token_type = "INT"
                if end - start > MAX_DIGITS:
                    self._report("LX018", f"this number has more than {MAX_DIGITS} digits", start, end)
            elif kind == "string":
                token_type = "STRING"
            elif kind == "mark":
                token_type = keywords[word]
                if word in "(){}":
                    self._bracket(word, start)
            else:
                self._bad(kind, word, line, start, end)
                continue
            if word in _NESTING and not (word == "-" and self.head == "map"):  # links are a list, however long
                self._count_operator(_NESTING[word], start, end)
            tokens.append(Token(token_type, word, start, None, None, None, None, end))
            self.last_end = end
        self._finish()
        return Lexed(tokens, tuple(self.comments), tuple(self.diagnostics))

    def _start_line(self, word: str, width: int, start: int, pending: bool) -> None:
        if self.brackets and (width > 0 or word in ")}"):
            return
        if self.brackets:  # a new declaration begins: the bracket was never closed
            self._unclosed()
        continued = width > self.indents[-1] and (
            word in CONTINUES_BEFORE or (bool(self.tokens) and str(self.tokens[-1]) in CONTINUES_AFTER)
        )
        if continued:
            return
        if pending:
            self._end_line()
        self.operators = 0
        if width > self.indents[-1]:
            self._open_block(width, start)
            self._check_depth(start, start + len(word))
            return
        above = self.indents.copy()
        while width < self.indents[-1]:
            self.indents.pop()
            self.branches.pop()
            self._layout("_DEDENT")
        if width != self.indents[-1]:
            self._report(
                "LX012",
                "this line is indented like none of the blocks that it could belong to",
                start - width,
                start,
                help=f"the blocks above are indented by {', '.join(map(str, above[:-1]))} and {above[-1]} spaces",
            )
            self._open_block(width, start)
        elif word == "otherwise":
            self.branches[-1] += 1
            self._check_depth(start, start + len(word))
        else:
            self.branches[-1] = 0

    def _open_block(self, width: int, start: int) -> None:
        self.indents.append(width)
        self.branches.append(0)
        self._layout("_INDENT", start)

    def _check_depth(self, start: int, end: int) -> None:
        if len(self.indents) - 1 + sum(self.branches) == MAX_DEPTH + 1:
            self._report(
                "LX014",
                f"blocks stand more than {MAX_DEPTH} deep here",
                start,
                end,
                help="give a part of it a name with `procedure`, or use a `table` instead of many `otherwise if`",
            )

    def _finish(self) -> None:
        if self.brackets:
            self._unclosed()
        self._end_line()
        for _ in self.indents[1:]:
            self._layout("_DEDENT")

    def _end_line(self) -> None:
        """A line on which nothing could be read has no end either."""
        if self.tokens and self.tokens[-1].type not in ("_NL", "_INDENT", "_DEDENT"):
            self._layout("_NL")

    def _layout(self, token_type: str, start: int | None = None) -> None:
        place = self.last_end if start is None else start
        self.tokens.append(Token(token_type, "", place, None, None, None, None, place))

    def _bracket(self, mark: str, start: int) -> None:
        if mark in "({":
            self.brackets.append((mark, start))
        elif self.brackets and _CLOSER[self.brackets[-1][0]] == mark:
            self.brackets.pop()
        else:
            self._report("LX015", f"nothing is open that `{mark}` could close", start, start + 1)

    def _unclosed(self) -> None:
        mark, start = self.brackets[0]
        self._report("LX015", f"`{mark}` is never closed", start, start + 1, help=f"add `{_CLOSER[mark]}`")
        self.brackets.clear()

    def _count_operator(self, weight: int, start: int, end: int) -> None:
        before = self.operators
        self.operators += weight
        if before <= MAX_OPERATORS < self.operators:
            self._report(
                "LX013",
                f"this statement has more than {MAX_OPERATORS} operators and brackets",
                start,
                end,
                help="name a part of it with `value`, and use the name here",
            )

    def _tab(self, start: int, end: int) -> None:
        if not self.tab_seen:
            self.tab_seen = True
            self._report("LX011", "a tab stands here; indent with spaces", start, end, help="`ludex fmt` replaces tabs")

    def _bad(self, kind: str | None, word: str, line: int, start: int, end: int) -> None:
        if self.bad_line == line:
            return
        self.bad_line = line
        if kind == "openstring":
            self._report("LX016", "this text is never closed", start, end, help='end it with `"` on the same line')
            return
        text = self.source.text
        before = text[max(text.rfind("\n", 0, start) + 1, start - REACH) : start]
        if kind == "glued":
            message, hint = glued(word, before)
            self._report("LX018", message, start, end, help=hint)
            return
        shown = f"`{word}`" if word.isprintable() else f"the invisible mark U+{ord(word):04X}"
        after = text[end : end + REACH].partition("\n")[0]
        right = "a comment begins with `#`" if kind == "slashes" else help_for(word, before, after, self.head)
        self._report("LX017", f"{shown} means nothing in the rule language", start, end, help=right)

    def _report(self, code: str, message: str, start: int, end: int, help: str | None = None) -> None:
        self.diagnostics.append(Diagnostic(code, message, Span(self.source, start, end), help=help))


def split_declarations(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens of each declaration: a line that is not indented, and the block under it."""
    current: list[Token] = []
    depth = 0
    for token in tokens:
        ended = depth == 0 and current and current[-1].type in ("_NL", "_DEDENT")
        if ended and token.type not in ("_INDENT", "_DEDENT"):
            yield current
            current = []
        if token.type == "_INDENT":
            depth += 1
        elif token.type == "_DEDENT":
            depth -= 1
        current.append(token)
    if current:
        yield current
