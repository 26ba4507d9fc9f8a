"""In what two norms on one subject differ, by their text: guards, numbers, lists, who, when, or the kind of norm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules import model as m
from rules.machine import Machine
from rules.machine.norms import RuleNorm
from rules.walk import nodes_of
from verifier.restating.normal import Aspect, Guard, Normal, apart, guards_of, normal_of, subject_parts, words_of


@dataclass(frozen=True, slots=True)
class Difference:
    """`ours` is what the restating side says, `theirs` what the other does; empty where one says nothing of it.

    `guards` are the conditions in which it lies, ours and theirs, where it lies in conditions; `content`: it lies in
    what the norms make of their subject.
    """

    aspect: Aspect
    ours: str
    theirs: str
    guards: tuple[Guard | None, Guard | None] = field(default=(None, None), compare=False)
    content: bool = False


def differences(ours: RuleNorm, theirs: RuleNorm, machine: Machine, verb: str | None = None) -> list[Difference]:
    """All differences of the text; whether each matters is for the meaning to say. Bodies are compared elsewhere."""
    a, b = _phrase(ours.body, verb), _phrase(theirs.body, verb)
    one, other = normal_of(ours, machine, a), normal_of(theirs, machine, b)
    found = list(_by_body(ours.body, theirs.body, one, other))
    found += _parts(ours.body, theirs.body, (a, b), (one, other))
    found += between(guards_of(ours.conditions, one), guards_of(theirs.conditions, other), machine)
    even = ours.conditions.even_if, theirs.conditions.even_if
    if one.of(even[0]) != other.of(even[1]):
        found.append(Difference("kind", _after("even if", even[0]), _after("even if", even[1])))
    if ours.manner != theirs.manner:
        found.append(Difference("kind", ours.manner or "", theirs.manner or ""))
    return found


def _phrase(body: m.NormBody | m.Case, verb: str | None) -> m.Phrase | None:
    if not isinstance(body, m.ModalNorm):
        return None
    return next(phrase for phrase in body.phrases if verb is None or phrase.verb.text == verb)


def _by_body(
    ours: m.NormBody | m.Case, theirs: m.NormBody | m.Case, one: Normal, other: Normal
) -> Iterator[Difference]:
    match ours, theirs:
        case m.ModalNorm(), m.ModalNorm():
            if (ours.modal, ours.if_possible) != (theirs.modal, theirs.if_possible):
                yield Difference("kind", _modal(ours), _modal(theirs))
            yield from _frequencies(ours.frequency, theirs.frequency, one, other)
        case m.ValueNorm() | m.Case(), m.ValueNorm() | m.Case():
            if ours.op != theirs.op:
                yield Difference("kind", ours.op, theirs.op, content=True)
            if one.of(ours.value) != other.of(theirs.value):
                yield of_values(ours.value, theirs.value, (one, other))
        case m.LimitNorm(), m.LimitNorm():
            if one.of(ours.what) != other.of(theirs.what):
                yield Difference("number", words_of(ours.what), words_of(theirs.what), content=True)
            if one.of(ours.most) != other.of(theirs.most):
                yield Difference("number", words_of(ours.most), words_of(theirs.most), content=True)
            if ours.rest_lost != theirs.rest_lost:
                words = ["rest lost" if x.rest_lost else "" for x in (ours, theirs)]
                yield Difference("kind", words[0], words[1])
        case m.OutcomeNorm(), m.OutcomeNorm():
            if ours.outcome.result != theirs.outcome.result:
                yield Difference("kind", ours.outcome.result, theirs.outcome.result)
        case ((m.EventNorm() | m.IgnoreNorm()), (m.EventNorm() | m.IgnoreNorm())):
            yield from _events(ours, theirs)
        case _:
            yield Difference("kind", words_of(ours), words_of(theirs))


def of_values(ours: m.Expr, theirs: m.Expr, normals: tuple[Normal, Normal]) -> Difference:
    """Of two expressions that say what something is; a condition that is given as a value is taken part by part."""
    if isinstance(ours, m.And) or isinstance(theirs, m.And):
        sides = [
            guards_of(m.Conditions(expr, None, None), normal)
            for expr, normal in zip((ours, theirs), normals, strict=True)
        ]
        found = between(sides[0], sides[1], normals[0].machine)
        if len(found) == 1:
            return Difference(found[0].aspect, found[0].ours, found[0].theirs, content=True)
    aspect = apart((normals[0].of(ours), True), (normals[1].of(theirs), True), normals[0].machine)
    return Difference(aspect or "number", words_of(ours), words_of(theirs), content=True)


def _modal(norm: m.ModalNorm) -> str:
    return f"{norm.modal}{' if possible' if norm.if_possible else ''}"


def _frequencies(
    ours: m.Frequency | None, theirs: m.Frequency | None, one: Normal, other: Normal
) -> Iterator[Difference]:
    if ours is None or theirs is None:
        if ours is not theirs:
            yield Difference("time", _words(ours), _words(theirs))
        return
    if ours.moment.text != theirs.moment.text:
        yield Difference("time", _words(ours), _words(theirs))
    elif (ours.count, one.of(ours.each)) != (theirs.count, other.of(theirs.each)):
        yield Difference("number", _words(ours), _words(theirs))


def _events(ours: m.EventNorm | m.IgnoreNorm, theirs: m.EventNorm | m.IgnoreNorm) -> Iterator[Difference]:
    one, other = timing_of(ours), timing_of(theirs)
    if one != other:
        before_and_after = {one, other} == {"when", "when about to"}
        yield Difference("time" if before_and_after else "kind", one, other)
    events = _event(ours), _event(theirs)
    match events:
        case m.MomentEvent() as a, m.MomentEvent() as b:
            if (a.moment.name.text, a.edge) != (b.moment.name.text, b.edge):
                yield Difference("time", words_of(a), words_of(b))
        case m.ChangeEvent() as a, m.ChangeEvent() as b if a.change != b.change:
            yield Difference("kind", words_of(a), words_of(b))
        case m.TransferEvent() as a, m.TransferEvent() as b if a.direction != b.direction:
            yield Difference("kind", words_of(a), words_of(b))
        case _:
            pass


def timing_of(body: m.EventNorm | m.IgnoreNorm) -> str:
    return body.timing if isinstance(body, m.EventNorm) else "ignore"


def _event(body: m.EventNorm | m.IgnoreNorm) -> m.Event | m.Name:
    return body.event if isinstance(body, m.EventNorm) else body.what


def _parts(
    ours: m.NormBody | m.Case,
    theirs: m.NormBody | m.Case,
    phrases: tuple[m.Phrase | None, m.Phrase | None],
    normals: tuple[Normal, Normal],
) -> Iterator[Difference]:
    """What is spoken of: the actor, and the parts of a move, an event or a value."""
    sides = [dict(subject_parts(body, phrase)) for body, phrase in zip((ours, theirs), phrases, strict=True)]
    for label in dict.fromkeys((*sides[0], *sides[1])):
        one, other = sides[0].get(label), sides[1].get(label)
        if _named(one, normals[0]) != _named(other, normals[1]):
            aspect: Aspect = "actor" if label in ("by", "who") else "number"
            yield Difference(aspect, words_of(one) if one else "", words_of(other) if other else "")


def _named(part: m.Expr | None, normal: Normal) -> object:
    """A part that any can fill says nothing; two variables of one type say the same."""
    if part is None:
        return None
    if isinstance(part, m.Ref) and not part.args and part.name.text in normal.roles:
        return normal.roles[part.name.text], normal.machine.variables[part.name.text].type  # type: ignore[union-attr]
    return Normal(normal.machine).of(part)


def between(ours: list[Guard], theirs: list[Guard], machine: Machine) -> list[Difference]:
    """Conditions that only one side has; those built alike are one difference."""
    known, wanted = {guard.form for guard in theirs}, {guard.form for guard in ours}
    mine = [guard for guard in ours if guard.form not in known]
    rest = [guard for guard in theirs if guard.form not in wanted]
    found: list[Difference] = []
    for guard in mine:
        paired = next(((other, a) for other in rest if (a := apart(guard.form, other.form, machine))), None)
        if paired is None:
            found.append(Difference(_alone(guard), guard.words, "", (guard, None)))
        else:
            other, aspect = paired
            rest.remove(other)
            found.append(Difference(aspect, guard.words, other.words, (guard, other)))
    return [*found, *(Difference(_alone(guard), "", guard.words, (None, guard)) for guard in rest)]


def _alone(guard: Guard) -> Aspect:
    return "time" if any(isinstance(node, m.During) for node in nodes_of(guard.expr)) else "guard"


def _after(word: str, expr: m.Expr | None) -> str:
    return "" if expr is None else f"{word} {words_of(expr)}"


def _words(frequency: m.Frequency | None) -> str:
    return "" if frequency is None else words_of(frequency)
