"""The page on comparing: its rulebooks are read, its commands print what it shows, and its program runs.

`python -m tests.docs.test_comparing` writes the outputs anew, for review in the diff.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

from tests.docs.consoles import consoles, run, with_outputs
from tests.docs.test_language import DOCS

PAGE = DOCS / "comparing.md"
_BOOK = re.compile(r"^`(\w+\.rules)`[^\n]*:\n\n```rules\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_books(text: str, folder: Path) -> None:
    for name, book in _BOOK.findall(text):
        (folder / name).write_text(book, encoding="utf-8")


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    text = PAGE.read_text(encoding="utf-8")
    write_books(text, tmp_path)
    monkeypatch.chdir(tmp_path)
    return text


def test_every_command_prints_what_the_page_shows(page: str) -> None:
    found = consoles(page)
    assert len(found) == 3
    for console in found:
        assert f"{console.command}\n{run(console.command)}" == f"{console.command}\n{console.output}"


def test_the_program_runs(page: str) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(block, "comparing.md", "exec"), {})


if __name__ == "__main__":
    whole = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        write_books(whole, Path(folder))
        os.chdir(folder)
        whole = with_outputs(whole)
    PAGE.write_text(whole, encoding="utf-8")
    sys.exit(0)
