"""LX971: nobody has a legal move and nothing ends, or a passage without an open option."""

from __future__ import annotations

from collections.abc import Iterator

from rules.codes import Family
from solver.encode.situation import cell_words
from solver.play import Evidence
from verifier.court import Court, cited
from verifier.finding import Finding, Place, Witness
from verifier.going_round import Round, rounds, stuck_passages
from verifier.suspicion import Check, Looked, Remark
from verifier.telling import member_words, steps_of

FAMILY: Family = "stuck"


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:
    looked.things += len(court.machine.passages) + len(court.sites.sites)
    for name, evidence in stuck_passages(court).items():
        yield _passage(court, name, evidence)
    for one in rounds(court):
        if one.asked and not one.fired:
            yield _nobody(court, one)


def _passage(court: Court, name: str, evidence: Evidence) -> Finding:
    passage = court.machine.passages[name]
    places = [Place(name, passage.name.span, cited(passage.clauses), "has no open option then")]
    places += [Place(name, option.span, (), "has this option, which is not open") for option in passage.options]
    if passage.options:
        message = f"nothing leads on from `{name}`: none of its options is open"
        hint = "give it an option without needs, or an ending"
    else:
        message = f"nothing leads on from `{name}`: it has no option, no `go to` and no ending"
        hint = "give it an option, a `go to` or an ending"
    return Finding(
        "LX971", message, tuple(places), "witnessed", member_words(evidence.by), witness(court, evidence), (), hint
    )


def _nobody(court: Court, one: Round) -> Finding:
    assert one.span is not None
    machine = court.machine
    asked = dict.fromkeys(one.verbs) or {verb: None for verb in machine.actions if _is_asked_in(court, verb, one)}
    places = [Place(one.moment, one.span, (), "goes on")]
    for verb in asked:
        node = machine.actions[verb]
        places.append(Place(verb, node.signature.span, cited(node.clauses), "is not legal then"))
    message = f"nobody has a legal move in `{one.moment}`, and it goes on until somebody has"
    hint = "allow something, or say what happens when nobody can move"
    return Finding(
        "LX971",
        message,
        tuple(places),
        "witnessed",
        member_words(one.evidence.by),
        witness(court, one.evidence),
        (),
        hint,
    )


def _is_asked_in(court: Court, verb: str, one: Round) -> bool:
    return any(one.moment in site.context.names for site in court.sites.of_verb(verb))


def witness(court: Court, evidence: Evidence) -> Witness:
    return Witness(_held(court, evidence), steps_of(court.machine, evidence.play), court.seats)


def _held(court: Court, evidence: Evidence) -> tuple[str, ...]:
    """The cells that are no longer as at the start, in the words of the game."""
    start, state = court.space.start, evidence.state
    changed = [address for address, value in enumerate(state.cells) if value != start.cells[address]]
    return tuple(cell_words(court.space, address, state) for address in changed[:12])


CHECK = Check("places where play cannot go on", FAMILY, None, conclude)
