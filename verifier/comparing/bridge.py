"""From the variables of one book to those of another: the same piece of state by the same name.

What only one of them has stays a variable of its own. Where a number has other bounds in the two, only the states count
that both can be in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rules import model as m
from rules.walk import nodes_of
from solver.encode.space import Space
from solver.encode.sym import Bag, Group, Row
from solver.terms import Either, Flag, Term, at_most, both, equal, every, no, same, substitute, variables_of
from verifier.court import Court

Values = Mapping[Term, "bool | int"]
_ASKS = (m.Happened, m.TimesHappened)  # what is asked of the past


class Bridge:
    """Terms of `one` as terms of `other`; a bridge from a court to itself changes nothing."""

    def __init__(self, one: Court, other: Court) -> None:
        self.one = one
        self.other = other
        self._map: dict[Term, Either] = {}
        self._addresses = _addresses(other.space)
        self._asked, self._theirs = (
            {id(node): node for node in nodes_of(court.checked.book.declarations) if isinstance(node, _ASKS)}
            for court in (one, other)
        )

    def over(self, term: Flag) -> Flag:
        if self.one is self.other:
            return term
        for variable in variables_of(term):
            if variable not in self._map:
                self._map[variable] = self._translated(variable)
        found: Flag = substitute(term, self._map)
        return found

    def shared(self, terms: Iterable[Flag]) -> Flag:
        """That a state is one of both books: within the bounds of both, and as one of them keeps it where it never
        changes it."""
        if self.one is self.other:
            return True
        found: list[Flag] = []
        for variable in variables_of(*terms):
            new = self._map.get(variable, variable)
            if variable.op == "number":
                found.append(both(at_most(variable.low, new), at_most(new, variable.high)))
        return both(every(found), every(self._kept(terms)))

    def back(self, values: Values) -> dict[Term, bool | int]:
        """Values of the one's variables, from those of the other's."""
        if self.one is self.other:
            return dict(values)
        found = {variable: value for variable, value in values.items() if variable in self.one.space.probes}
        for variable, new in self._map.items():
            if isinstance(new, Term):
                if new in values:
                    found[variable] = values[new]
            else:
                found[variable] = new
        return found

    def _translated(self, variable: Term) -> Either:
        name = variable.args[0]
        match name:
            case ("cell" | "none" | "has" | "count" | "place" as sort, int(), tuple() as called, *item):
                address = self._addresses.get(called)
                return variable if address is None else _part(self.other.space, address, sort, item, variable)
            case ("asked", int() as key, int(), keys):
                return self._same_question(variable, key, keys)
            case _:
                return variable

    def _same_question(self, variable: Term, key: int, keys: object) -> Either:
        """What is asked of the past in the same words is the same question."""
        node = self._asked.get(key)
        for other in self.other.space.probes:
            theirs = other.args[0]
            if theirs[0] == "asked" and theirs[3] == keys and node is not None and node == self._theirs.get(theirs[1]):
                return other
        return variable

    def _kept(self, terms: Iterable[Flag]) -> Iterable[Flag]:
        """A cell that the one never changes is as it starts, where the terms ask about it in the other."""
        start = self.one.space.start
        mine = _addresses(self.one.space)
        for variable in variables_of(*terms):
            name = variable.args[0]
            if name[0] == "cell" and isinstance(name[1], int) and name[2] in mine:
                sym = self.one.space.cell(mine[name[2]])
                if not isinstance(sym.payload, Term) and start.cells[mine[name[2]]] is not None:
                    yield same(variable, sym.payload) if variable.is_flag else equal(variable, sym.payload)
            elif name[0] == "running" and name[1] not in ("game", "turn") and name[1] not in self.one.checked.moments:
                yield no(variable)


def _addresses(space: Space) -> dict[tuple[str, ...], int]:
    """Where each piece of state lies, by its name and what it is of."""
    return {
        (slot.symbol.name, *space._named(slot, address)): address
        for slot in space.world.slots.values()
        for address in range(slot.base, slot.base + slot.count)
    }


def _part(space: Space, address: int, sort: str, item: list[Any], variable: Term) -> Either:
    """The same part of a cell in another space; the variable itself where the cell is of another sort there."""
    sym = space.cell(address)
    found: object = None
    match sort, sym.payload:
        case "none", _:
            found = sym.none
        case "cell", payload if not isinstance(payload, Group | Bag | Row):
            found = payload
        case "has", Group(members=members):
            found = members.get(item[0])
        case "count", Bag(counts=counts):
            found = counts.get(item[0])
        case "place", Row(places=places):
            found = places.get(item[0])
        case _:
            pass
    if isinstance(found, Term):
        return found if found.is_flag == variable.is_flag else variable
    if isinstance(found, bool | int) and isinstance(found, bool) == variable.is_flag:
        return found
    return variable
