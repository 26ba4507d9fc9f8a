"""Random models for property tests: every model that a text can have, up to a bounded depth, and no other.

What the grammar cannot say is left out: a minus before a number (it is part of the number), `some` with two conditions,
an `end ... then` with clauses. Nothing here is checked for meaning: names are not declared, types do not fit.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rules import model as m
from rules.span import Source, Span

T = TypeVar("T")

SPAN = Span(Source("random.rules", ""), 0, 0)

# Some of them words of the language elsewhere: only at the left margin are they more than names.
_WORDS = ("p", "q", "coins", "d6", "_x", "Player", "città", "Ναῦς", "海_1", "value", "rank", "ruling")
_LABELS = ("by", "to", "from", "with", "at", "on", "into", "onto", "for", "using", "against", "through", "as")
_VERBS = ("move", "draw", "roll", "shuffle", "reveal", "pay", "read", "end", "return", "go")


def node(kind: type[T], *parts: SearchStrategy[Any]) -> SearchStrategy[T]:
    """A node of the model; its last field is the span."""
    return st.builds(kind, *parts, st.just(SPAN))


def _name(word: str) -> m.Name:
    return m.Name(word, SPAN)


def _some(element: SearchStrategy[T], least: int = 1, most: int = 2) -> SearchStrategy[tuple[T, ...]]:
    return st.lists(element, min_size=least, max_size=most).map(tuple)


def _maybe(element: SearchStrategy[T]) -> SearchStrategy[T | None]:
    return st.none() | element


NONE: SearchStrategy[None] = st.none()
FLAG = st.booleans()
names = st.sampled_from(_WORDS).map(_name)
verbs = st.sampled_from(_WORDS + _VERBS).map(_name)
moments = st.sampled_from((*_WORDS, "this step", "this phase")).map(_name)
labels = st.sampled_from((None, *_LABELS))
modals = st.sampled_from(("may", "must", "cannot"))
manners = st.sampled_from((None, "usually", "immediately"))
texts = st.text(alphabet='ab "\\n\n#é', max_size=6)
counts = st.integers(0, 20)
integers = st.integers(-20, 20)


# ---- Clauses ------------------------------------------------------------------------------------------------------


def _citation(document: m.Name, place: tuple[int | None, int | None, str | None, int]) -> m.Citation:
    return m.Citation(document, *place, SPAN)


_places = st.one_of(
    st.tuples(counts, counts).map(lambda t: (t[0], t[0], None, t[1])),
    st.tuples(counts, counts).map(lambda t: (t[0], t[1], None, 1)),
    texts.map(lambda text: (None, None, text, 1)),
)
citations = _some(st.builds(_citation, names, _places), 0, 3)
clauses = st.just(m.NO_CLAUSES) | st.builds(
    m.Clauses, citations, _some(names, 0), _some(names, 0), _some(names, 0), _some(names, 0), _maybe(names), FLAG
)


# ---- Expressions --------------------------------------------------------------------------------------------------


@cache
def expressions(depth: int) -> SearchStrategy[m.Expr]:
    leaves: SearchStrategy[m.Expr] = st.one_of(
        node(m.Number, integers), node(m.Truth, FLAG), node(m.Nothing), node(m.Ref, names, st.just(()))
    )
    if depth == 0:
        return leaves
    inner, event, sign = expressions(depth - 1), events(depth - 1), FLAG
    return st.one_of(
        leaves,
        refs(depth),
        node(m.SetOf, _some(inner, 0)),
        node(m.SetWhere, names, inner),
        node(m.NumberOf, names, _maybe(inner)),
        node(m.Aggregate, st.sampled_from(("total", "highest", "lowest")), inner, names, _maybe(inner)),
        node(m.TimesHappened, event, names),
        node(m.Arithmetic, st.sampled_from(("+", "-", "*")), inner, inner),
        node(m.Divide, inner, inner, st.sampled_from(("up", "down"))),
        inner.map(lambda e: m.Number(-e.value, SPAN) if isinstance(e, m.Number) else m.Negate(e, SPAN)),
        node(m.Compare, st.sampled_from(("<", "<=", ">", ">=")), inner, inner),
        node(m.Is, inner, inner, sign),
        node(m.IsIn, inner, inner, sign),
        node(m.Related, inner, names, inner, sign),
        node(m.Quantified, st.sampled_from(("some", "no")), names, NONE, inner),
        node(m.Quantified, st.just("every"), names, _maybe(inner), inner),
        st.builds(_short, st.sampled_from(("some", "no", "every")), names, inner, sign),
        node(m.And, inner, inner),
        node(m.Or, inner, inner),
        node(m.Not, inner),
        node(m.During, names, _maybe(inner)),
        node(m.Happened, event, names),
        outcomes(depth - 1),
    )


def _short(quantifier: m.Quantifier, variable: m.Name, value: m.Expr, negated: bool) -> m.Quantified:
    return m.Quantified(quantifier, variable, None, m.Is(m.Ref(variable, (), SPAN), value, negated, SPAN), SPAN)


@cache
def refs(depth: int) -> SearchStrategy[m.Ref]:
    return node(m.Ref, names, st.just(()) if depth == 0 else _some(expressions(depth - 1), 0, 3))


@cache
def outcomes(depth: int) -> SearchStrategy[m.Outcome]:
    return node(m.Outcome, refs(depth), st.sampled_from(("wins", "loses"))) | node(m.Outcome, NONE, st.just("wins"))


@cache
def phrases(depth: int, verb: SearchStrategy[m.Name] = verbs) -> SearchStrategy[m.Phrase]:
    return node(m.Phrase, verb, _some(node(m.Arg, labels, expressions(depth)), 0))


@cache
def events(depth: int) -> SearchStrategy[m.Event]:
    ref, value = refs(depth), expressions(depth)
    return st.one_of(
        node(m.PhraseEvent, phrases(depth)),
        node(m.ChangeEvent, ref, st.sampled_from(("increases", "decreases")), _maybe(value)),
        node(m.ChangeEvent, ref, st.just("becomes"), value),
        node(m.ChangeEvent, ref, st.just("changes"), NONE),
        node(m.MomentEvent, ref, st.sampled_from(("begins", "ends"))),
        node(m.RunsOutEvent, ref),
        node(m.TransferEvent, ref, st.sampled_from(("enters", "leaves")), ref),
    )


@cache
def types(depth: int = 2) -> SearchStrategy[m.TypeExpr]:
    leaves: SearchStrategy[m.TypeExpr] = st.one_of(
        node(m.RangeType, integers, integers),
        node(m.YesNoType),
        node(m.NamedType, names, FLAG),
        node(m.OrderType, names),
    )
    if depth == 0:
        return leaves
    return leaves | node(m.SetType, types(depth - 1)) | node(m.BagType, types(depth - 1), counts)


expr = expressions(3)
ref = refs(2)
event = events(2)
phrase = phrases(2)
conditions = st.builds(m.Conditions, _maybe(expr), _maybe(expr), _maybe(expr))


# ---- Statements and norms -----------------------------------------------------------------------------------------

simple_bodies: SearchStrategy[m.SimpleBody] = st.one_of(
    node(m.Becomes, ref, expr),
    node(m.Shift, ref, st.sampled_from(("increases", "decreases")), expr),
    node(m.Move, expr, _maybe(ref), ref, FLAG),
    node(m.Draw, expr, ref, ref, _maybe(names)),
    node(m.Shuffle, ref, _maybe(ref)),
    node(m.Reveal, ref, _maybe(ref)),
    node(m.Pay, expr, ref, _maybe(ref)),
    node(m.Roll, _maybe(expr), names, _maybe(names), _maybe(names)),
    node(m.Consult, names, _some(expr)),
    node(m.Chooses, ref, names, FLAG, _maybe(expr)),
    node(m.Takes, ref, FLAG, expr),
    node(m.Takes, ref, st.just(False), NONE),
    node(m.Offer, ref, modals, _some(phrase)),
    node(m.Do, phrases(2, names)),
    node(m.Window, names, _maybe(names), _maybe(ref)),
    node(m.End, moments, st.just(())),
    node(m.Disable, names, _maybe(event)),
    node(m.Go, names),
    node(m.Read, names),
    node(m.Return),
    node(m.Ending, texts),
    outcomes(2),
    node(m.DoNothing),
)
simples = node(m.Simple, simple_bodies, clauses)

_number_key = st.tuples(integers, integers).map(lambda t: m.NumberKey(t[0], t[1], SPAN))
_plain_keys: SearchStrategy[m.NumberKey | m.NameKey | m.TruthKey] = st.one_of(
    _number_key, node(m.NumberKey, counts, NONE), node(m.NameKey, names), node(m.TruthKey, FLAG)
)
keys: SearchStrategy[m.Key] = st.one_of(_plain_keys, node(m.AnyKey), node(m.OneOfKey, _some(_plain_keys, 2)))


@cache
def rows(depth: int) -> SearchStrategy[m.Row]:
    plain = node(m.Simple, simple_bodies, st.just(m.NO_CLAUSES)).map(lambda s: (s,))
    does = node(m.Row, _some(keys, 0), NONE, plain | blocks(depth), clauses)
    return does | node(m.Row, _some(keys, 0), expr, st.just(()), clauses)


@cache
def options(depth: int) -> SearchStrategy[m.Option]:
    return node(m.Option, texts, conditions, clauses, st.just(()) | blocks(depth))


@cache
def statements(depth: int) -> SearchStrategy[m.Statement]:
    if depth == 0:
        return simples
    body = blocks(depth - 1)
    end_then = node(m.End, moments, body).map(lambda end: m.Simple(end, m.NO_CLAUSES, SPAN))
    return st.one_of(
        simples,
        end_then,
        node(m.Phase, st.just("phase"), names, st.just(False), clauses, st.just(()) | body),
        node(m.Phase, st.just("step"), names, FLAG, clauses, st.just(()) | body),
        node(m.Each, names, _maybe(ref), _maybe(expr), FLAG, body),
        node(m.Turns, names, _maybe(ref), _maybe(expr), expr, body),
        node(m.Repeat, _maybe(expr), _maybe(expr), body),
        node(m.If, expr, body, st.just(()) | body),
        node(m.RollRows, _maybe(expr), names, _maybe(names), _some(rows(depth - 1))),
        node(m.Decides, ref, _some(options(depth - 1))),
        node(m.After, moments, body),
    )


@cache
def blocks(depth: int) -> SearchStrategy[m.Block]:
    return _some(statements(depth))


block = blocks(2)

frequencies = node(m.Frequency, counts, names, _some(names, 0))
norm_bodies: SearchStrategy[m.NormBody] = st.one_of(
    node(m.ModalNorm, ref, modals, _some(phrase), FLAG, _maybe(frequencies), conditions),
    node(m.EventNorm, st.sampled_from(("when", "when about to", "instead of")), event, _maybe(expr), block),
    node(m.IgnoreNorm, event | names, _maybe(expr)),
    node(m.ValueNorm, ref, st.sampled_from(("is", "plus", "minus", "is at least", "is at most")), expr, conditions),
    node(m.LimitNorm, expr, expr, FLAG, conditions),
    node(m.OutcomeNorm, outcomes(2), conditions),
)
norms = node(m.Norm, manners, norm_bodies)
readings = node(m.Reading, names, clauses, _some(norms))
rules = node(m.Rule, names, clauses, _some(norms), st.just(())) | node(
    m.Rule, names, clauses, st.just(()), _some(readings)
)


# ---- Declarations -------------------------------------------------------------------------------------------------

documents = node(m.Document, names, texts, _maybe(names))
outline_lines = node(m.OutlineLine, counts, counts, counts)
sections = node(m.Section, texts, NONE, NONE, _some(outline_lines)) | node(
    m.Section, texts, counts, counts, _some(outline_lines)
)
_sides = st.sampled_from((*_WORDS, "may", "must", "cannot")).map(_name)
_metas = st.one_of(
    node(m.Explicit),
    node(m.Over, _sides, _sides, NONE, NONE),
    node(m.Over, _sides, _sides, names, _maybe(names)),
    node(m.Authority, _some(_some(names, 2, 3))),
    node(m.Listed, names),
    node(m.Simultaneous, names, _maybe(names)),
    node(m.Undecided),
)
meta_rules = node(m.MetaRule, FLAG, _metas, citations)
populations = st.one_of(
    NONE,
    node(m.Count, counts, counts),
    node(m.Members, _some(node(m.Member, names, counts))),
    node(m.Grid, names, counts, counts),
    node(m.Product, _some(names)),
)
_no_names: SearchStrategy[tuple[m.Name, ...]] = st.just(())
_modifiers = _some(names, 0)
_attributes = node(m.Slot, names, _no_names, types(), _maybe(expr), FLAG, _modifiers, clauses)
_given = node(m.Given, names, expr)
_kind_lines = _attributes | node(m.HasLine, names, _some(_given))
_state_lines = node(m.Slot, names, _some(names, 0), types(), _maybe(expr), st.just(False), _modifiers, clauses)
_pile_lines = node(m.Slot, names, _some(names, 0), NONE, _maybe(expr), st.just(False), _modifiers, clauses)
_pool_starts = _maybe(expr | st.just("rest"))
_pool_lines = node(m.Slot, names, _some(names, 0), NONE, _pool_starts, st.just(False), _no_names, clauses)
_links = node(m.Link, _some(names, 2, 3), st.just(False)) | node(m.Link, _some(names, 2, 2), st.just(True))
_points = node(m.SightPoint, st.sampled_from((None, "any", "every")), names)
_sight_lines = st.one_of(
    node(m.SightPoints, _points, _points),
    node(m.SightSpace, names, expr),
    node(m.SightEdge, names, names, expr),
    node(m.SightTouch, names, names),
)
_faces = node(m.Face, counts, counts, NONE) | node(m.Face, NONE, NONE, names)
signatures = node(m.Signature, verbs, _some(node(m.Param, labels, names), 0))
cases = node(
    m.Case, manners, st.sampled_from(("is", "plus", "minus", "is at least", "is at most")), expr, conditions, clauses
)
_plain_cases = expr.map(lambda e: (m.Case(None, "is", e, m.Conditions(None, None, None), m.NO_CLAUSES, SPAN),))
_combines = st.sampled_from((None, "first", "highest", "lowest"))
_rank_lines = st.one_of(
    node(m.RankLine, st.sampled_from(("most", "fewest")), expr, clauses),
    node(m.RankLine, st.just("first in"), ref, clauses),
    node(m.RankTies, names, clauses),
)
passages = node(m.Passage, names, _some(texts, 0), clauses, st.just(()) | blocks(1), _some(options(1), 0))
chapters = node(m.Chapter, names, _maybe(texts), clauses, _some(passages))
_policy_lines = (
    node(m.PolicyReads, names, names) | node(m.PolicyOver, names, names) | node(m.PolicyIfPossible, names) | rules
)
_asks = st.one_of(
    node(m.AskModal, ref, modals, phrase, _maybe(expr)),
    node(m.AskValue, ref, _maybe(expr)),
    node(m.AskEvent, event, _maybe(expr)),
)
_answers = st.sampled_from(("always", "never", "depends", "undetermined")) | expr
_expects = node(m.Expect, _answers, _some(names, 0), _some(names, 0))
_claim_words = st.sampled_from(("always", "never", "possible", "eventually"))
scenario_lines: SearchStrategy[m.ScenarioLine] = st.one_of(
    node(m.Seats, counts),
    node(m.UsesPolicy, names),
    node(m.UsesDefaults),
    node(m.GivenThat, expr),
    node(m.AtMoment, names, _maybe(expr)),
    node(m.DoMove, phrase, _some(expr, 0), _some(expr, 0), _some(expr, 0)),
    node(m.Then, expr),
    node(m.ThenModal, ref, modals, phrase, _some(names, 0)),
    node(m.ThenUndetermined, _some(names, 0)),
)

declarations: SearchStrategy[m.Declaration] = st.one_of(
    node(m.Game, texts, _maybe(names), clauses),
    node(m.Import, texts),
    node(m.Documents, _some(documents)),
    node(m.Outline, names, _some(sections)),
    node(m.Precedence, _some(meta_rules)),
    node(m.TypeDecl, names, node(m.RangeType, integers, integers) | _some(names), clauses),
    node(m.Kind, names, populations, clauses, _some(_kind_lines, 0)),
    node(m.Let, _some(names), types()),
    node(m.State, _some(_state_lines)),
    node(m.Piles, names, clauses, _some(_pile_lines)),
    node(m.Pool, names, counts, _maybe(names), clauses, _some(_pool_lines)),
    node(m.Map, names, names, clauses, _some(node(m.LinkLine, _some(_links)))),
    node(m.Sight, names, names, names, clauses, _some(_sight_lines)),
    node(m.Die, names, _some(_faces), clauses),
    node(m.Play, clauses, block),
    node(m.Procedure, signatures, clauses, block),
    node(m.Action, signatures, _some(names, 0), clauses, st.just(()) | block),
    rules,
    node(m.Value, names, _some(names, 0), types(), _combines, clauses, _some(cases, 0) | _plain_cases),
    node(m.Table, names, _some(types()), _some(names, 0), clauses, _some(rows(1))),
    node(m.Rank, names, names, _some(names, 0), _maybe(expr), clauses, _some(_rank_lines)),
    node(m.Story, names, clauses, _some(names), _some(passages | chapters)),
    node(m.Policy, st.just("policy"), names, st.booleans(), clauses, _some(_policy_lines)),
    node(m.Policy, st.just("ruling"), names, st.just(False), clauses, _some(_policy_lines)),
    node(m.Note, names, texts, clauses),
    node(m.Question, texts, clauses, _asks, _maybe(_expects)),
    node(m.Claim, _maybe(texts), _claim_words, expr, clauses),
    node(m.Scenario, texts, clauses, _some(scenario_lines)),
)
rulebooks = st.lists(declarations, max_size=4).map(tuple)
