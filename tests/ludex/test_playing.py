"""`ludex test`, `ludex run` and `ludex play` as a user meets them, with bad input among it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import ludex
from ludex.cli import main
from rules.machine.game import _seal

BROKEN = """\
game "Broken" played by Player

kind Player 2
    coins 0..3

let p be Player

play
    repeat until some p where coins of p is 3
        each p
            p takes 1 action

action work by p
    coins of p increases by 1

rule work_pays
    p may work
"""
FAILING = (
    BROKEN
    + """
scenario "two at once"
    during game
    do work by p
    then coins of p is 2
"""
)
ENDLESS = BROKEN.replace("increases by 1", "becomes 1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Tool:
    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, *args: str, typed: tuple[str, ...] = ()) -> tuple[int, str, str]:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
        status = main(list(args))
        captured = self.capsys.readouterr()
        assert "mistake of ours" not in captured.err
        return status, captured.out, captured.err


@pytest.fixture
def tool(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, here: Path) -> Tool:
    assert list(here.iterdir()) == []
    return Tool(capsys, monkeypatch)


# ---- test


def test_passing_scenarios_are_counted(tool: Tool) -> None:
    assert tool("test", "ur")[:2] == (0, "4 scenarios, none failing; 3 questions, all answered as expected\n")


def test_a_failing_scenario_shows_its_line(tool: Tool, here: Path) -> None:
    (here / "x.rules").write_text(FAILING)
    status, out, _ = tool("test", "x.rules")
    assert status == 1
    assert "error[LX701]: the scenario `two at once` fails: this does not hold" in out
    assert "x.rules:22:5" in out
    assert "then coins of p is 2" in out
    assert out.endswith("1 scenario, 1 failing\n")


def test_a_book_without_scenarios_says_so(tool: Tool, here: Path) -> None:
    (here / "x.rules").write_text(BROKEN)
    assert tool("test", "x.rules")[:2] == (
        0,
        "the rulebook has no scenarios, and no questions that expect an answer\n",
    )


@pytest.mark.parametrize("command", ["test", "run", "play"])
def test_a_book_with_errors_is_refused(tool: Tool, here: Path, command: str) -> None:
    (here / "x.rules").write_text(BROKEN.replace("may work", "may wrok"))
    status, out, err = tool(command, "x.rules")
    assert (status, out) == (1, "")
    assert "error[LX" in err
    assert err.rstrip().endswith("for a rulebook without errors")
    status, out, err = tool(command, "tik_tac_toe")
    assert (status, out) == (2, "")
    assert "did you mean `tic_tac_toe`?" in err


# ---- run


def test_a_run_tells_who_won_how_often_and_the_same_seed_tells_the_same(tool: Tool) -> None:
    first = tool("run", "pig", "--games", "10", "--players", "3", "--seed", "4")
    assert first[0] == 0
    wins = [int(line.split()[-1]) for line in first[1].splitlines() if " wins " in line]
    assert len(wins) == 3
    assert sum(wins) == 10
    assert tool("run", "pig", "--games", "10", "--players", "3", "--seed", "4") == first
    assert tool("run", "pig", "--games", "10", "--players", "3", "--seed", "5") != first


def test_the_first_move_always_wins_nim_for_the_first_player(tool: Tool) -> None:
    status, out, _ = tool("run", "nim", "--strategy", "first", "--games", "3")
    assert status == 0
    assert "decisions: 45 by players, 0 by chance" in out
    assert "Player 1 wins       3" in out


def test_an_open_point_is_a_finding_with_the_rules_and_their_places(tool: Tool) -> None:
    status, out, _ = tool("run", "harbour", "--games", "3")
    assert status == 1
    assert "ended: 0\nstopped at an open point: 3 (first with seed 0)" in out
    assert "the rules disagree on `toll`" in out
    assert out.count("harbour.rules:10") == 2
    assert out.count("cites book 40") == 2


def test_stops_at_one_disagreement_are_one_finding_whatever_the_move(tool: Tool, here: Path) -> None:
    text = BROKEN.replace("action work by p\n", "let n be 1..3\n\naction work by p using n\n")
    text = text.replace("p may work", "p may work using n when n >= coins of p + 1")
    (here / "x.rules").write_text(text + "\nrule strike\n    p cannot work using n when coins of p is 1 and n is 2\n")
    status, out, _ = tool("run", "x.rules", "--games", "10")
    assert status == 1
    assert out.count("stopped at an open point") == 1
    assert "stopped at an open point: 10 (first with seed 0)" in out


def test_who_breaks_off_a_run_sees_what_was_played(tool: Tool, here: Path) -> None:
    (here / "own.py").write_text(
        "def tires(game):\n    if game.seed == 2:\n        raise KeyboardInterrupt\n    return game.moves[0]\n"
    )
    status, out, err = tool("run", "nim", "--games", "9", "--strategy", "own.py:tires")
    assert status == 2
    assert out.startswith("Nim: 2 games, ")
    assert "ended: 2\n" in out
    assert err == "ludex: interrupted after 2 of 9 games\n"


def test_a_game_that_does_not_end_is_left_and_said(tool: Tool, here: Path) -> None:
    (here / "x.rules").write_text(ENDLESS)
    status, out, _ = tool("run", "x.rules", "--games", "2", "--limit", "30")
    assert status == 1
    assert "decisions: 60 by players" in out
    assert "left after 30 decisions without an end: 2 (first with seed 0)" in out


def test_breaking_the_bounds_of_the_book_is_a_finding(tool: Tool, here: Path) -> None:
    (here / "x.rules").write_text(BROKEN.replace("increases by 1", "increases by 2"))
    status, out, _ = tool("run", "x.rules", "--games", "1")
    assert status == 1
    assert "out of bounds: `coins` would be 4, and it is 0..3" in out


def test_what_the_book_does_not_say_and_what_breaks_its_bounds_are_shown_with_their_places(
    tool: Tool, here: Path
) -> None:
    (here / "x.rules").write_text(BROKEN.replace("increases by 1", "increases by 2"))
    status, out, _ = tool("run", "x.rules", "--games", "1")
    assert status == 1
    assert "out of bounds: `coins` would be 4, and it is 0..3\n    x.rules:14\n" in out
    wage = "\nvalue wage of p: 0..3\n    is 1 when coins of p is 0\n"
    (here / "x.rules").write_text(BROKEN.replace("increases by 1", "increases by wage of p") + wage)
    status, out, _ = tool("run", "x.rules", "--games", "1")
    assert status == 1
    assert "a gap: no rule says what `wage` is here\n    x.rules:19\n" in out


def test_a_game_that_ends_without_a_result_says_so(tool: Tool, here: Path) -> None:
    (here / "x.rules").write_text(BROKEN)
    status, out, _ = tool("run", "x.rules", "--games", "2")
    assert status == 0
    assert "no rule says who has won       2" in out


ERRATA = """\
import "base.rules"

ruling errata_1 supplied
    rule rich_enough
        p wins when coins of p is 3

policy lazy
    rule rest_day
        p cannot work when coins of p is 2
"""


def test_errata_that_import_the_game_are_in_force(tool: Tool, here: Path) -> None:
    (here / "base.rules").write_text(BROKEN)
    (here / "errata.rules").write_text(ERRATA)
    assert "1 rule, 1 ruling, 1 action" in tool("check", "errata.rules")[1]
    assert "no rule says who has won       2" in tool("run", "base.rules", "--games", "2")[1]
    assert "Player 1 wins       2" in tool("run", "errata.rules", "--games", "2")[1]
    status, out, err = tool("run", "errata.rules", "--policy", "errata_1")
    assert (status, out, err) == (2, "", "ludex: `errata_1` is a ruling, not a policy: it is always in force\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("run", "nim", "--seed", "x"), "`x` is no whole number"),
        (("run", "nim", "--games", "0"), "`0` is no number from 1 up"),
        (("run", "nim", "--limit", "-1"), "no number from 1 up"),
        (("run", "nim", "--players", "9"), "the game is for 2 players, not 9"),
        (("run", "nim", "--policy", "x"), "no policy `x`"),
        (("run", "nim", "--strategy", "clever"), "`clever` is no strategy"),
        (("play", "nim", "--seed", "1.5"), "`1.5` is no whole number"),
        (("play", "nim", "--load", "missing.txt"), "`missing.txt` cannot be read"),
        (("play", "nim", "--load", "x", "--players", "2"), "has its own players"),
        (("play", "nim", "--load", "."), "`.` cannot be read"),
    ],
)
def test_bad_usage_is_one_message(tool: Tool, args: tuple[str, ...], message: str) -> None:
    status, out, err = tool(*args)
    assert (status, out) == (2, "")
    assert err.startswith("ludex: ")
    assert message in err


# ---- play

WON = tuple(
    f"mark by {who} at Cell {at}"
    for who, at in zip(("cross", "nought") * 3, ("1,1", "1,2", "2,1", "2,2", "3,1"), strict=False)
)


def test_a_game_to_its_end_by_texts_and_numbers(tool: Tool) -> None:
    status, out, _ = tool("play", "tic_tac_toe", typed=WON)
    assert status == 0
    assert out.endswith("the game is over: cross wins\n")
    status, again, _ = tool("play", "tic_tac_toe", typed=("1", "3", "1", "2", "1"))
    assert status == 0
    assert again.endswith("the game is over: cross wins\n")


def test_what_cannot_be_chosen_changes_nothing(tool: Tool) -> None:
    typed = ("0", "10", "-1", "mark by nought at Cell 1,1", "quit now", "undo", "save", "", "state")
    status, out, _ = tool("play", "tic_tac_toe", typed=typed)
    assert status == 0
    assert out.count("cannot be chosen here: a number from 1 to 9") == 5
    assert "nothing has been chosen yet" in out
    assert "`save` needs the name of a file" in out
    assert out.count("owner: none everywhere") == 2
    assert out.endswith("nothing was chosen, so nothing was written\n")


def test_the_rules_of_a_move_and_only_what_has_changed_are_shown(tool: Tool) -> None:
    _, out, _ = tool("play", "tic_tac_toe", typed=("why 5", "5", "quit!"))
    assert "> legal: mark by cross at Cell 2,2\n  empty_cell (book 6)\n" in out
    assert "> owner: Cell 2,2 cross\n\nnought decides" in out
    assert out.endswith("nothing was written\n")


def test_undo_stops_at_dice_unless_it_is_told_to(tool: Tool) -> None:
    _, out, _ = tool("play", "pig", "--seed", "1", typed=("1", "undo", "undo!", "1"))
    assert "chance has decided since the last choice; `undo!` takes that back too" in out
    assert "taken back: throw by Player 1" in out
    assert out.count("roll d6: 6") == 2  # the same seed, the same die


def test_a_closed_pile_is_a_number_of_cards(tool: Tool) -> None:
    _, out, _ = tool("play", "crazy_eights", "--seed", "3")
    assert "\ndeck: [37 hidden]\n" in out
    assert out.count("shuffle deck") == 1


def test_an_open_point_stops_play_and_shows_the_rules(tool: Tool) -> None:
    typed = ("sail by Player 1 to rhodes", "sail by Player 1 to crete") + ("stop",) * 3
    status, out, _ = tool("play", "harbour", "--seed", "1", typed=typed)
    assert status == 1
    assert "play stops here\nundetermined: the rules disagree on `toll`\n  side 1: toll (" in out


def test_a_saved_game_goes_on(tool: Tool, here: Path) -> None:
    tool("play", "pig", "--players", "3", "--seed", "2", typed=("1", "save my game.txt", "quit!"))
    _, out, _ = tool("play", "pig", "--load", "my game.txt", typed=("state",))
    assert "3 players, seed 2" in out
    assert [entry.name for entry in here.iterdir()] == ["my game.txt"]


def test_saving_where_nothing_can_be_written_keeps_the_game(tool: Tool) -> None:
    _, out, _ = tool("play", "nim", typed=("save no/such/folder.txt", "1"))
    assert "cannot be written" in out
    assert "stones: " in out.split("cannot be written")[1]


def saved(tool: Tool, here: Path) -> str:
    tool("play", "tic_tac_toe", typed=("5", "1", "save s.txt", "quit!"))
    return (here / "s.txt").read_text()


def resealed(text: str) -> str:
    """A save as if it had been written so; without it, that it was changed is all that is said."""
    body, _, _ = text.rpartition("end ")
    return f"{body}end {_seal(body)}\n" if "\nend " in text else text


def test_a_save_that_was_changed_by_hand_is_refused(tool: Tool, here: Path) -> None:
    text = saved(tool, here)
    (here / "s.txt").write_text(text.replace("nought at Cell 1,1", "nought at Cell 3,1"))
    status, out, err = tool("play", "tic_tac_toe", "--load", "s.txt")
    assert (status, out) == (2, "")
    assert err == "ludex: `s.txt`: line 9: the save has been changed since it was written\n"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("end ", "ende "), "the save is cut off"),
        (("players 2", "players 5"), "the game is for 2 players, not 5"),
        (("players 2", "players x"), "line 4: `x` is no number"),
        (("policies -", "policies kind"), "no policy `kind`"),
        (
            ("nought at Cell 1,1", "nought at Cell 2,2"),
            "decision 2: `mark by nought at Cell 2,2` cannot be chosen here",
        ),
        (
            ("+ mark by nought", "* mark by nought"),
            "decision 2: `mark by nought at Cell 1,1`: nothing is left to chance here",
        ),
        (("ludex save 1", "ludex save 2"), "no save of this version"),
        (("book Tic-tac-toe", "book Chess"), "is a game of `Chess`, and this is `Tic-tac-toe`"),
    ],
)
def test_an_edited_save_is_refused_with_its_fault_and_kept(
    tool: Tool, here: Path, change: tuple[str, str], message: str
) -> None:
    text = saved(tool, here)
    assert change[0] in text
    edited = resealed(text.replace(*change))
    (here / "s.txt").write_text(edited)
    status, out, err = tool("play", "tic_tac_toe", "--load", "s.txt")
    assert (status, out) == (2, "")
    assert err.startswith("ludex: `s.txt`")
    assert message in err
    assert (here / "s.txt").read_text() == edited


def test_a_save_cut_off_anywhere_never_breaks_the_tool(tool: Tool, here: Path) -> None:
    text = saved(tool, here)
    for end in range(0, len(text), 5):
        (here / "s.txt").write_text(text[:end])
        status, out, err = tool("play", "tic_tac_toe", "--load", "s.txt")
        assert (status, out) == (2, "")
        assert err.count("\n") == 1
    (here / "s.txt").write_bytes(b"\xff\x00")
    assert "is not text" in tool("play", "tic_tac_toe", "--load", "s.txt")[2]


def test_a_changed_rulebook_is_said_and_the_game_goes_on_where_it_fits(tool: Tool, here: Path) -> None:
    source = Path(ludex.load("tic_tac_toe").path).read_text(encoding="utf-8")
    (here / "t.rules").write_text(source)
    tool("play", "t.rules", typed=("5", "1", "save s.txt", "quit!"))
    (here / "t.rules").write_text(source + "\n# a remark\n")
    status, out, _ = tool("play", "t.rules", "--load", "s.txt")
    assert status == 0
    assert out.startswith("the rulebook has changed since the game was saved")
    assert "all 2 decisions still fit" in out
    (here / "t.rules").write_text(
        source.replace("p may mark at c when owner of c is none", "p may mark at c when row of c is 2")
    )
    status, out, err = tool("play", "t.rules", "--load", "s.txt")
    assert status == 2
    assert "it no longer fits: decision 2: `mark by nought at Cell 1,1` cannot be chosen here" in err


def test_the_public_names(here: Path) -> None:
    game = ludex.load("nim").start(players=2, seed=7)
    assert isinstance(game, ludex.Game)
    assert not game.is_over
    (here / "x.rules").write_text('game "X" played by A\n\nkind A 2\n')
    with pytest.raises(ValueError, match="no `play`"):
        ludex.load("x.rules").start()
    (here / "x.rules").write_text("kind A\n")
    with pytest.raises(ValueError, match="with errors"):
        ludex.load("x.rules").start()
