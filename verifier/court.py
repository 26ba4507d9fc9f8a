"""What a check works with: one book for one number of players, its rules as terms, the solver, and what play has shown.

A check asks `possible` whether conditions can meet in some state; `Case` then has that state in the words of the game
and as a state of the interpreter, in which it was confirmed that the conditions really hold.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
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
from solver.analysis import Analysis, Closed, Early, Orders, analyse, orders_of, read_early
from solver.encode.expressions import NotEncodable
from solver.encode.flow import Flow
from solver.encode.judging import Applying
from solver.encode.legality import Encoder
from solver.encode.sites import Context, Sites
from solver.encode.situation import Situation, arrived, plain, realise, situation
from solver.encode.space import Space
from solver.encode.sym import Sym
from solver.flow.prove import Comes, Never, Prover
from solver.memory import Memory
from solver.play import Budget, Exploration, Goal, Progress, explore
from solver.play.fair import Misses, misses
from solver.referee import referee_of
from solver.solve import Solver
from solver.stories import Stories, stories_of
from solver.terms import Flag, Term, both, either, equal, evaluate, every, no, same, some, substitute, variables_of
from solver.verdict import Proved, Query, Refuted, Unknown
from verifier.explored import Explorations, Proofs, Shelf
from verifier.finding import Place
from verifier.matters import Matters, matters_of


@dataclass(frozen=True, slots=True)
class Case:
    """A state in which conditions meet. `state` is the same for the interpreter; None where it could not be made so.

    `values` are the variables that matter, `situation` tells them in the words of the game. `rests_on` names what the
    question asks that is not modelled: it is taken to be as it must be for the conditions to meet. `conditions` are
    what was asked.
    """

    values: Mapping[Term, bool | int]
    situation: Situation
    state: State | None
    rests_on: tuple[str, ...]
    conditions: tuple[tuple[Hashable, Flag], ...] = ()


_STILL_OPEN = "still open"
_THOROUGH = 12  # conditions that are put to all that can prove; the others to what is cheap

Possible = Case | Proved | Unknown
GIVEN = ("part", "part none", "bound")  # variables that are no part of a state: of a move, or named on the way


class Court:
    """`budget` is how much play may be explored; None is for the usual.

    `supposing` is for questions about states that no play comes to, because nothing in the book leads there.
    `memory` has the verdicts of earlier checks of the book, `shelf` what play has shown in them. `bench` has the courts
    of one book by the number of players; in one that is `brief` only a part of the budget is spent.
    """

    def __init__(
        self,
        checked: CheckedRulebook,
        seats: int | None = None,
        policies: tuple[str, ...] = (),
        budget: Budget | None = None,
        supposing: bool = False,
        memory: Memory | None = None,
        shelf: Shelf | None = None,
        bench: dict[int, Court] | None = None,
        brief: bool = False,
    ) -> None:
        self.checked = checked
        self.budget = budget
        self.brief = brief
        self._chosen = policies
        self.machine: Machine = machine_of(checked, seats, policies, referee_of)
        self._supposing = supposing
        self.space = Space(self.machine, supposing)
        self.encoder = Encoder(self.space)
        self.solver = Solver(memory=memory)
        self.memory = memory
        self._shelf = shelf
        self.explorations = None if shelf is None else Explorations(shelf)
        self.proofs = None if memory is None else Proofs(memory, self.machine, policies)
        self.not_encoded: dict[tuple[str, Span], str] = {}
        self.suspected: set[tuple[str, Hashable]] = set()  # code and subject: not to be told again after play
        self._asked: dict[tuple[str, Sym, tuple[Term, ...]], Flag] = {}
        self._exploration: Exploration | None = None
        self._whole: Exploration | None = None
        self._bench = bench if bench is not None else {}
        self._bench[self.seats] = self
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

    @cached_property
    def analysis(self) -> Analysis:
        """Which values cells can hold, and what can be carried out: what it excludes is excluded in every play."""
        return analyse(self.encoder, self.solver, Closed(frozenset(self.stories.passages), self.stories.marks))

    @cached_property
    def read_early(self) -> list[Early]:
        """What is read while it is none, by the order of the steps alone."""
        return read_early(self.machine)

    @cached_property
    def orders(self) -> Orders:
        """What is set in vain, and what is read before it is first set, by the order of the steps alone."""
        return orders_of(self.machine)

    @cached_property
    def stories(self) -> Stories:
        """What no reading of the stories comes to."""
        return stories_of(self.machine)

    @cached_property
    def others(self) -> tuple[Court, ...]:
        """The same book for the other numbers of players that it allows: what no play reaches, none of theirs may."""
        for count in allowed(self.checked):
            if count not in self._bench:
                Court(
                    self.checked,
                    count,
                    self._chosen,
                    self.budget,
                    memory=self.memory,
                    shelf=self._shelf,
                    bench=self._bench,
                )
        return tuple(self._bench[count] for count in sorted(self._bench) if count != self.seats)

    @property
    def exploration(self) -> Exploration:
        """What play has shown; there only once all checks have said what they suspect."""
        assert self._exploration is not None
        return self._exploration

    def explore(
        self,
        goals: Mapping[str, Goal],
        budget: Budget,
        progress: Callable[[Progress], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Exploration:
        """What play shows of all that checks look for, once for all of them."""
        if self._exploration is None:
            self._exploration = self._explored(goals, budget, progress, stop)
        return self._exploration

    def explore_in_full(self) -> Exploration:
        """What play shows, with the whole budget, where it need not be known what checks look for: for the other
        numbers of players."""
        known = self._exploration
        if known is not None and (known.complete or not self.brief):
            return known
        if self._whole is None:
            self._whole = self._explored({}, self.budget or Budget())
        return self._whole

    def _explored(
        self,
        goals: Mapping[str, Goal],
        budget: Budget,
        progress: Callable[[Progress], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Exploration:
        if not self.machine.play:
            return Exploration(self.machine, False, ("the book has no `play`",), 0, 0, 0, 0, {}, {}, {})
        if self.explorations is None:
            return explore(self.machine, goals, budget, progress, stop)
        return self.explorations.explore(self.machine, self._chosen, goals, budget, progress, stop)

    def watch(self, conditions: Mapping[str, Flag]) -> None:
        """What `never` can be asked about: conditions that play has not shown, by name."""
        self._watched = dict(conditions)

    @cached_property
    def _prover(self) -> Prover:
        return Prover(self.encoder, tuple(self._watched.values()), memory=self.memory)

    def never(self, name: str) -> Never | Comes | Unknown:
        """Whether a condition that is watched never holds in play, or a play by which it comes to hold."""
        if name not in self._watched:
            return Unknown("it was looked at briefly" if self.brief else "it has no form as a term")
        place = list(self._watched).index(name)

        def ask() -> Never | Comes | Unknown:
            return self._prover.never(place, thorough=place < _THOROUGH)

        found = ask() if self.proofs is None else self.proofs.never(tuple(self._watched.values()), place, ask)
        # What cells can hold excludes it on every way, also where rules could not be followed.
        if isinstance(found, Unknown) and isinstance(self.possible((name, self._watched[name])), Proved):
            return Never("the values that can ever be held")
        return found

    def misses(self, goal: Goal, states: int) -> Misses | bool:
        """Whether some fair play misses a goal; see `solver.play.fair`."""

        def ask() -> Misses | bool:
            return misses(self.machine, goal, states)

        seen = self.explorations.same_as if self.explorations is not None and self.exploration.complete else ""
        return ask() if self.proofs is None else self.proofs.misses(goal, states, seen, ask)

    def cannot_encode(self, rule: str, reason: NotEncodable) -> None:
        """A rule that a check could not look at: named in the report."""
        self.not_encoded.setdefault((rule, reason.span), reason.reason)

    # ---- asking the solver

    def possible(self, *conditions: tuple[Hashable, Flag], near: State | None = None, in_play: bool = True) -> Possible:
        """Whether these can hold together in a state that keeps the promises of the book; if not, which exclude it.

        Cells hold only what they can come to hold in some play, unless `in_play` is no: then all that types allow.
        The state is as `near` as can be to one of play; to the start, if none is named.
        """
        terms = [term for _, term in conditions]
        facts = [*self.space.facts_of(self.solver.reads(*terms)), *(self._held(terms) if in_play else ())]
        given = (*conditions, *(((reason, place), fact) for place, (reason, fact) in enumerate(facts)))
        verdict = self.solver.ask(Query(False, tuple(given)), self.preferred(terms, near))
        if not isinstance(verdict, Refuted):
            return verdict
        return self._case(verdict.values, conditions)

    def _held(self, terms: list[Flag]) -> list[tuple[str, Flag]]:
        """What cells can come to hold, where play leads there; nothing is known of states that are only supposed."""
        return [] if self._supposing or not self.machine.play else list(self.analysis.sets.facts(terms))

    def preferred(self, terms: Iterable[Flag], near: State | None = None) -> dict[Term, bool | int]:
        """As at the start, where that can be: a witness should look like a game, not like noise."""
        read = sorted(self.solver.reads(*terms), key=lambda variable: (not _is_part(variable), variable.serial))
        known = [variable for variable in read if variable in self.space.probes]
        if near is None:
            return {variable: self.space.at_start(variable) for variable in known}
        return {variable: self.space.probes[variable](near) for variable in known}

    def can_meet(self, *terms: Flag) -> bool:
        """Whether it is known that these can hold together, as `possible` sees it; yes or no only."""
        facts = [*self.space.facts_of(self.solver.reads(*terms)), *self._held(list(terms))]
        return self.solver.possible(*terms, *(fact for _, fact in facts)) is True

    def meeting(self, ones: Sequence[Applying], others: Sequence[Applying]) -> Iterator[tuple[Applying, Applying]]:
        """The pairs of norms that can apply together, as far as their bounds tell."""
        conditions = [one.when for one in others]
        for one, other in self.solver.meeting([one.when for one in ones], conditions):
            yield ones[one], others[other]

    def _case(self, values: Mapping[Term, bool | int], conditions: tuple[tuple[Hashable, Flag], ...]) -> Case:
        terms = [term for _, term in conditions]
        opaque = tuple(sorted({self.space.opaque[v] for v in values if v in self.space.opaque}))
        state = realise(self.space, values, self.stops_of(values))
        if state is not None and not self._holds_in(state, values, terms):
            state = None
        return Case(values, situation(self.space, values), state, opaque, conditions)

    def _holds_in(self, state: State, values: Mapping[Term, bool | int], terms: list[Flag]) -> bool:
        """Whether the interpreter sees in a state what the solver saw; parts of moves are as the solver chose them."""
        seen = self.space.values_in(state, terms)
        for variable, value in values.items():
            if _is_part(variable):
                seen[variable] = value
        return all(evaluate(term, seen) for term in terms)

    def stops_of(self, values: Mapping[Term, bool | int]) -> list[Stop]:
        """The moments that run, outermost first, those that are asked for with their owner."""
        found: dict[str, Stop] = {}
        for variable, value in values.items():
            name = variable.args[0]
            if name[0] == "running" and name[1] != "game" and value and not str(name[1]).startswith("this "):
                of = name[2]
                if of is not None or name[1] not in found:
                    found[name[1]] = Stop(name[1], of)
        for variable, value in values.items():  # what was done in a moment says that it runs
            name = variable.args[0]
            if name[0] == "done" and value and name[2] != "game" and not str(name[2]).startswith("this "):
                found.setdefault(name[2], Stop(name[2]))
        for context in self.sites.known:
            order = [one.name for one in context.running]
            if found.keys() <= set(order):
                return sorted(found.values(), key=lambda stop: order.index(stop.moment))
        return list(found.values())

    def seen_in(self, state: State, term: Flag) -> Case:
        """A state of play in which a condition holds, with what of it makes the condition hold."""
        values = self.space.values_in(state, [term])
        verdict = self.solver.ask(Query(False, (("where", term),)), values)
        kept = verdict.values if isinstance(verdict, Refuted) else values
        known = {variable: values[variable] for variable in kept}
        return Case(known, situation(self.space, known), state, ())

    def decision_in(self, case: Case) -> tuple[State, Node] | None:
        """A decision at which things are as in a case; where the case does not say when, any decision will do."""
        return arrived(self.space, case.values, self.stops_of(case.values))

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

    def shown_part(self, name: Hashable, value: bool | int) -> str:
        """What a part of a question is, in the words of the game."""
        type_ = self.space.part_types[name]
        return self.machine.world.show(plain(int(value), type_, self.space), type_)

    # ---- where an action is asked for

    def asked(self, verb: str, args: tuple[Sym, ...], *terms: Flag) -> Flag:
        """That control stands where this action can be offered to its actor, as far as the terms ask about control."""
        if not self.machine.play:
            return True  # the book does not say when anybody acts
        used = self._running(terms)
        by = self.machine.by_of(verb)
        assert by is not None
        key = (verb, args[by], tuple(used))
        if key not in self._asked:
            places = {
                self._in_context(site.context, used, args[by] if site.actor is not None else None, site.actor): None
                for site in self.sites.of_verb(verb)
            }
            self._asked[key] = both(self._about_moments(used), some(places))
        return self._asked[key]

    def happening(self, norms: Iterable[RuleNorm], *terms: Flag) -> Flag:
        """That control stands where an event can happen to which these norms react, as far as the terms ask."""
        if not self.machine.play:
            return True
        used = self._running(terms)
        contexts = {c: None for norm in norms for c in self.sites.contexts.get(("trigger", norm.order), {})}
        return both(self._about_moments(used), some({self._in_context(c, used, None, None): None for c in contexts}))

    def _running(self, terms: Iterable[Flag]) -> list[Term]:
        """What terms ask about running moments."""
        return [v for v in self.solver.reads(*terms) if v.args[0][0] == "running" and v.args[0][1] != "game"]

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
        """What each policy makes of a move in a state; those that leave it open are told as one."""

        def outcomes(state: State, found: Situation) -> tuple[tuple[str, str], ...]:
            args = self.move_in(found, verb)
            told = [(name, _verdict(machine, verb, args, state)) for name, machine in self.policies.items()]
            silent = [name for name, verdict in told if verdict == _STILL_OPEN]
            if len(silent) <= 1:
                return tuple(told)
            others = f"{len(silent)} {'policies' if len(silent) == len(told) else 'other policies'}"
            return (*(one for one in told if one[0] not in silent), (others, _STILL_OPEN))

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
        return _STILL_OPEN
    if legal.clash is not None:
        return _STILL_OPEN
    names = ", ".join(dict.fromkeys(f"`{one.norm.name}`" for one in legal.winners))
    return f"{'legal' if legal.legal else 'not legal'}{f', by {names}' if names else ''}"


def allowed(checked: CheckedRulebook) -> range:
    """The numbers of players that a book is for; of one that nobody plays, none."""
    if checked.players is None:
        return range(0)
    players = checked.kinds[checked.players]
    return range(players.least, players.most + 1)


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
