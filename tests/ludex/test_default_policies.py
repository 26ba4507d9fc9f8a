"""Policies that are in force by default: in play and not in checks, with and without them, kept in saves and states."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludex
from ludex.positions import load_position, position_text, read_position
from rules.span import Source
from tests.ludex.test_playing import Tool

BOOK = """\
game "Landing" played by Player

kind Player 2
    coins 0..9

state
    fog yes/no starts yes

let p be Player

play
    repeat 2 times
        each p
            p may land or wait

action land by p
    coins of p increases by 1

action wait by p

rule fog_closes
    p cannot land when fog

rule bell_calls
    p may land

rule waiting
    reading poor
        p may wait when coins of p is 0
    reading rich
        p may wait when coins of p > 0

ruling errata
    rule nobody_lands_twice
        p cannot land when coins of p > 1

policy open_harbour by default
    bell_calls over fog_closes

policy the_poor_wait by default
    waiting reads poor

policy closed_harbour
    fog_closes over bell_calls

question "May anybody land?"
    p may land
    expect undetermined
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def tool(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Tool:
    return Tool(capsys, monkeypatch)


@pytest.fixture
def book(here: Path) -> ludex.Book:
    (here / "landing.rules").write_text(BOOK)
    found = ludex.load("landing.rules")
    assert found.errors == ()
    return found


def test_they_are_in_force_in_play_and_others_are_added(book: ludex.Book) -> None:
    game = book.start()
    assert game.policies == ("open_harbour", "the_poor_wait")
    assert [move.text for move in game.moves] == ["land by Player 1", "wait by Player 1", "decline"]
    game = book.start(policies=("closed_harbour",))
    assert game.policies == ("open_harbour", "the_poor_wait", "closed_harbour")
    assert [move.text for move in game.moves] == ["wait by Player 1", "decline"]
    assert book.start(policies=("closed_harbour", "open_harbour")).moves == book.start().moves


def test_without_them_play_stops_at_the_first_open_point(book: ludex.Book) -> None:
    game = book.start(default_policies=False)
    assert game.policies == ()
    assert isinstance(game.node, ludex.Open)
    assert {norm.name for side in game.node.sides for norm in side} == {"waiting"}
    only = book.start(policies=("the_poor_wait",), default_policies=False)
    assert isinstance(only.node, ludex.Open)
    assert sorted(norm.name for side in only.node.sides for norm in side) == ["bell_calls", "fog_closes"]


def test_checks_and_questions_go_without(book: ludex.Book, tool: Tool) -> None:
    assert book.ask("p may land").word == "undetermined"
    assert book.ask("p may land", policies=("open_harbour", "the_poor_wait")).word == "always"
    assert tool("test", "landing.rules") == (0, "1 question, all answered as expected\n", "")
    status, out, _ = tool("check", "landing.rules", "--select", "LX901", "--no-cache")
    assert (status, "under open_harbour" in out) == (1, True)


@pytest.mark.usefixtures("book")
def test_the_commands_say_which_are_in_force(tool: Tool) -> None:
    status, out, _ = tool("run", "landing.rules", "--games", "2")
    assert (status, out.splitlines()[1]) == (0, "policies: open_harbour, the_poor_wait")
    status, out, _ = tool("run", "landing.rules", "--games", "2", "--no-policies")
    assert (status, "policies" in out) == (1, False)
    assert "the rules disagree" in out
    assert "side 1: waiting (landing.rules:29)" in out
    status, out, _ = tool("play", "landing.rules", "--seed", "1", "--policy", "closed_harbour", typed=("quit!",))
    assert out.splitlines()[1:3] == ["policies: open_harbour, the_poor_wait, closed_harbour", ""]
    assert "land by Player 1" in tool("legal", "landing.rules")[1].splitlines()[1]
    assert "undetermined" in tool("legal", "landing.rules", "--no-policies")[1]
    assert tool("why", "landing.rules", "land")[0] == 0
    assert tool("why", "landing.rules", "--no-policies", "land")[0] == 1


def test_many_policies_are_told_in_one_short_line(here: Path, tool: Tool) -> None:
    more = "".join(f"policy extra_{n} by default\n    bell_calls over fog_closes\n\n" for n in range(6))
    (here / "many.rules").write_text(BOOK + "\n" + more)
    out = tool("run", "many.rules", "--games", "1")[1]
    assert out.splitlines()[1] == "policies: open_harbour, the_poor_wait, extra_0, extra_1, extra_2 and 3 more"


def test_a_save_keeps_the_policies_that_it_was_played_with(here: Path, book: ludex.Book, tool: Tool) -> None:
    game = book.start()
    game.do("land by Player 1")
    game.save("a.save")
    assert "policies open_harbour the_poor_wait\n" in (here / "a.save").read_text()
    without = book.start(default_policies=False)
    without.rule("waiting reads poor")
    without.save("b.save")
    assert book.resume("b.save").policies == ()
    # A policy that has become a default since is not in force in a game that was begun without it, and the reverse.
    changed = BOOK.replace(
        "policy closed_harbour", "policy open_sea by default\n    rule at_sea\n        p cannot wait\n\n$"
    )
    changed = changed.replace("$", "policy closed_harbour").replace("open_harbour by default", "open_harbour")
    (here / "landing.rules").write_text(changed)
    again = ludex.load("landing.rules").resume("a.save")
    assert again.policies == ("open_harbour", "the_poor_wait")
    assert [move.text for move in again.moves] == ["land by Player 2", "wait by Player 2", "decline"]
    for command in (("play", "--load"), ("legal", "--state")):
        status, out, err = tool(command[0], "landing.rules", command[1], "a.save", "--no-policies")
        assert (status, out) == (2, "")
        assert "a saved game has its own" in err


HEAD = 'position "Landing"\n'


@pytest.mark.parametrize(
    ("lines", "policies"),
    [
        ("", ("open_harbour", "the_poor_wait")),
        ("policy closed_harbour\n", ("open_harbour", "the_poor_wait", "closed_harbour")),
        ("policy none\n", ()),
        ("policy none\npolicy the_poor_wait\npolicy closed_harbour\n", ("the_poor_wait", "closed_harbour")),
        ("policy none\npolicy the_poor_wait\npolicy open_harbour\n", ("the_poor_wait", "open_harbour")),
    ],
)
def test_a_state_file_says_which_are_in_force(book: ludex.Book, lines: str, policies: tuple[str, ...]) -> None:
    placed = read_position(book, Source("s", HEAD + lines))
    assert not isinstance(placed, tuple)
    assert placed.policies == policies
    text = position_text(placed.machine, "Landing", placed.policies, placed.state)
    assert [line for line in text.splitlines() if line.startswith("policy")] == lines.splitlines()


def test_options_and_a_state_file_go_together(here: Path, book: ludex.Book, tool: Tool) -> None:
    (here / "s.position").write_text(HEAD + "coins of Player 1 is 1\n")
    placed = load_position(book, "s.position", ("closed_harbour",), default_policies=False)
    assert not isinstance(placed, tuple)
    assert placed.policies == ("closed_harbour",)
    game = book.begin(placed, HEAD + "coins of Player 1 is 1\n")
    game.save("s.save")
    assert book.resume("s.save").policies == ("closed_harbour",)
    assert tool("why", "landing.rules", "--state", "s.position", "land")[0] == 0
    assert tool("why", "landing.rules", "--state", "s.position", "--policy", "closed_harbour", "land")[0] == 1
    assert "undetermined" in tool("legal", "landing.rules", "--state", "s.position", "--no-policies")[1]
    status, _, err = tool("legal", "landing.rules", "--state", "s.position", "--policy", "x")
    assert (status, err.startswith("ludex: the rulebook has no policy `x`")) == (2, True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("policy errata", "`errata` is a ruling: it is always in force"),
        ("policy none\npolicy none", "there is only one line `policy none`"),
    ],
)
def test_mistakes_in_a_state_file(book: ludex.Book, line: str, message: str) -> None:
    found = read_position(book, Source("s", f"{HEAD}{line}\n"))
    assert isinstance(found, tuple)
    assert [diagnostic.message for diagnostic in found] == [message]
