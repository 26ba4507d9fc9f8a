"""The story: passages by chapter, the choices that lead from one to the next, endings, and what nobody can come to.

In: a `CheckedRulebook`, and the passages that other checks found to be out of reach. Out: a `Drawing`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from grammar.print_expressions import print_expression
from grammar.print_statements import print_conditions, print_keys
from rules import model as m
from rules.check import CheckedRulebook
from rules.walk import nodes_of
from solver import unreachable
from verifier.graphs.drawing import Drawing, Edge, Group, Node, NodeKind
from verifier.graphs.wording import counted, cut, wrapped

Unreached = Literal["condition", "history"]

_FAULTS = {
    "links": "no choice leads here, whatever the conditions",
    "condition": "choices lead here, but their conditions never hold",
    "history": "no play can bring about what the choices that lead here need",
}
_MANY = 60  # passages; in a larger story only the needs stand at the choices, not their texts
_LETTERS = 26


@dataclass(frozen=True, slots=True)
class Turn:
    """One way from a passage to another: what the player chooses, and what must hold or be rolled for it."""

    target: str
    text: str
    needs: tuple[str, ...]
    read: bool  # the story comes back

    @property
    def words(self) -> str:
        return "; ".join(part for part in (self.text, *self.needs) if part)


def story_drawing(checked: CheckedRulebook, unreached: Mapping[str, Unreached] | None = None) -> Drawing:
    """All stories of the book in one picture."""
    stories = [d for d in checked.book.declarations if isinstance(d, m.Story)]
    passages = [passage for story in stories for passage in story.passages()]
    turns = {passage.name.text: tuple(turns_of(passage)) for passage in passages}
    starts = {name.text: "the story begins here" for story in stories for name in story.starts}
    starts |= {name: "play reads it from here" for name in _read_elsewhere(checked) if name not in starts}
    links = [(name, turn.target) for name, found in turns.items() for turn in found]
    faults: dict[str, str] = {name: _FAULTS[why] for name, why in (unreached or {}).items()}
    faults |= dict.fromkeys(unreachable(turns, links, starts), _FAULTS["links"])
    groups, home = _chapters(stories)
    nodes = tuple(_node(passage, home.get(passage.name.text), starts, faults) for passage in passages)
    large = len(passages) > _MANY
    edges = tuple(_edge(name, turn, large) for name, found in turns.items() for turn in found)
    return Drawing("story", _title(stories), nodes, edges, groups, tuple(_notes(nodes)))


def turns_of(passage: m.Passage) -> Iterator[Turn]:
    yield from _turns(passage.body, "", ())
    for option in passage.options:
        yield from _option(option, ())


def _option(option: m.Option, needs: tuple[str, ...]) -> Iterator[Turn]:
    own = print_conditions(option.conditions).strip()
    yield from _turns(option.body, option.text, (*needs, own) if own else needs)


def _turns(block: m.Block, text: str, needs: tuple[str, ...]) -> Iterator[Turn]:
    for statement in block:
        match statement:
            case m.Simple(body=m.Go(passage=target)):
                yield Turn(target.text, text, needs, False)
            case m.Simple(body=m.Read(passage=target)):
                yield Turn(target.text, text, needs, True)
            case m.Simple(body=m.End(then=then)):
                yield from _turns(then, text, needs)
            case m.Simple():
                pass
            case m.If():
                for held, branch in _branches(statement):
                    yield from _turns(branch, text, (*needs, held))
            case m.RollRows(die=die, rows=rows):
                for row in rows:
                    yield from _turns(row.body, text, (*needs, f"{die} {print_keys(row)}"))
            case m.Decides(options=options):
                for option in options:
                    yield from _option(option, (*needs, text) if text else needs)
            case m.Phase(body=body) | m.Each(body=body) | m.Turns(body=body) | m.Repeat(body=body) | m.After(body=body):
                yield from _turns(body, text, needs)
            case _:
                assert_never(statement)


def _branches(statement: m.If) -> Iterator[tuple[str, m.Block]]:
    """What each part of a chain of conditions needs, in the words of the book."""
    lead = ""
    while True:
        yield f"{lead}if {print_expression(statement.condition)}", statement.then
        lead = "otherwise "
        match statement.otherwise:
            case (m.If() as following,):
                statement = following
            case block:
                yield "otherwise", block
                return


def _read_elsewhere(checked: CheckedRulebook) -> Iterator[str]:
    for declaration in checked.book.declarations:
        if not isinstance(declaration, m.Story):
            for part in nodes_of(declaration):
                if isinstance(part, m.Read):
                    yield part.passage.text


def _chapters(stories: list[m.Story]) -> tuple[tuple[Group, ...], dict[str, str]]:
    """The groups, and the one that each passage stands in. Of several stories, each is a group of its own."""
    groups: list[Group] = []
    home: dict[str, str] = {}
    for story in stories:
        outer = None
        if len(stories) > 1:
            outer = f"story {story.name}"
            groups.append(Group(outer, "chapter", story.name.text, f"story {story.name}"))
        for item in story.items:
            if isinstance(item, m.Chapter):
                inner = f"chapter {story.name} {item.name}"
                title = f"{item.name} · {item.title}" if item.title else item.name.text
                hint = f"chapter {item.name}, {counted(len(item.passages), 'passage')}"
                groups.append(Group(inner, "chapter", item.name.text, cut(title, 48), outer, hint))
                home |= {passage.name.text: inner for passage in item.passages}
            elif outer is not None:
                home[item.name.text] = outer
    return tuple(groups), home


def _node(passage: m.Passage, group: str | None, starts: Mapping[str, str], faults: Mapping[str, str]) -> Node:
    name = passage.name.text
    endings = [part.text for part in nodes_of((passage.body, passage.options)) if isinstance(part, m.Ending)]
    kind: NodeKind = "start" if name in starts else "end" if endings else "passage"
    lines = (cut(name, 32), *(f"ending: {line}" for text in endings[:2] for line in wrapped(text, 30, 1)))
    if len(endings) > 2:
        lines = (*lines, f"and {counted(len(endings) - 2, 'more ending')}")
    hint = "\n".join((name, *passage.texts, *(f"ending: {text}" for text in endings)))
    if name in starts:
        hint += f"\n({starts[name]})"
    return Node(f"passage {name}", kind, name, lines, group, group, hint, fault=faults.get(name, ""))


def _edge(name: str, turn: Turn, large: bool) -> Edge:
    parts = [cut(part, _LETTERS) for part in ((() if large else (turn.text,)) + turn.needs) if part]
    label = "\n".join(parts[:3])
    hint = f"{name} → {turn.target}" + (f": {turn.words}" if turn.words else "")
    return Edge(f"passage {name}", f"passage {turn.target}", label, hint, "dotted" if turn.read else "solid")


def _title(stories: list[m.Story]) -> str:
    return "Story" if len(stories) != 1 else f"Story: {stories[0].name}"


def _notes(nodes: tuple[Node, ...]) -> Iterator[str]:
    endings = sum(any(line.startswith("ending: ") for line in node.lines) for node in nodes)
    lost = sum(bool(node.fault) for node in nodes)
    yield f"{counted(len(nodes), 'passage')}, {counted(endings, 'with an ending', 'with an ending')}"
    if lost:
        yield f"{counted(lost, 'passage')} that no play comes to: dashed and red"
