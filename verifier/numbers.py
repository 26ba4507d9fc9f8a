"""With how many players a book is judged, and one judgement of what was found with each number.

A book for two to four is three games. What is wrong with one of them is wrong with the book; what can never be must
not be in any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rules.check import CheckedRulebook
from rules.span import Span
from solver.play import Budget
from verifier.court import allowed
from verifier.finding import Certainty, Finding
from verifier.judgement import ClaimVerdict, Players, Verdict, Wanted, with_players
from verifier.suspicion import Ruled

Key = tuple[object, ...]

_MOST_BRIEF = 4  # numbers that are looked at briefly
_SHARE = 8  # of the budget, for each of them
_SURE: dict[Certainty, int] = {"proved": 0, "witnessed": 0, "possible": 1, "unknown": 2}
# What says that something never matters counts only where no number of players tells otherwise.
_OF_ALL = frozenset({"LX921", "LX923", "LX995", "LX996"})
_BY_PLACE = frozenset({"LX924"})  # their sentence counts things, of which there may be more with more players


def players_for(checked: CheckedRulebook, wanted: Wanted = None) -> Players:
    """The numbers that are wanted, each in full. Where nothing is wanted: the least in full, and others briefly.

    Raises `ValueError` for numbers that the book is not for.
    """
    known = tuple(allowed(checked))
    if wanted is None or not known:
        return _usual(known)
    if wanted == "all":
        return Players(known, (), ())
    low, high = (wanted, wanted) if isinstance(wanted, int) else wanted
    full = tuple(range(low, high + 1))
    strangers = [count for count in full if count not in known]
    if strangers:
        range_ = f"{known[0]} to {known[-1]}" if len(known) > 1 else f"{known[0]}"
        raise ValueError(f"the game is for {range_} players, not {strangers[0]}")
    return Players(full, (), tuple(count for count in known if count not in full))


def _usual(known: tuple[int, ...]) -> Players:
    """Of many numbers the next and the most: there the sorts of games differ."""
    others = known[1:]
    brief = others if len(others) <= _MOST_BRIEF else (*others[: _MOST_BRIEF - 1], others[-1])
    return Players(known[:1], brief, tuple(count for count in others if count not in brief))


def brief_of(budget: Budget | None) -> Budget:
    whole = budget if budget is not None else Budget()
    return Budget(
        whole.work // _SHARE, whole.guided // _SHARE, whole.states, max(1, whole.plays // _SHARE), whole.edges // _SHARE
    )


# ---- findings


@dataclass(frozen=True, slots=True)
class Heard:
    """What one check found with one number of players, and what it suspected besides."""

    players: int
    brief: bool
    findings: tuple[Finding, ...]
    suspected: frozenset[Key] = frozenset()


def key_of(finding: Finding) -> Key:
    """The same finding with another number of players has the same."""
    message = "" if finding.code in _BY_PLACE else finding.message
    return finding.code, message, tuple((place.name, place.span, place.part) for place in finding.places)


def merged(heard: Sequence[Heard]) -> tuple[Finding, ...]:
    """Each finding once, as it is surest, then with the fewest players; and with how many it was seen."""
    cleared = {key for one in heard if not one.brief for key in one.suspected}
    groups: dict[Key, dict[int, Finding]] = {}
    for one in heard:
        for finding in one.findings:
            key = key_of(finding)
            # What was looked at closely with fewer players is not told again for want of looking.
            if not one.brief or _SURE[finding.certainty] == 0 or key in groups or key not in cleared:
                groups.setdefault(key, {}).setdefault(one.players, finding)
    full = [one.players for one in heard if not one.brief]
    found: list[Finding] = []
    for (code, *_), seen in groups.items():
        if code in _OF_ALL and len(seen) < len(heard):
            continue
        players, best = min(seen.items(), key=lambda one: (_SURE[one[1].certainty], one[0]))
        alike = tuple(sorted(count for count, one in seen.items() if _SURE[one.certainty] == _SURE[best.certainty]))
        everywhere = players in full and all(count in seen for count in full)
        found.append(best if everywhere else replace(best, players=alike))
    return tuple(found)


# ---- claims


def ruled(verdicts: Sequence[tuple[int, bool, Ruled]]) -> tuple[tuple[ClaimVerdict, ...], tuple[Finding, ...]]:
    """What became of each claim, and one finding of a sort for each: what it says of other things is in the details.

    In: number of players, whether it was looked at briefly, and what was found with so many.
    """
    parts: dict[tuple[Span, str], list[tuple[int, bool, Ruled]]] = {}
    for one in verdicts:
        verdict = one[2].verdict
        parts.setdefault((verdict.span, verdict.text), []).append(one)
    claims: list[ClaimVerdict] = []
    findings: dict[tuple[Span, str], list[Finding]] = {}
    for rows in parts.values():
        made = _of_all_numbers(rows)
        if made.verdict.verdict == "open" and all(brief for _, brief, _ in rows):
            continue  # of things that are there only where it was looked at briefly
        claims.append(made.verdict)
        if made.finding is not None:
            findings.setdefault((made.verdict.span, made.finding.code), []).append(made.finding)
    told = [
        replace(first, details=tuple(other.message for other in others)) if others else first
        for first, *others in findings.values()
    ]
    return tuple(claims), tuple(told)


def _of_all_numbers(rows: Sequence[tuple[int, bool, Ruled]]) -> Ruled:
    """`possible` asks for one game of all; everything else speaks of each of them."""
    word = rows[0][2].verdict.word
    order: tuple[Verdict, ...] = ("holds", "open", "fails") if word == "possible" else ("fails", "open", "holds")
    known = [row for row in rows if not row[1]] or list(rows)
    decisive = [row for row in rows if row[2].verdict.verdict == order[0]]
    if not decisive:
        counted = rows if word == "possible" else known
        verdict = next(one for one in order if any(row[2].verdict.verdict == one for row in counted))
        decisive = [row for row in counted if row[2].verdict.verdict == verdict]
    chosen = decisive[0][2]
    numbers = tuple(row[0] for row in decisive)
    others = [row for row in rows if row[2].verdict.verdict != chosen.verdict.verdict]
    if not others or (word == "possible" and chosen.verdict.verdict == "holds"):
        return chosen
    by = "; ".join([f"{chosen.verdict.by}, {with_players(numbers)}", *_remarks(others)])
    finding = None if chosen.finding is None else replace(chosen.finding, players=numbers)
    in_part = chosen.verdict.verdict == "holds" and any(row[2].verdict.verdict == "open" for row in others)
    return Ruled(replace(chosen.verdict, by=by, in_part=in_part), finding)


def _remarks(rows: Iterable[tuple[int, bool, Ruled]]) -> list[str]:
    """`left open with 3 and 4 players`."""
    words: dict[Verdict, str] = {"holds": "holds", "fails": "does not hold", "open": "left open"}
    found: dict[Verdict, list[int]] = {}
    for players, _, one in rows:
        found.setdefault(one.verdict.verdict, []).append(players)
    return [f"{words[verdict]} {with_players(numbers)}" for verdict, numbers in found.items()]
