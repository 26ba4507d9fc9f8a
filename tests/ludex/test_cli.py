"""The command line as a user meets it: what it prints, what it writes, how it ends."""

from __future__ import annotations

import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.cli import COMMANDS, main
from rules.codes import CODES

ROOT = Path(__file__).parents[2]
GOOD = """\
game "Small" played by Player

kind Player 2
    coins 0..9

let p be Player

play
    each p
        p takes 1 action

action work by p
    coins of p increases by 1

rule work_pays
    p may work when coins of p < 9
"""
MISSPELT = GOOD.replace("coins of p increases", "coinz of p increases")
WARNED = GOOD + "\naction rest_ by p\n    nothing\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path: Path, text: str | bytes) -> str:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path.name


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    status = main(list(args))
    captured = capsys.readouterr()
    return status, captured.out, captured.err


# ---- usage


@pytest.mark.parametrize("args", [["--help"], ["-h"]])
def test_help_names_every_command(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    status, out, _ = run(capsys, *args)
    assert status == 0
    assert all(f"ludex {command}" in out for command in COMMANDS)


def test_no_command_is_bad_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys)[0] == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    status, out, err = run(capsys, command, "--help")
    assert (status, err) == (0, "")
    assert f"ludex {command}" in out


@pytest.mark.parametrize(
    "args",
    [
        ["chek"],
        ["check"],
        ["check", "a", "b"],
        ["check", "harbour", "--format", "xml"],
        ["check", "harbour", "--colour"],
        ["explain", "LX9999"],
        ["fmt"],
        ["fmt", "-", "x.rules"],
        ["new"],
        ["new", "1st"],
        ["new", "a/b"],
    ],
)
def test_bad_usage_is_one_message_and_status_2(capsys: pytest.CaptureFixture[str], here: Path, args: list[str]) -> None:
    status, out, err = run(capsys, *args)
    assert status == 2
    assert out == ""
    assert err.startswith("ludex: ")
    assert "Traceback" not in err
    assert list(here.iterdir()) == []


def test_a_misspelt_command_gets_a_suggestion(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean `check`" in run(capsys, "chek")[2]


# ---- check


def test_a_clean_book_says_what_was_and_was_not_checked(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    status, out, _ = run(capsys, "check", write(here / "small.rules", GOOD))
    assert status == 0
    assert "1 rule, 1 action" in out
    assert "judged: 1 rule" in out
    assert out.splitlines()[-1].startswith("reading: no errors, no warnings; ")


def test_an_error_shows_its_line_and_fails(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    status, out, _ = run(capsys, "check", write(here / "small.rules", MISSPELT))
    assert status == 1
    assert "error[LX101]" in out
    assert "small.rules:13:5" in out
    assert "^^^^^\n" in out
    assert "did you mean `coins`?" in out


def test_warnings_fail_only_when_strict(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    path = write(here / "small.rules", WARNED)
    assert run(capsys, "check", path)[0] == 0
    status, out, _ = run(capsys, "check", path, "--strict")
    assert status == 1
    assert "warning[LX504]" in out


def test_json_has_the_same_findings(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    status, out, _ = run(capsys, "check", write(here / "small.rules", MISSPELT), "--format", "json")
    found = json.loads(out)
    assert status == 1
    assert [(d["code"], d["line"], d["column"]) for d in found["diagnostics"]] == [("LX101", 13, 5)]
    assert found["summary"]["errors"] == 1


def test_a_syntax_error_does_not_hide_a_type_error_elsewhere(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    text = GOOD.replace("    p may work", "    p can work") + "\nrule other\n    p may work when coins of p\n"
    status, out, _ = run(capsys, "check", write(here / "small.rules", text), "--format", "json")
    codes = [d["code"] for d in json.loads(out)["diagnostics"]]
    assert status == 1
    assert len(codes) == 2
    assert codes[0].startswith("LX0")
    assert codes[1] == "LX203"


def test_what_a_broken_declaration_declares_is_not_called_unknown(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    text = GOOD.replace("kind Player 2", "kind Player Player 2")
    _, out, _ = run(capsys, "check", write(here / "small.rules", text), "--format", "json")
    found = json.loads(out)
    assert [d["code"][:3] for d in found["diagnostics"]] == ["LX0"]
    assert found["summary"]["complete"] is False


def test_many_messages_are_cut_and_counted(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    bad = "".join(f"\nrule bad_{i}\n    p may work when unknown_{i} is 1\n" for i in range(40))
    path = write(here / "small.rules", GOOD + bad)
    _, out, _ = run(capsys, "check", path)
    assert out.count("error[") == 30
    assert "and 10 more" in out
    assert run(capsys, "check", path, "--all")[1].count("error[") == 40


def test_a_folder_is_one_book(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    folder = here / "book"
    folder.mkdir()
    head, tail = GOOD.split("play\n")
    write(folder / "a.rules", head)
    write(folder / "b.rules", "play\n" + tail)
    status, out, _ = run(capsys, "check", "book")
    assert status == 0
    assert "read: 2 files" in out


def test_a_bundled_book_is_found_by_name_but_a_file_comes_first(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert "tic_tac_toe" in run(capsys, "check", "no_such_book")[1]
    assert run(capsys, "check", "nim")[0] == 0
    write(here / "nim", MISSPELT)
    assert run(capsys, "check", "nim")[0] == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "LX002"),
        (b"\x7fELF\x00\x01", "LX003"),
        (b"\xef\xbb\xbf" + GOOD.encode(), "LX005"),
        (GOOD.replace("\n", "\r\n").encode(), "LX006"),
        (GOOD.replace("    coins", "\tcoins").encode(), "LX011"),
        (GOOD.replace("kind Player 2", "kind Player 0").encode(), "LX302"),
        (GOOD.replace("0..9", "9..0").encode(), "LX301"),
        (GOOD.encode() + b"\nrule deep\n    p may work when " + b"(" * 10_000 + b"yes" + b")" * 10_000, "LX013"),
        (GOOD.encode() + b"\nrule deep\n    p may work when " + b"(" * 10_000, "LX015"),
        (GOOD.encode() + b'\nimport "missing.rules"\n', "LX007"),
        (GOOD.encode() + b'\nimport "small.rules"\n', "LX008"),
        (b"# " + b"x" * 10_000_000, "LX004"),
    ],
)
def test_bad_input_has_one_clear_message(
    capsys: pytest.CaptureFixture[str], here: Path, content: bytes, code: str
) -> None:
    status, out, err = run(capsys, "check", write(here / "small.rules", content))
    assert status in {1, 2}
    assert f"error[{code}]" in out
    assert out.count("error[") == 1
    assert "small.rules:" in out
    assert "Traceback" not in out + err


def test_a_file_cut_off_anywhere_never_breaks_the_tool(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    for end in range(0, len(GOOD), 7):
        status, out, err = run(capsys, "check", write(here / "small.rules", GOOD[:end]))
        assert status in {0, 1}, GOOD[:end]
        assert "mistake of ours" not in out + err


# ---- fmt


def test_fmt_rewrites_once(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    path = write(here / "small.rules", GOOD.replace("coins 0..9", "coins    0..9   # purse"))
    status, out, _ = run(capsys, "fmt", path)
    assert (status, out) == (0, "changed small.rules\n")
    assert "    coins 0..9  # purse\n" in (here / path).read_text()
    assert run(capsys, "fmt", path)[1] == "1 file, nothing to change\n"


def test_fmt_check_changes_nothing(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    text = GOOD.replace("coins 0..9", "coins    0..9")
    path = write(here / "small.rules", text)
    assert run(capsys, "fmt", "--check", path)[:2] == (1, "would change small.rules\n")
    assert (here / path).read_text() == text


def test_fmt_leaves_a_file_that_it_cannot_read(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    text = GOOD.replace("p may work", "p may may work")
    path = write(here / "small.rules", text)
    status, out, err = run(capsys, "fmt", path)
    assert (status, out) == (1, "")
    assert "error[LX0" in err
    assert (here / path).read_text() == text
    assert [entry.name for entry in here.iterdir()] == ["small.rules"]


def test_fmt_mends_what_an_editor_left(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    path = write(here / "small.rules", "\ufeff" + GOOD.replace("\n", "\r\n").replace("    coins", "\tcoins"))
    assert run(capsys, "fmt", path)[0] == 0
    assert (here / path).read_bytes() == GOOD.encode()


def test_fmt_keeps_permissions_and_links(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    real = here / "real.rules"
    write(real, GOOD.replace("coins 0..9", "coins    0..9"))
    real.chmod(0o640)
    link = here / "link.rules"
    link.symlink_to(real)
    assert run(capsys, "fmt", "link.rules")[0] == 0
    assert link.is_symlink()
    assert real.read_text() == GOOD
    assert real.stat().st_mode & 0o777 == 0o640


def test_fmt_of_a_missing_file(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    status, _, err = run(capsys, "fmt", "missing.rules")
    assert status == 2
    assert "error[LX001]" in err
    assert list(here.iterdir()) == []


def test_fmt_reads_and_writes_streams() -> None:
    done = _process("fmt", "-", stdin=GOOD.replace("coins 0..9", "coins    0..9"))
    assert (done.returncode, done.stdout) == (0, GOOD)


# ---- coverage, explain, new


def test_coverage_counts_each_section(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    text = GOOD + (
        '\ndocuments\n    book "Rules"\n\noutline book\n    section "Work" lines 1..9\n'
        "        line 3 states 2\n        line 5 states 1\n        line 7 restates 1\n"
        '\nnote appearance "coins are round" cites book 5\n'
    )
    text = text.replace("rule work_pays", "rule work_pays cites book 3")
    path = write(here / "small.rules", text)
    status, out, _ = run(capsys, "coverage", path, "--open")
    assert status == 0
    assert "open lines: 3, 7" in out
    found = json.loads(run(capsys, "coverage", path, "--format", "json")[1])["documents"][0]
    assert (found["statements"], found["modelled"], found["noted"], found["open"]) == (4, 1, 1, 2)
    assert found["sections"][0]["noted"] == {"appearance": 1}


def test_coverage_of_a_book_with_errors_is_refused(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    status, out, err = run(capsys, "coverage", write(here / "small.rules", MISSPELT))
    assert (status, out) == (1, "")
    assert "error[LX101]" in err


@pytest.mark.parametrize("code", sorted(CODES))
def test_explain_has_a_page_for_every_code(capsys: pytest.CaptureFixture[str], code: str) -> None:
    status, out, _ = run(capsys, "explain", code.lower())
    assert status == 0
    assert out.startswith(f"# {code}: ")


def test_explain_lists_the_codes_that_begin_so(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "explain", "lx96")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == ["LX961", "LX962", "LX963"]


def test_explain_lists_all_codes(capsys: pytest.CaptureFixture[str]) -> None:
    lines = run(capsys, "explain")[1].splitlines()
    assert [line.split()[0] for line in lines] == list(CODES)


def test_new_starts_a_clean_book_and_overwrites_nothing(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert run(capsys, "new", "città_d_oro")[0] == 0
    path = here / "città_d_oro.rules"
    assert 'game "Città d oro"' in path.read_text(encoding="utf-8")
    assert run(capsys, "check", "--strict", str(path))[0] == 0
    assert run(capsys, "fmt", "--check", str(path))[0] == 0
    path.write_text("mine", encoding="utf-8")
    assert run(capsys, "new", "città_d_oro")[0] == 2
    assert path.read_text(encoding="utf-8") == "mine"


# ---- as a process


def _process(*args: str, stdin: str | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ludex.cli", *args],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**environment(), "PYTHONIOENCODING": "utf-8", **env},
    )


def environment() -> dict[str, str]:
    """This checkout, wherever the tests were started; output as most people have it, buffered."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return {**kept, "PYTHONPATH": str(ROOT)}


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom ludex.cli import main\nmain(['--help'])\n"
        "print(sorted({'lark', 'z3', 'networkx', 'argparse', 're', 'grammar', 'rules'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    before = subprocess.run(
        [sys.executable, "-c", "import sys; print(sorted({'argparse', 're'} & set(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] == before.stdout.strip()


def test_a_check_without_graphs_loads_no_graph_library() -> None:
    code = (
        "import sys\nfrom ludex.cli import main\nmain(['check', 'kuhn_poker', '--no-cache'])\n"
        "print(sorted({'z3', 'networkx'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment())
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("args", [["explain"], ["--help"], ["check", "harbour"]])
def test_a_reader_that_goes_away_is_no_failure(args: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "ludex.cli", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 0


class FullDisk(io.StringIO):
    def write(self, _text: str) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def fileno(self) -> int:
        raise OSError("not a file")


def test_output_that_cannot_be_written_is_one_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", FullDisk())
    assert main(["explain"]) == 2
    monkeypatch.undo()
    assert capsys.readouterr().err == "ludex: the output could not be written: no space left on device\n"


def test_a_console_without_accents_shows_codes_for_them(tmp_path: Path) -> None:
    path = tmp_path / "città.rules"
    path.write_text(MISSPELT.replace("Player", "Giocàtore"), encoding="utf-8")
    done = _process("check", str(path), PYTHONIOENCODING="ascii")
    assert done.returncode == 1
    assert "error[LX101]" in done.stdout
    assert "mistake of ours" not in done.stderr


def test_a_path_that_is_too_long_is_one_message(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("check", "fmt", "coverage"):
        status, out, err = run(capsys, command, "x" * 5000)
        assert status == 2
        assert "LX001" in out + err
        assert "mistake of ours" not in out + err


def test_a_missing_book_ends_alike_in_text_and_json(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    assert run(capsys, "check", "gone.rules")[0] == run(capsys, "check", "gone.rules", "--format", "json")[0] == 2
    write(here / "mine.rules", GOOD)
    assert "did you mean `mine.rules`?" in run(capsys, "check", "mine")[1]
    assert "did you mean `harbour`?" in run(capsys, "check", "harbor")[1]
    assert "did you mean `tic_tac_toe`?" in run(capsys, "check", "tic-tac-toe")[1]


def test_what_cannot_be_read_comes_before_everything_else(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    folder = here / "book"
    folder.mkdir()
    bad = "".join(f"\nrule bad_{i}\n    p may work when coins of p\n" for i in range(40))
    write(folder / "a.rules", GOOD + bad)
    write(folder / "b.rules", "rule broken\n    p can work\n")
    out = run(capsys, "check", "book")[1]
    assert out.splitlines()[0].startswith("error[LX0")


def test_a_broken_declaration_brings_no_complaints_about_what_it_declares(
    capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    text = GOOD + (
        "\nkind Port named a, b\n\nmap sea of Port\n    links a to b\n\nlet q be Port\n\nstate\n    at Port starts a\n"
        "\nrule other\n    p cannot work when some q where q is next to at\n"
    ).replace("at Port", "spot Port").replace("to at", "to spot")
    out = run(capsys, "check", write(here / "small.rules", text))[1]
    assert out.count("error[") == 1


def test_explain_takes_a_code_as_it_was_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "explain", "error[LX101]:")[1].startswith("# LX101: ")


def test_help_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "help", "fmt") == run(capsys, "fmt", "--help")


def test_fmt_of_a_stream_mends_what_fmt_of_a_file_mends() -> None:
    untidy = "\ufeff" + GOOD.replace("\n", "\r\n").replace("    coins", "\tcoins")
    done = subprocess.run(
        [sys.executable, "-m", "ludex.cli", "fmt", "-"],
        input=untidy.encode(),
        capture_output=True,
        check=False,
        env=environment(),
    )
    assert (done.returncode, done.stdout) == (0, GOOD.encode())


def test_fmt_refuses_a_protected_file(
    capsys: pytest.CaptureFixture[str], here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GOOD.replace("coins 0..9", "coins    0..9")
    path = here / write(here / "small.rules", text)
    monkeypatch.setattr("ludex.rewrite.os.access", lambda _path, _mode: False)
    status, _, err = run(capsys, "fmt", "small.rules")
    assert status == 2
    assert "protected" in err
    assert path.read_text() == text
