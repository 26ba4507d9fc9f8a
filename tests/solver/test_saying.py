"""What norms say as terms is what the interpreter sees in states of play."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import ludex
from rules.machine import Chance, Choice, Game, Machine
from rules.machine.base import Broken
from rules.machine.norms import Gap, Undetermined
from rules.machine.state import State
from solver.encode.expressions import NotEncodable
from solver.encode.legality import Encoder
from solver.encode.saying import Saying
from solver.encode.space import Space
from solver.encode.sym import code
from solver.terms import Term, evaluate, some, substitute
from tests.thirty.test_thirty import HERE
from verifier.restating.shown import said

STATES = 6


def _states(machine: Machine, seed: int) -> Iterator[State]:
    game, chooser = Game(machine, seed), random.Random(seed)
    for step in range(80):
        node = game.node
        if isinstance(node, Choice):
            if step % 5 == seed:
                yield game.state
            game.do(chooser.choice(node.moves))
        elif isinstance(node, Chance):
            game.chance()
        else:
            return


@pytest.mark.parametrize("book", ["harbour", "ur", "thirty"])
def test_terms_and_the_interpreter_agree(book: str) -> None:
    machine = ludex.load(HERE if book == "thirty" else book).machine()
    saying = Saying(Encoder(Space(machine)))
    chooser = random.Random(book)
    states = [state.copy() for seed in range(2) for state in _states(machine, seed)][:STATES]
    compared = 0
    for norm in machine.norms:
        for subject in saying.subjects(norm):
            try:
                parts = saying.parts(subject)
                with saying.encoder.apart() as troubles:
                    when = some(one.when for one in saying.of(norm, subject, parts))
                    stopped = some(trouble.when for trouble in troubles)
            except NotEncodable:
                continue
            domains = [machine.world.domain(type_) for type_ in subject.types]
            if not all(domains) or any(part.absent is True for part in parts):
                continue
            for state in states:
                args = tuple(chooser.choice(domain) for domain in domains)
                new = {
                    part.payload: code(arg, type_, machine.world)
                    for part, arg, type_ in zip(parts, args, subject.types, strict=True)
                    if isinstance(part.payload, Term) and arg is not None
                }
                new |= {p.none: a is None for p, a in zip(parts, args, strict=True) if isinstance(p.none, Term)}
                terms = [substitute(when, new), substitute(stopped, new)]
                values = saying.encoder.space.values_in(state, terms)
                try:
                    expected = bool(said(machine, (norm,), subject, args, state))
                except (Undetermined, Gap, Broken):
                    assert evaluate(terms[1], values), (norm.name, args)
                    continue
                if not evaluate(terms[1], values):
                    assert evaluate(terms[0], values) is expected, (norm.name, args)
                    compared += 1
    assert compared > 3
