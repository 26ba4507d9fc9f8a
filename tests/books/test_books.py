"""The rulebooks that come with Ludex: without errors, in canonical form, and encoded to the last statement."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludex
from grammar.format import format_text
from grammar.text import parse_text
from ludex.book import bundled
from rules import model as m
from rules.span import Source

BOOKS = bundled()


def test_the_bundle() -> None:
    assert set(BOOKS) == {
        "connect_four",
        "crazy_eights",
        "harbour",
        "kuhn_poker",
        "nim",
        "pig",
        "tic_tac_toe",
        "trial_of_the_gods",
        "ur",
    }


@pytest.mark.parametrize("name", sorted(set(BOOKS) - {"harbour"}))
def test_a_book_checks_clean(name: str) -> None:
    book = ludex.load(name)
    assert [(str(d.span), d.code) for d in book.diagnostics] == []
    assert book.checked is not None


def test_the_harbour_has_the_faults_that_it_is_there_to_show() -> None:
    book = ludex.load("harbour")
    assert [d.code for d in book.diagnostics] == ["LX504", "LX305"]


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_is_wholly_encoded(name: str) -> None:
    for document in ludex.load(name).coverage().documents:
        assert document.statements > 0
        assert document.open == 0


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_examines_itself(name: str) -> None:
    declarations = ludex.load(name).rulebook.declarations
    assert any(isinstance(d, m.Question) and d.expect is not None for d in declarations)
    assert any(isinstance(d, m.Claim) for d in declarations)
    assert any(isinstance(d, m.Scenario) for d in declarations)


@pytest.mark.parametrize("name", BOOKS)
def test_a_book_is_in_canonical_form(name: str) -> None:
    path = Path(BOOKS[name])
    for file in sorted(path.rglob("*.rules")) if path.is_dir() else [path]:
        text = file.read_text(encoding="utf-8")
        parsed = parse_text(Source(file.name, text))
        assert format_text(parsed) == text
