"""Questions about actions: may, must or cannot somebody do this?

What is asked is what the rules allow, demand and forbid. What an action costs, and limits that it would exceed, are no
part of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.state import State
from rules.machine.why import deciding_state
from rules.machine.world import Value
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.legality import Weighed
from solver.terms import Flag, both, either, no, some
from verifier.asking.asked import Asked, Decider, Loser, Outcome, roles_of
from verifier.asking.wording import Atom
from verifier.court import Case, Court
from verifier.duties import torn_between

_SAYS = {"may": "allows it", "must": "demands it", "cannot": "forbids it"}


class AskedAction(Asked):
    def __init__(self, court: Court, ask: m.AskModal) -> None:
        super().__init__(court)
        self.ask = ask
        self.verb = ask.phrase.verb.text
        self.symbol = court.machine.verbs[self.verb]
        self.args = self.encoder.parts(self.verb)
        by = court.machine.by_of(self.verb)
        assert by is not None
        self.by = by
        self._name_parts()
        with self.encoder.apart() as troubles:
            fits = self._fits()
            self.weighed: Weighed = self.encoder.weigh(self.verb, self.args, costs=False)
        self.troubles = troubles
        self.torn = tuple(self._torn())
        condition = both(fits, self.condition(ask.when))
        torn = some(when for *_, when in self.torn)
        terms = (condition, self._allowed, self.weighed.must, self.weighed.clash, torn, *(t.when for t in troubles))
        self.where = both(condition, court.asked(self.verb, self.args, *terms))
        self._gather_atoms()
        action = court.machine.actions[self.verb]
        if any(isinstance(s, m.Simple) and isinstance(s.body, m.Pay) for s in action.body) or court.machine.limits:
            self.left_out += ("whether it can be paid and keeps the limits",)

    @property
    def _allowed(self) -> Flag:
        return self.weighed.legal

    def _torn(self) -> Iterator[tuple[Applying, Applying, Flag]]:
        """Duties and prohibitions that nothing decides between, where the duty cannot be met in another way."""
        try:
            with self.encoder.apart():
                yield from list(torn_between(self.court, self.verb, self.args, self.weighed))
        except NotEncodable:
            self.left_out += ("whether a duty can be met in another way",)

    # ---- the parts

    def _asked_parts(self) -> dict[int, m.Expr]:
        labels = [param.label for param in self.symbol.params]
        found: dict[int, m.Expr] = {self.by: self.ask.actor}
        for arg in self.ask.phrase.args:
            found[labels.index(arg.label)] = arg.value
        return found

    def _name_parts(self) -> None:
        given = self._asked_parts()
        self.parts = {
            place: given.get(place, m.Ref(param.variable, (), param.variable.span))
            for place, param in enumerate(self.symbol.params)
        }
        for place, expr in self.parts.items():
            self.names[self.verb, place] = expr.span.text

    def _fits(self) -> Flag:
        """The question as a pattern: variables that stand alone are the parts, all else is compared with them."""
        given = self._asked_parts()
        plain = {p: e for p, e in given.items() if isinstance(e, m.Ref) and not e.args}
        found: list[Flag] = [self.encoder.unify(expr, self.args[place], self.env) for place, expr in plain.items()]
        for place, expr in given.items():
            if place not in plain:
                self.bind_free(expr)
                found.append(self.encoder.unify(expr, self.args[place], self.env))
        return both(*found)

    def _roles(self, one: Applying) -> dict[str, m.Expr]:
        assert isinstance(one.norm.body, m.ModalNorm)
        assert one.phrase is not None
        labels = [param.label for param in self.symbol.params]
        own: list[tuple[m.Expr, m.Expr]] = [(one.norm.body.actor, self.parts[self.by])]
        own += [(arg.value, self.parts[labels.index(arg.label)]) for arg in one.phrase.args]
        return roles_of(own)

    def _gather_atoms(self) -> None:
        norms = (*self.weighed.allowing, *self.weighed.owed, *self.weighed.forbidding)
        self.add_atoms(norms, [self._roles(one) for one in norms])
        labels = [param.label for param in self.symbol.params]
        with self.encoder.apart():
            for one in norms:
                assert isinstance(one.norm.body, m.ModalNorm)
                assert one.phrase is not None
                for own, place in (
                    (one.norm.body.actor, self.by),
                    *((arg.value, labels.index(arg.label)) for arg in one.phrase.args),
                ):
                    if not (isinstance(own, m.Ref) and own.name.text in one.env):
                        term = self.encoder.unify(own, self.args[place], dict(one.env))
                        name = self.parts[place].span.text
                        if not isinstance(term, bool):
                            self._add(Atom(term, f"{name} is {own.span.text}", f"{name} is not {own.span.text}"))
                self._add_count(one.norm.body, one.phrase)

    def _add_count(self, body: m.ModalNorm, phrase: m.Phrase) -> None:
        term = self.encoder.counts(body, phrase, self.args)
        if body.frequency is None or isinstance(term, bool):
            return
        done = f"`{self.verb}` was done {body.frequency.span.text}"
        names = (f"not yet: {done}", f"already: {done}")
        holds, fails = names if body.modal != "cannot" else names[::-1]
        self._add(Atom(term, holds, fails))

    # ---- the answers

    def outcomes(self) -> Iterator[Outcome]:
        weighed = self.weighed
        trouble = some(t.when for t in self.troubles)
        allowing, against, owed = weighed.allowing, weighed.forbidding, weighed.owed
        open_ = either(trouble, weighed.clash, *(when for *_, when in self.torn))
        if self.ask.modal == "must":
            yield from self._demanded(open_)
            return
        allowed, refused = both(no(open_), self._allowed), both(no(open_), no(self._allowed))
        for_it = tuple(dict.fromkeys((*allowing, *owed)))
        with self.encoder.apart():
            yes = Outcome("yes", "yes", allowed, self._standing(for_it, against), self._beaten(against, for_it))
            some_allow = some(one.when for one in allowing)
            no_ = Outcome(
                "no",
                "no",
                refused,
                self._standing(against, for_it),
                self._beaten(for_it, against),
                (some_allow, "no rule allows it"),
            )
            sides = (*self._standing(for_it, against), *self._standing(against, for_it))
            stands = some(side.decides for side in sides)
            circle = [Decider(one.norm, both(no(stands), one.when), _says(one)) for one in (*for_it, *against)]
        if self.ask.modal == "cannot":
            yes, no_ = replace(no_, sort="yes", answer="yes"), replace(yes, sort="no", answer="no")
        yield yes
        yield no_
        disagreeing = tuple(replace(one, decides=both(weighed.clash, one.decides)) for one in (*sides, *circle))
        yield self._open(open_, disagreeing)

    def _open(self, open_: Flag, disagreeing: tuple[Decider, ...]) -> Outcome:
        torn = tuple(Decider(one.norm, when, _says(one)) for *pair, when in self.torn for one in pair)
        return Outcome("open", "undetermined", open_, (*disagreeing, *torn), (), None, self.unsaid(self.troubles))

    def _demanded(self, open_: Flag) -> Iterator[Outcome]:
        """A duty can be met in several ways: asked is whether this is one of them."""
        weighed = self.weighed
        owed, against = weighed.owed, weighed.forbidding
        demanded = both(no(open_), weighed.must, self._allowed)
        with self.encoder.apart():
            demanding = tuple(Decider(one.norm, one.when, _says(one)) for one in owed)
            yield Outcome("yes", "yes", demanded, demanding, self._beaten(against, owed))
            yield Outcome(
                "no",
                "no",
                both(no(open_), no(demanded)),
                tuple(replace(one, decides=both(weighed.must, one.decides)) for one in self._standing(against, owed)),
                self._beaten(owed, against),
                (weighed.must, "no rule demands it"),
            )
            sides = (*self._standing(owed, against), *self._standing(against, owed))
        disagreeing = tuple(replace(one, decides=both(weighed.clash, one.decides)) for one in sides)
        yield self._open(open_, disagreeing)

    def _standing(self, norms: tuple[Applying, ...], rivals: tuple[Applying, ...]) -> tuple[Decider, ...]:
        return tuple(Decider(one.norm, self.encoder.stands(one, rivals), _says(one)) for one in norms)

    def _beaten(self, norms: tuple[Applying, ...], rivals: tuple[Applying, ...]) -> tuple[Loser, ...]:
        standing = tuple((rival, self.encoder.stands(rival, norms)) for rival in rivals)
        return tuple(Loser(one, _says(one), standing) for one in norms)

    # ---- in the interpreter

    def _move(self, case: Case) -> tuple[Value, ...]:
        return self.court.move_in(case.situation, self.verb)

    def told(self, case: Case) -> str:
        return f"the move: {self.court.machine.show_move(self.verb, self._move(case))}"

    def confirms(self, case: Case, state: State, outcome: Outcome) -> bool:
        machine = self.court.machine
        try:
            found = machine.weigh(self.verb, self._move(case), state)
        except (Undetermined, Gap, Broken):
            return outcome.sort == "open"
        if found.clash is not None or machine.contradiction(found, state) is not None:
            return outcome.sort == "open"
        allowed = found.legal or not found.payable or found.limit is not None
        if self.ask.modal == "must":
            return outcome.sort == ("yes" if allowed and found.owed else "no")
        return outcome.sort == ("yes" if allowed == (self.ask.modal == "may") else "no")

    def is_asked_at(self, state: State, parts: dict[Hashable, Value]) -> bool:
        machine = self.court.machine
        here = deciding_state(state)
        asked = machine.asked(here)
        if asked is None or not machine.is_its_time(self.verb, here):
            return False
        actor, kind, phrases, _ = asked
        if kind != machine.acts(self.verb) or parts.get((self.verb, self.by), actor) != actor:
            return False
        return phrases is None or self.verb in {phrase.verb.text for phrase in phrases}


def _says(one: Applying) -> str:
    assert isinstance(one.norm.body, m.ModalNorm)
    return _SAYS[one.norm.body.modal]
