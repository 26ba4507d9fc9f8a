"""Norms at work: which apply in a state, which precede which, what they decide.

A norm applies when its subject matches and its condition holds. An applicable norm is defeated by an applicable one
that disagrees and precedes it. What is left decides; if what is left disagrees, the matter is undetermined.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rules import model as m
from rules.machine.world import Value
from rules.span import Span

if TYPE_CHECKING:
    from rules.machine.run import Machine
    from rules.machine.state import State


@dataclass(frozen=True, slots=True)
class RuleNorm:
    """A norm with the rule that it stands in, as precedence sees it."""

    name: str
    body: m.NormBody | m.Case
    manner: m.Manner | None
    clauses: m.Clauses
    order: int
    reading: str | None = None

    @property
    def document(self) -> str | None:
        return self.clauses.cites[0].document.text if self.clauses.cites else None

    @property
    def conditions(self) -> m.Conditions:
        if isinstance(self.body, m.EventNorm | m.IgnoreNorm):
            return m.Conditions(self.body.condition, None, None)
        return self.body.conditions


@dataclass(frozen=True, slots=True)
class Applied:
    """A norm that applies, with what its variables stand for."""

    norm: RuleNorm
    env: dict[str, Value] = field(compare=False)


class Undetermined(Exception):  # noqa: N818  (a fact about the book, not an error of ours)
    """Norms disagree, and nothing in the book says which goes before."""

    def __init__(self, subject: str, sides: tuple[tuple[Applied, ...], ...]) -> None:
        super().__init__(subject)
        self.subject = subject
        self.sides = sides


class Gap(Exception):  # noqa: N818
    """The book does not answer where it must."""

    def __init__(self, text: str, span: Span) -> None:
        super().__init__(text)
        self.span = span


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, by whom and against whom; the meta-rule names are for `why`."""

    winners: tuple[Applied, ...]
    defeated: tuple[tuple[Applied, Applied, str], ...]  # loser, winner, by which meta-rule


def all_norms(book: m.Rulebook, readings: dict[str, str], policy_rules: tuple[m.Rule, ...]) -> Iterator[RuleNorm]:
    """Every norm of the book; of a rule with readings, the chosen one, or all where none is chosen."""
    order = 0
    rules = [d for d in book.declarations if isinstance(d, m.Rule)]
    for rule in (*rules, *policy_rules):
        for norm in rule.norms:
            yield RuleNorm(rule.name.text, norm.body, norm.manner, rule.clauses, order)
            order += 1
        for reading in rule.readings:
            if readings.get(rule.name.text, reading.name.text) == reading.name.text:
                clauses = reading.clauses if reading.clauses.cites else rule.clauses
                for norm in reading.norms:
                    yield RuleNorm(rule.name.text, norm.body, norm.manner, clauses, order, reading.name.text)
                    order += 1


class Precedence:
    """The book's own meta-rules, strongest first, with the rulings and policies that were added."""

    def __init__(self, machine: Machine, overs: frozenset[tuple[str, str]]) -> None:
        self.machine = machine
        self.overs = overs
        self.rules = [
            rule
            for declaration in machine.world.checked.book.declarations
            if isinstance(declaration, m.Precedence)
            for rule in declaration.rules
        ]
        self._authority = self._authorities()

    def _authorities(self) -> frozenset[tuple[str, str]]:
        pairs: set[tuple[str, str]] = set()
        for rule in self.rules:
            if isinstance(rule.body, m.Authority):
                for chain in rule.body.chains:
                    names = [name.text for name in chain]
                    pairs.update((a, b) for i, a in enumerate(names) for b in names[i + 1 :])
        while True:  # what outranks is transitive
            more = {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs
            if not more:
                return frozenset(pairs)
            pairs |= more

    def precedes(self, one: Applied, other: Applied, state: State) -> str | None:
        """The meta-rule by which the one goes before the other, or None."""
        if (one.norm.name, other.norm.name) in self.overs:
            return "ruling"
        if (other.norm.name, one.norm.name) in self.overs:
            return None
        if other.norm.manner == "usually" and one.norm.manner != "usually":
            return "usually"
        for rule in self.rules:
            forward = self._by(rule, one, other, state)
            backward = self._by(rule, other, one, state)
            if forward and not backward:
                return _words(rule)
            if backward and not forward:
                return None
        return None

    def _by(self, rule: m.MetaRule, one: Applied, other: Applied, state: State) -> bool:
        a, b = one.norm, other.norm
        match rule.body:
            case m.Explicit():
                names = {name.text for name in a.clauses.overrides}
                return b.name in names or self._even_if(one, other, state)
            case m.Authority():
                return (a.document or "", b.document or "") in self._authority
            case m.Listed(among=among):
                return is_among(a, among.text) and is_among(b, among.text) and a.order < b.order
            case m.Over(winner=winner, loser=loser, among=group, by=by):
                if group is not None and not (is_among(a, group.text) and is_among(b, group.text)):
                    return False
                return self._over(winner.text, loser.text, by, one, other, state)
            case _:
                return False

    def _over(self, winner: str, loser: str, by: m.Name | None, one: Applied, other: Applied, state: State) -> bool:
        a, b = one.norm, other.norm
        match winner, loser:
            case "specific", "general":
                return implies(a.conditions, b.conditions) and not implies(b.conditions, a.conditions)
            case "immediate", "lasting":
                return a.manner == "immediately" and b.manner != "immediately"
            case ("earlier", "later") | ("later", "earlier"):
                ages = self.machine.age(one, by, state), self.machine.age(other, by, state)
                if ages[0] is None or ages[1] is None:
                    return False
                return bool(ages[0] < ages[1] if winner == "earlier" else ages[0] > ages[1])
            case (("may" | "must" | "cannot"), _):
                return _modal(a) == winner and _modal(b) == loser
            case _:
                return is_among(a, winner) and is_among(b, loser)

    def _even_if(self, one: Applied, other: Applied, state: State) -> bool:
        """`even if C` goes before norms that apply only where C holds."""
        even_if = one.norm.conditions.even_if
        if even_if is None or not self.machine.evaluator.holds(even_if, state, one.env):
            return False
        return implies(other.norm.conditions, m.Conditions(even_if, None, None))

    def decide(self, subject: str, sides: list[list[Applied]], state: State) -> tuple[int, Decision]:
        """Which side wins. Raises `Undetermined` where undefeated norms of several sides are left."""
        defeated: list[tuple[Applied, Applied, str]] = []
        left: list[list[Applied]] = []
        for place, side in enumerate(sides):
            undefeated: list[Applied] = []
            rivals = [rival for other, group in enumerate(sides) if other != place for rival in group]
            for applied in side:
                beaten = next(((r, w) for r in rivals if (w := self.precedes(r, applied, state))), None)
                if beaten is None:
                    undefeated.append(applied)
                else:
                    defeated.append((applied, beaten[0], beaten[1]))
            left.append(undefeated)
        standing = [place for place, side in enumerate(left) if side]
        if len(standing) != 1:
            raise Undetermined(subject, tuple(tuple(left[place]) for place in standing))
        return standing[0], Decision(tuple(left[standing[0]]), tuple(defeated))


def _words(rule: m.MetaRule) -> str:
    match rule.body:
        case m.Explicit():
            return "explicit"
        case m.Authority():
            return "authority"
        case m.Listed(among=among):
            return f"listed order among {among.text}"
        case m.Over(winner=winner, loser=loser):
            return f"{'assumed ' if rule.assumed else ''}{winner.text} over {loser.text}"
        case _:
            return "undecided"


def is_among(norm: RuleNorm, group: str) -> bool:
    return group in {name.text for name in norm.clauses.among} or norm.document == group


def _modal(norm: RuleNorm) -> str | None:
    return norm.body.modal if isinstance(norm.body, m.ModalNorm) else None


def implies(one: m.Conditions, other: m.Conditions) -> bool:
    """Whether one condition is known to imply another: each part of the other stands in the one.

    This is a proof, but not all that can be proved: what it does not see counts as not implied.
    """
    return _parts(other) <= _parts(one)


def _parts(conditions: m.Conditions) -> frozenset[m.Expr]:
    found: set[m.Expr] = set()
    if conditions.when is not None:
        found |= set(conjuncts(conditions.when))
    if conditions.unless is not None:
        found.add(m.Not(conditions.unless, conditions.unless.span))
    return frozenset(found)


def conjuncts(expr: m.Expr) -> Iterator[m.Expr]:
    if isinstance(expr, m.And):
        yield from conjuncts(expr.left)
        yield from conjuncts(expr.right)
    else:
        yield expr
