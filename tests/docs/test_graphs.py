"""The page on pictures: its commands print what it shows, and its program runs.

`python -m tests.docs.test_graphs` writes the outputs anew, for review in the diff.
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
from verifier.graphs import LIMIT

PAGE = DOCS / "graphs.md"


def test_every_command_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = consoles(PAGE.read_text(encoding="utf-8"))
    assert len(found) >= 6
    for console in found:
        assert f"{console.command}\n{run(console.command)}" == f"{console.command}\n{console.output}"
    assert {path.name for path in tmp_path.iterdir()} == {"ur.svg", "ur.dot"}


def test_the_program_runs() -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    exec(compile(block, "graphs.md", "exec"), {})


def test_the_limit_is_the_one_that_holds() -> None:
    assert f"more than {LIMIT} nodes" in PAGE.read_text(encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        text = with_outputs(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(text, encoding="utf-8")
    sys.exit(0)
