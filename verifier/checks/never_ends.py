"""LX956: an ending of a story that is never reached."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.walk import nodes_of
from verifier.court import Court, cited
from verifier.finding import Place
from verifier.lost_in_stories import lost_in_stories
from verifier.reaching import finding
from verifier.suspicion import Check, Looked, Remark


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    endings = [node for node in nodes_of(tuple(court.machine.passages.values())) if isinstance(node, m.Ending)]
    looked.things += len(endings)
    for one in lost_in_stories(court).endings if endings else ():
        node = one.item.node
        assert isinstance(node, m.Simple)
        assert isinstance(node.body, m.Ending)
        place = Place(one.item.owner, node.span, cited(one.item.clauses))
        link = () if one.link is None else (Place(one.link.owner, one.link.node.span, (), "would lead there"),)
        hint = "let the story come to what this ending needs, or ask less for it"
        message = f'the ending "{node.body.text}" is never reached'
        marks = one.marks
        yield finding("LX956", message, (place, *link), one.lost, hint, marks.details, marks.places, "an ending")


CHECK = Check("endings of stories that are never reached", "unreachable", None, conclude, for_all=True)
