"""LX934: something that the book lets happen and that nothing takes up.

A moment without lines that no rule hangs on, an action that does nothing and that no rule hears of, a roll or a choice
whose outcome nobody asks for, a mark that is set and never looked at. `nothing` as a line says that nothing is meant to
follow, and so is no finding. What reads it counts wherever it stands, in claims too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rules import model as m
from rules.check import CheckedRulebook
from rules.symbols import SlotSymbol
from rules.types import KindT, without_none
from rules.walk import nodes_of
from verifier.bookmap import bookmap
from verifier.court import Court, cited
from verifier.finding import Finding, Place
from verifier.suspicion import Check, Looked, Remark

_SHOWN_BY = "the text of the book"


def suspect(court: Court, looked: Looked) -> Iterator[Remark]:
    for look in (_moments, _actions, _outcomes, _marks):
        for finding in look(court):
            looked.things += 1
            if finding is not None:
                yield finding


# ---- what the book speaks of


@dataclass(frozen=True, slots=True)
class _Spoken:
    """`moments` are named by conditions, events, frequencies and actions; `verbs` by events.

    `read` are the symbols of state that something asks for, `written` what changes each of them first.
    """

    moments: frozenset[str]
    verbs: frozenset[str]
    read: frozenset[int]
    written: dict[int, m.Ref]


@lru_cache(maxsize=4)
def _spoken(court: Court) -> _Spoken:
    checked = court.checked
    moments: set[str] = set()
    verbs: set[str] = set()
    read: set[int] = set()
    written: dict[int, m.Ref] = {}
    targets: set[int] = set()
    for node in nodes_of(checked.book.declarations):
        match node:
            case m.Becomes(target=target) | m.Shift(target=target):
                targets.add(id(target))
                written.setdefault(id(checked.symbol_of(target)), target)
            case m.Slot(name=name):
                targets |= {id(node), id(name)}
            case m.MomentEvent(moment=moment):
                moments.add(moment.name.text)
            case (
                m.During(moment=name)
                | m.Happened(moment=name)
                | m.TimesHappened(moment=name)
                | m.Frequency(moment=name)
                | m.End(moment=name)
                | m.After(moment=name)
                | m.AtMoment(moment=name)
            ):
                moments.add(name.text)
            case m.Action(during=during):
                moments |= {name.text for name in during}
            case m.PhraseEvent(phrase=phrase):
                verbs.add(phrase.verb.text)
            case _:
                pass
        symbol = checked.symbols.get(id(node))
        if isinstance(symbol, SlotSymbol) and id(node) not in targets:
            read.add(id(symbol))
    return _Spoken(frozenset(moments), frozenset(verbs), frozenset(read), written)


# ---- moments


def _moments(court: Court) -> Iterator[Finding | None]:
    spoken = _spoken(court)
    for item in bookmap(court.checked).items.values():
        match item.node:
            case m.Phase(word=word, name=name, body=body, clauses=clauses):
                if body or name.text in spoken.moments:
                    yield None
                    continue
                place = Place(name.text, item.node.span, cited(clauses), "has no lines")
                message = f"nothing is done in the {word} `{name.text}`: it has no lines, and no rule hangs on it"
                yield _finding(message, place, f"say what is done in it, or write `nothing`, or leave the {word} out")
            case m.Simple(body=m.Window(name=name), clauses=clauses):
                if name.text in spoken.moments or _is_used(court, name.text):
                    yield None
                    continue
                place = Place(name.text, item.node.span, cited(clauses), "is opened")
                message = f"nobody can do anything in the window `{name.text}`: no action can be chosen during it"
                yield _finding(message, place, f"declare an action `during {name.text}`, or leave the window out")
            case _:
                pass


def _is_used(court: Court, window: str) -> bool:
    """Whether some action can be offered while it is open, or it is never opened: that is told elsewhere."""
    sites = [s for s in court.sites.sites if s.context.running and s.context.running[-1].name == window]
    return not sites or any(site in sites for verb in court.machine.actions for site in court.sites.of_verb(verb))


# ---- actions


def _actions(court: Court) -> Iterator[Finding | None]:
    """One without parts may be there to pass; one whose parts are chosen for nothing has lost its lines."""
    spoken = _spoken(court)
    for declaration in court.machine.actions.values():
        verb = declaration.signature.verb
        parts = any(param.label != "by" for param in declaration.signature.params)
        if declaration.body or not parts or verb.text in spoken.verbs | spoken.moments:
            yield None
            continue
        place = Place(verb.text, verb.span, cited(declaration.clauses), "has no lines")
        message = f"the action `{verb.text}` does nothing: it has no lines, and no rule says what follows from it"
        hint = f"say what it does, or write `nothing`, or add a rule with `when {verb.text} ...`"
        yield _finding(message, place, hint)


# ---- rolls and choices


def _outcomes(court: Court) -> Iterator[Finding | None]:
    items = bookmap(court.checked).items.values()
    read: dict[str, set[str]] = {}
    for owner, names in _names_read(court.checked):
        read.setdefault(owner, set()).update(names)
    shared = {
        variable.text
        for declaration in court.checked.book.declarations
        if isinstance(declaration, m.Table)
        for variable in declaration.variables
    }
    for item in items:
        match item.node:
            case m.Simple(body=m.Roll(die=die, variable=variable, table=None), clauses=clauses):
                what, words = f"the roll of `{die.text}`", "no rule says what follows from"
            case m.Simple(body=m.Chooses(variable=variable), clauses=clauses):
                what, words = f"the choice of `{variable.text}`", "nothing asks for"
            case _:
                continue
        if variable is not None and (variable.text in read.get(item.owner, ()) or variable.text in shared):
            yield None
            continue
        place = Place(item.owner, item.node.span, cited(clauses), "has no consequence")
        asked = "what comes up" if isinstance(item.node.body, m.Roll) else "what is chosen"
        hint = "use it in a line below, or leave it out"
        yield _finding(f"{what} in `{item.owner}` has no consequence: {words} {asked}", place, hint)


def _names_read(checked: CheckedRulebook) -> Iterator[tuple[str, set[str]]]:
    """The variables that each part of the book reads, by the name of the part; where they are given a value is none."""
    for declaration in checked.book.declarations:
        match declaration:
            case m.Play():
                yield "play", _read_in(declaration)
            case m.Action(signature=signature, body=body) | m.Procedure(signature=signature, body=body):
                yield signature.verb.text, _read_in(body)
            case m.Table(name=name) | m.Rule(name=name):
                yield name.text, _read_in(declaration)
            case m.Story():
                for passage in declaration.passages():
                    yield passage.name.text, _read_in((passage.body, passage.options))
            case _:
                pass


def _read_in(part: object) -> set[str]:
    """That what may be chosen is asked of the variable itself is no use of what was chosen."""
    found: set[str] = set()
    passed: set[int] = set()
    for node in nodes_of(part):
        match node:
            case m.Ref(name=name) if id(node) not in passed:
                found.add(name.text)
            case m.Window(variable=m.Name(text=text)):  # one that stands for somebody means that one
                found.add(text)
            case m.Chooses(variable=variable, where=where):
                inside = [one for one in nodes_of(where) if isinstance(one, m.Ref)] if where is not None else []
                passed |= {id(one) for one in inside if one.name.text == variable.text}
            case _:
                pass
    return found


# ---- marks


def _marks(court: Court) -> Iterator[Finding | None]:
    spoken = _spoken(court)
    players = KindT(court.checked.players or "")
    for slot in court.machine.world.slots.values():
        symbol = slot.symbol
        if symbol.role not in ("state", "attribute") or id(symbol) not in spoken.written:
            continue
        decides = without_none(symbol.type) == players and len(symbol.params) == 1  # who acts for a thing
        if id(symbol) in spoken.read or decides:
            yield None
            continue
        change = spoken.written[id(symbol)]
        places = (
            Place(symbol.name, slot.node.span, cited(slot.node.clauses), "is never asked for"),
            Place(symbol.name, change.span, (), "is changed"),
        )
        message = f"`{symbol.name}` is changed, and no rule ever asks for it"
        yield Finding(
            "LX934",
            message,
            places,
            "proved",
            _SHOWN_BY,
            hint="add the rule that should ask for it, or leave it out",
        )


def _finding(message: str, place: Place, hint: str) -> Finding:
    return Finding("LX934", message, (place,), "proved", _SHOWN_BY, hint=hint)


CHECK = Check("happenings that nothing takes up", "gap", suspect, for_all=True)
