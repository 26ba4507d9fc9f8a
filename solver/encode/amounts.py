"""Values, tables and ranks as terms."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import ConstantSymbol, RankSymbol, TableSymbol, ValueSymbol
from rules.types import KindT, MaybeT, NumberT, Type
from solver.encode.expressions import NotEncodable, Trouble
from solver.encode.judging import Applying, Judging
from solver.encode.sym import ABSENT, Row, Sym, alike, choose, look_up
from solver.terms import (
    Flag,
    Number,
    Term,
    at_most,
    both,
    count,
    either,
    equal,
    every,
    larger,
    less,
    minus,
    no,
    pick,
    plus,
    smaller,
    some,
)

_CHANGES: dict[str, Callable[[Number, Number], Number]] = {
    "plus": plus,
    "minus": minus,
    "is at least": larger,
    "is at most": smaller,
}
_DEEPEST = 6  # so often a value may need itself of other things
_LAST = 1_000_000  # the key of who has none


@dataclass(frozen=True, slots=True)
class CaseOf:
    """One `is` of a value: when it applies, what it says, and when nothing goes before it."""

    applying: Applying
    value: Sym
    stands: Flag


class Amounts(Judging, ABC):
    _asking: tuple[int, ...] = ()  # the values that are being looked at

    # ---- values

    def value_of(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Sym:
        known: dict[object, tuple[Sym, tuple[Trouble, ...]]] = self.__dict__.setdefault("_known_values", {})
        key = (id(symbol), args, tuple(self.reads.items()), self.left_out)
        try:
            found = known.get(key)
        except TypeError:  # asked of a collection
            return self._asked_value(symbol, args)
        if found is None:
            with self.apart() as troubles:
                sym = self._asked_value(symbol, args)
            found = known[key] = (sym, tuple(troubles))
        for trouble in found[1]:
            self.trouble(trouble.kind, trouble.about, trouble.when)
        return found[0]

    def _asked_value(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Sym:
        there = every(arg.there for arg in args)
        if there is False:
            return ABSENT
        if self._asking.count(id(symbol)) >= _DEEPEST:
            raise NotEncodable(f"`{symbol.name}` needs itself of other things, more than {_DEEPEST} deep", symbol.span)
        before = self._asking
        self._asking = (*before, id(symbol))
        try:
            with self.under(there):
                found = self._read_value(symbol, args)
        finally:
            self._asking = before
        return Sym(found.payload, both(there, found.none), either(no(there), found.absent))

    def _read_value(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Sym:
        norms = self.machine.value_norms.get(id(symbol), [])

        def ask() -> tuple[Sym, Sym]:
            found = self._decided_value(symbol, args)
            return found, found

        return self.under_readings(symbol.name, norms, ask, alike)

    def _decided_value(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Sym:
        node = self.machine.values[symbol.span]
        by_op: dict[str, list[Applying]] = {}
        cases = list(self.cases_of(symbol, args))
        if self.reads:
            cases = self._without_repeated(cases)
        for one in cases:
            assert isinstance(one.norm.body, m.ValueNorm | m.Case)
            by_op.setdefault(one.norm.body.op, []).append(one)
        base = self._base(node, symbol, by_op.get("is", []))
        for op, change in _CHANGES.items():
            for one in by_op.get(op, ()):
                more = self.case_value(one)
                used = both(one.when, more.there)
                changed: Number = change(base.payload, more.payload)
                base = Sym(pick(used, changed, base.payload), base.none, base.absent)
        return self._in_range(symbol, base)

    def _without_repeated(self, cases: list[Applying]) -> list[Applying]:
        """Where a version in part adds or takes away, what it restates does not, unless that comes to the same."""
        for version in self.machine.said_in_part(self.reads):
            amounts = [one for one in cases if _op(one) in ("plus", "minus")]
            ours = [one for one in amounts if one.norm.key in version.ours]
            theirs = [one for one in amounts if one.norm.key in version.theirs]
            if not ours:
                continue
            speaks = some(one.when for one in ours)
            agree = every(
                either(no(one.when), some(both(other.when, self._same_amount(one, other)) for other in theirs))
                for one in ours
            )
            gone = {id(one): agree for one in ours} | {id(one): both(speaks, no(agree)) for one in theirs}
            cases = [replace(one, when=both(one.when, no(gone[id(one)]))) if id(one) in gone else one for one in cases]
        return cases

    def _same_amount(self, one: Applying, other: Applying) -> Flag:
        return _op(one) == _op(other) and alike(self.case_value(one), self.case_value(other))

    def _in_range(self, symbol: ValueSymbol, value: Sym) -> Sym:
        type_: Type = symbol.type.of if isinstance(symbol.type, MaybeT) else symbol.type
        if isinstance(type_, NumberT) and isinstance(value.payload, int | Term):
            inside = both(at_most(type_.low, value.payload), at_most(value.payload, type_.high))
            self.trouble("broken", ("range", symbol.span), both(value.there, no(inside)))
        return value

    def cases_of(self, symbol: ValueSymbol, args: tuple[Sym, ...]) -> Iterator[Applying]:
        node = self.machine.values[symbol.span]
        env = {name.text: arg for name, arg in zip(node.variables, args, strict=True)}
        for place in range(len(node.cases)):
            norm = self.machine.case_norm(node, place)
            when = self.stands_in_book(norm) and self.applies(norm, env)
            if when is not False:
                yield Applying(norm, env, when)
        for norm in self.machine.value_norms.get(id(symbol), ()):
            if self.stands_in_book(norm):
                yield from self._value_rule(norm, args)

    def _value_rule(self, norm: RuleNorm, args: tuple[Sym, ...]) -> Iterator[Applying]:
        assert isinstance(norm.body, m.ValueNorm)
        for inner in self.bindings(norm):
            fits = every([self.unify(a, v, inner) for a, v in zip(norm.body.target.args, args, strict=True)])
            if fits is False:
                continue
            with self.under(fits):
                when = both(fits, self.applies(norm, inner))
            if when is not False:
                yield Applying(norm, inner, when)

    def case_value(self, one: Applying) -> Sym:
        assert isinstance(one.norm.body, m.ValueNorm | m.Case)
        with self.under(one.when):
            return self.value(one.norm.body.value, one.env)

    def _base(self, node: m.Value, symbol: ValueSymbol, cases: list[Applying]) -> Sym:
        self.trouble("gap", ("value", symbol.span), no(some(case.when for case in cases)))
        if not cases:
            return Sym(0, False, True)
        if node.combine == "first":
            values = []
            before: Flag = False
            for case in cases:
                with self.under(no(before)):
                    values.append((case.when, self.case_value(case)))
                before = either(before, case.when)
            return look_up(values[:-1], values[-1][1])
        if node.combine in ("highest", "lowest"):
            best, any_ = Sym(0, False, True), False
            found: Flag = any_
            for case in cases:
                value = self.case_value(case)
                used = both(case.when, no(value.absent))
                better = (
                    less(best.payload, value.payload)
                    if node.combine == "highest"
                    else less(value.payload, best.payload)
                )
                best = choose(both(used, either(no(found), better)), Sym(value.payload, value.none), best)
                found = either(found, used)
            return Sym(best.payload, best.none, no(found))
        judged = self.judged_cases(cases)
        differ = some(
            both(a.stands, b.stands, no(alike(a.value, b.value)))
            for place, a in enumerate(judged)
            for b in judged[place + 1 :]
        )
        some_apply = some(case.when for case in cases)
        circle = both(some_apply, no(some(case.stands for case in judged)))
        self.trouble("undetermined", ("value", symbol.span), either(differ, circle))
        return look_up([(case.stands, case.value) for case in judged[:-1]], judged[-1].value)

    def judged_cases(self, cases: list[Applying]) -> list[CaseOf]:
        """Which cases stand: no applicable one that says something else goes before them."""
        values = [self.case_value(case) for case in cases]
        found = []
        for place, case in enumerate(cases):
            beaten: list[Flag] = []
            for other, rival in enumerate(cases):
                if other == place:
                    continue
                differ = no(alike(values[place], values[other]))
                if differ is not False:
                    meets = both(case.when, rival.when, differ)
                    if meets is not False:
                        beaten.append(both(rival.when, differ, self.precedes(rival, case)))
            found.append(CaseOf(case, values[place], both(case.when, no(some(beaten)))))
        return found

    # ---- tables

    def look_up_table(self, symbol: TableSymbol, args: tuple[Sym, ...]) -> Sym:
        table = self.machine.tables[symbol.name]
        absent = some(arg.absent for arg in args)
        fits = self.row_fits(table.rows, args)
        with self.under(no(absent)):
            self.trouble("gap", ("table", table.name.span, args), no(some(fits)))
            meet = some(
                both(fits[a], fits[b])
                for a in range(len(fits))
                for b in range(a + 1, len(fits))
                if table.rows[a].gives != table.rows[b].gives
            )
            self.trouble("undetermined", ("table", table.name.span, args), meet)
            values = []
            for row, fit in zip(table.rows, fits, strict=True):
                assert row.gives is not None
                with self.under(fit):
                    values.append((fit, self.value(row.gives, {})))
        found = look_up(values[:-1], values[-1][1])
        return Sym(found.payload, both(no(absent), found.none), either(absent, found.absent))

    def row_fits(self, rows: tuple[m.Row, ...], keys: tuple[Sym, ...]) -> list[Flag]:
        """For each row of a table whether it is for these keys."""
        named: list[Flag] = [
            False if row.is_rest else every(self._key_fits(key, sym) for key, sym in zip(row.keys, keys, strict=True))
            for row in rows
        ]
        return [no(some(named)) if row.is_rest else fit for row, fit in zip(rows, named, strict=True)]

    def _key_fits(self, key: m.Key, sym: Sym) -> Flag:
        match key:
            case m.NumberKey(low=low, high=high):
                return both(sym.there, at_most(low, sym.payload), True if high is None else at_most(sym.payload, high))
            case m.NameKey(name=name):
                symbol = self.checked.symbols.get(id(name))
                assert isinstance(symbol, ConstantSymbol)
                if isinstance(symbol.type, KindT):
                    return both(sym.there, equal(sym.payload, self.world.things[symbol.type.name].index(name.text)))
                return both(sym.there, equal(sym.payload, self._enum_code(symbol)))
            case m.TruthKey(value=wanted):
                return both(sym.there, sym.payload if wanted else no(sym.payload))
            case m.AnyKey():
                return True
            case m.OneOfKey(keys=keys):
                return some(self._key_fits(one, sym) for one in keys)

    def _enum_code(self, symbol: ConstantSymbol) -> int:
        name = getattr(symbol.type, "name", "")
        return self.world.enums[name].index(symbol.name)

    # ---- ranks

    def rank_keys(self, symbol: RankSymbol, given: tuple[Sym, ...]) -> dict[int, tuple[Flag, tuple[Number, ...]]]:
        """For each thing whether it is ranked, and its keys, the least first."""
        node = self.machine.ranks[symbol.span]
        env = {name.text: value for name, value in zip(node.given, given, strict=True)}
        found: dict[int, tuple[Flag, tuple[Number, ...]]] = {}
        for thing in range(len(self.world.things[symbol.kind])):
            inner = {**env, node.variable.text: Sym(thing)}
            ranked = self.holds(node.where, inner)
            if ranked is False:
                continue
            keys: list[Number] = []
            with self.under(ranked):
                for line in node.lines:
                    if isinstance(line, m.RankLine):
                        keys.append(self._rank_key(line, thing, self.value(line.value, inner)))
            found[thing] = (ranked, tuple(keys))
        return found

    def _rank_key(self, line: m.RankLine, thing: int, value: Sym) -> Number:
        if line.by == "first in":
            row: Row = value.payload
            ahead = count(
                both(also, less(row.places[other], row.places[thing]))
                for other, also in row.members.items()
                if other != thing and thing in row.places
            )
            key: Number = pick(row.members.get(thing, False), ahead, count(row.members.values()))
            return key
        number: Number = minus(0, value.payload) if line.by == "most" else value.payload
        last: Number = pick(value.there, number, _LAST)
        return last

    def rank_ties(self, symbol: RankSymbol, given: tuple[Sym, ...]) -> list[tuple[int, int, Flag]]:
        """The pairs that can be tied in all keys, with their conditions."""
        keys = self.rank_keys(symbol, given)
        things = list(keys)
        return [
            (a, b, both(keys[a][0], keys[b][0], every(map(equal, keys[a][1], keys[b][1]))))
            for place, a in enumerate(things)
            for b in things[place + 1 :]
        ]

    def _shares(self, symbol: RankSymbol) -> bool:
        lines = self.machine.ranks[symbol.span].lines
        return any(isinstance(line, m.RankTies) and line.how.text == "share" for line in lines)

    def _rank_trouble(self, symbol: RankSymbol, ties: Flag) -> None:
        lines = self.machine.ranks[symbol.span].lines
        left_open = any(isinstance(line, m.RankTies) for line in lines)
        self.trouble("undetermined" if left_open else "gap", ("rank", symbol.span), ties)

    def ranking(self, symbol: RankSymbol, args: tuple[Sym, ...]) -> Row:
        keys = self.rank_keys(symbol, args)
        if not self._shares(symbol):
            self._rank_trouble(symbol, some(test for _, _, test in self.rank_ties(symbol, args)))
        places: dict[int, Number] = {}
        for thing, (_, own) in keys.items():
            places[thing] = count(
                both(ranked, either(before(theirs, own), both(_tied(theirs, own), other < thing)))
                for other, (ranked, theirs) in keys.items()
                if other != thing
            )
        return Row({thing: ranked for thing, (ranked, _) in keys.items()}, places)

    def rank_place(self, symbol: RankSymbol, thing: Sym, args: tuple[Sym, ...]) -> Sym:
        keys = self.rank_keys(symbol, args)
        found: list[tuple[Flag, Sym]] = []
        for key, (ranked, own) in keys.items():
            here = both(thing.there, equal(thing.payload, key), ranked)
            if here is False:
                continue
            others = [(other, also, theirs) for other, (also, theirs) in keys.items() if other != key]
            ahead = count(both(also, before(theirs, own)) for _, also, theirs in others)
            if not self._shares(symbol):
                tied = some(both(also, _tied(theirs, own)) for _, also, theirs in others)
                self._rank_trouble(symbol, both(here, tied))
            found.append((here, Sym(plus(1, ahead))))
        if not found:
            return ABSENT
        return Sym(look_up(found[:-1], found[-1][1]).payload, False, no(some(here for here, _ in found)))


def before(one: tuple[Number, ...], other: tuple[Number, ...]) -> Flag:
    """Key by key, the first that differs decides."""
    found: Flag = False
    for a, b in reversed(list(zip(one, other, strict=True))):
        found = either(less(a, b), both(equal(a, b), found))
    return found


def _tied(one: tuple[Number, ...], other: tuple[Number, ...]) -> Flag:
    return every(map(equal, one, other))


def _op(one: Applying) -> m.ValueOp:
    assert isinstance(one.norm.body, m.ValueNorm | m.Case)
    return one.norm.body.op
