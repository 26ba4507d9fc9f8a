"""Actions and procedures that are meant to be the same: when they can be done, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.state import State
from rules.machine.why import deciding_state
from rules.machine.world import Value
from rules.span import Span
from solver.encode.expressions import NotEncodable
from solver.play import Fact, Goal
from verifier.court import Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference
from verifier.restating.blocks import ends_apart, text_apart
from verifier.restating.normal import Normal, words_of
from verifier.restating.plays import plays_of

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


def phases_apart(court: Court, ours: m.Procedure, theirs: m.Phase, part: bool) -> Iterator[Apart]:
    """What a phase or a step does, said once more as a procedure: its letters are those of the phase."""
    names = {param.variable.text: param.variable.text for param in ours.signature.params}
    texts = (ours.body, names), (theirs.body, names)
    spans = (ours.signature.span, theirs.name.span)
    begun = Fact("entered", (theirs.word, theirs.name.text))
    yield from _blocks(court, ours, texts, spans, (theirs.name.text, theirs.name.text), part, begun)


def _bodies(court: Court, ours: Verb, theirs: Verb, part: bool) -> Iterator[Apart]:
    """What they do, as their text says and as carrying both out shows."""
    texts = [
        (verb.body, {param.variable.text: f"the part {param.label or ''}" for param in verb.signature.params})
        for verb in (ours, theirs)
    ]
    spans = (ours.signature.span, theirs.signature.span)
    yield from _blocks(court, ours, (texts[0], texts[1]), spans, (theirs.signature.verb.text, ""), part)


Text = tuple[m.Block, dict[str, str]]  # a block, and its variables with the parts that they stand for


def _blocks(
    court: Court,
    ours: Verb,
    texts: tuple[Text, Text],
    spans: tuple[Span, Span],
    about: tuple[str, str],
    part: bool,
    begun: Fact | None = None,
) -> Iterator[Apart]:
    """Two blocks that are carried out at the start, and where plays have begun the one that is restated; `about` is
    what both are of, and how it is shown where it is no move. No event tells where a phase begins: `begun` does."""
    normals = Normal(court.machine, texts[0][1]), Normal(court.machine, texts[1][1])
    difference = text_apart(texts[0][0], texts[1][0], normals, part)
    if difference is None:
        return
    name, shown = about
    for machine, state, where, args in _tried(court, ours, name, tuple(texts[1][1])):
        blocks = [(block, dict(zip(names, args, strict=True))) for block, names in texts]
        left = ends_apart(machine, state, blocks[0], blocks[1])
        if left is not None:
            extra = (where, f"carried out: {shown or machine.show_move(name, args)}", *left)
            goal = _goal_of_ends(name, texts) if begun is None else None
            yield Apart(difference, spans, name, None, extra, goal=goal, fact=begun)
            return
    raise NotEncodable(f"it is written otherwise than `{name}`, and did the same where it was tried", ours.span)


def _goal_of_ends(name: str, texts: tuple[Text, Text]) -> Goal:
    """It begins in a state in which the two do not do the same."""
    (ours, our_names), (theirs, their_names) = texts

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        begun = state.stack[-1] if state.stack else None
        if begun is None or (begun.kind, begun.moment, begun.stage) != ("moment", name, 0):
            return False
        args = [begun.env[variable] for variable in their_names]
        env = dict(zip(our_names, args, strict=True))
        return ends_apart(machine, state, (ours, env), (theirs, begun.env)) is not None

    return Goal(holds, "every step")


def _tried(
    court: Court, ours: Verb, name: str, variables: tuple[str, ...]
) -> Iterator[tuple[Machine, State, str, tuple[Value, ...]]]:
    """Where it is carried out, and with which parts."""
    types = court.machine.verbs[ours.signature.verb.text].types
    for args in islice(product(*(court.machine.world.domain(type_) for type_ in types)), _MOST_TRIED):
        yield court.machine, court.space.start, "as at the start of a game", args
    plays = plays_of(court)
    for begun in plays.begun.get(name, ()):
        if begun.env.keys() >= set(variables):
            yield plays.machine, begun.state, begun.where, tuple(begun.env[variable] for variable in variables)
