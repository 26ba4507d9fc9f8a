"""LX972: steps or triggers that repeat without end, and nobody decides anything."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.checks.no_move import FAMILY, witness
from verifier.court import Court
from verifier.finding import Finding, Place
from verifier.going_round import Round, rounds
from verifier.suspicion import Check, Looked, Remark
from verifier.telling import member_words


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    looked.things += len(court.machine.reactions) + len(court.machine.procedures)
    for one in rounds(court):
        if one.fired or not one.asked:
            yield _finding(court, one)


def _finding(court: Court, one: Round) -> Finding:
    assert one.span is not None
    around = Place(one.moment, one.span, (), "goes on")
    if one.fired:
        norms = list(one.fired.values())
        names = " and ".join(f"`{name}`" for name in dict.fromkeys(norm.name for norm in norms))
        message = f"{names} bring {'each other' if len(norms) > 1 else 'itself'} about without end"
        places = (*(court.place(norm, "is carried out again") for norm in norms), around)
        hint = "give one of them a condition that ends it"
    else:
        message = f"`{one.moment}` repeats without end, and nobody decides anything"
        places = (around,)
        hint = "let something in it bring about what ends it"
    return Finding(
        "LX972", message, places, "witnessed", member_words(one.evidence.by), witness(court, one.evidence), (), hint
    )


CHECK = Check("rules that go round for ever", FAMILY, None, conclude)
