"""LX953: a phase, step, window or procedure that is never entered."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rules import model as m
from verifier.bookmap import Bookmap, Item, bookmap
from verifier.court import Court, cited
from verifier.finding import Finding, Place
from verifier.reaching import FLOW, STATES, Condition, Lost, everywhere, excluded, finding
from verifier.suspicion import Check, Looked, Remark

Moment = tuple[str, str]  # word and name, as play shows it


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for item, moment in _moments(court):
        looked.things += 1
        if _is_first_closed(court, item, moment) and everywhere(court, lambda other, it=item: _is_closed(other, it)):  # type: ignore[misc]
            yield _finding(item, moment, _why(court, item))


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:  # noqa: ARG001  (they were counted before)
    if not court.exploration.complete:
        return
    told: set[int] = set()
    for item, moment in _moments(court):
        if _is_closed(court, item) or not _is_unseen(court, moment):
            continue
        told.add(id(item.node))
        if any(id(above.node) in told for above in _above(item)) or not _owner_is_seen(court, item):
            continue
        if everywhere(court, lambda other, moment=moment: _is_unseen(other, moment)):  # type: ignore[misc]
            needed = tuple(need for one in (item, *_above(item)) for need in one.needs)
            yield _finding(item, moment, Lost("history", STATES, needed[:1], (), True))


@lru_cache(maxsize=4)
def _map(court: Court) -> Bookmap:
    return bookmap(court.checked)


def _moments(court: Court) -> Iterator[tuple[Item, Moment]]:
    """Every place where a moment is begun; of procedures, those that nothing reached carries out."""
    called: set[str] = set()
    for item in _map(court).items.values():
        match item.node:
            case m.Phase(word=word, name=name):
                yield item, (word, name.text)
            case m.Simple(body=m.Window(name=name)):
                yield item, ("window", name.text)
            case m.Simple(body=m.Do(phrase=phrase)) if phrase.verb.text in court.machine.procedures:
                if phrase.verb.text not in called:
                    called.add(phrase.verb.text)
                    yield item, ("procedure", phrase.verb.text)
            case _:
                pass


def _above(item: Item) -> Iterator[Item]:
    while item.above is not None:
        item = item.above
        yield item


def _is_closed(court: Court, item: Item) -> bool:
    """The same place of the book, for any number of players."""
    reached = court.analysis.reached
    return id(item.node) not in reached.statements


def _is_first_closed(court: Court, item: Item, moment: Moment) -> bool:
    """Whether it is closed, and nothing around it is told of instead."""
    if moment[0] == "procedure" and moment[1] in court.analysis.reached.verbs:
        return False
    return is_first_closed_part(court, item)


def is_first_closed_part(court: Court, item: Item) -> bool:
    """Whether a statement is never come to, and nothing around it is told of instead."""
    if not _is_closed(court, item) or not _owner_is_reached(court, item.owner):
        return False
    return not any(
        isinstance(one.node, m.Phase | m.Option | m.Row) and _is_closed_part(court, one) for one in _above(item)
    )


def _is_closed_part(court: Court, item: Item) -> bool:
    reached = court.analysis.reached
    return id(item.node) not in reached.statements | reached.options | reached.rows


def _owner_is_reached(court: Court, owner: str) -> bool:
    reached = court.analysis.reached
    machine = court.machine
    if owner in machine.actions or owner in machine.procedures:
        return owner in reached.verbs
    if owner in machine.passages:
        return owner in reached.passages
    norms = [norm for norm in machine.norms if norm.name == owner]
    return not norms or any(norm.order in reached.triggers for norm in norms)


def _owner_is_seen(court: Court, item: Item) -> bool:
    """Whether play came to the part of the book in which it stands."""
    done = {fact.what for fact in court.exploration.facts if fact.kind == "done"}
    first = [one for one in _map(court).items.values() if one.owner == item.owner and one.above is None]
    return item.owner == "play" or any(one.node.span in done for one in first)


def _is_unseen(court: Court, moment: Moment) -> bool:
    exploration = court.explore_in_full()
    return exploration.complete and not any(f.kind == "entered" and f.what == moment for f in exploration.facts)


def _why(court: Court, item: Item) -> Lost:
    needed: list[Condition] = list(item.needs)
    for one in _above(item):
        if id(one.node) in court.analysis.reached.statements | court.analysis.reached.options:
            break
        needed = [*one.needs, *needed]
    env = {
        name: sym for name in court.machine.variables if (sym := court.analysis.guards.variable(name, id(item.node)))
    }
    lost = excluded(court, needed, env)
    return lost or Lost("history" if needed else "graph", FLOW, tuple(needed), (), True)


def _finding(item: Item, moment: Moment, lost: Lost) -> Finding:
    word, name = moment
    place = Place(name, item.node.span, cited(item.clauses))
    around = () if item.owner in ("play", name) else (Place(item.owner, item.node.span, (), "is where it stands"),)
    hint = "let play come to what it needs, or remove it"
    return finding("LX953", f"the {word} `{name}` is never entered", (place, *around), lost, hint)


CHECK = Check("moments that are never entered", "unreachable", suspect, conclude, for_all=True)
