"""How much can be taken from a stock in one game, by counting how often each statement can be carried out.

Counted are loops that are done so many times, that go through the things of a kind, or that a counter ends; actions,
where players take a number of them; and what steps set off. Where anything else takes from the stock, there is no most.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules import model as m
from rules.machine import Machine
from rules.machine.world import Cells
from rules.symbols import SlotSymbol, VariableSymbol
from rules.types import NumberT
from rules.walk import nodes_of

_STORIES = "stories"
_LEAVES = (m.End, m.Return, m.Go, m.Ending)


def lasts(machine: Machine, slot: int) -> bool:
    """Whether what lies in a pile or a place of a pool at the start is enough for all that any game takes from it."""
    cells = machine.world.slots[slot]
    most = _Counting(machine, slot).most(machine.play)
    return most is not None and most <= _least(machine, cells)


def _least(machine: Machine, cells: Cells) -> int:
    held = machine.start().cells[cells.base : cells.base + cells.count]
    return min(len(one) if isinstance(one, tuple) else one for one in held)


class _Counting:
    def __init__(self, machine: Machine, slot: int) -> None:
        self.machine = machine
        self.checked = machine.checked
        self.slot = slot
        self.calls: list[str] = []
        self._acts: dict[str, int | None] = {}

    def most(self, block: m.Block) -> int | None:
        """The most that a block takes when it is carried out once; None where there is no most."""
        return _sum(self._statement(node) for node in block)

    def _statement(self, node: m.Statement) -> int | None:
        match node:
            case m.Simple(body=line):
                return self._simple(line)
            case m.Phase(name=name, body=body):
                return _sum([self.most(body), self._reactions(("moment", name.text))])
            case m.If(then=then, otherwise=otherwise):
                return _largest([self.most(then), self.most(otherwise)])
            case m.Each(variable=variable, body=body):
                return _times(self._things(variable.text), self.most(body))
            case m.Turns(body=body):
                return _times(None, _sum([self.most(body), self._reactions(("moment", "turn"))]))
            case m.Repeat(times=times, body=body):
                passes = [self._up_to(times) if times is not None else None, self._by_counter(node)]
                return _times(min((one for one in passes if one is not None), default=None), self.most(body))
            case m.RollRows(rows=rows):
                return _largest(self.most(row.body) for row in rows)
            case m.Decides(options=options):
                return _largest(self.most(option.body) for option in options)
            case m.After(body=body):
                return self.most(body)

    def _simple(self, node: m.SimpleBody) -> int | None:
        match node:
            case m.Draw(count=count, origin=origin, target=target):
                return _sum([self._taken(origin, self._up_to(count)), *self._moved(origin, target)])
            case m.Move(what=what, origin=origin, target=target):
                if origin is None:  # a thing from wherever it lies
                    return None if self._reacts() else 1
                amount = self._up_to(what) if isinstance(self.checked.type_of(what), NumberT) else 1
                return _sum([self._taken(origin, amount), *self._moved(origin, target)])
            case m.Pay(amount=amount, source=source, target=target):
                changed = (source,) if target is None else (source, target)
                return _sum([self._taken(source, self._up_to(amount)), *self._moved(*changed)])
            case m.Shuffle(pile=pile, into=into):
                return None if self._is_it(pile) and into is not None else _sum(self._moved(pile))
            case m.Becomes(target=target) | m.Shift(target=target):
                return None if self._is_it(target) else _sum(self._moved(target))
            case m.Roll(table=m.Name() as table) | m.Consult(table=table):
                return self._called(f"table {table.text}", *(row.body for row in self.machine.tables[table.text].rows))
            case m.Do(phrase=phrase):
                return self._carried_out(phrase.verb.text)
            case m.Takes(count=count):
                most = _largest(self._carried_out(verb) for verb in self.machine.actions)
                return _times(self._up_to(count) if count is not None else None, most)
            case m.Offer(phrases=phrases):
                return _largest(self._carried_out(phrase.verb.text) for phrase in phrases)
            case m.Window():
                return _times(None, _largest(self._carried_out(verb) for verb in self.machine.actions))
            case m.End(then=then):
                return self.most(then)
            case m.Go() | m.Read():
                return _times(None, self._passages())
            case _:
                return 0

    def _carried_out(self, verb: str) -> int | None:
        if verb not in self._acts:
            node = self.machine.actions.get(verb) or self.machine.procedures[verb]
            found = self._called(verb, node.body)
            reacts = [self._reactions((sort, verb)) for sort in ("phrase", "moment")]
            self._acts[verb] = _sum([found, *reacts])
        return self._acts[verb]

    def _called(self, name: str, *blocks: m.Block) -> int | None:
        """The most of some blocks, of which one is carried out; none where it can come to itself again."""
        if name in self.calls:
            return None
        self.calls.append(name)
        found = _largest(self.most(block) for block in blocks)
        self.calls.pop()
        return found

    def _passages(self) -> int | None:
        """Of all passages, as one leads to the other; what is found on the way there is not the whole."""
        if _STORIES in self.calls:
            return 0
        known, self._acts = self._acts, {}
        self.calls.append(_STORIES)
        found = _largest(
            _largest([self.most(passage.body), *(self.most(option.body) for option in passage.options)])
            for passage in self.machine.passages.values()
        )
        self.calls.pop()
        self._acts = known
        return found

    # ---- what is taken

    def _is_it(self, ref: m.Ref) -> bool:
        return id(self.checked.symbol_of(ref)) == self.slot

    def _taken(self, origin: m.Ref, amount: int | None) -> int | None:
        return amount if self._is_it(origin) else 0

    def _moved(self, *refs: m.Ref) -> list[int | None]:
        """What is taken when something is changed, by rules that wait for that."""
        keys = [("change", id(self.checked.symbol_of(ref))) for ref in refs]
        things = [key for key in self.machine.reactions if key[0] in ("runs out", "transfer")]
        return [self._reactions(key) for key in (*keys, *things)]

    def _reacts(self) -> bool:
        return any(self._reactions(key) != 0 for key in self.machine.reactions)

    def _reactions(self, key: tuple[object, ...]) -> int | None:
        """One happening can let a rule wait for several things: what takes anything then has no most."""
        norms = [norm for norm in self.machine.reactions.get(key, ()) if isinstance(norm.body, m.EventNorm)]
        name = f"reactions {key}"
        if not norms:
            return 0
        if name in self.calls:
            return None
        self.calls.append(name)
        found = [self.most(norm.body.body) for norm in norms if isinstance(norm.body, m.EventNorm)]
        self.calls.pop()
        waiting = all(len(self.machine.bindings(norm)) <= 1 for norm in norms)
        total = _sum(found)
        if key[0] == "moment" and waiting:
            return None if total is None else 2 * total  # when it begins, and when it ends
        return total if waiting else _times(None, total)

    # ---- how often

    def _things(self, variable: str) -> int | None:
        symbol = self.machine.variables.get(variable)
        return len(self.machine.world.domain(symbol.type)) if isinstance(symbol, VariableSymbol) else None

    def _up_to(self, expr: m.Expr) -> int | None:
        if isinstance(expr, m.Number):
            return expr.value
        type_ = self.checked.type_of(expr)
        return max(type_.high, 0) if isinstance(type_, NumberT) else None

    def _by_counter(self, node: m.Repeat) -> int | None:
        """How often a loop can go round that counts up or down until a number is reached, if nothing else changes it.

        A number that leaves its range ends the game: so there is a most even where the loop is come to again.
        """
        found: int | None = None
        for shift in self._always_done(node.body):
            symbol = self.checked.symbol_of(shift.target)
            if not isinstance(shift.amount, m.Number) or shift.amount.value < 1 or shift.target.args:
                continue
            if self._leaves_early(node.body) or not self._only_there(symbol, shift):
                continue
            assert isinstance(symbol, SlotSymbol)
            cells = self.machine.world.slots[id(symbol)]
            start, step = self.machine.start().cells[cells.base], shift.amount.value
            if not isinstance(symbol.type, NumberT):
                continue
            up = shift.direction == "increases"
            room = symbol.type.high - start if up else start - symbol.type.low
            passes = room // step + 1
            aim = self._aim(node.until, symbol)
            if aim is not None and self._is_once(node):
                away = aim - start if up else start - aim
                if away > 0 and away % step == 0:
                    passes = min(passes, away // step)
            found = passes if found is None else min(found, passes)
        return found

    def _always_done(self, block: m.Block) -> Iterable[m.Shift]:
        for node in block:
            if isinstance(node, m.Simple) and isinstance(node.body, m.Shift):
                yield node.body
            elif isinstance(node, m.Phase) and all(
                isinstance(norm.body, m.EventNorm) and norm.body.timing == "when"
                for norm in self.machine.reactions.get(("moment", node.name.text), ())
            ):
                yield from self._always_done(node.body)

    def _leaves_early(self, block: m.Block) -> bool:
        """Whether a pass of the loop might not come to its end: where anything in the book ends something early."""
        others = [d for d in self.checked.book.declarations if not isinstance(d, m.Play)]
        stories = tuple(d for d in others if isinstance(d, m.Passage))
        rest = (block, *(d for d in others if not isinstance(d, m.Passage)))
        return any(isinstance(node, _LEAVES) for node in nodes_of(rest)) or any(
            isinstance(node, m.End) for node in nodes_of(stories)
        )

    def _only_there(self, symbol: object, shift: m.Shift) -> bool:
        if ("change", id(symbol)) in self.machine.reactions:
            return False
        for node in nodes_of(self.checked.book.declarations):
            changes = isinstance(node, m.Becomes | m.Shift) and self.checked.symbol_of(node.target) is symbol
            pays = isinstance(node, m.Pay) and self.checked.symbol_of(node.source) is symbol
            if (changes or pays) and node is not shift:
                return False
        return True

    def _aim(self, until: m.Expr | None, symbol: object) -> int | None:
        match until:
            case m.Is(left=m.Ref() as left, right=m.Number(value=value), negated=False):
                return value if self.checked.symbol_of(left) is symbol else None
            case _:
                return None

    def _is_once(self, node: m.Repeat) -> bool:
        """Whether a loop stands in `play` itself, in nothing that is repeated."""
        waiting = list(self.machine.play)
        while waiting:
            one = waiting.pop()
            if one is node:
                return True
            if isinstance(one, m.Phase):
                waiting.extend(one.body)
        return False


def _sum(parts: Iterable[int | None]) -> int | None:
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _largest(parts: Iterable[int | None]) -> int | None:
    found = 0
    for part in parts:
        if part is None:
            return None
        found = max(found, part)
    return found


def _times(times: int | None, each: int | None) -> int | None:
    if each == 0 or times == 0:
        return 0
    return None if times is None or each is None else times * each
