"""The page on `ludex legal`, `ludex why` and `ludex ask`: its commands print what it shows, and its program runs.

`python -m tests.docs.test_asking` writes the outputs anew, for review in the diff.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

from ludex.reasons import KINDS
from tests.docs.consoles import consoles, run, with_outputs
from tests.docs.test_language import DOCS
from tests.docs.test_readme import ROOT, _portable

PAGE = DOCS / "asking.md"


def _write_positions(folder: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name, position in re.findall(r"^```position (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        (folder / name).write_text(position, encoding="utf-8")


def test_every_command_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write_positions(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = consoles(PAGE.read_text(encoding="utf-8"))
    assert len(found) >= 11
    for console in found:
        assert f"{console.command}\n{_portable(run(console.command))}" == f"{console.command}\n{console.output}"


def test_the_program_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    exec(compile(block, "asking.md", "exec"), {})


def test_paths_and_links_lead_somewhere() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (DOCS / target).exists(), target
    for path in re.findall(r"`((?:rules|ludex|verifier)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path


def test_all_reasons_have_names_of_their_own() -> None:
    assert len(set(KINDS.values())) == len(KINDS)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        _write_positions(Path(folder))
        os.chdir(folder)
        text = _portable(with_outputs(PAGE.read_text(encoding="utf-8")))
    PAGE.write_text(text, encoding="utf-8")
    sys.exit(0)
