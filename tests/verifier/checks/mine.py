"""A mine in which one digs: the frame of the small books that the checks of gaps and endings are tried on."""

from __future__ import annotations

_FRAME = """
game "Copper Hill" played by Player

kind Player {players}
    coins 0..9 starts {coins}
    tired yes/no

type Weather is dry, wet, snow

state
    weather Weather starts dry
    day 1..9 starts 1

let p be Player
let n be 1..6

play
    repeat 3 times
{dawn}
        each p
            p takes up to 1 action
        day increases by 1
    nobody wins

action dig by p
{dig}

rule digging
    p may dig{when}

{more}
"""


def mine(
    *more: str, dig: str = "nothing", when: str = "", dawn: str = "nothing", players: str = "2", coins: int = 0
) -> str:
    """The text of a book; lines of `dig` and `dawn` are separated by `;`, deeper ones begin with spaces."""
    return _FRAME.format(
        players=players,
        coins=coins,
        dawn=_lines(dawn, 8),
        dig=_lines(dig, 4),
        when=f" when {when}" if when else "",
        more="\n\n".join(more),
    )


def _lines(text: str, width: int) -> str:
    return "\n".join(" " * width + line for line in text.split(";"))
