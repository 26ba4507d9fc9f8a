"""Events as terms: something that happens with parts that can be anything, and when the pattern of a rule fits it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, assert_never

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.machine.restated import Shape, Shapes
from rules.symbols import SlotSymbol
from rules.types import EnumT, KindT, MaybeT, NumberT, PileT, TruthT, without_none
from solver.encode.judging import Applying
from solver.encode.legality import Encoder
from solver.encode.sym import Sym, alike
from solver.terms import Flag, both, either, every, less, minus, no, some


@dataclass(frozen=True, slots=True)
class AnyEvent:
    """An event of one sort. `facts` holds of all that can happen in this way; `words` tells what it is."""

    key: tuple[Any, ...]
    word: str
    words: str
    args: tuple[Sym, ...]
    old: Sym
    new: Sym
    amount: Sym
    facts: Flag = True


_NO = Sym(0, True)


class Events:
    """The events of one sort of a book, and which of its norms react to them."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.machine = encoder.machine

    def of_key(self, key: tuple[Any, ...]) -> Iterator[AnyEvent]:
        """Everything that can happen under a key of `machine.reactions`."""
        match key[0]:
            case "phrase":
                args = self.encoder.parts(key[1])
                yield AnyEvent(key, "", key[1], args, _NO, _NO, _NO)
            case "moment":
                for word in ("begins", "ends"):
                    yield AnyEvent(key, word, f"{key[1]} {word}", (self._owner(key[1]),), _NO, _NO, _NO)
            case "change":
                yield from self._changes(key)
            case "runs out" | "transfer":
                yield from self._of_pile(key)

    def _owner(self, moment: str) -> Sym:
        players = self.machine.checked.players
        return _NO if players is None else self.encoder.symbolic(("owner", moment), KindT(players))

    def _slot(self, key: tuple[Any, ...]) -> SlotSymbol:
        return self.machine.world.slots[key[1]].symbol

    def _changes(self, key: tuple[Any, ...]) -> Iterator[AnyEvent]:
        slot = self._slot(key)
        args = self._slot_args(slot)
        old = self.encoder.cell(key[1], args)
        type_ = slot.type
        if not isinstance(without_none(type_), NumberT | EnumT | KindT | TruthT):
            return
        new = self.encoder.symbolic(("new", slot.name), MaybeT(without_none(type_)))
        if not isinstance(type_, MaybeT):
            new = Sym(new.payload)
        other = no(alike(old, new))
        if not isinstance(without_none(type_), NumberT):
            yield AnyEvent(key, "becomes", f"{slot.name} changes", args, old, new, _NO, other)
            return
        grow = both(old.there, new.there)
        yield AnyEvent(
            key,
            "increases",
            f"{slot.name} increases",
            args,
            old,
            new,
            Sym(minus(new.payload, old.payload)),
            both(grow, less(old.payload, new.payload)),
        )
        yield AnyEvent(
            key,
            "decreases",
            f"{slot.name} decreases",
            args,
            old,
            new,
            Sym(minus(old.payload, new.payload)),
            both(grow, less(new.payload, old.payload)),
        )

    def _of_pile(self, key: tuple[Any, ...]) -> Iterator[AnyEvent]:
        slot = self._slot(key)
        args = self._slot_args(slot)
        if key[0] == "runs out":
            yield AnyEvent(key, "", f"{slot.name} runs out", args, _NO, _NO, _NO)
            return
        type_ = without_none(slot.type)
        assert isinstance(type_, PileT)
        thing = self.encoder.symbolic(("thing", slot.name), KindT(type_.kind))
        for word in ("enters", "leaves"):
            yield AnyEvent(key, word, f"something {word} {slot.name}", args, _NO, thing, _NO)

    def _slot_args(self, slot: SlotSymbol) -> tuple[Sym, ...]:
        return tuple(self.encoder.symbolic(("of", slot.name, place), type_) for place, type_ in enumerate(slot.params))

    # ---- what reacts

    def reacting(self, norm: RuleNorm, event: AnyEvent) -> list[Applying]:
        """When a norm reacts to an event."""
        body = norm.body
        assert isinstance(body, m.EventNorm | m.IgnoreNorm)
        pattern = body.event if isinstance(body, m.EventNorm) else body.what
        assert not isinstance(pattern, m.Name)
        found: list[Applying] = []
        for env in self.encoder.bindings(norm):
            when = both(event.facts, self.fits(pattern, event, env))
            if when is not False:
                with self.encoder.under(when):
                    when = both(when, self.encoder.applies(norm, env))
            if when is not False:
                found.append(Applying(norm, env, when))
        return found

    def all_reacting(self, norms: list[RuleNorm], event: AnyEvent) -> list[Applying]:
        """What reacts to an event under every reading and every version; that they differ is a trouble."""
        if not norms:
            return []

        def ask() -> tuple[list[Applying], list[Applying]]:
            found = [one for norm in norms if self.encoder.is_read(norm) for one in self.reacting(norm, event)]
            found = self._without_restated(found)
            return found, found

        def agree(one: list[Applying], other: list[Applying]) -> Flag:
            return both(self._covers(one, other), self._covers(other, one))

        return self.encoder.under_readings("what happens", norms, ask, agree)

    def _covers(self, one: list[Applying], other: list[Applying]) -> Flag:
        """That all that reacts on one side reacts on the other too."""
        return every(
            either(
                no(a.when),
                some(
                    both(b.when, same_instead(a, b, self.machine.shapes))
                    for b in other
                    if a.norm.manner == b.norm.manner
                ),
            )
            for a in one
        )

    def _without_restated(self, found: list[Applying]) -> list[Applying]:
        """Where a version in part reacts, what it restates does not, unless it does all that and perhaps more."""
        shapes = self.machine.shapes
        for version in self.machine.said_in_part(self.encoder.reads):
            ours = [one for one in found if one.norm.key in version.ours]
            theirs = [one for one in found if one.norm.key in version.theirs]
            if not ours:
                continue
            speaks = some(one.when for one in ours)
            agree = every(
                either(no(one.when), some(both(other.when, is_part(one, other, shapes)) for other in theirs))
                for one in ours
            )
            gone = {id(one): agree for one in ours} | {id(one): both(speaks, no(agree)) for one in theirs}
            found = [replace(one, when=both(one.when, no(gone.get(id(one), False)))) for one in found]
        return found

    def fits(self, pattern: m.Event, event: AnyEvent, env: dict[str, Sym]) -> Flag:
        """When a pattern fits an event; its variables are bound."""
        encoder = self.encoder
        match pattern:
            case m.PhraseEvent(phrase=phrase):
                return encoder.match_phrase(phrase, event.args, env)
            case m.ChangeEvent(subject=subject, change=change, amount=amount):
                fits = every([encoder.unify(a, v, env) for a, v in zip(subject.args, event.args, strict=True)])
                if change == "changes":
                    return fits
                if change == "becomes":
                    return fits if amount is None else both(fits, encoder.unify(amount, event.new, env))
                if change != event.word:
                    return False
                return fits if amount is None else both(fits, encoder.unify(amount, event.amount, env))
            case m.MomentEvent(moment=moment, edge=edge):
                if edge != event.word:
                    return False
                return every([encoder.unify(a, v, env) for a, v in zip(moment.args, event.args, strict=False)])
            case m.RunsOutEvent(pile=pile):
                return every([encoder.unify(a, v, env) for a, v in zip(pile.args, event.args, strict=True)])
            case m.TransferEvent(what=what, direction=direction, where=where):
                if direction != event.word:
                    return False
                fits = encoder.unify(what, event.new, env)
                return both(
                    fits, every([encoder.unify(a, v, env) for a, v in zip(where.args, event.args, strict=True)])
                )
            case _:
                assert_never(pattern)


def same_instead(one: Applying, other: Applying, shapes: Shapes) -> Flag:
    """When two norms do the same with an event, so that they do not disagree."""
    a, b = one.norm.body, other.norm.body
    if isinstance(a, m.IgnoreNorm) or isinstance(b, m.IgnoreNorm):
        return isinstance(a, m.IgnoreNorm) and isinstance(b, m.IgnoreNorm)
    assert isinstance(a, m.EventNorm)
    assert isinstance(b, m.EventNorm)
    return _alike(shapes.of(a.body), shapes.of(b.body), one, other)


def is_part(one: Applying, other: Applying, shapes: Shapes) -> Flag:
    """When all that the one does with an event is done by the other, in the same order."""
    a, b = one.norm.body, other.norm.body
    if not isinstance(a, m.EventNorm) or not isinstance(b, m.EventNorm):
        return same_instead(one, other, shapes)
    return either(same_instead(one, other, shapes), _part(a.body, b.body, one, other, shapes))


def _part(mine: m.Block, theirs: m.Block, one: Applying, other: Applying, shapes: Shapes) -> Flag:
    """When the statements of the one block stand in the other, in their order."""
    if not mine:
        return True
    return some(
        both(
            _alike(shapes.of(mine[0]), shapes.of(theirs[place]), one, other, by_name=True),
            _part(mine[1:], theirs[place + 1 :], one, other, shapes),
        )
        for place in range(len(theirs) - len(mine) + 1)
    )


def _alike(a: Shape, b: Shape, one: Applying, other: Applying, by_name: bool = False) -> Flag:
    """When two texts of one shape speak of the same things; `by_name`: what they choose themselves has one name."""
    if a.number != b.number:
        return False
    found: list[Flag] = []
    for x, y in zip(a.names, b.names, strict=True):
        if (x in one.env) != (y in other.env) or (by_name and x not in one.env and x != y):
            return False
        if x in one.env:
            found.append(alike(one.env[x], other.env[y]))
    return every(found)
