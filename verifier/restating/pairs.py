"""What restates what: the declarations of a book that say so, each with the one that they name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules import model as m
from rules.check import CheckedRulebook
from rules.check.restating import phases_of
from verifier.court import cited

Statement = m.Rule | m.Value | m.Table | m.Rank | m.Action | m.Procedure | m.Phase


@dataclass(frozen=True, slots=True)
class Said:
    """A declaration that says something, by its name and its places in the documents."""

    name: str
    node: Statement = field(compare=False)
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Restated:
    """`ours` restates `theirs`; with `part` only some of it."""

    ours: Said
    theirs: Said
    part: bool = False


def restated(checked: CheckedRulebook) -> Iterator[Restated]:
    statements = [d for d in checked.book.declarations if isinstance(d, Statement)]
    by_name: dict[str, list[Statement]] = {}
    for node in (*statements, *phases_of(checked.book)):
        by_name.setdefault(name_of(node).text, []).append(node)
    for node in statements:
        for name in node.clauses.restated:
            others = [other for other in by_name.get(name.text, ()) if other is not node]
            alike = [other for other in others if type(other) is type(node)] or others
            part = name in node.clauses.restates_some
            yield from (Restated(said(node), said(other), part) for other in alike[:1])


def name_of(node: Statement) -> m.Name:
    return node.signature.verb if isinstance(node, m.Action | m.Procedure) else node.name


def said(node: Statement) -> Said:
    return Said(name_of(node).text, node, cited(node.clauses))
