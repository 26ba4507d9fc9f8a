"""Verdicts of earlier runs: a question is known again by what it asks, whatever else has changed in the book.

A question is digested from its terms: the names and bounds of their variables and how they are joined. Neither the
order in which terms were made nor where they lie in memory counts: what an edit does not touch stays the same question.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any, Protocol

from rules.span import Span
from solver.terms import Either, Flag, Term, parts_of
from solver.verdict import Proved, Refuted, Unknown, Verdict, Ways

Stored = Any  # what JSON can hold
_SIZE = 12  # bytes of a digest
_UNORDERED = ("and", "or", "eq", "same", "times")


class Memory(Protocol):
    """Where verdicts are kept."""

    def recall(self, key: str) -> Stored | None: ...

    def keep(self, key: str, stored: Stored) -> None: ...


class UnstableError(Exception):
    """The name of a variable is not the same in every run."""


class Digests:
    """Terms to digests, each made once. Raises `UnstableError` for a variable that has no lasting name."""

    def __init__(self) -> None:
        self._known: dict[Term, bytes] = {}
        self._inner: dict[bytes, bytes] = {}  # what a denied digest denies

    def of(self, term: Either) -> bytes:
        if not isinstance(term, Term):
            return _hashed(b"plain", repr(term).encode())
        waiting = [term]
        while waiting:
            node = waiting[-1]
            missing = [part for part in parts_of(node) if part not in self._known]
            if missing:
                waiting.extend(missing)
                continue
            waiting.pop()
            if node not in self._known:
                self._known[node] = self._node(node)
        return self._known[term]

    def _node(self, node: Term) -> bytes:
        op = node.op.encode()
        if node.op in ("flag", "number"):
            return _hashed(op, lasting(node.args[0]).encode(), f"{node.low} {node.high}".encode())
        if node.op == "not":
            return self._denied(self._known[node.args[0]])
        if node.op == "sum":
            return self._sum(node, 1)
        if node.op in ("le", "eq") and isinstance(node.args[0], Term) and node.args[0].op == "sum":
            return self._compared(node)
        parts = [self._known[arg] if isinstance(arg, Term) else repr(arg).encode() for arg in node.args]
        return _hashed(op, *(sorted(parts) if node.op in _UNORDERED else parts))

    def _sum(self, node: Term, sign: int) -> bytes:
        constant, *parts = node.args
        found = sorted(b"%d " % (sign * factor) + self._known[part] for factor, part in parts)
        return _hashed(b"sum", b"%d" % (sign * constant), *found)

    def _compared(self, node: Term) -> bytes:
        """A sum can be compared from either side; which of them a term has hangs on the order of its variables."""
        left, right = node.args
        one, other = self._sum(left, 1), self._sum(left, -1)
        if node.op == "eq":
            return _hashed(b"eq", *min((one, b"%d" % right), (other, b"%d" % -right)))
        if one < other:
            return _hashed(b"le", one, b"%d" % right)
        return self._denied(_hashed(b"le", other, b"%d" % (-right - 1)))

    def _denied(self, digest: bytes) -> bytes:
        inner = self._inner.get(digest)
        if inner is None:
            denied = _hashed(b"not", digest)
            self._inner[denied] = digest
            return denied
        return inner


def lasting(name: Hashable) -> str:
    """A name as text that is the same in every run."""
    if isinstance(name, tuple | list):
        return f"({','.join(map(lasting, name))})"
    if name is None or isinstance(name, bool | int | str):
        return repr(name)
    if isinstance(name, Term) and name.op in ("flag", "number"):
        return f"{name.op}({lasting(name.args[0])},{name.low},{name.high})"
    if is_dataclass(name) and not isinstance(name, type | Span):
        parts = (getattr(name, field.name) for field in fields(name) if field.compare)
        return f"{type(name).__name__}({','.join(map(lasting, parts))})"
    raise UnstableError


def _hashed(*parts: bytes) -> bytes:
    found = blake2b(digest_size=_SIZE)
    for part in parts:
        found.update(len(part).to_bytes(4, "big"))
        found.update(part)
    return found.digest()


class Recalling:
    """Asks a memory before it lets a question be worked out. `setting` is what else the answers hang on."""

    def __init__(self, memory: Memory, setting: str) -> None:
        self._memory = memory
        self._setting = setting.encode()
        self._digests = Digests()
        self.recalled = 0
        self.worked_out = 0

    def verdict(
        self,
        claim: Flag,
        given: Sequence[tuple[Hashable, Flag]],
        prefer: Mapping[Term, bool | int],
        variables: Sequence[Term],
        ask: Callable[[], Verdict],
        fits: Callable[[Mapping[Term, bool | int]], bool],
    ) -> Verdict:
        """`fits` is asked whether recalled values really refute the claim: what can be seen is not taken on trust."""
        try:
            names = [(self._digests.of(term).hex(), name) for name, term in given]
            known = {self._digests.of(variable).hex(): variable for variable in variables}
            wanted = sorted(self._digests.of(v).hex() + repr(value) for v, value in prefer.items())
            parts = (*sorted(digest for digest, _ in names), "", *wanted)
            key = _hashed(b"ask", self._setting, self._digests.of(claim), *map(str.encode, parts)).hex()
        except UnstableError:
            return ask()
        found = _revived(self._memory.recall(key), dict(reversed(names)), known)
        if found is not None and (not isinstance(found, Refuted) or fits(found.values)):
            self.recalled += 1
            return found
        self.worked_out += 1
        made = ask()
        self._memory.keep(key, _stored(made, names, known))
        return made

    def possible(self, terms: Sequence[Flag], ask: Callable[[], bool | None]) -> bool | None:
        try:
            key = _hashed(b"possible", self._setting, *sorted(map(self._digests.of, terms))).hex()
        except UnstableError:
            return ask()
        stored = self._memory.recall(key)
        if stored in (["yes"], ["no"], ["open"]):
            self.recalled += 1
            return {"yes": True, "no": False, "open": None}[stored[0]]
        self.worked_out += 1
        made = ask()
        self._memory.keep(key, ["open" if made is None else "yes" if made else "no"])
        return made

    def way(self, sort: str, terms: Sequence[Flag], ask: Callable[[], Ways]) -> Ways:
        """What steps laid end to end come to. A way is not kept: whoever wants it looks for it again."""
        try:
            key = _hashed(sort.encode(), self._setting, *map(self._digests.of, terms)).hex()
        except UnstableError:
            return ask()
        match self._memory.recall(key):
            case ["proved"]:
                return Proved(())
            case ["unknown", str() as reason]:
                return Unknown(reason)
        made = ask()
        match made:
            case Proved():
                self._memory.keep(key, ["proved"])
            case Unknown(reason=reason):
                self._memory.keep(key, ["unknown", reason])
        return made


def _stored(verdict: Verdict, names: Sequence[tuple[str, Hashable]], variables: Mapping[str, Term]) -> Stored:
    match verdict:
        case Proved(because=because):
            digests = {name: digest for digest, name in names}
            return ["proved", [digests[name] for name in because]]
        case Refuted(values=values):
            found = {variable: digest for digest, variable in variables.items()}
            return ["refuted", [[found[variable], value] for variable, value in values.items()]]
        case Unknown(reason=reason):
            return ["unknown", reason]


def _revived(stored: Stored | None, names: Mapping[str, Hashable], variables: Mapping[str, Term]) -> Verdict | None:
    """None where nothing is stored, or what is stored does not fit the question."""
    try:
        match stored:
            case ["proved", list() as because]:
                return Proved(tuple(names[digest] for digest in because))
            case ["refuted", list() as values] if all(isinstance(value, int) for _, value in values):
                return Refuted({variables[digest]: value for digest, value in values})
            case ["unknown", str() as reason]:
                return Unknown(reason)
    except (KeyError, TypeError, ValueError):
        return None
    return None
