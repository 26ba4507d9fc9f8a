"""Expressions as written: names are not yet resolved, every node knows its place, and places never decide equality."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rules.span import Span


@dataclass(frozen=True, slots=True)
class Name:
    """A word that the author chose, or used."""

    text: str
    span: Span = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Truth:
    """`yes` or `no`."""

    value: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ref:
    """`weather`, `coins of p`, `knows of (p, q)`."""

    name: Name
    args: tuple[Expr, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{athens, rhodes}`."""

    items: tuple[Expr, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SetWhere:
    """`{q where q is next to athens}`."""

    variable: Name
    where: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NumberOf:
    """`number of (q where q is explored)`."""

    variable: Name
    where: Expr | None
    span: Span = field(compare=False, repr=False)


AggregateOp = Literal["total", "highest", "lowest"]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """`total of (coins of p for p where p is passed)`."""

    op: AggregateOp
    body: Expr
    variable: Name
    where: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TimesHappened:
    """`times (sail by p) this turn`."""

    event: Event
    moment: Name
    span: Span = field(compare=False, repr=False)


ArithmeticOp = Literal["+", "-", "*"]


@dataclass(frozen=True, slots=True)
class Arithmetic:
    op: ArithmeticOp
    left: Expr
    right: Expr
    span: Span = field(compare=False, repr=False)


Rounding = Literal["up", "down"]


@dataclass(frozen=True, slots=True)
class Divide:
    """`a / b rounded down`: the rounding is always said."""

    left: Expr
    right: Expr
    rounding: Rounding
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Negate:
    operand: Expr
    span: Span = field(compare=False, repr=False)


CompareOp = Literal["<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class Compare:
    op: CompareOp
    left: Expr
    right: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Is:
    """`weather is storm`, `coins of p is 3`, `p is passed`."""

    left: Expr
    right: Expr
    negated: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IsIn:
    """`c is in hand of p`."""

    left: Expr
    right: Expr
    negated: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Related:
    """`q is next to ship of p`: a yes/no relation between two things."""

    left: Expr
    relation: Name
    right: Expr
    negated: bool
    span: Span = field(compare=False, repr=False)


Quantifier = Literal["some", "no", "every"]


@dataclass(frozen=True, slots=True)
class Quantified:
    """`some q where A`, `no q where A`, `every q where A satisfies B`; `where` is only used with `every`."""

    quantifier: Quantifier
    variable: Name
    where: Expr | None
    body: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class And:
    left: Expr
    right: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Or:
    left: Expr
    right: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class During:
    """`during sailing`, `during turn of p`."""

    moment: Name
    of: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Happened:
    """`happened (sail by p to crete) this turn`."""

    event: Event
    moment: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`p wins`, `p loses`, `nobody wins` (no player): a statement makes it so, a condition asks for it."""

    player: Ref | None
    result: Literal["wins", "loses"]
    span: Span = field(compare=False, repr=False)


Expr = (
    Number
    | Truth
    | Nothing
    | Ref
    | SetOf
    | SetWhere
    | NumberOf
    | Aggregate
    | TimesHappened
    | Arithmetic
    | Divide
    | Negate
    | Compare
    | Is
    | IsIn
    | Related
    | Quantified
    | And
    | Or
    | Not
    | During
    | Happened
    | Outcome
)


# ---- Phrases and events: they hold expressions, and expressions can ask about them --------------------------------


@dataclass(frozen=True, slots=True)
class Arg:
    label: str | None
    value: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A use of an action or a procedure: `sail by p to rhodes`."""

    verb: Name
    args: tuple[Arg, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PhraseEvent:
    phrase: Phrase
    span: Span = field(compare=False, repr=False)


Change = Literal["increases", "decreases", "becomes", "changes"]


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """`coins of p decreases by n`; `amount` is left out where any amount is meant."""

    subject: Ref
    change: Change
    amount: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MomentEvent:
    """`dawn begins`, `turn of p ends`."""

    moment: Ref
    edge: Literal["begins", "ends"]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RunsOutEvent:
    """`deck of p runs out`."""

    pile: Ref
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TransferEvent:
    """`c enters hand of p`, `c leaves play_area of p`."""

    what: Ref
    direction: Literal["enters", "leaves"]
    where: Ref
    span: Span = field(compare=False, repr=False)


Event = PhraseEvent | ChangeEvent | MomentEvent | RunsOutEvent | TransferEvent
