"""Questions and claims that stand beside the rules, and that the rules do not bear out."""

from __future__ import annotations

from collections.abc import Iterator

from tests.planting.clean import Book
from tests.planting.parts import Group, Modal, with_thing
from tests.planting.site import Site


def question_failed(book: Book) -> Iterator[Site]:
    """What goes before says no where the question expects yes."""
    for group in book.groups:
        for ban in group.rules:
            if isinstance(ban.norm, Modal) and ban.norm.modal == "cannot" and ban.overrides:
                verb, when = ban.norm.verb, " and ".join(ban.norm.when)
                title = f'question "May anybody {verb} then?"'
                edit = with_thing(title, f"    p may {verb} when {when}", "    expect always")
                yield Site(group.name, verb, edit, ((verb,),))


def claim_failed(book: Book) -> Iterator[Site]:
    """A number comes to its end; two sorts of weather never come together."""
    for group in book.groups:
        if group.sort == "craft":
            ware, type_ = group.attributes[0].split()
            yield _claim(group, ware, f'claim "nobody has many {ware}" never {ware} of p is {type_[-1]}')
            both = "weather is calm and weather is storm"
            tool = f"{group.name}_tool"
            yield _claim(group, tool, f'claim "there is a day for a {tool}" possible {tool} of p and {both}')


def _claim(group: Group, name: str, line: str) -> Site:
    return Site(group.name, name, with_thing(line), ((name,),))
