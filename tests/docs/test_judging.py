"""The page on judging: its commands print what it shows, its families are those of the codes, its settings are read.

`python -m tests.docs.test_judging` writes the outputs anew, for review in the diff.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import get_args

import pytest

from ludex.config import project_selection
from rules.codes import CODES, Family
from tests.docs.consoles import consoles, run, with_outputs
from tests.docs.test_language import DOCS
from tests.docs.test_readme import _portable
from verifier.finding import CERTAINTIES

PAGE = DOCS / "judging.md"


def _write_book(folder: Path) -> None:
    (text,) = re.findall(r"^```rules\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (folder / "copper_hill.rules").write_text(text, encoding="utf-8")


def test_every_command_prints_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write_book(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = consoles(PAGE.read_text(encoding="utf-8"))
    assert found
    for console in found:
        assert f"{console.command}\n{_portable(run(console.command))}" == f"{console.command}\n{console.output}"


def test_every_family_and_certainty_is_told() -> None:
    text = PAGE.read_text(encoding="utf-8")
    families = dict(re.findall(r"^\| (\w+) \| (LX\d+) \|", text, re.MULTILINE))
    assert list(families) == list(get_args(Family))
    for code in CODES.values():
        if code.family is not None and code.family not in ("reading", "redundant"):
            assert code.code.startswith(families[code.family]), code
    told = text.partition("| certainty | means |\n|---|---|\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| (\w+) \|", told, re.MULTILINE) == [*CERTAINTIES]


def test_the_settings_can_be_read(tmp_path: Path) -> None:
    (settings,) = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "ludex.toml").write_text(settings, encoding="utf-8")
    _write_book(tmp_path)
    project_selection(str(tmp_path / "copper_hill.rules"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        _write_book(Path(folder))
        os.chdir(folder)
        PAGE.write_text(with_outputs(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.exit(0)
