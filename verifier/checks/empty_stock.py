"""LX935: a pile or a place of a pool that can run out where something is taken from it, and no rule for that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from rules.machine import Machine, Node, Open
from rules.machine.state import State
from rules.machine.world import Cells
from rules.types import PileT
from solver.analysis import lasts
from solver.play import Fact, Goal
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place
from verifier.stopping import asking, first_possible, open_points, suspicion, witnessed
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    slots = _stocks(court)
    looked.things += len(slots)
    for key, slot in slots.items():
        stops = [s for s in court.flow.stops if s.about[0] == "runs out" and s.about[1] == key]
        # What is taken before anybody decides is the same in every game: play shows it or it is not so.
        found = first_possible(court, [stop for stop in stops if not stop.spot.early])
        if found is None or lasts(court.machine, key):
            continue
        stop, case = found
        court.suspected.add(("LX935", key))
        places = (_place(slot), asking(stop, "takes from it"))
        made = suspicion(court, "LX935", _message(slot), places, _hint(slot), case, _shown(slot))
        # How many are left hangs on all that was taken before: a state alone shows nothing.
        yield replace(made, goal=_goal(slot), only_by_play=isinstance(case, Case))


def _stocks(court: Court) -> dict[int, Cells]:
    return {key: slot for key, slot in court.machine.world.slots.items() if slot.symbol.role in ("pile", "place")}


def _message(slot: Cells) -> str:
    return f"`{slot.symbol.name}` can run out, and no rule says what is done then"


def _hint(slot: Cells) -> str:
    return f"say what is done: a rule with `when {slot.symbol.name} runs out`"


def _place(slot: Cells) -> Place:
    return Place(slot.symbol.name, slot.node.span, cited(slot.node.clauses), "can run out")


def _text(slot: Cells) -> str:
    what = "is empty" if isinstance(slot.symbol.type, PileT) else "has too few counters"
    return f"`{slot.symbol.name}` {what}, and"


def _shown(slot: Cells) -> Callable[[Fact], bool]:
    return lambda fact: fact.kind == "open" and fact.what[0] == "gap" and fact.what[1].startswith(_text(slot))


def _goal(slot: Cells) -> Goal:
    """Searched for where the stock is low."""
    cells = range(slot.base, slot.base + slot.count)

    def holds(_machine: Machine, _state: State, node: Node | None) -> bool:
        return isinstance(node, Open) and node.kind == "gap" and node.text.startswith(_text(slot))

    def distance(_machine: Machine, state: State, _node: Node) -> float:
        held = [state.cells[cell] for cell in cells]
        return float(min(len(one) if isinstance(one, tuple) else one for one in held))

    return Goal(holds, "decisions", (), distance)


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    told = {subject for code, subject in court.suspected if code == "LX935"}
    for key, slot in _stocks(court).items():
        shown = _shown(slot)
        found = [(fact, evidence) for fact, evidence in open_points(court, "gap") if shown(fact)]
        if found and key not in told:
            fact, evidence = min(found, key=lambda one: one[1].length)
            stops = [s for s in court.flow.stops if s.about[0] == "runs out" and s.about[1] == key]
            places = (_place(slot), *(asking(stop, "takes from it") for stop in stops[:1]))
            yield witnessed(court, "LX935", _message(slot), places, _hint(slot), fact, evidence)


CHECK = Check("stocks that run out", "gap", suspect, conclude)
