"""Answers to questions, as data. Rendering lives in `ludex.answers`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from verifier.finding import Place

Word = Literal["always", "never", "depends", "undetermined", "vacuous", "unknown"]
Shown = Literal["witnessed", "possible", "unconfirmed"]
SHOWN: dict[Shown, str] = {
    "witnessed": "a play comes to it, replayed move by move",
    "possible": "it fits all that the book promises; no play that was looked at comes to it",
    "unconfirmed": "the solver found it; it could not be made a state of play to confirm it",
}


@dataclass(frozen=True, slots=True)
class GaveWay:
    """A rule that lost, to whom, by which meta-rule, and where in the book that meta-rule stands."""

    place: Place
    winner: str
    by: str
    cites: tuple[str, ...] = ()
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """A state of a case, in the words of the game. `play` leads to it where one was found."""

    facts: tuple[str, ...]
    shown: Shown
    play: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class AnswerCase:
    """One way in which a question is answered.

    `when` are the fewest conditions, in the words of the book, that make it this answer; none where nothing else is
    possible. `because` are the rules that decide, `against` those that they defeat. `whole` is no where there are more
    ways to this answer than are listed.
    """

    answer: str
    when: tuple[str, ...]
    because: tuple[Place, ...]
    against: tuple[GaveWay, ...]
    example: Example
    always: frozenset[str] = frozenset()  # the rules that decide in every state of the case
    reason: str = ""  # what is to be said where no rule decides
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """`question` is as it was asked, in the language of the book. `value` is there where a value is always the same.

    `word` is `undetermined` where the rules do not decide in some case, whatever they say in the others.

    `reason` says why nobody knows (`unknown`), or why nothing can be asked (`vacuous`). `left_out` is what the question
    does not ask about, although play does.
    """

    question: str
    word: Word
    cases: tuple[AnswerCase, ...]
    players: int | None
    value: str | None = None
    reason: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def open_cases(self) -> tuple[AnswerCase, ...]:
        """The cases in which the rules do not decide."""
        return tuple(case for case in self.cases if case.answer == "undetermined")

    @property
    def because(self) -> tuple[str, ...]:
        """The names of all rules that decide in some case."""
        return tuple(dict.fromkeys(place.name for case in self.cases for place in case.because))

    @property
    def against(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(lost.place.name for case in self.cases for lost in case.against))
