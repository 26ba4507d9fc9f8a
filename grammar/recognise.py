"""How far tokens fit the grammar, and what could follow. No tree is built: these are questions about errors.

In: token types. Out: counts and sets of token types, read off the parser's own table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lark.parsers.lalr_analysis import Shift

from grammar.parser import parse_table

END = "$END"
_LONGEST_CHAIN = 100


class Cursor:
    """A place in a text that fits the grammar so far; cheap to copy, so that several ways to go on can be tried."""

    __slots__ = ("stack",)

    def __init__(self, stack: list[int] | None = None) -> None:
        self.stack = [parse_table()[1]] if stack is None else stack

    def copy(self) -> Cursor:
        return Cursor(self.stack.copy())

    def feed(self, types: Iterable[str]) -> int:
        """Goes on over these tokens as far as they fit, and says how many did."""
        count = 0
        for token_type in types:
            if not self._step(token_type):
                break
            count += 1
        return count

    def allows(self, types: Sequence[str]) -> bool:
        """Whether all these tokens could follow; the cursor stays where it is."""
        return self.copy().feed(types) == len(types)

    def could_follow(self) -> frozenset[str]:
        """The types of all tokens that can stand next."""
        terminals = [t for t in parse_table()[0][self.stack[-1]] if t.isupper()]
        return frozenset(t for t in terminals if self.allows((t,)))

    def settle(self) -> int:
        """The parser's state once all that stands before is taken for finished, whatever comes next.

        After `if coins of p is 3` that is the state after a whole condition, so it does not tell how the condition was
        written. Where the grammar leaves open what was finished, nothing is taken for finished.
        """
        states = parse_table()[0]
        stack = self.stack.copy()
        for _ in range(_LONGEST_CHAIN):
            reductions = {target for action, target in states[stack[-1]].values() if action is not Shift}
            if len(reductions) != 1:
                break
            _reduce(stack, reductions.pop())
        return stack[-1]

    def _step(self, token_type: str) -> bool:
        states, _, last = parse_table()
        stack = self.stack
        while True:
            found = states[stack[-1]].get(token_type)
            if found is None:
                return False
            action, target = found
            if action is Shift:
                stack.append(target)
                return True
            _reduce(stack, target)
            if token_type == END and stack[-1] == last:
                return True


def _reduce(stack: list[int], rule: Any) -> None:
    size = len(rule.expansion)
    if size:
        del stack[-size:]
    stack.append(parse_table()[0][stack[-1]][rule.origin.name][1])
