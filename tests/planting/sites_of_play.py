"""What no play reaches, what comes in the wrong order, and where play cannot go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.planting.clean import Book
from tests.planting.parts import (
    Group,
    Lines,
    Modal,
    Option,
    Passage,
    Rule,
    Step,
    Trigger,
    with_action,
    with_new,
    with_norm,
    with_option,
    with_passage,
    with_step,
)
from tests.planting.site import Site, place_in
from tests.planting.sites_of_conflicts import exceptions


def _passage(group: Group, word: str) -> Passage:
    return next(p for p in group.passages if p.name == f"{group.name}_{word}")


# ---- unreachable ----------------------------------------------------------------------------------------------------


def link_cut(book: Book) -> Iterator[Site]:
    """Both options of the hall lead to the same passage; nothing leads to the other."""
    for group in book.chapters:
        hall = _passage(group, "hall")
        for place, option in enumerate(hall.options):
            lost = option.body[-1].removeprefix("go to ")
            kept = hall.options[1 - place].body
            edit = with_option(hall.name, place, replace(option, body=kept))
            yield Site(group.name, lost, edit, ((lost,),))


def guard_against_itself(book: Book) -> Iterator[Site]:
    """A second weather, or a number that the first guard excludes."""
    for group, rule, norm in exceptions(book):
        for guard in norm.when:
            if guard.startswith("weather is "):
                other = "calm" if not guard.endswith("calm") else "storm"
                yield _narrowed(group, rule, norm, f"weather is {other}")
            elif " < " in guard:
                yield _narrowed(group, rule, norm, guard.replace(" < ", " >= "))


def _narrowed(group: Group, rule: Rule, norm: Modal, guard: str) -> Site:
    edit = with_norm(rule.name, replace(norm, when=(*norm.when, guard)))
    return Site(group.name, rule.name, edit, ((rule.name,),))


def guard_against_history(book: Book) -> Iterator[Site]:
    """An option needs a mark of the other branch, or one that only it sets itself."""
    for group in book.chapters:
        roped = group.state[1].split()[0]
        seal, nerve = f"{group.name}_seal", f"{group.name}_nerve"
        yield _guarded(group, _passage(group, "bridge"), 0, (seal, roped))
        yield _guarded(group, _passage(group, "bridge"), 1, (roped, f"{nerve} is 2"))
        court = _passage(group, "court")
        yield _lost(_guarded(group, court, 0, (f"{nerve} is 2", roped)), court.options[0])
        yield _guarded(group, _passage(group, "crypt"), 0, (seal,))


def _guarded(group: Group, passage: Passage, place: int, when: Lines) -> Site:
    option: Option = replace(passage.options[place], when=when)
    return Site(group.name, passage.name, with_option(passage.name, place, option), ((passage.name,),))


def _lost(site: Site, option: Option) -> Site:
    """Where an option that is never open is the only way to an ending, the ending is what is lost."""
    return replace(site, code="LX956") if option.body[0].startswith("ending") else site


def action_never_legal(book: Book) -> Iterator[Site]:
    """The prohibition that goes before the only permission covers all of it."""
    for group in book.groups:
        if group.sort in ("craft", "catch"):
            ban = next(r for r in group.rules if r.overrides and isinstance(r.norm, Modal) and r.norm.modal == "cannot")
            allowed = group.rule(ban.overrides[0]).norm
            assert isinstance(ban.norm, Modal)
            assert isinstance(allowed, Modal)
            edit = with_norm(ban.name, replace(ban.norm, when=allowed.when[:1]))
            yield Site(group.name, ban.name, edit, ((allowed.verb,),))


def moment_never_entered(book: Book) -> Iterator[Site]:
    for group in book.groups:
        if group.steps:
            clearing, feast = group.steps[-1], f"{group.name}_feast"
            for never in ("weather is calm and weather is storm", "day is 2 and day is 4"):
                inner = (f"if {never}", f"    step {feast}", f"        {group.name}_height becomes 0")
                edit = with_step(clearing.name, (*clearing.body, *inner))
                yield Site(group.name, feast, edit, ((feast,),))


def ending_never_read(book: Book) -> Iterator[Site]:
    """An ending for whoever has both of two things, of which one can be carried."""
    for group in book.chapters:
        after = _passage(group, "after")
        one, other = (line.split()[0] for line in group.state[:2])
        crowned = (f"if {one} and {other}", '    ending "You are crowned."')

        def change(found: Passage, lines: Lines = crowned) -> Passage:
            return replace(found, body=(*lines, *found.body))

        yield Site(group.name, after.name, with_passage(after.name, change), ((after.name,),))


def row_never_up(book: Book) -> Iterator[Site]:
    """The table is asked with a smaller die."""
    for group in book.groups:
        if group.sort == "catch":
            taking = group.actions[0]
            verb = taking.phrase.split()[0]
            edit = with_action(verb, ("roll d4 as n", *taking.body[1:]))
            yield Site(group.name, f"{group.name}_haul", edit, ((f"{group.name}_haul",),))


# ---- order ----------------------------------------------------------------------------------------------------------


def steps_swapped(book: Book) -> Iterator[Site]:
    """What the survey sets is read before the survey."""
    for group in book.groups:
        if group.steps:
            survey, toll = group.steps[0].name, group.steps[1].name
            names = (toll, survey, f"{group.name}_load", f"{group.name}_works")
            yield Site(group.name, toll, _swap, (names,))


def _swap(group: Group) -> Group:
    first, second, *rest = group.steps
    return replace(group, steps=(second, first, *rest))


def overwritten_unread(book: Book) -> Iterator[Site]:
    """Before anything reads what the survey has found out, another step sets it."""
    for group in book.groups:
        if group.steps:
            survey, levelling = group.steps[0].name, f"{group.name}_levelling"
            yield Site(group.name, levelling, _level, ((survey,), (levelling,)))


def _level(group: Group) -> Group:
    survey, *rest = group.steps
    return replace(group, steps=(survey, Step(f"{group.name}_levelling", (f"{group.name}_load becomes 2",)), *rest))


def triggers_without_order(book: Book) -> Iterator[Site]:
    for group in book.groups:
        for rule in group.rules:
            if isinstance(rule.norm, Trigger) and rule.norm.timing == "when" and rule.norm.rival:
                other = replace(rule.norm, body=rule.norm.rival)
                new = Rule(f"{rule.name}_too", place_in("book"), other)
                yield Site(group.name, new.name, with_new(new), ((new.name,), (rule.name,)))


# ---- stuck ----------------------------------------------------------------------------------------------------------


def no_legal_move(book: Book) -> Iterator[Site]:
    """In a storm only shoring up goes on with a building; the rule that allows it is narrowed."""
    for group in book.groups:
        if group.sort == "works":
            shore = f"shore_up_{group.name}"
            rule = group.rule(f"{shore}_allowed")
            assert isinstance(rule.norm, Modal)
            names = (rule.name, shore, f"{group.name}_raising", f"{group.name}_works")
            for guard in (f"{group.name}_stones of p is 2", "cargo of p", "coins of p > 4", "day > 2"):
                edit = with_norm(rule.name, replace(rule.norm, when=(*rule.norm.when, guard)))
                yield Site(group.name, rule.name, edit, (names,))


def no_open_option(book: Book) -> Iterator[Site]:
    for group in book.chapters:
        nerve, roped = f"{group.name}_nerve", group.state[1].split()[0]
        yield _guarded(group, _passage(group, "bridge"), 2, (roped,))
        yield _guarded(group, _passage(group, "bridge"), 2, (f"{nerve} is 2",))
        yield _guarded(group, _passage(group, "court"), 1, (f"{nerve} is 2",))


def endless_loop(book: Book) -> Iterator[Site]:
    """What one trigger empties, the other fills, and so on."""
    for group in book.groups:
        for rule in group.rules:
            if group.sort == "feast" and rule.name.endswith("_served"):
                pot = rule.name.removesuffix("_served")
                again = Trigger(f"{pot} of p becomes 0", (f"{pot} of p becomes 3",))
                new = Rule(f"{pot}_refilled", place_in("book"), again)
                yield Site(group.name, new.name, with_new(new), ((new.name,), (rule.name,)))
