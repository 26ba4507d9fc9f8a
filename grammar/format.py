"""A parsed text to the one format: `format_text`.

In: the declarations of one text, its comments and its source. Out: the text in canonical form. Afterwards it parses to
the same model, holds every comment in its old order, and formatting it again changes nothing.

Four spaces a level; lines of at most 100 characters where they can be broken; one blank line between declarations, but
single lines of one kind may stand together as the author has them; inside blocks a blank line stays where the author
put one. A comment of its own line stays before what it preceded; one at the end of a line stays there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from lark import Token

from grammar.layout import Comment, lex, split_declarations
from grammar.parser import keywords
from grammar.printer import PrintedLine, print_declaration
from grammar.text import ParsedText
from grammar.wrap import wrap_line
from rules import model as m
from rules.span import Source

INDENT = 4
_LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT"))
# What is wrong with a text that can be formatted all the same: a tab, or nothing at all.
_HARMLESS = frozenset(("LX002", "LX011"))


def format_text(parsed: ParsedText) -> str:
    """A `ValueError` if something in the text cannot be read, since it would be lost."""
    lexed = lex(parsed.source, keywords())
    complete = len(list(split_declarations(lexed.tokens))) == len(parsed.declarations)
    if not complete or any(d.code not in _HARMLESS for d in (*parsed.diagnostics, *lexed.diagnostics)):
        raise ValueError(f"{parsed.source.path} has errors, so it cannot be formatted")
    lines = _placed_lines(parsed.declarations, _source_lines(lexed.tokens, parsed.source), parsed.source)
    rows = _spaced(_items(lines, parsed.comments, parsed.source), _apart(lines, parsed.declarations))
    return "".join(f"{row}\n" for row in rows)


# ---- Where the printed lines come from ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SourceLine:
    """A line as the lexer sees it: it may go over several lines of the text, from `first` to `last`."""

    start: int
    word: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class _PlacedLine:
    """A printed line, the lines of the text that it was made from, and how far they were indented."""

    printed: PrintedLine
    declaration: int
    first: int
    last: int
    column: int


def _source_lines(tokens: list[Token], source: Source) -> list[_SourceLine]:
    lines: list[_SourceLine] = []
    for is_layout, group in groupby(tokens, lambda token: token.type in _LAYOUT):
        if not is_layout:
            words = list(group)
            start, end = words[0].start_pos, words[-1].start_pos
            assert start is not None
            assert end is not None
            first, last = source.line_column(start)[0], source.line_column(end)[0]
            lines.append(_SourceLine(start, str(words[0]), first, last))
    return lines


def _placed_lines(
    declarations: Sequence[m.Declaration], source_lines: list[_SourceLine], source: Source
) -> list[_PlacedLine]:
    starts = [line.start for line in source_lines]
    printed = [(line, i) for i, declaration in enumerate(declarations) for line in print_declaration(declaration)]
    origins: list[int] = []
    for line, _ in printed:
        origin = bisect_right(starts, line.span.start) - 1
        # The span of an `otherwise` is that of what stands under it.
        is_branch = line.text.partition(" ")[0] == "otherwise"
        origins.append(origin - 1 if is_branch and source_lines[origin].word != "otherwise" else origin)
    placed: list[_PlacedLine] = []
    for (line, declaration), origin, following in zip(printed, origins, [*origins, len(source_lines)][1:], strict=True):
        # Up to the next one, since two lines of the source can become one: `6:` and `p wins` under it.
        first, last = source_lines[origin].first, source_lines[following - 1].last
        placed.append(_PlacedLine(line, declaration, first, last, _column(source, first)))
    return placed


def _column(source: Source, line: int) -> int:
    text = source.line_text(line)
    margin = text[: len(text) - len(text.lstrip(" \t"))]
    return len(margin.replace("\t", " " * INDENT))


# ---- Comments -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Item:
    """A printed line or a comment, as it stands in the result. `opens`: the declaration that it begins."""

    depth: int
    rows: list[str]
    blank_before: bool
    opens: int | None = None


def _items(lines: list[_PlacedLine], comments: Sequence[Comment], source: Source) -> list[_Item]:
    firsts = [line.first for line in lines]
    within: list[list[Comment]] = [[] for _ in lines]
    between: list[list[Comment]] = [[] for _ in range(len(lines) + 1)]
    for comment in comments:
        after = bisect_right(firsts, comment.line)
        if after and comment.line <= lines[after - 1].last:
            within[after - 1].append(comment)
        else:
            between[after].append(comment)
    items: list[_Item] = []
    columns: list[int] = []  # of the last line at each depth: the blocks that are open
    for i, line in enumerate(lines):
        depth = line.printed.depth
        items.extend(_own_lines(between[i], columns, depth, source))
        items.append(_line_item(line, within[i], source))
        columns[depth:] = [line.column]
    items.extend(_own_lines(between[-1], columns, 0, source))
    return items


def _own_lines(comments: list[Comment], columns: list[int], next_depth: int, source: Source) -> Iterator[_Item]:
    """Comments between two lines. At the end of a block they stay in it if they are indented like it."""
    depth = max(len(columns) - 1, next_depth)
    for comment in comments:
        while depth > next_depth and columns[depth] > _column(source, comment.line):
            depth -= 1
        yield _Item(depth, [_comment_row(comment, depth, source)], _blank_before(source, comment.line))


def _line_item(line: _PlacedLine, comments: list[Comment], source: Source) -> _Item:
    """The line with its last comment at its end; before it the comments that have lost their place within it."""
    depth = line.printed.depth
    rows = wrap_line(line.printed.text, INDENT * depth)
    if comments and not comments[-1].alone:
        rows[-1] += f"  {_marked(comments[-1].text)}"
        comments = comments[:-1]
    rows = [*(_comment_row(comment, depth, source) for comment in comments), *rows]
    return _Item(depth, rows, _blank_before(source, line.first), line.declaration if depth == 0 else None)


def _comment_row(comment: Comment, depth: int, source: Source) -> str:
    # What stands under each other in a comment of several lines still does: the space after `#` is kept.
    text = source.line_text(comment.line).strip()[1:] if comment.alone else comment.text
    return " " * INDENT * depth + _marked(text)


def _marked(text: str) -> str:
    # `## Heading` and `#!` stay in one piece.
    return f"#{text}" if text[:1] in ("", " ", "#", "!") else f"# {text}"


def _blank_before(source: Source, line: int) -> bool:
    return line > 1 and not source.line_text(line - 1).strip()


# ---- Blank lines --------------------------------------------------------------------------------------------------


def _spaced(items: list[_Item], apart: list[bool]) -> Iterator[str]:
    depth = -1
    ended: int | None = None  # the last declaration, until something follows it at the margin
    for item in items:
        is_apart = ended is not None and item.depth == 0 and apart[ended]
        if item.depth <= depth and (is_apart or item.blank_before):
            yield ""
        yield from item.rows
        depth = item.depth
        if item.depth == 0:
            ended = item.opens


def _apart(lines: list[_PlacedLine], declarations: Sequence[m.Declaration]) -> list[bool]:
    """For each declaration: must a blank line follow? Not between single lines of one kind; nor after a last one."""
    count = Counter(line.declaration for line in lines)
    single_kinds = [type(each) if count[i] == 1 else None for i, each in enumerate(declarations)]
    following = [*single_kinds[1:], *single_kinds[-1:]]
    return [kind is None or kind is not after for kind, after in zip(single_kinds, following, strict=True)]
