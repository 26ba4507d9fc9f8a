"""Questions are known again by what they ask, and what was kept is believed only as far as it can be seen."""

from __future__ import annotations

from typing import Any

import pytest

from rules.span import Source, Span
from rules.types import KindT, NumberT
from solver.memory import Digests, UnstableError, lasting
from solver.solve import Solver
from solver.terms import Flag, Term, at_most, both, either, equal, flag, less, no, number, plus, times
from solver.verdict import Proved, Query, Refuted


class Kept(dict[str, Any]):
    """A memory that also counts."""

    def recall(self, key: str) -> Any | None:
        return self.get(key)

    def keep(self, key: str, stored: Any) -> None:
        self[key] = stored


def variables(*order: str) -> dict[str, Any]:
    """Made in this order: terms are sorted by when they were made."""
    made: dict[str, Any] = {name: number(("test memory", name), 0, 9) for name in order}
    return made


def test_the_order_of_making_does_not_count() -> None:
    one = variables("a1", "b1", "c1")
    first = both(less(one["a1"], one["b1"]), either(equal(one["c1"], 2), no(equal(one["a1"], 3))))
    sums = plus(one["a1"], one["b1"], times(one["a1"], one["c1"]))
    digests = Digests().of(first), Digests().of(sums)
    del first, sums, one
    again = variables("c1", "b1", "a1")
    first = both(either(no(equal(again["a1"], 3)), equal(again["c1"], 2)), less(again["a1"], again["b1"]))
    sums = plus(times(again["c1"], again["a1"]), again["b1"], again["a1"])
    assert (Digests().of(first), Digests().of(sums)) == digests


def test_what_differs_has_another_digest() -> None:
    a, b = number("digest a", 0, 9), number("digest b", 0, 9)
    wider = number("digest a", 0, 10)
    terms = [less(a, b), less(b, a), at_most(a, 3), at_most(a, 4), equal(a, 3), at_most(wider, 3), flag("digest a")]
    assert len({Digests().of(term) for term in terms}) == len(terms)


def test_names_of_types_last() -> None:
    names = [("bound", KindT("Player")), ("bound", KindT("Ship")), ("bound", NumberT(1, 6)), ("bound", 1)]
    assert len({lasting(name) for name in names}) == len(names)
    assert lasting(("bound", KindT("Player"))) == lasting(("bound", KindT("Player")))
    with pytest.raises(UnstableError):
        lasting(("bound", Span(Source("a.rules", "text"), 0, 1)))  # it moves with every edit above it


def test_a_name_that_does_not_last_is_not_kept() -> None:
    term = flag(("unstable", object()))
    with pytest.raises(UnstableError):
        Digests().of(term)
    kept = Kept()
    assert isinstance(Solver(memory=kept).ask(Query(False, (("it", term),))), Refuted)
    assert not kept


def questions() -> list[Query]:
    a, b, c = (number(("asked again", name), 0, 9) for name in "abc")
    some: list[tuple[Flag, ...]] = [
        (less(a, b), less(b, c), less(c, a)),
        (less(a, b), less(b, c), at_most(c, 5)),
        (equal(plus(a, b, c), 27), less(a, 9)),
    ]
    return [Query(False, tuple((f"condition {i}", term) for i, term in enumerate(terms))) for terms in some]


def test_the_same_questions_get_the_same_answers() -> None:
    kept = Kept()
    first, second = Solver(memory=kept), Solver(memory=kept)
    asked = [first.ask(query) for query in questions()]
    assert [type(verdict) for verdict in asked] == [Proved, Refuted, Proved]
    assert [second.ask(query) for query in questions()] == asked
    assert (first.statistics.recalled, second.statistics.recalled) == (0, 3)
    assert second.statistics.bounded == second.statistics.solved == 0
    assert [Solver().ask(query) for query in questions()] == asked
    terms = [term for _, term in questions()[1].given]
    assert first.possible(*terms) is second.possible(*terms) is True
    assert second.statistics.recalled == 4


def test_a_smaller_budget_is_another_question() -> None:
    kept = Kept()
    Solver(memory=kept).ask(questions()[0])
    other = Solver(budget=1_000, memory=kept)
    other.ask(questions()[0])
    assert other.statistics.recalled == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["refuted", []],
        ["refuted", [["00", 3]]],
        ["refuted", [[1]]],
        ["refuted", "everything"],
        ["proved", ["00"]],
        ["proved", [["00"]]],
        ["what"],
        "proved",
        {"proved": []},
        17,
    ],
)
def test_what_does_not_fit_is_asked_again(wrong: object) -> None:
    kept = Kept()
    query = questions()[1]
    right = Solver(memory=kept).ask(query)
    for key in kept:
        kept[key] = wrong
    solver = Solver(memory=kept)
    assert solver.ask(query) == right
    assert solver.statistics.recalled == 0


def test_values_that_do_not_refute_are_not_believed() -> None:
    kept = Kept()
    query = questions()[1]
    right = Solver(memory=kept).ask(query)
    for key, (_, values) in list(kept.items()):
        kept[key] = ["refuted", [[variable, 9] for variable, _ in values]]
    assert Solver(memory=kept).ask(query) == right


def test_terms_are_terms() -> None:
    assert all(isinstance(term, Term) for query in questions() for _, term in query.given)
