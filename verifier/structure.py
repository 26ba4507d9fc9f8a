"""Checks that look at how rules and passages hang together, by graph alone.

In: a `CheckedRulebook`. Out: diagnostics. What these find is certain; what they do not find may still be there, because
conditions are not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from rules import model as m
from rules.check import CheckedRulebook
from rules.diagnostics import Diagnostic, Label, in_reading_order
from rules.walk import nodes_of
from solver import cycles, unreachable


def check_structure(checked: CheckedRulebook) -> tuple[Diagnostic, ...]:
    return in_reading_order(found for check in _CHECKS for found in check(checked))


def _authority_cycles(checked: CheckedRulebook) -> Iterator[Diagnostic]:
    """Documents that outrank each other in a circle."""
    edges: dict[tuple[str, str], m.Name] = {}
    for declaration in checked.book.declarations:
        if isinstance(declaration, m.Precedence):
            for rule in declaration.rules:
                if isinstance(rule.body, m.Authority):
                    for chain in rule.body.chains:
                        for strong, weak in pairwise(chain):
                            edges.setdefault((strong.text, weak.text), strong)
    yield from _cycle_reports(edges, "LX404", "outranks")


def _override_cycles(checked: CheckedRulebook) -> Iterator[Diagnostic]:
    """Rules that override each other in a circle."""
    edges: dict[tuple[str, str], m.Name] = {}
    for declaration in checked.book.declarations:
        match declaration:
            case (
                m.Rule(name=name, clauses=clauses)
                | m.Value(name=name, clauses=clauses)
                | m.Table(name=name, clauses=clauses)
                | m.Rank(name=name, clauses=clauses)
                | m.Action(signature=m.Signature(verb=name), clauses=clauses)
                | m.Procedure(signature=m.Signature(verb=name), clauses=clauses)
            ):
                for other in clauses.overrides:
                    edges.setdefault((name.text, other.text), other)
            case _:
                pass
    yield from _cycle_reports(edges, "LX405", "overrides")


def _cycle_reports(edges: dict[tuple[str, str], m.Name], code: str, verb: str) -> Iterator[Diagnostic]:
    for cycle in cycles(edges):
        steps = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        words = ", which ".join(f"{verb} `{weak}`" for _, weak in steps)
        labels = tuple(Label(edges[step].span, f"`{step[0]}` {verb} `{step[1]}`") for step in steps[1:])
        yield Diagnostic(code, f"`{cycle[0]}` {words}", edges[steps[0]].span, labels)


def _unreachable_passages(checked: CheckedRulebook) -> Iterator[Diagnostic]:
    """Passages to which no `go to` and no `read` leads."""
    stories = [d for d in checked.book.declarations if isinstance(d, m.Story)]
    if not stories:
        return
    passages = {passage.name.text: passage for story in stories for passage in story.passages()}
    edges = [
        (name, part.passage.text)
        for name, passage in passages.items()
        for part in nodes_of((passage.body, passage.options))
        if isinstance(part, m.Go | m.Read)
    ]
    starts = [name.text for story in stories for name in story.starts]
    starts += [
        part.passage.text
        for declaration in checked.book.declarations
        if not isinstance(declaration, m.Story)
        for part in nodes_of(declaration)
        if isinstance(part, m.Read)
    ]
    for name in unreachable(passages, edges, starts):
        passage = passages[name]
        yield Diagnostic(
            "LX601",
            f"nothing leads to the passage `{name}`",
            passage.name.span,
            help="by the links alone, whatever their conditions",
        )


_CHECKS: tuple[Callable[[CheckedRulebook], Iterator[Diagnostic]], ...] = (
    _authority_cycles,
    _override_cycles,
    _unreachable_passages,
)
