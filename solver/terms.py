"""Terms over the finite state: the one form in which conditions and effects are asked about.

A term is a plain `bool` or `int` where it is known, else a `Term`: a node whose parts are terms again. Terms are made
only by the functions here; they fold what is known, keep the bounds of numbers, and give the same node for the same
term, so that a pair of conditions that cannot meet is mostly seen while it is built, without any solver.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, MutableMapping
from math import gcd
from typing import Any, Literal
from weakref import WeakValueDictionary

from rules.diagnostics import InternalError

Op = Literal["flag", "number", "not", "and", "or", "if", "le", "eq", "same", "sum", "times", "divide", "modulo"]


class Term:
    """A node. `low` and `high` bound a number; a yes/no term has neither. Compared by identity."""

    __slots__ = ("__weakref__", "args", "high", "low", "op", "serial")

    op: Op
    args: tuple[Any, ...]
    low: int
    high: int
    serial: int

    @property
    def is_flag(self) -> bool:
        return self.low > self.high

    def __repr__(self) -> str:
        if self.op in ("flag", "number"):
            return str(self.args[0])
        return f"({self.op} {' '.join(map(repr, self.args))})"


Flag = bool | Term  # a yes/no term
Number = int | Term
Either = bool | int | Term


class Pool:
    """Terms that are made together, each once, and counted in the order in which they are made.

    `with Pool():` makes terms apart from all others, in an order that hangs on nothing that was made before. It keeps
    what it makes: which terms are still there must not hang on when memory is tidied up. Terms of two pools must never
    meet: the same variable is a different one in each.
    """

    __slots__ = ("_before", "made", "serial")

    def __init__(self, made: MutableMapping[tuple[Any, ...], Term] | None = None) -> None:
        self.made: MutableMapping[tuple[Any, ...], Term] = {} if made is None else made
        self.serial = 0
        self._before: list[Pool] = []

    def __enter__(self) -> None:
        global _pool  # noqa: PLW0603  (the pool that terms are made in)
        self._before.append(_pool)
        _pool = self

    def __exit__(self, *_: object) -> None:
        global _pool  # noqa: PLW0603
        _pool = self._before.pop()


_pool = Pool(WeakValueDictionary())  # whoever makes terms without a pool has those that somebody holds
_DEEPEST = 100  # deeper terms are evaluated from within
_COMPARISONS = 300  # a choice of choices is compared with a number case by case as long as there are no more cases


def _make(op: Op, args: tuple[Any, ...], low: int = 1, high: int = 0) -> Term:
    """INVARIANT: parts are held by the node, so their identities in the key stay theirs as long as the node lives."""
    key = (op, *(id(arg) if isinstance(arg, Term) else (type(arg), arg) for arg in args))
    found = _pool.made.get(key)
    return found if found is not None else _new(key, op, args, low, high)


def _new(key: tuple[Any, ...], op: Op, args: tuple[Any, ...], low: int, high: int) -> Term:
    pool = _pool
    found = pool.made[key] = Term()
    found.op, found.args, found.low, found.high = op, args, low, high
    pool.serial += 1
    found.serial = pool.serial
    return found


def flag(name: Hashable) -> Term:
    """A yes/no variable."""
    return _make("flag", (name,))


def number(name: Hashable, low: int, high: int) -> Number:
    """A number variable within bounds."""
    return low if low == high else _make("number", (name, low, high), low, high)


def bounds(term: Number) -> tuple[int, int]:
    return (term.low, term.high) if isinstance(term, Term) else (term, term)


# ---- yes and no -----------------------------------------------------------------------------------------------------


def no(term: Flag) -> Flag:
    if isinstance(term, bool):
        return not term
    if term.op == "not":
        inner: Flag = term.args[0]
        return inner
    return _make("not", (term,))


def both(*terms: Flag) -> Flag:
    return every(terms)


def either(*terms: Flag) -> Flag:
    return some(terms)


def every(terms: Iterable[Flag]) -> Flag:
    return _gather("and", terms, neutral=True)


def some(terms: Iterable[Flag]) -> Flag:
    return _gather("or", terms, neutral=False)


def _gather(op: Literal["and", "or"], terms: Iterable[Flag], neutral: bool) -> Flag:
    parts: dict[Term, None] = {}
    denied: set[Term] = set()
    for term in terms:
        if isinstance(term, bool):
            if term is not neutral:
                return term
            continue
        for part in term.args if term.op == op else (term,):
            if part.op == "not":
                denied.add(part.args[0])
            parts[part] = None
    if not denied.isdisjoint(parts):
        return not neutral
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else _make(op, tuple(sorted(parts, key=lambda part: part.serial)))


def implies(one: Flag, other: Flag) -> Flag:
    return either(no(one), other)


def same(one: Flag, other: Flag) -> Flag:
    """Whether two yes/no terms agree."""
    if isinstance(one, bool):
        return other if one else no(other)
    if isinstance(other, bool):
        return one if other else no(one)
    if one is other:
        return True
    if no(one) is other:
        return False
    return _make("same", (one, other) if one.serial < other.serial else (other, one))


def pick(condition: Flag, then: Any, otherwise: Any) -> Any:
    """One or the other, of the same sort."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if then is otherwise or (type(then) is type(otherwise) and not isinstance(then, Term) and then == otherwise):
        return then
    if condition.op == "not":
        return pick(condition.args[0], otherwise, then)
    if isinstance(then, Term) and then.op == "if" and then.args[0] is condition:
        return pick(condition, then.args[1], otherwise)
    if isinstance(otherwise, Term) and otherwise.op == "if" and otherwise.args[0] is condition:
        return pick(condition, then, otherwise.args[2])
    if _is_flag(then):
        if isinstance(then, bool):
            return either(condition, otherwise) if then else both(no(condition), otherwise)
        if isinstance(otherwise, bool):
            return either(no(condition), then) if otherwise else both(condition, then)
        return same(condition, then) if no(then) is otherwise else _make("if", (condition, then, otherwise))
    (a, b), (c, d) = bounds(then), bounds(otherwise)
    return _make("if", (condition, then, otherwise), min(a, c), max(b, d))


def _is_flag(term: Either) -> bool:
    return isinstance(term, bool) or (isinstance(term, Term) and term.is_flag)


# ---- numbers --------------------------------------------------------------------------------------------------------


def at_most(one: Number, other: Number) -> Flag:
    """INVARIANT: a `le` node compares a term with a plain number, so that one comparison has one node."""
    return _pushed("le", _apart("le", one, other))


def less(one: Number, other: Number) -> Flag:
    return no(at_most(other, one))


def equal(one: Number, other: Number) -> Flag:
    """INVARIANT: an `eq` node compares a term with a plain number, or two terms of which neither is a sum."""
    return _pushed("eq", _apart("eq", one, other))


Compared = tuple[Term, int, bool]  # a term beside a plain number, and whether that comparison is to hold or not


def _apart(op: Literal["le", "eq"], one: Number, other: Number) -> Flag | Compared:
    """A comparison with all that varies on the left, as small as it can be; or what it comes to."""
    (a, b), (c, d) = bounds(one), bounds(other)
    if one is other or (b <= c and (op == "le" or a == b == c == d)):
        return True
    if a > d or (op == "eq" and b < c):
        return False
    if isinstance(one, int):
        return (_term(other), one - 1, False) if op == "le" else (_term(other), one, True)
    if isinstance(other, int) and one.op != "sum":
        return one, other, True
    gap = minus(one, other)
    if isinstance(gap, int) or gap.low > 0 or gap.high < 0 or (op == "le" and gap.high == 0):
        return bounds(gap)[1] <= 0 if op == "le" else gap == 0
    if gap.op != "sum":
        return gap, 0, True
    constant, *parts = gap.args
    if op == "eq" and constant == 0 and len(parts) == 2 and {parts[0][0], parts[1][0]} == {1, -1}:
        return _make("eq", (parts[0][1], parts[1][1]))
    factor = gcd(*(inner for inner, _ in parts)) * (1 if parts[0][0] > 0 else -1)
    left = _term(total((inner // factor, part) for inner, part in parts))
    if op == "eq":
        return (left, -constant // factor, True) if constant % factor == 0 else False
    return (left, -constant // factor, True) if factor > 0 else (left, -(constant // factor) - 1, False)


def _term(number: Number) -> Term:
    if not isinstance(number, Term):
        raise InternalError("a number that varies has become a plain one")
    return number


def _pushed(op: Literal["le", "eq"], asked: Flag | Compared) -> Flag:
    """A choice compared with a plain number is a choice between comparisons, each of which may be known.

    Only so many of them: beyond that the choice is compared as a whole.
    """
    if not isinstance(asked, tuple):
        return asked
    if asked[0].op != "if":
        return _atom(op, *asked)
    memo: dict[tuple[Term, int], Flag] = {}
    waiting = [asked[:2]]
    while waiting:
        node, right = waiting[-1]
        if (node, right) in memo:
            waiting.pop()
            continue
        if node.op != "if" or len(memo) > _COMPARISONS:
            memo[node, right] = _atom(op, node, right, True)
            continue
        sides = [_apart(op, part, right) for part in node.args[1:]]
        missing = [side[:2] for side in sides if isinstance(side, tuple) and side[:2] not in memo]
        if missing:
            waiting.extend(missing)
            continue
        then, otherwise = (
            side if not isinstance(side, tuple) else memo[side[:2]] if side[2] else no(memo[side[:2]]) for side in sides
        )
        memo[node, right] = pick(node.args[0], then, otherwise)
    return memo[asked[:2]] if asked[2] else no(memo[asked[:2]])


def _atom(op: Literal["le", "eq"], one: Term, other: int, wanted: bool) -> Flag:
    found: Flag
    if op == "le":
        found = other >= one.low if not one.low <= other < one.high else _make("le", (one, other))
    elif not one.low <= other <= one.high:
        found = False
    elif one.high == one.low + 1:  # of two values, to be one is not to be the other
        found = _make("le", (one, one.low)) if other == one.low else no(_make("le", (one, one.low)))
    else:
        found = _make("eq", (one, other))
    return found if wanted else no(found)


def plus(*terms: Number) -> Number:
    return total((1, term) for term in terms)


def minus(one: Number, other: Number) -> Number:
    return total(((1, one), (-1, other)))


def total(parts: Iterable[tuple[int, Number]]) -> Number:
    """A sum of terms, each so many times."""
    constant = 0
    found: dict[Term, int] = {}
    for factor, term in parts:
        if isinstance(term, int):
            constant += factor * term
        elif term.op == "sum":
            constant += factor * term.args[0]
            for inner, part in term.args[1:]:
                found[part] = found.get(part, 0) + factor * inner
        else:
            found[term] = found.get(term, 0) + factor
    kept = [(factor, term) for term, factor in found.items() if factor]
    if not kept:
        return constant
    if constant == 0 and len(kept) == 1 and kept[0][0] == 1:
        return kept[0][1]
    kept.sort(key=lambda part: part[1].serial)
    low = constant + sum(f * (t.low if f > 0 else t.high) for f, t in kept)
    high = constant + sum(f * (t.high if f > 0 else t.low) for f, t in kept)
    # The factors stand in the node as they are: two sums are the same node only with the same factors.
    return low if low == high else _sum(constant, tuple(kept), low, high)


def _sum(constant: int, parts: tuple[tuple[int, Term], ...], low: int, high: int) -> Term:
    key = ("sum", constant, *((factor, id(term)) for factor, term in parts))
    found = _pool.made.get(key)
    return found if found is not None else _new(key, "sum", (constant, *parts), low, high)


def times(one: Number, other: Number) -> Number:
    if isinstance(one, int):
        return total(((one, other),))
    if isinstance(other, int):
        return total(((other, one),))
    corners = [a * b for a in bounds(one) for b in bounds(other)]
    return _make("times", (one, other) if one.serial <= other.serial else (other, one), min(corners), max(corners))


def divide(one: Number, other: Number) -> Number:
    """Rounded down. What is divided by nought is nought, so that a term has a value wherever it stands."""
    if isinstance(one, int) and isinstance(other, int):
        return quotient(one, other)
    if isinstance(other, int) and abs(other) <= 1:
        return total(((other, one),))
    (a, b), (c, d) = bounds(one), bounds(other)
    most = max(abs(a), abs(b))
    low, high = (min(a // c, a // d), max(b // c, b // d)) if c > 0 else (-most, most)
    return low if low == high else _make("divide", (one, other), low, high)


def modulo(one: Number, other: Number) -> Number:
    """What is left of `divide`; by nought, nought."""
    if isinstance(one, int) and isinstance(other, int):
        return remainder(one, other)
    (a, b), (c, d) = bounds(one), bounds(other)
    if a >= 0 and b < c:
        return one
    low, high = min(0, c + 1), max(0, d - 1)
    return low if low == high else _make("modulo", (one, other), low, high)


def quotient(one: int, other: int) -> int:
    return one // other if other else 0


def remainder(one: int, other: int) -> int:
    return one % other if other else 0


def larger(one: Number, other: Number) -> Number:
    return pick(at_most(one, other), other, one)  # type: ignore[no-any-return]


def smaller(one: Number, other: Number) -> Number:
    return pick(at_most(one, other), one, other)  # type: ignore[no-any-return]


def count(conditions: Iterable[Flag]) -> Number:
    """How many of these hold."""
    return total((1, pick(condition, 1, 0)) for condition in conditions)


# ---- looking at terms -----------------------------------------------------------------------------------------------


def parts_of(term: Term) -> Iterator[Term]:
    """The terms right inside a term."""
    if term.op == "sum":
        yield from (part for _, part in term.args[1:])
    elif term.op not in ("flag", "number"):
        yield from (arg for arg in term.args if isinstance(arg, Term))


def variables_of(*terms: Either) -> tuple[Term, ...]:
    """The variables that terms read, in the order in which they were made."""
    seen: set[Term] = set()
    found: list[Term] = []
    waiting = [term for term in terms if isinstance(term, Term)]
    while waiting:
        term = waiting.pop()
        if term in seen:
            continue
        seen.add(term)
        if term.op in ("flag", "number"):
            found.append(term)
        else:
            waiting.extend(parts_of(term))
    return tuple(sorted(found, key=lambda variable: variable.serial))


def evaluate(
    term: Either, values: Mapping[Term, bool | int], known: dict[Term, bool | int] | None = None
) -> bool | int:
    """What a term is where its variables have these values; `known` keeps what was found on the way."""
    if not isinstance(term, Term):
        return term
    memo: dict[Term, bool | int] = {} if known is None else known
    found: bool | int = _value(term, values, memo, 0)
    return found


def _value(node: Any, values: Mapping[Term, bool | int], memo: dict[Term, bool | int], depth: int) -> Any:
    if not isinstance(node, Term):
        return node
    op = node.op
    if op in ("flag", "number"):
        return values[node]
    if node in memo:
        return memo[node]
    if depth > _DEEPEST:
        _evaluate_parts(node, values, memo)
    args = node.args
    found: bool | int
    if op == "le":
        found = _value(args[0], values, memo, depth + 1) <= args[1]
    elif op in ("eq", "same"):
        found = _value(args[0], values, memo, depth + 1) == _value(args[1], values, memo, depth + 1)
    elif op == "not":
        found = not _value(args[0], values, memo, depth + 1)
    elif op in ("and", "or"):
        found = op == "and"
        for arg in args:
            if _value(arg, values, memo, depth + 1) is not found:
                found = not found
                break
    elif op == "if":
        chosen = args[1] if _value(args[0], values, memo, depth + 1) else args[2]
        found = _value(chosen, values, memo, depth + 1)
    elif op == "sum":
        found = args[0]
        for factor, part in args[1:]:
            found += factor * _value(part, values, memo, depth + 1)
    else:
        one, other = _value(args[0], values, memo, depth + 1), _value(args[1], values, memo, depth + 1)
        found = one * other if op == "times" else quotient(one, other) if op == "divide" else remainder(one, other)
    memo[node] = found
    return found


def _evaluate_parts(term: Term, values: Mapping[Term, bool | int], memo: dict[Term, bool | int]) -> None:
    """Puts what is inside a term into `memo`, the deepest first."""
    waiting = [term]
    while waiting:
        node = waiting[-1]
        missing = [part for part in parts_of(node) if part not in memo]
        if missing:
            waiting.extend(missing)
            continue
        waiting.pop()
        if node is not term and node not in memo:
            memo[node] = _value(node, values, memo, 0)


def substitute(term: Either, new: Mapping[Term, Either], known: dict[Term, Either] | None = None) -> Any:
    """The term with other terms in place of some variables, folded anew."""
    if not isinstance(term, Term):
        return term
    memo: dict[Term, Either] = {} if known is None else known
    waiting = [term]
    while waiting:
        node = waiting[-1]
        if node in memo:
            waiting.pop()
            continue
        if node.op in ("flag", "number"):
            memo[node] = new.get(node, node)
            continue
        missing = [part for part in parts_of(node) if part not in memo]
        if missing:
            waiting.extend(missing)
            continue
        memo[node] = _rebuilt(node, memo)
    return memo[term]


def _rebuilt(node: Term, memo: Mapping[Term, Either]) -> Either:
    if node.op == "sum":
        return total(((1, node.args[0]), *((factor, memo[part]) for factor, part in node.args[1:])))
    args: list[Any] = [memo[arg] if isinstance(arg, Term) else arg for arg in node.args]
    match node.op:
        case "not":
            return no(args[0])
        case "and":
            return every(args)
        case "or":
            return some(args)
        case "if":
            return pick(*args)  # type: ignore[no-any-return]
        case "le":
            return at_most(*args)
        case "eq":
            return equal(*args)
        case "same":
            return same(*args)
        case "times":
            return times(*args)
        case "divide":
            return divide(*args)
        case _:
            return modulo(*args)
