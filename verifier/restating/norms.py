"""Two rules that are meant to say the same, norm by norm: what each says of the same subject, as terms and in play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules import model as m
from rules.machine.base import Broken
from rules.machine.norms import Gap, RuleNorm, Undetermined
from solver.encode.judging import Applying
from solver.encode.saying import Saying, Subject
from solver.encode.sym import Sym
from solver.play import Fact
from solver.terms import Flag, both, either, no, same, some
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference, differences
from verifier.restating.blocks import blocks_apart
from verifier.restating.normal import Guard, words_of
from verifier.restating.parts import args_in, extra_of, teller
from verifier.restating.shown import goal_for, said


def rules_apart(
    court: Court, ours: Sequence[RuleNorm], theirs: Sequence[RuleNorm], part: bool = False
) -> Iterator[Apart]:
    """`ours` restate `theirs`; with `part` only some of it: then what they leave out is no difference."""
    saying = Saying(court.encoder)
    sides = _by_subject(saying, ours), _by_subject(saying, theirs)
    alone: tuple[list[tuple[Subject, RuleNorm]], list[tuple[Subject, RuleNorm]]] = ([], [])
    for subject in dict.fromkeys((*sides[1], *sides[0])):
        mine, rest = sides[0].get(subject, []), sides[1].get(subject, [])
        pairs, left, missing = _paired(court, subject, mine, rest)
        for one, other in pairs:
            yield from _Pair(court, saying, subject, one, other, part).apart()
        alone[0].extend((subject, norm) for norm in left)
        alone[1].extend((subject, norm) for norm in missing)
    if ours and theirs:
        yield from _unpaired(court, saying, *alone, (ours[0], theirs[0]), part)


def _by_subject(saying: Saying, norms: Sequence[RuleNorm]) -> dict[Subject, list[RuleNorm]]:
    found: dict[Subject, list[RuleNorm]] = {}
    for norm in norms:
        for subject in saying.subjects(norm):
            found.setdefault(subject, []).append(norm)
    return found


def _paired(
    court: Court, subject: Subject, ours: list[RuleNorm], theirs: list[RuleNorm]
) -> tuple[list[tuple[RuleNorm, RuleNorm]], list[RuleNorm], list[RuleNorm]]:
    """Each with the one that is nearest to it by its text, in the order of the book; and who is left over."""
    pairs: list[tuple[RuleNorm, RuleNorm]] = []
    left, rest = list(ours), list(theirs)
    verb = subject.words if subject.sort == "move" else None
    while left and rest:
        distances = [
            (len(differences(one, other, court.machine, verb)), i, j)
            for i, one in enumerate(left)
            for j, other in enumerate(rest)
        ]
        _, i, j = min(distances)
        pairs.append((left.pop(i), rest.pop(j)))
    return pairs, left, rest


def _unpaired(
    court: Court,
    saying: Saying,
    ours: list[tuple[Subject, RuleNorm]],
    theirs: list[tuple[Subject, RuleNorm]],
    first: tuple[RuleNorm, RuleNorm],
    part: bool,
) -> Iterator[Apart]:
    """Norms about something of which the other side does not speak: said of another thing, left out, or added."""
    waiting = list(theirs)
    added: list[tuple[Subject, RuleNorm]] = []
    for subject, norm in ours:
        found = next((pair for pair in waiting if _takes_the_place(subject, norm, *pair)), None)
        if found is None:
            added.append((subject, norm))
        else:
            waiting.remove(found)
            yield _instead(court, saying, (subject, norm), found)
    for subject, norm in added:
        yield _alone(court, saying, subject, norm, norm, first[1], "ours")
    for subject, norm in () if part else waiting:
        yield _alone(court, saying, subject, norm, first[0], norm, "theirs")


def _takes_the_place(one: Subject, norm: RuleNorm, other: Subject, rival: RuleNorm) -> bool:
    """Of two sentences about different things, whether the one was meant for the other."""
    return type(norm.body) is type(rival.body) and one.sort == other.sort


def _instead(court: Court, saying: Saying, ours: tuple[Subject, RuleNorm], theirs: tuple[Subject, RuleNorm]) -> Apart:
    (subject, one), (other_subject, other) = ours, theirs
    match one.body, other.body:
        case m.EventNorm(event=m.MomentEvent() as a), m.EventNorm(event=m.MomentEvent() as b):
            difference = Difference("time", words_of(a), words_of(b))
        case m.EventNorm(event=a), m.EventNorm(event=b):
            difference = Difference("kind", words_of(a), words_of(b))
        case _:
            difference = Difference("kind", subject.words, other_subject.words)
    return replace(_alone(court, saying, subject, one, one, other, "ours"), difference=difference)


def _alone(
    court: Court, saying: Saying, subject: Subject, norm: RuleNorm, ours: RuleNorm, theirs: RuleNorm, side: str
) -> Apart:
    """A norm without its like: a state in which it applies."""
    text = _of_one_move(norm.body, subject)
    difference = Difference("list", text if side == "ours" else "", text if side == "theirs" else "")
    with court.encoder.apart() as troubles:
        parts = saying.parts(subject)
        when = some(one.when for one in saying.of(norm, subject, parts))
        answered = no(some(trouble.when for trouble in troubles))
        found = court.possible(("applies", when), ("answered", answered), *_asked(court, subject, parts, when))
    case = Unknown("nothing was found in which it applies") if isinstance(found, Proved) else found
    extra = extra_of(court, subject, args_in(court, subject, case)) if isinstance(case, Case) else ()
    spans = (ours.body.span, theirs.body.span)
    return Apart(difference, spans, subject.words, case, extra, fact=Fact("applied", norm.key))


def _of_one_move(body: m.NormBody | m.Case, subject: Subject) -> str:
    """The text of a norm; of one that speaks of several moves, what it says of this one."""
    if not isinstance(body, m.ModalNorm) or len(body.phrases) == 1:
        return words_of(body)
    phrase = next(phrase for phrase in body.phrases if phrase.verb.text == subject.words)
    rest = body.span.text[body.phrases[-1].span.end - body.span.start :]
    return " ".join(f"{words_of(body.actor)} {body.modal} {words_of(phrase)} {rest}".split())


def _asked(court: Court, subject: Subject, parts: tuple[Sym, ...], when: Flag) -> tuple[tuple[str, Flag], ...]:
    if subject.sort != "move" or court.machine.by_of(subject.words) is None:
        return ()
    return (("asked", court.asked(subject.words, parts, when)),)


class _Pair:
    """Two norms on one subject."""

    def __init__(
        self, court: Court, saying: Saying, subject: Subject, ours: RuleNorm, theirs: RuleNorm, part: bool
    ) -> None:
        self.court = court
        self.saying = saying
        self.subject = subject
        self.ours = ours
        self.theirs = theirs
        self.part = part

    def apart(self) -> Iterator[Apart]:
        verb = self.subject.words if self.subject.sort == "move" else None
        by_text = differences(self.ours, self.theirs, self.court.machine, verb)
        with self.court.encoder.apart() as troubles:
            parts = self.saying.parts(self.subject)
            one = self.saying.of(self.ours, self.subject, parts)
            other = self.saying.of(self.theirs, self.subject, parts)
            differ = self.saying.differ(one, other)
            if self.part:
                differ = both(differ, some(a.when for a in one))
            focused = [(d, self._focus(d, one, other)) for d in by_text]
            answered = no(some(trouble.when for trouble in troubles))
        self._given = (("answered", answered), *_asked(self.court, self.subject, parts, differ))
        self._tell = teller(self.court, self.subject, parts, differ)
        yield from self._by_meaning(differ, focused)
        yield from self._by_form(by_text, one, other)
        yield from self._bodies(one, other)

    def _by_meaning(self, differ: Flag, focused: list[tuple[Difference, Flag]]) -> Iterator[Apart]:
        """Those differences of the text by which one of the norms applies where the other does not."""
        whole = self._possible(("differ", differ))
        if isinstance(whole, Proved):
            return
        kept = False
        for difference, focus in focused:
            if difference.aspect == "kind" and not difference.content:
                continue
            found = self._possible(("differ", differ), ("by this", focus))
            if not isinstance(found, Proved):
                kept = True
                yield self._told(difference, found)
        if not kept:
            text = words_of(self.ours.body), words_of(self.theirs.body)
            yield self._told(Difference("guard", *text), whole)

    def _by_form(self, by_text: list[Difference], one: list[Applying], other: list[Applying]) -> Iterator[Apart]:
        """May or must, before or after, `usually`, `even if`: it matters where both apply."""
        meet = both(some(a.when for a in one), some(a.when for a in other))
        for difference in by_text:
            form = difference.aspect == "kind" or (difference.aspect == "time" and self.subject.sort == "event")
            if form and not difference.content and difference.guards == (None, None):
                found = self._possible(("both apply", meet))
                if not isinstance(found, Proved):
                    fact = Fact("applied", self.ours.key)
                    yield replace(self._told(difference, found, apart=False), goal=None, fact=fact, tell=None)

    def _bodies(self, one: list[Applying], other: list[Applying]) -> Iterator[Apart]:
        ours, theirs = self.ours.body, self.theirs.body
        if not isinstance(ours, m.EventNorm) or not isinstance(theirs, m.EventNorm):
            return
        meet = both(some(a.when for a in one), some(a.when for a in other))
        case = self._possible(("both apply", meet))
        if not isinstance(case, Case):
            return
        args = args_in(self.court, self.subject, case)
        difference = blocks_apart(self.court, self.ours, self.theirs, self.subject, args, case, self.part)
        if difference is not None:
            yield replace(
                self._told(difference, case, apart=False), goal=None, fact=Fact("fired", self.ours.key), tell=None
            )

    def _told(self, difference: Difference, found: Case | Unknown, apart: bool = True) -> Apart:
        case = self._confirmed(found, apart) if isinstance(found, Case) else found
        extra = (
            extra_of(self.court, self.subject, args_in(self.court, self.subject, case))
            if isinstance(case, Case)
            else ()
        )
        goal = goal_for((self.ours,), (self.theirs,), self.subject, self.part)
        spans = (self.ours.body.span, self.theirs.body.span)
        return Apart(difference, spans, self.subject.words, case, extra, goal, tell=self._tell)

    def _confirmed(self, case: Case, apart: bool) -> Case:
        """The interpreter is asked there too: whether the two say the same, or (not `apart`) at least what they say."""
        if case.state is None:
            return case
        args = args_in(self.court, self.subject, case)
        try:
            ours, theirs = (
                said(self.court.machine, (norm,), self.subject, args, case.state) for norm in (self.ours, self.theirs)
            )
        except (Undetermined, Gap, Broken):
            return replace(case, state=None)
        return replace(case, state=None) if apart and ours == theirs else case

    def _possible(self, *conditions: tuple[str, Flag]) -> Case | Proved | Unknown:
        return self.court.possible(*conditions, *self._given)

    def _focus(self, difference: Difference, one: list[Applying], other: list[Applying]) -> Flag:
        """Where this difference, and not another, is what tells the norms apart."""
        if difference.content:
            return self.saying.clash(one, other)
        ours, theirs = difference.guards
        if ours is None and theirs is None:
            return True
        if len(one) != 1 or len(other) != 1:
            return True
        mine = self._holds(ours, one[0])
        rest = self._holds(theirs, other[0])
        if ours is None:
            return both(one[0].when, no(rest))
        if theirs is None:
            return both(other[0].when, no(mine))
        return either(both(mine, no(rest)), both(rest, no(mine)))

    def _holds(self, guard: Guard | None, at: Applying) -> Flag:
        if guard is None:
            return True
        return same(self.court.encoder.holds(guard.expr, at.env), guard.wanted)
