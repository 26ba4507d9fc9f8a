"""Guilds of events, places and components: triggers, replacements, duties, steps, pools and decks."""

from __future__ import annotations

from tests.planting.parts import Action, Group, Modal, Rule, Step, Trigger
from tests.planting.setting import Setting


def feast(s: Setting, phase: str) -> Group:
    """Triggers: some commute, two do not and are ordered by the book; a card replaces an event."""
    dish = s.word("feast")
    cook, taste, pot, zest = f"cook_{dish}", f"taste_{dish}", f"{dish}_pot", f"{dish}_zest"
    tasting = Modal("may", taste, (f"{zest} of p < 2", f"{pot} of p >= 1"))
    rules = (
        Rule(f"{cook}_allowed", s.cite("book"), Modal("may", cook, (f"{pot} of p < 3",)), open=True),
        Rule(
            f"{pot}_served",
            s.cite("book"),
            Trigger(f"{pot} of p becomes 3", (f"{pot} of p becomes 0",), rival=(f"{pot} of p becomes 1",)),
        ),
        Rule(f"{taste}_allowed", s.cite("book"), tasting, open=True),
        Rule(f"{taste}_summary", s.cite("sheet"), tasting, restates=f"{taste}_allowed"),
        Rule(
            f"{zest}_spent",
            s.cite("book"),
            Trigger(f"{taste} by p", (f"{zest} of p becomes 0",), (f"{zest} of p is 2", "weather is rough")),
            among="feasts",
        ),
        Rule(
            f"{zest}_shared",
            s.cite("book"),
            Trigger(f"{taste} by p", (f"{zest} of p decreases by 1",), (f"{zest} of p is 2", "weather is not calm")),
            among="feasts",
        ),
        Rule(
            f"{pot}_spilt",
            s.cite("card"),
            Trigger(
                f"{pot} of p increases by n",
                (f"{zest} of p becomes 1",),
                ("weather is storm",),
                timing="instead of",
                rival=(f"{zest} of p becomes 0",),
            ),
        ),
    )
    return Group(
        dish,
        "feast",
        attributes=(f"{pot} 0..3", f"{zest} 0..2"),
        actions=(
            Action(f"{cook} by p", phase, s.cite("book"), (f"{pot} of p increases by 1",)),
            Action(f"{taste} by p", phase, s.cite("book"), (f"{zest} of p increases by 1",)),
        ),
        rules=rules,
        apart=((f"{taste}_allowed", f"{cook}_allowed"),),
    )


def watch(s: Setting, phase: str) -> Group:
    """Going from port to port: a duty, an exception by `even if`, a prohibition on a card."""
    verb = s.word("watch")
    post, lamp, light = f"{verb}_post", f"{verb}_lamp", f"light_{verb}_lamp"
    late = s.number(1, 2)
    going = Modal("may", f"{verb} to q", (f"q is next to {post} of p",))
    rules = (
        Rule(f"{verb}_allowed", s.cite("book"), going, open=True),
        Rule(f"{verb}_weather", s.cite("book"), Modal("cannot", verb, ("weather is storm",)), among="hindrances"),
        Rule(
            f"{verb}_by_lamp",
            s.cite("book"),
            Modal(
                "may",
                f"{verb} to q",
                (f"q is next to {post} of p", f"{lamp} of p"),
                even_if=("weather is storm",),
            ),
            exception=True,
        ),
        Rule(f"{verb}_reef", s.cite("card"), Modal("cannot", f"{verb} to {s.reef}", unless=(f"{lamp} of p",))),
        Rule(
            f"{verb}_recalled",
            s.cite("book"),
            Modal(
                "must",
                f"{verb} to {s.home}",
                (f"{post} of p is {s.far}", f"day > {late}", "weather is not storm"),
                times=f"once per {phase}",
            ),
        ),
        Rule(f"{light}_allowed", s.cite("book"), Modal("may", light, (f"not {lamp} of p", "weather is not calm"))),
        Rule(f"{verb}_summary", s.cite("sheet"), going, restates=f"{verb}_allowed"),
        Rule(
            f"{lamp}_out",
            s.cite("book"),
            Trigger(
                f"{verb} by p to {s.reef}",
                (f"{lamp} of p becomes no",),
                rival=(f"if {lamp} of p", f"    {post} of p becomes {s.bay}"),
            ),
        ),
    )
    return Group(
        verb,
        "watch",
        attributes=(f"{post} Port starts {s.home}", f"{lamp} yes/no"),
        actions=(
            Action(f"{verb} by p to q", phase, s.cite("book"), (f"{post} of p becomes q",)),
            Action(f"{light} by p", phase, s.cite("book"), (f"{lamp} of p becomes yes",)),
        ),
        rules=rules,
        apart=((f"{light}_allowed", f"{verb}_weather"),),
    )


def works(s: Setting, _: str) -> Group:
    """A building that is raised each day in a phase of its own, until it stands: somebody can always go on."""
    place = s.word("works")
    haul, shore = f"haul_to_{place}", f"shore_up_{place}"
    height, stones, load = f"{place}_height", f"{place}_stones", f"{place}_load"
    survey, toll, raising, clearing = (f"{place}_{word}" for word in ("survey", "toll", "raising", "clearing"))
    unfinished = f"{height} < 3"
    hauling = Modal("may", haul, (unfinished, "weather is not storm"))
    in_storm = s.number(1, 2)
    rules = (
        Rule(f"{haul}_allowed", s.cite("book"), hauling),
        Rule(f"{shore}_allowed", s.cite("book"), Modal("may", shore, (unfinished, "weather is storm"))),
        Rule(f"{haul}_summary", s.cite("sheet"), hauling, restates=f"{haul}_allowed"),
        Rule(
            f"{shore}_timber",
            s.cite("card"),
            Modal("may", shore, (unfinished, "weather is rough", f"{stones} of p < 2")),
            exception=True,
        ),
        Rule(
            f"{stones}_found",
            s.cite("book"),
            Trigger(
                f"{haul} by p",
                (f"{stones} of p increases by 1",),
                (f"{stones} of p < 2",),
                rival=(f"{stones} of p becomes 0",),
            ),
        ),
        Rule(
            f"{stones}_lost",
            s.cite("book"),
            Trigger(
                f"{shore} by p",
                (f"{stones} of p becomes 1",),
                (f"{stones} of p is 2",),
                rival=(f"{stones} of p becomes 0",),
            ),
        ),
    )
    return Group(
        place,
        "works",
        attributes=(f"{stones} 0..2",),
        state=(f"{height} 0..3", f"{load} Load or none"),
        actions=(
            Action(f"{haul} by p", raising, s.cite("book"), (f"{height} increases by 1",)),
            Action(f"{shore} by p", raising, s.cite("book"), (f"{height} increases by 1",)),
        ),
        rules=rules,
        steps=(
            Step(
                survey,
                (
                    "if weather is storm",
                    f"    {load} becomes {in_storm}",
                    "otherwise",
                    f"    {load} becomes {3 - in_storm}",
                ),
            ),
            Step(toll, (f"each p where {stones} of p < {load}", f"    {stones} of p becomes 0")),
            Step(
                raising,
                (f"{height} becomes 0", f"turns of p by seating until {height} is 3", "    p takes 1 action"),
            ),
            Step(clearing, (f"{load} becomes none",)),
        ),
        apart=((f"{shore}_timber", f"{haul}_allowed"),),
    )


def stores(s: Setting, phase: str) -> Group:
    """Counters of a pool that are hired, or cards of a deck: either can run out, and the book says what then."""
    return _pool(s, phase) if s.number(0, 1) else _deck(s, phase)


def _pool(s: Setting, phase: str) -> Group:
    kind = s.word("stores")
    hire, dismiss, bench, hired = f"hire_{kind}", f"dismiss_{kind}", f"{kind}_bench", f"{kind}_hired"
    bad = s.pick("rough", "storm")
    hiring = Modal("may", hire, (f"{hired} of p < 2",))
    rules = (
        Rule(f"{hire}_allowed", s.cite("book"), hiring, open=True),
        Rule(f"{hire}_strike", s.cite("book"), Modal("cannot", hire, (f"weather is {bad}",)), among="hindrances"),
        Rule(
            f"{hire}_friends",
            s.cite("book"),
            Modal("may", hire, ("fame of p >= 1", f"{hired} of p < 2")),
            overrides=(f"{hire}_strike",),
            exception=True,
        ),
        Rule(f"{hire}_summary", s.cite("sheet"), hiring, restates=f"{hire}_allowed"),
        Rule(
            f"{dismiss}_allowed",
            s.cite("book"),
            Modal("may", dismiss, (f"{hired} of p >= 1", "weather is not calm")),
            open=True,
        ),
        Rule(
            f"{bench}_empty",
            s.cite("book"),
            Trigger(
                f"{bench} runs out",
                (f"each p where {hired} of p >= 2", f"    move 1 from {hired} of p to {bench}"),
            ),
        ),
    )
    return Group(
        kind,
        "stores",
        things=((f"pool {kind}_crew 3", f"    {bench} starts rest", f"    {hired} of Player"),),
        actions=(
            Action(f"{hire} by p", phase, s.cite("book"), (f"move 1 from {bench} to {hired} of p",)),
            Action(f"{dismiss} by p", phase, s.cite("book"), (f"move 1 from {hired} of p to {bench}",)),
        ),
        rules=rules,
        apart=((f"{dismiss}_allowed", f"{hire}_strike"),),
    )


def _deck(s: Setting, phase: str) -> Group:
    kind = s.word("stores")
    ask, calm_down = f"ask_{kind}", f"soothe_{kind}"
    card, deck, past, debt = f"{kind}_card", f"{kind}_deck", f"{kind}_past", f"{kind}_debt"
    asking = Modal("may", ask, (f"{debt} of p < 2",), times=f"once per {phase}")
    rules = (
        Rule(f"{ask}_allowed", s.cite("book"), asking, open=True),
        Rule(
            f"{ask}_refused",
            s.cite("book"),
            Modal("cannot", ask, ("weather is storm", f"ship of p is {s.far}")),
            among="hindrances",
        ),
        Rule(
            f"{ask}_gift",
            s.cite("card"),
            Modal("may", ask, ("cargo of p", "weather is calm", f"{debt} of p < 2")),
            exception=True,
        ),
        Rule(f"{ask}_summary", s.cite("sheet"), asking, restates=f"{ask}_allowed"),
        Rule(f"{calm_down}_allowed", s.cite("book"), Modal("may", calm_down, (f"{debt} of p >= 1",)), open=True),
        Rule(f"{deck}_empty", s.cite("book"), Trigger(f"{deck} runs out", (f"shuffle {past} into {deck}",))),
    )
    return Group(
        kind,
        "stores",
        attributes=(f"{debt} 0..2",),
        things=(
            (f"kind {kind.title()}_Card named 2 {kind}_favour, {kind}_grudge",),
            (
                f"piles of {kind.title()}_Card",
                f"    {deck} starts {kind.title()}_Card shuffled closed",
                f"    {past} open",
            ),
            (f"let {card} be {kind.title()}_Card",),
        ),
        actions=(
            Action(
                f"{ask} by p",
                phase,
                s.cite("book"),
                (
                    f"draw 1 from {deck} to {past} as {card}",
                    f"if {card} is {kind}_grudge",
                    f"    {debt} of p increases by 1",
                ),
            ),
            Action(f"{calm_down} by p", phase, s.cite("book"), (f"{debt} of p decreases by 1",)),
        ),
        rules=rules,
        apart=((f"{calm_down}_allowed", f"{ask}_refused"),),
    )
