"""Situations: values of variables as players would tell them, and as a state of the interpreter.

In: what the solver found. Out: facts in the words of the game, and a `State` in which the interpreter can be asked the
same.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from rules import model as m
from rules.machine.base import Happening, Node
from rules.machine.placing import Wanted
from rules.machine.state import State
from rules.machine.way import Stop, enter
from rules.machine.world import Cells, Value
from rules.symbols import VerbSymbol
from rules.types import BagT, EnumT, KindT, OrderT, SetT, TruthT, Type, without_none
from solver.encode.space import Space
from solver.terms import Term

Values = Mapping[Term, "bool | int"]


@dataclass(frozen=True, slots=True)
class Situation:
    """What the variables of a question are; `parts` are what it leaves open besides the state, by their names.

    The parts of the move that is asked about are called by verb and place.
    """

    facts: tuple[str, ...]
    parts: Mapping[Hashable, Value] = field(default_factory=dict)


def plain(key: int, type_: Type, space: Space) -> Value:
    """The value of a code."""
    match without_none(type_):
        case EnumT(name=name):
            return space.world.enums[name][key]
        case TruthT():
            return bool(key)
        case _:
            return key


def situation(space: Space, values: Values) -> Situation:
    facts: list[str] = []
    parts: dict[Hashable, Value] = {}
    nones = {v.args[0][1] for v, value in values.items() if v.args[0][0] == "none" and value}
    told_cells = {v.args[0][1] for v in values if v.args[0][0] == "cell"}
    for variable, value in values.items():
        name = variable.args[0]
        match name[0]:
            case "part":
                parts.setdefault(name[1], plain(int(value), space.part_types[name[1]], space))
            case "part none":
                if value:
                    parts[name[1]] = None
            case "cell" if name[1] in nones:
                pass
            case "none" if not value and name[1] in told_cells:
                pass
            case _:
                told = tell(space, variable, value)
                if told:
                    facts.append(told)
    return Situation(tuple(dict.fromkeys(facts)), parts)


def tell(space: Space, variable: Term, value: bool | int) -> str:
    """One fact; nothing where it would tell players nothing."""
    world = space.world
    name = variable.args[0]
    match name:
        case ("cell", int() as address, _):
            slot = space.slot_at(address)
            type_ = slot.symbol.type
            return f"{_called(space, slot, address)} is {world.show(plain(int(value), type_, space), type_)}"
        case ("none", int() as address, _):
            return f"{_called(space, space.slot_at(address), address)} is {'none' if value else 'not none'}"
        case ("has", int() as address, _, item):
            slot = space.slot_at(address)
            return f"{_item(space, slot, item)} is {'' if value else 'not '}in {_called(space, slot, address)}"
        case ("count", int() as address, _, item):
            slot = space.slot_at(address)
            return f"{_called(space, slot, address)} holds {value} of {_item(space, slot, item)}"
        case ("place", int() as address, _, int() as thing):
            slot = space.slot_at(address)
            kind = without_none(slot.symbol.type)
            assert isinstance(kind, OrderT)
            return f"{world.things[kind.kind][thing]} has place {int(value) + 1} in {_called(space, slot, address)}"
        case ("lies", str() as kind, int() as thing):
            cell = space.heap_cells(kind)[int(value)]
            return f"{world.things[kind][thing]} lies in {_called(space, space.slot_at(cell), cell)}"
        case ("bound", (str() as named, int()), sort):
            return _bound(space, named, sort, value)
        case ("running", "game"):
            return "" if value else "the game is over"
        case ("running", str() as moment, of):
            whose = "" if of is None else f" of {_owner(space, moment, of)}"
            return f"{'during' if value else 'not during'} {moment}{whose}"
        case ("disabled", str() as rule):
            return f"`{rule}` is {'' if value else 'not '}switched off"
        case ("outcome", who, str() as result):
            player = "nobody" if who is None else world.things[world.checked.players or ""][who]
            return f"{player} {result}" if value else ""
        case ("done", str() as verb, str() as moment, args):
            return f"`{_move(space, verb, dict(args))}` was done {_times(int(value))} this {moment}"
        case _:
            words = space.opaque.get(variable, "")
            return f"{words}: {_answer(value)}" if words else ""


def _bound(space: Space, named: str, sort: object, value: bool | int) -> str:
    """What was rolled, chosen or drawn under a name; of faces, how many show them, if any."""
    match sort:
        case None:
            return f"{named} is {value}" if value else ""
        case "none" | "absent":
            return f"{named} is none" if value else ""
        case "in":
            return named if value else ""
        case "":
            return f"{named} is {'yes' if value else 'no'}"
        case _:
            return f"{named} is {space.world.show(plain(int(value), sort, space), sort)}"  # type: ignore[arg-type]


def cell_words(space: Space, address: int, state: State) -> str:
    """What a cell holds in a state."""
    slot = space.slot_at(address)
    return f"{_called(space, slot, address)} is {space.world.show(state.cells[address], slot.symbol.type)}"


def _times(count: int) -> str:
    return {0: "not once", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _answer(value: bool | int) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _called(space: Space, slot: Cells, address: int) -> str:
    args = [space.world.show(arg, type_) for arg, type_ in zip(slot.args_at(address), slot.symbol.params, strict=True)]
    if not args:
        return slot.symbol.name
    return f"{slot.symbol.name} of {args[0]}" if len(args) == 1 else f"{slot.symbol.name} of ({', '.join(args)})"


def _item(space: Space, slot: Cells, item: Value) -> str:
    type_ = without_none(slot.symbol.type)
    assert isinstance(type_, SetT | BagT)
    return space.world.show(item, type_.of) if type_.of is not None else str(item)


def _owner(space: Space, moment: str, of: Value) -> str:
    verb = space.machine.verbs.get(moment)
    type_: Type = KindT(space.world.checked.players or "")
    if isinstance(verb, VerbSymbol):
        by = next((t for p, t in zip(verb.params, verb.types, strict=True) if p.label == "by"), type_)
        type_ = by
    return space.world.show(of, type_)


def _move(space: Space, verb: str, args: Mapping[int, Value]) -> str:
    symbol = space.machine.verbs[verb]
    parts = [verb]
    for place, (param, type_) in enumerate(zip(symbol.params, symbol.types, strict=True)):
        if place in args:
            parts.append(f"{param.label + ' ' if param.label else ''}{space.world.show(args[place], type_)}")
    return " ".join(parts)


# ---- as a state -----------------------------------------------------------------------------------------------------


def realise(space: Space, values: Values, moments: Iterable[Stop]) -> State | None:
    """A state in which the variables have these values, with control inside these moments; None where there is none.

    Nothing is carried out on the way: it is a state to ask in, not one that play has come to.
    """
    wanted = _wanted(space, values, moments)
    state = space.start.copy()
    space.placing.give(wanted, state)
    if not enter(space.machine, state, wanted.stops, {}):
        return None
    state.log += wanted.happened
    for variable, value in values.items():
        name = variable.args[0]
        if name[0] == "disabled" and value:
            state.disabled[name[1]] = None
        elif name[0] == "outcome" and value:
            state.outcomes[name[1]] = name[2]
    return state


def arrived(space: Space, values: Values, moments: Iterable[Stop]) -> tuple[State, Node] | None:
    """The first decision inside these moments with the variables at these values, as state files come to one."""
    found = space.placing.arrive(_wanted(space, values, moments))
    return None if isinstance(found, str) else found


def _wanted(space: Space, values: Values, moments: Iterable[Stop]) -> Wanted:
    return Wanted(cells=_cells(space, values, space.start), stops=tuple(moments), happened=_past(space, values))


def _cells(space: Space, values: Values, start: State) -> dict[int, Value]:
    """The cells that the values speak of, each as the interpreter holds it."""
    by_cell: dict[int, dict[Term, bool | int]] = {}
    piles: dict[str, dict[Term, bool | int]] = {}
    for variable, value in values.items():
        name = variable.args[0]
        if name[0] in ("cell", "none", "has", "count", "place"):
            by_cell.setdefault(name[1], {})[variable] = value
        elif name[0] in ("lies", "depth"):
            piles.setdefault(name[1], {})[variable] = value
    found = {address: _cell(space, address, given, start) for address, given in by_cell.items()}
    for kind, given in piles.items():
        found |= _piles(space, kind, given, start)
    return found


def _cell(space: Space, address: int, given: Mapping[Term, bool | int], start: State) -> Value:
    type_ = without_none(space.slot_at(address).symbol.type)
    now = start.cells[address]
    by_name = {variable.args[0]: value for variable, value in given.items()}
    if any(name[0] == "none" and value for name, value in by_name.items()):
        return None
    match type_:
        case SetT():
            held = set(now or ())
            for name, value in by_name.items():
                if name[0] == "has":
                    (held.add if value else held.discard)(name[3])
            return frozenset(held)
        case BagT():
            counts = {item: list(now or ()).count(item) for item in now or ()}
            counts |= {name[3]: int(value) for name, value in by_name.items() if name[0] == "count"}
            return tuple(sorted(item for item, number in counts.items() for _ in range(number)))
        case OrderT():
            places = {name[3]: int(value) for name, value in by_name.items() if name[0] == "place"}
            free = [thing for thing in now if thing not in places]
            row: list[Value] = []
            for place in range(len(now)):
                taken = next((thing for thing, wanted in places.items() if wanted == place), None)
                row.append(free.pop(0) if taken is None else taken)
            return tuple(row)
        case _:
            for name, value in by_name.items():
                if name[0] == "cell":
                    return plain(int(value), type_, space)
            domain = space.world.domain(type_)
            return now if now is not None else domain[0]


def _piles(space: Space, kind: str, given: Mapping[Term, bool | int], start: State) -> dict[int, Value]:
    """Every pile of a kind: things of which nothing is said stay where they start, behind the others."""
    cells = space.heap_cells(kind)
    by_name = {variable.args[0]: int(value) for variable, value in given.items()}
    lies: dict[int, tuple[int, int]] = {}
    for place, cell in enumerate(cells):
        for depth, thing in enumerate(start.cells[cell]):
            lies[thing] = (place, depth + len(space.world.things[kind]))
    for thing, (place, depth) in list(lies.items()):
        at = by_name.get(("lies", kind, thing), place)
        lies[thing] = (at, by_name.get(("depth", kind, thing), depth))
    return {
        cell: tuple(sorted((t for t, (at, _) in lies.items() if at == place), key=lambda t: lies[t][1]))
        for place, cell in enumerate(cells)
    }


def _past(space: Space, values: Values) -> tuple[Happening, ...]:
    """What was done so often; parts of which nothing is said are the first that they can be."""
    found: list[Happening] = []
    for variable, value in values.items():
        name = variable.args[0]
        if name[0] == "done":
            symbol = space.machine.verbs[name[1]]
            given = dict(name[3])
            args = tuple(given.get(i, space.world.domain(type_)[0]) for i, type_ in enumerate(symbol.types))
            found += [Happening(("phrase", name[1]), args)] * int(value)
        elif variable in space.past and value:
            event, env = space.past[variable]
            if isinstance(event, m.PhraseEvent):
                found += [_done(space, event.phrase, env)] * int(value)
    return tuple(found)


def _done(space: Space, phrase: m.Phrase, env: Mapping[str, Value]) -> Happening:
    symbol = space.machine.verbs[phrase.verb.text]
    args = [space.world.domain(type_)[0] for type_ in symbol.types]
    labels = [param.label for param in symbol.params]
    for arg in phrase.args:
        if space.machine.needs(arg.value) <= env.keys():
            args[labels.index(arg.label)] = space.machine.evaluator.value(arg.value, space.start, env)
    return Happening(("phrase", phrase.verb.text), tuple(args))
