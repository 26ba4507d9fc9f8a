"""Why a move is legal or not, in words. Short by default; `all=True` tells the whole tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ludex.table import cited, ending, ground, open_lines, player_name, sentence
from ludex.wording import Words, by_ground, rule, shortened
from rules import model as m
from rules.machine import Choice, Legal, Machine, Move, Node, Open, Over
from rules.machine.lacks import OPEN, Atom, Lack, Unfit
from rules.machine.moves import LEFT_OUT, read_move
from rules.machine.nearest import Becomes, Carried, Change, Counters, Moment, Nearest, nearest
from rules.machine.norms import Applied, Defeat, RuleNorm
from rules.machine.secrets import HIDDEN
from rules.machine.state import State
from rules.machine.tree import Judged, Spoken, tree_of
from rules.machine.why import (
    Args,
    BeyondLimit,
    CannotPay,
    ChanceDecides,
    Concealing,
    Forbidden,
    GameOver,
    NotAllowed,
    NotOffered,
    NotYours,
    OtherChoice,
    OtherDuty,
    Reason,
    Stopped,
    Verdict,
    Why,
    WrongMoment,
    deciding_state,
    explain,
    ways_of,
)
from rules.machine.world import Value
from rules.types import KindT, Type

_PADDING = "  "


@dataclass(frozen=True)
class Explanation:
    """What the rules say of a move, as `viewer` sees it; None sees everything.

    `why` and `nearest` are the answer as data; `why` is None where something else than an action was asked about,
    which the play itself offers.
    """

    move: str
    why: Why | None
    nearest: Nearest
    machine: Machine = field(repr=False)
    state: State = field(repr=False)
    node: Node = field(repr=False)
    viewer: int | None

    @property
    def verdict(self) -> Verdict:
        return "legal" if self.why is None else self.why.verdict

    def __str__(self) -> str:
        return self.text()

    def text(self, all: bool = False) -> str:
        """The verdict and what it rests on; with `all`, every norm that speaks of the action, and every comparison."""
        lines = [self._head(), *(_PADDING + line for line in self._lines())]
        if all and self.why is not None:
            lines += self._tree_lines(self.why)
        return "\n".join(lines)

    def _head(self) -> str:
        if self.why is not None and self.why.must:
            return f"{self.verdict}: {self.move} (it must be done)"
        if self.why is not None and self.verdict == "hidden":
            return f"hidden: whether {self.move} is legal rests on what {self._viewer} may not see"
        return f"{self.verdict}: {self.move}"

    @property
    def _viewer(self) -> str:
        return player_name(self.machine, self.viewer)

    def _lines(self) -> Iterator[str]:
        why = self.why
        if why is None:
            yield "the play itself offers this"
            return
        words = _Telling(self)
        if why.ways:
            shown = [self.machine.show_move(why.verb, args) for args in why.ways]
            yield f"{len(shown)} {'way' if len(shown) == 1 else 'ways'}: {shortened(shown)}"
        if why.nearest is not None:
            yield f"of {why.tried} ways the nearest is {self.machine.show_move(why.verb, why.nearest)}"
        if why.verdict == "legal":
            yield from words.allowed(why)
        elif why.open is not None and why.verdict == "undetermined":
            yield from open_lines(why.open)
        for reason in why.reasons:
            yield from words.reason(reason)
        if why.verdict == "illegal":
            yield from words.defeats(why)
        if why.open is not None and why.verdict != "undetermined":
            yield "play stands still here:"
            yield from (_PADDING + line for line in open_lines(why.open))
        would = words.nearest(why, self.nearest)
        if would:
            yield f"it would be legal: {'; '.join(would)}"

    # ---- the whole tree

    def _tree_lines(self, why: Why) -> Iterator[str]:
        args = self._one_way(why)
        tree = tree_of(self.machine, self.state, why.verb, args, self.viewer)
        of = why.verb if args == why.args else self.machine.show_move(why.verb, args)
        yield f"every rule that speaks of `{of}`:" if tree.norms else f"no rule speaks of `{why.verb}`"
        words = _Telling(self)
        for spoken in tree.norms:
            yield from (_PADDING + line for line in words.spoken(spoken))
        if tree.comparisons:
            yield "compared:"
        for one in tree.comparisons:
            if one.ground is None:
                yield f"{_PADDING}{rule(one.first)} and {rule(one.second)}: nothing says which goes before"
            else:
                yield f"{_PADDING}{rule(one.first)} goes before {rule(one.second)}: {by_ground(one.ground)}"

    def _one_way(self, why: Why) -> Args:
        """The move itself; where parts were left out, one of the ways that the answer speaks of."""
        if LEFT_OUT not in why.args:
            return why.args
        ways = ways_of(self.machine, why.verb, why.args)
        return why.nearest or (why.ways[0] if why.ways else next(ways))

    # ---- for programs

    def json(self) -> dict[str, Any]:
        """All that the text tells, as plain values."""
        telling = _Telling(self)
        why = self.why
        found: dict[str, Any] = {"move": self.move, "verdict": self.verdict}
        if why is None:
            return found
        found["must"] = why.must
        found["ways"] = [self.machine.show_move(why.verb, args) for args in why.ways]
        found["nearest_way"] = self.machine.show_move(why.verb, why.nearest) if why.nearest is not None else None
        found["deciding"] = [norm_json(norm) for norm in _norms(why.deciding)]
        found["defeats"] = [defeat_json(defeat) for defeat in why.defeats]
        found["reasons"] = [telling.reason_json(reason) for reason in why.reasons]
        found["open"] = open_json(why.open) if why.open is not None else None
        found["changes"] = [[telling.change_json(c) for c in changes] for changes in self.nearest.changes]
        found["moments"] = [telling.moment_json(moment) for moment in self.nearest.moments]
        tree = tree_of(self.machine, self.state, why.verb, self._one_way(why), self.viewer)
        found["norms"] = [telling.spoken_json(spoken) for spoken in tree.norms]
        found["comparisons"] = [
            {
                "first": norm_json(one.first),
                "second": norm_json(one.second),
                "by": by_ground(one.ground) if one.ground is not None else None,
                "assumed": one.ground is not None and one.ground.assumed,
            }
            for one in tree.comparisons
        ]
        return found


def why_at(
    machine: Machine, state: State, node: Node, move: str | Move | Legal, viewer: int | None = None
) -> Explanation:
    """Why a move is legal or not, where a state waits at a node. Raises `ValueError` for a text that is no move."""
    found = _meant(machine, state, node, move, viewer)
    if isinstance(found, str):
        return Explanation(found, None, Nearest(), machine, state, node, viewer)
    verb, args = found
    answer = explain(machine, state, node, verb, args, viewer)
    would = nearest(machine, state, node, answer, viewer)
    return Explanation(_move_text(machine, verb, args), answer, would, machine, state, node, viewer)


def _meant(
    machine: Machine, state: State, node: Node, move: str | Move | Legal, viewer: int | None
) -> tuple[str, Args] | str:
    """The action and its parts, or the text of something else that is offered here."""
    if isinstance(move, Legal):
        return move.verb, move.args
    text = " ".join((move.text if isinstance(move, Move) else move).split())
    offered = node.moves if isinstance(node, Choice) and viewer in (None, node.actor) else ()
    chosen = next((one for one in offered if one.text.lower() == text.lower()), None)
    if chosen is not None:
        is_action = isinstance(chosen.data, tuple) and len(chosen.data) == 2 and chosen.data[0] in machine.actions
        return (chosen.data[0], chosen.data[1]) if is_action else chosen.text
    read = read_move(machine, text)
    return read.verb, _with_actor(machine, state, read.verb, read.args, viewer)


def _with_actor(machine: Machine, state: State, verb: str, args: Args, viewer: int | None) -> Args:
    """Who acts, where that was not said: the one who looks, or the one who is asked now."""
    by = machine.by_of(verb)
    if by is None or args[by] is not LEFT_OUT:
        return args
    here = deciding_state(state)
    asked = machine.asked(here) if here.stack else None
    if viewer is not None and machine.acts(verb) == _players(machine):
        actor: Value = viewer
    elif asked is not None and asked[1] == machine.acts(verb):
        actor = asked[0]
    else:
        return args
    return (*args[:by], actor, *args[by + 1 :])


def _players(machine: Machine) -> Type:
    return KindT(machine.checked.players or "")


def _move_text(machine: Machine, verb: str, args: Args) -> str:
    symbol = machine.verbs[verb]
    parts = [verb]
    for param, type_, arg in zip(symbol.params, symbol.types, args, strict=True):
        if arg is not LEFT_OUT:
            parts.append(
                f"{param.label} {machine.world.show(arg, type_)}" if param.label else machine.world.show(arg, type_)
            )
    return " ".join(parts)


def _norms(applied: tuple[Applied, ...]) -> list[RuleNorm]:
    return list({one.norm.key: one.norm for one in applied}.values())


# ---- Words of each reason --------------------------------------------------------------------------------------------


class _Telling:
    def __init__(self, of: Explanation) -> None:
        self.of = of
        self.machine = of.machine
        self.words = Words(of.machine)

    def allowed(self, why: Why) -> Iterator[str]:
        norms = _norms(why.deciding)
        if not norms:
            yield "no rule speaks of this action: the play itself offers it"
        for norm in norms:
            yield rule(norm)
        yield from self.defeats(why)

    def defeats(self, why: Why) -> Iterator[str]:
        """What those that decided were stronger than, and by what."""
        deciding = {norm.key for norm in _norms(why.deciding)}
        yield from dict.fromkeys(
            f"against {rule(one.loser.norm)}: {by_ground(one.ground)}"
            for one in why.defeats
            if one.winner.norm.key in deciding
        )

    def reason(self, reason: Reason) -> Iterator[str]:
        match reason:
            case GameOver():
                yield ending(self.machine, self.of.node) if isinstance(self.of.node, Over) else "the game is over"
            case ChanceDecides(what=what):
                yield f"chance decides now: {what}"
            case OtherChoice(what=what, decider=decider, offered=offered):
                options = f": {shortened(list(offered))}" if offered else ""
                yield f"{player_name(self.machine, decider)} decides something else now ({what}){options}"
            case NotYours(decider=decider, actor=actor, kind=kind):
                yield f"{self._acting(decider, actor, kind)} now"
            case NotOffered(phrases=phrases, given=given):
                yield f"only this is offered here: {self.words.phrases(phrases, given)}"
            case WrongMoment(moments=moments, window=window):
                yield f"it is done during {' or '.join(moments)} only"
                if window is not None:
                    yield f"  the window `{window}` is open: only reactions that name it are done in it"
            case NotAllowed():
                yield from self._not_allowed(reason)
            case Forbidden(ways=ways):
                for way in ways:
                    yield f"{rule(way.norm)} forbids it"
                    yield from self._lacks(way.lacks)
            case CannotPay():
                yield self._cannot_pay(reason)
            case BeyondLimit(norm=norm):
                yield f"it would go beyond {rule(norm)}: {sentence(norm)}"
            case OtherDuty(duties=duties, moves=moves):
                shown = [self.machine.show_move(verb, args) for verb, args in moves]
                names = ", ".join(map(rule, duties))
                yield f"something else must be done ({names}): {shortened(shown)}"
            case Stopped():
                pass  # the open point itself is told
            case Concealing(ways=ways):
                yield f"it rests on what is hidden from {player_name(self.machine, self.of.viewer)}"
                for way in ways:
                    yield f"{_PADDING}{rule(way.norm)}"
                    yield from (_PADDING + line for line in self._lacks(way.lacks))

    def _acting(self, decider: int | None, actor: Value, kind: Any) -> str:
        if decider is None or kind == _players(self.machine):
            return f"{player_name(self.machine, decider)} decides"
        return f"{player_name(self.machine, decider)} decides for {self.machine.world.show(actor, kind)}"

    def _not_allowed(self, reason: NotAllowed) -> Iterator[str]:
        if not reason.ways:
            yield "no rule ever allows it"
            return
        first, *others = reason.ways
        named = f"nearest is {rule(first.norm)}" if others else f"only {rule(first.norm)} speaks of it"
        yield f"no rule allows it; {named}"
        yield from self._lacks(first.lacks)

    def _lacks(self, lacks: tuple[Lack, ...]) -> Iterator[str]:
        shown = list(map(self.words.lack, lacks))
        yield from (_PADDING + text for text in shown[:8])
        if len(shown) > 8:
            yield f"{_PADDING}and {len(shown) - 8} more"

    def _cannot_pay(self, reason: CannotPay) -> str:
        unpaid = reason.unpaid
        if unpaid.address is None:
            return f"there is nothing to pay from: {self.words.expression(unpaid.statement.source, reason.given)}"
        cell = self.words.cell(unpaid.address)
        if isinstance(unpaid.held, int):
            return f"it costs {unpaid.due} from {cell}: there is {unpaid.held}"
        amount = self.words.expression(unpaid.statement.amount, reason.given)
        return f"{amount} cannot be paid from {cell}: it is not there"

    def nearest(self, why: Why, found: Nearest) -> list[str]:
        told = [self.words.changes(changes) for changes in found.changes]
        atoms = why.atoms
        if told and len(why.lacks) == 1 and len(atoms) == 1:
            counted = self.words.counted(atoms[0])
            if counted is not None:
                told = [f"with {counted} ({', or '.join(told)})"]
        return told + [self.words.moment(moment) for moment in found.moments]

    # ---- the tree

    def spoken(self, spoken: Spoken) -> Iterator[str]:
        yield f"{ground(spoken.norm)}: {'applies' if spoken.applies else 'does not apply'}"
        yield f"{_PADDING}{sentence(spoken.norm)}"
        for word, judged in (("when", spoken.when), ("unless", spoken.unless)):
            if judged is not None:
                yield from self._judged(judged, 1, f"{word} ")
        for lack in spoken.lacks:
            if not isinstance(lack, Atom):
                yield f"{_PADDING}{self.words.lack(lack)}"

    def _judged(self, judged: Judged, depth: int, word: str) -> Iterator[str]:
        text = self.words.expression(judged.expr, judged.given)
        answer = self.words.answer(judged.expr, judged.holds, judged.values, judged.is_open, judged.given)
        yield f"{_PADDING * depth}{word}{text}: {answer}"
        for part in judged.parts:
            yield from self._judged(part, depth + 1, "")

    # ---- for programs

    def reason_json(self, reason: Reason) -> dict[str, Any]:
        found: dict[str, Any] = {"kind": KINDS[type(reason)], "text": "\n".join(self.reason(reason))}
        match reason:
            case OtherChoice(what=what, offered=offered):
                found |= {"what": what, "offered": list(offered)}
            case ChanceDecides(what=what):
                found |= {"what": what}
            case NotYours(decider=decider):
                found |= {"decider": player_name(self.machine, decider)}
            case WrongMoment(moments=moments, window=window):
                found |= {"moments": list(moments), "window": window}
            case NotAllowed(ways=ways) | Forbidden(ways=ways) | Concealing(ways=ways):
                found |= {"rules": [{**norm_json(w.norm), "lacks": [self.lack_json(x) for x in w.lacks]} for w in ways]}
            case CannotPay(unpaid=unpaid):
                cell = self.words.cell(unpaid.address) if unpaid.address is not None else None
                numbers = isinstance(unpaid.held, int)
                found |= {
                    "from": cell,
                    "due": unpaid.due if numbers else None,
                    "held": unpaid.held if numbers else None,
                }
            case BeyondLimit(norm=norm):
                found |= {"rules": [norm_json(norm)]}
            case OtherDuty(duties=duties, moves=moves):
                shown = [self.machine.show_move(verb, args) for verb, args in moves]
                found |= {"rules": [norm_json(norm) for norm in duties], "moves": shown}
            case _:
                pass
        return found

    def lack_json(self, lack: Lack) -> dict[str, Any]:
        found: dict[str, Any] = {"text": self.words.lack(lack)}
        if isinstance(lack, Atom):
            found["condition"] = self.words.expression(lack.expr, lack.given)
            found["holds"] = lack.holds
            found["hidden"] = lack.holds is None and not lack.is_open
            found["parts"] = [self.lack_json(part) for part in lack.parts]
        elif isinstance(lack, Unfit):
            found["hidden"] = lack.value is HIDDEN
            found["open"] = lack.value is OPEN
        return found

    def change_json(self, change: Change) -> dict[str, Any]:
        words = self.words
        text = {"text": words.change(change)}
        match change:
            case Becomes(address=address, old=old, new=new):
                values = [words.held(address, value) for value in new]
                return {**text, "cell": words.cell(address), "from": words.held(address, old), "to": values}
            case Carried(origin=origin, target=target):
                lies = words.cell(origin) if origin is not None else "hidden"
                return {**text, "cell": words.cell(target), "from": lies, "to": [words.cell(target)]}
            case Counters(amount=amount, origin=origin, target=target):
                return {**text, "cell": words.cell(target), "from": words.cell(origin), "amount": amount}

    def moment_json(self, moment: Moment) -> dict[str, Any]:
        return {"text": self.words.moment(moment), "moment": moment.stops[-1].moment, "chance": moment.chance}

    def spoken_json(self, spoken: Spoken) -> dict[str, Any]:
        return {
            **norm_json(spoken.norm),
            "says": sentence(spoken.norm),
            "applies": spoken.applies,
            "lacks": [self.lack_json(lack) for lack in spoken.lacks],
            "when": self._judged_json(spoken.when),
            "unless": self._judged_json(spoken.unless),
        }

    def _judged_json(self, judged: Judged | None) -> dict[str, Any] | None:
        if judged is None:
            return None
        return {
            "condition": self.words.expression(judged.expr, judged.given),
            "holds": judged.holds,
            "hidden": judged.holds is None and not judged.is_open,
            "answer": self.words.answer(judged.expr, judged.holds, judged.values, judged.is_open, judged.given),
            "parts": [self._judged_json(part) for part in judged.parts],
        }


KINDS: dict[type[Reason], str] = {
    GameOver: "game over",
    ChanceDecides: "chance decides",
    OtherChoice: "another choice",
    NotYours: "not yours",
    NotOffered: "not offered",
    WrongMoment: "wrong moment",
    NotAllowed: "not allowed",
    Forbidden: "forbidden",
    CannotPay: "cannot pay",
    BeyondLimit: "beyond a limit",
    OtherDuty: "another duty",
    Stopped: "stopped",
    Concealing: "hidden",
}


def norm_json(norm: RuleNorm) -> dict[str, Any]:
    span = norm.body.span
    modal = norm.body.modal if isinstance(norm.body, m.ModalNorm) else None
    return {
        "rule": norm.name,
        "modal": modal,
        "file": span.source.path,
        "line": span.line,
        "cites": list(cited(norm.clauses.cites)),
    }


def defeat_json(defeat: Defeat) -> dict[str, Any]:
    return {
        "winner": norm_json(defeat.winner.norm),
        "loser": norm_json(defeat.loser.norm),
        "by": by_ground(defeat.ground),
        "assumed": defeat.ground.assumed,
    }


def open_json(node: Open) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "text": node.text,
        "sides": [[norm_json(norm) for norm in side] for side in node.sides],
        "file": node.span.source.path if node.span is not None else None,
        "line": node.span.line if node.span is not None else None,
    }
