"""`ludex graph`: a rulebook in, a picture out, as text or in a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from ludex.errors import UsageError
from ludex.rewrite import write_whole
from rules import model as m
from rules.check import CheckedRulebook
from verifier.graphs import LIMIT, Drawing, NoSuchNode, Unreached, What, picture, to_dot, to_mermaid, to_svg

WHATS: tuple[What, ...] = ("phases", "story", "precedence", "rules")
_WRITERS: Mapping[str, Callable[[Drawing], str]] = {"svg": to_svg, "dot": to_dot, "mermaid": to_mermaid}
FORMATS = tuple(_WRITERS)
_ENDINGS = {".svg": "svg", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".mermaid": "mermaid"}
_LACKING: Mapping[What, str] = {
    "phases": "the rulebook has no `play` and no procedures",
    "story": "the rulebook has no story",
    "precedence": "the rulebook has no precedence, rules or values",
    "rules": "the rulebook has no rules",
}
_Word = TypeVar("_Word", bound=str)
# What Mermaid draws unless the page that shows it is told otherwise.
_MERMAID_EDGES = 500
_MERMAID_LETTERS = 50_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """What was asked for, as it was typed. `format` is None where the name of the file says it."""

    what: str
    format: str | None
    output: str | None
    focus: str | None
    depth: int
    limit: int | None


def draw(checked: CheckedRulebook, wanted: Wanted) -> str:
    """What is to be printed: the picture, or a line that says where it was written. Raises `UsageError`."""
    what: What = _one_of(wanted.what, WHATS, "picture")
    ending = _ENDINGS.get(Path(wanted.output).suffix.lower(), "svg") if wanted.output else "svg"
    format_ = _one_of(wanted.format, FORMATS, "format") if wanted.format is not None else ending
    text = _text(checked, what, format_, wanted)
    if wanted.output is None:
        return text
    write_whole(Path(wanted.output), text)
    return f"wrote {wanted.output}\n"


def _text(checked: CheckedRulebook, what: What, format_: str, wanted: Wanted) -> str:
    limit = wanted.limit or LIMIT
    unreached = _unread(checked) if what == "story" else None
    text = ""
    while True:
        try:
            drawing = picture(checked, what, focus=wanted.focus, depth=wanted.depth, limit=limit, unreached=unreached)
        except NoSuchNode as error:
            raise UsageError(str(error)) from None
        if not drawing.nodes:
            raise UsageError(f"{_LACKING[what]}: there is nothing to draw")
        text = _WRITERS[format_](drawing)
        too_large = len(drawing.edges) > _MERMAID_EDGES or len(text) > _MERMAID_LETTERS
        if format_ != "mermaid" or wanted.limit is not None or not too_large or limit < 10:
            return text
        limit = min(limit, len(drawing.nodes)) // 2


def _unread(checked: CheckedRulebook) -> dict[str, Unreached]:
    """The passages that no reading of the stories comes to, with any number of players; what only play can tell is left
    to `ludex check`."""
    if not any(isinstance(declaration, m.Story) for declaration in checked.book.declarations):
        return {}
    from rules.machine import machine_of  # noqa: PLC0415  (other pictures do not need it)
    from solver.stories import stories_of  # noqa: PLC0415
    from verifier.court import allowed  # noqa: PLC0415

    machines = [machine_of(checked, count) for count in allowed(checked)] or [machine_of(checked)]
    lost = [frozenset(stories_of(machine).passages) for machine in machines]
    return dict.fromkeys(sorted(frozenset.intersection(*lost)), "history")


def _one_of(typed: str, known: Sequence[_Word], sort: str) -> _Word:
    for name in known:
        if typed == name:
            return name
    close = get_close_matches(typed, known, n=1, cutoff=0.5)
    hint = f"did you mean `{close[0]}`?" if close else f"there are {', '.join(known)}"
    raise UsageError(f"no {sort} is called `{typed}`; {hint}")
