"""Rules that disagree where nothing in the book decides, readings that differ, and rules that say nothing new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.planting.clean import Book
from tests.planting.parts import Group, Modal, Outcome, Rule, Says, Trigger, with_new, with_override, with_reading
from tests.planting.setting import DAYS, FAME, RUIN
from tests.planting.site import Site, common_for, place_in


def _against(group: Group, new: Rule, *others: str) -> Site:
    return Site(group.name, new.name, with_new(new), ((new.name,), *((other,) for other in others)))


def _permissions(book: Book) -> Iterator[tuple[Group, Rule, Modal]]:
    for group in book.groups:
        for rule in group.rules:
            if rule.open and isinstance(rule.norm, Modal):
                yield group, rule, rule.norm


def may_against_cannot(book: Book) -> Iterator[Site]:
    """A prohibition of the book that is no hindrance; or a permission on a card against another card."""
    for group, rule, norm in _permissions(book):
        for condition in common_for(rule):
            ban = Modal("cannot", norm.phrase, (condition,))
            yield _against(group, Rule(f"{rule.name}_not", place_in("book"), ban), rule.name)
    for group, reef in _reefs(book):
        assert isinstance(reef.norm, Modal)
        port, post = reef.norm.phrase.split()[-1], f"{group.name}_post"
        allowed = Modal("may", reef.norm.phrase, (f"{port} is next to {post} of p", "cargo of p"))
        yield _against(group, Rule(f"{reef.name}_pass", place_in("card"), allowed), reef.name)


def _reefs(book: Book) -> Iterator[tuple[Group, Rule]]:
    """The prohibitions that stand on cards."""
    for group in book.groups:
        if group.sort == "watch":
            yield group, group.rule(f"{group.name}_reef")


def must_against_cannot(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for ban in group.rules:
            if isinstance(ban.norm, Modal) and ban.norm.modal == "cannot" and ban.overrides:
                allowed = group.rule(ban.overrides[0]).norm
                assert isinstance(allowed, Modal)
                for day in ("day > 2", "day is 3"):
                    duty = Modal("must", allowed.phrase, (*allowed.when, day))
                    yield _against(group, Rule(f"{ban.overrides[0]}_duty", place_in("book"), duty), ban.name)
    for group, reef in _reefs(book):
        assert isinstance(reef.norm, Modal)
        duty = Modal("must", reef.norm.phrase, (f"{group.name}_post of p is {book.ports[1]}", "day is 2"))
        yield _against(group, Rule(f"{reef.name}_duty", place_in("card"), duty), reef.name)


def two_duties(book: Book) -> Iterator[Site]:
    """Each can be met once in a phase, and to meet the one is not to meet the other."""
    for group in book.groups:
        for rule in group.rules:
            if isinstance(rule.norm, Modal) and rule.norm.modal == "must":
                there = f"{group.name} to {book.ports[1]}"
                for condition in ("coins of p >= 2", "cargo of p"):
                    when = (rule.norm.when[0], condition, "weather is not storm")
                    duty = Modal("must", there, when, times=rule.norm.times)
                    yield _against(group, Rule(f"{group.name}_sent_on", place_in("book"), duty), rule.name)


def two_values(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for value in group.values:
            for condition in ("cargo of p", "coins of p >= 2", "day is 2"):
                other = Says("0", (condition,), f"{value.name} of p")
                yield _against(group, Rule(f"{value.name}_custom", place_in("book"), other), value.name)


def two_replacements(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for rule in group.rules:
            if isinstance(rule.norm, Trigger) and rule.norm.timing == "instead of":
                for condition in ("cargo of p", "coins of p >= 2", "day > 2"):
                    other = replace(rule.norm, body=rule.norm.rival, when=(condition,))
                    yield _against(group, Rule(f"{rule.name}_too", rule.cites, other), rule.name)


def win_and_loss(book: Book) -> Iterator[Site]:
    losses = {
        "famous": (f"fame of p is {FAME}", ("weather is rough", "weather is calm", "coins of p >= 4")),
        "last_day": (f"day is {DAYS}", ("coins of p >= 3", "weather is rough", "not cargo of p")),
    }
    for win, (common, further) in losses.items():
        for condition in further:
            lost = Outcome("p", "loses", (common, condition))
            yield _against(book.core, Rule(f"{win}_disgraced", place_in("book"), lost), win)


def ending_out_of_reach(book: Book) -> Iterator[Site]:
    """By its condition, or because whoever is famous has won before the last day."""
    for when in (
        ("weather is calm", "weather is storm"),
        ("cargo of p", "not cargo of p"),
        (f"fame of p is {FAME}", f"day is {DAYS}"),
    ):
        won = Outcome("p", "wins", when)
        yield _against(book.core, Rule("beloved", place_in("book"), won))


def ending_of_nobody(book: Book) -> Iterator[Site]:
    """Something is asked of every port of a sort, and no port is of that sort."""
    for never in ("weather is calm and weather is storm", "q is next to q"):
        lost = Outcome("p", "loses", (f"ruin of p is {RUIN}", f"every q where {never} satisfies q is ship of p"))
        yield _against(book.core, Rule("shunned", place_in("book"), lost))


# ---- precedence -----------------------------------------------------------------------------------------------------


def cycle(book: Book) -> Iterator[Site]:
    """The sheet overrides the card, the card has authority over the book, and the book over the sheet."""
    for group in book.groups:
        for rule in group.rules:
            if isinstance(rule.norm, Says) and rule.document == "card":
                value = rule.norm.target.split()[0]
                for condition in ("cargo of p", "day > 2", "coins of p >= 2"):
                    other = Says("4", (*rule.norm.when, condition), rule.norm.target)
                    new = Rule(f"{value}_of_old", place_in("sheet"), other, overrides=(rule.name,))
                    yield _against(group, new, rule.name, value)


def idle_override(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for one, other in group.apart:
            yield Site(group.name, one, with_override(one, other), ((one,), (other,)))


def idle_meta_rule(book: Book) -> Iterator[Site]:
    """A line of the precedence that no two rules need."""
    lines = ["immediate over lasting"]
    if any(group.sort == "feast" for group in book.groups):
        lines.append("feasts over sheet")
    for line in lines:

        def edit(found: Group, said: str = line) -> Group:
            return replace(found, meta=(f"{said} cites {place_in('book')}",))

        yield Site(book.core.name, line, edit, ((line.split()[0], "precedence"),))


# ---- readings, and what is said already -----------------------------------------------------------------------------


def exceptions(book: Book) -> Iterator[tuple[Group, Rule, Modal]]:
    for group in book.groups:
        for rule in group.rules:
            if rule.exception and isinstance(rule.norm, Modal):
                yield group, rule, rule.norm


def two_readings(book: Book) -> Iterator[Site]:
    """The second reading leaves out what makes the exception one."""
    for group, rule, norm in exceptions(book):
        plain = [guard for guard in norm.when if "<" not in guard]
        left_out = [guard for guard in plain if not guard.startswith("weather is ")] or plain
        for guard in left_out:
            other = replace(norm, when=tuple(g for g in norm.when if g != guard))
            yield Site(group.name, rule.name, with_reading(rule.name, other), ((rule.name,),))


def said_already(book: Book) -> Iterator[Site]:
    for group, rule, norm in _permissions(book):
        for condition in common_for(rule):
            again = replace(norm, when=(*norm.when, condition))
            yield _against(group, Rule(f"{rule.name}_again", place_in("book"), again), rule.name)
