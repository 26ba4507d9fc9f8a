"""LX903: two duties of one player at the same time, of which only one can be met.

Whether the one can still be met after the other is tried out by the interpreter, in states that play has come to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from rules import model as m
from rules.machine import Chance, Choice, Machine, Move, Node
from rules.machine.base import Legal
from rules.machine.norms import RuleNorm
from rules.machine.state import State
from solver.encode.expressions import NotEncodable
from solver.encode.sym import Sym
from solver.play import Goal, is_action
from solver.terms import both, some
from solver.verdict import Proved, Unknown
from verifier.checks.pairs import which_first
from verifier.court import Case, Court
from verifier.finding import Finding, Witness
from verifier.suspicion import Check, Looked, Remark, Suspicion

_TRIED = 4  # ways of meeting a duty that are tried out
_CHANCES = 40  # throws and draws that are followed after one of them


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    duties = [
        norm
        for norm in court.machine.norms
        if isinstance(norm.body, m.ModalNorm) and norm.body.modal == "must" and not norm.body.if_possible
    ]
    for one, other in combinations(duties, 2):
        looked.things += 1
        if one.name == other.name or court.machine.restated.are_versions(one.name, other.name):
            continue
        if not _same_actor(court, one, other):
            continue
        case: Case | None = None
        try:
            found = _meeting_case(court, one, other)
            if found is None:
                continue
            case = found if isinstance(found, Case) else None
        except NotEncodable as reason:
            court.cannot_encode(one.name, reason)
        witness = None if case is None else Witness(case.situation.facts, None, court.seats)
        message = f"`{one.name}` and `{other.name}` demand different things at once, and only one of them can be done"
        places = (court.place(one, "demands one thing"), court.place(other, "demands another"))
        finding = Finding("LX903", message, places, "possible", "the solver", witness, hint=which_first(one, other))
        goal = Goal(_excluding(one, other), rules=(one, other))
        yield Suspicion(finding, case, goal=goal, only_by_play=True)


def _same_actor(court: Court, one: RuleNorm, other: RuleNorm) -> bool:
    kinds = [{court.machine.acts(phrase.verb.text) for phrase in _body(norm).phrases} for norm in (one, other)]
    return not kinds[0].isdisjoint(kinds[1])


def _body(norm: RuleNorm) -> m.ModalNorm:
    assert isinstance(norm.body, m.ModalNorm)
    return norm.body


def _meeting_case(court: Court, one: RuleNorm, other: RuleNorm) -> Case | Unknown | None:
    """A state in which both are owed by the same actor; None where there is none."""
    encoder = court.encoder
    with encoder.apart():
        for first in _body(one).phrases:
            args = encoder.parts(first.verb.text)
            by = court.machine.by_of(first.verb.text)
            assert by is not None
            owed = some(applying.when for applying in encoder.matching([one], first.verb.text, args))
            for second in _body(other).phrases:
                if not _asked_together(court, first.verb.text, second.verb.text):
                    continue
                theirs = _other_parts(court, second.verb.text, args[by])
                also = some(applying.when for applying in encoder.matching([other], second.verb.text, theirs))
                meet = both(owed, also)
                if meet is False:
                    continue
                found = court.possible(("owed", meet), ("asked", court.asked(first.verb.text, args, meet)))
                if not isinstance(found, Proved):
                    return found
    return None


def _asked_together(court: Court, one: str, other: str) -> bool:
    """Whether somebody is ever asked for both actions in one place; anywhere, where the book does not say when."""
    return not court.machine.play or not set(court.sites.of_verb(one)).isdisjoint(court.sites.of_verb(other))


def _other_parts(court: Court, verb: str, actor: Sym) -> tuple[Sym, ...]:
    by = court.machine.by_of(verb)
    return tuple(
        actor if place == by else court.encoder.symbolic(("second", verb, place), type_)
        for place, type_ in enumerate(court.machine.verbs[verb].types)
    )


# ---- trying it out --------------------------------------------------------------------------------------------------


def _excluding(one: RuleNorm, other: RuleNorm) -> Callable[[Machine, State, Node | None], bool]:
    def holds(machine: Machine, state: State, node: Node | None) -> bool:
        if not isinstance(node, Choice) or not all(_is_offered(duty, node) for duty in (one, other)):
            return False
        legal = machine.legal_now(state)
        first, second = _meeting(legal, one), _meeting(legal, other)
        if not first or not second or any(move in second for move in first):
            return False
        applied = [
            next(a for a in legal_.owed if a.norm.key == n.key) for legal_, n in ((first[0], one), (second[0], other))
        ]
        if any(machine.precedence.precedes(a, b, state) for a, b in (applied, applied[::-1])):
            return False
        return not any(
            _still_owed(machine, state, node, move, rival)
            for moves, rival in ((first, other), (second, one))
            for move in moves[:_TRIED]
        )

    return holds


def _is_offered(duty: RuleNorm, node: Choice) -> bool:
    verbs = [phrase.verb.text for phrase in _body(duty).phrases]
    return any(is_action(move.data) and move.data[0] in verbs for move in node.moves)


def _meeting(legal: list[Legal], duty: RuleNorm) -> list[Legal]:
    return [one for one in legal if any(owed.norm.key == duty.key for owed in one.owed)]


def _still_owed(machine: Machine, state: State, node: Choice, legal: Legal, duty: RuleNorm) -> bool:
    """Whether a duty can still be met by the same player after a move, before anybody else decides."""
    chosen = next((move for move in node.moves if move.data == (legal.verb, legal.args)), None)
    if chosen is None:
        return False
    waiting = [_after(machine, state, chosen)]
    for _ in range(_CHANCES):
        if not waiting:
            return False
        after, following = waiting.pop()
        if isinstance(following, Chance):
            waiting += [_after(machine, after, move) for move, _ in following.outcomes]
        elif (
            isinstance(following, Choice) and following.actor == node.actor and _meeting(machine.legal_now(after), duty)
        ):
            return True
    return bool(waiting)  # not all was followed: say nothing


def _after(machine: Machine, state: State, move: Move) -> tuple[State, Node]:
    after = state.copy()
    machine.answer(after, move)
    return after, machine.run(after)


CHECK = Check("two duties", "contradiction", suspect)
