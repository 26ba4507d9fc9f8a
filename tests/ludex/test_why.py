"""`ludex legal` and `ludex why`: words, JSON, exit status, and that nobody is told what they may not see."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.cli import main
from ludex.reasons import Explanation, why_at
from rules.machine import Choice, Game, Legal, Move
from tests.machine.test_why import DAY, HEAD, NEIGHBOURS, STORM, cards, game, put

POSITION = """\
position "The Harbour"
players 3
weather is storm
ship of Player 2 is rhodes
during turn of Player 2
"""


def why(made: Game, move: str | Move | Legal, viewer: int | None = None) -> Explanation:
    return why_at(made.machine, made.state, made.node, move, viewer)


@pytest.fixture
def storm(tmp_path: Path) -> str:
    path = tmp_path / "storm.position"
    path.write_text(POSITION, encoding="utf-8")
    return str(path)


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str]:
    status = main(list(args))
    caught = capsys.readouterr()
    return status, caught.out + caught.err


def as_json(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    return json.loads(run(capsys, *args, "--format", "json")[1])


def test_what_is_legal_with_the_rules_that_allow_it(capsys: pytest.CaptureFixture[str], storm: str) -> None:
    assert run(capsys, "legal", "harbour", "--state", storm) == (
        0,
        "Player 2 decides (an action)\n"
        "  sail by Player 2 to athens  lighthouse (card 4)\n"
        "  sail by Player 2 to crete   lighthouse (card 4)\n"
        "  trade by Player 2           market (book 45)\n"
        "  pass by Player 2            rest_in_port (book 47)\n"
        "  stop\n",
    )
    found = as_json(capsys, "legal", "harbour", "--state", storm)
    assert found["decider"] == "Player 2"
    first = found["moves"][0]
    assert (first["action"], first["parts"]) == (
        "sail",
        [{"label": "by", "value": "Player 2"}, {"label": "to", "value": "athens"}],
    )
    assert (first["rules"][0]["rule"], first["rules"][0]["line"], first["rules"][0]["cites"]) == (
        "lighthouse",
        94,
        ["card 4"],
    )
    assert found["moves"][-1] == {"move": "stop", "action": None, "parts": [], "must": False, "rules": []}


def test_who_does_not_decide_is_told_so_and_nothing_else(capsys: pytest.CaptureFixture[str], storm: str) -> None:
    told = (0, "Player 2 decides now, not Player 1\n")
    assert run(capsys, "legal", "harbour", "--state", storm, "--as", "Player 1") == told
    assert run(capsys, "legal", "harbour", "--state", storm, "--as", "1") == told
    assert as_json(capsys, "legal", "harbour", "--state", storm, "--as", "1")["moves"] == []
    assert "lighthouse" in run(capsys, "legal", "harbour", "--state", storm, "--as", "player 2")[1]


def test_moves_on_which_the_rules_disagree_stand_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "crete.position"
    path.write_text(POSITION.replace("rhodes", "crete").replace("storm", "calm"), encoding="utf-8")
    status, text = run(capsys, "legal", "harbour", "--state", str(path))
    assert status == 0
    assert "  pass by Player 2  rest_in_port (book 47)\nundetermined:\n  sail by Player 2 to rhodes\n" in text
    assert "side 1: toll" in text
    assert "harbour.rules:108, cites book 40" in text
    (move,) = as_json(capsys, "legal", "harbour", "--state", str(path))["undetermined"]
    assert move["move"] == "sail by Player 2 to rhodes"
    assert [side[0]["line"] for side in move["open"]["sides"]] == [107, 108]
    status, text = run(capsys, "why", "harbour", "--state", str(path), "sail to rhodes")
    assert (status, text.splitlines()[0]) == (1, "undetermined: sail by Player 2 to rhodes")
    status, text = run(capsys, "why", "harbour", "--state", str(path), "pass")
    assert status == 0
    assert "play stands still here:" in text


@pytest.mark.parametrize("name", ["crazy_eights", "harbour", "nim", "pig", "tic_tac_toe", "ur"])
def test_without_a_state_the_first_decision_is_asked(capsys: pytest.CaptureFixture[str], name: str) -> None:
    status, text = run(capsys, "legal", name)
    assert status == 0
    assert " decides (an action)\n" in text
    assert (status, text) == run(capsys, "legal", name)


def test_a_saved_game_is_asked_as_it_stands(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    made = ludex.load("tic_tac_toe").start(seed=1)
    made.do("mark by cross at Cell 2,2")
    made.save(tmp_path / "game.save")
    at = str(tmp_path / "game.save")
    status, text = run(capsys, "why", "tic_tac_toe", "--state", at, "mark", "at", "Cell", "2,2")
    assert status == 1
    assert text == (
        "illegal: mark by nought at Cell 2,2\n"
        "  no rule allows it; only empty_cell (book 6) speaks of it\n"
        "    owner of Cell 2,2 is none: it is cross\n"
        "  marks_stay (book 7) forbids it\n"
        "    owner of Cell 2,2 is not none: yes, owner of Cell 2,2 is cross\n"
        "  it would be legal: if owner of Cell 2,2 were none\n"
    )
    made.do("mark by nought at Cell 1,1")
    made.do("mark by cross at Cell 2,1")
    made.do("mark by nought at Cell 1,2")
    made.do("mark by cross at Cell 2,3")
    made.save(tmp_path / "game.save")
    assert run(capsys, "legal", "tic_tac_toe", "--state", at) == (0, "the game is over: cross wins\n")
    assert run(capsys, "why", "tic_tac_toe", "--state", at, "mark by nought at Cell 3,3") == (
        1,
        "illegal: mark by nought at Cell 3,3\n  the game is over: cross wins\n",
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("why", "harbour", "sial"), "no action is called `sial`"),
        (("why", "harbour", "sail to sparta"), "sparta"),
        (("why", "harbour"), "MOVE"),
        (("legal", "harbour", "--as", "Zeus"), "no player is called `Zeus`"),
        (("legal", "harbour", "--players", "9"), "2 to 4 players"),
        (("legal", "harbour", "--policy", "none"), "policy"),
        (("legal", "harbour", "--state", "x", "--players", "2"), "its own players"),
        (("legal", "harbour", "--state", "nowhere.position"), "nowhere.position"),
        (("legal", "no_such_book"), "no_such_book"),
    ],
)
def test_bad_usage_is_told_and_has_its_own_status(
    capsys: pytest.CaptureFixture[str], args: tuple[str, ...], words: str
) -> None:
    status, text = run(capsys, *args)
    assert status == 2
    assert words in text
    assert "mistake of ours" not in text


def test_defeats_are_told_with_the_meta_rule_and_its_place(capsys: pytest.CaptureFixture[str], storm: str) -> None:
    assert run(capsys, "why", "harbour", "--state", storm, "sail to crete") == (
        0,
        "legal: sail by Player 2 to crete\n"
        "  lighthouse (card 4)\n"
        "  against storm_keeps_in (book 31): authority card > book (book 33)\n",
    )
    found = as_json(capsys, "why", "harbour", "--state", storm, "sail to crete")
    won = [(d["winner"]["rule"], d["loser"]["rule"], d["by"], d["assumed"]) for d in found["defeats"]]
    assert ("lighthouse", "storm_keeps_in", "authority card > book (book 33)", False) in won


def test_an_assumption_is_said_to_be_one(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "athens.position"
    path.write_text(POSITION.replace("rhodes", "athens"), encoding="utf-8")
    status, text = run(capsys, "why", "harbour", "--state", str(path), "sail to rhodes")
    assert (status, text) == (
        1,
        "illegal: sail by Player 2 to rhodes\n"
        "  storm_keeps_in (book 31) forbids it\n"
        "    weather is storm: yes\n"
        "  against neighbours (book 20): cannot over may (an assumption)\n"
        "  it would be legal: if weather were calm or rough\n",
    )


def test_the_whole_tree_has_every_rule_and_every_comparison(capsys: pytest.CaptureFixture[str], storm: str) -> None:
    text = run(capsys, "why", "harbour", "--state", storm, "--all", "sail to crete")[1]
    for line in (
        "every rule that speaks of `sail`:",
        "harbour.rules:88, cites book 20): applies",
        "    when crete is next to ship of Player 2: yes, ship of Player 2 is rhodes",
        "  storm_keeps_in (book 31) goes before neighbours (book 20): cannot over may (an assumption)",
        "  lighthouse (card 4) goes before storm_keeps_in (book 31): authority card > book (book 33)",
    ):
        assert line in text
    found = as_json(capsys, "why", "harbour", "--state", storm, "sail to crete")
    assert [norm["rule"] for norm in found["norms"]] == ["neighbours", "storm_keeps_in", "lighthouse"]
    assert len(found["comparisons"]) == 2


# ---- words


def test_numbers_moments_and_pairs_in_words() -> None:
    rules = "rule rich cites book 20\n    p may sail to q when coins of p >= 5 and weather is not calm\n    p may nap\n"
    made = game(HEAD + DAY + rules)
    assert str(why(made, "sail to crete")) == (
        "illegal: sail by Player 1 to crete\n"
        "  no rule allows it; only rich (book 20) speaks of it\n"
        "    coins of Player 1 >= 5: it is 3\n"
        "    weather is not calm: no\n"
        "  it would be legal: with 2 more coins of Player 1 and if weather were rough"
    )
    put(made, weather="rough")
    assert "it would be legal: with 2 more coins of Player 1" in str(why(made, "sail to crete"))
    assert "it would be legal: in the resting phase" in str(why(made, "nap"))
    assert "it is done during resting only" in str(why(made, "nap"))


def test_what_a_count_lacks_is_told_as_one_more() -> None:
    text = """
state
    dice bag of 1..6 up to 3

rule lucky cites book 20
    p may sail to q when count of (4, dice) >= 2

rule full cites book 21
    p may nap when number of (other where hat of other) >= 1
"""
    made = game(HEAD + text + DAY)
    put(made, dice=(1, 4, 5))
    told = str(why(made, "sail to crete"))
    assert "count of (4, dice) >= 2: it is 1" in told
    assert "it would be legal: with one more 4 in dice (if dice were {" in told


def test_what_is_told_of_something_that_is_no_action() -> None:
    found = why(game(HEAD + DAY + NEIGHBOURS), "stop")
    assert (found.verdict, str(found)) == ("legal", "legal: stop\n  the play itself offers this")


def test_a_move_or_a_legal_can_be_asked_about() -> None:
    made = game(HEAD + DAY + NEIGHBOURS + STORM)
    assert isinstance(made.node, Choice)
    assert {why(made, move).verdict for move in made.node.moves} == {"legal"}
    assert {why(made, legal).verdict for legal in made.legal()} == {"legal"}


def test_a_game_of_a_book_can_be_asked() -> None:
    made = ludex.load("harbour").start(seed=1)
    made.settle()
    assert [made.why(f"sail to {port}").verdict for port in ("rhodes", "crete")] == ["legal", "illegal"]
    assert made.why("trade by Player 2", viewer=1).verdict == "illegal"


def test_text_that_is_no_move_is_refused() -> None:
    with pytest.raises(ValueError, match="no action is called"):
        why(game(HEAD + DAY + NEIGHBOURS), "fly to crete")


# ---- secrets


def test_no_card_of_others_and_no_card_of_the_deck_is_told() -> None:
    """In every position Player 1 asks about every card: the answers are the same whoever else holds it."""
    book = ludex.load("crazy_eights")
    for seed in range(3):
        made = book.start(2, seed)
        made.settle()
        other = book.start(2, seed)
        other.settle()
        slots = {s.symbol.name: s.base for s in made.machine.world.slots.values()}
        deck, hand = slots["deck"], slots["hand"]
        cells = other.state.cells  # the same for Player 1: the other hand is changed for cards of the deck
        size = len(cells[hand + 1])
        cells[hand + 1], cells[deck] = (
            cells[deck][:size],
            (*cells[deck][size:], *cells[hand + 1]),
        )
        hidden = set(made.state.cells[hand + 1])
        names = made.machine.world.things["Card"]
        differ = 0
        for place, name in enumerate(names):
            for player in ("Player 1", "Player 2"):
                move = f"lay by {player} with {name}"
                one, two = why(made, move, viewer=0), why(other, move, viewer=0)
                assert one.text(all=True) == two.text(all=True)
                assert json.dumps(one.json()) == json.dumps(two.json())
                told = one.text(all=True).replace(name, "")
                assert not [names[card] for card in hidden if names[card] in told]
                differ += place in hidden and why(made, move).text(all=True) != why(other, move).text(all=True)
        assert differ  # who sees everything is told different things


def test_a_small_game_tells_no_secret_in_words_or_json() -> None:
    made = cards(one=(1,), two=(2,))  # the ace lies on top
    told = why(made, "peek by Player 1", viewer=1)
    assert told.verdict == "hidden"
    for text in (told.text(all=True), json.dumps(told.json())):
        assert "hidden" in text
        assert "it is" not in text
    assert "top of deck is not ace: no" in why(made, "peek by Player 1").text()


def test_a_window_offers_reactions_only() -> None:
    day = DAY.replace(
        "            p takes any actions\n        phase resting", "            window reaction\n        phase resting"
    )
    made = game(
        HEAD + day + "action shout by p during reaction\n\nrule all cites book 20\n    p may shout\n    p may nap\n"
    )
    text = str(why(made, "wait"))
    assert "it is done during sailing only" in text
    assert "the window `reaction` is open: only reactions that name it are done in it" in text
    assert why(made, "wait").json()["reasons"][0]["window"] == "reaction"
