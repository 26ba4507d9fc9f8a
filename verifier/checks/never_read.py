"""LX954: a passage that is never read."""

from __future__ import annotations

from collections.abc import Iterator

from verifier.court import Court, cited
from verifier.finding import Place
from verifier.lost_in_stories import LostPassage, lost_in_stories
from verifier.reaching import finding
from verifier.suspicion import Check, Looked, Remark


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    looked.things += len(court.machine.passages)
    for one in lost_in_stories(court).passages if court.machine.passages else ():
        name = one.passage.name
        own = Place(name.text, name.span, cited(one.passage.clauses))
        link = () if one.link is None else (Place(one.link.owner, one.link.node.span, (), "would lead there"),)
        details = (*_behind(one), *one.marks.details)
        message = f"`{name.text}` is never read"
        yield finding("LX954", message, (own, *link), one.lost, _hint(one), details, one.marks.places)


def _hint(one: LostPassage) -> str:
    if one.link is None:
        return "add the link that is missing, or remove the passage"
    return "let the story come to what the way there needs, or ask less of it"


def _behind(one: LostPassage) -> tuple[str, ...]:
    return (f"so neither is {', '.join(f'`{name}`' for name in one.behind)}",) if one.behind else ()


CHECK = Check("passages that are never read", "unreachable", None, conclude, for_all=True)
