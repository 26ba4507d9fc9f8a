"""Reading a text in a test, where it is known to be good."""

from __future__ import annotations

from grammar.format import format_text
from grammar.text import ParsedText, parse_text
from rules import model as m
from rules.span import Source


def read(text: str) -> ParsedText:
    parsed = parse_text(Source("test.rules", text))
    assert not parsed.diagnostics, "\n".join([text, *(f"{d.span} {d.message}" for d in parsed.diagnostics)])
    return parsed


def formatted(text: str) -> str:
    """The text in the one format; and what must hold of every formatting does hold."""
    before = read(text)
    result = format_text(before)
    after = read(result)
    assert after.declarations == before.declarations, result
    assert [c.text for c in after.comments] == [c.text for c in before.comments], result
    assert format_text(after) == result
    return result


def condition(text: str) -> m.Expr:
    (claim,) = read(f"claim always {text}\n").declarations
    assert isinstance(claim, m.Claim)
    return claim.condition
