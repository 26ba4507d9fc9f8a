"""The declarations that rule pictures show as nodes, with what is said of each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grammar.print_expressions import print_clauses
from rules import model as m
from rules.check import CheckedRulebook
from verifier.graphs.drawing import NodeKind

Declared = m.Rule | m.Value | m.Table | m.Rank | m.Action | m.Procedure


@dataclass(frozen=True, slots=True)
class Owner:
    """`fold` is the section of the document where it is cited, or else where it stands in the rulebook."""

    id: str
    kind: NodeKind
    name: str
    node: Declared
    clauses: m.Clauses
    fold: str
    ruled_by: str = ""  # the ruling or policy that holds the rule

    @property
    def document(self) -> str | None:
        """The document that gives it its authority."""
        return self.clauses.cites[0].document.text if self.clauses.cites else None

    @property
    def hint(self) -> str:
        words = print_clauses(self.clauses).strip()
        place = f"{self.node.span.source.path}:{self.node.span.line}"
        return "\n".join(part for part in (f"{self.kind} {self.name}", words, place) if part)


def owners_of(checked: CheckedRulebook) -> tuple[Owner, ...]:
    """In the order of the book; those of rulings and policies after them."""
    declarations = checked.book.declarations
    outlines = {d.document.text: d for d in declarations if isinstance(d, m.Outline)}
    found: list[Owner] = []
    names: set[str] = set()

    def add(node: Declared, ruled_by: str = "") -> None:
        kind, name, clauses = _parts(node)
        own = f"{kind} {name}"
        while own in names:  # values and tables may share a name
            own += "'"
        names.add(own)
        found.append(Owner(own, kind, name, node, clauses, _fold(node, clauses, outlines), ruled_by))

    for declaration in declarations:
        if isinstance(declaration, Declared):
            add(declaration)
    for policy in declarations:
        if isinstance(policy, m.Policy):
            for line in policy.lines:
                if isinstance(line, m.Rule):
                    add(line, f"{policy.sort} {policy.name}")
    return tuple(found)


def _parts(node: Declared) -> tuple[NodeKind, str, m.Clauses]:
    match node:
        case m.Rule(name=name, clauses=clauses):
            return "rule", name.text, clauses
        case m.Value(name=name, clauses=clauses):
            return "value", name.text, clauses
        case m.Table(name=name, clauses=clauses):
            return "table", name.text, clauses
        case m.Rank(name=name, clauses=clauses):
            return "rank", name.text, clauses
        case m.Action(signature=signature, clauses=clauses):
            return "action", signature.verb.text, clauses
        case m.Procedure(signature=signature, clauses=clauses):
            return "procedure", signature.verb.text, clauses


def _fold(node: Declared, clauses: m.Clauses, outlines: Mapping[str, m.Outline]) -> str:
    for citation in clauses.cites:
        outline = outlines.get(citation.document.text)
        for section in outline.sections if outline else ():
            if citation.section == section.title or _holds(section, citation.first):
                return f"{citation.document}: {section.title}"
    return node.span.source.path.replace("\\", "/").rpartition("/")[2]


def _holds(section: m.Section, line: int | None) -> bool:
    if line is None:
        return False
    if section.first is not None and section.last is not None:
        return section.first <= line <= section.last
    return any(known.line == line for known in section.lines)
