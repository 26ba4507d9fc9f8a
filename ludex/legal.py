"""`ludex legal`: what can be chosen in a position, by whom, and the rules that allow it.

Also where a question is asked: in a state file, in a saved game, or at the first decision of a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludex.book import Book
from ludex.positions import load_position
from ludex.reasons import norm_json, open_json
from ludex.table import ending, open_lines, player_name
from ludex.wording import rule
from rules.diagnostics import Diagnostic
from rules.machine import Chance, Choice, Legal, Machine, Node, Open, Over
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from rules.machine.way import MOST_CHANCES, decisions
from rules.machine.why import Listing, list_moves

_SAVED = "ludex save "


@dataclass(frozen=True)
class Standing:
    """A state of a game, and what it waits for."""

    machine: Machine
    state: State
    node: Node


def first_decision(
    book: Book, players: int | None, policies: tuple[str, ...], default_policies: bool = True
) -> Standing:
    """The first decision of a game; chance decides on the way as it must to come to one. Raises `ValueError`."""
    machine = book.machine(players, policies, default_policies)
    over: Standing | None = None
    for state, node in decisions(machine, machine.start(), ()):
        if not isinstance(node, Over):
            return Standing(machine, state, node)
        over = over or Standing(machine, state, node)
    if over is None:
        raise ValueError(f"nobody comes to decide anything in {MOST_CHANCES} throws")
    return over


def standing_in(
    book: Book, path: str, policies: tuple[str, ...] = (), default_policies: bool = True
) -> Standing | tuple[Diagnostic, ...]:
    """Where a state file or a saved game stands, or what is wrong with the file. Raises `ValueError`."""
    if _is_save(path):
        if policies or not default_policies:
            raise ValueError("a saved game has its own policies: leave them out")
        game = book.resume(path)
        return Standing(game.machine, game.state, game.node)
    found = load_position(book, path, policies, default_policies)
    return found if isinstance(found, tuple) else Standing(found.machine, found.state, found.node)


def _is_save(path: str) -> bool:
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(len(_SAVED)) == _SAVED
    except (OSError, ValueError):  # the reader of state files tells what is wrong
        return False


# ---- What can be chosen ---------------------------------------------------------------------------------------------


def legal_lines(at: Standing, viewer: int | None = None) -> Iterator[str]:
    """What can be chosen, in words. Of what others choose, a player is told only that they do."""
    machine, node = at.machine, at.node
    match node:
        case Over():
            yield ending(machine, node)
            return
        case Chance(what=what):
            yield f"chance decides now: {what}"
            return
        case Choice() | Open():
            pass
    found = list_moves(machine, at.state, node)
    if _is_for_others(found, viewer):
        yield f"{player_name(machine, found.decider)} decides now, not {player_name(machine, viewer)}"
        return
    if isinstance(node, Open):
        yield from open_lines(node)
        if not found.moves and not found.open:
            return
    else:
        yield f"{player_name(machine, found.decider)} decides ({node.what})"
    yield from _moves(found)
    if found.open:
        yield "undetermined:"
    for verb, args, point in found.open:
        yield f"  {machine.show_move(verb, args)}"
        yield from (f"    {line}" for line in open_lines(point)[1:])


def _is_for_others(found: Listing, viewer: int | None) -> bool:
    return viewer is not None and found.decider not in (None, viewer)


def _moves(found: Listing) -> Iterator[str]:
    legal = {(one.verb, one.args): one for one in found.legal}
    width = max((len(move.text) for move in found.moves), default=0)
    for move in found.moves:
        one = legal.get(move.data) if isinstance(move.data, tuple) else None
        rules = ", ".join(map(rule, _allowing(one))) if one is not None else ""
        must = " (must)" if one is not None and one.must else ""
        yield f"  {move.text:<{width}}  {rules}{must}".rstrip()


def _allowing(legal: Legal) -> list[RuleNorm]:
    return list({applied.norm.key: applied.norm for applied in legal.winners}.values())


def legal_json(at: Standing, viewer: int | None = None) -> dict[str, Any]:
    """The same for programs."""
    machine, node = at.machine, at.node
    found = list_moves(machine, at.state, node)
    concealed = _is_for_others(found, viewer)
    legal = {(one.verb, one.args): one for one in found.legal}
    decides = isinstance(node, Choice) or bool(found.moves or found.open)
    return {
        "waits_for": {Choice: "choice", Chance: "chance", Open: "ruling", Over: "nothing"}[type(node)],
        "what": node.what if isinstance(node, Choice | Chance) else None,
        "decider": player_name(machine, found.decider) if decides else None,
        "viewer": player_name(machine, viewer) if viewer is not None else None,
        "open": open_json(node) if isinstance(node, Open) and not concealed else None,
        "over": ending(machine, node) if isinstance(node, Over) else None,
        "moves": []
        if concealed
        else [
            {"move": move.text, **_action_json(machine, legal.get(move.data) if isinstance(move.data, tuple) else None)}
            for move in found.moves
        ],
        "undetermined": []
        if concealed
        else [
            {"move": machine.show_move(verb, args), **_parts(machine, verb, args), "open": open_json(point)}
            for verb, args, point in found.open
        ],
    }


def _action_json(machine: Machine, legal: Legal | None) -> dict[str, Any]:
    if legal is None:
        return {"action": None, "parts": [], "must": False, "rules": []}
    rules = [norm_json(norm) for norm in _allowing(legal)]
    return {**_parts(machine, legal.verb, legal.args), "must": legal.must, "rules": rules}


def _parts(machine: Machine, verb: str, args: tuple[Any, ...]) -> dict[str, Any]:
    symbol = machine.verbs[verb]
    parts = [
        {"label": param.label, "value": machine.world.show(arg, type_)}
        for param, type_, arg in zip(symbol.params, symbol.types, args, strict=True)
    ]
    return {"action": verb, "parts": parts}
