"""What a check works with: one book for one number of players, its rules as terms, the solver, and what play has shown.

A check asks `possible` whether conditions can meet in some state; `Case` then has that state in the words of the game
and as a state of the interpreter, in which it was confirmed that the conditions really hold.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import Machine, Node, machine_of
from rules.machine.norms import Applied, Gap, Ground, RuleNorm, Undetermined
from rules.machine.state import State
from rules.machine.way import Stop
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import ValueSymbol
from solver.encode.expressions import NotEncodable
from solver.encode.flow import Flow
from solver.encode.legality import Encoder
from solver.encode.sites import Context, Sites
from solver.encode.situation import Situation, arrived, realise, situation
from solver.encode.space import Space
from solver.encode.sym import Sym
from solver.flow.prove import Comes, Never, Prover
from solver.play import Exploration
from solver.referee import referee_of
from solver.solve import Solver
from solver.terms import Flag, Term, both, either, equal, evaluate, every, no, same, some, substitute, variables_of
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


_THOROUGH = 12  # conditions that are put to all that can prove; the others to what is cheap

Possible = Case | Proved | Unknown
GIVEN = ("part", "part none", "bound")  # variables that are no part of a state: of a move, or named on the way


class Court:
    def __init__(self, checked: CheckedRulebook, seats: int | None = None, policies: tuple[str, ...] = ()) -> None:
        self.checked = checked
        self.machine: Machine = machine_of(checked, seats, policies, referee_of)
        self.space = Space(self.machine)
        self.encoder = Encoder(self.space)
        self.solver = Solver()
        self.not_encoded: dict[tuple[str, Span], str] = {}
        self.suspected: set[tuple[str, Hashable]] = set()  # code and subject: not to be told again after play
        self._exploration: Exploration | None = None
        self._watched: dict[str, Flag] = {}

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

    @cached_property
    def flow(self) -> Flow:
        """Where play could stop for want of a rule, as far as the text tells."""
        flow = Flow(self.encoder, self.sites, self.asked)
        for rule, reason in flow.failures:
            self.cannot_encode(rule, reason)
        return flow

    @property
    def exploration(self) -> Exploration:
        """What play has shown; there only once all checks have said what they suspect."""
        assert self._exploration is not None
        return self._exploration

    def explored(self, exploration: Exploration) -> None:
        self._exploration = exploration

    def watch(self, conditions: Mapping[str, Flag]) -> None:
        """What `never` can be asked about: conditions that play has not shown, by name."""
        self._watched = dict(conditions)

    @cached_property
    def _prover(self) -> Prover:
        return Prover(self.encoder, tuple(self._watched.values()))

    def never(self, name: str) -> Never | Comes | Unknown:
        """Whether a condition that is watched never holds in play, or a play by which it comes to hold."""
        if name not in self._watched:
            return Unknown("it has no form as a term")
        place = list(self._watched).index(name)
        return self._prover.never(place, thorough=place < _THOROUGH)

    def cannot_encode(self, rule: str, reason: NotEncodable) -> None:
        """A rule that a check could not look at: named in the report."""
        self.not_encoded.setdefault((rule, reason.span), reason.reason)

    # ---- asking the solver

    def possible(self, *conditions: tuple[Hashable, Flag]) -> Possible:
        """Whether these can hold together in a state that keeps the promises of the book; if not, which exclude it."""
        terms = [term for _, term in conditions]
        facts = self.space.facts(terms)
        given = (*conditions, *(((reason, place), fact) for place, (reason, fact) in enumerate(facts)))
        verdict = self.solver.ask(Query(False, tuple(given)), self._preferred(terms))
        if not isinstance(verdict, Refuted):
            return verdict
        return self._case(verdict.values, terms)

    def _preferred(self, terms: list[Flag]) -> dict[Term, bool | int]:
        """As at the start, where that can be: a witness should look like a game, not like noise."""
        start = self.space.start
        return {variable: self.space.probes[variable](start) for variable in variables_of(*terms)}

    def _case(self, values: Mapping[Term, bool | int], terms: list[Flag]) -> Case:
        opaque = tuple(sorted({self.space.opaque[v] for v in values if v in self.space.opaque}))
        state = realise(self.space, values, self._stops(values))
        if state is not None and not self._holds_in(state, values, terms):
            state = None
        return Case(values, situation(self.space, values), state, opaque)

    def _holds_in(self, state: State, values: Mapping[Term, bool | int], terms: list[Flag]) -> bool:
        """Whether the interpreter sees in a state what the solver saw; parts of moves are as the solver chose them."""
        seen = self.space.values_in(state, terms)
        for variable, value in values.items():
            if _is_part(variable):
                seen[variable] = value
        return all(evaluate(term, seen) for term in terms)

    def _stops(self, values: Mapping[Term, bool | int]) -> list[Stop]:
        """The moments that run, outermost first, those that are asked for with their owner."""
        found: dict[str, Stop] = {}
        for variable, value in values.items():
            name = variable.args[0]
            if name[0] == "running" and name[1] != "game" and value and not str(name[1]).startswith("this "):
                of = name[2]
                if of is not None or name[1] not in found:
                    found[name[1]] = Stop(name[1], of)
        for context in self.sites.known:
            order = [one.name for one in context.running]
            if found.keys() <= set(order):
                return sorted(found.values(), key=lambda stop: order.index(stop.moment))
        return list(found.values())

    def decision_in(self, case: Case) -> tuple[State, Node] | None:
        """A decision at which things are as in a case; where the case does not say when, any decision will do."""
        return arrived(self.space, case.values, self._stops(case.values))

    def holding_in(self, state: State, condition: Flag) -> Situation | None:
        """How a condition comes to hold in a state: the parts for which it does, and the facts that make it so."""
        parts = [v for v in variables_of(condition) if _is_part(v)]
        seen = {v: value for v, value in self.space.values_in(state, [condition]).items() if v not in parts}
        left = substitute(condition, seen)
        found = self.solver.ask(Query(False, (("it holds", left),)))
        if not isinstance(found, Refuted):
            return None
        chosen = {part: found.values.get(part, False if part.is_flag else part.low) for part in parts}
        claim = substitute(condition, chosen)
        given = tuple(
            (v, v if value is True else no(v) if value is False else equal(v, value)) for v, value in seen.items()
        )
        because = self.solver.ask(Query(claim, given))
        kept = {v: seen[v] for v in because.because if isinstance(v, Term)} if isinstance(because, Proved) else seen
        return situation(self.space, {**kept, **chosen})

    def move_in(self, situation: Situation, verb: str) -> tuple[Value, ...]:
        """The move that a situation speaks of; parts that do not matter are the first that they can be."""
        types = self.machine.verbs[verb].types
        return tuple(
            situation.parts.get((verb, place), self.machine.world.domain(type_)[0]) for place, type_ in enumerate(types)
        )

    # ---- where an action is asked for

    def asked(self, verb: str, args: tuple[Sym, ...], *terms: Flag) -> Flag:
        """That control stands where this action can be offered to its actor, as far as the terms ask about control."""
        if not self.machine.play:
            return True  # the book does not say when anybody acts
        used = _running(terms)
        by = self.machine.by_of(verb)
        assert by is not None
        places = {
            self._in_context(site.context, used, args[by] if site.actor is not None else None, site.actor): None
            for site in self.sites.of_verb(verb)
        }
        return both(self._about_moments(used), some(places))

    def happening(self, norms: Iterable[RuleNorm], *terms: Flag) -> Flag:
        """That control stands where an event can happen to which these norms react, as far as the terms ask."""
        if not self.machine.play:
            return True
        used = _running(terms)
        contexts = {c: None for norm in norms for c in self.sites.contexts.get(("trigger", norm.order), {})}
        return both(self._about_moments(used), some({self._in_context(c, used, None, None): None for c in contexts}))

    def _about_moments(self, used: list[Term]) -> Flag:
        """A moment of somebody runs only where one of that name runs, and only one of a name is looked at."""
        owners = _owners(used)
        return both(
            every(either(no(v), self.encoder.running(v.args[0][1])) for v in used if v.args[0][2] is not None),
            every(
                no(both(a, b))
                for moment in owners.values()
                for place, a in enumerate(moment)
                for b in moment[place + 1 :]
            ),
        )

    def _in_context(self, context: Context, used: list[Term], actor: Sym | None, name: str | None) -> Flag:
        found: list[Flag] = []
        names = context.names
        for variable in used:
            _, moment, of = variable.args[0]
            if moment in names:
                if of is None:
                    found.append(variable)
                elif actor is not None and name is not None and _owner(context, moment) == name:
                    found.append(same(variable, equal(actor.payload, of)))
            elif not context.anywhere:
                found.append(no(variable))
        return every(found)

    # ---- policies

    @cached_property
    def policies(self) -> dict[str, Machine]:
        """The book with each of its policies chosen alone."""
        return {
            d.name.text: machine_of(self.checked, self.seats, (d.name.text,))
            for d in self.checked.book.declarations
            if isinstance(d, m.Policy) and d.sort == "policy"
        }

    def move_under_policies(self, verb: str) -> Callable[[State, Situation], tuple[tuple[str, str], ...]]:
        """What each policy makes of a move in a state."""

        def outcomes(state: State, found: Situation) -> tuple[tuple[str, str], ...]:
            args = self.move_in(found, verb)
            return tuple((name, _verdict(machine, verb, args, state)) for name, machine in self.policies.items())

        return outcomes

    # ---- telling

    @cached_property
    def values(self) -> tuple[ValueSymbol, ...]:
        """The values of the book, in its order."""
        found = (self.checked.symbols.get(id(node.name)) for node in self.machine.values.values())
        return tuple(symbol for symbol in found if isinstance(symbol, ValueSymbol))

    def telling_move(self, verb: str) -> Callable[[Situation], str]:
        return lambda found: f"the move: {self.machine.show_move(verb, self.move_in(found, verb))}"

    def ground(self, one: RuleNorm, other: RuleNorm, state: State) -> Ground | None:
        """Why the one goes before the other in a state, where that hangs on no variable of theirs."""
        names = dict.fromkeys(self.machine.variables)
        return self.machine.precedence.precedes(Applied(one, dict(names)), Applied(other, dict(names)), state)

    def place(self, norm: RuleNorm, part: str = "") -> Place:
        return Place(norm.name, norm.body.span, cited(norm.clauses), part)


def _verdict(machine: Machine, verb: str, args: tuple[Value, ...], state: State) -> str:
    try:
        legal = machine.weigh(verb, args, state)
    except (Gap, Undetermined):
        return "still open"
    if legal.clash is not None:
        return "still open"
    names = ", ".join(dict.fromkeys(f"`{one.norm.name}`" for one in legal.winners))
    return f"{'legal' if legal.legal else 'not legal'}{f', by {names}' if names else ''}"


def _is_part(variable: Term) -> bool:
    return variable.args[0][0] in GIVEN


def cited(clauses: m.Clauses) -> tuple[str, ...]:
    """Places in the documents, as people write them: `book 31`, `card 4..6`."""
    found = []
    for one in clauses.cites:
        if one.section is not None:
            found.append(f'{one.document} "{one.section}"')
        else:
            found.append(f"{one.document} {one.first}" + (f"..{one.last}" if one.last not in (None, one.first) else ""))
    return tuple(found)


def _running(terms: Iterable[Flag]) -> list[Term]:
    """What terms ask about running moments."""
    return [v for v in variables_of(*terms) if v.args[0][0] == "running" and v.args[0][1] != "game"]


def _owners(used: list[Term]) -> dict[str, list[Term]]:
    found: dict[str, list[Term]] = {}
    for variable in used:
        _, moment, of = variable.args[0]
        if of is not None:
            found.setdefault(moment, []).append(variable)
    return found


def _owner(context: Context, moment: str) -> str | None:
    found = [one for one in context.running if moment in (one.name, f"this {one.word}")]
    return found[0].of if len(found) == 1 else None
