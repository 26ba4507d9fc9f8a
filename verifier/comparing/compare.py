"""Comparing: two checked rulebooks, or two documents of one, in; a `Comparison` out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from rules import model as m
from rules.check import CheckedRulebook
from rules.symbols import TableSymbol, ValueSymbol
from solver.encode.expressions import NotEncodable
from solver.play import Budget
from solver.terms import Pool
from solver.verdict import Unknown
from verifier.comparing.amounts import endings_apart, values_apart
from verifier.comparing.comparison import Comparison, Different, Only
from verifier.comparing.moves import moves_apart
from verifier.comparing.sides import Pair, Side, of_document, verbs
from verifier.comparing.texts import passages_apart, reactions_apart, tables_apart, text_apart, things_apart
from verifier.court import Court
from verifier.finding import Finding
from verifier.hearing import judge

_BUDGET = Budget(work=150_000, guided=10_000, states=30_000, plays=200, edges=50_000)
Found = Iterable[Different | Unknown]


def compare_books(
    one: CheckedRulebook,
    other: CheckedRulebook,
    names: tuple[str, str],
    players: int | None = None,
    findings: bool = False,
    budget: Budget | None = None,
) -> Comparison:
    """What is said otherwise in two books; with `findings`, also what the judge finds in the one book alone.

    Raises `ValueError` for a number of players that one of them is not for.
    """
    with Pool():
        return _compared(one, other, names, players, budget or _BUDGET if findings else None)


def _compared(
    one: CheckedRulebook, other: CheckedRulebook, names: tuple[str, str], players: int | None, budget: Budget | None
) -> Comparison:
    """With a budget, also what the judge finds."""
    courts = Court(one, players), Court(other, players)
    if courts[0].seats != courts[1].seats:
        least = f"{names[0]} is for {courts[0].seats} players at least and {names[1]} for {courts[1].seats}"
        raise ValueError(f"{least}: say how many play")
    pair = Pair(Side(names[0], courts[0]), Side(names[1], courts[1]))
    work = _Work(pair, tuple(_only(one, other)))
    work.all()
    settled: tuple[Finding, ...] | None = None
    appeared: tuple[Finding, ...] | None = None
    if budget is not None:
        settled, appeared = _findings(one, other, players, budget)
    return work.comparison(settled, appeared)


def compare_documents(checked: CheckedRulebook, one: str, other: str, players: int | None = None) -> Comparison:
    """What two documents of one book say otherwise; what only one of them speaks of is listed, and not compared."""
    with Pool():
        court = Court(checked, players)
        pair = Pair(of_document(court, one, one), of_document(court, other, other))
        work = _Work(pair, tuple(_spoken_alone(pair)))
        work.said()
        return work.comparison(None, None)


class _Work:
    def __init__(self, pair: Pair, only: tuple[Only, ...]) -> None:
        self.pair = pair
        self.only = only
        self.different: list[Different] = []
        self.counts: dict[str, int] = {}
        self.not_compared: dict[str, str] = {}

    def comparison(self, settled: tuple[Finding, ...] | None, appeared: tuple[Finding, ...] | None) -> Comparison:
        return Comparison(
            self.pair.one.name,
            self.pair.other.name,
            self.pair.other.court.seats,
            tuple(self.different),
            self.only,
            tuple(self.counts.items()),
            tuple(self.not_compared.items()),
            settled,
            appeared,
        )

    def all(self) -> None:
        self.moves(dict.fromkeys(verbs(self.pair.one)), verbs(self.pair.other))
        self.values()
        self.endings()
        self.tables()
        self.texts()

    def said(self) -> None:
        """Of two documents of one book: what both speak of."""
        spoken = [_verbs_of(side) for side in (self.pair.one, self.pair.other)]
        self.moves({verb: None for verb in spoken[0] if verb in spoken[1]}, spoken[1])
        self.values()
        if all(any(isinstance(n.body, m.OutcomeNorm) for n in s.norms()) for s in (self.pair.one, self.pair.other)):
            self.endings()

    # ---- by sort

    def moves(self, ours: Iterable[str], theirs: Iterable[str]) -> None:
        known = set(theirs)
        for verb in ours:
            if verb not in known:
                continue
            types = [side.court.machine.verbs[verb] for side in (self.pair.one, self.pair.other)]
            labels = [tuple(param.label for param in symbol.params) for symbol in types]
            if labels[0] != labels[1] or not self.pair.same_types(types[0].types, types[1].types):
                self.not_compared[verb] = "its parts are others in the two"
                continue
            self._add("move", verb, moves_apart(self.pair, verb))

    def values(self) -> None:
        symbols = [_symbols(side.court, ValueSymbol) for side in (self.pair.one, self.pair.other)]
        for name in symbols[0]:
            if name in symbols[1]:
                a, b = symbols[0][name], symbols[1][name]
                if not self.pair.same_types(a.params, b.params):
                    self.not_compared[name] = "it is asked of other things in the two"
                elif not self._silent(a):
                    self._add("value", name, values_apart(self.pair, name, (a, b)))

    def _silent(self, symbol: ValueSymbol) -> bool:
        """Whether one of two documents says nothing of a value at all."""
        for side in (self.pair.one, self.pair.other):
            if side.left_out:
                gone = {norm.key for norm in side.left_out}
                machine = side.court.machine
                node = machine.values[symbol.span]
                cases = [machine.case_norm(node, place) for place in range(len(node.cases))]
                said = [n for n in (*cases, *machine.value_norms.get(id(symbol), ())) if n.key not in gone]
                if not said:
                    return True
        return False

    def endings(self) -> None:
        self._add("outcome", "outcome", endings_apart(self.pair))

    def tables(self) -> None:
        symbols = [_symbols(side.court, TableSymbol) for side in (self.pair.one, self.pair.other)]
        for name in symbols[0]:
            if name in symbols[1]:
                if self.pair.same_types(symbols[0][name].params, symbols[1][name].params):
                    self._add("table", name, tables_apart(self.pair, name))
                else:
                    self.not_compared[name] = "its keys are others in the two"

    def texts(self) -> None:
        """What is compared by its text alone: the lines of ranks, the steps of actions, procedures and play."""
        self._add("trigger", "triggers", reactions_apart(self.pair))
        for sort, name, one, other, parts in _texts(self.pair):
            self._add(sort, name, text_apart(self.pair, sort, name, (one, other), parts))
        sides = [_by_name(side.court.checked) for side in (self.pair.one, self.pair.other)]
        for key, node in sides[0].items():
            if key in sides[1] and key[0] in ("kind", "type", "state"):
                self._add("state", key[1], things_apart(self.pair, key[1], node, sides[1][key]))
            if key in sides[1] and key[0] == "passage":
                self._add("passage", key[1], passages_apart(self.pair, key[1], (node, sides[1][key])))

    def _add(self, sort: str, name: str, found: Found) -> None:
        self.counts[sort] = self.counts.get(sort, 0) + 1
        try:
            for one in found:
                if isinstance(one, Unknown):
                    self.not_compared[name] = one.reason
                else:
                    self.different.append(one)
        except NotEncodable as reason:
            self.not_compared[name] = reason.reason


def _verbs_of(side: Side) -> dict[str, None]:
    return {
        phrase.verb.text: None
        for norm in side.norms()
        if isinstance(norm.body, m.ModalNorm)
        for phrase in norm.body.phrases
        if side.court.machine.by_of(phrase.verb.text) is not None
    }


def _symbols(court: Court, wanted: type[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for declaration in court.checked.book.declarations:
        if isinstance(declaration, m.Value | m.Table):
            symbol = court.checked.symbol_of(declaration.name)
            if isinstance(symbol, wanted):
                found[declaration.name.text] = symbol
    return found


def _texts(pair: Pair) -> Iterator[tuple[str, str, Any, Any, tuple[Any, Any]]]:
    sides = [_by_name(side.court.checked) for side in (pair.one, pair.other)]
    for key, one in sides[0].items():
        other = sides[1].get(key)
        match one, other:
            case m.Rank(), m.Rank():
                yield "rank", key[1], one, other, ((one.where, *one.lines), (other.where, *other.lines))
            case ((m.Action() | m.Procedure()), (m.Action() | m.Procedure())):
                yield "action", key[1], one, other, (one.body, other.body)
            case m.Play(), m.Play():
                yield "action", "play", one, other, (one.body, other.body)
            case _:
                pass


_WORDS: dict[type, str] = {
    m.Kind: "kind",
    m.TypeDecl: "type",
    m.Action: "action",
    m.Procedure: "procedure",
    m.Value: "value",
    m.Table: "table",
    m.Rank: "rank",
    m.Rule: "rule",
    m.Play: "play",
    m.Policy: "ruling",
}


def _by_name(checked: CheckedRulebook) -> dict[tuple[str, str], Any]:
    found: dict[tuple[str, str], Any] = {}
    for declaration in checked.book.declarations:
        word = _WORDS.get(type(declaration))
        if word is not None:
            found[word, _name(declaration)] = declaration
        if isinstance(declaration, m.Story):
            found |= {("passage", passage.name.text): passage for passage in declaration.passages()}
        slots = getattr(declaration, "slots", getattr(declaration, "lines", ()))
        for slot in slots if isinstance(declaration, m.State | m.Piles | m.Pool | m.Kind) else ():
            if isinstance(slot, m.Slot):
                found["state", slot.name.text] = slot
    return found


def _name(node: Any) -> str:
    if isinstance(node, m.Play):
        return "play"
    return str(node.signature.verb.text if isinstance(node, m.Action | m.Procedure) else node.name.text)


def _only(one: CheckedRulebook, other: CheckedRulebook) -> Iterator[Only]:
    names = _by_name(one), _by_name(other)
    for place, side in enumerate(("one", "other")):
        where: Literal["one", "other"] = "one" if side == "one" else "other"
        yield from (Only(word, name, where) for word, name in names[place] if (word, name) not in names[1 - place])


def _spoken_alone(pair: Pair) -> Iterator[Only]:
    """Actions of which only one of two documents speaks."""
    spoken = _verbs_of(pair.one), _verbs_of(pair.other)
    yield from (Only("action", verb, "one") for verb in spoken[0] if verb not in spoken[1])
    yield from (Only("action", verb, "other") for verb in spoken[1] if verb not in spoken[0])


def _findings(
    one: CheckedRulebook, other: CheckedRulebook, players: int | None, budget: Budget
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """What the judge finds in the one and no more in the other, and the other way round."""
    before, after = (judge(book, players, budget=budget).findings for book in (one, other))
    known, left = {f.fingerprint for f in before}, {f.fingerprint for f in after}
    return tuple(f for f in before if f.fingerprint not in left), tuple(f for f in after if f.fingerprint not in known)
