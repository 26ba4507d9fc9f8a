"""Games at a table: seats for some, rulings that become errata, strategies in Python, leaving and coming back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import ludex
from ludex.play import Table
from ludex.strategies import strategy_of
from rules.machine import Choice, Open, Over
from tests.ludex.test_playing import Tool, here, tool

__all__ = ["here", "tool"]  # fixtures

OPEN = """\
game "Open" played by Player

kind Player 2
    coins 0..20 starts 3

kind Card named ace, king

piles of Card
    deck starts Card closed
    hand of Player private

state
    storm yes/no starts yes

let p, other be Player
let c be Card

precedence
    assume cannot over may

play
    each p
        p takes 1 action
        draw 2 from deck to hand of p
    nobody wins

action sail by p
    coins of p decreases by toll of p

action wait by p

rule waiting
    p may wait

value toll of p: 0..9
    is 1
    is 2 when storm

rule good_wind
    p may sail even if storm

rule storm_keeps_in
    p cannot sail when storm and coins of p is 3

rule duty
    p must sail or wait

rule calm_only
    reading now
        p cannot wait when coins of p is 2
    reading ever
        p cannot wait when storm

rule both_ways
    when sail by p
        fame of p increases by 1

state
    fame of Player 0..9

value prize: 0..3
    is 1 when not storm

rule prized
    when wait by p
        fame of p increases by prize
"""


def settle_all(game: ludex.Game, prefer: int = 0) -> list[str]:
    """Plays to the end, with the ruling at that place wherever something is open."""
    said: list[str] = []
    while not game.is_over:
        if isinstance(game.node, Open):
            ruling = game.node.rulings[min(prefer, len(game.node.rulings) - 1)]
            said.append(ruling.text)
            game.rule(ruling)
        elif isinstance(game.node, Choice):
            game.do(game.node.moves[0])
        else:
            game.chance()
    return said


@pytest.mark.parametrize("prefer", [0, 1])
def test_the_errata_of_a_game_settle_all_its_points(here: Path, prefer: int) -> None:
    (here / "open.rules").write_text(OPEN)
    game = ludex.load("open.rules").start()
    said = settle_all(game, prefer)
    assert len(said) == len(set(said)) >= 4
    (here / "errata.rules").write_text(game.errata("open.rules"))
    book = ludex.load("errata.rules")
    assert book.errors == ()
    again = book.start()
    assert settle_all(again, prefer) == []
    assert [entry.text for entry in again.record] == [e.text for e in game.record if e.by != "ruling"]
    assert again.state.cells == game.state.cells


def test_the_sheet_says_what_was_ruled(here: Path) -> None:
    (here / "open.rules").write_text(OPEN)
    game = ludex.load("open.rules").start()
    settle_all(game)
    assert game.errata("open.rules").splitlines()[:4] == [
        'import "open.rules"',
        "",
        "ruling errata",
        "    calm_only reads now",
    ]
    assert "    good_wind over storm_keeps_in" in game.errata("open.rules")


def test_rulings_are_taken_in_play_kept_in_the_save_and_written_by_the_command(tool: Tool, here: Path) -> None:
    (here / "open.rules").write_text(OPEN)
    status, out, _ = tool("play", "open.rules", typed=("7", "1", "quit"))
    assert status == 1  # another point is open
    assert "`7` settles nothing here: a number from 1 to 2" in out
    assert "saved to open.save" in out
    status, sheet, _ = tool("rulings", "open.rules", "open.save")
    assert status == 0
    assert sheet.startswith('import "open.rules"\n\nruling errata\n    calm_only reads now\n')
    assert tool("rulings", "open.rules", "open.save", "--out", "e.rules")[:2] == (0, "wrote e.rules\n")
    assert (here / "e.rules").read_text() == sheet
    status, out, err = tool("rulings", "open.rules", "open.save", "--out", "e.rules")
    assert (status, out, err) == (2, "", "ludex: `e.rules` is already there; nothing was changed\n")
    assert "no errors, " in tool("check", "e.rules")[1]


RESTING = """\
game "Resting" played by Player

documents
    book "Book"
    card "Card"

precedence
    authority card > book cites book 1

kind Player 1
    coins 0..9 starts 3

state
    storm yes/no

let p be Player

play
    each p
        p takes 1 action
        storm becomes yes
        p takes 1 action
        coins of p becomes 0
        storm becomes no
        p takes 1 action
        disable homeward
        coins of p becomes 5
        p takes 1 action
    nobody wins

action sail by p
    pay 1 from coins of p

action wait by p

rule homeward cites book 2
    p must sail

rule waiting cites book 3
    p may wait

rule harbour_closed cites card 4
    p cannot sail when storm
"""


def test_a_duty_that_was_ruled_to_rest_is_still_the_same_rule(here: Path) -> None:
    """It has no new authority over what forbids it, and what switches it off still does."""
    (here / "r.rules").write_text(RESTING)
    game = ludex.load("r.rules").start()
    assert settle_all(game) == ["homeward rests where it cannot be met"]
    assert [entry.text.split()[0] for entry in game.record] == ["sail", "wait", "homeward", "wait", "wait"]
    sheet = game.errata("r.rules")
    assert sheet.endswith("ruling errata\n    homeward if possible\n")
    (here / "e.rules").write_text(sheet)
    again = ludex.load("e.rules").start()
    assert settle_all(again) == []
    assert [entry for entry in again.record if entry.by == "choice"] == [e for e in game.record if e.by == "choice"]


TIED = """\
game "Tied" played by Player

kind Player 2
    fame 0..9

let p be Player

rank best of p
    most fame of p
    ties stay

play
    each p where place of (p, best) is 1
        p wins
"""


def test_a_sheet_of_remarks_alone_can_be_read(here: Path) -> None:
    (here / "t.rules").write_text(TIED)
    game = ludex.load("t.rules").start()
    assert len(settle_all(game)) == 1
    sheet = game.errata("t.rules")
    assert "this can only be said in line" in sheet
    (here / "e.rules").write_text(sheet)
    assert ludex.load("e.rules").errors == ()


def test_a_game_goes_on_with_its_own_errata(tool: Tool, here: Path) -> None:
    """What was ruled is settled now: the game is the same, and nothing is left to export."""
    (here / "r.rules").write_text(RESTING)
    _, out, _ = tool("play", "r.rules", typed=("1", "1", "1", "quit"))
    assert "homeward rests where it cannot be met" in out
    assert tool("rulings", "r.rules", "r.save", "--out", "e.rules")[0] == 0
    status, out, _ = tool("play", "e.rules", "--load", "r.save", typed=("1", "1"))
    assert status == 0
    assert "all 3 decisions still fit\n1 ruling of them the rulebook has settled since\n" in out
    assert out.endswith("the game is over: nobody wins\nsaved to r.save\n")
    assert [entry.by for entry in ludex.load("e.rules").resume("r.save").record] == ["choice"] * 4
    with pytest.raises(
        ValueError, match="no longer fits: decision 3: `wait by Player 1`: the book leaves something open"
    ):
        ludex.load("r.rules").resume("r.save")


def test_a_game_without_rulings_has_no_sheet(tool: Tool) -> None:
    tool("play", "nim", typed=("1", "quit"))
    assert tool("rulings", "nim", "nim.save") == (0, "", "no ruling was made in this game\n")


# ---- leaving and coming back


def test_the_end_of_input_loses_nothing(tool: Tool, here: Path) -> None:
    status, out, _ = tool("play", "nim", "--seed", "4", typed=("1", "1"))
    assert status == 0
    assert out.endswith("saved to nim.save\n`ludex play nim --load nim.save` goes on\n")
    game = ludex.load("nim").resume("nim.save")
    assert (game.seed, len(game.record)) == (4, 2)
    tool("play", "nim", typed=("1",))
    assert sorted(entry.name for entry in here.iterdir()) == ["nim-2.save", "nim.save"]
    tool("play", "nim", "--load", "nim.save", typed=("1", "quit"))
    assert len(ludex.load("nim").resume("nim.save").record) == 3


def test_quit_with_an_exclamation_mark_writes_nothing(tool: Tool, here: Path) -> None:
    _, out, _ = tool("play", "nim", typed=("1", "quit!"))
    assert out.endswith("nothing was written\n")
    assert list(here.iterdir()) == []


def test_a_save_is_whole_whenever_the_process_is_killed(here: Path) -> None:
    code = (
        "import ludex, itertools\n"
        "game = ludex.load('nim').start(seed=1)\n"
        "for i in itertools.count():\n"
        "    game.do(game.moves[0]) if i % 2 == 0 else game.undo()\n"
        "    game.save('g.save')\n"
        "    print(i, flush=True)\n"
    )
    book = ludex.load("nim")
    for turn in range(6):
        with subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            text=True,
            cwd=here,
            env={**os.environ, "PYTHONPATH": str(Path(ludex.__file__).parents[1])},
        ) as process:
            assert process.stdout is not None
            for _ in range(3 + 7 * turn):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        assert len(book.resume(here / "g.save").record) in (0, 1)


# ---- some seats


def test_others_play_by_themselves_and_nothing_hidden_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = ludex.load("crazy_eights").start(seed=5)
    hands = next(slot for slot in game.machine.world.slots.values() if slot.symbol.name == "hand")
    names = game.machine.world.things["Card"]
    shown: list[str] = []

    def answer(_prompt: str = "") -> str:
        shown.append(capsys.readouterr().out)
        secret = {names[c] for c in game.state.cells[hands.base + 1]} | {
            names[c]
            for slot in game.machine.world.slots.values()
            if slot.symbol.name == "deck"
            for c in game.state.cells[slot.base]
        }
        assert not secret & set(shown[-1].replace(",", " ").replace("[", " ").replace("]", " ").split())
        assert game.node.actor == 0  # type: ignore[union-attr]
        return "1"

    monkeypatch.setattr("builtins.input", answer)
    assert Table(game, "crazy_eights", frozenset({0}), strategy_of("random", 5)).play() == 0
    assert isinstance(game.node, Over)
    assert any("Player 2: " in text for text in shown)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("play", "nim", "--as", "Bob"), "no player is called `Bob`; players are Player 1, Player 2"),
        (("play", "nim", "--others", "clever"), "`clever` is no strategy"),
        (("run", "nim", "--strategy", "missing.py:f"), "`missing.py` cannot be read"),
        (("run", "nim", "--strategy", "own.py:nobody"), "`own.py` has no function `nobody`"),
        (("run", "nim", "--strategy", "own.py:fails"), "failed (seed 0, decision 1): KeyError: 'x'"),
        (("run", "nim", "--strategy", "own.py:wrong"), "gave `nonsense`, which cannot be chosen there"),
        (("run", "nim", "--strategy", "bad.py:f"), "`bad.py` cannot be run: SyntaxError"),
    ],
)
def test_what_is_wrong_with_a_seat_or_a_strategy(tool: Tool, here: Path, args: tuple[str, ...], message: str) -> None:
    (here / "own.py").write_text("def fails(game):\n    return {}['x']\n\n\ndef wrong(game):\n    return 'nonsense'\n")
    (here / "bad.py").write_text("def f(:\n")
    status, out, err = tool(*args)
    assert status == 2
    assert out == ""
    assert err.startswith("ludex: ")
    assert message in err
    assert err.count("\n") == 1


def test_a_strategy_of_ones_own_plays(tool: Tool, here: Path) -> None:
    """Nim by Bouton's rule wins every game against a player at random."""
    (here / "own.py").write_text(
        "def last(game):\n    return len(game.moves) - 1\n\n\n"
        "def by_text(game):\n    return game.moves[-1].text\n\n\n"
        "def as_move(game):\n    return game.moves[-1]\n"
    )
    found = {
        tool("run", "nim", "--games", "3", "--strategy", f"own.py:{name}")[1].split("strategy")[1].split("\n", 1)[1]
        for name in ("last", "by_text", "as_move")
    }
    assert len(found) == 1


# ---- positions

POSITION = 'position "Tic-tac-toe"\nowner of Cell 1,1 is cross\nowner of Cell 2,1 is cross\nduring turn of cross\n'


def test_a_game_begins_with_a_position_and_its_save_keeps_it(tool: Tool, here: Path) -> None:
    (here / "p.state").write_text(POSITION)
    status, out, _ = tool("play", "tic_tac_toe", "--state", "p.state", typed=("mark by cross at Cell 3,3", "quit"))
    assert status == 0
    assert "owner: Cell 1,1 cross, Cell 2,1 cross" in out
    status, out, _ = tool(
        "play",
        "tic_tac_toe",
        "--load",
        "tic_tac_toe.save",
        typed=("mark by nought at Cell 1,2", "mark by cross at Cell 3,1"),
    )
    assert (status, out.endswith("the game is over: cross wins\nsaved to tic_tac_toe.save\n")) == (0, True)
    game = ludex.load("tic_tac_toe").resume("tic_tac_toe.save")
    assert game.is_over
    assert game.undo().text == "mark by cross at Cell 3,1"


def test_games_run_from_a_position(tool: Tool, here: Path) -> None:
    (here / "p.state").write_text(POSITION)
    status, out, _ = tool("run", "tic_tac_toe", "--state", "p.state", "--games", "30")
    assert status == 0
    wins = {line.split()[0]: int(line.split()[-1]) for line in out.splitlines() if " wins " in line}
    assert wins["cross"] > 20


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("play", "nim", "--state", "missing"), "`missing` gives no position"),
        (("run", "nim", "--state", "p.state"), "`p.state` gives no position"),
        (("run", "tic_tac_toe", "--state", "p.state", "--players", "2"), "has its own players"),
        (("play", "tic_tac_toe", "--state", "p.state", "--load", "x"), "leave them out with `--load`"),
    ],
)
def test_a_position_that_does_not_fit(tool: Tool, here: Path, args: tuple[str, ...], message: str) -> None:
    (here / "p.state").write_text(POSITION)
    status, out, err = tool(*args)
    assert (status, out) == (2, "")
    assert message in err
