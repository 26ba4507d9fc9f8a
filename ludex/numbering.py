"""Integers for everything that can be decided in a game, fixed by the text of the book and the number of players.

First come the actions in the order of the book, one number for each combination of their parts; then, in one table by
their words, the other choices: to stop, what can be chosen for a variable, options, and what happens first. A player
who acts is not counted among the parts: the number says what is done, not by whom. What chance decides has a table of
its own. Why so: docs/decisions/0005-research-adapter.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine import Choice, Machine, Move
from rules.machine.world import Value
from rules.symbols import BuiltinSymbol, DieSymbol, SlotSymbol, VariableSymbol
from rules.types import KindT, OrderT, PileT
from rules.walk import nodes_of


@dataclass(frozen=True, slots=True)
class _Verb:
    """An action: `parts` are the places of those that count, `by` the place of the player who acts, if one does."""

    name: str
    base: int
    size: int
    by: int | None
    parts: tuple[int, ...]
    domains: tuple[tuple[Value, ...], ...]

    def number(self, args: tuple[Value, ...]) -> int:
        number = 0
        for part, domain in zip(self.parts, self.domains, strict=True):
            number = number * len(domain) + domain.index(args[part])
        return self.base + number

    def args(self, number: int, player: int) -> tuple[Value, ...]:
        found: dict[int, Value] = {} if self.by is None else {self.by: player}
        rest = number - self.base
        for part, domain in zip(reversed(self.parts), reversed(self.domains), strict=True):
            rest, place = divmod(rest, len(domain))
            found[part] = domain[place]
        return tuple(found[place] for place in sorted(found))


class Numbering:
    """`choices` and `chances` say how many numbers there are of each sort; they go from 0 up."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._verbs: list[_Verb] = []
        base = 0
        for name in machine.actions:
            verb = self._verb(name, base)
            self._verbs.append(verb)
            base += verb.size
        self._bases = [verb.base for verb in self._verbs]
        self._by_name = {verb.name: verb for verb in self._verbs}
        self._words_from = base
        self._words = tuple(dict.fromkeys(self._choice_words()))
        self._word_numbers = {text: base + place for place, text in enumerate(self._words)}
        self._outcomes = tuple(dict.fromkeys(self._chance_words()))
        self._outcome_numbers = {text: place for place, text in enumerate(self._outcomes)}
        self.choices = base + len(self._words)
        self.chances = len(self._outcomes)

    # ---- there and back

    def of_choice(self, node: Choice, move: Move) -> int:
        if node.what in ("an action", "a reaction") and move.data is not None:
            verb, args = move.data
            return self._by_name[verb].number(args)
        return _found(self._word_numbers, move.text)

    def of_chance(self, move: Move) -> int:
        return _found(self._outcome_numbers, move.text)

    def choice_text(self, number: int, player: int) -> str:
        """In the words of the game, as the choice of a player."""
        if not 0 <= number < self.choices:
            raise ValueError(f"there is no action {number}: they go from 0 to {self.choices - 1}")
        if number >= self._words_from:
            return self._words[number - self._words_from]
        verb = self._verbs[bisect_right(self._bases, number) - 1]
        return self._machine.show_move(verb.name, verb.args(number, player))

    def chance_text(self, number: int) -> str:
        if not 0 <= number < self.chances:
            raise ValueError(f"there is no outcome {number}: they go from 0 to {self.chances - 1}")
        return self._outcomes[number]

    # ---- what there is to number

    def _verb(self, name: str, base: int) -> _Verb:
        symbol = self._machine.verbs[name]
        players = KindT(self._machine.checked.players or "")
        by = next(
            (i for i, param in enumerate(symbol.params) if param.label == "by" and symbol.types[i] == players), None
        )
        parts = tuple(i for i in range(len(symbol.params)) if i != by)
        domains = tuple(self._machine.world.domain(symbol.types[i]) for i in parts)
        size = 1
        for domain in domains:
            size *= len(domain)
        return _Verb(name, base, size, by, parts, domains)

    def _choice_words(self) -> Iterator[str]:
        for node in nodes_of(self._machine.checked.book.declarations):
            match node:
                case m.Takes(up_to=up_to, count=count) if up_to or count is None:
                    yield "stop"
                case m.Offer(modal="may") | m.Window():
                    yield "decline"
                case m.Chooses(actor=actor) if not self._is_chance(actor):
                    yield from self._values(node)
                case m.Decides(actor=actor, options=options) if not self._is_chance(actor):
                    yield from (option.text for option in options)
                case m.Passage(options=options):
                    yield from (option.text for option in options)
                case _:
                    pass

        yield from self._order_words()

    def _order_words(self) -> Iterator[str]:
        """What can be asked to happen first: rules of which several can wait for the same event."""
        waiting: dict[tuple[str, object], Counter[str]] = {}
        for rule in nodes_of(self._machine.checked.book.declarations):
            if not isinstance(rule, m.Rule):
                continue
            sources = self._sources(rule)
            for norm in nodes_of(rule):
                if isinstance(norm, m.EventNorm) and norm.timing != "instead of":
                    event, sides = self._event(norm.event)
                    found = waiting.setdefault((norm.timing, event), Counter())
                    found[rule.name.text] += sources * sides
        for rules in waiting.values():
            if rules.total() > 1:
                for name, times in rules.items():
                    yield f"first {name}"
                    yield from (f"first {name} ({time})" for time in range(1, times + 1) if times > 1)

    def _event(self, event: m.Event) -> tuple[object, int]:
        """What happens at once with an event, and on how many sides of it a rule can stand.

        A thing that leaves one pile enters another, and counters that leave one place come to another.
        """
        key = self._machine.key_of(event)
        if key[0] == "transfer":
            return "transfer", 1
        if key[0] == "change" and self._machine.world.slots[key[1]].symbol.role == "place":
            return "counters", 2
        return key, 1

    def _sources(self, rule: m.Rule) -> int:
        """A rule that comes from a thing applies once for each thing that its source can be."""
        sizes = [1]
        for clauses in nodes_of(rule):
            if isinstance(clauses, m.Clauses) and clauses.source is not None:
                symbol = self._machine.variables.get(clauses.source.text)
                if isinstance(symbol, VariableSymbol):
                    sizes.append(len(self._machine.world.domain(symbol.type)))
        return max(sizes)

    def _chance_words(self) -> Iterator[str]:
        world = self._machine.world
        for slot in world.slots.values():
            if any(word.text == "shuffled" for word in slot.node.modifiers):
                yield from self._things_in(slot.symbol)
        for node in nodes_of(self._machine.checked.book.declarations):
            match node:
                case m.Shuffle(pile=pile, into=into):
                    yield from self._things_in(self._machine.checked.symbol_of(into or pile))
                case m.Roll(die=die) | m.RollRows(die=die):
                    symbol = self._machine.checked.symbol_of(die)
                    assert isinstance(symbol, DieSymbol)
                    yield from map(str, world.domain(symbol.type))
                case m.Chooses(actor=actor) if self._is_chance(actor):
                    yield from self._values(node)
                case m.Decides(actor=actor, options=options) if self._is_chance(actor):
                    yield from (option.text for option in options)
                case _:
                    pass

    def _is_chance(self, actor: m.Ref) -> bool:
        return self._machine.checked.symbol_of(actor) == BuiltinSymbol("chance")

    def _values(self, node: m.Chooses) -> Iterator[str]:
        symbol = self._machine.variables[node.variable.text]
        assert isinstance(symbol, VariableSymbol)
        world = self._machine.world
        yield from (world.show(value, symbol.type) for value in world.domain(symbol.type))
        if node.or_none:
            yield "none"

    def _things_in(self, symbol: object) -> tuple[str, ...]:
        assert isinstance(symbol, SlotSymbol)
        assert isinstance(symbol.type, PileT | OrderT)
        return self._machine.world.things[symbol.type.kind]


def _found(numbers: dict[str, int], text: str) -> int:
    if text not in numbers:
        raise InternalError(f"no number for `{text}`")
    return numbers[text]
