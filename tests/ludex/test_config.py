"""`ludex.toml`: where it is looked for, what it says, and one clear message for what it cannot say."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludex.config import project_selection, read_config
from ludex.errors import UsageError
from rules.diagnostics import Severity
from tests.verifier.sample import codes
from verifier.selection import Selection, Wanted

__all__ = ["codes"]
pytestmark = pytest.mark.usefixtures("codes")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(here: Path, text: str) -> Path:
    path = here / "ludex.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_it_says(here: Path) -> None:
    text = '[check]\nselect = ["gap", "LX90"]\nignore = ["LX931"]\n[check.severity]\ngap = "error"\nLX504 = "off"\n'
    assert read_config(config(here, text)) == Selection(
        project=Wanted(("gap", "LX90"), ("LX931",)), severities=(("gap", Severity.ERROR), ("LX504", None))
    )
    assert read_config(config(here, "")) == Selection()


def test_the_nearest_file_counts(here: Path) -> None:
    deep = here / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "book.rules").write_text("", encoding="utf-8")
    assert project_selection("a/b/book.rules") == Selection()
    config(here, '[check]\nselect = ["gap"]\n')
    assert project_selection("a/b/book.rules").project.select == ("gap",)
    assert project_selection("a/b").project.select == ("gap",)
    config(deep, '[check]\nselect = ["LX90"]\n')
    assert project_selection("a/b/book.rules").project.select == ("LX90",)
    assert project_selection("a/b").project.select == ("LX90",)
    assert project_selection("a").project.select == ("gap",)
    assert project_selection("x" * 5000) == Selection()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[check]\nselct = ["gap"]\n', "2: [check] has no `selct`; did you mean `select`?"),
        ("\n[chek]\n", "2: the file has no `chek`; did you mean `check`?"),
        ("colour = true\n", "1: the file has no `colour`; there is check"),
        ("check = 3\n", "1: `check` is a section: [check]"),
        (
            '[check]\n\nselect = "gap"\n',
            '3: `select` is a list of codes, beginnings of codes and families: ["gap", "LX95"]',
        ),
        (
            '[check]\nignore = [\n  "LX93",\n  "gaps",\n]\n',
            "4: `gaps` is no code, no beginning of codes and no family of findings; did you mean `gap`?",
        ),
        (
            '[check]\nselect = ["LX101"]\nignore = ["LX101"]\n',
            "3: `LX101` is an error that keeps a book from being judged: it is always shown as one",
        ),
        ("[check]\nseverity = 3\n", "2: `severity` is a section: [check.severity]"),
        (
            '[check]\nselect = ["gap"]\n[check.severity]\n# gap\ngap = "fatal"\n',
            "5: the severity of `gap` is error, warning, info or off",
        ),
        ("[check.severity]\ngap = 1\n", "2: the severity of `gap` is error, warning, info or off"),
        (
            '[check.severity]\ngapp = "off"\n',
            "2: `gapp` is no code and no family of findings; did you mean `gap`?",
        ),
        (
            '[check.severity]\nLX9 = "off"\n',
            "2: `LX9` is no code and no family of findings; did you mean `LX991`?",
        ),
        (
            '[check.severity]\nLX101 = "warning"\n',
            "2: `LX101` is an error that keeps a book from being judged: it is always shown as one",
        ),
        ("[check]\nselect = [\n", "2: this is not TOML: "),
        ("[check]\n[check]\n", "2: this is not TOML: "),
    ],
)
def test_what_it_cannot_say_is_one_message_with_its_line(here: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        read_config(config(here, text))
    found = str(error.value)
    assert found.startswith(f"ludex.toml:{message}") if message.endswith("TOML: ") else found == f"ludex.toml:{message}"
    assert "\n" not in found


def test_what_cannot_be_read_at_all(here: Path) -> None:
    path = here / "ludex.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match=r"^`ludex\.toml` is not text$"):
        read_config(path)
    path.unlink()
    with pytest.raises(UsageError, match=r"^`ludex\.toml` cannot be read: "):
        read_config(path)
