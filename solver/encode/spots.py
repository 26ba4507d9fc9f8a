"""A spot in the text that control can come to: what its variables stand for there, and what is known of the state.

What is known is forgotten wherever something that it hangs on can have changed. Moments that run are not among it: a
spot says which they are, and `placed` puts that to the terms that ask for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from rules import model as m
from rules.span import Span
from solver.encode.expressions import Expressions
from solver.encode.sites import Context
from solver.encode.sym import Sym
from solver.encode.writes import ANYTHING, DECISION, Marks, marks_of
from solver.terms import Flag, Term, both, either, equal, every, no, same, some, variables_of


@dataclass(frozen=True, slots=True)
class Known:
    term: Term
    marks: Marks


@dataclass(frozen=True, slots=True)
class Inner:
    """A moment that was entered on the way; `owner` says whose it is, where somebody's."""

    name: str
    word: str
    owner: Sym | None = None


@dataclass(frozen=True, slots=True)
class Spot:
    """`part` names the part of the book and `span` the statement. `contexts` are the moments that can run around it.

    `early`: nobody can have decided anything before.
    """

    part: str
    span: Span
    clauses: m.Clauses
    env: Mapping[str, Sym]
    known: tuple[Known, ...] = ()
    contexts: tuple[Context, ...] = ()
    inner: tuple[Inner, ...] = ()
    early: bool = False

    def bound(self, name: str, sym: Sym) -> Spot:
        return replace(self, env={**self.env, name: sym})

    def inside(self, name: str, word: str, owner: Sym | None = None) -> Spot:
        return replace(self, inner=(*self.inner, Inner(name, word, owner)))

    def after(self, marks: Marks) -> Spot:
        """What may hang on any of these is forgotten."""
        if ANYTHING in marks:
            kept = tuple(one for one in self.known if not one.marks)
        else:
            kept = tuple(one for one in self.known if one.marks.isdisjoint(marks) and ANYTHING not in one.marks)
        return replace(self, known=kept, early=self.early and DECISION not in marks)

    @property
    def given(self) -> Flag:
        return every(one.term for one in self.known)


def knowing(spot: Spot, encoder: Expressions, *terms: Flag) -> Spot:
    """The same spot where these hold too; each part is remembered for itself."""
    more = tuple(Known(part, marks_of(encoder.space, part)) for term in terms for part in _parts(term))
    return replace(spot, known=(*spot.known, *more))


def _parts(term: Flag) -> Iterator[Term]:
    if isinstance(term, Term):
        if term.op == "and":
            for part in term.args:
                yield from _parts(part)
        else:
            yield term


def placed(spot: Spot, encoder: Expressions, *terms: Flag) -> Flag:
    """That the moments which terms ask for run as they do at a spot."""
    used = [v for v in variables_of(*_only(terms)) if v.args[0][0] == "running"]
    free: list[Term] = []
    found: list[Flag] = []
    for variable in used:
        name = variable.args[0]
        if name[1] == "game":
            found.append(variable)
            continue
        here = [one for one in spot.inner if name[1] in (one.name, f"this {one.word}")]
        if not here:
            free.append(variable)
        elif name[2] is None:
            found.append(variable)
        elif len(here) == 1 and here[0].owner is not None:
            found.append(same(variable, both(here[0].owner.there, equal(here[0].owner.payload, name[2]))))
    if free:
        found.append(some(_around(context, free, encoder) for context in spot.contexts or (Context(anywhere=True),)))
    return every(found)


def _around(context: Context, used: list[Term], encoder: Expressions) -> Flag:
    found: list[Flag] = []
    owners: dict[str, list[Term]] = {}
    for variable in used:
        _, moment, of = variable.args[0]
        if of is not None:
            found.append(either(no(variable), encoder.running(moment)))
            owners.setdefault(moment, []).append(variable)
        if moment in context.names:
            if of is None:
                found.append(variable)
        elif not context.anywhere:
            found.append(no(variable))
    for several in owners.values():
        found += [no(both(a, b)) for place, a in enumerate(several) for b in several[place + 1 :]]
    return every(found)


def _only(terms: Iterable[Flag]) -> list[Term]:
    return [term for term in terms if isinstance(term, Term)]
