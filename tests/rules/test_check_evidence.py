"""What `check_rules` hands on: evidence about every name and expression, and never a crash."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from grammar.text import parse_text
from rules import model as m
from rules.check import check_rules
from rules.span import Source
from rules.symbols import SlotSymbol, VerbSymbol
from rules.types import KindT, NumberT, TruthT
from rules.walk import nodes_of
from tests.rules.harness import checked

ROOT = Path(__file__).parents[2]
TEXTS = [path for folder in ("rules/books", "tests/rules", "docs") for path in sorted((ROOT / folder).glob("*.rules"))]


def test_every_reference_and_expression_of_a_checked_book_is_known() -> None:
    book = checked("rule tides\n    p cannot sail to q when coins of p + 1 > depth of q\n").rulebook
    assert book is not None
    assert book.players == "Player"
    assert book.kinds["Card"].most == 4
    rule = book.book.declarations[-1]
    refs = [node for node in nodes_of(rule) if isinstance(node, m.Ref)]
    assert [ref.name.text for ref in refs] == ["p", "q", "coins", "p", "depth", "q"]
    coins = refs[2]
    symbol = book.symbol_of(coins)
    assert isinstance(symbol, SlotSymbol)
    assert (symbol.name, symbol.role, symbol.params) == ("coins", "attribute", (KindT("Player"),))
    assert book.type_of(coins) == NumberT(0, 20)
    (phrase,) = [node for node in nodes_of(rule) if isinstance(node, m.Phrase)]
    assert isinstance(book.symbol_of(phrase.verb), VerbSymbol)
    (comparison,) = [node for node in nodes_of(rule) if isinstance(node, m.Compare)]
    assert book.type_of(comparison) == TruthT()
    assert book.type_of(comparison.left) == NumberT(1, 21)


def test_all_references_of_the_prelude_have_a_symbol() -> None:
    book = checked("play\n    nothing\n").rulebook
    assert book is not None
    for node in nodes_of(book.book.declarations):
        if isinstance(node, m.Ref):
            book.symbol_of(node)
            book.type_of(node)


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_a_book_without_one_of_its_declarations_is_still_judged(path: Path) -> None:
    declarations = parse_text(Source(path.name, path.read_text(encoding="utf-8"))).declarations
    assert declarations
    for place in range(len(declarations)):
        rest = declarations[:place] + declarations[place + 1 :]
        twice = declarations[: place + 1] + declarations[place:]
        for some in (rest, twice):
            result = check_rules(m.Rulebook(some))
            assert (result.rulebook is None) == any(d.is_error for d in result.diagnostics)


def _spoiled(text: str, count: int) -> Iterator[str]:
    """The text with one name after another put in the place of some other."""
    chance = random.Random(7)
    names = [match for match in re.finditer(r"\b[a-zA-Z_]\w*\b", text) if not match.group().startswith("_")]
    for _ in range(count):
        victim, other = chance.choice(names), chance.choice(names)
        yield text[: victim.start()] + other.group() + text[victim.end() :]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_names_in_wrong_places_never_break_the_checker(path: Path) -> None:
    read = 0
    for text in _spoiled(path.read_text(encoding="utf-8"), 60):
        parsed = parse_text(Source(path.name, text))
        read += not parsed.diagnostics
        result = check_rules(m.Rulebook(parsed.declarations))
        for diagnostic in result.diagnostics:
            assert diagnostic.message == diagnostic.message.strip()
            assert not diagnostic.message.endswith(".")
            assert "unknown" not in diagnostic.message, diagnostic
            assert "None" not in diagnostic.message, diagnostic
    assert read > 10
