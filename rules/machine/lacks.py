"""What a norm lacks in order to apply to a move, or to let go of it: the smallest set of conditions that would have to
be otherwise.

`and` needs all its parts, `or` the cheapest of them; `not` turns that round; `some` needs its cheapest instance and
`every` all that fail. What nothing in play can change counts as dearer than anything that it can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.run import Machine
from rules.machine.secrets import HIDDEN
from rules.machine.state import State
from rules.machine.watch import Concealed, Secret
from rules.machine.world import Value
from rules.symbols import RankSymbol, SlotSymbol, TableSymbol, ValueSymbol, VariableSymbol
from rules.walk import nodes_of

OPEN_POINTS = (Undetermined, Gap, Broken)


class Unsettled(Enum):
    OPEN = "open"

    def __repr__(self) -> str:
        return "OPEN"


OPEN = Unsettled.OPEN

Given = tuple[tuple[str, Value], ...]
_Key = tuple[m.Expr, Given]

_FIXED = 1_000  # what nothing in play can change costs so much more
_DEEPEST = 3  # values inside of values whose definitions are opened


@dataclass(frozen=True, slots=True)
class Atom:
    """A condition without parts that is not as it is wanted.

    `given` is what its variables stand for; `holds` is None where the viewer may not see it, or where the rules leave
    it open (`is_open`). `values` are what its sides are (see `sides_of`), `HIDDEN` or `OPEN` where that is not known.
    `fixed`: nothing in play can change it. `parts` are what is not as wanted in the definition of a yes/no value.
    """

    expr: m.Expr
    given: Given
    wanted: bool
    holds: bool | None
    values: tuple[Value, ...] = ()
    fixed: bool = False
    is_open: bool = False
    parts: tuple[Atom, ...] = ()


@dataclass(frozen=True, slots=True)
class Unfit:
    """A part of a norm that is not that of the move: `p may sail to athens` and a journey to crete.

    `label` is None for a part without a small word. `value` is what the norm has there now.
    """

    label: str | None
    pattern: m.Expr
    given: Given
    value: Value
    wanted: Value
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class FrequencyReached:
    """It has been done so often in the running moment."""

    frequency: m.Frequency
    done: int
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    """The rule is disabled; `until` is None where that is for the rest of the game."""

    rule: str
    until: m.Event | None
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Ignored:
    """Another rule says that this one is ignored; `atoms` would have to be otherwise."""

    by: RuleNorm
    atoms: tuple[Atom, ...]
    fixed: bool = False


Lack = Atom | Unfit | FrequencyReached | SwitchedOff | Ignored


@dataclass(frozen=True, slots=True)
class Way:
    """One way in which a norm speaks of a move, with what would have to be otherwise. `env` binds its variables."""

    norm: RuleNorm
    lacks: tuple[Lack, ...]
    env: dict[str, Value] = field(compare=False)

    @property
    def cost(self) -> tuple[int, int]:
        return sum(lack.fixed for lack in self.lacks), len(self.lacks)


def sides_of(machine: Machine, expr: m.Expr) -> tuple[m.Expr, ...]:
    """The parts of a condition whose values tell why it is so."""
    match expr:
        case m.Compare(left=left, right=right) | m.IsIn(left=left, right=right) | m.Related(left=left, right=right):
            return (left, right)
        case m.Is(left=left, right=right):
            return (left,) if is_adjective(machine, right) else (left, right)
        case _:
            return ()


def is_adjective(machine: Machine, expr: m.Expr) -> bool:
    """`passed` in `p is passed`."""
    symbol = machine.checked.symbols.get(id(expr))
    return (
        isinstance(expr, m.Ref)
        and not expr.args
        and isinstance(symbol, SlotSymbol | ValueSymbol)
        and bool(symbol.params)
    )


def as_seen(value: Value) -> Value:
    """A value with `HIDDEN` for what is concealed."""
    if isinstance(value, Secret):
        return HIDDEN
    return tuple(map(as_seen, value)) if isinstance(value, tuple) else value


class Lacks:
    """Asks in one state, which may be one that is watched for a viewer."""

    def __init__(self, machine: Machine, state: State) -> None:
        self.machine = machine
        self.state = state

    # ---- conditions

    def truth(self, expr: m.Expr, env: dict[str, Value]) -> bool | None:
        """Whether a condition holds; None where that is hidden or open."""
        try:
            return self.machine.evaluator.holds(expr, self.state, env)
        except (Concealed, *OPEN_POINTS):
            return None

    def missing(self, expr: m.Expr | None, env: dict[str, Value], wanted: bool) -> tuple[Atom, ...]:
        """Atoms that would all have to be otherwise for a condition to be as wanted; none where it is.

        None of them can be left out: two parts of a condition may ask for the same thing in different ways.
        """
        if expr is None:
            return ()
        found = self._missing(expr, env, wanted)
        for atom in found if len(found) > 1 else ():
            fewer = tuple(one for one in found if one is not atom)
            if self._turned(expr, env, frozenset(map(_key, fewer))) is wanted:
                found = fewer
        return found

    def _missing(self, expr: m.Expr | None, env: dict[str, Value], wanted: bool) -> tuple[Atom, ...]:
        if expr is None or self.truth(expr, env) is wanted:
            return ()
        match expr:
            case m.And(left=left, right=right) | m.Or(left=left, right=right):
                sides = [self._missing(left, env, wanted), self._missing(right, env, wanted)]
                return _all(sides) if isinstance(expr, m.And) is wanted else _cheapest(sides)
            case m.Not(operand=operand):
                return self._missing(operand, env, not wanted)
            case m.Quantified():
                return self._quantified(expr, env, wanted)
            case _:
                return (self.atom(expr, env, wanted),)

    def _turned(self, expr: m.Expr | None, env: dict[str, Value], turned: frozenset[_Key]) -> bool | None:
        """What a condition would be if some of its atoms were the other way round; None where that is not known."""
        match expr:
            case None:
                return True
            case m.And(left=left, right=right):
                return _both(self._turned(left, env, turned), self._turned(right, env, turned))
            case m.Or(left=left, right=right):
                return _opposite(
                    _both(_opposite(self._turned(left, env, turned)), _opposite(self._turned(right, env, turned)))
                )
            case m.Not(operand=operand):
                return _opposite(self._turned(operand, env, turned))
            case m.Quantified(quantifier=quantifier, variable=variable, where=where, body=body):
                found: bool | None = True
                for value in self._values(variable):
                    one = {**env, variable.text: value}
                    fails = (
                        _opposite(self._turned(body, one, turned))
                        if quantifier == "every"
                        else (self._turned(body, one, turned))
                    )
                    found = _both(found, _opposite(_both(self._turned(where, one, turned), fails)))
                return _opposite(found) if quantifier == "some" else found
            case _:
                holds = self.truth(expr, env)
                return _opposite(holds) if (expr, self.given(expr, env)) in turned else holds

    def _quantified(self, expr: m.Quantified, env: dict[str, Value], wanted: bool) -> tuple[Atom, ...]:
        instances = [{**env, expr.variable.text: value} for value in self._values(expr.variable)]
        if expr.quantifier == "every":
            if wanted:
                return _all(
                    _cheapest([self._missing(expr.where, one, False), self._missing(expr.body, one, True)])
                    if expr.where is not None
                    else self._missing(expr.body, one, True)
                    for one in instances
                    if expr.where is None or self.truth(expr.where, one) is not False
                )
            sides = [
                _all([self._missing(expr.where, one, True), self._missing(expr.body, one, False)]) for one in instances
            ]
            return _cheapest(sides)
        if (expr.quantifier == "some") is wanted:
            return _cheapest([self._missing(expr.body, one, True) for one in instances])
        return _all(self._missing(expr.body, one, False) for one in instances)

    def _values(self, variable: m.Name) -> tuple[Value, ...]:
        symbol = self.machine.checked.symbol_of(variable)
        assert isinstance(symbol, VariableSymbol)
        return self.machine.world.domain(symbol.type)

    def atom(self, expr: m.Expr, env: dict[str, Value], wanted: bool) -> Atom:
        values = tuple(self._seen(side, env) for side in sides_of(self.machine, expr))
        holds: bool | None = None
        is_open = False
        try:
            holds = self.machine.evaluator.holds(expr, self.state, env)
        except Concealed:
            pass
        except OPEN_POINTS:
            is_open = True
        return Atom(expr, self.given(expr, env), wanted, holds, values, self.is_fixed(expr), is_open)

    def opened(self, atom: Atom, depth: int = _DEEPEST) -> Atom:
        """The atom with what is not as wanted in the definition of the value that it asks for."""
        found = self._definition(atom)
        if found is None or depth == 0:
            return atom
        expr, env = found
        parts = tuple(self.opened(part, depth - 1) for part in self.missing(expr, env, atom.wanted))
        return replace(atom, parts=parts)

    def _definition(self, atom: Atom) -> tuple[m.Expr, dict[str, Value]] | None:
        """The one expression that a yes/no value is, where no rule says anything else of it."""
        machine, expr = self.machine, atom.expr
        env = dict(atom.given)
        args: tuple[m.Expr, ...]
        match expr:
            case m.Ref(args=args):
                named: object = expr
            case m.Is(left=left, right=m.Ref() as right, negated=False) if is_adjective(machine, right):
                named, args = right, (left,)
            case _:
                return None
        symbol = machine.checked.symbols.get(id(named))
        if not isinstance(symbol, ValueSymbol) or machine.value_norms.get(id(symbol)):
            return None
        node = machine.values[symbol.span]
        if (
            len(node.cases) != 1
            or node.cases[0].op != "is"
            or node.cases[0].conditions != m.Conditions(None, None, None)
        ):
            return None
        try:
            given = [machine.evaluator.value(arg, self.state, env) for arg in args]
        except (Concealed, *OPEN_POINTS):
            return None
        return node.cases[0].value, dict(zip((name.text for name in node.variables), given, strict=True))

    def _seen(self, expr: m.Expr, env: dict[str, Value]) -> Value:
        try:
            return as_seen(self.machine.evaluator.value(expr, self.state, env))
        except Concealed:
            return HIDDEN
        except OPEN_POINTS:
            return OPEN

    def given(self, expr: m.Expr, env: dict[str, Value]) -> Given:
        """What the free variables of an expression stand for."""
        return tuple((name, env[name]) for name in sorted(self.machine.needs(expr)) if name in env)

    def is_fixed(self, expr: m.Expr) -> bool:
        """Whether nothing in play can change it: what is printed, maps, and the parts of the move itself."""
        for node in nodes_of(expr):
            symbol = self.machine.checked.symbols.get(id(node))
            if isinstance(symbol, ValueSymbol | RankSymbol | TableSymbol):
                return False
            if isinstance(symbol, SlotSymbol) and symbol.role != "printed":
                return False
            if isinstance(node, m.Happened | m.TimesHappened | m.During | m.Outcome):
                return False
            if isinstance(node, m.Related) and node.relation.text in self.machine.sights:
                return False
        return True

    # ---- norms

    def to_apply(self, norm: RuleNorm, verb: str, args: tuple[Value, ...]) -> Way | None:
        """The cheapest way in which a norm would apply to a move; None where it is of a reading that is not held."""
        if not self.machine.is_read(norm, self.state):
            return None
        return min(self._ways(norm, verb, args), key=lambda way: way.cost, default=None)

    def _ways(self, norm: RuleNorm, verb: str, args: tuple[Value, ...]) -> Iterator[Way]:
        body = norm.body
        assert isinstance(body, m.ModalNorm)
        machine = self.machine
        symbol, by = machine.verbs[verb], machine.by_of(verb)
        assert by is not None
        labels = [param.label for param in symbol.params]
        for phrase in body.phrases:
            if phrase.verb.text != verb:
                continue
            for base in machine.bindings(norm):
                env = dict(base)
                parts: list[tuple[str | None, m.Expr, Value]] = [("by", body.actor, args[by])]
                parts += [(arg.label, arg.value, args[labels.index(arg.label)]) for arg in phrase.args]
                lacks: list[Lack] = []
                for label, pattern, value in parts:
                    lacks += self._unfit(label, pattern, value, env)
                lacks += self._reached(body, phrase, args)
                lacks += self._not_in_force(norm, env)
                lacks += self.missing(body.conditions.when, env, True)
                lacks += self.missing(body.conditions.unless, env, False)
                yield Way(norm, tuple(dict.fromkeys(lacks)), env)

    def _unfit(self, label: str | None, pattern: m.Expr, value: Value, env: dict[str, Value]) -> list[Lack]:
        try:
            if self.machine.unify(pattern, value, env, self.state):
                return []
        except (Concealed, *OPEN_POINTS):
            pass
        if isinstance(pattern, m.Ref) and not pattern.args and pattern.name.text in self.machine.variables:
            env.setdefault(pattern.name.text, value)  # it cannot be that, but the rest of the norm speaks of it
        now = self._seen(pattern, env)
        return [Unfit(label, pattern, self.given(pattern, env), now, value, self.is_fixed(pattern))]

    def _reached(self, body: m.ModalNorm, phrase: m.Phrase, args: tuple[Value, ...]) -> list[Lack]:
        if body.frequency is None:
            return []
        done = self.machine.times_done(body.frequency, phrase, args, self.state)
        return [FrequencyReached(body.frequency, done)] if done >= body.frequency.count else []

    def _not_in_force(self, norm: RuleNorm, env: dict[str, Value]) -> list[Lack]:
        lacks: list[Lack] = []
        for name in sorted(self.machine.restated.names(norm.name) & self.state.disabled.keys()):
            until = self.state.disabled[name]
            lacks.append(SwitchedOff(name, until[0] if until is not None else None))
        for ignoring in self.machine.ignored.get(norm.name, ()):
            assert isinstance(ignoring.body, m.IgnoreNorm)
            if self.machine.is_off(ignoring, self.state) or not self.machine.is_read(ignoring, self.state):
                continue
            condition = ignoring.body.condition
            if condition is None:
                lacks.append(Ignored(ignoring, (), fixed=True))
                continue
            # Variables that the ignored rule does not have stand for nothing.
            closed = {**dict.fromkeys(self.machine.needs(condition)), **self.machine.letters_of(norm, env)}
            if self.truth(condition, closed) is not False:
                lacks.append(Ignored(ignoring, self.missing(condition, closed, False)))
        return lacks

    def to_let_go(self, norm: RuleNorm, env: dict[str, Value]) -> Way:
        """The cheapest way in which a norm that applies would no longer do so; nothing is lacking where none is."""
        conditions = norm.conditions
        sides = []
        if conditions.when is not None:
            sides.append(self.missing(conditions.when, env, False))
        if conditions.unless is not None:
            sides.append(self.missing(conditions.unless, env, True))
        body = norm.body
        lacks: tuple[Lack, ...] = _cheapest(sides) if sides else ()
        if isinstance(body, m.ModalNorm) and body.frequency is not None and not lacks:
            lacks = (FrequencyReached(body.frequency, body.frequency.count),)
        return Way(norm, lacks, env)


def _key(atom: Atom) -> _Key:
    return (atom.expr, atom.given)


def _both(one: bool | None, other: bool | None) -> bool | None:
    if one is False or other is False:
        return False
    return None if one is None or other is None else True


def _opposite(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _all(sides: Iterable[tuple[Atom, ...]]) -> tuple[Atom, ...]:
    return tuple(dict.fromkeys(atom for side in sides for atom in side))


def _cheapest(sides: list[tuple[Atom, ...]]) -> tuple[Atom, ...]:
    return min(sides, key=lambda side: sum(_FIXED if atom.fixed else 1 for atom in side), default=())
