"""What a state file means: `place_position`.

In: a checked book, its title and the lines of a state file. Out: `Placed`, a machine and a state of it that waits for a
decision, or all that is wrong with the file. Names and values are looked at line by line; whether they fit together
only where each of them makes sense, so that no message follows from another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rules import model as m
from rules.check import CheckedRulebook
from rules.check.context import did_you_mean
from rules.diagnostics import Diagnostic, Label, in_reading_order
from rules.machine.base import Broken, Happening, Node
from rules.machine.bounds import broken_limits
from rules.machine.moves import LEFT_OUT, MoveError, move_at
from rules.machine.naming import Misfit, Names
from rules.machine.norms import Gap, Referee, Undetermined
from rules.machine.placing import Heap, Placing, Purse, Wanted
from rules.machine.policies import in_force, machine_of
from rules.machine.run import Machine
from rules.machine.state import State
from rules.machine.way import Stop
from rules.machine.world import Cells, Value
from rules.position import (
    NO_DEFAULTS,
    Disabled,
    During,
    Happened,
    Holds,
    Lost,
    Moment,
    Players,
    Position,
    Title,
    UsedPolicy,
)
from rules.span import Span
from rules.symbols import RankSymbol, RelationSymbol, SlotSymbol, TableSymbol, ValueSymbol, VariableSymbol
from rules.terms import Copies, Word
from rules.types import KindT, NumberT, PileT, Type, describe
from rules.walk import nodes_of


@dataclass(frozen=True, slots=True)
class Placed:
    """A position that can be asked: `node` is what the state waits for."""

    machine: Machine
    policies: tuple[str, ...]
    state: State
    node: Node


def place_position(
    checked: CheckedRulebook,
    title: str,
    position: Position,
    complete: bool = True,
    referee: Callable[[Machine], Referee] | None = None,
    policies: tuple[str, ...] = (),
    defaults: bool = True,
) -> Placed | tuple[Diagnostic, ...]:
    """Of a file that could not be read as a whole (`complete` is no), only what is wrong line by line.

    `referee` is as for `machine_of`. `policies` are in force besides those that the file names, and the default ones
    unless told otherwise, here or there. Raises `ValueError` for one of `policies` that the book does not have.
    """
    return _Reading(checked, title, position, referee, policies, defaults).placed(complete)


@dataclass(frozen=True, slots=True)
class _Given:
    """A line that gives a cell its value; of a pile, the items still as they stand there."""

    line: Holds
    slot: Cells
    address: int
    value: Value


class _Reading:
    def __init__(
        self,
        checked: CheckedRulebook,
        title: str,
        position: Position,
        referee: Callable[[Machine], Referee] | None,
        policies: tuple[str, ...],
        defaults: bool,
    ) -> None:
        self.policies = policies
        self.defaults = defaults
        self.checked = checked
        self.title = title
        self.referee = referee
        self.lines = position.lines
        self.head = next((line.span for line in self.lines if isinstance(line, Title)), Span(position.source, 0, 0))
        self.diagnostics: list[Diagnostic] = []

    def report(
        self, code: str, message: str, span: Span, labels: tuple[Label, ...] = (), help: str | None = None
    ) -> None:
        self.diagnostics.append(Diagnostic(code, message, span, labels, help))

    def placed(self, complete: bool) -> Placed | tuple[Diagnostic, ...]:
        named = next((line for line in self.lines if isinstance(line, Title)), None)
        if named is not None and named.text != self.title:
            message = f"this is a position of `{named.text}`, and the rulebook is `{self.title}`"
            return (Diagnostic("LX803", message, named.span),)
        self._check_repeated()
        policies = self._policies()
        self.machine = machine_of(self.checked, self._seats(), policies, self.referee)
        self.names = Names(self.machine.world)
        self.placing = Placing(self.machine)
        given = self._given()
        happened = self._happened()
        disabled, lost, stops = self._disabled(), self._lost(), self._stops()
        cells = self._cells(given)
        if not self.diagnostics and complete:
            self._conserve(given, cells)
        if self.diagnostics or not complete:
            return in_reading_order(self.diagnostics)
        found = self._arrive(Wanted(cells, disabled, lost, happened, stops))
        if found is not None:
            self._keep_limits(given, found[0])
        if found is None or self.diagnostics:
            return in_reading_order(self.diagnostics)
        return Placed(self.machine, policies, *found)

    # ---- the table

    def _check_repeated(self) -> None:
        """Lines that can stand only once, and names that are listed twice."""
        first: dict[object, Span] = {}
        key: object
        for line in self.lines:
            match line:
                case Title() | Players() | During():
                    key, message = type(line), f"there is only one line `{line.span.text.split()[0]} ...`"
                case UsedPolicy(name=name):
                    key, message = ("policy", name.text), f"the policy `{name.text}` is named twice"
                    if name.text == NO_DEFAULTS:
                        message = "there is only one line `policy none`"
                case Disabled(rule=rule):
                    key, message = ("rule", rule.text), f"the rule `{rule.text}` is named twice"
                case Lost(player=player):
                    key, message = ("lost", player), f"`{player.span.text}` is named twice"
                case _:
                    continue
            if key in first:
                self.report("LX805", message, line.span, (Label(first[key], "said here first"),))
            first.setdefault(key, line.span)

    def _policies(self) -> tuple[str, ...]:
        policies = [d for d in self.checked.book.declarations if isinstance(d, m.Policy)]
        known = [policy.name.text for policy in policies if policy.sort == "policy"]
        used: list[str] = []
        defaults = self.defaults
        for line in self.lines:
            if not isinstance(line, UsedPolicy):
                continue
            if line.name.text == NO_DEFAULTS:
                defaults = False
            elif line.name.text in known:
                used.append(line.name.text)
            elif any(policy.name.text == line.name.text for policy in policies):
                message = f"`{line.name.text}` is a ruling: it is always in force"
                self.report("LX806", message, line.name.span, help="take this line away")
            else:
                self._unknown("policy", line.name, known)
        return in_force(self.checked.book, (*used, *self.policies), defaults)

    def _unknown(self, what: str, name: Word, known: Sequence[str]) -> None:
        near = did_you_mean(name.text, known)
        if near is None:
            near = f"it has {', '.join(f'`{one}`' for one in known)}" if known else f"it has no {what}"
        self.report("LX806", f"the rulebook has no {what} `{name.text}`", name.span, help=near)

    def _seats(self) -> int | None:
        line = next((line for line in self.lines if isinstance(line, Players)), None)
        if line is None:
            return None
        if self.checked.players is None:
            self.report("LX804", "the game has no players", line.span)
            return None
        kind = self.checked.kinds[self.checked.players]
        if kind.least <= line.count.value <= kind.most:
            return line.count.value
        range_ = str(kind.least) if kind.least == kind.most else f"{kind.least} to {kind.most}"
        self.report("LX804", f"the game is for {range_} players, not {line.count.value}", line.count.span)
        return min(max(kind.least, line.count.value), kind.most)

    # ---- pieces of the state

    def _given(self) -> list[_Given]:
        found: dict[int, _Given] = {}
        for line in self.lines:
            if not isinstance(line, Holds):
                continue
            try:
                given = self._holds(line)
            except Misfit as error:
                self.report(error.code, error.message, error.span, help=error.help)
                continue
            first = found.setdefault(given.address, given)
            if first is not given:
                subject = _subject(line)
                self.report(
                    "LX805", f"`{subject.text}` is given twice", subject, (Label(first.line.span, "given here first"),)
                )
        return list(found.values())

    def _holds(self, line: Holds) -> _Given:
        slot, args = self._slot(line)
        address = slot.address(args)
        assert address is not None
        what = f"`{slot.symbol.name}`"
        type_ = slot.symbol.type
        if isinstance(type_, PileT):
            return _Given(line, slot, address, self.names.pile(line.value, type_, what))
        if slot.symbol.role == "place":
            most = next(purse.pool.total for purse in self.placing.purses if address in purse.cells)
            type_ = NumberT(0, most)
        return _Given(line, slot, address, self.names.value(line.value, type_, what))

    def _slot(self, line: Holds) -> tuple[Cells, tuple[Value, ...]]:
        """The piece of the state that a line speaks of; where several share the name, its things decide."""
        name = line.name.text
        named = [slot for slot in self.machine.world.slots.values() if slot.symbol.name == name]
        if not named:
            raise self._no_slot(line.name)
        fitting = [slot for slot in named if len(slot.symbol.params) == len(line.args)]
        if not fitting:
            raise self._wrong_count(line, named)
        found: list[tuple[Cells, tuple[Value, ...]]] = []
        errors: list[Misfit] = []
        for slot in fitting:
            try:
                found.append((slot, self._args(line, slot)))
            except Misfit as error:
                errors.append(error)
        if not found:
            if len(errors) == 1:
                raise errors[0]
            owners = " or of ".join(_owners(slot) for slot in fitting)
            raise Misfit("LX806", f"`{name}` is of {owners}, and of nothing else", errors[0].span)
        if len(found) > 1:
            owners = " or of ".join(_owners(slot) for slot, _ in found)
            raise Misfit(
                "LX807", f"this can be the `{name}` of {owners}: the book gives two things one name", line.span
            )
        if found[0][0].symbol.role == "printed":
            raise _printed(line.name)
        return found[0]

    def _args(self, line: Holds, slot: Cells) -> tuple[Value, ...]:
        params = slot.symbol.params
        what = f"`{slot.symbol.name}` is of {_owners(slot)}"
        found: list[Value] = []
        for arg, param in zip(line.args, params, strict=True):
            try:
                found.append(self.names.value(arg, param, "this"))
            except Misfit as error:
                if error.code == "LX807" and isinstance(arg, Word) and arg.text not in _titles(self.machine, param):
                    sorts = " or ".join(self.names.sorts_of(arg.text)) or "none"
                    raise Misfit("LX807", f"{what}, and `{arg.text}` is {sorts}", arg.span) from None
                raise
        return tuple(found)

    def _no_slot(self, name: Word) -> Misfit:
        for term in self.checked.terms.get(name.text, ()):
            match term:
                case SlotSymbol(role="printed"):
                    return Misfit(
                        "LX809", f"`{name.text}` is printed, and never changes", name.span, "leave this line out"
                    )
                case ValueSymbol() | TableSymbol() | RankSymbol() | RelationSymbol():
                    message = f"`{name.text}` is worked out by the rules, and is no part of the state"
                    return Misfit("LX809", message, name.span, "give what it is worked out from")
                case _:
                    pass
        known = {slot.symbol.name for slot in self.machine.world.slots.values() if slot.symbol.role != "printed"}
        near = did_you_mean(name.text, sorted(known))
        return Misfit("LX806", f"no piece of the state is called `{name.text}`", name.span, near)

    def _wrong_count(self, line: Holds, named: Sequence[Cells]) -> Misfit:
        owners = " or of ".join(_owners(slot) for slot in named if slot.symbol.params)
        name = line.name.text
        if not owners:
            return Misfit("LX817", f"there is only one `{name}`, and it is of nothing", line.args[0].span)
        if not line.args:
            message = f"each has its own `{name}`: this does not say whose"
            return Misfit("LX817", message, line.name.span, f"write `{name} of ...`; it is of {owners}")
        return Misfit("LX817", f"`{name}` is of {owners}", line.args[0].span.to(line.args[-1].span))

    # ---- what is conserved

    def _cells(self, given: list[_Given]) -> dict[int, Value]:
        cells = {one.address: one.value for one in given if not isinstance(one.slot.symbol.type, PileT)}
        for heap in self.placing.heaps:
            cells.update(self._piles(heap, [one for one in given if one.address in heap.cells]))
        return cells

    def _piles(self, heap: Heap, given: list[_Given]) -> dict[int, tuple[int, ...]]:
        """Things by their own name first; then a title takes the first copy that is left."""
        things, titles = self.machine.world.things[heap.kind], self.machine.world.titles[heap.kind]
        number = {name: place for place, name in enumerate(things)}
        taken: dict[int, Span] = {}
        for one in given:
            for item in one.value:
                if isinstance(item, Word) and item.text in number:
                    thing = number[item.text]
                    if thing in taken:
                        label = Label(taken[thing], "it lies here")
                        self.report("LX811", f"`{item.text}` cannot lie in two places", item.span, (label,))
                    taken.setdefault(thing, item.span)
        found: dict[int, tuple[int, ...]] = {}
        for one in given:
            pile: list[int] = []
            for item in one.value:
                if isinstance(item, Word) and item.text in number:
                    pile.append(number[item.text])
                else:
                    pile += self._copies(item, titles, taken)
            found[one.address] = tuple(pile)
        return found

    def _copies(self, item: Word | Copies, titles: tuple[str, ...], taken: dict[int, Span]) -> list[int]:
        count, title = (item.count, item.of.text) if isinstance(item, Copies) else (1, item.text)
        copies = [thing for thing, name in enumerate(titles) if name == title]
        free = [thing for thing in copies if thing not in taken]
        if count > len(free):
            others = f", and {_counted(len(copies) - len(free))} elsewhere" if len(free) < len(copies) else ""
            message = f"there {_are(len(copies))} `{title}`{others}"
            labels = tuple(Label(taken[thing], "one lies here") for thing in copies if thing in taken)
            self.report("LX811", message, item.span, labels[:1])
        for thing in free[:count]:
            taken[thing] = item.span
        return free[:count]

    def _conserve(self, given: list[_Given], cells: dict[int, Value]) -> None:
        for heap in self.placing.heaps:
            left = self.placing.homeless(heap, cells)
            if left:
                last = max((one.line.span for one in given if one.address in heap.cells), key=lambda span: span.start)
                names = [self.machine.world.things[heap.kind][thing] for thing in left]
                told = ", ".join(f"`{name}`" for name in names[:3]) + (", ..." if len(names) > 3 else "")
                message = f"every pile of {heap.kind} is given, and nothing says where {told} {_lie(len(names))}"
                self.report("LX812", message, last, help="name them in one of the piles, or leave a pile out for them")
        for purse in self.placing.purses:
            surplus = self.placing.surplus(purse, cells)
            if surplus:
                self._report_counters(purse, surplus, [one for one in given if one.address in purse.cells])

    def _report_counters(self, purse: Purse, surplus: int, given: list[_Given]) -> None:
        if not given:
            return  # so the book itself begins
        *others, last = sorted((one.line.span for one in given), key=lambda span: span.start)
        pool = purse.pool
        whose = "" if pool.each is None else f" of {self.machine.world.things[pool.each.text][purse.owner]}"
        message = f"`{pool.name.text}`{whose} has {pool.total} counters, and {pool.total + surplus} are placed"
        labels = tuple(Label(span, "others are placed here") for span in others)
        rest = next((slot.name.text for slot in pool.slots if slot.starts == "rest"), None)
        taken = any(one.address in purse.rest for one in given)
        hint = f"leave `{rest}` out, and it takes up the rest" if rest is not None and taken else None
        self.report("LX813", message, last, labels, hint)

    # ---- rules, players, what has happened, where play stands

    def _disabled(self) -> dict[str, tuple[m.Event, dict[str, Value]] | None]:
        known = sorted({norm.name for norm in self.machine.norms} | {v.name.text for v in self.machine.values.values()})
        until: dict[str, m.Event | None] = {}
        for node in nodes_of(self.checked.book.declarations):
            if isinstance(node, m.Disable):
                until.setdefault(node.rule.text, node.until)
        found: dict[str, tuple[m.Event, dict[str, Value]] | None] = {}
        for line in self.lines:
            if isinstance(line, Disabled):
                if line.rule.text in known:
                    event = until.get(line.rule.text)
                    found[line.rule.text] = (event, {}) if event is not None else None
                else:
                    near = did_you_mean(line.rule.text, known)
                    self.report("LX806", f"the rulebook has no rule `{line.rule.text}`", line.rule.span, help=near)
        return found

    def _lost(self) -> tuple[int, ...]:
        found: dict[int, Lost] = {}
        for line in self.lines:
            if not isinstance(line, Lost):
                continue
            if self.checked.players is None:
                self.report("LX804", "the game has no players", line.span)
                continue
            try:
                found[self.names.value(line.player, KindT(self.checked.players), "who loses")] = line
            except Misfit as error:
                self.report(error.code, error.message, error.span, help=error.help)
        if found and len(found) == self.machine.world.seats:
            last = list(found.values())[-1]
            self.report("LX815", "all players have lost, so nobody decides anything any more", last.span)
        return tuple(found)

    def _happened(self) -> tuple[Happening, ...]:
        found: list[Happening] = []
        for line in self.lines:
            if not isinstance(line, Happened):
                continue
            try:
                move = move_at(self.machine, line.move, self.machine.verbs)
            except MoveError as error:
                self.report("LX816", error.message, error.span, help=error.help)
                continue
            symbol = self.machine.verbs[move.verb]
            if not move.is_whole:
                left = [
                    f"`{param.label} ...`" if param.label else f"`{param.variable.text}`"
                    for param, arg in zip(symbol.params, move.args, strict=True)
                    if arg is LEFT_OUT
                ]
                message = f"what has happened is told in full, and {' and '.join(left)} {_is(len(left))} left out"
                self.report("LX816", message, line.move)
                continue
            happening = Happening(("phrase", move.verb), move.args)
            if happening.key in self.machine.tracked:
                found.append(happening)
        return tuple(found)

    def _stops(self) -> tuple[Stop, ...]:
        line = next((line for line in self.lines if isinstance(line, During)), None)
        found: list[Stop] = []
        for moment in line.moments if line is not None else ():
            if moment.name.text == "game":
                continue
            try:
                found.append(self._stop(moment))
            except Misfit as error:
                self.report(error.code, error.message, error.span, help=error.help)
        return tuple(found)

    def _stop(self, moment: Moment) -> Stop:
        name = moment.name.text
        if name not in self.checked.moments and name not in self.machine.verbs:
            near = did_you_mean(name, [*self.checked.moments, *self.machine.verbs])
            raise Misfit("LX806", f"no moment is called `{name}`", moment.name.span, near)
        if moment.of is None:
            return Stop(name)
        owners = self._moment_owners(name)
        if not owners:
            raise Misfit("LX817", f"`{name}` is nobody's", moment.of.span, f"write `during {name}`")
        errors: list[Misfit] = []
        for owner in owners:
            try:
                return Stop(name, self.names.value(moment.of, owner, f"`{name}`"))
            except Misfit as error:
                errors.append(error)
        raise errors[0]

    def _moment_owners(self, name: str) -> list[Type]:
        """Whose a moment can be: turns are of those who take them, procedures and actions of those who do them."""
        if name == "turn":
            turns = [
                node.variable.text for node in nodes_of(self.checked.book.declarations) if isinstance(node, m.Turns)
            ]
            symbols = [self.machine.variables[variable] for variable in dict.fromkeys(turns)]
            return list(dict.fromkeys(symbol.type for symbol in symbols if isinstance(symbol, VariableSymbol)))
        verb = self.machine.verbs.get(name)
        if verb is None:
            return []
        return [type_ for param, type_ in zip(verb.params, verb.types, strict=True) if param.label == "by"]

    def _arrive(self, wanted: Wanted) -> tuple[State, Node] | None:
        line = next((line for line in self.lines if isinstance(line, During)), None)
        span = line.span if line is not None else self.head
        where = f" during `{line.moments[-1].span.text}`" if line is not None else ""
        try:
            found = self.placing.arrive(wanted)
        except (Undetermined, Gap, Broken) as open_point:
            self.report("LX815", f"the rules leave open how play comes there: {open_point}", span)
            return None
        if found == "no way":
            assert line is not None
            name = line.moments[-1].name
            action = name.text in self.machine.actions
            hint = "name the moment in which players choose it" if action else None
            self.report("LX815", f"play never comes to `{name.text}` by itself", name.span, help=hint)
            return None
        if found == "no decision":
            self.report("LX815", f"nobody comes to decide anything{where} as things stand", span)
            return None
        return found

    # ---- limits

    def _keep_limits(self, given: list[_Given], state: State) -> None:
        for broken in broken_limits(self.machine, state):
            lines = [one.line.span for one in given if one.address in broken.cells]
            if lines:  # else the book itself begins so
                message = f"the rule `{broken.norm.name}` limits this to {broken.most}, and it is {broken.amount}"
                label = Label(broken.norm.body.span, "the limit stands here")
                self.report("LX814", message, lines[-1], (label,))


def _subject(line: Holds) -> Span:
    """`ship of Player 2` in `ship of Player 2 is rhodes`."""
    end = line.args[-1].span.end if line.args else line.name.span.end
    between = Span(line.span.source, end, line.value.span.start).text
    return Span(line.span.source, line.span.start, end + between.find(")") + 1)


def _owners(slot: Cells) -> str:
    if not slot.symbol.params:
        return "nothing"
    shown = [describe(param) for param in slot.symbol.params]
    return shown[0] if len(shown) == 1 else f"({', '.join(shown)})"


def _printed(name: Word) -> Misfit:
    return Misfit("LX809", f"`{name.text}` is printed, and never changes", name.span, "leave this line out")


def _titles(machine: Machine, type_: Type) -> tuple[str, ...]:
    return machine.world.titles[type_.name] if isinstance(type_, KindT) else ()


def _counted(number: int) -> str:
    return "1 is" if number == 1 else f"{number} are"


def _are(number: int) -> str:
    return "is only 1" if number == 1 else f"are only {number}"


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _lie(number: int) -> str:
    return "lies" if number == 1 else "lie"
