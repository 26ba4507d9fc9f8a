"""Questions about events: what happens before, after or instead of this, and by which rules?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from rules import model as m
from rules.machine.base import Broken, Happening
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import SlotSymbol, VerbSymbol
from rules.types import KindT, NumberT, PileT, Type, without_none
from solver.encode.events import AnyEvent, Events, same_instead
from solver.encode.expressions import NotEncodable, Trouble
from solver.encode.judging import Applying
from solver.encode.situation import plain
from solver.encode.sym import Sym
from solver.terms import Flag, Term, both, either, evaluate, every, no, same, some, variables_of
from verifier.asking.asked import Asked, Decider, Loser, Outcome, roles_of
from verifier.asking.patience import another
from verifier.court import Case, Court

MOST = 8  # ways to react that are told apart
Timing = Literal["instead of", "when about to", "when"]
_TIMES: dict[Timing, str] = {"instead of": "instead", "when about to": "before it", "when": "after it"}


@dataclass(frozen=True, slots=True)
class _Reaction:
    timing: Timing
    applying: Applying
    reacts: Flag

    @property
    def part(self) -> str:
        if isinstance(self.applying.norm.body, m.IgnoreNorm):
            return "drops it"
        return f"happens {_TIMES[self.timing]}"


class AskedEvent(Asked):
    """One sort of event; a question about a change asks of growing and of shrinking."""

    def __init__(self, court: Court, ask: m.AskEvent, event: AnyEvent) -> None:
        super().__init__(court)
        self.ask = ask
        self.event = event
        self.events = Events(court.encoder)
        self.shapes = court.machine.shapes
        self._bind_patterns()
        with self.encoder.apart():
            fits = self.events.fits(ask.event, event, self.env)
        self.where = both(event.facts, fits, self.condition(ask.condition))
        with self.encoder.apart() as troubles:
            self.reactions = self._reactions()
        self.troubles: list[Trouble] = troubles
        self.clash = self._clash()
        self.open = either(self.clash, some(trouble.when for trouble in troubles))
        norms = [reaction.applying for reaction in self.reactions]
        self.add_atoms(norms, [self._roles(one) for one in norms])

    def _bind_patterns(self) -> None:
        """Variables inside a part stand for anything; those that are a part are bound by the event."""
        for pattern in _parts(self.ask.event):
            if not (isinstance(pattern, m.Ref) and not pattern.args):
                self.bind_free(pattern)

    def _roles(self, one: Applying) -> dict[str, m.Expr]:
        body = one.norm.body
        assert isinstance(body, m.EventNorm | m.IgnoreNorm)
        own = body.event if isinstance(body, m.EventNorm) else body.what
        assert not isinstance(own, m.Name)
        if isinstance(own, m.PhraseEvent) and isinstance(self.ask.event, m.PhraseEvent):
            asked = {arg.label: arg.value for arg in self.ask.event.phrase.args}
            return roles_of((arg.value, asked[arg.label]) for arg in own.phrase.args if arg.label in asked)
        return roles_of(zip(_parts(own), _parts(self.ask.event), strict=False))

    # ---- what reacts

    def _reactions(self) -> list[_Reaction]:
        norms = self.court.machine.reactions.get(self.event.key, [])
        by_timing: dict[Timing, list[RuleNorm]] = {"instead of": [], "when about to": [], "when": []}
        for norm in norms:
            timing: Timing = norm.body.timing if isinstance(norm.body, m.EventNorm) else "instead of"
            by_timing[timing].append(norm)
        taking = self._reacting("instead of", by_timing["instead of"])
        taken = some(reaction.reacts for reaction in taking)
        found = list(taking)
        with self.encoder.under(no(taken)):
            for timing in ("when about to", "when"):
                found += [
                    _Reaction(timing, one.applying, both(no(taken), one.reacts))
                    for one in self._reacting(timing, by_timing[timing])
                ]
        return found

    def _reacting(self, timing: Timing, norms: list[RuleNorm]) -> list[_Reaction]:
        found = self.events.all_reacting(norms, self.event)
        return [_Reaction(timing, one, one.when) for one in found]

    def _taking(self) -> list[tuple[Applying, Flag]]:
        """What takes the place of the event, each with when it stands."""
        taking = [one.applying for one in self.reactions if one.timing == "instead of"]
        found = []
        for one in taking:
            beaten = [
                both(rival.when, no(same_instead(one, rival, self.shapes)), self.encoder.precedes(rival, one))
                for rival in taking
                if rival is not one
            ]
            found.append((one, both(one.when, no(some(beaten)))))
        return found

    def _clash(self) -> Flag:
        with self.encoder.apart():
            standing = self._taking()
        some_apply = some(one.when for one, _ in standing)
        differ = some(
            both(a, b, no(same_instead(one, other, self.shapes)))
            for place, (one, a) in enumerate(standing)
            for other, b in standing[place + 1 :]
        )
        return either(differ, both(some_apply, no(some(stands for _, stands in standing))))

    # ---- the answers

    def outcomes(self) -> Iterator[Outcome]:
        with self.encoder.apart():
            standing = self._taking()
            decided = {id(one): stands for one, stands in standing}
        deciders = [
            Decider(one.applying.norm, decided.get(id(one.applying), one.reacts), one.part) for one in self.reactions
        ]
        losers = tuple(
            Loser(one, "gives way", tuple((rival, stands) for rival, stands in standing if rival is not one))
            for one, _ in standing
        )
        seen: list[Flag] = [self.open]
        for _ in range(MOST):
            values = self._another(seen)
            if values is None:
                break
            reacting = [bool(evaluate(decider.decides, values)) for decider in deciders]
            term = every(same(decider.decides, wanted) for decider, wanted in zip(deciders, reacting, strict=True))
            seen.append(term)
            chosen = tuple(decider for decider, wanted in zip(deciders, reacting, strict=True) if wanted)
            sort: Literal["yes", "no"] = "yes" if chosen else "no"
            yield Outcome(sort, _told(chosen), both(term, no(self.open)), chosen, losers)
        else:
            rest = both(*(no(term) for term in seen))
            yield Outcome("yes", "something else", rest)
        sides = tuple(replace(decider, decides=both(self.clash, decider.decides)) for decider in deciders)
        yield Outcome("open", "undetermined", self.open, sides, (), None, self.unsaid(self.troubles))

    def _another(self, seen: list[Flag]) -> dict[Term, bool | int] | None:
        court = self.court
        found = another(court, self.where, *(no(term) for term in seen))
        if found is None:
            return None
        terms = [one.reacts for one in self.reactions] + [self.open]
        with self.encoder.apart():
            terms += [stands for _, stands in self._taking()]
        values: dict[Term, bool | int] = {v: (v.low if v.op == "number" else False) for v in variables_of(*terms)}
        return values | court.preferred(terms) | dict(found)

    # ---- in the interpreter

    def _happening(self, case: Case) -> Happening:
        event = self.event
        values = {v: (v.low if v.op == "number" else False) for v in self._variables()} | dict(case.values)

        def value(sym: Sym, type_: Type) -> Value:
            if evaluate(sym.none, values):
                return None
            return plain(int(evaluate(sym.payload, values)), type_, self.court.space)

        types = self._types()
        args = tuple(value(sym, type_) for sym, type_ in zip(event.args, types, strict=True))
        if event.key[0] == "change":
            slot = self._slot()
            old, new = value(event.old, slot.type), value(event.new, slot.type)
            amount = value(event.amount, slot.type) if isinstance(without_none(slot.type), NumberT) else None
            return Happening(event.key, args, old, new, amount, event.word)
        if event.key[0] == "transfer":
            return Happening(event.key, args, new=value(event.new, KindT(self._pile())), word=event.word)
        return Happening(event.key, args, word=event.word)

    def _variables(self) -> tuple[Term, ...]:
        event = self.event
        syms = (*event.args, event.old, event.new, event.amount)
        return variables_of(*(part for sym in syms for part in (sym.payload, sym.none)))

    def _slot(self) -> SlotSymbol:
        return self.court.machine.world.slots[self.event.key[1]].symbol

    def _pile(self) -> str:
        pile = without_none(self._slot().type)
        assert isinstance(pile, PileT)
        return pile.kind

    def _types(self) -> tuple[Type, ...]:
        match self.event.key[0]:
            case "phrase":
                verb: VerbSymbol = self.court.machine.verbs[self.event.key[1]]
                return verb.types
            case "moment":
                return (KindT(self.court.checked.players or ""),)
            case _:
                return self._slot().params

    def told(self, case: Case) -> str:
        happening = self._happening(case)
        if self.event.key[0] == "phrase":
            return f"what happens: {self.court.machine.show_move(self.event.key[1], happening.args)}"
        shown = [
            self.court.machine.world.show(arg, type_)
            for arg, type_ in zip(happening.args, self._types(), strict=True)
            if arg is not None
        ]
        of = "" if not shown else f" of {shown[0]}" if len(shown) == 1 else f" of ({', '.join(shown)})"
        if self.event.key[0] == "moment":
            whose = of if _parts(self.ask.event) or self.event.key[1] == "turn" else ""  # others are the whole table's
            return f"what happens: {self.event.key[1]}{whose} {self.event.word}"
        name = f"{self._slot().name}{of}"
        if self.event.key[0] == "runs out":
            return f"what happens: {name} runs out"
        if self.event.key[0] == "transfer":
            thing = self.court.machine.world.show(happening.new, KindT(self._pile()))
            return f"what happens: {thing} {self.event.word} {name}"
        new = self.court.machine.world.show(happening.new, self._slot().type)
        by = f"by {happening.amount}" if happening.amount is not None else new
        return f"what happens: {name} {self.event.word} {by}"

    def confirms(self, case: Case, state: State, outcome: Outcome) -> bool:
        machine = self.court.machine
        happening = self._happening(case)
        try:
            taking = machine.taking_over((happening,), state)
            timings = () if taking else ("when about to", "when")
            reacting = [one for timing in timings for one in machine.reacting(timing, happening, state)]
        except (Undetermined, Gap, Broken):
            return outcome.sort == "open"
        if outcome.sort == "open":
            return False
        names = {applied.norm.key for applied in (*taking, *reacting)}
        return outcome.answer == "something else" or names == {decider.norm.key for decider in outcome.deciders}


def asked_events(court: Court, ask: m.AskEvent) -> list[AskedEvent]:
    """A question for each sort of event that it can mean."""
    key = court.machine.key_of(ask.event)
    found = [AskedEvent(court, ask, event) for event in Events(court.encoder).of_key(key)]
    if not found:
        raise NotEncodable("what happens has no form as a term", ask.span)
    asked = [one for one in found if one.where is not False]
    if len(asked) > 1:
        for one in asked:
            one.label = one.event.words
    return asked


def _parts(event: m.Event) -> list[m.Expr]:
    match event:
        case m.PhraseEvent(phrase=phrase):
            return [arg.value for arg in phrase.args]
        case m.ChangeEvent(subject=subject, amount=amount):
            return [*subject.args, *(() if amount is None else (amount,))]
        case m.MomentEvent(moment=moment):
            return [*moment.args]
        case m.RunsOutEvent(pile=pile):
            return [*pile.args]
        case m.TransferEvent(what=what, where=where):
            return [what, *where.args]


def _told(deciders: tuple[Decider, ...]) -> str:
    """What happens, by the rules that say so."""
    if not deciders:
        return "nothing else"
    by_part: dict[str, list[str]] = {}
    for decider in deciders:
        names = by_part.setdefault(decider.part, [])
        if decider.norm.name not in names:
            names.append(decider.norm.name)
    words = {"drops it": "it does not happen", "happens instead": "instead"}
    return "; ".join(
        f"{words.get(part, part.removeprefix('happens '))}: {', '.join(names)}" for part, names in by_part.items()
    )
