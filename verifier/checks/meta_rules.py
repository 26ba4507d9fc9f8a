"""LX923: a meta-rule that never decides anything. LX924: what rests on a meta-rule that the book does not state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rules import model as m
from rules.machine.norms import RuleNorm, is_among
from solver.encode.judging import Applying
from solver.terms import Flag, both
from solver.verdict import Proved, Unknown
from verifier.court import Case, Court, cited
from verifier.finding import Finding, Place
from verifier.matters import Matter
from verifier.suspicion import Check, Looked, Remark, Rests

_EXAMPLES = 5


@dataclass(slots=True)
class _Use:
    """What a meta-rule decides: pairs as winner, loser and matter; and whether something could not be told."""

    rule: m.MetaRule
    pairs: dict[tuple[object, object], tuple[RuleNorm, RuleNorm, Matter]] = field(default_factory=dict)
    unknown: bool = False


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    uses = {id(rule): _Use(rule) for rule in court.machine.precedence.rules if _decides(rule)}
    if not uses:
        return
    for matter in court.matters.all:
        for pair in matter.pairs():
            for winner, loser in ((pair.one, pair.other), (pair.other, pair.one)):
                _look(court, matter, winner, loser, pair.meet, uses)
    for use in uses.values():
        looked.things += 1
        if use.rule.assumed and use.pairs:
            yield _assumed(court, use)
            words = court.machine.precedence.words_of(use.rule)
            yield from (Rests(words) for _ in use.pairs)
        elif not use.pairs and not use.unknown and not court.matters.unseen and not _orders(court, use.rule):
            yield _idle(court, use)


def _decides(rule: m.MetaRule) -> bool:
    """`explicit` stands for whatever the rules say of each other; the last line and the order of players decide
    nothing between norms."""
    return isinstance(rule.body, m.Authority | m.Listed | m.Over)


def _look(court: Court, matter: Matter, winner: Applying, loser: Applying, meet: Flag, uses: dict[int, _Use]) -> None:
    with court.encoder.apart():
        grounds = list(court.encoder.grounds(winner, loser))
    key = (winner.norm.key, loser.norm.key)
    for ground, decides in grounds:
        use = uses.get(id(ground.rule))
        if use is None or key in use.pairs or (use.pairs and not use.rule.assumed):
            continue
        when = both(meet, decides)
        found = court.possible(("meet", when), ("asked", matter.asked([when])), in_play=False)
        if isinstance(found, Case):
            use.pairs[key] = (winner.norm, loser.norm, matter)
        elif isinstance(found, Unknown):
            use.unknown = True
        else:
            assert isinstance(found, Proved)


def _orders(court: Court, rule: m.MetaRule) -> bool:
    """Whether a meta-rule can also tell which of two things that happen at the same time comes first."""
    match rule.body:
        case m.Listed(among=among):
            group: str | None = among.text
        case m.Over(winner=winner, among=of) if winner.text in ("earlier", "later"):
            group = None if of is None else of.text
        case _:
            return False
    for norms in court.machine.reactions.values():
        waiting = [
            norm
            for norm in norms
            if isinstance(norm.body, m.EventNorm)
            and norm.body.timing != "instead of"
            and (group is None or is_among(norm, group))
        ]
        if len(waiting) > 1:
            return True
    return False


def _assumed(court: Court, use: _Use) -> Finding:
    words = court.machine.precedence.words_of(use.rule)
    pairs = list(use.pairs.values())
    count = "1 pair of rules rests" if len(pairs) == 1 else f"{len(pairs)} pairs of rules rest"
    examples = [
        f"`{winner.name}` goes before `{loser.name}` on {matter.words}" for winner, loser, matter in pairs[:_EXAMPLES]
    ]
    if len(pairs) > _EXAMPLES:
        examples.append(f"and {len(pairs) - _EXAMPLES} more")
    hint = "if the book says so somewhere, cite the place instead of `assume`"
    message = f"the book does not state `{words}`, and {count} on it"
    return Finding(
        "LX924", message, (_place(court, use.rule),), "proved", "the solver", None, (), hint, tuple(examples)
    )


def _idle(court: Court, use: _Use) -> Finding:
    words = court.machine.precedence.words_of(use.rule)
    what = "is assumed, and nothing rests on it" if use.rule.assumed else "never decides anything"
    hint = "take it away, or look whether a rule that it should decide is missing"
    message = f"`{words}` {what}: no two rules that disagree are told apart by it"
    return Finding("LX923", message, (_place(court, use.rule),), "proved", "the solver", None, (), hint)


def _place(court: Court, rule: m.MetaRule) -> Place:
    part = "assumed" if rule.assumed else "declared"
    return Place(court.machine.precedence.words_of(rule), rule.span, cited(m.Clauses(cites=rule.cites)), part)


CHECK = Check("meta-rules", "precedence", suspect, costly=True)
