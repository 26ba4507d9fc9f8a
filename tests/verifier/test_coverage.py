"""Coverage never flatters: what is counted, how often at most, and what does not count at all."""

from __future__ import annotations

import pytest

from rules import model as m
from rules.span import Source
from tests.rules.harness import parsed
from verifier.coverage import DocumentCoverage, SectionCoverage, coverage_of

OUTLINE = """
documents
    book "Rulebook"
    card "Cards"
outline book
    section "Storms" lines 30..39
        line 31 states 2
        line 33 states 1, restates 1
    section "Ports" lines 40..49
        line 41 states 3
        line 45 restates 1
"""


def document_of(text: str, name: str = "book") -> DocumentCoverage:
    (found,) = [d for d in coverage_of(m.Rulebook(parsed(Source("case.rules", text)))).documents if d.name == name]
    return found


def book_with(text: str) -> DocumentCoverage:
    """What is encoded of the eight statements; in all sections the numbers add up."""
    found = document_of(OUTLINE + text)
    for section in found.sections:
        assert section.modelled + section.noted_total + section.open == section.statements
    assert (found.statements, found.modelled + found.noted + found.open) == (8, 8)
    return found


def rules_citing(*places: str) -> str:
    return "".join(f"rule r{n} cites book {place}\n    p wins\n" for n, place in enumerate(places))


def test_nothing_is_encoded_at_first() -> None:
    found = book_with("")
    assert (found.citations, found.modelled, found.noted, found.open) == (0, 0, 0, 8)
    assert found.sections == (
        SectionCoverage("Storms", 4, 0, (), ((31, 2), (33, 2))),
        SectionCoverage("Ports", 4, 0, (), ((41, 3), (45, 1))),
    )


MODELLED = [
    pytest.param(["31"], 1, id="a citation is one statement"),
    pytest.param(["31", "31"], 2, id="two citations"),
    pytest.param(["31", "31", "31", "31"], 2, id="more than the line has"),
    pytest.param(["31 (2)"], 2, id="counted"),
    pytest.param(["31 (9)"], 2, id="counted, more than the line has"),
    pytest.param(["31 (0)"], 0, id="counted, none"),
    pytest.param(["31, 33"], 2, id="two places of one rule"),
    pytest.param(["30..39"], 1, id="a range is one statement"),
    pytest.param(["30..39", "31 (2)"], 3, id="a range counts where something is open"),
    pytest.param(["30..49 (6)"], 6, id="a counted range over two sections"),
    pytest.param(["32"], 0, id="a line without statements"),
    pytest.param(["99"], 0, id="a line that the outline has not"),
    pytest.param(["39..30"], 0, id="a range that runs downwards"),
    pytest.param(['"Storms"'], 1, id="a section by its title"),
    pytest.param(['"Calms"'], 0, id="a title that the outline has not"),
    pytest.param(['"Storms" (3)'], 3, id="a counted section"),
    pytest.param(['"Storms" (3)', '"Storms" (3)'], 4, id="a section more often than it has statements"),
    pytest.param(["31 (2), 33 (2), 41 (3), 45"], 8, id="all"),
]


@pytest.mark.parametrize(("places", "modelled"), MODELLED)
def test_what_rules_cite(places: list[str], modelled: int) -> None:
    found = book_with(rules_citing(*places))
    assert (found.modelled, found.noted, found.open) == (modelled, 0, 8 - modelled)


def test_open_lines_are_listed_with_what_is_missing() -> None:
    storms, ports = book_with(rules_citing("31", "33 (2)")).sections
    assert storms.open_lines == ((31, 1),)
    assert ports.open_lines == ((41, 3), (45, 1))


COUNTED = {
    "kind": "kind Player 2 cites book 31\n",
    "attribute": "kind Player 2\n    coins 0..9 cites book 31\n",
    "state": "state\n    day 0..9 cites book 31\n",
    "statement": "play\n    day becomes 3 cites book 31\n",
    "step": "play\n    step dawn cites book 31\n        nothing\n",
    "row": "table omens by d6\n    1: nothing cites book 31\n",
    "case": "value fee: 0..9\n    is 3 cites book 31\n",
    "reading": "rule one\n    reading a cites book 31\n        p wins\n    reading b\n        p loses\n",
    "precedence": "precedence\n    cannot over may cites book 31\n",
    "ruling": "ruling errata cites book 31\n    one over two\n",
    "rule of a ruling": "ruling errata\n    rule one cites book 31\n        p wins\n",
    "option": 'story s\n    starts at a\n    passage a "A."\n        option "B" cites book 31\n            nothing\n',
}
NOT_COUNTED = {
    "policy": "policy house cites book 31\n    one over two\n",
    "rule of a policy": "policy house\n    rule one cites book 31\n        p wins\n",
    "question": 'question "Why?" cites book 31\n    p may sail\n',
    "claim": "claim always day > 3 cites book 31\n",
    "scenario": 'scenario "So" cites book 31\n    then p wins\n',
    "other document": "rule one cites card 31\n    p wins\n",
}


@pytest.mark.parametrize("name", COUNTED)
def test_a_citation_counts_wherever_it_says_what_the_game_is(name: str) -> None:
    assert book_with(COUNTED[name]).modelled == 1


@pytest.mark.parametrize("name", NOT_COUNTED)
def test_what_judges_and_chooses_does_not_count(name: str) -> None:
    found = book_with(NOT_COUNTED[name])
    assert (found.citations, found.modelled) == (0, 0)


def test_notes_are_counted_by_their_reason_and_apart_from_rules() -> None:
    found = book_with(
        'note advice "a" cites book 31\nnote flavour "b" cites book 33 (2)\nnote advice "c" cites book 45\n'
    )
    assert (found.modelled, found.noted, found.open, found.citations) == (0, 4, 4, 3)
    assert [section.noted for section in found.sections] == [(("advice", 1), ("flavour", 2)), (("advice", 1),)]


def test_a_note_takes_only_what_rules_leave_open() -> None:
    text = rules_citing("31 (2)") + 'note advice "a" cites book 31\nnote flavour "b" cites book 33 (9)\n'
    storms, _ = book_with(text).sections
    assert (storms.modelled, storms.noted, storms.open) == (2, (("flavour", 2),), 0)


def test_two_notes_share_a_line() -> None:
    storms, _ = book_with('note advice "a" cites book 31 (2)\nnote flavour "b" cites book 31 (2)\n').sections
    assert storms.noted == (("advice", 2),)


def test_a_document_without_an_outline_only_has_citations() -> None:
    text = OUTLINE + 'rule one cites card 1, 2..9\n    p wins\nnote advice "a" cites card 3\n'
    card = document_of(text, "card")
    assert card == DocumentCoverage("card", "Cards", 3, ())
    assert (card.statements, card.modelled, card.noted, card.open) == (0, 0, 0, 0)


def test_documents_come_in_the_order_of_the_book() -> None:
    found = coverage_of(m.Rulebook(parsed(Source("case.rules", OUTLINE))))
    assert [(d.name, d.title) for d in found.documents] == [("book", "Rulebook"), ("card", "Cards")]
