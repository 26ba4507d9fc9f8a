"""What values a term can take where its variables are only partly known: a range, found part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from solver.terms import Either, Term, parts_of, quotient, remainder

Range = tuple[int, int]  # of a yes/no term: 0 is no, 1 is yes


def in_order(*terms: Either) -> tuple[Term, ...]:
    """The nodes of terms, each after its parts."""
    order: dict[Term, None] = {}
    waiting = [term for term in reversed(terms) if isinstance(term, Term)]
    while waiting:
        node = waiting[-1]
        if node in order:
            waiting.pop()
            continue
        missing = [part for part in parts_of(node) if part not in order]
        if missing:
            waiting.extend(missing)
        else:
            order[node] = None
    return tuple(order)


def ranges(order: Sequence[Term], known: Mapping[Term, Range]) -> dict[Term, Range]:
    """The range of each node, given those of some variables. It may be wider than need be, never narrower."""
    found: dict[Term, Range] = {}
    for node in order:
        op = node.op
        if op in ("flag", "number"):
            found[node] = known.get(node) or ((0, 1) if op == "flag" else (node.low, node.high))
        elif op == "sum":
            low = high = node.args[0]
            for factor, part in node.args[1:]:
                a, b = found[part]
                low += factor * (a if factor > 0 else b)
                high += factor * (b if factor > 0 else a)
            found[node] = low, high
        else:
            found[node] = _range(node, [found[arg] if isinstance(arg, Term) else (arg, arg) for arg in node.args])
    return found


def _range(node: Term, args: list[Any]) -> Range:
    match node.op:
        case "not":
            ((low, high),) = args
            return 1 - high, 1 - low
        case "and":
            return min(low for low, _ in args), min(high for _, high in args)
        case "or":
            return max(low for low, _ in args), max(high for _, high in args)
        case "if":
            condition, then, otherwise = args
            if condition[0] == condition[1]:
                chosen: Range = then if condition[0] else otherwise
                return chosen
            return min(then[0], otherwise[0]), max(then[1], otherwise[1])
        case "le":
            (a, b), (c, d) = args
            return int(b <= c), int(a <= d)
        case "eq" | "same":
            (a, b), (c, d) = args
            return int(a == b == c == d), int(a <= d and c <= b)
        case "times":
            (a, b), (c, d) = args
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case _:
            return _divided(node, *args)


def _divided(node: Term, one: Range, other: Range) -> Range:
    """INVARIANT: the bounds of the node hold for every divisor, nought too."""
    (a, b), (c, d) = one, other
    if a == b and c == d:
        value = quotient(a, c) if node.op == "divide" else remainder(a, c)
        return value, value
    if node.op == "divide" and c > 0:
        return max(node.low, min(a // c, a // d)), min(node.high, max(b // c, b // d))
    if node.op == "modulo" and a >= 0 and b < c:
        return a, b
    return node.low, node.high
