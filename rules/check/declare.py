"""First pass: every name that the book declares, with its type. Of bodies only the moments in them are looked at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Literal

from rules import model as m
from rules.check.context import Context
from rules.diagnostics import Label
from rules.span import Span
from rules.symbols import (
    ConstantSymbol,
    DieSymbol,
    KindSymbol,
    NamedSymbol,
    RankSymbol,
    RelationSymbol,
    SlotRole,
    SlotSymbol,
    TableSymbol,
    TypeSymbol,
    ValueSymbol,
    VariableSymbol,
    VerbSymbol,
)
from rules.types import TRUTH, UNKNOWN, BagT, EnumT, KindT, MaybeT, NumberT, OrderT, PileT, SetT, TitleT, Type
from rules.walk import nodes_of

_DIE = re.compile(r"d([1-9][0-9]{0,2})\Z")
_MAX_COPIES = 1000
_MAX_VALUES = 10_000
BUILTIN_MOMENTS = ("turn", "game", "this step", "this phase")


def declare(book: m.Rulebook, cx: Context) -> None:
    """INVARIANT: kinds and types come first, then what has a type, so that declarations may stand in any order."""
    for moment in BUILTIN_MOMENTS:
        cx.moments[moment] = NamedSymbol(moment, "moment", None)
    _once(book, cx, m.Game, "the `game` line")
    _once(book, cx, m.Precedence, "the `precedence` block")
    _once(book, cx, m.Play, "the `play` block")
    for declaration in book.declarations:
        match declaration:
            case m.TypeDecl():
                _type(declaration, cx)
            case m.Kind():
                _kind(declaration, cx)
            case _:
                pass
    for declaration in book.declarations:
        if isinstance(declaration, m.Die):
            _die(declaration, cx)
    for declaration in book.declarations:
        if isinstance(declaration, m.Let):
            _declaration(declaration, cx)
    for declaration in book.declarations:
        if not isinstance(declaration, m.Let):
            _declaration(declaration, cx)
    _moments_and_verbs(cx)


def _once(book: m.Rulebook, cx: Context, what: type, words: str) -> None:
    found = [d for d in book.declarations if isinstance(d, what)]
    for extra in found[1:]:
        cx.duplicate_block(words, extra.span, found[0].span)


def _type(node: m.TypeDecl, cx: Context) -> None:
    name = node.name
    if not _free_type_name(name, cx):
        return
    if isinstance(node.body, m.RangeType):
        range_ = _range(node.body, cx)
        _few_values(f"the type `{name.text}`", range_, node.body.span, cx)
        symbol = TypeSymbol(name.text, range_, (), name.span)
    else:
        enum = EnumT(name.text)
        symbol = TypeSymbol(name.text, enum, tuple(v.text for v in node.body), name.span)
        for value in node.body:
            cx.declare_term(value, "value", ConstantSymbol(value.text, enum, value.span), node)
    cx.types[name.text] = symbol
    cx.note(name, symbol, node)


def _kind(node: m.Kind, cx: Context) -> None:
    name = node.name
    if not _free_type_name(name, cx):
        return
    least, most, members, grid = _population(node, cx)
    symbol = KindSymbol(name.text, least, most, members, grid, name.span)
    cx.kinds[name.text] = symbol
    cx.declare_term(name, "kind", symbol, node)
    if isinstance(node.population, m.Product):
        for member_name in members:
            word = m.Name(member_name, node.population.span)
            cx.declare_term(word, "thing", ConstantSymbol(member_name, KindT(name.text), word.span), node)
    if isinstance(node.population, m.Members):
        for member in node.population.members:
            type_: Type = KindT(name.text) if member.copies == 1 else TitleT(name.text)
            cx.declare_term(member.name, "thing", ConstantSymbol(member.name.text, type_, member.name.span), member)


def _population(node: m.Kind, cx: Context) -> tuple[int, int, tuple[str, ...], m.Grid | None]:
    match node.population:
        case None:
            cx.report(
                "LX302",
                f"nothing says how many {node.name.text} there are",
                node.name.span,
                help="write a number, a range such as `2..4`, `named a, b, c`, or a grid",
            )
            return 1, 1, (), None
        case m.Count(low=low, high=high, span=span):
            if low > high:
                cx.report("LX301", f"`{low}..{high}` runs downwards", span, help=f"did you mean `{high}..{low}`?")
                low, high = high, low
            if high == 0 or low == 0:
                cx.report(
                    "LX302",
                    f"the kind `{node.name.text}` may have no thing at all",
                    span,
                    help="a kind has at least one thing; what may be absent is written `or none` where it is used",
                )
            if high > _MAX_COPIES:
                cx.report("LX302", f"there can be 1 to {_MAX_COPIES} {node.name.text}, not {high}", span)
            return max(low, 1), max(high, 1), (), None
        case m.Members(members=members):
            for member in members:
                if not 1 <= member.copies <= _MAX_COPIES:
                    cx.report("LX302", f"there can be 1 to {_MAX_COPIES} copies, not {member.copies}", member.span)
            total = sum(min(max(member.copies, 1), _MAX_COPIES) for member in members)
            return total, total, tuple(member.name.text for member in members), None
        case m.Product(of=of):
            return _product(of, cx)
        case m.Grid(shape=shape, columns=columns, rows=rows, span=span) as grid:
            if shape.text not in ("square", "hex"):
                cx.report(
                    "LX106", f"`{shape.text}` is no shape of a grid", shape.span, help="a grid is `square` or `hex`"
                )
            if not (1 <= columns <= 100 and 1 <= rows <= 100):
                cx.report("LX302", f"a grid has 1 to 100 columns and rows, not {columns} by {rows}", span)
            size = max(columns, 1) * max(rows, 1)
            return size, size, (), grid


def _product(of: tuple[m.Name, ...], cx: Context) -> tuple[int, int, tuple[str, ...], None]:
    parts: list[Sequence[object]] = []
    for name in of:
        type_ = cx.types.get(name.text)
        kind = cx.kinds.get(name.text)
        if type_ is not None and isinstance(type_.type, NumberT):
            parts.append(range(type_.type.low, type_.type.high + 1))
        elif type_ is not None:
            parts.append(type_.values)
        elif kind is not None and kind.members:
            parts.append(kind.members)
        else:
            cx.unknown(name, "type or kind with named values above this line", [*cx.types, *cx.kinds])
    for place, name in enumerate(of):
        for first in [other for other in of[:place] if other.text == name.text][:1]:
            labels = [Label(first.span, "the first one")]
            cx.report("LX102", f"`{name.text}` can be combined only once", name.span, labels=labels)
    total = prod(map(len, parts))
    if total > _MAX_COPIES:
        cx.report("LX302", f"there can be 1 to {_MAX_COPIES} things, not {total}", of[0].span)
        return _MAX_COPIES, _MAX_COPIES, (), None
    return total, total, tuple("_".join(map(str, each)) for each in product(*parts)), None


def _free_type_name(name: m.Name, cx: Context) -> bool:
    first = cx.types.get(name.text) or cx.kinds.get(name.text)
    if first is None:
        return True
    cx.duplicate(name, "type or kind", first.span)
    return False


def _range(node: m.RangeType, cx: Context) -> NumberT:
    if node.low > node.high:
        cx.report(
            "LX301",
            f"`{node.low}..{node.high}` runs downwards",
            node.span,
            help=f"did you mean `{node.high}..{node.low}`?",
        )
        return NumberT(node.high, node.low)
    return NumberT(node.low, node.high)


def _few_values(what: str, type_: Type, span: Span, cx: Context) -> None:
    """What is gone through value by value must be small enough for that."""
    if isinstance(type_, NumberT) and type_.high - type_.low >= _MAX_VALUES:
        count = type_.high - type_.low + 1
        cx.report("LX302", f"{what} has {count} values, and more than {_MAX_VALUES} cannot be gone through", span)


def resolve_type(node: m.TypeExpr, cx: Context) -> Type:
    match node:
        case m.RangeType():
            return _range(node, cx)
        case m.YesNoType():
            return TRUTH
        case m.NamedType(name=name, or_none=or_none):
            found = type_named(name, cx)
            return MaybeT(found) if or_none and found != UNKNOWN else found
        case m.SetType(of=inside):
            held = resolve_type(inside, cx)
            _few_values("this set", held, node.span, cx)
            return held if held == UNKNOWN else SetT(held)
        case m.BagType(of=inside, limit=limit):
            held = resolve_type(inside, cx)
            return held if held == UNKNOWN else BagT(held, limit)
        case m.OrderType(of=of):
            found = type_named(of, cx)
            if isinstance(found, KindT):
                return OrderT(found.name)
            if found != UNKNOWN:
                cx.report(
                    "LX103", f"only the things of a kind can be put in order, and `{of.text}` is no kind", of.span
                )
            return UNKNOWN


def type_named(name: m.Name, cx: Context) -> Type:
    """The type, the kind, or the faces of the die of that name."""
    symbol: TypeSymbol | KindSymbol | DieSymbol | None
    symbol = cx.types.get(name.text) or cx.kinds.get(name.text) or die_named(name, cx)
    if symbol is None:
        cx.unknown(name, "type or kind", [*cx.types, *cx.kinds, *cx.dice])
        return UNKNOWN
    cx.use(name, symbol)
    return symbol.type


def die_named(name: m.Name, cx: Context) -> DieSymbol | None:
    """A die of the book, or one of the plain dice `d2` to `d999`."""
    if name.text in cx.dice:
        return cx.dice[name.text]
    plain = _DIE.match(name.text)
    if plain is None:
        return None
    cx.dice[name.text] = DieSymbol(name.text, NumberT(1, int(plain.group(1))), None)
    return cx.dice[name.text]


def kind_named(name: m.Name, cx: Context) -> KindSymbol | None:
    symbol = cx.kinds.get(name.text)
    if symbol is None:
        if name.text in cx.types:
            cx.report("LX103", f"`{name.text}` is a type; a kind is needed here", name.span)
        else:
            cx.unknown(name, "kind", cx.kinds)
        return None
    cx.use(name, symbol)
    return symbol


def _index(name: m.Name, cx: Context) -> Type:
    """What a slot is asked of: a kind, a type, or a variable that `starts` can then speak of."""
    if any(isinstance(s, VariableSymbol) for s in cx.terms.get(name.text, ())):
        return variable_type(name, cx)
    return type_named(name, cx)


def _declaration(node: m.Declaration, cx: Context) -> None:
    match node:
        case m.Game(played_by=played_by):
            cx.has_game = True
            if played_by is not None and kind_named(played_by, cx) is not None:
                cx.players = played_by.text
        case m.Documents(documents=documents):
            for document in documents:
                cx.declare_named(cx.documents, document.name, "document", document)
        case m.Outline(document=document):
            if document.text in cx.outlines:
                cx.duplicate(document, "outline of", cx.outlines[document.text].document.span)
            else:
                cx.outlines[document.text] = node
        case m.Kind(name=name, lines=lines, population=population):
            if isinstance(population, m.Product):
                for place, part in enumerate(dict.fromkeys(population.of)):
                    known = part.text in cx.types or part.text in cx.kinds
                    type_ = type_named(part, cx) if known else UNKNOWN  # unknown: `_product` has said so
                    printed = SlotSymbol(part.text.lower(), "printed", (KindT(name.text),), type_, None, part.span)
                    cx.declare_term(m.Name(part.text.lower(), part.span), "state", printed, node)
                    cx.products.append((printed, name.text, place))
                    cx.used.add(id(printed))
            for line in lines:
                if isinstance(line, m.Slot):
                    role: SlotRole = "printed" if line.printed else "attribute"
                    _slot(line, role, (KindT(name.text),), _slot_type(line, cx), None, cx)
        case m.Let(names=names, type=type_expr):
            type_ = resolve_type(type_expr, cx)
            for name in names:
                variable = VariableSymbol(name.text, type_, name.span)
                cx.declare_term(name, "variable", variable, node)
                cx.symbol_of[id(name)] = variable
        case m.State(slots=slots):
            for slot in slots:
                _slot(slot, "state", _indices(slot, cx), _slot_type(slot, cx), None, cx)
        case m.Piles(of=of, slots=slots):
            kind = kind_named(of, cx)
            for slot in slots:
                pile: Type = PileT(of.text) if kind is not None else UNKNOWN
                _slot(slot, "pile", _indices(slot, cx), pile, None, cx)
        case m.Pool(name=name, total=total, slots=slots):
            cx.declare_named(cx.pools, name, "pool", node)
            for slot in slots:
                _slot(slot, "place", _indices(slot, cx), NumberT(0, total), name.text, cx)
        case m.Map(name=name, of=of):
            if kind_named(of, cx) is not None:
                both = (KindT(of.text), KindT(of.text))
                cx.declare_term(name, "map", RelationSymbol(name.text, both, name.span), node)
                cx.maps[name.text] = of.text
        case m.Sight(name=name, origin=origin, target=target):
            ends = (variable_type(origin, cx), variable_type(target, cx))
            cx.declare_term(name, "line of sight", RelationSymbol(name.text, ends, name.span), node)
        case m.Procedure(signature=signature):
            _verb(signature, "procedure", node, cx)
        case m.Action(signature=signature):
            _verb(signature, "action", node, cx)
        case m.Rule(name=name):
            _rule(node, cx)
        case m.Value(name=name, variables=variables, type=type_expr):
            types = tuple(variable_type(v, cx) for v in variables)
            symbol = ValueSymbol(name.text, types, resolve_type(type_expr, cx), name.span)
            cx.declare_term(name, "value", symbol, node)
            cx.declare_statement(name, "value", node)
        case m.Table():
            _table(node, cx)
        case m.Rank(name=name, variable=variable, given=given):
            ranked = variable_type(variable, cx)
            params = tuple(variable_type(v, cx) for v in given)
            if isinstance(ranked, KindT):
                cx.declare_term(name, "rank", RankSymbol(name.text, ranked.name, params, name.span), node)
            elif ranked != UNKNOWN:
                cx.report("LX201", f"`{variable.text}` does not stand for things that can be ranked", variable.span)
            cx.declare_statement(name, "rank", node)
        case m.Story(name=name):
            cx.declare_named(cx.stories, name, "story", node)
            for passage in node.passages():
                cx.declare_named(cx.passages, passage.name, "passage", passage)
        case m.Policy(sort=sort, name=name, lines=lines):
            cx.declare_named(cx.policies, name, sort, node)
            cx.has_defaults = cx.has_defaults or node.default
            for rule in lines:
                if isinstance(rule, m.Rule):
                    _rule(rule, cx)
        case _:
            pass
    _moments(node, cx)
    _tags(node, cx)


def _slot(node: m.Slot, role: SlotRole, params: tuple[Type, ...], type_: Type, pool: str | None, cx: Context) -> None:
    symbol = SlotSymbol(node.name.text, role, params, type_, pool, node.name.span)
    cx.declare_term(node.name, "state", symbol, node)
    cx.symbol_of[id(node)] = symbol


def _slot_type(node: m.Slot, cx: Context) -> Type:
    assert node.type is not None
    return resolve_type(node.type, cx)


def _indices(node: m.Slot, cx: Context) -> tuple[Type, ...]:
    return tuple(_index(name, cx) for name in node.indices)


def variable_type(name: m.Name, cx: Context) -> Type:
    """The type of a variable that is bound here; the name must be one that `let` declares."""
    for symbol in cx.terms.get(name.text, ()):
        if isinstance(symbol, VariableSymbol):
            cx.use(name, symbol)
            return symbol.type
    variables = [n for n, found in cx.terms.items() if isinstance(found[0], VariableSymbol)] if cx.terms else []
    if cx.terms.get(name.text):
        cx.report(
            "LX110",
            f"`{name.text}` is no variable",
            name.span,
            help="a variable is needed here: declare one with `let ... be ...`",
        )
    else:
        cx.unknown(name, "variable", variables, help=f"declare it: `let {name.text} be ...`")
    return UNKNOWN


def _die(node: m.Die, cx: Context) -> None:
    name = node.name
    first = cx.dice.get(name.text)
    if first is not None and first.span is not None:
        cx.duplicate(name, "die", first.span)
        return
    numbers = [face for face in node.faces if face.low is not None]
    if not numbers:
        owners = [
            {c.type for c in cx.terms.get(face.name.text, ()) if isinstance(c, ConstantSymbol)}
            for face in node.faces
            if face.name is not None
        ]
        for face, owner in zip(node.faces, owners, strict=True):
            if not owner and face.name is not None:
                cx.unknown(face.name, "value", _constants(cx), help="declare a `type` with the faces as its values")
        shared = set.intersection(*owners) if owners else set()
        if len(shared) != 1 and all(owners):
            cx.report("LX309", f"the faces of `{name.text}` are not values of one type", node.span)
        type_ = next(iter(shared)) if len(shared) == 1 else UNKNOWN
        for face in node.faces:
            if face.name is not None:
                _note_face(face.name, type_, cx)
        cx.dice[name.text] = DieSymbol(name.text, type_, name.span)
        cx.note(name, cx.dice[name.text], node)
        return
    for face in node.faces:
        if face.name is not None:
            cx.report("LX309", f"`{name.text}` has both numbers and names on its faces", face.span)
        elif face.low is not None and face.high is not None and face.low > face.high:
            cx.report("LX301", f"`{face.low}..{face.high}` runs downwards", face.span)
    low = min(min(f.low, f.high) for f in numbers if f.low is not None and f.high is not None)
    high = max(max(f.low, f.high) for f in numbers if f.low is not None and f.high is not None)
    mixed = len(numbers) < len(node.faces)
    cx.dice[name.text] = DieSymbol(name.text, UNKNOWN if mixed else NumberT(low, high), name.span)
    cx.note(name, cx.dice[name.text], node)
    _few_values(f"the die `{name.text}`", NumberT(low, high), node.span, cx)


def _note_face(name: m.Name, type_: Type, cx: Context) -> None:
    for symbol in cx.terms.get(name.text, ()):
        if isinstance(symbol, ConstantSymbol) and symbol.type == type_:
            cx.note(name, symbol)


def _constants(cx: Context) -> list[str]:
    return [name for name, found in cx.terms.items() if found and isinstance(found[0], ConstantSymbol)]


def _rule(node: m.Rule, cx: Context) -> None:
    cx.declare_statement(node.name, "rule", node)
    cx.rules.setdefault(node.name.text, node)
    for reading in node.readings:
        what = f"reading of `{node.name.text}`"
        cx.note(reading.name, NamedSymbol(reading.name.text, what, reading.name.span), reading)


def _verb(
    node: m.Signature, role: Literal["action", "procedure"], declaration: m.Action | m.Procedure, cx: Context
) -> None:
    verb = node.verb
    if verb.text in cx.verbs:
        cx.duplicate(verb, "action or procedure", cx.verbs[verb.text].span)
        return
    types = tuple(variable_type(param.variable, cx) for param in node.params)
    seen: set[str | None] = set()
    for param in node.params:
        if param.label in seen:
            words = f"the part `{param.label}`" if param.label else "a part without a word before it"
            cx.report("LX207", f"{words} stands twice in `{verb.text}`", param.span)
        seen.add(param.label)
    names = [param.variable.text for param in node.params]
    for place, param in enumerate(node.params):
        if param.variable.text in names[:place]:
            cx.report(
                "LX105",
                f"`{param.variable.text}` stands twice in `{verb.text}`",
                param.span,
                help="declare a second variable with `let`",
            )
    cx.verbs[verb.text] = VerbSymbol(verb.text, role, node.params, types, verb.span)
    cx.note(verb, cx.verbs[verb.text], declaration)
    cx.declare_statement(verb, role, declaration)


def _table(node: m.Table, cx: Context) -> None:
    keys = tuple(resolve_type(key, cx) for key in node.keys)
    variables = tuple(variable_type(v, cx) for v in node.variables)
    gives = any(row.gives is not None for row in node.rows)
    symbol = TableSymbol(node.name.text, keys, variables, UNKNOWN if gives else None, node.name.span)
    cx.declare_term(node.name, "table", symbol, node)
    cx.declare_statement(node.name, "table", node)


def _moments(node: m.Declaration, cx: Context) -> None:
    if isinstance(node, m.Play | m.Procedure | m.Action | m.Rule | m.Story | m.Table | m.Policy):
        for part in nodes_of(node):
            if isinstance(part, m.Window):
                first = cx.moments.get(part.name.text)
                if first is not None and first.what == "window":  # one moment, opened in several places
                    cx.note(part.name, first)
                else:
                    cx.declare_named(cx.moments, part.name, "window", part)
            elif isinstance(part, m.Phase):
                cx.declare_named(cx.moments, part.name, "moment", part)


def _moments_and_verbs(cx: Context) -> None:
    """`end X` and `during X` speak of both, so that they share their names."""
    for name in cx.moments.keys() & cx.verbs.keys():
        moment, verb = cx.moments[name], cx.verbs[name]
        if moment.span is None:
            cx.duplicate(m.Name(name, verb.span), "moment", None)
        elif (moment.span.source.path, moment.span.start) > (verb.span.source.path, verb.span.start):
            cx.duplicate(m.Name(name, moment.span), moment.what, verb.span, same=False)
        else:
            cx.duplicate(m.Name(name, verb.span), verb.role, moment.span, same=False)


def _tags(node: m.Declaration, cx: Context) -> None:
    for part in nodes_of(node):
        if isinstance(part, m.Clauses):
            for tag in part.among:
                cx.note(tag, cx.tags.setdefault(tag.text, NamedSymbol(tag.text, "tag", tag.span)))
