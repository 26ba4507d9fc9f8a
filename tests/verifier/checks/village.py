"""A small book to plant rules of precedence in."""

from __future__ import annotations

from collections.abc import Sequence

HEAD = """\
game "Copper Hill" played by Player

documents
    book "Rulebook"
    card "Cards"
    sheet "Sheet"

kind Player 2
    coins 0..9 starts 2
    tired yes/no

type Weather is calm, storm

let p be Player
let n be 0..9

state
    weather Weather starts calm

play
    repeat until some p where coins of p is 9
        phase night
            roll d6 on sky
        phase work
            each p
                p takes 1 action

table sky by d6
    1..3: weather becomes calm
    4..6: weather becomes storm

action dig by p
    coins of p increases by 1
    tired of p becomes yes

action sleep by p
    tired of p becomes no

value depth of p: 0..9
    usually is 0

rule sleeping
    p may sleep
"""


def village(precedence: Sequence[str], *rules: str) -> str:
    lines = "".join(f"    {line}\n" for line in precedence)
    return f"{HEAD}\nprecedence\n{lines}\n" + "\n\n".join(rules) + "\n"
