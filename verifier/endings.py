"""Endings as terms: when a rule says of a player that he wins or loses, or that nobody wins."""

from __future__ import annotations

from dataclasses import dataclass

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import VariableSymbol
from rules.types import KindT
from solver.encode.bound import Binder
from solver.encode.judging import Applying
from solver.encode.sym import Group, Sym
from solver.terms import both, equal, some
from verifier.court import Court


@dataclass(frozen=True, slots=True)
class Ending:
    """One norm: all the ways in which it can apply to `who`; of `nobody wins`, to nobody."""

    norm: RuleNorm
    applying: tuple[Applying, ...]

    @property
    def result(self) -> str:
        assert isinstance(self.norm.body, m.OutcomeNorm)
        return self.norm.body.outcome.result

    @property
    def of_nobody(self) -> bool:
        assert isinstance(self.norm.body, m.OutcomeNorm)
        return self.norm.body.outcome.player is None


def any_player(court: Court) -> Sym:
    players = court.checked.players
    assert players is not None
    return Binder(court.encoder).any("the player", KindT(players))


def ending_of(court: Court, norm: RuleNorm, who: Sym) -> Ending:
    """Raises `NotEncodable`."""
    assert isinstance(norm.body, m.OutcomeNorm)
    player = norm.body.outcome.player
    encoder = court.encoder
    found: list[Applying] = []
    with encoder.apart():
        for env in encoder.bindings(norm):
            if player is None:
                found.append(Applying(norm, env, encoder.applies(norm, env)))
                continue
            symbol = court.checked.symbol_of(player)
            if isinstance(symbol, VariableSymbol) and symbol.name not in env:
                inner = {**env, symbol.name: who}
                found.append(Applying(norm, inner, encoder.applies(norm, inner)))
                continue
            value = encoder.value(player, env)
            if isinstance(value.payload, Group):
                named = some(both(inside, equal(who.payload, key)) for key, inside in value.payload.members.items())
            else:
                named = equal(who.payload, value.payload)
            found.append(Applying(norm, env, both(value.there, named, encoder.applies(norm, env))))
    return Ending(norm, tuple(one for one in found if one.when is not False))
