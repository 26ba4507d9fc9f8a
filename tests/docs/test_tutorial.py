"""The last chapter of the tutorial: what its commands print for the whole text of the tutorial."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.consoles import consoles, run
from tests.docs.test_language import DOCS, examples_in

TUTORIAL = (DOCS / "tutorial.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def ferry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ferry.rules").write_text(examples_in("tutorial.md")[-1].text, encoding="utf-8")


def test_commands_shown_with_output_print_it() -> None:
    shown = [console for console in consoles(TUTORIAL) if console.output]
    assert len(shown) >= 2
    for console in shown:
        assert run(console.command) == console.output


def test_the_session_is_as_it_is_shown() -> None:
    (session,) = re.findall(r"^```text\n\$ (ludex play .*?)^```$", TUTORIAL, re.MULTILINE | re.DOTALL)
    command, _, shown = session.partition("\n")
    typed = re.findall(r"^> (.*)$", shown, re.MULTILINE)
    assert run(command, "\n".join(typed) + "\n") == re.sub(r"^> .*\n", "> ", shown, flags=re.MULTILINE)
