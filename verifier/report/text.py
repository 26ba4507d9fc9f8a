"""A report for the terminal: findings with their source lines, and the lines that sum up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

from verifier.baseline import Known
from verifier.finding import CERTAINTIES, Finding, Place, Witness
from verifier.judgement import (
    CheckRun,
    ClaimVerdict,
    Decided,
    Explored,
    Judgement,
    Players,
    Recalled,
    Verdict,
    with_players,
    words_of,
)
from verifier.report.report import Report, ShownFinding
from verifier.snippet import Paint, plain, snippet

_T = TypeVar("_T")
_LINES = 4  # of a rule that are shown
_STEPS = 12  # of a play that are shown before it is cut
_NAMES = 8  # of a list in the summary


def finding_text(shown: ShownFinding, colour: bool = False, whole: bool = False) -> str:
    """One finding: the sentence, every rule concerned, how sure it is, the state, the play, and the hint.

    A long play is cut in the middle, and the further details are left out, unless `whole`.
    """
    paint = Paint(colour)
    finding = shown.finding
    severity = shown.severity.value
    head = paint(f"{severity}[{finding.code}]", severity) + paint(f": {plain(finding.message)}", "bold")
    width = max((len(str(place.span.line + _LINES - 1)) for place in finding.places), default=1)
    parts = [head + (" (known)" if shown.known else "")]
    for mark, place in zip("^" + "-" * len(finding.places), finding.places, strict=False):
        parts += snippet(place.span, plain(place_words(place)), width, mark, paint, _LINES)
    margin = " " * width + paint(" = ", "place")
    for title, lines in _notes(finding, whole):
        parts.append(f"{margin}{paint(f'{plain(title)}:', 'help')} {plain(lines[0])}".rstrip())
        parts += [f"{' ' * (width + 5)}{plain(line)}" for line in lines[1:]]
    return "\n".join(parts)


def place_words(place: Place) -> str:
    """`storm_keeps_in (book 31) forbids it`."""
    cites = f" ({', '.join(place.cites)})" if place.cites else ""
    return f"{place.name}{cites} {place.part}".rstrip()


def _notes(finding: Finding, whole: bool) -> Iterable[tuple[str, Sequence[str]]]:
    yield finding.certainty, [f"{CERTAINTIES[finding.certainty]} ({finding.shown_by})"]
    if finding.players:
        yield "players", [f"seen {with_players(finding.players)}"]
    if finding.witness is not None:
        if finding.witness.facts:
            yield "state", ["", *finding.witness.facts]
        if finding.witness.play is not None:
            yield "play", [play_words(finding.witness), *_steps(finding.witness.play, whole)]
    for policy, outcome in finding.outcomes:
        yield f"under {policy}", [outcome]
    if finding.details:
        yield (
            "details",
            (["", *finding.details] if whole else [f"{number(len(finding.details), 'line')}; `--all` shows them"]),
        )
    if finding.hint is not None:
        yield "hint", [finding.hint]


def play_words(witness: Witness) -> str:
    """`2 players, 3 decisions`, of a play that was found."""
    steps = len(witness.play or ())
    who = f"{number(witness.players, 'player')}, " if witness.players is not None else ""
    return f"{who}{number(steps, 'decision')}" if steps else f"{who}at the start of the game"


def _steps(play: tuple[str, ...], whole: bool) -> list[str]:
    width = len(str(len(play)))
    lines = [f"{place:>{width}}. {step}" for place, step in enumerate(play, 1)]
    if whole or len(lines) <= _STEPS:
        return lines
    left, right = _STEPS // 2, _STEPS // 2 - 1
    return [
        *lines[:left],
        f"{'':>{width}}  ... {len(lines) - left - right} more; `--all` shows them",
        *lines[-right:],
    ]


# ---- the summary ----------------------------------------------------------------------------------------------------


def judgement_lines(report: Report, whole: bool = False) -> list[str]:
    """What was judged and what was not. Nothing where no check ran."""
    judgement = report.judgement
    if not judgement.ran:
        return []
    lines = [_judged(judgement, whole)]
    if judgement.players.several:
        lines.append(f"players: {players_words(judgement.players)}")
    if judgement.interrupted:
        lines.append("interrupted: this is what is known so far; what was not looked at may be wrong too")
    lines += [explored_words(one) for one in judgement.explored]
    if judgement.unseen:
        lines.append(f"{unseen_words(judgement)}: {some([f'`{name}`' for name in judgement.unseen], whole)}")
    lines += _left_open(judgement, whole)
    if judgement.vacuous:
        lines.append(f"nothing to look at: {some([run.name for run in judgement.vacuous], whole)}")
    if judgement.skipped:
        lines.append(f"skipped: {some([f'{run.name} ({run.skipped})' for run in judgement.skipped], whole)}")
    if judgement.not_encoded:
        lines.append(f"not encoded: {some([f'`{n}` ({s}): {why}' for n, s, why in judgement.not_encoded], whole)}")
    lines += [
        f"assumed: `{a.words}` ({a.span}): {number(a.verdicts, 'verdict')} rest{'s' if a.verdicts == 1 else ''} on it"
        for a in judgement.assumptions
    ]
    lines += claim_lines(judgement, whole)
    return [plain(line) for line in lines]


def players_words(players: Players) -> str:
    """`2; briefly 3 and 4 (`--players all` looks at each as closely)`."""
    parts = [f"judged {with_players(players.full)}"]
    if players.brief:
        parts.append(f"briefly with {words_of(players.brief)} (`--players all` looks at each as closely)")
    if players.left:
        parts.append(f"not {with_players(players.left)}")
    return "; ".join(parts)


_CLAIMS = {  # what became of a claim, and how several are counted
    "holds": "hold",
    "holds in part": "hold in part",
    "does not hold": "do not hold",
    "left open": "left open",
}


def became(claim: ClaimVerdict) -> str:
    """What became of a claim, in words."""
    words: dict[Verdict, str] = {"holds": "holds", "fails": "does not hold", "open": "left open"}
    return "holds in part" if claim.in_part else words[claim.verdict]


def claim_lines(judgement: Judgement, whole: bool = False) -> list[str]:
    """What became of each claim, and what showed it."""
    if not judgement.claims:
        return []
    counts = Counter(became(claim) for claim in judgement.claims)
    summed = ", ".join(
        f"{counts[word]} {word if counts[word] == 1 else several}" for word, several in _CLAIMS.items() if counts[word]
    )
    lines = [f"claims: {number(len(judgement.claims), 'claim')}: {summed}"]
    for claim in _first(judgement.claims, whole):
        lines.append(f"  {became(claim)}: {claim.text} ({claim.by})")
    if not whole and len(judgement.claims) > _NAMES:
        lines.append(f"  ... and {len(judgement.claims) - _NAMES} more; `--all` shows them")
    return lines


def _judged(judgement: Judgement, whole: bool) -> str:
    ran = number(sum(run.skipped is None for run in judgement.ran), "check")
    by = some([f"{name} {count}" for name, count in judgement.engines], whole)
    decided = f"; questions decided: {by}" if by else ""
    return f"judged: {number(judgement.rules, 'rule')} by {ran}{decided}"


def explored_words(explored: Explored) -> str:
    """How much of play was seen. Where that was not all of it, what rests on having seen all is not known."""
    who = f"with {number(explored.players, 'player')}"
    if explored.complete:
        return f"play: every state was seen {who} ({explored.states:,})"
    left = "; ".join(explored.left_out)
    seen = f"{explored.states:,} states and {explored.plays:,} random plays were seen {who}"
    return f"play: {seen}, not all ({left}): what lies beyond them may be missed"


def unseen_words(judgement: Judgement) -> str:
    return "never fire" if judgement.saw_all else "not seen to fire"


def _left_open(judgement: Judgement, whole: bool) -> list[str]:
    """What was suspected and is neither shown nor excluded."""
    if not judgement.left_open:
        return []
    counts = Counter(finding.code for finding in judgement.left_open)
    summed = ", ".join(f"{code} {count}" for code, count in sorted(counts.items()))
    more = "" if whole else "; `--all` lists them"
    lines = [f"left open: {summed}: no play that was seen shows it, and nothing excludes it{more}"]
    if whole:
        for finding in judgement.left_open:
            lines.append(f"  {finding.code}: {finding.message} [{finding.places[0].span}]")
    return lines


def selection_lines(report: Report, whole: bool = False) -> list[str]:
    """What was found and is not shown, and what the baseline makes of the rest."""
    lines: list[str] = []
    if report.hidden:
        lines.append(f"not selected: {some([f'{code} ({count})' for code, count in report.hidden], whole)}")
    if report.gone is not None:
        lines.append(f"baseline: {report.known or 'none'} known, {len(report.gone) or 'none'} no longer found")
        lines += [f"  no longer found: {_known_words(entry)}" for entry in _first(report.gone, whole)]
        if not whole and len(report.gone) > _NAMES:
            lines.append(f"  ... and {len(report.gone) - _NAMES} more; `--all` shows them")
    return [plain(line) for line in lines]


def _known_words(entry: Known) -> str:
    return f"{entry.code}: {entry.message}"


def findings_words(report: Report) -> str:
    """`3 findings (2 proved, 1 possible), 1 of them new`, the end of the summary's last line."""
    count = len(report.findings)
    sure = ", ".join(f"{n} {certainty}" for certainty, n in report.certainties())
    new = f", {len(report.new) or 'none'} of them new" if report.gone is not None and count else ""
    left = f", {len(report.judgement.left_open)} left open" if report.judgement.left_open else ""
    return f"{number(count, 'finding')}{f' ({sure})' if sure else ''}{new}{left}"


def decided_lines(decided: Sequence[Decided]) -> list[str]:
    """The pairs that the book itself puts in order, each with the meta-rule that does it."""
    if not decided:
        return ["decided by the book: no pair of rules"]
    lines = [f"decided by the book: {number(len(decided), 'pair')} of rules"]
    for pair in decided:
        one, other = (f"{place_words(place)} [{place.span}]" for place in pair.places)
        cites = f" ({', '.join(pair.cites)})" if pair.cites else ""
        lines += [
            f"  {one}",
            f"  {other}",
            f"    {pair.winner} wins, by {pair.by}{cites or (', an assumption' if pair.assumed else '')}",
        ]
    return [plain(line) for line in lines]


def stats_lines(judgement: Judgement) -> list[str]:
    """Each check with what it looked at and how long it took, then who decided."""
    width = max((len(run.name) for run in judgement.ran), default=5)
    lines = [f"{'check':<{width}}  family         looked at  found  seconds"]
    lines += [_stats(run, width) for run in judgement.ran]
    total = sum(run.seconds for run in judgement.ran)
    lines.append(f"{'total':<{width}}  {'':<13}  {'':>9}  {sum(run.found for run in judgement.ran):>5}  {total:>7.2f}")
    lines += [f"decided by {name}: {number(count, 'question')}" for name, count in judgement.engines]
    if judgement.recalled is not None:
        lines.append(f"from the cache: {_recalled(judgement.recalled)}")
    return [plain(line) for line in lines]


def _recalled(recalled: Recalled) -> str:
    if recalled.whole:
        return "the whole judgement, of the same text; the times are those of then"
    play = "; play was not explored again" if recalled.play else ""
    return f"{recalled.answered or 'none'} of {number(recalled.asked, 'question')} to the solver{play}"


def _stats(run: CheckRun, width: int) -> str:
    why = f"  skipped: {run.skipped}" if run.skipped is not None else "  nothing to look at" if run.vacuous else ""
    return f"{run.name:<{width}}  {run.family:<13}  {run.looked_at:>9}  {run.found:>5}  {run.seconds:>7.2f}{why}"


def some(names: Sequence[str], whole: bool = False) -> str:
    """A list in words, cut unless `whole`."""
    left = 0 if whole else len(names) - _NAMES
    return ", ".join(_first(names, whole)) + (f" and {left} more (`--all` shows them)" if left > 0 else "")


def _first(items: Sequence[_T], whole: bool) -> Sequence[_T]:
    return items if whole else items[:_NAMES]


def number(count: int, word: str) -> str:
    return f"{count or 'no'} {word}{'' if count == 1 else 's'}"
