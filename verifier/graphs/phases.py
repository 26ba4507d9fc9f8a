"""The phase machine: what follows what in `play` and in procedures, who may do what there, and what calls what.

In: a `CheckedRulebook`. Out: a `Drawing`. Phases, steps, turns and loops are boxes around what happens in them; actions
and triggered rules are shown where they do more than change the state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import assert_never

from grammar.print_expressions import print_expression, print_offer
from grammar.print_statements import block_lines, print_header, print_keys, print_norm, print_simple
from grammar.printer import print_signature
from rules import model as m
from rules.check import CheckedRulebook
from rules.walk import nodes_of
from verifier.graphs.drawing import Drawing, Edge, Group, GroupKind, Node, NodeKind
from verifier.graphs.wording import counted, cut, listed, wrapped

_LETTERS = 40
_LINES = 5
_ACTIONS = 9
# What makes a statement more than a change of the state.
_CONTROL = (
    m.Phase
    | m.Turns
    | m.Repeat
    | m.Decides
    | m.After
    | m.Takes
    | m.Offer
    | m.Do
    | m.Window
    | m.End
    | m.Chooses
    | m.Read
    | m.Roll
    | m.RollRows
    | m.Consult
    | m.Outcome
)

Exit = tuple[str, str]  # a node, and what stands at the edge that leads on from it


def phases_drawing(checked: CheckedRulebook) -> Drawing:
    return _Flow(checked).drawing()


@dataclass(slots=True)
class _Flow:
    checked: CheckedRulebook
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    fold: str = ""  # the outermost group that is being drawn
    around: dict[str, frozenset[str]] = field(default_factory=dict)  # moments that can run around a procedure

    def drawing(self) -> Drawing:
        declarations = self.checked.book.declarations
        self.around = _around(declarations)
        for declaration in declarations:
            match declaration:
                case m.Play(body=body):
                    self._outer("play", "play", "phase", body, frozenset())
                case m.Procedure(signature=signature, body=body):
                    self._verb("procedure", signature, body)
                case m.Action(signature=signature, body=body):
                    if _has_control(body):
                        self._verb("action", signature, body)
                case m.Rule():
                    self._triggers(declaration)
                case _:
                    pass
        drawn = {*(group.id for group in self.groups), *(node.id for node in self.nodes)}
        edges = tuple(dict.fromkeys(edge for edge in self.edges if edge.target in drawn))
        notes = [
            f"{counted(len(self.checked.moments), 'moment')} with a name, "
            f"{counted(sum(isinstance(d, m.Procedure) for d in declarations), 'procedure')}, "
            f"{counted(sum(isinstance(d, m.Action) for d in declarations), 'action')}",
        ]
        if any(edge.line == "dotted" for edge in edges):
            notes.append("dotted lines lead to procedures that are carried out, and to actions that lead on to more")
        return Drawing("phases", "Phases", tuple(self.nodes), edges, tuple(self.groups), tuple(notes))

    def _verb(self, word: str, signature: m.Signature, body: m.Block) -> None:
        verb = signature.verb.text
        moments = self.around.get(verb, frozenset()) | {verb}
        self._outer(_verb_id(verb), verb, "procedure", body, moments, f"{word} {print_signature(signature)}")

    def _outer(
        self, id: str, name: str, kind: GroupKind, body: m.Block, moments: frozenset[str], title: str = ""
    ) -> None:
        self.fold = id
        self.groups.append(Group(id, kind, name, cut(title or name, 60), None, title or name))
        self._block(body, id, moments)

    def _triggers(self, rule: m.Rule) -> None:
        """A rule that carries out procedures when something happens."""
        for norm in rule.all_norms():
            if isinstance(norm.body, m.EventNorm):
                called = dict.fromkeys(p.phrase.verb.text for p in nodes_of(norm.body.body) if isinstance(p, m.Do))
                if called:
                    self.fold = "rules"
                    line = print_norm(norm)
                    lines = (f"rule {rule.name}", *wrapped(line, _LETTERS, 2))
                    node = self._node("rule", rule.name.text, lines, None, f"rule {rule.name}\n{line}")
                    for verb in called:
                        self._call(node, verb)

    # ---- statements

    def _block(self, block: m.Block, group: str, moments: frozenset[str]) -> tuple[str | None, list[Exit]]:
        """Draws a block; gives where it begins (None for an empty one) and where it goes on from."""
        entry: str | None = None
        exits: list[Exit] = []
        first = True
        for plain, part in groupby(block, key=_is_plain):
            statements = tuple(part)
            for found in (
                [self._deed(statements, group)]
                if plain
                else (self._statement(statement, group, moments) for statement in statements)
            ):
                begin, ends = found
                if begin is None:
                    continue
                if first:
                    entry, first = begin, False
                for node, label in exits:
                    self.edges.append(Edge(node, begin, label))
                exits = ends
        if entry is None and not self._has_inside(group):
            entry = self._node("deed", "", ("nothing",), group, "")
            exits = [(entry, "")]
        return entry, exits

    def _has_inside(self, group: str) -> bool:
        return any(node.group == group for node in self.nodes) or any(g.parent == group for g in self.groups)

    def _deed(self, statements: Sequence[m.Statement], group: str) -> tuple[str | None, list[Exit]]:
        lines = [line.text for line in block_lines(tuple(statements), 0)]
        shown = listed((cut(line, _LETTERS) for line in lines), _LINES)
        node = self._node("deed", "", shown, group, "\n".join(lines))
        return node, [(node, "")]

    def _statement(self, statement: m.Statement, group: str, moments: frozenset[str]) -> tuple[str | None, list[Exit]]:
        match statement:
            case m.Simple(body=body):
                return self._simple(body, group, moments)
            case m.Phase(word=word, name=name, body=body):
                title = f"{word} {name}{' (even when ended)' if statement.even_when_ended else ''}"
                return self._nested("phase", name.text, title, body, group, moments | {name.text})
            case m.Turns(body=body):
                return self._nested("loop", "turn", f"↻ {print_header(statement)}", body, group, moments | {"turn"})
            case m.Each(body=body) | m.Repeat(body=body):
                name_ = "round" if isinstance(statement, m.Repeat) else ""
                return self._nested("loop", name_, f"↻ {print_header(statement)}", body, group, moments)
            case m.After(body=body):
                return self._nested("loop", "", print_header(statement), body, group, moments)
            case m.If():
                return self._if(statement, group, moments)
            case m.RollRows(rows=rows):
                branches = [(print_keys(row), row.body) for row in rows]
                return self._branches("chance", print_header(statement).rstrip(":"), branches, group, moments)
            case m.Decides(options=options):
                return self._branches(
                    "choice", print_header(statement), [(o.text, o.body) for o in options], group, moments
                )
            case _:
                assert_never(statement)

    def _nested(
        self, kind: GroupKind, name: str, title: str, body: m.Block, group: str, moments: frozenset[str]
    ) -> tuple[str, list[Exit]]:
        own = f"group #{len(self.groups)}"
        self.groups.append(Group(own, kind, name, cut(title, 60), group, title))
        self._block(body, own, moments)
        return own, [(own, "")]

    def _if(self, statement: m.If, group: str, moments: frozenset[str]) -> tuple[str, list[Exit]]:
        branches: list[tuple[str, m.Block]] = [("yes", statement.then)]
        if statement.otherwise:
            branches.append(("no", statement.otherwise))
        node, exits = self._branches("if", f"if {print_expression(statement.condition)}", branches, group, moments)
        return node, exits if statement.otherwise else [*exits, (node, "no")]

    def _branches(
        self, kind: NodeKind, text: str, branches: Sequence[tuple[str, m.Block]], group: str, moments: frozenset[str]
    ) -> tuple[str, list[Exit]]:
        node = self._node(kind, "", wrapped(text, _LETTERS, 2), group, text)
        exits: list[Exit] = []
        for label, block in branches:
            entry, ends = self._block(block, group, moments) if block else (None, [])
            if entry is None:
                exits.append((node, cut(label, 24)))
            else:
                self.edges.append(Edge(node, entry, cut(label, 24), f"{text}: {label}"))
                exits += ends
        return node, exits

    def _simple(self, body: m.SimpleBody, group: str, moments: frozenset[str]) -> tuple[str, list[Exit]]:
        text = print_simple(body)
        lines = wrapped(text, _LETTERS, 2)
        match body:
            case m.Takes():
                return self._offers(text, list(self._during(moments)), group)
            case m.Offer(actor=actor, modal=modal, phrases=phrases):
                return self._offers(print_offer(actor, modal, phrases), [p.verb.text for p in phrases], group, False)
            case m.Window(name=name):
                return self._offers(text, list(self._during(frozenset({name.text}))), group, True, name.text)
            case m.Do(phrase=phrase):
                node = self._node("call", phrase.verb.text, lines, group, text)
                self._call(node, phrase.verb.text)
            case m.End(moment=moment, then=then):
                node = self._node("end", moment.text, (f"end {moment}",), group, f"ends {moment}")
                if then:
                    entry, exits = self._block(then, group, moments)
                    if entry is not None:
                        self.edges.append(Edge(node, entry, "then"))
                        return node, exits
            case m.Roll() | m.Consult():
                node = self._node("chance", "", lines, group, text)
            case m.Chooses():
                node = self._node("choice", "", lines, group, text)
            case m.Outcome():
                node = self._node("end", "", lines, group, text)
            case _:
                node = self._node("deed", "", lines, group, text)
        return node, [(node, "")]

    def _offers(
        self, text: str, verbs: list[str], group: str, list_them: bool = True, window: str = ""
    ) -> tuple[str, list[Exit]]:
        lines = wrapped(text, _LETTERS, 2)
        if list_them:
            lines += listed((cut(verb, _LETTERS) for verb in verbs), _ACTIONS)
        hint = "\n".join((text, *(f"may: {verb}" for verb in verbs)))
        node = self._node("window" if window else "offer", window, lines, group, hint)
        for verb in verbs:
            self._call(node, verb)
        return node, [(node, "")]

    def _during(self, moments: frozenset[str]) -> Iterator[str]:
        """The actions that can be taken while one of these moments runs."""
        for declaration in self.checked.book.declarations:
            if isinstance(declaration, m.Action):
                during = {name.text for name in declaration.during}
                if not during or during & moments:
                    yield declaration.signature.verb.text

    def _call(self, node: str, verb: str) -> None:
        self.edges.append(Edge(node, _verb_id(verb), "", f"to {verb}", "dotted", "quiet"))

    def _node(self, kind: NodeKind, name: str, lines: tuple[str, ...], group: str | None, hint: str) -> str:
        own = f"node #{len(self.nodes)}"
        self.nodes.append(Node(own, kind, name, lines, group, self.fold, hint))
        return own


def _verb_id(verb: str) -> str:
    return f"verb {verb}"


def _is_plain(statement: m.Statement) -> bool:
    return not any(isinstance(part, _CONTROL) for part in nodes_of(statement))


def _has_control(body: m.Block) -> bool:
    return any(isinstance(part, _CONTROL) for part in nodes_of(body))


def _around(declarations: Sequence[m.Declaration]) -> dict[str, frozenset[str]]:
    """For each action and procedure, the moments in which it can be carried out."""
    calls: list[tuple[str, str, frozenset[str]]] = []
    for declaration in declarations:
        match declaration:
            case m.Play(body=body):
                calls += (("", verb, moments) for verb, moments in _calls(body, frozenset()))
            case m.Procedure(signature=signature, body=body) | m.Action(signature=signature, body=body):
                verb = signature.verb.text
                calls += ((verb, called, moments) for called, moments in _calls(body, frozenset({verb})))
            case m.Rule():
                for norm in declaration.all_norms():
                    if isinstance(norm.body, m.EventNorm):
                        calls += (("", verb, moments) for verb, moments in _calls(norm.body.body, frozenset()))
            case _:
                pass
    found: dict[str, frozenset[str]] = {}
    changed = True
    while changed:
        changed = False
        for caller, called, moments in calls:
            more = found.get(called, frozenset()) | moments | found.get(caller, frozenset())
            if more != found.get(called):
                found[called], changed = more, True
    return found


def _calls(block: m.Block, moments: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    """Each procedure or action that is named in a block, with the moments around it."""
    for statement in block:
        match statement:
            case m.Phase(name=name, body=body):
                yield from _calls(body, moments | {name.text})
            case m.Turns(body=body):
                yield from _calls(body, moments | {"turn"})
            case m.Each(body=body) | m.Repeat(body=body) | m.After(body=body):
                yield from _calls(body, moments)
            case _:
                for part in nodes_of(statement):
                    if isinstance(part, m.Do):
                        yield part.phrase.verb.text, moments
                    elif isinstance(part, m.Offer):
                        yield from ((phrase.verb.text, moments) for phrase in part.phrases)
