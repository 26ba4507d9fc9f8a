"""What the judge has to say of a whole book: the findings, and what they rest on. Never an empty green.

Whoever reads it knows what was looked at, what was not and why, and which rules no play came to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rules.codes import Family
from rules.span import Span
from verifier.finding import Finding, Place


@dataclass(frozen=True, slots=True)
class CheckRun:
    """One check of the judge: how many things it looked at and how many findings it made, or why it did not run."""

    name: str
    family: Family
    looked_at: int
    found: int
    skipped: str | None = None
    seconds: float = 0.0

    @property
    def vacuous(self) -> bool:
        """It ran, and the book has nothing that it could look at."""
        return self.skipped is None and not self.looked_at


@dataclass(frozen=True, slots=True)
class Assumption:
    """A meta-rule that the book does not state, and how many verdicts rest on it."""

    words: str  # `cannot over may`
    span: Span
    verdicts: int


@dataclass(frozen=True, slots=True)
class Decided:
    """Two rules that disagree somewhere, and that the book itself puts in order: no finding."""

    places: tuple[Place, Place]
    winner: str
    by: str  # the meta-rule, in the words of the book: `authority card > book`
    cites: tuple[str, ...] = ()
    assumed: bool = False  # whether the book does not state that meta-rule


@dataclass(frozen=True, slots=True)
class Recalled:
    """How many of the questions to the solver were answered from earlier checks, and whether what `play` shows was
    taken over from them; or the whole judgement was."""

    answered: int
    asked: int
    whole: bool = False
    play: bool = False


Verdict = Literal["holds", "fails", "open"]


@dataclass(frozen=True, slots=True)
class Explored:
    """How much of play was seen with so many players; `left_out` says in words what was not."""

    players: int
    states: int
    plays: int  # that were played at random
    left_out: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.left_out


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What became of a claim; `by` says what showed it, or how far it was looked, and with how many players."""

    text: str
    word: str  # always, never, possible, eventually
    verdict: Verdict
    by: str
    span: Span
    in_part: bool = False  # it holds with some numbers of players, and is left open with others


@dataclass(frozen=True, slots=True)
class Players:
    """With how many players a book was judged: with all that the judge can do, and briefly; `left` are numbers that the
    book allows and that were not looked at."""

    full: tuple[int, ...] = ()
    brief: tuple[int, ...] = ()
    left: tuple[int, ...] = ()

    @property
    def judged(self) -> tuple[int, ...]:
        return tuple(sorted((*self.full, *self.brief)))

    @property
    def several(self) -> bool:
        """Whether the book allows more than one number."""
        return len(self.full) + len(self.brief) + len(self.left) > 1


Wanted = int | tuple[int, int] | Literal["all"] | None  # with how many: so many, from the one to the other, all


def words_of(numbers: Sequence[int]) -> str:
    """`2, 3 and 4`; longer stretches as `2 to 9`."""
    if len(numbers) > 3 and list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    shown = [str(number) for number in numbers]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def with_players(numbers: Sequence[int]) -> str:
    return f"with {words_of(numbers)} player{'' if tuple(numbers) == (1,) else 's'}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The whole result of judging a book, each part in fixed order. Without `ran`, nothing was judged."""

    findings: tuple[Finding, ...] = ()
    ran: tuple[CheckRun, ...] = ()
    rules: int = 0  # how many rules were put to the checks
    not_encoded: tuple[tuple[str, Span, str], ...] = ()  # rule, place, reason in words
    unseen: tuple[str, ...] = ()  # rules that fired in no play that was looked at
    interrupted: bool = False
    engines: tuple[tuple[str, int], ...] = ()  # how many questions each member of the portfolio decided
    assumptions: tuple[Assumption, ...] = ()
    decided: tuple[Decided, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    left_open: tuple[Finding, ...] = ()  # what was suspected, no play shows and no proof excludes
    explored: tuple[Explored, ...] = ()
    players: Players = Players()
    recalled: Recalled | None = field(default=None, compare=False)  # None where there was no cache to ask

    @property
    def vacuous(self) -> tuple[CheckRun, ...]:
        return tuple(run for run in self.ran if run.vacuous)

    @property
    def saw_all(self) -> bool:
        """Whether every state of play was seen, so that what was not seen never is."""
        return bool(self.explored) and not self.interrupted and all(one.complete for one in self.explored)

    @property
    def skipped(self) -> tuple[CheckRun, ...]:
        return tuple(run for run in self.ran if run.skipped is not None)
