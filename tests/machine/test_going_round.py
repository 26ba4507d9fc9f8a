"""Rules that go round without a decision are found, and it is said where."""

from __future__ import annotations

import pytest

from rules.machine import Open
from tests.machine.making import machine

BOOK = """\
game "Round" played by Player
kind Player 2
state
    x 0..9
    y 0..9
let p be Player
play
{play}
    nobody wins
{rules}"""


@pytest.mark.parametrize(
    ("play", "rules", "where", "line"),
    [
        ("    repeat until x is 3\n        y becomes 1", "", "", 8),
        ("    turns of p until x is 3\n        y becomes 1", "", "", 8),
        (
            "    phase day\n        repeat until x is 3\n            each p\n                y becomes 1",
            "",
            " in `day`",
            9,
        ),
        ("    fight", "procedure fight\n    step strike\n        fight\n", " in `strike`", 12),
        (
            "    x becomes 1",
            "rule one\n    when x becomes 1\n        x becomes 2\n"
            "rule two\n    when x becomes 2\n        x becomes 1\n",
            "",
            12,
        ),
    ],
)
def test_the_statement_that_repeats_is_named(play: str, rules: str, where: str, line: int) -> None:
    made = machine(BOOK.format(play=play, rules=rules))
    node = made.run(made.start())
    assert isinstance(node, Open)
    assert node.kind == "stuck"
    assert node.text == f"the rules go round and round{where}, and nobody decides anything"
    assert node.span is not None
    assert node.span.line == line
    assert node.rulings == ()
