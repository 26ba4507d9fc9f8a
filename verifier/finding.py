"""What the judge found, as data. The codes, with family and severity, are in `rules.codes`; rendering lives apart.

A finding never says more than was shown: `certainty` is what the engines established, `shown_by` which of them did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.codes import CODES, Family
from rules.diagnostics import Severity
from rules.span import Span
from verifier.fingerprint import fingerprint_of

Certainty = Literal["proved", "witnessed", "possible", "unknown"]
CERTAINTIES: dict[Certainty, str] = {
    "proved": "the solver or an exhaustive search closed the case",
    "witnessed": "here is a play, replayed move by move",
    "possible": "a state that fits everything known; no play that was looked at comes to it",
    "unknown": "a limit was hit, or a rule could not be encoded",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A rule that a finding speaks of: its name, its place in the rulebook and in the document, and its part in it."""

    name: str
    span: Span
    cites: tuple[str, ...] = ()  # `book 31`, in the order of the text
    part: str = ""  # what it does here: `allows it`, `forbids it`, `says 3`


@dataclass(frozen=True, slots=True)
class Witness:
    """A state that shows the point, reduced to what matters, and the shortest play to it that was found.

    `play` holds the decisions from the start of a game, each as it is shown to players, and was replayed move by move;
    it is None where no play to the state was found. `players` is how many play.
    """

    facts: tuple[str, ...]  # one fact a line, in the words of the game
    play: tuple[str, ...] | None = None
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence in `message`: lower case, no full stop, the author's words in backticks.

    `places` are all the rules concerned, in fixed order; the first is where the finding is shown. `outcomes` says who
    wins under each policy, where that is the question. `details` are further lines for whoever wants the whole.
    `players` are the numbers of players with which it was seen, where it was not seen with all that were judged.
    """

    code: str
    message: str
    places: tuple[Place, ...]
    certainty: Certainty
    shown_by: str
    witness: Witness | None = None
    outcomes: tuple[tuple[str, str], ...] = ()
    hint: str | None = None
    details: tuple[str, ...] = ()
    players: tuple[int, ...] = ()

    @property
    def family(self) -> Family:
        family = CODES[self.code].family
        assert family is not None
        return family

    @property
    def severity(self) -> Severity:
        return Severity(CODES[self.code].severity)

    @property
    def fingerprint(self) -> str:
        """The same after edits elsewhere in the book; two findings that differ only in their witness share it."""
        return fingerprint_of(self.code, self.message, ((place.name, place.part) for place in self.places))
