"""A book that has stories and no `play` is played by reading them: its play is made here.

It begins with one of the passages after `starts at`, of all stories that nothing in the book reads; where there are
several, those who read choose.
"""

from __future__ import annotations

from dataclasses import replace

from rules import model as m
from rules.walk import nodes_of


def with_reading(book: m.Rulebook) -> m.Rulebook:
    """The same book where it says itself how it is played, or has nothing to read."""
    if any(isinstance(d, m.Play) for d in book.declarations):
        return book
    starts = _starts(book)
    if not starts:
        return book
    body: m.Block = (_read(starts[0]),) if len(starts) == 1 else (_chosen(book, starts),)
    return replace(book, declarations=(*book.declarations, m.Play(m.Clauses(), body, starts[0].span)))


def _starts(book: m.Rulebook) -> list[m.Name]:
    """Passages that a story does not have are left out: they are told of where it names them."""
    stories = [d for d in book.declarations if isinstance(d, m.Story)]
    read = {node.passage.text for node in nodes_of(book.declarations) if isinstance(node, m.Read)}
    passages = {story.name.text: {p.name.text for p in story.passages()} for story in stories}
    unread = [story for story in stories if read.isdisjoint(passages[story.name.text])]
    named = [name for story in unread for name in story.starts if name.text in passages[story.name.text]]
    return list({name.text: name for name in reversed(named)}.values())[::-1]


def _read(start: m.Name) -> m.Statement:
    return m.Simple(m.Read(m.Name(start.text, start.span), start.span), m.Clauses(), start.span)


def _chosen(book: m.Rulebook, starts: list[m.Name]) -> m.Statement:
    """By the players as one; in a game that nobody plays, by chance."""
    game = next((d for d in book.declarations if isinstance(d, m.Game)), None)
    who = "chance" if game is None or game.played_by is None else game.played_by.text
    span = starts[0].span
    options = tuple(
        m.Option(f"begin with {start.text}", m.Conditions(None, None, None), m.Clauses(), (_read(start),), start.span)
        for start in starts
    )
    return m.Decides(m.Ref(m.Name(who, span), (), span), options, span)
