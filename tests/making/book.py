"""A whole random book: `random_book(seed, shape)`.

The text parses and checks without an error, is the same for the same seed and shape, and can be played. Days are
counted, so that games come to an end.
"""

from __future__ import annotations

import random
from dataclasses import replace

from tests.making.draws import Draws
from tests.making.expressions import Scope
from tests.making.norms import Norms
from tests.making.shape import SHAPES, Shape
from tests.making.statements import Context, Lines, Verb, indented
from tests.making.world import Num, Slot, World, make_world

MOMENTS = ("game_day", "dawn", "deeds", "dusk")
POLICY = "house_rules"


def random_book(source: int | random.Random, shape: Shape = SHAPES["whole"], size: int = 3) -> str:
    """`size` is about how many actions there are, and how many reactions."""
    draws = Draws(source)
    world = make_world(draws, shape.mixed(draws))
    return _Book(world, size).text()


class _Book:
    def __init__(self, world: World, size: int) -> None:
        self.world = world
        self.draws = world.draws
        self.shape = world.shape
        self.size = size
        self.limited = self.draws.share(self.shape.limits)
        # A limit is tried out on every action that is offered; an action that offers actions would lead in a circle.
        self.nested = not self.limited or self.draws.share(self.shape.daring)
        self.windows = ("reaction",) if self.nested and self.draws.share(self.shape.windows) else ()
        self.actions = self._actions()
        self.procedures = self._procedures()
        self.norms = Norms(world, self.actions, self.procedures, MOMENTS)
        self.scope = Scope(moments=(*MOMENTS, "turn", "game"), verbs=tuple(v.name for v in self.actions))

    # ---- verbs

    def _parts(self, most: int) -> tuple[tuple[str, str], ...]:
        parts = [("against", "other"), ("using", "n"), ("with", "m")]
        for kind, label, name in (("Place", "to", "q"), ("Card", "", "c"), ("Weather", "for", "w")):
            if kind in self.world.variables:
                parts.append((label, name))
        return tuple(self.draws.some(parts, 0, most))

    def _actions(self) -> tuple[Verb, ...]:
        names = ("sail", "trade", "fish", "draw", "sing", "roam", "mend")[: self.draws.between(2, 1 + self.size)]
        found = []
        for name in names:
            during = self.draws.pick(((), ("deeds",), ("turn",), ("deeds", *self.windows)))
            actor = ("by", "h") if "Hero" in self.world.things and self.draws.share(0.3) else ("by", "p")
            found.append(Verb(name, (actor, *self._parts(2)), during))
        if self.windows:
            found.append(Verb("parry", (("by", "p"),), self.windows))
        return tuple(found)

    def _procedures(self) -> tuple[Verb, ...]:
        if not self.draws.share(self.shape.procedures):
            return ()
        names = ("battle", "harvest", "damage")[: self.draws.between(1, 3)]
        return tuple(Verb(name, (*self.draws.pick(((), (("by", "p"),))), *self._parts(1))) for name in names)

    # ---- all together

    def text(self) -> str:
        values, scope = self._values()
        self.scope = scope
        tables = self._table_names()
        stories = ("bell",) if self.draws.share(self.shape.stories) else ()
        self.norms.permissions(scope)
        if self.shape.values:
            for slot in scope.values:
                if isinstance(slot.type, Num) and slot.name.startswith("worth") and self.draws.share(0.4):
                    self.norms.value_rule(slot, self._upto(slot))
        context = Context(
            writes=self.norms.writable,
            procedures=self.procedures,
            tables=tuple(tables.items()),
            rules=tuple(self.norms.rules.names),
            actions=tuple(v for v in self.actions if ("by", "p") in v.parts) if self.nested else (),
            ends=(*MOMENTS, "turn", *(v.name for v in (*self.actions, *self.procedures) if v.name != "draw")),
            windows=self.windows,
            passages=stories,
        )
        self._reactions(context)
        # What nobody decides stands in the parts that rules and tables call: they stay short.
        plain = replace(context, procedures=(), tables=(), decides=False, depth=1, passages=())
        speaking = Scope(("p",), values=scope.values, moments=scope.moments)
        doing = [self.norms.table(name, die, speaking, plain) for name, die in tables.items()]
        parts = [
            [f'game "Book {self.draws.below(1000)}" played by Player'],
            ["documents", '    book "Rulebook"', '    card "Cards"', '    sheet "Sheet" language en'],
            self.world.lines,
            values,
            *(self._verb("procedure", verb, context, place) for place, verb in enumerate(self.procedures)),
            *(self._verb("action", verb, context, -1) for verb in self.actions),
            *doing,
            *([self._story(plain)] if stories else []),
            self._play(context),
            self.norms.rules.lines,
            self.norms.precedence(),
            self.norms.policy(),
            self._judging() if self.draws.share(self.shape.judging) else [],
        ]
        return "\n".join(line for part in parts for line in part) + "\n"

    def _values(self) -> tuple[Lines, Scope]:
        """Each may read those before it."""
        lines: Lines = []
        scope = self.scope
        if self.draws.share(self.shape.tables):
            made, slot = self.norms.giving_table("fare")
            lines += made
            scope = replace(scope, values=(*scope.values, slot))
        for place in range(self.draws.between(1, 3) if self.draws.share(self.shape.values) else 0):
            made, slot = self.norms.value(f"worth_{place + 1}", scope)
            lines += made
            scope = replace(scope, values=(*scope.values, slot))
        if self.draws.share(self.shape.ranks):
            lines += self.norms.rank("leader", scope)
            self.world.ranks.append("leader")
        return lines, scope

    def _upto(self, slot: Slot) -> Scope:
        """What may be read where a value is said: the values before it."""
        return replace(self.scope, values=self.scope.values[: self.scope.values.index(slot)])

    def _table_names(self) -> dict[str, str]:
        if not self.draws.share(self.shape.tables):
            return {}
        keys = [*self.world.dice, *self.world.enums]
        return {f"table_{place + 1}": key for place, key in enumerate(self.draws.some(keys, 0, 2))}

    def _reactions(self, context: Context) -> None:
        draws, shape, norms = self.draws, self.shape, self.norms
        timings = (
            ("when", shape.triggers),
            ("when", shape.triggers),
            ("when about to", shape.before),
            ("instead of", 0.6 * shape.replacements),
            ("ignore", 0.5 * shape.replacements),
        )
        # A reaction must not undo what guards have made sure of, so it decides nothing and offers nothing.
        quiet = replace(context, decides=draws.share(0.3), tables=(), passages=())
        for timing, share in timings:
            for _ in range(self.size):
                if draws.share(share * 0.6):
                    norms.reaction(timing, self.scope, quiet)
        if norms.rules.names and draws.share(0.5 * shape.switches):
            norms.switch(self.scope)
        if self.limited:
            norms.limit()
        for _ in range(2):
            if draws.share(shape.endings):
                norms.ending(self.scope)
        for _ in range(self.size if shape.restatements and norms.rules.said else 0):
            if draws.share(shape.restatements):
                norms.restatement()

    def _verb(self, word: str, verb: Verb, context: Context, place: int) -> Lines:
        draws = self.draws
        scope = self.scope.with_(*(variable for _, variable in verb.parts))
        own = replace(context, procedures=self.procedures[place + 1 :])
        if "p" not in scope.bound:
            own = replace(own, tables=())
        during = f" during {', '.join(verb.during)}" if verb.during else ""
        body = self._payment(scope) if word == "action" and draws.share(0.5) else []
        if word == "procedure" or body or draws.share(0.95):
            body += self.norms.block(scope, own, 1, 3)
        return [f"{word} {verb.signature}{during}", *indented(body)]

    def _payment(self, scope: Scope) -> Lines:
        draws = self.draws
        who = "p" if "p" in scope.bound else None
        numbers = [s for s in self.norms.writable if isinstance(s.type, Num) and s.type.low == 0]
        own = [s for s in numbers if s.of == (("Player",) if who else ())]
        lines: Lines = []
        if own:
            slot = draws.pick(own)
            amount = draws.pick(("1", "n" if "n" in scope.bound else "1", str(draws.between(0, 2))))
            lines.append(f"pay {amount} from {slot.name}{f' of {who}' if slot.of else ''}")
        if who is not None and "c" in scope.bound and draws.share(0.5):
            lines.append("pay c from hand of p to discard")
        places = self.world.find("place")
        if who is not None and places and draws.share(0.5):
            one, other = (f"{s.name} of p" if s.of else s.name for s in draws.some(places, 2, 2))
            lines.append(f"pay 1 from {one} to {other}")
        return lines

    # ---- play

    def _play(self, context: Context) -> Lines:
        draws = self.draws
        setup = self.norms.block(self.scope, replace(context, tables=(), ends=()), 1, 3)
        if any(s.name == "owner" for s in self.world.slots):
            setup = ["each h", "    chance chooses p", "    owner of h becomes p", *setup]
        day = [
            "phase dawn",
            *indented(["each p", "    passed of p becomes no"]),
            *indented(self.norms.block(self.scope, replace(context, tables=()), 1, 2)),
            "phase deeds",
            *indented(self._deeds(context)),
            f"phase dusk{draws.pick(('', ' cites book 9'))}",
        ]
        if draws.share(0.5):
            day += indented(self.norms.block(self.scope, replace(context, tables=()), 1, 2))
        bound = draws.pick(("", f"{self.world.last_day} times "))
        lines = [
            *(["phase setup", *indented(setup)] if draws.share(0.8) else []),
            f"repeat {bound}until day is {self.world.last_day}",
            *indented(["phase game_day", *indented(day), "day increases by 1"]),
        ]
        if self.world.ranks and draws.share(0.7):
            lines += ["phase reckoning", f"    each p where place of (p, {self.world.ranks[0]}) is 1", "        p wins"]
        elif draws.share(0.3):
            lines.append(draws.pick(("nobody wins", "Player loses", "Player wins")))
        return ["play", *indented(lines)]

    def _deeds(self, context: Context) -> Lines:
        draws = self.draws
        takes = f"p takes {draws.pick(('1 action', 'up to 2 actions', 'up to 1 action', '2 actions', 'any actions'))}"
        scope = replace(self.scope.with_("p"), taken=("third", "h"))
        extra = self.norms.block(scope, context, 1, 1) if draws.share(0.4) else []
        order = draws.pick(("", " by seating")) if any(s.name == "seating" for s in self.world.slots) else ""
        heroes = []
        if any(verb.parts[0] == ("by", "h") for verb in self.actions):
            heroes = ["each h where owner of h is p", "    h takes up to 1 action"]
        opened = ["window reaction"] if self.windows else []
        body = [takes, *extra, *opened, *heroes]
        if draws.share(0.6):
            # The last step is done even when the turn is ended: nobody has two turns in a day.
            last = ["step done even when ended", "    each third where during turn of third"]
            last.append("        passed of third becomes yes")
            until = "until every p is passed"
            return [f"turns of p{order} where p is not passed {until}", *indented([*body, *last])]
        return [f"each p{order}", *indented(body)]

    def _story(self, context: Context) -> Lines:
        draws = self.draws
        names = ("bell", "quay", "storm_night", "morning")[: draws.between(2, 4)]
        lines = ["story night_tale", "    starts at bell"]
        for place, name in enumerate(names):
            later = names[place + 1 :]
            leaving = ["return", f'ending "The end of {name}."', *(f"go to {other}" for other in later)]
            passage = [f'passage {name} "The text of {name}."']
            known = Scope()
            if draws.share(0.5):
                body, known = self.norms.scoped_block(Scope(), replace(context, ends=()), 1, 1)
                passage += indented(body)
            if draws.share(0.75):
                for word in ("Stay", "Leave"):
                    when = draws.pick(("", "", f" when {self.norms.condition(known.hidden(), 0)}"))
                    passage += indented([f'option "{word}"{when}', f"    {draws.pick(leaving)}"])
            else:
                passage += indented([draws.pick(leaving)])
            if place == 1:
                lines.append('    chapter later "Later that night"')
            lines += indented(indented(passage) if place else passage)
        return lines

    # ---- what does not count in play

    def _judging(self) -> Lines:
        draws, norms = self.draws, self.norms
        verb = draws.pick([v for v in self.actions if ("by", "p") in v.parts] or [self.actions[0]])
        actor = verb.parts[0][1]
        bound = Scope((actor,))
        lines = ['note appearance "The box is blue." cites book 41']
        lines += ["outline sheet", '    section "All" lines 1..9', "        line 2 states 1"]
        lines += ["        line 3 states 1, restates 1", "        line 4 restates 1"]
        lines += [f'question "May it be done?"\n    {actor} may {verb.name} when {norms.condition(bound)}']
        lines.append(f"    expect {draws.pick(('always', 'never', 'depends', 'undetermined'))}")
        lines += ['question "What follows?"', f"    what happens when {verb.name} by {actor}"]
        lines.append(f"claim {draws.pick(('always', 'never', 'possible', 'eventually'))} {norms.condition(bound)}")
        lines += ['scenario "a start"', "    seats 2", "    during deeds", "    then day >= 1"]
        return lines
