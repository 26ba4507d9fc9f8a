"""Notes, questions, claims and scenarios. Variables in them are free: they stand for any thing."""

from __future__ import annotations

from typing import assert_never

from rules import model as m
from rules.check.cites import check_clauses
from rules.check.context import Context, did_you_mean
from rules.check.expressions import Scope, during, expect, infer, ref, truth
from rules.check.phrases import check_actor, check_event, check_phrase
from rules.span import Span

NOTE_REASONS = ("etiquette", "appearance", "content", "damaged", "advice", "flavour", "elsewhere")


def check_note(node: m.Note, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    if node.reason.text not in NOTE_REASONS:
        hint = did_you_mean(node.reason.text, NOTE_REASONS) or f"a reason is one of {', '.join(NOTE_REASONS)}"
        cx.report("LX106", f"`{node.reason.text}` is no reason to leave a statement out", node.reason.span, help=hint)
    if not node.clauses.cites:
        cx.report("LX120", "a note says which place of the book it is about", node.span, help="add `cites book 12`")


def check_question(node: m.Question, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    scope = Scope(free=True)
    ask = node.ask
    match ask:
        case m.AskModal(actor=actor, phrase=phrase, when=when):
            check_phrase(phrase, scope, cx, actor=check_actor(actor, scope, cx))
            _condition(when, scope, cx)
        case m.AskValue(value=value, when=when):
            type_ = ref(value, scope, cx)
            _condition(when, scope, cx)
            if node.expect is not None and not isinstance(node.expect.answer, str):
                expect(node.expect.answer, type_, scope, cx, f"`{value.name.text}`")
        case m.AskEvent(event=event, condition=condition):
            check_event(event, scope, cx)
            _condition(condition, scope, cx)
        case _:
            assert_never(ask)
    if node.expect is not None:
        _expect(node, node.expect, scope, cx)


def _expect(node: m.Question, answer: m.Expect, scope: Scope, cx: Context) -> None:
    for name in (*answer.because, *answer.against):
        cx.find_named(cx.statements, name, "rule, value, table, rank, action or procedure")
    if not isinstance(answer.answer, str) and not isinstance(node.ask, m.AskValue):
        infer(answer.answer, scope, cx)
        cx.report("LX410", "this question is answered `always`, `never`, `depends` or `undetermined`", answer.span)


def _condition(condition: m.Expr | None, scope: Scope, cx: Context) -> None:
    if condition is not None:
        truth(condition, scope, cx)


def check_claim(node: m.Claim, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    truth(node.condition, Scope(free=True), cx)


def check_scenario(node: m.Scenario, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    scope = Scope(free=True)
    for line in node.lines:
        match line:
            case m.Seats(count=count, span=span):
                _seats(count, span, cx)
            case m.UsesPolicy(policy=policy):
                _policy(policy, cx)
            case m.UsesDefaults(span=span):
                if not cx.has_defaults:
                    cx.report(
                        "LX101",
                        "no policy of the book is marked `by default`",
                        span,
                        help="write `policy NAME by default` where the policy stands",
                    )
            case m.GivenThat(condition=condition) | m.Then(condition=condition):
                truth(condition, scope, cx)
            case m.AtMoment(moment=moment, of=of):
                during(moment, of, scope, cx)
            case m.DoMove(phrase=phrase, rolls=rolls, draws=draws, choices=choices):
                check_phrase(phrase, scope, cx, complete=True)
                for chance in (*rolls, *draws, *choices):
                    infer(chance, scope, cx)
            case m.ThenModal(actor=actor, phrase=phrase, because=because):
                check_phrase(phrase, scope, cx, actor=check_actor(actor, scope, cx))
                for name in because:
                    cx.find_named(cx.statements, name, "rule, value, table, rank, action or procedure")
            case m.ThenUndetermined(between=between):
                for name in between:
                    cx.find_named(cx.statements, name, "rule, value, table, rank, action or procedure")
            case _:
                assert_never(line)
    if not any(isinstance(line, m.Then | m.ThenModal | m.ThenUndetermined) for line in node.lines):
        cx.report(
            "LX409", "this scenario expects nothing, so it can never fail", node.span, help="add a line `then ...`"
        )


def _policy(name: m.Name, cx: Context) -> None:
    found = cx.policies.get(name.text)
    if found is not None and found.what == "ruling":
        cx.report("LX103", f"`{name.text}` is a ruling: it is always in force", name.span, help="take this line away")
        return
    cx.find_named({n: symbol for n, symbol in cx.policies.items() if symbol.what == "policy"}, name, "policy")


def _seats(count: int, span: Span, cx: Context) -> None:
    if cx.players is None:
        cx.report("LX409", "the game does not say who plays it", span, help='write `game "..." played by Player`')
        return
    kind = cx.kinds[cx.players]
    if not kind.least <= count <= kind.most:
        seats = f"{kind.least}" if kind.least == kind.most else f"{kind.least} to {kind.most}"
        cx.report("LX303", f"the game is for {seats} {kind.name}, not {count}", span)
