"""Tokens to syntax trees. The only file that constructs Lark; it does so on first use, not on import."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from lark import Lark, Token, Tree
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


@cache
def _lark() -> Lark:
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer=_Tokens,
        start="rulebook",
        propagate_positions=True,
        maybe_placeholders=True,
    )


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
