"""What an answer depends on: the fewest plain conditions under which it can be no other.

A state of the answer is taken; of all plain conditions, as they are there, those are kept without which the answer
could be another. Then a state is taken that this leaves out, and so on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from solver.encode.situation import tell
from solver.terms import Flag, Term, both, equal, evaluate, every, no, variables_of
from solver.verdict import Proved, Query, Refuted, Unknown
from verifier.asking.wording import Atom
from verifier.court import Court

MOST = 4  # ways to one answer that are told


@dataclass(frozen=True, slots=True)
class Way:
    """Conditions that make an answer what it is. `whole`: with those before it, all ways to the answer are told."""

    when: tuple[str, ...]
    term: Flag
    whole: bool = True


class Apart:
    """`where` is where the question is asked; `names` tell what it leaves open besides the state.

    With `single_facts`, facts of a state are told where the conditions of rules do not tell the answers apart.
    """

    def __init__(
        self, court: Court, where: Flag, atoms: Sequence[Atom], names: dict[object, str], single_facts: bool
    ) -> None:
        self.court = court
        self.single_facts = single_facts
        self.where = where
        self.atoms = atoms
        self.names = names

    def ways(self, answer: Flag) -> Iterator[Way]:
        """The ways to an answer, at least one of which can be; nothing where the solver gives up."""
        left = both(self.where, answer)
        for number in range(1, MOST + 1):
            values = self._state(left)
            if values is None:
                return
            literals = self._needed(answer, values)
            if literals is None:
                yield Way((), answer, False)
                return
            term = every(literal for _, literal in literals)
            left = both(left, no(term))
            more = self.court.solver.possible(left, *self._facts(left)) is not False
            yield Way(tuple(text for text, _ in literals if text), term, not more or number < MOST)
            if not more:
                return

    def _facts(self, *terms: Flag) -> list[Flag]:
        return [fact for _, fact in self.court.space.facts(terms)]

    def _state(self, condition: Flag) -> dict[Term, bool | int] | None:
        facts = self._facts(condition)
        given = (("where", condition), *(((place,), fact) for place, fact in enumerate(facts)))
        found = self.court.solver.ask(Query(False, given), self.court.preferred([condition]))
        if not isinstance(found, Refuted):
            return None
        terms = (self.where, condition, *(atom.term for atom in self.atoms))
        usual = {v: (v.low if v.op == "number" else False) for v in variables_of(*terms, *facts)}
        return usual | self.court.preferred(list(terms)) | dict(found.values)

    def _needed(self, answer: Flag, values: dict[Term, bool | int]) -> list[tuple[str, Flag]] | None:
        """Plain conditions first; single facts of the state only where those do not suffice."""
        plain: list[tuple[str, Flag]] = []
        for atom in self.atoms:
            wanted = bool(evaluate(atom.term, values))
            plain.append((atom.told(wanted), atom.literal(wanted)))
        found = self._enough(answer, plain)
        if not isinstance(found, Refuted):
            return None if isinstance(found, Unknown) else found
        if not self.single_facts:
            return None
        facts = [(self._told(v, values[v]), _as_is(v, values[v])) for v in variables_of(answer, self.where)]
        found = self._enough(answer, [*plain, *facts])
        return found if isinstance(found, list) else None

    def _enough(self, answer: Flag, literals: list[tuple[str, Flag]]) -> list[tuple[str, Flag]] | Refuted | Unknown:
        terms = [self.where, answer, *(literal for _, literal in literals)]
        # What comes later is spared first: what the question says anyway is no condition of an answer.
        given = [
            ("where", self.where),
            *((("fact", place), fact) for place, fact in enumerate(self._facts(*terms))),
            *((("literal", place), literal) for place, (_, literal) in enumerate(literals)),
        ]
        verdict = self.court.solver.ask(Query(answer, tuple(given)))
        if not isinstance(verdict, Proved):
            return verdict
        kept = {name[1] for name in verdict.because if isinstance(name, tuple) and name[0] == "literal"}
        return [literal for place, literal in enumerate(literals) if place in kept]

    def _told(self, variable: Term, value: bool | int) -> str:
        name = variable.args[0]
        if name[0] == "part none":
            return f"{self.names.get(name[1], 'it')} is none" if value else ""
        if name[0] != "part":
            return tell(self.court.space, variable, value)
        shown = self.court.shown_part(name[1], value)
        return f"{self.names[name[1]]} is {shown}" if name[1] in self.names else ""


def _as_is(variable: Term, value: bool | int) -> Flag:
    if variable.op == "flag":
        return variable if value else no(variable)
    return equal(variable, int(value))
