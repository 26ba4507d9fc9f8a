"""Whether a move is legal, as a term: what the norms that apply and are undefeated allow, can be paid, keeps limits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.symbols import SlotSymbol
from solver.encode.amounts import Amounts
from solver.encode.base import Trouble
from solver.encode.expressions import Env, NotEncodable
from solver.encode.judging import Applying
from solver.encode.space import Space
from solver.encode.sym import Bag, Group, Row, Sym, alike, equal_payloads, members_of
from solver.terms import Flag, Term, at_most, both, either, every, minus, no, pick, same, some


@dataclass(frozen=True, slots=True)
class Weighed:
    """What the norms say of one move. `allowed`: if it can be paid and keeps the limits. `clash`: nothing decides."""

    allowing: tuple[Applying, ...]
    forbidding: tuple[Applying, ...]
    owed: tuple[Applying, ...]
    legal: Flag
    must: Flag
    clash: Flag
    allowed: Flag


class Encoder(Amounts):
    """Everything that can be asked of a state, as terms over one space."""

    def __init__(self, space: Space) -> None:
        super().__init__(space)
        self._matched: dict[tuple[object, ...], tuple[RuleNorm, list[Applying], list[Trouble]]] = {}

    def parts(self, verb: str) -> tuple[Sym, ...]:
        """The parts of a move as variables: any actor, any target."""
        symbol = self.machine.verbs[verb]
        return tuple(self.symbolic((verb, place), type_) for place, type_ in enumerate(symbol.types))

    def matching(self, norms: Iterable[RuleNorm], verb: str, args: tuple[Sym, ...]) -> list[Applying]:
        """The norms that can apply to a move, each with its condition; made once where it is asked on its own."""
        found: list[Applying] = []
        for norm in norms:
            if self._path or not all(isinstance(arg.payload, Term | int) for arg in args):
                found += self._matching(norm, verb, args)
                continue
            key = (id(norm), verb, args, tuple(self.reads.items()), self.left_out)
            known = self._matched.get(key)
            if known is None:
                before = len(self.troubles)
                applying = self._matching(norm, verb, args)
                self._matched[key] = (norm, applying, self.troubles[before:])
            else:
                _, applying, troubles = known
                self.troubles += troubles
            found += applying
        return found

    def _matching(self, norm: RuleNorm, verb: str, args: tuple[Sym, ...]) -> list[Applying]:
        found: list[Applying] = []
        by = self.machine.by_of(verb)
        assert by is not None
        body = norm.body
        assert isinstance(body, m.ModalNorm)
        for phrase in body.phrases:
            if phrase.verb.text != verb:
                continue
            for env in self.bindings(norm):
                when = self.unify(body.actor, args[by], env)
                if when is not False:
                    with self.under(when):
                        when = both(when, self.match_phrase(phrase, args, env))
                if when is not False:
                    with self.under(when):
                        when = both(when, self.counts(body, phrase, args))
                        when = both(when, self.applies(norm, env))
                if when is not False:
                    found.append(Applying(norm, env, when, phrase))
        return found

    def weigh(self, verb: str, args: tuple[Sym, ...], offered: bool = False, costs: bool = True) -> Weighed:
        """Without `costs`, `legal` is what the norms say, whether or not it can be paid and keeps the limits."""
        norms = self.machine.modals.get(verb, [])

        def ask() -> tuple[tuple[Flag, ...], Weighed]:
            found = self._weigh(verb, args, offered, costs)
            return (found.legal, either(found.legal, found.clash), both(found.must, found.legal)), found

        return self.under_readings(verb, norms, ask, _agree)

    def _weigh(self, verb: str, args: tuple[Sym, ...], offered: bool, costs: bool) -> Weighed:
        permits, duties, prohibitions = (
            [norm for norm in norms if self.stands_in_book(norm)] for norms in self.machine.by_modal(verb)
        )
        allowing = self.matching(permits or duties, verb, args)
        by_offer = offered and not permits and not duties
        allowed_by_some: Flag = True if by_offer else some(one.when for one in allowing)
        with self.under(allowed_by_some):
            owed = self.matching(duties, verb, args)
            against = self.matching(prohibitions, verb, args)
        forbidden = some(one.when for one in against)
        pressing = some(
            both(duty.when, every(either(no(rival.when), self.precedes(duty, rival)) for rival in against))
            for duty in owed
        )
        if permits:
            stands = some(one.when if by_offer else self.stands(one, against) for one in allowing)
            opposed = some(self.stands(one, allowing) for one in against)
            decided, clash = both(stands, no(opposed)), same(stands, opposed)
        else:
            decided, clash = False, False
        allowed = both(allowed_by_some, either(no(forbidden), pressing, decided))
        clash = both(allowed_by_some, forbidden, no(pressing), clash)
        legal = both(allowed, self._affordable(verb, args, allowed)) if costs else allowed
        must = some(one.when for one in owed)
        return Weighed(tuple(allowing), tuple(against), tuple(owed), legal, must, clash, allowed)

    def _affordable(self, verb: str, args: tuple[Sym, ...], allowed: Flag) -> Flag:
        """That a move can be paid, and keeps the limits; neither is looked at where it is not allowed."""
        with self.under(allowed):
            payable = self.payable(verb, args)
            with self.under(payable):
                return both(payable, self.within_limits(verb, args))

    def stands(self, one: Applying, rivals: Iterable[Applying]) -> Flag:
        """When a norm applies and no applicable rival goes before it."""
        beaten = []
        for rival in rivals:
            before = self.precedes(rival, one)
            if before is not False and both(one.when, rival.when) is not False:
                beaten.append(both(rival.when, before))
        return both(one.when, no(some(beaten)))

    # ---- paying

    def payable(self, verb: str, args: tuple[Sym, ...]) -> Flag:
        node = self.machine.actions[verb]
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, args, strict=True)}
        return self.block_payable(node.body, env)

    def block_payable(self, block: m.Block, env: Env) -> Flag:
        """Whether all that a block must pay is there, before anything of it is done."""
        result: Flag = True
        paid: list[tuple[Flag, int, tuple[Sym, ...], Sym]] = []

        def so_far() -> Flag:
            return result

        for condition, node in self._payments(block, env, True, so_far):
            if not self.machine.needs(node.amount) | self.machine.needs(node.source) <= env.keys():
                continue  # it is chosen or rolled only on the way
            due = both(result, condition)
            with self.under(due):
                enough, slot, args, amount = self._enough(node, env, paid)
            result = both(result, either(no(condition), enough))
            paid.append((condition, slot, args, amount))
        return result

    def _payments(
        self, block: m.Block, env: Env, condition: Flag, paid: Callable[[], Flag]
    ) -> Iterator[tuple[Flag, m.Pay]]:
        """What a block pays, each with its condition; none is asked for where what comes before it is not `paid`."""
        for statement in block:
            if isinstance(statement, m.Simple) and isinstance(statement.body, m.Pay):
                yield condition, statement.body
            elif isinstance(statement, m.If) and self.machine.needs(statement.condition) <= env.keys():
                with self.under(both(condition, paid())):
                    holds = self.holds(statement.condition, env)
                yield from self._payments(statement.then, env, both(condition, holds), paid)
                yield from self._payments(statement.otherwise, env, both(condition, no(holds)), paid)

    def _enough(
        self, node: m.Pay, env: Env, paid: list[tuple[Flag, int, tuple[Sym, ...], Sym]]
    ) -> tuple[Flag, int, tuple[Sym, ...], Sym]:
        amount = self.value(node.amount, env)
        symbol = self.checked.symbol_of(node.source)
        assert isinstance(symbol, SlotSymbol)
        args = tuple(self.value(arg, env) for arg in node.source.args)
        held = self.cell(id(symbol), args)
        known = both(amount.there, held.there)
        earlier = [
            (both(when, every(map(alike, theirs, args))), other)
            for when, slot, theirs, other in paid
            if slot == id(symbol)
        ]
        match held.payload:
            case Group() | Bag() | Row():
                return both(known, self._items_there(amount, held, node, earlier)), id(symbol), args, amount
            case number:
                left = number
                for when, other in earlier:
                    left = minus(left, pick(when, other.payload, 0))
                return both(known, at_most(amount.payload, left)), id(symbol), args, amount

    def _items_there(self, amount: Sym, held: Sym, node: m.Pay, earlier: list[tuple[Flag, Sym]]) -> Flag:
        there = members_of(held)
        if isinstance(amount.payload, Group):
            wanted = amount.payload.members
            if earlier:
                raise NotEncodable("it pays several things from one place, one after the other", node.span)
            return every(either(no(test), there.get(key, False)) for key, test in wanted.items())
        if isinstance(amount.payload, Bag | Row) or isinstance(held.payload, Bag):
            raise NotEncodable("it pays from a bag", node.span)
        taken = some(both(when, equal_payloads(other.payload, amount.payload)) for when, other in earlier)
        inside = some(both(test, equal_payloads(amount.payload, key)) for key, test in there.items())
        return both(inside, no(taken))

    # ---- limits

    def within_limits(self, verb: str, args: tuple[Sym, ...]) -> Flag:
        """A limit is tried out by carrying the action out; each way of doing it is a variable of its own."""
        if not self.machine.limits:
            return True
        symbol = self.machine.verbs[verb]
        found: list[Flag] = []
        for keys, test in self._ways(list(zip(args, symbol.types, strict=True)), self.machine.actions[verb].span):
            plain = tuple(self._plain(key, type_) for key, type_ in zip(keys, symbol.types, strict=True))

            def probe(s: State, plain: tuple[object, ...] = plain) -> bool:
                return self.machine.limit_on(verb, plain, s) is None

            words = f"whether `{verb}` keeps the limits"
            found.append(both(test, self.space.flag(("within limits", verb, keys), probe, words)))
        return some(found)


def _agree(one: tuple[Flag, ...], other: tuple[Flag, ...]) -> Flag:
    return every(same(a, b) for a, b in zip(one, other, strict=True))
