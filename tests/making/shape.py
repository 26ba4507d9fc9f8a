"""What a random rulebook is made of: for each construct, how readily it is used, from 0 (never) to 1."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from tests.making.draws import Draws


@dataclass(frozen=True, slots=True)
class Shape:
    # things and state
    enums: float = 0
    negatives: float = 0
    places: float = 0  # a kind with names and a map, or a square grid
    relations: float = 0
    sets: float = 0
    bags: float = 0
    orders: float = 0
    piles: float = 0
    pools: float = 0
    heroes: float = 0  # things that act through a player
    nothing: float = 0  # state that can be none, and what is asked of it
    # play
    dice: float = 0
    tables: float = 0
    procedures: float = 0
    choices: float = 0  # chooses, decides, offers
    windows: float = 0
    breaks: float = 0  # end, after, even when ended
    stories: float = 0
    # rules
    values: float = 0
    ranks: float = 0
    limits: float = 0
    duties: float = 0
    precedence: float = 0
    frequencies: float = 0
    triggers: float = 0  # when
    before: float = 0  # when about to
    replacements: float = 0  # instead of, ignore
    switches: float = 0  # ignore rule, disable
    sources: float = 0
    readings: float = 0
    restatements: float = 0  # rules that say once more what another says, word for word or not quite
    endings: float = 0
    judging: float = 0  # questions, claims, scenarios, notes, outlines
    # How often a text does what the book does not make sure of: a number without a guard, a sum with what may be
    # nothing, a reaction that moves what is just being moved.
    daring: float = 0

    def mixed(self, draws: Draws) -> Shape:
        """A shape of the same sort in which some constructs are left out, and others are common."""
        changed = {
            field.name: value * draws.pick((0.0, 0.5, 1.0))
            for field in fields(self)
            if (value := getattr(self, field.name))
        }
        return replace(self, **changed)


_NUMBERS = Shape(enums=0.6, negatives=0.5)
_RULES = replace(_NUMBERS, duties=0.4, precedence=0.8, frequencies=0.4, endings=0.7, places=0.5)
_TRIGGERS = replace(_RULES, triggers=0.8, before=0.3, replacements=0.3, switches=0.4, procedures=0.4)

SHAPES: dict[str, Shape] = {
    "numbers": _NUMBERS,
    "rules": _RULES,
    "places": replace(_RULES, places=1, relations=0.6, sets=0.6, nothing=0.6),
    "values": replace(_RULES, values=1, ranks=0.6, orders=0.5, tables=0.5),
    "triggers": _TRIGGERS,
    "restated": replace(_TRIGGERS, values=0.8, readings=0.3, restatements=1, limits=0.2),
    "dice": replace(_RULES, dice=1, tables=0.8, choices=0.5),
    "piles": replace(_RULES, piles=1, choices=0.5, triggers=0.5, orders=0.4),
    "pools": replace(_RULES, pools=1, triggers=0.5, choices=0.3),
    "choices": replace(_RULES, choices=1, procedures=0.7, windows=0.6, orders=0.5, heroes=0.5),
    "breaks": replace(_TRIGGERS, breaks=0.9, procedures=0.9, windows=0.4),
    "stories": replace(_NUMBERS, stories=1, dice=0.5),
    "whole": Shape(**{field.name: 0.6 for field in fields(Shape) if field.name != "daring"}),
}
