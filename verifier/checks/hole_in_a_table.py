"""LX931: a table, or the rows of a roll, that has no row for keys that can come up."""

from __future__ import annotations

from collections.abc import Iterator

from solver.encode.statements import Stop
from solver.encode.sym import Sym
from solver.verdict import Unknown
from verifier.court import Case, Court
from verifier.finding import Finding, Place
from verifier.rows import Rows, all_rows, boxes, inside, trimmed
from verifier.stopping import (
    asking,
    by_subject,
    declared,
    first_possible,
    open_points,
    silent_at,
    suspicion,
    witnessed,
)
from verifier.suspicion import Check, Looked, Remark

_SHOWN = 3  # holes that are named; the rest is counted


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    known = all_rows(court)
    looked.things += len(known)
    for span, stops in by_subject(court, ("gap",), ("table", "rows")).items():
        found = _holes(court, known[span], stops)
        if found is None:
            continue
        words, stop, case = found
        rows = known[span]
        court.suspected.add(("LX931", span))
        places = _places(rows, asking(stop))
        yield suspicion(court, "LX931", _message(rows, words), places, _hint(words), case, silent_at(span))


def _holes(court: Court, rows: Rows, stops: list[Stop]) -> tuple[list[str], Stop, Case | Unknown] | None:
    """The words for all keys without a row that can come up, and where the first of them does."""
    words: dict[str, None] = {}
    first: tuple[Stop, Case | Unknown] | None = None
    for stop in stops:
        keys = stop.about[2]
        assert isinstance(keys, tuple)
        asked: tuple[Sym, ...] = keys
        for box in boxes(court, rows, asked):
            if box.rows or box.words in words:
                continue
            found = court.possible(("reached", stop.when), ("key", inside(box, asked)))
            if isinstance(found, Case):
                words[trimmed(court, box, asked, rows, stop.when).words] = None
                first = first or (stop, found)
    first = first or first_possible(court, stops)
    return None if first is None else (list(words), *first)


def _message(rows: Rows, words: list[str]) -> str:
    if not words:
        return f"{rows.words} has no row for some of the keys that can come up"
    shown = "; ".join(words[:_SHOWN])
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return f"{rows.words} has no row for {shown}{more}"


def _hint(words: list[str]) -> str:
    return f"add a row for {words[0]}" if words else "add a row for every key that can come up"


def _places(rows: Rows, place: Place) -> tuple[Place, ...]:
    if not rows.is_table:
        return (Place(place.name, rows.name.span, place.cites, "has no row"),)
    return (declared(rows.name, rows.clauses, "has no row"), place)


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    """What play came to where the text could not be followed."""
    known = all_rows(court)
    told = {subject for code, subject in court.suspected if code == "LX931"}
    for fact, evidence in open_points(court, "gap"):
        span = fact.what[3]
        if span in known and span not in told:
            told.add(span)
            rows = known[span]
            key = fact.what[1].partition(" for ")[2]
            places = (declared(rows.name, rows.clauses, "has no row"),)
            yield witnessed(court, "LX931", _message(rows, [key]), places, _hint([key]), fact, evidence)


CHECK = Check("holes in tables", "gap", suspect, conclude)
