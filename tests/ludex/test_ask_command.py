"""`ludex ask` and the questions of `ludex test`: what is printed, and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludex.cli import main
from tests.verifier.checks.village import village

RULES = "rule digging\n    p may dig", "rule storms\n    p cannot dig when weather is storm"
PRECEDENCE = ("explicit", "assume cannot over may", "otherwise undecided")


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(list(args))
    out, err = capsys.readouterr()
    return status, out, err


def written(tmp_path: Path, *questions: str) -> str:
    path = tmp_path / "hill.rules"
    path.write_text(village(PRECEDENCE, *RULES, *questions), encoding="utf-8")
    return str(path)


def test_json_has_all_that_the_text_tells(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "ask", "harbour", "May a player leave Rhodes in a storm?", "--format", "json")
    assert status == 0
    (found,) = json.loads(out)["questions"]
    (case,) = found["cases"]
    assert (found["answer"], found["unexpected"], case["when"]) == ("always", None, [])
    assert [(one["rule"], one["cites"], one["always"]) for one in case["because"]] == [("lighthouse", ["card 4"], True)]
    (lost,) = case["against"]
    assert (lost["rule"], lost["winner"], lost["by"], lost["by_cites"], lost["assumed"]) == (
        "storm_keeps_in",
        "lighthouse",
        "authority card > book",
        ["book 33"],
        False,
    )
    assert case["state"]["shown"] == "witnessed"
    assert case["state"]["play"]


def test_all_questions_of_a_book_and_the_exit_status(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    good = 'question "In a storm?"\n    p may dig when weather is storm\n    expect never because storms'
    bad = 'question "At all?"\n    p may dig\n    expect always'
    status, out, _ = run(capsys, "ask", written(tmp_path, good))
    assert (status, out.splitlines()[:2]) == (0, ["In a storm?", "never: p may dig when weather is storm"])
    status, out, _ = run(capsys, "ask", written(tmp_path, good, bad), "--plays")
    assert status == 1
    assert "  unexpected: it is answered `depends`, not `always`" in out
    assert "by this play: " in out


def test_questions_are_tests(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, _ = run(capsys, "test", written(tmp_path, 'question "At all?"\n    p may dig\n    expect always'))
    assert status == 1
    assert "error[LX925]: the question `At all?` is answered `depends`, not `always`" in out
    assert out.endswith("1 question, 1 answered otherwise\n")


def test_bad_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, out, err = run(capsys, "ask", "harbour", "p may sail to atlantis")
    assert (status, out) == (2, "")
    assert "question:1:15" in err
    assert run(capsys, "ask", "harbour", "p may sail", "--players", "9")[0] == 2
    assert run(capsys, "ask", "harbour", "p may sail", "--policy", "nobody")[0] == 2
    assert run(capsys, "ask", written(tmp_path))[:2] == (0, "the rulebook has no questions\n")


def test_options_may_stand_between_the_book_and_the_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["ask", "harbour", "--format", "json", "--players", "3", "what is toll of p when ship of p is athens"])
        == 0
    )
    (found,) = json.loads(capsys.readouterr().out)["questions"]
    assert (found["answer"], found["value"], found["players"]) == ("always", "1", 3)
