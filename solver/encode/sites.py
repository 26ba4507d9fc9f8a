"""Where in the book somebody is asked for an action: which moments run there, and whose they are.

Control is followed by its text alone, from `play` through procedures, actions, tables, passages and triggers; what it
is not followed through (a trigger on an event whose places are not known) may stand anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from rules import model as m
from rules.machine import Machine
from rules.symbols import VariableSymbol
from rules.types import Type, without_none

_MOST = 400  # contexts of one part of the book; beyond, it counts as standing anywhere


@dataclass(frozen=True, slots=True)
class Running:
    """A moment that runs; `of` is the variable that says whose it is, where one does."""

    name: str
    word: str
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """The running moments, outermost first. `anywhere`: there may be more around them that are not known."""

    running: tuple[Running, ...] = ()
    anywhere: bool = False

    def inside(self, moment: Running) -> Context:
        """Of moments of one name only the innermost is kept: actions inside actions would go on for ever."""
        return replace(self, running=(*(one for one in self.running if one.name != moment.name), moment))

    def called(self) -> Context:
        """As seen from a part of its own: variables of the caller mean nothing there."""
        return replace(self, running=tuple(replace(one, of=None) for one in self.running))

    @property
    def names(self) -> frozenset[str]:
        return _names(self.running)


@dataclass(frozen=True, slots=True)
class Site:
    """Somebody of a kind is asked for an action; `actor` is the variable that says who, where one does.

    `window` is the name of the window that asks for it, if one does.
    """

    context: Context
    kind: Type
    actor: str | None
    phrases: tuple[m.Phrase, ...] | None
    window: str | None = None


@cache
def _names(running: tuple[Running, ...]) -> frozenset[str]:
    return frozenset(one.name for one in running) | frozenset(f"this {one.word}" for one in running)


Unit = tuple[str, object]  # a part of the book that is carried out: its sort and what it is known by


class Sites:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.sites: dict[Site, None] = {}
        self.contexts: dict[Unit, dict[Context, None]] = {}
        self.changes: dict[int, dict[Context, None]] = {}  # by identity of the slot's symbol
        self._waiting: list[tuple[Unit, Context]] = []
        self._follow()

    @property
    def known(self) -> Iterator[Context]:
        """All contexts, those in which somebody acts first."""
        yield from (site.context for site in self.sites)
        yield from (context for found in self.contexts.values() for context in found)

    def of_verb(self, verb: str) -> list[Site]:
        """The sites at which an action can be offered."""
        return [site for site in self.sites if self._offers(site, verb)]

    def _offers(self, site: Site, verb: str) -> bool:
        if site.kind != self.machine.acts(verb):
            return False
        if site.phrases is not None and verb not in {phrase.verb.text for phrase in site.phrases}:
            return False
        during = self.machine.actions[verb].during
        if site.window is not None:
            return not during or any(one.text == site.window for one in during)
        return site.context.anywhere or not during or any(one.text in site.context.names for one in during)

    # ---- following control

    def _follow(self) -> None:
        self._enter(("play", None), Context((Running("game", "game"),)))
        self._place_triggers_anywhere()
        while self._waiting:
            unit, context = self._waiting.pop()
            self._carry_out(unit, context)

    def _enter(self, unit: Unit, context: Context) -> None:
        known = self.contexts.setdefault(unit, {})
        if context in known:
            return
        if len(known) >= _MOST:
            context = Context((), anywhere=True)
            if context in known:
                return
        known[context] = None
        self._waiting.append((unit, context))

    def _place_triggers_anywhere(self) -> None:
        for key, norms in self.machine.reactions.items():
            if key[0] in ("runs out", "transfer"):
                for norm in norms:
                    self._enter(("trigger", norm.order), Context((), anywhere=True))

    def _carry_out(self, unit: Unit, context: Context) -> None:
        machine = self.machine
        sort, what = unit
        match sort:
            case "play":
                self._block(machine.play, context)
            case "procedure" | "action":
                assert isinstance(what, str)
                node = machine.actions.get(what) or machine.procedures[what]
                by = next((p.variable.text for p in node.signature.params if p.label == "by"), None)
                inside = context.inside(Running(what, sort, by))
                self._happens(("phrase", what), context)
                self._moment_edges(what, inside)
                self._block(node.body, inside)
            case "passage":
                assert isinstance(what, str)
                passage = machine.passages[what]
                self._block(passage.body, context)
                for option in passage.options:
                    self._block(option.body, context)
            case "table":
                assert isinstance(what, str)
                for row in machine.tables[what].rows:
                    self._block(row.body, context)
            case _:
                norm = next(n for n in machine.norms if n.order == what)
                if isinstance(norm.body, m.EventNorm):
                    self._block(norm.body.body, context)

    def _happens(self, key: tuple[object, ...], context: Context) -> None:
        """What reacts to an event is carried out where it happens."""
        for norm in self.machine.reactions.get(key, ()):
            self._enter(("trigger", norm.order), context.called())

    def _moment_edges(self, name: str, context: Context) -> None:
        self._happens(("moment", name), context)

    def _block(self, block: m.Block, context: Context) -> None:
        for statement in block:
            self._statement(statement, context)

    def _statement(self, node: m.Statement, context: Context) -> None:
        match node:
            case m.Simple(body=body):
                self._simple(body, context)
            case m.Phase(name=name, word=word, body=body):
                inside = context.inside(Running(name.text, word))
                self._moment_edges(name.text, inside)
                self._block(body, inside)
            case m.Turns(variable=variable, body=body):
                inside = context.inside(Running("turn", "turn", variable.text))
                self._moment_edges("turn", inside)
                self._block(body, inside)
            case m.Each(body=body) | m.Repeat(body=body):
                self._block(body, context)
            case m.If(then=then, otherwise=otherwise):
                self._block(then, context)
                self._block(otherwise, context)
            case m.RollRows(rows=rows):
                for row in rows:
                    self._block(row.body, context)
            case m.Decides(options=options):
                for option in options:
                    self._block(option.body, context)
            case m.After(moment=moment, body=body):
                self._block(body, _outside(context, moment.text))
                self._block(body, context)

    def _simple(self, node: m.SimpleBody, context: Context) -> None:
        match node:
            case m.Takes(actor=actor):
                self._site(actor, None, context)
            case m.Offer(actor=actor, phrases=phrases):
                self._site(actor, phrases, context)
            case m.Window(name=name, variable=variable):
                self._window(name, variable, context)
            case m.Do(phrase=phrase):
                verb = phrase.verb.text
                self._enter(("action" if verb in self.machine.actions else "procedure", verb), context.called())
            case m.Roll(table=table) if table is not None:
                self._enter(("table", table.text), context)
            case m.Consult(table=table):
                self._enter(("table", table.text), context)
            case m.Read(passage=passage) | m.Go(passage=passage):
                self._enter(("passage", passage.text), context.called())
            case m.End(then=then):
                self._block(then, Context((), anywhere=True))
            case _:
                for target in _changed(node):
                    self._happens(("change", id(self.machine.checked.symbol_of(target))), context)

    def _window(self, name: m.Name, variable: m.Name | None, context: Context) -> None:
        inside = context.inside(Running(name.text, "window"))
        self._moment_edges(name.text, inside)
        players = self.machine.checked.players
        if variable is not None:
            symbol = self.machine.variables[variable.text]
            assert isinstance(symbol, VariableSymbol)
            self._offer(Site(inside, symbol.type, None, None, name.text))
        elif players is not None:
            self._offer(Site(inside, self.machine.checked.kinds[players].type, None, None, name.text))

    def _site(self, actor: m.Ref, phrases: tuple[m.Phrase, ...] | None, context: Context) -> None:
        symbol = self.machine.checked.symbol_of(actor)
        if not isinstance(symbol, VariableSymbol) and id(actor) not in self.machine.checked.symbols:
            return
        try:
            kind = without_none(self.machine.checked.type_of(actor))
        except KeyError:  # `chance` acts
            return
        name = symbol.name if isinstance(symbol, VariableSymbol) else None
        self._offer(Site(context, kind, name, phrases))

    def _offer(self, site: Site) -> None:
        if site in self.sites:
            return
        self.sites[site] = None
        for verb in self.machine.actions:
            if self._offers(site, verb):
                self._enter(("action", verb), site.context.called())


def _outside(context: Context, moment: str) -> Context:
    """As it is when a moment has ended."""
    for place in range(len(context.running) - 1, -1, -1):
        one = context.running[place]
        if moment in (one.name, f"this {one.word}"):
            return replace(context, running=context.running[:place])
    return context


def _changed(node: m.SimpleBody) -> Iterator[m.Ref]:
    """What a statement changes by number or value; piles are looked at elsewhere."""
    found: Iterable[m.Ref | None]
    match node:
        case m.Becomes(target=target) | m.Shift(target=target):
            found = (target,)
        case m.Pay(source=source, target=paid):
            found = (source, paid)
        case m.Move(origin=origin, target=target):
            found = (origin, target)
        case _:
            found = ()
    yield from (ref for ref in found if ref is not None)
