"""What the checker knows while it works: the names, what each use of a name stands for, and the complaints so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
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
_OWN_NAMES = ("value", "table", "action", "procedure")
_FURTHER_PLACES = 3
_CLOSE = 0.7
_MAX_HINTS = 50  # so many unknown names are no slips of the pen


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
    policies: dict[str, NamedSymbol] = field(default_factory=dict)  # and rulings: they share their names
    pools: dict[str, NamedSymbol] = field(default_factory=dict)
    stories: dict[str, NamedSymbol] = field(default_factory=dict)
    tags: dict[str, NamedSymbol] = field(default_factory=dict)
    rules: dict[str, m.Rule] = field(default_factory=dict)
    outlines: dict[str, m.Outline] = field(default_factory=dict)
    maps: dict[str, str] = field(default_factory=dict)  # the kind that each map joins
    has_game: bool = False
    has_defaults: bool = False  # policies that are marked `by default`
    players: str | None = None
    products: list[tuple[SlotSymbol, str, int]] = field(default_factory=list)
    declared: dict[Symbol, object] = field(default_factory=dict)  # the node that declares each symbol

    controlled: set[KindT] = field(default_factory=set)  # kinds that act, already looked at
    offered: set[str] = field(default_factory=set)  # actions that some rule allows or demands
    symbol_of: dict[int, Symbol] = field(default_factory=dict)
    type_of: dict[int, Type] = field(default_factory=dict)
    used: set[int] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _unknown: dict[tuple[str, str], int] = field(default_factory=dict)  # where its report stands in `diagnostics`
    _outline_lines: dict[str, list[int]] = field(default_factory=dict)
    _outline_titles: dict[str, set[str]] = field(default_factory=dict)

    # ---- complaints

    def report(
        self, code: str, message: str, span: Span, help: str | None = None, labels: Iterable[Label] = ()
    ) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, tuple(labels), help))

    def unknown(self, name: m.Name, what: str, candidates: Iterable[str], help: str | None = None) -> None:
        """Reports a name that is not declared, once: further uses of the same name are further places of the report.

        INVARIANT: the places of a report stand in reading order, whatever the order of checking.
        """
        place = self._unknown.setdefault((name.text, what), len(self.diagnostics))
        if place == len(self.diagnostics):
            hint = (did_you_mean(name.text, candidates) if len(self._unknown) <= _MAX_HINTS else None) or help
            self.report("LX101", f"no {what} is called `{name.text}`", name.span, hint)
            return
        report = self.diagnostics[place]
        spans = {report.span, name.span, *(label.span for label in report.labels)}
        first, *others = sorted(spans, key=lambda span: (span.source.path, span.start))
        labels = tuple(Label(span, "and here") for span in others[:_FURTHER_PLACES])
        self.diagnostics[place] = replace(report, span=first, labels=labels)

    def duplicate(self, name: m.Name, what: str, first: Span | None, same: bool = True) -> None:
        """`first` is None for what the language itself declares; `same` is no where that is of another sort."""
        if first is None:
            self.report("LX102", f"`{name.text}` is a {what} of every game: take another name", name.span)
            return
        one = f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
        words = f"{what} `{name.text}` is declared twice" if same else f"`{name.text}` cannot also name {one}"
        self.report("LX102", words, name.span, labels=[Label(first, "first declared here")])

    def duplicate_block(self, words: str, span: Span, first: Span) -> None:
        self.report("LX109", f"{words} stands twice", span, labels=[Label(first, "the first one")])

    # ---- declaring

    def declare_term(self, name: m.Name, what: str, symbol: Term, node: object) -> None:
        """`node` is what declares the symbol."""
        self.note(name, symbol, node)
        others = self.terms.setdefault(name.text, [])
        for other in others:
            if not _may_share(symbol, other):
                self.duplicate(name, what, _span(other), same=type(symbol) is type(other))
                return
        others.append(symbol)

    def declare_named(self, table: dict[str, NamedSymbol], name: m.Name, what: str, node: object) -> None:
        first = table.get(name.text)
        if first is not None:
            self.duplicate(name, what, first.span, same=first.what == what)
            return
        table[name.text] = NamedSymbol(name.text, what, name.span)
        self.note(name, table[name.text], node)

    def declare_statement(self, name: m.Name, what: str, node: object) -> None:
        """What clauses and answers can name. Sorts whose names are compared elsewhere may share one with each other."""
        first = self.statements.setdefault(name.text, NamedSymbol(name.text, what, name.span))
        self.declared.setdefault(first, node)
        self.symbol_of.setdefault(id(name), first)
        if first.span != name.span and not (what in _OWN_NAMES and first.what in _OWN_NAMES):
            self.duplicate(name, what, first.span, same=first.what == what)

    # ---- looking up

    def note(self, name: object, symbol: Symbol, node: object | None = None) -> None:
        """Notes what a name stands for where it is not used but declared, or used only to say more about it."""
        self.symbol_of[id(name)] = symbol
        if node is not None:
            self.declared.setdefault(symbol, node)

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

    def outline_lines(self, document: str) -> list[int]:
        """The lines that the outline of a document names, sorted."""
        if document not in self._outline_lines:
            sections = self.outlines[document].sections
            self._outline_lines[document] = sorted({line.line for section in sections for line in section.lines})
        return self._outline_lines[document]

    def outline_titles(self, document: str) -> set[str]:
        if document not in self._outline_titles:
            self._outline_titles[document] = {section.title for section in self.outlines[document].sections}
        return self._outline_titles[document]


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    # Words of very different lengths share too few letters to be close; leaving them out first is what makes it quick.
    near = [c for c in candidates if c != word and 2 * min(len(c), len(word)) >= _CLOSE * (len(c) + len(word))]
    close = get_close_matches(word, near, n=1, cutoff=_CLOSE)
    return f"did you mean `{close[0]}`?" if close else None


def _may_share(new: Term, old: Term) -> bool:
    if isinstance(new, _OVERLOADED) and isinstance(old, _OVERLOADED):
        return new.params != old.params
    if isinstance(new, ConstantSymbol) and isinstance(old, ConstantSymbol):
        return new.type != old.type
    return False


def _span(symbol: Term) -> Span | None:
    return getattr(symbol, "span", None)
