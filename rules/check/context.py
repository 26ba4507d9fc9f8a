"""What the checker knows while it works: the names, what each use of a name stands for, and the complaints so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

from rules import model as m
from rules.diagnostics import Diagnostic, Label
from rules.span import Span
from rules.symbols import (
    ConstantSymbol,
    DieSymbol,
    KindSymbol,
    NamedSymbol,
    RankSymbol,
    RelationSymbol,
    SlotSymbol,
    Symbol,
    TableSymbol,
    Term,
    TypeSymbol,
    ValueSymbol,
    VerbSymbol,
)
from rules.types import KindT, Type

# These may share a name as long as they differ in what they are asked of.
_OVERLOADED = (SlotSymbol, ValueSymbol, TableSymbol, RelationSymbol, RankSymbol)


@dataclass(slots=True)
class Context:
    types: dict[str, TypeSymbol] = field(default_factory=dict)
    kinds: dict[str, KindSymbol] = field(default_factory=dict)
    dice: dict[str, DieSymbol] = field(default_factory=dict)
    terms: dict[str, list[Term]] = field(default_factory=dict)
    verbs: dict[str, VerbSymbol] = field(default_factory=dict)
    moments: dict[str, NamedSymbol] = field(default_factory=dict)
    statements: dict[str, NamedSymbol] = field(default_factory=dict)
    documents: dict[str, NamedSymbol] = field(default_factory=dict)
    passages: dict[str, NamedSymbol] = field(default_factory=dict)
    policies: dict[str, NamedSymbol] = field(default_factory=dict)
    pools: dict[str, NamedSymbol] = field(default_factory=dict)
    stories: dict[str, NamedSymbol] = field(default_factory=dict)
    tags: dict[str, NamedSymbol] = field(default_factory=dict)
    rules: dict[str, m.Rule] = field(default_factory=dict)
    outlines: dict[str, m.Outline] = field(default_factory=dict)
    maps: dict[str, str] = field(default_factory=dict)  # the kind that each map joins
    players: str | None = None

    controlled: set[KindT] = field(default_factory=set)  # kinds that act, already looked at
    offered: set[str] = field(default_factory=set)  # actions that some rule allows or demands
    symbol_of: dict[int, Symbol] = field(default_factory=dict)
    type_of: dict[int, Type] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _unknown: dict[tuple[str, str], int] = field(default_factory=dict)

    # ---- complaints

    def report(
        self, code: str, message: str, span: Span, help: str | None = None, labels: Iterable[Label] = ()
    ) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, tuple(labels), help))

    def unknown(self, name: m.Name, what: str, candidates: Iterable[str], help: str | None = None) -> None:
        """Reports a name that is not declared; further uses of the same name only add to the first report."""
        key = (name.text, what)
        if key in self._unknown:
            place = self._unknown[key]
            first = self.diagnostics[place]
            if len(first.labels) < 3:
                label = Label(name.span, "and here")
                self.diagnostics[place] = Diagnostic(
                    first.code, first.message, first.span, (*first.labels, label), first.help
                )
            return
        self._unknown[key] = len(self.diagnostics)
        hint = did_you_mean(name.text, candidates) or help
        self.report("LX101", f"no {what} is called `{name.text}`", name.span, hint)

    def duplicate(self, name: m.Name, what: str, first: Span) -> None:
        labels = [Label(first, "first declared here")]
        self.report("LX102", f"{what} `{name.text}` is declared twice", name.span, labels=labels)

    def duplicate_block(self, words: str, span: Span, first: Span) -> None:
        self.report("LX109", f"{words} stands twice", span, labels=[Label(first, "the first one")])

    # ---- declaring

    def declare_term(self, name: m.Name, what: str, symbol: Term) -> None:
        others = self.terms.setdefault(name.text, [])
        for other in others:
            if not _may_share(symbol, other):
                self.duplicate(name, what, _span(other) or name.span)
                return
        others.append(symbol)

    def declare_named(self, table: dict[str, NamedSymbol], name: m.Name, what: str) -> None:
        first = table.get(name.text)
        if first is not None:
            self.duplicate(name, what, first.span or name.span)
            return
        table[name.text] = NamedSymbol(name.text, what, name.span)

    # ---- looking up

    def use(self, node: object, symbol: Symbol) -> None:
        """Notes that a node of the text stands for a symbol."""
        self.symbol_of[id(node)] = symbol
        self.used.add(id(symbol))

    def find_named(
        self, table: dict[str, NamedSymbol], name: m.Name, what: str, help: str | None = None
    ) -> NamedSymbol | None:
        symbol = table.get(name.text)
        if symbol is None:
            self.unknown(name, what, table, help)
        else:
            self.use(name, symbol)
        return symbol

    def find_moment(self, name: m.Name) -> NamedSymbol | VerbSymbol | None:
        symbol = self.moments.get(name.text) or self.verbs.get(name.text)
        if symbol is None:
            self.unknown(name, "phase, step, window, action or procedure", [*self.moments, *self.verbs])
        else:
            self.use(name, symbol)
        return symbol


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    close = get_close_matches(word, [c for c in candidates if c != word], n=1, cutoff=0.7)
    return f"did you mean `{close[0]}`?" if close else None


def _may_share(new: Term, old: Term) -> bool:
    if isinstance(new, _OVERLOADED) and isinstance(old, _OVERLOADED):
        return new.params != old.params
    if isinstance(new, ConstantSymbol) and isinstance(old, ConstantSymbol):
        return new.type != old.type
    return False


def _span(symbol: Term) -> Span | None:
    return getattr(symbol, "span", None)
