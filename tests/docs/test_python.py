"""The page on Python: its programs run, and it names what can be used, no more and no less."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludex
from tests.docs.test_language import DOCS

PAGE = (DOCS / "python.md").read_text(encoding="utf-8")


def names_under(heading: str) -> set[str]:
    """The names in the first column of the table under a heading."""
    section = PAGE.split(f"\n## `{heading}`\n")[1].split("\n## ")[0]
    firsts = re.findall(r"^\| (`.*?`) \|", section, re.MULTILINE)
    return {name for first in firsts for name in re.findall(r"`(\w+)", first)}


def public(value: object) -> set[str]:
    return {name for name in dir(value) if not name.startswith("_")}


def test_the_programs_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    programs = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert len(programs) == 2
    for code in programs:
        exec(compile(code, "python.md", "exec"), {})


def test_every_public_name_is_told_and_there() -> None:
    assert names_under("ludex") == set(ludex.__all__) - {"__version__"}
    assert all(getattr(ludex, name) is not None for name in ludex.__all__)
    game = ludex.load("nim").start()
    assert names_under("Book") == public(game.book)
    assert names_under("Game") == public(game)


def test_a_name_that_is_not_there_is_said() -> None:
    with pytest.raises(AttributeError, match="module 'ludex' has no attribute 'lode'"):
        ludex.lode  # type: ignore[attr-defined]  # noqa: B018


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (DOCS / link).exists(), link


def test_the_names_are_types_that_a_program_is_checked_with() -> None:
    game: ludex.Game = ludex.load("nim").start()
    node: ludex.Choice | ludex.Chance | ludex.Open | ludex.Over = game.node
    assert isinstance(node, ludex.Choice)
    legal: list[ludex.Legal] = game.legal()
    answer: ludex.Explanation = game.why(legal[0], viewer=node.actor)
    assert answer.verdict == "legal"
    game.do(legal[0])
    entries: list[ludex.Entry] = game.record
    assert entries[0].text == node.moves[0].text
