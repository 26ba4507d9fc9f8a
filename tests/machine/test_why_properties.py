"""Over random play of the small bundled rulebooks: why agrees with what is legal, its changes do what they say, and
of its reasons none can be left out."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import ludex
from rules import model as m
from rules.machine import Choice, Game, Machine
from rules.machine.lacks import Atom, Given, Lacks, Way
from rules.machine.moves import LEFT_OUT
from rules.machine.nearest import Becomes, changed, nearest
from rules.machine.state import State
from rules.machine.watch import watched
from rules.machine.why import NotAllowed, explain, is_legal, ways_of
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from tests.bundle import SMALL

BOOKS = SMALL
UNCONDITIONED = {"connect_four", "pig"}  # every player may do everything, and only prohibitions stand in the way
UNCHANGED = {"connect_four", "kuhn_poker"}  # it rests on whose turn it is, and on what has happened
SAMPLE = 12  # moves asked about in each position

Move = tuple[str, tuple[Value, ...]]


def _positions(name: str, seed: int, steps: int) -> Iterator[tuple[Game, random.Random]]:
    chance = random.Random(seed)
    game = ludex.load(name).start(seed=seed)
    for _ in range(steps):
        game.settle()
        if not isinstance(game.node, Choice):
            return
        yield game, chance
        game.do(chance.choice(game.moves))


def _domain(machine: Machine) -> list[Move]:
    return [
        (verb, args)
        for verb in machine.actions
        for args in ways_of(machine, verb, (LEFT_OUT,) * len(machine.verbs[verb].params))
    ]


@pytest.mark.parametrize("name", BOOKS)
def test_a_move_is_said_to_be_legal_just_where_it_can_be_chosen(name: str) -> None:
    asked = illegal = 0
    for seed in range(3):
        for game, chance in _positions(name, seed, 12):
            legal: set[Move] = {(one.verb, one.args) for one in game.legal()}
            domain = _domain(game.machine)
            for verb, args in [*legal, *chance.sample(domain, min(SAMPLE, len(domain)))]:
                why = explain(game.machine, game.state, game.node, verb, args)
                assert (why.verdict == "legal") is ((verb, args) in legal), (verb, args, why)
                assert (why.reasons == ()) is (why.verdict == "legal")
                asked += 1
                illegal += why.verdict == "illegal"
    assert illegal
    assert asked > illegal


@pytest.mark.parametrize("name", BOOKS)
def test_every_change_that_is_told_makes_the_move_legal(name: str) -> None:
    told = 0
    for game, chance in _positions(name, 5, 6):
        machine = game.machine
        before = list(game.state.cells)
        domain = _domain(machine)
        for verb, args in chance.sample(domain, min(5, len(domain))):
            why = explain(machine, game.state, game.node, verb, args)
            found = nearest(machine, game.state, game.node, why)
            assert not (found.changes and why.verdict == "legal")
            for changes in found.changes:
                values = max(len(c.new) if isinstance(c, Becomes) else 1 for c in changes)
                for choice in range(values):
                    after = changed(machine, watched(machine, game.state, None), changes, choice)
                    assert is_legal(machine, after, game.node, verb, args), (verb, args, changes)
                    _holds_what_it_may(machine, after)
                    told += 1
        assert game.state.cells == before
    assert (told > 0) is (name not in UNCHANGED)


def _holds_what_it_may(machine: Machine, state: State) -> None:
    """Every thing lies in one pile; what can be listed is one of the values of its type."""
    for slot in machine.world.slots.values():
        for address in range(slot.base, slot.base + slot.count):
            if slot.symbol.role in ("state", "attribute") and not isinstance(state.cells[address], tuple | frozenset):
                assert state.cells[address] in machine.world.domain(slot.symbol.type)
    for declaration in machine.checked.book.declarations:
        if isinstance(declaration, m.Piles):
            lying = [
                thing
                for node in declaration.slots
                for slot in [machine.world.slots[id(machine.checked.symbol_of(node))]]
                for address in range(slot.base, slot.base + slot.count)
                for thing in state.cells[address]
            ]
            assert sorted(lying) == list(range(len(machine.world.things[declaration.of.text])))


# ---- smallest


class _Turned:
    """Conditions as they would be if some atoms were the other way round."""

    def __init__(self, machine: Machine, state: State, atoms: list[tuple[m.Expr, Given]]) -> None:
        self.machine = machine
        self.state = state
        self.atoms = atoms
        self.lacks = Lacks(machine, state)

    def holds(self, expr: m.Expr | None, env: dict[str, Value]) -> bool:
        match expr:
            case None:
                return True
            case m.And(left=left, right=right):
                return self.holds(left, env) and self.holds(right, env)
            case m.Or(left=left, right=right):
                return self.holds(left, env) or self.holds(right, env)
            case m.Not(operand=operand):
                return not self.holds(operand, env)
            case m.Quantified(quantifier=quantifier, variable=variable, where=where, body=body):
                symbol = self.machine.checked.symbol_of(variable)
                assert isinstance(symbol, VariableSymbol)
                envs = [{**env, variable.text: value} for value in self.machine.world.domain(symbol.type)]
                among = [self.holds(body, one) for one in envs if self.holds(where, one)]
                return all(among) if quantifier == "every" else any(among) is (quantifier == "some")
            case _:
                found = self.machine.evaluator.holds(expr, self.state, env)
                return not found if (expr, self.lacks.given(expr, env)) in self.atoms else found


@pytest.mark.parametrize("name", BOOKS)
def test_all_reasons_together_are_enough_and_none_can_be_left_out(name: str) -> None:
    seen = 0
    for seed in range(3):
        for game, chance in _positions(name, seed, 8):
            domain = _domain(game.machine)
            for verb, args in chance.sample(domain, min(SAMPLE, len(domain))):
                why = explain(game.machine, game.state, game.node, verb, args)
                ways = [way for r in why.reasons if isinstance(r, NotAllowed) for way in r.ways]
                for way in ways:
                    atoms = [(a.expr, a.given) for a in way.lacks if isinstance(a, Atom)]
                    assert _applies(game, way, atoms), (verb, args, way)
                    for place in range(len(atoms)):
                        assert not _applies(game, way, atoms[:place] + atoms[place + 1 :]), (verb, args, way)
                        seen += 1
    assert (seen > 0) is (name not in UNCONDITIONED)


def _applies(game: Game, way: Way, turned: list[tuple[m.Expr, Given]]) -> bool:
    asking = _Turned(game.machine, game.state, turned)
    conditions = way.norm.conditions
    lets = conditions.unless is None or not asking.holds(conditions.unless, way.env)
    return asking.holds(conditions.when, way.env) and lets
