"""Rulings are in force without being asked for, and go before what a policy chooses."""

from __future__ import annotations

import pytest

from rules.machine import Choice, Open, Over, in_force
from tests.machine.making import checked, failure, machine

BOOK = """\
game "Errata" played by Player

kind Player 1
    coins 0..9 starts 3

let p be Player

play
    each p
        p takes 1 action

action sail by p
    coins of p decreases by 1

action work by p
    coins of p increases by 1

rule lamp
    p may sail

rule storm
    p cannot sail

rule wages
    reading plenty
        p may work when coins of p >= 3
    reading little
        p may work when coins of p < 3

"""
LAMP = "    lamp over storm\n"
STORM = "    storm over lamp\n"
PLENTY = "    wages reads plenty\n"
LITTLE = "    wages reads little\n"


def offered(lines: str, *policies: str) -> list[str]:
    made = machine(BOOK + lines, policies=policies)
    node = made.run(made.start())
    if isinstance(node, Open):
        return [node.kind]
    if isinstance(node, Over):  # nothing was legal
        return []
    assert isinstance(node, Choice), node
    return [move.text.replace(" by Player 1", "") for move in node.moves]


def test_the_book_alone_leaves_it_open() -> None:
    assert offered("") == ["undetermined"]


def test_the_lines_of_a_ruling_are_in_force_and_those_of_a_policy_are_not() -> None:
    lines = LAMP + PLENTY
    assert offered(f"ruling errata\n{lines}") == ["sail", "work"]
    assert offered(f"policy house\n{lines}") == ["undetermined"]
    assert offered(f"policy house\n{lines}", "house") == ["sail", "work"]


def test_a_rule_in_a_ruling_is_in_force() -> None:
    settled = "ruling errata\n" + STORM + LITTLE
    assert offered(settled) == []
    assert offered(settled + "    rule sundays\n        p may work\n") == ["work"]


def test_all_rulings_are_in_force() -> None:
    assert offered(f"ruling one\n{LAMP}ruling two\n{LITTLE}") == ["sail"]


def test_what_a_ruling_settles_a_policy_cannot_choose_otherwise() -> None:
    book = f"policy house\n{STORM}{PLENTY}ruling errata\n{LAMP}{LITTLE}"
    assert offered(book) == ["sail"]
    assert offered(book, "house") == ["sail"]


def test_of_two_policies_the_one_asked_for_last_counts() -> None:
    book = f"policy kind_one\n{LAMP}{LITTLE}policy hard_one\n{STORM}{PLENTY}"
    assert offered(book, "kind_one", "hard_one") == ["work"]
    assert offered(book, "hard_one", "kind_one") == ["sail"]


def test_a_scenario_need_not_ask_for_a_ruling() -> None:
    scenario = 'scenario "s"\n    during game\n    then p may sail because lamp\n'
    assert failure(BOOK + f"ruling errata\n{LAMP}{PLENTY}" + scenario) is None
    assert failure(BOOK + f"policy house\n{LAMP}{PLENTY}" + scenario) is not None


def test_a_scenario_asks_for_the_default_policies_and_what_it_names_after_them_counts() -> None:
    policies = f"policy house by default\n{LAMP}policy inn by default\n{PLENTY}policy strict\n{STORM}"
    scenario = 'scenario "s"\n    policy default\n    during game\n    then p may sail because lamp\n'
    assert failure(BOOK + policies + scenario) is None
    assert failure(BOOK + policies + scenario.replace("    policy default\n", "")) is not None
    hard = scenario.replace("default\n", "default\n    policy strict\n").replace("may sail because lamp", "cannot sail")
    assert failure(BOOK + policies + hard) is None
    assert failure(BOOK + policies + hard.replace("strict", "house")) is not None


def test_policies_of_a_game_are_listed_with_the_one_that_counts_last_at_the_end() -> None:
    book = checked(BOOK + f"policy house by default\n{LAMP}policy inn\n{PLENTY}policy shed by default\n{LITTLE}").book
    assert in_force(book) == ("house", "shed")
    assert in_force(book, ("inn",)) == ("house", "shed", "inn")
    assert in_force(book, ("house", "inn", "house")) == ("shed", "inn", "house")
    assert in_force(book, ("inn",), defaults=False) == ("inn",)


def test_a_ruling_is_not_asked_for_like_a_policy() -> None:
    book = f"ruling errata\n{LAMP}policy house\n{PLENTY}"
    with pytest.raises(ValueError, match="`errata` is a ruling, not a policy: it is always in force"):
        offered(book, "house", "errata")
    with pytest.raises(ValueError, match=r"no policy `x`; it has house$"):
        offered(book, "x")


def test_a_policy_lets_a_duty_rest() -> None:
    duty = "rule duty\n    p must sail when coins of p is 3\n"
    broke = BOOK.replace("coins of p decreases by 1", "pay 5 from coins of p").replace(
        "    p cannot sail", "    p may work"
    )
    house = f"policy house\n{PLENTY}    duty if possible\n"
    made = machine(broke + duty + f"policy other\n{PLENTY}" + house, policies=("other",))
    node = made.run(made.start())
    assert isinstance(node, Open)
    assert node.kind == "unmet"
    assert offered(duty + house, "house") == ["undetermined"]  # storm forbids what lamp allows
    made = machine(broke + duty + house, policies=("house",))
    assert isinstance(made.run(made.start()), Choice)
