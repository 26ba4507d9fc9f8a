"""Expressions written at random, as plain trees: built as terms, and worked out in Python beside them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from solver import terms as t
from solver.terms import Term

Written = tuple[Any, ...]
State = Mapping[Term, bool | int]

NUMBERS = [t.number(("n", place), low, high) for place, (low, high) in enumerate([(0, 2), (-2, 1), (-3, -1), (1, 4)])]
FLAGS = [t.flag(("f", place)) for place in range(3)]

_NUMERIC = ("plus", "minus", "times", "divide", "modulo", "larger", "smaller", "total", "pick", "count")
_YES_NO = ("at_most", "less", "equal", "no", "both", "either", "implies", "same", "pick")


def written_number(chooser: random.Random, depth: int) -> Written:
    if depth == 0 or chooser.random() < 0.15:
        return ("variable", chooser.choice(NUMBERS)) if chooser.random() < 0.7 else ("plain", chooser.randint(-4, 4))
    kind = chooser.choice(_NUMERIC)
    if kind == "pick":
        return kind, written_flag(chooser, depth - 1), *(written_number(chooser, depth - 1) for _ in range(2))
    if kind == "count":
        return kind, *(written_flag(chooser, depth - 1) for _ in range(3))
    factors = ([chooser.randint(-3, 3) for _ in range(2)],) if kind == "total" else ()
    return kind, *factors, *(written_number(chooser, depth - 1) for _ in range(2))


def written_flag(chooser: random.Random, depth: int) -> Written:
    if depth == 0 or chooser.random() < 0.1:
        return ("variable", chooser.choice(FLAGS)) if chooser.random() < 0.9 else ("plain", chooser.random() < 0.5)
    kind = chooser.choice(_YES_NO)
    inner = written_number if kind in ("at_most", "less", "equal") else written_flag
    count = {"no": 1, "pick": 3}.get(kind, 2)
    return kind, *(inner(chooser, depth - 1) for _ in range(count))


def built(tree: Written) -> Any:
    kind, *args = tree
    if kind in ("variable", "plain"):
        return args[0]
    if kind == "total":
        return t.total((factor, built(arg)) for factor, arg in zip(args[0], args[1:], strict=True))
    parts = [built(arg) for arg in args]
    return t.count(parts) if kind == "count" else getattr(t, kind)(*parts)


def worked_out(tree: Written, state: State) -> Any:
    kind, *args = tree
    if kind == "variable":
        return state[args[0]] if isinstance(args[0], Term) else args[0]
    if kind == "plain":
        return args[0]
    if kind == "total":
        return sum(factor * worked_out(arg, state) for factor, arg in zip(args[0], args[1:], strict=True))
    a, *rest = [worked_out(arg, state) for arg in args]
    match kind:
        case "plus":
            return a + rest[0]
        case "minus":
            return a - rest[0]
        case "times":
            return a * rest[0]
        case "divide":
            return a // rest[0] if rest[0] else 0
        case "modulo":
            return a % rest[0] if rest[0] else 0
        case "larger":
            return max(a, rest[0])
        case "smaller":
            return min(a, rest[0])
        case "count":
            return sum([a, *rest])
        case "pick":
            return rest[0] if a else rest[1]
        case "at_most":
            return a <= rest[0]
        case "less":
            return a < rest[0]
        case "equal" | "same":
            return a == rest[0]
        case "no":
            return not a
        case "both":
            return a and rest[0]
        case "either":
            return a or rest[0]
        case "implies":
            return not a or rest[0]
    raise AssertionError(kind)


def states(variables: Sequence[Term]) -> Iterator[dict[Term, bool | int]]:
    """All of them."""
    domains = [(False, True) if one.is_flag else range(one.low, one.high + 1) for one in variables]
    for values in product(*domains):
        yield dict(zip(variables, values, strict=True))


def can_hold(*terms: t.Flag) -> bool:
    """By trying every state."""
    return any(all(t.evaluate(term, state) for term in terms) for state in states(t.variables_of(*terms)))
