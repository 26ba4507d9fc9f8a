"""`ludex graph` as a user meets it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.ludex.test_cli import MISSPELT, run, write

STORY = """\
game "Night" played by Player
kind Player 1
play
    read quay
story night
    starts at quay
    passage quay
        go to street
    passage street
        ending "Home."
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_svg_of_the_phases_is_what_comes_without_options(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "graph", "harbour")
    assert (status, err) == (0, "")
    assert ElementTree.fromstring(out).findtext("{http://www.w3.org/2000/svg}title") == "Phases"


@pytest.mark.parametrize(("format_", "start"), [("svg", "<svg "), ("dot", "digraph {"), ("mermaid", "flowchart TD")])
def test_formats(capsys: pytest.CaptureFixture[str], format_: str, start: str) -> None:
    status, out, _ = run(capsys, "graph", "ur", "--what", "rules", "--format", format_)
    assert status == 0
    assert out.startswith(start)


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.svg", "<svg "), ("a.dot", "digraph"), ("a.gv", "digraph"), ("a.mmd", "flowchart"), ("a.txt", "<svg ")],
)
def test_the_name_of_the_file_says_the_format(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, start: str
) -> None:
    status, out, _ = run(capsys, "graph", "harbour", "--output", name)
    assert (status, out) == (0, f"wrote {name}\n")
    assert (here / name).read_text(encoding="utf-8").startswith(start)


def test_a_file_is_replaced_whole(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.dot").write_text("old", encoding="utf-8")
    assert run(capsys, "graph", "harbour", "--output", "a.dot")[0] == 0
    assert [path.name for path in here.iterdir()] == ["a.dot"]
    assert (here / "a.dot").read_text(encoding="utf-8").startswith("digraph")


def test_a_mistake_leaves_the_file_as_it_is(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a.dot").write_text("old", encoding="utf-8")
    assert run(capsys, "graph", "harbour", "--focus", "sial", "--output", "a.dot")[0] == 2
    assert (here / "a.dot").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--what", "rulse"), "no picture is called `rulse`; did you mean `rules`?"),
        (("--what", "x"), "no picture is called `x`; there are phases, story, precedence, rules"),
        (("--format", "svgg"), "no format is called `svgg`; did you mean `svg`?"),
        (("--what", "rules", "--focus", "sial"), "nothing in the picture is called `sial`; did you mean `sail`?"),
        (("--what", "story"), "the rulebook has no story: there is nothing to draw"),
        (("--output", "no/such/folder.svg"), "`no/such/folder.svg` cannot be written: No such file or directory"),
    ],
)
def test_bad_usage(here: Path, capsys: pytest.CaptureFixture[str], args: tuple[str, ...], message: str) -> None:
    status, out, err = run(capsys, "graph", "harbour", *args)
    assert (status, out, err) == (2, "", f"ludex: {message}\n")
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("args", [("--depth", "0"), ("--limit", "many"), ("--limit",)])
def test_numbers_are_from_one_up(capsys: pytest.CaptureFixture[str], args: tuple[str, ...]) -> None:
    assert run(capsys, "graph", "harbour", *args)[0] == 2


def test_a_book_with_errors_is_not_drawn(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "graph", write(here / "bad.rules", MISSPELT))
    assert (status, out) == (1, "")
    assert "pictures are only drawn for a rulebook without errors" in err


def test_a_focus_with_a_depth(capsys: pytest.CaptureFixture[str]) -> None:
    args = ("graph", "harbour", "--what", "rules", "--format", "mermaid", "--focus", "toll")
    near, far = run(capsys, *args)[1], run(capsys, *args, "--depth", "2")[1]
    assert '"sail"' in near
    assert '"neighbours"' not in near
    assert '"neighbours"' in far


def test_mermaid_keeps_to_what_pages_show_unless_told_otherwise(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    passages = "".join(f"    passage p{n}\n        go to p{n + 1}\n" for n in range(350))
    links = "".join(f'        option "{n}"\n            go to p{n}\n' for n in range(300))
    end = '    passage p350\n        ending "."\n'
    text = STORY.replace("    passage quay\n        go to street\n", f"    passage quay\n{links}{passages}{end}")
    name = write(here / "long.rules", text.replace('    passage street\n        ending "Home."\n', ""))
    args = ("graph", name, "--what", "story", "--format", "mermaid")
    status, out, _ = run(capsys, *args)
    assert status == 0
    assert out.count("-->") <= 500
    assert run(capsys, *args, "--limit", "1000")[1].count("-->") == 650
    assert run(capsys, "graph", name, "--what", "story", "--format", "dot")[1].count("->") == 650


def test_a_passage_that_only_history_excludes_is_marked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = STORY.replace("kind Player 1\n", "kind Player 1\nstate\n    lamp yes/no\n    rope yes/no\n").replace(
        "        go to street\n",
        '        option "Lamp"\n            lamp becomes yes\n            go to street\n'
        '        option "Rope"\n            rope becomes yes\n            go to street\n',
    )
    lost = lost.replace(
        '        ending "Home."\n',
        '        option "Down" when lamp and rope\n            go to cellar\n'
        '        option "Home"\n            ending "Home."\n    passage cellar\n        ending "Dark."\n',
    )
    path = write(here / "night.rules", lost)
    status, out, _ = run(capsys, "graph", path, "--what", "story", "--format", "mermaid")
    assert status == 0
    assert "class n3 fault" in out
    path = write(here / "day.rules", lost.replace("lamp and rope", "lamp or rope"))
    assert "fault" not in run(capsys, "graph", path, "--what", "story", "--format", "mermaid")[1]
