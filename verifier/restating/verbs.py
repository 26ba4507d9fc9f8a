"""Actions and procedures that are meant to be the same: when they can be done, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.state import State
from rules.machine.why import deciding_state
from rules.machine.world import Value
from solver.encode.expressions import NotEncodable
from solver.play import Goal
from verifier.court import Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference
from verifier.restating.blocks import ends_apart, text_apart
from verifier.restating.normal import Normal, words_of
from verifier.restating.plays import plays_of

Verb = m.Action | m.Procedure
_MOST_TRIED = 40  # ways of doing it


def verbs_apart(court: Court, ours: Verb, theirs: Verb) -> Iterator[Apart]:
    spans = (ours.signature.span, theirs.signature.span)
    about = theirs.signature.verb.text
    if _shape(court, ours) != _shape(court, theirs):
        difference = Difference("kind", words_of(ours.signature), words_of(theirs.signature))
        yield Apart(difference, spans, about, proved_by="their headings")
        return
    times = [_during(verb) for verb in (ours, theirs)]
    if set(times[0]) != set(times[1]):
        words = ["during " + ", ".join(one) if one else "" for one in times]
        yield Apart(Difference("time", words[0], words[1]), spans, about, goal=_goal_of_times(ours, theirs))
    yield from _bodies(court, ours, theirs)


def _shape(court: Court, verb: Verb) -> object:
    symbol = court.machine.verbs[verb.signature.verb.text]
    return type(verb), tuple(param.label for param in symbol.params), symbol.types


def _during(verb: Verb) -> tuple[str, ...]:
    return tuple(name.text for name in verb.during) if isinstance(verb, m.Action) else ()


def _goal_of_times(ours: Verb, theirs: Verb) -> Goal:
    """Somebody is asked for an action while it is time for one of the two alone."""
    names = ours.signature.verb.text, theirs.signature.verb.text

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        deciding = deciding_state(state) if state.stack else state
        asked = machine.asked(deciding) if deciding.stack else None
        if asked is None or asked[1] != machine.acts(names[0]):
            return False
        return machine.is_its_time(names[0], deciding) != machine.is_its_time(names[1], deciding)

    return Goal(holds, "decisions", ())


def _bodies(court: Court, ours: Verb, theirs: Verb) -> Iterator[Apart]:
    """What they do, as their text says and as carrying both out shows: at the start, and where plays have begun it."""
    normals = [
        Normal(court.machine, {param.variable.text: f"the part {param.label or ''}" for param in verb.signature.params})
        for verb in (ours, theirs)
    ]
    difference = text_apart(ours.body, theirs.body, (normals[0], normals[1]))
    if difference is None:
        return
    name = theirs.signature.verb.text
    for machine, state, where, args in _tried(court, theirs):
        blocks = [
            (verb.body, {param.variable.text: arg for param, arg in zip(verb.signature.params, args, strict=True)})
            for verb in (ours, theirs)
        ]
        left = ends_apart(machine, state, blocks[0], blocks[1])
        if left is not None:
            spans = (ours.signature.span, theirs.signature.span)
            extra = (where, f"carried out: {machine.show_move(name, args)}", *left)
            yield Apart(difference, spans, name, None, extra, goal=_goal_of_ends(ours, theirs))
            return
    raise NotEncodable(f"it is written otherwise than `{name}`, and did the same where it was tried", ours.span)


def _goal_of_ends(ours: Verb, theirs: Verb) -> Goal:
    """It begins in a state in which the two do not do the same."""
    name = theirs.signature.verb.text

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        begun = state.stack[-1] if state.stack else None
        if begun is None or (begun.kind, begun.moment, begun.stage) != ("moment", name, 0):
            return False
        args = [begun.env[param.variable.text] for param in theirs.signature.params]
        env = {param.variable.text: arg for param, arg in zip(ours.signature.params, args, strict=True)}
        return ends_apart(machine, state, (ours.body, env), (theirs.body, begun.env)) is not None

    return Goal(holds, "every step")


def _tried(court: Court, verb: Verb) -> Iterator[tuple[Machine, State, str, tuple[Value, ...]]]:
    """Where it is carried out, and with which parts."""
    name = verb.signature.verb.text
    types = court.machine.verbs[name].types
    for args in islice(product(*(court.machine.world.domain(type_) for type_ in types)), _MOST_TRIED):
        yield court.machine, court.space.start, "as at the start of a game", args
    plays = plays_of(court)
    for begun in plays.begun.get(name, ()):
        args = tuple(begun.env[param.variable.text] for param in verb.signature.params)
        yield plays.machine, begun.state, begun.where, args
