"""What of the stories no play comes to, each told once: as a passage, else as an ending, else as an option.

An option that is never open may be the only way to a passage or an ending: then these are what is lost, and the option
is why. What is lost behind a lost passage is not told again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rules import model as m
from rules.symbols import SlotSymbol
from rules.walk import nodes_of
from solver import unreachable
from verifier.bookmap import Bookmap, Item, bookmap
from verifier.court import Court, cited
from verifier.finding import Place
from verifier.reaching import GRAPH, STATES, STORY, Condition, Lost, excluded

_MOST_CHANGES = 3  # lines that change one mark, of those that are shown


@dataclass(frozen=True, slots=True)
class Marks:
    """What brings about, or fails to, what is needed: the lines that are come to and change it, and the names of what
    none changes."""

    places: tuple[Place, ...] = ()
    unchanged: tuple[str, ...] = ()

    @property
    def details(self) -> tuple[str, ...]:
        return tuple(f"nothing that is come to changes `{name}`" for name in self.unchanged)


@dataclass(frozen=True, slots=True)
class LostPassage:
    """`link` is the statement or option by which one would come to it, and that is never passed."""

    passage: m.Passage
    link: Item | None
    lost: Lost
    behind: tuple[str, ...]  # passages that can only be come to from here
    marks: Marks


@dataclass(frozen=True, slots=True)
class LostPart:
    """An option or an ending; `link` is the option or the branch that is never passed."""

    item: Item
    link: Item | None
    lost: Lost
    marks: Marks


@dataclass(frozen=True, slots=True)
class LostInStories:
    passages: tuple[LostPassage, ...]
    endings: tuple[LostPart, ...]
    options: tuple[LostPart, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """Passages by name, options and endings by identity, that are out of reach, and by whom that is known."""

    passages: frozenset[str]
    marks: frozenset[int]
    by: str


@lru_cache(maxsize=4)
def lost_in_stories(court: Court) -> LostInStories:
    """To be asked when play was explored."""
    return _Search(court).found()


class _Search:
    def __init__(self, court: Court) -> None:
        self.court = court
        self.map: Bookmap = bookmap(court.checked)
        self.nodes = [item.node for item in self.map.items.values() if _is_part(item.node)]
        self.known = self._agreed(self._by_story, STORY)
        if court.exploration.complete:
            seen = self._by_play(court)
            if seen.passages - self.known.passages or seen.marks - self.known.marks:
                both = self._agreed(self._by_play, STATES)
                self.known = _Known(self.known.passages | both.passages, self.known.marks | both.marks, STATES)
        self.links = self._links()
        self.onward: dict[str, list[str]] = {}  # from each passage, the lost ones that it leads to
        for name, links in self.links.items():
            for link in links if name in self.known.passages else ():
                self.onward.setdefault(link.owner, []).append(name)

    def found(self) -> LostInStories:
        passages = self._passages()
        told = {id(one.link.node) for one in passages if one.link is not None}
        endings = [
            self._part(item, self._closed_above(item))
            for item in self._lost(m.Simple)
            if isinstance(item.node, m.Simple)
            and isinstance(item.node.body, m.Ending)
            and not self._is_told(item, told)
        ]
        told |= {id(one.link.node) for one in endings if one.link is not None}
        options = [
            self._part(item, item)
            for item in self._lost(m.Option)
            if not self._is_told(item, told) and not self._is_told(item.above, self.known.marks)
        ]
        return LostInStories(passages, tuple(endings), tuple(options))

    # ---- what is lost

    def _agreed(self, known: object, by: str) -> _Known:
        """For every number of players."""
        assert callable(known)
        found: _Known = known(self.court)
        for other in self.court.others:
            if found.passages or found.marks:
                more: _Known = known(other)
                found = _Known(found.passages & more.passages, found.marks & more.marks, by)
        return found

    def _by_story(self, court: Court) -> _Known:
        stories, reached = court.stories, court.analysis.reached
        marks = {
            id(node)
            for node in self.nodes
            if id(node) in stories.marks or (isinstance(node, m.Option) and self._is_closed(node, court))
        }
        lost = frozenset(court.machine.passages) - reached.passages
        return _Known(frozenset(stories.passages) | lost, frozenset(marks), STORY)

    def _is_closed(self, option: m.Option, court: Court) -> bool:
        return id(option) not in court.analysis.reached.options

    def _by_play(self, court: Court) -> _Known:
        exploration = court.explore_in_full()
        if not exploration.complete:
            return _Known(frozenset(), frozenset(), STATES)
        facts = exploration.facts
        read = {fact.what for fact in facts if fact.kind == "passage"}
        seen = {fact.what for fact in facts if fact.kind in ("option offered", "done")}
        lost = frozenset(court.machine.passages) - read
        return _Known(lost, frozenset(id(node) for node in self.nodes if node.span not in seen), STATES)

    def _lost(self, sort: type) -> list[Item]:
        """In the order of the book, without what stands in passages that are lost as a whole."""
        return [
            item
            for item in self.map.items.values()
            if isinstance(item.node, sort)
            and id(item.node) in self.known.marks
            and item.owner not in self.known.passages
        ]

    def _is_told(self, item: Item | None, told: set[int] | frozenset[int]) -> bool:
        while item is not None:
            if id(item.node) in told:
                return True
            item = item.above
        return False

    # ---- passages

    def _links(self) -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = {name: [] for name in self.court.machine.passages}
        for item in self.map.items.values():
            if isinstance(item.node, m.Simple) and isinstance(item.node.body, m.Go | m.Read):
                found[item.node.body.passage.text].append(item)
        return found

    def _passages(self) -> tuple[LostPassage, ...]:
        lost = self.known.passages
        cut = set(self._cut())
        passages = self.court.machine.passages
        first = [
            name
            for name in passages
            if name in lost and (name in cut or any(link.owner not in lost for link in self.links[name]))
        ]
        behind = {name: [other for other in self._behind(name) if other not in first] for name in first}
        told = {*first, *(other for others in behind.values() for other in others)}
        for name in passages:  # passages that only lead to each other
            if name in lost and name not in told:
                first.append(name)
                behind[name] = [other for other in self._behind(name) if other not in told and other != name]
                told |= {name, *behind[name]}
        return tuple(
            self._passage(passages[name], name in cut, tuple(behind[name])) for name in passages if name in first
        )

    def _cut(self) -> list[str]:
        """The passages to which nothing leads, whatever the conditions, but from others of that sort."""
        stories = [d for d in self.court.checked.book.declarations if isinstance(d, m.Story)]
        read = {
            node.passage.text for node in nodes_of(self.court.checked.book.declarations) if isinstance(node, m.Read)
        }
        names = self.court.machine.passages
        edges = [(link.owner, name) for name, links in self.links.items() for link in links if link.owner in names]
        starts = [name for name, links in self.links.items() if any(link.owner not in names for link in links)]
        for story in stories:
            if read.isdisjoint(passage.name.text for passage in story.passages()):
                starts += [name.text for name in story.starts]
        away = unreachable(names, edges, starts)
        return [name for name in away if not any(link.owner in away for link in self.links[name])]

    def _behind(self, name: str) -> list[str]:
        """The lost passages to which ways lead from here."""
        found: dict[str, None] = {}
        waiting = [name]
        while waiting:
            for other in self.onward.get(waiting.pop(), ()):
                if other not in found:
                    found[other] = None
                    waiting.append(other)
        found.pop(name, None)
        return list(found)

    def _passage(self, passage: m.Passage, cut: bool, behind: tuple[str, ...]) -> LostPassage:
        links = [link for link in self.links[passage.name.text] if link.owner not in self.known.passages]
        if cut or not links:
            return LostPassage(passage, None, Lost("graph", GRAPH), behind, Marks())
        link = self._closed_above(links[0])
        lost = self._why(links[0], link)
        return LostPassage(passage, link or links[0], lost, behind, self._marks(lost))

    # ---- why

    def _part(self, item: Item, link: Item | None) -> LostPart:
        lost = self._why(item, link)
        return LostPart(item, link, lost, self._marks(lost))

    def _marks(self, lost: Lost) -> Marks:
        """The marks that its conditions read; what changes them matters only where it is lost by history."""
        checked, reached = self.court.checked, self.court.analysis.reached.statements
        read = {
            id(symbol): symbol
            for condition in lost.because
            for node in nodes_of(condition.expr)
            if isinstance(symbol := checked.symbols.get(id(node)), SlotSymbol)
        }
        found: dict[int, list[Place]] = {key: [] for key in read}
        for item in self.map.items.values():
            target = _changed(item.node)
            key = id(checked.symbols.get(id(target))) if target is not None else 0
            if key in found and id(item.node) in reached and item.owner not in self.known.passages:
                part = f"changes `{read[key].name}`"
                found[key].append(Place(item.owner, item.node.span, cited(item.clauses), part))
        shown = found.values() if lost.way == "history" else ()
        places = [place for one in shown for place in one[:_MOST_CHANGES]]
        return Marks(tuple(places), tuple(read[key].name for key, one in found.items() if not one))

    def _closed_above(self, item: Item) -> Item | None:
        """The outermost option or branch around something that is never passed."""
        found: Item | None = None
        at: Item | None = item
        while at is not None:
            if at.needs and (not isinstance(at.node, m.Option) or id(at.node) in self.known.marks):
                found = at
            at = at.above
        return found

    def _why(self, item: Item, link: Item | None) -> Lost:
        needed: list[Condition] = []
        at: Item | None = item
        while at is not None:
            needed = [*at.needs, *needed]
            at = at.above
        own = link.needs if link is not None else tuple(needed)
        lost = excluded(self.court, own or tuple(needed), {})
        if lost is not None:
            return lost
        return Lost("history", self.known.by, tuple(own or needed), (), True)


def _changed(node: m.Statement | m.Option | m.Row) -> m.Ref | None:
    match node:
        case m.Simple(body=m.Becomes(target=target) | m.Shift(target=target) | m.Pay(source=target)):
            return target
        case _:
            return None


def _is_part(node: m.Statement | m.Option | m.Row) -> bool:
    return isinstance(node, m.Option) or (isinstance(node, m.Simple) and isinstance(node.body, m.Ending))
