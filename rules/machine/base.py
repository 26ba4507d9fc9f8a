"""The machine: checked rules made to run.

`Machine` knows the rules; `State` is one moment of one game. `run` goes on by itself until something must be decided: a
`Choice`, a `Chance`, a point where the book disagrees with itself or is silent (`Open`), or the end (`Over`). `answer`
puts the decision in; then `run` goes on.

Statements are carried out on an explicit stack, so that a state can be copied at any moment. A statement that needs a
decision returns the node and is carried out again when the answer is there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, assert_never, cast

from rules import model as m
from rules.diagnostics import InternalError
from rules.machine.evaluate import Evaluator
from rules.machine.norms import Applied, Defeat, Precedence, RuleNorm, Ruling, Undetermined, all_norms
from rules.machine.observer import Observer
from rules.machine.restated import Restated, Shapes
from rules.machine.sight import Space
from rules.machine.state import State
from rules.machine.world import Cells, Value, World
from rules.span import Span
from rules.symbols import KindSymbol, TypeSymbol, ValueSymbol, VariableSymbol, VerbSymbol
from rules.types import BagT, EnumT, KindT, MaybeT, NumberT, OrderT, PileT, SetT, TruthT, Type
from rules.walk import nodes_of

if TYPE_CHECKING:
    from rules.machine.run import Machine


# ---- What the machine waits for -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """An action with all its parts, or one of the other things that can be chosen."""

    text: str
    data: Any = None


@dataclass(frozen=True, slots=True)
class Choice:
    """`actor` is the number of the player who decides; None is the table as one."""

    actor: int | None
    moves: tuple[Move, ...]
    what: str
    secret: bool = False  # nobody else sees what is chosen until all have chosen


@dataclass(frozen=True, slots=True)
class Chance:
    outcomes: tuple[tuple[Move, int], ...]  # each with its weight
    what: str
    shuffles: bool = False  # one step of a shuffle; the first outcome leaves the thing where it is


@dataclass(frozen=True, slots=True)
class Open:
    """The book disagrees with itself here, is silent, demands what cannot be done, or breaks its own bounds.

    `sides` are the norms that disagree, or the duty that cannot be met; `span` is where the book is silent. `rulings`
    are the ways in which the players can settle the point and go on.
    """

    kind: Literal["undetermined", "gap", "unmet", "broken", "stuck"]
    text: str
    sides: tuple[tuple[RuleNorm, ...], ...] = ()
    span: Span | None = None
    rulings: tuple[Ruling, ...] = ()


@dataclass(frozen=True, slots=True)
class Over:
    outcomes: tuple[tuple[Value, str], ...]


Node = Choice | Chance | Open | Over


class Broken(Exception):  # noqa: N818
    """The text does what its own types do not allow; `span` is the statement that does."""

    def __init__(self, text: str, span: Span) -> None:
        super().__init__(text)
        self.span = span


class LimitReached(Exception):  # noqa: N818
    """A limit forbids the effect; raised only while it is asked whether an action is legal."""

    def __init__(self, norm: RuleNorm) -> None:
        super().__init__(norm.name)
        self.norm = norm


@dataclass(frozen=True, slots=True)
class Happening:
    """An event as it happens. `key` says what sort of event it is; the rest is compared with the patterns of rules."""

    key: tuple[Any, ...]
    args: tuple[Value, ...] = ()
    old: Value = None
    new: Value = None
    amount: Value = None
    word: str = ""  # begins, ends, enters, leaves, increases, decreases, becomes
    shifts: bool = False  # an amount is added or taken away, whatever was there


@dataclass(frozen=True, slots=True)
class Legal:
    """What the norms say of one move: whether it is legal, what made it so, and what was defeated.

    `allowing`, `forbidding` and `owed` are the norms that apply; `winners` those that decided. `clash` is set where
    they disagree and nothing decides; then the move is neither legal nor illegal.
    """

    verb: str
    args: tuple[Value, ...]
    legal: bool
    winners: tuple[Applied, ...]
    must: bool = False
    allowing: tuple[Applied, ...] = ()
    forbidding: tuple[Applied, ...] = ()
    owed: tuple[Applied, ...] = ()
    defeats: tuple[Defeat, ...] = ()
    payable: bool = True
    limit: RuleNorm | None = None  # the limit that it would exceed
    clash: Undetermined | None = field(default=None, compare=False)


def sight_of(slot: Cells) -> str:
    """`open`, `closed` or `private`."""
    return next((word.text for word in slot.node.modifiers if word.text in ("closed", "private")), "open")


class Base:
    def __init__(
        self,
        world: World,
        readings: dict[str, str] | None = None,
        ruled: tuple[m.Rule, ...] = (),
        overs: frozenset[tuple[object, object]] = frozenset(),
        resting: frozenset[str] = frozenset(),
    ) -> None:
        self.world = world
        self.resting = resting
        self.checked = world.checked
        self.observer: Observer | None = None
        book = self.checked.book
        self.evaluator = Evaluator(cast("Machine", self))
        self.printed: dict[int, list[Value]] = {}
        self.actions = {d.signature.verb.text: d for d in book.declarations if isinstance(d, m.Action)}
        self.procedures = {d.signature.verb.text: d for d in book.declarations if isinstance(d, m.Procedure)}
        self.tables = {d.name.text: d for d in book.declarations if isinstance(d, m.Table)}
        self.ranks = {d.name.span: d for d in book.declarations if isinstance(d, m.Rank)}
        self.values = {d.name.span: d for d in book.declarations if isinstance(d, m.Value)}
        self.passages = {p.name.text: p for d in book.declarations if isinstance(d, m.Story) for p in d.passages()}
        self.sights = {d.name.text: d for d in book.declarations if isinstance(d, m.Sight)}
        self._spaces: dict[str, tuple[Space, ...]] = {}
        self.play: m.Block = next((d.body for d in book.declarations if isinstance(d, m.Play)), ())
        self.variables = {
            name.text: self.checked.symbol_of(name)
            for d in book.declarations
            if isinstance(d, m.Let)
            for name in d.names
        }
        self.verbs = self._verbs()
        self._by = {
            verb: place
            for verb, symbol in self.verbs.items()
            for place, param in enumerate(symbol.params)
            if param.label == "by"
        }
        self._slot_at = {
            place: slot.symbol for slot in world.slots.values() for place in range(slot.base, slot.base + slot.count)
        }
        self._sight = {id(slot.symbol): sight_of(slot) for slot in world.slots.values()}
        self._all_open = all(sight == "open" for sight in self._sight.values())
        self.norms = tuple(all_norms(book, readings or {}, ruled))
        self.readings = self._open_readings()
        self._cases: dict[int, RuleNorm] = {}
        self._plain: dict[int, tuple[tuple[str, ...], m.Expr | None]] = {}
        self._by_modal: dict[str, tuple[list[RuleNorm], list[RuleNorm], list[RuleNorm]]] = {}
        self._offers: dict[tuple[object, ...], list[tuple[str, m.Phrase | None]]] = {}  # by the moments that run
        self._needs: dict[int, frozenset[str]] = {}
        self._bound_first: dict[int, tuple[str, ...]] = {}
        self.precedence = Precedence(cast("Machine", self), overs)
        self.restated = Restated(cast("Machine", self))
        self.shapes = Shapes(cast("Machine", self))
        # Whether something in the book can be read in several ways, or is said in several.
        self.has_versions = bool(self.readings or self.restated.families)
        self._index_norms()
        self.tracked = self._tracked()
        self._print_attributes()

    # ---- what is known before the game

    def _verbs(self) -> dict[str, VerbSymbol]:
        found: dict[str, VerbSymbol] = {}
        declared: list[m.Action | m.Procedure] = [*self.actions.values(), *self.procedures.values()]
        for node in declared:
            signature = node.signature
            types = tuple(
                symbol.type
                for p in signature.params
                if isinstance(symbol := self.variables[p.variable.text], VariableSymbol)
            )
            role: Literal["action", "procedure"] = "action" if isinstance(node, m.Action) else "procedure"
            found[signature.verb.text] = VerbSymbol(
                signature.verb.text, role, signature.params, types, signature.verb.span
            )
        return found

    def _open_readings(self) -> dict[str, tuple[str, ...]]:
        """The rules of which several readings are left, with their readings."""
        found: dict[str, dict[str, None]] = {}
        for norm in self.norms:
            if norm.reading is not None:
                found.setdefault(norm.name, {})[norm.reading] = None
        return {name: tuple(readings) for name, readings in found.items() if len(readings) > 1}

    def _index_norms(self) -> None:
        self.modals: dict[str, list[RuleNorm]] = {}
        self.reactions: dict[tuple[Any, ...], list[RuleNorm]] = {}
        self.value_norms: dict[int, list[RuleNorm]] = {}
        self.limits: list[RuleNorm] = []
        self.endings: list[RuleNorm] = []
        self.immediate_endings: list[RuleNorm] = []
        self.ignored: dict[str, list[RuleNorm]] = {}
        for norm in self.norms:
            if self.restated.is_done_already(norm):
                continue
            match norm.body:
                case m.ModalNorm(phrases=phrases):
                    for verb in dict.fromkeys(phrase.verb.text for phrase in phrases):
                        self.modals.setdefault(verb, []).append(norm)
                case m.EventNorm(event=event):
                    self.reactions.setdefault(self.key_of(event), []).append(norm)
                case m.IgnoreNorm(what=what):
                    if isinstance(what, m.Name):
                        self.ignored.setdefault(what.text, []).append(norm)
                    else:
                        self.reactions.setdefault(self.key_of(what), []).append(norm)
                case m.ValueNorm(target=target):
                    self.value_norms.setdefault(id(self.checked.symbol_of(target)), []).append(norm)
                case m.LimitNorm():
                    self.limits.append(norm)
                case m.OutcomeNorm():
                    self.endings.append(norm)
                    if norm.manner == "immediately":
                        self.immediate_endings.append(norm)
                case m.Case():
                    raise InternalError("a case is no norm of a rule")
                case _:
                    assert_never(norm.body)
        for name in {norm.name for norm in self.norms}:
            known = [one for other in sorted(self.restated.names(name)) for one in self.ignored.get(other, ())]
            if known:
                self.ignored[name] = list({one.order: one for one in known}.values())

    def _tracked(self) -> frozenset[tuple[Any, ...]]:
        """The events that some rule asks about afterwards."""
        keys: set[tuple[Any, ...]] = set()
        for node in nodes_of(self.checked.book.declarations):
            if isinstance(node, m.Happened | m.TimesHappened):
                keys.add(self.key_of(node.event))
            elif isinstance(node, m.ModalNorm) and node.frequency is not None:
                keys.update(("phrase", phrase.verb.text) for phrase in node.phrases)
        return frozenset(keys)

    def _print_attributes(self) -> None:
        state = State([])
        for symbol, kind, place in self.checked.products:
            domain_of = self._product_parts(kind)
            self.printed[id(symbol)] = [combination[place] for combination in domain_of]
        for cells in self.world.slots.values():
            if cells.symbol.role == "printed":
                self.printed[id(cells.symbol)] = [self._start(cells, (thing,), state) for thing in cells.domains[0]]

    def _product_parts(self, kind: str) -> list[tuple[Value, ...]]:
        node = next(d for d in self.checked.book.declarations if isinstance(d, m.Kind) and d.name.text == kind)
        assert isinstance(node.population, m.Product)
        domains = []
        for name in node.population.of:
            symbol = self.checked.symbol_of(name)
            assert isinstance(symbol, TypeSymbol | KindSymbol)
            domains.append(self.world.domain(symbol.type))
        return list(product(*domains))

    def key_of(self, event: m.Event) -> tuple[Any, ...]:
        match event:
            case m.PhraseEvent(phrase=phrase):
                return ("phrase", phrase.verb.text)
            case m.ChangeEvent(subject=subject):
                return ("change", id(self.checked.symbol_of(subject)))
            case m.MomentEvent(moment=moment):
                return ("moment", moment.name.text)
            case m.RunsOutEvent(pile=pile):
                return ("runs out", id(self.checked.symbol_of(pile)))
            case m.TransferEvent(where=where):
                return ("transfer", id(self.checked.symbol_of(where)))
            case _:
                assert_never(event)

    # ---- the start

    def _start(self, slot: Cells, args: tuple[Value, ...], state: State) -> Value:
        node, type_ = slot.node, slot.symbol.type
        env = {name.text: arg for name, arg in zip(node.indices, args, strict=False) if name.text in self.variables}
        given = self._given(slot, args)
        if given is not None:
            return self.evaluator.value(given, state, {})
        if isinstance(node.starts, str):
            return 0
        if node.starts is not None:
            value = self.evaluator.value(node.starts, state, env)
            if isinstance(type_, PileT):
                return tuple(sorted(value))
            return value
        return self._default(type_)

    @cached_property
    def _in_start_order(self) -> tuple[Cells, ...]:
        """The slots, each after those that its start is computed from."""
        reads = {key: self._start_reads(slot) for key, slot in self.world.slots.items()}
        found: dict[int, Cells] = {}

        def add(key: int, above: frozenset[int]) -> None:
            for other in reads[key] - above - found.keys():
                add(other, above | {key})
            found.setdefault(key, self.world.slots[key])

        for key in self.world.slots:
            add(key, frozenset({key}))
        return tuple(found.values())

    def _start_reads(self, slot: Cells) -> frozenset[int]:
        """The slots that the start of one is computed from; of a value, all that it can read."""
        if slot.node.starts is None or isinstance(slot.node.starts, str):
            return frozenset()
        waiting: list[object] = [slot.node.starts]
        seen: set[int] = set()
        while waiting:
            for node in nodes_of(waiting.pop()):
                symbol = self.checked.symbols.get(id(node))
                if symbol is None or id(symbol) in seen:
                    continue
                seen.add(id(symbol))
                if isinstance(symbol, ValueSymbol):
                    waiting.append(self.values[symbol.span].cases)
        return frozenset(key for key in seen if key in self.world.slots)

    def _check_start(self, state: State) -> None:
        """Raises `ValueError` where the book starts with what its own types do not allow for so many players."""
        for slot in self.world.slots.values():
            type_ = slot.symbol.type
            for value in state.cells[slot.base : slot.base + slot.count]:
                if not self.world.has(type_, value):
                    place = f"{slot.node.span.source.path}:{slot.node.span.line}"
                    players = f" with {self.world.seats} players" if self.world.seats else ""
                    shown = self.world.show(value, type_)
                    raise ValueError(f"`{slot.symbol.name}` cannot start as {shown}{players} ({place})")

    def _given(self, slot: Cells, args: tuple[Value, ...]) -> m.Expr | None:
        """What a `has` line says."""
        if slot.symbol.role not in ("attribute", "printed"):
            return None
        kind = slot.symbol.params[0]
        assert isinstance(kind, KindT)
        title = self.world.titles[kind.name][args[0]]
        for declaration in self.checked.book.declarations:
            if isinstance(declaration, m.Kind) and declaration.name.text == kind.name:
                for line in declaration.lines:
                    if isinstance(line, m.HasLine) and line.member.text == title:
                        for given in line.given:
                            if given.attribute.text == slot.symbol.name:
                                return given.value
        return None

    def _default(self, type_: Type) -> Value:
        match type_:
            case NumberT(low=low, high=high):
                return 0 if low <= 0 <= high else low
            case TruthT():
                return False
            case MaybeT():
                return None
            case SetT():
                return frozenset()
            case BagT() | PileT():
                return ()
            case OrderT(kind=kind):
                return tuple(range(len(self.world.things[kind])))
            case EnumT() | KindT():
                return None
            case _:
                raise InternalError(f"no first value for {type_}")

    def _fill_piles(self, state: State) -> None:
        """Things that no `starts` names lie in the first pile listed."""
        for declaration in self.checked.book.declarations:
            if not isinstance(declaration, m.Piles):
                continue
            placed: set[Value] = set()
            slots = [self._cells_of(node) for node in declaration.slots]
            for slot in slots:
                for place in range(slot.base, slot.base + slot.count):
                    state.cells[place] = tuple(thing for thing in state.cells[place] if thing not in placed)
                    placed.update(state.cells[place])
            rest = [thing for thing in range(len(self.world.things[declaration.of.text])) if thing not in placed]
            state.cells[slots[0].base] += tuple(rest)

    def _fill_pools(self, state: State) -> None:
        for declaration in self.checked.book.declarations:
            if not isinstance(declaration, m.Pool):
                continue
            slots = [self._cells_of(node) for node in declaration.slots]
            rest = next((slot for slot in slots if slot.node.starts == "rest"), None)
            if rest is None:
                continue
            if declaration.each is None:
                used = sum(state.cells[p] for slot in slots for p in range(slot.base, slot.base + slot.count))
                state.cells[rest.base] = declaration.total - used
                continue
            for place, owner in enumerate(rest.domains[0]):
                used = 0
                for slot in slots:
                    share = slot.count // len(slot.domains[0])
                    first = slot.base + place * share
                    used += sum(state.cells[first : first + share])
                address = rest.address((owner, *(domain[0] for domain in rest.domains[1:])))
                assert address is not None
                state.cells[address] = declaration.total - used

    def _cells_of(self, node: m.Slot) -> Cells:
        return self.world.slots[id(self.checked.symbol_of(node))]
