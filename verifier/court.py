"""What a check works with: one book for one number of players, its rules as terms, the solver, and what play has shown.

A check asks `possible` whether conditions can meet in some state; `Case` then has that state in the words of the game
and as a state of the interpreter, in which it was confirmed that the conditions really hold.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import Machine, machine_of
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.machine.way import Stop
from rules.machine.world import Value
from rules.span import Span
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.sites import Context, Site, Sites
from solver.encode.situation import Situation, plain, realise, situation
from solver.encode.space import Space
from solver.encode.sym import Sym
from solver.play import Exploration
from solver.referee import referee_of
from solver.solve import Solver
from solver.terms import Flag, Term, both, either, equal, evaluate, every, no, same, some, variables_of
from solver.verdict import Proved, Query, Refuted, Unknown
from verifier.finding import Place
from verifier.matters import Matters, matters_of


@dataclass(frozen=True, slots=True)
class Case:
    """A state in which conditions meet. `state` is the same for the interpreter; None where it could not be made so.

    `values` are the variables that matter, `situation` tells them in the words of the game. `rests_on` names what the
    question asks that is not modelled: it is taken to be as it must be for the conditions to meet.
    """

    values: Mapping[Term, bool | int]
    situation: Situation
    state: State | None
    rests_on: tuple[str, ...]


Possible = Case | Proved | Unknown


class Court:
    """`supposing` is for questions about states that no play comes to, because nothing in the book leads there."""

    def __init__(
        self,
        checked: CheckedRulebook,
        seats: int | None = None,
        policies: tuple[str, ...] = (),
        supposing: bool = False,
    ) -> None:
        self.checked = checked
        self.machine: Machine = machine_of(checked, seats, policies, referee_of)
        self.space = Space(self.machine, supposing)
        self.encoder = Encoder(self.space)
        self.solver = Solver()
        self.not_encoded: dict[tuple[str, Span], str] = {}
        self._exploration: Exploration | None = None

    @property
    def seats(self) -> int:
        return self.machine.world.seats

    @cached_property
    def sites(self) -> Sites:
        return Sites(self.machine)

    @cached_property
    def matters(self) -> Matters:
        """What the norms of the book can disagree on."""
        return matters_of(self)

    @property
    def exploration(self) -> Exploration:
        """What play has shown; there only once all checks have said what they suspect."""
        assert self._exploration is not None
        return self._exploration

    def explored(self, exploration: Exploration) -> None:
        self._exploration = exploration

    def cannot_encode(self, rule: str, reason: NotEncodable) -> None:
        """A rule that a check could not look at: named in the report."""
        self.not_encoded.setdefault((rule, reason.span), reason.reason)

    # ---- asking the solver

    def possible(self, *conditions: tuple[Hashable, Flag]) -> Possible:
        """Whether these can hold together in a state that keeps the promises of the book; if not, which exclude it."""
        terms = [term for _, term in conditions]
        facts = self.space.facts(terms)
        given = (*conditions, *(((reason, place), fact) for place, (reason, fact) in enumerate(facts)))
        verdict = self.solver.ask(Query(False, tuple(given)), self.preferred(terms))
        if not isinstance(verdict, Refuted):
            return verdict
        return self._case(verdict.values, terms)

    def preferred(self, terms: list[Flag]) -> dict[Term, bool | int]:
        """As at the start, where that can be: a witness should look like a game, not like noise."""
        start = self.space.start_values
        return {variable: start[variable] for variable in variables_of(*terms) if variable in start}

    def _case(self, values: Mapping[Term, bool | int], terms: list[Flag]) -> Case:
        opaque = tuple(sorted({self.space.opaque[v] for v in values if v in self.space.opaque}))
        state = realise(self.space, values, _stops(values))
        if state is not None and not self._holds_in(state, values, terms):
            state = None
        return Case(values, situation(self.space, values), state, opaque)

    def _holds_in(self, state: State, values: Mapping[Term, bool | int], terms: list[Flag]) -> bool:
        """Whether the interpreter sees in a state what the solver saw; parts of moves are as the solver chose them."""
        seen = self.space.values_in(state, terms)
        for variable, value in values.items():
            if variable.args[0][0] in ("part", "part none"):
                seen[variable] = value
        return all(evaluate(term, seen) for term in terms)

    def seen_in(self, state: State, term: Flag) -> Case:
        """A state of play in which a condition holds, with what of it makes the condition hold."""
        values = self.space.values_in(state, [term])
        verdict = self.solver.ask(Query(False, (("where", term),)), values)
        kept = verdict.values if isinstance(verdict, Refuted) else values
        known = {variable: values[variable] for variable in kept}
        return Case(known, situation(self.space, known), state, ())

    def facts_in(self, state: State, values: Mapping[Term, bool | int]) -> tuple[str, ...]:
        """The same variables as they are in a state of play."""
        kept = {v: self.space.probes[v](state) for v in values if v.args[0][0] not in ("part", "part none")}
        return situation(self.space, kept).facts

    def move_in(self, case: Case, verb: str) -> tuple[Value, ...]:
        """The move that a case speaks of; parts that do not matter are the first that they can be."""
        types = self.machine.verbs[verb].types
        return tuple(
            case.situation.parts.get((verb, place), self.machine.world.domain(type_)[0])
            for place, type_ in enumerate(types)
        )

    def shown_part(self, name: Hashable, value: bool | int) -> str:
        """What a part of a question is, in the words of the game."""
        type_ = self.space.part_types[name]
        return self.machine.world.show(plain(int(value), type_, self.space), type_)

    # ---- where an action is asked for

    def asked(self, verb: str, args: tuple[Sym, ...], *terms: Flag) -> Flag:
        """That control stands where this action can be offered to its actor, as far as the terms ask about control."""
        used = [v for v in variables_of(*terms) if v.args[0][0] == "running" and v.args[0][1] != "game"]
        sites = self.sites.of_verb(verb)
        by = self.machine.by_of(verb)
        assert by is not None
        owners = _owners(used)
        return both(
            every(either(no(v), self.encoder.running(v.args[0][1])) for v in used if v.args[0][2] is not None),
            every(
                no(both(a, b))
                for moment in owners.values()
                for place, a in enumerate(moment)
                for b in moment[place + 1 :]
            ),
            some(self._at_site(site, used, args[by]) for site in sites),
        )

    def _at_site(self, site: Site, used: list[Term], actor: Sym) -> Flag:
        found: list[Flag] = []
        names = site.context.names
        for variable in used:
            _, moment, of = variable.args[0]
            if moment in names:
                if of is None:
                    found.append(variable)
                elif _is_actors(site, moment):
                    found.append(same(variable, equal(actor.payload, of)))
            elif not site.context.anywhere:
                found.append(no(variable))
        return every(found)

    # ---- telling

    def place(self, norm: RuleNorm, part: str = "") -> Place:
        return Place(norm.name, norm.body.span, cited(norm.clauses), part)


def cited(clauses: m.Clauses) -> tuple[str, ...]:
    """Places in the documents, as people write them: `book 31`, `card 4..6`."""
    found = []
    for one in clauses.cites:
        if one.section is not None:
            found.append(f'{one.document} "{one.section}"')
        else:
            found.append(f"{one.document} {one.first}" + (f"..{one.last}" if one.last not in (None, one.first) else ""))
    return tuple(found)


def _stops(values: Mapping[Term, bool | int]) -> list[Stop]:
    """The moments that run, those that are asked for with their owner first."""
    found: dict[str, Stop] = {}
    for variable, value in values.items():
        name = variable.args[0]
        if name[0] == "running" and name[1] != "game" and value and not str(name[1]).startswith("this "):
            of = name[2]
            if of is not None or name[1] not in found:
                found[name[1]] = Stop(name[1], of)
    return list(found.values())


def _owners(used: list[Term]) -> dict[str, list[Term]]:
    found: dict[str, list[Term]] = {}
    for variable in used:
        _, moment, of = variable.args[0]
        if of is not None:
            found.setdefault(moment, []).append(variable)
    return found


def _is_actors(site: Site, moment: str) -> bool:
    """Whether the innermost moment of that name is that of the one who is asked."""
    owner = _owner(site.context, moment)
    return owner is not None and owner == site.actor


def _owner(context: Context, moment: str) -> str | None:
    found = [one for one in context.running if moment in (one.name, f"this {one.word}")]
    return found[0].of if len(found) == 1 else None
