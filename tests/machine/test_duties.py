"""`must`: it asks for one of the legal ways, and only where no `may` speaks of the action does it allow it."""

from __future__ import annotations

from rules.machine import Choice, Open
from tests.machine.making import machine

BOOK = """\
game "Duties" played by Player

kind Player 1
    coins 0..9 starts 3

kind Port named athens, rhodes, crete

let p be Player
let q be Port

precedence
    explicit
    assume cannot over may
    otherwise undecided

play
    each p
        p takes up to 2 actions

action sail by p to q
    nothing

action work by p
    coins of p increases by 1

rule working
    p may work

"""


def offered(rules: str) -> list[str]:
    made = machine(BOOK + rules)
    node = made.run(made.start())
    assert isinstance(node, Choice), node
    return [move.text.replace(" by Player 1", "") for move in node.moves]


def disagreeing(rules: str) -> list[list[str]]:
    made = machine(BOOK + rules)
    node = made.run(made.start())
    assert isinstance(node, Open), node
    assert node.kind == "undetermined"
    return [[norm.name for norm in side] for side in node.sides]


DUTY = "rule duty\n    p must sail\n\n"
TO_CRETE = "rule to_crete\n    p may sail to crete\n\n"
NOT_TO_CRETE = "rule not_to_crete\n    p cannot sail to crete\n\n"
NOT_AT_ALL = "rule not_at_all\n    p cannot sail\n\n"


def test_without_a_may_the_duty_itself_allows_and_nothing_else_can_be_chosen() -> None:
    assert offered(DUTY) == ["sail to athens", "sail to rhodes", "sail to crete"]


def test_a_may_is_not_widened_by_the_duty() -> None:
    assert offered(DUTY + TO_CRETE) == ["sail to crete"]


def test_a_may_without_a_duty_leaves_the_rest_open() -> None:
    assert offered(TO_CRETE) == ["sail to crete", "work", "stop"]


def test_a_duty_keeps_the_ways_that_are_not_forbidden() -> None:
    assert offered(DUTY + NOT_TO_CRETE) == ["sail to athens", "sail to rhodes"]
    assert offered(DUTY + TO_CRETE.replace("to crete", "to q") + NOT_TO_CRETE) == ["sail to athens", "sail to rhodes"]


def test_a_duty_whose_every_way_is_forbidden_is_a_contradiction() -> None:
    assert disagreeing(DUTY + TO_CRETE + NOT_TO_CRETE) == [["duty"], ["not_to_crete"]]
    assert disagreeing(DUTY + NOT_AT_ALL) == [["duty"], ["not_at_all"]]


def test_a_duty_that_goes_before_the_prohibition_is_done() -> None:
    pressing = DUTY.replace("rule duty", "rule duty overrides not_at_all")
    assert offered(pressing + TO_CRETE + NOT_AT_ALL) == ["sail to crete"]


def test_a_duty_that_comes_after_the_prohibition_rests() -> None:
    forbidding = NOT_AT_ALL.replace("rule not_at_all", "rule not_at_all overrides duty")
    assert offered(DUTY + TO_CRETE + forbidding) == ["work", "stop"]
