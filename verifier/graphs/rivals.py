"""Pairs of rules that say different things of one matter, and the meta-rule that tells each pair apart.

What depends on the state (who gained something first, whether an `even if` holds) is said to depend; the rest is as
play decides it: which of two conditions is the narrower is proved.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from grammar.printer import print_meta_rule
from rules import model as m
from rules.check import CheckedRulebook
from rules.machine import Machine, machine_of
from rules.machine.norms import Applied, RuleNorm
from solver.referee import referee_of
from verifier.graphs.owners import Owner


@dataclass(frozen=True, slots=True)
class Decided:
    """`meta` is the number of the meta-rule, a word for what goes before all of them, or None where nothing decides."""

    winner: str
    loser: str
    winner_name: str
    loser_name: str
    subject: str
    meta: str | None
    words: str
    assumed: bool = False
    depends: bool = False


@dataclass(frozen=True, slots=True)
class _Side:
    """One norm as a rival: what it speaks of, and what it says (two that say the same are no rivals)."""

    owner: Owner
    clauses: m.Clauses
    manner: m.Manner | None
    modal: str | None
    even_if: bool
    conditional: bool
    subject: tuple[str, str]
    says: object
    order: int
    body: m.NormBody | m.Case
    phrase: m.Phrase | None

    @property
    def document(self) -> str | None:
        return self.clauses.cites[0].document.text if self.clauses.cites else None

    @property
    def groups(self) -> frozenset[str]:
        named = {name.text for name in self.clauses.among}
        return frozenset(named | ({self.document} if self.document else set()))


@dataclass(frozen=True, slots=True)
class Norms:
    checked: CheckedRulebook
    owners: tuple[Owner, ...]
    metas: tuple[m.MetaRule, ...]


class _Specific:
    """Which of two norms is the narrower, as play has it; made when it is first asked."""

    def __init__(self, checked: CheckedRulebook) -> None:
        self._checked = checked

    @cached_property
    def _machine(self) -> Machine:
        return machine_of(self._checked, referee=referee_of)

    @cached_property
    def _norms(self) -> dict[int, RuleNorm]:
        machine = self._machine
        found = {id(norm.body): norm for norm in machine.norms}
        for node in machine.values.values():
            found |= {id(case): machine.case_norm(node, place) for place, case in enumerate(node.cases)}
        return found

    def knows(self, one: _Side, other: _Side) -> bool:
        """What only a policy says is in no game by itself."""
        return {id(one.body), id(other.body)} <= self._norms.keys()

    def narrower(self, one: _Side, other: _Side) -> bool:
        pair = [Applied(self._norms[id(side.body)], {}, side.phrase) for side in (one, other)]
        return self._machine.precedence.is_more_specific(*pair)


def rivals_of(norms: Norms) -> Iterator[Decided]:
    """Pairs of rules, once for each matter and each way in which it is decided, in the order of the book."""
    by_subject: dict[tuple[str, str], list[_Side]] = {}
    for side in _sides(norms):
        by_subject.setdefault(side.subject, []).append(side)
    authority = _authority(norms.metas)
    specific = _Specific(norms.checked)
    seen: set[Decided] = set()
    for sides in by_subject.values():
        for one, other in combinations(sides, 2):
            if one.owner.id == other.owner.id or one.says == other.says:
                continue
            found = _decide(one, other, norms.metas, authority, specific)
            if found not in seen:
                seen.add(found)
                yield found


def _sides(norms: Norms) -> Iterator[_Side]:
    order = 0
    for owner in norms.owners:
        match owner.node:
            case m.Rule(norms=plain, readings=readings):
                parts = [(norm, owner.clauses) for norm in plain]
                parts += [(norm, _within(r.clauses, owner.clauses)) for r in readings for norm in r.norms]
                for norm, clauses in parts:
                    order += 1
                    for subject, says, phrase in _speaks(norm.body, norms.checked):
                        yield _side(owner, clauses, norm.manner, norm.body, subject, says, order, phrase)
            case m.Value(cases=cases, combine=None):
                for case in cases:
                    order += 1
                    if case.op == "is":
                        subject = ("value", str(id(norms.checked.symbol_of(owner.node.name))))
                        clauses = _within(case.clauses, owner.clauses)
                        yield _side(owner, clauses, case.manner, case, subject, case.value, order)
            case _:
                pass


def _side(
    owner: Owner,
    clauses: m.Clauses,
    manner: m.Manner | None,
    body: m.NormBody | m.Case,
    subject: tuple[str, str],
    says: object,
    order: int,
    phrase: m.Phrase | None = None,
) -> _Side:
    match body:
        case m.EventNorm(condition=condition) | m.IgnoreNorm(condition=condition):
            conditions = m.Conditions(condition, None, None)
        case _:
            conditions = body.conditions
    modal = body.modal if isinstance(body, m.ModalNorm) else None
    conditional = conditions.when is not None or conditions.unless is not None
    even_if = conditions.even_if is not None
    return _Side(owner, clauses, manner, modal, even_if, conditional, subject, says, order, body, phrase)


def _within(own: m.Clauses, outer: m.Clauses) -> m.Clauses:
    return replace(outer, cites=own.cites or outer.cites, overrides=own.overrides + outer.overrides,
                   among=own.among + outer.among)  # fmt: skip


def _speaks(body: m.NormBody, checked: CheckedRulebook) -> Iterator[tuple[tuple[str, str], object, m.Phrase | None]]:
    match body:
        case m.ModalNorm(modal=modal, phrases=phrases):
            for phrase in phrases:
                yield ("action", phrase.verb.text), modal == "cannot", phrase
        case m.ValueNorm(target=target, op="is", value=value):
            yield ("value", str(id(checked.symbol_of(target)))), value, None
        case m.EventNorm(timing="instead of", event=event, body=block):
            yield ("event", _event(event, checked)), block, None
        case m.IgnoreNorm(what=what):
            yield ("event", what.text if isinstance(what, m.Name) else _event(what, checked)), "ignore", None
        case _:
            pass


def _event(event: m.Event, checked: CheckedRulebook) -> str:
    match event:
        case m.PhraseEvent(phrase=phrase):
            return phrase.verb.text
        case m.ChangeEvent(subject=subject) | m.RunsOutEvent(pile=subject) | m.TransferEvent(where=subject):
            return f"{type(event).__name__} {id(checked.symbol_of(subject))}"
        case m.MomentEvent(moment=moment):
            return f"moment {moment.name}"


def _authority(metas: tuple[m.MetaRule, ...]) -> frozenset[tuple[str, str]]:
    pairs: set[tuple[str, str]] = set()
    for rule in metas:
        if isinstance(rule.body, m.Authority):
            for chain in rule.body.chains:
                pairs |= {(a.text, b.text) for a, b in combinations(chain, 2)}
    while more := {(a, d) for a, b in pairs for c, d in pairs if b == c} - pairs:
        pairs |= more
    return frozenset(pairs)


def _decide(
    one: _Side,
    other: _Side,
    metas: tuple[m.MetaRule, ...],
    authority: frozenset[tuple[str, str]],
    specific: _Specific,
) -> Decided:
    subject = one.owner.name if one.subject[0] == "value" else one.subject[1]
    if one.subject[0] == "event":
        subject = subject if subject.isidentifier() else "what happens"
    if (one.manner == "usually") != (other.manner == "usually"):
        strong, weak = (other, one) if one.manner == "usually" else (one, other)
        return _found(strong, weak, subject, "usually", f"{weak.owner.name} says `usually`")
    if bool(one.owner.ruled_by) != bool(other.owner.ruled_by):
        strong, weak = (one, other) if one.owner.ruled_by else (other, one)
        policy = strong.owner.ruled_by.startswith("policy")
        return _found(strong, weak, subject, "ruled", f"it stands in the {strong.owner.ruled_by}", policy)
    for number, rule in enumerate(metas, 1):
        if rule.assumed and not _can_assume(rule, one, other):
            continue
        words = f"{number}. {print_meta_rule(rule)}"
        if _depends(rule, one, other, specific):
            return _found(one, other, subject, str(number), f"{words} (depends)", rule.assumed, True)
        forward, backward = (_by(rule, *pair, authority, specific) for pair in ((one, other), (other, one)))
        if forward != backward:
            strong, weak = (one, other) if forward else (other, one)
            return _found(strong, weak, subject, str(number), words, rule.assumed)
    return _found(one, other, subject, None, "no meta-rule tells them apart")


def _found(
    strong: _Side, weak: _Side, subject: str, meta: str | None, words: str, assumed: bool = False, depends: bool = False
) -> Decided:
    ends = strong.owner, weak.owner
    return Decided(ends[0].id, ends[1].id, ends[0].name, ends[1].name, subject, meta, words, assumed, depends)


def _can_assume(rule: m.MetaRule, one: _Side, other: _Side) -> bool:
    """An assumption settles neither must against cannot, nor cannot against `may ... even if`, in passing."""
    modals = {one.modal, other.modal}
    if modals == {"must", "cannot"}:
        return isinstance(rule.body, m.Over) and {rule.body.winner.text, rule.body.loser.text} == modals
    return modals != {"may", "cannot"} or not (one.even_if or other.even_if)


def _concerns(rule: m.MetaRule, one: _Side, other: _Side) -> bool:
    among = rule.body.among if isinstance(rule.body, m.Over | m.Listed) else None
    return among is None or (among.text in one.groups and among.text in other.groups)


def _depends(rule: m.MetaRule, one: _Side, other: _Side, specific: _Specific) -> bool:
    """Whether only the state can tell what the meta-rule says of the two."""
    match rule.body:
        case m.Explicit():
            return (one.even_if and not _overrides(one, other)) or (other.even_if and not _overrides(other, one))
        case m.Over(winner=winner):
            if not _concerns(rule, one, other):
                return False
            if winner.text == "specific":
                return (one.conditional or other.conditional) and not specific.knows(one, other)
            return winner.text in ("earlier", "later") and None not in (one.clauses.source, other.clauses.source)
        case _:
            return False


def _overrides(one: _Side, other: _Side) -> bool:
    return other.owner.name in {name.text for name in one.clauses.overrides}


def _by(rule: m.MetaRule, one: _Side, other: _Side, authority: frozenset[tuple[str, str]], specific: _Specific) -> bool:
    match rule.body:
        case m.Explicit():
            return _overrides(one, other)
        case m.Authority():
            return (one.document or "", other.document or "") in authority
        case m.Listed():
            return _concerns(rule, one, other) and one.order < other.order
        case m.Over(winner=winner) if winner.text == "specific":
            return _concerns(rule, one, other) and specific.knows(one, other) and specific.narrower(one, other)
        case m.Over(winner=winner, loser=loser):
            return _concerns(rule, one, other) and _over(winner.text, loser.text, one, other)
        case _:
            return False


def _over(winner: str, loser: str, one: _Side, other: _Side) -> bool:
    if winner == "immediate":
        return one.manner == "immediately" and other.manner != "immediately"
    if winner in ("may", "must", "cannot"):
        return one.modal == winner and other.modal == loser
    return winner in one.groups and loser in other.groups
