"""A parsed text to the one format: `format_text`.

In: the declarations of one text, its comments and its source. Out: the text in canonical form. Afterwards it parses to
the same model, holds every comment in its old order, and formatting it again changes nothing.

Four spaces a level; lines of at most 100 characters where they can be broken; one blank line between declarations, but
single lines of one kind may stand together as the author has them; inside blocks a blank line stays where the author
put one. A comment of its own line stays before what it preceded; one at the end of a line stays there.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grammar.layout import Comment, lex
from grammar.parser import keywords
from grammar.printer import PrintedLine, print_declaration
from grammar.wrap import wrap_line
from rules import model as m
from rules.span import Source

INDENT = 4
_LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT"))


def format_declarations(declarations: Sequence[m.Declaration], comments: Sequence[Comment], source: Source) -> str:
    lines = _placed_lines(declarations, source)
    items = _items(lines, comments, source)
    text = [row for item in _spaced(items, declarations) for row in item]
    return "".join(f"{row}\n" for row in text)


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


def _source_lines(source: Source) -> list[_SourceLine]:
    lines: list[_SourceLine] = []
    fresh = True
    for token in lex(source, keywords()).tokens:
        assert token.start_pos is not None
        line = source.line_column(token.start_pos)[0]
        if token.type in _LAYOUT:
            fresh = True
        elif fresh:
            fresh = False
            lines.append(_SourceLine(token.start_pos, str(token), line, line))
        else:
            known = lines[-1]
            lines[-1] = _SourceLine(known.start, known.word, known.first, line)
    return lines


def _placed_lines(declarations: Sequence[m.Declaration], source: Source) -> list[_PlacedLine]:
    source_lines = _source_lines(source)
    starts = [line.start for line in source_lines]
    printed = [(line, i) for i, declaration in enumerate(declarations) for line in print_declaration(declaration)]
    origins: list[int] = []
    for line, _ in printed:
        origin = bisect_right(starts, line.span.start) - 1
        # The span of an `otherwise` is that of what stands under it.
        is_branch = line.text.partition(" ")[0] == "otherwise"
        origins.append(origin - 1 if is_branch and source_lines[origin].word != "otherwise" else origin)
    placed: list[_PlacedLine] = []
    for (line, declaration), origin, following in zip(printed, origins, [*origins[1:], len(source_lines)], strict=True):
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
    """What takes lines of its own in the result: a printed line, or a comment. `opens`: the declaration it begins."""

    depth: int
    text: str
    trailing: Comment | None
    blank_before: bool
    opens: int | None

    def rows(self) -> list[str]:
        if self.text.startswith("#"):
            return [" " * INDENT * self.depth + self.text]
        rows = wrap_line(self.text, INDENT * self.depth)
        if self.trailing is not None:
            rows[-1] += f"  {_comment_text(self.trailing)}"
        return rows


def _comment_text(comment: Comment) -> str:
    # `## Heading` and `#!` stay in one piece.
    return f"#{comment.text}" if comment.text[:1] in ("", "#", "!") else f"# {comment.text}"


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
        items.extend(_with_comments(line, within[i], source))
        columns[depth:] = [line.column]
    items.extend(_own_lines(between[-1], columns, 0, source))
    return items


def _own_lines(comments: list[Comment], columns: list[int], next_depth: int, source: Source) -> Iterator[_Item]:
    """Comments between two lines. At the end of a block they stay in it if they are indented like it."""
    deepest = max(len(columns) - 1, next_depth)
    for comment in comments:
        column = _column(source, comment.line)
        while deepest > next_depth and columns[deepest] > column:
            deepest -= 1
        yield _Item(deepest, _comment_text(comment), None, _blank_before(source, comment.line), None)


def _with_comments(line: _PlacedLine, comments: list[Comment], source: Source) -> Iterator[_Item]:
    """The line, the last comment after it, and those for which there is no place in it any more before it."""
    trailing = comments.pop() if comments and not comments[-1].alone else None
    depth = line.printed.depth
    blank = _blank_before(source, line.first)
    for comment in comments:
        yield _Item(depth, _comment_text(comment), None, blank, None)
        blank = False
    yield _Item(depth, line.printed.text, trailing, blank, line.declaration if depth == 0 else None)


def _blank_before(source: Source, line: int) -> bool:
    return line > 1 and not source.line_text(line - 1).strip()


# ---- Blank lines --------------------------------------------------------------------------------------------------


def _spaced(items: list[_Item], declarations: Sequence[m.Declaration]) -> Iterator[list[str]]:
    single = {i for i, declaration in enumerate(declarations) if len(print_declaration(declaration)) == 1}
    depth = -1
    done: int | None = None  # the declaration that has ended, as long as nothing stands behind it
    for item in items:
        apart = done is not None and item.depth == 0 and not _stays_together(done, declarations, single)
        if depth >= item.depth and (apart or item.blank_before):
            yield [""]
        yield item.rows()
        depth = item.depth
        if item.depth == 0:
            done = item.opens
