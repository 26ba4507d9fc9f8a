"""What a mistake of an author is, as data: how it is recognised, and what is said about it.

A mistake is recognised in one of two ways. `swaps` are wrong words and the right ones: the mistake is taken for made
when the right words let the line be read. Without swaps, its examples are parsed and the place of the error is kept.
`near` says how much of the place counts: where the parser stops and the type of the token that does not fit (`token`);
the same, once all before the error is taken for finished, so that it does not matter how an expression before it was
written (`line`); the last alone, whatever stands there (`state`); or the place right behind the last word that fits,
whatever stands there (`here`). In messages `{word}` is what the author wrote, `{right}` what to write instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Mistake:
    label: str
    code: str
    message: str
    help: str
    examples: tuple[str, ...]
    swaps: tuple[tuple[str, str], ...] = ()
    near: Literal["token", "line", "state", "here"] = "state"
    # Swaps count only in declarations that begin with one of these words (any, if empty) ...
    inside: frozenset[str] = frozenset()
    # ... and only at this place of the line: anywhere, as its first words (`first`), or after this word.
    where: str = ""


RULES = frozenset({"rule", "policy", "ruling", "question", "scenario"})
BLOCKS = frozenset({"play", "procedure", "action", "rule", "table", "story"})
LISTS = frozenset({"type", "kind", "die", "let"})


def instead(right: str, wrongs: str) -> tuple[tuple[str, str], ...]:
    """Swaps of several wrong wordings, parted by `|`, for one that is right."""
    return tuple((wrong.strip(), right) for wrong in wrongs.split("|"))


def norm_lines(*lines: str) -> tuple[str, ...]:
    """Each line as the first and as a later one of a rule, and of a reading: the parser tells these places apart."""
    frames = ("rule r\n    {}", "rule r\n    p wins\n    {}", "rule r\n    reading a\n        {}")
    return tuple(frame.format(line) for line in lines for frame in frames)


def statement_lines(*lines: str) -> tuple[str, ...]:
    """Each line as the first and as a later one of a block, and of a passage."""
    passage = "story s\n    starts at a\n    passage a\n        "
    frames = ("play\n    {}", "play\n    p wins\n    {}", passage + "{}", passage + "p wins\n        {}")
    return tuple(frame.format(line) for line in lines for frame in frames)


def later_lines(header: str, first: str, *lines: str) -> tuple[str, ...]:
    """Each line as the first and as a later one of the block under a header."""
    return tuple(
        example for line in lines for example in (f"{header}\n    {line}", f"{header}\n    {first}\n    {line}")
    )
