"""What a question asks, as terms: where it is asked, how it can be answered, and by which rules.

Each sort of question (an action, a value, an event) is a subclass in a file of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from rules.types import Type
from solver.encode.expressions import Trouble
from solver.encode.judging import Applying
from solver.encode.sym import Sym, alike
from solver.terms import Flag, both, no, some
from verifier.asking.wording import Atom, atom_of, leaves
from verifier.court import Case, Court
from verifier.finding import Place

SILENT = "does not say"  # of what leaves a gap


@dataclass(frozen=True, slots=True)
class Decider:
    """A rule that makes an answer what it is, where `decides` holds; `part` is what it says."""

    norm: RuleNorm
    decides: Flag
    part: str


@dataclass(frozen=True, slots=True)
class Loser:
    """A rule that applies and is defeated by one of `rivals`, each with when it stands."""

    applying: Applying
    part: str
    rivals: tuple[tuple[Applying, Flag], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One answer: `sort` says which word it counts for, `answer` how it is told."""

    sort: Literal["yes", "no", "value", "open"]
    answer: str
    term: Flag
    deciders: tuple[Decider, ...] = ()
    losers: tuple[Loser, ...] = ()
    unless: tuple[Flag, str] | None = None  # what is said where this holds nowhere and no rule always decides
    unsaid: tuple[tuple[Place, Flag], ...] = ()  # what leaves it open besides rules that disagree, each with when


class Asked(ABC):
    """`names` are how the question calls what it leaves open besides the state."""

    where: Flag = True
    single_facts = True  # whether an answer may be told by facts of a state where no condition of a rule tells it
    label = ""  # what it asks about, where one question asks about several things
    left_out: tuple[str, ...] = ()

    def __init__(self, court: Court) -> None:
        self.court = court
        self.encoder = court.encoder
        self.env: dict[str, Sym] = {}
        self.names: dict[object, str] = {}
        self.atoms: list[Atom] = []
        self._known_atoms: set[object] = set()

    # ---- for each sort

    @abstractmethod
    def outcomes(self) -> Iterator[Outcome]:
        """Answers that together are all that can be; some may be impossible."""

    @abstractmethod
    def confirms(self, case: Case, state: State, outcome: Outcome) -> bool:
        """Whether the interpreter gives this answer in this state."""

    @abstractmethod
    def told(self, case: Case) -> str:
        """What is asked about in a case: the move, the value, the event."""

    def is_asked_at(self, _state: State, _parts: dict[Hashable, Value]) -> bool:
        """Whether a state of play is one in which this can be asked."""
        return True

    # ---- variables

    def bind_free(self, *exprs: m.Expr | None) -> None:
        """Variables that stand for nothing yet stand for anything."""
        for expr in exprs:
            if expr is None:
                continue
            for name in sorted(self.court.machine.needs(expr)):
                if name not in self.env:
                    symbol = self.court.machine.variables[name]
                    assert isinstance(symbol, VariableSymbol)
                    self.env[name] = self.encoder.symbolic(("variable", name), symbol.type)
                    self.names["variable", name] = name

    def condition(self, expr: m.Expr | None) -> Flag:
        """The condition of the question, where it can be answered at all."""
        self.bind_free(expr)
        with self.encoder.apart() as troubles:
            holds = self.encoder.holds(expr, self.env)
        return both(holds, no(some(trouble.when for trouble in troubles)))

    def plain(self, name: Hashable, type_: Type, case: Case) -> Value:
        """The value of a part in a case; what does not matter is the first that it can be."""
        return case.situation.parts.get(name, self.court.machine.world.domain(type_)[0])

    # ---- conditions of rules

    def add_atoms(self, applying: Iterable[Applying], roles: Iterable[dict[str, m.Expr]]) -> None:
        with self.encoder.apart():
            for one, names in zip(applying, roles, strict=True):
                conditions = one.norm.conditions
                for expr in (conditions.when, conditions.unless, conditions.even_if):
                    for leaf in leaves(expr):
                        self._add(atom_of(leaf, self.encoder.value(leaf, one.env).truth, self._with_bound(one, names)))
                self._add_switch(one.norm)

    def _with_bound(self, one: Applying, names: dict[str, m.Expr]) -> dict[str, m.Expr]:
        """Variables that a rule is tried with one by one are told by what they stand for."""
        found = dict(names)
        for base in self.court.machine.bindings(one.norm):
            for name, value in base.items():
                symbol = self.court.machine.variables[name]
                assert isinstance(symbol, VariableSymbol)
                lifted = self.encoder.lifted({name: value})[name]
                if alike(one.env[name], lifted) is True:
                    shown = self.court.machine.world.show(value, symbol.type)
                    span = one.norm.body.span
                    found[name] = m.Ref(m.Name(shown, span), (), span)
        return found

    def _add_switch(self, norm: RuleNorm) -> None:
        off = self.encoder.disabled(norm.name)
        if not isinstance(off, bool):
            self._add(Atom(off, f"`{norm.name}` is switched off", f"`{norm.name}` is not switched off"))

    def _add(self, atom: Atom | None) -> None:
        if atom is not None and atom.term not in self._known_atoms:
            self._known_atoms.add(atom.term)
            self.atoms.append(atom)

    # ---- what is left open

    def unsaid(self, troubles: Iterable[Trouble]) -> tuple[tuple[Place, Flag], ...]:
        """The readings, values and tables that leave a matter open, each with when it does."""
        return tuple((place, trouble.when) for trouble in troubles for place in self._places(trouble))

    def _places(self, trouble: Trouble) -> Iterator[Place]:
        about = trouble.about
        assert isinstance(about, tuple)
        if about[0] == "readings":
            seen: set[tuple[str, str | None]] = set()
            for norm in self.court.machine.norms:
                if norm.name in about[2] and (norm.name, norm.reading) not in seen:
                    seen.add((norm.name, norm.reading))
                    yield self.court.place(norm, f"as {norm.reading} reads it")
        else:
            part = SILENT if trouble.kind == "gap" else "leaves it open"
            text = about[1].text
            yield Place(text if len(text.split()) == 1 else str(about[0]), about[1], (), part)


def roles_of(patterns: Iterable[tuple[m.Expr, m.Expr]]) -> dict[str, m.Expr]:
    """What the question calls what a rule calls by a variable; pairs of a part of the rule and of the question."""
    found: dict[str, m.Expr] = {}
    for own, asked in patterns:
        if isinstance(own, m.Ref) and not own.args:
            found.setdefault(own.name.text, asked)
    return found
