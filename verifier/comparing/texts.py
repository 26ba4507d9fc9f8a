"""What is compared by its text: rows of tables, lines of ranks, triggers and limits, steps, things and state.

Variables may have other names, places in the documents are left out; anything else that is written otherwise counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product, zip_longest
from typing import Any

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import TableSymbol
from verifier.comparing.comparison import Different, Says
from verifier.comparing.sides import Pair, Side
from verifier.restating.normal import Normal, normal_of, words_of

_MOST_KEYS = 3_000


def tables_apart(pair: Pair, name: str) -> Iterator[Different]:
    """Key by key; what the rows say is compared by its text."""
    machines = pair.one.court.machine, pair.other.court.machine
    tables = machines[0].tables[name], machines[1].tables[name]
    symbol = pair.other.court.checked.symbol_of(tables[1].name)
    assert isinstance(symbol, TableSymbol)
    world = machines[1].world
    for number, keys in enumerate(product(*(world.domain(type_) for type_ in symbol.params))):
        if number >= _MOST_KEYS:
            return
        rows = [
            [row for _, row in machine.fitting_rows(table.rows, keys)]
            for table, machine in zip(tables, machines, strict=True)
        ]
        forms = [{_form(row, machine) for row in found} for found, machine in zip(rows, machines, strict=True)]
        texts = [_rows(found, len(form)) for found, form in zip(rows, forms, strict=True)]
        if forms[0] != forms[1]:
            shown = ", ".join(world.show(key, type_) for key, type_ in zip(keys, symbol.params, strict=True))
            yield Different("table", name, f"{name} for {shown}", Says(texts[0]), Says(texts[1]), (), True)


def _rows(rows: list[m.Row], different: int) -> str:
    """What the rows for one key say."""
    texts = list(dict.fromkeys(_row(row) for row in rows))
    if different > 1:
        return f"undetermined: {' or '.join(texts)}"
    return texts[0] if texts else "no row"


def _row(row: m.Row) -> str:
    return words_of(row.gives) if row.gives is not None else "; ".join(words_of(one) for one in row.body)


def _form(row: m.Row, machine: Any) -> object:
    return Normal(machine).of((row.gives, row.body))


def passages_apart(pair: Pair, name: str, passages: tuple[m.Passage, m.Passage]) -> Iterator[Different]:
    """What is done in a passage and where its options lead; how that is worded is no matter."""
    machines = pair.one.court.machine, pair.other.court.machine
    lines = [_passage(passage, machine) for passage, machine in zip(passages, machines, strict=True)]
    for one, other in zip_longest(*lines):
        if one is None or other is None or one[0] != other[0]:
            says = [Says(_whole(line[1])) if line is not None else Says("nothing more") for line in (one, other)]
            yield Different("passage", name, name, says[0], says[1])
            return


def _whole(node: Any) -> str:
    """A statement; an option with what follows from it."""
    follows = "; ".join(_line(statement) for statement in node.body) if isinstance(node, m.Option) else ""
    return f"{_line(node)}: {follows}" if follows else _line(node)


def _passage(passage: m.Passage, machine: Any) -> list[tuple[object, Any]]:
    normal = Normal(machine)
    return [
        *((normal.of(statement), statement) for statement in passage.body),
        *((normal.of((option.conditions, option.body)), option) for option in passage.options),
    ]


def text_apart(pair: Pair, sort: Any, name: str, nodes: tuple[Any, Any], parts: tuple[Any, Any]) -> Iterator[Different]:
    """What is written otherwise: the lines of a rank, the steps of an action or a procedure."""
    machines = pair.one.court.machine, pair.other.court.machine
    normals = [Normal(machine, _roles(node)) for machine, node in zip(machines, nodes, strict=True)]
    forms = [normal.of(part) for normal, part in zip(normals, parts, strict=True)]
    if forms[0] == forms[1]:
        return
    one, other = _first_apart(parts[0], parts[1], (normals[0], normals[1]))
    says = [Says(_line(node)) if node is not None else Says("nothing more") for node in (one, other)]
    yield Different(sort, name, name, says[0], says[1], (), False)


def _first_apart(ours: Any, theirs: Any, normals: tuple[Normal, Normal]) -> tuple[Any, Any]:
    """The first line that is written otherwise, as deep inside as both are built alike."""
    for one, other in zip_longest(ours, theirs):
        if normals[0].of(one) == normals[1].of(other):
            continue
        inner = [getattr(node, "body", None) for node in (one, other)]
        if all(isinstance(body, tuple) for body in inner) and _line(one) == _line(other):
            return _first_apart(inner[0], inner[1], normals)
        return one, other
    return ours, theirs


def _line(node: Any) -> str:
    """The first line of a statement."""
    return words_of(node) if "\n" not in node.span.text else " ".join(node.span.text.splitlines()[0].split())


def _roles(node: Any) -> dict[str, str]:
    if isinstance(node, m.Action | m.Procedure):
        return {param.variable.text: f"the part {param.label or ''}" for param in node.signature.params}
    if isinstance(node, m.Rank):
        return {node.variable.text: "the ranked", **{name.text: f"given {i}" for i, name in enumerate(node.given)}}
    return {}


def reactions_apart(pair: Pair) -> Iterator[Different]:
    """Triggers, replacements, what is ignored, and limits: those of one side that the other does not have."""
    sides = [_reactions(side) for side in (pair.one, pair.other)]
    left = [[norm for form, norm in sides[i] if form not in {f for f, _ in sides[1 - i]}] for i in (0, 1)]
    waiting = list(left[1])
    for norm in left[0]:
        other = next((one for one in waiting if one.name == norm.name), None)
        if other is not None:
            waiting.remove(other)
        yield _reaction(norm.name, norm, other)
    for norm in waiting:
        yield _reaction(norm.name, None, norm)


def _reactions(side: Side) -> list[tuple[object, RuleNorm]]:
    machine = side.court.machine
    return [
        ((norm.manner, normal_of(norm, machine).of(norm.body)), norm)
        for norm in side.norms()
        if isinstance(norm.body, m.EventNorm | m.IgnoreNorm | m.LimitNorm)
    ]


def _reaction(name: str, one: RuleNorm | None, other: RuleNorm | None) -> Different:
    says = [Says(words_of(norm.body)) if norm is not None else Says("nothing of the kind") for norm in (one, other)]
    return Different("trigger", name, name, says[0], says[1])


def things_apart(pair: Pair, name: str, ours: Any, theirs: Any) -> Iterator[Different]:
    """A kind, a type or a piece of state that is declared otherwise."""
    parts = [_declared(node) for node in (ours, theirs)]
    machines = pair.one.court.machine, pair.other.court.machine
    forms = [Normal(machine).of(part) for machine, part in zip(machines, parts, strict=True)]
    if forms[0] != forms[1]:
        yield Different("state", name, name, Says(_line(ours)), Says(_line(theirs)))


def _declared(node: Any) -> Any:
    match node:
        case m.Kind(population=population):
            return population
        case m.TypeDecl(body=body):
            return body
        case m.Slot():
            return (node.indices, node.type, node.starts, node.printed, node.modifiers)
        case _:
            return ()
