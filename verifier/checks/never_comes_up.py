"""LX957: a row of a table that never counts, or things that never leave the pile where they lie at the start."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.world import Cells
from rules.symbols import SlotSymbol
from rules.types import PileT
from rules.walk import nodes_of
from verifier.bookmap import Item, bookmap
from verifier.court import Court, cited
from verifier.finding import Finding, Place
from verifier.reaching import FLOW, GRAPH, STATES, Lost, everywhere, finding
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for item in _rows(court):
        looked.things += 1
        if _is_closed(court, item) and everywhere(court, lambda other, item=item: _is_closed(other, item)):  # type: ignore[misc]
            yield _row(item, Lost("history", FLOW))
    for slot in court.machine.world.slots.values():
        if isinstance(slot.symbol.type, PileT):
            looked.things += 1
            things = _left_lying(court, slot)
            if things:
                yield _things(slot, things)


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:  # noqa: ARG001  (they were counted before)
    for item in _rows(court):
        if _is_closed(court, item) or not _is_unseen(court, item):
            continue
        if everywhere(court, lambda other, item=item: _is_unseen(other, item)):  # type: ignore[misc]
            yield _row(item, Lost("history", STATES))


# ---- rows


def _rows(court: Court) -> Iterator[Item]:
    for item in bookmap(court.checked).items.values():
        if isinstance(item.node, m.Row):
            yield item


def _is_closed(court: Court, item: Item) -> bool:
    """Whether other rows beside it are reached, and this one is not."""
    assert isinstance(item.node, m.Row)
    rows = [one.node for one in _beside(court, item)]
    reached = court.analysis.reached.rows
    return id(item.node) not in reached and any(id(row) in reached for row in rows)


def _is_unseen(court: Court, item: Item) -> bool:
    exploration = court.explore_in_full()
    if not exploration.complete:
        return False
    seen = {fact.what for fact in exploration.facts if fact.kind == "row"}
    return item.node.span not in seen and any(one.node.span in seen for one in _beside(court, item))


def _beside(court: Court, item: Item) -> list[Item]:
    above = None if item.above is None else id(item.above.node)
    return [
        one
        for one in _rows(court)
        if one.owner == item.owner and (None if one.above is None else id(one.above.node)) == above
    ]


def _row(item: Item, lost: Lost) -> Finding:
    place = Place(item.owner, item.node.span, cited(item.clauses))
    text = item.node.span.text.split(":")[0].strip()
    hint = "what the table is asked with never comes to this row"
    return finding("LX957", f"the row `{text}` of `{item.owner}` never counts", (place,), lost, hint, of_it="a row")


# ---- things


def _left_lying(court: Court, slot: Cells) -> tuple[str, ...]:
    """The things that lie in a pile at the start, where nothing takes any from it and nothing asks about it."""
    assert isinstance(slot.symbol.type, PileT)
    kind = slot.symbol.type.kind
    lying = [thing for cell in court.space.start.cells[slot.base : slot.base + slot.count] for thing in cell]
    for node in nodes_of(court.checked.book.declarations):
        match node:
            case m.Move(origin=None, target=target) if _kind_of(court, target) == kind:
                return ()  # it takes a thing from wherever it lies
            case m.Slot():
                continue
            case m.Ref() if court.checked.symbols.get(id(node)) is slot.symbol and not _is_target(court, node):
                return ()
            case _:
                pass
    return tuple(dict.fromkeys(court.machine.world.titles[kind][thing] for thing in lying))


def _kind_of(court: Court, ref: m.Ref) -> str | None:
    symbol = court.checked.symbol_of(ref)
    return symbol.type.kind if isinstance(symbol, SlotSymbol) and isinstance(symbol.type, PileT) else None


def _is_target(court: Court, ref: m.Ref) -> bool:
    """Whether things are only put there."""
    for node in nodes_of(court.checked.book.declarations):
        match node:
            case m.Move(target=target) | m.Draw(target=target) if target is ref:
                return True
            case m.Shuffle(into=into) if into is ref:
                return True
            case _:
                pass
    return False


def _things(slot: Cells, things: tuple[str, ...]) -> Finding:
    shown = ", ".join(f"`{name}`" for name in things[:4]) + (f" and {len(things) - 4} more" if len(things) > 4 else "")
    place = Place(slot.symbol.name, slot.node.span, cited(slot.node.clauses))
    message = f"{shown} never come{'s' if len(things) == 1 else ''} up: nothing is ever taken from `{slot.symbol.name}`"
    hint = "draw or move from it, or leave these things out"
    return finding("LX957", message, (place,), Lost("graph", GRAPH), hint, of_it="something")


CHECK = Check("rows and things that never come up", "unreachable", suspect, conclude, for_all=True)
