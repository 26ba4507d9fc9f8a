"""Norms: what the book allows, demands, forbids, triggers, replaces, defines and limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rules.model.clauses import Clauses
from rules.model.expressions import Event, Expr, Name, Outcome, Phrase, Ref
from rules.model.statements import Block, Conditions, Modal
from rules.span import Span

Manner = Literal["usually", "immediately"]


@dataclass(frozen=True, slots=True)
class Frequency:
    """`once per round`, `up to 3 times per turn`: for each actor, or `for each` of the variables named."""

    count: int
    moment: Name
    each: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ModalNorm:
    """`p may sail to q when ...`; several phrases are alternatives.

    `if_possible` is only for `must` (checked: LX418): such a duty rests where it cannot be met.
    """

    actor: Ref
    modal: Modal
    phrases: tuple[Phrase, ...]
    if_possible: bool
    frequency: Frequency | None
    conditions: Conditions
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EventNorm:
    """`when`, `when about to` and `instead of` an event, the block is done."""

    timing: Literal["when", "when about to", "instead of"]
    event: Event
    condition: Expr | None
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IgnoreNorm:
    """`ignore` an event, or a rule."""

    what: Event | Name
    condition: Expr | None
    span: Span = field(compare=False, repr=False)


ValueOp = Literal["is", "plus", "minus", "is at least", "is at most"]


@dataclass(frozen=True, slots=True)
class ValueNorm:
    """`toll of p is 0 when ...`: one rule for a value."""

    target: Ref
    op: ValueOp
    value: Expr
    conditions: Conditions
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LimitNorm:
    """`limit size of hand of p to 7`; with `rest lost`, what goes beyond is lost, else it is not allowed."""

    what: Expr
    most: Expr
    rest_lost: bool
    conditions: Conditions
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OutcomeNorm:
    outcome: Outcome
    conditions: Conditions
    span: Span = field(compare=False, repr=False)


NormBody = ModalNorm | EventNorm | IgnoreNorm | ValueNorm | LimitNorm | OutcomeNorm


@dataclass(frozen=True, slots=True)
class Norm:
    manner: Manner | None
    body: NormBody
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a sentence that can be read in several."""

    name: Name
    clauses: Clauses
    norms: tuple[Norm, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Rule:
    """Either `norms` or `readings` is empty."""

    name: Name
    clauses: Clauses
    norms: tuple[Norm, ...]
    readings: tuple[Reading, ...]
    span: Span = field(compare=False, repr=False)

    def all_norms(self) -> tuple[Norm, ...]:
        """The norms of the rule, of every reading."""
        return self.norms + tuple(norm for reading in self.readings for norm in reading.norms)
