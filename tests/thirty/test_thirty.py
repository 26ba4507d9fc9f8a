"""Thirty hard statements of real rulebooks can be said, each with its place in the book, and make sense together."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import ludex
from grammar.text import parse_text
from rules import model as m
from rules.check import check_rules
from rules.span import Source

HERE = Path(__file__).parent
NUMBERED = re.compile(r"^# (\d+)\. ", re.MULTILINE)
STATEMENTS = (HERE / "statements.rules").read_text(encoding="utf-8")


def _declarations(name: str) -> tuple[m.Declaration, ...]:
    parsed = parse_text(Source(name, (HERE / name).read_text(encoding="utf-8")))
    assert parsed.diagnostics == ()
    return parsed.declarations


def test_the_statements_are_numbered_from_one_to_thirty() -> None:
    assert NUMBERED.findall(STATEMENTS) == [str(n) for n in range(1, 31)]


@pytest.mark.parametrize("number", range(30))
def test_a_statement_is_said_and_has_its_place(number: int) -> None:
    starts = [match.start() for match in NUMBERED.finditer(STATEMENTS)] + [len(STATEMENTS)]
    text = STATEMENTS[starts[number] : starts[number + 1]]
    parsed = parse_text(Source("statement", text))
    assert parsed.diagnostics == ()
    assert any("cites" in line for line in text.splitlines() if not line.startswith("#"))


def test_together_they_make_sense() -> None:
    book = m.Rulebook(_declarations("table.rules") + _declarations("statements.rules"))
    assert [(d.code, d.message) for d in check_rules(book).diagnostics] == []


def test_a_name_that_nothing_declares_is_found() -> None:
    spoiled = parse_text(Source("spoiled", STATEMENTS.replace("fate of t", "fortune of t")))
    book = m.Rulebook(_declarations("table.rules") + spoiled.declarations)
    assert {"LX101"} == {d.code for d in check_rules(book).diagnostics if "fortune" in d.message}


def test_they_are_played_up_to_a_loop_without_an_end() -> None:
    """Where a deck is empty and fewer are drawn, no card ends the stack: that loop is named, with its line."""
    game = ludex.load(HERE).start(seed=0)
    chooser = random.Random(0)
    while not isinstance(game.node, ludex.Over):
        if isinstance(game.node, ludex.Choice):
            game.do(chooser.choice(game.node.moves))
        elif isinstance(game.node, ludex.Chance):
            game.chance()
        elif game.node.rulings:
            game.rule(chooser.choice(game.node.rulings))
        else:
            break
    assert game.open_point is not None
    assert game.open_point.text == "the rules go round and round in `draw_stacks`, and nobody decides anything"
    assert game.open_point.span is not None
    assert "repeat until stack_end of card" in STATEMENTS.splitlines()[game.open_point.span.line - 1]
