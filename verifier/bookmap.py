"""Every statement, option and row of a book with what it stands in, and what must hold to come to it from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules import model as m
from rules.check import CheckedRulebook
from verifier.reaching import Condition, conjuncts, needs_of


@dataclass(frozen=True, slots=True, eq=False)
class Item:
    """`owner` is the passage, action, procedure, table or rule that it stands in, `play` for what is played.

    `above` is the statement, option or row right around it; `needs` are the conditions between the two.
    """

    node: m.Statement | m.Option | m.Row
    owner: str
    clauses: m.Clauses
    above: Item | None
    needs: tuple[Condition, ...] = ()


@dataclass(slots=True)
class Bookmap:
    items: dict[int, Item] = field(default_factory=dict)  # by identity of the node

    def of(self, node: object) -> Item:
        return self.items[id(node)]


def bookmap(checked: CheckedRulebook) -> Bookmap:
    found = Bookmap()
    for declaration in checked.book.declarations:
        match declaration:
            case m.Play(body=body, clauses=clauses):
                _block(found, body, "play", clauses, None)
            case m.Action(signature=signature, body=body, clauses=clauses):
                _block(found, body, signature.verb.text, clauses, None)
            case m.Procedure(signature=signature, body=body, clauses=clauses):
                _block(found, body, signature.verb.text, clauses, None)
            case m.Table(name=name, rows=rows, clauses=clauses):
                _rows(found, rows, name.text, clauses, None)
            case m.Rule(name=name, clauses=clauses):
                for norm in declaration.all_norms():
                    if isinstance(norm.body, m.EventNorm):
                        _block(found, norm.body.body, name.text, clauses, None)
            case m.Story():
                for passage in declaration.passages():
                    _block(found, passage.body, passage.name.text, passage.clauses, None)
                    _options(found, passage.options, passage.name.text, passage.clauses, None)
            case _:
                pass
    return found


def _block(
    found: Bookmap,
    block: m.Block,
    owner: str,
    clauses: m.Clauses,
    above: Item | None,
    needs: tuple[Condition, ...] = (),
) -> None:
    for node in block:
        item = found.items[id(node)] = Item(node, owner, clauses, above, needs)
        for inner, more in _inner(node):
            _block(found, inner, owner, clauses, item, more)
        match node:
            case m.RollRows(rows=rows):
                _rows(found, rows, owner, clauses, item)
            case m.Decides(options=options):
                _options(found, options, owner, clauses, item)
            case _:
                pass


def _inner(node: m.Statement) -> Iterator[tuple[m.Block, tuple[Condition, ...]]]:
    match node:
        case m.If(condition=condition, then=then, otherwise=otherwise):
            yield then, conjuncts(condition)
            yield otherwise, conjuncts(condition, False)
        case m.Each(where=where, body=body):
            yield body, conjuncts(where)
        case m.Turns(where=where, until=until, body=body):
            yield body, (*conjuncts(until, False), *conjuncts(where))
        case m.Phase(body=body) | m.Repeat(body=body) | m.After(body=body):
            yield body, ()
        case m.Simple(body=m.End(then=then)):
            yield then, ()
        case _:
            return


def _rows(found: Bookmap, rows: tuple[m.Row, ...], owner: str, clauses: m.Clauses, above: Item | None) -> None:
    for row in rows:
        item = found.items[id(row)] = Item(row, owner, clauses, above)
        _block(found, row.body, owner, clauses, item)


def _options(found: Bookmap, options: tuple[m.Option, ...], owner: str, clauses: m.Clauses, above: Item | None) -> None:
    for option in options:
        item = found.items[id(option)] = Item(option, owner, clauses, above, needs_of(option.conditions))
        _block(found, option.body, owner, clauses, item)
