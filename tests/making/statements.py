"""Random blocks. A number mostly stays in its range, by a guard; what a reaction may change is said by its context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from tests.making.expressions import Expressions, Scope
from tests.making.world import TRUTH, Held, Num, Slot, World

Lines = list[str]
Made = tuple[Lines, Scope]  # what the variables stand for afterwards
Way = Callable[[Scope, "Context"], Made | None]


@dataclass(frozen=True, slots=True)
class Verb:
    """An action or a procedure. Each part has a word before it, or none, and the variable that it declares."""

    name: str
    parts: tuple[tuple[str, str], ...]
    during: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        return " ".join([self.name, *(f"{label} {variable}".strip() for label, variable in self.parts)])


@dataclass(frozen=True, slots=True)
class Context:
    """What a block may do.

    INVARIANT: a reaction to a slot only changes slots that stand after it, so that reactions come to an end.
    """

    writes: tuple[Slot, ...]
    cards: bool = True
    counters: bool = True
    decides: bool = True
    procedures: tuple[Verb, ...] = ()
    tables: tuple[tuple[str, str], ...] = ()  # each with what it is read by
    rules: tuple[str, ...] = ()  # that can be disabled
    actions: tuple[Verb, ...] = ()  # that can be offered
    ends: tuple[str, ...] = ()  # moments that can be ended
    windows: tuple[str, ...] = ()
    passages: tuple[str, ...] = ()
    depth: int = 2

    @property
    def inner(self) -> Context:
        return replace(self, depth=self.depth - 1)


def indented(lines: Lines) -> Lines:
    return [f"    {line}" for line in lines]


class Statements(Expressions):
    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.steps = 0

    def block(self, scope: Scope, context: Context, least: int = 1, most: int = 3) -> Lines:
        return self.scoped_block(scope, context, least, most)[0]

    def scoped_block(self, scope: Scope, context: Context, least: int, most: int) -> Made:
        """With what its variables stand for at its end."""
        lines: Lines = []
        for _ in range(self.draws.between(least, most)):
            made, scope = self.statement(scope, context)
            lines += made
        return lines, scope

    def statement(self, scope: Scope, context: Context) -> Made:
        draws, shape = self.draws, self.shape
        ways: list[Way] = [self._change, self._change, self._set]
        if context.depth:
            ways += [self._if, self._each, self._repeat]
        if context.cards and "Card" in self.world.things:
            ways += [self._cards, self._cards, self._cards]
        if context.counters and self.world.find("place"):
            ways += [self._counters, self._counters]
        if self.world.dice and context.depth:
            ways += [self._roll] * (2 if draws.share(shape.dice) else 0)
        if context.decides and draws.share(shape.choices):
            ways += [self._choose, self._choose, self._offer]
            ways += [self._decide] if context.depth else []
        if draws.share(shape.breaks):
            ways += [self._break, self._break]
        if context.procedures and draws.share(shape.procedures):
            ways += [self._call, self._call]
        more: tuple[tuple[object, Way], ...] = (
            (context.windows and draws.share(shape.windows), self._window),
            (context.rules and draws.share(shape.switches), self._disable),
            (context.tables and draws.share(shape.tables), self._consult),
            (context.passages and context.decides, self._read),
            (draws.share(0.1), self._nothing),
        )
        ways += [way for ready, way in more if ready]
        for _ in range(4):
            found = draws.pick(ways)(scope, context)
            if found is not None:
                return found
        return ["nothing"], scope

    # ---- changing

    def _change(self, scope: Scope, context: Context) -> Made | None:
        numbers = [s for s in context.writes if isinstance(s.type, Num)]
        slot = self.draws.pick(numbers) if numbers else None
        target = self.ref(slot, scope) if slot is not None else None
        if slot is None or target is None:
            return None
        range_ = slot.type
        assert isinstance(range_, Num)
        if self.draws.share(0.25):
            return [f"{target} becomes {self.within(range_, scope)}"], scope
        sure = not self.draws.share(self.shape.nothing)
        by = self.amount(scope, self.draws.below(2), sure)
        if by.low > range_.high - range_.low:
            return None
        increases = self.draws.share(0.55)
        line = f"{target} {'increases' if increases else 'decreases'} by {by.text}"
        if self.draws.share(0.05):
            return [line], scope
        after = f"{target} {'+' if increases else '-'} {by.inner}"
        guards = []
        if by.low < 0 or increases:
            guards.append(f"{after} <= {range_.high}")
        if by.low < 0 or not increases:
            guards.append(f"{after} >= {range_.low}")
        return [f"if {' and '.join(guards)}", f"    {line}"], scope

    def _set(self, scope: Scope, context: Context) -> Made | None:
        others = [s for s in context.writes if not isinstance(s.type, Num)]
        slot = self.draws.pick(others) if others else None
        target = self.ref(slot, scope) if slot is not None else None
        if slot is None or target is None:
            return None
        if isinstance(slot.type, Held):
            return self._hold(slot.type, target, scope)
        if slot.type == TRUTH:
            value: str | None = self.draws.pick(("yes", "no", "yes", self.condition(scope, 1)))
        elif slot.maybe and self.draws.share(0.4):
            value = "none"
        else:
            value = self.thing(str(slot.type), scope, sure=not (slot.maybe and self.draws.share(0.4)))
        return ([f"{target} becomes {value}"], scope) if value is not None else None

    def _hold(self, held: Held, target: str, scope: Scope) -> Made | None:
        draws = self.draws
        one = self.thing(held.of, scope)
        if one is None:
            return None
        match held.sort:
            case "set":
                name = self.free(held.of, scope)
                collected = f"{{{name} where {self.condition(scope.with_(name), 0)}}}" if name is not None else "{}"
                way = draws.pick(("increases by {one}", "decreases by {one}", "becomes {all}", "becomes {none}"))
                text = {
                    "increases by {one}": f"increases by {{{one}}}",
                    "decreases by {one}": f"decreases by {{{one}}}",
                    "becomes {all}": f"becomes {target} {draws.pick(('+', '-'))} {collected}",
                    "becomes {none}": "becomes {}",
                }[way]
                return [f"{target} {text}"], scope
            case "bag":
                if draws.share(0.4):
                    return [f"{target} decreases by {{{one}}}"], scope
                return [f"if size of {target} < 4", f"    {target} increases by {{{one}}}"], scope
            case "order":
                return [f"shuffle {target}"], scope
            case _:
                return None

    # ---- cards and counters

    def _pile(self, scope: Scope) -> str:
        who = self.thing("Player", scope)
        return self.draws.pick(("deck", "discard", *([f"hand of {who}"] * 3 if who is not None else [])))

    def _cards(self, scope: Scope, _context: Context) -> Made | None:
        draws = self.draws
        one, other = self._pile(scope), self._pile(scope)
        match draws.below(8):
            case 0 | 1:
                card = self.free("Card", scope)
                if card is None or draws.share(0.4):
                    return [f"draw {draws.between(1, 2)} from {one} to {other}"], scope
                return [f"draw 1 from {one} to {other} as {card}"], scope.maybe(card)
            case 2 if scope.is_free("drawn"):
                lines = [f"draw {draws.between(1, 3)} from {one} to {other} as drawn"]
                return lines, scope.with_("drawn")
            case 3:
                return [f"shuffle {one}" if draws.share(0.5) or one == other else f"shuffle {one} into {other}"], scope
            case 4:
                who = self.thing("Player", scope, depth=0)
                return [f"reveal {one}" + (f" to {who}" if who is not None and draws.share(0.5) else "")], scope
            case 5:
                what = draws.pick((one, "drawn" if "drawn" in scope.bound else one))
                return [f"move {what} {'under' if len(what) % 2 else 'to'} {other}"], scope
            case _:
                card = self.thing("Card", scope, sure=False)
                if card is None:
                    return None
                where = f"{'under' if len(card) % 3 == 1 else 'to'} {other}"  # no draw: the books stay as they were
                return [f"move {card}" + (f" from {one}" if draws.share(0.3) else "") + f" {where}"], scope

    def _counters(self, scope: Scope, _context: Context) -> Made | None:
        draws = self.draws
        places = self.world.find("place")
        each = len(places) == 2
        who = self.thing("Player", scope)
        if who is None and each:
            return None
        refs = [f"{s.name} of {who}" if s.of else s.name for s in places if who is not None or not s.of]
        one, other = draws.pick(refs), draws.pick(refs)
        number = draws.between(1, 2)
        line = f"{draws.pick(('move', 'move', 'pay'))} {number} from {one} to {other}"
        if draws.share(0.1):
            return [line], scope
        return [f"if {one} >= {number}", f"    {line}"], scope

    # ---- chance

    def _roll(self, scope: Scope, context: Context) -> Made | None:
        draws = self.draws
        die = draws.pick(list(self.world.dice))
        faces = self.world.dice[die]
        fitting = [name for name, key in context.tables if key == die]
        if fitting and draws.share(0.4):
            return [f"roll {die} on {draws.pick(fitting)}"], scope
        if not isinstance(faces, Num):
            assert isinstance(faces, str)
            rows = [f"{face}: {self._row(scope, context)}" for face in self.world.enums[faces]]
            return [f"roll {die}:", *indented(rows)], scope
        if die == "d6" and scope.is_free("dice") and draws.share(0.25):
            lines = ["roll 2 d6 as dice", "if sum of dice >= 7 or count of (6, dice) > 0"]
            scope = scope.with_("dice")
            return [*lines, *indented(self.block(scope, self._inside(context), 1, 1))], scope
        if die == "d6" and draws.share(0.2):
            named = " as many" if scope.is_free("many") else ""
            return [f"roll 2 d6{named}:", *indented(self._rows(2, 12, scope.with_("many"), context))], scope
        if scope.is_free("eyes") and draws.share(0.5):
            lines = [f"roll {die} as eyes", f"if eyes >= {draws.between(2, 4)}"]
            scope = scope.with_("eyes")
            return [*lines, *indented(self.block(scope, self._inside(context), 1, 1))], scope
        named = " as eyes" if scope.is_free("eyes") and draws.share(0.3) else ""
        inner = scope.with_("eyes") if named else scope
        return [f"roll {die}{named}:", *indented(self._rows(faces.low, faces.high, inner, context))], scope

    def _inside(self, context: Context) -> Context:
        return replace(context, depth=0)

    def _rows(self, low: int, high: int, scope: Scope, context: Context) -> Lines:
        """Rows that meet every number once. What is drawn also says how they are written."""
        cut = self.draws.between(low, high - 1)
        first = f"{low}..{cut}" if cut > low else str(low)
        rest = self.draws.pick((f"{cut + 1}+", f"{cut + 1}..{high}" if cut + 1 < high else str(high)))
        if cut % 3 == 0:
            rest = "otherwise"
        elif cut % 3 == 1 and low < cut < high:
            first, rest = (
                f"{low}..{cut - 1} or {high}",
                f"{cut} or {cut + 1}..{high - 1}" if cut + 1 < high else str(cut),
            )
        return [
            f"{first}: {self._row(scope, context)}",
            f"{rest}:",
            *indented(self.block(scope, self._inside(context), 1, 2)),
        ]

    def _row(self, scope: Scope, context: Context) -> str:
        """A statement of one line."""
        for _ in range(4):
            made = self._set(scope, context)
            if made is not None and len(made[0]) == 1:
                return made[0][0]
        return "nothing"

    def table(self, name: str, die: str, scope: Scope, context: Context) -> Lines:
        faces = self.world.dice.get(die)
        if isinstance(faces, str) or die in self.world.enums:
            values = self.world.enums[faces if isinstance(faces, str) else die]
            rows = [f"{value}: {self._row(scope, context)}" for value in values[:-1]]
            last = "otherwise" if len(values) % 2 else values[-1]
            rows += [f"{last}:", *indented(self.block(scope, self._inside(context), 1, 2))]
        else:
            assert isinstance(faces, Num)
            rows = self._rows(faces.low, faces.high, scope, context)
        speaks = " for p" if "p" in scope.bound else ""
        return [f"table {name} by {die}{speaks}", *indented(rows)]

    def _consult(self, scope: Scope, context: Context) -> Made | None:
        name, key = self.draws.pick(context.tables)
        if key in self.world.enums:
            value = self.thing(key, scope)
            return ([f"consult {name} with {value}"], scope) if value is not None else None
        if not isinstance(self.world.dice.get(key), Num):
            return None
        return [f"consult {name} with {self.draws.between(1, 2)}"], scope

    # ---- loops and cases

    def _if(self, scope: Scope, context: Context) -> Made:
        lines = [f"if {self.condition(scope)}", *indented(self.block(scope, context.inner, 1, 2))]
        if self.draws.share(0.2):
            lines += [f"otherwise if {self.condition(scope)}", *indented(self.block(scope, context.inner, 1, 1))]
        if self.draws.share(0.3):
            lines += ["otherwise", *indented(self.block(scope, context.inner, 1, 1))]
        return lines, scope

    def _each(self, scope: Scope, context: Context) -> Made | None:
        draws = self.draws
        type_ = draws.pick([t for t in self.world.variables if t in self.world.things or t in self.world.enums])
        name = self.free(type_, scope)
        if name is None:
            return None
        inner = scope.with_(name)
        order = ""
        if type_ == "Player" and any(s.name == "seating" for s in self.world.slots) and draws.share(0.5):
            order = " by seating"
        elif type_ == "Player" and self.world.ranks and draws.share(0.3):
            order = f" by {draws.pick(self.world.ranks)}"
        elif type_ == "Card" and draws.share(0.6):
            order = draws.pick((" by discard", " by deck"))
        where = f" where {self.condition(inner, 0)}" if draws.share(0.4) else ""
        return [f"each {name}{order}{where}", *indented(self.block(inner, context.inner, 1, 2))], scope

    def _repeat(self, scope: Scope, context: Context) -> Made:
        body, inner = self.scoped_block(scope, context.inner, 1, 2)
        until = f" until {self.condition(inner, 0)}" if self.draws.share(0.4) else ""
        return [f"repeat {self.draws.between(1, 3)} times{until}", *indented(body)], scope

    # ---- choices

    def _actor(self, scope: Scope) -> str:
        player = self.thing("Player", scope, depth=0)
        return self.draws.pick((player, player, "Player", "chance")) if player is not None else "chance"

    def _choose(self, scope: Scope, _context: Context) -> Made | None:
        draws = self.draws
        type_ = draws.pick(list(self.world.variables))
        name = self.free(type_, scope)
        if type_ in self.world.enums and draws.share(0.5):
            name, type_ = next(((n, "") for n in self.world.numbers if scope.is_free(n)), (name, type_))
        if name is None:
            return None
        where = f" where {self.condition(scope.with_(name), 0)}" if draws.share(0.6) else ""
        none = " or none" if draws.share(0.2) else ""
        after = scope.maybe(name) if where or none else scope.with_(name)
        if type_ == "" and (where or none):
            return None  # a number that may be nothing would stand in sums
        return [f"{self._actor(scope)} chooses {name}{none}{where}"], after

    def _decide(self, scope: Scope, context: Context) -> Made:
        draws = self.draws
        lines = [f"{self._actor(scope)} decides"]
        for text in draws.some(('"Go on"', '"Wait, and see"', '"Turn back"'), 1, 3):
            condition = draws.pick(("", f" when {self.condition(scope, 0)}", f" unless {self.condition(scope, 0)}"))
            body = self.block(scope, self._inside(context), 1, 1) if draws.share(0.7) else []
            coins = self.world.slots[0]
            if "p" in scope.bound and isinstance(coins.type, Num) and coins.type.low == 0 and draws.share(0.3):
                body = ["pay 1 from coins of p", *body]
            lines += indented([f"option {text}{condition}", *indented(body)])
        return lines, scope

    def _offer(self, scope: Scope, context: Context) -> Made | None:
        player = self.known("Player", scope, sure=True)
        if not context.actions or not player:
            return None
        verbs = self.draws.some(context.actions, 1, 2)
        phrases = " or ".join(self.phrase(verb, scope, 0.5) for verb in verbs)
        return [f"{self.draws.pick(player)} {self.draws.pick(('may', 'must'))} {phrases}"], scope

    def phrase(self, verb: Verb, scope: Scope, share: float) -> str:
        """An action without its actor; some of its parts are said."""
        words = [verb.name]
        for label, variable in verb.parts:
            if label == "by" or not self.draws.share(share):
                continue
            kind = self.world.kind_of(variable)
            given = self.thing(kind, scope, depth=0) if kind is not None else None
            if kind is None:
                given = variable if variable in scope.bound else str(self.draws.between(0, 2))
            if given is not None:
                words.append(f"{label} {given}".strip())
        return " ".join(words)

    def _window(self, scope: Scope, context: Context) -> Made:
        name = self.draws.pick(context.windows)
        who = self.draws.pick(("", " for other"))
        seating = any(s.name == "seating" for s in self.world.slots)
        order = " by seating" if who and seating and scope.is_free("other") and self.draws.share(0.5) else ""
        if "other" in (*scope.doubtful, *scope.taken):
            who = order = ""
        return [f"window {name}{who}{order}"], scope

    # ---- breaking off and the rest

    def _break(self, scope: Scope, context: Context) -> Made | None:
        draws = self.draws
        if not context.ends or not context.depth:
            return None
        moment = draws.pick((*context.ends, "this step", "this phase"))
        inner = replace(context, depth=0, ends=())
        match draws.below(4):
            case 0:
                return [f"after {moment}", *indented(self.block(scope, inner, 1, 1))], scope
            case 1:
                guarded = [f"if {self.condition(scope, 0)}", f"    end {moment}"]
                return guarded, scope
            case 2:
                body = indented(self.block(scope, inner, 1, 1))
                return [f"if {self.condition(scope, 0)}", *indented([f"end {moment} then", *body])], scope
            case _:
                self.steps += 1
                even = draws.pick((" even when ended", ""))
                # What a step that is done all the same can speak of, when what is around it has ended, is in doubt.
                known = scope.hidden() if even and not draws.share(self.shape.daring) else scope
                body = indented(self.block(known, replace(context, depth=0), 1, 1))
                return [f"step step_{self.steps}{even}", *body], scope

    def _call(self, scope: Scope, context: Context) -> Made | None:
        verb = self.draws.pick(context.procedures)
        words = [verb.name]
        for label, variable in verb.parts:
            kind = self.world.kind_of(variable)
            given = self.thing(kind, scope) if kind is not None else str(self.draws.between(0, 2))
            if given is None:
                return None
            words.append(f"{label} {given}".strip())
        return [" ".join(words)], scope

    def _disable(self, scope: Scope, context: Context) -> Made:
        until = self.draws.pick(("", " until game_day ends", " until dusk begins"))
        return [f"disable {self.draws.pick(context.rules)}{until}"], scope

    def _read(self, scope: Scope, context: Context) -> Made:
        return [f"read {self.draws.pick(context.passages)}"], scope

    def _nothing(self, scope: Scope, _context: Context) -> Made:
        return ["nothing"], scope
