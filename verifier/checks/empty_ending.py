"""LX983: an ending that holds from the start, or only because it speaks of nobody."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.norms import RuleNorm, conjuncts
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.play import Evidence, goal_of
from solver.play.goals import holds
from solver.terms import Flag, both, some
from solver.verdict import Proved
from verifier.court import Case, Court
from verifier.endings import any_player, ending_of
from verifier.finding import Certainty, Finding, Place, Witness
from verifier.reaching import STATES
from verifier.suspicion import Check, Looked, Remark
from verifier.telling import member_words, steps_of


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for norm in court.machine.endings if court.checked.players else ():
        if court.machine.restated.repeats(norm):
            continue
        for every in _limited(norm):
            looked.things += 1
            if all(_is_vacuous(one, norm.key, every) for one in (court, *court.others)):
                message = f"`{norm.name}` holds only where `every {every.variable.text}` speaks of nobody"
                hint = "look at the condition after `where`: together with the rest it fits nobody"
                places = (Place(norm.name, every.span, court.place(norm).cites, "speaks of nobody"),)
                yield Finding("LX983", message, places, "proved", "the solver", None, (), hint)


def _limited(norm: RuleNorm) -> Iterator[m.Quantified]:
    """The parts of its condition of the form `every ... where ... satisfies ...`."""
    when = norm.conditions.when
    for part in conjuncts(when) if when is not None else ():
        if isinstance(part, m.Quantified) and part.quantifier == "every" and part.where is not None:
            yield part


def _is_vacuous(court: Court, key: object, every: m.Quantified) -> bool:
    """Whether the ending can come about, but never while the `where` fits somebody."""
    norm = next(one for one in court.machine.endings if one.key == key)
    try:
        ending = ending_of(court, norm, any_player(court))
        with court.encoder.apart():
            busy = some(both(one.when, _fits_somebody(court, one, every)) for one in ending.applying)
    except NotEncodable as reason:
        court.cannot_encode(norm.name, reason)
        return False
    if not isinstance(court.possible(("busy", busy), in_play=False), Proved):
        return False
    return isinstance(court.possible(("ending", some(one.when for one in ending.applying)), in_play=False), Case)


def _fits_somebody(court: Court, one: Applying, every: m.Quantified) -> Flag:
    encoder = court.encoder
    return some(
        encoder.holds(every.where, {**one.env, every.variable.text: sym}) for _, sym in encoder.domain(every.variable)
    )


# ---- from the start


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:
    looked.things += 1
    exploration = court.exploration
    over = [evidence for fact, evidence in exploration.facts.items() if fact.kind == "over"]
    most = max((_decided(evidence) for evidence in exploration.facts.values()), default=0)
    if not over or not _can_decide(court) or most > 1:
        return
    keys = {fact.what for fact in exploration.facts if fact.kind == "applied"}
    norms = [norm for norm in court.machine.endings if norm.key in keys]
    if most == 1:  # endings are looked at when something was done: whatever it was
        norms = [norm for norm in norms if _holds_at_first(court, norm)]
        if not norms:
            return
    shortest = min(over, key=lambda evidence: evidence.length)
    places = tuple(court.place(norm, "holds from the start") for norm in norms) or (_play(court),)
    named = " and ".join(f"`{norm.name}`" for norm in norms)
    when = "before anybody has decided anything" if most == 0 else "as soon as anybody has decided anything"
    message = f"the game is over {when}" + (f", by {named}" if named else "")
    certainty: Certainty = "proved" if exploration.complete else "witnessed"
    witness = Witness((), steps_of(court.machine, shortest.play), court.seats)
    by = STATES if exploration.complete else member_words(shortest.by)
    hint = "let the ending wait for what makes it an end: a phase, a round, something that was done"
    yield Finding("LX983", message, places, certainty, by, witness, (), hint)


def _holds_at_first(court: Court, norm: RuleNorm) -> bool:
    """Whether the condition of an ending holds before the first decision, for somebody."""
    when, unless = norm.conditions.when, norm.conditions.unless
    if when is None or unless is not None:
        return False
    state = court.machine.start()
    node = court.machine.run(state)
    return holds(goal_of(court.machine, when), court.machine, state, node) is True


def _can_decide(court: Court) -> bool:
    deciding = m.Takes | m.Offer | m.Window | m.Chooses | m.Decides | m.Option
    return any(isinstance(node, deciding) for node in nodes_of(court.checked.book.declarations))


def _decided(evidence: Evidence) -> int:
    """How many decisions of players lead there."""
    return sum(decision.by == "choice" for decision in evidence.play.decisions)


def _play(court: Court) -> Place:
    node = next(d for d in court.checked.book.declarations if isinstance(d, m.Play))
    return Place("play", node.span, (), "is over at once")


CHECK = Check("endings from the start or of nobody", "outcome", suspect, conclude, for_all=True)
