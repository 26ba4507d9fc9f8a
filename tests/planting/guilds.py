"""Guilds whose rules allow, forbid, demand and make exceptions, each with state of its own.

Each template gives a `Group`: two or three actions, six to eight rules, no rule without use. Exceptions are settled in
all the ways that a book has: by an override, by authority, as the more specific rule, by `even if`, as a hindrance.
"""

from __future__ import annotations

from tests.planting.parts import Action, Group, Modal, Rank, Row, Rule, Says, Table, Trigger, Value
from tests.planting.setting import COINS, Setting


def craft(s: Setting, phase: str) -> Group:
    """A craft with a tool: a list of ports, a hindrance, a card against it."""
    verb = s.word("craft")
    ware, tool, buy = f"{verb}_wares", f"{verb}_tool", f"buy_{verb}_tool"
    most, bad = s.number(2, 3), s.pick("rough", "storm")
    ports = ", ".join((s.home, s.bay, s.far))
    allowed = Modal("may", verb, (f"{ware} of p < {most}", f"ship of p is in {{{ports}}}"))
    forbidden = Modal("cannot", verb, (f"weather is {bad}",))
    rules = (
        Rule(f"{verb}_allowed", s.cite("book"), allowed, open=True),
        Rule(f"{verb}_weather", s.cite("book"), forbidden, among="hindrances"),
        Rule(
            f"{verb}_indoors",
            s.cite("card"),
            Modal("may", verb, (f"weather is {bad}", f"{tool} of p", f"{ware} of p < {most}")),
            exception=True,
        ),
        Rule(f"{verb}_summary", s.cite("sheet"), allowed, restates=f"{verb}_allowed"),
        Rule(f"{verb}_weather_summary", s.cite("sheet"), forbidden, restates=f"{verb}_weather"),
        Rule(f"{buy}_allowed", s.cite("book"), Modal("may", buy, (f"{ware} of p >= 1", f"not {tool} of p"))),
        Rule(
            f"{buy}_weather",
            s.cite("book"),
            Modal("cannot", buy, ("weather is calm",)),
            overrides=(f"{buy}_allowed",),
        ),
        Rule(
            f"{ware}_spoil",
            s.cite("book"),
            Trigger(
                f"{verb} by p",
                (f"{ware} of p becomes 1",),
                (f"{ware} of p is {most}", f"not {tool} of p"),
                rival=(f"{ware} of p becomes 0",),
            ),
        ),
    )
    return Group(
        verb,
        "craft",
        attributes=(f"{ware} 0..{most}", f"{tool} yes/no"),
        actions=(
            Action(f"{verb} by p", phase, s.cite("book"), (f"{ware} of p increases by 1",)),
            Action(f"{buy} by p", phase, s.cite("book"), (f"{tool} of p becomes yes",)),
        ),
        rules=rules,
        apart=((f"{verb}_indoors", f"{buy}_weather"), (f"{buy}_allowed", f"{verb}_weather")),
    )


def market(s: Setting, phase: str) -> Group:
    """Wares for a fee that depends on the weather; a card that waives it, a surcharge, a sale once in a phase."""
    good = s.word("market")
    buy, sell, earn = f"buy_{good}", f"sell_{good}", f"earn_{good}_seal"
    held, seal, fee = f"{good}_held", f"{good}_seal", f"{good}_fee"
    late = s.number(2, 3)
    selling = Modal("may", sell, (f"{held} of p >= 1", f"coins of p <= {COINS - 2}"), times=f"once per {phase}")
    rules = (
        Rule(f"{buy}_allowed", s.cite("book"), Modal("may", buy, (f"{held} of p < 2",)), open=True),
        Rule(
            f"{buy}_closed",
            s.cite("book"),
            Modal("cannot", buy, ("weather is rough", f"ship of p is {s.bay}")),
            among="hindrances",
        ),
        Rule(f"{sell}_allowed", s.cite("book"), selling, open=True),
        Rule(f"{sell}_summary", s.cite("sheet"), selling, restates=f"{sell}_allowed"),
        Rule(f"{seal}_waives", s.cite("card"), Says("0", (f"{seal} of p",), f"{fee} of p")),
        Rule(f"{fee}_late", s.cite("book"), Says("1", (f"day > {late}",), f"{fee} of p", op="plus")),
        Rule(f"{earn}_allowed", s.cite("book"), Modal("may", earn, (f"{held} of p >= 1", f"not {seal} of p"))),
    )
    return Group(
        good,
        "market",
        attributes=(f"{held} 0..2", f"{seal} yes/no"),
        actions=(
            Action(
                f"{buy} by p", phase, s.cite("book"), (f"pay {fee} of p from coins of p", f"{held} of p increases by 1")
            ),
            Action(f"{sell} by p", phase, s.cite("book"), (f"{held} of p decreases by 1", "coins of p increases by 2")),
            Action(f"{earn} by p", phase, s.cite("book"), (f"{seal} of p becomes yes",)),
        ),
        values=(
            Value(
                fee,
                "0..4",
                s.cite("book"),
                (
                    Says("1", ("weather is calm",)),
                    Says("2", ("weather is rough",)),
                    Says("3", ("weather is storm",)),
                ),
            ),
        ),
        rules=rules,
        apart=((f"{sell}_allowed", f"{buy}_closed"), (f"{earn}_allowed", f"{buy}_closed")),
    )


def catch(s: Setting, phase: str) -> Group:
    """Dice and two tables, one of them restated; a card that lets the same be done twice."""
    fish = s.word("catch")
    take, salt = f"take_{fish}", f"salt_{fish}"
    caught, haul, mishap = f"{fish}_caught", f"{fish}_haul", f"{fish}_mishap"
    split = s.number(2, 3)
    rows = (Row(1, split, "gives 0"), Row(split + 1, 4, "gives 1"), Row(5, 6, "gives 2"))
    taking = Modal("may", take, (f"{caught} of p < 3",), times=f"once per {phase}")
    rules = (
        Rule(f"{take}_allowed", s.cite("book"), taking, open=True),
        Rule(
            f"{take}_danger",
            s.cite("book"),
            Modal("cannot", take, ("weather is rough", f"ship of p is {s.reef}")),
            among="hindrances",
        ),
        Rule(
            f"{take}_twice",
            s.cite("card"),
            Modal("may", take, (f"{caught} of p < 3", "weather is calm"), times=f"up to 2 times per {phase}"),
            exception=True,
        ),
        Rule(f"{take}_summary", s.cite("sheet"), taking, restates=f"{take}_allowed"),
        Rule(f"{salt}_allowed", s.cite("book"), Modal("may", salt, (f"{caught} of p >= 2",))),
        Rule(
            f"{salt}_weather",
            s.cite("book"),
            Modal("cannot", salt, ("weather is storm",)),
            overrides=(f"{salt}_allowed",),
        ),
        Rule(
            f"{salt}_paid",
            s.cite("book"),
            Trigger(
                f"{salt} by p",
                ("coins of p increases by 1",),
                (f"{caught} of p <= 1", f"coins of p < {COINS}"),
                rival=("coins of p becomes 1",),
            ),
        ),
    )
    return Group(
        fish,
        "catch",
        attributes=(f"{caught} 0..4",),
        actions=(
            Action(f"{take} by p", phase, s.cite("book"), ("roll d6 as n", f"{caught} of p increases by {haul} of n")),
            Action(f"{salt} by p", phase, s.cite("book"), (f"{caught} of p decreases by 2", f"roll d6 on {mishap}")),
        ),
        tables=(
            Table(haul, s.cite("book"), rows),
            Table(f"{haul}_summary", s.cite("sheet"), rows, restates=haul),
            Table(
                mishap,
                s.cite("book"),
                (Row(1, 4, "nothing"), Row(5, 6, f"{caught} of p becomes 0")),
                speaks_of="p",
            ),
        ),
        rules=rules,
        apart=((f"{take}_twice", f"{take}_danger"), (f"{salt}_allowed", f"{take}_danger")),
    )


def contest(s: Setting, phase: str) -> Group:
    """A contest that is ranked when the phase ends; the exception is the more specific rule."""
    game = s.word("contest")
    train = f"train_to_{game}"
    points, strain, best = f"{game}_points", f"{game}_strain", f"best_at_{game}"
    most = s.number(2, 3)
    training = Modal("may", train, (f"{strain} of p < 3",))
    hindered = ("weather is rough", f"{strain} of p < 2")
    rules = (
        Rule(f"{game}_allowed", s.cite("book"), Modal("may", game, (f"{points} of p < {most}",)), open=True),
        Rule(f"{game}_weather", s.cite("book"), Modal("cannot", game, hindered), among="hindrances"),
        Rule(
            f"{game}_veteran",
            s.cite("book"),
            Modal("may", game, (*hindered, "fame of p >= 1", f"{points} of p < {most}")),
            exception=True,
        ),
        Rule(f"{train}_allowed", s.cite("book"), training, open=True),
        Rule(f"{train}_summary", s.cite("sheet"), training, restates=f"{train}_allowed"),
        Rule(
            f"{game}_prize",
            s.cite("book"),
            Trigger(
                f"{phase} ends",
                (
                    f"each p where place of (p, {best}) is 1",
                    f"    {strain} of p becomes 0",
                    f"    if coins of p < {COINS}",
                    "        coins of p increases by 1",
                ),
            ),
        ),
    )
    return Group(
        game,
        "contest",
        attributes=(f"{points} 0..{most}", f"{strain} 0..3"),
        actions=(
            Action(f"{game} by p", phase, s.cite("book"), (f"{points} of p increases by 1",)),
            Action(f"{train} by p", phase, s.cite("book"), (f"{strain} of p increases by 1",)),
        ),
        ranks=(
            Rank(
                best,
                s.cite("book"),
                (f"most {points} of p", f"fewest {strain} of p", "first in seating"),
                f"{points} of p > 0",
            ),
        ),
        rules=rules,
        apart=((f"{train}_allowed", f"{game}_weather"),),
    )
