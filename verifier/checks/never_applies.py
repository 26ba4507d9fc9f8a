"""LX951: a rule that never applies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import prod

from rules import model as m
from rules.machine import Machine
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from rules.machine.state import State
from rules.machine.world import Value
from rules.symbols import VariableSymbol
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.sym import Sym
from solver.play import Exploration, Reads, reads_of
from solver.terms import Flag
from verifier.court import Court
from verifier.finding import Finding
from verifier.reaching import GRAPH, STATES, Lost, everywhere, excluded, finding, needs_of
from verifier.suspicion import Check, Looked, Remark

_MOST_ENVS = 400  # things that the variables of a condition stand for
_MOST_WAYS = 30  # of matching a pattern that are looked at one by one


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for norm in norms_of(court):
        looked.things += 1
        lost = lost_norm(court, norm)
        if lost is not None and everywhere(court, lambda other, norm=norm: _is_lost(other, norm)):  # type: ignore[misc]
            yield _finding(court, norm, lost)


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:  # noqa: ARG001  (they were counted before)
    """What was not seen where every state was seen; rules that are known to be lost have been told already."""
    for norm in norms_of(court):
        if _is_seen(court, norm) or lost_norm(court, norm) is not None:
            continue
        if everywhere(court, lambda other, norm=norm: _is_never_seen(other, norm)):  # type: ignore[misc]
            yield _finding(court, norm, Lost("history", STATES))


def norms_of(court: Court) -> Iterator[RuleNorm]:
    """Rules and cases that this check speaks of: endings are told of by another, and actions that nobody is asked for
    as a whole."""
    for norm in court.machine.norms:
        if court.machine.restated.repeats(norm):
            continue
        match norm.body:
            case m.OutcomeNorm():
                continue
            case m.ModalNorm(phrases=phrases):
                if not any(court.sites.of_verb(phrase.verb.text) for phrase in phrases):
                    continue
            case _:
                pass
        yield norm
    for node in court.machine.values.values():
        for place in range(len(node.cases)):
            yield court.machine.case_norm(node, place)


def lost_norm(court: Court, norm: RuleNorm) -> Lost | None:
    """Why a norm can never apply, by its conditions or by what its event needs."""
    body = norm.body
    if isinstance(body, m.ModalNorm):
        return _lost_modal(court, norm, body)
    flow = court.analysis
    lost = excluded(court, needs_of(norm.conditions), flow.guards.free(norm))
    if lost is None and isinstance(body, m.EventNorm) and norm.order not in flow.reached.triggers:
        return _lost_event(court, body)
    return lost


def _lost_event(court: Court, body: m.EventNorm) -> Lost | None:
    """An event that never happens; where an action is never carried out, that is told of the action."""
    key = court.machine.key_of(body.event)
    if key in court.analysis.reached.events:
        return Lost("history", "the values that can ever be held")
    if key[0] == "moment" and _stands_nowhere(court, str(key[1])):
        return Lost("graph", GRAPH)
    return None if key[0] in ("phrase", "moment") else Lost("graph", GRAPH)


def _stands_nowhere(court: Court, moment: str) -> bool:
    """Whether a step stands only in procedures that nothing carries out, or is one: the step itself is not told of."""
    book = court.checked.book.declarations
    called = {node.phrase.verb.text for node in nodes_of(book) if isinstance(node, m.Do)}
    places = [
        declaration
        for declaration in book
        for node in nodes_of(declaration)
        if (isinstance(node, m.Phase) and node.name.text == moment)
        or (isinstance(node, m.Procedure) and node.signature.verb.text == moment)
    ]
    return bool(places) and all(
        isinstance(one, m.Procedure) and one.signature.verb.text not in called for one in places
    )


def _lost_modal(court: Court, norm: RuleNorm, body: m.ModalNorm) -> Lost | None:
    found: Lost | None = None
    for env, fits in islice(_ways(court, norm, body), _MOST_WAYS + 1):
        one = excluded(court, needs_of(norm.conditions), env, fits)
        if one is None:
            return None
        found = found or one
    return found


def _ways(court: Court, norm: RuleNorm, body: m.ModalNorm) -> Iterator[tuple[dict[str, Sym], list[tuple[str, Flag]]]]:
    """The ways in which its actor and its action can fit a move that somebody is asked for."""
    encoder = court.encoder
    bindings = encoder.bindings(norm)
    phrases = [phrase for phrase in body.phrases if court.machine.by_of(phrase.verb.text) is not None]
    if len(bindings) * len(phrases) > _MOST_WAYS:
        yield court.analysis.guards.free(norm), []
        return
    for phrase in phrases:
        verb = phrase.verb.text
        by = court.machine.by_of(verb)
        assert by is not None
        args = encoder.parts(verb)
        for env in bindings:
            bound = dict(env)
            try:
                with encoder.apart() as troubles:
                    fits = [encoder.unify(body.actor, args[by], bound), encoder.match_phrase(phrase, args, bound)]
            except NotEncodable:
                yield court.analysis.guards.free(norm), []
                continue
            if any(one.kind != "broken" for one in troubles):
                fits = []
            terms = [court.analysis.guards.asked(c.expr, bound) for c in needs_of(norm.conditions)]
            asked = court.asked(verb, args, *(t for one in terms for t in (one.yes, one.no)))
            yield bound, [("the move", fit) for fit in fits] + [(_asked_words(verb), asked)]


def _asked_words(verb: str) -> str:
    return f"that is not where anybody is asked for `{verb}`"


def _is_lost(court: Court, norm: RuleNorm) -> bool:
    """The same norm for another number of players."""
    return lost_norm(court, _same(court, norm)) is not None


def _same(court: Court, norm: RuleNorm) -> RuleNorm:
    return next(other for other in norms_of(court) if other.key == norm.key and other.reading == norm.reading)


# ---- by what play has shown


def _is_seen(court: Court, norm: RuleNorm) -> bool:
    """Whether a norm was seen to do anything, or could do so unseen."""
    exploration = court.explore_in_full()
    if norm.reading is not None or norm.key in court.machine.restated.families:
        return True  # it counts beside others that it is compared with
    if not exploration.complete:
        return True
    if not isinstance(norm.body, m.ModalNorm | m.EventNorm):
        return _is_met(exploration, norm)
    if isinstance(norm.body, m.ModalNorm) and norm.body.modal != "may" and exploration.of_kind("no move"):
        return True
    if isinstance(norm.body, m.EventNorm) and _is_known_event(court, norm.body):
        return True
    return any(norm.key in mentioned(fact.kind, fact.what) for fact in exploration.facts)


def _is_met(exploration: Exploration, norm: RuleNorm) -> bool:
    """Whether the conditions of a rule about a value, of a case or of something that is ignored hold in some state that
    play passed or tried: where it is not asked for, it is not seen to apply. What a limit keeps from being is tried
    alone."""
    parts = [one for one in (norm.conditions.when, norm.conditions.unless) if one is not None]
    if not parts or exploration.situations is None or isinstance(norm.body, m.LimitNorm):
        return True
    if any(norm.key in mentioned(fact.kind, fact.what) for fact in exploration.facts):
        return True
    machine = exploration.machine
    names = sorted({name for part in parts for name in machine.needs(part)})
    symbols = [machine.variables[name] for name in names]
    domains = [machine.world.domain(one.type) for one in symbols if isinstance(one, VariableSymbol)]
    reads = [reads_of(machine, part) for part in parts]
    if len(domains) < len(names) or prod(map(len, domains)) > _MOST_ENVS or any(one.past for one in reads):
        return True
    slots = [one.slots for one in reads]
    told = frozenset(name for one in slots if one is not None for name in one)
    asked = Reads(None if None in slots else told, any(one.moments for one in reads), past=False)
    envs = [dict(zip(names, values, strict=True)) for values in product(*domains)]
    situations = exploration.situations
    states = [situations.state_of(situation) for situation, _ in situations.seen_by(asked)]
    if not asked.moments:
        states += [situations.state_with(cells) for seen in situations.weighed.values() for cells in seen]
    return any(_holds(machine, norm, state, env) for state in states for env in envs)


def _holds(machine: Machine, norm: RuleNorm, state: State, env: dict[str, Value]) -> bool:
    """What the rules leave open may be so."""
    when, unless = norm.conditions.when, norm.conditions.unless
    try:
        return machine.evaluator.holds(when, state, env) and not (
            unless is not None and machine.evaluator.holds(unless, state, env)
        )
    except (Undetermined, Gap, Broken):
        return True


def _is_known_event(court: Court, body: m.EventNorm) -> bool:
    """Whether what it waits for is itself told of as lost."""
    match body.event:
        case m.PhraseEvent(phrase=phrase):
            return not any(
                f.kind == "happened" and f.what == ("phrase", phrase.verb.text) for f in court.explore_in_full().facts
            )
        case m.MomentEvent(moment=moment):
            return not any(
                f.kind == "happened" and f.what == ("moment", moment.name.text) for f in court.explore_in_full().facts
            )
        case _:
            return False


def mentioned(kind: str, what: object) -> tuple[object, ...]:
    """The norms that a fact speaks of."""
    if kind in ("applied", "decided", "fired", "took over", "limited"):
        return (what,)
    if kind == "defeated":
        assert isinstance(what, tuple)
        return what[:2]
    if kind == "open":
        assert isinstance(what, tuple)
        return tuple(key for side in what[2] for key in side)
    return ()


def _is_never_seen(court: Court, norm: RuleNorm) -> bool:
    return not _is_seen(court, _same(court, norm))


# ---- telling


def _finding(court: Court, norm: RuleNorm, lost: Lost) -> Finding:
    numbered = isinstance(norm.body, m.Case) or sum(other.name == norm.name for other in court.machine.norms) > 1
    what = "case" if isinstance(norm.body, m.Case) else "sentence"
    whose = f"{what} {norm.number} of `{norm.name}`" if numbered else f"`{norm.name}`"
    hint = "one of its conditions is too much, or something that should bring it about is missing"
    of_it = f"a {what}" if numbered else None
    places = (court.place(norm),)
    return finding("LX951", f"{whose} never applies", places, lost, hint, _consequences(court, norm), (), of_it)


def _consequences(court: Court, norm: RuleNorm) -> tuple[str, ...]:
    """Actions that are never legal because of it."""
    if not isinstance(norm.body, m.ModalNorm) or norm.body.modal == "cannot":
        return ()
    verbs = dict.fromkeys(phrase.verb.text for phrase in norm.body.phrases)
    dead = [verb for verb in verbs if verb not in court.analysis.reached.verbs]
    return tuple(f"so `{verb}` is never legal" for verb in dead)


CHECK = Check("rules that never apply", "unreachable", suspect, conclude, for_all=True)
