"""LX963: what a step sets is overwritten before anything reads it, in every play."""

from __future__ import annotations

from collections.abc import Iterator

from solver.analysis import InVain
from verifier.court import Court
from verifier.finding import Finding, Place
from verifier.suspicion import Check, Looked, Remark

_MOST_SHOWN = 3  # statements of each sort


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    looked.things += len(court.machine.world.slots)
    early = {one.slot for one in court.read_early}  # told as LX962
    for one in court.orders.in_vain:
        if one.slot not in early:
            yield _finding(one)


def _finding(one: InVain) -> Finding:
    writer, other = one.written[0].moment, one.by[0].moment
    reads = "reads it afterwards" if one.always is None else f"reads it: always {one.always}"
    places = [Place(write.moment, write.node.span, (), "sets it") for write in one.written[:_MOST_SHOWN]]
    places += [Place(write.moment, write.node.span, (), "overwrites it") for write in one.by[:_MOST_SHOWN]]
    places += [Place(reading.moment, reading.part.span, (), reads) for reading in one.readings[:_MOST_SHOWN]]
    reader = next((reading.moment for reading in one.readings if reading.moment not in (writer, other)), None)
    return Finding(
        "LX963",
        f"what `{writer}` makes of `{one.slot}` is overwritten by `{other}` before anything reads it",
        tuple(places),
        "proved",
        "the order of the steps",
        None,
        (),
        f"let `{reader}` come before `{other}`"
        if reader is not None
        else f"let something read it before `{other}`, or take one of the two away",
    )


CHECK = Check("things that are set in vain", "order", suspect)
