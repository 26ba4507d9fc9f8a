"""A question as text, apart from any rulebook: `parse_question`.

In: the lines that stand below `question` in a rulebook, or a whole `question`. Out: the question with where it stands,
or what is wrong with it. `placed` tells what is found later, too, at its place in the text that was given.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from grammar.text import parse_text
from rules import model as m
from rules.diagnostics import Diagnostic
from rules.span import Source, Span

_HEAD = 'question "asked"\n'
_INDENT = 4


@dataclass(frozen=True, slots=True)
class AskedText:
    """`source` is the text as it was given; `read` the same as a declaration of a rulebook."""

    source: Source
    read: Source
    shifts: tuple[int, ...] = ()  # by how much each line of `read` begins further to the right than in `source`

    def placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic at its place in the text that was given; one about another text stays where it is."""
        labels = tuple(replace(label, span=self._moved(label.span)) for label in diagnostic.labels)
        return replace(diagnostic, span=self._moved(diagnostic.span), labels=labels)

    def _moved(self, span: Span) -> Span:
        if span.source is not self.read or self.read is self.source:
            return span
        return Span(self.source, self._offset(span.start), self._offset(span.end))

    def _offset(self, offset: int) -> int:
        line, column = self.read.line_column(offset)
        if line == 1:
            return 0
        start = 0
        for _ in range(line - 2):
            start = self.source.text.find("\n", start) + 1
        return min(start + max(column - 1 - self.shifts[line - 2], 0), len(self.source.text))


def _as_declaration(source: Source) -> AskedText:
    """With a head; the first line and `expect` stand below it, however far they are indented."""
    lines: list[str] = []
    shifts: list[int] = []
    for place, line in enumerate(source.text.split("\n")):
        words = line.lstrip(" ")
        straight = words if place == 0 or words.startswith("expect") else line
        lines.append(" " * _INDENT + straight if straight else "")
        shifts.append(_INDENT - (len(line) - len(straight)))
    return AskedText(source, Source("question", _HEAD + "\n".join(lines) + "\n"), (*shifts, 0))


def parse_question(text: str) -> tuple[AskedText, m.Question | tuple[Diagnostic, ...]]:
    source = Source("question", text)
    asked = AskedText(source, source)
    if not text.lstrip().startswith('question "'):
        asked = _as_declaration(source)
    read = asked.read
    parsed = parse_text(read)
    if parsed.diagnostics:
        return asked, tuple(asked.placed(diagnostic) for diagnostic in parsed.diagnostics)
    (first, *more) = parsed.declarations
    if more or not isinstance(first, m.Question):
        other = more[0] if isinstance(first, m.Question) else first
        message = "this is no question, but another declaration"
        return asked, (Diagnostic("LX020", message, asked._moved(other.span), help="ask one thing at a time"),)
    return asked, first
