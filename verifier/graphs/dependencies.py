"""What hangs on what: which rules, values, tables, ranks, actions and procedures read or change which state, and which
events trigger them.

In: a `CheckedRulebook`. Out: a `Drawing` whose arrows point the way that influence goes: from state to what reads it,
from what changes it to state, from an event to the rule that it triggers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, assert_never

from rules import model as m
from rules.check import CheckedRulebook
from rules.symbols import RankSymbol, SlotSymbol, TableSymbol, ValueSymbol
from rules.types import describe
from rules.walk import nodes_of
from verifier.graphs.drawing import Drawing, Edge, Line, Node, NodeKind, Tone
from verifier.graphs.owners import Owner, owners_of
from verifier.graphs.wording import counted, cut

Verb = Literal[
    "reads", "changes", "triggers", "uses", "allows", "demands", "forbids", "sets", "limits", "ignores", "disables",
    "calls", "offers", "decides", "ends", "asks about",
]  # fmt: skip
_LINES: dict[Verb, tuple[Line, Tone]] = {
    "reads": ("solid", "quiet"),
    "uses": ("solid", "quiet"),
    "asks about": ("dotted", "quiet"),
    "changes": ("solid", "plain"),
    "sets": ("solid", "plain"),
    "limits": ("solid", "bad"),
    "triggers": ("dashed", "plain"),
    "calls": ("dotted", "plain"),
    "offers": ("dotted", "plain"),
    "allows": ("solid", "good"),
    "demands": ("solid", "good"),
    "forbids": ("solid", "bad"),
    "ignores": ("dashed", "bad"),
    "disables": ("dashed", "bad"),
    "ends": ("dashed", "bad"),
    "decides": ("solid", "plain"),
}
_MODALS: dict[m.Modal, Verb] = {"may": "allows", "must": "demands", "cannot": "forbids"}
_END = "the end of the game"


def rules_drawing(checked: CheckedRulebook) -> Drawing:
    return _Dependencies(checked).drawing()


@dataclass(slots=True)
class _Dependencies:
    checked: CheckedRulebook
    owners: tuple[Owner, ...] = ()
    owner_of: dict[int, str] = field(default_factory=dict)  # by what declares it
    verb_of: dict[str, str] = field(default_factory=dict)  # actions and procedures by name
    rule_of: dict[str, str] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    found: dict[tuple[str, str], dict[Verb, None]] = field(default_factory=dict)

    def drawing(self) -> Drawing:
        self.owners = owners_of(self.checked)
        for owner in self.owners:
            self.owner_of[id(owner.node)] = owner.id
            if owner.kind in ("action", "procedure"):
                self.verb_of[owner.name] = owner.id
            self.rule_of.setdefault(owner.name, owner.id)
            self._add(owner.id, owner.kind, owner.name, owner.fold, owner.hint)
        for owner in self.owners:
            self._owner(owner)
        for declaration in self.checked.book.declarations:
            if isinstance(declaration, m.Play):
                self._add("play", "play", "play", "play", "play")
                self._walk("play", declaration.body)
            elif isinstance(declaration, m.Story):
                name = f"story {declaration.name}"
                self._add(name, "play", declaration.name.text, "play", name)
                self._walk(name, declaration.items)
        edges = tuple(self._edges())
        return Drawing("rules", "Rules and what they hang on", tuple(self.nodes.values()), edges, (), self._notes())

    def _notes(self) -> tuple[str, ...]:
        states = sum(node.kind == "state" for node in self.nodes.values())
        return (
            f"{counted(len(self.owners), 'declaration')}, {counted(states, 'piece')} of state; "
            "arrows point the way that influence goes",
            "green allows or demands, red forbids, limits or breaks off, dashed is triggered, dotted is carried out",
        )

    def _add(self, id: str, kind: NodeKind, name: str, fold: str, hint: str) -> str:
        if id not in self.nodes:
            self.nodes[id] = Node(id, kind, name, (cut(name, 32),), None, fold, hint)
        return id

    def _link(self, source: str, target: str, verb: Verb) -> None:
        self.found.setdefault((source, target), {})[verb] = None

    def _edges(self) -> Iterator[Edge]:
        for (source, target), verbs in self.found.items():
            names = self.nodes[source].name, self.nodes[target].name
            back = self.found.get((target, source), {})
            if self.nodes[source].kind == "state" and "changes" in back and set(verbs) == {"reads"}:
                continue  # told by the arrow with two heads
            both = self.nodes[target].kind == "state" and "changes" in verbs and set(back) == {"reads"}
            line, tone = _LINES[next(iter(verbs))]
            reads = {"reads", "uses", "triggers", "asks about"} >= set(verbs)
            said = f"{names[1]} {_said(verbs, target)} {names[0]}" if reads else f"{names[0]} {_said(verbs)} {names[1]}"
            hint = f"{said}, and reads it" if both else said
            yield Edge(source, target, "", hint, line, tone, both)

    # ---- declarations

    def _owner(self, owner: Owner) -> None:
        match owner.node:
            case m.Rule() as rule:
                for norm in rule.all_norms():
                    self._norm(owner.id, norm.body)
            case m.Value(cases=cases):
                self._walk(owner.id, cases)
            case m.Table(rows=rows):
                self._walk(owner.id, rows)
            case m.Rank(where=where, lines=lines):
                self._walk(owner.id, (where, lines))
            case m.Action(body=body) | m.Procedure(body=body):
                self._walk(owner.id, body)
            case _:
                assert_never(owner.node)

    def _norm(self, owner: str, body: m.NormBody) -> None:
        match body:
            case m.ModalNorm(modal=modal, phrases=phrases, conditions=conditions):
                for phrase in phrases:
                    self._link(owner, self.verb_of[phrase.verb.text], _MODALS[modal])
                self._walk(owner, (phrases, conditions))
            case m.EventNorm(timing=timing, event=event, condition=condition, body=block):
                self._link(self._event(event), owner, "triggers")
                if timing == "instead of":
                    self._link(owner, self._event(event), "ignores")
                self._walk(owner, (condition, block))
            case m.IgnoreNorm(what=what, condition=condition):
                target = self.rule_of[what.text] if isinstance(what, m.Name) else self._event(what)
                self._link(owner, target, "ignores")
                self._walk(owner, condition)
            case m.ValueNorm(target=target_, value=value, conditions=conditions):
                known = self._read(target_)
                if known is not None:
                    self._link(owner, known, "sets")
                self._walk(owner, (target_.args, value, conditions))
            case m.LimitNorm(what=what_, most=most, conditions=conditions):
                for part in nodes_of(what_):
                    known = self._read(part)
                    if known is not None:
                        self._link(owner, known, "limits")
                self._walk(owner, (most, conditions))
            case m.OutcomeNorm(conditions=conditions):
                self._link(owner, self._add(_END, "end", _END, _END, _END), "decides")
                self._walk(owner, conditions)
            case _:
                assert_never(body)

    # ---- what stands in them

    def _walk(self, owner: str, parts: object) -> None:
        """Notes all that is read, changed, called and asked about in some nodes of the book."""
        written: set[int] = set()
        for part in nodes_of(parts):
            for target in _written(part):
                written.add(id(target))
                known = self._read(target)
                if known is not None:
                    self._link(owner, known, "changes")
            match part:
                case m.Ref() if id(part) not in written:
                    known = self._read(part)
                    if known is not None and known != owner:
                        self._link(known, owner, "reads" if self.nodes[known].kind == "state" else "uses")
                case m.Do(phrase=phrase):
                    self._link(owner, self.verb_of[phrase.verb.text], "calls")
                case m.Offer(phrases=phrases):
                    for phrase in phrases:
                        self._link(owner, self.verb_of[phrase.verb.text], "offers")
                case m.Consult(table=table) | m.Roll(table=m.Name() as table):
                    declared = self._declared(self.checked.symbols.get(id(table)))
                    if declared is not None:
                        self._link(owner, declared, "calls")
                case m.Disable(rule=rule):
                    self._link(owner, self.rule_of[rule.text], "disables")
                case m.End(moment=moment):
                    self._link(owner, self._moment(moment.text), "ends")
                case m.Happened(event=event) | m.TimesHappened(event=event):
                    self._link(self._event(event), owner, "asks about")
                case m.Outcome():
                    self._link(owner, self._add(_END, "end", _END, _END, _END), "decides")
                case _:
                    pass

    def _read(self, part: object) -> str | None:
        """The node of what a reference stands for: a piece of state, a value, a table or a rank."""
        return self._declared(self.checked.symbols.get(id(part))) if isinstance(part, m.Ref) else None

    def _declared(self, symbol: object) -> str | None:
        match symbol:
            case SlotSymbol(role="printed"):
                return None  # it never changes
            case SlotSymbol(name=name, role=role, params=params, span=span):
                place = f"{span.source.path}:{span.line}"
                of = f" of {' and '.join(map(describe, params))}" if params else ""
                fold = f"state{of}"
                return self._add(f"state {name} {place}", "state", name, fold, f"{role} {name}{of}\n{place}")
            case ValueSymbol() | TableSymbol() | RankSymbol():
                return self.owner_of.get(id(self.checked.declaration_of(symbol)))
            case _:
                return None

    def _event(self, event: m.Event) -> str:
        match event:
            case m.PhraseEvent(phrase=phrase):
                return self.verb_of[phrase.verb.text]
            case m.ChangeEvent(subject=subject) | m.RunsOutEvent(pile=subject) | m.TransferEvent(where=subject):
                known = self._read(subject)
                name = subject.name.text
                return known or self._add(f"event {name}", "moment", name, "moments", name)
            case m.MomentEvent(moment=moment):
                return self._moment(moment.name.text)
            case _:
                assert_never(event)

    def _moment(self, name: str) -> str:
        return self.verb_of.get(name) or self._add(f"moment {name}", "moment", name, "moments", f"moment {name}")


def _said(verbs: dict[Verb, None], triggered: str = "") -> str:
    words = ["is triggered by" if verb == "triggers" else verb for verb in verbs] if triggered else list(verbs)
    return " and ".join(words)


def _written(part: object) -> Iterator[m.Ref]:
    match part:
        case m.Becomes(target=target) | m.Shift(target=target):
            yield target
        case m.Move(origin=origin, target=target):
            yield from (place for place in (origin, target) if place is not None)
        case m.Draw(origin=origin, target=target):
            yield from (origin, target)
        case m.Shuffle(pile=pile, into=into):
            yield from (place for place in (pile, into) if place is not None)
        case m.Pay(source=source, target=receiver):
            yield from (place for place in (source, receiver) if place is not None)
        case _:
            pass
