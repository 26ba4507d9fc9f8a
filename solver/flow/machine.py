"""The interpreter on cells that are not known: its own control, with the few places changed where it would ask more
than it needs to know.

What can be chosen is not found out move by move, each on a way of its own: every move that can be legal is offered, and
`offers` has the condition under which it is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.base import Broken, Chance, Choice, Legal, Move, Node
from rules.machine.evaluate import Env
from rules.machine.norms import RuleNorm
from rules.machine.run import Machine
from rules.machine.state import MISSING, Frame, State
from rules.machine.world import NOTHING, Nothing, Value
from rules.symbols import VariableSymbol
from rules.types import Type
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder, Weighed
from solver.encode.sym import lift
from solver.flow.forks import Forks
from solver.flow.reading import ForkingEvaluator, Reader
from solver.flow.unknown import is_unknown
from solver.terms import Flag, both, either, no, some

MOST_STEPS = 3_000  # without a decision
MOST_MOVES = 2_000  # that are looked at where somebody is asked for an action

Offers = dict[Any, Flag]  # by the data of a move
Action = tuple[str, tuple[Value, ...]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the norms say of one move; `owed` are the duties that speak of it, each with its condition."""

    legal: Flag
    must: Flag
    owed: tuple[tuple[RuleNorm, Flag], ...]


class ForkingMachine(Machine):
    """Made of a machine; shares with it all that is known before the game. `unwound` is told where moments end."""

    reader: Reader
    forks: Forks
    offers: Offers
    steps: int
    unwound: Callable[[State], None]

    @classmethod
    def of(cls, machine: Machine, reader: Reader) -> ForkingMachine:
        made = object.__new__(cls)
        made.__dict__.update(machine.__dict__)
        made.reader, made.forks = reader, reader.forks
        reader.limit_on = made.kept_limits
        made.evaluator = ForkingEvaluator(made, reader)
        made.precedence = copy.copy(machine.precedence)
        made.precedence.machine = made
        made.observer = None
        made.offers = {}
        made.steps = 0
        made.unwound = lambda _: None
        made._weighed = {}
        made._all_quiet = {}
        made._untils = frozenset(
            machine.key_of(node.until)
            for node in nodes_of(machine.checked.book.declarations)
            if isinstance(node, m.Disable) and node.until is not None
        )
        return made

    _weighed: dict[tuple[object, ...], tuple[Weighed, Flag]]
    _all_quiet: dict[int, bool]
    _untils: frozenset[tuple[Any, ...]]

    # ---- going on

    def run(self, state: State) -> Node:
        self.steps = 0
        self.offers = {}
        return super().run(state)

    def _step(self, state: State) -> Node | None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise NotEncodable(f"it goes on for more than {MOST_STEPS:,} steps without a decision", self.span(state))
        return super()._step(state)

    def span(self, state: State) -> Any:
        for frame in reversed(state.stack):
            if frame.block:
                return frame.block[max(0, min(frame.pc, len(frame.block)) - 1)].span
        return self.checked.book.declarations[0].span

    def _secret(self, _frame: Frame, state: State) -> Node | None:
        raise NotEncodable("choices are made in secret", self.span(state))

    def _end(self, moment: str, then: m.Block, env: Env, state: State) -> None:
        super()._end(moment, then, env, state)
        self.unwound(state)

    # ---- what can be chosen

    def options(self, frame: Frame, state: State) -> tuple[list[Legal], bool]:
        actor, kind = self._actor(frame.data["actor"], frame.env, state)
        return self._offered_moves(state, actor, kind, frame.data["phrases"], frame.env)

    def _reactions(self, frame: Frame, state: State) -> tuple[list[Legal], bool]:
        return self._offered_moves(state, self._reacting_now(frame), frame.data["kind"], None, frame.env)

    def _offered_moves(
        self, state: State, actor: Value, kind: Type, phrases: tuple[m.Phrase, ...] | None, env: Env
    ) -> tuple[list[Legal], bool]:
        """Every move that can be legal; where it is open what is, as the interpreter finds it out."""
        encoder = self.reader.encoder(state)
        weighed = None if encoder is None else self._weigh_all(encoder, state, actor, kind, phrases, env)
        if weighed is None:
            self.offers = {}
            found = self.legal(state, actor, kind, phrases, env)
            duties = [legal for legal in found if legal.must]
            return duties or found, bool(duties)
        pressing = some(both(one.legal, one.must) for one in weighed.values())
        if not self.forks.decide(some(one.legal for one in weighed.values())):
            return [], False
        self.offers = {
            move: both(one.legal, either(one.must, no(pressing)))
            for move, one in weighed.items()
            if one.legal is not False
        }
        self.offers[None] = no(pressing)
        moves = [Legal(verb, args, True, ()) for verb, args in self.offers_of_actions()]
        return moves, pressing is True

    def offers_of_actions(self) -> Iterator[Action]:
        for move, flag in self.offers.items():
            if move is not None and flag is not False:
                yield move

    def _weigh_all(
        self, encoder: Encoder, state: State, actor: Value, kind: Type, phrases: tuple[m.Phrase, ...] | None, env: Env
    ) -> dict[Action, Judged] | None:
        """What the norms say of each move; None where it may be that they disagree, or that a duty cannot be met."""
        offered = self._offered(state, kind, phrases)
        found: dict[Action, Judged] = {}
        stops: list[Flag] = []
        for verb, phrase in offered:
            symbol = self.verbs[verb]
            fixed = self._fixed(symbol, actor, phrase, env, state)
            if not all(self.world.has(symbol.types[i], value) for i, value in fixed.items()):
                continue
            fixed = {i: value.plain() if is_unknown(value) else value for i, value in fixed.items()}
            self._bound_moves(verb, fixed, state)
            for args in self._all_args(symbol, fixed):
                if (verb, args) in found:
                    continue
                try:
                    found[verb, args], stop = self._weigh_one(encoder, verb, args, phrase is not None, state)
                except NotEncodable:
                    return None
                stops.append(stop)
        stops += [self._unmet(duty, found) for duty in self._duties(offered, state)]
        return None if self.forks.decide(some(stops)) else found

    def _bound_moves(self, verb: str, fixed: dict[int, Value], state: State) -> None:
        count = 1
        for place, type_ in enumerate(self.verbs[verb].types):
            try:
                count *= 1 if place in fixed else len(self.world.domain(type_))
            except InternalError:
                raise NotEncodable(f"the ways to {verb} cannot be listed", self.span(state)) from None
        if count > MOST_MOVES:
            raise NotEncodable(f"there are {count:,} ways to {verb}", self.span(state))

    def _weigh_one(
        self, encoder: Encoder, verb: str, args: tuple[Value, ...], offered: bool, state: State
    ) -> tuple[Judged, Flag]:
        """The last is when the interpreter would stop at it."""
        key = (encoder, verb, args, offered)
        if key not in self._weighed:
            types = self.verbs[verb].types
            with encoder.apart() as troubles:
                given = tuple(lift(arg, type_, self.world) for arg, type_ in zip(args, types, strict=True))
                made = encoder.weigh(verb, given, offered)
            self._weighed[key] = (made, some((made.clash, *(trouble.when for trouble in troubles))))
        made, stops = self._weighed[key]
        now = self.reader.now
        owed = tuple((one.norm, now(one.when, state)) for one in made.owed)
        return Judged(now(made.legal, state), now(made.must, state), owed), now(stops, state)

    def _duties(self, offered: list[tuple[str, m.Phrase | None]], state: State) -> list[RuleNorm]:
        """Those that must be met if they can be."""
        found = {norm.order: norm for verb, _ in offered for norm in self.by_modal(verb)[1]}
        return [norm for norm in found.values() if not self.is_resting(norm, state)]

    def _unmet(self, duty: RuleNorm, weighed: dict[Action, Judged]) -> Flag:
        owed: list[Flag] = []
        met: list[Flag] = []
        for one in weighed.values():
            for norm, when in one.owed:
                if norm is duty:
                    owed.append(when)
                    met.append(both(one.legal, when))
        return both(some(owed), no(some(met)))

    def _chooses(self, node: m.Chooses, frame: Frame, state: State) -> Node | None:
        if state.answer is not MISSING:
            return super()._chooses(node, frame, state)
        actor, kind = self._actor(node.actor, frame.env, state)
        name = node.variable.text
        symbol = self.variables[name]
        assert isinstance(symbol, VariableSymbol)
        offers: Offers = {}
        texts: dict[Any, str] = {}
        for value in self.world.domain(symbol.type):
            flag = self._whole(node.where, state, {**frame.env, name: value})
            if flag is not False:
                offers[value,] = flag
                texts[value,] = self.world.show(value, symbol.type)
        if node.or_none:
            offers[None,] = True
            texts[None,] = "none"
        if not self.forks.decide(some(offers.values())):
            frame.env[name] = NOTHING
            return None
        moves = tuple(Move(texts[data], data) for data in offers)
        if actor == "chance":
            self.offers = offers
            return Chance(tuple((move, 1) for move in moves), f"choose {name}")
        decider = self._decider(actor, kind, state)
        if isinstance(decider, Nothing):
            frame.env[name] = NOTHING
            return None
        self.offers = offers
        return Choice(decider, moves, f"choose {name}")

    def _open_options(self, options: tuple[m.Option, ...], env: Env, state: State) -> tuple[Move, ...]:
        offers: Offers = {}
        for place, option in enumerate(options):

            def is_open(option: m.Option = option) -> bool:
                return any(True for _ in super(ForkingMachine, self)._open_options((option,), env, state.copy()))

            flag = some(condition for condition, opened in self.forks.whole(is_open) if opened)
            if flag is not False:
                offers[place] = flag
        if not self.forks.decide(some(offers.values())):
            return ()
        self.offers = offers
        return tuple(Move(options[place].text, place) for place in offers)

    def _whole(self, condition: m.Expr | None, state: State, env: Env) -> Flag:
        """When a condition holds, without deciding whether it does."""
        if condition is None:
            return True
        found = self.reader.read(condition, env, state)
        if found is not None and found[1] is False:
            return found[0].truth
        ways = self.forks.whole(lambda: self.evaluator.holds(condition, state.copy(), env))
        return some(flag for flag, holds in ways if holds)

    def kept_limits(self, verb: str, args: tuple[Value, ...], state: State) -> bool:
        """Whether an action keeps the limits: it is tried out, and nothing is left of that."""
        offers, observer, unwound = self.offers, self.observer, self.unwound
        self.observer, self.unwound = None, lambda _: None
        try:
            return self.limit_on(verb, args, state) is None
        finally:
            self.offers, self.observer, self.unwound = offers, observer, unwound

    # ---- asking less

    def block_payable(self, block: m.Block, env: Env, state: State) -> bool:
        encoder = self.reader.encoder(state)
        if encoder is not None:
            found = self.reader.flag(
                encoder, ("pays", block), env, state, lambda given: encoder.block_payable(block, given)
            )
            if found is not None and not self.forks.decide(found[1]):
                return self.forks.decide(found[0])
        return super().block_payable(block, env, state)

    def check_endings(self, state: State, norms: list[RuleNorm]) -> None:
        """Mostly nobody wins or loses: that is one question."""
        self.unwound(state)
        if not norms:
            return
        encoder = self.reader.encoder(state)
        if not self.has_versions and encoder is not None:
            about = ("ends", *(norm.order for norm in norms))
            found = self.reader.flag(encoder, about, {}, state, lambda _: self._some_ending(encoder, norms))
            if found is not None and found[1] is False and not self.forks.decide(found[0]):
                return
        super().check_endings(state, norms)

    def _some_ending(self, encoder: Encoder, norms: list[RuleNorm]) -> Flag:
        """When any of these applies."""
        flags: list[Flag] = []
        for norm in norms:
            assert isinstance(norm.body, m.OutcomeNorm)
            player = norm.body.outcome.player
            for base in self.bindings(norm):
                for env in [base] if player is None else self.any_binding(player, base):
                    flags.append(encoder.applies(norm, self.reader.lifted(env, tuple(env))))
        return some(flags)

    def _fitting_row(self, rows: tuple[m.Row, ...], keys: tuple[Value, ...], name: m.Name, state: State) -> m.Row:
        if not state.rows and any(is_unknown(key) for key in keys):
            fitting = self.fitting_rows(rows, keys)
            if len(fitting) == 1:
                return fitting[0][1]
        keys = tuple(key.plain() if is_unknown(key) else key for key in keys)
        return super()._fitting_row(rows, keys, name, state)

    def _change(self, target: m.Ref, word: str, amount: Value, env: Env, state: State) -> None:
        """Where nothing looks at the change itself, what was there before is not asked for."""
        if word != "becomes" or not self._is_quiet(target):
            super()._change(target, word, amount, env, state)
            return
        address = self.address(target, env, state)
        if address is None or amount is NOTHING:
            return
        slot = self._slot_at[address]
        if not self.world.has(slot.type, amount):
            raise Broken(self._beyond(slot, amount), target.span)
        state.cells[address] = amount
        state.shown.pop(("", address), None)
        if self.observer is not None:
            self.observer.happened((), state)
        if self.immediate_endings:
            self.check_endings(state, self.immediate_endings)

    def _is_quiet(self, target: m.Ref) -> bool:
        symbol = self.checked.symbol_of(target)
        found = self._all_quiet.get(id(symbol))
        if found is None:
            key = ("change", id(symbol))
            limited = any(reads is None or id(symbol) in reads for _, reads in self._limit_reads)
            found = not (self.reactions.get(key) or key in self.tracked or key in self._untils or limited)
            self._all_quiet[id(symbol)] = found
        return found
