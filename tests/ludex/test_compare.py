"""`ludex compare` from the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ludex
from ludex.cli import main
from tests.verifier.test_comparing import BOOK


@pytest.fixture
def books(tmp_path: Path) -> tuple[str, str, str]:
    """A book, another edition of it, and an errata sheet."""
    texts = {
        "first.rules": BOOK,
        "second.rules": BOOK.replace("coins of p < 7", "coins of p < 6"),
        "errata.rules": 'import "first.rules"\n\nruling errata\n    digging over storm_stops_work\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    first, second, errata = (str(tmp_path / name) for name in texts)
    return first, second, errata


def test_text_and_exit_status(books: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", books[0], books[1]]) == 1
    out = capsys.readouterr().out
    assert "first.rules and second.rules, 2 players" in out
    assert "legal, by digging" in out
    assert "where coins of Player 1 is 6" in out
    assert main(["compare", books[0], books[0]]) == 0
    assert "no differences" in capsys.readouterr().out


def test_json(books: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", books[0], books[1], "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (one,) = found["different"]
    assert (one["sort"], one["name"], one["confirmed"]) == ("move", "dig", True)
    assert one["one"] == {"says": "legal", "rules": ["digging"]}
    assert found["settled"] is None
    assert found["same"] is False


def test_errata_are_judged(books: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", books[0], books[2], "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found["settled"], list)
    assert isinstance(found["new"], list)
    assert [(one["one"]["says"], one["other"]["says"]) for one in found["different"]] == [("illegal", "legal")]


def test_documents(books: tuple[str, str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", books[0], "--documents", "book, card"]) == 1
    assert "book and card, 2 players" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["{0}"], "must be named"),
        (["{0}", "{1}", "--documents", "book,card"], "not in two"),
        (["{0}", "--documents", "book"], "takes two names"),
        (["{0}", "--documents", "book,cart"], "has no document `cart`"),
        (["{0}", "--documents", "book,book"], "with itself"),
        (["{0}", "nowhere.rules"], "cannot be read"),
        (["{0}", "{1}", "--players", "9"], "9"),
    ],
)
def test_bad_usage(
    books: tuple[str, str, str], args: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *(arg.format(*books) for arg in args)]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""


def test_a_book_with_errors(books: tuple[str, str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoiled = tmp_path / "spoiled.rules"
    spoiled.write_text(BOOK.replace("coins of p < 7", "gold of p < 7"), encoding="utf-8")
    assert main(["compare", books[0], str(spoiled)]) == 2
    assert "has errors" in capsys.readouterr().err


def test_from_python(books: tuple[str, str, str]) -> None:
    found = ludex.compare(ludex.load(books[0]), books[1])
    assert isinstance(found, ludex.Comparison)
    assert [one.example for one in found.of_sort("move")] == ["dig by Player 1"]
    assert found.settled is None


@pytest.mark.parametrize("name", ["harbour", "kuhn_poker", "nim", "pig", "tic_tac_toe", "ur"])
def test_bundled_books_are_the_same_as_themselves(name: str) -> None:
    assert ludex.compare(name, name).same
