"""Speed of the judge on contradictions: `python -m benchmarks.judge`.

Books of 100, 1,000 and 10,000 guarded rules, each allowing or forbidding one action under a random condition; half of
the pairs that meet are decided by the authority of their documents. For each size: all pairs of rules, those that speak
of one action from both sides, those that bounds do not keep apart; how the questions about these were decided; the time
for each, with its witness and what decides it; and the growth from the size before. Beside it, in the same run, bare Z3
with push and pop on the pairs of one action, yes or no only; the verdicts must agree. Then books whose actions have
many rules, and books whose conditions multiply, so that bounds do not suffice and Z3 is asked: of the questions that
were put to Z3, its share of their time, and their time beside bare Z3 on exactly these questions, yes or no only.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

from grammar.text import parse_text
from rules import model as m
from rules.check import CheckedRulebook, check_rules
from rules.span import Source
from solver.encode.judging import Applying
from solver.solve import Solver, Statistics
from solver.terms import Flag, Term, no, variables_of
from solver.verdict import Query, Verdict
from solver.z3_terms import Expressions
from verifier.checks.allowed_and_forbidden import suspect
from verifier.court import Court
from verifier.suspicion import Looked, Suspicion

_NUMBERS = ((0, 5), (0, 6), (0, 9), (0, 10), (0, 20), (1, 30))
_ENUMERATIONS = (3, 4, 5, 8)
_FLAGS = 6
_A_SUBJECT = 5  # rules that speak of one action
_BARE = 20_000  # of so many pairs at most bare Z3 is asked; its time is scaled


def book_text(rules: int, seed: int = 0, subject: int = _A_SUBJECT, hard: float = 0) -> str:
    """A book of guarded rules, so many to an action; a share of them is `hard`."""
    chooser = random.Random(seed)
    actions = max(1, rules // subject)
    lines = [
        'game "Guarded rules" played by Player',
        'documents\n    book "Rulebook"\n    card "Cards"',
        "precedence\n    authority card > book cites book 1\n    otherwise undecided",
        *(f"type Sort{i} is {', '.join(f'v{i}_{v}' for v in range(size))}" for i, size in enumerate(_ENUMERATIONS)),
        "kind Player 2",
        "let p be Player",
        "state",
        *(f"    number{i} {low}..{high}" for i, (low, high) in enumerate(_NUMBERS)),
        *(f"    sort{i} Sort{i} starts v{i}_0" for i in range(len(_ENUMERATIONS))),
        *(f"    flag{i} yes/no" for i in range(_FLAGS)),
        "play\n    repeat 9 times\n        each p\n            p takes up to 1 action",
        "procedure anything",  # whatever a guard asks for, play can come to
        *(f"    if number{i} < {high}\n        number{i} increases by 1" for i, (_, high) in enumerate(_NUMBERS)),
        *(
            f"    if number5 is {value + 2}\n        sort{i} becomes v{i}_{value}"
            for i, size in enumerate(_ENUMERATIONS)
            for value in range(size)
        ),
        *(f"    if number5 is {i + 2}\n        flag{i} becomes yes" for i in range(_FLAGS)),
        *(f"action act{i} by p\n    anything" for i in range(actions)),
    ]
    for rule in range(rules):
        word = "may" if chooser.random() < 0.5 else "cannot"
        document = chooser.choice(("book", "card"))
        lines.append(f"rule rule{rule} cites {document} {rule + 2}")
        guard = [*_guard(chooser), *([_hard_atom(chooser)] if chooser.random() < hard else [])]
        lines.append(f"    p {word} act{rule % actions} when {' and '.join(guard)}")
    return "\n".join(lines) + "\n"


def _guard(chooser: random.Random) -> Iterator[str]:
    """Two to five atoms; one guard in five has a disjunction, one in ten relates two numbers."""
    for _ in range(chooser.randint(2, 5)):
        yield _atom(chooser)
    if chooser.random() < 0.2:
        yield f"(({_atom(chooser)} and {_atom(chooser)}) or {_atom(chooser)})"
    if chooser.random() < 0.1:
        one, other = chooser.sample(range(len(_NUMBERS)), 2)
        yield f"number{one} {chooser.choice(('<=', '<', 'is'))} number{other}"


def _atom(chooser: random.Random) -> str:
    kind = chooser.random()
    if kind < 0.45:
        which = chooser.randrange(len(_NUMBERS))
        return f"number{which} {chooser.choice(('<=', '<', '>=', 'is'))} {chooser.randint(*_NUMBERS[which])}"
    if kind < 0.75:
        which = chooser.randrange(len(_ENUMERATIONS))
        negated = "" if chooser.random() < 0.7 else "not "
        return f"sort{which} is {negated}v{which}_{chooser.randrange(_ENUMERATIONS[which])}"
    return f"flag{chooser.randrange(_FLAGS)} is {chooser.choice(('yes', 'no'))}"


def _hard_atom(chooser: random.Random) -> str:
    """Products of numbers on both sides, which are to be nearly the same."""
    a, b, c, d = (f"number{which}" for which in chooser.sample(range(len(_NUMBERS)), 4))
    return f"{a} * {b} is {c} * {d} + {chooser.randint(1, 40)}"


def checked_book(text: str) -> CheckedRulebook:
    found = check_rules(m.Rulebook(parse_text(Source("made.rules", text)).declarations))
    if found.rulebook is None:
        raise SystemExit([d.message for d in found.diagnostics if d.is_error][:3])
    return found.rulebook


@dataclass(frozen=True, slots=True)
class Run:
    """One size: how many pairs there are, how they were decided, and the seconds of each part."""

    rules: int
    same_subject: int  # pairs of a rule that allows an action and one that forbids it
    met: int  # of those, pairs that bounds do not keep apart
    findings: int
    statistics: Statistics
    encoding: float
    pairing: float
    asking: float  # the rest of the check: stands, precedence, questions, witnesses, what decides
    bare: float
    bare_hard: float  # on the questions that were put to Z3

    @property
    def seconds(self) -> float:
        return self.encoding + self.pairing + self.asking


def run(rules: int, subject: int = _A_SUBJECT, hard: float = 0) -> Run:
    """The check as `ludex check` makes it, and its first steps by themselves."""
    checked = checked_book(book_text(rules, subject=subject, hard=hard))
    bare_z3([])  # loads it
    court = Court(checked)
    court.solver = noting = _Noting()
    gc.collect()
    began = process_time()
    found = sum(isinstance(remark, Suspicion) for remark in suspect(court, Looked()))
    whole = process_time() - began
    bare_hard = bare_z3(noting.hard)[1]
    court = Court(checked)
    gc.collect()
    began = process_time()
    applying = list(_applying(court))
    encoding = process_time() - began
    began = process_time()
    met = [pair for pairs in applying for pair in court.meeting(*pairs)]
    pairing = process_time() - began
    pairs = [(one.when, other.when) for allowing, against in applying for one in allowing for other in against]
    sample = random.Random(0).sample(pairs, min(_BARE, len(pairs)))
    verdicts, bare = bare_z3(sample)
    together = {(id(one.when), id(other.when)) for one, other in met}
    for (one, other), can_meet in zip(sample, verdicts, strict=True):
        if can_meet != ((id(one), id(other)) in together) and court.solver.possible(one, other) != can_meet:
            raise SystemExit("the verdicts differ")
    scaled = bare * len(pairs) / max(1, len(sample))
    asking = whole - encoding - pairing
    statistics = noting.statistics
    return Run(rules, len(pairs), len(met), found, statistics, encoding, pairing, asking, scaled, bare_hard)


class _Noting(Solver):
    """Notes the questions that were put to Z3."""

    def __init__(self) -> None:
        super().__init__()
        self.hard: list[tuple[Flag, ...]] = []

    def ask(self, query: Query, prefer: Mapping[Term, bool | int] | None = None) -> Verdict:
        calls = self.statistics.solver_calls
        found = super().ask(query, prefer)
        if self.statistics.solver_calls > calls:
            self.hard.append((*(term for _, term in query.given), no(query.claim)))
        return found

    def possible(self, *terms: Flag) -> bool | None:
        calls = self.statistics.solver_calls
        found = super().possible(*terms)
        if self.statistics.solver_calls > calls:
            self.hard.append(terms)
        return found


def _applying(court: Court) -> Iterator[tuple[list[Applying], list[Applying]]]:
    for verb in court.machine.actions:
        permits, _, prohibitions = court.machine.by_modal(verb)
        if permits and prohibitions:
            args = court.encoder.parts(verb)
            with court.encoder.apart():
                yield court.encoder.matching(permits, verb, args), court.encoder.matching(prohibitions, verb, args)


def bare_z3(pairs: Sequence[tuple[Flag, ...]]) -> tuple[list[bool], float]:
    """Whether the conditions of each can meet, by Z3 alone, and the seconds that it took."""
    began = process_time()
    expressions = Expressions()
    z3 = expressions.z3
    solver = z3.SimpleSolver(ctx=expressions.context)
    for variable in dict.fromkeys(v for pair in pairs for v in variables_of(*pair)):
        limits = expressions.limits_of(variable)
        if limits is not None:
            solver.add(limits)
    found: list[bool] = []
    for pair in pairs:
        solver.push()
        solver.add(*(expressions.flag(term) for term in pair if isinstance(term, Term)))
        found.append(bool(solver.check() == z3.sat))
        solver.pop()
    return found, process_time() - began


def told(name: str, found: Run, before: Run | None) -> str:
    asked = found.statistics
    ahead = found.encoding + found.pairing
    lines = [
        f"{name}: {found.rules * (found.rules - 1) // 2:,} pairs in all, {found.same_subject:,} of one action, "
        f"{found.met:,} that bounds do not keep apart, {found.findings:,} findings",
        f"    questions: {asked.folded:,} by folding, {asked.bounded:,} by bounds and alternatives, "
        f"{asked.solved:,} by Z3, {asked.unknown:,} open",
        f"    pairing {found.pairing / max(1, found.same_subject) * 1e6:.1f} us for each pair of one action, "
        f"{found.pairing / found.bare:.3f} of bare Z3; with the encoding {ahead / found.bare:.2f}",
        f"    the whole check {found.seconds:.2f} s, {found.seconds / max(1, found.met) * 1e6:.0f} us "
        f"for each pair that meets, {found.seconds / found.bare:.2f} of bare Z3 (yes or no)",
    ]
    if asked.solver_calls:
        lines.append(
            f"    Z3 took {asked.solver_seconds / asked.hard_seconds:.0%} of the time of the questions that were put "
            f"to it; with their witnesses and reasons these took {asked.hard_seconds / found.bare_hard:.2f} of bare Z3"
        )
    if before is not None:
        lines.append(
            f"    growth: {found.rules / before.rules:.0f} times the rules, "
            f"{found.met / before.met:.1f} times the pairs that meet, "
            f"{found.seconds / before.seconds:.1f} times the time"
        )
    return "\n".join(lines)


def main() -> None:
    before: Run | None = None
    for rules in (100, 1_000, 10_000):
        found = run(rules)
        print(told(f"{rules:,} rules, {_A_SUBJECT} to an action", found, before), flush=True)
        before = found
    before = None
    for subject in (25, 100):
        found = run(1_000, subject)
        print(told(f"1,000 rules, {subject} to an action", found, before), flush=True)
        before = found
    before = None
    for rules in (1_000, 4_000):
        found = run(rules, hard=0.5)
        print(told(f"{rules:,} rules, half of them hard", found, before), flush=True)
        before = found


if __name__ == "__main__":
    main()
