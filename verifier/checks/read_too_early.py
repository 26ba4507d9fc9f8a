"""LX962: something that is read before it is there, in every play."""

from __future__ import annotations

from collections.abc import Iterator

from solver.analysis import Early, read_early
from verifier.court import Court
from verifier.finding import Finding, Place
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    looked.things += len(court.machine.world.slots)
    told: set[tuple[str, str]] = set()
    for one in read_early(court.machine):
        if (one.slot, one.reader) not in told:
            told.add((one.slot, one.reader))
            yield _finding(one)


def _finding(one: Early) -> Finding:
    writer = one.writers[0][0]
    places = [Place(one.reader, one.ref.span, (), "reads it while it is none")]
    places += [Place(moment, node.span, (), "sets it") for moment, node in one.writers[:3]]
    return Finding(
        "LX962",
        f"`{one.slot}` is always none where `{one.reader}` reads it; only `{writer}` sets it",
        tuple(places),
        "proved",
        "the order of the steps",
        None,
        (),
        f"let `{writer}` come before `{one.reader}`",
    )


CHECK = Check("things that are read too early", "order", suspect)
