"""LX952: an action that is never legal, although rules allow it."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.terms import Flag, either, some
from verifier.checks.never_applies import lost_norm, mentioned
from verifier.court import Court, cited
from verifier.finding import Finding, Place
from verifier.reaching import FLOW, GRAPH, SOLVER, STATES, Lost, everywhere, finding
from verifier.suspicion import Check, Looked, Remark


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for verb in _verbs(court):
        looked.things += 1
        lost = _lost(court, verb)
        if lost is not None and everywhere(court, lambda other, verb=verb: _lost(other, verb) is not None):  # type: ignore[misc]
            yield _finding(court, verb, lost)


def conclude(court: Court, looked: Looked) -> Iterator[Remark]:  # noqa: ARG001  (they were counted before)
    for verb in _verbs(court):
        if not _is_never_offered(court, verb) or _lost(court, verb) is not None or not _applies(court, verb):
            continue
        if everywhere(court, lambda other, verb=verb: _is_never_offered(other, verb)):  # type: ignore[misc]
            yield _finding(court, verb, Lost("history", STATES))


def _verbs(court: Court) -> Iterator[str]:
    """The actions that are there to be chosen; what nothing allows or offers is told of when a book is read."""
    nodes = list(nodes_of(court.checked.book.declarations))
    done = {node.phrase.verb.text for node in nodes if isinstance(node, m.Do)}
    offered = {phrase.verb.text for node in nodes if isinstance(node, m.Offer) for phrase in node.phrases}
    for verb in court.machine.actions:
        permits, duties, _ = court.machine.by_modal(verb)
        if verb not in done and (permits or duties or verb in offered):
            yield verb


def _lost(court: Court, verb: str) -> Lost | None:
    sites = court.sites.of_verb(verb)
    if not sites:
        return Lost("graph", GRAPH)
    permits, duties, _ = court.machine.by_modal(verb)
    allowing = permits or duties
    if allowing and all(lost_norm(court, norm) is not None for norm in allowing):
        return None  # each of these rules is told of
    encoder = court.encoder
    args = encoder.parts(verb)
    try:
        with encoder.apart() as troubles:
            weighed = encoder.weigh(verb, args, any(site.phrases is not None for site in sites))
    except NotEncodable:
        return None
    left_open = some(one.when for one in troubles if one.kind != "broken")
    legal = either(weighed.legal, weighed.clash, left_open)
    asked = court.asked(verb, args, legal)
    if court.solver.possible(legal, asked, *_facts(court, legal)) is False:
        return Lost("condition", SOLVER)
    known = [fact for _, fact in court.analysis.sets.facts([legal, asked])]
    if court.solver.possible(legal, asked, *_facts(court, legal), *known) is False:
        return Lost("history", FLOW)
    return None


def _facts(court: Court, legal: Flag) -> list[Flag]:
    return [fact for _, fact in court.space.facts([legal])]


def _is_never_offered(court: Court, verb: str) -> bool:
    exploration = court.explore_in_full()
    return exploration.complete and not any(f.kind == "offered" and f.what == verb for f in exploration.facts)


def _applies(court: Court, verb: str) -> bool:
    """Whether a rule that allows it was seen to apply: else it is the rule that is told of."""
    permits, duties, _ = court.machine.by_modal(verb)
    keys = {norm.key for norm in permits or duties}
    return any(not keys.isdisjoint(mentioned(fact.kind, fact.what)) for fact in court.exploration.facts)


def _finding(court: Court, verb: str, lost: Lost) -> Finding:
    node = court.machine.actions[verb]
    permits, duties, prohibitions = court.machine.by_modal(verb)
    places = [Place(verb, node.signature.span, cited(node.clauses))]
    if lost.way == "graph":
        why = "nobody who could do it is ever asked for it"
        hint = "a step must ask for it while one of the moments after `during` runs"
    elif prohibitions:
        why = "wherever a rule allows it, another forbids it"
        hint = "say which of these rules goes before"
        places += [court.place(norm, "allows it") for norm in permits or duties]
        places += [court.place(norm, "forbids it") for norm in prohibitions]
    else:
        why = "wherever a rule allows it, it cannot be done"
        hint = "what it costs is never there, or a limit stands against it"
        places += [court.place(norm, "allows it") for norm in permits or duties]
    return finding("LX952", f"`{verb}` is never legal: {why}", tuple(places), lost, hint)


CHECK = Check("actions that are never legal", "unreachable", suspect, conclude, for_all=True)
