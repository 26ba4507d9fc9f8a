"""What the reference says a text means, one small rulebook each: `meanings/*.rules`.

The comments at the top say what is seen when always the first choice is taken: `# offers` the texts of the first
choices, one line each; `# ends` how it ends; `# has` what some slots hold then; `# refused` the code of the error, or
the message, where the book cannot be played.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from grammar.text import parse_text
from rules import model as m
from rules.check import check_rules
from rules.machine import Chance, Choice, Game, Machine, Open, Over, machine_of
from rules.span import Source

CASES = sorted((Path(__file__).parent / "meanings").glob("*.rules"))
MOST = 8


def expected(text: str, word: str) -> list[str]:
    start = f"# {word}: "
    return [line.removeprefix(start) for line in text.splitlines() if line.startswith(start)]


def ending(game: Game) -> str:
    match game.node:
        case Over(outcomes=outcomes):
            return "over" + "".join(f", {'nobody' if who is None else who} {result}" for who, result in outcomes)
        case Open(kind=kind, sides=sides):
            return f"{kind}" + "".join(f", {'+'.join(norm.name for norm in side)}" for side in sides)
        case _:
            return "still going"


def held(machine: Machine, game: Game, name: str) -> str:
    slots = [slot for slot in machine.world.slots.values() if slot.symbol.name == name]
    values = [value for slot in slots for value in game.state.cells[slot.base : slot.base + slot.count]]
    return f"{name} " + " ".join(str(sorted(v) if isinstance(v, frozenset) else v).replace(" ", "") for v in values)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_it_means_what_the_reference_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    parsed = parse_text(Source(path.name, text))
    assert parsed.diagnostics == ()
    checked = check_rules(m.Rulebook(parsed.declarations))
    refused = expected(text, "refused")
    if checked.rulebook is None:
        assert [d.code for d in checked.diagnostics if d.is_error] == refused
        return
    seats = expected(text, "players")
    machine = machine_of(checked.rulebook, int(seats[0]) if seats else None)
    if refused:
        with pytest.raises(ValueError, match=refused[0]):
            Game(machine)
        return
    game = Game(machine)
    offers: list[str] = []
    for _ in range(MOST):
        if isinstance(game.node, Chance):
            game.chance()
        elif isinstance(game.node, Choice):
            offers.append("; ".join(repr(move.text)[1:-1] for move in game.node.moves))
            game.do(game.node.moves[0])
    wanted = expected(text, "offers")
    assert offers[: len(wanted)] == wanted
    assert wanted or not offers
    assert [ending(game)] == expected(text, "ends")
    for line in expected(text, "has"):
        assert held(machine, game, line.split()[0]) == line


def test_there_are_cases() -> None:
    assert len(CASES) > 70
