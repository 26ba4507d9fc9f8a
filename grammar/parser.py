"""Tokens to syntax trees. The only file that constructs Lark; it does so on first use, not on import."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Tree
from lark import __version__ as lark_version
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer, PatternStr

from rules.diagnostics import InternalError


class _Tokens(Lexer):
    """A lexer for Lark that passes on tokens which `layout.lex` has already made."""

    def __init__(self, _conf: object) -> None:
        pass

    def lex(self, tokens: object) -> Iterator[Token]:  # type: ignore[override]
        assert isinstance(tokens, list)
        return iter(tokens)


def grammar_text() -> str:
    return files("grammar").joinpath("ludex.lark").read_text(encoding="utf-8")


_OPTIONS = {"parser": "lalr", "start": "rulebook", "propagate_positions": True, "maybe_placeholders": True}


@cache
def _lark() -> Lark:
    """The parser, from the cache of the last run if the grammar is the same: 20 ms instead of 220."""
    text = grammar_text()
    path = _cache_file(text)
    return _cached(path) or _built(text, path)


def _built(text: str, path: str | None) -> Lark:
    parser = Lark(text, lexer=_Tokens, **_OPTIONS)
    # No cache can be written: the next start is slower, nothing else.
    with suppress(OSError):
        if path is not None:
            _write(parser, path)
    return parser


def _cached(path: str | None) -> Lark | None:
    if path is None or not _is_ours(os.path.dirname(path)) or not _is_ours(path):
        return None
    try:
        with open(path, "rb") as file:
            return Lark.load(file)
    except Exception:  # cut off, or not a cache at all: build it anew
        return None


def _is_ours(path: str) -> bool:
    """A cache is code: one that somebody else could have written is not read."""
    try:
        found = os.stat(path)
    except OSError:
        return False
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _write(parser: Lark, path: str) -> None:
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            parser.save(file)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def _cache_file(text: str) -> str | None:
    """In the user's own cache folder, named by all that the tables depend on; None where there is no such folder."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    if not os.path.isabs(home):
        return None
    parts = (text, repr(_OPTIONS), lark_version, sys.version)
    digest = hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()
    return os.path.join(home, "ludex", f"grammar-{digest}")


@cache
def keywords() -> dict[str, str]:
    """The token type of each word and mark of the language, read off the grammar."""
    return {t.pattern.value: t.name for t in _lark().terminals if isinstance(t.pattern, PatternStr)}


@cache
def words_of(token_type: str) -> str:
    """What the author writes for a token type."""
    for word, name in keywords().items():
        if name == token_type:
            return word
    raise InternalError(f"no word for token {token_type}")


def parse_tokens(tokens: list[Token]) -> Tree[Token]:
    """The tree of a whole rulebook, or `UnexpectedToken`."""
    return _lark().parse(tokens)


Table = dict[int, dict[str, tuple[object, Any]]]


@cache
def parse_table() -> tuple[Table, int, int]:
    """The states of the parser, with the first and the last of them."""
    conf = _lark().parse_interactive([]).parser_state.parse_conf
    return conf.states, conf.start_state, conf.end_state


__all__ = ["UnexpectedToken", "grammar_text", "keywords", "parse_table", "parse_tokens", "words_of"]
