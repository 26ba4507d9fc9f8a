"""LX981: somebody wins and loses at once, or wins while nobody wins, and nothing says which counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from rules.machine.norms import RuleNorm
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.play import Fact
from solver.terms import both
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court
from verifier.endings import Ending, any_player, ending_of
from verifier.finding import Finding
from verifier.stopping import open_points, suspicion, witnessed
from verifier.suspicion import Check, Looked, Remark

_SUBJECTS = ("wins and loses", "nobody wins")


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    endings = _endings(court)
    for one, other in combinations(endings, 2):
        if not _disagree(one, other) or court.machine.restated.are_versions(one.norm.name, other.norm.name):
            continue
        looked.things += 1
        # An immediate ending has been looked at before others are: the two do not meet in one look.
        if (one.norm.manner == "immediately") != (other.norm.manner == "immediately"):
            continue
        found = _undecided(court, one, other, endings)
        if found is not None:
            court.suspected.add(("LX981", _key(one.norm, other.norm)))
            places = (court.place(one.norm, _part(one)), court.place(other.norm, _part(other)))
            message = _message(one.norm.name, other.norm.name, one.of_nobody or other.of_nobody)
            hint = _hint(one.norm, other.norm)
            yield suspicion(court, "LX981", message, places, hint, found, _shown(one.norm, other.norm))


def _endings(court: Court) -> list[Ending]:
    if not court.checked.players:
        return []
    who = any_player(court)
    found: list[Ending] = []
    for norm in court.machine.endings:
        try:
            found.append(ending_of(court, norm, who))
        except NotEncodable as reason:
            court.cannot_encode(norm.name, reason)
    return found


def _disagree(one: Ending, other: Ending) -> bool:
    if one.of_nobody or other.of_nobody:
        return one.of_nobody != other.of_nobody and one.result == other.result == "wins"
    return one.result != other.result


def _undecided(court: Court, one: Ending, other: Ending, endings: list[Ending]) -> Case | Unknown | None:
    """Where both apply, and neither gives way to any of the other side."""
    ours, theirs = _side(endings, one, other), _side(endings, other, one)
    unknown: Unknown | None = None
    for a in one.applying:
        for b in other.applying:
            meet = both(a.when, b.when)
            if meet is False:
                continue
            stands = both(court.encoder.stands(a, theirs), court.encoder.stands(b, ours))
            found = court.possible(("one", a.when), ("other", b.when), ("undecided", stands))
            if isinstance(found, Case):
                return found
            if not isinstance(found, Proved):
                unknown = unknown or found
    return unknown


def _side(endings: list[Ending], mine: Ending, rival: Ending) -> list[Applying]:
    return [
        applying
        for ending in endings
        if _disagree(ending, rival) and (ending.of_nobody, ending.result) == (mine.of_nobody, mine.result)
        for applying in ending.applying
    ]


def _part(ending: Ending) -> str:
    return "nobody wins" if ending.of_nobody else f"somebody {ending.result}"


def _message(one: str, other: str, nobody: bool) -> str:
    what = "somebody and nobody win" if nobody else "a player wins and loses"
    return f"by `{one}` and `{other}` {what} at once, and nothing says which counts"


def _hint(one: RuleNorm, other: RuleNorm) -> str:
    return f"let one of them exclude the other, or say which goes before: `{one.name}` with `overrides {other.name}`"


def _key(one: RuleNorm, other: RuleNorm) -> frozenset[object]:
    return frozenset({one.key, other.key})


def _shown(one: RuleNorm, other: RuleNorm) -> Callable[[Fact], bool]:
    def shown(fact: Fact) -> bool:
        if fact.kind != "open" or fact.what[0] != "undetermined" or fact.what[1] not in _SUBJECTS:
            return False
        sides = fact.what[2]
        return any(one.key in side for side in sides) and any(other.key in side for side in sides)

    return shown


def conclude(court: Court, looked: Looked) -> Iterator[Finding]:  # noqa: ARG001
    norms = {norm.key: norm for norm in court.machine.endings}
    for fact, evidence in open_points(court, "undetermined"):
        if fact.what[1] not in _SUBJECTS or len(fact.what[2]) < 2:
            continue
        one, other = (norms[side[0]] for side in fact.what[2][:2])
        if ("LX981", _key(one, other)) not in court.suspected:
            court.suspected.add(("LX981", _key(one, other)))
            places = (court.place(one, "says one thing"), court.place(other, "says the other"))
            message = _message(one.name, other.name, fact.what[1] == "nobody wins")
            yield witnessed(court, "LX981", message, places, _hint(one, other), fact, evidence)


CHECK = Check("wins and losses at once", "outcome", suspect, conclude)
