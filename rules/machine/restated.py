"""What a book says more than once: a rule and its restatements are versions of one statement.

A version that says it word for word (but for the letters of its variables) adds nothing: what would count once for each
norm, triggers and amounts that are added, is done by what it restates. Versions that are worded otherwise are a
`Family`: play follows each of them and compares the ends, as with the readings of a sentence (`judge.py`), unless
precedence has chosen one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from rules import model as m
from rules.machine.norms import Applied, RuleNorm
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import ValueSymbol, VariableSymbol

if TYPE_CHECKING:
    from rules.machine.run import Machine

Key = tuple[str, int, bool]  # of a norm
Letters = dict[str, str]  # the variables of the one text, each with that of the other
ORIGINAL = ""  # what is followed where no restatement is: the rules that are restated
_MOST_READINGS = 16  # of what is restated that are looked through


@dataclass(frozen=True, slots=True)
class Version:
    """A restatement that is worded otherwise: `ours` are norms that only it has, `theirs` those that it does not say.

    With `part` it restates only some of what the rules `of` say, and where it says nothing they count.
    """

    name: str
    of: tuple[str, ...]
    part: bool
    ours: frozenset[Key]
    theirs: frozenset[Key]


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """Versions of one statement that are worded otherwise. Which is followed is kept in `State.reads` under `key`."""

    key: str
    versions: tuple[Version, ...]

    def version(self, followed: str) -> Version | None:
        return next((version for version in self.versions if version.name == followed), None)

    def says(self, norm: Key, followed: str) -> bool:
        """Whether a norm counts where this version is followed."""
        chosen = self.version(followed)
        if chosen is not None and not chosen.part and norm in chosen.theirs:
            return False
        return not any(norm in version.ours for version in self.versions if version is not chosen)


class Restated:
    """All restatements by rules of one machine.

    `again`: norms that are said word for word, each with the norm that it restates, and the letters of that norm, each
    with its own. `families`: the families of the norms that are not.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.again: dict[Key, tuple[RuleNorm, Letters]] = {}
        self.families: dict[Key, Family] = {}
        self._norms: dict[str, list[RuleNorm]] = {}
        for norm in machine.norms:
            self._norms.setdefault(norm.name, []).append(norm)
        self._cases: dict[str, list[RuleNorm]] = {}
        for value in machine.values.values():
            cases = [machine.case_norm(value, place) for place in range(len(value.cases))]
            self._cases.setdefault(value.name.text, []).extend(cases)
        self._links = {name: found for name, norms in self._norms.items() if (found := _links(norms[0]))}
        versions = [version for name in self._links if (version := self._compared(name)) is not None]
        for group in _joined(versions):
            family = Family(
                ", ".join([*dict.fromkeys(n for v in group for n in v.of), *(v.name for v in group)]), group
            )
            self.families |= {key: family for version in group for key in version.ours | version.theirs}
        self.by_name = {family.key: family for family in self.families.values()}
        self._restating: dict[str, list[RuleNorm]] = {}
        for name in self._links:
            for other in self.originals(name)[0]:
                self._restating.setdefault(other, []).extend(self._norms[name])
        self._names = self._statements()
        self._chosen: dict[tuple[str, frozenset[tuple[object, object]]], tuple[str, ...]] = {}

    # ---- what restates what

    def originals(self, name: str) -> tuple[tuple[str, ...], bool]:
        """The rules and values that a rule restates in the end; and whether it restates only some of what they say."""
        found: dict[str, None] = {}
        part = False
        waiting, seen = [name], {name}
        while waiting:
            for other, some in self._links.get(waiting.pop(), ()):
                part = part or some
                if other in seen:
                    continue
                seen.add(other)
                if other in self._links:
                    waiting.append(other)
                elif other in self._norms or other in self._cases:
                    found[other] = None
                    part = part or other not in self._norms  # a rule speaks of one case of a value, never of all
        return tuple(found), part

    def norms_of(self, name: str) -> list[RuleNorm]:
        """The norms of a rule, or the cases of a value."""
        return self._norms.get(name) or self._cases.get(name, [])

    def _compared(self, name: str) -> Version | None:
        """What is said word for word is noted; None where nothing else is said."""
        of, part = self.originals(name)
        ours = self._norms[name]
        best: tuple[list[tuple[RuleNorm, RuleNorm, Letters]], list[RuleNorm], list[RuleNorm]] | None = None
        everything = [norm for other in of for norm in self.norms_of(other)]
        if not everything:
            return None
        for theirs in self._readings(of):  # a restatement may follow any reading
            found = self._paired(ours, theirs)
            if best is None or len(found[1]) + len(found[2]) < len(best[1]) + len(best[2]):
                best = found
        assert best is not None
        pairs, left, missing = best
        for one, other, letters in pairs:
            self.again[one.key] = (other, letters)
        if not left and (part or not missing):
            return None
        said = {other.key for _, other, _ in pairs}
        sorts = {_sort(norm) for norm in left}
        rest = frozenset(n.key for n in everything if n.key not in said and (not part or _sort(n) in sorts))
        return Version(name, of, part, frozenset(norm.key for norm in left), rest)

    def _readings(self, names: tuple[str, ...]) -> Iterator[list[RuleNorm]]:
        by_name: list[list[list[RuleNorm]]] = []
        for name in names:
            readings: dict[str | None, list[RuleNorm]] = {}
            for norm in self.norms_of(name):
                readings.setdefault(norm.reading, []).append(norm)
            by_name.append(list(readings.values()))
        for chosen in islice(product(*by_name), _MOST_READINGS):
            yield [norm for norms in chosen for norm in norms]

    def _paired(
        self, ours: list[RuleNorm], theirs: list[RuleNorm]
    ) -> tuple[list[tuple[RuleNorm, RuleNorm, Letters]], list[RuleNorm], list[RuleNorm]]:
        """The norms with the same text, and those on each side that have no like on the other."""
        pairs: list[tuple[RuleNorm, RuleNorm, Letters]] = []
        left, missing = [], list(theirs)
        for one in ours:
            for other in missing:
                letters = self._same_text(other, one)
                if letters is not None:
                    pairs.append((one, other, letters))
                    missing.remove(other)
                    break
            else:
                left.append(one)
        return pairs, left, missing

    def _same_text(self, one: RuleNorm, other: RuleNorm) -> Letters | None:
        """The letters of the one norm, each with that of the other, where both have the same text."""
        comparing = _Comparing(self.machine)
        sources = one.clauses.source, other.clauses.source
        if one.manner != other.manner or not comparing.alike(*sources):
            return None
        if isinstance(one.body, m.Case) and isinstance(other.body, m.ValueNorm):
            value = next(v for v in self.machine.values.values() if any(case is one.body for case in v.cases))
            symbol = self.machine.checked.symbol_of(other.body.target)
            args = other.body.target.args
            if not isinstance(symbol, ValueSymbol) or self.machine.values[symbol.span] is not value:
                return None
            names = [arg.name for arg in args if isinstance(arg, m.Ref) and not arg.args]
            parts = (
                (one.body.op, one.body.value, one.body.conditions),
                (
                    other.body.op,
                    other.body.value,
                    other.body.conditions,
                ),
            )
            same = (
                len(names) == len(args) and comparing.alike(value.variables, tuple(names)) and comparing.alike(*parts)
            )
            return comparing.there if same else None
        return comparing.there if comparing.alike(one.body, other.body) else None

    # ---- names of one statement

    def _statements(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for name in self._links:
            of, part = self.originals(name)
            found.setdefault(name, {name}).update(of)
            if not part and len(of) == 1:
                found.setdefault(of[0], {of[0]}).add(name)
        return {  # with the other versions of what is restated as a whole
            name: frozenset(names).union(*(found[other] for other in names if name in found.get(other, ())))
            for name, names in found.items()
        }

    def names(self, name: str) -> frozenset[str]:
        """All names under which a rule is meant: its own, of what it restates, and of what restates it as a whole."""
        return self._names.get(name) or frozenset((name,))

    def are_versions(self, one: str, other: str) -> bool:
        """Whether two rules say the same thing, each in its own place."""
        return one != other and (other in self.names(one) or one in self.names(other))

    def repeats(self, norm: RuleNorm) -> bool:
        """Whether a norm says word for word what another says: what is to be told of it is told of that one."""
        return norm.key in self.again

    # ---- which version counts

    def followed(self, family: Family, ruled: frozenset[tuple[object, object]]) -> tuple[str, ...]:
        """The versions of a family that no other goes before; all of them where they go before each other in a ring."""
        overs = ruled | self.machine.precedence.overs
        key = (family.key, overs)
        if key not in self._chosen:
            options = (ORIGINAL, *(version.name for version in family.versions))
            speakers = {option: self._speakers(family, option) for option in options}
            left = tuple(
                one
                for one in options
                if not any(
                    self._goes_before(speakers[other], speakers[one], overs) for other in options if other != one
                )
            )
            self._chosen[key] = left or options
        return self._chosen[key]

    def _speakers(self, family: Family, option: str) -> list[RuleNorm]:
        """A norm of each rule that says what a version says; the original is also said by who says it word for word."""
        if option != ORIGINAL:
            return self._norms[option][:1]
        of = dict.fromkeys(name for version in family.versions for name in version.of)
        also = [name for name in self._links if family.version(name) is None and set(of) & set(self.originals(name)[0])]
        return [norm for name in (*of, *also) for norm in self.norms_of(name)[:1]]

    def _goes_before(self, one: list[RuleNorm], other: list[RuleNorm], overs: frozenset[tuple[object, object]]) -> bool:
        return any(all(self.machine.precedence.chooses(a, b, overs) for b in other) for a in one)

    def sides(self, family: Family, options: Sequence[str]) -> list[list[RuleNorm]]:
        """The norms in which versions of a family differ."""
        found = []
        for option in options:
            version = family.version(option)
            if version is not None:
                keys, names = version.ours, [version.name]
            else:
                keys = frozenset(key for one in family.versions for key in one.theirs)
                names = list(dict.fromkeys(name for one in family.versions for name in one.of))
            norms = [norm for name in names for norm in self.norms_of(name)]
            found.append([norm for norm in norms if norm.key in keys] or norms)
        return found

    # ---- what restates a norm

    def order_of(self, norm: RuleNorm) -> int:
        """The place of a statement in the book, whoever says it: of a norm that repeats another, that of the other."""
        known = self.again.get(norm.key)
        return norm.order if known is None else known[0].order

    def is_done_already(self, norm: RuleNorm) -> bool:
        """Whether a norm would be carried out or added once more, though it only repeats another word for word."""
        if not self.repeats(norm):
            return False
        body = norm.body
        if isinstance(body, m.EventNorm):
            return body.timing != "instead of"
        return isinstance(body, m.ValueNorm) and body.op in ("plus", "minus")

    def restating(self, name: str) -> list[RuleNorm]:
        """The norms of all rules that restate a rule or a value."""
        return self._restating.get(name, [])


def _links(norm: RuleNorm) -> tuple[tuple[str, bool], ...]:
    """What the rule of a norm restates; and whether only some of it."""
    clauses = norm.clauses
    return (
        *((name.text, False) for name in clauses.restates if name.text != norm.name),
        *((name.text, True) for name in clauses.restates_some if name.text != norm.name),
    )


def _sort(norm: RuleNorm) -> Hashable:
    """What a norm does: of what a restatement in part leaves out, only norms of its own sort give way to it."""
    body = norm.body
    if isinstance(body, m.ValueNorm | m.Case):
        return body.op
    return body.timing if isinstance(body, m.EventNorm) else type(body).__name__


def _joined(versions: list[Version]) -> Iterator[tuple[Version, ...]]:
    """Versions of the same rules together, in the order of the book."""
    left = list(versions)
    while left:
        group, names = [left.pop(0)], set[str]()
        grown = True
        while grown:
            names |= {name for version in group for name in version.of}
            more = [version for version in left if names & set(version.of)]
            left = [version for version in left if version not in more]
            group += more
            grown = bool(more)
        yield tuple(sorted(group, key=versions.index))


class _Comparing:
    """Whether two texts are the same but for the letters of their variables."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.there: Letters = {}
        self.back: Letters = {}

    def alike(self, one: Any, other: Any) -> bool:
        if isinstance(one, m.Clauses) and isinstance(other, m.Clauses):
            return True
        if type(one) is not type(other):
            return False
        if isinstance(one, m.Name):
            return self._names(one.text, other.text)
        if isinstance(one, tuple):
            return len(one) == len(other) and all(map(self.alike, one, other))
        if is_dataclass(one):
            return all(
                self.alike(getattr(one, f.name), getattr(other, f.name)) for f in fields(one) if f.name != "span"
            )
        return bool(one == other)

    def _names(self, one: str, other: str) -> bool:
        types = [
            symbol.type if isinstance(symbol := self.machine.variables.get(name), VariableSymbol) else None
            for name in (one, other)
        ]
        if types[0] is None or types[1] is None:
            return one == other
        if types[0] != types[1]:
            return False
        return self.there.setdefault(one, other) == other and self.back.setdefault(other, one) == one


# ---- what a block does ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shape:
    """A text with blanks for its variables: `number` is the same for texts that are the same but for their letters.

    `names` are the variables, in the order of the text.
    """

    number: int
    names: tuple[str, ...]


class Shapes:
    """The shapes of the blocks of a book."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._numbers: dict[Hashable, int] = {}
        self._known: dict[int, tuple[object, Shape]] = {}  # with what it is of, so that no other takes its place

    def of(self, part: object) -> Shape:
        known = self._known.get(id(part))
        if known is None:
            names: dict[str, int] = {}
            form = self._form(part, names)
            shape = Shape(self._numbers.setdefault(form, len(self._numbers)), tuple(names))
            known = self._known[id(part)] = (part, shape)
        return known[1]

    def _form(self, node: Any, names: dict[str, int]) -> Hashable:
        if isinstance(node, m.Clauses):
            return None
        if isinstance(node, m.Name):
            symbol = self.machine.variables.get(node.text)
            if not isinstance(symbol, VariableSymbol):
                return node.text
            return (symbol.type, names.setdefault(node.text, len(names)))
        if isinstance(node, tuple):
            return tuple(self._form(item, names) for item in node)
        if is_dataclass(node) and not isinstance(node, (type, Span)):
            inside = (self._form(getattr(node, f.name), names) for f in fields(node) if f.name != "span")
            return (type(node).__name__, *inside)
        return (type(node).__name__, node)

    # ---- of norms that react

    def effect(self, applied: Applied) -> Hashable:
        """What a norm does with an event: two that do the same do not disagree."""
        body = applied.norm.body
        if not isinstance(body, m.EventNorm):
            return "ignore"
        shape = self.of(body.body)
        return shape.number, tuple(applied.env.get(name, _LOCAL) for name in shape.names)

    def is_part(self, one: Applied, other: Applied) -> bool:
        """Whether all that the one does is done by the other, in the same order."""
        if self.effect(one) == self.effect(other):
            return True
        a, b = one.norm.body, other.norm.body
        if not isinstance(a, m.EventNorm) or not isinstance(b, m.EventNorm):
            return False
        rest = iter([self._statement(statement, other) for statement in b.body])
        return all(any(self._statement(mine, one) == theirs for theirs in rest) for mine in a.body)

    def _statement(self, statement: m.Statement, applied: Applied) -> Hashable:
        shape = self.of(statement)
        values: list[Value] = [applied.env.get(name, ("local", name)) for name in shape.names]
        return shape.number, tuple(values)


_LOCAL = ("local",)
