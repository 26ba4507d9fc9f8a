"""What happens, in order: the statements of play, procedures, actions, triggers, tables and passages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rules.model.clauses import Clauses
from rules.model.expressions import Event, Expr, Name, Outcome, Phrase, Ref
from rules.span import Span

Block = tuple["Statement", ...]
Modal = Literal["may", "must", "cannot"]


@dataclass(frozen=True, slots=True)
class Simple:
    """A statement of one line, with the clauses that stand after it."""

    body: SimpleBody
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Becomes:
    target: Ref
    value: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Shift:
    """`coins of p increases by 2`, `... decreases by 2`."""

    target: Ref
    direction: Literal["increases", "decreases"]
    amount: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Move:
    """Of a thing onto a pile or `under` it, or of a number of counters from one place of a pool to another."""

    what: Expr
    origin: Ref | None
    target: Ref
    under: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Draw:
    count: Expr
    origin: Ref
    target: Ref
    variable: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Shuffle:
    pile: Ref
    into: Ref | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Reveal:
    what: Ref
    to: Ref | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pay:
    """Like a decrease of `source`, or a move to `target`; but what cannot be paid for is not legal."""

    amount: Expr
    source: Ref
    target: Ref | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Roll:
    count: Expr | None
    die: Name
    variable: Name | None
    table: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Consult:
    """Applies the row of a table that fits."""

    table: Name
    keys: tuple[Expr, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Chooses:
    actor: Ref
    variable: Name
    or_none: bool
    where: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Takes:
    """`p takes up to 2 actions`; `count` is left out for any number."""

    actor: Ref
    up_to: bool
    count: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Offer:
    """`p may explore`, `p must sail to q or pass`: one of these actions, here and now."""

    actor: Ref
    modal: Modal
    phrases: tuple[Phrase, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Do:
    """Carries out a procedure."""

    phrase: Phrase
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Window:
    """Opens a moment in which players may react."""

    name: Name
    variable: Name | None
    order: Ref | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class End:
    """Ends the innermost running moment of that name; then the block, if any, follows."""

    moment: Name
    then: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Disable:
    rule: Name
    until: Event | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Go:
    """Turns to another passage of the story."""

    passage: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Read:
    """Reads a story from a passage on, and comes back when it returns."""

    passage: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Return:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ending:
    """The story ends here, in this way."""

    text: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DoNothing:
    span: Span = field(compare=False, repr=False)


SimpleBody = (
    Becomes
    | Shift
    | Move
    | Draw
    | Shuffle
    | Reveal
    | Pay
    | Roll
    | Consult
    | Chooses
    | Takes
    | Offer
    | Do
    | Window
    | End
    | Disable
    | Go
    | Read
    | Return
    | Ending
    | Outcome
    | DoNothing
)


@dataclass(frozen=True, slots=True)
class Phase:
    """A moment with a name; a step marked `even when ended` still happens when the moment around it is ended."""

    word: Literal["phase", "step"]
    name: Name
    even_when_ended: bool
    clauses: Clauses
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Each:
    variable: Name
    order: Ref | None
    where: Expr | None
    secretly: bool
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Turns:
    variable: Name
    order: Ref | None
    where: Expr | None
    until: Expr
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Repeat:
    times: Expr | None
    until: Expr | None
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: Expr
    then: Block
    otherwise: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RollRows:
    count: Expr | None
    die: Name
    variable: Name | None
    rows: tuple[Row, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Decides:
    actor: Ref
    options: tuple[Option, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class After:
    """Waits until the innermost running moment of that name has ended, then does the block."""

    moment: Name
    body: Block
    span: Span = field(compare=False, repr=False)


Statement = Simple | Phase | Each | Turns | Repeat | If | RollRows | Decides | After


# ---- Parts of statements ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Conditions:
    when: Expr | None
    unless: Expr | None
    even_if: Expr | None


@dataclass(frozen=True, slots=True)
class Option:
    text: str
    conditions: Conditions
    clauses: Clauses
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NumberKey:
    """`4`, `1..3`, or `6+` (no upper end)."""

    low: int
    high: int | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NameKey:
    name: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TruthKey:
    value: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AnyKey:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OneOfKey:
    """`1..2 or 6`: two or more, each of which will do."""

    keys: tuple[NumberKey | NameKey | TruthKey, ...]
    span: Span = field(compare=False, repr=False)


Key = NumberKey | NameKey | TruthKey | AnyKey | OneOfKey


@dataclass(frozen=True, slots=True)
class Row:
    """A row does something (`body`) or gives a value (`gives`). Without keys it is for all the rest: `otherwise`."""

    keys: tuple[Key, ...]
    gives: Expr | None
    body: Block
    clauses: Clauses
    span: Span = field(compare=False, repr=False)

    @property
    def is_rest(self) -> bool:
        return not self.keys
