"""Conditions as terms that hold at least wherever play could find them to hold, and questions whether they can.

What the rules leave open may be ruled either way: there a condition counts as holding, and as not holding.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import VariableSymbol
from rules.types import EnumT, KindT, NumberT, TruthT, without_none
from solver.analysis.sets import ValueSets
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.sym import Sym
from solver.solve import Solver
from solver.terms import Flag, Term, both, either, no, some, variables_of

Env = Mapping[str, Sym]
THINGS = -1  # stands for where things lie, among the slots that are read and written
OTHER = -2  # stands for control and the past


@dataclass(frozen=True, slots=True)
class Asked:
    """When a condition may be found to hold, and when not to hold."""

    yes: Flag
    no: Flag


ANYTHING = Asked(True, True)


class Guards:
    def __init__(self, encoder: Encoder, solver: Solver, sets: ValueSets) -> None:
        self.encoder = encoder
        self.machine = encoder.machine
        self.solver = solver
        self.sets = sets
        self._asked: dict[Hashable, Asked] = {}
        self._allowed: dict[str, Flag] = {}
        self._reads: dict[Term, frozenset[int]] = {}
        self._seen: set[frozenset[Flag]] = set()  # what was possible once stays possible
        self._excluded: dict[frozenset[Flag], Hashable] = {}

    # ---- variables

    def variable(self, name: str, where: Hashable) -> Sym | None:
        """Any value that a variable can stand for there; None where that is no plain value."""
        symbol = self.machine.variables.get(name)
        if not isinstance(symbol, VariableSymbol):
            return None
        if not isinstance(without_none(symbol.type), NumberT | KindT | EnumT | TruthT):
            return None
        return self.encoder.symbolic(("any", where, name), symbol.type)

    def unsure(self, where: Hashable) -> Flag:
        """Something that may be so or not, for all that is known."""
        return self.encoder.space.flag(("part", ("unsure", where)), lambda _s: False)

    def bound(self, env: Env, name: str, where: Hashable) -> dict[str, Sym]:
        """With a variable that stands for any value; for one that is not plain, nothing is known."""
        sym = self.variable(name, where)
        found = {other: known for other, known in env.items() if other != name}
        if sym is not None:
            found[name] = sym
        return found

    def free(self, norm: RuleNorm) -> dict[str, Sym]:
        """Any values for all variables that a norm names."""
        env: dict[str, Sym] = {}
        for name in self.machine.variables:
            sym = self.variable(name, ("norm", norm.name, norm.number, isinstance(norm.body, m.Case)))
            if sym is not None:
                env[name] = sym
        return env

    # ---- conditions

    def asked(self, expr: m.Expr | None, env: Env) -> Asked:
        if expr is None:
            return Asked(True, False)
        needed = self.machine.needs(expr)
        if not needed <= env.keys():
            return ANYTHING
        key: Hashable = (id(expr), tuple((name, env[name]) for name in sorted(needed)))
        try:
            found = self._asked.get(key)
        except TypeError:  # a variable stands for a collection
            return self._encoded(lambda: self.encoder.holds(expr, env))
        if found is None:
            found = self._asked[key] = self._encoded(lambda: self.encoder.holds(expr, env))
        return found

    def _encoded(self, encode: Callable[[], Flag]) -> Asked:
        try:
            with self.encoder.apart() as troubles:
                test = encode()
        except (NotEncodable, KeyError):
            return ANYTHING
        left_open = some(one.when for one in troubles if one.kind != "broken")
        return Asked(either(test, left_open), either(no(test), left_open))

    def open_for(self, conditions: m.Conditions, env: Env) -> tuple[Flag, ...]:
        """That `when` holds and `unless` does not."""
        found = [self.asked(conditions.when, env).yes]
        if conditions.unless is not None:
            found.append(self.asked(conditions.unless, env).no)
        return tuple(found)

    def payable(self, block: m.Block, env: Env) -> Flag:
        return self._encoded(lambda: self.encoder.block_payable(block, env)).yes

    def allowed(self, verb: str) -> Flag:
        """That some rule allows an action, and that it can be paid."""
        found = self._allowed.get(verb)
        if found is None:
            found = self._allowed[verb] = self._allowing(verb, self.encoder.parts(verb))
        return found

    def _allowing(self, verb: str, args: tuple[Sym, ...]) -> Flag:
        permits, duties, _ = self.machine.by_modal(verb)
        if not permits and not duties:
            return self.payable(self.machine.actions[verb].body, self.parts(verb))

        def encode() -> Flag:
            return some(one.when for one in self.encoder.matching(permits or duties, verb, args))

        allowed = self._encoded(encode).yes
        return (
            allowed
            if allowed is False
            else both(allowed, self.payable(self.machine.actions[verb].body, self.parts(verb)))
        )

    def parts(self, verb: str) -> dict[str, Sym]:
        node = self.machine.actions.get(verb) or self.machine.procedures[verb]
        params = node.signature.params
        return {param.variable.text: arg for param, arg in zip(params, self.encoder.parts(verb), strict=True)}

    def amount(self, expr: m.Expr, env: Env) -> Sym | None:
        """The value of an expression; None where nothing is known of it."""
        if not self.machine.needs(expr) <= env.keys():
            return None
        try:
            with self.encoder.apart() as troubles:
                found = self.encoder.value(expr, env)
        except (NotEncodable, KeyError):
            return None
        if any(one.kind != "broken" and self.possible(one.when) for one in troubles):
            return None
        return found

    # ---- asking

    def possible(self, *terms: Flag) -> bool:
        """Whether these can hold together, with what cells can hold by now."""
        if any(term is False for term in terms):
            return False
        live = frozenset(term for term in terms if isinstance(term, Term))
        if not live or live in self._seen:
            return True
        slots = sorted({slot for term in live for slot in self.reads(term) if slot >= 0})
        version = tuple((slot, self.sets.version.get(slot, 0)) for slot in slots)
        if self._excluded.get(live) == version:
            return False
        ordered = sorted(live, key=lambda term: term.serial)
        facts = [fact for _, fact in self.sets.facts(ordered)]
        if not any(THINGS in self.reads(term) for term in ordered):  # that no two lie in one place is rarely the point
            facts += [fact for _, fact in self.sets.space.facts(ordered)]
        if self.solver.possible(*ordered, *facts) is False:
            self._excluded[live] = version
            return False
        self._seen.add(live)
        return True

    def reads(self, term: Flag) -> frozenset[int]:
        """The slots that a term reads, and whether it reads where things lie, or anything else that can change."""
        if not isinstance(term, Term):
            return frozenset()
        found = self._reads.get(term)
        if found is None:
            slots: set[int] = set()
            for variable in variables_of(term):
                slot = self.sets.slot_of(variable)
                sort = variable.args[0][0]
                if sort in ("lies", "depth"):
                    slots.add(THINGS)
                elif slot is not None:
                    slots.add(slot)
                elif sort not in ("part", "part none"):
                    slots.add(OTHER)
            found = self._reads[term] = frozenset(slots)
        return found
