"""The page on state files: each of its examples is read, and its message and its program are what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

import ludex
from grammar.positions import WORDS
from ludex.positions import read_position
from rules.machine import Choice
from rules.machine.position import Placed
from rules.span import Source
from tests.docs.test_language import DOCS
from verifier.render import to_text

PAGE = (DOCS / "state_files.md").read_text(encoding="utf-8")
_FENCE = re.compile(r"^```position(?P<mark>[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Example:
    """Of the bundled book that its mark names, else of the Harbour; `wrong` is the code that it must give."""

    text: str
    book: str
    wrong: str | None

    def read(self) -> Placed | tuple[object, ...]:
        return read_position(ludex.load(self.book), Source("harbour.position", self.text))


def examples() -> list[Example]:
    found = []
    for match in _FENCE.finditer(PAGE):
        words = match["mark"].split()
        wrong = words[1] if words[:1] == ["wrong"] else None
        found.append(Example(match["text"], "harbour" if wrong or not words else words[0], wrong))
    return found


GOOD = [example for example in examples() if example.wrong is None]
WRONG = [example for example in examples() if example.wrong is not None]


@pytest.mark.parametrize("example", GOOD, ids=lambda example: example.text.splitlines()[1])
def test_an_example_is_a_position(example: Example) -> None:
    found = example.read()
    assert isinstance(found, Placed), found
    assert isinstance(found.node, Choice)


def test_the_wrong_example_gives_the_message_that_is_shown() -> None:
    (example,) = WRONG
    (shown,) = re.findall(r"^```text\n(error.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    (found,) = read_position(ludex.load(example.book), Source("harbour.position", example.text))  # type: ignore[misc]
    assert found.code == example.wrong
    assert shown == f"{to_text(found)}\n"


def test_the_hidden_cards_lie_where_the_page_says() -> None:
    example = next(example for example in GOOD if example.book == "crazy_eights")
    found = example.read()
    assert isinstance(found, Placed)
    deck = next(slot.base for slot in found.machine.world.slots.values() if slot.symbol.name == "deck")
    assert len(found.state.cells[deck]) == 52 - 2 - 3 - 1


def test_every_word_that_begins_a_line_is_in_the_table() -> None:
    told = re.findall(r"^\| `(\w+) [^`]*` \|", PAGE[PAGE.index("## The lines") : PAGE.index("## Values")], re.MULTILINE)
    assert [word for word in told if word != "weather"] == list(WORDS)


def test_the_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    exec(compile(block, "state_files.md", "exec"), {})


def test_links_lead_somewhere() -> None:
    found = re.findall(r"\]\(([^)#]*)(?:#([^)]+))?\)", PAGE)
    assert found
    for file, anchor in found:
        headings = re.findall(r"^#+ (.+)$", (DOCS / file).read_text(encoding="utf-8"), re.MULTILINE)
        assert anchor in {re.sub(r"[^a-z0-9 _-]", "", h.lower()).replace(" ", "-") for h in headings}, anchor
