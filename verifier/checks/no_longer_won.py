"""LX973 and LX974: a game that all win or lose together, in which play can come to where it can no longer be won.

LX973: and nothing says that it is lost. LX974: and it goes on, with things to decide, until it is lost.

Only where every state was seen. Where players play against each other, a game that nobody can win any more is a draw,
and that is theirs to play out.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.walk import nodes_of
from solver.play import Graph
from verifier.checks.no_move import FAMILY
from verifier.court import Court
from verifier.finding import Finding, Place, Witness
from verifier.suspicion import Check, Looked, Remark
from verifier.telling import steps_of

_LONG = 2  # so many decisions are left to be made for nothing


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    graph = court.exploration.graph
    if graph is None or not _is_together(court, graph):
        return
    looked.things += len(graph)
    open_ = graph.can_reach(graph.won_by(0))
    if 0 not in open_:
        return
    told = frozenset(number for number in graph.ends if graph.results[number])
    silent = graph.never(told) - graph.never(graph.ends)  # where nothing ends any more, that is told for itself
    if silent:
        message = "play can come to where the game can no longer be won, and nothing says that it is lost"
        yield _finding(court, graph, min(silent), "LX973", message, "say when the game is lost, or leave a way back")
    late = _lost_early(graph, open_)
    if late and not silent:
        left = graph.choices_to(graph.ends)[min(late)]
        message = (
            f"play can come to where the game can no longer be won, and goes on for {left} decisions or more until it "
            "is lost"
        )
        hint = "say that the game is lost there, or leave a way back; where that is meant, nothing need be done"
        yield _finding(court, graph, min(late), "LX974", message, hint)


def _is_together(court: Court, graph: Graph) -> bool:
    """Whether one plays alone, or all players win together as the book says, and no game ends for them differently."""
    wins = [
        node.player
        for node in nodes_of(court.checked.book.declarations)
        if isinstance(node, m.Outcome) and node.result == "wins" and node.player is not None
    ]
    if court.seats > 1 and any(player.name.text != court.checked.players for player in wins):
        return False
    ends = [graph.results[number] for number in graph.ends]
    return bool(wins) and all(len({end.get(player) for player in range(court.seats)}) == 1 for end in ends)


def _lost_early(graph: Graph, open_: frozenset[int]) -> list[int]:
    """States that a decision leads to where it could still be won, after which several more are made."""
    left = graph.choices_to(graph.ends)
    entered = {other for number in open_ if graph.sorts[number] == "choice" for other in graph.after[number]}
    return sorted(number for number in entered - open_ if left.get(number, 0) >= _LONG)


def _finding(court: Court, graph: Graph, state: int, code: str, message: str, hint: str) -> Finding:
    play = next(d for d in court.checked.book.declarations if isinstance(d, m.Play))
    rules = [norm for norm in court.machine.endings if norm.body.outcome.result == "wins"]  # type: ignore[union-attr]
    places = (
        Place("play", play.span, (), "goes on"),
        *(court.place(norm, "can no longer come about") for norm in rules),
    )
    witness = Witness((), steps_of(court.machine, graph.play_to(state, court.machine)), court.seats)
    return Finding(code, message, places, "proved", "every state of play", witness, (), hint)


CHECK = Check("games that can no longer be won", FAMILY, None, conclude)
