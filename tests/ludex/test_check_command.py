"""`ludex check` with findings: forms, selection, baseline, exit status. The findings are made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ludex.book import Book
from ludex.cli import main
from ludex.judge import JudgeOptions, judge
from tests.verifier.sample import CONTRADICTION, FINDINGS, GAP, JUDGEMENT, TEXT, codes
from verifier.judgement import Judgement

__all__ = ["codes"]
pytestmark = pytest.mark.usefixtures("codes")
BOOK = "two ports.rules"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / BOOK).write_text(TEXT, encoding="utf-8")
    judges(monkeypatch, JUDGEMENT)
    return tmp_path


def judges(monkeypatch: pytest.MonkeyPatch, judgement: Judgement) -> None:
    def instead(_book: Book, options: JudgeOptions) -> Judgement:
        return judgement if options.decided else replace(judgement, decided=())

    monkeypatch.setattr("ludex.judge.judge", instead)


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(["check", *args])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_findings_are_shown_and_counted(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    status, out, err = run(capsys, BOOK)
    assert (status, err) == (1, "")
    assert out.count("error[LX901]: ") == 1
    assert "warning[LX931]: " in out
    assert "info[LX991]: " in out
    lines = out.splitlines()
    assert (
        lines[-1] == "reading: no errors, 1 warning; judging: 4 findings (1 proved, 1 witnessed, 1 possible, 1 unknown)"
    )
    assert any(line.startswith("judged: 3 rules") for line in lines)
    assert any(line.startswith("coverage: book: 3 of 5") for line in lines)
    assert not any(line.startswith("not checked") for line in lines)
    assert "decided by the book" not in out
    assert list(here.iterdir()) == [here / BOOK]


@pytest.mark.usefixtures("here")
def test_a_clean_book_ends_well_and_says_what_was_judged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judges(monkeypatch, replace(JUDGEMENT, findings=()))
    status, out, _ = run(capsys, BOOK)
    assert status == 0
    assert out.splitlines()[-1] == "reading: no errors, 1 warning; judging: no findings"
    assert "skipped: campaigns that cannot be won (the book has no campaign)" in out
    assert run(capsys, BOOK, "--strict")[0] == 1


def test_an_interrupted_check_is_never_clean(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges(monkeypatch, replace(JUDGEMENT, findings=(), interrupted=True))
    status, out, _ = run(capsys, BOOK)
    assert status == 2
    assert "interrupted: " in out
    judges(monkeypatch, replace(JUDGEMENT, interrupted=True))
    assert run(capsys, BOOK)[0] == 1
    status, _, err = run(capsys, BOOK, "--write-baseline", "known.json")
    assert (status, (here / "known.json").exists()) == (2, False)
    assert "was not written: the check was interrupted" in err


@pytest.mark.parametrize(
    ("args", "shown"),
    [
        (["--select", "gap"], ["LX931"]),
        (["--select", "lx931"], ["LX931"]),
        (["--select", "LX9", "--ignore", "LX90,reading"], ["LX931", "LX951"]),
        (["--ignore", "contradiction", "--ignore", "LX501"], ["LX931", "LX991", "LX951"]),
        (["--select", "LX501"], ["LX501"]),
    ],
)
@pytest.mark.usefixtures("here")
def test_selection(capsys: pytest.CaptureFixture[str], args: list[str], shown: list[str]) -> None:
    _, out, _ = run(capsys, BOOK, "--format", "json", *args)
    found = json.loads(out)
    assert [item["code"] for item in (*found["diagnostics"], *found["findings"])] == shown
    assert sum(found["not_selected"].values()) + len(shown) == 5


@pytest.mark.usefixtures("here")
def test_what_is_not_selected_does_not_count_and_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, BOOK, "--select", "reading")
    assert status == 0
    assert "not selected: LX501 (1), LX901 (1), LX931 (1), LX951 (1)" in out


@pytest.mark.parametrize(
    "args",
    [
        ["--select", "gaps"],
        ["--ignore", "LX77"],
        ["--ignore", "LX101"],
        ["--baseline", "gone.json"],
        ["--format", "pdf"],
        ["--output", "no/such/folder/out.html"],
        ["--write-baseline", "no/such/folder/known.json"],
    ],
)
def test_bad_usage_is_one_message_and_changes_nothing(
    capsys: pytest.CaptureFixture[str], here: Path, args: list[str]
) -> None:
    status, _, err = run(capsys, BOOK, *args)
    assert status == 2
    assert err.startswith("ludex: ")
    assert "mistake of ours" not in err
    assert list(here.iterdir()) == [here / BOOK]


def test_the_project_says_what_counts(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    config = here / "ludex.toml"
    config.write_text('[check]\nignore = ["unreachable"]\n[check.severity]\ncontradiction = "info"\ngap = "off"\n')
    status, out, _ = run(capsys, BOOK)
    assert status == 0
    assert "info[LX901]" in out
    assert "LX931]" not in out
    assert "not selected: LX931 (1), LX951 (1)" in out
    status, out, _ = run(capsys, BOOK, "--select", "gap")
    assert status == 1
    assert "warning[LX931]" in out
    config.write_text('[check.severity]\nLX501 = "error"\n')
    status, out, _ = run(capsys, BOOK, "--select", "LX501")
    assert status == 1
    assert "error[LX501]" in out
    assert out.endswith("reading: 1 error, no warnings; judging: no findings\n")
    config.write_text('[check]\nselct = ["gap"]\n')
    status, out, err = run(capsys, BOOK)
    assert (status, out) == (2, "")
    assert err == "ludex: ludex.toml:2: [check] has no `selct`; did you mean `select`?\n"


def test_a_book_that_comes_with_ludex_is_of_no_project(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "ludex.toml").write_text("nonsense", encoding="utf-8")
    judges(monkeypatch, Judgement())
    assert run(capsys, "nim")[0] == 0


def test_only_new_findings_count_beside_a_baseline(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out, err = run(capsys, BOOK, "--write-baseline", "known.json")
    assert (status, err) == (0, "wrote known.json: 5 known\n")
    assert "error[LX901]" in out
    written = (here / "known.json").read_text(encoding="utf-8")
    assert [entry["code"] for entry in json.loads(written)["findings"]] == ["LX501", "LX901", "LX931", "LX951", "LX991"]
    status, out, _ = run(capsys, BOOK, "--baseline", "known.json", "--strict")
    assert status == 0
    assert "baseline: 5 known, none no longer found" in out
    assert out.endswith(", none of them new\n")

    (here / BOOK).write_text("# moved\n\n" + TEXT, encoding="utf-8")
    later = replace(CONTRADICTION, message="`storm_keeps_in` and `fair_wind` disagree")
    judges(monkeypatch, replace(JUDGEMENT, findings=(later, *FINDINGS[1:])))
    status, out, _ = run(capsys, BOOK, "--baseline", "known.json")
    assert status == 1
    assert "baseline: 4 known, 1 no longer found" in out
    assert "  no longer found: LX901: `storm_keeps_in` forbids" in out
    assert out.endswith(", 1 of them new\n")
    assert (here / "known.json").read_text(encoding="utf-8") == written
    status, _, _ = run(capsys, BOOK, "--baseline", "known.json", "--write-baseline", "known.json")
    assert status == 1
    assert run(capsys, BOOK, "--baseline", "known.json")[0] == 0


def test_no_baseline_of_a_book_with_errors(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    (here / BOOK).write_text(TEXT.replace("when storm\n", "when stormy\n"), encoding="utf-8")
    status, out, err = run(capsys, BOOK, "--write-baseline", "known.json")
    assert status == 2
    assert "error[LX101]" in out
    assert "was not written: the book has errors" in err
    assert not (here / "known.json").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"version": 9}', "\x00"])
def test_a_file_that_is_no_baseline(capsys: pytest.CaptureFixture[str], here: Path, text: str) -> None:
    (here / "known.json").write_text(text, encoding="utf-8")
    status, out, err = run(capsys, BOOK, "--baseline", "known.json")
    assert (status, out) == (2, "")
    assert err.startswith("ludex: `known.json` is no baseline that can be used: ")


@pytest.mark.parametrize(
    ("form", "begin"), [("html", "<!doctype html>"), ("sarif", "{"), ("json", "{"), ("text", "warning[")]
)
def test_a_report_goes_into_a_file_whole(capsys: pytest.CaptureFixture[str], here: Path, form: str, begin: str) -> None:
    shown = run(capsys, BOOK, "--format", form)[1]
    (here / "out").write_text("old", encoding="utf-8")
    status, out, _ = run(capsys, BOOK, "--format", form, "--output", "out")
    assert status == 1
    written = (here / "out").read_text(encoding="utf-8")
    assert written == shown
    assert written.startswith(begin)
    assert out.startswith("wrote out\n")
    assert out.splitlines()[-1].endswith("4 findings (1 proved, 1 witnessed, 1 possible, 1 unknown)")
    assert sorted(path.name for path in here.iterdir()) == ["out", BOOK]


@pytest.mark.usefixtures("here")
def test_the_same_book_gives_the_same_report(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("html", "sarif", "json", "text"):
        assert run(capsys, BOOK, "--format", form) == run(capsys, BOOK, "--format", form)


@pytest.mark.usefixtures("here")
def test_decided_pairs_and_statistics_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    out = run(capsys, BOOK, "--decided", "--stats")[1]
    assert "    lighthouse wins, by authority card > book (book 5)\n" in out
    assert "may against cannot            contradiction          3      1     0.25\n" in out
    found = json.loads(run(capsys, BOOK, "--format", "json", "--decided", "--stats")[1])
    assert found["judgement"]["decided"][0]["by"] == "authority card > book"
    assert found["judgement"]["checks"][0]["seconds"] == 0.25
    plain = json.loads(run(capsys, BOOK, "--format", "json")[1])
    assert plain["judgement"]["decided"] == []
    assert "seconds" not in plain["judgement"]["checks"][0]


@pytest.mark.usefixtures("here")
def test_many_findings_are_cut_and_counted(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    many = tuple(replace(GAP, message=f"no row for {n}") for n in range(40))
    judges(monkeypatch, replace(JUDGEMENT, findings=many))
    out = run(capsys, BOOK)[1]
    assert out.count("warning[LX931]") == 30
    assert "... and 10 more; `--all` shows them" in out
    assert run(capsys, BOOK, "--all")[1].count("warning[LX931]") == 40


def test_a_book_with_errors_is_reported_in_every_form(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.judge.judge", judge)
    (here / BOOK).write_text(TEXT.replace("when storm\n", "when stormy\n"), encoding="utf-8")
    for form in ("html", "sarif", "json", "text"):
        status, out, err = run(capsys, BOOK, "--format", form)
        assert (status, err) == (1, "")
        assert "stormy" in out
        status, out, err = run(capsys, "gone.rules", "--format", form)
        assert (status, err) == (2, "")
        assert "LX001" in out


def test_nothing_is_judged_of_a_book_with_errors(here: Path) -> None:
    from ludex.book import load

    (here / BOOK).write_text(TEXT.replace("when storm\n", "when stormy\n"), encoding="utf-8")
    assert judge(load(BOOK), JudgeOptions(decided=True)) == Judgement()
