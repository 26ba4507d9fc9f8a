"""LX984: a game that can come to where no end is in reach. LX985: a game that players can prolong for ever.

Both only where every state was seen; what was not proved is not said.
"""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from solver.play import Graph
from verifier.court import Court
from verifier.finding import Finding, Place, Witness
from verifier.suspicion import Check, Looked


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:
    graph = court.exploration.graph
    if not court.exploration.complete or graph is None:
        return
    looked.things += len(graph)
    lost = graph.never(graph.ends | _dead_ends(graph))
    if lost:
        yield _finding(court, graph, min(lost), "LX984", _no_end(lost), "say how the game ends from there")
    prolonged = _prolonged(graph, lost)
    if prolonged:
        message = "players who want to can go on for ever, whatever the dice say: nothing makes the game end"
        yield _finding(court, graph, min(prolonged), "LX985", message, "count rounds, or end what is repeated")


def _no_end(lost: frozenset[int]) -> str:
    if 0 in lost:
        return "the game never ends: no play comes to an end"
    return "play can come to where the game can no longer end, whatever is decided from there on"


def _finding(court: Court, graph: Graph, number: int, code: str, message: str, hint: str) -> Finding:
    play = next(d for d in court.checked.book.declarations if isinstance(d, m.Play))
    place = Place("play", play.span, (), "goes on")
    witness = Witness((), graph.play_to(number, court.machine).texts, court.seats)
    return Finding(code, message, (place,), "proved", "exhaustive", witness, (), hint)


def _dead_ends(graph: Graph) -> frozenset[int]:
    """Open points that nothing settles: play stops there, and that is told for itself."""
    return frozenset(n for n, sort in enumerate(graph.sorts) if sort == "open" and not graph.after[n])


def _prolonged(graph: Graph, lost: frozenset[int]) -> frozenset[int]:
    """The states from which those who choose can keep the game from ending, however chance falls.

    What is `lost` does not count: to go there is no choice to prolong a game that can end.
    """
    before: list[list[int]] = [[] for _ in graph.sorts]
    for number, followers in enumerate(graph.after):
        for follower in followers:
            before[follower].append(number)
    staying = [len(set(followers)) for followers in graph.after]  # how many ways lead on inside
    gone = {n for n, sort in enumerate(graph.sorts) if sort in ("over", "open") or not graph.after[n]} | lost
    waiting = list(gone)
    while waiting:
        for number in before[waiting.pop()]:
            staying[number] -= 1
            if number not in gone and (graph.sorts[number] == "chance" or not staying[number]):
                gone.add(number)
                waiting.append(number)
    return frozenset(range(len(graph))) - gone


CHECK = Check("games without end", "outcome", None, conclude)
