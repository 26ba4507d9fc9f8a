"""Terms to expressions of Z3, each made once in a context."""

from __future__ import annotations

from typing import Any

from solver.terms import Number, Term, bounds, parts_of

_CASES = 48  # a factor or divisor with at most so many values is told case by case, which keeps the sums linear


class Expressions:
    """The expressions of one context. Parts are raw references, which the context keeps in a list of its own.

    `variables` has what stands for each variable. Whoever asserts an expression asserts `limits_of` its variables too.
    """

    def __init__(self) -> None:
        import z3  # noqa: PLC0415  (a tenth of a second that most runs do not need)

        self.z3 = z3
        self.context = z3.Context()
        self.variables: dict[Term, Any] = {}
        self._ref = self.context.ref()
        self._kept = z3.AstVector(ctx=self.context)
        self._made: dict[Term, Any] = {}
        self._numerals: dict[int, Any] = {}
        self._integer = z3.IntSort(self.context)
        self._yes_no = z3.BoolSort(self.context)

    def flag(self, term: bool | Term) -> Any:
        """A yes/no term as an expression."""
        if isinstance(term, bool):
            return self.z3.BoolVal(term, self.context)
        return self.z3.BoolRef(self._raw(term), self.context)

    def variable(self, term: Term) -> Any:
        raw = self._raw(term)
        return self.z3.BoolRef(raw, self.context) if term.is_flag else self.z3.ArithRef(raw, self.context)

    def limits_of(self, variable: Term) -> Any | None:
        """That a number variable is within its bounds; None for yes/no."""
        if variable.is_flag:
            return None
        raw = self._raw(variable)
        low = self._keep(self.z3.Z3_mk_le(self._ref, self._numeral(variable.low), raw))
        high = self._keep(self.z3.Z3_mk_le(self._ref, raw, self._numeral(variable.high)))
        return self.z3.BoolRef(self._many("and", [low, high]), self.context)

    def value(self, model: Any, variable: Term) -> bool | int:
        """What a model says of a variable; where it says nothing, any value does."""
        found = model.eval(self.variable(variable), model_completion=True)
        if variable.is_flag:
            return bool(self.z3.is_true(found))
        return int(found.as_long())

    def _raw(self, term: Term) -> Any:
        made = self._made
        if term in made:
            return made[term]
        waiting = [term]
        while waiting:
            node = waiting[-1]
            if node in made:
                waiting.pop()
                continue
            missing = [part for part in parts_of(node) if part not in made]
            if missing:
                waiting.extend(missing)
                continue
            made[node] = self._node(node)
        return made[term]

    def _keep(self, raw: Any) -> Any:
        self.z3.Z3_ast_vector_push(self._ref, self._kept.vector, raw)
        return raw

    def _numeral(self, value: int) -> Any:
        if value not in self._numerals:
            # By its digits: a number may be larger than a machine word.
            made = self.z3.Z3_mk_numeral(self._ref, str(value), self._integer.ast)
            self._numerals[value] = self._keep(made)
        return self._numerals[value]

    def _arg(self, arg: Number) -> Any:
        return self._made[arg] if isinstance(arg, Term) else self._numeral(arg)

    def _many(self, op: str, raws: list[Any]) -> Any:
        if len(raws) == 1:
            return raws[0]
        z3 = self.z3
        make = {"and": z3.Z3_mk_and, "or": z3.Z3_mk_or, "sum": z3.Z3_mk_add, "times": z3.Z3_mk_mul}[op]
        return self._keep(make(self._ref, len(raws), (z3.Ast * len(raws))(*raws)))

    def _node(self, node: Term) -> Any:
        z3, ref, made = self.z3, self._ref, self._made
        match node.op:
            case "flag" | "number":
                # Numbered as they come, not by name: the same questions make the same expressions in every run.
                name = z3.Z3_mk_string_symbol(ref, f"v{len(self.variables)}")
                sort = self._yes_no if node.op == "flag" else self._integer
                raw = z3.Z3_mk_const(ref, name, sort.ast)
                self.variables[node] = raw
            case "not":
                raw = z3.Z3_mk_not(ref, made[node.args[0]])
            case "and" | "or":
                return self._many(node.op, [made[arg] for arg in node.args])
            case "if":
                condition, then, otherwise = node.args
                raw = z3.Z3_mk_ite(ref, made[condition], self._arg(then), self._arg(otherwise))
            case "le":
                raw = z3.Z3_mk_le(ref, self._arg(node.args[0]), self._arg(node.args[1]))
            case "eq" | "same":
                raw = z3.Z3_mk_eq(ref, self._arg(node.args[0]), self._arg(node.args[1]))
            case "sum":
                constant, *parts = node.args
                raws = [] if constant == 0 else [self._numeral(constant)]
                raws += [made[part] if factor == 1 else self._scaled(factor, made[part]) for factor, part in parts]
                return self._many("sum", raws)
            case "times":
                return self._times(*node.args)
            case _:
                return self._divided(node.op == "modulo", *node.args)
        return self._keep(raw)

    def _scaled(self, factor: int, raw: Any) -> Any:
        return self._many("times", [self._numeral(factor), raw])

    def _times(self, one: Term, other: Term) -> Any:
        if one.high - one.low > other.high - other.low:
            one, other = other, one
        if one.high - one.low >= _CASES:
            return self._many("times", [self._made[one], self._made[other]])
        return self._by_case(one, lambda value: self._scaled(value, self._made[other]))

    def _divided(self, rest: bool, one: Number, other: Number) -> Any:
        """Z3 rounds towards the side on which the rest is not negative, whatever the divisor; ours rounds down."""
        raw = self._arg(one)
        low, high = bounds(other)
        if high - low < _CASES:
            return self._by_case(other, lambda value: self._divided_by(rest, raw, self._numeral(abs(value)), value))
        divisor = self._arg(other)
        nought = self._numeral(0)
        found = self._divided_by(rest, raw, divisor, 1)
        if low <= 0:
            below = self._keep(self.z3.Z3_mk_lt(self._ref, divisor, nought))
            found = self._choice(below, self._divided_by(rest, raw, self._scaled(-1, divisor), -1), found)
            zero = self._keep(self.z3.Z3_mk_eq(self._ref, divisor, nought))
            found = self._choice(zero, nought, found)
        return found

    def _divided_by(self, rest: bool, raw: Any, size: Any, sign: int) -> Any:
        """By a divisor of this size and sign."""
        make = self.z3.Z3_mk_mod if rest else self.z3.Z3_mk_div
        if sign == 0:
            return self._numeral(0)
        if sign > 0:
            return self._keep(make(self._ref, raw, size))
        turned = self._keep(make(self._ref, self._scaled(-1, raw), size))
        return self._scaled(-1, turned) if rest else turned

    def _by_case(self, term: Number, made: Any) -> Any:
        low, high = bounds(term)
        found = made(high)
        for value in range(high - 1, low - 1, -1):
            is_value = self._keep(self.z3.Z3_mk_eq(self._ref, self._arg(term), self._numeral(value)))
            found = self._choice(is_value, made(value), found)
        return found

    def _choice(self, condition: Any, then: Any, otherwise: Any) -> Any:
        return self._keep(self.z3.Z3_mk_ite(self._ref, condition, then, otherwise))
