"""Circles of authority and of overriding, and passages that nothing leads to."""

from __future__ import annotations

import pytest

from rules.diagnostics import Diagnostic
from tests.rules.harness import checked
from verifier.structure import check_structure


def structure_of(text: str) -> tuple[Diagnostic, ...]:
    result = checked(text)
    assert result.rulebook is not None, [(str(d.span), d.message) for d in result.diagnostics]
    return check_structure(result.rulebook)


DOCUMENTS = """
documents
    book "Rulebook"
    card "Cards"
    sheet "Sheet"
precedence
"""
AUTHORITY = [
    pytest.param("assume authority card > book > sheet", "", id="a chain"),
    pytest.param("assume authority card > book, card > sheet, book > sheet", "", id="two ways down"),
    pytest.param(
        "assume authority card > book, book > card",
        "`book` outranks `card`, which outranks `book`",
        id="two",
    ),
    pytest.param(
        "assume authority sheet > book > card > sheet",
        "`book` outranks `card`, which outranks `sheet`, which outranks `book`",
        id="three in one chain",
    ),
    pytest.param("assume authority book > book", "`book` outranks `book`", id="itself"),
]


@pytest.mark.parametrize(("line", "message"), AUTHORITY)
def test_authority(line: str, message: str) -> None:
    found = structure_of(f"{DOCUMENTS}    {line}\n")
    assert [(d.code, d.message) for d in found] == ([("LX404", message)] if message else [])


def test_a_circle_of_two_lines_shows_both() -> None:
    text = f"{DOCUMENTS}    assume authority card > book\n    assume authority book > card\n"
    (found,) = structure_of(text)
    assert (found.span.line, found.span.text) == (8, "book")
    (label,) = found.labels
    assert (label.span.line, label.span.text, label.text) == (7, "card", "`card` outranks `book`")


RULES = {
    "no circle": """
rule one overrides two, three
    p cannot sail when day is 1
rule two overrides three
    p cannot sail when day is 2
rule three
    p cannot sail when day is 3
""",
    "three rules": """
rule one overrides two
    p cannot sail when day is 1
rule two overrides three
    p cannot sail when day is 2
rule three overrides one
    p cannot sail when day is 3
""",
    "a rule and itself": """
rule one overrides one
    p cannot sail when day is 1
""",
    "a value, a table, a rank and an action": """
value fee: 0..3 is 1 overrides omens
table omens by d6 overrides winner
    any: nothing
rank winner of p overrides row
    most coins of p
action row by p overrides fine
    nothing
procedure fine p overrides fee
    nothing
""",
    "two circles": """
rule one overrides two
    p cannot sail when day is 1
rule two overrides one
    p cannot sail when day is 2
rule three overrides three
    p cannot sail when day is 3
""",
    "rules of rulings and of policies": """
ruling errata
    rule one overrides two
        p cannot sail when day is 1
rule two overrides one
    p cannot sail when day is 2
policy house
    rule three overrides four
        p cannot sail when day is 3
rule four overrides three
    p cannot sail when day is 4
""",
    "rulings that go round": """
rule one
    p cannot sail when day is 1
rule two overrides one
    p cannot sail when day is 2
rule three
    p cannot sail when day is 3
ruling errata_1
    one over two
    two over three
    sailing over one
ruling errata_2
    three over one
policy house
    one over sailing
""",
    "to restate is not to override": """
rule one restates two
    p cannot sail when day is 1
rule two overrides one
    p cannot sail when day is 2
""",
}
CIRCLES = {
    "no circle": [],
    "three rules": ["`one` overrides `two`, which overrides `three`, which overrides `one`"],
    "a rule and itself": ["`one` overrides `one`"],
    "a value, a table, a rank and an action": [
        "`fee` overrides `omens`, which overrides `winner`, which overrides `row`, "
        "which overrides `fine`, which overrides `fee`"
    ],
    "two circles": ["`one` overrides `two`, which overrides `one`", "`three` overrides `three`"],
    "rules of rulings and of policies": ["`one` overrides `two`, which overrides `one`"],
    "rulings that go round": ["`one` goes over `two`, which goes over `three`, which goes over `one`"],
    "to restate is not to override": [],
}


@pytest.mark.parametrize("name", RULES)
def test_overriding(name: str) -> None:
    found = structure_of(RULES[name])
    assert [d.message for d in found] == CIRCLES[name]
    assert {d.code for d in found} <= {"LX405"}


def test_a_circle_of_rules_points_at_each_step() -> None:
    (found,) = structure_of(RULES["three rules"])
    assert (found.span.line, found.span.text) == (2, "two")
    assert [(label.span.line, label.span.text, label.text) for label in found.labels] == [
        (4, "three", "`two` overrides `three`"),
        (6, "one", "`three` overrides `one`"),
    ]


STORY = """
story voyage
    starts at quay
    chapter one
        passage quay "Gulls."
            if day > 3
                go to ship
            option "Stay"
                go to inn
        passage ship "Planks."
            ending "You sail."
    passage inn "Warm."
        read cellar
        return
    passage cellar "Dark."
        return
    passage attic "Dust."
        go to roof
    passage roof "Stars."
        go to attic
"""


def test_passages_that_nothing_leads_to() -> None:
    found = structure_of(STORY)
    assert [(d.code, d.span.line, d.span.text) for d in found] == [("LX601", 17, "attic"), ("LX601", 19, "roof")]


@pytest.mark.parametrize(
    "more",
    [
        "play\n    read attic\n",
        "rule tides\n    when sail by p\n        read attic\n",
        "table omens by d6\n    6: read attic\nplay\n    roll d6 on omens\n",
        'story stay\n    starts at bed\n    passage bed "Soft."\n        read attic\n',
    ],
)
def test_what_is_read_from_outside_is_reached(more: str) -> None:
    assert structure_of(STORY + more) == ()


def test_every_start_of_a_story_is_reached() -> None:
    assert structure_of(STORY.replace("starts at quay", "starts at quay, roof")) == ()


def test_a_book_without_stories_has_no_passages() -> None:
    assert structure_of("play\n    nothing\n") == ()


def test_findings_come_in_reading_order() -> None:
    found = structure_of(STORY + RULES["a rule and itself"] + DOCUMENTS + "    assume authority book > book\n")
    assert [d.code for d in found] == ["LX601", "LX601", "LX405", "LX404"]


VALUES = {
    "no circle": """
value price: 0..9 is fee + 1
value fee: 0..9 is 2
claim possible price > 3
""",
    "two values": """
value price: 0..9 is fee + 1                # `fee` needs `price`, which needs `fee`
value fee: 0..9 is price - 1
claim possible price > 3
""",
    "by way of a condition, a table and a rule": """
value price of q: 0..9
    is 3 when fees of calm > 2
table fees by Weather
    any: gives levy
value levy: 0..9 is 1
rule dear
    levy plus 1 when price of athens > 3    # `fees` needs `levy`, which needs `price`, which needs `fees`
claim possible price of q > 3
""",
    "by way of a ruling": """
value price: 0..9 is levy + 1               # `levy` needs `price`, which needs `levy`
value levy: 0..9 is 1
ruling errata
    rule dear
        levy plus 1 when price > 3
claim possible price > 3
""",
    "of another thing": """
value reach of q: 0..9
    is 0 when q is athens
    is reach of ship of front of initiative + 1 when q is not athens
claim possible reach of q > 3
""",
    "of the same thing": """
value reach of q: 0..9 is reach of q + 1    # `reach` needs `reach`
claim possible reach of q > 3
""",
    "one name for two": """
value reach of q: 0..9 is 1
value reach of p: 0..9 is reach of athens + 1
claim possible reach of q > 3 and reach of p > 3
""",
    "a rank": """
rank winner of p
    most score of p
value score of p: 0..9 is place of (p, winner)  # `score` needs `winner`, which needs `score`
claim possible score of p > 3
""",
}


@pytest.mark.parametrize("name", VALUES)
def test_values_that_need_each_other(name: str) -> None:
    text = VALUES[name]
    expected = [("LX415", line.split("# ")[1]) for line in text.splitlines() if "# " in line]
    assert [(d.code, d.message) for d in structure_of(text)] == expected


CALLS = [
    pytest.param("answer p", "nothing", "`answer` calls `echo`, which calls `answer`", id="each other"),
    pytest.param("answer p", "p chooses q", "", id="with a choice"),
    pytest.param("answer p", "roll d6", "", id="with a roll"),
    pytest.param("nothing", "nothing", "", id="no circle"),
    pytest.param("echo p", "nothing", "`echo` calls `echo`", id="itself"),
]


@pytest.mark.parametrize(("first", "second", "message"), CALLS)
def test_procedures_that_call_each_other(first: str, second: str, message: str) -> None:
    text = f"""
play
    each p
        answer p
procedure echo p
    {first}
procedure answer p
    {second}
    echo p
"""
    assert [(d.code, d.message) for d in structure_of(text)] == ([("LX416", message)] if message else [])
