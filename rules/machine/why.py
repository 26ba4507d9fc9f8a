"""Why a move is legal, or why not: the norms that decided, those that they defeated, and the smallest set of reasons.

Nothing here is text: `ludex.reasons` puts it into words. Whoever asks as a player gets an answer that rests on nothing
but what that player sees.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Literal

from rules import model as m
from rules.machine.base import Broken, Chance, Choice, Legal, Move, Node, Open, Over
from rules.machine.evaluate import Env
from rules.machine.lacks import OPEN_POINTS, Atom, Given, Ignored, Lack, Lacks, Way
from rules.machine.legality import Unpaid
from rules.machine.moves import LEFT_OUT
from rules.machine.norms import Applied, Defeat, Gap, RuleNorm, Undetermined, Unmet
from rules.machine.run import Machine
from rules.machine.state import State
from rules.machine.watch import Concealed, watched
from rules.machine.world import Value
from rules.types import Type

Verdict = Literal["legal", "illegal", "undetermined", "hidden"]
Args = tuple[Value, ...]

_MOST_WAYS = 5_000  # ways of doing an action that are judged where parts of it are left out
_MOST_REASONED = 200  # ways of which the reasons are compared


# ---- Reasons --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameOver:
    pass


@dataclass(frozen=True, slots=True)
class ChanceDecides:
    what: str


@dataclass(frozen=True, slots=True)
class OtherChoice:
    """Something else than an action is being decided; `offered` is what, as far as the viewer may know."""

    what: str
    decider: int | None
    offered: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotYours:
    """Somebody else acts now: `actor`, of a kind, for whom the player `decider` decides (None: the table as one)."""

    decider: int | None
    actor: Value
    kind: Type


@dataclass(frozen=True, slots=True)
class NotOffered:
    """Only these actions are offered here, or only with other parts."""

    phrases: tuple[m.Phrase, ...]
    given: Given


@dataclass(frozen=True, slots=True)
class WrongMoment:
    """The action belongs to these moments, and none of them is running; or a `window` is open that is none of them."""

    moments: tuple[str, ...]
    window: str | None = None


@dataclass(frozen=True, slots=True)
class NotAllowed:
    """No norm allows it. `ways` are those that speak of it, the one that lacks least first."""

    ways: tuple[Way, ...]

    @property
    def lacks(self) -> tuple[Lack, ...]:
        return self.ways[0].lacks if self.ways else ()


@dataclass(frozen=True, slots=True)
class Forbidden:
    """These norms forbid it, and what allows it does not go before them. All of them would have to let go."""

    ways: tuple[Way, ...]

    @property
    def lacks(self) -> tuple[Lack, ...]:
        return tuple(dict.fromkeys(lack for way in self.ways for lack in way.lacks))


@dataclass(frozen=True, slots=True)
class CannotPay:
    unpaid: Unpaid
    given: Given


@dataclass(frozen=True, slots=True)
class BeyondLimit:
    norm: RuleNorm


@dataclass(frozen=True, slots=True)
class OtherDuty:
    """Something else must be done; `moves` are the ways to do it."""

    duties: tuple[RuleNorm, ...]
    moves: tuple[tuple[str, Args], ...]


@dataclass(frozen=True, slots=True)
class Stopped:
    """Play stands still at an open point of the book."""

    open: Open


@dataclass(frozen=True, slots=True)
class Concealing:
    """It rests on what the viewer may not see. `ways` have the conditions concerned, with no answer."""

    ways: tuple[Way, ...]


Reason = (
    GameOver
    | ChanceDecides
    | OtherChoice
    | NotYours
    | NotOffered
    | WrongMoment
    | NotAllowed
    | Forbidden
    | CannotPay
    | BeyondLimit
    | OtherDuty
    | Stopped
    | Concealing
)


@dataclass(frozen=True, slots=True)
class Why:
    """What the rules say of a move.

    `deciding` are the norms that decided; none, where the play itself offers a move that no norm speaks of. `reasons`
    are there for what is not legal: all of them would have to go. `open` is what the rules leave open, or the open
    point at which play stands still whatever the verdict. `args` may have `LEFT_OUT` for parts that were not said: then
    `ways` are the legal ways, and where there are none, `nearest` is the way that the reasons speak of, or None if they
    are the same for all `tried`.
    """

    verdict: Verdict
    verb: str
    args: Args
    deciding: tuple[Applied, ...] = ()
    defeats: tuple[Defeat, ...] = ()
    must: bool = False
    reasons: tuple[Reason, ...] = ()
    open: Open | None = None
    ways: tuple[Args, ...] = ()
    nearest: Args | None = None
    tried: int = 1

    @property
    def lacks(self) -> tuple[Lack, ...]:
        """All that rules would have to find otherwise."""
        found = [r.lacks for r in self.reasons if isinstance(r, NotAllowed | Forbidden)]
        return tuple(dict.fromkeys(lack for lacks in found for lack in lacks))

    @property
    def atoms(self) -> tuple[Atom, ...]:
        return tuple(atom for lack in self.lacks for atom in atoms_of(lack))


def atoms_of(lack: Lack) -> tuple[Atom, ...]:
    return (lack,) if isinstance(lack, Atom) else lack.atoms if isinstance(lack, Ignored) else ()


# ---- One move -------------------------------------------------------------------------------------------------------


def explain(machine: Machine, state: State, node: Node, verb: str, args: Args, viewer: int | None = None) -> Why:
    """Why a move is legal or not, where a state waits at a node; as a player sees it, None sees everything."""
    here = deciding_state(state)
    if LEFT_OUT in args:
        return _over_all_ways(machine, here, node, verb, args, viewer)
    return _explain(machine, here, watched(machine, here, viewer), node, verb, args, viewer)


def deciding_state(state: State) -> State:
    """The state in which the one who decides chooses: in secret choices a trial of its own."""
    while state.stack and state.stack[-1].kind == "secret" and state.stack[-1].data["trial"] is not None:
        state = state.stack[-1].data["trial"]
    return state


def _explain(machine: Machine, here: State, seen: State, node: Node, verb: str, args: Args, viewer: int | None) -> Why:
    try:
        return _Question(machine, seen, node, verb, args, viewer).answer()
    except Concealed:
        pass
    asking = _Question(machine, seen, node, verb, args, viewer)
    try:
        reasons = tuple(asking.situation())
    except Concealed:
        reasons = ()
    concealing = Concealing(asking.concealed())
    if reasons:
        return Why("illegal", verb, args, reasons=(*reasons, concealing))
    if not (isinstance(node, Choice) and node.actor == viewer):
        return Why("hidden", verb, args, reasons=(concealing,))
    # Who decides is shown what can be chosen; why it cannot is told as far as the player sees it.
    found = _Question(machine, here, node, verb, args, viewer).answer()
    if found.verdict == "legal":
        return replace(found, defeats=(), open=None)
    return Why(found.verdict, verb, args, reasons=(concealing,))


class _Question:
    def __init__(self, machine: Machine, state: State, node: Node, verb: str, args: Args, viewer: int | None) -> None:
        self.machine = machine
        self.state = state
        self.node = node
        self.verb = verb
        self.args = args
        self.viewer = viewer
        self.lacks = Lacks(machine, state)

    def answer(self) -> Why:
        verb, args = self.verb, self.args
        reasons = self.situation()
        if any(isinstance(r, GameOver | ChanceDecides | OtherChoice) for r in reasons):
            return Why("illegal", verb, args, reasons=tuple(reasons))
        if any(isinstance(r, Stopped) for r in reasons):
            assert isinstance(self.node, Open)
            return Why("undetermined", verb, args, reasons=tuple(reasons), open=self.node)
        stop = self.node if isinstance(self.node, Open) else None
        try:
            found = judge(self.machine, self.state, verb, args)
        except (Undetermined, Gap, Broken) as point:
            if reasons:
                return Why("illegal", verb, args, reasons=tuple(reasons), open=stop)
            return Why("undetermined", verb, args, open=open_point(point))
        if found.clash is not None and not reasons:
            return Why("undetermined", verb, args, found.winners, open=open_point(found.clash))
        if not found.legal:
            reasons += self._against(found)
        if not found.owed:
            reasons += self._other_duty()
        if reasons:
            forbidding = [a for a in found.winners if a in found.forbidding] if not found.legal else []
            return Why("illegal", verb, args, tuple(forbidding), found.defeats, reasons=tuple(reasons), open=stop)
        return Why("legal", verb, args, found.winners, found.defeats, bool(found.owed), open=stop)

    # ---- where play stands

    def situation(self) -> list[Reason]:
        """What keeps the move from being asked for at all."""
        machine, state, node = self.machine, self.state, self.node
        match node:
            case Over():
                return [GameOver()]
            case Chance(what=what):
                return [ChanceDecides(what)]
            case Choice() | Open():
                pass
        asked = machine.asked(state) if state.stack else None
        if asked is None:
            return [self._other_choice() if isinstance(node, Choice) else Stopped(node)]
        actor, kind, phrases, env = asked
        by = machine.by_of(self.verb)
        assert by is not None
        reasons: list[Reason] = []
        if machine.acts(self.verb) != kind or self.args[by] != actor:
            reasons.append(NotYours(machine.player_of(actor, kind, state), actor, kind))
        if phrases is not None and not any(self._is_offered(phrase, env) for phrase in phrases):
            given = {
                name: env[name]
                for phrase in phrases
                for arg in phrase.args
                for name in machine.needs(arg.value)
                if name in env
            }
            reasons.append(NotOffered(phrases, tuple(sorted(given.items()))))
        if not machine.is_its_time(self.verb, state):
            moments = tuple(moment.text for moment in machine.actions[self.verb].during)
            reasons.append(WrongMoment(moments, machine.open_window(state)))
        return reasons

    def _other_choice(self) -> OtherChoice:
        node = self.node
        assert isinstance(node, Choice)
        sees = self.viewer is None or node.actor in (None, self.viewer)
        return OtherChoice(node.what, node.actor, tuple(move.text for move in node.moves) if sees else ())

    def _is_offered(self, phrase: m.Phrase, env: Env) -> bool:
        """Whether an offer is of this action, and what it says of its parts is so."""
        if phrase.verb.text != self.verb:
            return False
        labels = [param.label for param in self.machine.verbs[self.verb].params]
        return all(
            self.machine.evaluator.value(arg.value, self.state, env) == self.args[labels.index(arg.label)]
            for arg in phrase.args
            if self.machine.needs(arg.value) <= env.keys()
        )

    # ---- what the norms say

    def _against(self, found: Legal) -> list[Reason]:
        reasons: list[Reason] = []
        permits, duties, _ = self.machine.by_modal(self.verb)
        allowing = found.allowing
        if not allowing and (permits or duties or not self._offered_by_play()):
            ways = [self.lacks.to_apply(norm, self.verb, self.args) for norm in permits or duties]
            ordered = sorted((way for way in ways if way is not None), key=lambda way: way.cost)
            reasons.append(NotAllowed(tuple(map(self._opened, ordered))))
            allowing = tuple(Applied(way.norm, way.env) for way in ordered[:1])
        blocking = self._blocking(found, allowing)
        if blocking:
            ways = [self._opened(self.lacks.to_let_go(a.norm, a.env)) for a in blocking]
            reasons.append(Forbidden(tuple(dict.fromkeys(ways))))  # type: ignore[arg-type]
        reasons += self._beyond_means()
        return reasons

    def _offered_by_play(self) -> bool:
        asked = self.machine.asked(self.state)
        return asked is not None and asked[2] is not None

    def _opened(self, way: Way) -> Way:
        lacks = tuple(self.lacks.opened(lack) if isinstance(lack, Atom) else lack for lack in way.lacks)
        return Way(way.norm, lacks, way.env)

    def _blocking(self, found: Legal, allowing: tuple[Applied, ...]) -> tuple[Applied, ...]:
        """The norms that forbid the move, and would even if what is nearest to allowing it did."""
        if not found.forbidding:
            return ()
        if found.allowing:
            return tuple(a for a in found.winners if a in found.forbidding)
        if not allowing:
            return found.forbidding
        try:
            side, decision = self.machine.precedence.decide("", [list(allowing), list(found.forbidding)], self.state)
        except OPEN_POINTS:
            return found.forbidding
        return () if side == 0 else decision.winners

    def _beyond_means(self) -> list[Reason]:
        machine, node = self.machine, self.machine.actions[self.verb]
        env = {param.variable.text: arg for param, arg in zip(node.signature.params, self.args, strict=True)}
        try:
            unpaid = machine.unpaid(node.body, env, self.state)
            if unpaid is not None:
                given = {**dict(self.lacks.given(unpaid.statement.source, env))}
                given |= dict(self.lacks.given(unpaid.statement.amount, env))
                return [CannotPay(unpaid, tuple(sorted(given.items())))]
            limit = machine.limit_on(self.verb, self.args, self.state)
        except OPEN_POINTS:  # what is not allowed is not asked what it costs
            return []
        return [BeyondLimit(limit)] if limit is not None else []

    def _other_duty(self) -> list[Reason]:
        if not _has_duties(self.machine, self.state):
            return []
        try:
            pressing = [one for one in self.machine.legal_now(self.state) if one.must]
        except OPEN_POINTS:
            return []
        if not pressing or any((one.verb, one.args) == (self.verb, self.args) for one in pressing):
            return []
        duties = {owed.norm.order: owed.norm for one in pressing for owed in one.owed}
        return [OtherDuty(tuple(duties.values()), tuple((one.verb, one.args) for one in pressing))]

    # ---- what the viewer may not see

    def concealed(self) -> tuple[Way, ...]:
        """The norms on which the answer may rest, with the conditions that the viewer cannot answer."""
        found: list[Way] = []
        for norm in self.machine.modals.get(self.verb, []):
            try:
                way = self.lacks.to_apply(norm, self.verb, self.args)
            except Concealed:
                found.append(Way(norm, (), {}))
                continue
            if way is None:
                continue
            lacks = tuple(lack for lack in way.lacks if isinstance(lack, Atom) and lack.holds is None)
            if lacks:
                found.append(Way(norm, lacks, {}))
        return tuple(found)


def judge(machine: Machine, state: State, verb: str, args: Args) -> Legal:
    """What the norms say of one move, under every reading. Raises `Undetermined`, `Gap` or `Broken`."""
    asked = machine.asked(state)
    offered = asked is not None and asked[2] is not None

    def ask() -> tuple[object, Legal]:
        found = machine.weigh(verb, args, state, offered)
        return (found.legal, found.must, found.clash is None), found

    if not machine.has_versions:
        return ask()[1]
    return machine.under_readings(machine.show_move(verb, args), machine.modals.get(verb, []), state, ask)


def is_legal(machine: Machine, state: State, node: Node, verb: str, args: Args) -> bool:
    """Whether the move can be chosen here; what is open or concealed is not legal."""
    if not isinstance(node, Choice):
        return False
    try:
        if _Question(machine, state, node, verb, args, None).situation() or not judge(machine, state, verb, args).legal:
            return False
    except (Concealed, *OPEN_POINTS):
        return False
    try:
        return any((one.verb, one.args) == (verb, args) for one in machine.legal_now(state))
    except OPEN_POINTS:
        return False
    except Concealed:  # of other moves: they matter only if something must be done
        return not _has_duties(machine, state)


def _has_duties(machine: Machine, state: State) -> bool:
    """Whether a norm demands any of the actions that are asked for."""
    asked = machine.asked(state)
    phrases = asked[2] if asked is not None else None
    verbs = machine.actions if phrases is None else [phrase.verb.text for phrase in phrases]
    return any(machine.by_modal(verb)[1] for verb in verbs)


def open_point(point: Undetermined | Gap | Broken) -> Open:
    match point:
        case Undetermined():
            return Open("undetermined", point.subject, point.sides, rulings=point.rulings)
        case Unmet():
            return Open("unmet", str(point), ((point.duty,),), point.span, point.rulings)
        case Gap():
            return Open("gap", str(point), span=point.span, rulings=point.rulings)
        case Broken():
            return Open("broken", str(point))


# ---- Moves whose parts are not all said ------------------------------------------------------------------------------


def ways_of(machine: Machine, verb: str, args: Args) -> Iterator[Args]:
    """The moves that an action with parts left out can be."""
    types = machine.verbs[verb].types
    domains = [
        machine.world.domain(type_) if arg is LEFT_OUT else (arg,) for arg, type_ in zip(args, types, strict=True)
    ]
    yield from islice(product(*domains), _MOST_WAYS)


def _over_all_ways(machine: Machine, here: State, node: Node, verb: str, args: Args, viewer: int | None) -> Why:
    seen = watched(machine, here, viewer)
    ways = list(ways_of(machine, verb, args))
    if isinstance(node, Choice) and viewer in (None, node.actor):
        can = {one.args for one in machine.legal_now(here) if one.verb == verb}
        asked = [way for way in ways if way in can] or ways[:_MOST_REASONED]
    else:
        asked = [w for i, w in enumerate(ways) if i < _MOST_REASONED or is_legal(machine, seen, node, verb, w)]
    found = [_explain(machine, here, seen, node, verb, way, viewer) for way in asked]
    legal = [one for one in found if one.verdict == "legal"]
    others = [one for one in found if one.verdict != "legal"]
    tried = len(ways)
    if legal:
        deciding = {a.norm.order: a for one in legal for a in one.deciding}
        told = tuple(one.args for one in legal)
        must = any(one.must for one in legal)
        return Why("legal", verb, args, tuple(deciding.values()), (), must, ways=told, open=legal[0].open, tried=tried)
    if not others:
        return Why("illegal", verb, args, reasons=(NotAllowed(()),), tried=0)
    clashing = [one for one in others if one.verdict == "undetermined"]
    if clashing:
        return replace(clashing[0], args=args, nearest=clashing[0].args, tried=tried)
    nearest = min(others, key=_weight)
    common = tuple(r for r in others[0].reasons if all(r in one.reasons for one in others[1:]))
    if common and common != nearest.reasons:
        return Why(nearest.verdict, verb, args, reasons=common, tried=tried)
    return replace(nearest, args=args, nearest=nearest.args, tried=tried)


def _weight(why: Why) -> tuple[int, int]:
    return sum(lack.fixed for lack in why.lacks), len(why.reasons) + len(why.lacks)


# ---- All moves -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listing:
    """What can be chosen here. `legal` are actions; `moves` also has what is chosen otherwise, such as to stop.

    `open` are the actions on which the rules disagree or are silent.
    """

    decider: int | None
    moves: tuple[Move, ...]
    legal: tuple[Legal, ...] = ()
    open: tuple[tuple[str, Args, Open], ...] = ()


def list_moves(machine: Machine, state: State, node: Node) -> Listing:
    """All that can be chosen, in the order of the book."""
    here = deciding_state(state)
    if isinstance(node, Choice):
        return Listing(node.actor, node.moves, tuple(machine.legal_now(here)))
    asked = machine.asked(here) if isinstance(node, Open) and here.stack else None
    if asked is None:
        return Listing(None, ())
    actor, kind, phrases, _ = asked
    decider = machine.player_of(actor, kind, here)
    verbs = machine.actions if phrases is None else dict.fromkeys(phrase.verb.text for phrase in phrases)
    legal: list[Legal] = []
    open_: list[tuple[str, Args, Open]] = []
    for verb in verbs:
        by = machine.by_of(verb)
        if by is None or machine.acts(verb) != kind or not machine.is_its_time(verb, here):
            continue
        parts = tuple(actor if place == by else LEFT_OUT for place in range(len(machine.verbs[verb].params)))
        for args in ways_of(machine, verb, parts):
            if _Question(machine, here, node, verb, args, None).situation():
                continue
            try:
                found = judge(machine, here, verb, args)
            except (Undetermined, Gap, Broken) as point:
                open_.append((verb, args, open_point(point)))
                continue
            if found.clash is not None:
                open_.append((verb, args, open_point(found.clash)))
            elif found.legal:
                legal.append(found)
    moves = tuple(Move(machine.show_move(one.verb, one.args), (one.verb, one.args)) for one in legal)
    return Listing(decider, moves, tuple(legal), tuple(open_))
