"""The things and the state of a random book: their declarations, and what expressions and statements can speak of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tests.making.draws import Draws
from tests.making.shape import Shape


@dataclass(frozen=True, slots=True)
class Num:
    low: int
    high: int

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Held:
    """Several things of a kind or values of a type."""

    sort: Literal["set", "bag", "order", "pile"]
    of: str


TRUTH = "yes/no"
Sort = Num | Held | str  # a string is yes/no, an enumeration or a kind


@dataclass(frozen=True, slots=True)
class Slot:
    name: str
    of: tuple[str, ...]
    type: Sort
    maybe: bool = False
    role: Literal["state", "printed", "pile", "place", "value"] = "state"
    pool: str = ""


@dataclass
class World:
    draws: Draws
    shape: Shape
    lines: list[str] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    enums: dict[str, tuple[str, ...]] = field(default_factory=dict)
    things: dict[str, tuple[str, ...]] = field(default_factory=dict)  # kinds, each with its names if it has some
    titles: tuple[str, ...] = ()  # of cards of which there are several
    variables: dict[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: dict[str, Num] = field(default_factory=dict)  # the variables that stand for numbers
    dice: dict[str, Sort] = field(default_factory=dict)
    relations: tuple[str, ...] = ()  # built in, or of a map: between places
    grid: bool = False
    last_day: int = 2
    seats: Num = Num(2, 2)
    ranks: list[str] = field(default_factory=list)

    def find(self, role: str, *types: type) -> list[Slot]:
        return [s for s in self.slots if s.role == role and isinstance(s.type, types or (Num, Held, str))]

    def kind_of(self, name: str) -> str | None:
        """The type of a variable."""
        return next((type_ for type_, names in self.variables.items() if name in names), None)


def make_world(draws: Draws, shape: Shape) -> World:
    world = World(draws, shape)
    makers = (_types, _players, _places, _cards, _heroes, _state, _piles, _pools, _dice, _variables)
    for make in makers:
        make(world)
    return world


def _types(world: World) -> None:
    draws = world.draws
    pools = {"Weather": ("calm", "rough", "storm"), "Omen": ("raven", "comet", "eclipse", "moth")}
    for name, values in pools.items():
        if draws.share(world.shape.enums):
            world.enums[name] = tuple(draws.some(values, 2, 4))
            world.lines.append(f"type {name} is {', '.join(world.enums[name])}")


def _range(world: World, low: int, high: int) -> Num:
    """Often from 0 up; sometimes from a number above or, where the shape has them, below."""
    draws = world.draws
    top = draws.between(low, high)
    if draws.share(0.5 * world.shape.negatives):
        return Num(-draws.between(1, 3), top)
    return Num(1, top + 1) if draws.share(0.15) else Num(0, top)


def _start(world: World, range_: Num) -> str:
    """A start somewhere inside, or the one that is meant when nothing is said."""
    if world.draws.share(0.4):
        return ""
    return f" starts {_number(world.draws.between(range_.low, range_.high))}"


def _number(value: int) -> str:
    return str(value)


def _players(world: World) -> None:
    draws = world.draws
    population, world.seats = draws.pick((("2", Num(2, 2)), ("2..3", Num(2, 3)), ("1..2", Num(1, 2))))
    world.things["Player"] = ()
    lines = [f"kind Player {population}"]
    for name in ("coins", "fame", "hull")[: draws.between(1, 3)]:
        range_ = _range(world, 2, 6)
        world.slots.append(Slot(name, ("Player",), range_))
        lines.append(f"    {name} {range_}{_start(world, range_)}{draws.pick(('', '', ' open', ' private'))}")
    world.slots.append(Slot("passed", ("Player",), TRUTH))
    lines.append("    passed yes/no")
    for enum in world.enums:
        if draws.share(0.4):
            name = f"own_{enum.lower()}"
            maybe = draws.share(world.shape.nothing)
            world.slots.append(Slot(name, ("Player",), enum, maybe))
            lines.append(
                f"    {name} {enum} or none" if maybe else f"    {name} {enum} starts {draws.pick(world.enums[enum])}"
            )
    world.lines += lines


def _places(world: World) -> None:
    draws = world.draws
    if not draws.share(world.shape.places):
        return
    world.grid = draws.share(0.3)
    depth = _range(world, 2, 5)
    if world.grid:
        world.things["Place"] = ()
        world.lines.append(f"kind Place square grid {draws.between(2, 3)} by {draws.between(1, 2)}")
        world.lines.append(f"    depth {depth}{_start(world, depth)}")
        world.slots.append(Slot("depth", ("Place",), depth))
        world.relations = ("next", "diagonal", "sees")
    else:
        names = tuple(draws.some(("athens", "rhodes", "crete", "delos"), 2, 4))
        world.things["Place"] = names
        world.lines.append(f"kind Place named {', '.join(names)}")
        world.lines.append(f"    printed depth {depth}")
        world.slots.append(Slot("depth", ("Place",), depth, role="printed"))
        world.relations = ("next", "sea")
    world.lines.append("    visited yes/no")
    world.slots.append(Slot("visited", ("Place",), TRUTH))
    if world.grid:
        _sight(world)
    else:
        for name in world.things["Place"]:
            printed = draws.between(max(depth.low, 0), depth.high)
            given = f"depth {printed}" + (", visited yes" if draws.share(0.3) else "")
            world.lines.append(f"    {name} has {given}")
        _map(world)


def _sight(world: World) -> None:
    draws = world.draws
    ends = draws.pick(("any corner", "every corner", "centre")), draws.pick(("corner", "every corner", "centre"))
    world.lines += [
        "sight sees of (q, r)",
        f"    from {ends[0]} to {ends[1]}",
        "    blocked by s where s is visited and s is not q and s is not r",
        f"    touching {draws.pick(('edge', 'corner', 'joint'))} {draws.pick(('passes', 'blocks'))}",
    ]
    if draws.share(0.4):
        world.lines.append("    blocked between s and t where s is visited and t is not visited")


def _map(world: World) -> None:
    draws = world.draws
    names = world.things["Place"]
    links = [" - ".join(names) if draws.share(0.7) else f"{names[0]} - {names[1]}"]
    if len(names) > 2:
        links.append(f"{names[-1]} -> {names[0]}")
    world.lines += ["map sea of Place", f"    links {', '.join(links)}"]


def _cards(world: World) -> None:
    draws = world.draws
    if not draws.share(world.shape.piles):
        return
    if world.enums and draws.share(0.3):
        enum = next(iter(world.enums))
        world.lines += ["type Pips is 1..2", f"kind Card for each {enum}, Pips"]
        world.things["Card"] = tuple(f"{value}_{pips}" for value in world.enums[enum] for pips in (1, 2))
        world.slots.append(Slot(enum.lower(), ("Card",), enum, role="printed"))
        world.slots.append(Slot("pips", ("Card",), Num(1, 2), role="printed"))
        return
    members = draws.some((("lull", 2), ("gust", 3), ("squall", 2), ("calm_day", 1), ("mist", 1)), 2, 4)
    world.things["Card"] = tuple(name for name, copies in members if copies == 1)
    world.titles = tuple(name for name, copies in members if copies > 1)
    listed = ", ".join(name if copies == 1 else f"{copies} {name}" for name, copies in members)
    world.lines += [f"kind Card named {listed}", "    printed power 0..4"]
    world.slots.append(Slot("power", ("Card",), Num(0, 4), role="printed"))
    world.lines += [f"    {name} has power {draws.between(0, 4)}" for name, _ in members]


def _heroes(world: World) -> None:
    draws = world.draws
    if not draws.share(world.shape.heroes):
        return
    world.things["Hero"] = ("ines", "bruno")
    world.lines += ["kind Hero named ines, bruno supplied", "    wounds 0..3", "    owner Player or none"]
    world.slots.append(Slot("wounds", ("Hero",), Num(0, 3)))
    world.slots.append(Slot("owner", ("Hero",), "Player", True))
    if "Place" in world.things and not world.grid:
        world.lines.append(f"    stands Place starts {draws.pick(world.things['Place'])}")
        world.slots.append(Slot("stands", ("Hero",), "Place"))


def _state(world: World) -> None:
    draws, shape = world.draws, world.shape
    world.last_day = draws.between(2, 4)
    lines = ["state", f"    day 1..{world.last_day} starts 1"]

    def add(slot: Slot, text: str) -> None:
        world.slots.append(slot)
        lines.append(f"    {text}")

    for name in draws.some(("tide", "luck"), 1, 2):
        range_ = _range(world, 2, 5)
        add(Slot(name, (), range_), f"{name} {range_}{_start(world, range_)}")
    if draws.share(0.5):
        add(Slot("alarm", (), TRUTH), f"alarm yes/no{draws.pick(('', ' starts yes'))}")
    for enum, values in world.enums.items():
        add(Slot(enum.lower() + "_now", (), enum), f"{enum.lower()}_now {enum} starts {draws.pick(values)}")
    if draws.share(shape.nothing):
        add(Slot("starter", (), "Player", True), "starter Player or none")
    if "Place" in world.things:
        start = "cell of (Place, 1, 1)" if world.grid else draws.pick(world.things["Place"])
        add(Slot("ship", ("Player",), "Place"), f"ship of Player Place starts {start}")
        if draws.share(shape.nothing):
            add(Slot("target", (), "Place", True), "target Place or none")
        if draws.share(shape.relations):
            add(Slot("knows", ("Player", "Place"), TRUTH), "knows of (Player, Place) yes/no")
        if draws.share(shape.sets):
            add(Slot("shut", (), Held("set", "Place")), "shut set of Place")
            add(Slot("seen", ("Player",), Held("set", "Place")), "seen of Player set of Place")
    if draws.share(shape.relations):
        add(Slot("allied", ("Player", "Player"), TRUTH), "allied of (Player, Player) yes/no")
    if world.enums and draws.share(shape.bags):
        enum = next(iter(world.enums))
        add(Slot("stock", (), Held("bag", enum)), f"stock bag of {enum} up to 4")
    if draws.share(shape.orders):
        shuffled = draws.pick(("", " shuffled"))
        add(Slot("seating", (), Held("order", "Player")), f"seating order of Player{shuffled}")
    world.lines += lines


def _piles(world: World) -> None:
    draws = world.draws
    if "Card" not in world.things:
        return
    seen = draws.pick((" closed", " open", ""))
    world.lines += [
        "piles of Card",
        f"    deck starts Card{draws.pick((' shuffled', ' shuffled', ''))}{seen}",
        f"    hand of Player{draws.pick((' private', ' open', ''))}",
        "    discard",
    ]
    for name, of in (("deck", ()), ("hand", ("Player",)), ("discard", ())):
        world.slots.append(Slot(name, of, Held("pile", "Card"), role="pile"))


def _pools(world: World) -> None:
    draws = world.draws
    if not draws.share(world.shape.pools):
        return
    total = draws.between(3, 8)
    if draws.share(0.5):
        world.lines += [f"pool cubes {total} for each Player", "    supply of Player starts rest"]
        world.lines.append(f"    board of Player starts {draws.between(0, 3)}")
        names: tuple[tuple[str, tuple[str, ...]], ...] = (("supply", ("Player",)), ("board", ("Player",)))
    else:
        world.lines += [f"pool cubes {total}", "    bank starts rest", "    purse of Player", "    chest starts 1"]
        names = (("bank", ()), ("purse", ("Player",)), ("chest", ()))
    for name, of in names:
        world.slots.append(Slot(name, of, Num(0, total), role="place", pool="cubes"))


def _dice(world: World) -> None:
    draws = world.draws
    if not draws.share(world.shape.dice):
        return
    world.dice["d6"] = Num(1, 6)
    if draws.share(0.5):
        faces, world.dice["odd_die"] = draws.pick((("1, 1, 2", Num(1, 2)), ("1, 3..4", Num(1, 4))))
        world.lines.append(f"die odd_die is {faces}")
    if world.enums and draws.share(0.4):
        enum = next(iter(world.enums))
        world.lines.append(f"die fate_die is {', '.join((*world.enums[enum], world.enums[enum][0]))}")
        world.dice["fate_die"] = enum


def _variables(world: World) -> None:
    named = {
        "Player": ("p", "other", "third"),
        "Place": ("q", "r", "s", "t"),
        "Card": ("c", "d"),
        "Hero": ("h", "g"),
        "Weather": ("w", "v"),
        "Omen": ("o",),
    }
    for type_, names in named.items():
        if type_ in world.things or type_ in world.enums:
            world.variables[type_] = names
            world.lines.append(f"let {', '.join(names)} be {type_}")
    world.numbers = {"n": Num(0, 3), "m": Num(-2, 2) if world.shape.negatives else Num(0, 2)}
    world.lines += [f"let {name} be {range_}" for name, range_ in world.numbers.items()]
    if world.dice:
        world.lines += ["let eyes be 1..6", "let many be 2..12", "let dice be bag of d6 up to 3"]
    if "Card" in world.things:
        world.lines.append("let drawn be set of Card")
