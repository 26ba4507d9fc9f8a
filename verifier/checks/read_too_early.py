"""LX962: something that is read before it is there, in every play: while it is none, or before it is first set."""

from __future__ import annotations

from collections.abc import Iterator

from solver.analysis import Early, Unset
from verifier.court import Court
from verifier.finding import Finding, Place
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    looked.things += len(court.machine.world.slots)
    told: set[tuple[str, str]] = set()
    for one in court.read_early:
        if (one.slot, one.reader) not in told:
            told.add((one.slot, one.reader))
            yield _none(one)
    yield from map(_unset, court.orders.unset)


def _none(one: Early) -> Finding:
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


def _unset(one: Unset) -> Finding:
    writer, reader = one.written[0].moment, one.reading.moment
    places = [Place(reader, one.reading.part.span, (), f"reads it; the first time it is {one.value}")]
    places += [Place(write.moment, write.node.span, (), "sets it") for write in one.written[:3]]
    return Finding(
        "LX962",
        f"`{reader}` reads `{one.slot}` before `{writer}` first sets it, and the book does not say how it starts",
        tuple(places),
        "proved",
        "the order of the steps",
        None,
        (),
        f"let `{writer}` come before `{reader}`; or, if it is meant so, say `starts {one.value}`",
    )


CHECK = Check("things that are read too early", "order", suspect)
