"""LX996: a restatement that says what it restates, in every state. Only on request."""

from __future__ import annotations

from collections.abc import Iterator

from solver.encode.expressions import NotEncodable
from verifier.court import Court
from verifier.finding import Finding, Place
from verifier.restating.pairs import restated
from verifier.restating.statements import apart
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for pair in restated(court.checked):
        looked.things += 1
        known = set(court.not_encoded)
        try:
            differs = any(True for _ in apart(court, pair))
        except NotEncodable as reason:
            court.cannot_encode(pair.ours.name, reason)
            continue
        if differs or set(court.not_encoded) != known:
            continue
        ours, theirs = pair.ours, pair.theirs
        places = (
            Place(ours.name, ours.node.span, ours.cites, "says it once more"),
            Place(theirs.name, theirs.node.span, theirs.cites, "says it"),
        )
        message = f"`{ours.name}` says what `{theirs.name}` says, in every state"
        yield Finding("LX996", message, places, "proved", "the solver")


CHECK = Check("restatements that agree", "redundant", suspect)
