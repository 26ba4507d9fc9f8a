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
from rules.symbols import ConstantSymbol, RankSymbol, TableSymbol, ValueSymbol, VariableSymbol
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
    for declaration in (*checked.book.declarations, *_ruled(checked)):
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


def _ruling_cycles(checked: CheckedRulebook) -> Iterator[Diagnostic]:
    """Rules that go over each other in a circle of three or more, by rulings, or by the default policies.

    The checker knows the circles of two.
    """
    for together in (checked.book.rulings(), checked.book.defaults()):
        edges: dict[tuple[str, str], m.Name] = {}
        for ruling in together:
            for line in ruling.lines:
                if isinstance(line, m.PolicyOver):
                    edges.setdefault((line.winner.text, line.loser.text), line.winner)
        yield from _cycle_reports(edges, "LX405", "goes over")


def _ruled(checked: CheckedRulebook) -> tuple[m.Rule, ...]:
    """The rules that stand in rulings: they are in force like those of the book."""
    return tuple(line for ruling in checked.book.rulings() for line in ruling.lines if isinstance(line, m.Rule))


def _cycle_reports(
    edges: dict[tuple[str, str], m.Name],
    code: str,
    verb: str,
    names: dict[str, str] | None = None,
    help: str | None = None,
) -> Iterator[Diagnostic]:
    """`names` says how the nodes of the graph are called, where that is not what they are."""
    for cycle in cycles(edges):
        steps = list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
        called = [(names[a], names[b]) if names else (a, b) for a, b in steps]
        words = ", which ".join(f"{verb} `{weak}`" for _, weak in called)
        labels = tuple(
            Label(edges[step].span, f"`{strong}` {verb} `{weak}`")
            for step, (strong, weak) in zip(steps[1:], called[1:], strict=True)
        )
        yield Diagnostic(code, f"`{called[0][0]}` {words}", edges[steps[0]].span, labels, help)


def _value_cycles(checked: CheckedRulebook) -> Iterator[Diagnostic]:
    """Values, tables and ranks that cannot be found, because finding one needs another and that needs the first.

    A value of one thing may need the value of another thing (`depth of q` that of `parent of q`): whether that ends is
    not for a graph to say. So only what is asked of the same variables counts, or of nothing, or of a thing by name.
    """
    edges: dict[tuple[str, str], m.Name] = {}
    names: dict[str, str] = {}
    for symbol, parts in _definitions(checked):
        names[_key(symbol)] = symbol.name
        for part in nodes_of(parts):
            if isinstance(part, m.Ref) and all(_is_plain(arg, checked) for arg in part.args):
                needed = checked.symbols.get(id(part))
                if isinstance(needed, ValueSymbol | TableSymbol | RankSymbol):
                    names[_key(needed)] = needed.name
                    edges.setdefault((_key(symbol), _key(needed)), part.name)
    hint = "what each of them is must be known without the others, at least in the end"
    yield from _cycle_reports(edges, "LX415", "needs", names, hint)


def _definitions(checked: CheckedRulebook) -> Iterator[tuple[ValueSymbol | TableSymbol | RankSymbol, object]]:
    parts: object
    for declaration in (*checked.book.declarations, *_ruled(checked)):
        match declaration:
            case m.Value(name=name, cases=cases):
                symbol = checked.symbol_of(name)
                parts = cases
            case m.Table(name=name, rows=rows):
                symbol = checked.symbol_of(name)
                parts = tuple(row.gives for row in rows)
            case m.Rank(name=name, where=where, lines=lines):
                symbol = checked.symbol_of(name)
                parts = (where, lines)
            case m.Rule():
                for norm in declaration.all_norms():
                    if isinstance(norm.body, m.ValueNorm):
                        target = checked.symbols.get(id(norm.body.target))
                        if isinstance(target, ValueSymbol):
                            yield target, (norm.body.value, norm.body.conditions)
                continue
            case _:
                continue
        if isinstance(symbol, ValueSymbol | TableSymbol | RankSymbol):
            yield symbol, parts


def _is_plain(expr: m.Expr, checked: CheckedRulebook) -> bool:
    if isinstance(expr, m.Number | m.Truth):
        return True
    if not isinstance(expr, m.Ref):
        return False
    return isinstance(checked.symbols.get(id(expr)), VariableSymbol | ConstantSymbol)


def _key(symbol: ValueSymbol | TableSymbol | RankSymbol) -> str:
    """Several may share a name."""
    return f"{symbol.name} {symbol.span.source.path} {symbol.span.start}"


def _procedure_cycles(checked: CheckedRulebook) -> Iterator[Diagnostic]:
    """Procedures that call each other, where nothing is chosen, asked or rolled in any of them that could end it."""
    edges: dict[tuple[str, str], m.Name] = {}
    for declaration in checked.book.declarations:
        if isinstance(declaration, m.Procedure) and not _pauses(declaration.body):
            for part in nodes_of(declaration.body):
                if isinstance(part, m.Do):
                    edges.setdefault((declaration.signature.verb.text, part.phrase.verb.text), part.phrase.verb)
    hint = "nobody chooses anything and nothing is rolled on the way round: only a condition can end it"
    yield from _cycle_reports(edges, "LX416", "calls", None, hint)


def _pauses(body: m.Block) -> bool:
    chances = m.Chooses | m.Takes | m.Offer | m.Decides | m.Window | m.Roll | m.RollRows | m.Draw | m.Shuffle
    return any(isinstance(part, chances) for part in nodes_of(body))


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
    _ruling_cycles,
    _value_cycles,
    _procedure_cycles,
    _unreachable_passages,
)
