"""Long sums as numbers of their own: what cannot be even if each could be anything within its bounds cannot be at all.

Who leads a ranking hangs on sums over all cards or places. Z3 tries their parts one by one, though whatever they come
to, not both of two players are ahead of each other. Sums that differ in their sign and in a constant are told by one
number, so that such things are still seen.
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.terms import Either, Number, Term, number, parts_of, substitute, total

_LONG = 8  # parts: shorter sums are left as they are


def loosened(terms: Sequence[Term]) -> list[Either] | None:
    """The terms with a number in place of each long sum; None where there is no such sum."""
    memo: dict[Term, Either] = {}
    seen: set[Term] = set()
    waiting = list(terms)
    while waiting:
        term = waiting.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op == "sum" and len(term.args) > _LONG:
            memo[term] = _opaque(term)
        else:
            waiting.extend(parts_of(term))
    return [substitute(term, {}, memo) for term in terms] if memo else None


def _opaque(term: Term) -> Number:
    """A number for what is added up, as it is or turned round, beside the constant."""
    constant, *parts = term.args
    sign = 1 if parts[0][0] > 0 else -1
    ends = sorted((sign * (term.low - constant), sign * (term.high - constant)))
    name = ("long sum", *((sign * factor, part.serial) for factor, part in parts))
    return total(((1, constant), (sign, number(name, *ends))))
