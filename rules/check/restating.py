"""What restates what: the two are of one sort, and what is said first does not restate what repeats it."""

from __future__ import annotations

from rules import model as m
from rules.check.context import Context
from rules.walk import nodes_of

Statement = m.Rule | m.Value | m.Table | m.Rank | m.Action | m.Procedure

# What each sort can say once more.
_FITTING: dict[type, tuple[tuple[type, ...], str]] = {
    m.Rule: ((m.Rule, m.Value), "a rule restates a rule, or a case of a value"),
    m.Value: ((m.Value,), "a value restates a value"),
    m.Table: ((m.Table,), "a table restates a table"),
    m.Rank: ((m.Rank,), "a rank restates a rank"),
    m.Action: ((m.Action,), "an action restates an action"),
    m.Procedure: ((m.Procedure, m.Phase), "a procedure restates a procedure, a phase or a step"),
}
_SORTS = "rule, value, table, rank, action, procedure, phase or step"


def check_restating(book: m.Rulebook, cx: Context) -> None:
    statements = [d for d in book.declarations if isinstance(d, Statement)]
    known: dict[str, list[object]] = {}
    for node in statements:
        known.setdefault(name_of(node).text, []).append(node)
    for phase in phases_of(book):
        known.setdefault(phase.name.text, []).append(phase)
    own = {id(node.clauses) for node in statements}
    for part in nodes_of(book.declarations):
        if isinstance(part, m.Clauses) and part.restated and id(part) not in own:
            cx.report(
                "LX419",
                "`restates` does not belong here",
                part.restated[0].span,
                help="it stands after the header of a rule, value, table, rank, action or procedure of its own",
            )
    for node in statements:
        for name in node.clauses.restated:
            _restated(node, name, known, cx)
    _circles(statements, cx)


def phases_of(book: m.Rulebook) -> list[m.Phase]:
    """All phases and steps."""
    return [node for node in nodes_of(book.declarations) if isinstance(node, m.Phase)]


def name_of(node: Statement) -> m.Name:
    return node.signature.verb if isinstance(node, m.Action | m.Procedure) else node.name


def _restated(node: Statement, name: m.Name, known: dict[str, list[object]], cx: Context) -> None:
    others = [other for other in known.get(name.text, ()) if other is not node]
    fitting, words = _FITTING[type(node)]
    if name.text in cx.statements:
        cx.use(name, cx.statements[name.text])
    elif name.text in cx.moments and others:
        cx.use(name, cx.moments[name.text])
    else:
        cx.unknown(name, _SORTS, known)
        return
    if not others:
        cx.report(
            "LX419", f"`{name.text}` restates itself", name.span, help="name the statement that is said once more"
        )
    elif not any(isinstance(other, fitting) for other in others):
        cx.report("LX419", f"this cannot say what `{name.text}` says", name.span, help=words)


def _circles(statements: list[Statement], cx: Context) -> None:
    """What is said once more must have been said: one of them is the original."""
    links = {name_of(node).text: [name.text for name in node.clauses.restated] for node in statements}
    for node in statements:
        for name in node.clauses.restated:
            seen: set[str] = set()
            waiting = [name.text]
            while waiting:
                other = waiting.pop()
                if other not in seen:
                    seen.add(other)
                    waiting += links.get(other, [])
            own = name_of(node).text
            if own in seen and name.text != own and min(seen & links.keys()) == own:
                help_ = "leave `restates` out of the one that the others repeat"
                cx.report("LX419", f"`{own}` and `{name.text}` restate each other", name.span, help=help_)
