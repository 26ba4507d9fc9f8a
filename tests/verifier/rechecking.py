"""A book is checked, edited in one place, and checked again with what the first check has kept."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.span import Source
from solver.play import Budget
from verifier import cache as caching
from verifier.hearing import judge
from verifier.judgement import Judgement

BUDGET = Budget(work=6_000, guided=300, states=400, plays=6, edges=3_000)


@dataclass
class Kept:
    """What is kept between checks, each time as text."""

    questions: dict[str, str] = field(default_factory=dict)
    plays: dict[str, str] = field(default_factory=dict)
    sources: tuple[Source, ...] = ()

    def recall(self, key: str) -> Any | None:
        found = self.questions.get(key)
        return None if found is None else json.loads(found)

    def keep(self, key: str, stored: Any) -> None:
        self.questions[key] = json.dumps(stored)

    def read(self, name: str) -> Any | None:
        found = self.plays.get(name)
        return None if found is None else json.loads(found)

    def write(self, name: str, content: dict[str, Any]) -> None:
        self.plays[name] = json.dumps(content)


def read_text(text: str) -> tuple[Source, CheckedRulebook] | None:
    """None for a text with mistakes."""
    source = Source("made.rules", text)
    parsed = parse_text(source)
    if parsed.diagnostics:
        return None
    found = check_rules(m.Rulebook(parsed.declarations))
    return None if found.rulebook is None else (source, found.rulebook)


def check(text: str, kept: Kept | None = None, budget: Budget = BUDGET) -> tuple[Judgement, str]:
    """The judgement, and all that it says but for the time that it took."""
    found = read_text(text)
    assert found is not None
    source, checked = found
    if kept is not None:
        kept.sources = (source,)
    judgement = judge(checked, budget=budget, memory=kept, shelf=kept)
    ran = tuple(replace(run, seconds=0.0) for run in judgement.ran)
    said = caching._plain(replace(judgement, ran=ran, recalled=None), (source,))
    return judgement, json.dumps(said)


# ---- edits ----------------------------------------------------------------------------------------------------------


def _blocks(text: str) -> list[str]:
    """The declarations of a text, each with its lines."""
    return re.split(r"\n(?=\S)", text.rstrip("\n"))


def _joined(blocks: list[str]) -> str:
    return "\n".join(blocks) + "\n"


def _of_rules(blocks: list[str]) -> list[int]:
    return [place for place, block in enumerate(blocks) if block.startswith("rule ")]


def remark(text: str, _draw: random.Random) -> str | None:
    return "# A remark.\n" + text


def new_claim(text: str, draw: random.Random) -> str | None:
    numbers = re.findall(r"^    (\w+) (\d+)\.\.(\d+)", text, re.MULTILINE)
    if not numbers:
        return text + "claim never 1 is 2\n"
    name, low, high = draw.choice(numbers)
    word = draw.choice(("always", "never", "possible"))
    return text + f"claim {word} {name} is {draw.randint(int(low), int(high))}\n"


def other_number(text: str, draw: random.Random) -> str | None:
    """Another number in the condition of a rule."""
    blocks = _blocks(text)
    found = [
        (place, match.start(), match.end())
        for place in _of_rules(blocks)
        for when in re.finditer(r"(when|unless|if) [^\n]*", blocks[place])
        for match in re.finditer(r"\b\d+\b", blocks[place])
        if when.start() < match.start() < when.end()
    ]
    if not found:
        return None
    place, start, end = draw.choice(found)
    block = blocks[place]
    blocks[place] = f"{block[:start]}{int(block[start:end]) + draw.choice((1, 2, 40))}{block[end:]}"
    return _joined(blocks)


def rule_gone(text: str, draw: random.Random) -> str | None:
    blocks = _blocks(text)
    rules = _of_rules(blocks)
    if not rules:
        return None
    del blocks[draw.choice(rules)]
    return _joined(blocks)


def rule_added(text: str, draw: random.Random) -> str | None:
    """Another rule like one that is there, under a condition that hardly ever holds, or under the same."""
    blocks = _blocks(text)
    rules = [place for place in _of_rules(blocks) if re.search(r" (may|cannot|must) ", blocks[place])]
    if not rules:
        return None
    place = draw.choice(rules)
    block = re.sub(r"^rule \w+", "rule one_more", blocks[place])
    if draw.random() < 0.7:
        block = re.sub(r"(\n    \w+ (?:may|cannot|must) [^\n]*?)( when ([^\n]*))?(?=\n|$)", _never, block)
    blocks.insert(place + draw.choice((0, 1)), block)
    return _joined(blocks)


def _never(match: re.Match[str]) -> str:
    return f"{match[1]} when 1 is 2" + (f" and ({match[3]})" if match[3] else "")


def other_action(text: str, draw: random.Random) -> str | None:
    """Another number in what an action does."""
    blocks = _blocks(text)
    found = [
        (place, match.start(), match.end())
        for place, block in enumerate(blocks)
        if block.startswith("action ")
        for match in re.finditer(r"\b\d+\b", block)
    ]
    if not found:
        return None
    place, start, end = draw.choice(found)
    block = blocks[place]
    blocks[place] = f"{block[:start]}{int(block[start:end]) + 1}{block[end:]}"
    return _joined(blocks)


EDITS: tuple[Callable[[str, random.Random], str | None], ...] = (
    remark,
    new_claim,
    other_number,
    other_number,
    rule_gone,
    rule_added,
    rule_added,
    other_action,
)


def edited(text: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    """Each sort of edit once, where it leaves a book without mistakes: its name, and the text."""
    for edit in EDITS:
        made = edit(text, draw)
        if made is not None and made != text and read_text(made) is not None:
            yield edit.__name__, made
