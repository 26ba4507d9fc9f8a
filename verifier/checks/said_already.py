"""LX995: a rule that another already says. Without it every move, value and outcome would be what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules import model as m
from rules.machine.norms import RuleNorm
from rules.symbols import ValueSymbol
from rules.walk import nodes_of
from solver.encode.expressions import NotEncodable
from solver.encode.judging import Applying
from solver.encode.saying import Saying, Subject
from solver.encode.sym import Sym, alike
from solver.terms import Flag, both, no, same, some
from solver.verdict import Proved
from verifier.court import Case, Court
from verifier.finding import Finding, Witness
from verifier.restating.parts import args_in, extra_of
from verifier.suspicion import Check, Looked, Remark


@dataclass(frozen=True, slots=True)
class _Said:
    """Another norm that says as much as one does about a subject, and a state in which both apply."""

    by: RuleNorm
    subject: Subject
    case: Case


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    bound = _named_elsewhere(court)
    search = _Search(court)
    for norm in _norms(court):
        if norm.clauses.restates or norm.reading is not None or norm.ruled or norm.name in bound:
            continue
        looked.things += 1
        try:
            found = search.said(norm)
        except NotEncodable as reason:
            court.cannot_encode(norm.name, reason)
            continue
        if found:
            yield _finding(court, norm, found)


def _norms(court: Court) -> Iterator[RuleNorm]:
    """All that say who may, must or cannot, what something is, who wins: whatever else happens twice counts twice."""
    machine = court.machine
    for norm in machine.norms:
        match norm.body:
            case m.ModalNorm() | m.OutcomeNorm() | m.ValueNorm(op="is"):
                yield norm
            case _:
                pass
    for value in machine.values.values():
        yield from (machine.case_norm(value, place) for place, case in enumerate(value.cases) if case.op == "is")


def _named_elsewhere(court: Court) -> frozenset[str]:
    """Rules that others switch off, leave out, restate or put in order: they matter by their name."""
    found: set[str] = set()
    for node in nodes_of(court.checked.book.declarations):
        match node:
            case m.Disable(rule=rule) | m.PolicyReads(rule=rule) | m.PolicyIfPossible(rule=rule):
                found.add(rule.text)
            case m.IgnoreNorm(what=m.Name(text=text)):
                found.add(text)
            case m.PolicyOver(winner=winner, loser=loser):
                found |= {winner.text, loser.text}
            case m.Clauses(restates=restates):
                found |= {name.text for name in restates}
            case _:
                pass
    return frozenset(found)


def _finding(court: Court, norm: RuleNorm, found: list[_Said]) -> Finding:
    others = list(dict.fromkeys(one.by for one in found))
    names = " and ".join(dict.fromkeys(f"`{other.name}`" for other in others))
    one = found[0]
    facts = (*one.case.situation.facts, *extra_of(court, one.subject, args_in(court, one.subject, one.case)))
    places = (court.place(norm, "says it again"), *(court.place(other, "says it already") for other in others))
    hint = f"leave it out; or, where another document says it once more, mark it `restates {others[0].name}`"
    return Finding(
        "LX995",
        f"`{norm.name}` says nothing that {names} does not say already",
        places,
        "proved",
        "the solver",
        Witness(facts, None, court.seats),
        (),
        hint,
    )


class _Search:
    def __init__(self, court: Court) -> None:
        self.court = court
        self.saying = Saying(court.encoder)

    def said(self, norm: RuleNorm) -> list[_Said]:
        """Who says what a norm says, for each thing that it speaks of; nobody where it alone says one of these."""
        found: list[_Said] = []
        for subject in self._subjects(norm):
            one = self._said_of(norm, subject)
            if one is None:
                return []
            found.append(one)
        return found

    def _subjects(self, norm: RuleNorm) -> list[Subject]:
        if isinstance(norm.body, m.Case):
            return [self.saying.of_value(self._value_of(norm.body))]
        return self.saying.subjects(norm)

    def _value_of(self, case: m.Case) -> ValueSymbol:
        node = next(v for v in self.court.machine.values.values() if any(one is case for one in v.cases))
        symbol = self.court.checked.symbol_of(node.name)
        assert isinstance(symbol, ValueSymbol)
        return symbol

    def _said_of(self, norm: RuleNorm, subject: Subject) -> _Said | None:
        rivals = [other for other in self._rivals(norm, subject) if _says_as_much(norm, other)]
        if not rivals:
            return None
        encoder = self.court.encoder
        with encoder.apart():
            parts = self.saying.parts(subject)
            mine = self._applying(norm, subject, parts)
            when = some(one.when for one in mine)
            if when is False:
                return None
            for other in rivals:
                theirs = self._applying(other, subject, parts)
                covered = _covered(self.saying, mine, theirs)
                if both(when, covered) is False or not self._never(subject, parts, both(when, no(covered))):
                    continue
                back = _covered(self.saying, theirs, mine)
                alike_ = self._never(subject, parts, both(some(one.when for one in theirs), no(back)))
                if alike_ and not _comes_later(norm, other):
                    continue
                case = self._possible(subject, parts, when)
                if isinstance(case, Case) and self._same_without(norm, subject, parts):
                    return _Said(other, subject, case)
        return None

    def _rivals(self, norm: RuleNorm, subject: Subject) -> Iterator[RuleNorm]:
        """The other norms on the same subject."""
        machine = self.court.machine
        match subject.sort:
            case "move":
                others: Sequence[RuleNorm] = machine.modals[subject.words]
            case "outcome":
                others = [other for other in machine.endings if subject in self.saying.subjects(other)]
            case _:
                symbol = next(s for s in self._values() if id(s) == subject.key)
                node = machine.values[symbol.span]
                cases = [machine.case_norm(node, place) for place in range(len(node.cases))]
                others = [*cases, *machine.value_norms.get(id(symbol), ())]
        yield from (other for other in others if other.key != norm.key)

    def _values(self) -> Iterator[ValueSymbol]:
        for node in self.court.machine.values.values():
            symbol = self.court.checked.symbol_of(node.name)
            assert isinstance(symbol, ValueSymbol)
            yield symbol

    def _applying(self, norm: RuleNorm, subject: Subject, parts: tuple[Sym, ...]) -> list[Applying]:
        if isinstance(norm.body, m.Case):
            value = next(v for v in self.court.machine.values.values() if any(one is norm.body for one in v.cases))
            env = {name.text: part for name, part in zip(value.variables, parts, strict=True)}
            return [Applying(norm, env, self.court.encoder.applies(norm, env))]
        return self.saying.of(norm, subject, parts)

    # ---- asking

    def _given(self, subject: Subject, parts: tuple[Sym, ...], term: Flag) -> tuple[tuple[str, Flag], ...]:
        if subject.sort == "move" and self.court.machine.by_of(subject.words) is not None:
            return (("asked", self.court.asked(subject.words, parts, term)),)
        return ()

    def _never(self, subject: Subject, parts: tuple[Sym, ...], term: Flag) -> bool:
        return term is False or isinstance(self._possible(subject, parts, term), Proved)

    def _possible(self, subject: Subject, parts: tuple[Sym, ...], term: Flag) -> object:
        return self.court.possible(("holds", term), *self._given(subject, parts, term))

    def _same_without(self, norm: RuleNorm, subject: Subject, parts: tuple[Sym, ...]) -> bool:
        """Whether every verdict on the subject is the same without the norm: what stands above others may matter."""
        match subject.sort:
            case "move":
                differ = self._moves_differ(norm, subject.words, parts)
            case "outcome":
                differ = self._could_be_opposed(norm, subject, parts)
            case _:
                differ = self._values_differ(norm, subject, parts)
        return self._never(subject, parts, differ)

    def _moves_differ(self, norm: RuleNorm, verb: str, parts: tuple[Sym, ...]) -> Flag:
        encoder = self.court.encoder
        found = encoder.weigh(verb, parts)
        with encoder.leaving_out(norm):
            without = encoder.weigh(verb, parts)
        return no(
            both(same(found.legal, without.legal), same(found.clash, without.clash), same(found.must, without.must))
        )

    def _could_be_opposed(self, norm: RuleNorm, subject: Subject, parts: tuple[Sym, ...]) -> Flag:
        """Who wins can hang on which rule says so only where another says something else."""
        when = some(one.when for one in self.saying.of(norm, subject, parts))
        assert isinstance(norm.body, m.OutcomeNorm)
        opposed: list[Flag] = []
        for other in self.court.machine.endings:
            assert isinstance(other.body, m.OutcomeNorm)
            outcome, mine = other.body.outcome, norm.body.outcome
            if (outcome.player is None) != (mine.player is None):
                (other_subject,) = self.saying.subjects(other)
                opposed += [a.when for a in self.saying.of(other, other_subject, self.saying.parts(other_subject))]
            elif outcome.result != mine.result:
                opposed += [a.when for a in self.saying.of(other, subject, parts)]
        return both(when, some(opposed))

    def _values_differ(self, norm: RuleNorm, subject: Subject, parts: tuple[Sym, ...]) -> Flag:
        symbol = next(s for s in self._values() if id(s) == subject.key)
        encoder = self.court.encoder
        with encoder.apart() as troubles:
            value = encoder.value_of(symbol, parts)
        with encoder.leaving_out(norm), encoder.apart() as others:
            without = encoder.value_of(symbol, parts)
        kinds = ("gap", "undetermined", "broken")
        stops = [
            no(same(some(t.when for t in troubles if t.kind == kind), some(t.when for t in others if t.kind == kind)))
            for kind in kinds
        ]
        stopped = some(t.when for t in troubles)
        return some((*stops, both(no(stopped), no(alike(value, without)))))


def _says_as_much(norm: RuleNorm, other: RuleNorm) -> bool:
    """Whether another norm can stand for this one by its form: the same kind, of the book itself, and read one way."""
    if other.clauses.restates or other.reading is not None or other.manner != norm.manner:
        return False
    match norm.body, other.body:
        case m.ModalNorm() as a, m.ModalNorm() as b:
            if a.modal != b.modal or a.if_possible != b.if_possible:
                return False
            return a.modal != "must" or (len(a.phrases) == len(b.phrases) == 1)
        case m.OutcomeNorm() as a, m.OutcomeNorm() as b:
            return a.outcome.result == b.outcome.result
        case (m.ValueNorm() | m.Case()) as a, (m.ValueNorm() | m.Case()) as b:
            return a.op == b.op
        case _:
            return False


def _covered(saying: Saying, ours: list[Applying], theirs: list[Applying]) -> Flag:
    """When one of theirs applies and, where they say what something is, says what ours does."""
    found: list[Flag] = []
    for other in theirs:
        content = saying.content(other)
        if content is None:
            found.append(other.when)
            continue
        for one in ours:
            value = saying.content(one)
            found.append(both(other.when, one.when, alike(content, value)) if value is not None else False)
    return some(found)


def _comes_later(norm: RuleNorm, other: RuleNorm) -> bool:
    """Of two that say the same, the later one is told; cases of a value go before rules about it."""
    return _place(norm) > _place(other)


def _place(norm: RuleNorm) -> tuple[bool, int]:
    return not isinstance(norm.body, m.Case), norm.order


CHECK = Check("said already", "redundant", suspect)
