"""LX941: two rows of a table or a roll for the same keys, which can come up, and the rows do not say the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from rules import model as m
from solver.encode.statements import Stop
from solver.encode.sym import Sym
from solver.play import Fact
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place
from verifier.rows import Box, Rows, all_rows, boxes, inside, trimmed
from verifier.stopping import asking, by_subject, open_points, suspicion, witnessed
from verifier.suspicion import Check, Looked, Remark

_HINT = "let one of the rows end where the other begins"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    known = all_rows(court)
    looked.things += sum(len(rows.rows) for rows in known.values())
    for span, stops in by_subject(court, ("undetermined",), ("table", "rows")).items():
        rows = known[span]
        for stop in stops:
            for pair, box, found in _meetings(court, rows, stop):
                if ("LX941", _lines(pair)) not in court.suspected:
                    court.suspected.add(("LX941", _lines(pair)))
                    places = (*_places(rows, pair), asking(stop))
                    message = _message(rows, box.words)
                    yield suspicion(court, "LX941", message, places, _HINT, found, _shown(rows, pair))


def _meetings(court: Court, rows: Rows, stop: Stop) -> Iterator[tuple[tuple[m.Row, m.Row], Box, Case | Unknown]]:
    keys = stop.about[2]
    assert isinstance(keys, tuple)
    asked: tuple[Sym, ...] = keys
    for box in boxes(court, rows, asked):
        pairs = [pair for pair in combinations(box.rows, 2) if _differ(pair)]
        if not pairs:
            continue
        found = court.possible(("reached", stop.when), ("key", inside(box, asked)))
        if not isinstance(found, Proved):
            narrow = trimmed(court, box, asked, rows, stop.when)
            for pair in pairs:
                yield pair, narrow, found


def _differ(pair: tuple[m.Row, m.Row]) -> bool:
    one, other = pair
    return (one.gives, one.body) != (other.gives, other.body)


def _message(rows: Rows, words: str) -> str:
    return f"{rows.words} has two rows for {words}, and they do not say the same"


def _places(rows: Rows, pair: tuple[m.Row, m.Row]) -> tuple[Place, Place]:
    one, other = (
        Place(rows.name.text, row.span, cited(row.clauses) or cited(rows.clauses), part)
        for row, part in zip(pair, ("one row", "the other"), strict=True)
    )
    return one, other


def _lines(pair: tuple[m.Row, m.Row]) -> tuple[str, int, int]:
    return pair[0].span.source.path, pair[0].span.line, pair[1].span.line


def _shown(rows: Rows, pair: tuple[m.Row, m.Row]) -> Callable[[Fact], bool]:
    def shown(fact: Fact) -> bool:
        if fact.kind != "open" or fact.what[0] != "undetermined":
            return False
        text, _, lines = fact.what[1].partition(": the rows of lines ")
        named: list[str] = lines.split(" and ")
        return text.startswith(f"{rows.name.text} for ") and all(str(row.span.line) in named for row in pair)

    return shown


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    for rows in all_rows(court).values():
        for pair in combinations(rows.rows, 2):
            if ("LX941", _lines(pair)) in court.suspected or not _differ(pair):
                continue
            shown = _shown(rows, pair)
            found = [(fact, evidence) for fact, evidence in open_points(court, "undetermined") if shown(fact)]
            if found:
                fact, evidence = min(found, key=lambda one: one[1].length)
                words = fact.what[1].partition(" for ")[2].partition(": ")[0]
                yield witnessed(court, "LX941", _message(rows, words), _places(rows, pair), _HINT, fact, evidence)


CHECK = Check("rows that meet", "overlap", suspect, conclude)
