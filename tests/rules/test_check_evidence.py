"""What `check_rules` hands on: evidence about every name and expression, and never a crash."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules, evidence
from rules.check.context import Context
from rules.diagnostics import InternalError
from rules.span import Source
from rules.symbols import BuiltinSymbol, NamedSymbol, SlotSymbol, TableSymbol, ValueSymbol, VerbSymbol
from rules.types import UNKNOWN, EnumT, KindT, MaybeT, NumberT, TruthT, Type, has_unknown
from rules.walk import nodes_of
from tests.rules.harness import checked, parsed

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


BOOKS = {
    "prelude": ["tests/rules/prelude.rules"],
    "thirty": ["tests/thirty/table.rules", "tests/thirty/statements.rules"],
    "language": ["docs/language_prelude.rules"],
    **{path.stem: [str(path.relative_to(ROOT))] for path in sorted((ROOT / "rules/books").glob("*.rules"))},
    **{
        path.name: [str(file.relative_to(ROOT)) for file in sorted(path.glob("*.rules"))]
        for path in sorted((ROOT / "rules/books").iterdir())
        if path.is_dir()
    },
}
# Names that stand for nothing but themselves: words of the language that are not reserved, and titles.
WORDS = {
    (m.Grid, "shape"),
    (m.Slot, "modifiers"),
    (m.SightPoint, "point"),
    (m.SightTouch, "what"),
    (m.SightTouch, "result"),
    (m.RankTies, "how"),
    (m.Note, "reason"),
    (m.Document, "language"),
    (m.Chapter, "name"),
    (m.Ref, "name"),  # what it stands for is known of the reference as a whole
}
SIDES = {"may", "must", "cannot", "specific", "general", "immediate", "lasting", "earlier", "later"}


def _book(name: str) -> CheckedRulebook:
    declarations = [d for path in BOOKS[name] for d in parsed(Source(path, (ROOT / path).read_text(encoding="utf-8")))]
    book = check_rules(m.Rulebook(tuple(declarations))).rulebook
    assert book is not None
    return book


def _names(node: object) -> Iterator[m.Name]:
    for field in fields(node) if is_dataclass(node) else ():
        value = getattr(node, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, m.Name) and (type(node), field.name) not in WORDS:
                yield item


@pytest.mark.parametrize("name", BOOKS)
def test_every_name_of_a_book_stands_for_something(name: str) -> None:
    book = _book(name)
    seen = 0
    for node in nodes_of(book.book.declarations):
        for word in _names(node):
            if isinstance(node, m.Over) and word.text in SIDES:
                continue
            assert id(word) in book.symbols, (type(node).__name__, str(word.span), word.text)
            seen += 1
        if isinstance(node, m.Ref):
            book.symbol_of(node)
    assert seen > 20


@pytest.mark.parametrize("name", BOOKS)
def test_every_expression_of_a_book_has_a_type(name: str) -> None:
    book = _book(name)
    moments = {id(node.moment) for node in nodes_of(book.book.declarations) if isinstance(node, m.MomentEvent)}
    seen = 0
    for node in nodes_of(book.book.declarations):
        if isinstance(node, m.Expr) and id(node) not in moments:
            if book.symbols.get(id(node)) == BuiltinSymbol("chance"):
                continue
            assert not has_unknown(book.type_of(node)), str(node.span)
            seen += 1
    assert seen > 10


@pytest.mark.parametrize("name", BOOKS)
def test_every_symbol_of_a_book_has_its_declaration(name: str) -> None:
    book = _book(name)
    for symbol in book.symbols.values():
        found = book.declaration_of(symbol)
        of_the_language = isinstance(symbol, BuiltinSymbol) or symbol.span is None
        tag = isinstance(symbol, NamedSymbol) and symbol.what == "tag"
        assert (found is None) == (of_the_language or tag), symbol


DECLARED = """
type Suit is hearts, clubs
type Rank is 1..3
kind Tile for each Suit, Rank
let x, y be Tile
piles of Tile
    wall starts Tile
die mood is calm, storm
rule tiles among tides source squall
    reading loose
        p cannot sail when some x where suit of x is hearts and rank of x is 2 and x is in wall
    reading strict
        p cannot sail when some y is hearts_1
policy lenient
    tiles reads loose
scenario "tiles"
    policy lenient
    then nobody wins
precedence
    assume simultaneous by starter
play
    phase dawn
        roll mood
        chance chooses q
table omens by Weather
    calm: nothing
    any: nothing
rule dawns
    when dawn begins
        consult omens with weather
"""


def test_what_a_symbol_is_declared_by() -> None:
    book = checked(DECLARED).rulebook
    assert book is not None
    names: dict[str, list[object]] = {}
    for node in nodes_of(book.book.declarations):
        for word in _names(node):
            names.setdefault(word.text, []).append(book.declaration_of(book.symbol_of(word)))
    expected = {
        "squall": m.Member,
        "loose": m.Reading,
        "lenient": m.Policy,
        "starter": m.Slot,
        "calm": m.TypeDecl,
        "x": m.Let,
        "dawn": m.Phase,
        "mood": m.Die,
        "tiles": m.Rule,
        "omens": m.Table,
        "sail": m.Action,
        "harm": m.Procedure,
        "cubes": m.Pool,
        "athens": m.Member,
        "Tile": m.Kind,
        "toll": m.Value,
    }
    for name, sort in expected.items():
        assert {type(found) for found in names[name]} == {sort}, name
    assert [(slot.name, slot.type, kind, place) for slot, kind, place in book.products] == [
        ("suit", EnumT("Suit"), "Tile", 0),
        ("rank", NumberT(1, 3), "Tile", 1),
    ]
    assert all(isinstance(book.declaration_of(slot), m.Kind) for slot, _, _ in book.products)
    assert book.maps == {"sea": "Port"}
    assert book.types["Suit"].values == ("hearts", "clubs")
    assert book.dice["mood"].type == EnumT("Weather")
    assert set(book.verbs) == {"sail", "harm"}
    assert "dawn" in book.moments
    (toll,) = book.terms["toll"]
    assert isinstance(toll, ValueSymbol)
    with pytest.raises(TypeError):
        book.kinds["New"] = book.kinds["Card"]  # type: ignore[index]
    (event,) = [node for node in nodes_of(book.book.declarations) if isinstance(node, m.MomentEvent)]
    assert book.symbol_of(event.moment) == book.moments["dawn"]
    (chooses,) = [node for node in nodes_of(book.book.declarations) if isinstance(node, m.Chooses)]
    assert book.symbol_of(chooses.actor) == BuiltinSymbol("chance")
    (outcome,) = [node for node in nodes_of(book.book.declarations) if isinstance(node, m.Outcome)]
    assert book.type_of(outcome) == TruthT()


TYPES = [
    ("coins of starter", MaybeT(NumberT(0, 20))),
    ("coins of p", NumberT(0, 20)),
    ("coins of starter + 1", MaybeT(NumberT(1, 21))),
    ("1 + coins of starter", MaybeT(NumberT(1, 21))),
    ("-coins of starter", MaybeT(NumberT(-20, 0))),
    ("coins of starter / 2 rounded down", MaybeT(NumberT(0, 10))),
    ("coins of p / 3 rounded up", NumberT(0, 7)),
    ("coins of p / 3 rounded down", NumberT(0, 6)),
    ("toll of starter", MaybeT(NumberT(0, 3))),
    ("size of hand of starter", MaybeT(NumberT(0, 4))),
    ("size of hand of p", NumberT(0, 4)),
    ("passed of starter", MaybeT(TruthT())),
    ("cargo of starter", MaybeT(EnumT("Cargo"))),
    ("highest of (coins of other for other where other is passed)", MaybeT(NumberT(0, 20))),
    ("highest of (coins of other for other)", NumberT(0, 20)),
    ("lowest of (power of top of deck for other)", MaybeT(NumberT(0, 9))),
    ("total of (coins of other for other where other is passed)", NumberT(0, 80)),
    ("distance of (q, r)", MaybeT(NumberT(0, 3))),
    ("distance of (s, t)", NumberT(0, 12)),
]


@pytest.mark.parametrize(("text", "type_"), TYPES)
def test_what_may_be_nothing_says_so(text: str, type_: Type) -> None:
    book = checked(f'claim "of {text}" possible {text} is {text}\n').rulebook
    assert book is not None
    claim = book.book.declarations[-1]
    assert isinstance(claim, m.Claim)
    assert isinstance(claim.condition, m.Is)
    assert book.type_of(claim.condition.left) == type_


def test_an_expression_without_a_type_is_our_mistake() -> None:
    cx = Context(type_of={1: NumberT(0, 3), 2: MaybeT(UNKNOWN)})
    with pytest.raises(InternalError):
        evidence(m.Rulebook(()), cx)
    del cx.type_of[2]
    evidence(m.Rulebook(()), cx)


def test_a_table_that_uses_one_below_it_has_its_type() -> None:
    text = """
table prices by Weather
    any: gives 2 + fees of 1
table deeds by Weather
    any: day becomes fees of 3
table fees by 1..6
    1..3: gives 1 + bribes of athens
    any: gives 3
table bribes by Port
    athens: gives 5
    any: gives 7
table guests by Port
    athens: gives none
    any: gives starter
table homes by Weather
    calm: gives athens
    any: gives none
play
    consult deeds with weather
claim possible prices of calm > 3 and guests of athens is p and homes of calm is q
"""
    book = checked(text).rulebook
    assert book is not None
    types = {name: book.terms[name][0] for name in ("prices", "fees", "bribes", "guests", "homes")}
    assert [symbol.type for symbol in types.values() if isinstance(symbol, TableSymbol)] == [
        NumberT(5, 10),
        NumberT(3, 8),
        NumberT(5, 7),
        MaybeT(KindT("Player")),
        MaybeT(KindT("Port")),
    ]


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
        spoiled = parse_text(Source(path.name, text))
        read += not spoiled.diagnostics
        result = check_rules(m.Rulebook(spoiled.declarations))
        for diagnostic in result.diagnostics:
            assert diagnostic.message == diagnostic.message.strip()
            assert not diagnostic.message.endswith(".")
            assert "unknown" not in diagnostic.message, diagnostic
            assert "None" not in diagnostic.message, diagnostic
    assert read > 10
