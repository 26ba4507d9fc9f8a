"""Which rule goes before which: the book's meta-rules in their order, documents by authority, and rules that can
disagree, each pair with the meta-rule that tells them apart.

In: a `CheckedRulebook`. Out: a `Drawing` whose arrows lead from what wins to what gives way. Conditions are not looked
at: two rules are drawn as rivals where they speak of one thing and say different things of it, whether or not both can
apply at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from grammar.printer import print_meta_rule
from rules import model as m
from rules.check import CheckedRulebook
from verifier.graphs.drawing import Drawing, Edge, Group, Line, Node, Tone
from verifier.graphs.owners import Owner, owners_of
from verifier.graphs.rivals import Decided, Norms, rivals_of
from verifier.graphs.wording import counted, cut, wrapped

_REST = "rules that no other rule disagrees with"


def precedence_drawing(checked: CheckedRulebook) -> Drawing:
    owners = owners_of(checked)
    metas = [rule for d in checked.book.declarations if isinstance(d, m.Precedence) for rule in d.rules]
    edges = [*_meta_edges(metas), *_authority_edges(metas), *_stated(owners)]
    told = {(edge.source, edge.target) for edge in edges if edge.label == "overrides"}
    ruled = list(_ruled(checked, owners))
    settled = {frozenset((edge.source, edge.target)) for edge in ruled if edge.line == "solid"}
    edges += ruled
    decided = [one for one in rivals_of(Norms(checked, owners, tuple(metas))) if {one.winner, one.loser} not in settled]
    edges += (_decided(one) for one in decided if (one.winner, one.loser) not in told)
    linked = {end for edge in edges for end in (edge.source, edge.target)}
    nodes = [
        *(_meta(number, rule) for number, rule in enumerate(metas, 1)),
        *_documents(checked),
        *(
            _node(owner, owner.id in linked)
            for owner in owners
            if owner.id in linked or owner.kind in ("rule", "value")
        ),
    ]
    groups = [Group("meta", "document", "precedence", "precedence, strongest first")] if metas else []
    groups += (
        [Group("documents", "document", "documents", "documents, the stronger above")] if _documents(checked) else []
    )
    if any(node.group == "rest" for node in nodes):
        groups.append(Group("rest", "rest", "rest", _REST))
    open_ = sum(one.meta is None for one in decided)
    notes = (
        f"{counted(len(metas), 'meta-rule')}, {counted(len(decided), 'pair')} of rules that say different things of "
        f"one matter, {open_:,} of them told apart by no meta-rule (red)",
        "arrows lead from what goes before to what gives way; numbers are those of the meta-rules; dashed rests on an "
        "assumption, dotted depends on the state or is only a restatement",
    )
    return Drawing("precedence", "Precedence", tuple(nodes), tuple(dict.fromkeys(edges)), tuple(groups), notes)


# ---- nodes ----------------------------------------------------------------------------------------------------------


def _meta(number: int, rule: m.MetaRule) -> Node:
    words = print_meta_rule(rule)
    hint = f"{words}\n{rule.span.source.path}:{rule.span.line}"
    lines = wrapped(f"{number}. {words}", 44, 2)
    return Node(f"meta {number}", "meta", words, lines, "meta", None, hint, assumed=rule.assumed)


def _documents(checked: CheckedRulebook) -> list[Node]:
    return [
        Node(
            f"document {document.name}",
            "document",
            document.name.text,
            (cut(document.name.text, 30), *wrapped(document.title, 34, 1)),
            "documents",
            None,
            f"document {document.name}: {document.title}",
        )
        for declaration in checked.book.declarations
        if isinstance(declaration, m.Documents)
        for document in declaration.documents
    ]


def _node(owner: Owner, linked: bool) -> Node:
    lines = (cut(owner.name, 32), *((cut(owner.ruled_by or owner.document or "", 30),) if _under(owner) else ()))
    group = None if linked else "rest"
    return Node(owner.id, owner.kind, owner.name, lines, group, owner.fold, owner.hint)


def _under(owner: Owner) -> bool:
    return bool(owner.ruled_by or owner.document)


# ---- edges ----------------------------------------------------------------------------------------------------------


def _meta_edges(metas: Sequence[m.MetaRule]) -> Iterator[Edge]:
    for number in range(1, len(metas)):
        yield Edge(f"meta {number}", f"meta {number + 1}", "", "where this does not decide, the next may", tone="quiet")


def _authority_edges(metas: Sequence[m.MetaRule]) -> Iterator[Edge]:
    for rule in metas:
        if isinstance(rule.body, m.Authority):
            for chain in rule.body.chains:
                for strong, weak in pairwise(chain):
                    hint = f"{strong} outranks {weak}: {print_meta_rule(rule)}"
                    line: Line = "dashed" if rule.assumed else "solid"
                    yield Edge(f"document {strong}", f"document {weak}", "outranks", hint, line)


def _stated(owners: Sequence[Owner]) -> Iterator[Edge]:
    """What the rules say of each other by name."""
    by_name = {owner.name: owner.id for owner in reversed(owners)}
    for owner in owners:
        for other in owner.clauses.overrides:
            hint = f"{owner.name} overrides {other}"
            yield Edge(owner.id, by_name[other.text], "overrides", hint, "solid", "good")
        for other in owner.clauses.restates:
            yield Edge(owner.id, by_name[other.text], "restates", f"{owner.name} restates {other}", "dotted", "quiet")


def _ruled(checked: CheckedRulebook, owners: Sequence[Owner]) -> Iterator[Edge]:
    by_name = {owner.name: owner.id for owner in reversed(owners)}
    for policy in checked.book.declarations:
        if isinstance(policy, m.Policy):
            line: Line = "solid" if policy.sort == "ruling" else "dashed"
            for found in policy.lines:
                if isinstance(found, m.PolicyOver):
                    words = f"{policy.sort} {policy.name}"
                    hint = f"{words}: {found.winner} over {found.loser}"
                    winner, loser = by_name[found.winner.text], by_name[found.loser.text]
                    yield Edge(winner, loser, cut(words, 26), hint, line, "good")


def _decided(one: Decided) -> Edge:
    names = f"{one.winner_name} before {one.loser_name}" if one.meta else f"{one.winner_name} against {one.loser_name}"
    line: Line = "dotted" if one.depends else "dashed" if one.assumed else "solid"
    tone: Tone = "bad" if one.meta is None else "plain"
    label = "undecided" if one.meta is None else f"{one.meta}{'?' if one.depends else ''}"
    hint = f"{names} about {one.subject}: {one.words}"
    return Edge(one.winner, one.loser, label, hint, line, tone, both=one.meta is None or one.depends)
