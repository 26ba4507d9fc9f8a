"""Everything that stands at the left margin of a rulebook."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rules.model.clauses import Citation, Clauses
from rules.model.expressions import Event, Expr, Name, Phrase, Ref
from rules.model.norms import Manner, Rule, ValueOp
from rules.model.statements import Block, Conditions, Modal, Option, Row
from rules.span import Span

# ---- The book and its sources -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Game:
    title: str
    played_by: Name | None
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Import:
    path: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    name: Name
    title: str
    language: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Documents:
    documents: tuple[Document, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OutlineLine:
    line: int
    states: int
    restates: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    first: int | None
    last: int | None
    lines: tuple[OutlineLine, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Outline:
    document: Name
    sections: tuple[Section, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Explicit:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Over:
    """`cannot over may`, `specific over general`, `earlier over later among hindrances by gained`."""

    winner: Name
    loser: Name
    among: Name | None
    by: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Authority:
    """Chains of documents, the strongest first."""

    chains: tuple[tuple[Name, ...], ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Listed:
    among: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Simultaneous:
    """Who orders what happens at the same time."""

    by: Name
    among: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Undecided:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MetaRule:
    assumed: bool
    body: Explicit | Over | Authority | Listed | Simultaneous | Undecided
    cites: tuple[Citation, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Precedence:
    rules: tuple[MetaRule, ...]
    span: Span = field(compare=False, repr=False)


# ---- Things and state ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RangeType:
    low: int
    high: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class YesNoType:
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NamedType:
    """A type, a kind or a die by its name; `or_none` when it may also be none of them."""

    name: Name
    or_none: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SetType:
    of: TypeExpr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BagType:
    of: TypeExpr
    limit: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OrderType:
    """All things of a kind, in some order."""

    of: Name
    span: Span = field(compare=False, repr=False)


TypeExpr = RangeType | YesNoType | NamedType | SetType | BagType | OrderType


@dataclass(frozen=True, slots=True)
class TypeDecl:
    """A range, or the values of an enumeration."""

    name: Name
    body: RangeType | tuple[Name, ...]
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Count:
    low: int
    high: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Member:
    name: Name
    copies: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Members:
    members: tuple[Member, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Grid:
    shape: Name
    columns: int
    rows: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Product:
    """One thing for each combination of the values of these types, which are printed on it."""

    of: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Slot:
    """Something that the state holds: an attribute of a kind, a line of `state`, a pile, or a place of a pool."""

    name: Name
    indices: tuple[Name, ...]
    type: TypeExpr | None
    starts: Expr | Literal["rest"] | None
    printed: bool
    modifiers: tuple[Name, ...]
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Given:
    attribute: Name
    value: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class HasLine:
    member: Name
    given: tuple[Given, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Kind:
    name: Name
    population: Count | Members | Grid | Product | None
    clauses: Clauses
    lines: tuple[Slot | HasLine, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Let:
    names: tuple[Name, ...]
    type: TypeExpr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class State:
    slots: tuple[Slot, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Piles:
    of: Name
    clauses: Clauses
    slots: tuple[Slot, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Pool:
    name: Name
    total: int
    each: Name | None
    clauses: Clauses
    slots: tuple[Slot, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Link:
    """A chain of places joined both ways, or one step that leads one way."""

    places: tuple[Name, ...]
    one_way: bool
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LinkLine:
    links: tuple[Link, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Map:
    name: Name
    of: Name
    clauses: Clauses
    lines: tuple[LinkLine, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SightPoint:
    quantity: Literal["any", "every"] | None
    point: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SightPoints:
    origin: SightPoint
    target: SightPoint
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SightSpace:
    variable: Name
    where: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SightEdge:
    first: Name
    second: Name
    where: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SightTouch:
    """What a line does that only touches: an `edge`, a `corner`, or a `joint` (a corner where two blockers meet)."""

    what: Name
    result: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Sight:
    """A line of sight from `origin` to `target`, two variables for places of one grid."""

    name: Name
    origin: Name
    target: Name
    clauses: Clauses
    lines: tuple[SightPoints | SightSpace | SightEdge | SightTouch, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Face:
    """A number, a range of numbers, or a name."""

    low: int | None
    high: int | None
    name: Name | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Die:
    name: Name
    faces: tuple[Face, ...]
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


# ---- Play ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Param:
    label: str | None
    variable: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Signature:
    verb: Name
    params: tuple[Param, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Play:
    clauses: Clauses
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Procedure:
    signature: Signature
    clauses: Clauses
    body: Block
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Action:
    signature: Signature
    during: tuple[Name, ...]
    clauses: Clauses
    body: Block
    span: Span = field(compare=False, repr=False)


# ---- Values, tables, ranks, stories -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Case:
    manner: Manner | None
    op: ValueOp
    value: Expr
    conditions: Conditions
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Value:
    name: Name
    variables: tuple[Name, ...]
    type: TypeExpr
    combine: Literal["first", "highest", "lowest"] | None
    clauses: Clauses
    cases: tuple[Case, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Table:
    name: Name
    keys: tuple[TypeExpr, ...]
    variables: tuple[Name, ...]
    clauses: Clauses
    rows: tuple[Row, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RankLine:
    """`most E`, `fewest E` or `first in ORDER`."""

    by: Literal["most", "fewest", "first in"]
    value: Expr
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RankTies:
    """What is done with ties that are left: `ties share` or `ties stay`."""

    how: Name
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Rank:
    """`given` are further variables that the rank depends on: the nearest explorer, for each hostile."""

    name: Name
    variable: Name
    given: tuple[Name, ...]
    where: Expr | None
    clauses: Clauses
    lines: tuple[RankLine | RankTies, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Passage:
    name: Name
    texts: tuple[str, ...]
    clauses: Clauses
    body: Block
    options: tuple[Option, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Chapter:
    name: Name
    title: str | None
    clauses: Clauses
    passages: tuple[Passage, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Story:
    name: Name
    clauses: Clauses
    starts: tuple[Name, ...]
    items: tuple[Passage | Chapter, ...]
    span: Span = field(compare=False, repr=False)

    def passages(self) -> tuple[Passage, ...]:
        found: list[Passage] = []
        for item in self.items:
            found.extend(item.passages if isinstance(item, Chapter) else (item,))
        return tuple(found)


# ---- Judging ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PolicyReads:
    rule: Name
    reading: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PolicyOver:
    winner: Name
    loser: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class PolicyIfPossible:
    """What the rule demands rests where it cannot be met."""

    rule: Name
    span: Span = field(compare=False, repr=False)


PolicyLine = PolicyReads | PolicyOver | PolicyIfPossible | Rule


@dataclass(frozen=True, slots=True)
class Policy:
    """Both sorts have the same lines: a policy counts where it is asked for, a ruling always.

    A policy that is the `default` is asked for by everybody who plays, and does not say that he goes without.
    """

    sort: Literal["policy", "ruling"]
    name: Name
    default: bool
    clauses: Clauses
    lines: tuple[PolicyLine, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Note:
    reason: Name
    text: str
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AskModal:
    actor: Ref
    modal: Modal
    phrase: Phrase
    when: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AskValue:
    value: Ref
    when: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AskEvent:
    event: Event
    condition: Expr | None
    span: Span = field(compare=False, repr=False)


AnswerWord = Literal["always", "never", "depends", "undetermined"]


@dataclass(frozen=True, slots=True)
class Expect:
    answer: AnswerWord | Expr
    because: tuple[Name, ...]
    against: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    clauses: Clauses
    ask: AskModal | AskValue | AskEvent
    expect: Expect | None
    span: Span = field(compare=False, repr=False)


ClaimWord = Literal["always", "never", "possible", "eventually"]


@dataclass(frozen=True, slots=True)
class Claim:
    text: str | None
    word: ClaimWord
    condition: Expr
    clauses: Clauses
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Seats:
    count: int
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UsesPolicy:
    policy: Name
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class UsesDefaults:
    """`policy default`: all policies that are marked `by default`."""

    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class GivenThat:
    condition: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class AtMoment:
    moment: Name
    of: Expr | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class DoMove:
    """A move, with the chances and choices that come up while it is carried out, in their order."""

    phrase: Phrase
    rolls: tuple[Expr, ...]
    draws: tuple[Expr, ...]
    choices: tuple[Expr, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Then:
    condition: Expr
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ThenModal:
    actor: Ref
    modal: Modal
    phrase: Phrase
    because: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ThenUndetermined:
    between: tuple[Name, ...]
    span: Span = field(compare=False, repr=False)


ScenarioLine = Seats | UsesPolicy | UsesDefaults | GivenThat | AtMoment | DoMove | Then | ThenModal | ThenUndetermined


@dataclass(frozen=True, slots=True)
class Scenario:
    text: str
    clauses: Clauses
    lines: tuple[ScenarioLine, ...]
    span: Span = field(compare=False, repr=False)


Declaration = (
    Game
    | Import
    | Documents
    | Outline
    | Precedence
    | TypeDecl
    | Kind
    | Let
    | State
    | Piles
    | Pool
    | Map
    | Sight
    | Die
    | Play
    | Procedure
    | Action
    | Rule
    | Value
    | Table
    | Rank
    | Story
    | Policy
    | Note
    | Question
    | Claim
    | Scenario
)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All declarations of a book, in the order of its files and lines."""

    declarations: tuple[Declaration, ...]

    def rulings(self) -> tuple[Policy, ...]:
        """All of them: they are in force wherever the book is used."""
        return tuple(d for d in self.declarations if isinstance(d, Policy) and d.sort == "ruling")

    def defaults(self) -> tuple[Policy, ...]:
        """The policies that are in force in every game whose players do not go without them."""
        return tuple(d for d in self.declarations if isinstance(d, Policy) and d.default)
