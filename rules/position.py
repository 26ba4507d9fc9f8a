"""A state file as data: what its lines say, each with its place. What that means is asked in `rules.machine`."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.span import Source, Span
from rules.terms import Number, Term, Word


@dataclass(frozen=True, slots=True)
class Title:
    """`position "The Harbour"`: of which game this is a position."""

    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Players:
    count: Number
    span: Span = field(compare=False, repr=False)


NO_DEFAULTS = "none"  # `policy none`: without the default policies of the book


@dataclass(frozen=True, slots=True)
class UsedPolicy:
    name: Word
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Holds:
    """`ship of Player 2 is rhodes`: what a piece of the state holds."""

    name: Word
    args: tuple[Term, ...]
    value: Term
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Disabled:
    rule: Word
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Lost:
    player: Term
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Happened:
    """`move` is the place of the move, which is read where the actions of the game are known."""

    move: Span = field(compare=False, repr=False)
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Moment:
    name: Word
    of: Term | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class During:
    """`during sailing, turn of Player 1`: moments that run, the outermost first."""

    moments: tuple[Moment, ...]
    span: Span = field(compare=False, repr=False)


Line = Title | Players | UsedPolicy | Holds | Disabled | Lost | Happened | During


@dataclass(frozen=True, slots=True)
class Position:
    """The lines of a state file that could be read, in their order."""

    source: Source = field(compare=False, repr=False)
    lines: tuple[Line, ...]
