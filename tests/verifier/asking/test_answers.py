"""Questions and their answers: words, fewest conditions, rules, meta-rules, states that the interpreter confirms."""

from __future__ import annotations

from functools import cache

import pytest

import ludex
from grammar.questions import parse_question
from ludex.asking import QuestionError, ask, questions_of
from rules import model as m
from rules.check import check_rules
from tests.machine.making import checked
from tests.verifier.checks.village import village
from verifier.asking import Answer, answer, answer_for, expected_text, unexpected
from verifier.court import Court

PRECEDENCE = ("explicit", "authority card > book cites book 7", "assume cannot over may", "otherwise undecided")


@cache
def harbour() -> ludex.Book:
    return ludex.load("harbour")


def of(text: str, *rules: str, precedence: tuple[str, ...] = PRECEDENCE) -> Answer:
    """The answer of a small book, without a look at play."""
    _, question = parse_question(text)
    assert isinstance(question, m.Question), question
    book = checked(village(precedence, *rules)).book
    found = check_rules(m.Rulebook((*book.declarations, question)))
    assert found.rulebook is not None, found.diagnostics
    return answer_for(Court(found.rulebook), question).plain()


def cases(found: Answer) -> list[tuple[str, tuple[str, ...], list[str], list[str]]]:
    return [
        (
            case.answer,
            case.when,
            [place.name for place in case.because],
            [f"{lost.place.name} < {lost.winner}: {lost.by}" for lost in case.against],
        )
        for case in found.cases
    ]


# ---- actions --------------------------------------------------------------------------------------------------------


def test_always_because_and_against() -> None:
    found = harbour().ask("May a player leave Rhodes in a storm?")
    assert found.word == "always"
    assert cases(found) == [("yes", (), ["lighthouse"], ["storm_keeps_in < lighthouse: authority card > book"])]
    (case,) = found.cases
    assert case.always == {"lighthouse"}
    assert case.against[0].cites == ("book 33",)
    assert not case.against[0].assumed
    assert case.example.shown == "witnessed"
    assert case.example.play is not None
    assert "ship of Player 1 is rhodes" in case.example.facts
    assert found.left_out == ("whether it can be paid and keeps the limits",)


def test_never_by_a_rule_and_by_the_want_of_one() -> None:
    rules = "rule digging\n    p may dig when coins of p > 4", "rule storms\n    p cannot dig when weather is storm"
    found = of("p may dig when weather is storm", *rules)
    assert (found.word, cases(found)) == (
        "never",
        [("no", (), ["storms"], ["digging < storms: cannot over may"])],
    )
    assert found.cases[0].against[0].assumed
    found = of("p may dig when coins of p is 3 and weather is calm", *rules)
    assert (found.word, cases(found), found.cases[0].reason) == ("never", [("no", (), [], [])], "no rule allows it")


def test_what_it_depends_on_is_told_by_the_fewest_conditions() -> None:
    found = of(
        "p may dig",
        "rule digging cites book 1\n    p may dig when coins of p > 4 and (tired of p or weather is calm)",
        "rule storms cites book 2\n    p cannot dig when weather is storm",
        "rule brave cites card 1\n    p may dig when weather is storm and coins of p > 7",
    )
    assert found.word == "depends"
    assert cases(found) == [
        ("yes", ("coins of p > 4", "weather is calm"), ["digging"], []),
        ("yes", ("coins of p > 7",), ["digging", "brave"], ["storms < brave: authority card > book"]),
        ("no", ("coins of p <= 4",), [], []),
        ("no", ("weather is not calm", "coins of p <= 7"), ["storms"], ["digging < storms: cannot over may"]),
    ]
    assert all(case.example.shown == "possible" for case in found.cases)


def test_conditions_are_told_in_the_words_of_the_question() -> None:
    rules = "rule digging\n    p may dig when coins of p > 4", "let miner be Player"
    found = of("miner may dig", *rules)
    assert [case.when for case in found.cases] == [("coins of miner > 4",), ("coins of miner <= 4",)]


def test_undetermined_between_these() -> None:
    rules = "rule digging\n    p may dig", "rule storms\n    p cannot dig when weather is storm"
    precedence = ("explicit", "otherwise undecided")
    found = of("p may dig when weather is storm", *rules, precedence=precedence)
    assert (found.word, cases(found)) == ("undetermined", [("undetermined", (), ["digging", "storms"], [])])
    found = of("p may dig", *rules, precedence=precedence)
    assert found.word == "undetermined"
    assert [(case.answer, case.when) for case in found.cases] == [
        ("yes", ("weather is not storm",)),
        ("undetermined", ("weather is storm",)),
    ]


DUTY = "rule poor\n    p must dig{} when coins of p is 0"
STORM = ("rule digging\n    p may dig", "rule storms\n    p cannot dig when weather is storm")


@pytest.mark.parametrize("modal", ["must", "may", "cannot"])
def test_an_assumption_does_not_settle_a_duty_against_a_prohibition(modal: str) -> None:
    found = of(f"p {modal} dig when coins of p is 0 and weather is storm", DUTY.format(""), *STORM)
    assert (found.word, cases(found)) == ("undetermined", [("undetermined", (), ["poor", "storms"], [])])
    assert found.cases[0].example.shown == "possible"


def test_a_duty_that_can_be_met_in_another_way_or_rests_is_settled() -> None:
    resting = of("p must dig when coins of p is 0 and weather is storm", DUTY.format(" if possible"), *STORM)
    assert (resting.word, resting.because) == ("never", ("storms",))
    duty = "rule poor\n    p must dig or sleep when coins of p is 0"
    other = of("p must dig when coins of p is 0 and weather is storm", duty, *STORM, "rule tired\n    p may sleep")
    assert (other.word, other.because) == ("never", ("storms",))


def test_a_circle_names_the_rules_in_it() -> None:
    circle = [f"rule r{n} overrides r{(n + 1) % 3}\n    depth of p is {n + 1} when tired of p" for n in range(3)]
    found = of("what is depth of p when tired of p", *circle)
    assert found.word == "undetermined"
    assert {"r0", "r1", "r2"} <= set(found.because)


def test_cannot_and_must() -> None:
    rules = (
        "rule digging\n    p may dig",
        "rule storms\n    p cannot dig when weather is storm",
        "rule poor\n    p must dig when coins of p is 0",
    )
    found = of("p cannot dig", *rules)
    assert [(case.answer, case.when) for case in found.cases if case.answer == "yes"] == [
        ("yes", ("coins of p is not 0", "weather is storm"))
    ]
    found = of("p must dig when weather is calm", *rules)
    assert [(case.answer, case.when, case.reason) for case in found.cases] == [
        ("yes", ("coins of p is 0",), ""),
        ("no", ("coins of p is not 0",), "no rule demands it"),
    ]


def test_what_costs_and_limits_forbid_is_not_asked() -> None:
    found = harbour().ask(
        "p may sail to q when ship of p is rhodes and weather is calm and q is crete and coins of p is 0"
    )
    assert found.word == "always"


# ---- values ---------------------------------------------------------------------------------------------------------


def test_values() -> None:
    rules = (
        "rule deep\n    depth of p is 3 when weather is storm",
        "rule deeper overrides deep\n    depth of p is 5 when tired of p",
    )
    found = of("what is depth of p when tired of p", *rules)
    assert (found.word, found.value) == ("always", "5")
    found = of("what is depth of p", *rules)
    assert found.word == "depends"
    assert sorted((case.answer, case.when) for case in found.cases) == [
        ("0", ("weather is not storm", "not tired of p")),
        ("3", ("weather is storm", "not tired of p")),
        ("5", ("tired of p",)),
    ]
    five = next(case for case in found.cases if case.answer == "5")
    assert {(lost.place.name, lost.winner, lost.by) for lost in five.against} == {
        ("depth", "deeper", "usually"),
        ("deep", "deeper", "explicit"),
    }


def test_a_value_that_two_rules_say_differently() -> None:
    found = harbour().ask("what is toll of p")
    assert [(case.answer, case.when, case.example.shown) for case in found.cases] == [
        ("1", ("ship of p is not crete",), "witnessed"),
        ("undetermined", ("ship of p is crete",), "witnessed"),
    ]


# ---- events ---------------------------------------------------------------------------------------------------------


def test_what_happens_instead_before_and_after() -> None:
    rules = (
        "rule lucky\n    instead of dig by p if coins of p is 7\n        coins of p becomes 8",
        "rule careful\n    when about to dig by p if tired of p\n        tired of p becomes no",
        "rule wet\n    when dig by p if weather is storm\n        tired of p becomes yes",
        "rule digging\n    p may dig",
    )
    found = of("what happens when dig by p if coins of p is 7", *rules)
    assert (found.word, cases(found)) == ("always", [("instead: lucky", (), ["lucky"], [])])
    found = of("what happens when dig by p if coins of p is 3 and weather is storm", *rules)
    assert found.word == "depends"
    assert {(case.answer, case.when) for case in found.cases} == {
        ("before it: careful; after it: wet", ("tired of p",)),
        ("after it: wet", ("not tired of p",)),
    }
    assert of("what happens when sleep by p", *rules).word == "never"


def test_events_that_are_replaced_in_two_ways() -> None:
    rules = (
        "rule one\n    instead of coins of p increases by n if tired of p\n        tired of p becomes no",
        "rule two\n    ignore coins of p increases if weather is storm",
    )
    found = of("what happens when coins of p increases by n if tired of p and weather is storm", *rules)
    assert (found.word, cases(found)[0][2]) == ("undetermined", ["one", "two"])
    found = of(
        "what happens when coins of p increases by n if tired of p and weather is storm",
        rules[0],
        rules[1].replace("rule two", "rule two overrides one"),
    )
    assert cases(found) == [("it does not happen: two", (), ["two"], ["one < two: explicit"])]


# ---- what can be asked ----------------------------------------------------------------------------------------------


def test_what_can_never_be_asked_is_vacuous() -> None:
    found = of("p may dig when coins of p > 4 and coins of p < 3", "rule digging\n    p may dig")
    assert (found.word, found.cases) == ("vacuous", ())
    assert found.reason


def test_more_players_are_tried_where_fewer_cannot_be_asked_about() -> None:
    found = ludex.load("crazy_eights").ask("How many cards do three players get?")
    assert (found.word, found.value, found.players) == ("always", "5", 3)


def test_a_case_that_no_play_comes_to_is_dropped_where_every_state_was_seen() -> None:
    """Nobody is ever tired before the first night is over, and coins only grow: the solver alone does not know."""
    book = village(
        PRECEDENCE, "rule digging\n    p may dig when coins of p > 1", "rule done\n    p wins when coins of p > 3"
    )
    rulebook = checked(f'{book}\nquestion "q"\n    p may dig\n')
    question = next(d for d in rulebook.book.declarations if isinstance(d, m.Question))
    assert answer_for(Court(rulebook), question).plain().word == "depends"
    found = answer(rulebook, question)
    assert (found.word, found.cases[0].when) == ("always", ())


# ---- every question of every book -----------------------------------------------------------------------------------


BOOKS = ["connect_four", "crazy_eights", "harbour", "kuhn_poker", "nim", "pig", "tic_tac_toe", "ur", "tests/thirty"]
SLOW = {"May a player pass who could lay a card?", "May a player who threw nought move?"}  # tens of seconds


@pytest.mark.parametrize("name", BOOKS)
def test_questions_of_books_are_answered_as_they_expect(name: str) -> None:
    book = ludex.load(name)
    assert book.checked is not None
    asked = [question for question in questions_of(book) if question.text not in SLOW]
    assert asked
    for question in asked:
        found = answer_for(Court(book.checked), question).plain()
        assert unexpected(question, found, expected_text(book.checked, question, found)) is None, question.text
        assert found.word not in ("unknown", "vacuous")
        # What has happened in a betting round is not modelled: that state is confirmed only by a play.
        assert all(case.example.shown == "possible" or name == "kuhn_poker" for case in found.cases)


def test_what_cannot_be_made_a_state_is_confirmed_by_play() -> None:
    found = ludex.load("kuhn_poker").ask("May a player who faces a bet call?")
    assert [case.example.shown for case in found.cases] == ["witnessed"]


# ---- what is expected -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expect", "otherwise"),
    [
        ("always because lighthouse against storm_keeps_in", None),
        ("always", None),
        ("never", "`always`, not `never`"),
        ("always because neighbours", "`always`, but not because of `neighbours`: `lighthouse` decides"),
        ("always against neighbours", "`always`, but not against `neighbours`"),
    ],
)
def test_what_is_expected_is_compared(expect: str, otherwise: str | None) -> None:
    text = "p may sail to q when ship of p is rhodes and weather is storm and q is next to rhodes"
    assert ask(harbour(), f"{text}\nexpect {expect}").unexpected == otherwise


def test_a_text_that_is_no_question_is_told_with_its_place() -> None:
    with pytest.raises(QuestionError) as wrong:
        harbour().ask("p may sail\nexpect alway")
    assert [str(diagnostic.span) for diagnostic in wrong.value.diagnostics] == ["question:2:1", "question:2:8"]
    with pytest.raises(QuestionError) as wrong:
        harbour().ask("p may sail to atlantis")
    assert str(wrong.value.diagnostics[0].span) == "question:1:15"
    with pytest.raises(ValueError, match="may"):
        harbour().ask("p may may")


def test_an_expectation_may_stand_indented_below_its_question() -> None:
    asked = ask(harbour(), "what is toll of p\n    expect undetermined because toll")
    assert asked.unexpected is None
    asked = ask(harbour(), "what is toll of p\n  expect depends")
    assert asked.unexpected == "`undetermined`, not `depends`"
    with pytest.raises(QuestionError) as wrong:
        ask(harbour(), "p may sail to q\n   expect sometimes")
    assert {(d.span.line, d.span.column) for d in wrong.value.diagnostics} == {(2, 4), (2, 11)}


def test_the_sides_of_what_is_undetermined() -> None:
    _, question = parse_question("p may dig\nexpect undetermined because digging against storms")
    other = parse_question("p may dig\nexpect undetermined because digging against resting")[1]
    assert isinstance(question, m.Question)
    assert isinstance(other, m.Question)
    found = of("p may dig", *STORM, precedence=("explicit", "otherwise undecided"))
    assert unexpected(question, found) is None
    assert unexpected(other, found) == "`undetermined`, but not between `resting`: between `digging`, `storms`"
