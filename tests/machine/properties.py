"""What must be true of every game: asked of random books by the tests, and of many more by the sweep."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from grammar.format import format_text
from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.machine import Chance, Choice, Game, Machine, Node, Open, Over, Save, machine_of, read_save, save_text
from rules.machine.norms import Gap, Undetermined
from rules.machine.state import State
from rules.machine.world import Value
from rules.span import Source
from rules.types import BagT, EnumT, KindT, MaybeT, NumberT, OrderT, PileT, SetT, TruthT, Type
from tests.machine.oracle import Oracle, asked_of
from tests.making import SHAPES, random_book
from tests.making.book import POLICY
from verifier import check_structure

DARING = 0.3  # how readily a book leaves its guards off


@dataclass(frozen=True, slots=True)
class Made:
    """A random book by its name: `shape:seed` makes it again."""

    shape: str
    seed: int
    text: str
    checked: CheckedRulebook
    policies: tuple[str, ...]

    def machine(self, seats: int | None = None) -> Machine:
        return machine_of(self.checked, seats, self.policies)


@dataclass
class Tally:
    """How often each property was asked."""

    asked: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)


def make(shape: str, seed: int, size: int = 3, daring: float = DARING) -> Made:
    text = random_book(seed, replace(SHAPES[shape], daring=daring), size)
    parsed = parse_text(Source(f"{shape}:{seed}", text))
    assert parsed.diagnostics == (), parsed.diagnostics
    found = check_rules(m.Rulebook(parsed.declarations))
    assert found.rulebook is not None, [d for d in found.diagnostics if d.is_error]
    structure = [d for d in check_structure(found.rulebook) if d.is_error]
    assert not structure, structure
    return Made(shape, seed, text, found.rulebook, (POLICY,) if f"policy {POLICY}" in text else ())


# ---- Text ---------------------------------------------------------------------------------------------------------


def check_format(made: Made) -> None:
    """The format of a text reads as the same model, and is its own format."""
    parsed = parse_text(Source("book", made.text))
    once = format_text(parsed)
    again = parse_text(Source("book", once))
    assert again.diagnostics == ()
    assert again.declarations == parsed.declarations
    assert format_text(again) == once


# ---- Play ---------------------------------------------------------------------------------------------------------


def decisions(game: Game, most: int) -> Iterator[Node]:
    """Plays at random and stops before every decision; the choices are drawn from the seed of the game."""
    chooser = random.Random(game.seed + 1)
    for _ in range(most):
        yield game.node
        if isinstance(game.node, Chance):
            game.chance()
        elif isinstance(game.node, Choice):
            game.do(game.node.moves[int(chooser.random() * len(game.node.moves))])
        else:
            return
    yield game.node


def picture(game: Game) -> tuple[object, ...]:
    return ([*game.state.cells], [*game.record], [frame.moment for frame in game.state.stack], game.node)


def check_state(machine: Machine, state: State) -> None:
    """Every value is one of its type, every thing lies in one pile, every pool adds up."""
    world = machine.world
    for slot in world.slots.values():
        for value in state.cells[slot.base : slot.base + slot.count]:
            assert _is_of(machine, value, slot.symbol.type), (slot.symbol.name, value)
    for declaration in world.checked.book.declarations:
        if isinstance(declaration, m.Piles):
            things = [thing for _, pile in _places(machine, declaration, state) for thing in pile]
            assert sorted(things) == list(range(len(world.things[declaration.of.text]))), things
        elif isinstance(declaration, m.Pool):
            held: Counter[Value] = Counter()
            for owner, number in _places(machine, declaration, state):
                held[owner if declaration.each is not None else None] += number
            assert set(held.values()) <= {declaration.total}, held


def _places(machine: Machine, node: m.Piles | m.Pool, state: State) -> Iterator[tuple[Value, Value]]:
    """What lies where; with the first thing that the place belongs to."""
    for line in node.slots:
        slot = machine.world.slots[id(machine.checked.symbol_of(line))]
        for address in range(slot.base, slot.base + slot.count):
            yield (slot.args_at(address) or (None,))[0], state.cells[address]


def _is_of(machine: Machine, value: Value, type_: Type) -> bool:
    world = machine.world
    match type_:
        case NumberT(low=low, high=high):
            return type(value) is int and low <= value <= high
        case TruthT():
            return type(value) is bool
        case EnumT() | KindT():
            return value is not None and type(value) is not bool and value in world.domain(type_)
        case MaybeT(of=of):
            return value is None or _is_of(machine, value, of)
        case SetT(of=of):
            return isinstance(value, frozenset) and of is not None and all(_is_of(machine, v, of) for v in value)
        case BagT(of=of, limit=limit):
            return isinstance(value, tuple) and len(value) <= limit and all(_is_of(machine, v, of) for v in value)
        case OrderT(kind=kind):
            return isinstance(value, tuple) and sorted(value) == list(range(len(world.things[kind])))
        case PileT(kind=kind):
            return isinstance(value, tuple) and all(_is_of(machine, v, KindT(kind)) for v in value)
        case _:
            return False


def check_legal(game: Game, oracle: Oracle) -> bool:
    """Whether what can be chosen was compared with what the rules say of every way of doing every action."""
    if not isinstance(game.node, Choice | Open) or (isinstance(game.node, Open) and game.node.kind != "undetermined"):
        return False
    if isinstance(game.node, Open) and game.node.text == "what must be done":
        return False  # versions of a duty, of which only one can be met
    if not game.state.stack or oracle.machine.limits:
        return False  # what a limit leaves is only known by doing it
    asked = asked_of(game.machine, game.state)
    if asked is None:
        return False
    try:
        verdict = oracle.verdict(game.state, asked)
    except (Undetermined, Gap):  # of a value that a rule reads
        assert isinstance(game.node, Open)
        return True
    if isinstance(game.node, Open):
        assert verdict.undetermined, (game.node, verdict)
        return True
    assert not verdict.undetermined, verdict
    legal = game.legal()
    assert {(one.verb, one.args) for one in legal} == verdict.moves, (legal, verdict)
    assert any(one.must for one in legal) == verdict.duty
    chosen = {move.data for move in game.node.moves if move.data is not None}
    assert chosen == verdict.moves
    assert len({move.text for move in game.node.moves}) == len(game.node.moves)
    if verdict.duty:
        assert all(move.data is not None for move in game.node.moves), game.node.moves
    return True


def check_undo(game: Game) -> bool:
    """Undo of do is identity. Leaves the game as it was."""
    if not isinstance(game.node, Choice):
        return False
    before = picture(game)
    game.do(game.node.moves[-1])
    game.settle()
    game.undo(through_chance=True)
    assert picture(game) == before
    return True


def check_save(made: Made, game: Game) -> None:
    """What was saved and read is replayed to the same moment."""
    save = Save(made.shape, "00", game.machine.world.seats, game.seed, made.policies, tuple(game.record))
    assert read_save(save_text(save)) == save
    again = Game(game.machine, game.seed)
    again.replay(list(save.record))
    assert picture(again) == picture(game)


def check_copy(game: Game) -> bool:
    """A copy of a state goes its own way, and comes to the same place by the same decision."""
    if not isinstance(game.node, Choice | Chance):
        return False
    before = picture(game)
    move = game.node.moves[0] if isinstance(game.node, Choice) else game.node.outcomes[0][0]
    ends = []
    for _ in range(2):
        copy = game.state.copy()
        game.machine.answer(copy, move)
        ends.append((game.machine.run(copy), copy.cells))
    assert ends[0] == ends[1]
    assert picture(game) == before
    assert game.machine.run(game.state) == game.node
    return True


def check_play(made: Made, tally: Tally, most: int = 40) -> list[str]:
    """All that must be true of one random game; its decisions, as text."""
    machine = made.machine()
    game = Game(machine, made.seed)
    oracle = Oracle(machine, made.policies)
    for number, node in enumerate(decisions(game, most)):
        assert isinstance(node, Choice | Chance | Open | Over)
        check_state(machine, game.state)
        tally.asked["state"] += 1
        tally.asked["legal"] += check_legal(game, oracle)
        if number % 7 == made.seed % 7:
            tally.asked["undo"] += check_undo(game)
            tally.asked["copy"] += check_copy(game)
    check_save(made, game)
    tally.asked["save"] += 1
    tally.ends[f"open: {game.node.kind}" if isinstance(game.node, Open) else type(game.node).__name__.lower()] += 1
    return log_of(game)


def log_of(game: Game) -> list[str]:
    return [f"{entry.by} {entry.text}" for entry in game.record] + [str(game.state.cells)]


def play_log(made: Made, most: int = 40) -> list[str]:
    """The decisions of one random game, on a machine made anew."""
    game = Game(made.machine(), made.seed)
    for _ in decisions(game, most):
        pass
    return log_of(game)
