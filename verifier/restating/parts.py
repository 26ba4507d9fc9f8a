"""What a case or a state of play speaks of, told in the words of the game."""

from __future__ import annotations

from collections.abc import Callable

from rules.machine.state import State
from rules.machine.world import Value
from solver.encode.saying import Subject
from solver.encode.situation import situation
from solver.encode.sym import Sym, code
from solver.terms import Flag, Term, evaluate, substitute
from verifier.court import Case, Court
from verifier.restating.shown import spoken_of


def args_in(court: Court, subject: Subject, case: Case) -> tuple[Value, ...]:
    """The parts that a case speaks of; those that do not matter are the first that they can be."""
    if subject.sort == "move":
        return court.move_in(case.situation, subject.words)
    return tuple(
        case.situation.parts.get((subject, place), court.machine.world.domain(type_)[0])
        for place, type_ in enumerate(subject.types)
    )


def extra_of(court: Court, subject: Subject, args: tuple[Value, ...]) -> tuple[str, ...]:
    """A line that says of what the state is an example: the move, the value, the event."""
    world = court.machine.world
    shown = [world.show(arg, type_) for arg, type_ in zip(args, subject.types, strict=True)]
    listed = shown[0] if len(shown) == 1 else f"({', '.join(shown)})"
    match subject.sort:
        case "move":
            return (f"the move: {court.machine.show_move(subject.words, args)}",)
        case "value" if shown:
            return (f"the value: {subject.words} of {listed}",)
        case "event" if shown:
            return (f"the event: {subject.words} of {listed}",)
        case "outcome" if shown:
            return (f"the player: {listed}",)
        case "limit" if shown:
            return (f"the limit for {listed}",)
        case _:
            return ()


def teller(court: Court, subject: Subject, parts: tuple[Sym, ...], differ: Flag) -> Callable[[State], tuple[str, ...]]:
    """Says of a state of play for which parts, and why, a condition holds there."""

    def tell(state: State) -> tuple[str, ...]:
        for args, asking in spoken_of(court.machine, subject, state):
            term = substitute(differ, _standing_for(court, subject, parts, args))
            values = court.space.values_in(asking, (term,))
            if evaluate(term, values):
                facts = situation(court.space, court.solver.mattering(term, values)).facts
                return (*facts, *extra_of(court, subject, args))
        return ()

    return tell


def _standing_for(
    court: Court, subject: Subject, parts: tuple[Sym, ...], args: tuple[Value, ...]
) -> dict[Term, bool | int]:
    found: dict[Term, bool | int] = {}
    for part, arg, type_ in zip(parts, args, subject.types, strict=True):
        if isinstance(part.none, Term):
            found[part.none] = arg is None
        if isinstance(part.payload, Term) and arg is not None:
            found[part.payload] = code(arg, type_, court.machine.world)
    return found
