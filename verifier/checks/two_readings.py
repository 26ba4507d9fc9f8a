"""LX991: a sentence with two readings that come to different ends in a state."""

from __future__ import annotations

from collections.abc import Iterator

from rules import model as m
from rules.machine.norms import RuleNorm
from solver.encode.events import Events
from solver.encode.expressions import NotEncodable, Trouble
from solver.encode.sym import Sym
from solver.terms import Flag, both, either, no, some
from solver.verdict import Proved, Unknown
from verifier.checks.open_points import readings_of
from verifier.court import Case, Court
from verifier.finding import Finding, Place, Witness
from verifier.suspicion import Check, Looked, Remark, Suspicion


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for name, readings in court.machine.readings.items():
        looked.things += 1
        norms = [norm for norm in court.machine.norms if norm.name == name]
        try:
            found = _differing(court, name, norms, readings)
        except NotEncodable as reason:
            court.cannot_encode(name, reason)
            found = Unknown(f"`{name}` cannot be put to the solver: {reason.reason}"), False
        if found is not None:
            yield _told(court, name, norms, *found)


def _told(court: Court, name: str, norms: list[RuleNorm], found: Case | Unknown, condition: Flag) -> Suspicion:
    message = f"`{name}` can be read in {_number(norms)} ways, and they come to different ends"
    places = tuple(_place(court, norm) for norm in norms)
    hint = f"a policy can choose one for play: `{name} reads {norms[0].reading}`"
    shown = readings_of(name)
    if isinstance(found, Unknown):
        finding = Finding("LX991", message, places, "unknown", found.reason, hint=hint)
        return Suspicion(finding, shown_by_fact=shown, only_by_play=True)
    witness = Witness(found.situation.facts, None, court.seats)
    finding = Finding("LX991", message, places, "possible", "the solver", witness, hint=hint)
    return Suspicion(finding, found, condition, None, shown)


def _number(norms: list[RuleNorm]) -> str:
    count = len({norm.reading for norm in norms})
    return {2: "two", 3: "three", 4: "four"}.get(count, str(count))


def _place(court: Court, norm: RuleNorm) -> Place:
    return court.place(norm, f"reading `{norm.reading}`")


def _differing(
    court: Court, name: str, norms: list[RuleNorm], readings: tuple[str, ...]
) -> tuple[Case | Unknown, Flag] | None:
    """A state in which two readings differ; None where they never do."""
    unknown: tuple[Unknown, Flag] | None = None
    for condition in _conditions(court, name, norms, readings):
        found = court.possible(("the readings differ", condition))
        if isinstance(found, Case):
            return found, condition
        if isinstance(found, Unknown):
            unknown = found, condition
        assert isinstance(found, Proved | Unknown)
    return unknown


def _conditions(court: Court, name: str, norms: list[RuleNorm], readings: tuple[str, ...]) -> Iterator[Flag]:
    encoder = court.encoder
    verbs = {p.verb.text for n in norms if isinstance(n.body, m.ModalNorm) for p in n.body.phrases}
    for verb in sorted(verbs):
        if verb in court.machine.actions and court.machine.by_of(verb) is not None:
            args = encoder.parts(verb)
            with encoder.apart() as troubles:
                encoder.weigh(verb, args)
            differ = _of_readings(troubles, name)
            yield both(differ, court.asked(verb, args, differ))
    targets = {id(court.checked.symbol_of(n.body.target)) for n in norms if isinstance(n.body, m.ValueNorm)}
    for symbol in court.values:
        if id(symbol) in targets:
            with encoder.apart() as troubles:
                encoder.value_of(
                    symbol, tuple(encoder.symbolic(("of", symbol.name, i), t) for i, t in enumerate(symbol.params))
                )
            yield _of_readings(troubles, name)
    yield from _of_events(court, norms, readings)
    yield from _of_endings(court, norms, readings)


def _of_readings(troubles: list[Trouble], name: str) -> Flag:
    return some(
        trouble.when
        for trouble in troubles
        if isinstance(trouble.about, tuple) and trouble.about[0] == "readings" and name in trouble.about[2]
    )


def _of_events(court: Court, norms: list[RuleNorm], readings: tuple[str, ...]) -> Iterator[Flag]:
    """One reading reacts where another does not, or does something else."""
    events = Events(court.encoder)
    reacting = [norm for norm in norms if isinstance(norm.body, m.EventNorm | m.IgnoreNorm)]
    keys = {key for key, known in court.machine.reactions.items() if any(norm in known for norm in reacting)}
    for key in sorted(keys, key=repr):
        for event in events.of_key(key):
            with court.encoder.apart():
                by_reading = {
                    reading: [a for n in reacting if n.reading == reading for a in events.reacting(n, event)]
                    for reading in readings
                }
            first, *others = (by_reading[reading] for reading in readings)
            for other in others:
                yield some(
                    [
                        *(both(a.when, no(some(b.when for b in other if _does_same(a.norm, b.norm)))) for a in first),
                        *(both(b.when, no(some(a.when for a in first if _does_same(a.norm, b.norm)))) for b in other),
                    ]
                )


def _does_same(one: RuleNorm, other: RuleNorm) -> bool:
    a, b = one.body, other.body
    if isinstance(a, m.EventNorm) and isinstance(b, m.EventNorm):
        return a.body == b.body and a.timing == b.timing
    return type(a) is type(b)


def _of_endings(court: Court, norms: list[RuleNorm], readings: tuple[str, ...]) -> Iterator[Flag]:
    """Who wins by the one reading and not by the other."""
    encoder = court.encoder
    endings = [norm for norm in norms if isinstance(norm.body, m.OutcomeNorm)]
    if not endings:
        return
    with encoder.apart():
        won = {reading: _won(court, [n for n in endings if n.reading == reading]) for reading in readings}
    first, *others = (won[reading] for reading in readings)
    for other in others:
        for who in {**first, **other}:
            a, b = first.get(who, False), other.get(who, False)
            yield either(both(a, no(b)), both(b, no(a)))


def _won(court: Court, norms: list[RuleNorm]) -> dict[object, Flag]:
    encoder = court.encoder
    found: dict[object, Flag] = {}
    for norm in norms:
        assert isinstance(norm.body, m.OutcomeNorm)
        player = norm.body.outcome.player
        for plain in court.machine.bindings(norm):
            envs = [plain] if player is None else court.machine.any_binding(player, plain)
            for env in envs:
                lifted = encoder.lifted(env)
                when = encoder.applies(norm, lifted)
                who = ("nobody",) if player is None else _who(court, player, lifted)
                key = (who, norm.body.outcome.result)
                found[key] = either(found.get(key, False), when)
    return found


def _who(court: Court, player: m.Ref, env: dict[str, Sym]) -> object:
    sym = court.encoder.value(player, env)
    return sym.payload if isinstance(sym.payload, int) else player.span.text


CHECK = Check("two readings", "reading", suspect)
