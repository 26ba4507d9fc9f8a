"""Terms mean what is written, whatever folds; so do their expressions in Z3."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import terms as t
from solver.cases import Cases
from solver.narrow import Box, Clash, meet
from solver.terms import Term
from solver.verdict import Unknown
from solver.z3_session import Session
from tests.solver.written import FLAGS, NUMBERS, built, states, worked_out, written_flag, written_number

_TERMS = 8  # for each of 300 seeds: 2,400 terms in a run


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(10_000_000)


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_folding_evaluation_narrowing_and_z3_agree_with_what_is_written(session: Session, seed: int) -> None:
    chooser = random.Random(seed)
    cases = Cases()
    for _ in range(_TERMS):
        tree = written_flag(chooser, chooser.randint(1, 3))
        term = built(tree)
        variables = t.variables_of(term)
        free = {one: True if one.is_flag else one.low for one in (*FLAGS, *NUMBERS) if isinstance(one, Term)}
        expected = [worked_out(tree, free | state) for state in states(variables)]
        assert [t.evaluate(term, state) for state in states(variables)] == expected
        if isinstance(term, bool):
            continue
        for wanted in (True, False):
            asked = term if wanted else t.no(term)
            found = meet([cases.of(asked)], 100_000)
            assert isinstance(found, Box if wanted in expected else Clash)
            assert isinstance(asked, Term)
            assert session.satisfiable([asked]) is (wanted in expected)


@settings(max_examples=200, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_numbers_keep_to_their_bounds(seed: int) -> None:
    chooser = random.Random(seed)
    tree = written_number(chooser, 3)
    term = built(tree)
    low, high = t.bounds(term)
    free = {one: False if one.is_flag else one.high for one in (*FLAGS, *NUMBERS) if isinstance(one, Term)}
    for state in states(t.variables_of(term)):
        value = worked_out(tree, free | state)
        assert low <= value <= high
        assert t.evaluate(term, state) == value
        assert t.substitute(term, state) == value


@pytest.mark.parametrize("divisor_range", [(-3, 3), (-40, 40)], ids=["case by case", "by sign"])
def test_division_rounds_down_in_z3_too(session: Session, divisor_range: tuple[int, int]) -> None:
    one, other = t.number("dividend", -7, 7), t.number(("divisor", divisor_range), *divisor_range)
    assert isinstance(one, Term)
    assert isinstance(other, Term)
    wrong = 0
    for dividend in range(-7, 8):
        for divisor in range(-3, 4):
            quotient, rest = (dividend // divisor, dividend % divisor) if divisor else (0, 0)
            given_values = t.both(t.equal(one, dividend), t.equal(other, divisor))
            right = t.both(t.equal(t.divide(one, other), quotient), t.equal(t.modulo(one, other), rest))
            assert isinstance(given_values, Term)
            terms = [term for term in (given_values, t.no(right)) if isinstance(term, Term)]
            wrong += session.satisfiable(terms) is not False
    assert wrong == 0


def test_one_comparison_has_one_node() -> None:
    x, y = t.number("x", 0, 9), t.number("y", 0, 9)
    assert t.less(x, 4) is t.at_most(x, 3)
    assert t.no(t.at_most(4, x)) is t.at_most(x, 3)
    assert t.at_most(t.plus(x, 2), 5) is t.at_most(x, 3)
    assert t.at_most(t.times(2, x), 7) is t.at_most(x, 3)
    assert t.at_most(x, x) is True
    assert t.less(t.plus(x, 1), x) is False
    assert t.less(x, y) is t.at_most(t.plus(x, 1), y)
    assert t.equal(t.plus(x, y), t.plus(y, x)) is True
    assert t.equal(t.times(2, x), 5) is False
    assert t.equal(t.plus(x, 1), t.plus(y, 1)) is t.equal(y, x)


def test_a_coin_has_two_sides() -> None:
    coin = t.number("coin", 0, 1)
    assert t.both(t.equal(coin, 0), t.equal(coin, 1)) is False
    assert t.either(t.equal(coin, 0), t.equal(coin, 1)) is True


def test_deep_terms() -> None:
    x, n = t.number("x", 0, 9), 5_000
    assert isinstance(x, Term)
    flags = [t.flag(("deep", place)) for place in range(n)]
    choice: t.Number = x
    condition: t.Flag = flags[0]
    for place in range(n):
        choice = t.pick(flags[place], t.plus(choice, place % 3), place % 7)
        condition = t.pick(flags[place], t.no(condition), t.equal(x, place % 10))
    state: dict[Term, bool | int] = {**dict.fromkeys(flags, True), x: 2}
    small = t.at_most(choice, 4)
    assert isinstance(small, Term)
    assert t.evaluate(small, state) is False
    assert t.evaluate(choice, state) == 2 + sum(place % 3 for place in range(n))
    assert t.substitute(small, state) is False
    assert isinstance(t.evaluate(condition, state), bool)
    assert isinstance(condition, Term)
    deep = Session(100_000_000)
    assert deep.satisfiable([small]) is True
    assert not isinstance(deep.satisfiable([condition]), Unknown)


def test_shared_choices_are_compared_once() -> None:
    """Each choice holds the one before it twice: as a tree it would be endless."""
    x: t.Number = t.number("x", 0, 9)
    for place in range(200):
        x = t.pick(t.flag(("outer", place)), t.pick(t.flag(("inner", place)), x, 3), x)
    assert isinstance(t.at_most(x, 4), Term)


def test_terms_of_a_pool_are_in_the_order_in_which_they_are_made_there() -> None:
    """Whatever was made before: two variables that another book has in the other order keep their own."""
    held = [t.number(name, 0, 9) for name in ("late", "early")]
    for _ in range(2):
        with t.Pool():
            one, other = t.number("early", 0, 9), t.number("late", 0, 9)
            assert [v.args[0] for v in t.variables_of(t.less(t.total(((1, other), (1, one))), 5))] == ["early", "late"]
            assert one is t.number("early", 0, 9)
            assert one not in held
    assert t.number("early", 0, 9) is held[1]
