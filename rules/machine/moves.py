"""The text of a move to its action and parts: `sail by Player 1 to crete`, `sail to crete`, `SAIL to Crete`.

Parts stand in any order and may be left out. It is for what people type, so capital and small letters are the same
wherever that is not in doubt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum

from rules.check.context import did_you_mean
from rules.machine.naming import Misfit, Names
from rules.machine.run import Machine
from rules.machine.world import Value
from rules.span import Source, Span
from rules.symbols import VerbSymbol
from rules.terms import Reader, Unreadable, Word
from rules.types import Type, describe

# The small words that say which part of an action follows, as the grammar has them.
LABELS = ("by", "to", "from", "with", "at", "on", "into", "onto", "for", "using", "against", "through", "as")

_CLOSE = 0.7  # how alike two words are that may be meant for each other
_FEW = 8  # so many actions are still told one by one


class LeftOut(Enum):
    LEFT_OUT = "left out"

    def __repr__(self) -> str:
        return "LEFT_OUT"


LEFT_OUT = LeftOut.LEFT_OUT


@dataclass(frozen=True, slots=True)
class ReadMove:
    """An action and its parts in the order of its declaration; `LEFT_OUT` stands for a part that was not said."""

    verb: str
    args: tuple[Value, ...]

    @property
    def is_whole(self) -> bool:
        return LEFT_OUT not in self.args


class MoveError(ValueError):
    """What cannot be read as a move, in one line. `span` is the place in the text."""

    def __init__(self, message: str, span: Span, help: str | None = None) -> None:
        super().__init__(f"{message}; {help}" if help else message)
        self.message = message
        self.span = span
        self.help = help


def read_move(machine: Machine, text: str, actor: Value = None) -> ReadMove:
    """A move that a player types. `actor` does it where the text does not say who. Raises `MoveError`."""
    source = Source("move", text.replace("\n", " "))
    move = move_at(machine, Span(source, 0, len(source.text)), machine.actions)
    labels = _labels(machine.verbs[move.verb])
    if actor is None or "by" not in labels or move.args[labels.index("by")] is not LEFT_OUT:
        return move
    by = labels.index("by")
    return ReadMove(move.verb, (*move.args[:by], actor, *move.args[by + 1 :]))


def move_at(machine: Machine, span: Span, verbs: Iterable[str]) -> ReadMove:
    """The move that stands in a place of a text, one of these actions or procedures. Raises `MoveError`."""
    try:
        return _Move(machine, span, list(verbs)).read()
    except Unreadable as error:
        raise MoveError(error.message, error.span, error.help) from None
    except Misfit as error:
        raise MoveError(error.message, error.span, error.help) from None


def _labels(symbol: VerbSymbol) -> list[str | None]:
    return [param.label for param in symbol.params]


class _Move:
    def __init__(self, machine: Machine, span: Span, verbs: list[str]) -> None:
        self.machine = machine
        self.names = Names(machine.world, folded=True)
        self.reader = Reader(span.source, span.start, span.end)
        self.verbs = verbs

    def read(self) -> ReadMove:
        symbol = self._verb()
        labels = _labels(symbol)
        args: list[Value] = [LEFT_OUT] * len(labels)
        while not self.reader.at_line_end:
            label, span = self._label()
            if label not in labels:
                raise self._no_part(symbol, label, span)
            place = labels.index(label)
            if args[place] is not LEFT_OUT:
                raise MoveError(f"{_part(symbol.name, label)} is said twice", span)
            args[place] = self._value(symbol, label, symbol.types[place])
        return ReadMove(symbol.name, tuple(args))

    def _verb(self) -> VerbSymbol:
        head = self.reader.name()
        if head is None:
            raise self.reader.wrong("a move begins with an action")
        alike = [verb for verb in self.verbs if verb.casefold() == head.text.casefold()]
        if head.text in self.verbs:
            return self.machine.verbs[head.text]
        if len(alike) == 1:
            return self.machine.verbs[alike[0]]
        if head.text in self.machine.procedures:
            raise MoveError(f"`{head.text}` is a procedure: it is done, but nobody chooses it", head.span)
        close = get_close_matches(head.text.lower(), self.verbs, n=3, cutoff=_CLOSE)
        if close:
            hint: str | None = f"did you mean {' or '.join(f'`{verb}`' for verb in close)}?"
        else:
            hint = _listed("actions are", self.verbs) if self.verbs else None
        raise MoveError(f"no action is called `{head.text}`", head.span, hint)

    def _label(self) -> tuple[str | None, Span]:
        """Goes past the small word, if one stands here; without one the place of what stands here."""
        before = self.reader.at
        word = self.reader.name()
        if word is not None and word.text.lower() in LABELS:
            return word.text.lower(), word.span
        self.reader.at = before
        return None, self.reader.next()

    def _no_part(self, symbol: VerbSymbol, label: str | None, span: Span) -> MoveError:
        labels = _labels(symbol)
        known = [name for name in labels if name is not None]
        has = _listed(f"the parts of `{symbol.name}` begin with", known) if known else f"`{symbol.name}` has no parts"
        if label is not None:
            return MoveError(f"`{symbol.name}` has no part `{label} ...`", span, has)
        near = did_you_mean(span.text.lower(), known)
        words = self.reader.names()
        fitting = [
            f"`{name} {word.text}`"
            for name, type_ in zip(labels, symbol.types, strict=True)
            for word in words[:1]
            if name is not None and self.names.knows(word.text, type_)
        ]
        if near is None and fitting:
            near = f"did you mean {' or '.join(fitting)}?"
        return MoveError(f"`{span.text}` cannot stand here", span, near or has)

    def _value(self, symbol: VerbSymbol, label: str | None, type_: Type) -> Value:
        what = f"what stands after `{label or symbol.name}`"
        if self.reader.at_line_end:
            raise MoveError(f"after `{label}` {describe(type_)} should stand", self.reader.next())
        word = next((word for word in self.reader.names() if self.names.knows(word.text, type_)), None)
        if word is not None:
            self.reader.at = word.span.end
            return self.names.value(word, type_, what)
        term = self.reader.term()
        if isinstance(term, Word) and term.text.lower() in LABELS:
            raise MoveError(f"after `{label}` {describe(type_)} should stand, not `{term.text}`", term.span)
        return self.names.value(term, type_, what)


def _part(verb: str, label: str | None) -> str:
    return f"`{label} ...`" if label else f"what `{verb}` is about"


def _listed(start: str, names: list[str]) -> str:
    more = ", ..." if len(names) > _FEW else ""
    return f"{start} {', '.join(f'`{name}`' for name in names[:_FEW])}{more}"
