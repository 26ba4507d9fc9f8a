"""What the norms make of the state: values, tables, ranks, lines of sight."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.base import Broken
from rules.machine.judge import Judging
from rules.machine.norms import Applied, Gap, RuleNorm, Ruling, Undetermined, within
from rules.machine.sight import Blockers, sees, spaces_of
from rules.machine.state import State
from rules.machine.world import NOTHING, Value
from rules.symbols import ConstantSymbol, RankSymbol, TableSymbol, ValueSymbol, VariableSymbol
from rules.types import BagT, KindT, MaybeT, NumberT, SetT, Type, without_none


class Amounts(Judging):
    # ---- values

    def value_of(self, symbol: ValueSymbol, args: tuple[Value, ...], state: State) -> Value:
        if NOTHING in args or None in args:
            return NOTHING
        plain = self._plain.get(id(symbol))
        if plain is None:
            plain = self._plain[id(symbol)] = self._plain_value(symbol)
        names, only = plain
        if only is not None:
            return self._in_range(symbol, self.evaluator.value(only, state, dict(zip(names, args, strict=True))))
        norms = self.value_norms.get(id(symbol), ())
        if self.has_versions and norms:

            def ask() -> tuple[Value, Value]:
                found = self._value(symbol, args, state)
                return found, found

            return self.under_readings(symbol.name, norms, state, ask)
        return self._value(symbol, args, state)

    def _plain_value(self, symbol: ValueSymbol) -> tuple[tuple[str, ...], m.Expr | None]:
        """The variables of a value, and its expression if it is nothing but one: no condition, no rule about it."""
        node = self.values[symbol.span]
        names = tuple(name.text for name in node.variables)
        case = node.cases[0] if len(node.cases) == 1 else None
        is_plain = (
            case is not None
            and case.op == "is"
            and case.conditions.when is None
            and case.conditions.unless is None
            and not self.value_norms.get(id(symbol))
            and node.name.text not in self.ignored
        )
        return names, case.value if case is not None and is_plain else None

    def _value(self, symbol: ValueSymbol, args: tuple[Value, ...], state: State) -> Value:
        node = self.values[symbol.span]
        applied: dict[str, list[Applied]] = {}
        cases = list(self._applied_cases(node, symbol, args, state))
        if self.observer is not None:
            again = [one for case in cases for one in self.said_again(case)]
            self.observer.applied([*cases, *again], "case", state)
        if state.reads:
            cases = self._without_repeated(cases, state)
        for one in cases:
            body = one.norm.body
            assert isinstance(body, m.ValueNorm | m.Case)
            applied.setdefault(body.op, []).append(one)
        base = self._base(node, symbol, applied.get("is", []), state)
        if base is NOTHING:
            return NOTHING
        for op, sign in (("plus", 1), ("minus", -1)):
            for a in applied.get(op, ()):
                if (more := self._case_value(a, state)) is not NOTHING:
                    base += sign * more
        for op, pick in (("is at least", max), ("is at most", min)):
            for a in applied.get(op, ()):
                if (bound := self._case_value(a, state)) is not NOTHING:
                    base = pick(base, bound)
        return self._in_range(symbol, base)

    def _without_repeated(self, cases: list[Applied], state: State) -> list[Applied]:
        """Where a version in part adds or takes away, what it restates does not, unless that comes to the same."""
        for version in self.said_in_part(state.reads):
            amounts = [one for one in cases if _op(one) in ("plus", "minus")]
            ours = [one for one in amounts if one.norm.key in version.ours]
            theirs = [one for one in amounts if one.norm.key in version.theirs]
            known = [(_op(one), self._case_value(one, state)) for one in theirs]
            agree = all((_op(one), self._case_value(one, state)) in known for one in ours)
            if ours:
                gone = ours if agree else theirs
                cases = [one for one in cases if not any(one is other for other in gone)]
        return cases

    def _in_range(self, symbol: ValueSymbol, value: Value) -> Value:
        type_ = symbol.type
        if isinstance(type_, MaybeT):
            type_ = type_.of
        if isinstance(type_, NumberT) and isinstance(value, int) and not type_.low <= value <= type_.high:
            text = f"`{symbol.name}` would be {value}, and it is {type_.low}..{type_.high}"
            raise Broken(text, symbol.span)
        return value

    def _applied_cases(
        self, node: m.Value, symbol: ValueSymbol, args: tuple[Value, ...], state: State
    ) -> Iterator[Applied]:
        env = {name.text: arg for name, arg in zip(node.variables, args, strict=True)}
        for place in range(len(node.cases)):
            norm = self.case_norm(node, place)
            if self.applies(norm, env, state):
                yield Applied(norm, env)
        for norm in self.value_norms.get(id(symbol), ()):
            assert isinstance(norm.body, m.ValueNorm)
            for base in self.bindings(norm):
                inner = dict(base)
                fits = all(self.unify(a, v, inner, state) for a, v in zip(norm.body.target.args, args, strict=True))
                if fits and self.applies(norm, inner, state):
                    yield Applied(norm, inner)

    def case_norm(self, node: m.Value, place: int) -> RuleNorm:
        """A case of a value as a norm."""
        case = node.cases[place]
        found = self._cases.get(id(case))
        if found is None:
            clauses = within(case.clauses, node.clauses)
            found = self._cases[id(case)] = RuleNorm(node.name.text, case, case.manner, clauses, place, place + 1)
        return found

    def _case_value(self, applied: Applied, state: State) -> Value:
        assert isinstance(applied.norm.body, m.ValueNorm | m.Case)
        return self.evaluator.value(applied.norm.body.value, state, applied.env)

    def _base(self, node: m.Value, symbol: ValueSymbol, cases: list[Applied], state: State) -> Value:
        if not cases:
            if node.name.span in state.defaults:
                return state.defaults[node.name.span]
            text = f"no rule says what `{node.name.text}` is here"
            raise Gap(text, node.name.span, self._value_rulings(node.name, symbol.type))
        if node.combine == "first":
            return self._case_value(cases[0], state)
        values = [(self._case_value(case, state), case) for case in cases]
        known = [value for value, _ in values if value is not NOTHING]
        if node.combine in ("highest", "lowest"):
            return NOTHING if not known else max(known) if node.combine == "highest" else min(known)
        sides: dict[Value, list[Applied]] = {}
        for value, case in values:
            sides.setdefault(value, []).append(case)
        if len(sides) == 1:
            return values[0][0]
        place, _ = self.precedence.decide(node.name.text, list(sides.values()), state)
        return list(sides)[place]

    def _value_rulings(self, name: m.Name, type_: Type) -> tuple[Ruling, ...]:
        """The values that a table can choose where the book gives none."""
        if isinstance(without_none(type_), SetT | BagT):
            return ()
        return tuple(
            Ruling("usually", f"{name} is {self.world.show(value, type_)}", name=name.text, value=value, at=name.span)
            for value in self.world.domain(type_)
        )

    # ---- tables and ranks

    def row_for(self, rows: tuple[m.Row, ...], keys: tuple[Value, ...], name: m.Name, state: State) -> m.Row:
        """The row for these keys. Raises where none fits, or where several do and do not say the same."""
        row = self._fitting_row(rows, keys, name, state)
        if self.observer is not None:
            self.observer.found_row(row, state)
        return row

    def _fitting_row(self, rows: tuple[m.Row, ...], keys: tuple[Value, ...], name: m.Name, state: State) -> m.Row:
        ruled = state.rows.get((name.span, keys))
        if ruled is not None:
            return rows[ruled]
        fitting = self.fitting_rows(rows, keys)
        if fitting and all((row.gives, row.body) == (fitting[0][1].gives, fitting[0][1].body) for _, row in fitting):
            return fitting[0][1]
        shown = ", ".join("yes" if key is True else "no" if key is False else str(key) for key in keys)
        rulings = tuple(
            Ruling(
                "row",
                f"{name.text} for {shown}: row {place + 1} counts",
                name=name.text,
                value=(keys, place),
                at=name.span,
            )
            for place, _ in (fitting or enumerate(rows))
        )
        if not fitting:
            raise Gap(f"`{name.text}` has no row for {shown}", name.span, rulings)
        lines = " and ".join(str(row.span.line) for _, row in fitting)
        raise Undetermined(f"{name.text} for {shown}: the rows of lines {lines}", (), rulings)

    def fitting_rows(self, rows: tuple[m.Row, ...], keys: tuple[Value, ...]) -> list[tuple[int, m.Row]]:
        """The rows for these keys, each with its place: those that name them, or else the one for all the rest."""
        fitting = [
            (place, row)
            for place, row in enumerate(rows)
            if not row.is_rest and all(self._key_fits(key, value) for key, value in zip(row.keys, keys, strict=True))
        ]
        return fitting or [(place, row) for place, row in enumerate(rows) if row.is_rest]

    def _key_fits(self, key: m.Key, value: Value) -> bool:
        match key:
            case m.NumberKey(low=low, high=high):
                return value is not None and bool(low <= value and (high is None or value <= high))
            case m.NameKey(name=name):
                symbol = self.checked.symbols.get(id(name))
                if isinstance(symbol, ConstantSymbol) and isinstance(symbol.type, KindT):
                    return value is not None and self.world.things[symbol.type.name][value] == name.text
                return bool(value == name.text)
            case m.TruthKey(value=wanted):
                return value is wanted
            case m.AnyKey():
                return True
            case m.OneOfKey(keys=keys):
                return any(self._key_fits(one, value) for one in keys)

    def look_up(self, symbol: TableSymbol, args: tuple[Value, ...], state: State) -> Value:
        if NOTHING in args:
            return NOTHING
        table = self.tables[symbol.name]
        row = self.row_for(table.rows, args, table.name, state)
        if row.gives is None:
            raise InternalError("a table that gives nothing was looked up")
        return self.evaluator.value(row.gives, state, {})

    def _rank_keys(self, symbol: RankSymbol, given: tuple[Value, ...], state: State) -> dict[int, tuple[Value, ...]]:
        node = self.ranks[symbol.span]
        env = {name.text: value for name, value in zip(node.given, given, strict=True)}
        found: dict[int, tuple[Value, ...]] = {}
        for thing in range(len(self.world.things[symbol.kind])):
            inner = {**env, node.variable.text: thing}
            if not self.evaluator.holds(node.where, state, inner):
                continue
            key: list[Value] = []
            for line in node.lines:
                if isinstance(line, m.RankTies):
                    continue
                value = self.evaluator.value(line.value, state, inner)
                if line.by == "first in":
                    key.append(value.index(thing) if thing in value else len(value))
                elif value is NOTHING or value is None:
                    key.append(float("inf"))
                else:
                    key.append(-value if line.by == "most" else value)
            found[thing] = tuple(key)
        return found

    def ranking(self, symbol: RankSymbol, given: tuple[Value, ...], state: State) -> tuple[int, ...]:
        keys = self._rank_keys(symbol, given, state)
        places = {thing: self._place(symbol, thing, keys, state) for thing in keys}
        return tuple(sorted(keys, key=lambda thing: (places[thing], thing)))

    def place_in(self, symbol: RankSymbol, thing: Value, given: tuple[Value, ...], state: State) -> Value:
        keys = self._rank_keys(symbol, given, state)
        return self._place(symbol, thing, keys, state) if thing in keys else NOTHING

    def _place(self, symbol: RankSymbol, thing: int, keys: dict[int, tuple[Value, ...]], state: State) -> int:
        """Those who are tied share a place where the book says so; else the table says who comes first."""
        ahead = sum(1 for key in keys.values() if key < keys[thing])
        tied = frozenset(other for other, key in keys.items() if key == keys[thing])
        node = self.ranks[symbol.span]
        if len(tied) == 1 or any(isinstance(line, m.RankTies) and line.how.text == "share" for line in node.lines):
            return 1 + ahead
        order = state.ties.get((symbol.span, tied, keys[thing]), ())
        if thing in order:
            return 1 + ahead + order.index(thing)
        left = sorted(tied - set(order))
        if len(left) == 1:
            return 1 + ahead + len(order)
        names = self.world.things[symbol.kind]
        rulings = tuple(
            Ruling(
                "tie",
                f"{symbol.name}: {names[one]} before {', '.join(names[other] for other in left if other != one)}",
                name=symbol.name,
                value=((symbol.span, tied, keys[thing]), one),
                at=symbol.span,
            )
            for one in left
        )
        text = f"`{symbol.name}` leaves a tie between {', '.join(names[one] for one in left)}, and nothing breaks it"
        if any(isinstance(line, m.RankTies) for line in node.lines):  # the book says that it leaves it open
            raise Undetermined(f"{symbol.name}: {', '.join(names[one] for one in left)}", (), rulings)
        raise Gap(text, node.name.span, rulings)

    # ---- sight

    def sees(self, name: str, origin: Value, target: Value, state: State) -> Value:
        """Whether a line of sight of the book is free."""
        if origin is None or target is None or NOTHING in (origin, target):
            return NOTHING
        node = self.sights[name]
        symbol = self.variables[node.origin.text]
        assert isinstance(symbol, VariableSymbol)
        assert isinstance(symbol.type, KindT)
        kind = self.checked.kinds[symbol.type.name]
        assert kind.grid is not None
        if name not in self._spaces:
            self._spaces[name] = spaces_of(kind.grid)
        ends = {node.origin.text: origin, node.target.text: target}
        blocking: set[int] = set()
        walls: set[tuple[int, int]] = set()
        steps = self.world.neighbours(kind.name, "next")
        for line in node.lines:
            if isinstance(line, m.SightSpace):
                blocking |= {
                    s
                    for s in range(kind.most)
                    if self.evaluator.holds(line.where, state, {**ends, line.variable.text: s})
                }
            elif isinstance(line, m.SightEdge):
                walls |= {
                    (min(s, t), max(s, t))
                    for s in range(kind.most)
                    for t in steps[s]
                    if self.evaluator.holds(line.where, state, {**ends, line.first.text: s, line.second.text: t})
                }
        blockers = Blockers(tuple(sorted(blocking)), tuple(sorted(walls)))
        return sees(node, self._spaces[name], origin, target, blockers)


def _op(applied: Applied) -> m.ValueOp:
    assert isinstance(applied.norm.body, m.ValueNorm | m.Case)
    return applied.norm.body.op
