"""One question to the interpreter and to the terms, in one state: both must say the same.

Each question is asked twice: of parts that are known, and of parts that are variables which then stand for the same
values. Where the interpreter stops (norms disagree, nothing says, a value is out of range), a trouble of that kind must
hold; where it does not, none may.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.machine import Machine, machine_of
from rules.machine.base import Broken
from rules.machine.norms import Applied, Gap, Undetermined
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from rules.types import BagT, OrderT, PileT, Type, without_none
from solver.encode.expressions import NotEncodable, Trouble
from solver.encode.judging import Applying
from solver.encode.legality import Encoder
from solver.encode.space import Space
from solver.encode.sym import Sym, lift
from tests.machine.properties import Made
from tests.solver.seeing import Seen, is_plain

STOPS = (Gap, Undetermined, Broken)
_KINDS = {Undetermined: "undetermined", Gap: "gap", Broken: "broken"}


@dataclass
class Tally:
    """How often each thing was compared, what stopped the interpreter, and what has no form as a term."""

    compared: Counter[str] = field(default_factory=Counter)
    stopped: Counter[str] = field(default_factory=Counter)
    not_encodable: Counter[str] = field(default_factory=Counter)
    certified: int = 0

    @property
    def pairs(self) -> int:
        return self.compared.total()

    @property
    def share_not_encodable(self) -> float:
        return self.not_encodable.total() / max(1, self.pairs + self.not_encodable.total())


@dataclass(frozen=True, slots=True)
class Asked:
    """Something as terms, with the troubles on the way to it; `syms` are the variables that stand for its parts."""

    answer: Any
    troubles: tuple[Trouble, ...]
    syms: tuple[Sym, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    """How something is asked: `how` in a word, and what its variables stand for."""

    how: str
    ask: Callable[[], Asked]
    values: Sequence[Value] = ()
    types: Sequence[Type] = ()


class Comparing:
    """One random book as a machine and as terms."""

    def __init__(self, made: Made, tally: Tally, policies: tuple[str, ...] | None = None) -> None:
        self.made = made
        self.tally = tally
        self.machine: Machine = machine_of(made.checked, None, made.policies if policies is None else policies)
        self.space = Space(self.machine)
        self.encoder = Encoder(self.space)
        self.chooser = random.Random(made.seed)
        self._symbolic: dict[object, Asked | NotEncodable] = {}

    def agree(
        self,
        about: str,
        what: object,
        state: State,
        way: Way,
        interpreted: Callable[[], Any],
        seen: Callable[[Seen, Any], Any],
    ) -> None:
        """`seen` gives what the terms say of a state in the form in which the interpreter says it."""
        try:
            terms = way.ask()
        except NotEncodable as reason:
            self.tally.not_encodable[reason.reason] += 1
            return
        values = Seen(self.space, state)
        values.stand_for(terms.syms, way.values, way.types)
        expected, stop = self._interpreted(interpreted)
        name = f"{self.made.shape}:{self.made.seed}: {about}, {way.how}: {what} {way.values}: interpreter {expected}"
        try:
            troubles = {trouble.kind for trouble in terms.troubles if values.read(trouble.when)}
            answer = seen(values, terms.answer)
        except STOPS:  # what is not modelled is read off the state, which may stop as well
            if stop is None:
                raise
            self.tally.stopped["a variable"] += 1
            return
        self.tally.compared[f"{about}, {way.how}"] += 1
        if stop is not None:
            self.tally.stopped[stop] += 1
            assert stop in troubles, f"{name} {stop}, terms {answer} {troubles}"
        else:
            assert not troubles, f"{name}, terms {troubles}"
            assert answer == expected, f"{name}, terms {answer}"

    def _interpreted(self, interpreted: Callable[[], Any]) -> tuple[Any, str | None]:
        try:
            return interpreted(), None
        except STOPS as found:
            return None, _KINDS[type(found)]

    # ---- ways of asking

    def apart(self, ask: Callable[[], Any], syms: tuple[Sym, ...] = ()) -> Asked:
        with self.encoder.apart() as troubles:
            answer = ask()
        return Asked(answer, tuple(troubles), syms)

    def once(self, key: object, ask: Callable[[], Asked]) -> Asked:
        """Terms with variables as parts serve all states of a book."""
        found = self._symbolic.get(key)
        if found is None:
            try:
                found = ask()
            except NotEncodable as reason:
                found = reason
            self._symbolic[key] = found
        if isinstance(found, NotEncodable):
            raise found
        return found

    def ways(
        self, key: object, types: Sequence[Type], values: Sequence[Value], ask: Callable[[tuple[Sym, ...]], Any]
    ) -> Iterator[Way]:
        """With known parts, and with variables for parts where there can be some."""
        known = tuple(lift(value, type_, self.machine.world) for value, type_ in zip(values, types, strict=True))
        yield Way("known", lambda: self.apart(lambda: ask(known)))
        if types and all(map(is_plain, types)):
            syms = tuple(self.encoder.symbolic((key, place), type_) for place, type_ in enumerate(types))
            yield Way("any", lambda: self.once(key, lambda: self.apart(lambda: ask(syms), syms)), values, types)

    def any_of(self, types: Sequence[Type]) -> tuple[Value, ...] | None:
        if any(isinstance(without_none(type_), BagT | PileT) for type_ in types):
            return None  # there are too many to list
        domains = [self.machine.world.domain(type_) for type_ in types]
        return tuple(self.chooser.choice(domain) for domain in domains) if all(domains) else None

    def type_of(self, variable: str) -> Type:
        symbol = self.machine.variables[variable]
        assert isinstance(symbol, VariableSymbol)
        return symbol.type

    # ---- norms that apply, as both sides tell them

    def applied(self, found: Sequence[Applied]) -> list[tuple[object, ...]]:
        return [(one.norm.key, one.phrase and one.phrase.span, one.env) for one in found]

    def applying(self, seen: Seen, found: Sequence[Applying]) -> list[tuple[object, ...]]:
        return [
            (
                one.norm.key,
                one.phrase and one.phrase.span,
                {name: seen.value(sym, self.type_of(name)) for name, sym in one.env.items()},
            )
            for one in found
            if seen.read(one.when)
        ]

    # ---- states

    def shaken(self, state: State) -> State:
        """A state of which no play need know: half of what the book can change has some other value of its type."""
        found = state.copy()
        world = self.machine.world
        for slot in world.slots.values():
            if slot.symbol.role == "place" or slot.symbol.name in self.space.fixed:
                continue
            for address in range(slot.base, slot.base + slot.count):
                if self.chooser.random() < 0.5:
                    continue
                if is_plain(slot.symbol.type):
                    found.cells[address] = self.chooser.choice(world.domain(slot.symbol.type))
                elif isinstance(slot.symbol.type, OrderT):
                    found.cells[address] = tuple(self.chooser.sample(found.cells[address], len(found.cells[address])))
        return found
