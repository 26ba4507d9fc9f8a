"""Random rules: what is allowed, demanded and forbidden, what reacts to what, values, limits, endings, precedence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from tests.making.expressions import Scope
from tests.making.statements import Context, Lines, Statements, Verb, indented
from tests.making.world import TRUTH, Held, Num, Slot, World

_REACTS = re.compile(r"(?:immediately )?(?:when|instead|ignore)")
_ADDS = re.compile(r"^(?:immediately )?when| (?:plus|minus) ")
GROUPS = ("hindrances", "golden", "ordinary")


@dataclass
class Rules:
    """The rules so far, with what the lines of `precedence` and of policies can name."""

    lines: Lines = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    groups: set[str] = field(default_factory=set)
    readings: dict[str, tuple[str, str]] = field(default_factory=dict)
    said: dict[str, tuple[Lines, str]] = field(default_factory=dict)  # the norms of each rule, and its source


class Norms(Statements):
    def __init__(self, world: World, actions: tuple[Verb, ...], procedures: tuple[Verb, ...], moments: tuple[str, ...]):
        super().__init__(world)
        self.actions = actions
        self.procedures = procedures
        self.moments = moments
        self.rules = Rules()
        self.reacting = any(verb.name == "parry" for verb in actions)  # what a duty means in a window is in doubt
        # `passed` and the day are left to play itself: they make sure that a game comes to an end.
        self.writable = tuple(s for s in world.slots if s.role == "state" and s.name != "passed")

    def rule(self, norms: Lines, clauses: str = "", name: str = "") -> str:
        """Adds a rule; gives its name."""
        draws, rules = self.draws, self.rules
        name = name or f"rule_{len(rules.names) + 1}"
        words = [f"rule {name}"]
        if draws.share(0.8):
            words.append(f"cites {self._citation()}")
        if draws.share(0.4 * self.shape.precedence) and rules.names:
            words.append(f"overrides {draws.pick(rules.names)}")
        if draws.share(0.4 * self.shape.precedence):
            group = draws.pick(GROUPS)
            rules.groups.add(group)
            words.append(f"among {group}")
        if clauses:
            words.append(clauses)
        rules.lines += [" ".join(words), *indented(norms)]
        rules.names.append(name)
        rules.said[name] = (norms, clauses if clauses.startswith("source") else "")
        return name

    # ---- what is said once more

    def restatement(self) -> None:
        """Of a rule: word for word, with other letters, or with its first condition left out or another one added."""
        draws = self.draws
        known = [name for name in self.rules.said if name not in self.rules.readings]
        adding = [name for name in known if _ADDS.search(self.rules.said[name][0][0])]
        name = draws.pick(adding if adding and draws.share(0.6) else known)
        norms, source = self.rules.said[name]
        first, *rest = norms
        word = "if" if _REACTS.match(first) else "when"
        match draws.below(5):
            case 0:
                norms = [re.sub(r"\bp\b", "other", line) for line in norms]
                if any(re.search(r"\bother\b", line) for line in self.rules.said[name][0]) or source:
                    norms = self.rules.said[name][0]
            case 1:
                norms = [first if " even if " in first else first.split(f" {word} ")[0], *rest]
            case 2 if not re.search(r" (?:if|when|unless) ", first):
                norms = [f"{first} {word} day > 1", *rest]
            case _:
                pass
        if draws.share(0.3) and len(rest) > 1 and not rest[1].startswith("        "):
            norms = norms[:2]
        some = "some of " if draws.share(0.3) else ""
        self.rule(norms, f"restates {some}{name} {source}".strip())

    def _citation(self) -> str:
        draws = self.draws
        line = draws.between(1, 40)
        ways = (f"{line}", f"{line}", f"{line}", f"{line} (2)", f"{line}..{line + 2}", f"{line}..{line + 2} (2)")
        more = draws.pick(("", "", "", f", {line + 5}", ', card "Storms"', ', sheet "Winds" (2)'))
        return f"{draws.pick(('book', 'book', 'card'))} {draws.pick(ways)}{more}"

    # ---- may, must, cannot

    def modal(self, verb: Verb, modal: str, scope: Scope, also: Verb | None = None) -> str:
        draws, shape = self.draws, self.shape
        bound = scope.with_(*(variable for _, variable in verb.parts))
        actor = next(variable for label, variable in verb.parts if label == "by")
        said = [verb.name]
        for label, variable in verb.parts:
            if label == "by":
                continue
            kind = self.world.kind_of(variable)
            if kind is not None and draws.share(0.15) and self.world.things.get(kind):
                said.append(f"{label} {draws.pick(self.world.things[kind])}".strip())
                bound = replace(bound, bound=tuple(name for name in bound.bound if name != variable))
            elif draws.share(0.8):
                said.append(f"{label} {variable}".strip())
            else:
                bound = replace(bound, bound=tuple(name for name in bound.bound if name != variable))
        words = [f"{actor} {modal} {' '.join(said)}"]
        if also is not None:
            # Of a variable that stands in one of the alternatives only, it is in doubt what it is in the other.
            words.append(f"or {' '.join([also.name, *said[1:]])}")
        if draws.share(shape.frequencies):
            times = draws.pick(("once", "once", "up to 2 times"))
            part = next((v for label, v in verb.parts if label != "by" and v in bound.bound and v in words[0]), None)
            # With several parts, the same number in another part could be taken for this one.
            plain = len(verb.parts) == 2 or draws.share(shape.daring)
            apart = f" for each {part}" if part is not None and also is None and plain and draws.share(0.5) else ""
            words.append(f"{times} per {draws.pick(('turn', 'game_day', 'game', 'deeds'))}{apart}")
        if draws.share(0.5 if modal == "may" else 0.9):
            words.append(f"when {self.conjunction(bound)}")
        if draws.share(0.2):
            words.append(f"unless {self.condition(bound, 0)}")
        if modal != "must" and draws.share(0.2 * shape.precedence):
            words.append(f"even if {self.condition(bound, 0)}")
        # Against a meta-rule that speaks for the default, it is in doubt which gives way.
        gives_way = (modal == "may" and not shape.precedence) or draws.share(shape.daring)
        manner = "usually " if gives_way and draws.share(0.2) else ""
        return manner + " ".join(words)

    def permissions(self, scope: Scope) -> None:
        draws, shape = self.draws, self.shape
        for verb in self.actions:
            alike = [v for v in self.actions if v.parts == verb.parts and v is not verb]
            for _ in range(draws.pick((1, 1, 1, 2)) if draws.share(0.93) else 0):
                also = draws.pick(alike) if alike and draws.share(0.15) else None
                self.rule([self.modal(verb, "may", scope, also)])
            for _ in range(draws.pick((0, 1, 1, 2)) if draws.share(shape.precedence) else 0):
                self._forbid(verb, scope)
            if draws.share(0.4 * shape.duties) and (not self.reacting or draws.share(shape.daring)):
                self.rule([self.modal(verb, "must", scope)])
        if draws.share(shape.readings):
            self._readings(scope)

    def _forbid(self, verb: Verb, scope: Scope) -> None:
        if self.draws.share(self.shape.sources):
            kind = self.draws.pick([k for k in ("Card", "Hero", "Place") if k in self.world.things] or [""])
            source = self.free(kind, scope.with_(*(v for _, v in verb.parts))) if kind else None
            if source is not None:
                inner = scope.with_(source)
                self.rule([self.modal(verb, "cannot", inner)], f"source {source}")
                return
        self.rule([self.modal(verb, "cannot", scope)])

    def _readings(self, scope: Scope) -> None:
        verb = self.draws.pick(self.actions)
        name = f"rule_{len(self.rules.names) + 1}"
        norms: Lines = []
        for reading in ("narrow", "wide"):
            norms += [f"reading {reading}{self.draws.pick(('', ' cites book 7'))}"]
            norms += indented([self.modal(verb, "cannot", scope)])
        self.rule(norms, name=name)
        self.rules.readings[name] = ("narrow", "wide")

    # ---- values

    def value(self, name: str, scope: Scope) -> tuple[Lines, Slot]:
        draws = self.draws
        of = draws.pick(((), ("Player",), ("Player",)))
        inner = scope.with_("p") if of else scope
        head = f"value {name}{' of p' if of else ''}"
        cites = draws.pick(("", " cites book 40"))
        if draws.share(0.3):
            return [f"{head}: yes/no is {self.condition(inner)}{cites}"], Slot(name, of, TRUTH, role="value")
        slot = Slot(name, of, Num(-20, 30), role="value")
        if draws.share(0.3):
            return [f"{head}: -20..30 is {self.amount(inner, 1).text}{cites}"], slot
        combine = draws.pick(("", ", first", ", highest", ", lowest"))
        cases = [f"{draws.pick(('usually is', 'is'))} {self.amount(inner, 0).text}"]
        for _ in range(draws.between(1, 3)):
            word = draws.pick(("is", "plus", "minus", "is at least", "is at most"))
            when = draws.pick((f" when {self.conjunction(inner)}", f" unless {self.condition(inner, 0)}"))
            cases.append(f"{word} {self.amount(inner, 0).text}{when}")
        if combine == ", first":
            cases = [*cases[1:], cases[0]]
        return [f"{head}: -20..30{combine}{cites}", *indented(cases)], slot

    def value_rule(self, slot: Slot, scope: Scope) -> None:
        inner = scope.with_("p") if slot.of else scope
        word = self.draws.pick(("is", "plus", "minus", "is at least", "is at most"))
        target = f"{slot.name} of p" if slot.of else slot.name
        self.rule([f"{target} {word} {self.amount(inner, 0).text} when {self.conjunction(inner)}"])

    def giving_table(self, name: str) -> tuple[Lines, Slot]:
        draws = self.draws
        enum = next(iter(self.world.enums), None)
        if enum is None:
            keys: tuple[str, ...] = ("no", "yes")
            enum = TRUTH
        else:
            keys = self.world.enums[enum]
        given = [draws.between(0, 3) for _ in keys]
        rows = [f"{key}: gives {number}" for key, number in zip(keys, given, strict=True)]
        if sum(given) % 3 == 0:
            rows = [*rows[:-1], f"otherwise: gives {given[-1]}"]
        elif sum(given) % 3 == 1:  # those that give the same share a row
            alike = {number: [key for key, one in zip(keys, given, strict=True) if one == number] for number in given}
            rows = [f"{' or '.join(sharing)}: gives {number}" for number, sharing in alike.items()]
        slot = Slot(name, (enum,), Num(min(given), max(given)), role="value")
        return [f"table {name} by {enum}", *indented(rows)], slot

    def rank(self, name: str, scope: Scope) -> Lines:
        draws = self.draws
        inner = scope.with_("p")
        where = f" where {self.condition(inner, 0)}" if draws.share(0.3) else ""
        lines = [f"{draws.pick(('most', 'fewest'))} {self.amount(inner, 0).text}"]
        if any(s.name == "seating" for s in self.world.slots) and draws.share(0.5):
            lines.append("first in seating")
        elif draws.share(0.4):
            lines.append(f"{draws.pick(('most', 'fewest'))} {self.amount(inner, 0).text}")
        lines.append("ties stay" if draws.share(self.shape.daring) else "ties share")
        return [f"rank {name} of p{where}", *indented(lines)]

    # ---- limits and endings

    def limit(self) -> None:
        """One that is not exceeded at the start: what it cuts off is only what is added."""
        numbers = [s for s in self.writable if isinstance(s.type, Num) and s.of in ((), ("Player",))]
        slot = self.draws.pick(numbers)
        assert isinstance(slot.type, Num)
        target = f"{slot.name} of p" if slot.of else slot.name
        most = slot.type.high
        rest = ", rest lost" if self.draws.share(0.5) else ""
        if self.draws.share(self.shape.daring):
            most = self.draws.between(slot.type.low, slot.type.high)
            rest += f" unless {self.condition(Scope(('p',) if slot.of else ()), 0)}"
        self.rule([f"limit {target} to {most}{rest}"])

    def ending(self, scope: Scope) -> None:
        draws = self.draws
        inner = scope.with_("p")
        manner = "immediately " if draws.share(0.2) else ""
        match draws.below(5):
            case 0:
                self.rule([f"{manner}nobody wins when {self.condition(scope)} and day is {self.world.last_day}"])
            case 1:
                self.rule([f"{manner}p loses when {self.condition(inner)} and {self.condition(inner)}"])
            case 2 if self.world.ranks:
                place = f"place of (p, {self.world.ranks[0]}) is 1"
                self.rule([f"p wins when day is {self.world.last_day} and {place}"])
            case 3:
                self.rule([f"Player wins when (every p satisfies {self.condition(inner, 0)}) and day > 1"])
            case _:
                self.rule([f"{manner}p wins when {self.condition(inner)} and {self.condition(inner)} and day > 1"])

    # ---- events

    def event(self, context: Context) -> tuple[str, Scope, Context]:
        """An event, what its variables are, and what a reaction to it may do."""
        draws = self.draws
        ways = [self._changed, self._changed, self._carried_out, self._moment_event]
        if self.world.find("pile"):
            ways += [self._transfer, self._transfer]
        if self.world.find("place"):
            ways += [self._counted_out, self._counted_out]
        return draws.pick(ways)(context)

    def _changed(self, context: Context) -> tuple[str, Scope, Context]:
        draws = self.draws
        slots = [s for s in self.writable if not isinstance(s.type, Held) and len(s.of) <= 1]
        slot = draws.pick(slots)
        after = self.writable[self.writable.index(slot) + 1 :]
        inner = replace(context, writes=after, cards=False, counters=False, procedures=(), actions=(), windows=())
        names = tuple(self.world.variables[kind][0] for kind in slot.of)
        target = f"{slot.name} of {names[0]}" if names else slot.name
        scope = Scope(names)
        if isinstance(slot.type, Num):
            word = draws.pick(("increases", "decreases", "changes", "becomes"))
            if word == "becomes":
                return f"{target} becomes {draws.pick((slot.type.high, max(slot.type.low, 0)))}", scope, inner
            if word != "changes" and draws.share(0.5):
                by = draws.pick(("n", "1"))
                return f"{target} {word} by {by}", scope.with_("n") if by == "n" else scope, inner
            return f"{target} {word}", scope, inner
        if slot.type == TRUTH:
            return f"{target} becomes {draws.pick(('yes', 'no'))}", scope, inner
        value = self.thing(str(slot.type), Scope(), depth=0)
        if value is None or draws.share(0.4):
            return f"{target} changes", scope, inner
        return f"{target} becomes {value}", scope, inner

    def _carried_out(self, context: Context) -> tuple[str, Scope, Context]:
        verb = self.draws.pick((*self.actions, *self.procedures))
        said = [verb.name]
        names: list[str] = []
        for label, variable in verb.parts:
            if self.draws.share(0.7):
                said.append(f"{label} {variable}".strip())
                names.append(variable)
        later = self.procedures
        if verb in self.procedures:
            later = self.procedures[self.procedures.index(verb) + 1 :]
        return " ".join(said), Scope(tuple(names)), replace(context, procedures=later)

    def _moment_event(self, context: Context) -> tuple[str, Scope, Context]:
        word = self.draws.pick(("begins", "ends"))
        if self.draws.share(0.4):
            return f"turn of p {word}", Scope(("p",)), context
        return f"{self.draws.pick(self.moments)} {word}", Scope(), context

    def _transfer(self, context: Context) -> tuple[str, Scope, Context]:
        draws = self.draws
        inner = replace(context, cards=False, procedures=(), actions=(), windows=())
        if draws.share(0.25):
            return "deck runs out", Scope(), inner
        pile, names = draws.pick((("deck", ()), ("hand of p", ("p",)), ("discard", ())))
        return f"c {draws.pick(('enters', 'leaves'))} {pile}", Scope(("c", *names)), inner

    def _counted_out(self, context: Context) -> tuple[str, Scope, Context]:
        draws = self.draws
        inner = replace(context, cards=False, counters=False, procedures=(), actions=(), windows=())
        slot = draws.pick(self.world.find("place"))
        names = ("p",) if slot.of else ()
        place = f"{slot.name} of p" if slot.of else slot.name
        return f"{place} {draws.pick(('runs out', 'increases', 'decreases'))}", Scope(names), inner

    def reaction(self, timing: str, scope: Scope, context: Context) -> None:
        event, own, inner = self.event(context)
        inner_scope = replace(scope, bound=own.bound)
        if timing in ("instead of", "ignore"):
            # Taking away what play itself needs, a moment or an ending of the day, would leave nothing to play.
            event, own, inner = self._changed(context) if self.draws.share(0.6) else self._carried_out(context)
            inner_scope = replace(scope, bound=own.bound)
        condition = f" if {self.condition(inner_scope, 1)}" if self.draws.share(0.5) else ""
        manner = "immediately " if timing == "when" and self.draws.share(0.15) else ""
        if timing == "ignore":
            self.rule([f"ignore {event}{condition}"])
            return
        body = self.block(inner_scope, replace(inner, depth=1), 1, 2)
        if event == "deck runs out":
            body = ["shuffle discard into deck"]
        self.rule([f"{manner}{timing} {event}{condition}", *indented(body)])

    def switch(self, scope: Scope) -> None:
        """A rule that is left out of account for a while."""
        target = self.draws.pick(self.rules.names)
        self.rule([f"ignore rule {target} if {self.condition(scope, 0)}"])

    # ---- the rules about rules

    def precedence(self) -> Lines:
        draws = self.draws
        if not draws.share(self.shape.precedence):
            return ["precedence", "    assume cannot over may"] if draws.share(0.7) else []
        groups = sorted(self.rules.groups)
        known = [s for s in self.world.slots if s.of in (("Hero",), ("Card",), ("Place",)) and isinstance(s.type, Num)]
        lines = ["explicit"] if draws.share(0.8) else []
        if draws.share(0.4):
            lines.append("immediate over lasting cites book 2")
        if draws.share(0.5):
            lines.append(
                draws.pick(("authority card > book cites book 3", "assume authority book > card, book > sheet"))
            )
        if draws.share(0.4):
            lines.append("specific over general cites book 4")
        if groups and draws.share(0.5):
            lines.append(f"listed order among {draws.pick(groups)} cites book 6")
        if groups and known and draws.share(0.5):
            word = draws.pick(("earlier over later", "later over earlier"))
            lines.append(f"{word} among {draws.pick(groups)} by {draws.pick(known).name} cites book 5")
        if len(groups) > 1 and draws.share(0.5):
            lines.append(f"{groups[0]} over {groups[1]} cites card 1")
        if draws.share(0.3):
            names = [s.name for s in self.world.slots if s.name in ("starter", "seating")]
            lines.append(f"simultaneous by {draws.pick(('Player', *names))} cites book 7")
        pair = draws.pick(("cannot over may", "cannot over may", "may over cannot", "must over cannot"))
        among = f" among {draws.pick(groups)}" if groups and draws.share(0.2) else ""
        if draws.share(0.8):
            lines.append(f"assume {pair}{among}" if draws.share(0.7) else f"{pair}{among} cites book 8")
        if draws.share(0.5) or not lines:
            lines.append("otherwise undecided")
        return ["precedence", *indented(lines)]

    def policy(self) -> Lines:
        rules = self.rules
        lines = [f"{name} reads {self.draws.pick(readings)}" for name, readings in rules.readings.items()]
        if not lines:
            return []
        if len(rules.names) > 1 and self.draws.share(0.5):
            one, other = self.draws.some(rules.names, 2, 2)
            lines.append(f"{one} over {other}")
        if self.draws.share(0.3):
            norm = self.modal(self.draws.pick(self.actions), "cannot", Scope())
            lines += ["rule house_rule", *indented([norm])]
        default = " by default" if len(lines) % 2 else ""  # no draw, so that the books stay as they were
        return [f"policy house_rules{default}", *indented(lines)]
