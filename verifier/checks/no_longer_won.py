"""LX973: a game for one in which play can come to where it can no longer be won, and nothing says that it is lost.

Only where every state was seen. With several players a game that nobody can win any more is a draw, and that is theirs
to play out.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from verifier.checks.no_move import FAMILY
from verifier.court import Court
from verifier.finding import Finding, Place, Witness
from verifier.suspicion import Check, Looked, Remark
from verifier.telling import steps_of


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    graph = court.exploration.graph
    players = court.checked.kinds[court.checked.players] if court.checked.players else None
    if graph is None or players is None or players.most > 1:
        return
    looked.things += len(graph)
    won = graph.won_by(0)
    told = frozenset(number for number in graph.ends if graph.results[number])
    lost = graph.never(told) - graph.never(graph.ends)  # where nothing ends any more, that is told for itself
    if 0 in graph.can_reach(won) and lost:
        yield _finding(court, min(lost))


def _finding(court: Court, state: int) -> Finding:
    graph = court.exploration.graph
    assert graph is not None
    play = next(d for d in court.checked.book.declarations if isinstance(d, m.Play))
    rules = [norm for norm in court.machine.endings if norm.body.outcome.result == "wins"]  # type: ignore[union-attr]
    places = (
        Place("play", play.span, (), "goes on"),
        *(court.place(norm, "can no longer come about") for norm in rules),
    )
    witness = Witness((), steps_of(court.machine, graph.play_to(state, court.machine)), court.seats)
    return Finding(
        "LX973",
        "play can come to where the game can no longer be won, and nothing says that it is lost",
        places,
        "proved",
        "every state of play",
        witness,
        (),
        "say when the game is lost, or leave a way back",
    )


CHECK = Check("games that can no longer be won", FAMILY, None, conclude)
