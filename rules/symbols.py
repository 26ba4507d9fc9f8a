"""What a name can stand for. A symbol knows its declaration; whether it is used is for the checker to note."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from rules import model as m
from rules.span import Span
from rules.types import EnumT, KindT, NumberT, Type


@dataclass(frozen=True, slots=True)
class TypeSymbol:
    name: str
    type: EnumT | NumberT
    values: tuple[str, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class KindSymbol:
    """`members` is empty where only a number of things is given; `least` and `most` count the things."""

    name: str
    least: int
    most: int
    members: tuple[str, ...]
    grid: m.Grid | None
    span: Span = field(compare=False, repr=False)

    @property
    def type(self) -> KindT:
        return KindT(self.name)


@dataclass(frozen=True, slots=True)
class ConstantSymbol:
    """A value of an enumeration, a thing with a name, or the title of several."""

    name: str
    type: Type
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class VariableSymbol:
    name: str
    type: Type
    span: Span = field(compare=False, repr=False)


SlotRole = Literal["state", "attribute", "printed", "pile", "place"]


@dataclass(frozen=True, slots=True)
class SlotSymbol:
    """Something that the state holds. `pool` names the pool that a place belongs to."""

    name: str
    role: SlotRole
    params: tuple[Type, ...]
    type: Type
    pool: str | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ValueSymbol:
    name: str
    params: tuple[Type, ...]
    type: Type
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TableSymbol:
    """`type` is None for a table whose rows do something."""

    name: str
    params: tuple[Type, ...]
    variables: tuple[Type, ...]
    type: Type | None
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RelationSymbol:
    """A yes/no relation that a map or a line of sight gives."""

    name: str
    params: tuple[Type, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class RankSymbol:
    name: str
    kind: str
    params: tuple[Type, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BuiltinSymbol:
    """A function of the language, such as `size`."""

    name: str


@dataclass(frozen=True, slots=True)
class DieSymbol:
    name: str
    type: Type
    span: Span | None = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class VerbSymbol:
    """An action or a procedure."""

    name: str
    role: Literal["action", "procedure"]
    params: tuple[m.Param, ...]
    types: tuple[Type, ...]
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class NamedSymbol:
    """A name with nothing to it but its place: a document, a rule, a moment, a passage, a policy, a tag."""

    name: str
    what: str
    span: Span | None = field(compare=False, repr=False)


Term = (
    KindSymbol
    | ConstantSymbol
    | VariableSymbol
    | SlotSymbol
    | ValueSymbol
    | TableSymbol
    | RelationSymbol
    | RankSymbol
    | BuiltinSymbol
)
Symbol = Term | TypeSymbol | DieSymbol | VerbSymbol | NamedSymbol
