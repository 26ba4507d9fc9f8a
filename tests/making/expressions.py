"""Random expressions that have a type: numbers with the range that they keep, things, conditions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.making.world import TRUTH, Held, Num, Slot, World


@dataclass(frozen=True, slots=True)
class Scope:
    """The variables that stand for something, and those that may stand for nothing.

    Those that are `taken` stand for something too, but are not to be spoken of.
    """

    bound: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    values: tuple[Slot, ...] = ()  # the values of the book that may be read here
    moments: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()  # actions by a player, for `happened`

    def with_(self, *names: str) -> Scope:
        return replace(self, bound=self.bound + names)

    def maybe(self, name: str) -> Scope:
        return replace(self.with_(name), doubtful=(*self.doubtful, name))

    def hidden(self) -> Scope:
        return replace(self, bound=(), taken=self.taken + self.bound)

    def is_free(self, name: str) -> bool:
        return name not in self.bound and name not in self.taken


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as text; `nothing` if it may be asked of none."""

    text: str
    low: int
    high: int
    nothing: bool = False
    simple: bool = True

    @property
    def inner(self) -> str:
        """As a part of something larger."""
        return self.text if self.simple else f"({self.text})"


class Expressions:
    def __init__(self, world: World) -> None:
        self.world = world
        self.draws = world.draws
        self.shape = world.shape

    # ---- names

    def free(self, type_: str, scope: Scope) -> str | None:
        """A variable that stands for nothing yet."""
        names = [name for name in self.world.variables.get(type_, ()) if scope.is_free(name)]
        return self.draws.pick(names) if names else None

    def known(self, type_: str, scope: Scope, sure: bool) -> list[str]:
        return [
            name
            for name in self.world.variables.get(type_, ())
            if name in scope.bound and not (sure and name in scope.doubtful)
        ]

    def thing(self, type_: str, scope: Scope, sure: bool = True, depth: int = 1) -> str | None:
        """A thing of a kind; `sure` that it is one."""
        world = self.world
        found = self.known(type_, scope, sure)
        if type_ in world.things and depth:
            slots = [s for s in world.find("state", str) if s.type == type_ and not (sure and s.maybe)]
            for slot in slots:
                if len(slot.of) <= 1 and self.draws.share(0.4):
                    ref = self.ref(slot, scope, sure, depth - 1)
                    if ref is not None:
                        found.append(ref)
            found += self._special(type_, sure)
        constants = world.things.get(type_) or world.enums.get(type_) or ()
        if constants and (not found or self.draws.share(0.3)):
            return self.draws.pick(constants)
        return self.draws.pick(found) if found else None

    def _special(self, type_: str, sure: bool) -> list[str]:
        world = self.world
        found = []
        if type_ == "Player" and any(s.name == "seating" for s in world.slots) and self.draws.share(0.4):
            found.append(self.draws.pick(("front of seating", "back of seating")))
        if type_ == "Place" and world.grid and self.draws.share(0.4):
            found.append("cell of (Place, 1, 1)")
        if type_ == "Card" and not sure:
            found.append(self.draws.pick(("top of deck", "top of discard", "bottom of deck")))
        return found

    def ref(self, slot: Slot, scope: Scope, sure: bool = True, depth: int = 1) -> str | None:
        """A slot of something that is known here."""
        args = [self.thing(kind, scope, sure, depth) for kind in slot.of]
        given = [arg for arg in args if arg is not None]
        if len(given) != len(args):
            return None
        if len(given) > 1:
            return f"{slot.name} of ({', '.join(given)})"
        return f"{slot.name} of {given[0]}" if given else slot.name

    # ---- numbers

    def amount(self, scope: Scope, depth: int = 1, sure: bool = True) -> Amount:
        if depth and self.draws.share(0.35):
            return self._sum(scope, depth - 1, sure)
        made = self.draws.pick((self._plain, self._slot, self._slot, self._counted, self._variable, self._value))
        return made(scope, sure) or self._slot(scope, sure) or self._plain(scope, sure)

    def _plain(self, _scope: Scope, _sure: bool) -> Amount:
        value = self.draws.between(0, 3)
        return Amount(str(value), value, value)

    def _slot(self, scope: Scope, sure: bool) -> Amount | None:
        slots = [s for role in ("state", "printed", "place") for s in self.world.find(role, Num)]
        slot = self.draws.pick(slots)
        assert isinstance(slot.type, Num)
        text = self.ref(slot, scope, sure)
        return Amount(text, slot.type.low, slot.type.high, not sure) if text else None

    def _variable(self, scope: Scope, _sure: bool) -> Amount | None:
        names = [name for name in self.world.numbers if name in scope.bound]
        if not names:
            return None
        name = self.draws.pick(names)
        range_ = self.world.numbers[name]
        return Amount(name, range_.low, range_.high)

    def _value(self, scope: Scope, sure: bool) -> Amount | None:
        values = [v for v in scope.values if isinstance(v.type, Num)]
        if not values:
            return None
        slot = self.draws.pick(values)
        assert isinstance(slot.type, Num)
        text = self.ref(slot, scope, sure)
        return Amount(text, slot.type.low, slot.type.high, not sure) if text else None

    def _counted(self, scope: Scope, sure: bool) -> Amount | None:
        """Sizes, counts, totals, the highest and lowest."""
        draws, world = self.draws, self.world
        player = self.free("Player", scope)
        ways: list[Amount] = [Amount("size of Player", world.seats.low, world.seats.high)]
        held = [s for s in world.slots if isinstance(s.type, Held)]
        if held:
            text = self.ref(draws.pick(held), scope)
            if text is not None:
                ways += [Amount(f"size of {text}", 0, 9)] * 3
        if player is not None:
            inner = scope.with_(player)
            where = f" where {self.condition(inner, 0)}" if draws.share(0.6) else ""
            ways.append(Amount(f"number of ({player}{where})", 0, 3))
            coins = world.find("state", Num)[0]
            assert isinstance(coins.type, Num)
            body = f"{coins.name} of {player}"
            ways.append(
                Amount(f"total of ({body} for {player}{where})", min(3 * coins.type.low, 0), 3 * coins.type.high)
            )
            if not (sure and where):
                best = f"{draws.pick(('highest', 'lowest'))} of ({body} for {player}{where})"
                ways.append(Amount(best, coins.type.low, coins.type.high, bool(where)))
        if any(s.name == "seating" for s in world.slots):
            who = self.thing("Player", scope, sure, 0)
            if who is not None:
                ways.append(Amount(f"place of ({who}, seating)", 1, 3, not sure))
        ways += self._reckoned(scope)
        if scope.verbs and scope.moments and draws.share(0.3):
            ways.append(Amount(f"times ({self.draws.pick(scope.verbs)}) this {draws.pick(scope.moments)}", 0, 1000))
        return draws.pick(ways)

    def _reckoned(self, scope: Scope) -> list[Amount]:
        one, other = self._slot(scope, True), self._plain(scope, True)
        if one is None:
            return []
        word, kept = self.draws.pick((("larger", max), ("smaller", min)))
        found = [
            Amount(f"{word} of ({one.text}, {other.text})", kept(one.low, other.low), kept(one.high, other.high)),
            Amount(f"remainder of ({one.text}, 2)", 0, 1),
        ]
        stock = next((s for s in self.world.slots if s.name == "stock"), None)
        if stock is not None and isinstance(stock.type, Held):
            found.append(Amount(f"count of ({self.draws.pick(self.world.enums[stock.type.of])}, stock)", 0, 4))
        if self.world.titles:
            found.append(Amount(f"count of ({self.draws.pick(self.world.titles)}, discard)", 0, 9))
        return found

    def _sum(self, scope: Scope, depth: int, sure: bool) -> Amount:
        draws = self.draws
        one = self.amount(scope, depth, sure)
        other = self.amount(scope, 0, sure)
        nothing = one.nothing or other.nothing
        match draws.below(5):
            case 0:
                return Amount(
                    f"{one.inner} - {other.inner}", one.low - other.high, one.high - other.low, nothing, False
                )
            case 1:
                rounding = draws.pick(("up", "down"))
                by = draws.between(2, 3)
                low, high = (one.low // by, one.high // by + 1)
                return Amount(f"{one.inner} / {by} rounded {rounding}", low, high, one.nothing, False)
            case 2:
                return Amount(f"2 * {one.inner}", 2 * one.low, 2 * one.high, one.nothing, False)
            case 3 if self.shape.negatives:
                return Amount(f"-{one.inner}", -one.high, -one.low, one.nothing, False)
            case _:
                return Amount(
                    f"{one.inner} + {other.inner}", one.low + other.low, one.high + other.high, nothing, False
                )

    def within(self, range_: Num, scope: Scope) -> str:
        """A number that can be in a range."""
        for _ in range(3):
            found = self.amount(scope, 1)
            if range_.low <= found.low and found.high <= range_.high:
                return found.text
        return str(self.draws.between(range_.low, range_.high))

    # ---- conditions

    def condition(self, scope: Scope, depth: int = 1) -> str:
        """One that can stand beside `and`."""
        draws = self.draws
        if depth and draws.share(0.45):
            one, other = self.condition(scope, depth - 1), self.condition(scope, 0)
            match draws.below(4):
                case 0:
                    return f"({one} or {other})"
                case 1:
                    return f"not ({one})"
                case _:
                    return f"({one} and {other})"
        ways = (self._compare, self._compare, self._is, self._truth, self._truth, self._some, self._is_in, self._moment)
        for _ in range(4):
            found = draws.pick(ways)(scope)
            if found is not None:
                return found
        return self._compare(scope)

    def conjunction(self, scope: Scope) -> str:
        """A condition of one or two parts, not in brackets: what rules are made of."""
        parts = [self.condition(scope, self.draws.below(2)) for _ in range(self.draws.between(1, 2))]
        return " and ".join(parts)

    def _compare(self, scope: Scope) -> str:
        sure = not self.draws.share(self.shape.nothing)
        one = self.amount(scope, self.draws.below(2), sure)
        other = self.amount(scope, 0, sure)
        if one.low == one.high:
            other = self._slot(scope, True) or other
        operator = self.draws.pick(("<", "<=", ">", ">=", "is", "is not"))
        if one.text in self.world.numbers and not self.draws.share(self.shape.daring):
            one, other = other, one  # a variable that is compared with what lies beyond its own range
        return f"{one.inner} {operator} {other.inner}"

    def _is(self, scope: Scope) -> str | None:
        """Two values of a type that are the same."""
        slots = [s for s in self.world.find("state", str) if s.type != TRUTH and len(s.of) <= 1]
        slots += self.world.find("printed", str)
        if not slots:
            return self._title(scope)
        slot = self.draws.pick(slots)
        assert isinstance(slot.type, str)
        sure = not self.draws.share(self.shape.nothing)
        left = self.ref(slot, scope, sure)
        right = self.thing(slot.type, scope, sure)
        if left is None or right is None or self.draws.share(0.2):
            return self._title(scope)
        if slot.maybe and self.draws.share(0.4):
            right = "none"
        return f"{left} is {self.draws.pick(('', '', 'not '))}{right}"

    def _title(self, scope: Scope) -> str | None:
        card = self.thing("Card", scope, sure=False)
        if not self.world.titles or card is None or card in self.world.things["Card"]:
            return None
        return f"{card} is {self.draws.pick(('', 'not '))}{self.draws.pick(self.world.titles)}"

    def _truth(self, scope: Scope) -> str | None:
        slots = [s for s in self.world.find("state", str) if s.type == TRUTH]
        slots += [v for v in scope.values if v.type == TRUTH]
        slot = self.draws.pick(slots)
        if len(slot.of) == 1:
            who = self.thing(slot.of[0], scope, sure=not self.draws.share(self.shape.nothing))
            if who is None:
                return None
            if who in self.world.things.get(slot.of[0], ()) or self.draws.share(0.2):
                return f"{slot.name} of {who}"
            return f"{who} is {self.draws.pick(('', 'not '))}{slot.name}"
        if len(slot.of) == 2:
            one, other = (self.thing(kind, scope) for kind in slot.of)
            if one is None or other is None:
                return None
            related = f"{one} is {self.draws.pick(('', 'not '))}{slot.name} to {other}"
            return self.draws.pick((related, f"{slot.name} of ({one}, {other})"))
        return slot.name

    def _some(self, scope: Scope) -> str | None:
        draws = self.draws
        type_ = draws.pick([t for t in self.world.variables if t in self.world.things])
        name = self.free(type_, scope)
        if name is None:
            return None
        inner = scope.with_(name)
        own = [s for s in self.world.find("state", str) if s.type == TRUTH and s.of == (type_,)]
        match draws.below(4):
            case 0 if own:
                negated = draws.pick(("", "not "))
                return f"{draws.pick(('some', 'no', 'every'))} {name} is {negated}{draws.pick(own).name}"
            case 1:
                where = f" where {self.condition(inner, 0)}" if draws.share(0.5) else ""
                return f"(every {name}{where} satisfies {self.condition(inner, 0)})"
            case _:
                return f"({draws.pick(('some', 'no'))} {name} where {self.condition(inner, 0)})"

    def _is_in(self, scope: Scope) -> str | None:
        draws = self.draws
        negated = draws.pick(("", "", "not "))
        held = [s for s in self.world.slots if isinstance(s.type, Held) and s.type.sort != "order"]
        if held and draws.share(0.6):
            slot = draws.pick(held)
            assert isinstance(slot.type, Held)
            group = self.ref(slot, scope)
            one = self.thing(slot.type.of, scope)
            if one is None and slot.type.of == "Card" and self.world.titles and not negated:
                one = draws.pick(self.world.titles)
            return f"{one} is {negated}in {group}" if one and group else None
        place = self.thing("Place", scope) if "Place" in self.world.things else None
        if place is None:
            return None
        if self.world.relations and draws.share(0.6):
            other = self.thing("Place", scope) or place
            if draws.share(0.3):
                return f"distance of ({place}, {other}) <= {draws.between(0, 2)}"
            return f"{place} is {negated}{draws.pick(self.world.relations)} to {other}"
        if self.world.grid:
            return f"{draws.pick(('row', 'column'))} of {place} is {draws.between(1, 2)}"
        items = ", ".join(draws.some(self.world.things["Place"], 1, 2))
        return f"{place} is {negated}in {{{items}}}"

    def _moment(self, scope: Scope) -> str | None:
        draws = self.draws
        who = self.thing("Player", scope)
        match draws.below(4):
            case 0 if scope.moments:
                return f"during {draws.pick(scope.moments)}"
            case 1 if who is not None:
                return f"during turn of {who}"
            case 2 if scope.verbs and scope.moments:
                return f"happened ({draws.pick(scope.verbs)}) this {draws.pick(scope.moments)}"
            case 3 if who is not None and self.shape.endings:
                return draws.pick((f"{who} loses", f"not {who} wins"))
            case _:
                return None
