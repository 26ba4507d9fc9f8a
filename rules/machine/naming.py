"""Names as play shows them, back to values: `Player 1`, `Cell 2,2`, `storm`, `{athens, crete}`."""

from __future__ import annotations

from collections.abc import Collection

from rules.check.context import did_you_mean
from rules.machine.world import Value, World
from rules.span import Span
from rules.terms import Copies, Listing, Number, Term, Word
from rules.types import (
    BagT,
    EnumT,
    KindT,
    MaybeT,
    NumberT,
    OrderT,
    PileT,
    SetT,
    TruthT,
    Type,
    describe,
)

Item = Word | Number | Copies

_FEW = 8  # so many names are still told one by one


class Misfit(ValueError):  # noqa: N818  (a fact about a text, which its reader reports)
    """A term that is no value of the type that is wanted: the code of the mistake, one line, and the place of it."""

    def __init__(self, code: str, message: str, span: Span, help: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.help = help


class Names:
    """The names of one world. `folded` takes capital and small letters for the same where that is not in doubt."""

    def __init__(self, world: World, folded: bool = False) -> None:
        self.world = world
        self.folded = folded

    def knows(self, text: str, type_: Type) -> bool:
        """Whether a name is one of the values of a type."""
        return self._exact(text, self._values(type_)) is not None

    def value(self, term: Term, type_: Type, what: str) -> Value:
        """Raises `Misfit`; `what` is what has this type, for the message."""
        match type_:
            case MaybeT(of=of):
                if isinstance(term, Word) and self._exact(term.text, ("none",)) is not None:
                    return None
                return self.value(term, of, what)
            case NumberT():
                return self._number(term, type_, what)
            case TruthT() | EnumT() | KindT():
                return self._named(term, type_, what)
            case SetT(of=of):
                assert of is not None
                return self._set(self._items(term, "{", type_, what), of, what)
            case BagT(of=of, limit=limit):
                return self._bag(self._items(term, "{", type_, what), of, limit, what)
            case OrderT(kind=kind):
                return self._order(self._items(term, "[", type_, what), kind, what, term.span)
            case _:
                raise self._wrong_sort(term, type_, what)

    def pile(self, term: Term, type_: PileT, what: str) -> tuple[Word | Copies, ...]:
        """What a pile holds, from top to bottom: things, and titles of which any copy will do."""
        found: list[Word | Copies] = []
        for item in self._items(term, "[", type_, what):
            if isinstance(item, Number):
                raise self._wrong_sort(item, KindT(type_.kind), f"what {what} holds")
            name = item.of if isinstance(item, Copies) else item
            if isinstance(item, Copies) and item.count < 1:
                raise Misfit("LX808", f"`{item.span.text}` is no number of things", item.span)
            titles = self.world.titles[type_.kind]
            if isinstance(item, Word) and name.text not in titles:
                self._named(name, KindT(type_.kind), what)
            elif isinstance(item, Copies) and name.text not in titles:
                if name.text in self.world.things[type_.kind]:
                    raise Misfit("LX807", f"`{name.text}` is one thing, and has no copies", item.span)
                near = did_you_mean(name.text, titles)
                raise Misfit("LX806", f"no {type_.kind} has the title `{name.text}`", name.span, near)
            found.append(item)
        return tuple(found)

    # ---- one value

    def _number(self, term: Term, type_: NumberT, what: str) -> int:
        if not isinstance(term, Number):
            raise self._wrong_sort(term, type_, what)
        if not type_.low <= term.value <= type_.high:
            raise Misfit("LX808", f"{term.value} is beyond {what}, which is {type_.low}..{type_.high}", term.span)
        return term.value

    def _named(self, term: Term, type_: TruthT | EnumT | KindT, what: str) -> Value:
        if not isinstance(term, Word):
            raise self._wrong_sort(term, type_, what)
        values = self._values(type_)
        name = self._exact(term.text, values)
        if name is not None:
            return values[name]
        raise self._unknown(term, type_, what)

    def _values(self, type_: Type) -> dict[str, Value]:
        match type_:
            case TruthT():
                return {"no": False, "yes": True}
            case EnumT(name=name):
                return {value: value for value in self.world.enums[name]}
            case KindT(name=name):
                return {name: number for number, name in enumerate(self.world.things[name])}
            case MaybeT(of=of):
                return {**self._values(of), "none": None}
            case _:
                return {}

    def _exact(self, text: str, names: Collection[str]) -> str | None:
        """The name itself; if letters may be capital or small, the only one that differs in nothing else."""
        if text in names:
            return text
        alike = [name for name in names if name.casefold() == text.casefold()] if self.folded else []
        return alike[0] if len(alike) == 1 else None

    # ---- several

    def _items(self, term: Term, bracket: str, type_: Type, what: str) -> tuple[Item, ...]:
        if not isinstance(term, Listing):
            raise self._wrong_sort(term, type_, what)
        if term.bracket != bracket:
            closing = "]" if bracket == "[" else "}"
            raise Misfit(
                "LX807",
                f"{what} is {describe(type_)}, and stands in `{bracket} {closing}`",
                term.span,
                "the order counts" if bracket == "[" else "the order does not count",
            )
        return term.items

    def _single(self, item: Item, type_: Type, what: str) -> Value:
        if isinstance(item, Copies):
            raise Misfit("LX807", f"{what} holds each of them at most once", item.span, f"write `{item.of.text}`")
        return self.value(item, type_, f"what {what} holds")

    def _set(self, items: tuple[Item, ...], of: Type, what: str) -> frozenset[Value]:
        found: dict[Value, Span] = {}
        for item in items:
            value = self._single(item, of, what)
            if value in found:
                raise Misfit("LX805", f"`{item.span.text}` stands twice in {what}", item.span)
            found[value] = item.span
        return frozenset(found)

    def _bag(self, items: tuple[Item, ...], of: Type, limit: int, what: str) -> tuple[Value, ...]:
        found: list[Value] = []
        for item in items:
            count, one = (item.count, item.of) if isinstance(item, Copies) else (1, item)
            if count < 0 or len(found) + count > limit:
                message = f"{what} holds at most {limit}" if count > 0 else f"`{item.span.text}` is no number of things"
                raise Misfit("LX808", message, item.span)
            found += [self.value(one, of, f"what {what} holds")] * count
        return tuple(sorted(found))

    def _order(self, items: tuple[Item, ...], kind: str, what: str, span: Span) -> tuple[Value, ...]:
        found: list[Value] = []
        for item in items:
            value = self._single(item, KindT(kind), what)
            if value in found:
                raise Misfit("LX810", f"`{item.span.text}` stands twice in {what}", item.span)
            found.append(value)
        missing = [name for number, name in enumerate(self.world.things[kind]) if number not in found]
        if missing:
            raise Misfit("LX810", f"{what} lists every {kind}, and {_told(missing)} {_is(missing)} missing", span)
        return tuple(found)

    # ---- what is said of a wrong one

    def _unknown(self, term: Word, type_: TruthT | EnumT | KindT, what: str) -> Misfit:
        names = list(self._values(type_))
        if isinstance(type_, KindT) and term.text in self.world.titles[type_.name]:
            copies = [
                name
                for name, title in zip(self.world.things[type_.name], self.world.titles[type_.name], strict=True)
                if title == term.text
            ]
            message = f"`{term.text}` is the title of {len(copies)} things, and one is meant"
            return Misfit("LX807", message, term.span, f"say which: {_told(copies)}")
        near = did_you_mean(term.text, names)
        if near is None and self.sorts_of(term.text):
            return self._wrong_sort(term, type_, what)
        if near is None or _letters(near) == _letters(f"did you mean `{term.text}`?"):
            near = f"there are {_told(names)}"
        return Misfit("LX806", f"there is no {_noun(type_)} `{term.text}`", term.span, near)

    def _wrong_sort(self, term: Word | Number | Copies | Listing, type_: Type, what: str) -> Misfit:
        match term:
            case Word(text=text):
                sorts = self.sorts_of(text)
                given = f"`{text}` is {' or '.join(sorts)}" if sorts else f"`{text}` is none"
            case Number(value=value):
                given = f"`{value}` is a number"
            case Copies(span=span):
                given = f"`{span.text}` is several things"
            case Listing():
                given = "this is a list"
        return Misfit("LX807", f"{what} is {describe(type_)}, and {given}", term.span)

    def sorts_of(self, text: str) -> list[str]:
        """What else a word could be, in table language."""
        if text in ("yes", "no"):
            return ["yes/no"]
        if text == "none":
            return ["nothing at all"]
        enums = [describe(EnumT(name)) for name, values in self.world.enums.items() if text in values]
        kinds = [describe(KindT(name)) for name, things in self.world.things.items() if text in things]
        return enums + kinds


def _noun(type_: TruthT | EnumT | KindT) -> str:
    return "such answer as" if isinstance(type_, TruthT) else type_.name


def _letters(text: str) -> str:
    """Without its digits: `Player 7` is no slip of the pen for `Player 1`."""
    return "".join(letter for letter in text if not letter.isdigit())


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _told(names: list[str]) -> str:
    shown = [f"`{name}`" for name in names[:_FEW]]
    return ", ".join(shown) + (", ..." if len(names) > _FEW else "")
