"""Questions about values: what is this?"""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import ValueSymbol, VariableSymbol
from rules.types import EnumT, KindT, NumberT, TruthT, without_none
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.situation import plain
from solver.encode.sym import Sym, alike, lift
from solver.terms import Flag, Term, both, either, evaluate, less, no, some, variables_of
from verifier.asking.asked import Asked, Decider, Loser, Outcome, roles_of
from verifier.asking.patience import another
from verifier.asking.wording import atom_of, leaves
from verifier.court import Case, Court

MOST = 12  # values that are told apart


class AskedValue(Asked):
    single_facts = False

    def __init__(self, court: Court, ask: m.AskValue) -> None:
        super().__init__(court)
        self.ask = ask
        self.type = court.checked.type_of(ask.value)
        if not isinstance(without_none(self.type), NumberT | EnumT | KindT | TruthT):
            raise NotEncodable("its answer is a collection", ask.span)
        self.where = self.condition(ask.when)
        self.bind_free(ask.value)
        with self.encoder.apart() as troubles:
            self.value = self.encoder.value(ask.value, self.env)
        self.troubles = troubles
        symbol = court.checked.symbol_of(ask.value)
        self.cases: tuple[Applying, ...] = ()
        self._own: tuple[str, object] | None = None  # how troubles call the value itself
        if isinstance(symbol, ValueSymbol):
            self._read_cases(symbol)
        self._add_value_atoms(ask.value)

    def _read_cases(self, symbol: ValueSymbol) -> None:
        with self.encoder.apart():
            args = tuple(self.encoder.value(arg, self.env) for arg in self.ask.value.args)
            self.cases = tuple(self.encoder.cases_of(symbol, args))
        node = self.court.machine.values[symbol.span]
        roles = []
        for one in self.cases:
            patterns: tuple[m.Expr, ...] = (
                one.norm.body.target.args
                if isinstance(one.norm.body, m.ValueNorm)
                else tuple(m.Ref(name, (), name.span) for name in node.variables)
            )
            roles.append(roles_of(zip(patterns, self.ask.value.args, strict=True)))
        self.add_atoms(self.cases, roles)
        self.combine = node.combine
        self._own = ("value", symbol.span)

    def _add_value_atoms(self, expr: m.Expr) -> None:
        """What is asked of a yes/no is a condition itself."""
        for leaf in leaves(expr):
            if isinstance(without_none(self.type), TruthT):
                with self.encoder.apart():
                    self._add(atom_of(leaf, self.encoder.value(leaf, self.env).truth, {}))

    # ---- the answers

    def outcomes(self) -> Iterator[Outcome]:
        open_ = some(trouble.when for trouble in self.troubles)
        with self.encoder.apart():
            standing = self._standing()
        seen: list[Flag] = [open_]
        for _ in range(MOST):
            found = self._another(seen)
            if found is None:
                break
            shown, term = found
            seen.append(term)
            told = both(term, no(open_))
            yield Outcome("value", shown, told, self._deciders(standing), self._losers(standing))
        else:
            rest = both(*(no(term) for term in seen))
            yield Outcome("value", "something else", rest, self._deciders(standing))
        disagree = some(trouble.when for trouble in self.troubles if trouble.about == self._own)
        circle = both(disagree, no(some(stands for _, stands, _ in standing)))  # each gives way to another
        sides = tuple(
            Decider(one.norm, either(both(disagree, stands), both(circle, one.when)), _says(one.norm))
            for one, stands, _ in standing
        )
        others = [trouble for trouble in self.troubles if trouble.about != self._own or trouble.kind != "undetermined"]
        yield Outcome("open", "undetermined", open_, sides, (), None, self.unsaid(others))

    def _another(self, seen: list[Flag]) -> tuple[str, Flag] | None:
        """A value that was not met yet, and when it is this one."""
        court = self.court
        found = another(court, self.where, *(no(term) for term in seen))
        if found is None:
            return None
        sym = self.value
        values: dict[Term, bool | int] = {
            v: (v.low if v.op == "number" else False) for v in variables_of(sym.payload, sym.none, sym.absent)
        }
        values |= court.preferred([both(no(sym.none), no(sym.absent))]) | dict(found)
        world = court.machine.world
        if evaluate(sym.absent, values):
            return "nothing", sym.absent
        value: Value = None
        if not evaluate(sym.none, values):
            value = plain(int(evaluate(sym.payload, values)), self.type, court.space)
        return world.show(value, self.type), alike(sym, lift(value, self.type, world))

    def _standing(self) -> list[tuple[Applying, Flag, Sym]]:
        """Each case with when it counts: it applies, and nothing that says something else goes before it."""
        base = [one for one in self.cases if _op(one.norm) == "is"]
        found: dict[int, Flag] = {id(one): one.when for one in self.cases}
        if self.cases and self.combine is None:
            found |= {id(judged.applying): judged.stands for judged in self.encoder.judged_cases(base)}
        elif self.cases and self.combine == "first":
            before: Flag = False
            for one in base:
                found[id(one)] = both(one.when, no(before))
                before = some((before, one.when))
        values = {id(one): self.encoder.case_value(one) for one in self.cases}
        if self.cases and self.combine in ("highest", "lowest"):
            for one in base:
                beaten = [both(other.when, self._better(values[id(other)], values[id(one)])) for other in base]
                found[id(one)] = both(one.when, no(some(beaten)))
        return [(one, found[id(one)], values[id(one)]) for one in self.cases]

    def _better(self, one: Sym, other: Sym) -> Flag:
        a, b = (one, other) if self.combine == "highest" else (other, one)
        return both(one.there, other.there, less(b.payload, a.payload))

    def _deciders(self, standing: list[tuple[Applying, Flag, Sym]]) -> tuple[Decider, ...]:
        return tuple(Decider(one.norm, stands, _says(one.norm)) for one, stands, _ in standing)

    def _losers(self, standing: list[tuple[Applying, Flag, Sym]]) -> tuple[Loser, ...]:
        if not self.cases or self.combine is not None:
            return ()
        base = [(one, stands, value) for one, stands, value in standing if _op(one.norm) == "is"]
        return tuple(
            Loser(
                one,
                _says(one.norm),
                tuple((rival, both(other, no(alike(value, said)))) for rival, other, said in base if rival is not one),
            )
            for one, _, value in base
        )

    # ---- in the interpreter

    def _env(self, case: Case) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name in self.env:
            symbol = self.court.machine.variables[name]
            assert isinstance(symbol, VariableSymbol)
            found[name] = self.plain(("variable", name), symbol.type, case)
        return found

    def told(self, case: Case) -> str:
        env = self._env(case)
        types = {name: self.court.machine.variables[name] for name in env}
        shown = [
            f"{name} is {self.court.machine.world.show(value, symbol.type)}"
            for name, value in env.items()
            if isinstance(symbol := types[name], VariableSymbol)
        ]
        return ", ".join(shown)

    def confirms(self, case: Case, state: State, outcome: Outcome) -> bool:
        try:
            found = self.court.machine.evaluator.value(self.ask.value, state, self._env(case))
        except (Undetermined, Gap, Broken):
            return outcome.sort == "open"
        if outcome.sort != "value":
            return False
        shown = "nothing" if found is NOTHING else self.court.machine.world.show(found, self.type)
        return outcome.answer in (shown, "something else")


def _op(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ValueNorm | m.Case)
    return norm.body.op


def _says(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.ValueNorm | m.Case)
    word = "says" if norm.body.op == "is" else norm.body.op
    return f"{word} {norm.body.value.span.text}"
