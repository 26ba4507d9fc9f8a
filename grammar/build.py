"""Syntax trees to the typed model: `declarations_from_tree`. One method per rule of the grammar, named like it.

In: the tree of one text, known to fit the grammar. Out: the declarations, with spans. What the grammar leaves open (two
steps of an outline out of order, an unknown modifier) is left to `rules.check`; nothing is rejected here.
"""

from __future__ import annotations

from typing import Any, Literal, cast

from lark import Token, Tree

from rules import model as m
from rules.span import Source, Span

_T = Any  # a child of a tree: built from a sub-tree, a token, or None where an optional part is absent


def declarations_from_tree(tree: Tree[Token], source: Source) -> tuple[m.Declaration, ...]:
    return cast("tuple[m.Declaration, ...]", tuple(_Builder(source).all(tree.children)))


class _Builder:
    def __init__(self, source: Source) -> None:
        self.source = source

    def all(self, children: list[_T]) -> list[_T]:
        return [self.one(child) for child in children]

    def one(self, child: _T) -> _T:
        if isinstance(child, Tree):
            meta = child.meta
            span = Span(self.source, meta.start_pos, meta.end_pos) if not meta.empty else Span(self.source, 0, 0)
            return getattr(self, child.data)(span, *self.all(child.children))
        if isinstance(child, Token):
            if child.type == "NAME":
                return self.word(child)
            if child.type == "INT":
                return int(child)
            if child.type == "STRING":
                return _unquote(child)
        return child

    def word(self, token: Token) -> m.Name:
        start, end = token.start_pos, token.end_pos
        assert start is not None
        assert end is not None
        return m.Name(str(token), Span(self.source, start, end))

    # ---- the book and its sources

    def game(self, span: Span, title: str, played_by: m.Name | None, clauses: m.Clauses) -> m.Game:
        return m.Game(title, played_by, clauses, span)

    def import_(self, span: Span, path: str) -> m.Import:
        return m.Import(path, span)

    def documents(self, span: Span, *documents: m.Document) -> m.Documents:
        return m.Documents(documents, span)

    def document(self, span: Span, name: m.Name, title: str, language: m.Name | None) -> m.Document:
        return m.Document(name, title, language, span)

    def outline(self, span: Span, document: m.Name, *sections: m.Section) -> m.Outline:
        return m.Outline(document, sections, span)

    def section(self, span: Span, title: str, first: int | None, last: int | None, *lines: m.OutlineLine) -> m.Section:
        return m.Section(title, first, last, lines, span)

    def line_states(self, span: Span, line: int, states: int) -> m.OutlineLine:
        return m.OutlineLine(line, states, 0, span)

    def line_restates(self, span: Span, line: int, restates: int) -> m.OutlineLine:
        return m.OutlineLine(line, 0, restates, span)

    def line_both(self, span: Span, line: int, states: int, restates: int) -> m.OutlineLine:
        return m.OutlineLine(line, states, restates, span)

    def clauses(self, _span: Span, *clauses: _T) -> m.Clauses:
        if not clauses:
            return m.NO_CLAUSES
        found: dict[str, _T] = {}
        for name, value in clauses:
            found[name] = found[name] + value if isinstance(value, tuple) and name in found else value
        return m.Clauses(**found)

    def clause(self, _span: Span, cites: tuple[m.Citation, ...]) -> _T:
        return "cites", cites

    def cites(self, _span: Span, *citations: _T) -> tuple[m.Citation, ...]:
        result: list[m.Citation] = []
        document: m.Name | None = None
        for named, (first, last, section, count), span in citations:
            # A citation without a document goes on with the last one; the first must name one (checked: LX120).
            document = named or document or m.Name("", span)
            result.append(m.Citation(document, first, last, section, count, span))
        return tuple(result)

    def cite_in(self, span: Span, document: m.Name, place: _T) -> _T:
        return document, place, span

    def cite_more(self, span: Span, place: _T) -> _T:
        return None, place, span

    def place_line(self, _span: Span, line: int) -> _T:
        return line, line, None, 1

    def place_counted(self, _span: Span, line: int, count: int) -> _T:
        return line, line, None, count

    def place_range(self, _span: Span, first: int, last: int) -> _T:
        return first, last, None, 1

    def place_range_counted(self, _span: Span, first: int, last: int, count: int) -> _T:
        return first, last, None, count

    def place_section(self, _span: Span, section: str) -> _T:
        return None, None, section, 1

    def place_section_counted(self, _span: Span, section: str, count: int) -> _T:
        return None, None, section, count

    def restates(self, _span: Span, *names: m.Name) -> _T:
        return "restates", names

    def restates_some(self, _span: Span, *names: m.Name) -> _T:
        return "restates_some", names

    def overrides(self, _span: Span, *names: m.Name) -> _T:
        return "overrides", names

    def among(self, _span: Span, *names: m.Name) -> _T:
        return "among", names

    def source_(self, _span: Span, name: m.Name) -> _T:
        return "source", name

    def supplied(self, _span: Span) -> _T:
        return "supplied", True

    def names(self, _span: Span, *names: m.Name) -> tuple[m.Name, ...]:
        return names

    def precedence(self, span: Span, *rules: m.MetaRule) -> m.Precedence:
        return m.Precedence(rules, span)

    def meta(self, span: Span, assumed: Token | None, body: _T, cites: tuple[m.Citation, ...] | None) -> m.MetaRule:
        return m.MetaRule(assumed is not None, body, cites or (), span)

    def meta_explicit(self, span: Span) -> m.Explicit:
        return m.Explicit(span)

    def meta_over(self, span: Span, winner: m.Name, loser: m.Name, among: m.Name | None, by: m.Name | None) -> m.Over:
        return m.Over(winner, loser, among, by, span)

    def side(self, span: Span, word: m.Name | Token) -> m.Name:
        return word if isinstance(word, m.Name) else m.Name(str(word), span)

    def meta_authority(self, span: Span, *chains: tuple[m.Name, ...]) -> m.Authority:
        return m.Authority(chains, span)

    def chain(self, _span: Span, *names: m.Name) -> tuple[m.Name, ...]:
        return names

    def meta_listed(self, span: Span, among: m.Name) -> m.Listed:
        return m.Listed(among, span)

    def meta_simultaneous(self, span: Span, by: m.Name, among: m.Name | None) -> m.Simultaneous:
        return m.Simultaneous(by, among, span)

    def meta_otherwise(self, span: Span) -> m.Undecided:
        return m.Undecided(span)

    # ---- things and state

    def type_decl(self, span: Span, name: m.Name, body: _T, clauses: m.Clauses) -> m.TypeDecl:
        return m.TypeDecl(name, body, clauses, span)

    def type_body(self, _span: Span, body: _T) -> _T:
        return body

    def enum_values(self, _span: Span, *names: m.Name) -> tuple[m.Name, ...]:
        return names

    def kind(self, span: Span, name: m.Name, population: _T, clauses: m.Clauses, *lines: _T) -> m.Kind:
        return m.Kind(name, population, clauses, _present(lines), span)

    def exactly(self, span: Span, count: int) -> m.Count:
        return m.Count(count, count, span)

    def between(self, span: Span, low: int, high: int) -> m.Count:
        return m.Count(low, high, span)

    def named(self, span: Span, *members: m.Member) -> m.Members:
        return m.Members(members, span)

    def grid(self, span: Span, shape: m.Name, columns: int, rows: int) -> m.Grid:
        return m.Grid(shape, columns, rows, span)

    def product(self, span: Span, *of: m.Name) -> m.Product:
        return m.Product(of, span)

    def member(self, span: Span, copies: int | None, name: m.Name) -> m.Member:
        return m.Member(name, 1 if copies is None else copies, span)

    def attribute(
        self, span: Span, printed: Token | None, name: m.Name, type_: _T, starts: _T, modifiers: _T, clauses: m.Clauses
    ) -> m.Slot:
        return m.Slot(name, (), type_, starts, printed is not None, modifiers, clauses, span)

    def has_line(self, span: Span, member: m.Name, *given: m.Given) -> m.HasLine:
        return m.HasLine(member, given, span)

    def given(self, span: Span, attribute: m.Name, value: m.Expr) -> m.Given:
        return m.Given(attribute, value, span)

    def modifiers(self, _span: Span, *names: m.Name) -> tuple[m.Name, ...]:
        return names

    def range(self, span: Span, low: int, high: int) -> m.RangeType:
        return m.RangeType(low, high, span)

    def plain_int(self, _span: Span, value: int) -> int:
        return value

    def negative_int(self, _span: Span, value: int) -> int:
        return -value

    def yes_no(self, span: Span) -> m.YesNoType:
        return m.YesNoType(span)

    def named_type(self, span: Span, name: m.Name) -> m.NamedType:
        return m.NamedType(name, False, span)

    def maybe_type(self, span: Span, name: m.Name) -> m.NamedType:
        return m.NamedType(name, True, span)

    def set_type(self, span: Span, of: m.TypeExpr) -> m.SetType:
        return m.SetType(of, span)

    def bag_type(self, span: Span, of: m.TypeExpr, limit: int) -> m.BagType:
        return m.BagType(of, limit, span)

    def order_type(self, span: Span, of: m.Name) -> m.OrderType:
        return m.OrderType(of, span)

    def let(self, span: Span, names: tuple[m.Name, ...], type_: m.TypeExpr) -> m.Let:
        return m.Let(names, type_, span)

    def state(self, span: Span, *slots: m.Slot) -> m.State:
        return m.State(slots, span)

    def state_line(
        self, span: Span, name: m.Name, indices: _T, type_: m.TypeExpr, starts: _T, modifiers: _T, clauses: m.Clauses
    ) -> m.Slot:
        return m.Slot(name, indices or (), type_, starts, False, modifiers, clauses, span)

    def indices(self, _span: Span, *names: m.Name) -> tuple[m.Name, ...]:
        return names

    def piles(self, span: Span, of: m.Name, clauses: m.Clauses, *slots: m.Slot) -> m.Piles:
        return m.Piles(of, clauses, slots, span)

    def pile_line(self, span: Span, name: m.Name, indices: _T, starts: _T, modifiers: _T, clauses: m.Clauses) -> m.Slot:
        return m.Slot(name, indices or (), None, starts, False, modifiers, clauses, span)

    def pool(
        self, span: Span, name: m.Name, total: int, each: m.Name | None, clauses: m.Clauses, *slots: m.Slot
    ) -> m.Pool:
        return m.Pool(name, total, each, clauses, slots, span)

    def pool_line(self, span: Span, name: m.Name, indices: _T, starts: _T, clauses: m.Clauses) -> m.Slot:
        return m.Slot(name, indices or (), None, starts, False, (), clauses, span)

    def pool_start(self, _span: Span, start: m.Expr) -> m.Expr:
        return start

    def rest(self, _span: Span) -> Literal["rest"]:
        return "rest"

    def map_decl(self, span: Span, name: m.Name, of: m.Name, clauses: m.Clauses, *lines: m.LinkLine) -> m.Map:
        return m.Map(name, of, clauses, lines, span)

    def map_line(self, span: Span, *links: m.Link) -> m.LinkLine:
        return m.LinkLine(links, span)

    def both_ways(self, span: Span, *places: m.Name) -> m.Link:
        return m.Link(places, False, span)

    def one_way(self, span: Span, *places: m.Name) -> m.Link:
        return m.Link(places, True, span)

    def sight(
        self, span: Span, name: m.Name, origin: m.Name, target: m.Name, clauses: m.Clauses, *lines: _T
    ) -> m.Sight:
        return m.Sight(name, origin, target, clauses, lines, span)

    def sight_points(self, span: Span, origin: m.SightPoint, target: m.SightPoint) -> m.SightPoints:
        return m.SightPoints(origin, target, span)

    def point(self, span: Span, quantity: _T, point: m.Name) -> m.SightPoint:
        return m.SightPoint(quantity, point, span)

    def quantity(self, _span: Span, word: Token) -> str:
        return str(word)

    def sight_space(self, span: Span, variable: m.Name, where: m.Expr) -> m.SightSpace:
        return m.SightSpace(variable, where, span)

    def sight_edge(self, span: Span, first: m.Name, second: m.Name, where: m.Expr) -> m.SightEdge:
        return m.SightEdge(first, second, where, span)

    def sight_touch(self, span: Span, what: m.Name, result: m.Name) -> m.SightTouch:
        return m.SightTouch(what, result, span)

    def die(self, span: Span, name: m.Name, *rest: _T) -> m.Die:
        return m.Die(name, rest[:-1], rest[-1], span)

    def face_number(self, span: Span, value: int) -> m.Face:
        return m.Face(value, value, None, span)

    def face_range(self, span: Span, low: int, high: int) -> m.Face:
        return m.Face(low, high, None, span)

    def face_name(self, span: Span, name: m.Name) -> m.Face:
        return m.Face(None, None, name, span)

    # ---- play

    def play(self, span: Span, clauses: m.Clauses, body: m.Block) -> m.Play:
        return m.Play(clauses, body, span)

    def procedure(self, span: Span, signature: m.Signature, clauses: m.Clauses, body: m.Block) -> m.Procedure:
        return m.Procedure(signature, clauses, body, span)

    def action(
        self, span: Span, signature: m.Signature, during: _T, clauses: m.Clauses, body: m.Block | None
    ) -> m.Action:
        return m.Action(signature, during or (), clauses, body or (), span)

    def signature(self, span: Span, verb: m.Name, *params: m.Param) -> m.Signature:
        return m.Signature(verb, params, span)

    def param(self, span: Span, label: str | None, variable: m.Name) -> m.Param:
        return m.Param(label, variable, span)

    def label(self, _span: Span, word: Token) -> str:
        return str(word)

    def verb(self, span: Span, word: m.Name | Token) -> m.Name:
        return word if isinstance(word, m.Name) else m.Name(str(word), span)

    def phrase(self, span: Span, verb: m.Name, *args: m.Arg) -> m.Phrase:
        return m.Phrase(verb, args, span)

    def arg(self, span: Span, label: str | None, value: m.Expr) -> m.Arg:
        return m.Arg(label, value, span)

    def block(self, _span: Span, *parts: _T) -> m.Block:
        return _statements(parts)

    def becomes(self, span: Span, target: m.Ref, value: m.Expr) -> m.Becomes:
        return m.Becomes(target, value, span)

    def increases(self, span: Span, target: m.Ref, amount: m.Expr) -> m.Shift:
        return m.Shift(target, "increases", amount, span)

    def decreases(self, span: Span, target: m.Ref, amount: m.Expr) -> m.Shift:
        return m.Shift(target, "decreases", amount, span)

    def move(self, span: Span, what: m.Expr, origin: m.Ref | None, target: m.Ref) -> m.Move:
        return m.Move(what, origin, target, False, span)

    def move_under(self, span: Span, what: m.Expr, origin: m.Ref | None, target: m.Ref) -> m.Move:
        return m.Move(what, origin, target, True, span)

    def draw(self, span: Span, count: m.Expr, origin: m.Ref, target: m.Ref, variable: m.Name | None) -> m.Draw:
        return m.Draw(count, origin, target, variable, span)

    def shuffle(self, span: Span, pile: m.Ref, into: m.Ref | None) -> m.Shuffle:
        return m.Shuffle(pile, into, span)

    def reveal(self, span: Span, what: m.Ref, to: m.Ref | None) -> m.Reveal:
        return m.Reveal(what, to, span)

    def pay(self, span: Span, amount: m.Expr, source: m.Ref, target: m.Ref | None) -> m.Pay:
        return m.Pay(amount, source, target, span)

    def roll(self, span: Span, count: _T, die: m.Name, variable: m.Name | None, table: m.Name | None) -> m.Roll:
        return m.Roll(count, die, variable, table, span)

    def consult(self, span: Span, table: m.Name, *keys: m.Expr) -> m.Consult:
        return m.Consult(table, keys, span)

    def chooses(self, span: Span, actor: m.Ref, variable: m.Name, or_none: _T, where: m.Expr | None) -> m.Chooses:
        return m.Chooses(actor, variable, or_none is not None, where, span)

    def or_none(self, _span: Span) -> bool:
        return True

    def takes(self, span: Span, actor: m.Ref, up_to: _T, count: m.Expr) -> m.Takes:
        return m.Takes(actor, up_to is not None, count, span)

    def takes_any(self, span: Span, actor: m.Ref) -> m.Takes:
        return m.Takes(actor, False, None, span)

    def up_to(self, _span: Span) -> bool:
        return True

    def offer(self, span: Span, actor: m.Ref, modal: m.Modal, *phrases: m.Phrase) -> m.Offer:
        return m.Offer(actor, modal, phrases, span)

    def modal(self, _span: Span, word: Token) -> str:
        return str(word)

    def do(self, span: Span, verb: m.Name, *args: m.Arg) -> m.Do:
        return m.Do(m.Phrase(verb, args, span), span)

    def window(self, span: Span, name: m.Name, variable: m.Name | None, order: m.Ref | None) -> m.Window:
        return m.Window(name, variable, order, span)

    def end(self, span: Span, moment: m.Name) -> m.End:
        return m.End(moment, (), span)

    def end_then(self, span: Span, moment: m.Name, then: m.Block) -> m.Simple:
        return m.Simple(m.End(moment, then, span), m.NO_CLAUSES, span)

    def this_step(self, span: Span) -> m.Name:
        return m.Name("this step", span)

    def this_phase(self, span: Span) -> m.Name:
        return m.Name("this phase", span)

    def disable(self, span: Span, rule: m.Name, until: m.Event | None) -> m.Disable:
        return m.Disable(rule, until, span)

    def go(self, span: Span, passage: m.Name) -> m.Go:
        return m.Go(passage, span)

    def read(self, span: Span, passage: m.Name) -> m.Read:
        return m.Read(passage, span)

    def return_(self, span: Span) -> m.Return:
        return m.Return(span)

    def ending(self, span: Span, text: str) -> m.Ending:
        return m.Ending(text, span)

    def wins(self, span: Span, player: m.Ref) -> m.Outcome:
        return m.Outcome(player, "wins", span)

    def loses(self, span: Span, player: m.Ref) -> m.Outcome:
        return m.Outcome(player, "loses", span)

    def nobody(self, span: Span) -> m.Outcome:
        return m.Outcome(None, "wins", span)

    def nothing(self, span: Span) -> m.DoNothing:
        return m.DoNothing(span)

    def phase(self, span: Span, name: m.Name, clauses: m.Clauses, body: m.Block | None) -> m.Phase:
        return m.Phase("phase", name, False, clauses, body or (), span)

    def step(self, span: Span, name: m.Name, even_ended: _T, clauses: m.Clauses, body: m.Block | None) -> m.Phase:
        return m.Phase("step", name, even_ended is not None, clauses, body or (), span)

    def even_ended(self, _span: Span) -> bool:
        return True

    def each(self, span: Span, variable: m.Name, order: _T, where: _T, secretly: _T, body: m.Block) -> m.Each:
        return m.Each(variable, order, where, secretly is not None, body, span)

    def turns(self, span: Span, variable: m.Name, order: _T, where: _T, until: m.Expr, body: m.Block) -> m.Turns:
        return m.Turns(variable, order, where, until, body, span)

    def repeat(self, span: Span, times: m.Expr | None, until: m.Expr | None, body: m.Block) -> m.Repeat:
        return m.Repeat(times, until, body, span)

    def if_(self, span: Span, condition: m.Expr, then: m.Block, otherwise: m.Block | m.If | None = None) -> m.If:
        block = (otherwise,) if isinstance(otherwise, m.If) else otherwise or ()
        return m.If(condition, then, block, span)

    def roll_rows(self, span: Span, count: _T, die: m.Name, variable: m.Name | None, rows: _T) -> m.RollRows:
        return m.RollRows(count, die, variable, rows, span)

    def decides(self, span: Span, actor: m.Ref, *options: m.Option) -> m.Decides:
        return m.Decides(actor, options, span)

    def option(
        self, span: Span, text: str, conditions: m.Conditions, clauses: m.Clauses, body: m.Block | None
    ) -> m.Option:
        return m.Option(text, conditions, clauses, body or (), span)

    def after(self, span: Span, moment: m.Name, body: m.Block) -> m.After:
        return m.After(moment, body, span)

    def event_phrase(self, span: Span, phrase: m.Phrase) -> m.PhraseEvent:
        return m.PhraseEvent(phrase, span)

    def event_increases(self, span: Span, subject: m.Ref, amount: m.Expr | None) -> m.ChangeEvent:
        return m.ChangeEvent(subject, "increases", amount, span)

    def event_decreases(self, span: Span, subject: m.Ref, amount: m.Expr | None) -> m.ChangeEvent:
        return m.ChangeEvent(subject, "decreases", amount, span)

    def event_becomes(self, span: Span, subject: m.Ref, amount: m.Expr) -> m.ChangeEvent:
        return m.ChangeEvent(subject, "becomes", amount, span)

    def event_changes(self, span: Span, subject: m.Ref) -> m.ChangeEvent:
        return m.ChangeEvent(subject, "changes", None, span)

    def event_begins(self, span: Span, moment: m.Ref) -> m.MomentEvent:
        return m.MomentEvent(moment, "begins", span)

    def event_ends(self, span: Span, moment: m.Ref) -> m.MomentEvent:
        return m.MomentEvent(moment, "ends", span)

    def event_runs_out(self, span: Span, pile: m.Ref) -> m.RunsOutEvent:
        return m.RunsOutEvent(pile, span)

    def event_enters(self, span: Span, what: m.Ref, where: m.Ref) -> m.TransferEvent:
        return m.TransferEvent(what, "enters", where, span)

    def event_leaves(self, span: Span, what: m.Ref, where: m.Ref) -> m.TransferEvent:
        return m.TransferEvent(what, "leaves", where, span)

    # ---- rules

    def rule(self, span: Span, name: m.Name, clauses: m.Clauses, *body: _T) -> m.Rule:
        norms = tuple(part for part in body if isinstance(part, m.Norm))
        readings = tuple(part for part in body if isinstance(part, m.Reading))
        return m.Rule(name, clauses, norms, readings, span)

    def reading(self, span: Span, name: m.Name, clauses: m.Clauses, *norms: m.Norm) -> m.Reading:
        return m.Reading(name, clauses, norms, span)

    def norm(self, span: Span, manner: m.Manner | None, body: m.NormBody) -> m.Norm:
        return m.Norm(manner, body, span)

    def usually(self, _span: Span) -> m.Manner:
        return "usually"

    def immediately(self, _span: Span) -> m.Manner:
        return "immediately"

    def modal_norm(self, span: Span, actor: m.Ref, modal: m.Modal, *rest: _T) -> m.ModalNorm:
        *phrases, if_possible, frequency, conditions = rest
        return m.ModalNorm(actor, modal, tuple(phrases), if_possible is not None, frequency, conditions, span)

    def if_possible(self, _span: Span) -> bool:
        return True

    def once(self, span: Span, moment: m.Name, each: _T) -> m.Frequency:
        return m.Frequency(1, moment, each or (), span)

    def times(self, span: Span, count: int, moment: m.Name, each: _T) -> m.Frequency:
        return m.Frequency(count, moment, each or (), span)

    def conditions(self, _span: Span, when: _T, unless: _T, even_if: _T) -> m.Conditions:
        return m.Conditions(when, unless, even_if)

    def when_norm(self, span: Span, event: m.Event, condition: m.Expr | None, body: m.Block) -> m.EventNorm:
        return m.EventNorm("when", event, condition, body, span)

    def before_norm(self, span: Span, event: m.Event, condition: m.Expr | None, body: m.Block) -> m.EventNorm:
        return m.EventNorm("when about to", event, condition, body, span)

    def instead_norm(self, span: Span, event: m.Event, condition: m.Expr | None, body: m.Block) -> m.EventNorm:
        return m.EventNorm("instead of", event, condition, body, span)

    def ignore_norm(self, span: Span, event: m.Event, condition: m.Expr | None) -> m.IgnoreNorm:
        return m.IgnoreNorm(event, condition, span)

    def ignore_rule(self, span: Span, rule: m.Name, condition: m.Expr | None) -> m.IgnoreNorm:
        return m.IgnoreNorm(rule, condition, span)

    def is_norm(self, span: Span, target: m.Ref, value: m.Expr, conditions: m.Conditions) -> m.ValueNorm:
        return m.ValueNorm(target, "is", value, conditions, span)

    def plus_norm(self, span: Span, target: m.Ref, value: m.Expr, conditions: m.Conditions) -> m.ValueNorm:
        return m.ValueNorm(target, "plus", value, conditions, span)

    def minus_norm(self, span: Span, target: m.Ref, value: m.Expr, conditions: m.Conditions) -> m.ValueNorm:
        return m.ValueNorm(target, "minus", value, conditions, span)

    def least_norm(self, span: Span, target: m.Ref, value: m.Expr, conditions: m.Conditions) -> m.ValueNorm:
        return m.ValueNorm(target, "is at least", value, conditions, span)

    def most_norm(self, span: Span, target: m.Ref, value: m.Expr, conditions: m.Conditions) -> m.ValueNorm:
        return m.ValueNorm(target, "is at most", value, conditions, span)

    def limit_norm(self, span: Span, what: m.Expr, most: m.Expr, lost: _T, conditions: m.Conditions) -> m.LimitNorm:
        return m.LimitNorm(what, most, lost is not None, conditions, span)

    def rest_lost(self, _span: Span) -> bool:
        return True

    def outcome_norm(self, span: Span, outcome: m.Outcome, conditions: m.Conditions) -> m.OutcomeNorm:
        return m.OutcomeNorm(outcome, conditions, span)

    def value(
        self, span: Span, name: m.Name, variables: _T, type_: m.TypeExpr, combine: _T, clauses: m.Clauses, *cases: _T
    ) -> m.Value:
        return m.Value(name, variables or (), type_, combine, clauses, _present(cases), span)

    def value_line(
        self, span: Span, name: m.Name, variables: _T, type_: m.TypeExpr, value: m.Expr, clauses: m.Clauses
    ) -> m.Value:
        case = m.Case(None, "is", value, m.Conditions(None, None, None), m.NO_CLAUSES, value.span)
        return m.Value(name, variables or (), type_, None, clauses, (case,), span)

    def variables(self, _span: Span, *names: m.Name) -> tuple[m.Name, ...]:
        return names

    def first(self, _span: Span) -> str:
        return "first"

    def highest(self, _span: Span) -> str:
        return "highest"

    def lowest(self, _span: Span) -> str:
        return "lowest"

    def case(self, span: Span, manner: _T, body: _T, conditions: m.Conditions, clauses: m.Clauses) -> m.Case:
        op, value = body
        return m.Case(manner, op, value, conditions, clauses, span)

    def case_is(self, _span: Span, value: m.Expr) -> _T:
        return "is", value

    def case_plus(self, _span: Span, value: m.Expr) -> _T:
        return "plus", value

    def case_minus(self, _span: Span, value: m.Expr) -> _T:
        return "minus", value

    def case_least(self, _span: Span, value: m.Expr) -> _T:
        return "is at least", value

    def case_most(self, _span: Span, value: m.Expr) -> _T:
        return "is at most", value

    def table(self, span: Span, name: m.Name, *rest: _T) -> m.Table:
        *keys, variables, clauses, rows = rest
        return m.Table(name, tuple(keys), variables or (), clauses, rows, span)

    def table_key(self, _span: Span, key: m.TypeExpr) -> m.TypeExpr:
        return key

    def rows(self, _span: Span, *rows: m.Row) -> tuple[m.Row, ...]:
        return rows

    def row_simple(self, span: Span, *parts: _T) -> m.Row:
        *keys, body, clauses = parts
        return m.Row(tuple(keys), None, (m.Simple(body, m.NO_CLAUSES, body.span),), clauses, span)

    def row_gives(self, span: Span, *parts: _T) -> m.Row:
        *keys, gives, clauses = parts
        return m.Row(tuple(keys), gives, (), clauses, span)

    def row_block(self, span: Span, *parts: _T) -> m.Row:
        *keys, clauses, body = parts
        return m.Row(tuple(keys), None, body, clauses, span)

    def key(self, span: Span, *keys: _T) -> m.Key:
        return keys[0] if len(keys) == 1 else m.OneOfKey(keys, span)

    def key_number(self, span: Span, value: int) -> m.NumberKey:
        return m.NumberKey(value, value, span)

    def key_range(self, span: Span, low: int, high: int) -> m.NumberKey:
        return m.NumberKey(low, high, span)

    def key_least(self, span: Span, low: int) -> m.NumberKey:
        return m.NumberKey(low, None, span)

    def key_name(self, span: Span, name: m.Name) -> m.NameKey:
        return m.NameKey(name, span)

    def key_any(self, span: Span) -> m.AnyKey:
        return m.AnyKey(span)

    def key_yes(self, span: Span) -> m.TruthKey:
        return m.TruthKey(True, span)

    def key_no(self, span: Span) -> m.TruthKey:
        return m.TruthKey(False, span)

    def rank(
        self, span: Span, name: m.Name, variable: m.Name, given: _T, where: _T, clauses: m.Clauses, *lines: _T
    ) -> m.Rank:
        return m.Rank(name, variable, given or (), where, clauses, lines, span)

    def rank_most(self, span: Span, value: m.Expr, clauses: m.Clauses) -> m.RankLine:
        return m.RankLine("most", value, clauses, span)

    def rank_fewest(self, span: Span, value: m.Expr, clauses: m.Clauses) -> m.RankLine:
        return m.RankLine("fewest", value, clauses, span)

    def rank_first(self, span: Span, order: m.Ref, clauses: m.Clauses) -> m.RankLine:
        return m.RankLine("first in", order, clauses, span)

    def rank_ties(self, span: Span, how: m.Name, clauses: m.Clauses) -> m.RankTies:
        return m.RankTies(how, clauses, span)

    # ---- stories

    def story(self, span: Span, name: m.Name, clauses: m.Clauses, starts: _T, *items: _T) -> m.Story:
        return m.Story(name, clauses, starts, items, span)

    def chapter(self, span: Span, name: m.Name, title: _T, clauses: m.Clauses, *passages: m.Passage) -> m.Chapter:
        return m.Chapter(name, title, clauses, passages, span)

    def passage(self, span: Span, name: m.Name, texts: _T, clauses: m.Clauses, *parts: _T) -> m.Passage:
        parts = _present(parts)
        options = tuple(part for part in parts if isinstance(part, m.Option))
        body = _statements(tuple(part for part in parts if not isinstance(part, m.Option)))
        return m.Passage(name, texts, clauses, body, options, span)

    def texts(self, _span: Span, *texts: str) -> tuple[str, ...]:
        return texts

    # ---- judging

    def policy(self, span: Span, name: m.Name, default: bool | None, clauses: m.Clauses, *lines: _T) -> m.Policy:
        return m.Policy("policy", name, bool(default), clauses, lines, span)

    def by_default(self, _span: Span) -> bool:
        return True

    def ruling(self, span: Span, name: m.Name, clauses: m.Clauses, *lines: _T) -> m.Policy:
        return m.Policy("ruling", name, False, clauses, lines, span)

    def policy_reads(self, span: Span, rule: m.Name, reading: m.Name) -> m.PolicyReads:
        return m.PolicyReads(rule, reading, span)

    def policy_over(self, span: Span, winner: m.Name, loser: m.Name) -> m.PolicyOver:
        return m.PolicyOver(winner, loser, span)

    def policy_if_possible(self, span: Span, rule: m.Name) -> m.PolicyIfPossible:
        return m.PolicyIfPossible(rule, span)

    def note(self, span: Span, reason: m.Name, text: str, clauses: m.Clauses) -> m.Note:
        return m.Note(reason, text, clauses, span)

    def question(self, span: Span, text: str, clauses: m.Clauses, ask: _T, expect: m.Expect | None) -> m.Question:
        return m.Question(text, clauses, ask, expect, span)

    def ask_modal(self, span: Span, actor: m.Ref, modal: m.Modal, phrase: m.Phrase, when: _T) -> m.AskModal:
        return m.AskModal(actor, modal, phrase, when, span)

    def ask_value(self, span: Span, value: m.Ref, when: m.Expr | None) -> m.AskValue:
        return m.AskValue(value, when, span)

    def ask_event(self, span: Span, event: m.Event, condition: m.Expr | None) -> m.AskEvent:
        return m.AskEvent(event, condition, span)

    def expect(self, span: Span, answer: _T, because: _T, against: _T) -> m.Expect:
        return m.Expect(answer, because or (), against or (), span)

    def answer_word(self, _span: Span, word: Token) -> str:
        return str(word)

    def answer_value(self, _span: Span, value: m.Expr) -> m.Expr:
        return value

    def claim(self, span: Span, text: str | None, word: m.ClaimWord, condition: m.Expr, clauses: m.Clauses) -> m.Claim:
        return m.Claim(text, word, condition, clauses, span)

    def claim_word(self, _span: Span, word: Token) -> str:
        return str(word)

    def scenario(self, span: Span, text: str, clauses: m.Clauses, *lines: m.ScenarioLine) -> m.Scenario:
        return m.Scenario(text, clauses, lines, span)

    def sc_players(self, span: Span, count: int) -> m.Seats:
        return m.Seats(count, span)

    def sc_policy(self, span: Span, policy: m.Name) -> m.UsesPolicy:
        return m.UsesPolicy(policy, span)

    def sc_defaults(self, span: Span) -> m.UsesDefaults:
        return m.UsesDefaults(span)

    def sc_given(self, span: Span, condition: m.Expr) -> m.GivenThat:
        return m.GivenThat(condition, span)

    def sc_during(self, span: Span, moment: m.Name, of: m.Expr | None) -> m.AtMoment:
        return m.AtMoment(moment, of, span)

    def sc_do(self, span: Span, phrase: m.Phrase, rolls: _T, draws: _T, choices: _T) -> m.DoMove:
        return m.DoMove(phrase, rolls or (), draws or (), choices or (), span)

    def chances(self, _span: Span, *values: m.Expr) -> tuple[m.Expr, ...]:
        return values

    def sc_then(self, span: Span, condition: m.Expr) -> m.Then:
        return m.Then(condition, span)

    def sc_then_modal(self, span: Span, actor: m.Ref, modal: m.Modal, phrase: m.Phrase, because: _T) -> m.ThenModal:
        return m.ThenModal(actor, modal, phrase, because or (), span)

    def sc_then_open(self, span: Span, between: _T) -> m.ThenUndetermined:
        return m.ThenUndetermined(between or (), span)

    # ---- expressions

    def or_(self, span: Span, left: m.Expr, right: m.Expr) -> m.Or:
        return m.Or(left, right, span)

    def and_(self, span: Span, left: m.Expr, right: m.Expr) -> m.And:
        return m.And(left, right, span)

    def not_(self, span: Span, operand: m.Expr) -> m.Not:
        return m.Not(operand, span)

    def some_where(self, span: Span, variable: m.Name, body: m.Expr) -> m.Quantified:
        return m.Quantified("some", variable, None, body, span)

    def no_where(self, span: Span, variable: m.Name, body: m.Expr) -> m.Quantified:
        return m.Quantified("no", variable, None, body, span)

    def every_satisfies(self, span: Span, variable: m.Name, where: m.Expr | None, body: m.Expr) -> m.Quantified:
        return m.Quantified("every", variable, where, body, span)

    def some_is(self, span: Span, variable: m.Name, negated: _T, value: m.Expr) -> m.Quantified:
        return self._quantified_is("some", variable, negated, value, span)

    def no_is(self, span: Span, variable: m.Name, negated: _T, value: m.Expr) -> m.Quantified:
        return self._quantified_is("no", variable, negated, value, span)

    def every_is(self, span: Span, variable: m.Name, negated: _T, value: m.Expr) -> m.Quantified:
        return self._quantified_is("every", variable, negated, value, span)

    def _quantified_is(
        self, quantifier: m.Quantifier, variable: m.Name, negated: _T, value: m.Expr, span: Span
    ) -> m.Quantified:
        subject = m.Ref(variable, (), variable.span)
        body = m.Is(subject, value, negated is not None, variable.span.to(value.span))
        return m.Quantified(quantifier, variable, None, body, span)

    def compare(self, span: Span, left: m.Expr, op: m.CompareOp, right: m.Expr) -> m.Compare:
        return m.Compare(op, left, right, span)

    def compare_op(self, _span: Span, op: Token) -> str:
        return str(op)

    def is_(self, span: Span, left: m.Expr, right: m.Expr) -> m.Is:
        return m.Is(left, right, False, span)

    def is_not(self, span: Span, left: m.Expr, right: m.Expr) -> m.Is:
        return m.Is(left, right, True, span)

    def is_in(self, span: Span, left: m.Expr, right: m.Expr) -> m.IsIn:
        return m.IsIn(left, right, False, span)

    def is_not_in(self, span: Span, left: m.Expr, right: m.Expr) -> m.IsIn:
        return m.IsIn(left, right, True, span)

    def is_related(self, span: Span, left: m.Expr, relation: m.Name, right: m.Expr) -> m.Related:
        return m.Related(left, relation, right, False, span)

    def is_not_related(self, span: Span, left: m.Expr, relation: m.Name, right: m.Expr) -> m.Related:
        return m.Related(left, relation, right, True, span)

    def during(self, span: Span, moment: m.Name, of: m.Expr | None) -> m.During:
        return m.During(moment, of, span)

    def happened(self, span: Span, event: m.Event, moment: m.Name) -> m.Happened:
        return m.Happened(event, moment, span)

    def add(self, span: Span, left: m.Expr, right: m.Expr) -> m.Arithmetic:
        return m.Arithmetic("+", left, right, span)

    def subtract(self, span: Span, left: m.Expr, right: m.Expr) -> m.Arithmetic:
        return m.Arithmetic("-", left, right, span)

    def multiply(self, span: Span, left: m.Expr, right: m.Expr) -> m.Arithmetic:
        return m.Arithmetic("*", left, right, span)

    def divide(self, span: Span, left: m.Expr, right: m.Expr, rounding: m.Rounding) -> m.Divide:
        return m.Divide(left, right, rounding, span)

    def rounding(self, _span: Span, word: Token) -> str:
        return str(word)

    def negate(self, span: Span, operand: m.Expr) -> m.Expr:
        return m.Number(-operand.value, span) if isinstance(operand, m.Number) else m.Negate(operand, span)

    def number(self, span: Span, value: int) -> m.Number:
        return m.Number(value, span)

    def yes(self, span: Span) -> m.Truth:
        return m.Truth(True, span)

    def no(self, span: Span) -> m.Truth:
        return m.Truth(False, span)

    def none(self, span: Span) -> m.Nothing:
        return m.Nothing(span)

    def bracketed(self, _span: Span, inner: m.Expr) -> m.Expr:
        return inner

    def set_of(self, span: Span, *items: m.Expr) -> m.SetOf:
        return m.SetOf(_present(items), span)

    def set_where(self, span: Span, variable: m.Name, where: m.Expr) -> m.SetWhere:
        return m.SetWhere(variable, where, span)

    def number_of(self, span: Span, variable: m.Name, where: m.Expr | None) -> m.NumberOf:
        return m.NumberOf(variable, where, span)

    def aggregate_of(
        self, span: Span, op: m.AggregateOp, body: m.Expr, variable: m.Name, where: m.Expr | None
    ) -> m.Aggregate:
        return m.Aggregate(op, body, variable, where, span)

    def aggregate(self, _span: Span, op: Token) -> str:
        return str(op)

    def times_happened(self, span: Span, event: m.Event, moment: m.Name) -> m.TimesHappened:
        return m.TimesHappened(event, moment, span)

    def name(self, span: Span, name: m.Name) -> m.Ref:
        return m.Ref(name, (), span)

    def of(self, span: Span, name: m.Name, arg: m.Expr) -> m.Ref:
        return m.Ref(name, (arg,), span)

    def of_several(self, span: Span, name: m.Name, *args: m.Expr) -> m.Ref:
        return m.Ref(name, args, span)


def _present(parts: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(part for part in parts if part is not None)


def _statements(parts: tuple[_T, ...]) -> m.Block:
    """A simple statement comes as two parts, its body and its clauses; a compound one as one."""
    found: list[m.Statement] = []
    rest = iter(parts)
    for part in rest:
        if isinstance(part, m.SimpleBody):
            found.append(m.Simple(part, next(rest), part.span))
        else:
            found.append(part)
    return tuple(found)


_ESCAPES = {'\\"': '"', "\\\\": "\\", "\\n": "\n"}


def _unquote(token: str) -> str:
    text = token[1:-1]
    if "\\" not in text:
        return text
    parts: list[str] = []
    place = 0
    while place < len(text):
        pair = text[place : place + 2]
        parts.append(_ESCAPES.get(pair, text[place]))
        place += 2 if pair in _ESCAPES else 1
    return "".join(parts)
