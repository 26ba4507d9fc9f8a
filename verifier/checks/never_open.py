"""LX955: an option that is never open."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from verifier.bookmap import bookmap
from verifier.court import Court, cited
from verifier.finding import Place
from verifier.lost_in_stories import lost_in_stories
from verifier.reaching import finding
from verifier.suspicion import Check, Looked, Remark


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    options = [item for item in bookmap(court.checked).items.values() if isinstance(item.node, m.Option)]
    looked.things += len(options)
    for one in lost_in_stories(court).options if options else ():
        node = one.item.node
        assert isinstance(node, m.Option)
        place = Place(one.item.owner, node.span, cited(one.item.clauses))
        hint = "one of its needs is too much, or what should bring it about is missing"
        message = f'the option "{node.text}" of `{one.item.owner}` is never open'
        yield finding("LX955", message, (place,), one.lost, hint, one.marks.details, one.marks.places, "an option")


CHECK = Check("options that are never open", "unreachable", None, conclude, for_all=True)
