"""Actions and procedures that are meant to be the same: when they can be done, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.state import State
from rules.machine.why import deciding_state
from solver.encode.expressions import NotEncodable
from solver.play import Fact, Goal
from verifier.court import Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference
from verifier.restating.blocks import does_apart, text_apart
from verifier.restating.normal import Normal, words_of

Verb = m.Action | m.Procedure
_MOST_TRIED = 40  # ways of doing it


def verbs_apart(court: Court, ours: Verb, theirs: Verb, part: bool) -> Iterator[Apart]:
    """With `part`, ours need not do all that theirs does."""
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
    yield from _bodies(court, ours, theirs, part)


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


def _bodies(court: Court, ours: Verb, theirs: Verb, part: bool) -> Iterator[Apart]:
    """What they do, as their text says and as carrying both out shows, from the start of a game."""
    machine = court.machine
    normals = [
        Normal(machine, {param.variable.text: f"the part {param.label or ''}" for param in verb.signature.params})
        for verb in (ours, theirs)
    ]
    difference = text_apart(ours.body, theirs.body, (normals[0], normals[1]), part)
    if difference is None:
        return
    types = machine.verbs[theirs.signature.verb.text].types
    spans = (ours.signature.span, theirs.signature.span)
    for args in islice(product(*(machine.world.domain(type_) for type_ in types)), _MOST_TRIED):
        blocks = [
            (verb.body, {param.variable.text: arg for param, arg in zip(verb.signature.params, args, strict=True)})
            for verb in (ours, theirs)
        ]
        if does_apart(machine, court.space.start, blocks[0], blocks[1]):
            shown = machine.show_move(theirs.signature.verb.text, args)
            extra = ("as at the start of a game", f"carried out: {shown}")
            name = theirs.signature.verb.text
            begun = Fact("entered", ("action" if isinstance(theirs, m.Action) else "procedure", name))
            yield Apart(difference, spans, name, None, extra, fact=begun)
            return
    reason = f"it is written otherwise than `{theirs.signature.verb.text}`, and did the same where it was tried"
    raise NotEncodable(reason, ours.span)
