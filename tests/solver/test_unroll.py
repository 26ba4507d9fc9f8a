"""What small systems of counters can reach, known beforehand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.diagnostics import InternalError
from solver import terms as t
from solver.terms import Flag, Term
from solver.unroll import Unroller
from solver.verdict import Proved, Reached, Unknown, Ways


def variable(name: str, low: int, high: int) -> Term:
    made = t.number(name, low, high)
    assert isinstance(made, Term)
    return made


X, X1 = variable("x", 0, 50), variable("x'", 0, 50)
LAMP, LAMP1 = t.flag("lamp"), t.flag("lamp'")
COINS = variable("coins", 1, 3)
FIRST = t.both(t.equal(X, 0), t.no(LAMP))


def counter() -> Unroller:
    """Adds one to three up to forty; the lamp changes in each step."""
    step = t.both(t.equal(X1, t.plus(X, COINS)), t.at_most(X1, 40), t.same(LAMP1, t.no(LAMP)))
    return Unroller(step, {X: X1, LAMP: LAMP1})


def swapped() -> Unroller:
    """Two numbers that change places."""
    a, b = variable("a", 0, 9), variable("b", 0, 9)
    twins = {a: variable("a'", 0, 9), b: variable("b'", 0, 9)}
    return Unroller(t.both(t.equal(twins[a], b), t.equal(twins[b], a)), twins)


def test_the_shortest_way_is_found() -> None:
    found = counter().bmc(FIRST, t.both(t.equal(X, 10), t.no(LAMP)), 10)
    assert isinstance(found, Reached)
    assert len(found.trace) == 5
    assert found.trace[0] == {X: 0, LAMP: False, COINS: found.trace[1][X]}
    assert found.trace[-1] == {X: 10, LAMP: False}
    for before, after in zip(found.trace, found.trace[1:], strict=False):
        assert after[X] == before[X] + before[COINS]
        assert after[LAMP] is not before[LAMP]


def test_a_start_can_be_the_end() -> None:
    assert counter().bmc(FIRST, t.at_most(X, 3), 0) == Reached(({X: 0, LAMP: False},))


def test_where_all_ways_end_nothing_else_is_reached() -> None:
    assert counter().bmc(FIRST, t.equal(X, 41), 40) == Proved(())
    assert isinstance(counter().bmc(FIRST, t.equal(X, 41), 20), Unknown)
    assert counter().bmc(t.both(FIRST, LAMP), t.equal(X, 0), 3) == Proved(())


@pytest.mark.parametrize(
    ("claim", "k"),
    [
        pytest.param(t.at_most(X, 40), 1, id="inductive"),
        pytest.param(t.no(t.equal(X, 45)), 1, id="no step leads there"),
        pytest.param(True, 1, id="always"),
    ],
)
def test_induction(claim: Flag, k: int) -> None:
    assert counter().k_induction(FIRST, claim, k) == Proved(())


def test_a_claim_that_needs_two_steps() -> None:
    a, b = variable("a", 0, 9), variable("b", 0, 9)
    first, claim = t.both(t.equal(a, 1), t.equal(b, 2)), t.no(t.equal(a, 5))
    assert isinstance(swapped().k_induction(first, claim, 1), Unknown)
    assert swapped().k_induction(first, claim, 2) == Proved(())
    assert swapped().spacer(first, claim) == Proved(())


def test_induction_finds_the_way_that_breaks_a_claim() -> None:
    found = counter().k_induction(FIRST, t.at_most(X, 5), 9)
    assert isinstance(found, Reached)
    assert [state[X] for state in found.trace] == [0, 3, 6]


def test_spacer() -> None:
    system = counter()
    assert system.spacer(FIRST, t.at_most(X, 40)) == Proved(())
    found = system.spacer(FIRST, t.at_most(X, 20))
    assert isinstance(found, Reached)
    assert len(found.trace) == 8
    assert system.spacer(FIRST, t.at_most(X, 40)) == Proved(())


def test_parity_needs_an_invariant() -> None:
    """In twos: no length of induction on the claim alone would do, were the range endless."""
    step = t.both(t.equal(X1, t.plus(X, 2)), t.at_most(X1, 50))
    system = Unroller(step, {X: X1})
    odd = t.no(t.equal(X, 49))
    assert isinstance(system.k_induction(t.equal(X, 0), odd, 5), Unknown)
    assert system.spacer(t.equal(X, 0), odd) == Proved(())


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(lambda one: one.bmc(FIRST, t.equal(X, 40), 20), id="bmc"),
        pytest.param(lambda one: one.k_induction(FIRST, t.less(X, 40), 20), id="induction"),
        pytest.param(lambda one: one.spacer(FIRST, t.less(X, 40), 20), id="spacer"),
    ],
)
def test_a_budget_that_is_used_up_is_said(asked: Callable[[Unroller], Ways]) -> None:
    step = t.both(t.equal(X1, t.plus(X, COINS)), t.at_most(X1, 40), t.same(LAMP1, t.no(LAMP)))
    assert asked(Unroller(step, {X: X1, LAMP: LAMP1}, budget=20)) == Unknown(
        "the solver's budget of 20 steps was used up"
    )


def test_the_same_way_each_time() -> None:
    def ways() -> list[Ways]:
        system = counter()
        return [system.bmc(FIRST, t.equal(X, 17), 20), system.spacer(FIRST, t.less(X, 30))]

    assert ways() == ways()


def test_what_is_asked_is_about_the_state() -> None:
    with pytest.raises(InternalError):
        counter().bmc(FIRST, t.equal(COINS, 2), 3)
    with pytest.raises(InternalError):
        Unroller(True, {X: variable("narrow", 0, 3)})
