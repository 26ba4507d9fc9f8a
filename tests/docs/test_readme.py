"""The README shows what the tool does now: every command in it is run, and its output compared.

`python -m tests.docs.test_readme` writes the outputs anew, for review in the diff.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

import pytest

from tests.docs.consoles import consoles, run, with_outputs

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"


def test_every_command_prints_what_the_readme_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = consoles(README.read_text(encoding="utf-8"))
    assert len(found) >= 6
    monkeypatch.chdir(tmp_path)
    for console in found:
        assert f"{console.command}\n{_portable(run(console.command))}" == f"{console.command}\n{console.output}"


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_the_test_command_is_where_ci_looks_for_it() -> None:
    found = re.search(r"<!-- test command -->\n```sh\n(.+)\n```\n", README.read_text(encoding="utf-8"))
    assert found is not None
    assert "pytest" in found.group(1)


@pytest.mark.parametrize("document", ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"])
def test_every_path_and_code_in_the_document_exists(document: str) -> None:
    from rules.codes import CODES

    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        assert (ROOT / target).exists(), target
    for path in re.findall(r"`((?:rules|grammar|solver|verifier|ludex|tests|docs|benchmarks|\.ci)/[\w./-]*)`", text):
        assert (ROOT / path).exists(), path
    for code in re.findall(r"\bLX\d{3}\b", text):
        assert code in CODES


def _portable(output: str) -> str:
    """The place of the bundled rulebooks is the reader's own; the README shows it as seen from a checkout."""
    return output.replace(str(ROOT) + os.sep, "")


if __name__ == "__main__":
    text = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        text = _portable(with_outputs(text))
    README.write_text(text, encoding="utf-8")
    sys.exit(0)
