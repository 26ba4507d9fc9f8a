"""Control followed through the text, part by part, with what is known at each spot; and where play could stop there.

In: the rules as terms, and where actions are asked for. Out: a `Stop` for everything that the interpreter would stop
at, with the condition under which it is come to. Procedures and rows of tables are followed from where they are used;
actions from where they are legal; rules that react, endings, limits and passages for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import SlotSymbol, VariableSymbol
from rules.types import PileT
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder, Weighed
from solver.encode.sites import Context, Sites, Unit
from solver.encode.spots import Spot, knowing
from solver.encode.statements import Statements
from solver.encode.sym import Sym, alike, lift, size_of
from solver.encode.writes import Marks
from solver.terms import Flag, Term, both, equal, some, variables_of

Asked = Callable[..., Flag]  # verb, parts and terms in: that control stands where the action can be offered

_MOST_CELLS = 64  # of larger slots, how they start is not remembered


class Flow(Statements):
    def __init__(self, encoder: Encoder, sites: Sites, asked: Asked) -> None:
        super().__init__(encoder)
        self.sites = sites
        self.asked = asked
        self._follow()

    def _follow(self) -> None:
        machine = self.machine
        self._play()
        for verb in machine.actions:
            if self.sites.of_verb(verb) and machine.by_of(verb) is not None:
                self._action(verb)
        for norm in machine.norms:
            match norm.body:
                case m.EventNorm() | m.IgnoreNorm():
                    self._reaction(norm)
                case m.LimitNorm() | m.OutcomeNorm():
                    self._looked_at(norm)
                case _:
                    pass
        for name in machine.passages:
            self._passage(name)

    def _contexts(self, unit: Unit) -> tuple[Context, ...]:
        return tuple(self.sites.contexts.get(unit, {Context(anywhere=True): None}))

    # ---- the course of the game

    def _play(self) -> None:
        node = next((d for d in self.machine.checked.book.declarations if isinstance(d, m.Play)), None)
        if node is None:
            return
        start = Spot("play", node.span, node.clauses, {}, early=True).inside("game", "game")
        self.block(node.body, knowing(start, self.encoder, *self._at_start()))

    def _at_start(self) -> Iterator[Flag]:
        space = self.encoder.space
        for slot in self.machine.world.slots.values():
            if slot.count <= _MOST_CELLS and not isinstance(slot.symbol.type, PileT) and not _is_shuffled(slot.node):
                for address in range(slot.base, slot.base + slot.count):
                    now = lift(space.start.cells[address], slot.symbol.type, self.machine.world)
                    yield alike(space.cell(address), now)

    # ---- actions

    def _action(self, verb: str) -> None:
        node = self.machine.actions[verb]
        contexts = self._contexts(("action", verb))
        args = self.encoder.parts(verb)
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, args, strict=True)}
        spot = Spot(verb, node.span, node.clauses, env, (), contexts)
        permits, duties, _ = self.machine.by_modal(verb)
        try:
            with self.encoder.apart():
                weighed = self.encoder.weigh(verb, args, offered=not permits and not duties)
        except NotEncodable as reason:
            self.failures.append((verb, reason))
        else:
            self._conditions(verb, args, weighed, spot)
            if weighed.legal is False:
                return
            known = knowing(spot, self.encoder, weighed.legal, self.asked(verb, args, weighed.legal))
            spot = _without_own(known, verb)
        self.block(node.body, spot.after(self._before(verb)).inside(verb, "action", _by(node, env)))

    def _conditions(self, verb: str, args: tuple[Sym, ...], weighed: Weighed, spot: Spot) -> None:
        """What the rules about an action ask for, where it is offered."""
        allowed = some(one.when for one in weighed.allowing)
        for norm in self.machine.modals.get(verb, ()):
            assert isinstance(norm.body, m.ModalNorm)
            with self.encoder.apart() as troubles:
                if norm.body.modal == "cannot":
                    with self.encoder.under(allowed):
                        self.encoder.matching([norm], verb, args)
                else:
                    self.encoder.matching([norm], verb, args)
            at = Spot(norm.name, norm.body.span, norm.clauses, {}, (), spot.contexts)
            for trouble in troubles:
                self.stop(trouble.kind, trouble.about, both(trouble.when, self.asked(verb, args, trouble.when)), at)
        with self.encoder.apart() as troubles, self.encoder.under(weighed.allowed):
            self.encoder.payable(verb, args)
        for trouble in troubles:
            self.stop(trouble.kind, trouble.about, both(trouble.when, self.asked(verb, args, trouble.when)), spot)

    def _before(self, verb: str) -> Marks:
        """What can change between the choice of an action and its first statement."""
        found: Marks = frozenset()
        for key in (("phrase", verb), ("moment", verb)):
            for norm in self.machine.reactions.get(key, ()):
                body = norm.body
                if isinstance(body, m.EventNorm) and not _is_later(body):
                    found |= self.writes.of(body.body)
        return found

    # ---- rules that are looked at by themselves

    def _reaction(self, norm: RuleNorm) -> None:
        body = norm.body
        assert isinstance(body, m.EventNorm | m.IgnoreNorm)
        event = body.event if isinstance(body, m.EventNorm) else body.what
        if isinstance(event, m.Name):
            return
        env = {name: self.binder.variable(name) for name in self._variables(event, norm.clauses.source)}
        contexts = self._contexts(("trigger", norm.order))
        spot = Spot(norm.name, body.span, norm.clauses, env, (), contexts)
        if isinstance(body, m.EventNorm) and body.timing == "when":
            spot = knowing(spot, self.encoder, *self._happened(event, env))
        inside = self.branch(spot, self.holds(body.condition, spot) if body.condition is not None else True)
        if inside is not None and isinstance(body, m.EventNorm):
            self.block(body.body, inside)

    def _variables(self, part: object, source: m.Name | None = None) -> list[str]:
        names = {} if source is None or source.text not in self.machine.variables else {source.text: None}
        for node in nodes_of(part):
            if isinstance(node, m.Ref) and isinstance(self.machine.checked.symbols.get(id(node)), VariableSymbol):
                names[node.name.text] = None
        return list(names)

    def _happened(self, event: m.Event, env: dict[str, Sym]) -> Iterator[Flag]:
        """What an event leaves behind."""
        match event:
            case m.ChangeEvent(subject=subject, change="becomes", amount=value) if value is not None:
                yield alike(self.encoder.value(subject, env), self.encoder.value(value, env))
            case m.RunsOutEvent(pile=pile):
                symbol = self.machine.checked.symbol_of(pile)
                if isinstance(symbol, SlotSymbol) and isinstance(symbol.type, PileT):
                    yield equal(size_of(self.encoder.value(pile, env)), 0)
            case _:
                return

    def _looked_at(self, norm: RuleNorm) -> None:
        body = norm.body
        assert isinstance(body, m.LimitNorm | m.OutcomeNorm)
        part = body.what if isinstance(body, m.LimitNorm) else body.outcome.player
        names = {} if part is None else dict.fromkeys(sorted(self.machine.needs(part)))
        env = {name: self.binder.variable(name) for name in (*names, *self._variables((), norm.clauses.source))}
        spot = Spot(norm.name, body.span, norm.clauses, env, (), (Context(anywhere=True),))
        inside = self.met(body.conditions, spot)
        if inside is None:
            return
        asked: Iterable[m.Expr | None] = (
            (body.what, body.most) if isinstance(body, m.LimitNorm) else (body.outcome.player,)
        )
        for expr in asked:
            if expr is not None:
                self.ask(expr, inside)

    def _passage(self, name: str) -> None:
        node = self.machine.passages[name]
        spot = Spot(name, node.span, node.clauses, {}, (), self._contexts(("passage", name)))
        after = self.block(node.body, spot)
        if after is not None:
            self.options(node.options, after)


def _is_shuffled(slot: m.Slot) -> bool:
    return any(word.text == "shuffled" for word in slot.modifiers)


def _is_later(body: m.EventNorm) -> bool:
    """Whether it is done only when what it waits for is over."""
    if isinstance(body.event, m.MomentEvent):
        return body.event.edge == "ends"
    return body.timing == "when"


def _by(node: m.Action | m.Procedure, env: dict[str, Sym]) -> Sym | None:
    return next((env[param.variable.text] for param in node.signature.params if param.label == "by"), None)


def _without_own(spot: Spot, verb: str) -> Spot:
    """While an action is carried out it runs itself; before, it did not."""

    def asks(term: Term) -> bool:
        return any(v.args[0][0] == "running" and v.args[0][1] in (verb, "this action") for v in variables_of(term))

    return replace(spot, known=tuple(one for one in spot.known if not asks(one.term)))
