"""The model to canonical text; the way back from `build`.

In: declarations. Out: their lines, each with its depth, not wrapped, without comments and blank lines (`format` adds
those). INVARIANT: what is printed parses to the same model, for every model that a text can have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from grammar.print_expressions import (
    optional,
    print_cites,
    print_clauses,
    print_during,
    print_event,
    print_expression,
    print_names,
    print_of,
    print_offer,
    print_phrase,
    print_primary,
    print_ref,
    print_string,
    print_sum,
    print_type,
)
from grammar.print_statements import (
    PrintedLine,
    block_lines,
    fits_one_line,
    option_lines,
    print_assignment,
    print_conditions,
    print_manner,
    print_named,
    print_norm,
    print_simple,
    row_lines,
    rule_body_lines,
    statement_lines,
)
from rules import model as m


def print_declaration(declaration: m.Declaration) -> list[PrintedLine]:
    """The first line is at depth 0, all others are deeper."""
    return [PrintedLine(0, print_heading(declaration), declaration.span), *_lines_below(declaration)]


def print_heading(declaration: m.Declaration) -> str:
    """The first line of a declaration."""
    match declaration:
        case m.Game(title=title, played_by=kind, clauses=clauses):
            return f"game {print_string(title)}{print_named('played by', kind)}{print_clauses(clauses)}"
        case m.Import(path=path):
            return f"import {print_string(path)}"
        case m.Documents():
            return "documents"
        case m.Outline(document=document):
            return f"outline {document}"
        case m.Precedence():
            return "precedence"
        case m.TypeDecl(name=name, body=body, clauses=clauses):
            values = print_type(body) if isinstance(body, m.RangeType) else print_names(body)
            return f"type {name} is {values}{print_clauses(clauses)}"
        case m.Kind(name=name, population=population, clauses=clauses):
            return f"kind {name}{_population(population)}{print_clauses(clauses)}"
        case m.Let(names=names, type=type):
            return f"let {print_names(names)} be {print_type(type)}"
        case m.State():
            return "state"
        case m.Piles(of=of, clauses=clauses):
            return f"piles of {of}{print_clauses(clauses)}"
        case m.Pool(name=name, total=total, each=each, clauses=clauses):
            return f"pool {name} {total}{print_named('for each', each)}{print_clauses(clauses)}"
        case m.Map(name=name, of=of, clauses=clauses):
            return f"map {name} of {of}{print_clauses(clauses)}"
        case m.Sight(name=name, origin=origin, target=target, clauses=clauses):
            return f"sight {name} of ({origin}, {target}){print_clauses(clauses)}"
        case m.Die(name=name, faces=faces, clauses=clauses):
            return f"die {name} is {', '.join(map(_face, faces))}{print_clauses(clauses)}"
        case m.Play(clauses=clauses):
            return f"play{print_clauses(clauses)}"
        case m.Procedure(signature=signature, clauses=clauses):
            return f"procedure {print_signature(signature)}{print_clauses(clauses)}"
        case m.Action(signature=signature, during=during, clauses=clauses):
            return f"action {print_signature(signature)}{_listed('during', during)}{print_clauses(clauses)}"
        case m.Rule(name=name, clauses=clauses):
            return f"rule {name}{print_clauses(clauses)}"
        case m.Value():
            return _value(declaration)
        case m.Table(name=name, keys=keys, variables=variables, clauses=clauses):
            key_types = ", ".join(map(print_type, keys))
            return f"table {name} by {key_types}{_listed('for', variables)}{print_clauses(clauses)}"
        case m.Rank(name=name, variable=variable, given=given, where=where, clauses=clauses):
            condition = optional("where", where)
            return f"rank {name} of {variable}{_listed('for', given)}{condition}{print_clauses(clauses)}"
        case m.Story(name=name, clauses=clauses):
            return f"story {name}{print_clauses(clauses)}"
        case m.Policy(sort=sort, name=name, default=default, clauses=clauses):
            return f"{sort} {name}{' by default' if default else ''}{print_clauses(clauses)}"
        case m.Note(reason=reason, text=text, clauses=clauses):
            return f"note {reason} {print_string(text)}{print_clauses(clauses)}"
        case m.Question(text=text, clauses=clauses):
            return f"question {print_string(text)}{print_clauses(clauses)}"
        case m.Claim(text=claim, word=word, condition=condition, clauses=clauses):
            words = "" if claim is None else f"{print_string(claim)} "
            return f"claim {words}{word} {print_expression(condition)}{print_clauses(clauses)}"
        case m.Scenario(text=text, clauses=clauses):
            return f"scenario {print_string(text)}{print_clauses(clauses)}"
        case _:
            assert_never(declaration)


def _lines_below(declaration: m.Declaration) -> Iterator[PrintedLine]:
    match declaration:
        case m.Game() | m.Import() | m.TypeDecl() | m.Let() | m.Die() | m.Note() | m.Claim():
            return
        case m.Documents(documents=documents):
            for document in documents:
                text = f"{document.name} {print_string(document.title)}{print_named('language', document.language)}"
                yield PrintedLine(1, text, document.span)
        case m.Outline(sections=sections):
            for section in sections:
                yield from _section_lines(section)
        case m.Precedence(rules=rules):
            for rule in rules:
                yield PrintedLine(1, print_meta_rule(rule), rule.span)
        case m.Kind(lines=lines):
            for line in lines:
                yield PrintedLine(1, _slot(line) if isinstance(line, m.Slot) else _has(line), line.span)
        case m.State(slots=slots) | m.Piles(slots=slots) | m.Pool(slots=slots):
            for slot in slots:
                yield PrintedLine(1, _slot(slot), slot.span)
        case m.Map(lines=link_lines):
            for link_line in link_lines:
                yield PrintedLine(1, f"links {', '.join(map(_link, link_line.links))}", link_line.span)
        case m.Sight(lines=sight_lines):
            for sight_line in sight_lines:
                yield PrintedLine(1, _sight_line(sight_line), sight_line.span)
        case m.Play(body=body) | m.Procedure(body=body) | m.Action(body=body):
            yield from block_lines(body, 1)
        case m.Rule():
            yield from rule_body_lines(declaration, 1)
        case m.Value(cases=cases):
            if _value_line(declaration) is None:
                for case in cases:
                    yield PrintedLine(1, _case(case), case.span)
        case m.Table(rows=rows):
            yield from row_lines(rows, 1)
        case m.Rank(lines=rank_lines):
            for rank_line in rank_lines:
                yield PrintedLine(1, _rank_line(rank_line), rank_line.span)
        case m.Story():
            yield from _story_lines(declaration)
        case m.Policy(lines=policy_lines):
            for policy_line in policy_lines:
                yield from _policy_lines(policy_line)
        case m.Question(ask=ask, expect=expect):
            yield PrintedLine(1, print_ask(ask), ask.span)
            if expect is not None:
                yield PrintedLine(1, _expect(expect), expect.span)
        case m.Scenario(lines=scenario_lines):
            for scenario_line in scenario_lines:
                yield PrintedLine(1, print_scenario_line(scenario_line), scenario_line.span)
        case _:
            assert_never(declaration)


def _listed(word: str, names: tuple[m.Name, ...]) -> str:
    return f" {word} {print_names(names)}" if names else ""


# ---- The book and its sources -------------------------------------------------------------------------------------


def _section_lines(section: m.Section) -> Iterator[PrintedLine]:
    lines = "" if section.first is None else f" lines {section.first}..{section.last}"
    yield PrintedLine(1, f"section {print_string(section.title)}{lines}", section.span)
    for line in section.lines:
        yield PrintedLine(2, f"line {line.line} {_said(line)}", line.span)


def _said(line: m.OutlineLine) -> str:
    if not line.restates:
        return f"states {line.states}"
    if not line.states:
        return f"restates {line.restates}"
    return f"states {line.states}, restates {line.restates}"


def print_meta_rule(rule: m.MetaRule) -> str:
    return f"{'assume ' if rule.assumed else ''}{_meta(rule)}{print_cites(rule.cites)}"


def _meta(rule: m.MetaRule) -> str:
    body = rule.body
    match body:
        case m.Explicit():
            return "explicit"
        case m.Over(winner=winner, loser=loser, among=among, by=by):
            return f"{winner} over {loser}{print_named('among', among)}{print_named('by', by)}"
        case m.Authority(chains=chains):
            return f"authority {', '.join(' > '.join(map(str, chain)) for chain in chains)}"
        case m.Listed(among=group):
            return f"listed order among {group}"
        case m.Simultaneous(by=player, among=among):
            return f"simultaneous by {player}{print_named('among', among)}"
        case m.Undecided():
            return "otherwise undecided"
        case _:
            assert_never(body)


# ---- Things and state ---------------------------------------------------------------------------------------------


def _population(population: m.Count | m.Members | m.Grid | m.Product | None) -> str:
    match population:
        case None:
            return ""
        case m.Count(low=low, high=high):
            return f" {low}" if low == high else f" {low}..{high}"
        case m.Members(members=members):
            return f" named {', '.join(map(_member, members))}"
        case m.Grid(shape=shape, columns=columns, rows=rows):
            return f" {shape} grid {columns} by {rows}"
        case m.Product(of=of):
            return f" for each {print_names(of)}"
        case _:
            assert_never(population)


def _member(member: m.Member) -> str:
    return str(member.name) if member.copies == 1 else f"{member.copies} {member.name}"


def _slot(slot: m.Slot) -> str:
    """An attribute, a line of `state`, a pile or a place of a pool: each writes the parts that it has."""
    parts = [f"{'printed ' if slot.printed else ''}{slot.name}{print_of(slot.indices)}"]
    if slot.type is not None:
        parts.append(print_type(slot.type))
    if slot.starts is not None:
        parts.append(f"starts {slot.starts if isinstance(slot.starts, str) else print_sum(slot.starts)}")
    parts.extend(map(str, slot.modifiers))
    return " ".join(parts) + print_clauses(slot.clauses)


def _has(line: m.HasLine) -> str:
    given = (f"{given.attribute} {print_primary(given.value)}" for given in line.given)
    return f"{line.member} has {', '.join(given)}"


def _link(link: m.Link) -> str:
    return (" -> " if link.one_way else " - ").join(map(str, link.places))


def _sight_line(line: m.SightPoints | m.SightSpace | m.SightEdge | m.SightTouch) -> str:
    match line:
        case m.SightPoints(origin=origin, target=target):
            return f"from {_point(origin)} to {_point(target)}"
        case m.SightSpace(variable=variable, where=where):
            return f"blocked by {variable}{optional('where', where)}"
        case m.SightEdge(first=first, second=second, where=where):
            return f"blocked between {first} and {second}{optional('where', where)}"
        case m.SightTouch(what=what, result=result):
            return f"touching {what} {result}"
        case _:
            assert_never(line)


def _point(point: m.SightPoint) -> str:
    return str(point.point) if point.quantity is None else f"{point.quantity} {point.point}"


def _face(face: m.Face) -> str:
    if face.name is not None:
        return str(face.name)
    return str(face.low) if face.low == face.high else f"{face.low}..{face.high}"


# ---- Play, values and stories -------------------------------------------------------------------------------------


def print_signature(signature: m.Signature) -> str:
    return " ".join([str(signature.verb), *map(_param, signature.params)])


def _param(param: m.Param) -> str:
    return str(param.variable) if param.label is None else f"{param.label} {param.variable}"


def _value(value: m.Value) -> str:
    if (line := _value_line(value)) is not None:
        return line
    combine = f", {value.combine}" if value.combine else ""
    return f"{_typed(value)}{combine}{print_clauses(value.clauses)}"


def _typed(value: m.Value) -> str:
    return f"value {value.name}{print_of(value.variables)}: {print_type(value.type)}"


def _value_line(value: m.Value) -> str | None:
    """All of it on one line, if it has just one plain case."""
    match value:
        case m.Value(
            combine=None,
            cases=(
                m.Case(
                    manner=None,
                    op="is",
                    value=single,
                    conditions=m.Conditions(when=None, unless=None, even_if=None),
                    clauses=m.NO_CLAUSES,
                ),
            ),
        ):
            line = f"{_typed(value)} is {print_expression(single)}{print_clauses(value.clauses)}"
            return line if fits_one_line(line) else None
        case _:
            return None


def _case(case: m.Case) -> str:
    said = print_assignment(case.op, case.value)
    return f"{print_manner(case.manner)}{said}{print_conditions(case.conditions)}{print_clauses(case.clauses)}"


def _rank_line(line: m.RankLine | m.RankTies) -> str:
    match line:
        case m.RankLine(by=by, value=value, clauses=clauses):
            return f"{by} {print_sum(value)}{print_clauses(clauses)}"
        case m.RankTies(how=how, clauses=clauses):
            return f"ties {how}{print_clauses(clauses)}"
        case _:
            assert_never(line)


def _story_lines(story: m.Story) -> Iterator[PrintedLine]:
    yield PrintedLine(1, f"starts at {print_names(story.starts)}", story.starts[0].span)
    for item in story.items:
        match item:
            case m.Passage():
                yield from _passage_lines(item, 1)
            case m.Chapter(name=name, title=title, clauses=clauses, passages=passages):
                titled = "" if title is None else f" {print_string(title)}"
                yield PrintedLine(1, f"chapter {name}{titled}{print_clauses(clauses)}", item.span)
                for passage in passages:
                    yield from _passage_lines(passage, 2)
            case _:
                assert_never(item)


def _passage_lines(passage: m.Passage, depth: int) -> Iterator[PrintedLine]:
    texts = "".join(f" {print_string(text)}" for text in passage.texts)
    yield PrintedLine(depth, f"passage {passage.name}{texts}{print_clauses(passage.clauses)}", passage.span)
    # Options and statements may stand in any order; as the author has it, so that comments stay where they were.
    for part in sorted((*passage.body, *passage.options), key=lambda part: part.span.start):
        yield from option_lines(part, depth + 1) if isinstance(part, m.Option) else statement_lines(part, depth + 1)


# ---- Judging ------------------------------------------------------------------------------------------------------


def _policy_lines(line: m.PolicyLine) -> Iterator[PrintedLine]:
    match line:
        case m.PolicyReads(rule=rule, reading=reading):
            yield PrintedLine(1, f"{rule} reads {reading}", line.span)
        case m.PolicyOver(winner=winner, loser=loser):
            yield PrintedLine(1, f"{winner} over {loser}", line.span)
        case m.PolicyIfPossible(rule=rule):
            yield PrintedLine(1, f"{rule} if possible", line.span)
        case m.Rule():
            yield PrintedLine(1, print_heading(line), line.span)
            yield from rule_body_lines(line, 2)
        case _:
            assert_never(line)


def print_ask(ask: m.AskModal | m.AskValue | m.AskEvent) -> str:
    match ask:
        case m.AskModal(actor=actor, modal=modal, phrase=phrase, when=when):
            return f"{print_offer(actor, modal, [phrase])}{optional('when', when)}"
        case m.AskValue(value=value, when=when):
            return f"what is {print_ref(value)}{optional('when', when)}"
        case m.AskEvent(event=event, condition=condition):
            return f"what happens when {print_event(event)}{optional('if', condition)}"
        case _:
            assert_never(ask)


def _expect(expect: m.Expect) -> str:
    answer = expect.answer if isinstance(expect.answer, str) else print_sum(expect.answer)
    return f"expect {answer}{_listed('because', expect.because)}{_listed('against', expect.against)}"


def print_scenario_line(line: m.ScenarioLine) -> str:
    match line:
        case m.Seats(count=count):
            return f"seats {count}"
        case m.UsesPolicy(policy=policy):
            return f"policy {policy}"
        case m.UsesDefaults():
            return "policy default"
        case m.GivenThat(condition=condition):
            return f"given {print_expression(condition)}"
        case m.AtMoment(moment=moment, of=of):
            return print_during(moment, of)
        case m.DoMove(phrase=phrase, rolls=rolls, draws=draws, choices=choices):
            chances = _chances("rolling", rolls) + _chances("drawing", draws) + _chances("choosing", choices)
            return f"do {print_phrase(phrase)}{chances}"
        case m.Then(condition=condition):
            return f"then {print_expression(condition)}"
        case m.ThenModal(actor=actor, modal=modal, phrase=phrase, because=because):
            return f"then {print_offer(actor, modal, [phrase])}{_listed('because', because)}"
        case m.ThenUndetermined(between=between):
            return f"then undetermined{_listed('between', between)}"
        case _:
            assert_never(line)


def _chances(word: str, values: tuple[m.Expr, ...]) -> str:
    return f" {word} {', '.join(map(print_sum, values))}" if values else ""


__all__ = [
    "PrintedLine",
    "print_ask",
    "print_declaration",
    "print_event",
    "print_expression",
    "print_heading",
    "print_meta_rule",
    "print_norm",
    "print_phrase",
    "print_ref",
    "print_scenario_line",
    "print_signature",
    "print_simple",
    "print_type",
]
