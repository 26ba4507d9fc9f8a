"""How far a list of tokens fits the grammar, and what could follow. No tree is built: these are questions about errors.

In: token types. Out: counts and sets of token types, read off the parser's own table.
"""

from __future__ import annotations

from collections.abc import Iterable

from lark.parsers.lalr_analysis import Shift

from grammar.parser import parse_table

END = "$END"


def accepted(types: Iterable[str]) -> int:
    """How many tokens, from the first on, can begin a rulebook."""
    stack = [parse_table()[1]]
    count = 0
    for token_type in types:
        if not _advance(stack, token_type):
            break
        count += 1
    return count


def could_follow(types: Iterable[str]) -> frozenset[str]:
    """The types of all tokens that can stand next; `types` itself must fit."""
    states, start, _ = parse_table()
    stack = [start]
    for token_type in types:
        _advance(stack, token_type)
    terminals = [t for t in states[stack[-1]] if t.isupper()]
    return frozenset(t for t in terminals if _advance(stack.copy(), t))


def _advance(stack: list[int], token_type: str) -> bool:
    """Moves the stack over one token, if the grammar allows it."""
    states, _, last = parse_table()
    while True:
        found = states[stack[-1]].get(token_type)
        if found is None:
            return False
        action, target = found
        if action is Shift:
            stack.append(target)
            return True
        size = len(target.expansion)
        if size:
            del stack[-size:]
        stack.append(states[stack[-1]][target.origin.name][1])
        if token_type == END and stack[-1] == last:
            return True
