"""Statements and norms to lines of canonical text.

In: nodes of the model. Out: `PrintedLine`s, one for each line of the canonical text, none of them wrapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import assert_never

from grammar.layout import MAX_OPERATORS, lex
from grammar.parser import keywords
from grammar.print_expressions import (
    optional,
    print_clauses,
    print_event,
    print_expression,
    print_names,
    print_offer,
    print_outcome,
    print_phrase,
    print_primary,
    print_ref,
    print_string,
    print_sum,
)
from rules import model as m
from rules.span import Source, Span


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line without its indentation. `span` starts in the line of the source that it stands for; that of an
    `otherwise` starts at the first statement under it, since the word itself is no node."""

    depth: int
    text: str
    span: Span


# ---- Statements ---------------------------------------------------------------------------------------------------


def block_lines(block: m.Block, depth: int) -> Iterator[PrintedLine]:
    for statement in block:
        yield from statement_lines(statement, depth)


def statement_lines(statement: m.Statement, depth: int) -> Iterator[PrintedLine]:
    match statement:
        case m.Simple(body=m.End(moment=moment, then=(_, *_) as then)):
            yield PrintedLine(depth, f"end {moment} then", statement.span)
            yield from block_lines(then, depth + 1)
        case m.Simple(body=body, clauses=clauses):
            yield PrintedLine(depth, print_simple(body) + print_clauses(clauses), statement.span)
        case m.If():
            yield from _if_lines(statement, depth)
        case m.RollRows(rows=rows):
            yield PrintedLine(depth, print_header(statement), statement.span)
            yield from row_lines(rows, depth + 1)
        case m.Decides(options=options):
            yield PrintedLine(depth, print_header(statement), statement.span)
            for option in options:
                yield from option_lines(option, depth + 1)
        case m.Phase() | m.Each() | m.Turns() | m.Repeat() | m.After():
            yield PrintedLine(depth, print_header(statement), statement.span)
            yield from block_lines(statement.body, depth + 1)
        case _:
            assert_never(statement)


def print_header(statement: m.Phase | m.Each | m.Turns | m.Repeat | m.RollRows | m.Decides | m.After) -> str:
    """The first line of a statement that has a block."""
    match statement:
        case m.Phase(word=word, name=name, even_when_ended=even, clauses=clauses):
            return f"{word} {name}{' even when ended' if even else ''}{print_clauses(clauses)}"
        case m.Each(variable=variable, order=order, where=where, secretly=secretly):
            return f"each {variable}{optional('by', order)}{optional('where', where)}{' secretly' if secretly else ''}"
        case m.Turns(variable=variable, order=order, where=where, until=until):
            until_text = print_expression(until)
            return f"turns of {variable}{optional('by', order)}{optional('where', where)} until {until_text}"
        case m.Repeat(times=times, until=until):
            return f"repeat{'' if times is None else f' {print_sum(times)} times'}{optional('until', until)}"
        case m.RollRows(count=count, die=die, variable=variable):
            return f"{_roll(count, die, variable)}:"
        case m.Decides(actor=actor):
            return f"{print_ref(actor)} decides"
        case m.After(moment=moment):
            return f"after {moment}"
        case _:
            assert_never(statement)


def _if_lines(statement: m.If, depth: int) -> Iterator[PrintedLine]:
    # A loop, since a chain may be longer than the stack is deep.
    lead = ""
    while True:
        yield PrintedLine(depth, f"{lead}if {print_expression(statement.condition)}", statement.span)
        yield from block_lines(statement.then, depth + 1)
        match statement.otherwise:
            case ():
                return
            case (m.If() as following,):
                statement, lead = following, "otherwise "
            case block:
                yield PrintedLine(depth, "otherwise", block[0].span)
                yield from block_lines(block, depth + 1)
                return


def print_simple(body: m.SimpleBody) -> str:
    """A statement of one line, without its clauses."""
    match body:
        case m.Becomes(target=target, value=value):
            return f"{print_ref(target)} becomes {print_expression(value)}"
        case m.Shift(target=target, direction=direction, amount=amount):
            return f"{print_ref(target)} {direction} by {print_sum(amount)}"
        case m.Move(what=what, origin=origin, target=target, under=under):
            return f"move {print_sum(what)}{optional('from', origin)} {'under' if under else 'to'} {print_ref(target)}"
        case m.Draw(count=count, origin=origin, target=target, variable=variable):
            return (
                f"draw {print_sum(count)} from {print_ref(origin)} to {print_ref(target)}{print_named('as', variable)}"
            )
        case m.Shuffle(pile=pile, into=into):
            return f"shuffle {print_ref(pile)}{optional('into', into)}"
        case m.Reveal(what=what, to=to):
            return f"reveal {print_ref(what)}{optional('to', to)}"
        case m.Pay(amount=amount, source=source, target=receiver):
            return f"pay {print_sum(amount)} from {print_ref(source)}{optional('to', receiver)}"
        case m.Roll(count=rolled, die=die, variable=variable, table=on):
            return f"{_roll(rolled, die, variable)}{print_named('on', on)}"
        case m.Consult(table=table, keys=keys):
            return f"consult {table} with {', '.join(map(print_sum, keys))}"
        case m.Chooses(actor=actor, variable=chosen, or_none=or_none, where=where):
            return f"{print_ref(actor)} chooses {chosen}{' or none' if or_none else ''}{optional('where', where)}"
        case m.Takes():
            return _takes(body)
        case m.Offer(actor=actor, modal=modal, phrases=phrases):
            return print_offer(actor, modal, phrases)
        case m.Do(phrase=phrase):
            return print_phrase(phrase)
        case m.Window(name=name, variable=variable, order=order):
            return f"window {name}{print_named('for', variable)}{optional('by', order)}"
        case m.End(moment=moment):
            return f"end {moment}"
        case m.Disable(rule=rule, until=event):
            return f"disable {rule}" if event is None else f"disable {rule} until {print_event(event)}"
        case m.Go(passage=passage):
            return f"go to {passage}"
        case m.Read(passage=passage):
            return f"read {passage}"
        case m.Return():
            return "return"
        case m.Ending(text=text):
            return f"ending {print_string(text)}"
        case m.Outcome():
            return print_outcome(body)
        case m.DoNothing():
            return "nothing"
        case _:
            assert_never(body)


def _takes(body: m.Takes) -> str:
    if body.count is None:
        return f"{print_ref(body.actor)} takes any actions"
    actions = "action" if isinstance(body.count, m.Number) and body.count.value == 1 else "actions"
    return f"{print_ref(body.actor)} takes {'up to ' if body.up_to else ''}{print_sum(body.count)} {actions}"


def _roll(count: m.Expr | None, die: m.Name, variable: m.Name | None) -> str:
    return f"roll {'' if count is None else print_primary(count) + ' '}{die}{print_named('as', variable)}"


def print_named(words: str, name: m.Name | None) -> str:
    """An optional name after the words that belong to it."""
    return "" if name is None else f" {words} {name}"


def option_lines(option: m.Option, depth: int) -> Iterator[PrintedLine]:
    text = f"option {print_string(option.text)}{print_conditions(option.conditions)}{print_clauses(option.clauses)}"
    yield PrintedLine(depth, text, option.span)
    yield from block_lines(option.body, depth + 1)


def print_conditions(conditions: m.Conditions) -> str:
    when, unless = optional("when", conditions.when), optional("unless", conditions.unless)
    return f"{when}{unless}{optional('even if', conditions.even_if)}"


def row_lines(rows: Iterable[m.Row], depth: int) -> Iterator[PrintedLine]:
    for row in rows:
        if (line := _row_line(row)) is not None:
            yield PrintedLine(depth, line, row.span)
        else:
            yield PrintedLine(depth, f"{print_keys(row)}:{print_clauses(row.clauses)}", row.span)
            yield from block_lines(row.body, depth + 1)


def _row_line(row: m.Row) -> str | None:
    """All of it on one line, if it gives a value or has just one plain statement."""
    if row.gives is not None:
        return f"{print_keys(row)}: gives {print_sum(row.gives)}{print_clauses(row.clauses)}"
    match row.body:
        case (m.Simple(body=body, clauses=m.NO_CLAUSES),) if not _has_block(body):
            line = f"{print_keys(row)}: {print_simple(body)}{print_clauses(row.clauses)}"
            return line if fits_one_line(line) else None
        case _:
            return None


def print_keys(row: m.Row) -> str:
    return "otherwise" if row.is_rest else ", ".join(map(print_key, row.keys))


def fits_one_line(text: str) -> bool:
    """Whether the lexer takes it for one line: of two lines that it takes, it may refuse the sum."""
    return len(text) <= MAX_OPERATORS or not lex(Source("", text), keywords()).diagnostics


def _has_block(body: m.SimpleBody) -> bool:
    return isinstance(body, m.End) and bool(body.then)


def print_key(key: m.Key) -> str:
    match key:
        case m.NumberKey(low=low, high=None):
            return f"{low}+"
        case m.NumberKey(low=low, high=high):
            return str(low) if low == high else f"{low}..{high}"
        case m.NameKey(name=name):
            return str(name)
        case m.TruthKey(value=value):
            return "yes" if value else "no"
        case m.AnyKey():
            return "any"
        case m.OneOfKey(keys=keys):
            return " or ".join(map(print_key, keys))
        case _:
            assert_never(key)


# ---- Norms --------------------------------------------------------------------------------------------------------


def norm_lines(norm: m.Norm, depth: int) -> Iterator[PrintedLine]:
    yield PrintedLine(depth, print_norm(norm), norm.span)
    if isinstance(norm.body, m.EventNorm):
        yield from block_lines(norm.body.body, depth + 1)


def print_norm(norm: m.Norm) -> str:
    """The line of a norm; of one that has a block, its first line."""
    return f"{print_manner(norm.manner)}{_norm_body(norm.body)}"


def print_manner(manner: m.Manner | None) -> str:
    return "" if manner is None else f"{manner} "


def _norm_body(body: m.NormBody) -> str:
    match body:
        case m.ModalNorm(actor=actor, modal=modal, phrases=phrases, frequency=frequency, conditions=conditions):
            possible = " if possible" if body.if_possible else ""
            said = f"{print_offer(actor, modal, phrases)}{possible}"
            return f"{said}{_frequency(frequency)}{print_conditions(conditions)}"
        case m.EventNorm(timing=timing, event=event, condition=condition):
            return f"{timing} {print_event(event)}{optional('if', condition)}"
        case m.IgnoreNorm(what=what, condition=condition):
            ignored = f"rule {what}" if isinstance(what, m.Name) else print_event(what)
            return f"ignore {ignored}{optional('if', condition)}"
        case m.ValueNorm(target=target, op=op, value=value, conditions=conditions):
            return f"{print_ref(target)} {print_assignment(op, value)}{print_conditions(conditions)}"
        case m.LimitNorm(what=limited, most=most, rest_lost=lost, conditions=conditions):
            rest = ", rest lost" if lost else ""
            return f"limit {print_sum(limited)} to {print_sum(most)}{rest}{print_conditions(conditions)}"
        case m.OutcomeNorm(outcome=outcome, conditions=conditions):
            return f"{print_outcome(outcome)}{print_conditions(conditions)}"
        case _:
            assert_never(body)


def print_assignment(op: m.ValueOp, value: m.Expr) -> str:
    """`is 1`, `plus 2`: what a norm or a case says of a value."""
    return f"{op} {print_expression(value) if op == 'is' else print_sum(value)}"


def _frequency(frequency: m.Frequency | None) -> str:
    if frequency is None:
        return ""
    times = "once" if frequency.count == 1 else f"up to {frequency.count} times"
    each = f" for each {print_names(frequency.each)}" if frequency.each else ""
    return f" {times} per {frequency.moment}{each}"


def rule_body_lines(rule: m.Rule, depth: int) -> Iterator[PrintedLine]:
    """The lines below the first one."""
    for norm in rule.norms:
        yield from norm_lines(norm, depth)
    for reading in rule.readings:
        yield PrintedLine(depth, f"reading {reading.name}{print_clauses(reading.clauses)}", reading.span)
        for norm in reading.norms:
            yield from norm_lines(norm, depth + 1)
