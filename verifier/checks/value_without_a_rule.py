"""LX932: a value that can be asked for in a state in which no rule says what it is."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from verifier.court import Court
from verifier.finding import Finding
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


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    values = court.machine.values
    looked.things += len(values)
    for span, stops in by_subject(court, ("gap",), ("value",)).items():
        found = first_possible(court, stops)
        if found is None:
            continue
        stop, case = found
        node = values[span]
        court.suspected.add(("LX932", span))
        places = (declared(node.name, node.clauses, "no case applies"), asking(stop))
        yield suspicion(court, "LX932", _message(node), places, _hint(node), case, silent_at(span))


def _message(node: m.Value) -> str:
    return f"no rule says what `{node.name.text}` is in a state in which it is asked for"


def _hint(node: m.Value) -> str:
    return f"add a case for what is left, or begin with `usually is ...` for `{node.name.text}`"


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    values = court.machine.values
    told = {subject for code, subject in court.suspected if code == "LX932"}
    for fact, evidence in open_points(court, "gap"):
        span = fact.what[3]
        if span in values and span not in told:
            told.add(span)
            node = values[span]
            places = (declared(node.name, node.clauses, "no case applies"),)
            yield witnessed(court, "LX932", _message(node), places, _hint(node), fact, evidence)


CHECK = Check("values without a rule", "gap", suspect, conclude)
