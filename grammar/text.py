"""Text to declarations: `parse_text`.

In: a `Source`. Out: `ParsedText`. Afterwards each declaration of the text either stands in `declarations`, as a typed
node with spans, or has one diagnostic that says where it cannot be read; a mistake in one never hides another.
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lark import Token

from grammar.build import declarations_from_tree
from grammar.layout import Comment, Lexed, lex, split_declarations
from grammar.parser import UnexpectedToken, keywords, parse_tokens
from grammar.syntax_errors import describe
from rules import model as m
from rules.diagnostics import Diagnostic
from rules.span import Source, Span

# Parsing makes many small objects and no cycles; without the collector a big text takes two thirds of the time.
_BIG = 50_000


@dataclass(frozen=True, slots=True)
class ParsedText:
    source: Source
    declarations: tuple[m.Declaration, ...]
    comments: tuple[Comment, ...]
    diagnostics: tuple[Diagnostic, ...]


def parse_text(source: Source) -> ParsedText:
    with _collector_paused(len(source.text) > _BIG):
        lexed = lex(source, keywords())
        if not lexed.tokens and not lexed.diagnostics:
            return ParsedText(source, (), lexed.comments, (_empty(source),))
        if not lexed.diagnostics:
            try:
                tree = parse_tokens(lexed.tokens)
            except UnexpectedToken:
                pass
            else:
                return ParsedText(source, declarations_from_tree(tree, source), lexed.comments, ())
        return _parse_apart(source, lexed)


def _parse_apart(source: Source, lexed: Lexed) -> ParsedText:
    """Each declaration on its own, so that the good ones are read and each bad one is reported once."""
    parts = list(split_declarations(lexed.tokens))
    found, diagnostics = _share_out(source, parts, lexed.diagnostics)
    declarations: list[m.Declaration] = []
    for part, known in zip(parts, found, strict=True):
        if known is not None:
            diagnostics.append(known)
            if known.code != "LX011":  # what only has a tab in it can still be read
                continue
        try:
            tree = parse_tokens(part)
        except UnexpectedToken as error:
            diagnostics.append(describe(error, part, source))
        else:
            declarations.extend(declarations_from_tree(tree, source))
    diagnostics.sort(key=lambda d: d.span.start)
    return ParsedText(source, tuple(declarations), lexed.comments, tuple(diagnostics))


def _share_out(
    source: Source, parts: list[list[Token]], diagnostics: tuple[Diagnostic, ...]
) -> tuple[list[Diagnostic | None], list[Diagnostic]]:
    """The first diagnostic of the lexer for each declaration; and those that belong to none, one for each line."""
    first_lines = [source.line_column(_offset(part[0]))[0] for part in parts]
    last_lines = [source.line_column(_offset(part[-1]))[0] for part in parts]
    found: list[Diagnostic | None] = [None] * len(parts)
    alone: dict[int, Diagnostic] = {}
    for diagnostic in sorted(diagnostics, key=lambda d: d.span.start):
        line, column = source.line_column(diagnostic.span.start)
        index = bisect_right(first_lines, line) - 1
        if index < 0 or (line > last_lines[index] and column == 1):
            alone.setdefault(line, diagnostic)
        elif (known := found[index]) is None or (known.code == "LX011" != diagnostic.code):
            found[index] = diagnostic  # a tab alone can be read over; anything else says more
    return found, list(alone.values())


def _offset(token: Token) -> int:
    assert token.start_pos is not None
    return token.start_pos


def _empty(source: Source) -> Diagnostic:
    return Diagnostic(
        "LX002",
        "there is nothing to read here: the text has no declaration",
        Span(source, 0, 0),
        help='a rulebook begins like this: `game "The Harbour" played by Player`',
    )


@contextmanager
def _collector_paused(wanted: bool) -> Iterator[None]:
    pause = wanted and gc.isenabled()
    if pause:
        gc.disable()
    try:
        yield
    finally:
        if pause:
            gc.enable()
