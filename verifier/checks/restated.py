"""LX911 to LX916: a document says once more what a rule says, and says it otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from solver.encode.expressions import NotEncodable
from solver.play import Fact
from solver.verdict import Unknown
from verifier.checks.open_points import versions
from verifier.court import Court
from verifier.finding import Finding, Place, Witness
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference
from verifier.restating.normal import Aspect
from verifier.restating.pairs import Restated, restated
from verifier.restating.statements import apart
from verifier.suspicion import Check, Looked, Remark, Suspicion

CODE_OF: dict[Aspect, str] = {
    "guard": "LX911",
    "number": "LX912",
    "list": "LX913",
    "actor": "LX914",
    "time": "LX915",
    "kind": "LX916",
}


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for pair in restated(court.checked):
        looked.things += 1
        try:
            for one in apart(court, pair):
                yield suspicion(pair, one, court.seats)
        except NotEncodable as reason:
            court.cannot_encode(pair.ours.name, reason)


def suspicion(pair: Restated, one: Apart, seats: int) -> Suspicion | Finding:
    code = CODE_OF[one.difference.aspect]
    message = message_of(one.difference, pair.ours.name, pair.theirs.name, one.about)
    places = (
        Place(pair.ours.name, one.spans[0], pair.ours.cites, _part(one.difference.ours)),
        Place(pair.theirs.name, one.spans[1], pair.theirs.cites, _part(one.difference.theirs)),
    )
    hint = _hint(pair, one.difference)
    if one.proved_by:
        witness = Witness(one.extra, None, seats) if one.extra else None
        return Finding(code, message, places, "proved", one.proved_by, witness, (), hint, one.details)
    fact, stops = one.fact, versions(pair.ours.name, pair.theirs.name)

    def by_fact(found: Fact) -> bool:
        return found == fact or (fact is not None and stops(found))

    if isinstance(one.case, Unknown):
        finding = Finding(code, message, places, "unknown", one.case.reason, None, (), hint, one.details)
        return Suspicion(finding, shown_by_fact=by_fact, goal=one.goal, tell=one.tell)
    if one.case is None:
        witness = Witness(one.extra, None, seats) if one.extra else None
        finding = Finding(code, message, places, "possible", "the text of both", witness, (), hint, one.details)
        return Suspicion(finding, shown_by_fact=by_fact, goal=one.goal, tell=one.tell)
    witness = Witness((*one.case.situation.facts, *one.extra), None, seats)
    finding = Finding(code, message, places, "possible", "the solver", witness, (), hint, one.details)
    return Suspicion(finding, one.case, shown_by_fact=by_fact, goal=one.goal, tell=one.tell)


def _hint(pair: Restated, difference: Difference) -> str:
    name = pair.theirs.name
    if pair.part:
        return f"let both say the same; or leave out `restates some of {name}` where they are rules of their own"
    says_less = not difference.ours if difference.aspect == "list" else not difference.theirs
    some = f"; say `restates some of {name}` where it means to leave something out" if says_less else ""
    return f"let both say the same{some}; or leave out `restates {name}` where they are rules of their own"


def _part(words: str) -> str:
    return f"says `{words}`" if words else "does not say that"


def message_of(difference: Difference, ours: str, theirs: str, about: str) -> str:
    """One sentence: what the one says where the other says something else."""
    says, instead = difference.ours, difference.theirs
    of = f" of `{about}`" if about else ""
    if difference.aspect == "list" and about.startswith("the row"):
        return f"`{ours}` restates `{theirs}`, and they differ in {about}"
    if not says:
        return f"`{ours}` restates `{theirs}` and leaves out `{instead}`"
    if not instead:
        return f"`{ours}` restates `{theirs}` and adds `{says}`"
    verb = "speaks of" if difference.aspect == "actor" else "says"
    return f"`{ours}` {verb} `{says}`{of} where `{theirs}`, which it restates, {verb} `{instead}`"


CHECK = Check("restatements", "documents", suspect)
