"""Values that are meant to be the same: what each is, for all that it can be asked of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rules import model as m
from rules.machine import Machine, Node
from rules.machine.norms import Gap, RuleNorm
from rules.machine.state import State
from rules.machine.world import Value
from rules.span import Span
from rules.symbols import ValueSymbol
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.saying import Saying, Subject
from solver.encode.sym import Sym, alike
from solver.play import Goal
from solver.terms import both, either, no, some
from solver.verdict import Proved
from verifier.court import Case, Court
from verifier.restating.apart import Apart
from verifier.restating.aspects import Difference, differences
from verifier.restating.normal import words_of
from verifier.restating.parts import args_in, extra_of, teller
from verifier.restating.shown import reads_of, said, spoken_of

_SILENT = "the book does not say"


def values_apart(court: Court, ours: m.Value, theirs: m.Value, part: bool) -> Iterator[Apart]:
    """With `part`, ours need not say what theirs does."""
    symbols = court.checked.symbol_of(ours.name), court.checked.symbol_of(theirs.name)
    assert isinstance(symbols[0], ValueSymbol)
    assert isinstance(symbols[1], ValueSymbol)
    spans = (ours.name.span, theirs.name.span)
    if symbols[0].params != symbols[1].params:
        yield Apart(Difference("kind", words_of(ours.name), words_of(theirs.name)), spans, proved_by="their headings")
        return
    encoder = court.encoder
    subject = Saying(encoder).of_value(symbols[1])
    with encoder.apart():
        parts = Saying(encoder).parts(subject)
        with encoder.apart() as mine:
            one = encoder.value_of(symbols[0], parts)
        with encoder.apart() as rest:
            other = encoder.value_of(symbols[1], parts)
        silent = some(t.when for t in mine if t.kind == "gap"), some(t.when for t in rest if t.kind == "gap")
        stopped = some(t.when for t in (*mine, *rest) if t.kind != "gap")
        apart = both(no(silent[0]), either(silent[1], no(alike(one, other))))
        differ = apart if part else either(apart, both(silent[0], no(silent[1])))
        found = court.possible(("differ", differ), ("answered", no(stopped)))
    if isinstance(found, Proved):
        return
    extra = extra_of(court, subject, args_in(court, subject, found)) if isinstance(found, Case) else ()
    difference, places = _cases_apart(court, ours, theirs)
    goal = _goal_of_values((symbols[0], symbols[1]), (ours, theirs), part)
    tell = teller(court, subject, parts, differ)
    yield Apart(difference, places or spans, theirs.name.text, found, extra, goal, tell=tell)


def _cases_apart(court: Court, ours: m.Value, theirs: m.Value) -> tuple[Difference, tuple[Span, Span] | None]:
    """The first case that is written otherwise; a case more or less is a list that differs."""
    machine = court.machine
    mine = [machine.case_norm(ours, place) for place in range(len(ours.cases))]
    rest = [machine.case_norm(theirs, place) for place in range(len(theirs.cases))]
    left = [n for n in mine if not any(not differences(n, o, machine) for o in rest)]
    missing = [n for n in rest if not any(not differences(o, n, machine) for o in mine)]
    if not left and not missing:
        return Difference("kind", ours.combine or "", theirs.combine or ""), None
    if len(left) != len(missing):
        one = words_of(left[0].body) if len(left) > len(missing) else ""
        other = "" if one else words_of(missing[0].body)
        place = left[0].body.span if one else ours.name.span, theirs.name.span if one else missing[0].body.span
        return Difference("list", one, other), place
    return differences(left[0], missing[0], machine)[0], (left[0].body.span, missing[0].body.span)


def _goal_of_values(symbols: tuple[ValueSymbol, ValueSymbol], nodes: tuple[m.Value, m.Value], part: bool) -> Goal:
    def asked(machine: Machine, symbol: ValueSymbol, args: tuple[Value, ...], state: State) -> Value:
        try:
            return machine.value_of(symbol, args, state)
        except Gap:
            return _SILENT

    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        domains = [machine.world.domain(type_) for type_ in symbols[0].params]
        said = ((asked(machine, symbols[0], args, state), args) for args in product(*domains))
        return any(
            one != asked(machine, symbols[1], args, state) for one, args in said if not (part and one == _SILENT)
        )

    reads = tuple(
        expr
        for node in nodes
        for case in node.cases
        for expr in (case.value, case.conditions.when, case.conditions.unless)
        if expr is not None
    )
    return Goal(holds, "decisions", reads)


def rule_of_value_apart(court: Court, ours: list[RuleNorm], value: m.Value) -> Iterator[Apart]:
    """A rule that says what a value is, against what the value itself says there: of defaults, its defaults."""
    symbol = court.checked.symbol_of(value.name)
    assert isinstance(symbol, ValueSymbol)
    saying = Saying(court.encoder)
    cases = [court.machine.case_norm(value, place) for place in range(len(value.cases))]
    for norm in ours:
        if not isinstance(norm.body, m.ValueNorm) or court.checked.symbol_of(norm.body.target) is not symbol:
            reason = f"it restates `{value.name.text}`, and does not say what that is"
            raise NotEncodable(reason, norm.body.span)
        rivals = [case for case in cases if _op(case) == norm.body.op]
        rivals = [case for case in rivals if case.manner == norm.manner] or rivals
        found = _rival_case(court, saying, saying.of_value(symbol), norm, rivals)
        if found is not None:
            yield found


def _op(norm: RuleNorm) -> str:
    assert isinstance(norm.body, m.Case)
    return norm.body.op


def _rival_case(court: Court, saying: Saying, subject: Subject, norm: RuleNorm, rivals: list[RuleNorm]) -> Apart | None:
    """A state in which the rule says what no applicable case of the value says."""
    encoder = court.encoder
    with encoder.apart() as troubles:
        parts = saying.parts(subject)
        mine = saying.of(norm, subject, parts)
        applying = [_case_at(court, case, parts) for case in rivals]
        answers = some(case.when for case in applying)
        agree = some(
            both(case.when, alike(encoder.case_value(a), encoder.case_value(case))) for a in mine for case in applying
        )
        speaks = some(a.when for a in mine)
        answered = no(some(t.when for t in troubles))
        found = court.possible(("says", speaks), ("spoken of", answers), ("differs", no(agree)), ("answered", answered))
    if isinstance(found, Proved):
        return None
    nearest = min(rivals, key=lambda case: len(differences(norm, case, court.machine)))
    texts = differences(norm, nearest, court.machine)
    told = next((d for d in texts if d.content), texts[0])
    extra = extra_of(court, subject, args_in(court, subject, found)) if isinstance(found, Case) else ()
    goal = _goal_of_cases(norm, rivals, subject)
    tell = teller(court, subject, parts, both(speaks, answers, no(agree)))
    return Apart(told, (norm.body.span, nearest.body.span), subject.words, found, extra, goal, tell=tell)


def _goal_of_cases(norm: RuleNorm, rivals: list[RuleNorm], subject: Subject) -> Goal:
    def holds(machine: Machine, state: State, _node: Node | None) -> bool:
        for args, _ in spoken_of(machine, subject, state):
            mine, theirs = (said(machine, side, subject, args, state) for side in ((norm,), rivals))
            if mine and theirs and not mine & theirs:
                return True
        return False

    return Goal(holds, "decisions", reads_of((norm, *rivals)))


def _case_at(court: Court, case: RuleNorm, parts: tuple[Sym, ...]) -> Applying:
    value = next(v for v in court.machine.values.values() if any(one is case.body for one in v.cases))
    env = {name.text: part for name, part in zip(value.variables, parts, strict=True)}
    return Applying(case, env, court.encoder.applies(case, env))
