"""The page on playing: its sessions and commands, one after the other in one folder, print what is shown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.consoles import run
from tests.docs.test_language import DOCS
from tests.docs.test_readme import _portable

PAGE = (DOCS / "playing.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(?:text|console)\n\$ (?P<command>.*)\n(?P<shown>(?:.*\n)*?)```$", re.MULTILINE)


def test_sessions_and_commands_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = list(_BLOCK.finditer(PAGE))
    assert len(blocks) >= 4
    for block in blocks:
        typed = re.findall(r"^> (.*)$", block["shown"], re.MULTILINE)
        shown = re.sub(r"^> .*\n", "> ", block["shown"], flags=re.MULTILINE)
        printed = _portable(run(block["command"], "".join(f"{line}\n" for line in typed)))
        printed = re.sub(r'import ".*/', 'import "', printed)
        assert (block["command"], printed) == (block["command"], shown)


def test_the_program_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL):
        exec(compile(code, "playing.md", "exec"), {})
    assert Path("evening.save").exists()


def test_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (DOCS / link).exists(), link
