"""Kinds, state, piles, pools, maps, lines of sight and dice: what they hold at the start fits what they can hold."""

from __future__ import annotations

from rules import model as m
from rules.check.cites import check_clauses
from rules.check.context import Context, did_you_mean
from rules.check.declare import kind_named
from rules.check.expressions import Scope, bind, expect, infer, truth
from rules.diagnostics import Label
from rules.span import Span
from rules.symbols import ConstantSymbol, SlotSymbol, VariableSymbol
from rules.types import (
    UNKNOWN,
    BagT,
    EnumT,
    KindT,
    NumberT,
    OrderT,
    PileT,
    SetT,
    TitleT,
    Type,
    UnknownT,
    describe,
    elements,
    fits,
    without_none,
)

_VISIBLE = ("open", "closed", "private")


def check_kind(node: m.Kind, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    slots = {line.name.text: line for line in node.lines if isinstance(line, m.Slot)}
    for slot in slots.values():
        _slot(slot, cx)
    given = _has_lines(node, slots, cx)
    members = _members(node, cx)
    for name, slot in slots.items():
        missing = [member for member in members if (member, name) not in given]
        if slot.starts is not None or (members and not missing):
            continue
        if slot.printed:
            _report_unprinted(node, slot, missing, cx)
        else:
            _needs_start(slot, cx)


def _members(node: m.Kind, cx: Context) -> tuple[str, ...]:
    if isinstance(node.population, m.Members):
        return tuple(member.name.text for member in node.population.members)
    kind = cx.kinds.get(node.name.text)
    return kind.members if kind is not None else ()


def _report_unprinted(node: m.Kind, slot: m.Slot, missing: list[str], cx: Context) -> None:
    """A printed number or name must be given; a printed yes/no that is not given is no, a set is empty."""
    symbol = cx.symbol_of.get(id(slot))
    if not isinstance(symbol, SlotSymbol) or not isinstance(symbol.type, (NumberT, EnumT, KindT, TitleT)):
        return
    name = slot.name.text
    if not missing:
        cx.report(
            "LX310",
            f"nothing says what `{name}` is printed on the {node.name.text}",
            slot.name.span,
            help=f"name the {node.name.text} and write `... has {name} ...`, or give all the same with `starts`",
        )
        return
    more = f" and {len(missing) - 4} more" if len(missing) > 4 else ""
    some = ", ".join(f"`{member}`" for member in missing[:4]) + more
    cx.report(
        "LX310",
        f"nothing says what `{name}` is printed on {some}",
        slot.name.span,
        help=f"write `{missing[0]} has {name} ...`",
    )


def _has_lines(node: m.Kind, slots: dict[str, m.Slot], cx: Context) -> dict[tuple[str, str], Span]:
    """What is given of which thing, and where."""
    members = _members(node, cx)
    given: dict[tuple[str, str], Span] = {}
    for line in node.lines:
        if not isinstance(line, m.HasLine):
            continue
        if line.member.text not in members:
            cx.unknown(line.member, f"thing of {node.name.text}", members)
            continue
        _note_thing(line.member, node.name.text, cx)
        for part in line.given:
            slot = slots.get(part.attribute.text)
            if slot is None:
                cx.unknown(part.attribute, f"attribute of {node.name.text}", slots)
                continue
            if (line.member.text, part.attribute.text) in given:
                first = given[line.member.text, part.attribute.text]
                cx.report(
                    "LX102",
                    f"`{part.attribute.text}` of `{line.member.text}` is given twice",
                    part.span,
                    labels=[Label(first, "first given here")],
                )
            given.setdefault((line.member.text, part.attribute.text), part.span)
            symbol = cx.symbol_of.get(id(slot))
            wanted = symbol.type if isinstance(symbol, SlotSymbol) else UNKNOWN
            if symbol is not None:
                cx.note(part.attribute, symbol)
            expect(part.value, wanted, Scope(), cx, f"`{part.attribute.text}`")
    return given


def _note_thing(name: m.Name, kind: str, cx: Context) -> None:
    for symbol in cx.terms.get(name.text, ()):
        if isinstance(symbol, ConstantSymbol) and symbol.type in (KindT(kind), TitleT(kind)):
            cx.note(name, symbol)


def check_state(node: m.State, cx: Context) -> None:
    for slot in node.slots:
        _slot(slot, cx)
        if slot.starts is None:
            _needs_start(slot, cx)


def _needs_start(slot: m.Slot, cx: Context) -> None:
    symbol = cx.symbol_of.get(id(slot))
    if isinstance(symbol, SlotSymbol) and isinstance(symbol.type, (EnumT, KindT, TitleT)):
        cx.report(
            "LX311",
            f"nothing says what `{slot.name.text}` is at the start",
            slot.name.span,
            help=f"write `starts ...`, or let it be `{symbol.type.name} or none`"
            if isinstance(symbol.type, KindT)
            else "write `starts ...`",
        )


def _slot(slot: m.Slot, cx: Context) -> None:
    check_clauses(slot.clauses, cx)
    symbol = cx.symbol_of.get(id(slot))
    type_ = symbol.type if isinstance(symbol, SlotSymbol) else UNKNOWN
    for modifier in slot.modifiers:
        _modifier(modifier, type_, cx)
    seen = [word.text for word in slot.modifiers if word.text in _VISIBLE]
    if len(seen) > 1:
        cx.report("LX106", f"`{slot.name.text}` cannot be both `{seen[0]}` and `{seen[1]}`", slot.name.span)
    if isinstance(type_, BagT) and type_.limit == 0:
        cx.report("LX302", f"the bag `{slot.name.text}` can hold nothing", slot.name.span)
    if slot.starts is None or slot.starts == "rest":
        return
    scope = _index_scope(slot, cx)
    if isinstance(type_, PileT):
        found = infer(slot.starts, scope, cx, SetT(KindT(type_.kind)))
        inside = elements(without_none(found))
        if inside is None or not fits(inside, KindT(type_.kind)):
            cx.report(
                "LX201",
                f"`{slot.name.text}` holds {type_.kind}, and this is {describe(found)}",
                slot.starts.span,
                help=f"write `starts {type_.kind}` for all of them, or a set such as `{{c where ...}}`",
            )
    else:
        named = type_.name if isinstance(type_, (KindT, EnumT)) else None
        hint = f"let it be `{named} or none`" if named and isinstance(slot.starts, m.Nothing) else None
        expect(slot.starts, type_, scope, cx, f"`{slot.name.text}`", help=hint)


def _modifier(word: m.Name, type_: Type, cx: Context) -> None:
    known = (*_VISIBLE, "shuffled") if isinstance(type_, (PileT, OrderT, UnknownT)) else _VISIBLE
    if word.text in known:
        return
    if word.text == "shuffled":
        cx.report("LX106", "only a pile or an order is shuffled", word.span)
        return
    hint = did_you_mean(word.text, known) or f"what can stand here: {', '.join(f'`{k}`' for k in known)}"
    cx.report("LX106", f"`{word.text}` means nothing here", word.span, help=hint)


def _index_scope(slot: m.Slot, cx: Context) -> Scope:
    """An index that is a variable can be spoken of in `starts`."""
    scope = Scope()
    for name in slot.indices:
        for symbol in cx.terms.get(name.text, ()):
            if isinstance(symbol, VariableSymbol):
                scope = scope.with_(name, symbol.type)
    return scope


def check_piles(node: m.Piles, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    for slot in node.slots:
        _slot(slot, cx)
        if any(word.text == "private" for word in slot.modifiers) and not slot.indices:
            cx.report(
                "LX106",
                f"`{slot.name.text}` belongs to nobody, so nobody could see it",
                slot.name.span,
                help="say whose it is (`of Player`), or write `closed`",
            )
    if all(slot.starts is None for slot in node.slots):
        cx.report(
            "LX312",
            f"nothing says where the {node.of.text} lie at the start",
            node.span,
            help=f"write `starts {node.of.text}` after one of the piles",
        )


def check_pool(node: m.Pool, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    if node.total < 1:
        cx.report("LX302", f"the pool `{node.name.text}` has no counters", node.name.span)
    if node.each is not None:
        kind_named(node.each, cx)
    for slot in node.slots:
        _slot(slot, cx)
        if node.each is not None:
            _belongs(slot, node.each, cx)
    _pool_total(node, cx)


def _belongs(slot: m.Slot, each: m.Name, cx: Context) -> None:
    symbol = cx.symbol_of.get(id(slot))
    first = symbol.params[0] if isinstance(symbol, SlotSymbol) and symbol.params else None
    if (each.text in cx.kinds and not fits(first or UNKNOWN, KindT(each.text))) or first is None:
        cx.report(
            "LX313",
            f"nothing says whose counters `{slot.name.text}` holds",
            slot.name.span,
            help=f"each {each.text} has its own: write `{slot.name.text} of {each.text}`",
        )


def _pool_total(node: m.Pool, cx: Context) -> None:
    """Counters at the start add up, where the starts are plain numbers and the places are as many as their owners."""
    rests = [slot for slot in node.slots if slot.starts == "rest"]
    if len(rests) > 1:
        cx.report("LX304", "only one place of a pool can hold the rest", rests[1].name.span)
        return
    total = 0
    for slot in node.slots:
        if slot.starts is None or slot.starts == "rest":
            continue
        if not isinstance(slot.starts, m.Number):
            return
        copies = _copies(slot, node.each, cx)
        if copies is None:
            return
        total += slot.starts.value * copies
    if total > node.total or (not rests and total != node.total):
        cx.report(
            "LX304",
            f"the pool has {node.total} counters, and {total} are placed at the start",
            node.name.span,
            help="write `starts rest` after the place that holds what is left",
        )


def _copies(slot: m.Slot, each: m.Name | None, cx: Context) -> int | None:
    """How many places a line of a pool stands for, for one owner; None where the number is not fixed."""
    symbol = cx.symbol_of.get(id(slot))
    params = symbol.params if isinstance(symbol, SlotSymbol) else ()
    copies = 1
    for param in params[1 if each is not None else 0 :]:
        if not isinstance(param, KindT) or cx.kinds[param.name].least != cx.kinds[param.name].most:
            return None
        copies *= cx.kinds[param.name].most
    return copies


def check_map(node: m.Map, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    kind = cx.kinds.get(node.of.text)
    for line in node.lines:
        for link in line.links:
            for place in link.places:
                if kind is not None and place.text not in kind.members:
                    cx.unknown(
                        place,
                        f"thing of {kind.name}",
                        kind.members,
                        help=None if kind.members else f"the {kind.name} have no names: write `named ...`",
                    )
                _note_thing(place, node.of.text, cx)
            for one, other in zip(link.places, link.places[1:], strict=False):
                if one.text == other.text:
                    cx.report("LX314", f"`{one.text}` is joined to itself", other.span)


def check_sight(node: m.Sight, cx: Context) -> None:
    check_clauses(node.clauses, cx)
    type_, scope = bind(node.origin, Scope(), cx)
    other, scope = bind(node.target, scope, cx)
    grid = isinstance(type_, KindT) and cx.kinds[type_.name].grid is not None
    if UnknownT() not in (type_, other) and (not grid or type_ != other):
        cx.report(
            "LX315",
            "a line of sight runs between two spaces of one grid",
            node.name.span,
            help="elsewhere, give what is seen as a state: `sees of (A, B) yes/no`",
        )
    for line in node.lines:
        match line:
            case m.SightPoints(origin=origin, target=target):
                for point in (origin, target):
                    if point.point.text not in ("centre", "corner"):
                        cx.report(
                            "LX106",
                            f"`{point.point.text}` is no part of a space",
                            point.point.span,
                            help="a line runs from a `centre` or a `corner`",
                        )
            case m.SightSpace(variable=variable, where=where):
                _, inner = bind(variable, scope, cx)
                truth(where, inner, cx)
            case m.SightEdge(first=first, second=second, where=where):
                _, inner = bind(first, scope, cx)
                _, inner = bind(second, inner, cx)
                truth(where, inner, cx)
            case m.SightTouch(what=what, result=result):
                if what.text not in ("edge", "corner", "joint"):
                    cx.report(
                        "LX106",
                        f"`{what.text}` is nothing that a line could touch",
                        what.span,
                        help="a line touches an `edge`, a `corner` or a `joint`",
                    )
                if result.text not in ("blocks", "passes"):
                    cx.report(
                        "LX106",
                        f"`{result.text}` means nothing here",
                        result.span,
                        help="touching `blocks` or `passes`",
                    )
    if not any(isinstance(line, m.SightPoints) for line in node.lines):
        cx.report(
            "LX315",
            "nothing says from where to where the line runs",
            node.name.span,
            help="write `from centre to centre`, or `from any corner to any corner`",
        )


def check_outline(node: m.Outline, cx: Context) -> None:
    cx.find_named(cx.documents, node.document, "document")
    lines: dict[int, m.OutlineLine] = {}
    titles: dict[str, m.Section] = {}
    for section in node.sections:
        if section.title in titles:
            labels = [Label(titles[section.title].span, "the first one")]
            cx.report(
                "LX122", f'the section "{section.title}" stands twice in this outline', section.span, labels=labels
            )
        titles.setdefault(section.title, section)
        if section.first is not None and section.last is not None and section.first > section.last:
            cx.report("LX301", f"`{section.first}..{section.last}` runs downwards", section.span)
        for line in section.lines:
            if section.first is not None and section.last is not None:
                _in_section(line, section, section.first, section.last, cx)
            if line.line in lines:
                labels = [Label(lines[line.line].span, "the first one")]
                cx.report("LX122", f"line {line.line} stands twice in this outline", line.span, labels=labels)
            lines.setdefault(line.line, line)


def _in_section(line: m.OutlineLine, section: m.Section, first: int, last: int, cx: Context) -> None:
    if first <= last and not first <= line.line <= last:
        cx.report(
            "LX122",
            f'line {line.line} is not among the lines {first}..{last} of the section "{section.title}"',
            line.span,
        )
