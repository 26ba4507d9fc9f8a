"""What was played is not lost, whatever ends the evening; nothing else is overwritten; `undo` goes back to oneself."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import ludex
from ludex.errors import UsageError
from ludex.play import Table
from ludex.strategies import strategy_of
from rules.machine.game import Save, read_save
from tests.ludex.test_playing import Tool, here, tool

__all__ = ["here", "tool"]  # fixtures


def saved(path: Path) -> Save:
    return read_save(path.read_text(encoding="utf-8"))


# ---- where a game is written


def test_a_file_that_is_no_save_of_this_game_is_not_overwritten(tool: Tool, here: Path) -> None:
    (here / "notes.txt").write_text("bread, wine\n")
    tool("play", "pig", "--seed", "1", typed=("1", "save pig.save", "quit!"))
    pig = (here / "pig.save").read_text()
    typed = ("1", "save notes.txt", "save pig.save", "save .", "save no/where.save", "save mine.save", "1", "quit!")
    _, out, _ = tool("play", "nim", typed=typed)
    assert "`notes.txt` is there already, and is no save of `Nim`; it is left as it is" in out
    assert "`pig.save` is there already, and is no save of `Nim`; it is left as it is" in out
    assert "`.` cannot be written: it is no file" in out
    assert "`no/where.save` cannot be written: there is no folder `no`" in out
    assert (here / "notes.txt").read_text() == "bread, wine\n"
    assert (here / "pig.save").read_text() == pig
    assert len(saved(here / "mine.save").record) == 1
    tool("play", "nim", "--load", "mine.save", typed=("1", "save mine.save", "quit!"))
    assert len(saved(here / "mine.save").record) == 2


@pytest.mark.parametrize("path", ["notes.txt", "no/where.save", "."])
def test_where_a_game_cannot_be_saved_is_said_before_it_begins(tool: Tool, here: Path, path: str) -> None:
    (here / "notes.txt").write_text("bread, wine\n")
    status, out, err = tool("play", "nim", "--save", path, typed=("1",))
    assert (status, out) == (2, "")
    assert err.startswith(f"ludex: `{path}` ")
    assert err.count("\n") == 1


def test_who_cannot_write_does_not_leave(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nquit\n1\nsave other.save\nquit!\n"))
    table = Table(ludex.load("nim").start(), "nim", file="no/where.save")
    assert table.play() == 0
    assert len(saved(here / "other.save").record) == 2


def test_at_the_end_of_input_another_file_is_found(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    assert Table(ludex.load("nim").start(), "nim", file="no/where.save").play() == 0
    assert "saved to nim.save\n" in capsys.readouterr().out
    assert len(saved(here / "nim.save").record) == 1
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    monkeypatch.setattr(ludex.Game, "save", _fails)
    assert Table(ludex.load("nim").start(), "nim").play() == 2
    assert capsys.readouterr().out.endswith("the game could not be written anywhere\n")


def _fails(_game: ludex.Game, path: str) -> None:
    raise UsageError(f"`{path}` cannot be written")


def test_a_strategy_that_fails_does_not_take_the_game_with_it(tool: Tool, here: Path) -> None:
    (here / "own.py").write_text(
        "def once(game):\n    assert len(game.record) < 3, 'no more'\n    return game.moves[0]\n"
    )
    status, _, err = tool("play", "nim", "--as", "1", "--others", "own.py:once", typed=("1", "1"))
    assert status == 2
    assert err.startswith("the game so far is saved to nim.save\nludex: the strategy `own.py:once` failed")
    assert len(saved(here / "nim.save").record) == 3


def playing(here: Path) -> subprocess.Popen[bytes]:
    """`ludex play nim` in a process of its own, at its first question.

    It hears Ctrl-C as on a terminal, even where the tests run in the background and signals are ignored by inheritance.
    """
    root = str(Path(ludex.__file__).parents[1])
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        f"sys.path.insert(0, {root!r}); from ludex.cli import main; sys.exit(main(['play', 'nim']))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=here
    )
    until_asked(process)
    return process


def until_asked(process: subprocess.Popen[bytes]) -> None:
    assert process.stdout is not None
    while process.stdout.read(1) != b">":
        pass


def test_a_game_whose_output_nobody_reads_any_more_is_kept(here: Path) -> None:
    with playing(here) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(b"1\n1\n")
        process.stdin.close()
        process.wait(60)
    assert len(saved(here / "nim.save").record) in (1, 2)


def ended_by(process: subprocess.Popen[bytes], number: signal.Signals) -> int:
    """A signal between the question and the waiting for its answer is only heard with the next one."""
    for _ in range(12):
        time.sleep(0.3)
        process.send_signal(number)
        try:
            return process.wait(5)
        except subprocess.TimeoutExpired:
            continue
    process.kill()
    raise AssertionError("it does not end")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_terminal_that_is_closed_does_not_take_the_game_with_it(here: Path, number: signal.Signals) -> None:
    with playing(here) as process:
        assert process.stdin is not None
        process.stdin.write(b"1\n")
        process.stdin.flush()
        until_asked(process)
        assert ended_by(process, number) == 0
    assert len(saved(here / "nim.save").record) == 1


def test_what_was_ruled_in_a_game_that_is_over_can_be_exported(tool: Tool, here: Path) -> None:
    (here / "b.rules").write_text(
        'game "B" played by Player\n\nkind Player 1\n\nlet p be Player\n\nplay\n    each p\n        p takes 1 action\n'
        "    nobody wins\n\naction sail by p\n\nrule one\n    p may sail\n\nrule two\n    p cannot sail\n"
    )
    status, out, _ = tool("play", "b.rules", typed=("1", "1"))
    assert status == 0
    assert out.endswith("saved to b.save\n`ludex rulings b.rules b.save` shows what was ruled\n")
    assert "one over two" in tool("rulings", "b.rules", "b.save")[1]


# ---- what is typed


def test_a_number_without_end_is_no_move(tool: Tool) -> None:
    _, out, _ = tool("play", "nim", typed=("9" * 5000, "why " + "9" * 5000))
    assert "cannot be chosen here" in out
    assert out.endswith("nothing was chosen, so nothing was written\n")


@pytest.mark.parametrize("asked", ["why", "why not", "why 99", "why not 99", "why --all"])
def test_why_needs_a_move(tool: Tool, asked: str) -> None:
    _, out, _ = tool("play", "nim", typed=(asked,))
    assert "> `why` needs a move: a number from 1 to 15, or its text after `why not`\n" in out


# ---- seeds


def test_a_game_with_a_long_seed_is_saved_and_goes_on(tool: Tool) -> None:
    seed = "9" * 40
    tool("play", "nim", "--seed", seed, typed=("1",))
    assert f"seed {seed}" in tool("play", "nim", "--load", "nim.save")[1]
    status, out, err = tool("play", "nim", "--seed", f"1{seed}")
    assert (status, out) == (2, "")
    assert "a number of 41 digits is too long; up to 40 are read" in err


@pytest.mark.parametrize("seed", ["x", "7", 1.5, None, True])
def test_a_seed_is_a_whole_number(seed: object) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number"):
        ludex.load("nim").start(seed=seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["\u0661", "1_000", "0x10", " 7", ""])
def test_a_seed_is_written_in_plain_digits(tool: Tool, text: str) -> None:
    status, out, err = tool("run", "nim", "--seed", text)
    assert (status, out) == (2, "")
    assert f"`{text}` is no whole number" in err


def test_what_is_no_number_of_players_and_no_viewer() -> None:
    book = ludex.load("nim")
    with pytest.raises(TypeError, match="`players` is a whole number, not '2'"):
        book.start(players="2")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="`policies` are several names, not 'house'"):
        book.start(policies="house")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="players are numbered from 0 to 1; nobody is 2"):
        book.start().why("take 1 from three", viewer=2)
    for wrong in (None, 3):
        with pytest.raises(TypeError, match="a move is a text, or one of"):
            book.start().why(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="a move is a text, or one of"):
            book.start().do(wrong)  # type: ignore[arg-type]


def test_a_legal_move_can_be_made_as_it_was_given() -> None:
    game = ludex.load("nim").start()
    legal = game.legal()
    game.do(legal[3])
    assert game.record[0].text == "take 2 by Player 1 from three"
    with pytest.raises(ValueError, match="`take 3 by Player 1 from three` cannot be chosen here"):
        game.do(legal[6])


# ---- undo, and what is seen


def test_undo_goes_back_to_a_decision_of_ones_own(tool: Tool) -> None:
    _, out, _ = tool("play", "nim", "--as", "2", "--others", "first", typed=("1", "undo", "undo", "undo!"))
    assert "> taken back: take 1 by Player 2 from three\nstones: three 2\n" in out
    assert out.count("> nothing has been chosen yet\n") == 2
    assert out.endswith("saved to nim.save\n`ludex play nim --load nim.save` goes on\n")


def test_undo_past_what_the_others_have_shown_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ludex.load("crazy_eights").start(seed=2)
    table = Table(game, "crazy_eights", frozenset({0}), strategy_of("first", 2))
    lengths: list[int] = []

    def answer(_prompt: str = "") -> str:
        lengths.append(len(game.record))
        return ("1", "undo", "undo!", "quit!")[len(lengths) - 1]

    monkeypatch.setattr("builtins.input", answer)
    table.play()
    assert lengths[1] == lengths[2] > lengths[0] == lengths[3]
    assert (
        "somebody has seen something new since the last choice; `undo!` takes that back too" in capsys.readouterr().out
    )


TABLE_DECIDES = """\
game "Table" played by Player

kind Player 2

kind Card named ace, king

piles of Card
    deck starts Card closed
    hand of Player private

let p, other be Player

play
    Player chooses p
    draw 1 from deck to hand of p
    Player chooses other
    nobody wins
"""


def test_where_the_table_decides_only_what_all_see_is_shown(tool: Tool, here: Path) -> None:
    (here / "t.rules").write_text(TABLE_DECIDES)
    _, out, err = tool("play", "t.rules", typed=("1", "state"))
    assert err == ""
    assert out.count("hand: Player 1 [1 hidden]") == 2
    assert "ace" not in out
    assert "king" not in out
