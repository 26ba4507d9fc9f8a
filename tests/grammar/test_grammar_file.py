"""The grammar file itself: no conflicts, and tables that are cached without trusting the cache."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from lark import Lark
from lark.exceptions import GrammarError

from grammar import parser
from grammar.layout import HEADS
from grammar.parser import _Tokens, grammar_text, keywords


def test_the_grammar_is_lalr_without_any_conflict() -> None:
    Lark(grammar_text(), parser="lalr", lexer=_Tokens, start="rulebook", strict=True)


def test_a_conflict_would_be_noticed() -> None:
    ambiguous = grammar_text().replace('?sum: product | sum "+" product', '?sum: product | sum "+" sum')
    with pytest.raises(GrammarError):
        Lark(ambiguous, parser="lalr", lexer=_Tokens, start="rulebook", strict=True)


def test_heads_are_words_of_the_language() -> None:
    assert set(keywords()) >= HEADS


def _checks(cache: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "ludex.cli", "check", "nim"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.stderr == ""
    return done.stdout


def _with_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Makes the parser anew; gives what was built, which is nothing where the cache was used."""
    built: list[str] = []
    build = parser._built
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))

    def noted(text: str, path: str | None) -> Lark:
        built.append("built")
        return build(text, path)

    monkeypatch.setattr(parser, "_built", noted)
    parser._lark.__wrapped__()
    monkeypatch.undo()
    return built


def test_the_cache_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _with_cache(tmp_path, monkeypatch) == ["built"]
    assert _with_cache(tmp_path, monkeypatch) == []


@pytest.mark.parametrize("mode", [0o777, 0o720])
def test_a_cache_that_others_can_write_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    _with_cache(tmp_path, monkeypatch)
    (tmp_path / "ludex").chmod(mode)
    assert _with_cache(tmp_path, monkeypatch) == ["built"]


def test_a_cache_in_the_current_folder_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _with_cache(Path("here"), monkeypatch) == ["built"]
    assert list(tmp_path.iterdir()) == []


def test_a_broken_cache_is_made_anew(tmp_path: Path) -> None:
    first = _checks(tmp_path)
    (cached,) = (tmp_path / "ludex").glob("grammar-*")
    whole = cached.read_bytes()
    for broken in (b"", b"not a cache", whole[: len(whole) // 2]):
        cached.write_bytes(broken)
        assert _checks(tmp_path) == first
        assert cached.stat().st_size > len(whole) // 2


def test_without_a_place_for_the_cache_everything_works(tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    assert _checks(blocked).splitlines()[-1].startswith("reading: no errors, no warnings; ")
