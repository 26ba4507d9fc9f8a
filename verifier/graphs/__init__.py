"""Pictures of a rulebook: its phases, its story, its precedence, and what its rules hang on.

In: a `CheckedRulebook`. Out: a `Drawing`, plain data, which `to_svg`, `to_dot` and `to_mermaid` turn into text.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.check import CheckedRulebook
from verifier.graphs.dependencies import rules_drawing
from verifier.graphs.dot import to_dot
from verifier.graphs.drawing import Drawing, Edge, Group, Node, What
from verifier.graphs.mermaid import to_mermaid
from verifier.graphs.phases import phases_drawing
from verifier.graphs.precedence import precedence_drawing
from verifier.graphs.shape import NoSuchNode, around, folded
from verifier.graphs.story import Unreached, story_drawing
from verifier.graphs.svg import to_svg

LIMIT = 400  # nodes; beyond that a picture is folded


def picture(
    checked: CheckedRulebook,
    what: What,
    *,
    focus: str | None = None,
    depth: int = 1,
    limit: int = LIMIT,
    unreached: Mapping[str, Unreached] | None = None,
) -> Drawing:
    """One picture of the book; it has no nodes where the book has nothing of the kind.

    With `focus`, only what is at most `depth` edges away from what has that name; raises `NoSuchNode` if nothing has.
    A picture of more than `limit` nodes is folded: chapters, sections and procedures stand for what is in them.
    `unreached` has the passages that no play comes to although links lead there, each with the reason; those to which
    no link leads are found here.
    """
    whole = drawing_of(checked, what, unreached)
    if focus is not None:
        return around(whole, focus, depth, limit)
    return folded(whole, limit) if len(whole.nodes) > limit else whole


def drawing_of(checked: CheckedRulebook, what: What, unreached: Mapping[str, Unreached] | None = None) -> Drawing:
    match what:
        case "phases":
            return phases_drawing(checked)
        case "story":
            return story_drawing(checked, unreached)
        case "precedence":
            return precedence_drawing(checked)
        case "rules":
            return rules_drawing(checked)


__all__ = [
    "LIMIT",
    "Drawing",
    "Edge",
    "Group",
    "NoSuchNode",
    "Node",
    "Unreached",
    "What",
    "picture",
    "to_dot",
    "to_mermaid",
    "to_svg",
]
