"""Rules, values, tables, ranks, stories, policies, rulings and the precedence block."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import assert_never

from rules import model as m
from rules.check.cites import check_citations, check_clauses
from rules.check.context import Context
from rules.check.declare import variable_type
from rules.check.expressions import Scope, bind, expect, infer, infer_name, number, outcome, ref, truth
from rules.check.phrases import bind_pattern, bound_inside, check_actor, check_event, check_phrase
from rules.check.statements import check_block, check_conditions, check_ignorable, check_option, check_rows
from rules.diagnostics import InternalError, Label
from rules.symbols import NamedSymbol, SlotSymbol, TableSymbol, ValueSymbol
from rules.types import (
    UNKNOWN,
    KindT,
    NumberT,
    OrderT,
    SetT,
    TitleT,
    Type,
    UnknownT,
    describe,
    fits,
    join,
    without_none,
)
from rules.walk import nodes_of

_PAIRS = {("specific", "general"), ("immediate", "lasting"), ("earlier", "later"), ("later", "earlier")}
_MODALS = ("may", "must", "cannot")


def check_rule(rule: m.Rule, cx: Context) -> None:
    check_clauses(rule.clauses, cx)
    if len(rule.readings) == 1:
        cx.report(
            "LX406",
            f"the rule `{rule.name.text}` has only one reading",
            rule.readings[0].name.span,
            help="a sentence that can be read in one way needs no `reading`",
        )
    names: dict[str, m.Name] = {}
    for reading in rule.readings:
        if reading.name.text in names:
            cx.duplicate(reading.name, "reading", names[reading.name.text].span)
        names[reading.name.text] = reading.name
        check_clauses(reading.clauses, cx)
    scope = Scope()
    if rule.clauses.source is not None:
        scope = _source(rule.clauses.source, cx)
    for norm in rule.all_norms():
        check_norm(norm, scope, cx)


def _source(name: m.Name, cx: Context) -> Scope:
    """The thing that a rule comes from: one with a name, or a variable, which is then bound all through the rule."""
    scope = bind_pattern(m.Ref(name, (), name.span), Scope(), cx)
    found = infer_name(name, scope, cx)
    if not isinstance(found, (KindT, TitleT, UnknownT)):
        cx.report("LX103", f"a rule comes from a thing, and `{name.text}` is {describe(found)}", name.span)
    return scope


def check_norm(norm: m.Norm, scope: Scope, cx: Context) -> None:
    body = norm.body
    match body:
        case m.ModalNorm(actor=actor, modal=modal, phrases=phrases, frequency=frequency, conditions=conditions):
            outer, scope = scope, bind_pattern((actor, phrases), scope, cx)
            who = check_actor(actor, scope, cx)
            for phrase in phrases:
                check_phrase(phrase, scope, cx, actor=who)
                if modal != "cannot":
                    cx.offered.add(phrase.verb.text)
            if body.if_possible and modal != "must":
                cx.report(
                    "LX418",
                    f"`if possible` goes with `must`: what a player {modal} do is no duty",
                    body.span,
                    help="take `if possible` away, or write `must`",
                )
            # What is said of all alternatives can only speak of what stands in each of them.
            for phrase in phrases:
                scope = scope.only(bind_pattern((actor, phrase), outer, cx))
            if frequency is not None:
                _frequency(frequency, scope, cx)
            check_conditions(conditions, scope, cx)
        case m.EventNorm(event=event, condition=condition, body=block):
            scope = bind_pattern(event, scope, cx)
            check_event(event, scope, cx)
            if condition is not None:
                truth(condition, scope, cx)
            check_block(block, scope, cx)
        case m.IgnoreNorm(what=what, condition=condition):
            if isinstance(what, m.Name):
                ignored = check_ignorable(what, cx)
                scope = replace(_variables_of(ignored, condition, scope, cx), ignored=what.text)
            else:
                scope = bind_pattern(what, scope, cx)
                check_event(what, scope, cx)
            if condition is not None:
                truth(condition, scope, cx)
        case m.ValueNorm(target=target, op=op, value=value, conditions=conditions):
            scope = bind_pattern(target, scope, cx)
            type_ = ref(target, scope, cx)
            symbol = cx.symbol_of.get(id(target))
            if symbol is not None and not isinstance(symbol, ValueSymbol):
                cx.report(
                    "LX103",
                    f"`{target.name.text}` is no value: a rule cannot say what it is",
                    target.span,
                    help="declare it with `value`, or change it with `becomes` where something happens",
                )
            check_case(op, value, type_, scope, cx, target.name.text)
            check_conditions(conditions, scope, cx)
        case m.LimitNorm(what=what, most=most, conditions=conditions):
            scope = bind_pattern(what, scope, cx)
            number(what, scope, cx)
            number(most, scope, cx)
            check_conditions(conditions, scope, cx)
        case m.OutcomeNorm(outcome=result, conditions=conditions):
            scope = bind_pattern(result, scope, cx)
            outcome(result, scope, cx)
            check_conditions(conditions, scope, cx)
        case _:
            assert_never(body)


def _variables_of(ignored: NamedSymbol | None, condition: m.Expr | None, scope: Scope, cx: Context) -> Scope:
    """The variables that a rule or value speaks of in its subject: what ignores it can speak of the same.

    Those that the condition binds itself are free for that.
    """
    own = bound_inside(condition)
    before = scope
    node = cx.declared.get(ignored) if ignored is not None else None
    if isinstance(node, m.Rule):
        for norm in node.all_norms():
            scope = bind_pattern(_subject(norm.body), scope, cx)
    elif isinstance(node, m.Value):
        for name in node.variables:
            scope = scope.with_(name, variable_type(name, cx))
    else:  # it is not known what is meant, and that has been said
        scope = replace(scope, free=True)
    kept = {name: type_ for name, type_ in scope.bound.items() if name in before.bound or name not in own}
    return replace(scope, bound=kept)


def _subject(body: m.NormBody) -> object:
    match body:
        case m.ModalNorm(actor=actor, phrases=phrases):
            return (actor, phrases)
        case m.EventNorm(event=event):
            return event
        case m.IgnoreNorm(what=what):
            return what
        case m.ValueNorm(target=target):
            return target
        case m.LimitNorm(what=limited):
            return limited
        case m.OutcomeNorm(outcome=result):
            return result
        case _:
            assert_never(body)


def _frequency(node: m.Frequency, scope: Scope, cx: Context) -> None:
    cx.find_moment(node.moment)
    if node.count < 1:
        cx.report("LX302", "something that may be done 0 times is forbidden", node.span, help="write `cannot`")
    for name in node.each:
        variable_type(name, cx)
        if name.text not in scope.bound:
            cx.report("LX104", f"`{name.text}` does not stand in the subject of this rule", name.span)


def check_case(op: m.ValueOp, value: m.Expr, type_: Type, scope: Scope, cx: Context, name: str) -> None:
    if op == "is":
        expect(value, type_, scope, cx, f"`{name}`")
        return
    if not isinstance(type_, (NumberT, UnknownT)):
        cx.report("LX204", f"`{op}` is for numbers, and `{name}` is {describe(type_)}", value.span)
    number(value, scope, cx)


def check_value(node: m.Value, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    scope = Scope()
    for variable in node.variables:
        _, scope = bind(variable, scope, cx)
    symbol = cx.symbol_of.get(id(node.name))
    type_ = symbol.type if isinstance(symbol, ValueSymbol) else UNKNOWN
    for case in node.cases:
        check_clauses(case.clauses, cx)
        check_case(case.op, case.value, type_, scope, cx, node.name.text)
        check_conditions(case.conditions, scope, cx)


def check_tables(tables: list[m.Table], cx: Context) -> None:
    """Tables come before all else, and each after those that it uses: what they give has no type but what is found."""
    giving: dict[tuple[str, int], list[m.Table]] = {}
    for table in tables:
        if any(row.gives is not None for row in table.rows):
            giving.setdefault((table.name.text, len(table.keys)), []).append(table)
    needs = {id(table): _tables_used(table, giving) for table in tables}
    done: set[int] = set()
    reported: set[int] = set()
    for table in tables:
        stack = [(table, iter(needs[id(table)]))]
        open_ = {id(table): 0}
        while stack and id(table) not in done:
            current, rest = stack[-1]
            needed = next((t for t in rest if id(t) not in done), None)
            if needed is None:
                stack.pop()
                done.add(id(current))
                check_table(current, cx)
            elif id(needed) in open_ and open_[id(needed)] < len(stack):
                circle = [t for t, _ in stack[open_[id(needed)] :]]
                if not reported & {id(t) for t in circle}:
                    _report_circle(circle, cx)
                reported.update(id(t) for t in circle)
            else:
                open_[id(needed)] = len(stack)
                stack.append((needed, iter(needs[id(needed)])))


def _tables_used(table: m.Table, giving: dict[tuple[str, int], list[m.Table]]) -> list[m.Table]:
    used: list[m.Table] = []
    for part in nodes_of(table.rows):
        if isinstance(part, m.Ref) and part.args:
            found = giving.get((part.name.text, len(part.args)), [])
            # Of several tables of one name it is another one that is meant.
            used.extend(t for t in found if t is not table or len(found) == 1)
    return used


def _report_circle(circle: list[m.Table], cx: Context) -> None:
    words = ", which needs ".join(f"`{t.name.text}`" for t in (*circle[1:], circle[0]))
    labels = [Label(t.name.span, f"`{t.name.text}` is needed") for t in circle[1:]]
    cx.report("LX415", f"`{circle[0].name.text}` needs {words}", circle[0].name.span, labels=labels)


def check_table(node: m.Table, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    scope = Scope()
    for variable in node.variables:
        _, scope = bind(variable, scope, cx)
    symbol = cx.symbol_of.get(id(node.name))
    if not isinstance(symbol, TableSymbol):
        raise InternalError(f"the table {node.name.text} was not declared")
    given = check_rows(node.rows, symbol.params, scope, cx, in_story=False)
    symbols = cx.terms[node.name.text]
    if given and symbol in symbols:
        typed = replace(symbol, type=reduce(join, given))
        symbols[symbols.index(symbol)] = typed
        cx.note(node.name, typed, node)


def check_rank(node: m.Rank, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    type_, scope = bind(node.variable, Scope(), cx)
    for variable in node.given:
        _, scope = bind(variable, scope, cx)
    if node.where is not None:
        truth(node.where, scope, cx)
    for place, line in enumerate(node.lines):
        check_clauses(line.clauses, cx)
        if isinstance(line, m.RankTies):
            if line.how.text not in ("share", "stay"):
                cx.report(
                    "LX106",
                    f"`ties {line.how.text}` means nothing",
                    line.how.span,
                    help="write `ties share` (the tied have the same place) or `ties stay` (nothing breaks them)",
                )
            if place != len(node.lines) - 1:
                cx.report("LX413", "`ties` comes last in a rank", line.span)
        elif line.by == "first in":
            order = without_none(infer(line.value, scope, cx))
            if isinstance(order, OrderT) and not fits(KindT(order.kind), type_):
                cx.report("LX201", f"`{node.variable.text}` is not in this order", line.value.span)
            elif not isinstance(order, (OrderT, UnknownT)):
                cx.report("LX210", f"an order is needed here, and this is {describe(order)}", line.value.span)
        else:
            number(line.value, scope, cx)


def check_story(node: m.Story, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    own = {passage.name.text for passage in node.passages()}
    for name in node.starts:
        if cx.find_named(cx.passages, name, "passage") is not None and name.text not in own:
            cx.report("LX103", f"the passage `{name.text}` belongs to another story", name.span)
    for item in node.items:
        if isinstance(item, m.Chapter):
            check_clauses(item.clauses, cx)
    for passage in node.passages():
        check_clauses(passage.clauses, cx)
        scope = check_block(passage.body, Scope(), cx, in_story=True)
        for option in passage.options:
            check_option(option, scope, cx, in_story=True)
        last = passage.body[-1] if passage.body else None
        leaves = isinstance(last, m.Simple) and isinstance(last.body, m.Go | m.Return | m.Ending)
        if passage.options and leaves:
            assert last is not None
            cx.report(
                "LX414",
                f"the options of `{passage.name.text}` are never offered: the passage is left before",
                last.span,
            )


def check_policy(node: m.Policy, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    for line in node.lines:
        match line:
            case m.PolicyReads(rule=rule, reading=reading):
                if cx.find_named(cx.statements, rule, "rule") is None:
                    continue
                known = [r.name.text for r in cx.rules[rule.text].readings] if rule.text in cx.rules else []
                if not known:
                    cx.report("LX407", f"`{rule.text}` has no readings to choose from", rule.span)
                elif reading.text in known:
                    chosen = next(r for r in cx.rules[rule.text].readings if r.name.text == reading.text)
                    cx.use(reading, cx.symbol_of[id(chosen.name)])
                else:
                    cx.unknown(reading, f"reading of `{rule.text}`", known, help=f"its readings are {', '.join(known)}")
            case m.PolicyOver(winner=winner, loser=loser):
                for name in (winner, loser):
                    cx.find_named(cx.statements, name, "rule, value, table, rank, action or procedure")
                if winner.text == loser.text:
                    cx.report("LX407", f"`{winner.text}` cannot win over itself", line.span)
            case m.PolicyIfPossible(rule=rule):
                if cx.find_named(cx.statements, rule, "rule") is not None and not _demands(cx.rules.get(rule.text)):
                    cx.report("LX407", f"`{rule.text}` demands nothing that could rest", rule.span)
            case m.Rule():
                check_rule(line, cx)
            case _:
                assert_never(line)
    if node.sort == "policy" and not node.default:
        check_in_force_together((node,), cx)


def _demands(rule: m.Rule | None) -> bool:
    norms = [*rule.norms, *(norm for reading in rule.readings for norm in reading.norms)] if rule is not None else []
    return any(isinstance(norm.body, m.ModalNorm) and norm.body.modal == "must" for norm in norms)


def check_in_force_together(policies: tuple[m.Policy, ...], cx: Context) -> None:
    """All rulings are in force together, and so are all default policies: each must agree with the others."""
    readings: dict[str, m.PolicyReads] = {}
    overs: dict[tuple[str, str], m.PolicyOver] = {}
    for line in (line for policy in policies for line in policy.lines):
        # A reading that does not exist has been reported.
        if isinstance(line, m.PolicyReads) and id(line.reading) in cx.symbol_of:
            chosen = readings.setdefault(line.rule.text, line)
            if chosen.reading.text != line.reading.text:
                cx.report(
                    "LX417",
                    f"`{line.rule.text}` cannot read both `{chosen.reading.text}` and `{line.reading.text}`",
                    line.span,
                    labels=[Label(chosen.span, "the other reading is chosen here")],
                )
        elif isinstance(line, m.PolicyOver) and line.winner.text != line.loser.text:
            pair = (line.winner.text, line.loser.text)
            overs.setdefault(pair, line)
            opposite = overs.get((pair[1], pair[0]))
            if opposite is not None:
                cx.report(
                    "LX417",
                    f"`{pair[0]}` and `{pair[1]}` cannot each go over the other",
                    line.span,
                    labels=[Label(opposite.span, "here it is the other way round")],
                )


# ---- Precedence -----------------------------------------------------------------------------------------------------


def check_precedence(node: m.Precedence, cx: Context) -> None:
    ended: m.MetaRule | None = None
    for rule in node.rules:
        check_citations(rule.cites, cx)
        if ended is not None:
            cx.report("LX403", "nothing comes after `otherwise undecided`", rule.span)
        if isinstance(rule.body, m.Undecided):
            ended = rule
        _meta(rule, cx)


def _meta(rule: m.MetaRule, cx: Context) -> None:
    body = rule.body
    match body:
        case m.Explicit() | m.Undecided():
            return
        case m.Over():
            _over(body, cx)
        case m.Authority(chains=chains):
            for chain in chains:
                for name in chain:
                    cx.find_named(cx.documents, name, "document")
        case m.Listed(among=among):
            _tag(among, cx)
        case m.Simultaneous(by=by, among=group):
            _simultaneous(by, cx)
            if group is not None:
                _tag(group, cx)
        case _:
            assert_never(body)
    if not rule.assumed and not rule.cites:
        cx.report(
            "LX401",
            "nothing in the book grants this",
            rule.span,
            help="cite the place that states it, or write `assume` before it",
        )


def _over(body: m.Over, cx: Context) -> None:
    pair = (body.winner.text, body.loser.text)
    if pair in _PAIRS or (pair[0] in _MODALS and pair[1] in _MODALS):
        if body.among is not None:
            _tag(body.among, cx)
        if body.by is not None and pair[0] not in ("earlier", "later"):
            cx.report(
                "LX402", f"`by {body.by.text}` only says how old a thing is, for `earlier over later`", body.by.span
            )
        elif body.by is not None:
            _age(body.by, cx)
    else:
        for name in (body.winner, body.loser):
            _tag(name, cx)
    if pair[0] == pair[1]:
        cx.report("LX402", f"`{pair[0]}` cannot win over itself", body.span)


def _age(name: m.Name, cx: Context) -> None:
    found = [s for s in cx.terms.get(name.text, ()) if isinstance(s, SlotSymbol) and len(s.params) == 1]
    if not found:
        cx.unknown(name, "attribute", cx.terms)
        return
    for symbol in found:
        cx.use(name, symbol)
        if not isinstance(symbol.type, (NumberT, UnknownT)):
            cx.report("LX204", f"`{name.text}` says how old a thing is: it must be a number", name.span)


def _tag(name: m.Name, cx: Context) -> None:
    """A tag that rules carry (`among`), or a document: all rules that cite it."""
    if name.text in cx.documents:
        cx.use(name, cx.documents[name.text])
    else:
        cx.find_named(cx.tags, name, "group of rules", help=f"no rule is `among {name.text}`")


def _simultaneous(by: m.Name, cx: Context) -> None:
    """A kind (its things, as one) or a state that names who decides."""
    found = without_none(infer_name(by, Scope(), cx))
    if not isinstance(found, (KindT, SetT, OrderT, UnknownT)):
        cx.report("LX212", f"someone who can decide is needed here, and this is {describe(found)}", by.span)
