"""State files to data: `parse_position`.

In: a source. Out: `ParsedPosition`: the lines that can be read, and what is wrong with the others. Each line is read by
itself, so that one mistake hides no other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.check.context import did_you_mean
from rules.diagnostics import Diagnostic
from rules.position import Disabled, During, Happened, Holds, Line, Lost, Moment, Players, Position, Title, UsedPolicy
from rules.span import Source, Span
from rules.terms import Reader, Term, Unreadable, Word

WORDS = ("position", "players", "policy", "disabled", "lost", "happened", "during")

_QUOTED = re.compile(r'"((?:[^"\\\n]|\\["\\n])*)"')
_ESCAPED = re.compile(r"\\(.)")
_NOT_IS = frozenset({"=", ":", "becomes", "are", "has", "holds", "was"})


@dataclass(frozen=True, slots=True)
class ParsedPosition:
    position: Position
    diagnostics: tuple[Diagnostic, ...]


def parse_position(source: Source) -> ParsedPosition:
    reader = _Lines(source)
    lines: list[Line] = []
    diagnostics: list[Diagnostic] = []
    while reader.to_next_line():
        start = reader.at
        try:
            lines.append(reader.line())
        except Unreadable as error:
            diagnostics.append(Diagnostic("LX801", error.message, error.span, help=error.help))
            reader.skip_from(start)
    unheaded = _headed(source, lines, reader.first)
    told = {diagnostic.span for diagnostic in unheaded}
    diagnostics = [*unheaded, *(d for d in diagnostics if d.span not in told)]
    return ParsedPosition(Position(source, tuple(lines)), tuple(diagnostics))


def _headed(source: Source, lines: list[Line], first: Span | None) -> list[Diagnostic]:
    """A state file begins with the game that it belongs to."""
    if first is None:
        span = Span(source, 0, 0)
        return [Diagnostic("LX802", "this state file is empty", span, help='begin with `position "..."`')]
    titles = [line for line in lines if isinstance(line, Title)]
    if first.text == "position" or (titles and titles[0].span.start == first.start):
        return []  # what may be wrong with the line itself has been said
    if titles:
        message = "the line that names the game stands first"
        return [Diagnostic("LX802", message, titles[0].span, help="move it to the top of the file")]
    message = "a state file begins with the game that it belongs to"
    near = did_you_mean(first.text, ("position",))
    return [Diagnostic("LX802", message, first, help=near or 'begin with `position "..."`')]


class _Lines(Reader):
    """Reads a file line by line. `first` is the first word of it."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.first: Span | None = None

    def to_next_line(self) -> bool:
        """Goes over empty lines and comments; no at the end of the file."""
        while self.at_line_end:
            if self.at >= self.end:
                return False
            self.at = self._line_end(self.at) + 1
        if self.first is None:
            self.first = self.next()
        return True

    def skip_from(self, start: int) -> None:
        """After a mistake: to the next line. Where a bracket was open over several lines, to the next at the margin."""
        several = self.source.line_column(self.at)[0] > self.source.line_column(start)[0] or self._is_open(start)
        self.at = min(self._line_end(start) + 1, self.end)
        while several and self.at < self.end and self.source.text[self.at] in " \t\n]}#":
            self.at = min(self._line_end(self.at) + 1, self.end)

    def _is_open(self, start: int) -> bool:
        line = self.source.text[start : self._line_end(start)].partition("#")[0]
        return line.count("[") > line.count("]") or line.count("{") > line.count("}")

    def _line_end(self, at: int) -> int:
        place = self.source.text.find("\n", at)
        return self.end if place < 0 else place

    # ---- one line

    def line(self) -> Line:
        start = self.at
        head = self.name()
        if head is None:
            raise self.wrong("a line begins with a word")
        found = (
            self._headed(head, start)
            if head.text in WORDS and not self._goes_on_as_state()
            else self._holds(head, start)
        )
        if not self.at_line_end:
            raise self._too_much(found)
        return found

    def _goes_on_as_state(self) -> bool:
        """A game may have state of its own that is called `players` or `position`."""
        before = self.at
        found = self.keyword("of") or self.keyword("is")
        self.at = before
        return found

    def _since(self, start: int) -> Span:
        return Span(self.source, start, self.at)

    def _headed(self, head: Word, start: int) -> Line:
        match head.text:
            case "position":
                return Title(self._title(), self._since(start))
            case "players":
                count = self.number()
                if count is None:
                    raise self.wrong("a number of players should stand here")
                return Players(count, self._since(start))
            case "policy":
                return UsedPolicy(self._named("policy"), self._since(start))
            case "disabled":
                return Disabled(self._named("rule"), self._since(start))
            case "lost":
                return Lost(self.term(), self._since(start))
            case "happened":
                return Happened(self._move(), self._since(start))
            case _:
                return During(self._moments(), self._since(start))

    def _title(self) -> str:
        self.blanks()
        found = _QUOTED.match(self.source.text, self.at)
        if found is None:
            error = self.wrong("the title of the game should stand here, in quotation marks")
            unclosed = error.span.text == '"'
            raise Unreadable("this title is never closed", error.span, 'put `"` after it') if unclosed else error
        self.at = found.end()
        return _ESCAPED.sub(lambda match: "\n" if match[1] == "n" else match[1], found[1])

    def _named(self, what: str) -> Word:
        found = self.name()
        if found is None:
            raise self.wrong(f"the name of a {what} should stand here")
        return found

    def _move(self) -> Span:
        """The rest of the line; what it says is asked where the actions of the game are known."""
        if self.at_line_end:
            raise Unreadable("a move should stand here", self.next(), "for example `happened sail by Player 1`")
        rest = self.source.text[self.at : self._line_end(self.at)].partition("#")[0].rstrip()
        span = self.span(self.at + len(rest))
        self.at = span.end
        return span

    def _moments(self) -> tuple[Moment, ...]:
        found = [self._moment()]
        while self.mark(","):
            found.append(self._moment())
        return tuple(found)

    def _moment(self) -> Moment:
        self.blanks()
        start = self.at
        name = self._named("moment")
        of = self.term() if self.keyword("of") else None
        return Moment(name, of, self._since(start))

    def _holds(self, name: Word, start: int) -> Holds:
        args = self._args() if self.keyword("of") else ()
        if not self.keyword("is"):
            raise self._without_is(name, bool(args))
        if self.keyword("not"):
            before = Span(self.source, self.at - len("not"), self.at)
            raise Unreadable("a state file says what is, not what is not", before, "write what it is instead")
        return Holds(name, args, self.term(), self._since(start))

    def _args(self) -> tuple[Term, ...]:
        if self._goes_on_as_state():
            raise self.wrong("a thing should stand here")
        if not self.mark("("):
            found = self.term()
            if self.next_is(","):
                message = "several things stand in round brackets"
                raise Unreadable(message, self.next(), f"write `of ({found.span.text}, ...)`")
            return (found,)
        opening = Span(self.source, self.at - 1, self.at)
        args = [self.term()]
        while self.mark(","):
            args.append(self.term())
        if not self.mark(")"):
            if self.at_line_end or self.keyword("is"):
                raise Unreadable("`(` is never closed", opening, "put `)` after the last of them")
            raise self.wrong("`,` or `)` should stand here")
        return tuple(args)

    def _without_is(self, name: Word, has_args: bool) -> Unreadable:
        error = self.wrong("`is` should stand here")
        rest = self.source.text[self.at : self._line_end(self.at)].partition("#")[0]
        near = None if has_args or "is" in rest.split() else did_you_mean(name.text, WORDS)
        if error.span.text in _NOT_IS:
            return Unreadable(error.message, error.span, "write `is`")
        if near is not None:
            return Unreadable(f"this line cannot be read: `{name.text}` begins no line", name.span, near)
        return Unreadable(error.message, error.span, error.help or "for example `coins of Player 1 is 3`")

    def _too_much(self, line: Line) -> Unreadable:
        here = self.next()
        message = f"`{here.text}` is too much here"
        if isinstance(line, Holds) and here.text == ",":
            return Unreadable(message, here, "several things stand in brackets: `[a, b]` in order, `{a, b}` without")
        if isinstance(line, Holds) and here.text in ("and", "or"):
            return Unreadable(message, here, "one line for each piece of the state")
        return Unreadable(message, here, "a line ends here; a comment begins with `#`")
