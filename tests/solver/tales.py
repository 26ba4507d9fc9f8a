"""Texts of stories made at random: small ones to explore in full, large ones in which what is lost is known."""

from __future__ import annotations

import random
from dataclasses import dataclass

_HEAD = ('game "A Tale" played by Player', "kind Player 1", "state")


def small_tale(seed: int) -> str:
    """A story with a few marks and counters, conditions, rolls, and passages that are read and come back."""
    draw = random.Random(seed)
    marks = [f"mark_{number}" for number in range(draw.randint(1, 4))]
    counters = [f"count_{number}" for number in range(draw.randint(1, 2))]
    passages = [f"room_{number}" for number in range(draw.randint(3, 7))]
    asides = [f"aside_{number}" for number in range(draw.randint(0, 1))]
    lines = [*_HEAD, *(f"    {mark} yes/no" for mark in marks), *(f"    {name} 0..3" for name in counters)]
    if draw.random() < 0.5:
        lines += ["play", "    read room_0"]
    else:
        lines += ["play", "    repeat 2 times", "        read room_0", f"    {_effect(draw, marks, counters)}"]
    lines += ["story tale", "    starts at room_0"]
    for name in passages:
        lines.append(f'    passage {name} "Here."')
        lines += _body(draw, marks, counters, asides)
        for number in range(draw.randint(0, 3)):
            when = f" when {_condition(draw, marks, counters)}" if draw.random() < 0.6 else ""
            lines.append(f'        option "Way {number}"{when}')
            lines += [f"            {_effect(draw, marks, counters)}" for _ in range(draw.randint(0, 2))]
            lines.append(f"            {_exit(draw, passages, name, number)}")
        if "option" not in lines[-2]:
            lines.append(f'        option "On"\n            {_exit(draw, passages, name, 9)}')
    for name in asides:
        lines += [f'    passage {name} "There."', f"        {_effect(draw, marks, counters)}", "        return"]
    return "\n".join(lines) + "\n"


def _body(draw: random.Random, marks: list[str], counters: list[str], asides: list[str]) -> list[str]:
    lines = [f"        {_effect(draw, marks, counters)}" for _ in range(draw.randint(0, 1))]
    if draw.random() < 0.3:
        lines += [f"        if {_condition(draw, marks, counters)}", f"            {_effect(draw, marks, counters)}"]
    if draw.random() < 0.2:
        lines += [
            "        roll d6:",
            f"            1..4: {_effect(draw, marks, counters)}",
            "            5..6: nothing",
        ]
    if asides and draw.random() < 0.3:
        lines.append(f"        read {draw.choice(asides)}")
    return lines


def _exit(draw: random.Random, passages: list[str], name: str, number: int) -> str:
    share = draw.random()
    if share < 0.15:
        return f'ending "The end of {name}, {number}."'
    return "return" if share < 0.2 else f"go to {draw.choice(passages)}"


def _effect(draw: random.Random, marks: list[str], counters: list[str]) -> str:
    if draw.random() < 0.6:
        return f"{draw.choice(marks)} becomes {draw.choice(('yes', 'yes', 'no'))}"
    name = draw.choice(counters)
    return draw.choice((f"{name} increases by 1", f"{name} becomes {draw.randint(0, 3)}", f"{name} decreases by 1"))


def _condition(draw: random.Random, marks: list[str], counters: list[str]) -> str:
    parts = []
    for _ in range(draw.randint(1, 2)):
        if draw.random() < 0.6:
            parts.append(f"{draw.choice(('', 'not '))}{draw.choice(marks)}")
        else:
            parts.append(f"{draw.choice(counters)} {draw.choice(('>=', '<', 'is'))} {draw.randint(0, 3)}")
    return draw.choice((" and ", " or ")).join(parts)


@dataclass(frozen=True, slots=True)
class LargeTale:
    """`lost` are the texts of the options that no reading ever opens; all others can be chosen."""

    text: str
    passages: int
    lost: frozenset[str]


def large_tale(size: int, seed: int = 0, marks: int = 40, counters: int = 10) -> LargeTale:
    """A long story. What an option needs can be had on the way to it, but for a known few: a mark that nobody sets, two
    marks that exclude each other, a mark that only lies behind itself, a counter that nothing brings so far.
    """
    draw = random.Random(seed)
    names = [f"mark_{number}" for number in range(marks)]
    numbers = [f"count_{number}" for number in range(counters)]
    lines = [*_HEAD, *(f"    {name} yes/no" for name in (*names, "left", "right", "nowhere", "behind"))]
    lines += [f"    {name} 0..5" for name in (*numbers, "strength")]
    lines += ["play", "    read room_0", "story tale", "    starts at room_0"]
    lines += ['    passage room_0 "A fork."']
    lines += ['        option "Left"', "            left becomes yes", "            go to room_1"]
    lines += ['        option "Right"', "            right becomes yes", "            go to room_1"]
    lost: set[str] = set()
    for place in range(1, size):
        after = [f"room_{min(size - 1, place + step)}" for step in (1, draw.randint(1, 40))]
        lines.append(f'    passage room_{place} "Room {place}."')
        if place == size - 1:
            lines.append('        ending "Out."')
            break
        lines += [f'        option "On {place}"', f"            go to {after[0]}"]
        lines += [
            f'        option "Further {place}" when {_easy(draw, names, numbers)}',
            f"            go to {after[1]}",
        ]
        lines += [
            f'        option "Take {place}"',
            f"            {_gain(draw, names, numbers)}",
            f"            go to {after[0]}",
        ]
        if place % 50 == 25:
            need = draw.choice(("nowhere", "left and right", "behind", "strength >= 4", "left and right and mark_1"))
            lost.add(f"Lost {place}")
            lines += [
                f'        option "Lost {place}" when {need}',
                "            behind becomes yes",
                f"            go to {after[1]}",
            ]
        if place % 200 == 100:
            lines += [
                f'        option "Train {place}" when strength < 3',
                "            strength increases by 1",
                f"            go to {after[0]}",
            ]
    return LargeTale("\n".join(lines) + "\n", size, frozenset(lost))


def _easy(draw: random.Random, marks: list[str], counters: list[str]) -> str:
    """Something that holds at the start already: denied marks and low counters."""
    parts = [
        draw.choice((f"not {draw.choice(marks)}", f"{draw.choice(counters)} < {draw.randint(1, 5)}")) for _ in range(2)
    ]
    return " and ".join(dict.fromkeys(parts))


def _gain(draw: random.Random, marks: list[str], counters: list[str]) -> str:
    name = draw.choice(counters)
    return draw.choice((f"{draw.choice(marks)} becomes yes", f"{name} becomes {draw.randint(0, 5)}"))
