"""Norms at work: which apply in a state, which precede which, what they decide.

A norm applies when its subject matches and its condition holds. An applicable norm is defeated by an applicable one
that disagrees and precedes it. What is left decides; if what is left disagrees, the matter is undetermined.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeVar

from rules import model as m
from rules.machine.world import Value
from rules.span import Span

if TYPE_CHECKING:
    from rules.machine.run import Machine
    from rules.machine.state import State

_Node = TypeVar("_Node")

Referee = Callable[["Applied", "Applied"], bool]


@dataclass(frozen=True, slots=True)
class RuleNorm:
    """A norm with the rule that it stands in, as precedence sees it.

    `number` counts the norms of its rule, or the cases of its value, from 1. `ruled` is true in a ruling or a policy:
    such norms have authority over all others.
    """

    name: str
    body: m.NormBody | m.Case
    manner: m.Manner | None
    clauses: m.Clauses
    order: int
    number: int
    reading: str | None = None
    ruled: bool = False

    @property
    def key(self) -> tuple[str, int, bool]:
        return (self.name, self.number, isinstance(self.body, m.Case))

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
    phrase: m.Phrase | None = field(default=None, compare=False)  # the one of its alternatives that fits


@dataclass(frozen=True, slots=True)
class Ground:
    """Why one norm goes before another: a meta-rule of the book, or a word of `usually`, of a ruling or a policy."""

    words: str
    rule: m.MetaRule | None = None

    @property
    def assumed(self) -> bool:
        return self.rule is not None and self.rule.assumed


@dataclass(frozen=True, slots=True)
class Defeat:
    loser: Applied
    winner: Applied
    ground: Ground


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, by whom and against whom."""

    winners: tuple[Applied, ...]
    defeats: tuple[Defeat, ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """How a table settles an open point.

    `over`: the winners go before the losers, as rules or, where both stand in one rule, as norms. `reads`: the rule
    `name` is read as `value` says. `usually`: the value declared `at` is `value` where the book does not say.
    `rests`: what the rule `name` demands is not asked for where it cannot be met. `short`: where the pile or pool place
    `name` has too few, fewer are taken; `value` is its slot. `row`: of the table or roll `at`, `value` is the keys and
    the place of the row that counts. `tie`: in the rank `name`, `value` is the tie and the one who comes first.
    """

    kind: Literal["over", "reads", "usually", "rests", "short", "row", "tie"]
    text: str
    winners: tuple[RuleNorm, ...] = ()
    losers: tuple[RuleNorm, ...] = ()
    name: str = ""
    value: Value = None
    at: Span | None = None


class Undetermined(Exception):  # noqa: N818  (a fact about the book, not an error of ours)
    """Norms disagree, and nothing in the book says which goes before."""

    def __init__(
        self, subject: str, sides: tuple[tuple[Applied, ...], ...], rulings: tuple[Ruling, ...] | None = None
    ) -> None:
        super().__init__(subject)
        self.subject = subject
        self.sides = tuple(tuple({a.norm.key: a.norm for a in side}.values()) for side in sides)
        self.rulings = rulings if rulings is not None else _side_rulings(self.sides)


def _side_rulings(sides: tuple[tuple[RuleNorm, ...], ...]) -> tuple[Ruling, ...]:
    """One for each side: it goes before the others."""
    return tuple(
        _over(side, tuple(norm for other, rivals in enumerate(sides) if other != place for norm in rivals))
        for place, side in enumerate(sides)
    )


def _over(winners: tuple[RuleNorm, ...], losers: tuple[RuleNorm, ...]) -> Ruling:
    by_rule = {w.name for w in winners}.isdisjoint(loser.name for loser in losers)

    def words(norms: tuple[RuleNorm, ...]) -> str:
        return ", ".join(dict.fromkeys(norm.name if by_rule else f"{norm.name} ({norm.number})" for norm in norms))

    return Ruling("over", f"{words(winners)} over {words(losers)}", winners, losers)


class Gap(Exception):  # noqa: N818
    """The book does not answer where it must; `rulings` are the answers that a table can give."""

    def __init__(self, text: str, span: Span, rulings: tuple[Ruling, ...] = ()) -> None:
        super().__init__(text)
        self.span = span
        self.rulings = rulings


class Unmet(Gap):
    """What a rule demands cannot be done, the rule does not say `if possible`, and the book does not say what then."""

    def __init__(self, text: str, duty: RuleNorm) -> None:
        rests = Ruling("rests", f"{duty.name} rests where it cannot be met", (duty,), name=duty.name)
        super().__init__(text, duty.body.span, (rests,))
        self.duty = duty


def all_norms(book: m.Rulebook, readings: dict[str, str], ruled: tuple[m.Rule, ...]) -> Iterator[RuleNorm]:
    """Every norm of the book; of a rule with readings, the chosen one, or all where none is chosen."""
    order = 0
    rules = [d for d in book.declarations if isinstance(d, m.Rule)]
    for place, rule in enumerate((*rules, *ruled)):
        number = 0
        for norm in rule.norms:
            order, number = order + 1, number + 1
            yield RuleNorm(
                rule.name.text, norm.body, norm.manner, rule.clauses, order, number, ruled=place >= len(rules)
            )
        for reading in rule.readings:
            clauses = within(reading.clauses, rule.clauses)
            for norm in reading.norms:
                order, number = order + 1, number + 1
                if readings.get(rule.name.text, reading.name.text) == reading.name.text:
                    name = reading.name.text
                    yield RuleNorm(
                        rule.name.text, norm.body, norm.manner, clauses, order, number, name, place >= len(rules)
                    )


def within(own: m.Clauses, outer: m.Clauses) -> m.Clauses:
    """The clauses of a part with those of the whole that it stands in; its own places go before."""
    return m.Clauses(
        own.cites or outer.cites,
        own.restates + outer.restates,
        own.restates_some + outer.restates_some,
        own.overrides + outer.overrides,
        own.among + outer.among,
        own.source or outer.source,
        own.supplied or outer.supplied,
    )


class Precedence:
    """The book's own meta-rules, strongest first, with the rulings and policies that were added."""

    def __init__(self, machine: Machine, overs: frozenset[tuple[object, object]]) -> None:
        self.machine = machine
        self.overs = overs
        self.rules = [
            rule
            for declaration in machine.world.checked.book.declarations
            if isinstance(declaration, m.Precedence)
            for rule in declaration.rules
        ]
        self._authority = self._authorities()
        self._known: dict[tuple[object, int], frozenset[object]] = {}
        self.referee: Referee | None = None  # proves which condition is the narrower
        self._specific: dict[tuple[object, ...], bool] = {}

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

    def precedes(self, one: Applied, other: Applied, state: State) -> Ground | None:
        """Why the one goes before the other, or None."""
        standing = self.before_meta_rules(one.norm, other.norm, state.overs)
        if standing is not None:
            return standing[1] if standing[0] else None
        for rule in self.rules:
            if not self.can_settle(rule, one.norm, other.norm):
                continue
            forward = self._by(rule, one, other, state)
            backward = self._by(rule, other, one, state)
            if forward != backward:
                return self.ground_of(rule) if forward else None
        return None

    def before_meta_rules(
        self, a: RuleNorm, b: RuleNorm, ruled: frozenset[tuple[object, object]] = frozenset()
    ) -> tuple[bool, Ground] | None:
        """Whether the one goes before the other, or the other before it, by what stands above all meta-rules.

        `ruled` is what the table has ruled; None where only the meta-rules can tell.
        """
        for pairs in (ruled, self.overs):
            if self._ruled(a, b, pairs):
                return True, _RULING
            if self._ruled(b, a, pairs):
                return False, _RULING
        if "usually" in (a.manner, b.manner) and a.manner != b.manner:
            return b.manner == "usually", _USUALLY
        if a.ruled != b.ruled:
            return a.ruled, _RULING
        return None

    def _ruled(self, a: RuleNorm, b: RuleNorm, pairs: frozenset[tuple[object, object]]) -> bool:
        """What is ruled of a statement is ruled of all its versions; between these, only what names them counts."""
        if not pairs:
            return False
        if (a.key, b.key) in pairs or (a.name, b.name) in pairs:
            return True
        restated = self.machine.restated
        if a.name == b.name or restated.are_versions(a.name, b.name):
            return False
        return any((one, other) in pairs for one in restated.names(a.name) for other in restated.names(b.name))

    def chooses(self, a: RuleNorm, b: RuleNorm, overs: frozenset[tuple[object, object]]) -> bool:
        """Whether of two versions of one statement the book or a ruling follows the one: as rules, in every state.

        So conditions, verbs and ages decide nothing here.
        """
        for one, other in ((a, b), (b, a)):
            if (one.name, other.name) in overs:
                return one is a
        if a.ruled != b.ruled:
            return a.ruled
        for rule in self.rules:
            if isinstance(rule.body, m.Over) and rule.body.winner.text in _BY_STATE:
                continue
            forward = self.by_form(rule, Applied(a, {}), Applied(b, {}))
            if forward != self.by_form(rule, Applied(b, {}), Applied(a, {})):
                return forward
        return False

    def ground_of(self, rule: m.MetaRule) -> Ground:
        return Ground(_words(rule), rule)

    def words_of(self, rule: m.MetaRule) -> str:
        return _words(rule)

    def can_settle(self, rule: m.MetaRule, a: RuleNorm, b: RuleNorm) -> bool:
        """Whether a meta-rule may speak of two norms at all: an assumption is bound to what it was written for."""
        return not rule.assumed or _can_assume(rule, a, b)

    def comes_first(self, one: Applied, other: Applied, state: State) -> bool:
        """Whether the book itself orders two things that happen at the same time: as listed, or by age."""
        for rule in self.rules:
            body = rule.body
            if isinstance(body, m.Listed) or (isinstance(body, m.Over) and body.winner.text in ("earlier", "later")):
                forward = self._by(rule, one, other, state)
                if forward != self._by(rule, other, one, state):
                    return forward
        return False

    def _by(self, rule: m.MetaRule, one: Applied, other: Applied, state: State) -> bool:
        match rule.body:
            case m.Explicit() if self.speaks_of(one, other):
                even_if = one.norm.conditions.even_if
                return self.by_form(rule, one, other) or self.machine.evaluator.holds(even_if, state, one.env)
            case m.Over(winner=winner, among=group, by=by) if winner.text in ("earlier", "later"):
                if group is not None and not self.both_among(one.norm, other.norm, group.text):
                    return False
                return self._by_age(winner.text, by, one, other, state)
            case _:
                return self.by_form(rule, one, other)

    def by_form(self, rule: m.MetaRule, one: Applied, other: Applied) -> bool:
        """What a meta-rule says of two norms whatever the state: all but `even if` and ages."""
        a, b = one.norm, other.norm
        match rule.body:
            case m.Explicit():
                return self.overrides(a, b)
            case m.Authority():
                return (a.document or "", b.document or "") in self._authority
            case m.Listed(among=among):
                return is_among(a, among.text) and is_among(b, among.text) and a.order < b.order
            case m.Over(winner=winner, loser=loser, among=group):
                if group is not None and not self.both_among(a, b, group.text):
                    return False
                return self._over(winner.text, loser.text, one, other)
            case _:
                return False

    def overrides(self, a: RuleNorm, b: RuleNorm) -> bool:
        """By name; who overrides a statement overrides all its versions."""
        named = {name.text for name in a.clauses.overrides}
        if not named or b.name in named:
            return bool(named)
        restated = self.machine.restated
        return not restated.are_versions(a.name, b.name) and not named.isdisjoint(restated.names(b.name))

    def both_among(self, a: RuleNorm, b: RuleNorm, group: str) -> bool:
        return is_among(a, group) and is_among(b, group)

    def _over(self, winner: str, loser: str, one: Applied, other: Applied) -> bool:
        a, b = one.norm, other.norm
        match winner, loser:
            case "specific", "general":
                return self.is_more_specific(one, other)
            case "immediate", "lasting":
                return a.manner == "immediately" and b.manner != "immediately"
            case ("earlier", "later") | ("later", "earlier"):
                return False
            case (("may" | "must" | "cannot"), _):
                return _modal(a) == winner and _modal(b) == loser
            case _:
                return is_among(a, winner) and is_among(b, loser)

    def _by_age(self, winner: str, by: m.Name | None, one: Applied, other: Applied, state: State) -> bool:
        ages = self.machine.age(one, by, state), self.machine.age(other, by, state)
        if ages[0] is None or ages[1] is None:
            return False
        return bool(ages[0] < ages[1] if winner == "earlier" else ages[0] > ages[1])

    def is_more_specific(self, one: Applied, other: Applied) -> bool:
        """Whether the condition of the one implies that of the other, and not the other way round.

        The `referee` proves it; without one, the parts of the conditions are compared.
        """
        if self.referee is None:
            return self._conditions(other) < self._conditions(one)
        key = (one.norm.key, id(one.phrase), other.norm.key, id(other.phrase))
        if key not in self._specific:
            self._specific[key] = self.referee(one, other)
        return self._specific[key]

    def speaks_of(self, one: Applied, other: Applied) -> bool:
        """`even if C` goes before norms that apply only where C holds."""
        even_if = one.norm.conditions.even_if
        if even_if is None:
            return False
        return frozenset(_renamed(part, _roles(one)) for part in conjuncts(even_if)) <= self._conditions(other)

    def _conditions(self, applied: Applied) -> frozenset[object]:
        key = (applied.norm.key, id(applied.phrase))
        if key not in self._known:
            self._known[key] = conditions_of(applied)
        return self._known[key]

    def decide(self, subject: str, sides: list[list[Applied]], state: State) -> tuple[int, Decision]:
        """Which side wins. Raises `Undetermined` where undefeated norms of several sides are left, or of none."""
        defeats: list[Defeat] = []
        left: list[list[Applied]] = []
        for place, side in enumerate(sides):
            undefeated: list[Applied] = []
            rivals = [rival for other, group in enumerate(sides) if other != place for rival in group]
            for applied in side:
                beaten = next(((r, g) for r in rivals if (g := self.precedes(r, applied, state))), None)
                if beaten is None:
                    undefeated.append(applied)
                else:
                    defeats.append(Defeat(applied, beaten[0], beaten[1]))
            left.append(undefeated)
        standing = [place for place, side in enumerate(left) if side]
        if not standing:  # each is defeated by another: a circle
            raise Undetermined(subject, tuple(map(tuple, sides)))
        if len(standing) != 1:
            raise Undetermined(subject, tuple(tuple(left[place]) for place in standing))
        decision = Decision(tuple(left[standing[0]]), tuple(defeats))
        if self.machine.observer is not None:
            self.machine.observer.decided(decision, state)
        return standing[0], decision


_RULING = Ground("a ruling")
# What these meta-rules compare are conditions, verbs and ages, not rules.
_BY_STATE = ("specific", "general", "immediate", "lasting", "earlier", "later", "may", "must", "cannot")
_USUALLY = Ground("usually")


def _can_assume(rule: m.MetaRule, a: RuleNorm, b: RuleNorm) -> bool:
    """An assumption settles neither must against cannot, nor cannot against `may ... even if`, in passing."""
    modals = {_modal(a), _modal(b)}
    if modals == {"must", "cannot"}:
        return isinstance(rule.body, m.Over) and {rule.body.winner.text, rule.body.loser.text} == modals
    if modals == {"may", "cannot"}:
        return all(norm.conditions.even_if is None for norm in (a, b))
    return True


def _words(rule: m.MetaRule) -> str:
    match rule.body:
        case m.Explicit():
            return "explicit"
        case m.Authority():
            return "authority " + ", ".join(" > ".join(n.text for n in chain) for chain in rule.body.chains)
        case m.Listed(among=among):
            return f"listed order among {among.text}"
        case m.Over(winner=winner, loser=loser):
            return f"{winner.text} over {loser.text}"
        case _:
            return "undecided"


def is_among(norm: RuleNorm, group: str) -> bool:
    return group in {name.text for name in norm.clauses.among} or norm.document == group


def _modal(norm: RuleNorm) -> str | None:
    return norm.body.modal if isinstance(norm.body, m.ModalNorm) else None


def conditions_of(applied: Applied) -> frozenset[object]:
    """What must hold for a norm to apply, part by part, with variables named after the parts that they stand for.

    One norm implies another if it has all the other's parts. This is a proof, but not all that can be proved: what it
    does not see counts as not implied.
    """
    roles = _roles(applied)
    conditions = applied.norm.conditions
    found: set[object] = {(label, part) for label, part in _subject(applied) if not isinstance(part, str)}
    if conditions.when is not None:
        found |= {_renamed(part, roles) for part in conjuncts(conditions.when)}
    if conditions.unless is not None:
        found.add(m.Not(_renamed(conditions.unless, roles), conditions.unless.span))
    return frozenset(found)


def is_narrower_by_form(one: Applied, other: Applied) -> bool:
    """Whether a norm has all the parts of another's condition and more."""
    return conditions_of(other) < conditions_of(one)


def _roles(applied: Applied) -> dict[str, str]:
    """The part that each variable of the subject stands for."""
    found: dict[str, str] = {}
    for label, part in _subject(applied):
        if isinstance(part, str):
            found.setdefault(part, f"the part {label}")
    return found


def _subject(applied: Applied) -> list[tuple[str, m.Expr | str]]:
    """The parts of what a norm speaks of, each with its label: the name of a variable, or what else stands there."""
    body = applied.norm.body
    parts: list[tuple[str, m.Expr]] = []
    match body:
        case m.ModalNorm(actor=actor, phrases=phrases):
            parts = [("by", actor), *((arg.label or "", arg.value) for arg in (applied.phrase or phrases[0]).args)]
        case m.EventNorm(event=event) | m.IgnoreNorm(what=m.PhraseEvent() | m.ChangeEvent() as event):
            if isinstance(event, m.PhraseEvent):
                parts = [(arg.label or "", arg.value) for arg in event.phrase.args]
            elif isinstance(event, m.ChangeEvent):
                parts = [(str(place), arg) for place, arg in enumerate(event.subject.args)]
        case m.ValueNorm(target=target):
            parts = [(str(place), arg) for place, arg in enumerate(target.args)]
        case _:
            pass
    if isinstance(body, m.Case):  # its variables stand in the head of the value, in order
        return [(str(place), name) for place, name in enumerate(applied.env)]
    return [
        (label, part.name.text if isinstance(part, m.Ref) and not part.args and part.name.text in applied.env else part)
        for label, part in parts
    ]


def _renamed(node: _Node, roles: dict[str, str]) -> _Node:
    """The same with other names for some variables."""
    if isinstance(node, m.Ref) and not node.args and node.name.text in roles:
        return replace(node, name=m.Name(roles[node.name.text], node.name.span))
    if isinstance(node, tuple):
        return tuple(_renamed(item, roles) for item in node)  # type: ignore[return-value]
    if is_dataclass(node) and not isinstance(node, (type, Span)):
        changed = {f.name: _renamed(getattr(node, f.name), roles) for f in fields(node) if f.name != "span"}
        return replace(node, **changed)
    return node


def conjuncts(expr: m.Expr) -> Iterator[m.Expr]:
    if isinstance(expr, m.And):
        yield from conjuncts(expr.left)
        yield from conjuncts(expr.right)
    else:
        yield expr
