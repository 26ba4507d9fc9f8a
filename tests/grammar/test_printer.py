"""How each construct is written: brackets only where they are needed, one line where one line will do."""

from __future__ import annotations

import pytest

from grammar.printer import (
    print_declaration,
    print_event,
    print_expression,
    print_norm,
    print_phrase,
    print_simple,
    print_type,
)
from rules import model as m
from tests.grammar.reading import condition, read


def lines(text: str) -> list[str]:
    return [
        "    " * line.depth + line.text
        for declaration in read(text).declarations
        for line in print_declaration(declaration)
    ]


@pytest.mark.parametrize(
    "text",
    [
        # each of these brackets is needed
        "(a or b) and c",
        "a and (b and c)",
        "a or (b or c)",
        "not (a and b)",
        "not (a is b) is c",
        "a - (b - c)",
        "(a + b) * c",
        "a * (b * c)",
        "a * (b / c rounded up)",
        "-(a + b) < 3",
        "(a > b) is yes",
        "(p wins) is yes",
        "coins of (a + b) > 0",
        "coins of (-3) > 0",
        "size of {some q where a, b} > 0",
        "(some q where a) and b",
        "a and (some q where b) and c",
        "not (some q where a) and b",
        "(a or some q where b) and c",
        "(every q where a satisfies b) or c",
        "x is (some q where a)",
        "happened (damage p by (a + 1)) this turn",
        "happened (coins of p increases by (-2)) this turn",
        # none is needed here
        "(a and b and c) or (d and not e)",
        "a and some q where b and c",
        "a or (b and not every q where c satisfies some r where d)",
        "(every q is passed and no q is not passed) or some q is a + 1",
        "a + b - c * -d / 2 rounded down < -3",
        "a - -3 > --b",
        "a is not next to b and c is in {a, b or c, d} and e is not in {}",
        "knows of (p, some q where a, b or c)",
        "strength of owner of i is total of (coins of p for p where some q where a)",
        "during turn of owner of i and not during dawn",
        "number of (q where a or b) > number of (q) + highest of (a or b for p)",
        "times (coins of p becomes 3) this turn > 1 and nobody wins",
    ],
)
def test_canonical_expressions_stay_as_they_are(text: str) -> None:
    assert print_expression(condition(text)) == text


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("((a)) and (b or (c))", "a and (b or c)"),
        ("a and (some q where b)", "a and some q where b"),
        ("(a and b) and c", "a and b and c"),
        ("not (not a)", "not not a"),
        ("not (a is b)", "not a is b"),
        ("some q where q is r", "some q is r"),
        ("every q satisfies q is not r", "every q is not r"),
        ("no q where r is q", "no q where r is q"),
        ("every q where a satisfies q is r", "every q where a satisfies q is r"),
        ("some q where (q is r)", "some q is r"),
        ("x is -(3)", "x is -3"),
        ("x is - 3", "x is -3"),
        ("x is --3", "x is 3"),
        ("coins of (p) > 007", "coins of p > 7"),
    ],
)
def test_expressions_get_their_canonical_form(written: str, printed: str) -> None:
    assert print_expression(condition(written)) == printed


def test_parts_print_on_one_line() -> None:
    rule, play = read(
        "rule r\n"
        "    usually p may sail to q or pass once per turn for each p when a unless b even if c\n"
        "    when coins of p decreases by (n + 1) if a\n"
        "        nothing\n"
        "    ignore rule s\n"
        "play\n"
        "    p takes 1 action\n"
        "    p takes up to n actions\n"
    ).declarations
    assert isinstance(rule, m.Rule)
    assert isinstance(play, m.Play)
    modal, event, ignored = rule.norms
    assert print_norm(modal) == "usually p may sail to q or pass once per turn for each p when a unless b even if c"
    assert print_norm(event) == "when coins of p decreases by (n + 1) if a"
    assert print_norm(ignored) == "ignore rule s"
    assert isinstance(modal.body, m.ModalNorm)
    assert isinstance(event.body, m.EventNorm)
    assert print_phrase(modal.body.phrases[0]) == "sail to q"
    assert print_event(event.body.event) == "coins of p decreases by (n + 1)"
    bodies = [statement.body for statement in play.body if isinstance(statement, m.Simple)]
    assert [print_simple(body) for body in bodies] == ["p takes 1 action", "p takes up to n actions"]


def test_a_duty_that_rests_is_told_from_one_that_does_not() -> None:
    lines_of_rule = ("p must sail to q or pass if possible once per turn when a", "p must sail to q or pass when a")
    (rule,) = read("rule r\n" + "".join(f"    {line}\n" for line in lines_of_rule)).declarations
    assert isinstance(rule, m.Rule)
    bodies = [norm.body for norm in rule.norms if isinstance(norm.body, m.ModalNorm)]
    assert [(body.if_possible, len(body.phrases)) for body in bodies] == [(True, 2), (False, 2)]
    assert tuple(print_norm(norm) for norm in rule.norms) == lines_of_rule


@pytest.mark.parametrize(
    "text", ["-3..9", "yes/no", "Port", "Port or none", "set of set of Port or none", "bag of d6 up to 3", "order of P"]
)
def test_types(text: str) -> None:
    (let,) = read(f"let x be {text}\n").declarations
    assert isinstance(let, m.Let)
    assert print_type(let.type) == text


def test_clauses_have_one_order_and_a_document_is_named_once() -> None:
    assert lines(
        "rule r supplied source box among a overrides b, c restates d cites book 1, book 2 cites card 3..4, 5 (2), "
        'book "A \\"title\\"", card 6..6, card 7 (1)\n    p wins\n'
    ) == [
        'rule r cites book 1, 2, card 3..4, 5 (2), book "A \\"title\\"", card 6, 7 '
        "restates d overrides b, c among a source box supplied",
        "    p wins",
    ]


def test_a_citation_without_its_document_keeps_the_fault() -> None:
    assert lines("note n cites 3, 4, book 5\n".replace("n c", 'n "x" c')) == ['note n "x" cites 3, 4, book 5']
    assert lines('note n "x" cites book 1 cites 3, 4\n') == ['note n "x" cites book 1 cites 3, 4']


def test_a_value_with_one_plain_case_stands_on_one_line() -> None:
    assert lines("value rich of p: yes/no cites book 1\n    is coins of p > 3\n") == [
        "value rich of p: yes/no is coins of p > 3 cites book 1"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "value v: yes/no, first\n    is a",
        "value v: yes/no\n    usually is a",
        "value v: yes/no\n    plus a",
        "value v: yes/no\n    is a when b",
        "value v: yes/no\n    is a even if b",
        "value v: yes/no\n    is a cites book 1",
        "value v: yes/no\n    is a\n    is b",
        "value v: yes/no",
    ],
)
def test_a_value_that_says_more_keeps_its_lines(text: str) -> None:
    assert lines(text + "\n") == text.split("\n")


def test_rows_with_one_simple_statement_stand_on_one_line() -> None:
    assert lines(
        "table t by d6\n"
        "    1:\n"
        "        p wins\n"
        "    2: cites book 1\n"
        "        p loses\n"
        "    3:\n"
        "        p loses cites book 2\n"
        "    4:\n"
        "        end dawn then\n"
        "            p wins\n"
        "    5..5, 6+: gives 3\n"
    ) == [
        "table t by d6",
        "    1: p wins",
        "    2: p loses cites book 1",
        "    3:",
        "        p loses cites book 2",
        "    4:",
        "        end dawn then",
        "            p wins",
        "    5, 6+: gives 3",
    ]


def test_an_if_alone_under_otherwise_joins_the_chain() -> None:
    assert lines(
        "play\n"
        "    if a\n"
        "        nothing\n"
        "    otherwise\n"
        "        if b\n"
        "            nothing\n"
        "        otherwise\n"
        "            if c\n"
        "                nothing\n"
        "            p wins\n"
    ) == [
        "play",
        "    if a",
        "        nothing",
        "    otherwise if b",
        "        nothing",
        "    otherwise",
        "        if c",
        "            nothing",
        "        p wins",
    ]


def test_numbers_that_say_the_same_are_written_the_short_way() -> None:
    assert lines(
        "outline book\n"
        '    section "s"\n'
        "        line 1 states 2, restates 0\n"
        "        line 2 states 0, restates 1\n"
        "kind Card named 1 ace, 2 king\n"
        "kind Player 3..3\n"
        "die d is 2..2, 1..6\n"
        "rule r\n"
        "    p may pass up to 1 times per turn\n"
    ) == [
        "outline book",
        '    section "s"',
        "        line 1 states 2",
        "        line 2 restates 1",
        "kind Card named ace, 2 king",
        "kind Player 3",
        "die d is 2, 1..6",
        "rule r",
        "    p may pass once per turn",
    ]


def test_texts_are_escaped() -> None:
    (note,) = read(r'note n "a \"b\" \\n c\nd"' + "\n").declarations
    assert isinstance(note, m.Note)
    assert note.text == 'a "b" \\n c\nd'
    assert lines(r'note n "a \"b\" \\n c\nd"' + "\n") == [r'note n "a \"b\" \\n c\nd"']


def test_options_and_statements_of_a_passage_keep_their_order() -> None:
    text = [
        "story s",
        "    starts at a",
        "    passage a",
        '        option "one"',
        "        nothing",
        '        option "two"',
        "        p wins",
    ]
    assert lines("\n".join(text)) == text
