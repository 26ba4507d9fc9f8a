"""LX921: an override that can never matter: the two never speak of one thing, never meet, or never disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rules import model as m
from rules.machine.norms import Applied, RuleNorm
from rules.span import Span
from solver.encode.judging import Applying
from solver.terms import both
from solver.verdict import Proved
from verifier.court import Court, cited
from verifier.finding import Finding, Place
from verifier.matters import Pair
from verifier.suspicion import Check, Looked, Remark


@dataclass(frozen=True, slots=True)
class _Override:
    """Something in the book that puts rules in order. `concerns` picks the pairs that it could decide."""

    place: Place
    loser: str | None
    concerns: Callable[[Pair], bool]
    even_if: RuleNorm | None = None
    stated: bool = False  # by the clause `overrides`


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    overrides = [*_stated(court), *_even_ifs(court), *_ruled(court)]
    if not overrides:
        return
    pairs = [pair for matter in court.matters.all for pair in matter.pairs()]
    counts = any(isinstance(rule.body, m.Explicit) for rule in court.machine.precedence.rules)
    for override in overrides:
        looked.things += 1
        if not counts and override.stated:
            yield _without_effect(override)
            continue
        if not {override.place.name, override.loser} & court.matters.unseen:
            found = _judged(court, override, [pair for pair in pairs if override.concerns(pair)])
            if found is not None:
                yield found


# ---- what puts rules in order ---------------------------------------------------------------------------------------


def _stated(court: Court) -> Iterator[_Override]:
    seen: set[tuple[str, str]] = set()
    for norm in (*court.machine.norms, *_cases(court)):
        for loser in norm.clauses.overrides:
            if (norm.name, loser.text) not in seen:
                seen.add((norm.name, loser.text))
                place = Place(norm.name, loser.span, cited(norm.clauses), f"overrides {loser.text}")
                yield _Override(place, loser.text, _between(norm.name, loser.text), stated=True)


def _even_ifs(court: Court) -> Iterator[_Override]:
    for norm in (*court.machine.norms, *_cases(court)):
        condition = norm.conditions.even_if
        if condition is not None:
            place = Place(norm.name, condition.span, cited(norm.clauses), f"even if {condition.span.text}")
            yield _Override(place, None, _speaks(court, norm), norm)


def _ruled(court: Court) -> Iterator[_Override]:
    for ruling in court.checked.book.rulings():
        for line in ruling.lines:
            if isinstance(line, m.PolicyOver):
                part = f"{line.winner.text} over {line.loser.text}"
                place = Place(ruling.name.text, line.span, cited(ruling.clauses), part)
                yield _Override(place, line.loser.text, _between(line.winner.text, line.loser.text))


def _cases(court: Court) -> Iterator[RuleNorm]:
    for node in court.machine.values.values():
        yield from (court.machine.case_norm(node, place) for place in range(len(node.cases)))


def _between(winner: str, loser: str) -> Callable[[Pair], bool]:
    return lambda pair: {pair.one.norm.name, pair.other.norm.name} == {winner, loser}


def _speaks(court: Court, norm: RuleNorm) -> Callable[[Pair], bool]:
    def concerns(pair: Pair) -> bool:
        ways = ((pair.one, pair.other), (pair.other, pair.one))
        return any(a.norm is norm and (_goes_before(court, a, b) or _is_kept_open(court, a, b)) for a, b in ways)

    return concerns


def _goes_before(court: Court, one: Applying, other: Applying) -> bool:
    return court.machine.precedence.speaks_of(_plain(one), _plain(other))


def _is_kept_open(court: Court, one: Applying, other: Applying) -> bool:
    """Whether without the `even if` an assumption could settle the two: with it, none does."""
    known = court.machine.precedence
    body = one.norm.body
    if not isinstance(body, m.ModalNorm):
        return False
    without = replace(one.norm, body=replace(body, conditions=replace(body.conditions, even_if=None)))
    return any(
        known.can_settle(rule, without, other.norm) and not known.can_settle(rule, one.norm, other.norm)
        for rule in known.rules
    )


def _plain(one: Applying) -> Applied:
    return Applied(one.norm, dict.fromkeys(one.env), one.phrase)


# ---- whether it matters ---------------------------------------------------------------------------------------------


def _judged(court: Court, override: _Override, pairs: list[Pair]) -> Finding | None:
    """None where the two can meet and disagree, or where nobody can tell."""
    for pair in pairs:
        meet = pair.meet
        if override.even_if is not None:
            own, rival = (pair.one, pair.other) if pair.one.norm is override.even_if else (pair.other, pair.one)
            if not _is_kept_open(court, own, rival):
                with court.encoder.apart():
                    meet = both(meet, court.encoder.holds(override.even_if.conditions.even_if, own.env))
        if not isinstance(court.possible(("meet", meet), ("asked", pair.matter.asked([meet])), in_play=False), Proved):
            return None
    name = override.place.name
    if override.even_if is not None:
        why = (
            "no rule that says otherwise applies only there" if not pairs else "it never meets one that says otherwise"
        )
        message = f"`{override.place.part}` of `{name}` can never matter: {why}"
        hint = "take it away, or write the condition as the rule does that it is meant to go before"
        return Finding("LX921", message, (override.place,), "proved", "the solver", None, (), hint)
    assert override.loser is not None
    other = _place_of(court, override.loser)
    what = f"`{override.place.part}`" if not override.place.part.startswith("overrides") else f"`{name}`"
    verb = "can never matter" if what != f"`{name}`" else f"overrides `{override.loser}`, and that can never matter"
    why = "in no state do both apply and disagree"
    hint = "take it away, or correct the name or the conditions"
    places = (override.place,) if other is None else (override.place, other)
    return Finding("LX921", f"{what} {verb}: {why}", places, "proved", "the solver", None, (), hint)


def _without_effect(override: _Override) -> Finding:
    message = (
        f"`{override.place.name}` overrides `{override.loser}` without effect: `precedence` has no line `explicit`"
    )
    hint = "add the line `explicit` to `precedence`, or take the clause away"
    return Finding("LX921", message, (override.place,), "proved", "the text of the book", None, (), hint)


def _place_of(court: Court, name: str) -> Place | None:
    for norm in (*court.machine.norms, *_cases(court)):
        if norm.name == name:
            return court.place(norm, "never gives way to it")
    span = _declared_at(court, name)
    return None if span is None else Place(name, span, (), "never gives way to it")


def _declared_at(court: Court, name: str) -> Span | None:
    """Where a table, a rank, an action or a procedure of that name stands."""
    for declaration in court.checked.book.declarations:
        match declaration:
            case m.Table(name=own) | m.Rank(name=own):
                found = own
            case m.Action(signature=signature) | m.Procedure(signature=signature):
                found = signature.verb
            case _:
                continue
        if found.text == name:
            return found.span
    return None


CHECK = Check("idle override", "precedence", suspect)
